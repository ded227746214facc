"""The test command on tables: layouts, options, JSON, and one clear line for bad input."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from click.testing import CliRunner

from nettrial.cli import cli, main
from nettrial.cli.test_text import verdict
from nettrial.core.results import show
from nettrial.core.wording import pvalue_text
from nettrial.stats.bayes_correlated import bayesian_correlated_t_test
from nettrial.stats.catalog import CATALOG
from nettrial.stats.cluster_flips import sign_flip_test
from nettrial.stats.clustered import cluster_mean_test, cluster_paired_test
from nettrial.stats.comparisons import Comparisons
from nettrial.stats.delong import delong_test
from nettrial.stats.delong_areas import delong_multiclass_test
from nettrial.stats.delong_unpaired import delong_unpaired_test
from nettrial.stats.mcnemar import mcnemar_test_predictions
from nettrial.stats.paired import paired_t_test

A = [0.1, 0.4, 0.3, 0.2, 0.6, 0.5, 0.7, 0.2]
B = [0.2, 0.1, 0.3, 0.1, 0.4, 0.5, 0.3, 0.1]
GROUP = list("wwxxyyzz")


def call(*arguments):
    return CliRunner().invoke(cli, ["test", *map(str, arguments)])


def read(*arguments):
    done = call(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def one_line(text):
    """What is printed, however it is broken into lines."""
    return " ".join(text.split())


def test_list_gives_each_test_one_entry():
    lines = call("--list").stdout.splitlines()
    begun = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert sorted(begun) == sorted(CATALOG)
    entries = json.loads(call("--list", "--json").stdout)
    assert {entry["name"] for entry in entries} == set(CATALOG)


def test_wide_tables_give_what_the_function_gives(write):
    path = write({"fold": range(8), "A": A, "B": B, "site": GROUP})
    got = read("cluster-paired", path, "--groups", "site")
    want = cluster_paired_test(A, B, GROUP)
    assert got["pvalue"] == want.pvalue
    assert got["compared"] == ["A", "B"]
    swapped = read("cluster-paired", path, "--groups", "site", "--a", "B", "--b", "A")
    assert swapped["estimate"] == -want.estimate
    one = read("cluster-mean", path, "--groups", "site", "--a", "A", "--null-value", "0.3")
    assert one["pvalue"] == cluster_mean_test(A, GROUP, null_value=0.3).pvalue


SAMPLES = np.random.default_rng(3).random((20, 3)) + np.array([0, 0.5, 0])
WRONG = (SAMPLES > [0.5, 1.2, 0.5]).astype(int)
ARRAYS = {
    "errors": ([5, 20], ["A"]),
    "two errors": ([5, 20, 15, 20], ["A", "B"]),
    "sample": ([SAMPLES[:, 0]], ["A"]),
    "pairs by replicate": ([SAMPLES[:, i].reshape(2, 10) for i in (0, 1)], ["A", "B"]),
    "five by two": ([SAMPLES[:10, i].reshape(5, 2) for i in (0, 1)], ["A", "B"]),
    "predictions": ([np.zeros(20), *WRONG.T[:2]], ["A", "B"]),
    "scores": ([WRONG[:, 2], *SAMPLES.T[:2]], ["A", "B"]),
    "two scores": ([WRONG[:, 2], SAMPLES[:, 0], WRONG[:, 2], SAMPLES[:, 1]], ["A", "B"]),
    "scores by class": (
        [np.arange(20) % 3, SAMPLES, SAMPLES[::-1]],
        ["A + B + C", "D + E + F"],
    ),
    "several scores": ([WRONG[:, 2], SAMPLES], ["A", "B", "C"]),
    "groups": ([list(SAMPLES.T)], ["A", "B", "C"]),
    "table": ([SAMPLES], ["A", "B", "C"]),
    "table with gaps": ([SAMPLES], ["A", "B", "C"]),
    "criteria pairs": ([SAMPLES[:, :2], SAMPLES[:, 1:]], ["A + B", "C + D"]),
    "criteria groups": ([SAMPLES, list("xy") * 10], ["A", "B", "C"]),
    "clustered sample": ([SAMPLES[:, 0], list("abcdefghij") * 2], ["A"]),
    "clustered pairs": ([*SAMPLES.T[:2], list("abcdefghij") * 2], ["A", "B"]),
    "p-values": ([[0.01, 0.2, 0.03]], ["A", "B", "C"]),
    "pairs by data set": ([SAMPLES[:, 0], SAMPLES[:, 1] + 1, list("abcd") * 5], ["A", "B"]),
}
RSC = {"n": 70, "m": 100, "links": 200, "q_a": 0.9, "q_b": 0.9, "rho_a": 0.1, "rho_b": 0.1}
OPTIONS = {
    "binomial": {"null_value": 0.5}, "proportion-z": {"null_value": 0.5},
    "one-sample-t": {"null_value": 0.5},
    "corrected-resampled-t": {"n_train": 90, "n_test": 10}, "bayesian-correlated-t": {"rho": 0.1},
    "bayesian-hierarchical": {"rho": 0.1, "n_samples": 640, "rope": 0},
    "rsc-paired": RSC, "rsc-unpaired": RSC,
}  # fmt: skip


@pytest.mark.parametrize("name", CATALOG)
def test_every_test_has_a_verdict_in_words(name):
    spec = CATALOG[name]
    values, names = ARRAYS.get(spec.shape, ([*SAMPLES.T[:2]], ["A", "B"]))
    values = [WRONG] if name == "cochran-q" else values
    if name.startswith("rsc"):  # rates
        values = [value / 4 for value in values]
    function, options = spec.load(), OPTIONS.get(name, {})
    if "names" in inspect.signature(function).parameters:
        options = options | {"names": names}
    found = function(*values, **options)
    answer = verdict(found, spec, names)
    assert answer[-1] == "."
    assert "{" not in answer
    assert "nan" not in answer
    if isinstance(found, Comparisons):
        apart = int((found.adjusted_pvalue < 0.05).sum())
        note = f"{apart} of {len(found.first)} pair" if apart else "No evidence at the 5% level"
        assert answer.startswith(note)
        return
    if name in ("interval", "credible"):
        assert answer.startswith("The error rate of A ")
        assert show(found.ci_low) in answer
        return
    if name == "adjust":
        assert answer.startswith("1 of 3 hypotheses rejected at the joint 5% level (holm): A (")
        return
    if name == "hodges-lehmann":
        assert f"shift {show(found.estimate)} (A minus B), 95% interval" in answer
        assert answer.startswith("A is lower than B")
        return
    if not hasattr(found, "pvalue"):
        assert answer.startswith("A is lower than B")
        assert f"{100 * found.prob_less:.1f}%" in answer or "99.9%" in answer
        return
    p = float(found.pvalue)
    assert answer.startswith("No evidence at the 5% level that") == (p >= 0.05)
    assert (", at the 5% level: " in answer) == (p < 0.05)
    assert pvalue_text(p) in answer


def test_notes_name_the_tests_of_the_command_line(write):
    few = {"A": A, "B": B}
    got = read("paired-z", write(few))
    assert got["notes"] == ["only 8 pairs, more than 30 are needed; use paired-t"]
    assert "use paired-t\n" in call("paired-z", write(few)).stdout
    got = read("wilcoxon", write(few), "--set", "method=normal")
    assert "use --set method=exact" in got["notes"][0]


def test_a_verdict_follows_the_question_that_was_asked():
    a, b = SAMPLES.T[:2]
    asked = [
        verdict(
            paired_t_test(a, b, alternative=word, confidence=0.9), CATALOG["paired-t"], ["A", "B"]
        )
        for word in ("less", "greater")
    ]
    assert asked[0].startswith("A has a lower mean than B, at the 10% level: ")
    assert "90% interval up to" in asked[0]
    assert asked[1].startswith("No evidence at the 10% level that A has a higher mean than B: ")
    flat = verdict(paired_t_test([0.2, 0.2, 0.2], [0.1, 0.1, 0.1]), CATALOG["paired-t"], ["A", "B"])
    assert flat.startswith("No answer whether A and B differ in mean: ")
    assert flat.endswith("no p-value.")
    open_ = verdict(
        bayesian_correlated_t_test(a, a[::-1], rho=0.1), CATALOG["bayesian-correlated-t"], "AB"
    )
    assert open_.startswith("No decision on A and B")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_options_reach_the_function(write, separator):
    path = write({"A": A, "B": B, "site": GROUP}, separator=separator)
    options = ("--alternative", "greater", "--confidence", "0.9", "--set", "correction=CR2")
    got = read("cluster-paired", path, "--groups", "site", *options, "--set", "df=effective")
    want = cluster_paired_test(
        A, B, GROUP, alternative="greater", confidence=0.9, correction="CR2", df="effective"
    )
    assert got["pvalue"] == want.pvalue
    assert got["ci_high"] is None
    drawn = read("sign-flip", path, "--groups", "site", "--seed", 3, "--set", "n-resamples=9")
    assert drawn["pvalue"] == sign_flip_test(A, B, GROUP, seed=3, n_resamples=9).pvalue


def test_models_of_a_file_of_predictions_are_not_pooled(write):
    rng = np.random.default_rng(3)
    truth, a, b = rng.integers(0, 2, (3, 30))
    scores = [said + np.arange(30) / 100 for said in (a, b)]
    path = write(
        {
            "model": ["gcn"] * 30 + ["wvrn"] * 30,
            "node": [*range(30)] * 2,
            "truth": [*truth, *truth],
            "prediction": [*a, *b],
            "score": np.concatenate(scores),
        }
    )
    got = read("mcnemar", path, "--truth", "truth")
    assert got["compared"] == ["gcn", "wvrn"]
    assert got["pvalue"] == mcnemar_test_predictions(truth, a, b).pvalue
    got = read("delong", path, "--truth", "truth")
    assert got["pvalue"] == delong_test(truth, *scores).pvalue


def test_decimal_commas_and_several_numbers_of_an_option(write):
    columns = {"A": ["0.21", "0.25", "0.22", "0.19"], "B": ["0.19", "0.22", "0.21", "0.18"]}
    commas = {name: [cell.replace(".", ",") for cell in cells] for name, cells in columns.items()}
    wanted = read("paired-t", write(columns))["pvalue"]
    assert read("paired-t", write(commas, separator=";"))["pvalue"] == wanted
    assert read("credible", "12", "40", "--set", "prior=.5,.5")["a"] == 12.5


def test_long_tables_are_made_wide(write):
    rows = [
        (site, i, name, value)
        for name, values in (("old", A), ("new", B))
        for i, (site, value) in enumerate(zip(GROUP, values))
    ]
    order = np.random.default_rng(0).permutation(len(rows))
    # the first row decides which classifier is A
    order = [0, *[i for i in order if i != 0]]
    names = ("site", "question", "Classifier", "VALUE")
    path = write({n: [rows[i][j] for i in order] for j, n in enumerate(names)})
    got = read("cluster-paired", path, "--groups", "site")
    assert got["compared"] == ["old", "new"]
    assert got["pvalue"] == pytest.approx(cluster_paired_test(A, B, GROUP).pvalue)


def test_scores_need_the_truth(write):
    y = [0, 1, 0, 0, 1, 1, 1, 0]
    path = write({"A": A, "B": B, "y": y})
    assert read("delong", path, "--truth", "y")["pvalue"] == delong_test(y, A, B).pvalue
    assert "--truth" in call("delong", path).stderr


def test_people_read_names_and_notes(write):
    done = call("cluster-paired", write({"A": A, "B": B, "g": GROUP}), "--groups", "g")
    found = cluster_paired_test(A, B, GROUP)
    answer, numbers = done.stdout.split("\n\n", 1)
    assert " ".join(answer.split()).startswith(
        "No evidence at the 5% level that A and B differ in mean: difference in mean "
        f"{show(found.estimate)} (A minus B), 95% interval "
    )
    assert numbers.startswith("method ")
    assert "only 4 clusters" in done.stdout


def test_control_characters_of_the_file_are_escaped(write):
    evil = "x\x1b[2J\u202e"
    path = write({evil: A, "B": B, "g": ["\x1b]0;t\x07", *["h"] * 6, "i"]})
    done = call("cluster-paired", path, "--groups", "g")
    assert done.exit_code == 0
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    assert r"x\x1b[2J\u202e" in done.stdout
    refused = call("cluster-paired", path, "--groups", "\x1b[1m")
    assert all(c.isprintable() or c == "\n" for c in refused.stderr)


def refusal(*arguments):
    done = call(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A,B,g\n1,2,x\n1,y,x\n", "row 2: expected a number with a decimal point, got 'y'"),
        ("A,B,g\n1,2,x\n1,,x\n", "row 2 (g x): no value"),
        ("A,B,g\n1,2,x\n1,2\n", "line 3: 2 cells"),
        ("A,A,g\n1,2,x\n", "'A' occurs twice"),
        ("A,B,g\n", "no rows"),
        ("", "no rows"),
        ("A,B,C,g\n1,2,3,x\n", "needs 2 column"),
        ('A,B,g\n1,"2,x\n', "not a CSV table"),
        ("classifier,value\nA,1\n", "long table needs"),
        ("classifier,value,g\nA,1,x\nA,2,x\n", "two values"),
        ("classifier,value,g\ng,1,x\n", "name of a column"),
        ("classifier,value,g\nA,1,x\nB,1,y\n", "no value"),
    ],
)
def test_bad_tables_are_refused_in_one_line(tmp_path, text, words):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert words in refusal("cluster-paired", path, "--groups", "g")


def test_bad_requests_are_refused_in_one_line(write, tmp_path, capsys):
    path = write({"A": A, "B": B, "g": GROUP})
    assert "--list" in refusal()
    assert "did you mean 'mcnemar'" in refusal("mcnemer", path)
    assert "cannot be read" in refusal("delong", tmp_path / "none.csv")
    assert "--groups" in refusal("cluster-paired", path, "--a", "A", "--b", "B")
    assert "did you mean" in refusal(
        "cluster-paired", path, "--groups", "g", "--a", "AA", "--b", "B"
    )
    assert "each once" in refusal("cluster-paired", path, "--groups", "g", "--a", "A")
    assert "got '--n-train'" in refusal("cluster-paired", path, "--groups", "g", "--n-train", 3)
    assert "alternative" in refusal("cluster-paired", path, "--groups", "g", "--alternative", "x")
    assert "OPTION=VALUE" in refusal("cluster-paired", path, "--groups", "g", "--set", "df")
    assert "--null-value: expected a number" in refusal(
        "cluster-mean", path, "--groups", "g", "--a", "A", "--set", "null_value=many"
    )
    for unknown in (("--confidence", "high"), ("--color", "red")):
        with pytest.raises(SystemExit) as end:
            main(["test", "cluster-mean", str(path), *unknown])
        assert end.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\x89PNG\x00\x01")
    assert "looks like an image" in refusal("delong", binary)


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    path = tmp_path / "bom.csv"
    path.write_bytes(b"\xef\xbb\xbfA,g\r\n0.5,x\r\n0.25,y\r\n\r\n")
    assert read("cluster-mean", path, "--a", "A", "--groups", "g")["estimate"] == 0.375


TEN = {"fold": range(10), "A": np.linspace(0.1, 0.3, 10) ** 2, "B": np.linspace(0.2, 0.25, 10)}
BITS = {"A": [1, 0, 1, 0, 1, 1, 0, 0, 1, 1], "B": [0, 0, 1, 0, 0, 1, 0, 1, 0, 0]}
THREE = {**TEN, "C": [0.3, 0.1, 0.2, 0.4, 0.1, 0.3, 0.2, 0.2, 0.1, 0.35]}
GROUPS = list("uvwxyzuvwx")
INPUTS = {
    "errors": (BITS, ("--a", "A")),
    "two errors": ({**BITS, "B": [0, 1, 1, 0, "", "", "", "", "", "NA"]}, ()),
    "sample": (TEN, ("--a", "A")),
    "pairs": (TEN, ()),
    "pairs by replicate": (TEN, ("--folds", 5)),
    "five by two": (TEN, ()),
    "two samples": ({**TEN, "B": [0.2, 0.25, 0.3, "", "", "", "", "", "", ""]}, ()),
    "predictions": (BITS, ()),
    "scores": ({**TEN, "y": BITS["A"]}, ("--truth", "y")),
    "two scores": (
        {**TEN, "B": [0.2, 0.25, 0.3, 0.1, "", "", "", "", "", ""], "y": BITS["A"]},
        ("--truth", "y"),
    ),
    "scores by class": (
        {**THREE, "D": TEN["A"], "E": TEN["B"], "F": TEN["A"], "y": list("uvwuvwuvwu")},
        ("--truth", "y", *["--a", "A", "--a", "B", "--a", "C", "--b", "D", "--b", "E", "--b", "F"]),
    ),
    "several scores": ({**THREE, "y": BITS["A"]}, ("--truth", "y")),
    "groups": (THREE, ()),
    "table": (THREE, ()),
    "table with gaps": ({**THREE, "C": ["", *THREE["C"][1:]]}, ()),
    "criteria pairs": ({**THREE, "D": GROUPS}, ("--a", "A", "--b", "C")),
    "criteria groups": (
        {**THREE, "who": list("aabbaabbab")},
        ("--groups", "who", "--columns", "A,C"),
    ),
    "clustered sample": ({**TEN, "g": GROUPS}, ("--groups", "g", "--a", "A")),
    "clustered pairs": ({**TEN, "g": GROUPS}, ("--groups", "g")),
    "pairs by data set": ({**TEN, "g": list("aabbaabbab")}, ("--groups", "g")),
    "p-values": ({"fold": range(3), "p": [0.01, 0.2, 0.03]}, ()),
}
NEEDED = {
    **{
        name: [text for pair in RSC.items() for text in ("--set", "{}={}".format(*pair))]
        for name in ("rsc-paired", "rsc-unpaired")
    },
    "corrected-resampled-t": ("--n-train", 90, "--n-test", 10),
    "bayesian-correlated-t": ("--set", "rho=0.1"),
    "bayesian-hierarchical": ("--set", "rho=0.1", "--set", "n_samples=640"),
}


@pytest.mark.parametrize("name", CATALOG)
def test_every_test_of_the_catalog_runs(write, name):
    spec = CATALOG[name]
    columns, options = INPUTS[spec.shape]
    if name == "cochran-q":
        columns = {**BITS, "C": [1, 1, 0, 0, 1, 0, 0, 1, 1, 1]}
    got = read(name, write(columns), *options, *NEEDED.get(name, ()))
    assert got["test"] == name
    if name == "credible":
        assert got["a"] + got["b"] == 12
        return
    shown = call(name, write(columns), *options, *NEEDED.get(name, ()))
    assert shown.exit_code == 0
    assert got["measure" if name == "hodges-lehmann" else "method"] in one_line(shown.stdout)


def test_areas_of_different_cases_and_of_several_classes_are_those_of_the_functions(write):
    truth, random = [0, 1, 1, 0, 1, 0, 1, 0], np.random.default_rng(5)
    first, second = random.random((2, 8)).round(3).tolist()
    path = write({"y": truth, "A": [*first[:5], "", "", ""], "B": ["", "", *second[2:]]})
    got = read("delong-unpaired", path, "--truth", "y")
    want = delong_unpaired_test(truth[:5], first[:5], truth[2:], second[2:])
    assert (got["estimate"], got["pvalue"]) == (want.estimate, want.pvalue)
    assert "difference in AUC" in got["verdict"]
    names = [f"{model}_{one}" for model in "ab" for one in "uvw"]
    scores, classes = random.random((9, 6)).round(3), list("uvwuvwuvw")
    path = write({"y": classes, **dict(zip(names, scores.T.tolist()))})
    words = [part for name in names for part in (f"--{name[0]}", name)]
    got = read("delong-multiclass", path, "--truth", "y", *words, "--set", "average=one-vs-one")
    want = delong_multiclass_test(classes, scores[:, :3], scores[:, 3:], average="one-vs-one")
    assert (got["estimate"], got["pvalue"]) == (want.estimate, want.pvalue)
    assert got["compared"] == ["a_u + a_v + a_w", "b_u + b_v + b_w"]
    assert "once for each class" in refusal("delong-multiclass", path, "--truth", "y")
    assert "needs --truth" in refusal("delong-multiclass", path, *words)


def test_row_names_of_r_and_pandas_are_no_classifier(write):
    path = write({"": range(8), "A": A, "B": B})
    assert read("paired-t", path)["compared"] == ["A", "B"]


def test_a_name_alone_tells_what_the_test_needs():
    note = refusal("wilcoxon")
    assert "one row per pair" in note
    assert "zeros" in note


def test_numbers_with_underscores_or_decimal_commas_are_refused(write):
    for cell in ("1_0", "0,1"):
        path = write({"A": [cell, *A[1:]], "B": B}, separator=";")
        assert "decimal point" in refusal("paired-t", path)


def test_scores_by_split_that_a_paper_gives(data):
    path = data / "tables" / "gcn_vs_baselines_10splits" / "long.csv"
    table = pd.read_csv(path)
    cora = table[(table.dataset == "cora") & table.variant.isna()].sort_values("iteration")
    a, b = (cora.accuracy[cora.model == name].to_numpy() for name in ("mlp", "logreg"))
    names = ["--where", "dataset=cora", "--a", "mlp", "--b", "logreg"]
    plain = scipy.stats.ttest_rel(a, b)
    assert read("paired-t", path, *names)["pvalue"] == pytest.approx(plain.pvalue, rel=1e-9)
    found = read("corrected-resampled-t", path, *names, "--n-train", 11, "--n-test", 9)
    error = np.sqrt((1 / 10 + 9 / 11) * np.var(a - b, ddof=1))  # Nadeau and Bengio (2003)
    assert found["statistic"] == pytest.approx(np.mean(a - b) / error, rel=1e-9)
    assert "cannot say whether the difference would show" in found["limits"]
    # the design is not guessed
    assert "n_train" in call("corrected-resampled-t", path, *names).stderr


def test_several_columns_may_name_a_classifier_of_a_long_table(data):
    path = data / "tables" / "gcn_vs_baselines_10splits" / "long.csv"
    table = pd.read_csv(path)
    variant = table.variant[0]
    cora = table[table.dataset == "cora"]
    means = [
        cora.accuracy[cora.variant == variant].mean(),
        cora.accuracy[cora.model == "mlp"].mean(),
    ]
    cora = ["--where", "dataset=cora"]
    found = read(
        "paired-t",
        path,
        *cora,
        "--classifier",
        "model,variant",
        "--rows",
        "iteration",
        "--a",
        f"gcn {variant}",
        "--b",
        "mlp",
    )
    assert found["estimate"] == pytest.approx(means[0] - means[1], abs=1e-12)
    note = refusal("paired-t", path, *cora, "--a", "gcn", "--b", "mlp")
    assert "say with --rows which values belong together" in note
    note = refusal("paired-t", path, *cora, "--rows", "iteration", "--a", "gcn", "--b", "mlp")
    assert "'gcn' has two values for 0" in note
    assert "further columns of --classifier" in note
    assert "did you mean 'cora'" in refusal("paired-t", path, "--where", "dataset=cor")


def test_what_scores_alone_cannot_say_is_told(write):
    path = write({"A": A, "B": B})
    note = "cannot say whether the difference would show on other networks"
    for name, options in {
        "paired-t": [],
        "kfold-t": [],
        "corrected-resampled-t": ["--n-train", 9, "--n-test", 1],
    }.items():
        assert note in one_line(call(name, path, *options).stdout)
    assert note not in one_line(call("wilcoxon", path).stdout)
