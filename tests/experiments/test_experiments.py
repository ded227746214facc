"""Running experiments by name: same bits, resuming, files, refusals, the command line."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.experiments import Experiment, experiment, names, run_experiment
from nettrial.experiments.result import statement_rows
from nettrial.experiments.runner import UNITS
from nettrial.experiments.statements import (
    COMPARABLE,
    FALLS,
    MUCH_HIGHER,
    MUCH_LOWER,
    READING,
    RISES,
    TWO_DIGITS,
    WORDS,
    Bounds,
)

QUICK = "ecml11-fig1a"


def equal(a, b):
    pd.testing.assert_frame_equal(a.table, b.table, check_exact=True)


def test_every_name_has_a_complete_experiment():
    assert len(names()) == 22
    for name in names():
        found = experiment(name)
        assert isinstance(found, Experiment)
        assert found.name == name
        # some are our own: there is no published statement to compare with
        assert found.statements or name in (
            "calibration", "halves", "labels", "links", "measures", "regression",
        )  # fmt: skip
        cells = list(found.cells(found.read_options({})))
        assert len({tuple(cell.items()) for cell in cells}) == len(cells) > 0


@pytest.mark.slow
def test_every_cell_of_the_regression_experiment_counts_every_test():
    options = {"halvings": 10, "replicates": 10}
    table = run_experiment("regression", trials=2, options=options).table
    counted = table[table["measure"] == "rejections"]
    assert len(counted) == 6 * 7
    assert (counted["trials"] == 2).all()
    assert (counted["undefined"] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(("judged", "cells", "measures"), [("saved", 9, 20), ("again", 6, 3)])
def test_every_cell_of_the_experiment_on_measures_counts_every_measure(judged, cells, measures):
    options = {"judged": judged, "replicates": 10}
    table = run_experiment("measures", trials=1, options=options).table
    counted = table[table["measure"] == "rejections"]
    assert len(counted) == cells * measures * (5 if judged == "saved" else 1)
    defined = counted[counted["compared by"] != "precision"]  # where the class is predicted at all
    assert (defined["undefined"] == 0).all()


@pytest.mark.slow
def test_same_bits_for_any_number_of_workers():
    one = run_experiment(QUICK, trials=5200, seed=3)
    equal(one, run_experiment(QUICK, trials=5200, seed=3, n_jobs=3))
    assert not one.table.equals(run_experiment(QUICK, trials=5200, seed=4).table)


@pytest.mark.slow
def test_processes_give_the_same_bits():
    from joblib import parallel_config

    one = run_experiment("dietterich", trials=20)
    with parallel_config(backend="loky"):
        equal(one, run_experiment("dietterich", trials=20, n_jobs=2))


@pytest.mark.slow
def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    whole = run_experiment(QUICK, trials=5100, out=tmp_path / "whole")
    lines = (tmp_path / "whole" / UNITS).read_bytes().splitlines(keepends=True)
    part = tmp_path / "part"
    part.mkdir()
    # killed while the fifth unit was written
    (part / UNITS).write_bytes(b"".join(lines[:5]) + lines[5][:40])
    done = []
    from nettrial.experiments import runner

    original = runner._run
    monkeypatch.setattr(runner, "_run", lambda *a: done.append(a[1]) or original(*a))
    equal(whole, run_experiment(QUICK, trials=5100, out=part))
    assert len(done) == len(lines) - 1 - 4
    assert sorted((part / UNITS).read_bytes().splitlines()) == sorted(
        line.strip() for line in lines
    )
    done.clear()
    equal(whole, run_experiment(QUICK, trials=5100, out=part))
    assert not done


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1}, {"trials": 60},
        {"tests": ["wilcoxon"]}, {"options": {"folds": 20}},
    ],
)  # fmt: skip
def test_a_folder_keeps_one_run(tmp_path, change, words):
    run_experiment(QUICK, trials=50, out=tmp_path)
    with words.raises(InputError):
        run_experiment(QUICK, **{"trials": 50, "out": tmp_path, **change})


@pytest.mark.slow
def test_files(tmp_path):
    result = run_experiment(
        QUICK, trials=200, out=tmp_path, tests=["nadeau_bengio", "cluster_robust_t"]
    )
    table = pd.read_csv(tmp_path / "results.csv")
    assert {"experiment", "test", "trials", "rejections", "rate", "low", "high"} <= set(table)
    rates = table[table["measure"] == "rejections"]
    assert (rates["rejections"] / rates["trials"]).tolist() == pytest.approx(rates["rate"].tolist())
    assert ((rates["low"] <= rates["rate"]) & (rates["rate"] <= rates["high"])).all()
    assert set(rates["test"]) == {"paired t", "RS-C paired t", "Nadeau-Bengio", "clustered t"}
    text = (tmp_path / "summary.md").read_text()
    assert text == str(result)
    assert "agrees" in text
    assert "--trials 200 --seed 0 --tests nadeau_bengio --tests cluster" in text
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    first = (tmp_path / "figure.svg").read_bytes()
    run_experiment(QUICK, trials=200, out=tmp_path, tests=["nadeau_bengio", "cluster_robust_t"])
    assert (tmp_path / "figure.svg").read_bytes() == first


def test_refusals(tmp_path):
    for arguments, note in (
        ((["icdm09-fig1x"], {}), "did you mean 'icdm09-fig1.'"),
        (([QUICK], {"tests": ["cluster_robust"]}), "did you mean 'cluster_robust_t'"),
        (([QUICK], {"tests": ["bootstrap"]}), "it needs a network"),
        ((["dietterich"], {"tests": ["cluster_robust_t"]}), "no communities"),
        ((["theory"], {"tests": ["wilcoxon"]}), "variances"),
        ((["icdm09-table1"], {"tests": ["wilcoxon"]}), "models are not compared"),
        ((["folds"], {"options": {"redraw": "never"}}), "option redraw"),
        (([QUICK], {"options": {"folds": "many"}}), "option folds"),
        (([QUICK], {"options": {"networks": "four"}}), "option of ecml11-fig1a"),
        (([QUICK], {"options": {"redraw": "fold"}}), "runs every value; .*fold, trial"),
        ((["icdm09-fig1a"], {"options": {"groups": "skewed"}}), "equal, skewed"),
        (([QUICK], {"trials": 0}), "trials"),
        ((["icdm09-fig1f"], {"options": {"folder": str(tmp_path)}}), "at least 2"),
        ((["icdm09-fig1f"], {"options": {"folder": str(tmp_path / "no")}}), "is no folder"),
    ):
        with pytest.raises(InputError, match=note):
            run_experiment(*arguments[0], **arguments[1])


@pytest.mark.slow
def test_command_line(tmp_path, capsys):
    assert run_cli(["experiment", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in names())
    listed = " ".join(listed.split())
    assert "--tests cluster_robust_t, cluster_sign_flip, rsc_paired, rsc_unpaired" in listed
    assert run_cli(["experiment", QUICK, "--trials", "50", "--out", str(tmp_path / "x"),
                    "--option", "folds=12",
                    "--tests", "wilcoxon,cluster_robust_t"]) == 0  # fmt: skip
    assert "Wilcoxon" in capsys.readouterr().out
    assert json.loads((tmp_path / "x" / UNITS).read_bytes().splitlines()[0])["trials"] == 50
    for wrong in (["experiment"], ["experiment", QUICK, "--option", "redraw"]):
        assert run_cli(wrong) == 2


def run_cli(arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return stop.value.code


def rate(result, **where):
    table = result.table[result.table["measure"] == "rejections"]
    for column, value in where.items():
        table = table[table[column] == value]
    (found,) = table["rate"]
    return found


# rates of an independent implementation and its trials
@pytest.mark.parametrize(("splits", "expected"), [(10, 0.00), (30, 0.07), (100, 0.33)])
def test_rsc_loses_its_level_as_splits_grow(splits, expected, folds_run):
    measured = rate(folds_run, test="RS-C paired t", splits=splits, labeled=0.1)
    spread = max(expected * (1 - expected), 0.01)
    assert abs(measured - expected) < 4.9 * np.sqrt(spread * (1 / 150 + 1 / 1500)) + 0.005


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labeled", "expected"), [(0.1, 0.69), (0.3, 0.61), (0.5, 0.44), (0.7, 0.30), (0.9, 0.11)]
)
def test_failing_groups_that_stay(labeled, expected):
    result = run_experiment(QUICK, trials=1500, seed=2)
    measured = rate(result, design="RRS", test="paired t", labeled=labeled, redraw="trial")
    error = np.sqrt(expected * (1 - expected) * (1 / 150 + 1 / 1500))
    assert abs(measured - expected) < 4.9 * error + 0.005
    where = {"design": "NCV", "test": "paired t", "labeled": labeled}
    assert rate(result, redraw="trial", **where) < 0.08


@pytest.mark.slow
def test_every_reading_of_rsc_is_judged_in_both_worlds():
    result = run_experiment("ecml11-fig1b", trials=1000, seed=4)
    counted = result.table[result.table["test"] == "RS-C paired t"]
    assert len(counted) == 2 * 8 * 9
    where = {"test": "RS-C paired t", "rho": "pooled", "q": "moment", "difference": 0.04}
    # an independent simulation: 0.587 of 1,500 trials where groups fail for a fold
    assert rate(result, redraw="fold", **where) == pytest.approx(0.6, abs=0.1)
    assert rate(result, redraw="trial", **where) == pytest.approx(0.107, abs=0.05)


def test_what_was_published_about_other_data_has_no_verdict():
    found = run_experiment("ecml11-fig3b", trials=6, options={"repeats": 2})
    assert {row[4] for row in statement_rows(found)} == {"other data"}
    (much,) = (row for row in statement_rows(found))
    assert much[2] == "at least 2"
    for name in ("icdm09-fig1f", "ecml11-fig3a", "ecml11-fig3b", "icdm09-table1"):
        assert {statement.mark for statement in experiment(name).statements} == {"other data"}


@pytest.mark.slow
def test_published_numbers_of_networks_that_are_not_there_have_no_row():
    rows = statement_rows(run_experiment("icdm09-table1", trials=1))
    assert "not run" not in {row[4] for row in rows}


PUBLISHED = [
    statement
    for name in names()
    for statement in experiment(name).statements
    if statement.mark != "own result"
]


@pytest.mark.parametrize("statement", PUBLISHED, ids=lambda each: each.full[:60])
def test_every_bound_is_one_of_the_table_of_words(statement):
    bounds = (statement.at_least, statement.at_most)
    said = [
        words.partition(" (")[0].split(", ")
        for words, _, allowed in WORDS
        if allowed == {k: v for k, v in zip(("at_least", "at_most"), bounds) if np.isfinite(v)}
    ]
    middle = sum(bounds) / 2
    if any(word in statement.text for words in said for word in words):
        return
    if np.isinf(middle):  # a number with a word before it
        number = max(b for b in bounds if np.isfinite(b))
        assert re.search(r"at most|at least|less than|more than|larger than", statement.text)
        numbers = {f"{number:g}", f"{number:.0%}"} | ({"half"} if number == 0.5 else set())
        assert any(each in statement.text for each in numbers)
        return
    assert bounds[1] - middle == pytest.approx(READING) or bounds[1] - middle == pytest.approx(
        TWO_DIGITS
    )
    shown = {f"{middle:g}", f"{middle:.2f}", f"{middle:.0%}", f"{1 - middle:.0%}"}
    assert any(each in statement.text for each in shown)


def test_bounds_are_the_same_factor_in_both_directions():
    assert MUCH_LOWER["at_most"] * MUCH_HIGHER["at_least"] == 1
    assert FALLS["at_most"] * RISES["at_least"] == pytest.approx(1)
    both = Bounds(at_least=MUCH_LOWER["at_most"], at_most=MUCH_HIGHER["at_least"])
    assert both == COMPARABLE


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
def test_labels_by_whole_communities_leave_more_correlated_errors():
    table = run_experiment("labels", trials=6, options={"calibration": 3}).table
    phi = table[table["measure"] == "error correlation of wvrn"]
    phi = phi[(phi["inference"] == "relaxation") & (phi["labeled"] == 0.3)].set_index("labels")
    assert phi["mean"]["whole communities"] > phi["mean"]["at random"]
    counted = table[table["measure"] == "rejections"]
    assert set(counted["perturbed"]) == {"turned", "moved"}
    assert (counted["undefined"] == 0).mean() > 0.9
    judged = [statement.judge(table) for statement in experiment("labels").statements]
    assert len(judged) == 4 * 4 + 2
    assert all(verdict == "own result" for _, verdict in judged)
    assert all(
        statement.allowed in ("0.5 to 2", "at most 0.05")
        for statement in experiment("labels").statements
    )


@pytest.mark.slow
def test_figure_1a_has_groups_of_both_kinds_and_a_statement_of_the_skewed():
    chosen = experiment("icdm09-fig1a")
    table = run_experiment(chosen.name, trials=600, seed=2).table
    assert set(table["groups"]) == {"equal", "skewed"}
    judged = {s.what: s.judge(table) for s in chosen.statements if "skewed" in s.text}
    assert len(judged) == 3 + 5
    assert judged["mean rate of RRS, skewed over equal groups"][1] == "differs"
    assert "not run" not in {verdict for _, verdict in judged.values()}


@pytest.fixture(scope="module")
def folds_run():
    return run_experiment("folds", trials=1500, seed=5)


@pytest.mark.slow
def test_theorems_hold():
    result = run_experiment("theory", trials=1000, seed=1)
    for statement in result.experiment.statements:
        found, verdict = statement.judge(result.table)
        assert verdict == "agrees", (statement.text, found)
        assert found.number > 1  # 150 cells cannot all hit


@pytest.mark.slow
def test_independent_instances():
    result = run_experiment("dietterich", trials=1500, seed=1, tests=["5x2cv F"])
    fresh = {"training sd": 0.0, "q": 0.1}
    # errors drawn anew for each test are independent over splits: the level is held
    for test in ("resampled t", "10-fold t"):
        assert rate(result, test=test, **fresh) == pytest.approx(0.05, abs=0.028)
    assert rate(result, test="resampled t", **{"training sd": 0.0, "q": 1.0}) > 0.5
    difference = result.table[result.table["measure"] == "mean difference"]
    distance = difference["mean"] / (difference["high"] - difference["low"]) * 2 * 1.96
    assert distance.abs().max() < 4.9
