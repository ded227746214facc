"""`nettrial measure` against scikit-learn, its pictures, and one clear line for bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn import metrics as reference

from nettrial.cli import cli, main

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
A, B = (np.round(1 / (1 + np.exp(-RNG.normal(k * (2 * Y - 1), 1))), 2) for k in (0.5, 1.5))
W = 1 + np.arange(60) % 3
QUERY = np.arange(60) % 7


@pytest.fixture
def write(tmp_path):
    def to_file(columns, name="scores.csv"):
        path = tmp_path / name
        rows = [list(columns), *zip(*columns.values())]
        path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
        return path

    return to_file


def call(*arguments):
    return CliRunner().invoke(cli, ["measure", *map(str, arguments)])


def read(*arguments):
    done = call(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_measures_of_scores_equal_those_of_scikit_learn(write):
    path = write({"node": range(60), "label": Y, "a": A, "b": B, "weight": W})
    got = read(path, "--weights", "weight", "--threshold", 0.6, "--beta", 2)
    assert (got["positive"], got["n_positive"]) == (1, Y.sum())
    assert list(got["scores"]) == ["a", "b"]
    for name, s in (("a", A), ("b", B)):
        found, called = got["scores"][name], s >= 0.6
        want = {
            "precision": reference.precision_score(Y, called, sample_weight=W),
            "recall": reference.recall_score(Y, called, sample_weight=W),
            "f_beta": reference.fbeta_score(Y, called, beta=2, sample_weight=W),
            "error": 1 - reference.accuracy_score(Y, called, sample_weight=W),
            "specificity": reference.recall_score(1 - Y, 1 - called, sample_weight=W),
            "mcc": reference.matthews_corrcoef(Y, called, sample_weight=W),
        }
        assert found["rates"] == pytest.approx(want)
        matrix = reference.confusion_matrix(Y, called, labels=[1, 0], sample_weight=W)
        assert found["matrix"] == matrix.tolist()
        ap = reference.average_precision_score(Y, s, sample_weight=W)
        assert found["average_precision"] == pytest.approx(ap)
        assert found["auc"]["auc"] == pytest.approx(reference.roc_auc_score(Y, s, sample_weight=W))
        every = [
            reference.fbeta_score(Y, s >= cut, beta=2, sample_weight=W) for cut in np.unique(s)
        ]
        assert found["best_f"] == pytest.approx(max(every))


def test_mean_average_precision_over_queries(write):
    path = write({"y": Y, "a": A, "query": QUERY})
    got = read(path, "--scores", "a", "--queries", "query")["scores"]["a"]
    each = [reference.average_precision_score(Y[q == QUERY], A[q == QUERY]) for q in range(7)]
    assert got["mean_average_precision"] == pytest.approx(np.mean(each))
    assert got["n_queries"] == 7


def test_predicted_classes_of_any_number(write):
    truth, guess = list("abcabcaab"), list("aacabbaac")
    path = write({"id": range(9), "class": truth, "gcn": guess})
    got = read(path)["predictions"]["gcn"]
    assert got["classes"] == ["a", "b", "c"]
    assert got["matrix"] == reference.confusion_matrix(truth, guess).tolist()
    assert got["error"] == pytest.approx(1 - reference.accuracy_score(truth, guess))
    p, r, f, _ = reference.precision_recall_fscore_support(truth, guess)
    for i, name in enumerate("abc"):
        want = {"precision": p[i], "recall": r[i], "f_beta": f[i]}
        assert got["by_class"][name] == pytest.approx(want)


def test_people_read_the_same_numbers_with_the_limits(write):
    path = write({"truth": ["fraud" if y else "fair" for y in Y], "a": A})
    note = call(path, "--positive", "fraud").stdout
    called = A >= 0.5
    assert note.startswith(f"60 cases, {Y.sum()} of the positive class fraud\n\na\n")
    precision = reference.precision_score(Y, called)
    assert f"precision {precision:.4g}, " in note
    assert f"AUC {reference.roc_auc_score(Y, A):.4g}, 95% interval " in note
    assert f"average precision {reference.average_precision_score(Y, A):.4g}\n" in note
    assert "Intervals count the cases as independent" in note


def test_models_of_a_long_table_are_measured_by_themselves(write):
    long = {"model": ["a"] * 60 + ["b"] * 60, "node": [*range(60)] * 2, "label": [*Y, *Y]}
    wide = read(write({"label": Y, "a": A, "b": B}))["scores"]
    got = read(write(long | {"score": [*A, *B]}))["models"]
    assert {name: one["scores"]["score"] for name, one in got.items()} == wide
    assert got["a"]["n_cases"] == 60
    said = [*(A > 0.5).astype(int), *(B > 0.5).astype(int)]
    got = read(write(long | {"prediction": said}))["models"]
    for name, scores in (("a", A), ("b", B)):
        matrix = reference.confusion_matrix(Y, scores > 0.5).tolist()
        assert got[name]["predictions"]["prediction"]["matrix"] == matrix
        assert not got[name]["scores"]  # 0 and 1 are classes there
    text = call(write(long | {"prediction": said})).stdout
    assert "model a\n60 cases" in text


def test_scores_outside_the_unit_interval_need_a_threshold(write):
    path = write({"y": Y, "logit": np.round(np.log(A / (1 - A)), 3)})
    got = read(path)["scores"]["logit"]
    assert got["matrix"] is None
    assert "--threshold" in got["notes"][0]
    assert read(path, "--threshold", 0)["scores"]["logit"]["rates"]["precision"] == pytest.approx(
        reference.precision_score(Y, A >= 0.5)
    )


def test_pictures_are_written_and_named_without_harm(write, tmp_path):
    path = write({"y": Y, "../../a $x": A, "_b": B})
    folder = tmp_path / "new" / "pictures"
    done = call(path, "--pictures", folder)
    assert done.exit_code == 0
    names = sorted(file.name for file in folder.iterdir())
    assert names == [
        "f-threshold-1-a-x.png",
        "f-threshold-2-b.png",
        "precision-recall.png",
        "roc.png",
    ]
    for name in names:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
        assert name in done.stderr
    one = tmp_path / "one"
    call(path, "--scores", "_b", "--pictures", one)
    assert (one / "f-threshold.png").exists()


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        ({"label": ["x", "z"], "s": [0.1, 0.2]}, (), "--positive"),
        ({"label": ["x", "z"], "s": [0.1, 0.2]}, ("--positive", "zz"), "did you mean"),
        ({"what": [0, 1], "s": [0.1, 0.2]}, (), "--truth"),
        ({"label": [0, 1], "s": [0.1, 0.2]}, ("--scores", "t"), "'t'"),
        ({"label": [0, 1]}, (), "beside the truth"),
        ({"label": [0, 1], "s": [0.1, "x"]}, ("--scores", "s"), "row 2"),
        ({"label": [0, 1], "s": [0.1, ""]}, ("--scores", "s"), "no value"),
        ({"label": [0, ""], "s": [0.1, 0.2]}, (), "no value"),
        ({"label": [0, 1], "s": [0.1, 0.2], "w": [-1, 1]}, ("--weights", "w"), "weights"),
        ({"label": [0, 1], "s": [0.1, 0.2]}, ("--beta", -1), "beta"),
    ],
)
def test_bad_input_is_one_clear_line(write, capsys, columns, options, words):
    with pytest.raises(SystemExit) as left:
        main(["measure", str(write(columns)), *map(str, options)])
    assert left.value.code == 2
    note = capsys.readouterr().err
    assert words in note
    assert note.count("\n") == 1


def test_control_characters_are_escaped(write):
    path = write({"y": [0, 1, 1], "x\x1b[2J": [0.1, 0.7, 0.2]})
    done = call(path)
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
