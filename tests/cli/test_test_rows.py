"""`nettrial test`: which rows and columns are results, what else it says, and files of any kind."""

from __future__ import annotations

import json
import warnings
from itertools import product

import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner

from nettrial import stats
from nettrial.cli import cli
from nettrial.stats.catalog import CATALOG

RNG = np.random.default_rng(5)
FORTY = RNG.random((6, 40)).round(3)
FOLDS = RNG.integers(700, 900, (6, 5, 3)) / 1000  # data set, fold, classifier


def call(*arguments):
    return CliRunner().invoke(cli, [str(x) for x in arguments])


def read(*arguments):
    done = call(*arguments, "--json")
    assert done.exit_code == 0, done.output or done.exception
    return json.loads(done.stdout)


def refusal(*arguments):
    done = call("test", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else "\n".join(map(",".join, text)) + "\n")
        return path

    return to_file


@pytest.fixture
def folds(write):
    rows = [[f"d{d}", str(k), *map(str, FOLDS[d, k])] for d, k in product(range(6), range(5))]
    return write([["dataset", "fold", "A", "B", "C"], *rows])


def test_splits_of_data_sets_are_averaged_where_data_sets_count(folds):
    means = FOLDS.mean(axis=1)
    pair = ("--a", "A", "--b", "B")
    got = read("test", "wilcoxon", folds, *pair)
    assert got["details"]["n_total"] == 6
    assert got["pvalue"] == pytest.approx(scipy.stats.wilcoxon(means[:, 0], means[:, 1]).pvalue)
    note = "30 rows are 5 of each of 6 data sets and are averaged: the test counts data sets"
    assert note in got["notes"]
    assert note in " ".join(call("test", "wilcoxon", folds, *pair).stdout.split())
    got = read("test", "friedman", folds)
    assert got["pvalue"] == pytest.approx(scipy.stats.friedmanchisquare(*means.T).pvalue)
    # any column can be named, and rows can be said to be independent
    other = folds.with_name("other.csv")
    other.write_text(folds.read_text().replace("dataset", "corpus"))
    got = read("test", "wilcoxon", other, *pair)
    assert got["details"]["n_total"] == 30
    assert "give --data-sets 'corpus' to take their means" in got["notes"][-1]
    named = read("test", "wilcoxon", other, *pair, "--data-sets", "corpus")
    assert named["details"]["n_total"] == 6
    free = read("test", "wilcoxon", folds, *pair, "--data-sets", "none")
    assert free["details"]["n_total"] == 30
    assert "did you mean" in refusal("sign", other, *pair, "--data-sets", "corpvs")


@pytest.mark.parametrize(
    ("test", "options"),
    [
        ("paired-t", ()), ("kfold-t", ()), ("permutation", ()),
        ("corrected-resampled-t", ("--n-train", 9, "--n-test", 1)), ("welch-t", ()),
        ("mann-whitney", ()),
    ],
)  # fmt: skip
def test_tests_of_one_data_set_ask_which(folds, test, options):
    note = refusal(test, folds, "--a", "A", "--b", "B", *options)
    assert "splits or cases of 6 data sets (d0, d1, d2, d3, ...)" in note
    one = read("test", test, folds, "--a", "A", "--b", "B", "--where", "dataset=d0", *options)
    assert one["pvalue"] is not None


def test_splits_of_one_data_set_are_no_data_sets(folds):
    got = read("test", "wilcoxon", folds, "--a", "A", "--b", "B", "--where", "dataset=d0")
    assert any("all rows are of one data set" in note for note in got["notes"])


def test_columns_of_repeats_and_folds_are_used(write):
    a, b = FOLDS[:2, :, 0].round(3), FOLDS[:2, :, 1].round(3)
    # fold after fold, so that the rows of a repeat are apart
    rows = [[str(r), str(k), str(a[r, k]), str(b[r, k])] for k, r in product(range(5), range(2))]
    path = write([["repeat", "fold", "A", "B"], *rows])
    got = read("test", "corrected-repeated-kfold-t", path)
    want = stats.corrected_repeated_kfold_t_test(a, b)
    assert got["pvalue"] == pytest.approx(want.pvalue, rel=1e-12)
    assert "rows by 'repeat' and 'fold': 2 repeats of 5 folds" in got["notes"]
    assert "expected 5" in refusal("corrected-repeated-kfold-t", path, "--folds", 2)
    assert "several repeats" in refusal("kfold-t", path)
    # without a column of repeats each fold comes again
    alone = write([["fold", "A", "B"], *(row[1:] for row in rows)], "alone.csv")
    assert read("test", "corrected-repeated-kfold-t", alone)["pvalue"] == got["pvalue"]
    rows[0][0] = "1"
    assert "as many folds" in refusal(
        "corrected-repeated-kfold-t", write([["repeat", "fold", "A", "B"], *rows])
    )


def test_the_first_of_two_by_five_is_that_of_the_columns(write):
    a, b = RNG.random((2, 5, 2)).round(3)
    rows = [[str(r), str(k), str(a[r, k]), str(b[r, k])] for k, r in product((0, 1), range(5))]
    got = read("test", "5x2cv-t", write([["run", "fold", "A", "B"], *rows]))
    assert got["estimate"] == pytest.approx(a[0, 0] - b[0, 0])
    assert got["pvalue"] == pytest.approx(stats.cv5x2_t_test(a, b).pvalue, rel=1e-12)


def test_sizes_and_means_are_no_classifiers(write):
    means = FOLDS.mean(axis=1).round(4)
    rows = [[f"d{i}", str(150 + i), *map(str, means[i]), str(i + 1)] for i in range(6)]
    head = ["dataset", "n_cases", "A", "B", "C", "weight"]
    path = write([head, *rows, ["mean", "152", "0.8", "0.7", "0.9", "3"]])
    got = read("test", "friedman", path)
    assert got["compared"] == ["A", "B", "C"]
    assert got["pvalue"] == pytest.approx(scipy.stats.friedmanchisquare(*means.T).pvalue)
    notes = " ".join(got["notes"])
    assert "row 'mean' left out, which sums up the others" in notes
    assert "columns 'n_cases' and 'weight' left out" in notes
    # a name that says nothing is asked about
    other = write([["dataset", "Anzahl", *head[2:5]], *(row[:5] for row in rows)], "other.csv")
    assert "column 'Anzahl' holds numbers from 150 to 155" in refusal("friedman", other)
    assert read("test", "friedman", other, "--columns", "A,B,C")["pvalue"] == got["pvalue"]
    named = read("test", "friedman", other, "--columns", "A,B,Anzahl")
    assert named["compared"] == ["A", "B", "Anzahl"]
    percent = [[row[0], row[2], str(100 * float(row[3])), row[4]] for row in rows]
    mixed = write([["dataset", "A", "B", "C"], *percent], "mixed.csv")
    assert "column 'B' holds numbers" in refusal("friedman", mixed)
    times = [
        [f"d{i}", m, str(means[i, j]), str(i + j)] for i in range(6) for j, m in enumerate("ABC")
    ]
    long = write([["dataset", "model", "accuracy", "runtime"], *times], "long.csv")
    assert read("test", "friedman", long)["pvalue"] == got["pvalue"]


def test_true_classes_are_no_classifier(write):
    rows = [[str(i % 2), str(i // 2 % 2), str(int(i > 3))] for i in range(8)]
    path = write([["A", "B", "y"], *rows])
    for test in ("mcnemar", "friedman", "cochran-q"):
        assert "--truth y" in refusal(test, path)
    assert read("test", "mcnemar", path, "--truth", "y")["compared"] == ["A", "B"]


def test_limits_stand_beside_their_own_level(folds):
    one = ("--a", "A", "--b", "B", "--where", "dataset=d0")
    got = read("test", "paired-t", folds, *one, "--equivalence", 0.2)
    assert (got["confidence"], got["details"]["level"]) == (0.9, pytest.approx(0.05))
    plain = read("test", "paired-t", folds, *one, "--confidence", 0.9)
    assert (got["ci_low"], got["ci_high"]) == pytest.approx((plain["ci_low"], plain["ci_high"]))
    shown = " ".join(call("test", "paired-t", folds, *one, "--equivalence", 0.2).stdout.split())
    assert "at the 5% level" in shown
    assert "90% interval" in shown
    assert "confidence 0.9 " in shown
    counted = read("test", "two-proportions", 12, 100, 10, 100, "--equivalence", 0.1)
    assert counted["confidence"] == 0.9
    assert "above 0.5" in refusal(
        "paired-t", folds, *one, "--equivalence", 0.2, "--confidence", 0.4
    )


def test_names_are_columns_and_no_classifier_meets_itself(folds):
    one = ("paired-t", folds, "--where", "dataset=d0")
    assert "'A' is named twice" in refusal(*one, "--a", "A", "--b", "A")
    assert "'A' is named twice" in refusal("friedman", folds, "--columns", "A,B,A")
    for option in ("--truth", "--groups"):
        assert "'nope' not found" in refusal(*one, "--a", "A", "--b", "B", option, "nope")
    assert "has no replicates" in refusal(*one, "--a", "A", "--b", "B", "--folds", 5)


def test_priors_and_intervals_are_named(write):
    assert "the prior is Beta(1, 1), which is flat." in " ".join(
        call("test", "credible", 12, 40).stdout.split()
    )
    assert read("test", "credible", 12, 40, "--set", "prior=.5,.5")["prior"] == [0.5, 0.5]
    path = write([["y", "s"], *([str(i % 2), str(i / 10)] for i in range(10))])
    assert "95% interval (Newcombe's score interval)" in call("measure", path).stdout


def test_the_options_of_a_test_are_listed():
    shown = call("test", "wilcoxon", "--list").stdout
    assert "--set zeros=" in shown
    assert "drop, pratt, split, demsar; default drop" in shown
    assert "Beta" not in shown
    for name in CATALOG:
        entry = read("test", name, "--list")
        assert entry["input"]
        assert {"name", "option", "choices", "required", "default", "meaning"} <= set(
            entry["options"][0]
        )
    needed = read("test", "corrected-resampled-t", "--list")["options"]
    assert [o["option"] for o in needed if o["required"]] == ["--n-train", "--n-test"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("pairedt-tst", "paired-t"), ("mann-whitney-u", "mann-whitney"),
        ("kruskal-w", "kruskal-wallis"), ("mcnemars", "mcnemar"),
        ("holm", "adjust"), ("signed-rank", "wilcoxon"), ("auc", "delong"),
    ],
)  # fmt: skip
def test_names_that_were_meant_are_suggested(given, meant):
    assert f"did you mean '{meant}'?" in refusal(given, "table.csv")


@pytest.mark.filterwarnings("ignore:with so few cases")
def test_recommend_and_power_have_commands():
    shown = call("recommend", "--classifiers", 3, "--data-sets", 20).stdout
    assert shown.startswith("use nettrial test iman-davenport")
    found = read("recommend", "--test-sets", 10, "--overlapping", "--scores-only")
    assert found["test"] == stats.recommend(test_sets=10, overlapping=True, predictions=False).test
    for words, want in (
        (("t", 0.5), stats.t_sample_size(0.5)),
        (("t", 0.5, "--set", "design=two-sample"), stats.t_sample_size(0.5, design="two-sample")),
        (("t", -0.5, "--n", 20), stats.t_power(-0.5, 20)),
        (("sign", 0.7, "--power", 0.9), stats.sign_sample_size(0.7, power=0.9)),
        (("mcnemar", 0.08, 0.05, "--n", 500), stats.mcnemar_power(0.08, 0.05, 500)),
        (("two-proportions", 0.9, 0.1), stats.two_proportions_sample_size(0.9, 0.1)),
    ):
        got = read("power", *words)
        assert (got["n"], got["power"]) == (want.n, pytest.approx(want.power))
    for name in ("t", "t.test", "Paired t-test"):
        assert call("power", name, 0.5).stdout.startswith("It takes 34 pairs for a power of 0.8078")
    for words, note in (
        (("sgn", 0.7), "did you mean 'sign'"),
        (("t",), "expected EFFECT_SIZE, got no value"),
        (("t", "x"), "expected a number, got 'x'"),
        (("t", 0.5, "--set", "desing=paired"), "did you mean 'design'"),
        (("t", 0.5, "--n", 2.5), "whole number"),
        (("t", 0.5, "--n", 20, "--power", 0.8), "got both"),
        (("t", 0), "not reached"),
    ):
        assert note in call("power", *words).stderr


def rows(line, n=8, head="dataset,A,B,C"):
    return "\n".join([head, *(line(i) for i in range(n))]) + "\n"


NOISY = repr(0.1 + 0.2)
HOSTILE = {
    "one row": rows(lambda _: "cora,0.1,0.2,0.3", 1),
    "constant": rows(lambda i: f"d{i},0.3,0.3,0.3"),
    "apart": rows(lambda i: f"d{i},0.3,0.4,0.5"),
    "noise": rows(lambda i: f"d{i},{NOISY},0.3,{NOISY}"),
    "missing": rows(lambda i: f"d{i},{'nan' if i == 3 else 0.3},0.{i},1"),
    "text": rows(lambda i: f"d{i},x,y,z"),
    "percent": rows(lambda i: f"d{i},8{i}%,7{i}.5%,6{9 - i}%"),
    "signs of one": rows(lambda i: f"d{i},8{i}%,7{i}.5,6{9 - i}%"),
    "duplicates": rows(lambda i: f"d{i // 4},0.{i % 7},0.{i % 5},0.5{i}", 12),
    "huge": rows(lambda i: f"d{i},1e{300 + i},1e{299 + i},1e308"),
    "tiny": rows(lambda i: f"d{i},1e-{300 + i},1e-{299 - i},1e-308"),
    "forty": rows(lambda i: ",".join(map(str, FORTY[i])), 6, ",".join(f"m{j}" for j in range(40))),
    "one class": rows(lambda i: f"0.{i},0.{9 - i},0.5,1", head="A,B,C,y"),
    "empty": "",
    "header": "A,B,C\n",
    "ragged": "A,B\n1,2\n3\n",
}
NEEDED = {
    "binomial": ("--p0", 0.3), "proportion-z": ("--p0", 0.3), "one-sample-t": ("--null-value", 0.3),
    "cluster-mean": ("--null-value", 0.3),
    "corrected-resampled-t": ("--n-train", 90, "--n-test", 10),
    "bayesian-correlated-t": ("--set", "rho=0.1"),
    "bayesian-hierarchical": ("--set", "rho=0.1", "--set", "n_samples=320"),
    "stochastic-order": ("--set", "n_resamples=20"),
}  # fmt: skip


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind == "forty")) for kind in HOSTILE],
)
def test_any_file_is_judged_or_refused_in_one_line(write, kind):
    path = write(HOSTILE[kind])
    for name, spec in CATALOG.items():
        ways: list[tuple[object, ...]] = [(), ("--a", "A", "--b", "B"), ("--a", "A")]
        options: tuple[object, ...] = NEEDED.get(name, ())
        if spec.shape in ("scores", "several scores", "predictions"):
            options += ("--truth", "y" if "y" in HOSTILE[kind][:9] else "C")
        if "cluster" in spec.shape or spec.shape in ("criteria groups", "pairs by data set"):
            options += ("--groups", "dataset")
        for way in ways:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                done = call("test", name, path, *way, *options, "--json")
            assert done.exit_code in (0, 2), (name, way, done.exception)
            if done.exit_code:
                assert done.stderr.count("\n") == 1, (name, way, done.stderr)
                continue
            found = json.loads(done.stdout)
            assert "nan" not in found["verdict"].split(), (name, way, found["verdict"])
            # classes are labels, of which none is noise
            judged = isinstance(found.get("pvalue"), float) and spec.shape != "predictions"
            if kind in ("constant", "noise") and judged:
                assert found["pvalue"] in (1, None), (name, way)


@pytest.mark.parametrize("name", ["iteration", "seed", "fold", "trial", "run"])
def test_what_numbers_the_runs_tells_the_rows_of_a_long_table(tmp_path, name):
    rows = [f"{i},{model},{FORTY[0, 2 * i + j]}" for i in range(6) for j, model in enumerate("ab")]
    (tmp_path / "long.csv").write_text("\n".join([f"{name},model,accuracy", *rows]))
    assert read("test", "paired-t", tmp_path / "long.csv")["df"] == 5
