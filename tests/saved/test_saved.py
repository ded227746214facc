"""Splits and predictions in files: what goes out comes back, and what is wrong is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.saved import read_predictions
from nettrial.saved.classes import numbers
from nettrial.splits import NetworkCrossValidation, RandomResampling, Split
from nettrial.splits.files import read_splits, write_splits
from nettrial.study.node_study import Predictions, run

DESIGNS = [
    NetworkCrossValidation(n_splits=4, labeled=0.3, seed=1),
    RandomResampling(n_splits=4, labeled=0.3, seed=1),
]
FILES = [("a.npz", None), ("a.npz", "masks"), ("a.csv", None), ("a.csv.gz", None), ("a.json", None)]


def named(n: int = 60) -> Network:
    """A network with text ids, some nodes without label."""
    made = nettrial.latent_group_network(n, seed=1)
    labels = [made.classes[c] for c in made.labels]
    labels[3] = labels[10] = None
    source, target = made.simple_links()
    return Network(
        source, target, n_nodes=n, labels=labels, ids=[f"n{7 * i % n}" for i in range(n)]
    )


@pytest.fixture(scope="module")
def network() -> Network:
    return named()


@pytest.fixture(scope="module")
def predictions(network: Network) -> Predictions:
    splits = DESIGNS[1].split_network(network)
    models = {"first": nettrial.models.WVRN(), "second": nettrial.models.NBC()}
    return run(network, models, splits)


def equal(one: list[Split], two: list[Split]) -> bool:
    return len(one) == len(two) and all(
        np.array_equal(getattr(a, part), getattr(b, part))
        for a, b in zip(one, two)
        for part in ("train", "inference", "test")
    )


def reordered(network: Network) -> tuple[Network, np.ndarray]:
    """The same network with its nodes in another order; and where each node went."""
    order = np.random.default_rng(0).permutation(network.n_nodes)
    place = np.argsort(order)
    source, target = network.simple_links()
    labels = [None if c < 0 else network.classes[c] for c in network.labels]
    other = Network(
        place[source],
        place[target],
        n_nodes=network.n_nodes,
        ids=network.ids[order],
        labels=[labels[i] for i in order],
        classes=network.classes,
    )
    return other, place


@pytest.mark.parametrize(("name", "format"), FILES)
@pytest.mark.parametrize("design", DESIGNS, ids=["ncv", "rrs"])
def test_splits_come_back(
    network: Network, tmp_path: Path, name: str, format: str | None, design: object
) -> None:
    splits = design.split_network(network)
    write_splits(network, splits, tmp_path / name, format=format)
    assert equal(splits, read_splits(tmp_path / name, network))
    other, place = reordered(network)
    moved = [
        Split(*(np.sort(place[getattr(s, p)]) for p in ("train", "inference", "test")))
        for s in splits
    ]
    assert equal(moved, read_splits(tmp_path / name, other))


def test_index_files_need_no_pickle_and_masks_are_those_of_the_sets(
    network: Network, tmp_path: Path
) -> None:
    splits = DESIGNS[0].split_network(network)
    write_splits(network, splits, tmp_path / "i.npz")
    with np.load(tmp_path / "i.npz", allow_pickle=False) as stored:
        assert (stored["test_2"] == splits[2].test).all()
        assert stored["ids"].tolist() == network.ids.tolist()
    write_splits(network, splits, tmp_path / "m.npz", format="masks")
    with np.load(tmp_path / "m.npz", allow_pickle=False) as stored:
        mask = stored["train_mask"]
    assert mask.shape == (60, 4)
    assert [np.flatnonzero(column).tolist() for column in mask.T] == [
        s.train.tolist() for s in splits
    ]


def test_masks_and_dicts_of_other_programs_are_read(tmp_path: Path) -> None:
    network = Network([0, 1], [1, 2], n_nodes=4, labels=list("abab"))
    np.savez(
        tmp_path / "m.npz",
        train_mask=np.array([1, 0, 0, 1]) > 0,
        test_mask=np.array([0, 1, 1, 0]) > 0,
    )
    (tmp_path / "d.json").write_text(json.dumps({"train": [0, 3], "valid": [], "test": [1, 2]}))
    for name in ("m.npz", "d.json"):
        (split,) = read_splits(tmp_path / name, network)
        assert (split.train.tolist(), split.test.tolist()) == ([0, 3], [1, 2])


SPLIT_ERRORS = {
    "other network": ({"ids": ["x"] * 60, "splits": []}, "names 1 nodes that the network does not"),
    "no splits": ({"splits": []}, "holds no splits"),
    "both": ({"train": [0, 1], "test": [1, 2]}, "1 nodes are in training and test set of split 0"),
    "out of range": ({"train": [0, 60], "test": [1]}, "60"),
    "negative": ({"train": [0, -1], "test": [1]}, "-1"),
    "twice": ({"train": [0, 0], "test": [1]}, "has a node twice"),
    "empty": ({"train": [], "test": [1]}, "training set of split 0 is empty"),
    "no label": ({"train": [0], "test": [1, 3]}, "test set of split 0 has 1 nodes without label"),
    "no test": ({"train": [0]}, "split 0 has no test set"),
    "text": ({"train": ["0"], "test": [1]}, "list of node indices"),
    "a list": ([1, 2], "no list of splits"),
}


@pytest.mark.parametrize("case", SPLIT_ERRORS)
def test_bad_splits_are_refused(network: Network, tmp_path: Path, case: str) -> None:
    content, words = SPLIT_ERRORS[case]
    path = tmp_path / "s.json"
    path.write_text("{" * (case == "a list") + json.dumps(content))
    with pytest.raises(InputError, match=r"s\.json") as refusal:
        read_splits(path, network)
    assert words in str(refusal.value)


def test_bad_split_files_are_refused(network: Network, tmp_path: Path, words) -> None:
    with words.raises(InputError):
        read_splits(tmp_path / "none.npz", network)
    with words.raises(InputError):
        write_splits(network, DESIGNS[0].split_network(network), tmp_path / "splits.txt")
    with words.raises(InputError):
        write_splits(network, DESIGNS[0].split_network(network), tmp_path / "s.npz", format="mask")
    with words.raises(InputError):
        write_splits(network, DESIGNS[0].split_network(network), tmp_path / "no" / "s.npz")
    (tmp_path / "s.csv").write_text("split,node,set\n0,n0,train\n0,n7,tset\n")
    with words.raises(InputError):
        read_splits(tmp_path / "s.csv", network)
    np.savez(tmp_path / "p.npz", train_0=np.array([{}], dtype=object), test_0=np.array([1]))
    with words.raises(InputError):
        read_splits(tmp_path / "p.npz", network)


# predictions


def write(frame: pd.DataFrame, path: Path) -> Path:
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    elif path.suffix == ".npz":
        columns = {c: frame[c].to_numpy() for c in frame}
        np.savez(path, **{c: v.astype(str) if v.dtype == object else v for c, v in columns.items()})
    else:
        frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "npz"])
@pytest.mark.parametrize("form", ["all", "probabilities", "bare class names", "labels"])
def test_predictions_come_back(
    network: Network, predictions: Predictions, tmp_path: Path, ending: str, form: str
) -> None:
    frame = predictions.to_frame().sample(frac=1, random_state=1)
    if form == "labels":
        frame = frame[["split", "node", "model", "prediction"]]
    elif form != "all":
        frame = frame.drop(columns=["label", "prediction"])
    if form == "bare class names":
        frame = frame.rename(columns=lambda name: name.removeprefix("p_"))
    path = write(frame, tmp_path / f"p.{ending}")
    for splits in (None, list(predictions.splits)):
        found, notes = read_predictions(path, network, splits=splits, models=["first", "second"])
        assert equal(list(found.splits), list(predictions.splits))
        assert found.models == ("first", "second")
        for model in found.models:
            assert (found.errors(model) == predictions.errors(model)).all()
            if form != "labels":
                for one, two in zip(found.probabilities[model], predictions.probabilities[model]):
                    np.testing.assert_allclose(one, two, atol=1e-6)
        wording = ["training sets were not given" in note for note in notes]
        assert wording == ([True] if splits is None else [])


def test_the_verdict_is_that_of_the_run(
    network: Network, predictions: Predictions, tmp_path: Path
) -> None:
    path = write(predictions.to_frame(), tmp_path / "p.csv")
    splits = list(predictions.splits)
    want = nettrial.compare_predictions(predictions, seed=4)
    found = nettrial.compare_predictions(path, network, splits=splits, seed=4)
    for one, two in zip(found.tests, want.tests):
        assert one.to_dict() == two.to_dict()
    assert found.verdict == want.verdict
    assert found.labeled == pytest.approx(0.3, abs=0.02)
    swapped = nettrial.compare_predictions(path, network, splits=splits, a="second", b="first")
    assert swapped.difference == -found.difference
    guessed = nettrial.compare_predictions(path, network)
    assert "training sets were not given" in str(guessed.warnings[0])
    assert "training sets were not given" in str(guessed)


def test_a_probability_matrix_in_an_archive_is_read(tmp_path: Path) -> None:
    network = Network([0, 1], [1, 2], n_nodes=4, labels=["x", "y", "x", "y"])
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]])
    np.savez(
        tmp_path / "p.npz",
        split=[0, 0, 0, 0],
        node=[1, 2, 1, 2],
        model=["A", "A", "B", "B"],
        probabilities=proba,
        classes=["x", "y"],
    )
    found, _ = read_predictions(tmp_path / "p.npz", network)
    np.testing.assert_allclose(found.probabilities["B"][0], proba[2:])


Change = Callable[[pd.DataFrame], pd.DataFrame]


def with_cell(column: str, value: object, rows: int = 1) -> Change:
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        frame[column] = frame[column].astype(object)
        frame.loc[frame.index[:rows], column] = value
        return frame

    return change


ERRORS: dict[str, tuple[Change, bool, str]] = {
    "unknown node": (with_cell("node", "m9", 2), False, "names 1 nodes that the network does not "
                     "hold, in 2 rows, for example 'm9'"),
    "missing for one": (lambda f: f.iloc[1:], False, "0 predictions of first and 1 of second have"),
    "missing for both": (lambda f: f[f.node != "n7"], True, "lacks"),
    "repeated": (lambda f: pd.concat([f, f.iloc[:3]]), False, "3 rows repeat split, node"),
    "sum": (with_cell("p_+", 0.7, 2), False, "the probabilities of 2 rows do not add up to 1"),
    "negative": (with_cell("p_+", -0.2), False, "1 rows hold values that are no probabilities"),
    "text": (with_cell("p_+", "high"), False, "'p_+' has 1 values that are no numbers"),
    "blank": (with_cell("p_+", ""), False, "'p_+' has 1 values that are no numbers"),
    "infinite": (with_cell("p_+", "inf"), False, "1 rows hold values that are no probabilities"),
    "unknown class": (lambda f: f.rename(columns={"p_+": "p_x"}), False, "class of the column"),
    "unknown label": (with_cell("prediction", "x", 3), False, "'prediction', 3 rows: expected"),
    "wrong truth": (with_cell("label", "x", 2), False, "the label of 2 rows is not the network's"),
    "no column": (lambda f: f.drop(columns="node"), False, "column 'node' not found; the columns"),
    "nothing": (lambda f: f[["split", "node", "model"]], False, "column 'prediction' not found"),
    "split": (with_cell("split", 7), True, "has the split '7'; the splits are numbered 0 to 3"),
    "no split": (lambda f: f.drop(columns="split"), True, "column 'split' not found"),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_bad_predictions_are_counted_and_refused(
    network: Network, predictions: Predictions, tmp_path: Path, case: str
) -> None:
    change, with_splits, words = ERRORS[case]
    path = write(change(predictions.to_frame()), tmp_path / "p.csv")
    with pytest.raises(InputError) as refusal:
        read_predictions(path, network, splits=list(predictions.splits) if with_splits else None)
    assert words in str(refusal.value)
    assert "p.csv" in str(refusal.value)


def test_a_prediction_against_its_probabilities_is_refused(
    network: Network, predictions: Predictions, tmp_path: Path, words
) -> None:
    frame = predictions.to_frame()
    wrong = (frame.prediction == "+") & (frame["p_+"] > 0.6)
    frame.loc[wrong, "prediction"] = "-"
    path = write(frame, tmp_path / "p.csv")
    with words.raises(InputError):
        read_predictions(path, network)


def test_predictions_stay_with_their_network_or_one_that_equals_it(
    network: Network, predictions: Predictions, words
) -> None:
    assert read_predictions(predictions, named())[0] is predictions
    assert nettrial.compare_predictions(predictions, named(), seed=0).predictions.network is network
    other, _ = reordered(network)
    for read in (read_predictions, nettrial.compare_predictions):
        with words.raises(InputError):
            read(predictions, other)
    one, all_classes = predictions.one_against_rest("+"), network
    with words.raises(InputError):
        read_predictions(one, all_classes.one_against_rest("-"))


def test_what_cannot_be_scored_is_left_out_and_told(
    network: Network, predictions: Predictions, tmp_path: Path
) -> None:
    splits = list(predictions.splits)
    frame = predictions.to_frame().drop(columns="label")
    row = frame.iloc[:1]
    extra = [row.assign(node=network.ids[i], split=0) for i in (3, splits[0].train[0])]
    path = write(pd.concat([frame, *extra]), tmp_path / "p.csv")
    found, notes = read_predictions(path, network, splits=splits)
    assert list(notes) == [
        "1 rows predict nodes without label; they are left out",
        "1 rows predict training nodes of their split; they are left out",
    ]
    assert (found.errors("first") == predictions.errors("first")).all()


def test_a_column_for_each_class_is_not_needed_but_told(tmp_path: Path) -> None:
    network = Network([0, 1], [1, 2], n_nodes=4, labels=["x", "y", "z", "y"])
    rows = [f"0,{node},{model},1,0" for node in (1, 2) for model in "AB"]
    (tmp_path / "p.csv").write_text("split,node,model,p_x,p_y\n" + "\n".join(rows))
    found, notes = read_predictions(tmp_path / "p.csv", network)
    assert notes[0] == "classes without a column have the probability 0: z"
    assert (found.probabilities["A"][0] == [1, 0, 0]).all()


def test_one_test_set_alone_gives_a_verdict(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(80, seed=2)
    rng = np.random.default_rng(0)
    names = np.array(network.classes)
    rows = [
        f"{i},{m},{names[network.labels[i] if rng.random() < p else 1 - network.labels[i]]}"
        for m, p in (("A", 0.9), ("B", 0.6))
        for i in range(80)
    ]
    (tmp_path / "p.csv").write_text("node,model,prediction\n" + "\n".join(rows))
    found = nettrial.compare_predictions(tmp_path / "p.csv", network)
    assert found.difference < 0
    assert np.isfinite(found.test("cluster_robust_t").pvalue)
    assert np.isnan(found.test("paired_t").pvalue)
    assert "one split" in str(found.warnings[0])


@pytest.mark.parametrize(
    ("name", "format"), [("s.npz", None), ("m.npz", "masks"), ("s.csv", None), ("s.json", None)]
)
def test_validation_nodes_are_taken_from_the_training_nodes_and_come_back(
    network: Network, tmp_path: Path, name: str, format: str | None
) -> None:
    splits = DESIGNS[1].split_network(network)
    path = tmp_path / name
    write_splits(network, splits, path, format=format, validation=0.25, seed=5)
    assert equal(splits, read_splits(path, network))
    if name == "s.json":
        first = json.loads(path.read_text())["splits"][0]
        assert len(first["valid"]) == round(0.25 * splits[0].train.size)
        assert sorted(first["train"] + first["valid"]) == splits[0].train.tolist()
        first["valid"].append(first["test"][0])
        path.write_text(json.dumps(first))
        with pytest.raises(InputError, match="1 nodes are in validation and test set of split 0"):
            read_splits(path, network)
    if name == "m.npz":
        with np.load(path) as stored:
            valid, train = stored["val_mask"], stored["train_mask"]
        assert not (valid & train).any()
        assert (valid.sum(axis=0) == round(0.25 * splits[0].train.size)).all()


def test_validation_shares_that_cannot_be(network: Network, tmp_path: Path, words) -> None:
    splits = DESIGNS[1].split_network(network)
    for share in (1.0, -0.1, float("nan")):
        with words.raises(InputError):
            write_splits(network, splits, tmp_path / "s.npz", validation=share)
    for share in (0.001, 0.999):
        with words.raises(InputError):
            write_splits(network, splits, tmp_path / "s.npz", validation=share)
    assert list(tmp_path.iterdir()) == []


def test_one_bad_cell_among_decimal_commas_is_counted_once():
    words = np.array(["0,5", "0,25", "oops", "1,0"], dtype=object)
    with pytest.raises(InputError, match=r"has 1 values that are no numbers, such as 'oops'"):
        numbers("a.csv", "p", words)


@pytest.mark.parametrize("codes", [("0", "1"), ("False", "True")])
@pytest.mark.parametrize(
    ("column", "words"),
    [("label", "the label of 1 rows is not the network's"), ("prediction", "'prediction', 1 rows")],
)
def test_one_bad_cell_among_codes_is_counted_alone(
    network: Network, predictions: Predictions, tmp_path: Path, codes: tuple[str, str], column: str,
    words: str,
) -> None:  # fmt: skip
    frame = predictions.to_frame()[["split", "node", "model", "label", "prediction"]]
    for each in ("label", "prediction"):
        frame[each] = frame[each].map(dict(zip(network.classes, codes)))
    frame = with_cell(column, "x")(frame)
    with pytest.raises(InputError, match=f"{words}.*'x'"):
        read_predictions(write(frame, tmp_path / "p.csv"), network)
