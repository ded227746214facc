"""Where predictions come from: files, tables of other libraries, dicts; all become columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments, no_path
from ..core.errors import InputError, shown
from ..io.columns import decimal_commas, is_number
from ..io.contents import Arrays, contents_of
from ..io.guards import fail, is_there, read_head
from ..io.json_records import read_records
from ..io.jsongraph import is_records
from ..io.own_npz import unpack_values
from ..io.tables import Table
from ..io.vocabulary import ID, POSITION, plain, usual
from ..network.network import Network
from ..numeric.checks import from_tensor
from .arrays import long_form

FORMS = (
    "a file (CSV, JSON, Parquet, Excel, .npz, .npy, .pt), a folder of them, a table of pandas, "
    "polars or Arrow, a dict of columns, a dict of arrays (splits x nodes), or a dict of these by "
    "model"
)
TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".jsonl", ".npz", ".npy", ".pt", ".pth")
# a word for a split and its number in the name of a file
NUMBERED = re.compile(
    r"(?:^|[_\-. ])(halving|part|seed|split|fold|run|repeat|trial)[_\-. ]?(\d+)(?=[_\-. ]|$)", re.I
)
Columns = dict[str, NDArray[Any]]
NetworkOf: TypeAlias = Callable[[str], Network | None]


@dataclass(frozen=True, slots=True)
class Part:
    """One table of predictions."""

    name: str  # what errors call it: the path of the file, or "predictions"
    columns: Columns  # all of one length
    model: str = ""  # the model of all rows, where the caller named it
    stem: str = ""  # the name of the file, which stands for the model where nothing else does
    from_arrays: bool = False  # whether its column of splits counts the splits of an array


@check_arguments
def check_source(source: Any) -> None:
    """Refuse a file that is not there, before anything else is read."""
    if not isinstance(source, (str, PathLike)):
        return
    path = Path(source)
    if note := no_path(source):
        raise InputError(parameter="predictions", expected="a path", got=f"{shown(source)}, {note}")
    if path.is_dir():
        if not _tables_in(path):
            fail(path, f"holds no table of predictions ({', '.join(TABLES)})")
    elif not is_there(path):
        fail(path, "there is no such file")


def parts_of(source: Any, network: Network | NetworkOf, notes: list[str]) -> list[Part]:
    """Return the tables that a source of predictions holds, see `read_predictions`.

    `network` is the one whose nodes arrays are of, or gives a part of one by its name ("network"
    for the whole), and None for another name. What was assumed is added to `notes`.
    """
    if isinstance(source, (str, PathLike)):
        check_source(source)
        path = Path(source)
        if path.is_dir():
            files = (part for file in _tables_in(path) for part in _file(file, network, notes))
            return [numbered(part, notes) for part in files]
        return _file(path, network, notes)
    if isinstance(source, Mapping):
        if source and all(_is_source(value) for value in source.values()):
            return [
                replace(part, model=str(key))
                for key, value in source.items()
                for part in parts_of(value, network, notes)
            ]
        arrays = {str(name): from_tensor(values) for name, values in source.items()}
        return _of_arrays("predictions", "", arrays, network, notes)
    if _is_frame(source):
        return [Part("predictions", frame_columns(source))]
    raise InputError(parameter="predictions", expected=FORMS, got=shown(source))


def numbered(part: Part, notes: list[str]) -> Part:
    """Take seed, split and the like from the name of a file: ``gcn_split3_seed0.csv``.

    Examples
    --------
    >>> part = Part("x", {"node": np.array([5, 7]), "prediction": np.array(["a", "b"])},
    ...             stem="gcn_seed-3")
    >>> named = numbered(part, [])
    >>> named.stem, named.columns["seed"].tolist()
    ('gcn', [3, 3])
    """
    found, stem = numbers_in(part.stem)
    if not found:
        return part
    columns, size = dict(part.columns), len(next(iter(part.columns.values())))
    of_arrays = columns.get("split")
    if of_arrays is not None and of_arrays.dtype.kind == "i" and not of_arrays.any():
        del columns["split"]  # the first and only one of an array
    for word, number in found.items():
        if word not in map(plain, columns):
            columns[word] = np.full(size, number)
    own = part.from_arrays and "split" not in found
    notes.append(f"{', '.join(found)} of the predictions in a folder: as the files are called")
    return renamed(replace(part, columns=columns, from_arrays=own), stem)


def numbers_in(name: str) -> tuple[dict[str, int], str]:
    """Return the numbers of seed, split and the like in the name of a file, and what is left of it.

    Examples
    --------
    >>> numbers_in("gcn_split3_seed0")
    ({'split': 3, 'seed': 0}, 'gcn')
    """
    found = {word.lower(): int(number) for word, number in NUMBERED.findall(name)}
    return found, NUMBERED.sub("", name).strip("_-. ")


def renamed(part: Part, stem: str) -> Part:
    """Return a table by another name, which its model has too where it was called by the file."""
    columns, models = dict(part.columns), part.columns.get("model")
    if stem and models is not None and set(models.tolist()) == {part.stem}:
        columns["model"] = np.full(len(models), stem, dtype=object)
    return replace(part, columns=columns, stem=stem)


def _is_source(value: Any) -> bool:
    return isinstance(value, (str, PathLike, Mapping)) or _is_frame(value)


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "__getitem__")


def frame_columns(frame: Any) -> Columns:
    """Return the columns of a table of pandas, polars or Arrow; a named index is one of them."""
    names = getattr(getattr(frame, "index", None), "names", ())
    if any(name is not None for name in names):
        frame = frame.reset_index()
    titles = getattr(frame, "column_names", frame.columns)
    columns = {str(name): np.asarray(frame[name]) for name in titles}
    if len(columns) != len(titles):
        raise InputError(
            "two columns have the same name", parameter="predictions", hint="rename one"
        )
    return columns


def table_of(source: Any) -> Part | None:
    """Return the one table of columns that a source is; None where it is anything else."""
    if isinstance(source, (str, PathLike)):
        path = Path(source)
        check_source(path)
        return None if path.is_dir() else _table(path, _contents(path))
    if isinstance(source, Mapping):
        if not source or any(_is_source(value) for value in source.values()):
            return None
        arrays = {str(name): from_tensor(values) for name, values in source.items()}
        shapes = {array.shape for array in arrays.values()}
        alike = len(shapes) == 1 and len(shapes.pop()) == 1
        return Part("predictions", arrays) if alike else None
    return Part("predictions", frame_columns(source)) if _is_frame(source) else None


def _contents(path: Path) -> Any:
    """Return what a file holds; records of JSON are a table."""
    return read_records(path) if is_records(read_head(path)) else contents_of(path)


def _table(path: Path, held: Any) -> Part | None:
    if not isinstance(held, Table):
        return None
    columns = {name: np.asarray(values) for name, values in zip(held.names, held.columns)}
    if held.delimiter == ";":
        columns = {name: _with_points(values) for name, values in columns.items()}
    return Part(str(path), columns, stem=path.name.partition(".")[0])


def _tables_in(folder: Path) -> list[Path]:
    """List the tables of a folder, of which each holds the predictions of a model."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.name.lower().endswith(TABLES) and path.name[0] not in "._" and is_there(path)
    ]


def _file(path: Path, network: Network | NetworkOf, notes: list[str]) -> list[Part]:
    held = _contents(path)
    if (part := _table(path, held)) is not None:
        return [part]
    if isinstance(held, np.ndarray):
        held = {path.stem: held}
    if not isinstance(held, Mapping) or not any(np.ndim(held[name]) for name in held):
        fail(path, f"holds no predictions; expected {FORMS}")
    arrays = {name: from_tensor(held[name]) for name in held}
    if isinstance(held, Arrays):
        if "classes" in arrays:
            arrays["classes"] = np.array(unpack_values(arrays["classes"]), dtype=object)
        if [*arrays] == ["arr_0"]:  # as numpy calls the one that was given without a name
            arrays = {path.stem: arrays["arr_0"]}
    return _of_arrays(str(path), path.stem, arrays, network, notes)


def _of_arrays(
    name: str,
    stem: str,
    arrays: Mapping[str, NDArray[Any]],
    network: Network | NetworkOf,
    notes: list[str],
) -> list[Part]:
    """Return arrays as a table, or one for each where they are called as parts of a network."""
    if isinstance(network, Network):
        return [Part(name, _columns(name, arrays, network, notes), stem=stem)]
    by_part = {key: part for key in arrays if (part := network(key)) is not None}
    if len(by_part) < len(arrays):  # arrays by model, of the part that the file is called by
        numbers = dict(NUMBERED.findall(stem.lower()))
        halving, half = numbers.get("halving"), numbers.get("part", 0)
        part = network("network" if halving is None else f"halving{halving}_part{half}")
        assert part is not None  # noqa: S101 - the name is that of a part
        columns = _columns(name, arrays, part, notes)
        return [Part(name, columns, stem=stem, from_arrays=True)]
    return [
        Part(f"{name}, {key}", _columns(name, {stem: arrays[key]}, part, notes),
             stem=f"{stem}_{key}", from_arrays=True)
        for key, part in by_part.items()
    ]  # fmt: skip


def _with_points(values: NDArray[Any]) -> NDArray[Any]:
    """Write decimal commas as points in a column of numbers; other columns stay as they are."""
    words = values.tolist() if values.dtype == object else []
    filled = [word for word in words if word]
    commas = any("," in word for word in filled)
    if not commas or not all(map(is_number, filled)) or decimal_commas(filled) is False:
        return values
    return np.array([word.replace(",", ".") for word in words], dtype=object)


def _columns(
    name: str, arrays: Mapping[str, NDArray[Any]], network: Network, notes: list[str]
) -> Columns:
    """Return columns as they are, and arrays over splits and nodes as columns."""
    if usual(arrays, (*ID, *POSITION)) is None:
        return long_form(name, arrays, network, notes)
    columns = {key: values for key, values in arrays.items() if key != "classes"}
    if "probabilities" in columns and columns["probabilities"].ndim == 2:
        table, classes = columns.pop("probabilities"), arrays.get("classes", network.classes)
        if table.shape[1] != len(classes):
            fail(name, f"probabilities have {table.shape} for {len(classes)} classes")
        columns |= {f"p_{one}": table[:, k] for k, one in enumerate(classes)}
    sizes = {key: column.shape for key, column in columns.items()}
    if len(set(sizes.values())) != 1 or any(len(shape) != 1 for shape in sizes.values()):
        fail(name, f"expected columns with one entry per row, got arrays of the shapes {sizes}")
    return columns


def by_training_seed(
    parts: Sequence[Part], n_splits: int | None = None
) -> list[tuple[dict[str, object], list[Part]]]:
    """Return the condition of each training seed with the parts that hold it.

    One without a condition and with all parts where seeds are none or number the splits, and where
    there are other than `n_splits` splits of each seed, as when folds are drawn for each.
    """
    found: dict[object, list[Part]] = {}
    splits: set[object] = set()
    for part in parts:
        heads = {plain(name): name for name in part.columns}
        split = heads.get("split", heads.get("fold"))
        if "seed" not in heads or split is None:
            return [({}, list(parts))]
        for seed in np.unique(part.columns[heads["seed"]]).tolist():
            found.setdefault(seed, []).append(part)
        splits.update(np.unique(part.columns[split]).tolist())
    if n_splits not in (None, len(splits)):
        return [({}, list(parts))]
    return [({"seed": seed}, own) for seed, own in found.items()]
