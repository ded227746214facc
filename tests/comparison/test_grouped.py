"""Grouped items without a network: the same kind of verdict, from the clustered tests."""

from __future__ import annotations

import json

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.stats.cluster_flips import sign_flip_test
from nettrial.stats.clustered import cluster_paired_test
from nettrial.stats.paired import paired_t_test


@pytest.fixture(scope="module")
def items() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Answers to questions of 25 documents; a document is easy or hard as a whole."""
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(25), rng.integers(3, 9, size=25))
    easy = rng.random((2, 25))
    a, b = (rng.random(group.size) < 0.3 + 0.6 * side[group] for side in easy)
    return a.astype(float), b.astype(float), group


def test_the_numbers_are_those_of_the_tests(items: tuple[np.ndarray, ...]) -> None:
    a, b, group = items
    found = nettrial.compare_grouped(a, b, group, seed=3)
    clustered = cluster_paired_test(a, b, group, df="joint")
    assert found.test("cluster_robust_t").pvalue == clustered.pvalue
    assert found.test("cluster_robust_t").ci_low == clustered.ci_low
    assert found.test("cluster_sign_flip").pvalue == sign_flip_test(a, b, group, seed=3).pvalue
    assert found.test("paired_t").pvalue == paired_t_test(a, b).pvalue
    assert found.difference == pytest.approx(a.mean() - b.mean())
    assert found.recommended == "cluster_robust_t"
    assert found.n_groups == 25


def test_swapping_the_models_negates_and_keeps_the_winner(items: tuple[np.ndarray, ...]) -> None:
    a, b, group = items
    one = nettrial.compare_grouped(a, b, group, names=("x", "y"))
    two = nettrial.compare_grouped(b, a, group, names=("y", "x"))
    assert one.difference == pytest.approx(-two.difference)
    for first, second in zip(one.tests, two.tests):
        assert first.estimate == pytest.approx(-second.estimate)
        assert first.pvalue == pytest.approx(second.pvalue, abs=0.02)
    assert one.verdict.split(":")[0] == two.verdict.split(":")[0]


def test_items_in_another_order_and_groups_by_other_names_change_nothing(
    items: tuple[np.ndarray, ...],
) -> None:
    a, b, group = items
    order = np.random.default_rng(0).permutation(a.size)
    one = nettrial.compare_grouped(a, b, group).test("cluster_robust_t")
    two = nettrial.compare_grouped(
        a[order], b[order], [f"document {g}" for g in group[order]]
    ).test("cluster_robust_t")
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-9)


def test_errors_turn_the_verdict_round(items: tuple[np.ndarray, ...]) -> None:
    a, b, group = items
    right = nettrial.compare_grouped(a, b, group)
    wrong = nettrial.compare_grouped(1 - a, 1 - b, group, errors=True)
    assert right.verdict.split(":")[0] == wrong.verdict.split(":")[0]
    assert right.difference == pytest.approx(-wrong.difference)


def test_repeating_every_item_fools_the_paired_test_only(items: tuple[np.ndarray, ...]) -> None:
    a, b, group = items
    one = nettrial.compare_grouped(a, b, group)
    many = nettrial.compare_grouped(*(np.tile(x, 20) for x in items))
    assert many.test("cluster_robust_t").pvalue == pytest.approx(
        one.test("cluster_robust_t").pvalue
    )
    assert many.test("paired_t").pvalue < one.test("paired_t").pvalue / 10


def test_a_clear_difference_is_found_and_told_in_points() -> None:
    group = np.repeat(np.arange(20), 5)
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 100)) < np.array([[0.9], [0.4]])
    found = nettrial.compare_grouped(a, b, group, names=("new", "old"))
    assert found.verdict.startswith("new beats old on groups like these: mean difference ")
    assert (
        "percentage points (new minus old; higher is better), 95% confidence interval"
        in found.verdict
    )
    table = json.loads(found.to_json())
    assert table["verdict"] == found.verdict
    assert {"tests", "warnings", "recommended", "difference", "n_groups"} <= set(table)
    assert str(found).startswith("new beats old")


def test_scores_of_any_scale_are_told_as_they_are() -> None:
    group = np.repeat(np.arange(20), 5)
    rng = np.random.default_rng(0)
    found = nettrial.compare_grouped(rng.normal(size=100) + 250, rng.normal(size=100), group)
    assert "mean difference 250." in found.verdict.replace("249.", "250.")
    assert "points" not in str(found)


def test_scores_of_different_scales_are_told() -> None:
    group = np.repeat(np.arange(20), 5)
    share = np.random.default_rng(0).random(100).round(1)

    def warned(other: np.ndarray) -> str:
        names = ("new", "old")
        first, second = (
            nettrial.compare_grouped(*pair, group, names=each)
            for pair, each in (((share, other), names), ((other, share), names[::-1]))
        )
        assert [*map(str, first.warnings)] == [*map(str, second.warnings)]
        return " ".join(str(first).split())

    note = "the values of new lie in 0 to 1, those of old in {}: if these are {}"
    assert note.format("0 to 100", "percentages, divide them by 100") in warned(100 * share)
    assert note.format("-5 to 5", "logits") in warned(10 * share - 5)
    for same in (share[::-1], share / 100, 1.5 * share):  # rare hits, losses
        assert "values of new" not in warned(same)


def test_few_or_uneven_groups_are_warned_of() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 60))
    few = nettrial.compare_grouped(a, b, np.repeat(np.arange(4), 15))
    assert "only 4 groups" in str(few.warnings[0])
    uneven = nettrial.compare_grouped(a, b, np.r_[np.zeros(40), np.arange(1, 21)])
    assert any("one giant group (0.0) holds 67%" in str(note) for note in uneven.warnings)


@pytest.mark.parametrize("groups", [[1] * 6, [1, 2, 3, 4, 5, 6]])
def test_degenerate_groups_have_no_verdict_or_a_plain_one(groups: list[int]) -> None:
    found = nettrial.compare_grouped([1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1], groups)
    if len(set(groups)) == 1:
        assert found.verdict.startswith("No verdict on A against B")
    assert json.loads(found.to_json())["n_groups"] == len(set(groups))
    assert str(found)


def test_equal_models_do_not_differ() -> None:
    found = nettrial.compare_grouped([1, 0, 1, 1], [1, 0, 1, 1], list("aabb"))
    assert found.difference == 0
    assert found.verdict.startswith("No evidence")


@pytest.mark.parametrize(
    ("a", "b", "groups"),
    [
        ([1, 2], [1], "xy"),
        ([1, 2], [1, 2], "x"),
        ([1, np.nan], [1, 2], "xy"),
        ([1, 2], [np.inf, 2], "xy"),
        ([1, 2], [1, 2], ["x", None]),
        ([1, 2], [1, 2], ["", "y"]),
        (["good", "bad"], [1, 2], "xy"),
        ([1], [1], "x"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    a: list[float], b: list[float], groups: object, words
) -> None:
    with words.raises(InputError):
        nettrial.compare_grouped(a, b, list(groups))
