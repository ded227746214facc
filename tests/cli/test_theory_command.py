"""`nettrial theory`: the theorems by command, and RS-C on a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettrial.cli import main
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
    code, _, error = call(capsys, "theory", str(table))
    assert code == 2
    assert "m" in error


def test_settings_that_are_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = call(capsys, "theory", *ONE[:8])
    assert code == 2
    assert "got no m and no links" in error


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


@pytest.mark.parametrize(
    ("name", "same"),
    [("normal", "proportion-z"), ("MAP", "credible"), ("binom.test", "binomial"),
     ("RS-C", "rsc-paired"), ("z-test", "proportion-z"), ("t.test", "paired-t"),
     ("Approximate Normal Test", "proportion-z"), ("McNemar's test", "mcnemar"),
     ("K-fold Cross-Validated Paired t-test", "kfold-t"), ("5x2 cv Paired t-test", "5x2cv-t"),
     ("Wilcoxon Signed Rank Test", "wilcoxon"), ("sign test", "sign")],
)  # fmt: skip
def test_names_of_the_documents_lead_to_tests(
    name: str, same: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "test", name, "--list")[1].startswith(f"{same}:")
