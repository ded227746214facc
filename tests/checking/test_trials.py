"""What single runs and seeds show, and what they do not."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.checking import trials
from nettrial.checking.problem import Problem
from nettrial.core.errors import InputError
from nettrial.splits.base import Split
from unfair_cases import codes, compared, net, rebuilt, rng, rows_of, runs, splits, without


def checked(check: Any) -> set[str]:
    return {each.code for each in check.checked}


def sweep(lead: float) -> dict[str, list[Any]]:
    """Two models with a bad and a good setting, of which the better one has more bad ones."""
    rows = []
    for seed in range(5):
        noise = rng(seed).normal(0, 0.1, 3)
        rows += [("gcn", seed, 0.1, 50 + noise[0]), ("gcn", seed, 0.01, 80 + lead + noise[1]),
                 ("gat", seed, 0.01, 80 + noise[2])]  # fmt: skip
    return {name: [row[k] for row in rows] for k, name in enumerate(("model", "seed", "lr", "acc"))}


def test_a_lead_is_that_of_the_best_settings() -> None:
    assert "NT506" not in codes(nettrial.check(table=sweep(5.0)))
    (close,) = (e for e in nettrial.check(table=sweep(0.0)).problems if e.code == "NT506")
    assert "by 0." in str(close.problem)
    once = {name: cells[:3] for name, cells in sweep(0.0).items()}
    assert "NT506" not in checked(nettrial.check(table=once))  # each setting with one seed


def test_what_is_measured_is_no_setting() -> None:
    table = without(runs(), "split", "lr")
    measured = {"runtime_s": [str(rng(k).random()) for k in range(10)],
                "git_sha": ["a1"] * 4 + ["b2"] + ["c3"] * 5,
                "wattage": [str(50 + rng(k).random()) for k in range(10)]}  # fmt: skip
    assert "NT407" not in checked(nettrial.check(table=table | measured))
    settings = runs(settings={"gcn": 2, "gat": 20}, seeds=1)
    assert "NT407" in codes(nettrial.check(table=settings))


@pytest.mark.slow
def test_kinds_without_their_input_are_not_checked() -> None:
    given = rows_of(lacking=0)
    check = nettrial.check(given["given"], splits=given["splits"], predictions=given["predictions"])
    assert {"NT406", "NT407", "NT408", "NT506"} <= set(check.left_out)
    assert {"NT407", "NT506"} <= set(nettrial.check(
        table={"model": ["gcn", "gat"], "split": [0, 0], "acc": [0.8, 0.9]}).left_out)  # fmt: skip
    assert "NT408" in checked(nettrial.check(compared()))


def test_seeds_with_one_score_are_noted() -> None:
    table = without(runs(), "split", "lr")
    table["test_acc"] = ["81.5"] * 5 + table["test_acc"][5:]
    (note,) = (each for each in nettrial.check(table=table).notes if each.code == "NT406")
    assert note.problem is not None
    assert note.problem.text == "the same score with every training seed: gcn (5 seeds)"
    two = {name: [*cells[:2], *cells[5:7]] for name, cells in table.items()}
    assert "NT406" not in checked(nettrial.check(table=two))  # which chance can meet


def test_counts_of_one_are_singular() -> None:
    table = runs(splits_of={"gcn": 5, "gat": 1})
    said = "".join(each.sentences for each in nettrial.check(table=table).problems)
    assert "gat (1 split, 5 seeds)" in said


@pytest.mark.slow
def test_predictions_with_seeds_are_runs() -> None:
    found, rows = compared().predictions, []
    for seed in range(3):
        for model in found.models:
            for k, split in enumerate(found.splits):
                guessed = found.predicted(model, k).copy()
                guessed[: seed if model == "nbc" else 0] ^= 1
                rows += [(k, seed, node, model, net().classes[c])
                         for node, c in zip(split.test, guessed)]  # fmt: skip
    names = ("split", "seed", "node", "model", "prediction")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    check = nettrial.check(net(), splits=list(found.splits), predictions=table)
    (note,) = (each for each in check.notes if each.code == "NT406")
    assert note.problem is not None
    assert note.problem.text == "the same predictions with every training seed: wvrn"
    assert {"NT305", "NT506"} <= checked(check)


@pytest.mark.slow
def test_models_on_disjoint_splits_are_a_finding() -> None:
    table = rows_of(lacking=0)["predictions"]
    kept = [k for k, (split, model) in enumerate(zip(table["split"], table["model"]))
            if (model == "nbc") == (split > 1)]  # fmt: skip
    table = {name: [cells[k] for k in kept] for name, cells in table.items()}
    check = nettrial.check(net(), splits=splits(net()), predictions=table)
    assert [each.code for each in check.problems] == ["NT305"]
    assert (check.models, "NT401" in check.left_out) == (("wvrn", "nbc"), True)
    assert "no node of splits 0, 1, 2 and 3 is predicted by all models: their" in str(
        check.warnings
    )
    with pytest.raises(nettrial.InputError, match="of all models for the same nodes"):
        nettrial.check(net(), splits=splits(net()), predictions=table, select=["NT403"])


@pytest.mark.slow
@pytest.mark.parametrize("given", [True, False])
def test_a_model_without_a_split_hides_nothing_in_the_others(given: bool) -> None:
    """What is wrong in other splits is found, and measured on these."""
    table = rows_of(lacking=0)["predictions"]
    of = {key: code for *key_, code in zip(*table.values()) if (key := tuple(map(str, key_)))}
    table["prediction"] = [
        of[str(k), str(node), "wvrn"] for k, node in zip(table["split"], table["node"])
    ]
    kept = [k for k, key in enumerate(zip(table["split"], table["model"])) if key != (1, "nbc")]
    table = {name: [cells[k] for k in kept] for name, cells in table.items()}
    mine = splits(net())
    both = [Split(np.append(s.train, s.test[:9]), s.inference, s.test) for s in mine]
    check = nettrial.check(net(), splits=both if given else None, predictions=table)
    assert {"NT305", "NT403"} <= {each.code for each in check.problems}
    assert "no node of split 1 is predicted by all models" in str(check)
    if given:
        (found,) = (each for each in check.checked if each.code == "NT102")
        rest = nettrial.check(net(), splits=[both[k] for k in (0, 2, 3)], predictions={
            name: [cells[i] for i, k in enumerate(table["split"]) if k != 1]
            for name, cells in table.items()
        } | {"split": [k - (k > 1) for k in table["split"] if k != 1]})  # fmt: skip
        (alone,) = (each for each in rest.checked if each.code == "NT102")
        assert found.effect == alone.effect != ""


def test_scales_need_a_factor_of_a_hundred() -> None:
    """Poor, diverged and small scores are no percentages."""

    def problem(*scores: float | str) -> object:
        table = {"model": ["gcn"] * len(scores), "seed": list(map(str, range(len(scores)))),
                 "test_acc": list(map(str, scores))}  # fmt: skip
        return trials.check_scales(trials.runs_of(table), ())

    for scores in ((0.8, 0.1, 0.05), (81.0, 5.0, 2.0), (0.5, 12.0), (0.7, 1e6), (0.9, 1.0),
                   ("81.2%", 0.8), (0.0, 0.0), (-0.5, 0.3)):  # fmt: skip
        assert problem(*scores) is None, scores
    for scores in ((0.8, 81.0, 0.79), (81.0, 0.8, 79.0), (0.9, 100.0), ("81.2%", 81.0)):
        found = problem(*scores)
        assert isinstance(found, Problem), scores
        assert (found.size, found.of) == (1, len(scores))


def dated(values: list[Any]) -> dict[str, Any]:
    made = rebuilt(net(), attributes={"when": values})
    return {"given": made, "splits": splits(made)[:1], "times": "when"}


def test_times_are_read_as_numbers_and_dates(words) -> None:
    """As text, 9 is after 10, and 900 after 1000."""
    split = splits(net())[0]
    when = np.where(np.isin(np.arange(200), split.train), 900, 1000)
    assert "NT206" not in codes(nettrial.check(**dated(when.astype(str).tolist())))
    with words.raises(InputError):
        nettrial.check(**dated([f"{1 + k % 28}.1.2020" for k in range(200)]))


def test_without_times_of_test_nodes_nothing_is_checked(words) -> None:
    split = splits(net())[0]
    when = np.where(np.isin(np.arange(200), split.train), 2000.0, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with words.raises(InputError):
            nettrial.check(**dated(when.tolist()))
        some = np.where(np.arange(200) == split.test[0], 1999.0, when)
        assert "NT206" in codes(nettrial.check(**dated(some.tolist())))


def test_no_column_of_times_is_said_plainly(words) -> None:
    with words.raises(InputError):
        nettrial.check(net(), splits=splits(net()), times="year")


def test_percentages_are_divided_by_100() -> None:
    found = compared().predictions
    percent = {m: tuple(100 * p for p in of) for m, of in found.probabilities.items()}
    check = nettrial.check(replace(found, probabilities=percent), select=["NT404"])
    assert "Percentages, which sum to 100: " in check.problems[0].sentences
    assert "divide percentages by 100" in check.problems[0].advice


def test_a_split_without_test_nodes_names_its_place(words) -> None:
    made = splits(net())[0]
    with words.raises(InputError):
        nettrial.check(net(), splits=[made, replace(made, test=made.test[:0])])
