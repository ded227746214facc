"""What the commands for one network and two models share: options, and the network they name."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError, ReadWarning, shown
from ..io.options import declared
from . import say
from .options import declared_option, spelled_option, words
from .outputs import OUTPUT

if TYPE_CHECKING:
    from ..network.network import Network

EXAMPLE_NODES = 300
MODEL = "Model {}: a built-in name, or MODULE:OBJECT or FILE.py:OBJECT, which is run as such."
REPEATED = ("columns", "missing")  # options that may be given several times
READING: Sequence[Callable[[Any], Any]] = tuple(
    spelled_option(option, multiple=True) if name in REPEATED else spelled_option(option)
    for name, option in declared().items()
)
EXAMPLE = click.option("--example", is_flag=True, help="Use a generated network instead of a file.")
OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]"),
    EXAMPLE,
    *READING,
    declared_option("positive"),
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
    click.option(
        "--minutes",
        type=float,
        default=60.0,
        show_default=True,
        help="Refuse what would take longer, after a short measurement.",
    ),
    click.option("--seed", type=int, default=0, show_default=True),
    *OUTPUT,
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how a network is read."""
    for option in reversed(READING):
        command = option(command)
    return command


def several_reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how several networks are read alike, without a node table."""
    for option in reversed(READING[1:]):
        command = option(command)
    return command


def reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that `read` takes, in its form; those that a command lacks are left out.

    Examples
    --------
    >>> reading({"label": "team", "columns": ("source=a", "target=b"), "missing": ("U", "age=99")})
    {'label': 'team', 'columns': {'source': 'a', 'target': 'b'}, 'missing': {None: ['U'],
    'age': ['99']}}
    """
    lists = ("columns", "missing", "features")
    names = [name for name in declared() if name not in lists]
    found = {name: options[name] for name in names if options.get(name) is not None}
    if options.get("columns"):
        pairs = [text.partition("=") for text in options["columns"]]
        wrong = next((text for text, sign, name in pairs if not (text and sign and name)), None)
        if wrong is not None:
            raise InputError(
                parameter="columns", expected="ROLE=NAME, such as source=from", got=shown(wrong)
            )
        found["columns"] = {role: name for role, _, name in pairs}
    if options.get("features"):
        named = words(options["features"], "features")
        found["features"] = named[0] if len(named) == 1 else named
    if options.get("missing"):
        codes: dict[str | None, list[str]] = {}
        for text in options["missing"]:
            column, sign, value = text.partition("=")
            codes.setdefault(column if sign else None, []).append(value if sign else text)
        found["missing"] = "" if codes == {None: [""]} else codes
    return found


@contextlib.contextmanager
def read_warnings_shown(said: bool = False) -> Iterator[None]:
    """Show the warnings of reading in one line each on stderr; others pass unchanged.

    Where the output has `said` them, they are left out.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if issubclass(warning.category, ReadWarning):
            if not said:
                say(f"nettrial: warning: {warning.message}", err=True)
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )


def read_network(path: str, options: Mapping[str, Any], *, said: bool = False) -> Network:
    """Read a network as the options say, and show what reading warns of unless the output does."""
    from ..io import read

    with read_warnings_shown(said):
        return read(path, **reading(options))


def network_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a network, two models and how they are run."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def running_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how long to run and where the results go."""
    for option in reversed(RUNNING):
        command = option(command)
    return command


def network_of(what: str, path: str | None, options: dict[str, Any]) -> Network:
    """Read the network that the options name, or generate the example."""
    if options["example"]:
        if path is not None:
            raise InputError(
                parameter=what, expected="one network", got=f"both --example and {shown(path)}"
            )
        from ..synth import latent_group_network

        return latent_group_network(EXAMPLE_NODES, seed=0)
    if path is None:
        raise InputError(
            expected="a folder or a file of links",
            got="none",
            hint="name one or try --example"
            + "; for tables or logs of evaluations without a network, add --groups"
            * ("groups" in options),
            where=what,
        )
    return read_network(path, options)
