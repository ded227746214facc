"""Predictions made elsewhere, read from a table and checked against the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import unknown_choice
from .io.archive import Archive
from .io.guards import fail, read_head
from .io.own_npz import unpack_values
from .io.parquet import is_parquet, read_parquet
from .io.tables import read_table
from .models.decide import TIED
from .network import Network
from .network_parts import MISSING, natural_order
from .splits.base import Split
from .splits.files import places_of
from .study import Predictions

KEYS = ("split", "node", "model")
SUM_TOLERANCE = 1e-3  # as for the probabilities of a model that is run
Columns = Mapping[str, NDArray[Any]]


def read_predictions(
    path: str | PathLike[str],
    network: Network,
    *,
    a: str | None = None,
    b: str | None = None,
    splits: Sequence[Split] | None = None,
) -> tuple[Predictions, tuple[str, ...]]:
    """Read the predictions of two models from a table with one row a split, node and model.

    Parameters
    ----------
    path : path
        CSV or other delimited text (also compressed), Parquet, or .npz without pickles. Columns
        ``split``, ``node`` and ``model``, and either ``prediction`` (a class) or one
        probability column a class, called ``p_CLASS`` or as the class. A column ``label`` is
        compared with the network's labels. In an .npz, ``probabilities`` (n_rows, n_classes)
        with ``classes`` may stand for the probability columns.
    network : Network
        With the labels of all predicted nodes.
    a, b : str, optional
        The models to read, where there are more than two, or to fix which comes first.
    splits : sequence of Split, optional
        What the models were trained on, for example from `read_splits`; ``split`` then holds
        their numbers from 0. Without them all labelled nodes that a split does not test are
        taken for its training set.

    Returns
    -------
    predictions : Predictions
    notes : tuple of str
        What was left out or assumed.

    Raises
    ------
    InputError
        Naming the file and the count: nodes that the network does not hold, test nodes without
        prediction, nodes that one model predicts and the other does not, rows that repeat,
        classes that the network does not know, labels that differ from the network's,
        probabilities that are none or do not add up to 1 within 0.001, and more than two models
        without `a` and `b`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> net = Network([0, 1], [1, 2], n_nodes=4, labels=["x", "y", "x", "y"])
    >>> rows = [f"{s},{n},{m},x" for s, n in ((0, 2), (0, 3), (1, 0), (1, 3)) for m in "AB"]
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "predictions.csv")
    >>> _ = file.write_text("split,node,model,prediction\\n" + "\\n".join(rows))
    >>> read_predictions(file, net)[0].errors("B").tolist()
    [[-1, -1, 0, 1], [0, -1, -1, 1]]
    >>> folder.cleanup()
    """
    place = Path(path)
    columns = _columns(place)
    notes: list[str] = []
    split, names = _split_codes(place, columns, splits, notes)
    table = Rows(
        place, network, split, places_of(place, network, columns["node"]),
        _text(columns["model"]), _probabilities(place, columns, network, notes),
    )  # fmt: skip
    _check_labels(table, columns)
    models = _two_models(place, table.model, a, b)
    table = table.only(np.isin(table.model, models))
    table = _scored(table, splits, notes)
    _check_repeats(table, names)
    used = _inferred_splits(table, models, names, notes) if splits is None else list(splits)
    probabilities = {model: _arrange(table, model, used, names) for model in models}
    return Predictions(network, tuple(used), models, probabilities), tuple(notes)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of the table: split number, node index, model, class probabilities."""

    path: Path
    network: Network
    split: NDArray[np.intp]
    node: NDArray[np.intp]
    model: NDArray[Any]
    proba: NDArray[np.float32]

    def only(self, keep: NDArray[np.bool_]) -> Rows:
        """Give the rows in which `keep` is true."""
        return Rows(
            self.path, self.network, self.split[keep], self.node[keep], self.model[keep],
            self.proba[keep],
        )  # fmt: skip

    def example(self, row: int, names: Sequence[str]) -> str:
        """Name one row for an error."""
        node = self.network.ids[self.node[row]]
        return f"split {names[self.split[row]]}, node {node}, model {self.model[row]}"


def _columns(path: Path) -> dict[str, NDArray[Any]]:
    if not path.is_file():
        fail(path, "there is no such file")
    head = read_head(path, 64)
    if head.startswith(b"PK"):
        columns = _npz_columns(Archive(path))
    else:
        table = read_parquet(path)[0] if is_parquet(head) else read_table(path, header=True)
        columns = {name: np.asarray(values) for name, values in zip(table.names, table.columns)}
    for name in ("node", "model"):
        if name not in columns:
            raise unknown_choice(f"{path}: column", name, columns)
    return columns


def _npz_columns(archive: Archive) -> dict[str, NDArray[Any]]:
    columns = {name: archive[name] for name in archive.members if name != "classes"}
    if "probabilities" in columns:
        table = columns.pop("probabilities")
        classes = unpack_values(archive["classes"])
        if table.ndim != 2 or table.shape[1] != len(classes):
            fail(archive.path, f"probabilities have {table.shape} for {len(classes)} classes")
        columns |= {f"p_{name}": table[:, k] for k, name in enumerate(classes)}
    sizes = {name: column.shape for name, column in columns.items()}
    if len(set(sizes.values())) != 1 or any(len(shape) != 1 for shape in sizes.values()):
        fail(archive.path, f"has arrays of different shapes, needed is one entry a row: {sizes}")
    return columns


def _text(values: NDArray[Any]) -> NDArray[Any]:
    import pandas as pd

    codes, names = pd.factorize(values)
    words = [name.decode() if isinstance(name, bytes) else str(name) for name in names.tolist()]
    return np.array([*words, ""], dtype=object)[codes]


def _split_codes(
    path: Path, columns: Columns, splits: Sequence[Split] | None, notes: list[str]
) -> tuple[NDArray[np.intp], list[str]]:
    if "split" not in columns:
        if splits is not None and len(splits) > 1:
            fail(path, f"lacks the column 'split', but there are {len(splits)} splits")
        notes.append("there is no column 'split': all rows are taken for one split")
        return np.zeros(len(columns["node"]), dtype=np.intp), ["0"]
    words = _text(columns["split"])
    names = sorted(set(words.tolist()), key=natural_order)
    if splits is not None:
        wanted = [str(number) for number in range(len(splits))]
        odd = [name for name in names if name not in wanted]
        if odd:
            fail(path, f"has the split {odd[0]!r}; the splits are numbered 0 to {len(splits) - 1}")
        names = wanted
    place = {name: code for code, name in enumerate(names)}
    return np.array([place[word] for word in words.tolist()], dtype=np.intp), names


def _two_models(path: Path, found: NDArray[Any], a: str | None, b: str | None) -> tuple[str, str]:
    names = list(dict.fromkeys(found.tolist()))
    for name in (a, b):
        if name is not None and name not in names:
            raise unknown_choice(f"{path}: model", name, names)
    rest = [name for name in names if name not in (a, b)]
    open_places = (a is None) + (b is None)
    if open_places and len(rest) != open_places:
        fail(
            path,
            f"holds predictions of {len(names)} models ({', '.join(names[:8])}); needed are two, "
            "or a= and b= to choose two",
        )
    first = a if a is not None else rest.pop(0)
    second = b if b is not None else rest.pop(0)
    if first == second:
        fail(path, f"a and b are both {first!r}; give two different models")
    return first, second


def _probabilities(
    path: Path, columns: Columns, network: Network, notes: list[str]
) -> NDArray[np.float32]:
    """Give class probabilities of each row; a bare prediction has the probability 1."""
    codes = {str(name): code for code, name in enumerate(network.classes)}
    given = {name[2:]: name for name in columns if name.startswith("p_")}
    if not given:
        reserved = (*KEYS, "label", "prediction")
        given = {name: name for name in columns if name in codes and name not in reserved}
    if not given and "prediction" not in columns:
        fail(
            path,
            "has neither a column 'prediction' nor probability columns; the latter are called "
            f"{', '.join(f'p_{name}' for name in list(codes)[:3])}, ...",
        )
    if not given:
        predicted = _class_codes(path, columns["prediction"], codes, "prediction")
        return np.eye(len(codes), dtype=np.float32)[predicted]
    for name in given:
        if name not in codes:
            raise unknown_choice(f"{path}: class of the column {given[name]!r}", name, codes)
    proba = np.zeros((len(columns["node"]), len(codes)))
    for name, column in given.items():
        proba[:, codes[name]] = _numbers(path, column, columns[column])
    absent = [name for name in codes if name not in given]
    if absent:
        notes.append(f"classes without a column have the probability 0: {', '.join(absent)}")
    _check_probabilities(path, proba)
    if "prediction" in columns:
        _check_agreement(path, columns, proba, codes)
    return proba.astype(np.float32)


def _numbers(path: Path, name: str, values: NDArray[Any]) -> NDArray[np.float64]:
    import pandas as pd

    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    numbers = pd.to_numeric(pd.Series(_text(values)), errors="coerce").to_numpy(np.float64)
    bad = np.isnan(numbers)
    if bad.any():
        word = _text(values)[bad][0]
        fail(path, f"column {name!r} has {bad.sum()} values that are no numbers, such as {word!r}")
    return np.asarray(numbers)


def _check_probabilities(path: Path, proba: NDArray[np.float64]) -> None:
    odd = ~np.isfinite(proba).all(axis=1) | (proba < 0).any(axis=1) | (proba > 1 + TIED).any(axis=1)
    if odd.any():
        fail(
            path,
            f"{odd.sum()} rows hold values that are no probabilities, first row "
            f"{int(np.argmax(odd)) + 1}: {proba[int(np.argmax(odd))].tolist()}",
        )
    gap = np.abs(proba.sum(axis=1) - 1)
    bad = gap > SUM_TOLERANCE
    if bad.any():
        worst = int(np.argmax(gap))
        fail(
            path,
            f"the probabilities of {bad.sum()} rows do not add up to 1, worst in row {worst + 1}: "
            f"{proba[worst].sum():.6g}; write more digits, or divide each row by its sum",
        )


def _class_codes(
    path: Path, values: NDArray[Any], codes: Mapping[str, int], what: str
) -> NDArray[np.intp]:
    words = _text(values)
    found = np.array([codes.get(word, MISSING) for word in words.tolist()], dtype=np.intp)
    bad = found == MISSING
    if bad.any():
        raise unknown_choice(
            f"{path}: class in the column {what!r}, {bad.sum()} rows", words[bad][0], codes
        )
    return found


def _check_agreement(
    path: Path, columns: Columns, proba: NDArray[np.float64], codes: Mapping[str, int]
) -> None:
    predicted = _class_codes(path, columns["prediction"], codes, "prediction")
    chosen = proba[np.arange(len(proba)), predicted]
    other = chosen < proba.max(axis=1) - TIED
    if other.any():
        fail(
            path,
            f"in {other.sum()} rows the prediction is not the most probable class, first row "
            f"{int(np.argmax(other)) + 1}; leave out the column 'prediction' or the probabilities",
        )


def _check_labels(table: Rows, columns: Columns) -> None:
    if "label" not in columns:
        return
    own = table.network.labels[table.node]
    words = _text(columns["label"])
    names = np.array([*map(str, table.network.classes), ""], dtype=object)
    wrong = (names[own] != words) & (own != MISSING)
    if wrong.any():
        row = int(np.argmax(wrong))
        fail(
            table.path,
            f"the label of {wrong.sum()} rows is not the network's, first row {row + 1}: node "
            f"{table.network.ids[table.node[row]]} has {names[own[row]]!r}, the file says "
            f"{words[row]!r}",
        )


def _scored(table: Rows, splits: Sequence[Split] | None, notes: list[str]) -> Rows:
    """Leave out, and count, rows that cannot be scored."""
    bare = table.network.labels[table.node] == MISSING
    if bare.any():
        notes.append(f"{bare.sum()} rows predict nodes without label; they are left out")
    if splits is None:
        return table.only(~bare)
    role = np.zeros((len(splits), table.network.n_nodes), dtype=np.int8)
    for row, split in zip(role, splits):
        row[split.train], row[split.test] = 1, 2
    of = role[table.split, table.node]
    for code, what in ((1, "training nodes of their split"), (0, "nodes that are not tested")):
        count = int(((of == code) & ~bare).sum())
        if count:
            notes.append(f"{count} rows predict {what}; they are left out")
    return table.only((of == 2) & ~bare)


def _check_repeats(table: Rows, names: Sequence[str]) -> None:
    import pandas as pd

    keys = pd.DataFrame({"s": table.split, "n": table.node, "m": table.model})
    again = keys.duplicated().to_numpy()
    if again.any():
        first = table.example(int(np.argmax(again)), names)
        fail(table.path, f"{again.sum()} rows repeat split, node and model of another: {first}")


def _inferred_splits(
    table: Rows, models: tuple[str, str], names: Sequence[str], notes: list[str]
) -> list[Split]:
    """Take the nodes that both models predict for the test set, other labelled ones as training."""
    n = table.network.n_nodes
    seen = np.zeros((2, len(names), n), dtype=bool)
    for mask, model in zip(seen, models):
        own = table.model == model
        mask[table.split[own], table.node[own]] = True
    if (seen[0] != seen[1]).any():
        only = [int((seen[k] & ~seen[1 - k]).sum()) for k in (0, 1)]
        row, node = np.argwhere(seen[0] != seen[1])[0]
        fail(
            table.path,
            f"{models[0]} and {models[1]} predict different nodes: {only[0]} predictions of "
            f"{models[0]} and {only[1]} of {models[1]} have no partner, for example split "
            f"{names[row]}, node {table.network.ids[node]}",
        )
    labelled = table.network.labels != MISSING
    if not seen[0].any(axis=1).all():
        fail(table.path, f"split {names[int(np.argmin(seen[0].any(axis=1)))]} tests no node")
    notes.append(
        "training sets were not given: the labelled nodes that a split does not test are taken "
        "for them, which tests that use their size depend on; give the splits if that is not so"
    )
    return [
        Split(np.flatnonzero(labelled & ~test), np.flatnonzero(~labelled | test),
              np.flatnonzero(test))
        for test in seen[0]
    ]  # fmt: skip


def _arrange(
    table: Rows, model: str, splits: Sequence[Split], names: Sequence[str]
) -> tuple[NDArray[np.float32], ...]:
    """Put the rows of one model in the order of each split's test nodes."""
    own = np.flatnonzero(table.model == model)
    own = own[np.lexsort((table.node[own], table.split[own]))]
    counts = np.bincount(table.split[own], minlength=len(splits))
    sizes = np.array([split.test.size for split in splits])
    if (counts != sizes).any():
        number = int(np.argmax(counts != sizes))
        start = int(counts[:number].sum())
        has = table.node[own[start : start + int(counts[number])]]
        node = np.setdiff1d(splits[number].test, has)[0]
        fail(
            table.path,
            f"{model} lacks {int((sizes - counts).sum())} predictions for test nodes, for example "
            f"split {names[number]}, node {table.network.ids[node]}",
        )
    return tuple(np.split(table.proba[own], np.cumsum(sizes)[:-1]))
