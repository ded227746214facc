"""`nettrial test` with margins, p-values to adjust, error rates by counts, and a Q-Q picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import beta, ttest_rel
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from nettrial import stats
from nettrial.cli import cli

A = [0.21, 0.19, 0.25, 0.22, 0.20, 0.23]
B = [0.20, 0.20, 0.24, 0.22, 0.21, 0.20]


def call(*arguments):
    return CliRunner().invoke(cli, ["test", *map(str, arguments)])


def read(*arguments):
    done = call(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refusal(*arguments):
    done = call(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    rows = [f"{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B))]
    path.write_text("\n".join(["fold,old,new", *rows]) + "\n")
    return path


def test_credible_interval_of_counts():
    got = read("credible", 12, 40)
    want = beta(13, 29)
    assert (got["ci_low"], got["ci_high"]) == pytest.approx(want.interval(0.95))
    assert got["mean"] == pytest.approx(13 / 42)
    assert got["prob_below"] == pytest.approx(want.cdf(0.5))
    note = " ".join(call("credible", 12, 40, "--confidence", 0.9).stdout.split())
    low, high = want.interval(0.9)
    assert note.startswith(
        f"The error rate of the classifier lies within {low:.4g} to {high:.4g} at a probability "
        "of 90%"
    )
    assert "expected ERRORS CASES" in refusal("credible", 12)
    assert "errors" in refusal("credible", 50, 40)


def test_intervals_of_counts():
    got = read("interval", 12, 40, "--set", "method=exact")
    assert got["ci_low"] == pytest.approx(beta.ppf(0.025, 12, 29))
    assert "95% interval (exact)" in call("interval", 12, 40, "--set", "method=exact").stdout


def test_equivalence_of_pairs(table):
    got = read("paired-t", table, "--equivalence", 0.03)
    assert got["pvalue"] == pytest.approx(ttost_paired(np.array(A), np.array(B), -0.03, 0.03)[0])
    answer = got["verdict"]
    assert answer.startswith("old and new differ by less than 0.03, at the 5% level: ")
    assert "90% interval" in answer
    narrow = read("paired-t", table, "--equivalence", 0.001)["verdict"]
    assert narrow.startswith("No evidence at the 5% level that old and new differ by less than")


def test_non_inferiority(table):
    result = stats.paired_t_test(A, B)
    assert "higher_is_better" in refusal("paired-t", table, "--noninferiority", 0.03)
    got = read("paired-t", table, "--noninferiority", 0.03, "--set", "higher_is_better=false")
    assert got["pvalue"] == stats.noninferiority_test(result, margin=0.03).pvalue
    assert got["verdict"].startswith("old is not worse than new by 0.03 or more, at the 5% level")
    better = read("paired-t", table, "--noninferiority", 0.03, "--set", "higher_is_better=true")
    want = stats.noninferiority_test(result, margin=0.03, higher_is_better=True)
    assert better["pvalue"] == want.pvalue


def test_margins_of_proportions_take_the_score_test():
    got = read("two-proportions", 12, 100, 10, 100, "--equivalence", 0.1)
    want = stats.proportion_equivalence_test(12, 100, 10, 100, margin=0.1)
    assert got["pvalue"] == want.pvalue
    got = read("two-proportions", 12, 100, 10, 100, "--noninferiority", 0.1)
    want = stats.two_proportion_score_test(12, 100, 10, 100, null=0.1, alternative="less")
    assert got["pvalue"] == want.pvalue
    assert "interval up to" in got["verdict"]
    assert "-inf" not in got["verdict"]


def test_margins_that_have_no_place(table):
    assert "expected one of them" in refusal(
        "paired-t", table, "--equivalence", 0.1, "--noninferiority", 0.1
    )
    assert "Wilcoxon" in refusal("wilcoxon", table, "--equivalence", 0.1)
    assert "another answer" in refusal("friedman", table, "--equivalence", 0.1)
    assert "positive" in refusal("paired-t", table, "--equivalence", -0.1)
    assert "margin in (0, 1)" in refusal("two-proportions", 1, 10, 2, 10, "--noninferiority", 2)


def test_a_column_of_pvalues_is_adjusted(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("dataset,p\ncora,0.01\nciteseer,0.04\npubmed,0.03\ndblp,NA\n")
    for ours, theirs in (("holm", "holm"), ("benjamini-hochberg", "fdr_bh"), ("hommel", "hommel")):
        got = read("adjust", path, "--set", f"method={ours}")
        want = multipletests([0.01, 0.04, 0.03], method=theirs)[1]
        assert got["adjusted_pvalue"][:3] == pytest.approx(want)
        assert got["adjusted_pvalue"][3] is None
        assert got["names"] == ["cora", "citeseer", "pubmed", "dblp"]
    note = call("adjust", path).stdout
    assert note.startswith("1 of 3 hypotheses rejected at the joint 5% level (holm): cora (")
    assert "0 of 3" in call("adjust", path, "--confidence", 0.99).stdout
    path.write_text("pair,p\n1,0.5\n1,1.5\n")
    assert "from 0 to 1" in refusal("adjust", path, "--a", "p")


def test_differences_are_drawn_against_normal_quantiles(table, tmp_path):
    picture = tmp_path / "qq.png"
    assert call("paired-t", table, "--qq", picture).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "ending in" in refusal("paired-t", table, "--qq", tmp_path / "qq.exe")
    assert "qq" in refusal("friedman", table, "--qq", picture)
    assert "qq" in refusal("binomial", 3, 10, "--p0", 0.5, "--qq", picture)


def test_mcnemar_takes_four_counts():
    got = read("mcnemar", 7, 25, 37, 131)
    want = stats.mcnemar_test([[7, 25], [37, 131]])
    assert (got["pvalue"], got["estimate"]) == (want.pvalue, want.estimate)
    assert "BOTH_WRONG ONLY_A_WRONG" in refusal("mcnemar", 25, 37)
    assert "from 1 to" in refusal("mcnemar", 0, 0, 0, 0)


def test_columns_of_zero_and_one_say_which_is_wrong(tmp_path):
    path = tmp_path / "right.csv"
    path.write_text("a,b\n0,1\n1,0\n0,0\n1,1\n")
    assert "1 is read as wrong" in call("mcnemar", path).stderr
    assert "1 is read as wrong" in call("cochran-q", path).stderr
    assert "1 is read as wrong" not in call("paired-t", path).stderr


def test_percent_signs_in_one_column_alone_are_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("set,svm,tree\np,67.0%,62.6\nq,71.0%,70.1\nr,80.0%,78.3\n")
    assert "'svm' has percent signs, and column 'tree'" in refusal("wilcoxon", path)
    assert "'svm' has percent signs" in refusal("wilcoxon", path, "--a", "svm", "--b", "tree")
    path.write_text("set,svm,tree\np,67.0%,0.626\nq,71.0%,0.701\nr,80.0%,0.783\n")
    assert read("wilcoxon", path)["pvalue"] == 0.25


# --- tables as people have them


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    return pd.DataFrame({"gcn": rng.normal(0.8, 0.01, 10), "gat": rng.normal(0.81, 0.01, 10)})


@pytest.mark.parametrize("form", ["index", "seed", "long", "json"])
def test_row_numbers_are_no_scores(tmp_path, scores, form):
    path = tmp_path / "t.csv"
    if form == "index":
        scores.to_csv(path)
    elif form == "seed":
        scores.rename_axis("seed").reset_index().to_csv(path)
    elif form == "json":
        scores.rename_axis("seed").reset_index().to_json(
            path, orient="records", double_precision=15
        )
    else:
        long = scores.rename_axis("seed").reset_index()
        long.melt("seed", var_name="model", value_name="accuracy").to_csv(path)
    want = ttest_rel(scores["gcn"], scores["gat"])
    assert read("paired-t", path)["pvalue"] == pytest.approx(want.pvalue, rel=1e-9)


def test_figures_of_ranks_and_of_a_pair_and_none_of_one_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, picture = tmp_path / "t.csv", tmp_path / "cd.svg"
    table.write_text("dataset,gcn,gat,mlp\nu,.8,.9,.6\nv,.7,.8,.5\nw,.6,.9,.4\nx,.5,.6,.3\n")
    for words in (["nemenyi"], ["conover"], ["paired-t", "--a", "gcn", "--b", "gat"]):
        picture.unlink(missing_ok=True)
        with pytest.raises(SystemExit) as end:
            cli(["test", words[0], str(table), *words[1:], "--figure", str(picture)])
        assert end.value.code == 0
        assert picture.read_bytes().startswith(b"<?xml")
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        cli(["test", "friedman", str(table), "--figure", str(picture)])
    assert end.value.code == 2
    assert "such as nemenyi" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["test", "table.md"], "'table.md' is a table, not a test"),
        (["test", "paired-t", "x.csv", "--colums", "a"], "did you mean --columns?"),
        (["compare", "x", "--lables", "a"], "did you mean --labels?"),
        (["compare", "--bogus"], "there is no option --bogus; all: nettrial compare --help"),
    ],
)
def test_near_names_are_named_and_no_others(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli(words)
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


GROUPED = {"ann": [1.0, 2.0, 4.0], "bob": [3.0, 5.0], "cy": [6.0, 7.0, 9.0]}


@pytest.mark.parametrize("head", ["group", "model", "arm"])
@pytest.mark.parametrize(
    ("name", "function"),
    [("oneway-anova", stats.oneway_anova), ("kruskal-wallis", stats.kruskal_wallis_test),
     ("games-howell", stats.games_howell)],
)  # fmt: skip
def test_groups_of_a_long_table_need_no_other_column(name, function, head, tmp_path):
    rows = [f"{group},{value}" for group, values in GROUPED.items() for value in values]
    for order in (rows, rows[::-1], rows[3:] + rows[:3]):
        path = tmp_path / "long.csv"
        path.write_text("\n".join([f"{head},value", *order]) + "\n")
        want = function(GROUPED)
        for more in ([], ["--groups", head], ["--classifier", head, "--value", "value"]):
            if head == "arm" and not more:  # a name that says nothing
                continue
            np.testing.assert_allclose(
                np.sort(read(name, path, *more)["pvalue"], axis=None),
                np.sort(want.pvalue, axis=None),
                rtol=1e-12,
            )


@pytest.mark.parametrize("name", ["welch-t", "pooled-t", "mann-whitney"])
def test_two_samples_of_a_long_table_need_no_other_column(name, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("group,value\na,1\nb,3\na,2\na,4\nb,5\n")
    function = {"welch-t": stats.welch_t_test, "pooled-t": stats.pooled_t_test,
                "mann-whitney": stats.mann_whitney_test}[name]  # fmt: skip
    assert read(name, path)["pvalue"] == pytest.approx(function([1, 2, 4], [3, 5]).pvalue)
    assert "says which values belong together" in refusal(
        "paired-t", path, "--classifier", "group", "--value", "value"
    )


@pytest.mark.parametrize(
    ("word", "method"),
    [("chi-square", "uncorrected"), ("chi2", "uncorrected"), ("Chi-Squared", "uncorrected"),
     ("guess", None),
     ("mid-p", "midp"), ("Mid P", "midp"), ("Exact", "exact"), ("binomial", "exact"),
     ("yates", "corrected"), ("continuity", "corrected"), ("EDWARDS", "edwards")],
)  # fmt: skip
def test_choices_are_written_as_people_write_them(word, method, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "0,1\n" * 9 + "1,0\n" * 3 + "1,1\n0,0\n")
    if method is None:
        assert "expected one of exact" in refusal("mcnemar", path, "--set", f"method={word}")
        return
    want = stats.mcnemar_test([[1, 3], [9, 1]], method=method)
    assert read("mcnemar", path, "--set", f"method={word}")["pvalue"] == pytest.approx(want.pvalue)
