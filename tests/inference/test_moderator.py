"""Differences over networks by a moderator, against statsmodels' weighted least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import nettrial
from nettrial.comparison.across import AcrossNetworks
from nettrial.core.errors import InputError
from nettrial.inference.moderator import meta_regression
from nettrial.report.pair_displays import BubbleDisplay, ForestDisplay

QUICK: dict[str, Any] = {"n_splits": 4, "test": "cluster_robust_t"}
NETWORKS = {f"n{i}": nettrial.latent_group_network(150, seed=i) for i in range(6)}


@pytest.fixture(scope="module")
def found() -> AcrossNetworks:
    return nettrial.compare_across(NETWORKS, ["wvrn", "nbc"], moderator="autocorrelation", **QUICK)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tau", [0.0, 0.05])
def test_lines_are_those_of_weighted_least_squares(seed: int, tau: float) -> None:
    rng = np.random.default_rng(seed)
    x, s = rng.random(9), rng.uniform(0.01, 0.05, 9)
    d = 0.02 - 0.1 * x + s * rng.normal(size=9) + tau * rng.normal(size=9)
    line = meta_regression(("a", "b"), d, s, x)
    oracle = sm.WLS(d, sm.add_constant(x), weights=1 / (s**2 + line.tau**2)).fit()
    spread = oracle.scale * 7
    if line.tau > 0:  # Paule and Mandel's equation
        assert spread == pytest.approx(7, rel=1e-6)
    else:
        assert spread <= 7
    assert (line.intercept, line.slope) == pytest.approx(tuple(oracle.params))
    error = oracle.bse[1] * max(1.0, oracle.scale**-0.5)
    assert line.standard_error == pytest.approx(error)
    scaled = oracle.scale >= 1 - 1e-6
    if scaled:
        assert line.pvalue == pytest.approx(oracle.pvalues[1], rel=1e-5)
        ends = oracle.conf_int()[1]
        assert (line.ci_low, line.ci_high) == pytest.approx(tuple(ends), rel=1e-5)
    assert line.df == 7


def test_a_result_holds_the_line_of_every_pair_and_draws_it(found: AcrossNetworks) -> None:
    (line,) = found.moderations
    values = [found.traits[name]["autocorrelation"] for name in NETWORKS]
    pairs = [each.pairs for each in found.networks.values()]
    estimates = [float(p.estimate[0]) for p in pairs]
    errors = [float(p.standard_error[0]) for p in pairs]
    assert line.slope == pytest.approx(meta_regression(("", ""), estimates, errors, values).slope)
    table = found.to_dict()
    assert table["moderator"] == "autocorrelation"
    assert table["moderations"][0]["slope"] == line.slope
    assert list(table["moderated"].values()) == values
    drawn = BubbleDisplay(found, line).plot()
    bubbles = [each for each in drawn.lines if each.get_marker() == "o"]
    assert [float(each.get_xdata()[0]) for each in bubbles] == pytest.approx(values)
    assert "wvrn minus nbc by autocorrelation" in (found.to_html() or "")


def test_the_forest_is_sorted_by_the_moderator(found: AcrossNetworks) -> None:
    shown = ForestDisplay(found).frame()["network"].tolist()[:-1]
    assert shown == sorted(NETWORKS, key=lambda name: found.moderated[name])


def test_numbers_of_ones_own_are_taken_by_name() -> None:
    years = {f"n{i}": 2000 + i for i in range(6)}
    own = nettrial.compare_across(NETWORKS, ["wvrn", "prior"], moderator=years, **QUICK)
    assert own.moderated == years
    assert len(own.moderations) == 1


@pytest.mark.parametrize(
    "moderator",
    [
        "autocorrelatio",
        "n_nodes",
        {"n0": 1.0},
    ],
)
def test_what_is_no_moderator_is_refused_before_models_run(moderator: Any, words) -> None:
    with words.raises(InputError):
        nettrial.compare_across(NETWORKS, ["wvrn", "prior"], moderator=moderator, **QUICK)


def test_three_networks_are_too_few_for_a_line(words) -> None:
    few = {name: NETWORKS[name] for name in ("n0", "n1", "n2")}
    with words.raises(InputError):
        nettrial.compare_across(few, ["wvrn", "prior"], moderator="autocorrelation", **QUICK)
