"""What can be checked, read once for all kinds: networks, splits, predictions, results, tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..comparison.grouped import GroupedComparison
from ..comparison.grouped_models import MultipleGroupedComparison
from ..comparison.multiple import MultipleComparison
from ..comparison.result import Comparison
from ..comparison.stored_runs import stored_comparison
from ..core.errors import AssumptionWarning, InputError, shown
from ..core.option_names import option
from ..core.results import plain_table
from ..core.wording import listed
from ..io import read
from ..io.columns import starts_with_numbers
from ..io.contents import contents_of
from ..io.guards import read_head
from ..io.vocabulary import SPLIT, plain
from ..network.network import Network
from ..numeric.checks import count
from ..published.leaderboard import Leaderboard, leaderboard
from ..published.table import Entry, read_entries
from ..saved.partial import read_partial
from ..splits.base import Split
from ..splits.forms import by_split, is_whole, of_node_columns
from ..splits.given import given_sets
from ..splits.sets import check_once
from ..study.node_study import Predictions
from .paper_folder import (
    CHECKED,
    Found,
    checked_result,
    is_result,
    look_into,
    read_result,
    unreadable,
)
from .trials import Run, seeded, table_runs

Checkable: TypeAlias = (
    Network | Predictions | Comparison | MultipleComparison | GroupedComparison
    | MultipleGroupedComparison | Leaderboard | Mapping[str, Any] | str | PathLike[str]
)  # fmt: skip
Reader: TypeAlias = Callable[[Path], Network]
NAMED = 6
NO_NETWORK = "holds tables of results and no network"
SQLITE = b"SQLite format 3"


class Parts(NamedTuple):
    """What kinds take, each by its name; empty or None where it was not given."""

    network: Network | None = None
    # of nodes; not checked, since what is wrong with them is looked for
    splits: tuple[Split, ...] = ()
    # the validation nodes of each split; they are in its training set too
    valid: tuple[NDArray[np.intp], ...] = ()
    link_splits: tuple[Any, ...] = ()  # of nodes, or of links
    predictions: Predictions | None = None
    # the nodes that each model predicts in each split, where predictions were read
    tested: Mapping[str, NDArray[np.bool_]] = {}
    common: tuple[int, ...] = ()  # the numbers of the splits in which predictions were read
    entries: tuple[Entry, ...] = ()  # of a table of results
    board: Leaderboard | None = None
    shared: int = 0  # splits that gave the test share of the table; 0 where it is given
    runs: tuple[Run, ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()  # as `to_dict` gives them
    files: Mapping[str, Path] = {}  # where these were read, by their names
    warnings: tuple[Warning, ...] = ()  # what was assumed in reading


def gathered(given: Checkable | None, reader: Reader = read, **more: Any) -> Parts:
    """Return the parts of what is given, and of what else is named.

    Parameters
    ----------
    given : object
        As `check` takes it.
    reader : callable
        Reads a network from a path.
    **more
        The arguments splits, predictions, table, runs, test_share and n_splits of `check`.
    """
    parts, of_tables = (
        Parts(),
        {k: more.pop(k) for k in ("table", "runs", "test_share", "n_splits")},
    )
    if isinstance(given, (str, PathLike)):
        path = Path(given)
        parts = Parts(files={"network": path, "results": path})
        if path.is_dir():
            parts, more, of_tables = _of_folder(path, reader, more, of_tables)
        elif is_result(path):
            given = read_result(path)
        elif path.is_file() and read_head(path, 16).startswith(SQLITE):
            given = stored_comparison(path)
        else:
            parts = parts._replace(network=reader(path))
    if isinstance(given, Network):
        parts = parts._replace(network=given)
    elif given is not None and not isinstance(given, (str, PathLike)):
        name = next((key for key, value in more.items() if value is not None), None)
        if name is not None:
            raise InputError("a result brings its own", parameter=name, hint="leave it out")
        parts = _of_result(given)._replace(files=parts.files)
    splits = more["splits"]
    if isinstance(splits, list) and splits and isinstance(splits[0], Path):
        splits = splits[0] if len(splits) == 1 else splits[0].parent
    named = {
        "splits": splits,
        "predictions": more["predictions"],
        "entries": of_tables["table"],
        "board": of_tables["table"],
        "runs": of_tables["runs"] or of_tables["table"],
    }
    places = {name: Path(value) for name, value in named.items()
              if isinstance(value, (str, PathLike))}  # fmt: skip
    parts = parts._replace(files={**parts.files, **places})
    if parts.network is not None and isinstance(given, (str, PathLike)):
        parts = parts._replace(warnings=(*parts.warnings, *_unused(parts.network)))
    lone = next((name for name, value in more.items() if value is not None), None)
    if parts.network is not None:
        parts = _with_nodes(parts, **more)
    elif lone is not None:
        raise InputError(f"{option(lone)} needs a network; leave it out or name one", where="check")
    return _with_tables(parts, **of_tables)


def _unused(network: Network) -> list[AssumptionWarning]:
    """Return a note on node columns of numbers that could be features, where there are none."""
    if network.features is not None:
        return []
    numbers = [name for name, values in network.attributes.items()
               if starts_with_numbers(values) and not by_split([name])
               and plain(name) not in SPLIT]  # fmt: skip
    if not numbers:
        return []
    more = [f"{len(numbers) - NAMED} more"] if len(numbers) > NAMED else []
    return [AssumptionWarning(
        f"node columns are not checked as features ({listed([*numbers[:NAMED], *more])}); "
        f"{option('features', 'all')} checks twins and features that hold the class, too"
    )]  # fmt: skip


def _of_folder(
    path: Path, reader: Reader, more: dict[str, Any], of_tables: dict[str, Any]
) -> tuple[Parts, dict[str, Any], dict[str, Any]]:
    """Return the network and the results of a folder, and where what was not named lies in it."""
    here = look_into(path, more | of_tables)
    notes, results = [], []
    for each in here.results:
        held = contents_of(each)
        if isinstance(held, Mapping) and held.get("kind") in CHECKED:
            results.append(checked_result(held, each))
        else:
            notes.append(f"{each.name} is a result that has no verdict to check")
    reason = None if here.table is None else unreadable(here.table)
    of_tables |= {key: of_tables[key] or getattr(here, key) for key in ("table", "runs")}
    one = here.results[0] if len(results) == 1 else path
    said = tuple(map(AssumptionWarning, notes))
    parts = Parts(results=tuple(results), files={"network": path, "results": one}, warnings=said)
    network, refused = None, InputError(NO_NETWORK, where=str(path))
    if here.rest or reason is not None or not here.files:
        network, refused = _network_of(path, here, reader)
    if reason is not None:
        if here.table not in _files_of(network):
            raise InputError(
                f"{reason}; write it in a form that is read, give it another name, or name the "
                f"table by {option('table')}"
            )
        of_tables["table"] = None
    if network is not None:
        lying = {"splits": list(here.splits) or None, "predictions": here.predictions}
        more = {key: lying[key] if value is None else value for key, value in more.items()}
        return parts._replace(network=network), more, of_tables
    aside = [each.name for each in (*here.splits, here.predictions) if each is not None]
    if aside and not any(more.values()):
        raise InputError(
            f"{' and '.join(aside)} cannot be checked without a network ({refused})",
            where=str(path),
            hint=f"add it, or check the results alone by {option('table')}",
        )
    if any(more.values()) or not (of_tables["table"] or of_tables["runs"] or results):
        raise refused
    note = AssumptionWarning(f"results were checked alone, without a network: {refused}")
    return parts._replace(warnings=(*parts.warnings, note)), more, of_tables


def _network_of(path: Path, here: Found, reader: Reader) -> tuple[Network | None, InputError]:
    """Return the network of a folder, or of the only folder in it that holds one, or why not."""
    refused = InputError("holds no network", where=str(path))
    for number, place in enumerate([path, *(p for p in here.rest if p.is_dir())]):
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always")
            try:
                network = reader(place)
            except InputError as error:
                refused = refused if number else error
                continue
        if _of_results(network, here):
            return None, InputError(NO_NETWORK, where=str(path))
        for doubt in doubts:
            warnings.warn_explicit(doubt.message, doubt.category, doubt.filename, doubt.lineno)
        return network, refused
    return None, refused


def _files_of(network: Network | None) -> set[Path]:
    return {Path(file) for file in getattr(getattr(network, "reading", None), "files", ())}


def _of_results(network: Network, here: Found) -> bool:
    """Return whether a network was read from nothing but tables of results or runs."""
    files = _files_of(network)
    known = {here.table, here.runs}
    return bool(files) and all(file in known or here.runs in file.parents for file in files) and (
        here.table not in files or unreadable(here.table) is None
    )  # fmt: skip


def _of_result(given: Any) -> Parts:
    if isinstance(given, Leaderboard):
        return Parts(entries=given.entries, board=given)
    if isinstance(given, Mapping):
        return Parts(results=(checked_result(given, "check"),))
    if isinstance(given, (GroupedComparison, MultipleGroupedComparison)):
        return Parts(results=(plain_table(given._values()),))
    predicted = given if isinstance(given, Predictions) else given.predictions
    results = () if isinstance(given, Predictions) else (plain_table(given._values()),)
    parts = Parts(network=predicted.network, results=results)
    have: dict[str, Any] = {
        "splits": predicted.splits,
        "link_splits": predicted.splits,
        "predictions": predicted,
        "runs": seeded(predicted) if "runs" in predicted.task.checked_parts else (),
    }
    return parts._replace(**{name: have[name] for name in predicted.task.checked_parts})


def _with_nodes(parts: Parts, splits: Any, predictions: Any) -> Parts:
    network = parts.network
    assert network is not None  # noqa: S101 - as the caller made sure
    if splits is None:
        splits, note = own_splits(network, predictions)
        parts = parts._replace(warnings=(*parts.warnings, *map(AssumptionWarning, note)))
    if splits is not None:
        own, valid = raw_splits(splits, network)
        parts = parts._replace(splits=own, link_splits=own, valid=valid)
    if predictions is None:
        return parts
    tested: Mapping[str, NDArray[np.bool_]] = {}
    found: Predictions | None = predictions if isinstance(predictions, Predictions) else None
    if found is None:
        found, tested, notes = read_partial(predictions, network, parts.splits)
        parts = parts._replace(warnings=parts.warnings + tuple(map(AssumptionWarning, notes)))
    if found is None:
        return parts._replace(tested=tested)
    common: tuple[int, ...] = ()
    if tested and parts.splits:
        everywhere = np.all(list(tested.values()), axis=0).any(axis=1)
        common = tuple(np.flatnonzero(everywhere).tolist())
    own = parts.splits or found.splits
    parts = parts._replace(splits=own, link_splits=own)
    return parts._replace(predictions=found, tested=tested, common=common, runs=seeded(found))


def own_splits(network: Network, predictions: Any) -> tuple[Any, list[str]]:
    """Return the splits that the network's own node columns or files hold, and a note on them.

    Predictions that test other nodes bring splits of their own.
    """
    columns = of_node_columns(network.attributes, network.n_nodes)
    found: Any = [dict(each) for several in columns.values() for each in several]
    names = ", ".join([repr(name) for key in columns for name in key][:NAMED])
    for path in () if found else _files_of(network):
        if path.is_file() and read_head(path, 2) in (b"PK", b"{"):
            held = contents_of(path)
            if isinstance(held, Mapping) and any(map(is_whole, by_split(held).values())):
                found, names = path, f"masks in {path.name}"
    if not found:
        return None, []
    if predictions is not None and not isinstance(predictions, Predictions):
        tests = [split.test for split in raw_splits(found, network)[0]]
        apart = read_partial(predictions, network)[1].values()
        nodes = [np.any([mask[k] for mask in apart], axis=0) for k in range(len(tests))] if all(
            len(mask) == len(tests) for mask in apart) else []  # fmt: skip
        if not nodes or any(np.setdiff1d(np.flatnonzero(m), t).size for m, t in zip(nodes, tests)):
            return None, [f"{names} are not checked: the predictions test other nodes; name them "
                          f"by {option('splits')} without predictions"]  # fmt: skip
    return found, [f"splits are those of the network itself: {names}"]


def raw_splits(
    given: Any, network: Network
) -> tuple[tuple[Split, ...], tuple[NDArray[np.intp], ...]]:
    """Return splits as they are, and the validation nodes of each."""
    if isinstance(given, str):
        given = Path(given)
    splits, valid, places = [], [], []
    for place, number, sets in given_sets(given, network, called="splits"):
        places.append((place, number))
        if isinstance(sets, Split):
            splits.append(sets)
            valid.append(np.zeros(0, dtype=np.intp))
            continue
        for part, nodes in sets.items():
            check_once(place, number, part, nodes)
        own, none = np.sort(sets.get("train", [])), np.zeros(0, dtype=np.intp)
        valid.append(np.asarray(sets.get("valid", none)))
        train = np.union1d(own, valid[-1]).astype(np.intp)
        inference = np.setdiff1d(np.arange(network.n_nodes), train)
        splits.append(Split(train, inference, np.sort(sets.get("test", none))))
    for (place, number), split in zip(places, splits):
        if not (split.train.size and split.test.size):
            lacking = "test" if split.train.size else "training"
            raise InputError(f"split {number} has no {lacking} nodes", where=str(place))
    return tuple(splits), tuple(valid)


def _with_tables(
    parts: Parts, table: Any, runs: Any, test_share: float | None, n_splits: int | None
) -> Parts:
    own = () if table is None else table_runs(table)
    parts = parts._replace(runs=parts.runs + own + (() if runs is None else table_runs(runs)))
    if runs is not None and not parts.runs:
        raise InputError(f"runs: {shown(runs)} holds no runs with a model and a score")
    if n_splits is not None:
        count("n_splits", n_splits)
    for name, value in (("n_splits", n_splits), ("test_share", test_share)):
        if value is not None and table is None:
            raise InputError(f"{option(name)} needs {option('table')}; leave it out", where="check")
    if test_share is None and parts.splits:
        parts = parts._replace(shared=len(parts.splits))
        sizes = [(split.test.size, split.train.size) for split in parts.splits]
        test_share = float(np.mean([test / (test + train) for test, train in sizes]))
    if table is None or (own and test_share is None):
        return parts
    try:
        parts = parts._replace(entries=tuple(read_entries(table, n_splits=n_splits)[0]))
        if test_share is not None:
            board = leaderboard(table, test_share=test_share, n_splits=n_splits)
            return parts._replace(board=board)
    except InputError:
        if not own:  # a table of runs may hold more than a leaderboard reads
            raise
        return parts
    note = AssumptionWarning(
        f"best entries are not judged: that needs {option('test_share')}, the share of test nodes "
        "in a split"
    )
    return parts._replace(warnings=(*parts.warnings, note))
