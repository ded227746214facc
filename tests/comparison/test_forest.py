"""The forest plot of two models on several networks."""

from __future__ import annotations

import numpy as np
import pytest

import nettrial
from nettrial.report.describe import describe
from nettrial.report.pair_displays import MEAN, ForestDisplay


@pytest.fixture(scope="module")
def found() -> nettrial.AcrossNetworks:
    networks = {f"school {i}": nettrial.latent_group_network(100, seed=i) for i in range(3)}
    options = {"test": "cluster_robust_t", "n_splits": 4}
    return nettrial.compare_across(networks, ["wvrn", "prior"], **options)


def test_rows_are_the_differences_of_the_networks_and_their_mean(found) -> None:
    table = ForestDisplay(found).frame().set_index("network")
    assert table.index.tolist() == [*found.networks, MEAN]
    for name, one in found.networks.items():
        wanted = one.to_frame().iloc[0]
        assert table.loc[name].tolist() == wanted[["estimate", "ci_low", "ci_high"]].tolist()
    whole = found.over.pairs[0].hierarchical
    assert table.loc[MEAN].tolist() == [whole.estimate, whole.ci_low, whole.ci_high]


def test_every_interval_is_drawn_in_percentage_points(found) -> None:
    table = ForestDisplay(found).frame()
    drawn = [line.get_xdata() for line in found.plot().lines if len(line.get_xdata()) == 2]
    for low, high in table[["ci_low", "ci_high"]].to_numpy():
        assert any(np.allclose(ends, [100 * low, 100 * high]) for ends in drawn)


def test_several_models_have_their_ranks(found) -> None:
    networks = {
        "a": nettrial.latent_group_network(60, seed=1),
        "b": nettrial.latent_group_network(60, seed=2),
    }
    three = nettrial.compare_across(
        networks, ["wvrn", "prior", "nbc"], test="cluster_robust_t", n_splits=3
    )
    assert describe(three).figure().title == "Mean ranks"
    assert describe(found).figure().title == "Each network's difference and their mean"
