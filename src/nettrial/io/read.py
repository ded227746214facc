"""Read a network from a file or a folder of any known format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ..core.errors import InputError, unknown_choice
from ..core.option_names import option
from ..network.missing_text import MISSING_TEXT
from ..network.network import Network
from .build import build
from .content import seen_instead
from .description import with_description
from .edgelist import why_no_table
from .file_looks import refuse_unreadable
from .folder import is_graph_folder, open_folder
from .folder_roles import better_table, choose_in_folder, unused_tables
from .found import name_of
from .guards import DAMAGE, collecting, fail, is_there, read_head
from .members import split_member
from .missing import only_empty
from .options import PathLikes, Reading, ReadOptions, node_paths, takes_reading
from .report import ReadReport

# the module of every format is loaded with the registry: where a file is read, not before
if TYPE_CHECKING:
    from .registry import Format


@takes_reading
def read(path: PathLikes, **options: Unpack[Reading]) -> Network:
    """Read a network from a file or folder; the format is recognized by its content.

    A folder with a ``network.toml``, as `describe` writes it, is read as that says, and so is
    such a file itself; options that are given here count more.

    Parameters
    ----------
    path : path
        A file, or a folder with the files of one network, for example ``edges.csv`` and
        ``nodes.csv``. ``file#name`` picks one network of a file that holds several.

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
    return read_with_report(path, **options)[0]


@takes_reading
def read_with_report(path: PathLikes, **options: Unpack[Reading]) -> tuple[Network, ReadReport]:
    """Read a network as `read` does, and return what was recognized and decided, too.

    Parameters
    ----------
    path : path
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
    return read_described(*with_description(Path(path), ReadOptions(**options)))


def read_described(path: Path, asked: ReadOptions) -> tuple[Network, ReadReport]:
    """Read a network as all options say, those of its description among them."""
    from .registry import BY_NAME, Request

    if asked.format is not None and asked.format not in BY_NAME:
        raise unknown_choice("format", asked.format, BY_NAME)
    place, member = split_member(path)
    if is_graph_folder(place):
        if member is not None:
            fail(place, f"holds one network; leave #{member} out")
        refuse_options(place, asked)
        network = open_folder(place)
        taken = network if asked.features is None else network.derive(features=asked.features)
        return taken, report_of_folder(taken, place)
    tables = node_paths(asked.nodes)
    doubts: list[str] = []
    if place.is_dir():
        with collecting() as seen:
            links, chosen, beside, doubts = choose_in_folder(place, asked.format)
        request = Request(links, tables or (beside if chosen.takes_nodes else ()), member)
    else:
        seen = []
        chosen = BY_NAME[asked.format] if asked.format else recognize_file(place)
        request = Request(place, tables, member)
    if request.nodes and not chosen.takes_nodes:
        fail(place, f"the format {chosen.name} holds its own nodes; leave {option('nodes')} out")
    if member is not None and not chosen.members:
        fail(place, f"the format {chosen.name} holds one network; leave #{member} out")
    of_tables = (asked.columns, asked.header is not None, asked.two_modes, asked.missing_weight)
    if any(of_tables) and not chosen.takes_columns:
        fail(
            place,
            f"the format {chosen.name} names its own columns; leave {option('columns')}, "
            f"{option('header')}, {option('two_modes')} and {option('missing_weight')} out",
        )
    request = replace(
        request,
        columns=dict(asked.columns or {}),
        header=asked.header,
        two_modes=asked.two_modes,
        kept=MISSING_TEXT - {""} if only_empty(asked.missing) else frozenset(),
        missing_weight=asked.missing_weight,
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
    found.kept |= request.kept
    found.doubts += [] if tables else doubts
    if member is not None:  # a file's own name would not tell which of its networks it is
        found.name = f"{found.name or name_of(found)}#{member}"
    if chosen.takes_nodes and not request.nodes and not found.columns and not doubts:
        found.doubts += unused_tables(request.path)
    elif len(tables) == 1 and chosen.takes_nodes:
        found.doubts += better_table(request.path, tables[0])
    try:
        return build(found, asked)
    except InputError as error:
        if any(str(file) in str(error) for file in found.files):
            raise
        fail(request.path, str(error))  # what only the finished network can tell


def refuse_options(place: Path, asked: ReadOptions) -> None:
    """Refuse what a finished folder of arrays cannot take any more."""
    given = [name for name in asked.given() if name not in ("format", "features", "drop_dangling")]
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


def recognize_file(path: Path) -> Format:
    from .registry import BY_NAME, recognize

    if not is_there(path):
        fail(path, "there is no such file or folder")
    chosen = recognize(path, read_head(path))
    if chosen is None:
        refuse_unreadable(path)
        seen = seen_instead(read_head(path))
        what = f"it looks like {seen}" if seen else why_no_table(read_head(path))
        what = what or f"known are {', '.join(BY_NAME)}"
        fail(path, f"is of no known format; {what}")
    return chosen
