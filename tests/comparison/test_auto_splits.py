"""n_splits="auto": as many splits as pay, by a rule in which p-values have no say."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import nettrial
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.network.communities import communities
from nettrial.replicates.bootstrap_test import details_of_chance
from nettrial.replicates.bootstrap_variance import MOST_SPLITS, spread_of

NETWORK = nettrial.latent_group_network(120, seed=1)
OPTIONS: dict[str, Any] = {"n_splits": "auto", "n_replicates": 20, "seed": 1, "progress": False}


def verdict(found: Any) -> Any:
    return found.test(found.recommended)


@pytest.fixture(scope="module")
def ten() -> Any:
    return nettrial.compare(NETWORK, "wvrn", "nbc", **(OPTIONS | {"n_splits": None}))


@pytest.fixture(scope="module")
def auto() -> Any:
    return nettrial.compare(NETWORK, "wvrn", "nbc", **OPTIONS)


def wanted(found: Any) -> int:
    """Return the splits that the rule asks for, by what the test itself reports."""
    test = verdict(found)
    splits, k = test.details["variance_splits"], test.details["n_splits"]
    networks = test.standard_error**2 - splits / k
    return int(np.clip(math.ceil(9 * splits / networks) if networks > 0 else 100, k, 100))


def test_the_first_splits_and_the_replicates_are_those_of_ten(ten, auto) -> None:
    assert len(auto.predictions.splits) == wanted(ten) > 10
    for name in ("wvrn", "nbc"):
        for old, new in zip(ten.predictions.probabilities[name],
                            auto.predictions.probabilities[name]):  # fmt: skip
            np.testing.assert_array_equal(old, new)
    for kept in ("variance_at_estimate", "variance_at_null", "size_correction", "mean_at_null"):
        assert verdict(auto).details[kept] == verdict(ten).details[kept]
    assert auto.to_dict()["n_splits"] == verdict(auto).details["n_splits"] == wanted(ten)


def test_the_verdict_is_made_of_all_splits(ten, auto) -> None:
    apart = auto.scores_by_split["wvrn"] - auto.scores_by_split["nbc"]
    before = verdict(ten)
    networks = before.standard_error**2 - before.details["variance_splits"] / 10
    assert verdict(auto).estimate == pytest.approx(apart.mean(), abs=1e-12)
    noise = apart.var(ddof=1) / apart.size
    assert verdict(auto).standard_error ** 2 == pytest.approx(networks + noise)
    share = verdict(auto).details["share_splits"]
    assert share == pytest.approx(noise / (networks + noise))
    assert f"split noise {share:.0%} of the variance" in " ".join(str(auto).split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"design": "ncv"},
        {"design": "rrs", "test": "halves", "n_replicates": 10},
        {"design": "rrs", "test": "network_hac"},
        {"design": nettrial.splits.RandomResampling(seed=1)},
    ],
)
def test_other_designs_and_tests_keep_ten(options) -> None:
    found = nettrial.compare(NETWORK, "wvrn", "nbc", **(OPTIONS | options))
    assert len(found.predictions.splits) == 10


@pytest.mark.slow
def test_the_neediest_pair_decides_for_all() -> None:
    several = nettrial.compare(NETWORK, ["wvrn", "nbc", "prior"], **OPTIONS)
    alone = [
        len(nettrial.compare(NETWORK, a, b, **OPTIONS).predictions.splits)
        for a, b in (("wvrn", "nbc"), ("wvrn", "prior"), ("nbc", "prior"))
    ]
    assert len(several.predictions.splits) == max(alone)


def test_all_proportions_of_a_sweep_get_the_same_number() -> None:
    found = nettrial.sweep(NETWORK, ["wvrn", "nbc"], labeled=[0.2, 0.4], **OPTIONS)
    alone = [
        len(nettrial.compare(NETWORK, "wvrn", "nbc", labeled=each, **OPTIONS).predictions.splits)
        for each in (0.2, 0.4)
    ]
    assert found.n_splits == max(alone)


def test_a_study_file_goes_on_from_ten_splits(tmp_path: Path, ten, auto, words) -> None:
    file = tmp_path / "study.nettrial"
    first = nettrial.compare(NETWORK, "wvrn", "nbc", store=file, **(OPTIONS | {"n_splits": 10}))
    assert verdict(first).pvalue == verdict(ten).pvalue
    more = nettrial.compare(NETWORK, "wvrn", "nbc", store=file, **OPTIONS)
    again = nettrial.compare(NETWORK, "wvrn", "nbc", store=file, **OPTIONS)
    read = stored_comparison(file)
    for found in (more, again, read):
        assert verdict(found).pvalue == verdict(auto).pvalue
        assert len(found.predictions.splits) == len(auto.predictions.splits)
    assert nettrial.store.study_status(file).splits == len(auto.predictions.splits)
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "nbc", store=file, **(OPTIONS | {"n_splits": 12}))


def test_workers_do_not_change_it(auto) -> None:
    found = nettrial.compare(NETWORK, "wvrn", "nbc", n_jobs=2, **OPTIONS)
    assert verdict(found).pvalue == verdict(auto).pvalue


def test_models_that_never_differ_need_no_more_splits() -> None:
    found = nettrial.compare(NETWORK, {"a": "wvrn", "b": "wvrn"}, **OPTIONS)
    assert len(found.predictions.splits) == 10


def test_the_rule_keeps_its_limits() -> None:
    rng = np.random.default_rng(0)
    sizes = np.full(20, 15.0)

    def asked(between: float) -> int:
        drawn = between * rng.normal(size=(2, 200, 1)) + rng.normal(size=(2, 200, 16))
        return spread_of(*drawn, rng.normal(size=10), sizes, independent=True).splits_that_pay

    assert asked(0.0) == MOST_SPLITS
    assert asked(50.0) == 10
    assert 10 < asked(0.5) < MOST_SPLITS


def test_the_monte_carlo_error_is_how_far_chance_moves_p() -> None:
    found = SimpleNamespace(variance=4.0, df=12.0, chance=0.02)

    def error(estimate: float, noise: float) -> float:
        return details_of_chance(estimate, found, noise)["pvalue_error"]

    # where chance moves t little, p moves by the density of t
    t, noise = 2.2, 1e-6
    found.chance = 0.0
    slope = 2 * stats.t.pdf(t, 12) * math.sqrt(noise / 4)
    assert error(2 * t, noise) == pytest.approx(slope, rel=1e-3)
    # and never by more than there is
    assert error(0.0, 4.0) == pytest.approx(1 - 2 * stats.t.sf(1, 12))
    assert error(1.0, 4.0) < 0.5
    assert math.isnan(error(1.0, math.nan))


@pytest.mark.slow
def test_the_monte_carlo_error_is_what_other_seeds_show() -> None:
    network = nettrial.latent_group_network(300, seed=3)
    options = OPTIONS | {"n_splits": 10, "n_replicates": 100, "labeled": 0.4}
    groups = communities(network, seed=0)
    tests = [
        verdict(nettrial.compare(network, "wvrn", "nbc", communities=groups,
                                 **(options | {"seed": seed})))
        for seed in range(30)
    ]  # fmt: skip
    moved = np.std([test.pvalue for test in tests], ddof=1)
    expected = np.sqrt(np.mean([test.details["pvalue_error"] ** 2 for test in tests]))
    assert 0.6 < moved / expected < 1.5
