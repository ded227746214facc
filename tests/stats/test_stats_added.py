"""Solved powers, AUCs of different observations and scikit-learn's results, by other programs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

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


def test_what_cannot_be_solved_is_refused():
    assert stats.t_effect_size(20, alternative="less").details["effect_size"] < 0
    with pytest.raises(InputError, match="more than alpha"):
        stats.t_effect_size(20, power=0.04)
    with pytest.raises(InputError, match="in the other direction"):
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


def test_searches_and_cross_validations_of_scikit_learn_are_compared():
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
    with pytest.raises(InputError, match="'accuracy'"):
        stats.compare_cv_results(tree.cv_results_, line, score="accuracy")
    with pytest.raises(InputError, match="same splits"):
        stats.compare_cv_results({"test_score": [0.1, 0.2]}, line)
