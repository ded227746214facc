"""Known predictions written in hundreds of ways: read right, or refused, never read wrong."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.saved import read_predictions
from nettrial.splits import NetworkCrossValidation, Split

N, SPLITS, MODELS = 40, 3, ("gcn", "gat")
IDS: dict[str, list[Any]] = {
    "numbers": list(range(N)),
    "other numbers": [1000 + 7 * i for i in range(N)],
    "turned round": list(range(N))[::-1],
    "padded": [f"{i:03d}" for i in range(N)],
    "text": [f"user {i}" for i in range(N)],
    "from one": list(range(1, N + 1)),
}
CLASSES: dict[str, list[Any]] = {
    "words": ["red", "blue", "green"],
    "numbers": [0, 1, 2],
    "from one": [1, 2, 3],
    "two": ["yes", "no"],
    "signs": ["+", "-"],
    "bool": [True, False],
    "codes in words": ["2", "1", "0"],
}
NAMES = {
    "split": ["split", "fold", "seed", "Fold", "run", "split_id"],
    "node": ["node", "node_id", "id", "index", "Node", "vertex"],
    "model": ["model", "method", "Classifier", "algorithm"],
    "prediction": ["prediction", "pred", "y_pred", "predicted", "Predicted Class"],
    "label": ["label", "y_true", "target", "true_label", "y"],
}


class Known:
    """A network, splits, and what two models predict."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.classes = CLASSES[str(rng.choice(list(CLASSES)))]
        self.ids = IDS[str(rng.choice(list(IDS)))]
        k = len(self.classes)
        labels = np.concatenate([np.arange(k), rng.integers(0, k, N - k)])
        ends = rng.integers(0, N, (2, 80))
        self.network = Network(
            ends[0], ends[1], n_nodes=N, ids=self.ids, labels=[self.classes[c] for c in labels]
        )
        self.labels = labels
        self.splits = NetworkCrossValidation(n_splits=SPLITS, labeled=0.4, seed=1).split_network(
            self.network
        )
        self.proba = rng.dirichlet(np.ones(k), (len(MODELS), SPLITS, N))
        self.codes = self.proba.argmax(axis=-1)

    def errors(self, model: str) -> np.ndarray:
        found = np.full((SPLITS, N), -1)
        for s, split in enumerate(self.splits):
            found[s, split.test] = (
                self.codes[MODELS.index(model), s, split.test] != self.labels[split.test]
            )
        return found

    def table(self) -> pd.DataFrame:
        rows = [(s, i, m) for m in range(2) for s in range(SPLITS) for i in self.splits[s].test]
        frame = pd.DataFrame(rows, columns=["s", "i", "m"])
        made = pd.DataFrame(
            {
                "split": frame.s,
                "node": [self.ids[i] for i in frame.i],
                "model": [MODELS[m] for m in frame.m],
            }
        )
        place = (frame.m, frame.s, frame.i)
        made["prediction"] = [self.classes[c] for c in self.codes[place]]
        made["label"] = [self.classes[c] for c in self.labels[frame.i]]
        for c, name in enumerate(self.classes):
            made[f"p_{name}"] = self.proba[(*place, np.full(len(frame), c))]
        return made


def written(known: Known, rng: np.random.Generator, folder: Path) -> tuple[Any, list[Split] | None]:
    """Write the predictions in one of many ways."""
    pick = lambda *options: options[rng.integers(len(options))]  # noqa: E731
    frame = known.table()
    columns = [f"p_{name}" for name in known.classes]
    form = pick("classes", "probabilities", "both", "bare", "wide", "codes", "codes and labels")
    if form in ("classes", "wide", "codes", "codes and labels"):
        frame = frame.drop(columns=columns)
    if form in ("probabilities", "bare"):
        frame = frame.drop(columns="prediction")
    if form == "codes and labels":
        order = rng.permutation(len(known.classes))
        code = {name: order[c] for c, name in enumerate(known.classes)}
        frame["prediction"] = [code[name] for name in frame.prediction]
        frame["label"] = [code[name] for name in frame.label]
    if form == "codes":
        # the network sorts its classes
        code = {name: c for c, name in enumerate(known.network.classes)}
        frame["prediction"] = [code[name] for name in frame.prediction]
        frame = frame.drop(columns="label")
    elif form != "codes and labels" and pick(True, False):
        frame = frame.drop(columns="label")
    if form == "bare":
        frame = frame.rename(columns={name: name[2:] for name in columns})
    if form == "wide":
        keys = [name for name in ("split", "node", "label") if name in frame]
        frame = frame.pivot(index=keys, columns="model", values="prediction").reset_index()
    splits = pick(None, known.splits)
    frame["split"] = frame["split"] + pick(0, 0, 1)
    if splits is None and pick(True, False):
        frame["split"] = [f"cv {number}" for number in frame["split"]]
    if pick(True, False):
        frame = frame.sample(frac=1, random_state=int(rng.integers(99)))
    if pick(True, False):
        frame = frame.assign(degree=1.5, note="as before")
    if pick(True, False):
        frame = frame[list(rng.permutation(list(frame)))]
    names = {role: pick(*words) for role, words in NAMES.items()}
    if form != "bare":
        frame = frame.rename(columns=names)
    return stored(frame, rng, folder), splits


def stored(frame: pd.DataFrame, rng: np.random.Generator, folder: Path) -> Any:
    kind = str(rng.choice(["csv", "csv.gz", "npz", "frame", "dict", "parquet"]))
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        frame.astype({name: str for name in frame if frame[name].dtype == object}).to_parquet(
            folder / "p.parquet", index=False
        )
        return folder / "p.parquet"
    if kind == "npz":
        arrays = {str(name): frame[name].to_numpy() for name in frame}
        arrays = {k: v.astype(str) if v.dtype.kind not in "iuf" else v for k, v in arrays.items()}
        np.savez(folder / "p.npz", **arrays)
        return folder / "p.npz"
    if kind in ("frame", "dict"):
        return frame if kind == "frame" else frame.to_dict("list")
    frame.to_csv(
        folder / f"p.{kind}",
        index=bool(rng.integers(2)),
        sep=str(rng.choice([*",;|", "\t"])),
        quoting=csv.QUOTE_NONNUMERIC if rng.integers(2) else csv.QUOTE_MINIMAL,
    )
    return folder / f"p.{kind}"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_predictions_are_read_right_or_refused(tmp_path: Path, block: int, full: bool) -> None:
    refused = 0
    total = 250 if full else 40
    for case in range(total):
        rng = np.random.default_rng([block, case])
        known = Known(rng)
        source, splits = written(known, rng, tmp_path)
        try:
            found, _ = read_predictions(source, known.network, splits=splits)
        except InputError as error:
            note = str(error)
        else:
            note = ""
        if note:
            # numbers that are names of classes but stand for other classes
            assert "rows is not the network's" in note, case
            refused += 1
            continue
        assert set(found.models) == set(MODELS), case
        assert len(found.splits) == SPLITS, case
        for model in MODELS:
            assert np.array_equal(found.errors(model), known.errors(model)), (case, model)
    assert refused < 0.15 * total
