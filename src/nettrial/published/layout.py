"""How a table of results is laid out: what its rows and columns are, and what is no score."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import COLUMN, option
from ..io.columns import column_named, is_index_name
from ..io.vocabulary import DATA_SET, MODEL_HEADS, SD, usual
from ..numeric.checks import is_missing
from .cells import Cell, read_cell, read_name
from .table_files import read_rows

WHERE = "leaderboard"  # what errors call the table
ModelsIn: TypeAlias = Literal["rows", "columns"]
Columns = dict[str, list[str]]

SCORE = ("mean", "accuracy", "score", "acc", *SD, "n_splits")
SPREAD = re.compile(r"[ _.-]?\(?(?:std|sd|stdev|std\.?dev\.?)\)?$", re.IGNORECASE)
# what numbers the rows of a table of single runs
RUN = (
    r"(?:random[ _.-]?)?seed|random[ _.-]?state|run|split|fold|trial|rep|repeat|repetition"
    r"|iteration"
)
CENTER = re.compile(
    r"[ _.-]?\(?(?:mean|avg|acc|accuracy|score|(?:macro|micro)?[ _.-]?f1|auc)\)?$", re.IGNORECASE
)
# what stands beside scores in tables of papers
ASIDE = re.compile(
    r"(avg|average|mean|overall|rank|ranks|year|venue|ref|refs|reference|references|source|params?"
    r"|parameters|time|runtime|memory|gain|improvement|improv|delta|[Δδ∆].*|p-?value|wins?|w/t/l"
    r"|nodes|edges|classes|features|hom|homophily|splits|n_splits|type|category|group)"
    r"|(avg|average|mean|overall)[ _.-]+(rank|ranking|score|acc|accuracy)"
    r"|(n|no|num|number)[ _.]+(of[ _])?(nodes|edges|links|classes|features|cases|samples|instances)"
    r"|links|cases|samples|instances|budget"
    r"|((n|no|num|number)[ _.-]+(of[ _])?)?(trials|configs|configurations|settings)"
    r"|(hom|homophily|edge|node)[ _.-]+(ratio|level|homophily)|#.*|no\.? of .*|number of .*",
    re.IGNORECASE,
)

# and what no column of scores is called either
BESIDE = re.compile(
    rf"{RUN}|seeds|runs|folds|hardware|gpus?|date"
    r"|(.*[^a-z])?(val|valid|validation|dev|train|training)([^a-z].*)?",
    re.IGNORECASE,
)
# rows below the models
BELOW = re.compile(
    r"(.*[^a-z])?(avg\.?|average)([ _(].*)?|std|median|(relative|absolute|rel\.?|abs\.?) .*"
    r"|((prev(ious)?|prior|published|old)[ ._]+)?(best|sota|state[- ]of[- ]the[- ]art)"
    r"([ _](baseline|competitor|prior|previous|other|others|result|score|reported|published).*)?",
    re.IGNORECASE,
)
# measures of which less is better
LOWER = re.compile(
    r"(?<![a-z])((n?r)?mse|s?ma[sp]?e|log[ _-]?loss|loss|errors?|err|nll|perplexity|ppl|brier|ece"
    r"|[wc]er|fid)(?![a-z])",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KNOWN_DATA_SETS = _words(
    "cora citeseer pubmed coraml corafull dblp acm imdb arxiv ogbnarxiv ogbnproducts ogbnproteins "
    "ogbnmag wikics photo computers amazonphoto amazoncomputers cs physics coauthorcs "
    "coauthorphysics chameleon squirrel actor film cornell texas wisconsin reddit ppi flickr yelp "
    "karate polblogs polbooks football romanempire amazonratings minesweeper tolokers questions "
    "penn94 pokec genius twitchgamers snappatents blogcatalog nell webkb"
)
KNOWN_MODELS = _words(
    "gcn gat gatv2 graphsage sage mlp sgc appnp gin gcnii h2gcn lp labelpropagation chebnet cheby "
    "mixhop gprgnn jknet jk geomgcn wvrn nbc nlb cdrn logreg logisticregression deepwalk node2vec "
    "line planetoid dgi graphsaint fagcn linkx acmgcn cs correctandsmooth ica gib svm grand "
    "mogcn monet dagnn gat graphormer gt nagphormer"
)


def columns_of(table: Any) -> Columns:
    """Return the columns of a table as text, names without markup."""
    if isinstance(table, (str, PathLike)):
        header, rows = read_rows(str(table))
        table = {name: [row[k] for row in rows] for k, name in enumerate(header)}
    index = getattr(table, "index", None)
    if index is not None and not callable(index) and _holds_text(index):
        table = table.reset_index(names=list(index.names) if index.names[0] else "")
    names = list(getattr(table, "column_names", None) or table)
    columns = {
        read_name(str(name)): [_text(cell) for cell in _values(table[name])] for name in names
    }
    if len(columns) != len(names):
        raise InputError("leaderboard: two columns have the same name; rename one")
    if len({len(cells) for cells in columns.values()}) > 1 or not any(columns.values()):
        raise InputError(
            expected="columns of one length with at least one row", where="leaderboard"
        )
    return {name: cells for name, cells in columns.items() if not _numbers_rows(name, cells)}


def _numbers_rows(name: str, cells: Sequence[str]) -> bool:
    """Return whether a column is the index that pandas or R wrote."""
    counted = [[str(k + start) for k in range(len(cells))] for start in (0, 1)]
    return is_index_name(name) and list(cells) in counted


def _holds_text(index: Any) -> bool:
    return len(index.names) > 1 or bool(index.names[0]) or any(isinstance(i, str) for i in index)


def _values(column: Any) -> list[Any]:
    for step in ("to_list", "to_pylist", "tolist"):
        if hasattr(column, step):
            return list(getattr(column, step)())
    return list(column)


def _text(cell: Any) -> str:
    return "" if is_missing(cell) else str(cell).strip()


def needed(columns: Iterable[str], names: Sequence[str], what: str) -> str:
    """Return the column with one of the usual names."""
    found = usual(columns, names)
    if found is None:
        raise InputError(
            f"no column is called {' or '.join(names)}; name the one for {what} among "
            f"{', '.join(columns)}"
        )
    return found


def layout_of(
    columns: Columns,
    *,
    data_set: str | None,
    model: Sequence[str],
    long: bool,
    models_in: ModelsIn | None,
    notes: list[str],
) -> Literal["rows", "columns", "long"]:
    """Return whether models are in rows, in columns, or in a column of a long table."""
    if models_in is not None:
        if models_in not in ("rows", "columns"):
            raise unknown_choice("models_in", models_in, ("rows", "columns"))
        return models_in
    names = list(columns)
    who, where = usual(names, MODEL_HEADS), data_set or usual(names, DATA_SET)
    if long or (where is not None and (model or who)):
        return "long"
    if where is not None:
        others = [name for name in names if name != where]
        if hits(others, KNOWN_DATA_SETS) and not hits(columns[where], KNOWN_DATA_SETS):
            notes.append(f"{shown(where)} is taken to head the names of data sets in the header")
            return "rows"
        return "columns"
    if who is not None or model:
        scores = [n for n in names if n not in (who, *model) and is_score(n, columns[n])]
        beside = [name for name in scores if name.lower() not in SCORE]
        return "long" if usual(names, SCORE[:4]) is not None and not beside else "rows"
    return _by_known_names(columns, notes)


def _by_known_names(columns: Columns, notes: list[str]) -> ModelsIn:
    first, *others = columns
    in_rows = hits(columns[first], KNOWN_MODELS) + hits(others, KNOWN_DATA_SETS)
    in_columns = hits(columns[first], KNOWN_DATA_SETS) + hits(others, KNOWN_MODELS)
    if (in_rows == 0) == (in_columns == 0):
        raise InputError(
            "leaderboard: the table does not show whether models are in rows or columns (its "
            f"columns are {', '.join(name or '(no name)' for name in list(columns)[:8])}); say "
            f"{option('models_in', 'rows')} or {option('models_in', 'columns')}, or call the "
            "first column Model or Dataset"
        )
    found: ModelsIn = "rows" if in_rows else "columns"
    notes.append(f"models are taken to be in {found}, as the names say")
    return found


def hits(names: Iterable[str], known: frozenset[str]) -> int:
    """Return how many names are well known.

    Examples
    --------
    >>> hits(["Cora", "Amazon-Photo", "my data"], KNOWN_DATA_SETS)
    2
    """
    return sum(re.sub(r"[^a-z0-9]", "", read_name(name).lower()) in known for name in names)


def wide_cells(
    columns: Columns, names: Sequence[str], models_in: ModelsIn, notes: list[str]
) -> dict[tuple[str, str], Cell]:
    """Return the cells of a wide table by data set and model.

    `names` are the columns that together name the rows, by default the usual one, or the first.
    Rows and columns that are set aside are added to `notes`.
    """
    what, words = ("model", MODEL_HEADS) if models_in == "rows" else ("data_set", DATA_SET)
    keys = [column_named(columns, name, WHERE) for name in names]
    keys = keys or [usual(columns, words) or next(iter(columns))]
    rows = [
        " / ".join(read_name(columns[name][k]) for name in keys)
        for k in range(len(columns[keys[0]]))
    ]
    spreads = _spreads(columns)
    kept = [n for n in columns if n not in keys and n not in spreads.values()]
    scores = [name for name in kept if is_score(name, columns[name])]
    aside = [name or "(no name)" for name in kept if name not in scores]
    bare = {k for k in range(len(rows)) if all(_blank(columns[n][k]) for n in scores)}
    skipped = {k for k, name in enumerate(rows) if k in bare or _is_aside(name)}
    aside += [rows[k] or "(no name)" for k in sorted(skipped)]
    if aside:
        notes.append(f"rows and columns without scores are set aside: {', '.join(aside)}")
    found: dict[tuple[str, str], Cell] = {}
    for name in scores:
        title = CENTER.sub("", name) if name in spreads else name
        for k, row in enumerate(rows):
            if k in skipped:
                continue
            place = (title, row) if models_in == "rows" else (row, title)
            if place in found:
                raise InputError(
                    f"leaderboard: {shown(place[1])} occurs twice on {shown(place[0])}; name more "
                    f"columns for {what}, or single scores by value"
                )
            found[place] = score(columns[name][k], name, row)
            if name in spreads:
                sd = score(columns[spreads[name]][k], spreads[name], row).mean
                found[place] = found[place]._replace(sd=sd, bracket=False)
    return found


def _is_aside(name: str) -> bool:
    return any(words.fullmatch(name.rstrip(".")) for words in (ASIDE, BELOW))


def less_is_better(titles: Iterable[str]) -> bool:
    """Return whether columns of scores are called by measures of which less is better.

    Examples
    --------
    >>> less_is_better(["Test MAE"]), less_is_better(["accuracy"]), less_is_better(["cora"])
    (True, False, False)
    """
    names = list(titles)
    lower = [name for name in names if LOWER.search(name)]
    if lower and len(lower) < len(names):
        other = next(name for name in names if name not in lower)
        raise InputError(
            f"of {shown(lower[0])} less is better, of {shown(other)} it may be more",
            where="leaderboard",
            hint=f"give one kind of columns, or say {option('errors', True)} or "
            f"{option('errors', False)} for all",
        )
    return bool(lower)


def is_score(name: str, cells: Sequence[str]) -> bool:
    """Return whether a column can hold scores: some cell is a number, and its name is no other.

    Examples
    --------
    >>> is_score("cora", ["81.5", "OOM"]), is_score("rank", ["1", "2"])
    (True, False)
    """
    if ASIDE.fullmatch(name.rstrip(".")) or BESIDE.fullmatch(name):
        return False
    read = [read_cell(cell) for cell in cells]
    return any(cell is not None and not math.isnan(cell.mean) for cell in read)


def _blank(text: str) -> bool:
    cell = read_cell(text)
    return cell is not None and math.isnan(cell.mean)


def score(text: str, column: str, row: object) -> Cell:
    """Return the number in a cell."""
    found = read_cell(text)
    if found is None:
        raise InputError(
            expected="a number with a decimal point, such as 81.5 or 81.5 ± 0.5",
            got=shown(text),
            hint="if it holds no scores, name the columns that count: "
            f"{option('model', COLUMN)} and {option('mean', COLUMN)} (or "
            f"{option('value', COLUMN)}, for single scores)",
            where=f"leaderboard: column {shown(column)}, row {row}",
        )
    return found


def _spreads(columns: Mapping[str, Any]) -> dict[str, str]:
    """Find the columns whose spread is in a column of its own, as cora and cora_std."""
    found: dict[str, str] = {}
    for name in columns:
        base = SPREAD.sub("", name)
        if base and base != name:
            own = [
                one
                for one in columns
                if one == base or (CENTER.search(one) and CENTER.sub("", one) == base)
            ]
            found |= dict.fromkeys(own[:1], name)
    return found
