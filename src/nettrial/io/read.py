"""Read a network from a file or a folder of any known format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from .folder import is_graph_folder, open_folder
from .guards import collecting, fail, is_table_file, is_there, read_bytes, read_head
from .json_records import is_records
from .jsongraph import names_graph
from .missing import Codes
from .report import ReadReport

# the module of every format is loaded with the registry: where a file is read, not before
if TYPE_CHECKING:
    from .registry import Format, Request

PathLikes: TypeAlias = str | PathLike[str]
LINK_WORDS = ("edge", "link", "cites", "adj", "relation", "graph")
NODE_WORDS = ("node", "label", "target", "vert", "class", "attr", ".clu", "metadata")
IGNORED = (".md", ".rd", ".json", ".html", ".pdf", ".py", ".r", ".rst")
NAMED = 3  # files that a warning names
PROSE = ("readme", "license", "licence", "copying", ".")


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
) -> Network:
    """Read a network from a file or folder; the format is recognized by its content.

    Parameters
    ----------
    path : path
        A file, or a folder with the files of one network, for example ``edges.csv`` and
        ``nodes.csv``. ``file#name`` picks one network of a file that holds several.
    nodes : path or sequence of paths, optional
        Node tables for a link table.
    label : str, optional
        Node column with the class. By default the one that the file names, else one called
        label, class, target or y, else the only one that can be a class: never one of names,
        coordinates, fractions, or values that differ from node to node.
    target : str, optional
        In place of a class, the node column with the number that regressors are to predict.
    directed : bool, optional
        Whether links have a direction. By default what the file says; where it says nothing,
        they have one if some linked pairs, but not all, are listed in both directions.
    format : str, optional
        One of the formats' names, where recognition goes wrong.
    columns : mapping of str to str, optional
        For tables, the names of the columns that are ``source``, ``target``, ``weight`` (``none``
        for no weight) and ``id`` (in the node table); numbers from 1 where there is no header.
    header : bool, optional
        For tables, whether the first row names the columns. By default as the rows look.
    missing : str, number, sequence of them, or mapping of column to them, optional
        Codes that stand for a missing value, such as ``"unknown"`` or 9: of the label, or of the
        node columns that a mapping names.
    drop_dangling : bool
        Leave out links to nodes that the node table does not hold, even if these are more than
        half of the links, which otherwise is an error.

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
) -> tuple[Network, ReadReport]:
    """Read a network as `read` does, and return what was recognized and decided, too.

    Parameters
    ----------
    path, nodes, label, target, directed, format, columns, header, missing, drop_dangling
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
    from .registry import BY_NAME, Request

    if format is not None and format not in BY_NAME:
        raise unknown_choice("format", format, BY_NAME)
    place, member = split_member(Path(path))
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
        )
        network = open_folder(place)
        return network, report_of_folder(network, place)
    tables = node_paths(nodes)
    if place.is_dir():
        chosen, request = choose_in_folder(place, tables, member, format)
    else:
        chosen = BY_NAME[format] if format else recognize_file(place)
        request = Request(place, tables, member)
    if request.nodes and not chosen.takes_nodes:
        fail(place, f"the format {chosen.name} holds its own nodes; leave {option('nodes')} out")
    if member is not None and not chosen.members:
        fail(place, f"the format {chosen.name} holds one network; leave #{member} out")
    if (columns or header is not None) and not chosen.takes_columns:
        fail(
            place,
            (
                f"the format {chosen.name} names its own columns; leave {option('columns')} "
                f"and {option('header')} out"
            ),
        )
    request = replace(request, columns=dict(columns or {}), header=header)
    try:
        with collecting() as notes:
            found = chosen.read(request)
    except RecursionError:
        fail(request.path, "is nested too deeply")
    except MemoryError:
        fail(request.path, "does not fit into memory")
    found.notes = notes + found.notes
    if member is not None:  # a file's own name would not tell which of its networks it is
        found.name = f"{found.name or name_of(found)}#{member}"
    if chosen.takes_nodes and not request.nodes and not found.columns:
        found.doubts += unused_tables(request.path, chosen)
    try:
        return build(
            found,
            label=label,
            target=target,
            directed=directed,
            missing=missing,
            drop_dangling=drop_dangling,
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


def split_member(path: Path) -> tuple[Path, str | None]:
    """Split ``file#name`` unless a file has that very name."""
    if "#" not in path.name or path.exists():
        return path, None
    name, _, member = path.name.rpartition("#")
    return path.with_name(name) if name else path, member


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


def choose_in_folder(
    folder: Path, nodes: tuple[Path, ...], member: str | None, format: str | None
) -> tuple[Format, Request]:
    """Find the one network of a folder: a graph file, else a link table and its node tables."""
    from .registry import BY_NAME, Request, recognize

    folder = folder_of_files(folder)
    edges = first_file(folder, "edges")
    if edges is not None and format in (None, "table"):
        table = first_file(folder, "nodes") or only_table(edges)
        return BY_NAME["table"], Request(edges, nodes or tuple([table] if table else []), member)
    files = candidates(folder, lambda path: is_node_file(path) or is_table_file(path))
    known = [(path, recognize(path, read_head(path))) for path in files]
    graph, attributes = only_graph(folder, known, format)
    if graph is not None:
        path, chosen = graph
        plain = [file for file, found in known if found is None or found.name == "table"]
        beside = [file for file in [*plain, *attributes] if is_node_file(file)]
        return chosen, Request(path, nodes or tuple(beside if chosen.takes_nodes else ()), member)
    for file in files:
        refuse_unreadable(file)
    tables = [file for file, found in known if found is not None and found.name == "table"]
    plain = [path for path in files if is_node_file(path) and path not in tables]
    if len(plain) == 1 and not any(map(is_node_file, tables)) and may_hold_labels(plain[0]):
        tables += plain
    links, others = choose_tables(folder, tables)
    return BY_NAME["table"], Request(links, nodes or others, member)


def folder_of_files(folder: Path) -> Path:
    """Go where the files are: as they were downloaded they often lie in ``raw``, or one deeper."""
    if (folder / "raw").is_dir() and not any(map(is_table_file, listed(folder))):
        return folder / "raw"
    deeper = [path for path in listed(folder) if path.is_dir() and path.name[0] not in "._"]
    return deeper[0] if len(deeper) == 1 and not candidates(folder, is_node_file) else folder


def candidates(folder: Path, needed: Callable[[Path], bool]) -> list[Path]:
    """List the files of a folder that may hold a network or its nodes.

    Those that are needed, by their names, are refused where they cannot be read.
    """
    return [
        path
        for path in listed(folder)
        if not path.is_dir()
        and not path.name.lower().startswith(PROSE)
        and (is_there(path) if needed(path) else path.is_file())
        and (path.suffix.lower() not in IGNORED or holds_graph(path))
    ]


def only_graph(
    folder: Path, known: Sequence[tuple[Path, Format | None]], format: str | None
) -> tuple[tuple[Path, Format] | None, list[Path]]:
    """Return the one file of a format of its own, and files of attributes in the same format.

    Files of one network, such as a pair of them, count once.
    """
    graphs = {
        (found.name, found.anchor(path)): (path, found)
        for path, found in reversed(known)
        if found is not None and found.name != "table" and format in (None, found.name)
    }
    attributes = [path for path, _ in graphs.values() if is_node_file(path)]
    main = [graph for graph in graphs.values() if graph[0] not in attributes]
    if len(main) != 1:
        main, attributes = list(graphs.values()), []
    if len(main) > 1:
        names = ", ".join(path.name for path, _ in main)
        fail(folder, f"holds several networks ({names}); give the path of one")
    return (main[0] if main and format != "table" else None), attributes


def holds_graph(path: Path) -> bool:
    """Return whether a JSON file is a network, or a table of one, and not a description."""
    if path.suffix.lower() != ".json":
        return False
    named = is_node_file(path) or any(word in path.name.lower() for word in LINK_WORDS)
    head = read_head(path)
    return names_graph(head) or (named and is_records(head))


def refuse_unreadable(path: Path) -> None:
    """Refuse a file without content, or whose content cannot be decompressed."""
    if not read_head(path):
        read_bytes(path)
        fail(path, "is empty")


def first_file(folder: Path, stem: str) -> Path | None:
    paths = (folder / f"{stem}.csv{packed}" for packed in ("", ".gz"))
    return next((path for path in paths if is_there(path)), None)


def may_hold_labels(path: Path) -> bool:
    """Return whether a file that is no table is text, as of one label a line."""
    head = read_head(path)
    return bool(head) and not seen_instead(head)


def tables_beside(links: Path, own: Format) -> list[Path]:
    """List the files beside one of links that hold nodes by their names and can be read."""
    from .registry import BY_NAME, recognize

    found = []
    for path in candidates(links.parent, is_node_file):
        if path == links or not is_node_file(path):
            continue
        known = recognize(path, read_head(path))
        if (known is None and may_hold_labels(path)) or known in (BY_NAME["table"], own):
            found.append(path)
    return found


def only_table(links: Path) -> Path | None:
    from .registry import BY_NAME

    found = tables_beside(links, BY_NAME["table"])
    return found[0] if len(found) == 1 else None


def unused_tables(links: Path, own: Format) -> list[str]:
    """Return which files beside a network without node columns may hold them."""
    found = tables_beside(links, own)[:NAMED]
    if not found:
        return []
    names = ", ".join(path.name for path in found)
    return [
        (
            f"{names} beside {links.name} may hold the nodes; {option('nodes', str(found[0]))} "
            "reads it"
        )
    ]


def listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        fail(folder, f"cannot be read ({error.strerror or error})")


def is_node_file(path: Path) -> bool:
    return any(word in path.name.lower() for word in NODE_WORDS)


def choose_tables(folder: Path, tables: list[Path]) -> tuple[Path, tuple[Path, ...]]:
    """Separate the link table of a folder from its node tables by their names."""
    if not tables:
        fail(folder, "holds no network in a known format")
    words = {path: path.name.lower() for path in tables}
    nodes = [p for p in tables if is_node_file(p)]
    links = [p for p in tables if p not in nodes and any(w in words[p] for w in LINK_WORDS)]
    links = links or [p for p in tables if p not in nodes]
    if len(links) > 1 and not nodes:
        named = [p for p in links if titled_as_ends(p)]
        nodes = [p for p in links if p not in named] if len(named) == 1 and len(links) == 2 else []
        links = named if nodes else links
    if len(links) != 1:
        names = ", ".join(path.name for path in tables)
        raise InputError(
            f"{folder}: which of {names} is the link table? Give its path, and those of the "
            f"node tables as {option('nodes')}"
        )
    return links[0], tuple(nodes)


def titled_as_ends(path: Path) -> bool:
    """Return whether the first row of a table names the two ends of links, as source and target."""
    from .link_columns import PAIRS
    from .tables import sniff_delimiter

    first = read_head(path).removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
    line = first.decode(errors="replace").strip()
    fields = line.split() if (mark := sniff_delimiter(line)) == " " else line.split(mark)
    titles = {field.strip(' "').lower() for field in fields}
    return any({*pair} <= titles for pair in PAIRS)
