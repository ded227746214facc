"""The Bayesian signed-rank and sign tests against their definitions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.stats.bayes_signed_rank import (
    RopePosterior,
    bayesian_sign_test,
    bayesian_signed_rank_test,
)


def probabilities(result: RopePosterior) -> np.ndarray:
    return np.array([result.prob_less, result.prob_rope, result.prob_greater])


def by_definition(z, rope, strength, draws, rng):
    """Count winners sample by sample, pair by pair, weights from gamma variables."""
    z = [0.0, *z]
    wins = np.zeros(3)
    for _ in range(draws):
        gamma = np.array([rng.gamma(strength), *rng.gamma(1.0, size=len(z) - 1)])
        w = gamma / gamma.sum()
        theta = np.zeros(3)
        for i, x in enumerate(z):
            for j, y in enumerate(z):
                if x + y < -2 * rope:
                    theta[0] += w[i] * w[j]
                elif x + y > 2 * rope:
                    theta[2] += w[i] * w[j]
                elif rope > 0:
                    theta[1] += w[i] * w[j]
                else:
                    theta[[0, 2]] += w[i] * w[j] / 2
        wins[theta.argmax()] += 1
    return wins / draws


@pytest.mark.parametrize("rope", [0.0, 0.3])
def test_equals_the_definition(rope):
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.4, 1, 6), np.zeros(6)
    expected = by_definition(a, rope, 0.5, 4_000, rng)
    got = probabilities(bayesian_signed_rank_test(a, b, rope=rope, n_samples=40_000))
    error = np.sqrt(got * (1 - got) * (1 / 4_000 + 1 / 40_000))
    assert (np.abs(got - expected) <= 5 * error + 1e-9).all()


def test_one_data_set_in_closed_form():
    # weights (1 - w, w), 1 - w ~ Beta(s, 1): P(1 - w < x) = x^s
    s = 0.5
    result = bayesian_signed_rank_test([3.0], [0.0], rope=1, prior_strength=s, n_samples=200_000)
    # only the pair (0, 0) is within the rope: greater wins if (1 - w)^2 < 1/2
    exact = 0.5 ** (s / 2)
    assert result.prob_greater == pytest.approx(exact, abs=5 * result.monte_carlo_error)
    # E (1 - w)^2 = s (s + 1) / ((s + 1) (s + 2))
    assert result.share_rope == pytest.approx(s / (s + 2), abs=0.005)
    result = bayesian_signed_rank_test([1.5], [0.0], rope=1, prior_strength=s, n_samples=200_000)
    # now the mixed pairs are within it too: greater wins if w^2 > 1/2
    exact = (1 - np.sqrt(0.5)) ** s
    assert result.prob_greater == pytest.approx(exact, abs=5 * result.monte_carlo_error)
    assert result.prob_less == 0


@pytest.mark.parametrize("rope", [0.0, 0.2, 5.0])
def test_swapping_the_algorithms_swaps_the_answer(rope):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 9))
    for test in (bayesian_signed_rank_test, bayesian_sign_test):
        there, back = probabilities(test(a, b, rope=rope)), probabilities(test(b, a, rope=rope))
        np.testing.assert_allclose(there, back[::-1], atol=1e-12)
        assert there.sum() == pytest.approx(1, abs=1e-12)


def test_identical_algorithms():
    a = np.linspace(0.1, 0.5, 8)
    for test in (bayesian_signed_rank_test, bayesian_sign_test):
        np.testing.assert_allclose(probabilities(test(a, a)), [0.5, 0, 0.5], atol=1e-12)
        np.testing.assert_allclose(probabilities(test(a, a, rope=0.01)), [0, 1, 0], atol=1e-12)


def test_the_edge_of_the_rope_is_inside_up_to_rounding():
    a, b = np.array([0.31, 0.22, 0.56]), np.array([0.30, 0.21, 0.55])  # 0.01, not in binary
    for test in (bayesian_signed_rank_test, bayesian_sign_test):
        assert test(a, b, rope=0.01).prob_rope == 1
        assert test(a, b, rope=0.009).prob_greater > 0.5


@pytest.mark.slow
def test_the_seed_gives_the_samples_and_batches_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 30))
    one, same = (bayesian_signed_rank_test(a, b, rope=0.1, seed=3, n_samples=5_000) for _ in "ab")
    assert one == same
    other = bayesian_signed_rank_test(a, b, rope=0.1, seed=4, n_samples=5_000)
    assert probabilities(one).tolist() != probabilities(other).tolist()
    monkeypatch.setattr("nettrial.stats.bayes_signed_rank.BATCH", 31 * 7)
    batched = bayesian_signed_rank_test(a, b, rope=0.1, seed=3, n_samples=5_000)
    np.testing.assert_allclose(probabilities(batched), probabilities(one), atol=1e-12)
    assert one.seed == 3
    seeded = bayesian_signed_rank_test(a, b, seed=np.random.SeedSequence(1))
    assert bayesian_signed_rank_test(a, b, seed=seeded.seed) == seeded


def test_sign_test_equals_draws_from_its_dirichlet():
    z = np.array([-2.0, -1, -1, 0, 0.05, 0.3, 2])
    draws = np.random.default_rng(2).dirichlet([3, 3, 2], 200_000)  # 3, 2 + s, 2
    share = np.bincount(draws.argmax(axis=1)) / len(draws)
    result = bayesian_sign_test(z, np.zeros(7), rope=0.1)
    np.testing.assert_allclose(probabilities(result), share, atol=5 * 0.5 / np.sqrt(200_000))
    assert (result.share_less, result.share_rope, result.share_greater) == (3 / 8, 3 / 8, 2 / 8)
    # without a rope there are two outcomes, and a beta distribution
    plain = bayesian_sign_test(z, np.zeros(7))
    exact = stats.beta.sf(0.5, 3 + 1, 3 + 1)  # the zero and the prior count half for each side
    assert plain.prob_less == pytest.approx(exact, abs=1e-10)
    lopsided = bayesian_sign_test(-np.ones(5), np.zeros(5))
    assert lopsided.prob_less == pytest.approx(stats.beta.sf(0.5, 5.5, 0.5), rel=1e-10)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12),
    st.sampled_from([0, 0.1, 0.25]),
)
@settings(max_examples=60, deadline=None)
def test_probabilities_sum_to_one(pairs, rope):
    a, b = np.array(pairs).T / 10
    for result in (
        bayesian_signed_rank_test(a, b, rope=rope, n_samples=200),
        bayesian_sign_test(a, b, rope=rope),
    ):
        p = probabilities(result)
        assert (p >= 0).all()
        assert p.sum() == pytest.approx(1, abs=1e-12)
        shares = result.share_less + result.share_rope + result.share_greater
        assert shares == pytest.approx(1, abs=1e-9)
        json.dumps(result.to_dict())
        assert "rope" in str(result)


def test_refuses(words):
    with words.raises(InputError):
        bayesian_signed_rank_test([1, 2], [1])
    with words.raises(InputError):
        bayesian_sign_test([], [])
    with words.raises(InputError):
        bayesian_sign_test([1, np.nan], [1, 2])
    with words.raises(InputError):
        bayesian_sign_test([1], [2], rope=-0.1)
    with words.raises(InputError):
        bayesian_sign_test([1], [2], prior_strength=0)
    with words.raises(InputError):
        bayesian_signed_rank_test([1], [2], n_samples=0)
    with words.raises(InputError):
        bayesian_signed_rank_test([1], [2], seed=None)
