"""Many trials in one call are the trials one by one, for every test that takes a whole table."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from nettrial import stats
from nettrial.core.errors import InputError

GROUPS = np.repeat([1, 2, 3], 4)
BLOCKS = np.tile([1, 2, 3, 4], 3)
NAMES = ["wvrn", "nbc", "gcn"]


def tables(rng: np.random.Generator, *shape: int) -> tuple[np.ndarray]:
    return (np.round(rng.normal(0.2, 0.05, shape), 2),)  # two digits, so that ranks tie


def two(rng: np.random.Generator, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    return tables(rng, *shape)[0], tables(rng, *shape)[0]


def unpaired(rng: np.random.Generator, *leading: int) -> tuple[np.ndarray, ...]:
    sizes = (5, 4, 6)
    return tuple(np.round(rng.normal(i / 2, 1 + i, (*leading, n)), 1) for i, n in enumerate(sizes))


def ranking(rng: np.random.Generator, *leading: int) -> tuple[np.ndarray, ...]:
    labels = rng.random((*leading, 12)) < 0.4
    labels[..., :4] = [False, False, True, True]
    return labels, *np.round(rng.normal(size=(2, *leading, 12)), 1)


def on_groups(test: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return lambda *groups: test(groups, **options)


def manova(statistic: str, **options: Any) -> Callable[..., Any]:
    return partial(stats.manova_test, groups=GROUPS, statistic=statistic, **options)


Draw = Callable[..., tuple[np.ndarray, ...]]
CASES: dict[str, tuple[Callable[..., Any], Draw]] = {
    "hotelling paired": (stats.hotelling_paired_test, lambda r, *t: two(r, *t, 8, 3)),
    "hotelling two": (
        stats.hotelling_two_sample_test,
        lambda r, *t: (*tables(r, *t, 6, 3), *tables(r, *t, 5, 3)),
    ),
    "pillai": (manova("pillai"), lambda r, *t: tables(r, *t, 12, 2)),
    "wilks": (manova("wilks", blocks=BLOCKS), lambda r, *t: tables(r, *t, 12, 3)),
    "mckeon": (manova("hotelling-lawley"), lambda r, *t: tables(r, *t, 12, 3)),
    "pillai-samson": (
        manova("hotelling-lawley", approximation="pillai-samson"),
        lambda r, *t: tables(r, *t, 12, 3),
    ),
    "roy": (manova("roy"), lambda r, *t: tables(r, *t, 12, 2)),
    "nemenyi": (partial(stats.nemenyi_test, names=NAMES), lambda r, *t: tables(r, *t, 7, 3)),
    "control": (
        partial(stats.control_comparisons, control=1, adjustment="holm"),
        lambda r, *t: tables(r, *t, 7, 4),
    ),
    "siegel": (partial(stats.siegel_test, names=NAMES), lambda r, *t: tables(r, *t, 7, 3)),
    "conover": (stats.conover_test, lambda r, *t: tables(r, *t, 7, 4)),
    "quade": (stats.quade_test, lambda r, *t: tables(r, *t, 7, 4)),
    "quade pairs": (stats.quade_comparisons, lambda r, *t: tables(r, *t, 7, 4)),
    "exact friedman": (
        partial(stats.friedman_test, method="exact"),
        lambda r, *t: tables(r, *t, 5, 3),
    ),
    "paired pairs": (stats.paired_comparisons, lambda r, *t: tables(r, *t, 6, 4)),
    "paired pairs, one each": (
        partial(stats.paired_comparisons, adjustment="none"),
        lambda r, *t: tables(r, *t, 6, 3),
    ),
    "dunn": (on_groups(stats.dunn_test, names=NAMES), unpaired),
    "tukey": (on_groups(stats.tukey_hsd), unpaired),
    "games-howell": (on_groups(stats.games_howell), unpaired),
    "delong": (partial(stats.delong_test, alternative="greater"), ranking),
    "random effects": (
        partial(stats.random_effects, alternative="less"),
        lambda r, *t: (*tables(r, *t, 5), r.uniform(0.02, 0.08, (*t, 5))),
    ),
    "bayesian signed rank": (
        partial(stats.bayesian_signed_rank_test, rope=0.01, n_samples=300, seed=4),
        lambda r, *t: two(r, *t, 9),
    ),
    "bayesian sign": (partial(stats.bayesian_sign_test, rope=0.02), lambda r, *t: two(r, *t, 9)),
    "bayesian sign, no rope": (stats.bayesian_sign_test, lambda r, *t: two(r, *t, 9)),
}


def numbers(result: Any) -> dict[str, Any]:
    """Give all that a result says in numbers, details included."""
    fields = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    fields |= dict(fields.pop("details", {}))
    ranks = fields.get("mean_ranks")
    if isinstance(ranks, dict):
        fields |= {f"rank of {k}": v for k, v in fields.pop("mean_ranks").items()}
    return {name: value for name, value in fields.items() if name != "notes"}


def assert_is_trial(many: Any, one: Any, trial: tuple[int, ...], leading: tuple[int, ...]) -> None:
    together, alone = numbers(many), numbers(one)
    assert together.keys() == alone.keys()
    stacked = 0
    for name, value in alone.items():
        whole = together[name]
        if isinstance(whole, np.ndarray) and whole.shape[: len(leading)] == leading:
            stacked += 1
            whole = whole[trial]
        if np.asarray(value).dtype.kind in "bif":
            np.testing.assert_allclose(whole, value, rtol=1e-9, atol=1e-12, err_msg=name)
        else:
            assert whole == value, name
    assert stacked >= 4


@pytest.mark.parametrize("name", CASES)
def test_leading_axes_are_the_loop(name):
    test, draw = CASES[name]
    arrays = draw(np.random.default_rng(5), 2, 3)
    many = test(*arrays)
    for trial in np.ndindex(2, 3):
        assert_is_trial(many, test(*(array[trial] for array in arrays)), trial, (2, 3))
    assert str(many)
    json.dumps(many.to_dict(), allow_nan=False)
    pairs = many.estimate.shape[-1] if isinstance(many, stats.Comparisons) else 1
    assert len(many.to_frame()) == 6 * pairs


@pytest.mark.parametrize("name", CASES)
def test_no_trials_give_no_results(name):
    test, draw = CASES[name]
    many = test(*draw(np.random.default_rng(5), 0))
    value = many.pvalue if hasattr(many, "pvalue") else many.prob_less
    assert value.shape[0] == 0


@pytest.mark.parametrize(
    ("test", "draw"),
    [
        (stats.tukey_hsd, unpaired),
        (stats.games_howell, unpaired),
        (stats.dunn_test, unpaired),
        (stats.oneway_anova, unpaired),
        (stats.kruskal_wallis_test, unpaired),
    ],
)
def test_observations_of_groups_lie_along_the_axis(test, draw):
    groups = draw(np.random.default_rng(8), 3)
    last, first = test(groups), test([group.T for group in groups], axis=0)
    np.testing.assert_array_equal(first.pvalue, last.pvalue)
    np.testing.assert_array_equal(first.ci_low, last.ci_low)


@pytest.mark.parametrize(
    ("test", "options"),
    [
        (stats.delong_test, {}),
        (stats.bayesian_sign_test, {}),
        (lambda a, b, **axis: stats.random_effects(a, np.abs(b) + 1, **axis), {}),
        (stats.bayesian_signed_rank_test, {"n_samples": 50}),
    ],
)
def test_observations_of_pairs_lie_along_the_axis(test, options):
    arrays = ranking(np.random.default_rng(8), 3)
    arrays = arrays if test is stats.delong_test else arrays[1:]
    last = test(*arrays, **options)
    first = test(*(array.T for array in arrays), axis=0, **options)
    for name, value in numbers(last).items():
        np.testing.assert_array_equal(numbers(first)[name], value, err_msg=name)


def test_labels_of_each_trial_or_of_all():
    rng = np.random.default_rng(3)
    labels, a, b = ranking(rng, 4)
    one_list = stats.delong_test(labels[0], a, b)
    each = stats.delong_test(np.tile(labels[0], (4, 1)), a, b)
    np.testing.assert_array_equal(one_list.pvalue, each.pvalue)
    assert isinstance(one_list.details["positives"], int)
    names = np.where(labels, "fraud", "fine")
    named = stats.delong_test(names, a, b, positive="fraud")
    np.testing.assert_array_equal(named.pvalue, stats.delong_test(labels, a, b).pvalue)
    labels[2] = False
    lacking = stats.delong_test(labels, a, b)
    assert list(lacking.degenerate) == [False, False, True, False]
    assert np.isnan(lacking.pvalue[2])
    assert "0 positives, 12 negatives (trial (2,), 1 such trials)" in lacking.notes[0]


def test_one_table_without_rank_among_many_is_named(words):
    rng = np.random.default_rng(2)
    (a, b), (values,) = two(rng, 5, 8, 2), tables(rng, 5, 12, 2)
    a[3], b[3] = 0.1, 0.2
    for test in (stats.hotelling_paired_test, stats.hotelling_two_sample_test):
        with words.raises(InputError):
            test(a, b)
    values[1:3, :, 1] = 2 * values[1:3, :, 0]
    with words.raises(InputError):
        stats.manova_test(values, GROUPS)
    with words.raises(InputError):
        stats.hotelling_two_sample_test(np.ones((2, 5, 2)), np.ones((3, 5, 2)))


def test_constant_differences_of_one_table_leave_the_others_alone():
    (values,) = tables(np.random.default_rng(2), 3, 6, 3)
    values[1, :, 1] = values[1, :, 0] + 0.01
    values[2] *= 1e6  # the size of one table is no rounding of another
    result = stats.paired_comparisons(values)
    assert np.argwhere(result.degenerate).tolist() == [[1, 0]]
    assert np.isnan(result.adjusted_pvalue[1, 0])
    alone = stats.paired_comparisons(values[2])
    np.testing.assert_allclose(result.adjusted_pvalue[2], alone.adjusted_pvalue, rtol=1e-12)


def test_many_families_of_pairs_as_a_table():
    (values,) = tables(np.random.default_rng(2), 2, 5, 6, 3)
    result = stats.paired_comparisons(values, names=NAMES)
    frame = result.to_frame()
    assert frame["family"].tolist() == np.repeat(np.arange(10), 3).tolist()
    one = frame[(frame["family"] == 7) & (frame["first"] == "wvrn") & (frame["second"] == "gcn")]
    assert one["pvalue"].item() == result.pvalue[1, 2, 1]
    assert "<td>wvrn</td>" in result._repr_html_()


def test_many_tests_have_one_row_each_whatever_their_details():
    a, b = two(np.random.default_rng(2), 3, 5, 2)
    many = stats.cv5x2_t_test(a, b)
    assert any(np.size(value) > 3 for value in many.details.values())
    frame = many.to_frame()
    np.testing.assert_array_equal(frame["pvalue"].to_numpy(), many.pvalue)
    assert len(stats.cv5x2_t_test(a[0], b[0]).to_frame()) == 1
    assert len(stats.random_effects(a[0, :, 0], b[0, :, 0]).to_frame()) == 1


def test_games_howell_of_many_trials_reads_the_same_quantiles_from_a_series():
    groups = unpaired(np.random.default_rng(6), 40)
    many = stats.games_howell(groups)
    for trial in (0, 17, 39):
        alone = stats.games_howell([group[trial] for group in groups])
        np.testing.assert_allclose(many.ci_low[trial], alone.ci_low, rtol=1e-11)
        np.testing.assert_allclose(many.adjusted_pvalue[trial], alone.adjusted_pvalue, rtol=1e-11)
