"""What the commands for one network and two models share: options, and the network they name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from .outputs import output_options

if TYPE_CHECKING:
    from ..network import Network

EXAMPLE_NODES = 300
MODEL = "Model {}: a built-in name, or MODULE:OBJECT or FILE.py:OBJECT, which is run as such."
OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]"),
    click.option("--example", is_flag=True, help="Use a generated network instead of a file."),
    click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links."),
    click.option("--label", metavar="COLUMN", help="Node column that holds the class."),
    click.option("--positive", metavar="VALUE", help="Take one class against all others."),
    click.option("--directed/--undirected", default=None, help="By default as the file says."),
    click.option("--a", metavar="MODEL", default="wvrn", show_default=True,
                 help=MODEL.format("A")),
    click.option("--b", metavar="MODEL", default="nbc", show_default=True, help=MODEL.format("B")),
    click.option("--labeled", type=float, default=0.3, show_default=True,
                 help="Proportion of labeled nodes to learn from."),
    click.option("--splits", "n_splits", type=int, default=10, show_default=True,
                 help="Number of splits."),
    click.option("--communities", metavar="NAME", default="louvain", show_default=True,
                 help="Groups of dependent nodes: louvain, or a node column."),
)  # fmt: skip
RUNNING: Sequence[Callable[[Any], Any]] = (
    click.option("--minutes", type=float, default=60.0, show_default=True,
                 help="Refuse what would take longer, after a short measurement."),
    click.option("--seed", type=int, default=0, show_default=True),
)  # fmt: skip


def network_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a network, two models and how they are run."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def running_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how long to run and where the results go."""
    command = output_options(command)
    for option in reversed(RUNNING):
        command = option(command)
    return command


def network_of(what: str, path: str | None, options: dict[str, Any]) -> Network:
    """Read the network that the options name, or generate the example."""
    if options["example"]:
        if path is not None:
            raise InputError(f"{what}: received both --example and {path!r}; give one of them")
        from ..synth import latent_group_network

        return latent_group_network(EXAMPLE_NODES, seed=0)
    if path is None:
        raise InputError(
            f"{what}: no network given; name a folder or a file of links, or try --example"
        )
    from ..io import read

    return read(path, **{name: options[name] for name in ("nodes", "label", "directed")})
