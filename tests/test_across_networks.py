"""Several models over several networks: what R says of the same errors, and what is claimed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.comparison.data_sets import domain_claim, over_data_sets
from nettrial.errors import InputError

TWITCH = ("ENGB", "ES", "FR", "PTBR", "RU", "TW")
MODELS = ("wvrn", "nbc", "cdrn", "prior")
# error rates on the six Twitch networks: 10 random splits, 30% labelled, seed 0
ERRORS = np.array([
    [0.427546, 0.442322, 0.492883, 0.453488],
    [0.306638, 0.295329, 0.581008, 0.295452],
    [0.371662, 0.368041, 0.521597, 0.368128],
    [0.350000, 0.339611, 0.507623, 0.339611],
    [0.262182, 0.247785, 0.577036, 0.245342],
    [0.399639, 0.391598, 0.533093, 0.391495],
])  # fmt: skip


def test_the_six_twitch_networks_as_r_reads_them() -> None:
    """R 4.2.2: friedman.test, wilcox.test of differences without zeros, binom.test, ptukey.

    `Rscript tests/twitch_networks.R` prints these numbers from the table above.
    """
    found = over_data_sets(ERRORS, models=MODELS, data_sets=TWITCH)
    assert found.friedman.statistic == pytest.approx(13.4745762711864, rel=1e-12)
    assert found.friedman.pvalue == pytest.approx(0.00371502393140864, rel=1e-9)
    wilcoxon = [0.4375, 0.03125, 0.4375, 0.03125, 0.8125, 0.03125]
    sign = [0.21875, 0.03125, 0.21875, 0.03125, 1, 0.03125]
    nemenyi = [0.46594389916716, 0.278638875395125, 0.607808708093119, 0.00651168257356771,
               0.996058753740955, 0.0135386612924036]  # fmt: skip
    assert [pair.wilcoxon.pvalue for pair in found.pairs] == pytest.approx(wilcoxon, rel=1e-9)
    assert [pair.sign.pvalue for pair in found.pairs] == pytest.approx(sign, rel=1e-9)
    holm = [[1, 0.1875, 1, 0.1875, 1, 0.1875], [0.65625, 0.1875, 0.65625, 0.1875, 1, 0.1875]]
    assert [pair.wilcoxon_holm for pair in found.pairs] == pytest.approx(holm[0], rel=1e-9)
    assert [pair.sign_holm for pair in found.pairs] == pytest.approx(holm[1], rel=1e-9)
    assert found.nemenyi.adjusted_pvalue == pytest.approx(nemenyi, rel=1e-5)
    assert found.pairs[4].ties == 1


def test_the_twitch_networks_give_these_errors(data: Path) -> None:
    networks = {name: nettrial.read(data / "neutral" / f"twitch_{name}") for name in TWITCH[::5]}
    found = nettrial.compare_across(
        networks, ["wvrn", "nbc"], n_splits=5, test="clustered_t", seed=1
    )
    # other splits than those of the table above, on networks of 1,900 nodes and more
    assert found.over.errors == pytest.approx(ERRORS[::5, :2], abs=0.03)


@pytest.fixture(scope="module")
def found() -> nettrial.AcrossNetworks:
    networks = {f"net {i}": nettrial.latent_group_network(120, seed=i) for i in range(4)}
    return nettrial.compare_across(
        networks, ["wvrn", "nbc", "prior"], n_splits=4, test="clustered_t", seed=3
    )


def test_each_network_is_compared_and_the_means_go_over(found: nettrial.AcrossNetworks) -> None:
    for name, row in zip(found.over.data_sets, found.over.errors):
        each = found.networks[name].errors
        assert row == pytest.approx([each[model] for model in found.over.models])
    pair = found.over.pairs[0]
    assert pair.hierarchical is not None
    assert pair.wins + pair.losses + pair.ties == 4
    first, second = found.over.errors[:, 0], found.over.errors[:, 1]
    assert pair.mean_difference == pytest.approx((first - second).mean())
    assert pair.wins == (first < second).sum()


def test_the_hierarchical_mean_weighs_by_the_clustered_errors(
    found: nettrial.AcrossNetworks,
) -> None:
    from nettrial.stats import random_effects

    differences = found.over.errors[:, 0] - found.over.errors[:, 1]
    errors = [each.pairs.standard_error[0] for each in found.networks.values()]
    wanted = random_effects(differences, errors)
    pair = found.over.pairs[0]
    assert pair.hierarchical is not None
    assert pair.hierarchical.estimate == pytest.approx(wanted.estimate, rel=1e-9)


def test_it_says_what_a_domain_claim_needs(found: nettrial.AcrossNetworks) -> None:
    assert "independently" in str(found)
    assert "0.125" in domain_claim(4, 1)
    assert "at least 6 are needed" in domain_claim(4, 1)
    # the smallest p-value that is named is the one that six agreeing networks reach
    six = over_data_sets(np.arange(12).reshape(6, 2), models=["a", "b"], data_sets=list("uvwxyz"))
    assert six.pairs[0].wilcoxon.pvalue == pytest.approx(2.0**-5)
    assert json.loads(found.to_json())["over_networks"]["models"] == ["wvrn", "nbc", "prior"]


def test_ties_up_to_rounding_are_ties() -> None:
    found = over_data_sets(
        [[0.1 + 0.2, 0.3], [0.2, 0.1], [0.2, 0.1]], models=["a", "b"], data_sets=["x", "y", "z"]
    )
    assert (found.pairs[0].wins, found.pairs[0].ties, found.pairs[0].losses) == (0, 1, 2)


@pytest.mark.parametrize(
    ("errors", "message"),
    [([[0.1, 0.2]], "two data sets"), ([[0.1, np.nan], [0.1, 0.2]], "finite")],
)
def test_tables_that_cannot_be_ranked_are_refused(errors: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        over_data_sets(errors, models=["a", "b"], data_sets=["x", "y"])  # type: ignore[arg-type]


def test_one_network_is_refused_and_a_bad_one_is_named() -> None:
    good = nettrial.latent_group_network(60, seed=0)
    with pytest.raises(InputError, match="at least two"):
        nettrial.compare_across({"one": good}, ["wvrn", "nbc"])
    empty = nettrial.Network([], [], n_nodes=3, labels=["a", "b", "a"])
    with pytest.raises(InputError, match=r"network 'empty'.*no links"):
        nettrial.compare_across({"good": good, "empty": empty}, ["wvrn", "nbc"], n_splits=2)
