"""The compiled simulation against published vectors, a plain version and measured rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.kernels.equal_allocation import deal_copies
from nettrial.kernels.philox import below, fill_words, philox4x32
from nettrial.synth.simulated_classifiers import GroupClassifiers, simulate_groups
from oracles.simulated_groups import simulate_groups_plainly

ONE_IN_A_MILLION = 4.9
FULL = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((FULL,) * 4, (FULL,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_published_vectors(counter, key, words):
    assert tuple(int(word) for word in philox4x32(*counter, *key)) == words


def test_filled_words_are_the_blocks():
    words = np.empty(4 * 5, dtype=np.uint32)
    stream = (7 << 32) + 9
    fill_words(words, 5, 3, stream, 11, 1, 2)
    for block in range(5):
        expected = philox4x32(3 + block, 9, 7, 11, 1, 2)
        assert words[block::5].tolist() == [int(word) for word in expected]


@settings(max_examples=200, deadline=None)
@given(word=st.integers(0, FULL), n=st.integers(1, 10**6))
def test_below_is_the_exact_quotient(word, n):
    assert int(below(word, n)) == word * n // 2**32


@settings(max_examples=150, deadline=None)
@given(
    k=st.integers(1, 20),
    copies=st.lists(st.integers(0, 20), min_size=1, max_size=50),
    key=st.integers(0, FULL),
)
def test_dealing_keeps_its_promises(k, copies, key):
    counts = np.minimum(np.array(copies), k)
    order = np.random.default_rng(key).permutation(counts.size)
    held = deal_copies(order, counts, k, key, 5)
    assert np.array_equal(held.sum(axis=0), counts)
    # at every moment, not only at the end
    sizes = held[:, order].cumsum(axis=1)
    assert (sizes.max(axis=0) - sizes.min(axis=0)).max() <= 1


# rates of an independent implementation, 20,000 trials a cell, rounded to two places
REFERENCE = {
    ("rrs", "fold"): (0.44, 0.38, 0.30, 0.21, 0.11),
    ("ers", "fold"): (0.43, 0.37, 0.30, 0.21, 0.09),
    ("ncv", "fold"): (0.05,) * 5,
    ("rrs", "trial"): (0.83, 0.76, 0.67, 0.54, 0.30),
}
LABELED = (0.1, 0.3, 0.5, 0.7, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize(("design", "redraw"), sorted(REFERENCE))
def test_type_one_error_rates(design, redraw):
    world = GroupClassifiers(redraw=redraw)
    for i, (labeled, rate) in enumerate(zip(LABELED, REFERENCE[design, redraw])):
        trials = simulate_groups(design, labeled=labeled, n_trials=6_000, world=world, seed=i)
        measured = trials.paired_t_rejections().mean()
        error = math.sqrt(rate * (1 - rate) * (1 / 6_000 + 1 / 20_000))
        assert abs(measured - rate) < ONE_IN_A_MILLION * error + 0.005, labeled
        assert trials.errors.mean() / trials.sizes.mean() == pytest.approx(0.1, abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["rrs", "ers", "ncv"])
@pytest.mark.parametrize("redraw", ["fold", "trial"])
def test_compiled_and_plain_agree_in_distribution(design, redraw):
    # 53 nodes: folds and copies do not come out even; 7 groups: halves of 3 and 4
    world = GroupClassifiers(
        n_nodes=53, n_groups=7, error=2 / 7, correlation=0.6, redraw=redraw, difference=0.04
    )
    _compare(world, design)


def test_skewed_groups_agree_in_distribution():
    world = GroupClassifiers(n_nodes=60, n_groups=6, error=1 / 6, correlation=0.6, skew=2.0)
    _compare(world, "rrs")


def _compare(world, design):
    options = {"labeled": 0.35, "n_folds": 6, "world": world}
    plain = simulate_groups_plainly(design, n_trials=400, seed=1, **options)
    quick = simulate_groups(design, n_trials=20_000, seed=2, **options)
    assert np.array_equal(plain.sizes, quick.sizes)

    def summaries(trials):
        x = trials.rates
        between = ((x - x.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
        both, first, pairs = trials.pairs.transpose(2, 0, 1)
        return {
            "error": x.mean(axis=(1, 2)),
            "spread": between.mean(axis=1),
            "difference": np.abs((x[:, 0] - x[:, 1]).mean(axis=1)),
            "pairs": pairs.mean(axis=1),
            "first": first.mean(axis=1),
            "both": both.mean(axis=1),
            "repeats": trials.repeats[:, :, 0].mean(axis=1),
            "tests": trials.repeats[:, :, 1].mean(axis=1),
            "rejected": trials.paired_t_rejections().astype(float),
            "excess": trials.by_group[:, 0].sum(axis=1),
            "excess by group": (trials.by_group[:, 0] ** 2).sum(axis=1),
            "tests by group": (trials.by_group[:, 1] ** 2).sum(axis=1),
        }

    a, b = summaries(plain), summaries(quick)
    for name in a:
        error = math.hypot(a[name].std() / 20, b[name].std() / math.sqrt(20_000))
        # the number of tests varies in random resampling only, and comes from another stream
        assert abs(a[name].mean() - b[name].mean()) <= ONE_IN_A_MILLION * error + 1e-12, name


def test_difference_of_the_error_rates():
    for redraw in ("fold", "trial"):
        world = GroupClassifiers(error=0.2, difference=0.07, redraw=redraw)
        trials = simulate_groups("RS", labeled=0.3, n_trials=4000, world=world, seed=3)
        a, b = trials.rates.mean(axis=(0, 2))
        assert (a, b) == (pytest.approx(0.2, abs=0.003), pytest.approx(0.27, abs=0.003))


def test_sums_by_group_hold_every_error_and_test():
    trials = simulate_groups("ers", labeled=0.5, n_trials=30, seed=2)
    a, b = trials.errors.sum(axis=2).T
    assert np.array_equal(trials.by_group[:, 0].sum(axis=1), a - b)
    assert np.array_equal(trials.by_group[:, 1].sum(axis=1), np.full(30, trials.sizes.sum()))


def test_rejections_equal_scipy():
    trials = simulate_groups("rrs", labeled=0.5, n_trials=300, seed=4)
    a, b = trials.rates.transpose(1, 0, 2)
    for alpha in (0.01, 0.05, 0.2):
        expected = stats.ttest_rel(a, b, axis=1).pvalue < alpha
        assert np.array_equal(trials.paired_t_rejections(alpha), expected)


def test_equal_differences():
    from nettrial.kernels.group_simulation import paired_t_rejections

    errors = np.array([[[3, 3, 3], [2, 2, 2]], [[3, 3, 3], [3, 3, 3]]], dtype=np.int32)
    rejected = np.empty(2, dtype=bool)
    paired_t_rejections(errors, np.array([10, 10, 10]), 4.3, rejected)
    assert rejected.tolist() == [True, False]


@pytest.mark.parametrize("design", ["rrs", "ers", "ncv"])
def test_same_bits_for_any_parts(design):
    whole = simulate_groups(design, n_trials=50, seed=9)
    parts = [
        simulate_groups(design, n_trials=20, seed=9),
        simulate_groups(design, n_trials=30, first_trial=20, seed=9),
    ]
    for field in ("errors", "pairs", "repeats", "by_group"):
        one = getattr(whole, field)
        assert np.array_equal(one, np.concatenate([getattr(part, field) for part in parts]))
    other = simulate_groups(design, n_trials=50, seed=10)
    assert not np.array_equal(whole.errors, other.errors)


def test_error_correlation_follows_from_the_probabilities():
    # inside a group, errors are independent given whether it fails
    for correlation in (0.0, 0.5, 1.0):
        world = GroupClassifiers(error=0.2, correlation=correlation)
        trials = simulate_groups("ncv", n_trials=4000, world=world, seed=1)
        q, r, p = world.error_failing, world.error_other, 0.2
        expected = (0.2 * q * q + 0.8 * r * r - p * p) / (p * (1 - p))
        assert np.abs(trials.error_correlation() - expected).max() < 0.02


def test_every_node_can_fail_always():
    world = GroupClassifiers(n_groups=2, error=0.5, correlation=1.0)
    trials = simulate_groups("ncv", n_trials=20, world=world)
    # each classifier fails on exactly its own half
    assert np.array_equal(trials.errors.sum(axis=1), np.broadcast_to(trials.sizes, (20, 10)))


def test_refusals(words):
    for options, match in (
        ({"error": 0}, "error=0"),
        ({"error": 0.6}, "expected 1 to 5 failing groups, got 6"),
        ({"error": 0.01}, "got 0 by error=0.01"),
        ({"correlation": 1.1}, "correlation"),
        ({"redraw": "split"}, "redraw"),
        ({"difference": -0.1}, "difference"),
        ({"n_nodes": 1}, "n_nodes"),
        ({"n_groups": 1}, "n_groups"),
    ):
        with pytest.raises(InputError, match=match):
            simulate_groups(world=GroupClassifiers(**options))
    with words.raises(InputError):
        simulate_groups("rss")
    with words.raises(InputError):
        simulate_groups("ncv", labeled=0.95)
    with words.raises(InputError):
        simulate_groups(n_trials=0)
