"""Domains that networks are drawn from, to see what a test does on other networks of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..errors import unknown_choice
from ..network import Network
from ..synth.latent_groups import latent_group_network
from ..synth.planted import heterophilous_network, planted_network

WORLDS: dict[str, Callable[..., Network]] = {
    "lgm300": partial(latent_group_network, 300),
    "lgm600": partial(latent_group_network, 600),
    "blocks600": partial(planted_network, 600),
    "weak600": partial(planted_network, 600, inside=0.6, purity=0.75),
    "hetero600": partial(heterophilous_network, 600),
}


def draw(world: str, seed: int) -> Network:
    """Draw one network of a world."""
    if world not in WORLDS:
        raise unknown_choice("world", world, WORLDS)
    return WORLDS[world](seed=seed)
