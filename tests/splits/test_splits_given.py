"""Splits as other libraries hold them: masks, index lists, data, scikit-learn splitters."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

import nettrial
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.saved import read_predictions
from nettrial.splits import RandomResampling, Split
from nettrial.splits.files import read_splits, write_splits
from nettrial.splits.given import given_splits
from nettrial.study.node_study import Predictions, run

N, SPLITS = 50, 3


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(N, seed=4)


@pytest.fixture(scope="module")
def splits(network: Network) -> list[Split]:
    return RandomResampling(n_splits=SPLITS, labeled=0.4, seed=1).split_network(network)


@pytest.fixture(scope="module")
def predictions(network: Network, splits: list[Split]) -> Predictions:
    models = {"a": nettrial.models.WVRN(), "b": nettrial.models.NBC()}
    return run(network, models, splits)


def masks(splits: list[Split], part: str) -> np.ndarray:
    table = np.zeros((SPLITS, N), dtype=bool)
    for row, split in zip(table, splits):
        row[getattr(split, part)] = True
    return table


def torch_tensor(array: np.ndarray) -> Any:
    return pytest.importorskip("torch").from_numpy(np.ascontiguousarray(array))


def pyg(splits: list[Split]) -> Any:
    data = pytest.importorskip("torch_geometric.data").Data(num_nodes=N)
    data.train_mask, data.test_mask = (
        torch_tensor(masks(splits, part).T) for part in ("train", "test")
    )
    return data


def ogb(split: Split, take: Callable[[np.ndarray], Any] = np.asarray) -> dict[str, Any]:
    # the first three training nodes for validation, out of order as OGB has them
    return {
        "train": take(split.train[3:][::-1]),
        "valid": take(split.train[:3]),
        "test": take(split.test),
    }


FORMS: dict[str, Callable[[list[Split]], Any]] = {
    "splits": lambda s: s,
    "a tuple of splits": tuple,
    "bool": lambda s: {"train_mask": masks(s, "train"), "test_mask": masks(s, "test")},
    "int": lambda s: {"train": masks(s, "train").astype(int), "test": masks(s, "test") * 1},
    "float": lambda s: {"train_mask": masks(s, "train") * 1.0, "test_mask": masks(s, "test")},
    "nodes first": lambda s: {"train_mask": masks(s, "train").T, "test_mask": masks(s, "test").T},
    "two tables": lambda s: (masks(s, "train"), masks(s, "test")),
    "a list of masks": lambda s: list(zip(masks(s, "train"), masks(s, "test") * 1)),
    "pairs of numbers": lambda s: [(x.train, x.test) for x in s],
    "pairs of lists": lambda s: [(x.train.tolist(), x.test.tolist()) for x in s],
    "triples": lambda s: [(x.train[2:], x.train[:2], x.test) for x in s],
    "a generator": lambda s: ((x.train, x.test) for x in s),
    "ogb": lambda s: [ogb(x) for x in s],
    "ogb tensors": lambda s: [ogb(x, torch_tensor) for x in s],
    "ogb data sets": lambda s: [SimpleNamespace(get_idx_split=lambda x=x: ogb(x)) for x in s],
    "no validation": lambda s: [{"train": x.train, "valid": [], "test": x.test} for x in s],
    "data": pyg,
    "a list of data": lambda s: [
        SimpleNamespace(train_mask=a, test_mask=b, val_mask=None)
        for a, b in zip(masks(s, "train"), masks(s, "test"))
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_splits(network: Network, splits: list[Split], form: str) -> None:
    found = given_splits(FORMS[form](splits), network)
    assert len(found) == SPLITS
    for one, two in zip(found, splits):
        for part in ("train", "inference", "test"):
            assert np.array_equal(getattr(one, part), getattr(two, part))


@pytest.mark.parametrize("form", ["bool", "ogb", "data", "pairs of numbers", "two tables"])
def test_one_split_alone(network: Network, splits: list[Split], form: str) -> None:
    train, test = masks(splits, "train")[1], masks(splits, "test")[1]
    alone: dict[str, Any] = {
        "bool": {"train_mask": train, "test_mask": test},
        "ogb": ogb(splits[1]),
        "data": SimpleNamespace(train_mask=train, val_mask=~(train | test), test_mask=test),
        "pairs of numbers": (splits[1].train.tolist(), splits[1].test.tolist()),
        "two tables": (train, test),
    }
    (found,) = given_splits(alone[form], network)
    assert np.array_equal(found.test, splits[1].test)
    with pytest.raises(InputError, match="splits: expected at least 2, got 1"):
        nettrial.compare(network, "wvrn", "nbc", design=alone[form], n_replicates=10)


def test_one_test_mask_may_serve_all_training_masks(network: Network) -> None:
    # as in WikiCS, whose test set is the same for its twenty training sets
    train, test = np.zeros((N, 4), dtype=bool), np.zeros(N, dtype=bool)
    train[np.arange(16), np.arange(16) // 4], test[30:] = True, True
    found = given_splits(SimpleNamespace(train_mask=train, test_mask=test), network)
    assert [split.train.tolist() for split in found] == [
        list(range(4 * k, 4 * k + 4)) for k in range(4)
    ]
    assert all(split.test.tolist() == list(range(30, N)) for split in found)


SPLITTERS = [
    KFold(5),
    KFold(4, shuffle=True, random_state=3),
    StratifiedKFold(3),
    StratifiedShuffleSplit(6, random_state=0),
    ShuffleSplit(4, test_size=0.3, random_state=1),
    RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=5),
    PredefinedSplit(np.arange(N - 2) % 3),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda s: type(s).__name__)
def test_splitters_divide_the_labeled_nodes(network: Network, splitter: Any) -> None:
    source, target = network.simple_links()
    labels = [None if i in (7, 31) else network.classes[c] for i, c in enumerate(network.labels)]
    net = Network(source, target, n_nodes=N, labels=labels)
    known = np.array([i for i in range(N) if i not in (7, 31)])
    want = list(splitter.split(known, net.labels[known]))
    found = given_splits(splitter, net)
    assert [s.train.tolist() for s in found] == [sorted(known[t].tolist()) for t, _ in want]
    assert [s.test.tolist() for s in found] == [sorted(known[t].tolist()) for _, t in want]
    assert all({7, 31} <= set(s.inference.tolist()) for s in found)


@pytest.mark.slow
def test_splits_of_others_reach_the_verdict(network: Network, splits: list[Split]) -> None:
    for form in ("bool", "ogb", "data"):
        one = nettrial.compare(network, "wvrn", "nbc", design=FORMS[form](splits), n_replicates=10)
        two = nettrial.compare(network, "wvrn", "nbc", design=splits, n_replicates=10)
        assert one.test("cluster_robust_t").pvalue == two.test("cluster_robust_t").pvalue
    found = nettrial.compare(network, "wvrn", "nbc", design=KFold(5), n_replicates=10)
    assert len(found.predictions.splits) == 5


@pytest.mark.parametrize("form", FORMS)
def test_predictions_are_read_by_splits_in_every_form(
    network: Network, splits: list[Split], predictions: Predictions, form: str
) -> None:
    frame = predictions.to_frame()
    found, notes = read_predictions(frame, network, splits=FORMS[form](splits))
    assert notes == ()
    for one, two in zip(found.splits, splits, strict=True):
        assert np.array_equal(one.train, two.train)
        assert np.array_equal(one.test, two.test)
    if form in ("bool", "a generator"):
        for source, positive in ((frame, None), (frame, "+"), (predictions, "+")):
            judged = nettrial.compare_predictions(
                source, network, splits=FORMS[form](splits), positive=positive
            )
            assert judged.labeled == pytest.approx(splits[0].train.size / N)


def test_predictions_refuse_other_splits_than_theirs(
    network: Network, splits: list[Split], predictions: Predictions, words
) -> None:
    for read in (read_predictions, nettrial.compare_predictions):
        with words.raises(InputError):
            read(predictions, network, splits=splits[::-1])
        with words.raises(InputError):
            read(predictions, network, splits={"train": [0, 1]})
        with words.raises(InputError):
            read(predictions, network, where="fold=1")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros((3, N), dtype=bool), "one array of the shape .* does not say what is trained on"),
        ({"train": [0, 1]}, "got a dict with train"),
        ({}, "got a dict with nothing"),
        (5, "got 5"),
        (object(), "got an object of the class object"),
        ([1, 2], "got 1"),
        (["rrs"], "got 'rrs'"),
        ({"train_mask": np.ones(N - 1, bool), "test_mask": np.ones(N, bool)}, "training mask: exp"),
        ({"train_mask": np.full(N, 2), "test_mask": np.ones(N, bool)}, "training mask: expected"),
        ({"train_mask": np.ones((N, N), bool), "test_mask": np.ones(N, bool)}, "as many splits as"),
        ({"train": np.eye(2, N) > 0, "test": np.eye(3, N) < 1}, r"numbers of splits: \[2, 3\]"),
        ({"train": [0, 1, N], "test": [2]}, f"node number {N}"),
        ({"train": [0, -1], "test": [2]}, "node number -1"),
        ({"train": [0.5, 1], "test": [2]}, "list of node indices"),
        ([([0, 1], [2]), ([0, 1], [1, 2])], "1 nodes are in training and test set of split 1"),
        ({"train": [0, 0], "test": [2]}, "has a node twice"),
        ({"train": [0], "test": np.array([], dtype=int)}, "the test set of split 0 is empty"),
        (KFold(5, shuffle=True), "other splits each time; set its random_state"),
        (ShuffleSplit(3, random_state=np.random.RandomState(0)), "other splits each time"),
        (KFold, r"got the class KFold; give KFold\(\)"),
        (GroupKFold(3), "GroupKFold cannot split"),
        (KFold(N + 1), "KFold cannot split the 50 labeled nodes"),
    ],
)  # fmt: skip
def test_what_is_no_split_is_refused(network: Network, given: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        given_splits(given, network)


def test_files_hold_masks_of_numbers_too(
    network: Network, splits: list[Split], tmp_path: Path
) -> None:
    train, test = masks(splits, "train"), masks(splits, "test")
    np.savez(tmp_path / "a.npz", train_mask=train.T.astype(int), test_mask=test.T.astype(float))
    np.savez(
        tmp_path / "b.npz", train_mask=train, val_mask=np.zeros((SPLITS, N), bool), test_mask=test
    )
    np.savez(tmp_path / "c.npz", train_idx=splits[0].train, test_idx=splits[0].test)
    lists = [{"train": a.tolist(), "test": b.tolist()} for a, b in zip(train, test)]
    (tmp_path / "d.json").write_text(json.dumps({"splits": lists}))
    write_splits(network, splits, tmp_path / "e.csv")
    for name, number in (("a.npz", 3), ("b.npz", 3), ("c.npz", 1), ("d.json", 3), ("e.csv", 3)):
        for found in (
            read_splits(tmp_path / name, network),
            given_splits(tmp_path / name, network),
        ):
            assert [s.test.tolist() for s in found] == [s.test.tolist() for s in splits[:number]]
            assert [s.train.tolist() for s in found] == [s.train.tolist() for s in splits[:number]]


def test_several_files_and_the_masks_of_known_collections(
    network: Network, splits: list[Split], tmp_path: Path
) -> None:
    # Geom-GCN has a file of uint8 for each split, other collections all in one
    paths = []
    for k, split in enumerate(splits):
        one = {
            f"{part}_mask": np.isin(np.arange(N), getattr(split, part)).astype(np.uint8)
            for part in ("train", "test")
        }
        paths.append(tmp_path / f"split_0.6_0.2_{k}.npz")
        np.savez(paths[-1], val_mask=np.zeros(N, np.uint8), **one)
    np.savez(
        tmp_path / "all.npz",
        train_masks=masks(splits, "train"),
        val_masks=np.zeros((SPLITS, N), bool),
        test_masks=masks(splits, "test"),
    )
    for found in (given_splits(paths, network), given_splits(tmp_path / "all.npz", network)):
        assert [s.train.tolist() for s in found] == [s.train.tolist() for s in splits]


@pytest.mark.parametrize("name", ["minesweeper", "texas_4_classes", "chameleon_filtered"])
def test_the_masks_in_a_networks_own_file(data: Path, name: str) -> None:
    path = data / "original" / name / f"{name}.npz"
    network = nettrial.read(path)
    found = read_splits(path, network)
    with np.load(path) as stored:
        for k, split in enumerate(found):
            assert np.array_equal(split.test, np.flatnonzero(stored["test_masks"][k]))
            learned = stored["train_masks"][k] | stored["val_masks"][k]
            assert np.array_equal(split.train, np.flatnonzero(learned))


def test_numbers_that_may_be_ids_or_places_are_told(tmp_path: Path, words) -> None:
    order = [2, 0, 3, 1]
    network = Network([0, 1], [1, 2], n_nodes=4, labels=list("abab"), ids=order)
    sets = {"train": [0, 1], "test": [2, 3]}
    with words.warns(nettrial.core.errors.AssumptionWarning):
        (split,) = given_splits(sets, network)
    assert split.train.tolist() == [0, 1]
    (tmp_path / "a.json").write_text(json.dumps(sets))
    with words.warns(nettrial.core.errors.AssumptionWarning):
        read_splits(tmp_path / "a.json", network)
    (tmp_path / "b.json").write_text(json.dumps({"ids": [0, 1, 2, 3], "splits": [sets]}))
    (split,) = read_splits(tmp_path / "b.json", network)
    assert split.train.tolist() == [1, 3]
    for ids in ([0, 1, 2, 3], [1, 2, 3, 4], list("wxyz")):
        other = Network([0, 1], [1, 2], n_nodes=4, labels=list("abab"), ids=ids)
        assert given_splits(sets, other)[0].train.tolist() == [0, 1]
