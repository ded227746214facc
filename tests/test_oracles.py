"""Every public function of stats and metrics has an independent oracle, as the docs say."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial import stats
from public_functions import FUNCTIONS

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "user" / "statistics.md"
ROW = re.compile(r"^\| `((?:stats|metrics)\.\w+)` \| (.+?) \| `([\w/]+\.py)(?:::(\w+))?` \|$", re.M)
ROWS = {name: (oracle, path, test) for name, oracle, path, test in ROW.findall(PAGE.read_text())}


def test_the_table_holds_every_public_function_once():
    listed = [name for name, *_ in ROW.findall(PAGE.read_text())]
    missing = set(FUNCTIONS) - set(listed)
    assert not missing, f"{PAGE.name}: add a row with an independent oracle for {missing}"
    assert sorted(listed) == sorted(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_test_exists_and_calls_the_function(name):
    oracle, path, test = ROWS[name]
    text = (HERE / path).read_text()
    # a test by its own name, or the file that calls R's reference cases
    assert oracle
    found = re.search(rf"^def {test}\(", text, re.M) if test else "ADAPTERS" in text
    assert found, f"{path} has no {test}"
    assert re.search(rf"\b{name.partition('.')[2]}\b", text), f"{path} does not call {name}"


def test_bootstrap_by_all_samples():
    a, b = np.array([0.3, 0.5, 0.2, 0.7]), np.array([0.2, 0.1, 0.4, 0.3])
    d = a - b
    means = np.array([d[list(picks)].mean() for picks in product(range(4), repeat=4)])
    result = stats.bootstrap_test(a, b)
    far = np.abs(means - d.mean()) >= abs(d.mean()) - 1e-12
    assert result.details["exact"]
    assert result.pvalue == pytest.approx((1 + far.sum()) / (1 + 4**4), rel=1e-12)
    ends = np.quantile(means, [0.025, 0.975])
    assert (result.ci_low, result.ci_high) == pytest.approx(tuple(ends), rel=1e-12)


def test_dz_is_t_and_its_interval_inverts_the_test():
    random = np.random.default_rng(3)
    a, b = random.random(12), random.random(12)
    found = stats.cohens_dz(a, b)
    t = scipy_stats.ttest_rel(a, b).statistic
    assert found.estimate == pytest.approx(t / np.sqrt(12), rel=1e-12)
    for end, tail in ((found.ci_low, 0.975), (found.ci_high, 0.025)):
        below = scipy_stats.nct.cdf(t, 11, end * np.sqrt(12))
        assert below == pytest.approx(tail, abs=1e-8)


def test_kfold_is_the_paired_t_test_of_scipy():
    random = np.random.default_rng(4)
    a, b = random.random(10), random.random(10)
    for side in ("two-sided", "less", "greater"):
        found = stats.kfold_t_test(a, b, alternative=side)
        expected = scipy_stats.ttest_rel(a, b, alternative=side)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_adjusted_pvalues_of_a_column():
    p = np.array([0.01, 0.04, 0.03, 0.2])
    # Holm (1979): 4, 3, 2 and 1 times the ordered p-values, none below the one before
    expected = [0.04, 0.09, 0.09, 0.2]
    found = stats.adjusted_pvalues(p, names=["a", "b", "c", "d"])
    np.testing.assert_allclose(found.adjusted_pvalue, expected, rtol=1e-12)
