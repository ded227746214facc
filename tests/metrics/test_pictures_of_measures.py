"""F against the threshold, Q-Q plots, and that pictures show the numbers of their curves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference
from scipy.integrate import trapezoid
from sklearn.metrics import average_precision_score, fbeta_score

from nettrial import metrics
from nettrial.core.errors import InputError
from nettrial.metrics._drawing import save_picture
from nettrial.stats import normal_quantiles

cases = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3), st.integers(1, 4)), min_size=2, max_size=20
).filter(lambda rows: any(y for y, _, _ in rows))


@settings(deadline=None, max_examples=60)
@given(cases, st.sampled_from([0.5, 1.0, 2.0]))
def test_f_at_each_threshold_equals_scikit_learn(rows, beta):
    y, s, w = (np.array(column) for column in zip(*rows))
    found = metrics.threshold_curve(y, s, weights=w, beta=beta)
    want = [
        fbeta_score(y, s >= cut, beta=beta, sample_weight=w, zero_division=0)
        for cut in found.thresholds
    ]
    np.testing.assert_allclose(found.f_beta, want, atol=1e-12)
    assert found.best_f == pytest.approx(max(want))
    best = found.thresholds[np.isclose(want, max(want), atol=1e-12)]
    assert found.best_threshold in best
    curve = metrics.precision_recall_curve(y, s, weights=w)
    np.testing.assert_allclose(found.precision, curve.precision)
    np.testing.assert_allclose(found.recall, curve.recall)


def test_without_positives_there_is_no_best_threshold():
    found = metrics.threshold_curve([0, 0], [0.1, 0.2])
    assert math.isnan(found.best_threshold)
    assert np.isnan(found.f_beta).all()
    found.plot()


def scored(n=60):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, n)
    return y, np.round(rng.normal(y, 1), 1)


def test_pictures_hold_the_numbers_of_their_curves(tmp_path, words):
    y, s = scored()
    roc = metrics.roc_curve(y, s)
    axes = roc.plot(name="model")
    diagonal, line = axes.get_lines()
    np.testing.assert_array_equal(line.get_xdata(), roc.false_positive_rate)
    assert line.get_label() == "model"
    area = trapezoid(line.get_ydata(), line.get_xdata())
    assert area == pytest.approx(metrics.auc(y, s).auc)
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata()) == [0, 1]

    axes = metrics.precision_recall_curve(y, s).plot()
    share, line = axes.get_lines()
    assert share.get_ydata()[0] == pytest.approx(y.mean())
    x, height = line.get_xdata(), line.get_ydata()
    assert line.get_drawstyle() == "steps-pre"
    assert np.diff(x) @ height[1:] == pytest.approx(average_precision_score(y, s))

    curve = metrics.threshold_curve(y, s)
    axes = curve.plot()
    named = {line.get_label(): line for line in axes.get_lines()}
    cuts, values = named["F1"].get_xdata(), named["F1"].get_ydata()
    # between two scores the line shows what a threshold there gives
    middle = (cuts[3] + cuts[4]) / 2
    assert values[4] == pytest.approx(fbeta_score(y, s >= middle, beta=1))
    for ending in ("png", "svg", "pdf"):
        save_picture(curve.plot(), tmp_path / f"one.{ending}")
        save_picture(curve.plot(), tmp_path / f"two.{ending}")
        one, two = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "two"))
        assert one == two
    with pytest.raises(InputError, match="ending in"):
        save_picture(axes, tmp_path / "one.exe")
    with words.raises(InputError):
        save_picture(axes, tmp_path / "no folder" / "one.png")


def test_normal_quantiles_have_scipys_test_and_bloms_positions():
    d = np.random.default_rng(3).exponential(1, 25)
    found = normal_quantiles(d, np.zeros(25))
    want = reference.shapiro(d)
    assert (found.statistic, found.pvalue) == pytest.approx((want.statistic, want.pvalue))
    np.testing.assert_allclose(
        found.expected, reference.norm.ppf((np.arange(1, 26) - 3 / 8) / 25.25)
    )
    np.testing.assert_array_equal(found.observed, np.sort(d))
    axes = found.plot(name="A minus B")
    line, points = axes.get_lines()
    np.testing.assert_array_equal(points.get_ydata(), found.observed)
    np.testing.assert_allclose(line.get_ydata(), d.mean() + d.std(ddof=1) * found.expected)
    assert axes.get_ylabel() == "A minus B"


@pytest.mark.parametrize("n", [5, 12, 40])
def test_the_band_holds_its_share_of_normal_samples(n):
    rng = np.random.default_rng(n)
    band = normal_quantiles(rng.normal(size=n), confidence=0.9)
    low, high = ((end - band.mean) / band.sd for end in (band.band_low, band.band_high))
    samples = np.sort(rng.normal(3, 2, (4000, n)), axis=1)
    samples = (samples - samples.mean(axis=1)[:, None]) / samples.std(axis=1, ddof=1)[:, None]
    inside = ((samples >= low) & (samples <= high)).all(axis=1).mean()
    assert 0.87 < inside < 0.93
    assert normal_quantiles([*rng.normal(size=20), 9.0]).n_outside > 0


def test_differences_that_cannot_be_compared(words):
    constant = normal_quantiles([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
    assert math.isnan(constant.pvalue)
    assert "constant" in constant.notes[0]
    with words.raises(InputError):
        normal_quantiles([1.0, 2.0])
    with words.raises(InputError):
        normal_quantiles(np.arange(5001.0))
