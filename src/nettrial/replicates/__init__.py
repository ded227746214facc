"""Networks made of the communities of one, what models do on them, and the variance it gives."""

from .bootstrap_test import community_bootstrap_test
from .replicate import replicate_network

__all__ = ["community_bootstrap_test", "replicate_network"]
