"""Solved powers, AUCs of different observations and scikit-learn's results, by other programs."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from sklearn import metrics as sklearn_metrics

from nettrial import stats
from nettrial.core.errors import InputError


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("n", [5, 20, 100])
def test_solved_effects_and_levels_equal_statsmodels(n, alternative):
    power = pytest.importorskip("statsmodels.stats.power")
    name = {"two-sided": "two-sided", "greater": "larger"}[alternative]
    paired, two = power.TTestPower(), power.TTestIndPower()
    effect = stats.t_effect_size(n, power=0.7, alternative=alternative).details["effect_size"]
    assert paired.power(effect, n, 0.05, alternative=name) == pytest.approx(0.7, rel=1e-9)
    found = stats.t_effect_size(n, n_b=2 * n, design="two-sample", alternative=alternative)
    effect = found.details["effect_size"]
    assert two.power(effect, n, 0.05, ratio=2, alternative=name) == pytest.approx(0.8, rel=1e-9)
    assert found.power == pytest.approx(0.8, rel=1e-9)
    found = stats.t_alpha(0.4, n, power=0.6, alternative=alternative)
    assert paired.power(0.4, n, found.alpha, alternative=name) == pytest.approx(0.6, rel=1e-9)


def test_what_cannot_be_solved_is_refused(words):
    assert stats.t_effect_size(20, alternative="less").details["effect_size"] < 0
    with words.raises(InputError):
        stats.t_effect_size(20, power=0.04)
    with words.raises(InputError):
        stats.t_alpha(-5.0, 20, alternative="greater")


def placement_variance(labels: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    """Return the AUC and DeLong's variance from all pairs."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    above, below = wins.mean(axis=1), wins.mean(axis=0)
    variance = above.var(ddof=1) / above.size + below.var(ddof=1) / below.size
    return float(wins.mean()), float(variance)


def test_unpaired_aucs_are_compared_by_the_variances_of_all_pairs():
    random = np.random.default_rng(0)
    (la, sa), (lb, sb) = (
        (random.integers(0, 2, n), random.integers(0, 30, n) / 10) for n in (60, 45)
    )
    found = stats.delong_unpaired_test(la, sa, lb, sb)
    (auc_a, var_a), (auc_b, var_b) = placement_variance(la, sa), placement_variance(lb, sb)
    z = (auc_a - auc_b) / np.sqrt(var_a + var_b)
    assert found.statistic == pytest.approx(z, rel=1e-12)
    assert found.pvalue == pytest.approx(2 * scipy_stats.norm.sf(abs(z)), rel=1e-12)
    half = scipy_stats.norm.ppf(0.975) * np.sqrt(var_a + var_b)
    ends = (auc_a - auc_b - half, auc_a - auc_b + half)
    assert (found.ci_low, found.ci_high) == pytest.approx(ends, rel=1e-12)
    same = stats.delong_unpaired_test([0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1], [1, 2, 3, 4])
    assert same.degenerate
    assert same.pvalue == 1


def test_searches_and_cross_validations_of_scikit_learn_are_compared(words):
    selection = pytest.importorskip("sklearn.model_selection")
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    x, y = make_classification(150, random_state=0)
    folds = selection.KFold(5)
    tree = selection.GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]},
                                  cv=folds).fit(x, y)  # fmt: skip
    line = selection.cross_validate(LogisticRegression(), x, y, cv=folds)
    found = stats.compare_cv_results(tree.cv_results_, line)
    own = selection.cross_val_score(tree.best_estimator_, x, y, cv=folds)
    difference = own - line["test_score"]
    t = difference.mean() / np.sqrt((1 / 5 + 0.2 / 0.8) * difference.var(ddof=1))
    assert found.statistic == pytest.approx(t, rel=1e-12)
    assert found.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), 4), rel=1e-12)
    with words.raises(InputError):
        stats.compare_cv_results(tree.cv_results_, line, score="accuracy")
    with words.raises(InputError):
        stats.compare_cv_results({"test_score": [0.1, 0.2]}, line)


def within_rows(table: np.ndarray) -> list[np.ndarray]:
    """Return the table with each row in every order, NaN staying where they are."""
    rows = []
    for values in table:
        there = np.flatnonzero(~np.isnan(values))
        orders = []
        for order in permutations(there):
            moved = np.full(values.size, np.nan)
            moved[there] = values[list(order)]
            orders.append(moved)
        rows.append(orders)
    return [np.array(one) for one in product(*rows)]


def quadratic_form(sums: np.ndarray) -> float:
    """Return the first row of sums against the covariance of all of them."""
    moved = sums - sums.mean(axis=0)
    return float(moved[0] @ np.linalg.pinv(moved.T @ moved / len(moved)) @ moved[0])


@pytest.mark.parametrize("decimals", [1, 3])
def test_aligned_ranks_by_the_covariance_over_all_orders(decimals):
    random = np.random.default_rng(decimals)
    for _ in range(5):
        table = random.random((4, 3)).round(decimals)
        aligned = (3 * table - table.sum(axis=1, keepdims=True)).round(decimals)
        ranked = scipy_stats.rankdata(aligned).reshape(table.shape)
        sums = np.array([moved.sum(axis=0) for moved in within_rows(ranked)])
        found = stats.aligned_friedman_test(table)
        assert found.statistic == pytest.approx(quadratic_form(sums), rel=1e-10)
        assert found.pvalue == pytest.approx(scipy_stats.chi2.sf(found.statistic, 2), rel=1e-12)
        assert stats.aligned_friedman_test(-table, higher_is_better=True) == found


@pytest.mark.slow
def test_skillings_and_mack_by_the_covariance_over_all_orders():
    random = np.random.default_rng(1)
    for _ in range(5):
        table = random.random((4, 4))
        table[0, 1] = table[2, 3] = table[2, 0] = np.nan
        table = table.round(6)

        def sums(moved: np.ndarray) -> np.ndarray:
            total = np.zeros(4)
            for values in moved:
                there = ~np.isnan(values)
                size = there.sum()
                placed = scipy_stats.rankdata(values[there]) - (size + 1) / 2
                total[there] += placed * np.sqrt(12 / (size + 1))
            return total

        every = np.array([sums(moved) for moved in within_rows(table)])
        found = stats.skillings_mack_test(table)
        assert found.statistic == pytest.approx(quadratic_form(every), rel=1e-9)
        assert found.details["n_missing"] == 3


def test_skillings_and_mack_is_friedmans_test_where_nothing_is_missing(words):
    table = np.random.default_rng(2).random((9, 4))
    found, friedman = stats.skillings_mack_test(table), scipy_stats.friedmanchisquare(*table.T)
    assert found.statistic == pytest.approx(friedman.statistic, rel=1e-10)
    assert found.pvalue == pytest.approx(friedman.pvalue, rel=1e-10)
    with words.raises(InputError):
        stats.skillings_mack_test([[1, 2, np.nan, np.nan], [np.nan, np.nan, 1, 2]])


def exhaustive(k: int) -> list[set[int]]:
    """Return the sets of pairs that can be exactly the true ones, from all sets of pairs."""
    pairs = list(combinations(range(k), 2))
    found = []
    for size in range(1, len(pairs) + 1):
        for chosen in combinations(range(len(pairs)), size):
            alike = {pairs[i] for i in chosen}
            closed = all(
                (a, c) in alike
                for (a, b) in alike | {(y, x) for x, y in alike}
                for (d, c) in alike | {(y, x) for x, y in alike}
                if b == d and a < c
            )
            if closed:
                found.append(set(chosen))
    return found


@pytest.mark.parametrize("k", [3, 4])
def test_adjustments_of_all_pairs_by_all_sets_of_hypotheses(k, words):
    random, sets = np.random.default_rng(k), exhaustive(k)
    sizes = {0} | {len(one) for one in sets}
    m = k * (k - 1) // 2
    for _ in range(20):
        p = random.random(m) ** 3
        wanted = [max(len(s) * min(p[list(s)]) for s in sets if i in s) for i in range(m)]
        found = stats.adjust_pairs(p, method="bergmann-hommel")
        np.testing.assert_allclose(found, np.minimum(wanted, 1), rtol=1e-12)
        factor = [max(s for s in sizes if s <= m - i) for i in range(m)]
        step = np.minimum(np.maximum.accumulate(np.sort(p) * factor), 1)
        np.testing.assert_allclose(np.sort(stats.adjust_pairs(p)), step, rtol=1e-12)
        assert (stats.adjust(p, method="holm") >= stats.adjust_pairs(p) - 1e-15).all()
    table = random.random((2, 8, k))
    for method in ("shaffer", "bergmann-hommel"):
        found = stats.siegel_test(table, adjustment=method)
        wanted = [stats.adjust_pairs(p, method=method) for p in found.pvalue]
        np.testing.assert_array_equal(found.adjusted_pvalue, wanted)
    with words.raises(InputError):
        stats.adjust_pairs([0.1, 0.2])
    with pytest.raises(InputError, match="use 'shaffer'"):
        stats.adjust_pairs([0.5] * 45, method="bergmann-hommel")
    assert stats.adjust_pairs([0.01] * 45).max() <= 0.45


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_two_samples_by_all_deals(alternative):
    random = np.random.default_rng(4)
    for _ in range(10):
        a, b = random.integers(0, 9, 5) / 10, random.integers(0, 9, 4) / 10
        whole = np.rint(10 * np.concatenate([a, b])).astype(int)
        deals = [(9 * sum(whole[list(c)]) - 5 * sum(whole)) for c in combinations(range(9), 5)]
        seen = 9 * sum(whole[:5]) - 5 * sum(whole)
        extreme = {
            "two-sided": np.abs(deals) >= abs(seen),
            "less": np.array(deals) <= seen,
            "greater": np.array(deals) >= seen,
        }[alternative]
        found = stats.two_sample_permutation_test(a, b, alternative=alternative)
        assert found.pvalue == pytest.approx(extreme.mean(), rel=1e-12)
        assert found.details["n_resamples"] == len(deals) - 1


def test_two_samples_by_a_statistic_of_ones_own_and_by_random_deals(words):
    a, b = np.random.default_rng(5).normal(0, 1, (2, 30))
    means = stats.two_sample_permutation_test(a, b, n_resamples=999, seed=3)
    assert means.pvalue == pytest.approx(scipy_stats.ttest_ind(a, b).pvalue, abs=0.05)
    own = stats.two_sample_permutation_test(
        a, b + 3, statistic=lambda x, y: float(np.median(x) - np.median(y)), n_resamples=199
    )
    assert own.estimate == pytest.approx(np.median(a) - np.median(b + 3))
    assert own.pvalue == pytest.approx(2 / 200)
    # a statistic sees the values where they lie
    ratio = stats.two_sample_permutation_test(
        a + 9, b + 6, statistic=lambda x, y: float(np.mean(x) / np.mean(y)), n_resamples=9
    )
    assert ratio.estimate == np.mean(a + 9) / np.mean(b + 6)
    with words.raises(InputError):
        stats.two_sample_permutation_test(a, b, statistic=lambda x, y: x)
    same = stats.two_sample_permutation_test([0.3, 0.3], [0.3, 0.3])
    assert same.degenerate
    assert same.pvalue == 1


def test_results_unpack_into_statistic_and_p():
    statistic, pvalue = stats.paired_t_test([1, 2, 4], [1, 1, 2])
    expected = scipy_stats.ttest_rel([1, 2, 4], [1, 1, 2])
    assert (statistic, pvalue) == pytest.approx(tuple(expected))
    statistic, pvalue = stats.oneway_anova({"a": [1, 2, 4], "b": [3, 5, 9]})
    assert pvalue == pytest.approx(scipy_stats.f_oneway([1, 2, 4], [3, 5, 9]).pvalue)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", [stats.permutation_test, stats.bootstrap_test])
def test_the_mean_as_a_statistic_of_ones_own_is_the_test_of_the_mean(test, alternative):
    d = np.random.default_rng(6).normal(0.3, 1, 12).round(2)
    given = {"n_resamples": 499, "seed": 2, "alternative": alternative}
    own = test(d, statistic=lambda x: float(np.mean(x)), **given)
    wanted = test(d, **given)
    assert own.pvalue == pytest.approx(wanted.pvalue, rel=1e-12)
    assert own.estimate == pytest.approx(wanted.estimate, rel=1e-12)
    if test is stats.bootstrap_test:
        assert (own.ci_low, own.ci_high) == pytest.approx((wanted.ci_low, wanted.ci_high))


def test_the_median_as_a_statistic_by_all_flips():
    d = np.array([0.3, -0.1, 0.4, 0.2, 0.6])
    found = stats.permutation_test(d, statistic=np.median)
    flips = [np.median(d * signs) for signs in product((1, -1), repeat=5)]
    assert found.pvalue == pytest.approx(np.mean(np.abs(flips) >= 0.3 - 1e-12))
    several = stats.permutation_test(np.array([d, -d]), statistic=np.median)
    np.testing.assert_allclose(several.pvalue, found.pvalue)


@pytest.mark.slow
@pytest.mark.parametrize(("average", "theirs"), [("one-vs-rest", "ovr"), ("one-vs-one", "ovo")])
def test_mean_aucs_of_several_classes_by_the_jackknife(average, theirs):
    random, k, n = np.random.default_rng(7), 3, 40
    truth = random.integers(0, k, n)
    sizes = np.bincount(truth)
    logits = random.normal(size=(2, n, k)).round(1)
    logits[:, np.arange(n), truth] += [[1.2], [0.7]]
    a, b = np.exp(logits) / np.exp(logits).sum(axis=2, keepdims=True)
    found = stats.delong_multiclass_test(truth, a, b, average=average)
    means = [sklearn_metrics.roc_auc_score(truth, p, multi_class=theirs) for p in (a, b)]
    assert [found.details["auc_a"], found.details["auc_b"]] == pytest.approx(means)

    def difference(kept):
        """The mean with the weights of all cases, from those kept."""
        total = 0.0
        for c, d in permutations(range(k), 2):
            weight = sizes[d] / (k * (n - sizes[c])) if theirs == "ovr" else 1 / (k * (k - 1))
            some = kept & ((truth == c) | (truth == d))
            total += weight * (
                sklearn_metrics.roc_auc_score(truth[some] == c, a[some, c])
                - sklearn_metrics.roc_auc_score(truth[some] == c, b[some, c])
            )
        return total

    everyone, without = difference(np.ones(n, bool)), 1 - np.eye(n)
    pseudo = np.array([difference(row == 1) for row in without])
    pseudo = sizes[truth] * everyone - (sizes[truth] - 1) * pseudo
    variance = sum(pseudo[truth == g].var(ddof=1) / sizes[g] for g in range(k))
    assert found.estimate == pytest.approx(everyone)
    assert found.standard_error == pytest.approx(variance**0.5)


def test_two_classes_or_the_whole_curve_are_delongs_test():
    random = np.random.default_rng(8)
    truth = random.integers(0, 2, 50)
    a, b = (random.normal(size=(2, 50)) + truth).round(1) / 9 + 0.5
    known = stats.delong_test(truth, a, b)
    for found in (
        stats.delong_multiclass_test(truth, np.c_[1 - a, a], np.c_[1 - b, b]),
        stats.delong_partial_test(truth, a, b, max_false_positive_rate=1.0),
    ):
        assert found.estimate == pytest.approx(known.estimate)
        assert found.pvalue == pytest.approx(known.pvalue)
        assert found.ci_low == pytest.approx(known.ci_low)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.55, 1.0])
def test_partial_areas_by_the_weights_of_cases(rate):
    random, n = np.random.default_rng(9), 60
    truth = random.integers(0, 2, n)
    both = (random.normal(size=(2, n)) + truth).round(1)
    found = stats.delong_partial_test(truth, *both, max_false_positive_rate=rate)

    def area(scores, weights):
        made = sklearn_metrics.roc_auc_score(truth, scores, sample_weight=weights, max_fpr=rate)
        least = rate**2 / 2  # back from McClish's form
        return made if rate == 1 else least + (2 * made - 1) * (rate - least)

    one = np.ones(n)
    assert found.details["auc_a"] == pytest.approx(area(both[0], one))
    assert found.details["standardized_b"] == pytest.approx(
        sklearn_metrics.roc_auc_score(truth, both[1], max_fpr=rate)
    )
    step, sizes = 1e-6, np.bincount(truth)
    slopes = [
        np.subtract(*(area(s, one + step * row) - area(s, one - step * row) for s in both))
        for row in np.eye(n)
    ]
    parts = np.array(slopes) / (2 * step) * sizes[truth]
    variance = sum(parts[truth == g].var(ddof=1) / sizes[g] for g in (0, 1))
    assert found.standard_error == pytest.approx(variance**0.5, rel=1e-4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: stats.delong_partial_test([0, 1], [1, 2], [2, 1]),
        lambda: stats.delong_partial_test([0, 1], [1, 2], [2, 1], max_false_positive_rate=0),
        lambda: stats.delong_multiclass_test([0, 0, 1], *[[[1, 0], [0, 1], [1, 0]]] * 2),
        lambda: stats.delong_multiclass_test([0, 0, 1, 1], [0.1] * 4, [[0.5, 0.5]] * 4),
    ],
)
def test_areas_of_too_little_are_refused(call, words):
    with words.raises(InputError):
        call()


def of_two(x, y):
    return float(np.median(x) - np.median(y))


def test_a_statistic_of_ones_own_is_what_is_asked_about(words):
    x, y = np.arange(8.0), np.arange(3.0, 12.0)
    for test in (stats.permutation_test, stats.bootstrap_test):
        for statistic in (None, np.median, lambda d: d[0]):
            found = test(x, statistic=statistic, n_resamples=20)
            words.note(found.method)
            words.note(found.question)
    for statistic in (None, of_two, lambda a, b: a[0] - b[0]):
        found = stats.two_sample_permutation_test(x, y, statistic=statistic, n_resamples=20)
        words.note(found.method)
        words.note(found.question)
