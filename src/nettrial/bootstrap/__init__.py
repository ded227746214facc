"""The community bootstrap: networks drawn from the communities of one, and what models do there."""

from .replicate import replicate_network
from .test import community_bootstrap_test

__all__ = ["community_bootstrap_test", "replicate_network"]
