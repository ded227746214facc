"""`nettrial theory`: the theorems by command, and RS-C on a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.stats import one_sample_t_test, paired_t_test, wilcoxon_test
from nettrial.stats.rsc import rsc_paired_t_test

ONE = ["--p", "0.1", "--q", "0.9", "--rho", "0.2", "--n", "210", "--m", "300", "--links", "1260"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    text = capsys.readouterr()
    return int(stop.value.code or 0), text.out, text.err


def test_the_four_theorems(capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = call(capsys, "theory", *ONE)
    assert code == 0
    for number in ("0.000942857", "0.000191874", "0.000280154", "0.000662703", "95.45"):
        assert number in text


def test_a_table_and_what_no_model_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "settings.csv"
    table.write_text("p,q,rho,n,links\n.1,1,0,210,0\n.9,.1,.2,210,1260\n")
    code, _, error = call(capsys, "theory", str(table), "--m", "300")
    assert code == 2
    assert "row 2: no such model" in error
    table.write_text("p,q,rho,n,links\n.1,1,0,210,0\n.9,.95,.2,210,1260\n")
    found = json.loads(call(capsys, "theory", str(table), "--m", "300", "--json")[1])
    # q = 1: n of m without replacement, with pm errors among them
    assert found["variance_resampled"][0] == pytest.approx(0.1 * 0.9 / 210 * 90 / 299)
    assert found["valid"] == [True, True]
    code, text, error = call(capsys, "theory", str(table))  # without m there is Theorem 1
    assert code == 0
    assert text.splitlines()[0] == "row  Theorem 1  effective n"
    assert "left out without m: Theorem 2, Theorem 3, Theorem 4" in error
    table.write_text("p,q,rho,n,links\n.1,x,0,210,0\n")
    assert (
        "column 'q', row 1: expected a number, got 'x'\n" in call(capsys, "theory", str(table))[2]
    )


def test_settings_that_are_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = call(capsys, "theory", *ONE[:8])
    assert code == 2
    assert "got no m and no links" in error


@pytest.mark.parametrize(
    ("lacks", "shown"),
    [(("q", "m"), "0.000942857  Theorem 1"), (("rho", "links"), "0.000191874  Theorem 2")],
)
def test_a_theorem_takes_its_own_values_only(
    lacks: tuple[str, str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        word
        for name, value in zip(ONE[::2], ONE[1::2])
        if name[2:] not in lacks
        for word in (name, value)
    ]
    code, text, error = call(capsys, "theory", *given)
    assert code == 0
    assert text.count("Theorem") == 1
    assert text.startswith(shown)
    assert f"left out without {' and '.join(lacks)}" in error


def test_what_the_theorems_do_not_expect_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    error = call(capsys, "theory", *ONE, "--p", ".2", "--q", ".1", "--rho", "-.1")[2]
    assert "q is below p" in error
    assert "Theorem 4 is negative" in error


def test_rsc_on_a_table_takes_p_from_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = [0.1, 0.12, 0.09, 0.11, 0.1], [0.13, 0.12, 0.14, 0.11, 0.12]
    table = tmp_path / "rates.csv"
    table.write_text(
        "split,a,b\n" + "".join(f"{i},{x},{y}\n" for i, (x, y) in enumerate(zip(a, b)))
    )
    known = {"n": 210, "m": 300, "links": 1260, "q_a": 0.9, "q_b": 0.8, "rho_a": 0.2, "rho_b": 0.1}
    given = [text for name, value in known.items() for text in ("--set", f"{name}={value}")]
    found = json.loads(call(capsys, "test", "rsc", str(table), *given, "--json")[1])
    means = {"p_a": sum(a) / 5, "p_b": sum(b) / 5}
    assert found["pvalue"] == pytest.approx(rsc_paired_t_test(a, b, **known, **means).pvalue)
    assert "error rate" in found["verdict"]
    assert "counts overlapping test sets as independent" in found["verdict"]
    error = call(capsys, "test", "rsc", str(table), *given, "--set", "p_b=.3")[2]
    assert "p_b = 0.3 is not within what b holds, 0.11 to 0.14" in error
    below = [text.replace("q_a=0.9", "q_a=0.05") for text in given]
    assert "q_a = 0.05 is below p = 0.104" in call(capsys, "test", "rsc", str(table), *below)[2]
    table.write_text("a,b\n.6,.62\n.64,.65\n.63,.62\n")
    assert "the mean of a is 0.6233" in call(capsys, "test", "rsc", str(table), *given)[2]
    table.write_text("accuracy_a,accuracy_b\n.9,.92\n.91,.9\n.93,.9\n")
    code, _, error = call(capsys, "test", "rsc", str(table), *given)
    assert code == 2
    assert "got 'accuracy_a' and 'accuracy_b'; give 1 minus each" in error


def test_a_value_of_one_column_takes_the_test_of_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "a.csv"
    table.write_text("a\n.1\n.12\n.09\n.14\n.13\n")
    a = [0.1, 0.12, 0.09, 0.14, 0.13]
    for name, same, known in (
        ("t.test", "one-sample-t", one_sample_t_test(a, mu=0.1)),
        ("wilcox.test", "wilcoxon", wilcoxon_test(a, 0.1)),
    ):
        words = ("test", name, str(table), "--mu", ".1", "--json")
        _, text, error = call(capsys, *words)
        assert f"{name} is taken as {same}" in error
        assert json.loads(text)["pvalue"] == pytest.approx(known.pvalue)
    assert "mean_average_precision (nettrial measure)" in call(capsys, "test", "MAP", "12", "40")[2]


@pytest.mark.parametrize(
    ("name", "same"),
    [("normal", "proportion-z"), ("MAP", "credible"), ("binom.test", "binomial"),
     ("RS-C", "rsc-paired"), ("z-test", "proportion-z"), ("t.test", "paired-t"),
     ("Approximate Normal Test", "proportion-z"), ("McNemar's test", "mcnemar"),
     ("K-fold Cross-Validated Paired t-test", "kfold-t"), ("5x2 cv Paired t-test", "5x2cv-t"),
     ("Wilcoxon Signed Rank Test", "wilcoxon"), ("sign test", "sign"),
     ("Analysis of Variance", "oneway-anova"), ("anova", "oneway-anova"), ("5x2cv", "5x2cv-t"),
     ("K-fold CV", "kfold-t"), ("confidence interval", "interval"),
     ("credibility interval", "credible"), ("19.10.1", "binomial"), ("19.14.2", "manova")],
)  # fmt: skip
def test_names_of_the_documents_lead_to_tests(
    name: str, same: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "test", name, "--list")[1].startswith(f"{same}:")


def test_choices_and_parameters_as_r_writes_them(words) -> None:
    a, b = [0.1, 0.12, 0.09], [0.13, 0.12, 0.14]
    found = paired_t_test(a, b, alternative="two.sided", conf_level=0.9)
    assert found.to_dict() == paired_t_test(a, b, confidence=0.9).to_dict()
    with words.raises(InputError):
        one_sample_t_test(a, mu=0.1, null_value=0.1)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [((0.1, 0.2), "expected several a, got one number"), ((float("nan"), [1, 2]), "got nan;"),
     ((["x", "yes"], [1, 2]), "they are text"), ((0.1, [1, 2]), "got one number and (2,)")],
)  # fmt: skip
def test_what_is_no_list_of_numbers_is_refused_in_words(wrong: Any, says: str) -> None:
    with pytest.raises(InputError) as refused:
        paired_t_test(*wrong)
    assert says in str(refused.value)
