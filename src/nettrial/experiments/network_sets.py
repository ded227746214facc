"""Sets of networks of one kind: the user's own folder, or stand-ins of stated properties."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..core import seeds
from ..core.errors import InputError, shown
from ..io import read
from ..network.network import Network
from ..synth.latent_groups import latent_group_network

LEAST = 2  # one network is evaluated, the others calibrate


def schools(seed: int) -> list[Network]:
    """Generate six networks like the schools of figure 1(f): a stand-in, no school.

    Stated: 300 to 700 nodes, average degree 7 to 8, autocorrelation 0.25 to 0.35.
    """
    return [
        latent_group_network(
            size, mean_group_size=12, share_a=0.7, positive=(0.12, 0.78), link_inside=(0.5, 0.5),
            link_outside=(2 / size, 2 / size), seed=seeds.derive(seed, size),
        )
        for size in (300, 380, 460, 540, 620, 700)
    ]  # fmt: skip


def movies(seed: int) -> list[Network]:
    """Generate six networks like those of figures 3(a, b): a stand-in, no movies.

    Stated: 257 nodes and a degree of 16 on average, autocorrelation 0.35.
    """
    return [
        latent_group_network(
            size, mean_group_size=25, share_a=0.6, positive=(0.16, 0.84), link_inside=(0.55, 0.55),
            link_outside=(2.8 / size, 2.8 / size), seed=seeds.derive(seed, size),
        )
        for size in (207, 227, 247, 267, 287, 307)
    ]  # fmt: skip


STAND_INS = {"schools": schools, "movies": movies}


@lru_cache(maxsize=8)
def network_set(kind: str, folder: str, seed: int) -> tuple[Network, ...]:
    """Return the networks of a folder, or a stand-in if no folder is named."""
    return tuple(read_folder(folder) if folder else STAND_INS[kind](seed))


def read_folder(folder: str | Path) -> list[Network]:
    """Read every network of a folder: sub-folders, or files if there are none."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError(
            f"{shown(folder)} is no folder",
            parameter="folder",
            hint="name one that holds networks, each in a sub-folder (docs/lab/experiments.md says "
            "how to make those of its runs)",
        )
    entries = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    chosen = [entry for entry in entries if entry.is_dir()] or entries
    networks = [read(entry) for entry in chosen]
    if len(networks) < LEAST:
        raise InputError(
            parameter="folder",
            expected=f"at least {LEAST} networks, each in a sub-folder or file of its own",
            got=f"{len(networks)} in {folder}",
        )
    for entry, network in zip(chosen, networks):
        if network.n_classes < 2:
            raise InputError(
                parameter="folder",
                expected="at least 2 classes",
                got=f"{network.n_classes} in {entry}",
                hint="see the columns of its node table",
            )
    return networks
