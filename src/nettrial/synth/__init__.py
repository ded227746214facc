"""Networks and classifiers that are made up, to see what a test does when the truth is known."""

from .latent_groups import latent_group_network

__all__ = ["latent_group_network"]
