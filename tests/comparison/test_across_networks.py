"""Several models over several networks: what R says of the same errors, and what is claimed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.inference.data_sets import domain_claim, over_data_sets
from nettrial.metrics.measures import MEASURES
from nettrial.report.describe import describe
from nettrial.report.methods import in_words

TWITCH = ("ENGB", "ES", "FR", "PTBR", "RU", "TW")
MODELS = ("wvrn", "nbc", "cdrn", "prior")
# error rates on the six Twitch networks: 10 random splits, 30% labeled, seed 0
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
        networks, ["wvrn", "nbc"], n_splits=5, test="cluster_robust_t", seed=1
    )
    # other splits than those of the table above, on networks of 1,900 nodes and more
    assert found.over.scores == pytest.approx(ERRORS[::5, :2], abs=0.03)


def one_line(text: str) -> str:
    return " ".join(text.split())


def across(
    errors: object, models: str | tuple[str, ...], measure: str = "error"
) -> nettrial.AcrossNetworks:
    """Give what is said over networks of these errors, without the networks themselves."""
    table = np.asarray(errors)
    over = over_data_sets(
        table,
        models=tuple(models),
        data_sets=[f"n{i}" for i in range(len(table))],
        measure=MEASURES[measure],
        standard_errors=np.full((len(table), 1), 0.01) if table.shape[1] == 2 else None,
    )
    return nettrial.AcrossNetworks({}, over, "", 0)


def test_the_verdict_takes_in_every_test_that_stands_below() -> None:
    twitch = across(ERRORS, MODELS)
    assert "the models are not all alike over such networks (Iman-Davenport, p < 0.0001), and " in (
        twitch.verdict
    )
    assert "nbc and prior beat cdrn (Nemenyi)" in twitch.verdict.replace("\n", " ")
    assert "6 networks are too few for 6 pairs" in twitch.verdict
    rng = np.random.default_rng(0)
    equal = across(rng.uniform(0.2, 0.3, (8, 3)), "abc")
    assert "by ranks no models differ significantly" in equal.verdict
    assert "nor could they" not in equal.verdict
    wide = across(np.array([[0.1, 0.2, 0.3]]) + rng.uniform(0, 0.01, (8, 3)), "abc")
    assert "a beats b and c, b beats c (Wilcoxon, Holm)" in wide.verdict
    assert "(Friedman, p = " in wide.verdict  # every network has the same order


def test_of_two_models_the_pair_decides_and_ranks_are_left_out() -> None:
    few, many = (across([[0.1, 0.2]] * n, "ab") for n in (4, 8))
    # by Nemenyi's normal approximation four networks would do, exactly they cannot
    assert few.over.nemenyi.adjusted_pvalue[0] < 0.05 < few.over.pairs[0].wilcoxon.pvalue
    assert few.verdict.startswith("No evidence that a beats b")
    assert "4 networks are too few" in few.verdict
    assert many.verdict.startswith("a beats b over such networks: it is better on 8 of 8")
    for found in (few, many):
        assert "Friedman" not in str(found)
        assert "Nemenyi" not in str(found) + found.to_markdown()
        assert not any("rough" in str(warning) for warning in found.warnings)


def test_the_direction_of_a_claim_is_that_of_its_test() -> None:
    # seven networks say a, one says b so strongly that the mean does too
    errors = np.array([[0.1, 0.1 + 0.01 * i] for i in range(1, 10)] + [[0.9, 0.1]])
    found = across(errors, "ab")
    assert found.over.pairs[0].mean_difference > 0
    assert "a beats b" in found.verdict


def test_equal_looking_numbers_are_marked_alike_and_equality_has_a_width() -> None:
    found = across([[0.34151, 0.34149, 0.5], [0.1, 0.3, 0.2]], "abc")
    assert str(found).count("34.1 *") + str(found).count("34.2 *") == 1  # they print differently
    alike = str(across([[0.34191, 0.34189, 0.5], [0.1, 0.3, 0.2]], "abc"))
    assert alike.count("34.2 *") == 2
    assert "differ by 1 percentage point or less" in one_line(alike)
    assert "differ by 0.01 or less" in one_line(
        str(across([[0.3, 0.4], [0.3, 0.2]], "ab", "log_loss"))
    )


def test_ranks_and_probabilities_follow_the_direction_of_the_measure() -> None:
    values = np.random.default_rng(1).uniform(0.6, 0.9, (7, 3))
    auc, error = across(values, "abc", "auc").over, across(1 - values, "abc").over
    assert auc.mean_ranks == error.mean_ranks
    assert auc.friedman.statistic == error.friedman.statistic
    for one, other in zip(auc.pairs, error.pairs):
        assert (one.wins, one.losses) == (other.wins, other.losses)
        assert one.mean_difference == pytest.approx(-other.mean_difference)
        assert one.wilcoxon.pvalue == other.wilcoxon.pvalue
        assert one.bayes is not None
        assert other.bayes is not None
        assert one.bayes.prob_less == pytest.approx(other.bayes.prob_less, abs=1e-9)


@pytest.mark.parametrize("measure", ["auc", "log_loss"])
def test_networks_are_compared_by_any_measure(measure: str) -> None:
    networks = {f"net {i}": nettrial.latent_group_network(100, seed=i) for i in range(3)}
    options: dict[str, Any] = {"n_splits": 3, "test": "cluster_robust_t", "measure": measure}
    found = nettrial.compare_across(networks, ["wvrn", "nbc"], seed=4, **options)
    for name, row in zip(found.over.data_sets, found.over.scores):
        alone = nettrial.compare_models(
            networks[name], ["wvrn", "nbc"], seed=found.networks[name].seed, **options
        )
        assert row == pytest.approx([alone.scores["wvrn"], alone.scores["nbc"]])
    text, page = str(found), found.to_html()
    better = MEASURES[measure].better
    for note in (text, page):
        assert f"Differences in {MEASURES[measure].title}" in note
        assert f"{better} is better" in note
        assert "Error rates" not in note
    assert json.loads(found.to_json())["better"] == better
    assert MEASURES[measure].title in in_words(describe(found))


@pytest.mark.parametrize(
    "options",
    [{"measure": "acc"}, {"rope": -0.1}, {"confidence": 2}],
)
def test_settings_are_refused_before_any_model_runs(options: dict[str, object], words) -> None:
    class Never:
        def fit(self, network: object, train: object) -> None:
            raise AssertionError

        def predict_proba(self, network: object, nodes: object) -> None: ...

    networks = {f"net {i}": nettrial.latent_group_network(60, seed=i) for i in range(2)}
    with words.raises(InputError):
        nettrial.compare_across(networks, [Never(), Never()], **options)  # type: ignore[arg-type,list-item]


@pytest.fixture(scope="module")
def found() -> nettrial.AcrossNetworks:
    networks = {f"net {i}": nettrial.latent_group_network(120, seed=i) for i in range(4)}
    return nettrial.compare_across(
        networks, ["wvrn", "nbc", "prior"], n_splits=4, test="cluster_robust_t", seed=3
    )


def test_each_network_is_compared_and_the_means_go_over(found: nettrial.AcrossNetworks) -> None:
    for name, row in zip(found.over.data_sets, found.over.scores):
        each = found.networks[name].scores
        assert row == pytest.approx([each[model] for model in found.over.models])
    pair = found.over.pairs[0]
    assert pair.hierarchical is not None
    assert pair.wins + pair.losses + pair.ties == 4
    first, second = found.over.scores[:, 0], found.over.scores[:, 1]
    assert pair.mean_difference == pytest.approx((first - second).mean())
    assert pair.wins == (first < second).sum()


def test_the_hierarchical_mean_weighs_by_the_clustered_errors(
    found: nettrial.AcrossNetworks,
) -> None:
    from nettrial.stats import random_effects

    differences = found.over.scores[:, 0] - found.over.scores[:, 1]
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
    "errors",
    [[[0.1, 0.2]], [[0.1, np.nan], [0.1, 0.2]]],
)
def test_tables_that_cannot_be_ranked_are_refused(errors: object, words) -> None:
    with words.raises(InputError):
        over_data_sets(errors, models=["a", "b"], data_sets=["x", "y"])  # type: ignore[arg-type]


def test_one_network_is_refused_and_a_bad_one_is_named(words) -> None:
    good = nettrial.latent_group_network(60, seed=0)
    with words.raises(InputError):
        nettrial.compare_across({"one": good}, ["wvrn", "nbc"])
    empty = nettrial.Network([], [], n_nodes=3, labels=["a", "b", "a"])
    with words.raises(InputError):
        nettrial.compare_across({"good": good, "empty": empty}, ["wvrn", "nbc"], n_splits=2)
