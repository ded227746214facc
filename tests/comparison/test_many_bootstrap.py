"""Several models by the bootstrap: with two it is compare(), with more one family."""

from __future__ import annotations

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.stats import adjust, max_t_comparisons, replicate_comparisons

pytestmark = pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(120, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("models", [["wvrn", "nbc"], ["cdrn", "wvrn"]])
@pytest.mark.parametrize("design", ["rrs", "ncv"])
def test_two_models_have_the_pvalue_of_compare(
    network: Network, models: list[str], design: str
) -> None:
    options = {"n_splits": 5, "design": design, "n_replicates": 20, "seed": 4}
    two = nettrial.compare(network, *models, **options)  # type: ignore[arg-type]
    many = nettrial.compare_models(network, models, **options)  # type: ignore[arg-type]
    assert two.recommended == many.recommended == "bootstrap"
    one = two.test("bootstrap")
    for ours, theirs in (
        (many.pairs.pvalue, one.pvalue),
        (many.pairs.adjusted_pvalue, one.pvalue),
        (many.pairs.estimate, one.estimate),
        (many.pairs.standard_error, one.standard_error),
        (many.pairs.df, one.df),
        (many.pairs.ci_low, one.ci_low),
    ):
        assert ours is not None
        assert ours[0] == pytest.approx(theirs, rel=1e-6)


@pytest.mark.parametrize("n_nodes", [120, 103])
@pytest.mark.parametrize("design", ["rrs", "ncv", "ers"])
def test_two_models_have_the_pvalue_of_compare_by_community(n_nodes: int, design: str) -> None:
    network = nettrial.latent_group_network(n_nodes, seed=8)  # folds of unequal size
    options = {"n_splits": 7, "design": design, "test": "cluster_robust_t", "seed": 2}
    two = nettrial.compare(network, "wvrn", "nbc", **options)  # type: ignore[arg-type]
    many = nettrial.compare_models(network, ["wvrn", "nbc"], **options)  # type: ignore[arg-type]
    test = two.test("cluster_robust_t")
    assert many.pairs.estimate[0] == pytest.approx(test.estimate, abs=1e-12)
    assert many.pairs.pvalue[0] == pytest.approx(test.pvalue, rel=1e-9)
    assert test.df is not None
    settled = test.df >= 4  # with fewer degrees of freedom no p-value of a family is given
    adjusted = test.pvalue if settled else np.nan
    assert many.pairs.adjusted_pvalue[0] == pytest.approx(adjusted, rel=1e-9, nan_ok=True)
    assert many.scores["wvrn"] == pytest.approx(two.estimates["p"][two.a], abs=1e-12)


@pytest.mark.slow
def test_a_pair_alone_is_the_same_in_any_family(network: Network) -> None:
    options = {"n_splits": 4, "n_replicates": 12, "test": "bootstrap", "seed": 1}
    three = nettrial.compare_models(network, ["cdrn", "wvrn", "prior"], **options)  # type: ignore[arg-type]
    two = nettrial.compare_models(network, ["cdrn", "wvrn"], **options)  # type: ignore[arg-type]
    control = nettrial.compare_models(
        network,
        ["cdrn", "wvrn", "prior"],
        control="wvrn",
        **options,  # type: ignore[arg-type]
    )
    assert three.pairs.pvalue[0] == pytest.approx(two.pairs.pvalue[0], rel=1e-9)
    assert three.pairs.pvalue[0] == pytest.approx(control.pairs.pvalue[0], rel=1e-9)
    assert (three.pairs.adjusted_pvalue >= three.pairs.pvalue).all()
    assert control.pairs.adjusted_pvalue[0] <= three.pairs.adjusted_pvalue[0] + 2e-3
    assert three.settings["n_replicates"] == 12
    assert "community bootstrap" in str(three)
    for model, error in three.scores.items():
        low, high = three.score_intervals[model]
        assert 0 <= low < error < high <= 1


@pytest.mark.slow
def test_one_model_that_may_notice_copies_keeps_all_from_them(network: Network) -> None:
    found = nettrial.compare_models(network, ["wvrn", "nbc", "nlb"], n_splits=2, n_replicates=10)
    assert found.recommended == "halves"
    assert "copies" in found.reason


def test_equal_models_are_never_told_apart(network: Network) -> None:
    found = nettrial.compare_models(
        network, ["wvrn", "wvrn", "nbc"], n_splits=3, n_replicates=10, test="bootstrap"
    )
    assert found.pairs.adjusted_pvalue[0] == 1
    assert found.letters["wvrn"] == found.letters["wvrn (2)"]


def test_what_cannot_be_re_run_is_refused_or_told(network: Network, words) -> None:
    design = RandomResampling(n_splits=3, labeled=0.3, seed=1)
    splits = design.split_network(network)
    given = nettrial.compare_models(network, ["wvrn", "nbc"], design=splits, n_replicates=10)
    assert (given.recommended, "splits were given" in given.reason) == ("halves", True)
    one = np.zeros(network.n_nodes, dtype=int)
    note = nettrial.compare_models(network, ["wvrn", "nbc"], n_splits=3, communities=one)
    assert (note.recommended, "could not be run again" in note.reason) == ("cluster_robust_t", True)
    with words.raises(InputError):
        nettrial.compare_models(
            network, ["wvrn", "nbc"], n_splits=3, communities=one, test="bootstrap"
        )
    with words.raises(InputError):
        nettrial.compare_models(network, ["wvrn", "nbc"], test="paired_t")
    with words.raises(InputError):
        nettrial.compare_models(network, ["wvrn", "nbc"], n_replicates=1)


def test_standard_errors_from_elsewhere_keep_the_correlation_of_replicates(words) -> None:
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(50, 2)) @ np.array([[1.0, 0.7], [0.0, 0.3]])
    own = np.array([0.2, 0.5])
    names = {"first": ["a", "a"], "second": ["b", "c"]}
    found = replicate_comparisons([0.5, 0.9], draws, standard_error=own, df=[8, 20], **names)
    wanted = max_t_comparisons(
        [0.5, 0.9], np.corrcoef(draws.T) * np.outer(own, own), df=[8, 20], **names
    )
    np.testing.assert_allclose(found.adjusted_pvalue, wanted.adjusted_pvalue, rtol=1e-9)
    still = np.column_stack([draws[:, 0], np.full(50, 0.1)])
    alone = replicate_comparisons([0.5, 0.9], still, standard_error=own, df=9, **names)
    free = max_t_comparisons([0.5, 0.9], np.diag(own**2), df=9, **names)
    np.testing.assert_allclose(alone.adjusted_pvalue, free.adjusted_pvalue, rtol=1e-9)
    for bad in ([0.2], [0.2, -1.0], [0.2, np.nan]):
        with words.raises(InputError):
            replicate_comparisons([0.5, 0.9], draws, standard_error=bad, **names)


def test_network_cross_validation_is_repeated_on_every_replicate(network: Network) -> None:
    found = nettrial.compare(
        network, "wvrn", "nbc", design="ncv", n_splits=4, n_replicates=10, test="bootstrap"
    ).test("bootstrap")
    assert np.isnan(found.details["variance_splits"])
    assert found.details["n_splits"] == 4


def test_a_family_without_standard_errors_is_adjusted_by_holm(network: Network) -> None:
    names = ["wvrn", "nbc", "cdrn"]
    found = nettrial.compare_models(network, names, n_splits=3, test="cluster_sign_flip")
    assert found.pairs.adjustment == "Holm"
    assert found.pairs.adjusted_pvalue == pytest.approx(adjust(found.pairs.pvalue))
