"""Long rows are sorted as scaled numbers; ranks and placements keep every bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nettrial import metrics, stats
from nettrial.metrics import _placement_sums
from nettrial.metrics._placement_sums import placement_sums
from nettrial.numeric import ranks, rounding
from nettrial.stats import _signed_sums
from nettrial.stats._arrays import differences
from oracles import ranks as oracle

# powers of two and their neighbors, and both sides of the edges of blocks
SIZES = [1, 2, 3, 4, 5, 8, 9, 33, 64, 65, 1000, 1025]
EDGES = [ranks.BLOCK - 1, ranks.BLOCK, ranks.BLOCK + 1, ranks.BLOCK + 2, 2 * ranks.BLOCK + 1]
EPS = np.finfo(float).eps

SAMPLES = {
    "uniform": lambda rng, n: rng.random(n),
    "scores of both signs": lambda rng, n: 100 * rng.normal(size=n),
    "few values": lambda rng, n: 0.1 * rng.integers(0, 3, n),
    "all equal": lambda rng, n: np.full(n, 0.3),
    "three digits": lambda rng, n: rng.random(n).round(3),
    "thirds": lambda rng, n: rng.integers(0, n, n) / 3,
    "zeros of both signs and subnormals": lambda rng, n: rng.choice([-0.0, 0, 5e-324, -5e-324], n),
    "subnormals": lambda rng, n: 1e-320 * rng.random(n),
    "all magnitudes": lambda rng, n: 10.0 ** rng.integers(-300, 300, n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(n),
    "both signs, of sizes beyond one power of two": lambda rng, n: (
        rng.choice([-1, 1], n) * 10.0 ** rng.integers(-300, 140, n)
    ),
    "one far away": lambda rng, n: np.append(rng.random(n - 1), 1e16),
    "infinities": lambda rng, n: rng.choice([np.inf, -np.inf, 0, 1], n),
    "a range beyond doubles": lambda rng, n: rng.choice([1.7e308, -1.7e308, 0], n),
    "rounding noise": lambda rng, n: rng.choice([0.3, 0.1 + 0.2, 0.1, 0.4 - 0.3], n),
    "a chain of noise": lambda rng, n: 1 + EPS * rng.integers(0, 60, n),
    "single precision": lambda rng, n: rng.random(n).astype(np.float32),
    "in order": lambda rng, n: np.arange(n, dtype=float),
}


@pytest.fixture
def sorted_as_long(monkeypatch):
    monkeypatch.setattr(ranks, "LONG", 2)


def same_bits(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


def check(values, rng):
    same_bits([ranks.ranks(values)], [oracle.ranks(values)])
    if float(np.abs(values).max()) < 1e150:
        same_bits([ranks.ranks(values, values)], [oracle.ranks(values, values)])
    truth = rng.random(values.size) < 0.3
    if truth.any() and not truth.all():
        for noise in (True, False):
            for scores in (values, np.stack([values, values[::-1]])):
                found = ranks.placements(truth, scores, noise=noise)
                same_bits(found, oracle.placements(truth, scores, noise))
        check_sums(truth, values)


def check_sums(truth, values):
    above, below = oracle.placements(truth, values)
    for found, share in zip(placement_sums(truth, values), (above, 1 - below), strict=True):
        doubled = np.rint(2 * found.others * share).astype(int).tolist()
        assert found == (len(doubled), found.others, sum(doubled), sum(x * x for x in doubled))


@pytest.mark.slow
@pytest.mark.parametrize("kind", SAMPLES)
def test_long_rows_rank_as_scipy_does(kind, sorted_as_long):
    rng = np.random.default_rng(0)
    for n in (*SIZES, *EDGES[1:3]):
        check(SAMPLES[kind](rng, n), rng)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["uniform", "few values", "rounding noise"])
def test_the_edges_of_blocks_hide_no_pair(kind, sorted_as_long):
    rng = np.random.default_rng(1)
    for n in EDGES:
        check(SAMPLES[kind](rng, n), rng)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([0.0, -0.0, 0.1, 0.3, 0.1 + 0.2, 1e-17, -5.0, 7e9, 5e-324]), max_size=40
    )
    | st.lists(st.floats(-1e6, 1e6, allow_subnormal=True), max_size=40)
)
def test_any_short_list_ranks_the_same_both_ways(values):
    values = np.array([0.5, *values])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "LONG", 2)
        check(values, np.random.default_rng(values.size))


def test_values_that_scale_to_one_number_are_put_in_order(sorted_as_long):
    # a thousand values within one step of the scale, downward, beside one that sets the scale
    values = np.append(np.arange(1000, 0, -1) * 1e-9, 1e12)
    assert ranks.ranks(values).tolist() == [*range(1000, 0, -1), 1001]


def test_long_samples_give_the_results_of_short_ones(monkeypatch):
    rng = np.random.default_rng(2)
    a, b = rng.random((2, 3000)).round(4)
    truth = rng.random(3000) < 0.4

    def results():
        return [
            stats.wilcoxon_test(a, b),
            stats.mann_whitney_test(a, b),
            stats.delong_test(truth, a, b),
            stats.kruskal_wallis_test([a, b, a + b]),
            stats.friedman_test(np.stack([a, b])),
            metrics.auc(truth, a),
        ]

    short = results()
    monkeypatch.setattr(ranks, "LONG", 2)
    assert repr(results()) == repr(short)


@pytest.mark.parametrize("kind", ["uniform", "scores of both signs", "thirds"])
def test_sums_of_placements_are_added_up_in_steps(kind, sorted_as_long, monkeypatch):
    monkeypatch.setattr(_placement_sums, "summed_at_once", lambda largest: 3)
    rng = np.random.default_rng(6)
    for n in (2, 3, 4, 7, 100):
        check_sums(np.arange(n) % 3 == 0, SAMPLES[kind](rng, n))


def test_squares_beyond_64_bits_are_added_up():
    values = [2**31 - 1, 2**31, 3, 2**30] * 5
    assert _placement_sums.inner(np.array(values)) == sum(x * x for x in values)


def test_compared_areas_are_exact_by_both_roads(monkeypatch):
    rng = np.random.default_rng(7)
    truth = rng.random(50) < 0.4
    m, n = int(truth.sum()), int((~truth).sum())
    scores = rng.integers(0, 30, (2, 3, 50)) / 7
    doubled = [ranks.doubled_placements(truth, x) for x in scores]
    areas, variances = _placement_sums.compared_areas(truth, *scores)
    for row in range(3):
        a, b = (x[row].tolist() for x in doubled)
        for i, values in enumerate((a, b, [x - y for x, y in zip(a, b, strict=True)])):
            classes = [[x for x, y in zip(values, truth, strict=True) if y == c] for c in (1, 0)]
            wanted = sum(
                sum((Fraction(x) - Fraction(sum(c), len(c))) ** 2 for x in c)
                / Fraction(len(c) * (len(c) - 1) * (2 * (50 - len(c))) ** 2)
                for c in classes
            )
            assert areas[i, row] == float(Fraction(sum(classes[0]), 2 * m * n))
            assert variances[i, row] == pytest.approx(float(wanted), rel=1e-15)
    monkeypatch.setattr(_placement_sums, "SAFE", 0)
    monkeypatch.setattr(_placement_sums, "summed_at_once", lambda largest: 3)
    same_bits(_placement_sums.compared_areas(truth, *scores), (areas, variances))


def test_u_counts_pairs_and_halves_of_pairs():
    rng = np.random.default_rng(3)
    truth, scores = rng.random(301) < 0.3, rng.integers(0, 9, 301) / 7
    pairs = np.sign(scores[truth][:, np.newaxis] - scores[~truth])
    assert metrics.auc(truth, scores).u_statistic == ((pairs + 1) / 2).sum()


PAIRS = {
    "uniform": lambda rng, n: rng.random((2, n)),
    "tenths, tied but for rounding": lambda rng, n: rng.integers(0, 30, (2, n)) / 10,
    "three digits": lambda rng, n: rng.random((2, n)).round(3),
    "no difference": lambda rng, n: np.ones((2, n)),
    "zeros of both signs": lambda rng, n: rng.choice([0.0, -0.0, 1, -1], (2, n)),
    "none above": lambda rng, n: np.stack([np.zeros(n), rng.random(n)]),
    "a chain of noise": lambda rng, n: 1 + EPS * rng.integers(0, 90, (2, n)),
    "ones that tie with a zero of huge numbers": lambda rng, n: (
        np.append(rng.integers(0, 3, n - 1), 1e16),
        np.append(np.zeros(n - 1), 1e16),
    ),
    "noise of large pairs among small ones": lambda rng, n: rng.choice(
        [[0.3, 0.1 + 0.2, 1e-17, 2e-17], [0.2, 0.2, 1e-18, 1e-18]],
        n,
        axis=1,
        p=[0.2, 0.2, 0.3, 0.3],
    ),
    "tiny": lambda rng, n: 1e-140 * rng.random((2, n)),
}


@pytest.mark.parametrize("infinite", [False, True])
def test_a_gap_is_surely_noise_only_where_it_is_for_every_pair(infinite):
    rng = np.random.default_rng(5)
    sure = 0
    for n in (1, 2, 3, 4, 5, 33, rounding.BLOCK + 1):
        for _ in range(30):
            samples = 10.0 ** rng.integers(-2, 3, (2, 3, n))
            if infinite:
                samples[rng.random(samples.shape) < 0.2] = -np.inf
            gap = rounding.ROUNDING * 10.0 ** rng.integers(-3, 3, 3)
            noise = gap[:, np.newaxis] <= rounding.ROUNDING * rounding.sizes(*samples)
            found = rounding.surely_noise(gap, *samples)
            assert noise.all() or not found
            sure += found
    assert 20 < sure < 190


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("zeros", ["drop", "pratt", "split", "demsar"])
def test_signed_sums_of_long_rows_are_those_of_the_ranks(kind, zeros, monkeypatch):
    rng = np.random.default_rng(4)
    for n in (1, 2, 3, 4, 5, 64, 65, 600, ranks.BLOCK + 1):
        d, level, *samples = differences(*PAIRS[kind](rng, n))
        expected = _signed_sums.signed_sums(d, level, samples, zeros)
        monkeypatch.setattr(_signed_sums, "LONG", 1)
        found = _signed_sums.signed_sums(d, level, samples, zeros)
        stacked = _signed_sums.signed_sums(
            *(np.stack([d, -d]), np.stack([level, level])),
            [np.stack([x, x]) for x in samples],
            zeros,
        )
        monkeypatch.undo()
        for name in set(found._fields) - {"signed", "fourths"}:
            assert getattr(found, name) == getattr(expected, name), name
            assert getattr(stacked, name)[0] == getattr(expected, name), name
        # the only sum beyond 2^53, where doubles round
        np.testing.assert_allclose(found.fourths, expected.fourths, rtol=1e-13)
