"""Properties of the tests of one or two classifiers, for any data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.numeric.magnitude import SMALLEST
from nettrial.stats.bayes_correlated import bayesian_correlated_t_test
from nettrial.stats.beta import beta_posterior
from nettrial.stats.cross_validation import (
    corrected_repeated_kfold_t_test,
    corrected_resampled_t_test,
    cv5x2_f_test,
    cv5x2_t_test,
    kfold_t_test,
)
from nettrial.stats.intervals import METHODS, proportion_interval
from nettrial.stats.mcnemar import MCNEMAR_METHODS, discordant_table, mcnemar_test
from nettrial.stats.paired import (
    one_sample_t_test,
    paired_t_test,
    paired_z_test,
    pooled_t_test,
    welch_t_test,
)
from nettrial.stats.proportions import (
    TWO_SIDED,
    binomial_test,
    proportion_z_test,
    two_proportion_test,
)
from nettrial.stats.resampling import bootstrap_test, permutation_test
from nettrial.stats.result import ALTERNATIVES
from nettrial.stats.rsc import rsc_paired_t_test, rsc_unpaired_t_test
from nettrial.stats.sign import sign_test, sign_test_counts
from nettrial.stats.signed_rank import ZEROS, wilcoxon_test

MODEL = {
    "n": 210,
    "m": 300,
    "links": 1260,
    "p_a": 0.1,
    "p_b": 0.12,
    "q_a": 0.9,
    "q_b": 0.85,
    "rho_a": 0.2,
    "rho_b": 0.25,
}


def folded(test: Any, rows: int) -> Any:
    """Let a test of (..., rows, columns) take its ten values along one axis."""

    def run(a: Any, b: Any, **options: Any) -> Any:
        shape = (*np.shape(a)[:-1], rows, 10 // rows)
        return test(np.reshape(a, shape), np.reshape(b, shape), **options)

    return run


PAIRED: dict[str, Any] = {
    "paired t": paired_t_test,
    "paired z": paired_z_test,
    "pooled t": pooled_t_test,
    "welch t": welch_t_test,
    "sign": sign_test,
    "sign split": lambda a, b, **o: sign_test(a, b, ties="split", **o),
    "k-fold": kfold_t_test,
    "resampled": lambda a, b, **o: corrected_resampled_t_test(a, b, n_train=90, n_test=10, **o),
    "repeated": folded(corrected_repeated_kfold_t_test, 2),
    "5x2 t": folded(cv5x2_t_test, 5),
    "permutation": lambda a, b, **o: permutation_test(a, b, n_resamples=99, **o),
    "exact permutation": lambda a, b, **o: permutation_test(a, b, n_resamples=1023, **o),
    "bootstrap": lambda a, b, **o: bootstrap_test(a, b, n_resamples=99, **o),
    "rsc paired": lambda a, b, **o: rsc_paired_t_test(a, b, **MODEL, **o),
    "rsc unpaired": lambda a, b, **o: rsc_unpaired_t_test(a, b, **MODEL, **o),
    "rsc theory": lambda a, b, **o: rsc_paired_t_test(a, b, variance="theoretical", **MODEL, **o),
}
for zeros in ZEROS:
    for method in ("auto", "normal", "normal-corrected"):
        PAIRED[f"wilcoxon {zeros} {method}"] = lambda a, b, z=zeros, m=method, **o: wilcoxon_test(
            a, b, zeros=z, method=m, **o
        )
# a and b have parameters of their own
NOT_SWAPPED = {"rsc paired", "rsc unpaired", "rsc theory"}
rates = st.one_of(
    st.floats(0, 1),
    st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.25, 1.0, 1e-300, 5e-324, 1 - 2**-53]),
)
ten = st.lists(rates, min_size=10, max_size=10)


def assert_sound(result: Any) -> None:
    """A p-value is in [0, 1], or nan with a stated reason; the interval holds the estimate."""
    for p, degenerate in zip(np.ravel(result.pvalue), np.ravel(result.degenerate)):
        assert 0 <= p <= 1 or (math.isnan(p) and degenerate and result.notes)
    assert not np.any(np.greater(result.ci_low, result.ci_high))
    result.to_dict()
    assert result.method in str(result)
    assert "not ask" in result.question or "grows with k" in result.question


@contextmanager
def refusing_tiny(*values: float) -> Iterator[None]:
    """Let values be refused whose squares cannot be represented, and no others."""
    try:
        yield
    except InputError as error:
        if "whose square cannot be represented" not in str(error) or max(values) >= SMALLEST:
            raise


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRED)
@settings(max_examples=25, deadline=None)
@given(a=ten, b=ten, alternative=st.sampled_from(ALTERNATIVES), same=st.booleans())
def test_any_rates_give_a_sound_result(name, a, b, alternative, same):
    with refusing_tiny(*a, *b):
        assert_sound(PAIRED[name](a, a if same else b, alternative=alternative))


@pytest.mark.parametrize("name", sorted(set(PAIRED) - NOT_SWAPPED))
@settings(max_examples=10, deadline=None)
@given(a=ten, b=ten)
def test_swapping_a_and_b_mirrors_the_result(name, a, b):
    with refusing_tiny(*a, *b):
        assert_mirrored(name, a, b)


def assert_mirrored(name: str, a: list[float], b: list[float]) -> None:
    test = PAIRED[name]
    two, back = test(a, b), test(b, a)
    assert np.isclose(two.pvalue, back.pvalue, rtol=1e-9, equal_nan=True)
    less, greater = test(a, b, alternative="less"), test(b, a, alternative="greater")
    assert np.isclose(less.pvalue, greater.pvalue, rtol=1e-9, equal_nan=True)
    if not name.startswith("sign") and "bootstrap" not in name:
        assert np.isclose(two.estimate, -back.estimate, rtol=1e-9, atol=1e-15)
        assert np.isclose(two.ci_low, -back.ci_high, rtol=1e-6, atol=1e-12, equal_nan=True)


def test_null_values_that_do_not_fit_the_samples_are_refused(words):
    with words.raises(InputError):
        one_sample_t_test([[1, 2], [3, 4]], null_value=[1, 2, 3, 4])
    assert one_sample_t_test([1, 2, 4], null_value=[0, 1]).pvalue.shape == (2,)


@pytest.mark.parametrize("name", ["paired t", "resampled", "rsc paired", "rsc unpaired"])
def test_values_whose_squares_vanish_are_refused_as_such(name):
    with pytest.raises(InputError, match="6e-151, whose square cannot be represented"):
        PAIRED[name]([0.0] * 10, [0.0] * 9 + [6e-151])


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_call_equals_a_loop(name, alternative):
    rng = np.random.default_rng(8)
    a = np.round(rng.uniform(0, 0.4, (3, 4, 10)), 2)
    b = np.round(rng.uniform(0, 0.4, (3, 4, 10)), 2)
    b[0, 0] = a[0, 0]
    b[1, 1] = a[1, 1] + 0.125
    test = PAIRED[name]
    together = test(a, b, alternative=alternative)
    for i, j in np.ndindex(3, 4):
        alone = test(a[i, j], b[i, j], alternative=alternative)
        for field in ("estimate", "standard_error", "statistic", "pvalue", "ci_low", "ci_high"):
            one = np.broadcast_to(getattr(together, field), (3, 4))[i, j]
            assert np.isclose(one, getattr(alone, field), rtol=1e-9, atol=1e-14, equal_nan=True)
        assert np.broadcast_to(together.degenerate, (3, 4))[i, j] == alone.degenerate


@pytest.mark.parametrize("name", [n for n in PAIRED if "repeated" not in n and "5x2" not in n])
def test_axis_names_the_values_of_one_test(name):
    rng = np.random.default_rng(9)
    a, b = rng.uniform(0, 0.4, (2, 10, 3))
    down = PAIRED[name](a, b, axis=0)
    across = PAIRED[name](a.T, b.T)
    np.testing.assert_allclose(down.pvalue, across.pvalue, rtol=1e-12)


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "x"])
def test_missing_values_are_refused_not_dropped(name, bad):
    a = [0.1, 0.2] * 5
    with pytest.raises(InputError):
        PAIRED[name](a, [*a[:9], bad])


@pytest.mark.parametrize("name", sorted(set(PAIRED) - {"repeated", "5x2 t"}))
def test_empty_samples_are_refused(name):
    with pytest.raises(InputError, match="least"):
        PAIRED[name]([], [])


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 400),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from(TWO_SIDED),
)
def test_binomial_test_equals_scipy(n, share, p0, alternative, two_sided):
    # for probabilities below that SciPy's own test overflows
    assume(p0 == 0 or p0 >= (n + 1) * np.finfo(float).tiny)
    x = round(share * n)
    result = binomial_test(x, n, null_value=p0, alternative=alternative, two_sided=two_sided)
    assert_sound(result)
    if two_sided == "likelihood":
        expected = stats.binomtest(x, n, p0, alternative=alternative)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-8, abs=1e-300)
        ends = expected.proportion_ci()
        assert result.ci_low == pytest.approx(ends.low, abs=1e-9)
        assert result.ci_high == pytest.approx(ends.high, abs=1e-9)


def test_binomial_test_takes_the_smallest_probabilities():
    for n, p0 in ((2, 1e-308), (4, np.finfo(float).tiny), (400, 5e-307)):
        assert binomial_test(0, n, null_value=p0, two_sided="likelihood").pvalue == 1
        assert binomial_test(1, n, null_value=p0, two_sided="likelihood").pvalue < 1e-300
    assert binomial_test(1, 2, null_value=5e-324, two_sided="likelihood").pvalue < 1e-300


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(any),
    st.sampled_from(MCNEMAR_METHODS),
    st.sampled_from(ALTERNATIVES),
)
def test_mcnemar_is_sound_and_mirrors(cells, method, alternative):
    table = np.reshape(cells, (2, 2))
    result = mcnemar_test(table, method=method, alternative=alternative)
    assert_sound(result)
    mirror = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    back = mcnemar_test(table.T, method=method, alternative=mirror)
    assert back.pvalue == pytest.approx(result.pvalue, rel=1e-12)
    assert back.estimate == -result.estimate


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50), st.integers(1, 50))
def test_proportions_are_sound(xa, xb, na, nb):
    xa, xb = min(xa, na), min(xb, nb)
    for alternative, kind in itertools.product(ALTERNATIVES, ("unpooled", "pooled")):
        result = two_proportion_test(xa, na, xb, nb, standard_error=kind, alternative=alternative)
        assert_sound(result)
    for kind in ("null", "sample"):
        assert_sound(proportion_z_test(xa, na, null_value=0.3, standard_error=kind))
    for method in METHODS:
        r = proportion_interval(xa, na, method=method)
        assert 0 <= r.ci_low <= r.ci_high <= 1
        if method not in ("jeffreys-equal-tailed",):
            assert r.ci_low <= r.estimate <= r.ci_high
        mirrored = proportion_interval(na - xa, na, method=method)
        assert mirrored.ci_low == pytest.approx(1 - r.ci_high, abs=1e-12)
        assert proportion_interval(xa, na, method=method, alternative="less").ci_low == 0
    posterior = beta_posterior(xa, na, prior=(0.5, 2.0), null_value=0.3)
    assert posterior.prob_below + posterior.prob_above == pytest.approx(1)
    assert posterior.hdi_high - posterior.hdi_low <= posterior.ci_high - posterior.ci_low + 1e-9
    held = stats.beta.cdf(posterior.hdi_high, posterior.a, posterior.b) - stats.beta.cdf(
        posterior.hdi_low, posterior.a, posterior.b
    )
    assert held == pytest.approx(0.95, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9), st.sampled_from(ZEROS[:3]))
def test_exact_wilcoxon_equals_counting_all_signs(values, zeros):
    d = np.array(values, dtype=float)
    result = wilcoxon_test(d, method="exact", zeros=zeros)
    kept = d if zeros != "drop" else d[d != 0]
    if not (d != 0).any():
        assert result.pvalue == 1
        return
    ranks = stats.rankdata(np.abs(kept)) * (kept != 0)
    center = ranks.sum() / 2
    observed = abs(ranks[kept > 0].sum() - center)
    extreme = [
        abs(np.dot(signs, ranks) - center) >= observed - 1e-9
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    assert result.pvalue == pytest.approx(np.mean(extreme), rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9), st.sampled_from(ALTERNATIVES))
def test_exact_permutation_equals_scipy(values, alternative):
    d = np.array(values, dtype=float)
    got = permutation_test(d, alternative=alternative)
    expected = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", alternative=alternative, n_resamples=np.inf
    ).pvalue
    if not d.any():
        expected = 1.0
    elif alternative == "two-sided":
        means = np.array(list(itertools.product((-1, 1), repeat=len(d)))) @ d
        expected = np.mean(np.abs(means) >= abs(d.sum()) - 1e-9)
    assert got.details["exact"]
    assert got.pvalue == pytest.approx(expected, rel=1e-12)


def test_permutation_interval_is_the_inversion_of_the_test():
    d = np.random.default_rng(2).normal(0.3, 1, 9)
    r = permutation_test(d, confidence=0.9)
    for end, side in ((r.ci_low, "greater"), (r.ci_high, "less")):
        out = 1e-9 if side == "less" else -1e-9
        assert permutation_test(d - end - out, alternative=side).pvalue <= 0.05
        assert permutation_test(d - end + out, alternative=side).pvalue > 0.05


def test_permutation_depends_on_the_seed_alone():
    d = np.random.default_rng(2).normal(0.3, 1, (4, 30))
    once = permutation_test(d, seed=5)
    assert (once.pvalue == permutation_test(d, seed=5).pvalue).all()
    assert (once.pvalue != permutation_test(d, seed=6).pvalue).any()
    assert once.pvalue[2] == permutation_test(d[2], seed=5).pvalue


def test_effect_intervals_cover():
    # 2,000 samples at 95%: the count outside [1,830, 1,970] has probability below 1e-6 at .95
    rng = np.random.default_rng(11)
    d = rng.normal(0.5, 1.0, (2000, 40))
    details = paired_t_test(d).details
    covered = (details["cohens_dz_low"] <= 0.5) & (details["cohens_dz_high"] >= 0.5)
    assert 1830 <= covered.sum() <= 1970
    a, b = rng.normal(0.5, 1.0, (2000, 30)), rng.normal(0.0, 1.0, (2000, 50))
    for test in (pooled_t_test, welch_t_test):
        details = test(a, b).details
        covered = (details["cohens_d_low"] <= 0.5) & (details["cohens_d_high"] >= 0.5)
        assert 1830 <= covered.sum() <= 1970


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.8, 1.5])
@pytest.mark.parametrize("n", [10, 40])
def test_rank_biserial_interval_covers(n, shift):
    # at least 95% of 4,000, less one chance in a million of a smaller count at .95
    rng = np.random.default_rng(15)
    true = wilcoxon_test(rng.normal(shift, 1, (20_000, n)), method="normal").estimate.mean()
    r = wilcoxon_test(rng.normal(shift, 1, (4000, n)), method="normal")
    covered = (r.ci_low <= true) & (true <= r.ci_high)
    assert covered.sum() >= stats.binom.ppf(1e-6, 4000, 0.95)
    rejected = r.pvalue < 0.05
    assert (rejected == ((r.ci_low > 0) | (r.ci_high < 0))).all()


def test_counts_and_vectors_agree():
    rng = np.random.default_rng(12)
    truth, a, b = rng.integers(0, 3, (3, 5, 60))
    table = discordant_table(truth, a, b)
    assert table.shape == (5, 2, 2)
    assert (table.sum(axis=(1, 2)) == 60).all()
    wrong_a, wrong_b = (a != truth).astype(float), (b != truth).astype(float)
    by_sign = sign_test(wrong_a, wrong_b)
    by_mcnemar = mcnemar_test(table)
    np.testing.assert_allclose(by_sign.pvalue, by_mcnemar.pvalue)
    np.testing.assert_allclose(by_mcnemar.estimate, (wrong_a - wrong_b).mean(axis=1))
    counts = sign_test_counts(table[:, 0, 1], table[:, 1, 0])
    np.testing.assert_allclose(counts.pvalue, by_sign.pvalue)


@pytest.mark.parametrize(
    "call",
    [
        lambda: binomial_test(3, 2),
        lambda: binomial_test(1, 0),
        lambda: binomial_test(1.5, 3),
        lambda: binomial_test(1, 3, null_value=1.2),
        lambda: binomial_test(1, 3, alternative="bigger"),
        lambda: binomial_test(1, 3, two_sided="double"),
        lambda: proportion_z_test(1, 3, null_value=0.0),
        lambda: proportion_interval(1, 3, method="wilsn"),
        lambda: proportion_interval(1, 3, confidence=95),
        lambda: beta_posterior(1, 3, prior=(0, 1)),
        lambda: mcnemar_test([1, 2, 3, 4]),
        lambda: mcnemar_test(np.zeros((2, 2))),
        lambda: mcnemar_test([[1, 2], [3, -4]]),
        lambda: discordant_table([1], [1, 2], [1]),
        lambda: wilcoxon_test([1.0, 2.0], zeros="keep"),
        lambda: wilcoxon_test([1.0, 2.0], digits=0),
        lambda: paired_t_test([0.1]),
        lambda: paired_t_test([0.1, 0.2], [0.1, 0.2, 0.3]),
        lambda: one_sample_t_test([0.1, 0.2], axis=1),
        lambda: corrected_resampled_t_test([0.1, 0.2], n_train=0, n_test=1),
        lambda: cv5x2_f_test(np.zeros((2, 5))),
        lambda: bayesian_correlated_t_test([0.1, 0.2], rho=1.0),
        lambda: permutation_test([0.1, 0.2], n_resamples=0),
    ],
)
def test_impossible_input_is_refused_with_the_reason(call):
    with pytest.raises(InputError, match=r"expected|unknown '\w+'; did you mean '\w+'\? \(one of"):
        call()


@settings(max_examples=25, deadline=None)
@given(ten, st.floats(0, 0.95), st.floats(0, 0.5))
def test_bayesian_probabilities_add_up(d, rho, rope):
    with refusing_tiny(*d):
        r = bayesian_correlated_t_test(d, rho=rho, rope=rope)
        total = r.prob_less + r.prob_rope + r.prob_greater
        assert total == pytest.approx(1, abs=1e-9)
        assert r.ci_low <= r.estimate <= r.ci_high
        if r.degenerate:
            assert r.notes


def test_wilcoxon_is_exact_for_few_and_normal_for_many_differences():
    rng = np.random.default_rng(13)
    d = rng.normal(0.2, 1, (3, 60))
    d[1, 10:] = 0
    r = wilcoxon_test(d)
    assert r.details["exact"].tolist() == [False, True, False]
    many = stats.wilcoxon(d[0], method="asymptotic", correction=True)
    assert r.pvalue[0] == pytest.approx(many.pvalue, rel=1e-9)
    few = stats.wilcoxon(d[1, :10], method="exact")
    assert r.pvalue[1] == pytest.approx(few.pvalue, rel=1e-12)


def test_wilcoxon_ties_what_rounding_told_apart_and_what_digits_say():
    a, b = [0.3, 0.8, 0.1, 0.6], [0.2, 0.7, 0.0, 0.7]
    assert wilcoxon_test(a, b).details["w_plus"] == 7.5
    a[0] += 1e-9
    assert wilcoxon_test(a, b).details["w_plus"] == 8
    assert wilcoxon_test(a, b, digits=7).details["w_plus"] == 7.5


def test_a_table_has_one_row_a_test():
    rng = np.random.default_rng(14)
    a, b = rng.uniform(0, 0.4, (2, 10))
    for test in PAIRED.values():
        assert len(test(a, b).to_frame()) == 1
    a, b = rng.uniform(0, 0.4, (2, 6, 10))
    assert len(paired_t_test(a, b).to_frame()) == 6
