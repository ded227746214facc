"""Read a network from a file or a folder of any known format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..core.arguments import check_arguments
from ..core.errors import InputError, unknown_choice
from ..core.option_names import option
from ..network.network import Network
from .build import build, name_of
from .content import seen_instead
from .description import with_description
from .file_looks import refuse_unreadable
from .folder import is_graph_folder, open_folder
from .folder_roles import better_table, choose_in_folder, unused_tables
from .guards import DAMAGE, collecting, fail, is_there, read_head
from .link_columns import MissingWeight
from .members import split_member
from .missing import Codes
from .report import ReadReport

# the module of every format is loaded with the registry: where a file is read, not before
if TYPE_CHECKING:
    from .registry import Format

PathLikes: TypeAlias = str | PathLike[str]


@check_arguments
def read(
    path: PathLikes,
    *,
    nodes: PathLikes | Sequence[PathLikes] | None = None,
    label: str | None = None,
    target: str | None = None,
    directed: bool | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    header: bool | None = None,
    missing: Codes = None,
    drop_dangling: bool = False,
    two_modes: bool = False,
    features: str | Sequence[str] | None = None,
    missing_weight: MissingWeight | None = None,
) -> Network:
    """Read a network from a file or folder; the format is recognized by its content.

    A folder with a ``network.toml``, as `describe` writes it, is read as that says, and so is
    such a file itself; options that are given here count more.

    Parameters
    ----------
    path : path
        A file, or a folder with the files of one network, for example ``edges.csv`` and
        ``nodes.csv``. ``file#name`` picks one network of a file that holds several.
    nodes : path or sequence of paths, optional
        Node tables for a link table.
    label : str, optional
        Node column with the class, or ``none``. By default the one that the file names, else one
        called label, class, target or y, else the only one that can be a class: never one of
        names, coordinates, fractions, or values that differ from node to node.
    target : str, optional
        In place of a class, the node column with the number that regressors are to predict.
    directed : bool, optional
        Whether links have a direction. By default what the file says; where it says nothing,
        they have one if some linked pairs, but not all, are listed in both directions.
    format : str, optional
        One of the formats' names, where recognition goes wrong.
    columns : mapping of str to str, optional
        For tables, the names of the columns that are ``source``, ``target``, ``weight`` (``none``
        for no weight), ``time`` (of a link; the weight is not used then, see `Network.until`) and
        ``id`` (in the node table); numbers from 1 where there is no header.
    header : bool, optional
        For tables, whether the first row names the columns. By default as the rows look.
    missing : str, number, sequence of them, or mapping of column to them, optional
        Codes that stand for a missing value, such as ``"unknown"`` or 9: of the label, or of the
        node columns that a mapping names.
    drop_dangling : bool
        Leave out links to nodes that the node table does not hold, even if these are more than
        half of the links, which otherwise is an error.
    two_modes : bool
        For tables, whether the two ends are of two kinds, as people and what they buy, whose ids
        have nothing to do with each other even where they are the same.
    features : str or sequence of str, optional
        Node columns that become features, or "all", see `Network.derive`; they take the place of
        a feature matrix of the file.
    missing_weight : {"drop", 1}, optional
        For tables, what becomes of links whose weight is missing: left out, or of weight 1. By
        default they are refused.

    Returns
    -------
    Network

    Raises
    ------
    InputError
        Where a file is missing, damaged, hostile or of no known format, the columns contradict
        each other, most links dangle, or the label column cannot be chosen. The message names
        the file and, where there are lines, the line.

    Warns
    -----
    ReadWarning
        Where something was decided that may be wrong.

    See Also
    --------
    read_with_report : the same, and what was decided on the way.
    what_was_read : the facts that belong beside every verdict.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "friends.txt")
    >>> _ = file.write_text("ann bob\\nbob eve\\neve bob\\n")
    >>> read(file)
    <Network 'friends': 3 nodes, 3 directed links, 0 classes>
    >>> folder.cleanup()
    """
    return read_with_report(
        path,
        nodes=nodes,
        label=label,
        target=target,
        directed=directed,
        format=format,
        columns=columns,
        header=header,
        missing=missing,
        drop_dangling=drop_dangling,
        two_modes=two_modes,
        features=features,
        missing_weight=missing_weight,
    )[0]


@check_arguments
def read_with_report(
    path: PathLikes,
    *,
    nodes: PathLikes | Sequence[PathLikes] | None = None,
    label: str | None = None,
    target: str | None = None,
    directed: bool | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    header: bool | None = None,
    missing: Codes = None,
    drop_dangling: bool = False,
    two_modes: bool = False,
    features: str | Sequence[str] | None = None,
    missing_weight: MissingWeight | None = None,
) -> tuple[Network, ReadReport]:
    """Read a network as `read` does, and return what was recognized and decided, too.

    Parameters
    ----------
    path, nodes, label, target, directed, format, columns, header, missing
        As for `read`.
    drop_dangling, two_modes, features, missing_weight
        As for `read`.

    Returns
    -------
    network : Network
    report : ReadReport

    Raises
    ------
    InputError
        As for `read`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "friends.txt")
    >>> _ = file.write_text("ann bob\\nbob eve\\neve bob\\n")
    >>> read_with_report(file)[1].direction_choice
    'guessed: 1 of 2 linked pairs are listed in both directions'
    >>> folder.cleanup()
    """
    place, options = with_description(
        Path(path),
        nodes=nodes,
        label=label,
        target=target,
        directed=directed,
        format=format,
        columns=columns,
        header=header,
        missing=missing,
        drop_dangling=drop_dangling,
        two_modes=two_modes,
        features=features,
        missing_weight=missing_weight,
    )
    return read_described(place, **options)


def read_described(
    path: Path,
    *,
    nodes: PathLikes | Sequence[PathLikes] | None,
    label: str | None,
    target: str | None,
    directed: bool | None,
    format: str | None,
    columns: Mapping[str, str] | None,
    header: bool | None,
    missing: Codes,
    drop_dangling: bool,
    two_modes: bool,
    features: str | Sequence[str] | None,
    missing_weight: MissingWeight | None,
) -> tuple[Network, ReadReport]:
    """Read a network as all options say, those of its description among them."""
    from .registry import BY_NAME, Request

    if format is not None and format not in BY_NAME:
        raise unknown_choice("format", format, BY_NAME)
    place, member = split_member(path)
    if is_graph_folder(place):
        if member is not None:
            fail(place, f"holds one network; leave #{member} out")
        refuse_options(
            place,
            nodes=nodes,
            label=label,
            target=target,
            directed=directed,
            columns=columns,
            header=header,
            missing=missing,
            missing_weight=missing_weight,
        )
        network = open_folder(place)
        network = network if features is None else network.derive(features=features)
        return network, report_of_folder(network, place)
    tables = node_paths(nodes)
    doubts: list[str] = []
    if place.is_dir():
        with collecting() as seen:
            links, chosen, beside, doubts = choose_in_folder(place, format)
        request = Request(links, tables or (beside if chosen.takes_nodes else ()), member)
    else:
        seen = []
        chosen = BY_NAME[format] if format else recognize_file(place)
        request = Request(place, tables, member)
    if request.nodes and not chosen.takes_nodes:
        fail(place, f"the format {chosen.name} holds its own nodes; leave {option('nodes')} out")
    if member is not None and not chosen.members:
        fail(place, f"the format {chosen.name} holds one network; leave #{member} out")
    of_tables = (columns, header is not None, two_modes, missing_weight)
    if any(of_tables) and not chosen.takes_columns:
        fail(
            place,
            f"the format {chosen.name} names its own columns; leave {option('columns')}, "
            f"{option('header')}, {option('two_modes')} and {option('missing_weight')} out",
        )
    request = replace(
        request,
        columns=dict(columns or {}),
        header=header,
        two_modes=two_modes,
        missing_weight=missing_weight,
    )
    try:
        with collecting() as notes:
            found = chosen.read(request)
    except RecursionError:
        fail(request.path, "is nested too deeply")
    except MemoryError:
        fail(request.path, "does not fit into memory")
    except DAMAGE as error:
        if isinstance(error, InputError):
            raise
        fail(request.path, f"is damaged, or no file of the format {chosen.name} ({error!r:.200})")
    found.notes = [*seen, *notes, *found.notes]
    found.doubts += [] if tables else doubts
    if member is not None:  # a file's own name would not tell which of its networks it is
        found.name = f"{found.name or name_of(found)}#{member}"
    if chosen.takes_nodes and not request.nodes and not found.columns and not doubts:
        found.doubts += unused_tables(request.path)
    elif len(tables) == 1 and chosen.takes_nodes:
        found.doubts += better_table(request.path, tables[0])
    try:
        return build(
            found,
            label=label,
            target=target,
            directed=directed,
            missing=missing,
            drop_dangling=drop_dangling,
            features=features,
        )
    except InputError as error:
        if any(str(file) in str(error) for file in found.files):
            raise
        fail(request.path, str(error))  # what only the finished network can tell


def refuse_options(place: Path, **options: object) -> None:
    """Refuse what a finished folder of arrays cannot take any more."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        fail(place, f"holds a finished network; give {', '.join(given)} to convert instead")


def report_of_folder(network: Network, place: Path) -> ReadReport:
    """Return how a folder of arrays was read: as it is, or as it was when it was converted."""
    if isinstance(network.reading, ReadReport):
        return network.reading
    return ReadReport(
        format="nettrial-graph",
        files=(str(place),),
        rows=network.tally.rows,
        nodes=network.n_nodes,
        label="label" if network.n_classes else None,
        label_choice="chosen when it was converted",
        directed=network.directed,
        direction_choice="chosen when it was converted",
        weighted=network.weighted,
        columns=tuple(network.attributes),
        notes=("mapped from disk",),
    )


def node_paths(nodes: PathLikes | Sequence[PathLikes] | None) -> tuple[Path, ...]:
    if nodes is None:
        return ()
    if isinstance(nodes, (str, PathLike)):
        nodes = [nodes]
    paths = tuple(Path(node) for node in nodes)
    for path in paths:
        if not is_there(path):
            fail(path, "there is no such file")
    return paths


def recognize_file(path: Path) -> Format:
    from .registry import BY_NAME, recognize

    if not is_there(path):
        fail(path, "there is no such file or folder")
    chosen = recognize(path, read_head(path))
    if chosen is None:
        refuse_unreadable(path)
        seen = seen_instead(read_head(path))
        what = f"it looks like {seen}" if seen else f"known are {', '.join(BY_NAME)}"
        fail(path, f"is of no known format; {what}")
    return chosen
