"""Predictions as people have them: columns, codes, wide tables, arrays, several designs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.saved import read_predictions
from nettrial.splits import RandomResampling
from nettrial.study.node_study import Predictions

MODELS = ("gcn", "gat", "mlp")
CLASSES = ("bus", "car", "van")
N, SPLITS = 60, 4
GUESSED = "training sets were not given"


class Made:
    """Known predictions of three models on four splits, and the errors counted directly."""

    def __init__(self) -> None:
        rng = np.random.default_rng(5)
        self.labels = rng.integers(0, 3, N)
        ends = rng.integers(0, N, (2, 150))
        self.network = Network(
            ends[0],
            ends[1],
            n_nodes=N,
            ids=[f"n{7 * i % N:02d}" for i in range(N)],
            labels=[CLASSES[c] for c in self.labels],
        )
        self.splits = RandomResampling(n_splits=SPLITS, labeled=0.4, seed=2).split_network(
            self.network
        )
        proba = rng.dirichlet([0.6] * 3, size=(3, SPLITS, N)) + 0.9 * np.eye(3)[self.labels]
        self.proba = proba / proba.sum(axis=-1, keepdims=True)
        self.codes = self.proba.argmax(axis=-1)
        self.tested = np.zeros((SPLITS, N), dtype=bool)
        for row, split in zip(self.tested, self.splits):
            row[split.test] = True

    def errors(self, model: str) -> np.ndarray:
        wrong = (self.codes[MODELS.index(model)] != self.labels).astype(int)
        return np.where(self.tested, wrong, -1)

    def frame(self, models: tuple[str, ...] = MODELS) -> pd.DataFrame:
        rows = [
            (s, self.network.ids[i], m, CLASSES[self.codes[MODELS.index(m), s, i]],
             CLASSES[self.labels[i]], *self.proba[MODELS.index(m), s, i])
            for m in models for s in range(SPLITS) for i in np.flatnonzero(self.tested[s])
        ]  # fmt: skip
        names = ["split", "node", "model", "prediction", "label", *(f"p_{c}" for c in CLASSES)]
        return pd.DataFrame(rows, columns=names)

    def short(self) -> pd.DataFrame:
        return self.frame()[["split", "node", "model", "prediction"]]

    def check(self, found: Predictions, models: tuple[str, ...] = MODELS) -> None:
        assert found.models == models
        for model in models:
            assert np.array_equal(found.errors(model), self.errors(model))


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


def saved(frame: pd.DataFrame, folder: Path, name: str = "p.csv") -> Path:
    frame.to_csv(folder / name, index=False)
    return folder / name


NAMES = {
    "split": ("fold", "Fold #", "seed", "run", "split_id", "cv", "iteration"),
    "node": ("node_id", "id", "index", "Node ID", "vertex", "user_id"),
    "model": ("method", "Classifier", "clf", "Model Name"),
    "prediction": ("pred", "predicted", "y_pred", "Predicted Class", "yhat", "output"),
    "label": ("y_true", "true_label", "target", "y", "gt", "observed"),
}


@pytest.mark.parametrize(("role", "name"), [(r, n) for r, ns in NAMES.items() for n in ns])
def test_columns_go_by_their_usual_names(made: Made, tmp_path: Path, role: str, name: str) -> None:
    path = saved(made.frame().iloc[:, :5].rename(columns={role: name}), tmp_path)
    for splits in (None, made.splits):
        made.check(read_predictions(path, made.network, splits=splits)[0])


def test_a_sheet_of_excel_and_what_is_no_table(made: Made, tmp_path: Path, words) -> None:
    pytest.importorskip("openpyxl")
    made.frame().to_excel(tmp_path / "p.xlsx", index=False)
    made.check(read_predictions(tmp_path / "p.xlsx", made.network)[0])
    made.frame().to_json(tmp_path / "p.json", orient="columns")
    with words.raises(InputError):
        read_predictions(tmp_path / "p.json", made.network)


@pytest.mark.parametrize("lines", [False, True])
def test_records_of_json(made: Made, tmp_path: Path, lines: bool) -> None:
    made.frame().to_json(tmp_path / "p.jsonl", orient="records", lines=lines, double_precision=15)
    made.check(read_predictions(tmp_path / "p.jsonl", made.network)[0])


def test_a_folder_holds_a_file_a_model(made: Made, tmp_path: Path, words) -> None:
    for model, rows in made.short().groupby("model"):
        saved(rows.drop(columns="model"), tmp_path, f"{model}.csv")
    (tmp_path / "README.md").write_text("what is what")
    made.check(read_predictions(tmp_path, made.network)[0], tuple(sorted(MODELS)))
    (tmp_path / "nothing").mkdir()
    with words.raises(InputError):
        read_predictions(tmp_path / "nothing", made.network)


def test_decimal_commas_of_a_spreadsheet(made: Made, tmp_path: Path) -> None:
    made.frame().to_csv(tmp_path / "p.csv", sep=";", decimal=",", index=False, encoding="utf-8-sig")
    found = read_predictions(tmp_path / "p.csv", made.network)[0]
    made.check(found)
    want = read_predictions(made.frame(), made.network)[0]
    for model in MODELS:
        for got, row in zip(found.probabilities[model], want.probabilities[model]):
            np.testing.assert_array_equal(got, row)


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_true_and_false_are_two_classes(made: Made, labels: bool, turned: bool) -> None:
    net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["no", "yes", "yes", "no"])
    said = np.array([False, True, False, True]) ^ turned
    frame = pd.DataFrame({"split": 0, "node": range(4), "model": "m", "prediction": said})
    if labels:
        frame["label"] = np.array([False, True, True, False]) ^ turned
    found, notes = read_predictions(frame, net)
    right = [0, 0, 1, 1] if labels or not turned else [1, 1, 0, 0]
    assert found.errors("m")[0].tolist() == right
    assert any("numbers are taken for classes" in note for note in notes)


@pytest.mark.parametrize("wide", [False, True])
def test_cross_validation_in_the_order_of_the_nodes(made: Made, tmp_path: Path, wide: bool) -> None:
    codes = made.codes[:, 0]
    table = pd.DataFrame({m: [CLASSES[c] for c in codes[k]] for k, m in enumerate(MODELS)})
    table.insert(0, "y_true", [CLASSES[c] for c in made.labels])
    if not wide:
        table = table[["y_true", "gcn"]].rename(columns={"gcn": "y_pred"})
    models = MODELS if wide else ("p",)
    table.to_csv(tmp_path / "p.csv")  # as of cross_val_predict, with row numbers
    found = read_predictions(tmp_path / "p.csv", made.network)[0]
    for k, model in enumerate(models):
        assert np.array_equal(found.errors(model)[0], codes[k] != made.labels)
    table.drop(columns="y_true").to_csv(tmp_path / "p.csv")
    with pytest.raises(InputError, match="row numbers are taken for it beside a column of true"):
        read_predictions(tmp_path / "p.csv", made.network)
    table.iloc[::-1].reset_index(drop=True).to_csv(tmp_path / "p.csv")
    with pytest.raises(InputError, match="rows is not the network's"):
        read_predictions(tmp_path / "p.csv", made.network)


@pytest.mark.parametrize("wrong", ["vertices", "nod", ""])
def test_a_missing_column_is_named_as_missing(made: Made, tmp_path: Path, wrong: str) -> None:
    path = saved(made.short().rename(columns={"node": wrong, "split": "fold"}), tmp_path)
    with pytest.raises(InputError, match=r"column 'node' not found; the columns are fold") as note:
        read_predictions(path, made.network)
    assert (wrong or "(no name)") in str(note.value)


def test_an_index_that_pandas_wrote_is_no_node(made: Made, tmp_path: Path) -> None:
    made.short().to_csv(tmp_path / "a.csv")
    made.check(read_predictions(tmp_path / "a.csv", made.network)[0])
    made.short().reset_index().to_csv(tmp_path / "b.csv", index=False)
    made.check(read_predictions(tmp_path / "b.csv", made.network)[0])


def numbered(made: Made, columns: tuple[str, ...], order: tuple[int, ...] = (0, 1, 2)) -> Any:
    code = {name: order[k] for k, name in enumerate(CLASSES)}
    frame = made.frame().iloc[:, :5].drop(columns=[] if "label" in columns else ["label"])
    for column in columns:
        frame[column] = frame[column].map(code)
    return frame


@pytest.mark.parametrize("kind", ["int", "float"])
def test_classes_may_be_numbers_in_the_networks_order(
    made: Made, tmp_path: Path, kind: str
) -> None:
    frame = numbered(made, ("prediction",))
    path = saved(frame.astype({"prediction": kind}), tmp_path)
    found, notes = read_predictions(path, made.network)
    made.check(found)
    assert "numbers are taken for classes in the network's order: 0 is bus, 1 is car" in notes[0]
    assert "numbers are taken" not in str(read_predictions(made.short(), made.network)[1])


@pytest.mark.parametrize("order", [(2, 0, 1), (1, 0, 2)])
def test_numbers_in_another_order_are_read_by_the_labels(
    made: Made, tmp_path: Path, order: tuple[int, ...]
) -> None:
    path = saved(numbered(made, ("prediction", "label"), order), tmp_path)
    found, notes = read_predictions(path, made.network)
    made.check(found)
    assert f"as the column of labels shows: 0 is {CLASSES[order.index(0)]}" in notes[0]


def test_numbers_that_are_names_of_classes_are_names(made: Made, words) -> None:
    # classes called 1, 2, 3: a 1 is the first class, unless a 0 among the labels shows codes
    labels = [made.labels[i] + 1 for i in range(N)]
    source, target = made.network.simple_links()
    network = Network(source, target, n_nodes=N, ids=made.network.ids, labels=labels)
    frame = numbered(made, ("prediction", "label"), (1, 2, 3))
    made.check(read_predictions(frame, network)[0])
    codes = numbered(made, ("prediction", "label"))
    found, notes = read_predictions(codes, network)
    made.check(found)
    assert "0 is 1, 1 is 2, 2 is 3" in notes[0]
    with words.raises(InputError):
        read_predictions(numbered(made, ("prediction",), (0, 2, 3)), network)


def test_labels_in_numbers_that_contradict_the_network_are_refused(made: Made, words) -> None:
    frame = numbered(made, ("prediction", "label"))
    frame.loc[3, "label"] = (frame.loc[3, "label"] + 1) % 3
    with words.raises(InputError):
        read_predictions(frame, made.network)


def binary(made: Made) -> tuple[Network, pd.DataFrame]:
    """Two classes, and what a model gives for the second of them."""
    source, target = made.network.simple_links()
    labels = ["no" if c else "yes" for c in made.labels]
    network = Network(source, target, n_nodes=N, labels=labels)
    rng = np.random.default_rng(8)
    rows = [
        (s, i, m, rng.random())
        for m in ("a", "b")
        for s in range(SPLITS)
        for i in np.flatnonzero(made.tested[s])
    ]
    frame = pd.DataFrame(rows, columns=["split", "node", "model", "p"])
    frame["prediction"] = np.where(frame.p > 0.5, "yes", "no")
    frame["label"] = np.array(labels)[frame.node]
    return network, frame


def of_second(found: Predictions) -> np.ndarray:
    return np.concatenate([p[:, 1] for m in found.models for p in found.probabilities[m]])


CONFIDENCES: dict[str, tuple[Callable[[pd.DataFrame], Any], str]] = {
    "proba": (lambda f: f.p, "the class yes"),
    "score": (lambda f: 1 - f.p, "the class no"),
    "confidence": (lambda f: np.maximum(f.p, 1 - f.p), "the predicted class"),
    "p_true": (lambda f: np.where(f.label == "yes", f.p, 1 - f.p), "the true class"),
}


@pytest.mark.parametrize("name", CONFIDENCES)
@pytest.mark.parametrize("drop", [["label"], ["label", "prediction"]])
def test_one_probability_a_row_serves_for_two_classes(
    made: Made, tmp_path: Path, name: str, drop: list[str]
) -> None:
    network, frame = binary(made)
    make, note = CONFIDENCES[name]
    given = frame.assign(**{name: make(frame)}).drop(columns=["p", *drop])
    path = saved(given, tmp_path)
    if "prediction" in drop and name != "p_true":
        with pytest.raises(InputError, match=f"'{name}' does not say of which class"):
            read_predictions(path, network)
        return
    found, notes = read_predictions(path, network)
    np.testing.assert_allclose(of_second(found), frame.p, atol=1e-6)
    assert f"{name!r} is taken for the probability of {note}" in notes


def test_one_probability_a_row_is_set_aside_with_a_word(made: Made) -> None:
    network, frame = binary(made)
    three = made.short().assign(proba=0.5)
    odd = frame.drop(columns=["p", "label"]).assign(proba=np.linspace(0, 1, len(frame)))
    logit = odd.assign(proba=np.linspace(-3, 3, len(frame)))
    for net, given, words in (
        (made.network, three, "3 classes need one each: it is set aside"),
        (network, odd, "'proba' does not go with the predictions in all rows; it is set aside"),
        (network, logit, "'proba' holds values that are no probabilities; it is set aside"),
    ):
        found, notes = read_predictions(given, net)
        assert any(words in note for note in notes)
        assert all(set(np.unique(p)) <= {0, 1} for p in found.probabilities[found.models[0]])


def test_a_class_called_true_has_its_own_probability(made: Made) -> None:
    source, target = made.network.simple_links()
    labels = ["true" if c else "false" for c in made.labels]
    network = Network(source, target, n_nodes=N, labels=labels)
    _, frame = binary(made)
    given = frame[["split", "node", "model"]].assign(p_true=frame.p, p_false=1 - frame.p)
    for table in (given, given.drop(columns="p_false")):
        found, _ = read_predictions(table, network)
        np.testing.assert_allclose(of_second(found), frame.p, atol=1e-6)


def test_probabilities_by_other_names_and_by_number(made: Made, tmp_path: Path) -> None:
    frame = made.frame().drop(columns=["label", "prediction"])
    for prefix, names in (("prob_", CLASSES), ("proba_", CLASSES), ("p_", "012")):
        renamed = frame.rename(columns={f"p_{c}": prefix + n for c, n in zip(CLASSES, names)})
        found, _ = read_predictions(saved(renamed, tmp_path), made.network)
        made.check(found)
        want = made.proba[1, 2, made.splits[2].test]
        np.testing.assert_allclose(found.probabilities["gat"][2], want, atol=1e-6)


@pytest.mark.parametrize("form", ["table", "arrays"])
@pytest.mark.parametrize("logarithms", [False, True])
def test_logits_and_logarithms_become_probabilities(
    made: Made, form: str, logarithms: bool
) -> None:
    shift = 0.0 if logarithms else 3.0
    want = made.proba[1, 2, made.splits[2].test]
    if form == "table":
        frame = made.frame().drop(columns=["label", "prediction"])
        columns = [f"p_{c}" for c in CLASSES]
        given: Any = frame.assign(**{c: np.log(frame[c]) + shift for c in columns})
    else:
        given = {name: np.log(masked_proba(made, k)) + shift for k, name in enumerate(MODELS)}
    found, notes = read_predictions(given, made.network)
    np.testing.assert_allclose(found.probabilities["gat"][2], want, atol=1e-5)
    what = "logarithms of probabilities" if logarithms else "logits"
    assert f"{what} were turned into probabilities: the softmax of each row" in notes


def masked_proba(made: Made, model: int) -> np.ndarray:
    """Probabilities of one model over splits and nodes, NaN where a split does not test."""
    return np.where(made.tested[..., None], made.proba[model], np.nan)


def test_logits_are_refused_with_the_remedy(made: Made, tmp_path: Path) -> None:
    frame = made.frame().drop(columns=["label", "prediction"])
    columns = [f"p_{c}" for c in CLASSES]
    logits = frame.assign(**{c: 4 * frame[c] - 1 for c in columns})
    percent = frame.assign(**{c: 100 * frame[c] for c in columns})
    called = frame.rename(columns=lambda name: name.replace("p_", "logit_"))
    for given, words in (
        (logits, "if these are logits, apply softmax to each row"),
        (percent, "percentages, divide them by 100"),
        (called, r"got logits \(logit_bus, logit_car, logit_van\); apply softmax"),
    ):
        with pytest.raises(InputError, match=words):
            read_predictions(saved(given, tmp_path), made.network)
    beside = made.short().assign(**{f"logit_{c}": 0.1 for c in CLASSES})
    assert "logits are not used" in read_predictions(beside, made.network)[1][0]


def several(made: Made) -> pd.DataFrame:
    wrong = made.short().assign(design="ers", prediction="bus")
    return pd.concat([made.short().assign(design="rrs"), wrong.assign(split=wrong.split + SPLITS)])


@pytest.mark.parametrize("name", ["design", "dataset", "label rate"])
def test_one_of_several_experiments_is_chosen(made: Made, tmp_path: Path, name: str) -> None:
    path = saved(several(made).rename(columns={"design": name}), tmp_path)
    for splits in (None, made.splits):
        with pytest.raises(InputError, match=rf"'{name}' has 2 values \(rrs, ers\); choose one"):
            read_predictions(path, made.network, splits=splits)
        for where in ({name: "rrs"}, f"{name}=rrs"):
            made.check(read_predictions(path, made.network, splits=splits, where=where)[0])
    with pytest.raises(InputError, match=r"value 'rs' not found; .*did you mean 'rrs'"):
        read_predictions(path, made.network, where={name: "rs"})
    with pytest.raises(InputError, match="column 'desing' not found"):
        read_predictions(path, made.network, where={"desing": "rrs"})
    with pytest.raises(InputError, match="expected COLUMN=VALUE"):
        read_predictions(path, made.network, where=name)


def test_runs_of_one_split_are_told_apart_by_a_column(made: Made, tmp_path: Path, words) -> None:
    for column, values in (("epoch", (10, 20)), ("note", ("first", "last"))):
        path = saved(pd.concat([made.short().assign(**{column: v}) for v in values]), tmp_path)
        with words.raises(InputError):
            read_predictions(path, made.network, splits=made.splits)
        where = {column: values[1]}
        made.check(read_predictions(path, made.network, splits=made.splits, where=where)[0])


def test_folds_of_several_seeds_are_splits_of_their_own(made: Made, tmp_path: Path) -> None:
    frame = made.short()
    frame = frame.assign(fold=frame.split % 2, seed=frame.split // 2).drop(columns="split")
    found, notes = read_predictions(saved(frame, tmp_path), made.network)
    assert "each combination of fold, seed is taken for a split" in notes
    assert sorted(tuple(s.test) for s in found.splits) == sorted(tuple(s.test) for s in made.splits)


@pytest.mark.parametrize("form", ["{}", "pred_{}", "{}_pred", "y_pred {}"])
def test_wide_tables_have_a_column_a_model(made: Made, tmp_path: Path, form: str) -> None:
    wide = made.short().pivot(index=["split", "node"], columns="model", values="prediction")
    wide = wide[list(MODELS)].rename(columns=form.format).reset_index()
    extra = wide.assign(degree=3.5, cluster="bus" if form != "{}" else "x")
    for given in (wide, extra):
        found, notes = read_predictions(saved(given, tmp_path), made.network, splits=made.splits)
        made.check(found)
        assert "taken for the predictions of one model each" in notes[0]
        assert ("not used: degree, cluster" in notes[0]) == (given is extra)


def test_blanks_of_a_wide_table_are_no_predictions(made: Made, tmp_path: Path, words) -> None:
    rows = {"split": np.repeat(range(SPLITS), N), "node": np.tile(made.network.ids, SPLITS)}
    names = np.array(CLASSES, dtype=object)
    wide = pd.DataFrame(
        rows
        | {
            m: np.where(made.tested, names[made.codes[k]], None).ravel()
            for k, m in enumerate(MODELS)
        }
    )
    made.check(read_predictions(saved(wide, tmp_path), made.network)[0])
    wide.loc[np.flatnonzero(made.tested.ravel())[0], "gat"] = None
    with words.raises(InputError):
        read_predictions(saved(wide, tmp_path), made.network)


def masked(made: Made) -> np.ndarray:
    return np.where(made.tested, made.codes, -1)


ARRAYS: dict[str, Callable[[Made], dict[str, Any]]] = {
    "codes": lambda m: dict(zip(MODELS, masked(m))),
    "nodes first": lambda m: {k: v.T for k, v in zip(MODELS, masked(m))},
    "floats": lambda m: {k: np.where(m.tested, v, np.nan) for k, v in zip(MODELS, m.codes)},
    "names": lambda m: dict(zip(MODELS, np.where(m.tested, np.array(CLASSES)[m.codes], ""))),
    "mask": lambda m: dict(zip(MODELS, m.codes)) | {"test_mask": m.tested},
    "mask of int": lambda m: dict(zip(MODELS, m.codes)) | {"test_mask": m.tested.T.astype(int)},
    "label": lambda m: dict(zip(MODELS, masked(m))) | {"y": m.labels},
    "ids": lambda m: {k: v[:, ::-1] for k, v in zip(MODELS, masked(m))}
    | {"ids": m.network.ids[::-1].astype(str)},
    "probabilities": lambda m: {
        k: np.where(m.tested[..., None], v, np.nan) for k, v in zip(MODELS, m.proba)
    },
    "classes": lambda m: dict(zip(MODELS, m.proba[..., ::-1]))
    | {"classes": np.array(CLASSES)[::-1], "test_mask": m.tested},
}  # fmt: skip


@pytest.mark.parametrize("form", ARRAYS)
@pytest.mark.parametrize("ending", ["npz", "dict", "tensors"])
def test_arrays_over_splits_and_nodes(made: Made, tmp_path: Path, form: str, ending: str) -> None:
    source: Any = ARRAYS[form](made)
    if ending == "npz":
        np.savez(tmp_path / "p.npz", **source)
        source = tmp_path / "p.npz"
    elif ending == "tensors":
        torch = pytest.importorskip("torch")
        source = {
            k: v if v.dtype.kind == "U" else torch.from_numpy(np.ascontiguousarray(v))
            for k, v in source.items()
        }
    for splits in (None, made.splits):
        found, notes = read_predictions(source, made.network, splits=splits)
        made.check(found)
        assert any(GUESSED in note for note in notes) == (splits is None)


def test_arrays_of_every_node_need_the_splits(made: Made, words) -> None:
    source = dict(zip(MODELS, made.codes))
    found, notes = read_predictions(source, made.network, splits=made.splits)
    made.check(found)
    assert f"{3 * (~made.tested).sum()} rows predict training nodes of their split" in str(notes)
    with words.raises(InputError):
        read_predictions(source, made.network)


ODD_ARRAYS: dict[str, tuple[Callable[[Made], dict[str, Any]], str]] = {
    "shape": (lambda m: {"a": m.codes[0][:, :-1]}, r"shape \(4, 59\); expected splits x nodes"),
    "square": (lambda m: {"a": np.zeros((N, N), int)}, "as many splits as nodes"),
    "classes": (lambda m: {"a": m.proba[0][..., :2]}, "2 values per node for 3 classes"),
    "fractions": (lambda m: {"a": m.proba[0][..., 0]}, "values that are no classes"),
    "mixture": (lambda m: {"a": masked(m)[0], "b": m.proba[1]}, "give all the same form"),
    "logits": (lambda m: {"a": 4 * m.proba[0] - 1}, "apply softmax"),
    "codes": (lambda m: {"a": masked(m)[0] + 2}, "got '[34]'"),
    "nothing": (lambda m: {"y": m.labels}, "an array of splits x nodes"),
    "labels": (lambda m: {"a": masked(m)[0], "y": m.labels[1:]}, "one label for each of 60"),
    "other labels": (lambda m: {"a": masked(m)[0], "y": 2 - m.labels[::-1]}, "is not the network"),
    "mask": (lambda m: {"a": m.codes[0], "mask": m.tested[:2]}, "has 4 splits, the mask 2"),
}


@pytest.mark.parametrize("case", ODD_ARRAYS)
def test_odd_arrays_are_refused(made: Made, tmp_path: Path, case: str) -> None:
    make, words = ODD_ARRAYS[case]
    np.savez(tmp_path / "p.npz", **make(made))
    for source in (make(made), tmp_path / "p.npz"):
        with pytest.raises(InputError, match=words):
            read_predictions(source, made.network)


def test_tables_of_other_libraries_and_dicts_by_model(made: Made, tmp_path: Path) -> None:
    frame = made.short()
    pa = pytest.importorskip("pyarrow")
    alone = {m: frame[frame.model == m].drop(columns="model") for m in MODELS}
    files = {m: saved(alone[m], tmp_path, f"{m}.csv") for m in MODELS}
    indexed = frame.set_index(["split", "node"])
    nullable = frame.convert_dtypes()
    arrays = dict(zip(MODELS, ({"any": array} for array in masked(made))))
    for source in (
        frame,
        frame.to_dict("list"),
        indexed,
        nullable,
        pa.Table.from_pandas(frame),
        pa.Table.from_pandas(nullable),
        alone,
        files,
        arrays,
        alone | {"gat": files["gat"]},
    ):
        made.check(read_predictions(source, made.network)[0])
    polars = pytest.importorskip("polars")
    made.check(read_predictions(polars.from_pandas(frame), made.network)[0])


def test_any_number_of_models_in_any_order(made: Made, tmp_path: Path, words) -> None:
    path = saved(made.short(), tmp_path)
    for models in (("mlp",), ("mlp", "gcn"), ("gat", "mlp", "gcn")):
        made.check(read_predictions(path, made.network, models=models)[0], models)
        ready = read_predictions(path, made.network)[0]
        assert read_predictions(ready, made.network, models=models)[0].models == models
    with words.raises(InputError):
        read_predictions(path, made.network, models=["gta", "gcn"])
    with words.raises(InputError):
        read_predictions(path, made.network, models=["gcn", "gcn"])
    partly = made.short()
    partly = partly[(partly.model != "mlp") | (partly.split > 0)]
    made.check(read_predictions(partly, made.network, models=["gcn", "gat"])[0], ("gcn", "gat"))


def test_a_table_without_models_is_of_one(made: Made, tmp_path: Path, words) -> None:
    one = made.short()[lambda f: f.model == "gcn"].drop(columns="model")
    found, notes = read_predictions(saved(one, tmp_path, "gcn.csv"), made.network)
    made.check(found, ("gcn",))
    assert "all rows are taken for one, 'gcn'" in str(notes)
    with words.raises(InputError):
        read_predictions(one, made.network)
    with words.raises(InputError):
        read_predictions({"gcn": made.short()}, made.network)


def test_two_of_the_models_are_compared(made: Made, words) -> None:
    frame = made.frame()
    for a, b, pair in (("mlp", "gat", ("mlp", "gat")), ("gat", "gcn", ("gat", "gcn"))):
        found = nettrial.compare_predictions(frame, made.network, a=a, b=b)
        assert (found.a, found.b) == pair
    two = frame[frame.model != "gat"]
    for a, b in ((None, "gcn"), ("mlp", None)):
        found = nettrial.compare_predictions(two, made.network, a=a, b=b)
        assert (found.a, found.b) == ("mlp", "gcn")
    assert len(nettrial.compare_predictions(frame, made.network).pairs.first) == 3
    with words.raises(InputError):
        nettrial.compare_predictions(frame, made.network, a="gat")
    with words.raises(InputError):
        nettrial.compare_predictions(frame[frame.model == "gat"], made.network)
    with words.raises(InputError):
        nettrial.compare_predictions(two, made.network, b="gta")


def test_a_column_of_sets_leaves_the_test_rows(made: Made, tmp_path: Path) -> None:
    frame = made.short()
    other = frame.assign(prediction="bus", node=frame.node)
    for words in (("test", "train"), ("Test", "val")):
        both = pd.concat([frame.assign(set=words[0]), other.assign(set=words[1])])
        found, notes = read_predictions(saved(both, tmp_path), made.network)
        made.check(found)
        assert f"{len(frame)} rows are of other sets than test ('set'); left out" in notes
    named = both.rename(columns={"split": "fold", "set": "split"})
    made.check(read_predictions(saved(named, tmp_path), made.network)[0])


def test_nodes_by_place_and_ids_written_as_floats(made: Made, tmp_path: Path, words) -> None:
    places = {one: k for k, one in enumerate(made.network.ids.tolist())}
    frame = made.short().assign(node=made.short().node.map(places))
    found, notes = read_predictions(frame.rename(columns={"node": "index"}), made.network)
    made.check(found)
    assert "taken for places of nodes, counted from 0" in notes[0]
    with words.raises(InputError):
        read_predictions(frame, made.network)
    source, target = made.network.simple_links()
    labels = [CLASSES[c] for c in made.labels]
    network = Network(source, target, n_nodes=N, labels=labels, ids=range(100, 100 + N))
    frame["node"] = frame.node + 100.0
    made.check(read_predictions(saved(frame, tmp_path), network)[0])
    frame["node"] += 0.5
    with words.raises(InputError):
        read_predictions(frame, network)


def test_splits_counted_from_one_are_told(made: Made, tmp_path: Path, words) -> None:
    frame = made.short()
    path = saved(frame.assign(split=frame.split + 1), tmp_path)
    found, notes = read_predictions(path, made.network, splits=made.splits)
    made.check(found)
    assert "splits 1 to 4 are taken for the given ones 0 to 3" in notes
    path = saved(frame.assign(split=frame.split + 2), tmp_path)
    with words.raises(InputError):
        read_predictions(path, made.network, splits=made.splits)


def test_what_is_no_source_is_refused(made: Made, tmp_path: Path) -> None:
    for source, words in (
        ([1, 2], "expected a file .* got \\[1, 2\\]"),
        (3, "got 3"),
        ({}, "an array of splits x nodes"),
        (tmp_path / "none.csv", "no such file"),
        (made.short().iloc[:0], "holds no predictions"),
        (made.short().rename(columns={"model": "node"}), "two columns have the same name"),
    ):
        with pytest.raises(InputError, match=words):
            read_predictions(source, made.network)


@pytest.fixture
def folder(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "net"
    place.mkdir()
    source, target = made.network.simple_links()
    ids = made.network.ids
    pd.DataFrame({"source": ids[source], "target": ids[target]}).to_csv(
        place / "edges.csv", index=False
    )
    labels = [CLASSES[c] for c in made.labels]
    pd.DataFrame({"node": ids, "label": labels}).to_csv(place / "nodes.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code == code, err
    return out if code == 0 else err


def test_the_command_chooses_rows_and_models(
    made: Made, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(several(made), folder)
    common = ("compare", "net", "--predictions", "p.csv", "--a", "gat", "--b", "mlp")
    assert "gat" in call(capsys, *common, "--where", "design=rrs")
    assert "choose one by --where design=rrs" in call(capsys, *common, code=2)
    assert "--where: expected COLUMN=VALUE" in call(capsys, *common, "--where", "design", code=2)
    note = call(capsys, *common[:4], "--where", "design=rrs", "--full")
    assert "gat - mlp" in note  # without names all models of the file are compared


@pytest.mark.parametrize("option", ["--predictions", "--split-file"])
def test_a_missing_file_is_noticed_before_the_network_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str], option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("the network was read first")

    monkeypatch.setattr("nettrial.io.read", read)
    for name in ("none.csv", "net/none.npz"):
        note = call(capsys, "compare", "net", option, name, code=2)
        assert f"{name}: there is no such file" in note


def test_arrays_without_ids_are_in_the_networks_order_and_told(made: Made) -> None:
    source, target = made.network.simple_links()
    order = [*range(N // 2, N), *range(N // 2)]
    labels = [CLASSES[c] for c in made.labels]
    network = Network(source, target, n_nodes=N, labels=labels, ids=order)
    arrays = dict(zip(MODELS, masked(made)))
    found, notes = read_predictions(arrays, network)
    made.check(found)
    assert "taken for places in the network, counted from 0, not for its ids" in notes[0]
    back = {model: array[:, np.argsort(order)] for model, array in arrays.items()}
    found, notes = read_predictions(back | {"ids": np.arange(N)}, network)
    made.check(found)
    assert not any("places" in note for note in notes)


def test_a_folder_may_hold_a_file_for_each_split_or_seed(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(40, seed=1)
    splits = nettrial.splits.by_name("ncv", labeled=0.3, n_splits=4).split_network(network)
    rng = np.random.default_rng(0)
    whole = []
    for name in ("models", "splits", "arrays"):
        (tmp_path / name).mkdir()
    for number, split in enumerate(splits):
        scores = {m: rng.random((40, 2)) for m in ("gcn", "mlp")}
        table = []
        for model, given in scores.items():
            codes = given[split.test].argmax(axis=1)
            frame = pd.DataFrame({"node": network.ids[split.test], "prediction": codes})
            frame.to_csv(tmp_path / "models" / f"{model}-fold_{number}.csv", index=False)
            table.append(frame.assign(model=model))
        pd.concat(table).to_csv(tmp_path / "splits" / f"split{number}.csv", index=False)
        whole.append(pd.concat(table).assign(split=number))
        np.savez(tmp_path / "arrays" / f"run {number}.npz",
                 **{m: given.argmax(axis=1) for m, given in scores.items()})  # fmt: skip
    wanted, _ = nettrial.read_predictions(pd.concat(whole), network, splits=splits)
    for name in ("models", "splits", "arrays"):
        found, notes = nettrial.read_predictions(tmp_path / name, network, splits=splits)
        assert found.models == ("gcn", "mlp")
        assert any("as the files are called" in note for note in notes)
        for model in found.models:
            for one, other in zip(found.probabilities[model], wanted.probabilities[model]):
                assert (one == other).all()


def test_files_of_splits_and_seeds_are_training_seeds_of_given_splits(
    made: Made, tmp_path: Path
) -> None:
    for seed, (split, of) in itertools.product(range(3), enumerate(made.splits)):
        said = np.roll(made.codes[:2, split], seed, axis=1)[:, of.test]
        for model, codes in zip(MODELS, said):
            table = {"node": made.network.ids[of.test], "prediction": [CLASSES[c] for c in codes]}
            name = f"{model}_split{split}_seed{seed}.csv"
            pd.DataFrame(table).to_csv(tmp_path / name, index=False)
    found, notes = read_predictions(tmp_path, made.network, splits=made.splits)
    assert len(found.runs) == 3
    assert any("3 training seeds" in note for note in notes)
    for (seed, run), (split, of) in itertools.product(
        enumerate(found.runs), enumerate(made.splits)
    ):
        said = np.roll(made.codes[1, split], seed)[of.test]
        assert run.predicted("gat", split).tolist() == said.tolist()
