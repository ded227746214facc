"""Domains that networks are drawn from, to see what a test does on other networks of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

from ..core import seeds
from ..core.errors import unknown_choice
from ..network.communities import GIANT, largest_share, louvain
from ..network.network import Network
from ..synth.latent_groups import latent_group_network
from ..synth.planted import core_network, heterophilous_network, planted_network

WORLDS: dict[str, Callable[..., Network]] = {
    "lgm300": partial(latent_group_network, 300),
    "lgm600": partial(latent_group_network, 600),
    "blocks600": partial(planted_network, 600),
    "weak600": partial(planted_network, 600, inside=0.6, purity=0.75),
    "hetero600": partial(heterophilous_network, 600),
}


def giant_network(n_nodes: int = 300, *, seed: seeds.Seed = 0) -> Network:
    """Draw core networks until Louvain takes more than a share of `GIANT` for one community."""
    entropy = seeds.freeze(seed)
    drawn = (core_network(n_nodes, seed=seeds.derive(entropy, attempt)) for attempt in count())
    return next(found for found in drawn if largest_share(louvain(found, seed=entropy)) > GIANT)


# for questions of their own, not part of the calibration grid
OTHERS: dict[str, Callable[..., Network]] = {"core300": giant_network}


def draw(world: str, seed: int) -> Network:
    known = WORLDS | OTHERS
    if world not in known:
        raise unknown_choice("world", world, known)
    return known[world](seed=seed)
