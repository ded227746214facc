"""DeLong's test of several AUCs, against the printed example and the definition."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy import stats as reference

from nettrial.core.errors import InputError
from nettrial.stats import delong_comparisons, delong_omnibus_test, delong_test

# DeLong, DeLong and Clarke-Pearson (1988): albumin, total protein, K-G score and no benefit (0) of
# surgery of the 43 complete patients, as in the example of SAS's PROC LOGISTIC
PATIENTS = np.loadtxt(
    io.StringIO(
        """
3.0 5.8 10 0 3.2 6.3 5 1 3.9 6.8 3 1 2.8 4.8 6 0 3.2 5.8 3 1 0.9 4.0 5 0 2.5 5.7 8 0 1.6 5.6 5 1
3.8 5.7 5 1 3.7 6.7 6 1 3.2 5.4 4 1 3.8 6.6 6 1 4.1 6.6 5 1 3.6 5.7 5 1 4.3 7.0 4 1 3.6 6.7 4 0
2.3 4.4 6 1 4.2 7.6 4 0 4.0 6.6 6 0 3.5 5.8 6 1 3.8 6.8 7 1 3.0 4.7 8 0 4.5 7.4 5 1 3.7 7.4 5 1
3.1 6.6 6 1 4.1 8.2 6 1 4.3 7.0 5 1 4.3 6.5 4 1 3.2 5.1 5 1 2.6 4.7 6 1 3.3 6.8 6 0 1.7 4.0 7 0
3.7 6.1 5 1 3.3 6.3 7 1 4.2 7.7 6 1 3.5 6.2 5 1 2.9 5.7 9 0 2.1 4.8 7 1 2.8 6.2 8 0 4.0 7.0 7 1
3.3 5.7 6 1 3.7 6.9 5 1 3.6 6.6 5 1
""".replace("\n", " ")
    )
).reshape(-1, 4)
BENEFIT = PATIENTS[:, 3]
TESTS = np.column_stack([PATIENTS[:, 0], 10 - PATIENTS[:, 2], PATIENTS[:, 1]])
NAMES = ["albumin", "K-G", "protein"]


def test_the_printed_example():
    # SAS/STAT User's Guide, The LOGISTIC Procedure, example "Comparing Receiver Operating
    # Characteristic Curves": chi-square 2.5340 with 2 df, p 0.2817; single contrasts with K-G
    found = delong_omnibus_test(BENEFIT, TESTS, names=NAMES)
    assert round(found.statistic, 4) == 2.5340
    assert (found.df, round(found.pvalue, 4)) == (2.0, 0.2817)
    areas = {name: round(area, 4) for name, area in found.details["auc"].items()}
    assert areas == {"albumin": 0.7366, "K-G": 0.7258, "protein": 0.6478}
    errors = [round(e, 4) for e in found.details["standard_error"].values()]
    assert errors == [0.0927, 0.1028, 0.1000]
    pairs = delong_comparisons(BENEFIT, TESTS, names=NAMES)
    assert [round(p, 4) for p in pairs.pvalue[[0, 2]]] == [0.9102, 0.4561]
    assert [round(e, 4) for e in pairs.standard_error[[0, 2]]] == [0.0953, 0.1046]


def by_definition(labels, scores):
    """Wald statistic of all areas against the last, from the kernel of all pairs."""
    pos, neg = scores[labels == 1], scores[labels == 0]
    kernel = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    areas = kernel.mean(axis=(0, 1))
    covariance = np.cov(kernel.mean(axis=1).T) / len(pos) + np.cov(kernel.mean(axis=0).T) / len(neg)
    k = areas.size
    against = np.hstack([np.eye(k - 1), -np.ones((k - 1, 1))])
    d = against @ areas
    return d @ np.linalg.solve(against @ covariance @ against.T, d)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_equals_the_definition_for_any_reference(k):
    rng = np.random.default_rng(k)
    labels = rng.integers(0, 2, 40)
    scores = np.round(rng.normal(labels[:, None] * np.linspace(0.3, 1.5, k), 1), 1)
    found = delong_omnibus_test(labels, scores)
    want = by_definition(labels, scores)
    assert found.statistic == pytest.approx(want)
    assert found.pvalue == pytest.approx(reference.chi2.sf(want, k - 1))
    pairs = delong_comparisons(labels, scores)
    for p, i, j in zip(range(len(pairs.first)), pairs.first, pairs.second):
        one = delong_test(labels, scores[:, int(i)], scores[:, int(j)])
        assert pairs.pvalue[p] == pytest.approx(one.pvalue)
        assert pairs.estimate[p] == pytest.approx(one.estimate)
        assert pairs.adjusted_pvalue[p] >= one.pvalue - 1e-12
    if k == 2:
        assert found.statistic == pytest.approx(one.statistic**2)
        assert pairs.adjusted_pvalue[0] == pytest.approx(one.pvalue)


@pytest.mark.parametrize("seed", range(20))
def test_areas_and_variances_are_those_of_two_scorings_whatever_ties(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 300))
    labels = rng.permutation(np.arange(n) < rng.integers(2, n - 2))
    scores = rng.integers(0, rng.integers(2, 2 * n), (n, 4)) / 7
    several = delong_omnibus_test(labels, scores).details
    pairs = delong_comparisons(labels, scores)
    for i, j, estimate, error in zip(
        pairs.first, pairs.second, pairs.estimate, pairs.standard_error
    ):
        two = delong_test(labels, scores[:, int(i)], scores[:, int(j)])
        for name, x in ((i, "a"), (j, "b")):
            assert several["auc"][name] == two.details[f"auc_{x}"]
            assert several["standard_error"][name] == np.sqrt(two.details[f"variance_{x}"])
        assert estimate == pytest.approx(two.estimate, rel=1e-12, abs=1e-15)
        assert error == pytest.approx(two.standard_error, rel=1e-12)


def test_level_of_the_omnibus_test():
    rng = np.random.default_rng(3)
    labels = np.arange(80) < 40
    rejected = [
        delong_omnibus_test(labels, rng.normal(labels[:, None], 1, (80, 4))).pvalue < 0.05
        for _ in range(600)
    ]
    assert 0.02 < np.mean(rejected) < 0.09


def test_scorings_without_spread():
    labels = np.array([0, 0, 0, 1, 1, 1])
    same = np.column_stack([[1, 2, 3, 2, 5, 6]] * 3)
    found = delong_omnibus_test(labels, same)
    assert (found.pvalue, found.df, found.degenerate) == (1.0, 0.0, True)
    assert delong_comparisons(labels, same).pvalue.tolist() == [1.0, 1.0, 1.0]
    opposite = np.column_stack([labels, 1 - labels])
    found = delong_omnibus_test(labels, opposite)
    assert np.isnan(found.pvalue)
    assert found.degenerate
    assert "without any variation" in found.notes[0]
    assert np.isnan(delong_comparisons(labels, opposite).pvalue).all()
    twice = np.column_stack([same[:, 0], same[:, 0], [3, 1, 2, 4, 1, 5]])
    found = delong_omnibus_test(labels, twice)
    assert found.df == 1.0
    assert found.pvalue == pytest.approx(delong_test(labels, twice[:, 0], twice[:, 2]).pvalue)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ([0, 0, 1, 1], [1, 2, 3, 4]),
        ([0, 0, 1, 1], [[1], [2], [3], [4]]),
        ([0, 0, 0, 1], [[1, 2]] * 4),
        ([0, 0, 1], [[1, 2]] * 4),
        ([0, 0, 1, 1], [[1, np.nan]] * 4),
        ([0, 0, 1, 1], [["a", "b"]] * 4),
    ],
)
def test_bad_input_is_refused(labels, scores, words):
    for test in (delong_omnibus_test, delong_comparisons):
        with words.raises(InputError):
            test(labels, scores)
