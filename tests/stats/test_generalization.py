"""The conservative z test and nested cross-validation: definitions in loops, and how they cover."""

from __future__ import annotations

import statistics
from math import sqrt

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial import stats
from nettrial.core.errors import InputError


def test_conservative_z_by_its_definition():
    random = np.random.default_rng(1)
    values, halves = random.random(7).tolist(), random.random((5, 2)).tolist()
    error = sqrt(sum((first - second) ** 2 for first, second in halves) / (2 * len(halves)))
    mean = statistics.fmean(values)
    normal = scipy_stats.norm(mean, error)
    found = stats.conservative_z_test(values, halves, null_value=0.3, confidence=0.9)
    assert found.estimate == pytest.approx(mean, rel=1e-14)
    assert found.standard_error == pytest.approx(error, rel=1e-14)
    assert found.pvalue == pytest.approx(
        2 * scipy_stats.norm.sf(abs(mean - 0.3) / error), rel=1e-12
    )
    assert (found.ci_low, found.ci_high) == pytest.approx(normal.interval(0.9), rel=1e-12)


def nested_by_loops(values, inner):
    """Compute estimate and standard error case by case, as the paper's algorithm 1 goes."""
    folds, size = len(values[0]), len(values[0][0])
    terms, means, all_inner = [], [], []
    for of_folds, of_inner in zip(values, inner):
        for held_out, others in zip(of_folds, of_inner):
            losses = [loss for fold in others for loss in fold]
            gap = statistics.fmean(losses) - statistics.fmean(held_out)
            terms.append(gap**2 - statistics.variance(held_out) / size)
            means.append(statistics.fmean(held_out))
            all_inner += losses
    mse = statistics.fmean(terms) * (folds - 1) / folds
    naive = statistics.stdev(all_inner) / sqrt(folds * size)
    error = max(naive, min(sqrt(max(mse, 0)), naive * sqrt(folds)))
    nested, plain = statistics.fmean(all_inner), statistics.fmean(means)
    return nested - (1 + (folds - 2) / folds) * (nested - plain), error, error / naive


@pytest.mark.parametrize("spread", [0.0, 0.2, 3.0])  # of folds: below, between, above both bounds
def test_nested_cross_validation_by_its_definition(spread):
    random = np.random.default_rng(2)
    values = random.random((3, 4, 6)) + spread * random.normal(size=(3, 4, 1))
    inner = random.random((3, 4, 3, 6))
    if not spread:  # every fold has the same losses, so that no two means differ
        values, inner = np.zeros((3, 4, 6)) + values[0, 0], np.zeros((3, 4, 3, 6)) + values[0, 0]
    estimate, error, inflation = nested_by_loops(values.tolist(), inner.tolist())
    found = stats.nested_cv_test(values, inner, null_value=0.4)
    assert found.estimate == pytest.approx(estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert found.details["inflation"] == pytest.approx(inflation, rel=1e-12)
    z = (estimate - 0.4) / error
    assert found.pvalue == pytest.approx(2 * scipy_stats.norm.sf(abs(z)), rel=1e-10)
    assert {0.0: 1.0, 3.0: 2.0}.get(spread, inflation) == pytest.approx(inflation)


def squared_errors(x, y, train, test):
    weights = np.linalg.lstsq(x[train], y[train], rcond=None)[0]
    return (y[test] - x[test] @ weights) ** 2


def one_trial(random, n=100, p=20, folds=5, repeats=6):
    """Cross-validate least squares, with two folds held out too, and its true error."""
    x, y = random.normal(size=(n, p)), random.normal(size=n)
    values = np.empty((repeats, folds, n // folds))
    inner = np.empty((repeats, folds, folds - 1, n // folds))
    for r in range(repeats):
        fold = random.permutation(n).reshape(folds, -1)
        for k in range(folds):
            others = [j for j in range(folds) if j != k]
            values[r, k] = squared_errors(x, y, fold[others].ravel(), fold[k])
            for at, j in enumerate(others):
                rest = [i for i in others if i != j]
                inner[r, k, at] = squared_errors(x, y, fold[rest].ravel(), fold[j])
    weights = np.linalg.lstsq(x, y, rcond=None)[0]
    return values, inner, 1 + weights @ weights


@pytest.mark.slow
def test_nested_cross_validation_covers_where_the_plain_one_does_not():
    # least squares on 100 cases of 20 columns, one of the paper's settings: at a nominal 90% the
    # plain interval misses in more than 10%. Bounds are 3 standard errors of 150 trials about 90%.
    random, nested, plain = np.random.default_rng(3), [], []
    for _ in range(150):
        values, inner, truth = one_trial(random)
        found = stats.nested_cv_test(values, inner, null_value=truth, confidence=0.9)
        nested.append(found.ci_low <= truth <= found.ci_high)
        losses = values[0].ravel()
        half = scipy_stats.norm.ppf(0.95) * losses.std(ddof=1) / sqrt(losses.size)
        plain.append(abs(losses.mean() - truth) <= half)
    assert np.mean(nested) >= 0.9 - 3 * sqrt(0.09 / 150)
    assert np.mean(nested) > np.mean(plain)


def test_conservative_z_does_not_cover_too_rarely():
    # the mean of 60 normal values, whose halves have twice its variance: z is 1 / sqrt(2) normal
    random, covered, factor = np.random.default_rng(4), [], []
    for _ in range(600):
        x = random.normal(size=60)
        parts = np.stack([random.permutation(x).reshape(2, 30).mean(axis=1) for _ in range(10)])
        found = stats.conservative_z_test([x.mean()], parts)
        covered.append(found.ci_low <= 0 <= found.ci_high)
        factor.append(found.standard_error**2)
    assert np.mean(factor) == pytest.approx(1 / 30, rel=0.1)
    assert np.mean(covered) > 0.95


def test_many_trials_are_the_trials_one_by_one():
    random = np.random.default_rng(5)
    values, inner = random.random((4, 2, 3, 5)), random.random((4, 2, 3, 2, 5))
    many = stats.nested_cv_test(values, inner)
    halves = stats.conservative_z_test(values[:, 0, 0], inner[:, 0, 0, :, :2])
    for i in range(4):
        assert many.pvalue[i] == stats.nested_cv_test(values[i], inner[i]).pvalue
        alone = stats.conservative_z_test(values[i, 0, 0], inner[i, 0, 0, :, :2])
        assert halves.standard_error[i] == alone.standard_error


@pytest.mark.parametrize(
    "call",
    [
        lambda: stats.nested_cv_test(np.ones((1, 2, 3)), np.ones((1, 2, 1, 3))),
        lambda: stats.nested_cv_test(np.ones((1, 3, 3)), np.ones((1, 3, 3, 3))),
        lambda: stats.conservative_z_test([1.0], [[1.0, 2.0]]),
        lambda: stats.conservative_z_test([], [[1.0, 2.0]] * 2),
    ],
)
def test_other_shapes_are_refused(call, words):
    with words.raises(InputError):
        call()
