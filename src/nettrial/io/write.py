"""Write a network as neutral CSV folder, GraphML or npz, and tell what the form cannot hold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.atomic import whole_file, whole_folder
from ..core.errors import InputError, ReadWarning, shown, unknown_choice
from ..core.option_names import option
from ..core.results import Result
from ..network.network import Network
from ..network.node_values import MISSING
from ..numeric.checks import is_missing
from .description import NAME
from .folder import is_graph_folder, write_folder
from .large import convert_large
from .options import PathLikes, Reading, ReadOptions, takes_reading
from .own_npz import write_own
from .read import read, read_with_report, recognize_file
from .writers import target_column, write_csv, write_graphml

FOLDER = "nettrial-graph"
PIECEWISE = {"nodes", "label", "directed", "format", "columns", "missing", "drop_dangling"}
WRITERS: dict[str, Callable[[Network, Path], None]] = {
    "csv": write_csv,
    "graphml": write_graphml,
    "npz": write_own,
}


@dataclass(frozen=True, slots=True)
class WriteReport(Result):
    """What was written.

    Attributes
    ----------
    path : str
        File or folder.
    format : str
        csv, graphml or npz.
    nodes, links : int
        Sizes of the network.
    notes : tuple of str
        What the form cannot hold and is therefore lost or changed.
    """

    path: str
    format: str
    nodes: int
    links: int
    notes: tuple[str, ...]


@takes_reading
def convert(source: PathLikes, out: PathLikes, **options: Unpack[Reading]) -> WriteReport:
    """Read a network of any known form and write it as CSV folder, GraphML or npz.

    Parameters
    ----------
    source : path
        What to read.
    out : path
        What to write, which must not exist: ``NAME.graphml``, ``NAME.npz``, or a folder for
        ``edges.csv``, ``nodes.csv`` and ``meta.json``; or ``NAME.nettrial-graph``, a folder of
        arrays that are mapped into memory when read, into which a text table of links goes
        without being held in memory (links then have no direction unless `directed` says so).

    Returns
    -------
    WriteReport
        With the notes of reading and writing.

    Raises
    ------
    InputError
        Where reading fails, `out` exists, or the form cannot hold the network's links, ids or
        labels.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> links = Path(folder.name, "links.txt")
    >>> _ = links.write_text("a b\\nb c\\n")
    >>> convert(links, Path(folder.name, "links.npz")).links
    2
    >>> folder.cleanup()
    """
    asked = ReadOptions(**options)
    # what is read piece by piece, a text table of links, can take these alone
    large = is_graph_folder(Path(out)) and asked.given().keys() <= PIECEWISE
    large = large and "time" not in (asked.columns or {})
    if large and Path(source).name != NAME and is_text_table(Path(source), asked.format):
        n, n_links, notes = convert_large(source, out, **options)
        return WriteReport(str(out), FOLDER, n, n_links, notes)
    network, report = read_with_report(source, **options)
    written = write(network, out)
    tally = network.tally
    merged = [
        f"{count} {what}"
        for count, what in (
            (tally.self_loops, "self loops are left out"),
            (tally.duplicate_rows, "repeated rows are merged"),
            (tally.dangling_rows, "rows that name unknown nodes are left out"),
            (tally.zero_weight_rows, "rows of weight zero are left out"),
        )
        if count
    ]
    return WriteReport(
        written.path,
        written.format,
        written.nodes,
        written.links,
        (*report.notes, *merged, *written.notes),
    )


def is_text_table(path: Path, format: str | None) -> bool:
    """Return whether a file is a table of links that can be read piece by piece."""
    if not path.is_file() or format not in (None, "table"):
        return False
    return recognize_file(path).name == "table" and path.suffix.lower() != ".parquet"


@check_arguments
def write(network: Network, out: PathLikes, *, format: str | None = None) -> WriteReport:
    """Write a network; what is written is read back, so that no loss goes unnoticed.

    Parameters
    ----------
    network : Network
    out : path
        Must not exist.
    format : {"csv", "graphml", "npz"}, optional
        By default what the ending of `out` says, csv where there is none.

    Returns
    -------
    WriteReport

    Raises
    ------
    InputError
        As for `convert`. Nothing is left behind then.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=3, labels=["x", "y", "x"])
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> write(net, Path(folder.name, "net.npz")).notes
    ()
    >>> folder.cleanup()
    """
    path = Path(out)
    ending = path.suffix.lower().removeprefix(".")
    name = format if format is not None else ending or "csv"
    if is_graph_folder(path) and name in (ending, FOLDER):
        write_folder(network, path)
        return WriteReport(str(path), FOLDER, network.n_nodes, network.n_links, ())
    if name not in WRITERS:
        raise unknown_choice("format to write", name, WRITERS)
    whole = whole_folder(path) if name == "csv" else whole_file(path, replace=False)
    with whole as draft:
        WRITERS[name](network, draft)
        target = None if network.targets is None else target_column(network)
        notes = losses(network, read_back(draft, name, target), name)
    if target is not None:
        notes.append(
            f"the target is the node column {target!r}; read it with {option('target', target)}"
        )
    return WriteReport(str(path), name, network.n_nodes, network.n_links, tuple(notes))


def read_back(draft: Path, name: str, target: str | None) -> Network:
    try:
        with warnings.catch_warnings():
            # what is doubtful in the copy was doubtful in the network
            warnings.simplefilter("ignore", ReadWarning)
            return read(draft, target=target)
    except InputError as error:
        problem = str(error).partition(": ")[2]
        raise InputError(f"{name} cannot hold this network: {problem}") from None


def losses(before: Network, after: Network, name: str) -> list[str]:
    """Compare a network with what was read back: refuse lost links, tell other losses."""
    same_links = all(
        np.array_equal(a, b)
        for a, b in (
            (before.links.indptr, after.links.indptr),
            (before.links.indices, after.links.indices),
            (weights(before), weights(after)),
        )
    )
    if not same_links or before.directed != after.directed:
        raise InputError(f"{name} cannot hold this network: its links come back changed")
    notes = compare(before.ids.tolist(), after.ids.tolist(), "ids", name)
    if before.targets is not None and after.targets is not None:
        notes += compare(before.targets.tolist(), after.targets.tolist(), "targets", name)
    else:
        notes += compare(label_values(before), label_values(after), "labels", name)
    empty = [str(c) for k, c in enumerate(before.classes) if not np.any(before.labels == k)]
    if set(empty) - set(map(str, after.classes)):
        notes.append(f"classes without nodes are lost: {', '.join(empty)}")
    for key, column in before.attributes.items():
        if key not in after.attributes:
            raise InputError(f"{name} cannot hold this network: column {shown(key)} is lost")
        notes += compare(column.tolist(), after.attributes[key].tolist(), f"column {key!r}", name)
    if before.features is not None and after.features is None:
        notes.append("node features are lost; npz holds them")
    return notes


def weights(network: Network) -> NDArray[np.float64]:
    given = network.links.weights
    return np.ones(network.links.indices.size) if given is None else given


def label_values(network: Network) -> list[Any]:
    return [None if c == MISSING else network.classes[c] for c in network.labels.tolist()]


def compare(before: Iterable[Any], after: Iterable[Any], what: str, name: str) -> list[str]:
    """Refuse values that come back other than written; tell of those that change their type."""
    retyped: set[tuple[str, str]] = set()
    for a, b in zip(before, after, strict=True):
        if is_missing(a) and is_missing(b):
            continue
        if is_missing(a) or is_missing(b) or str(a) != str(b):
            raise InputError(
                f"{name} cannot hold this network: {what} hold {shown(a)}, which comes back as "
                f"{shown(b)}"
            )
        if type(a) is not type(b):
            retyped.add((type(a).__name__, type(b).__name__))
    return [f"{what}: {a} values come back as {b}" for a, b in sorted(retyped)]
