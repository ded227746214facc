"""Several models on one network, and at several proportions of labels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import nettrial
from nettrial.core.errors import InputError
from nettrial.core.wording import pvalue_text, shorten_apart
from nettrial.inference.scores import Scores
from nettrial.metrics.measures import SMALLEST, measure_named
from nettrial.network.network import Network
from nettrial.splits import NetworkCrossValidation, RandomResampling
from nettrial.stats import adjust, hotelling_paired_test, manova_test
from timeless import timeless

MODELS = ["wvrn", "nbc", "nlb", "prior"]


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(200, seed=3)


@pytest.fixture(scope="module")
def found(network: Network) -> nettrial.MultipleComparison:
    return nettrial.compare_models(network, MODELS, n_splits=6, test="network_hac", seed=5)


def test_differences_and_standard_errors_are_those_of_compare(
    network: Network, found: nettrial.MultipleComparison
) -> None:
    two = nettrial.compare(network, "wvrn", "nbc", n_splits=6, seed=5, test=found.recommended)
    clustered = two.test(found.recommended)
    assert (found.pairs.first[0], found.pairs.second[0]) == ("wvrn", "nbc")
    assert found.pairs.estimate[0] == pytest.approx(clustered.estimate, abs=1e-12)
    assert found.pairs.standard_error[0] == pytest.approx(clustered.standard_error, rel=1e-9)
    assert found.scores["wvrn"] == pytest.approx(two.estimates["p"][two.a])


def test_the_order_of_the_models_only_turns_signs(
    network: Network, found: nettrial.MultipleComparison
) -> None:
    other = nettrial.compare_models(network, MODELS[::-1], n_splits=6, test="network_hac", seed=5)
    one = {
        (a, b): (d, p)
        for a, b, d, p in zip(
            found.pairs.first, found.pairs.second, found.pairs.estimate, found.pairs.adjusted_pvalue
        )
    }
    for a, b, d, p in zip(
        other.pairs.first, other.pairs.second, other.pairs.estimate, other.pairs.adjusted_pvalue
    ):
        assert d == pytest.approx(-one[b, a][0], abs=1e-12)
        # the directions of integration turn with the order
        assert p == pytest.approx(one[b, a][1], abs=2e-3)
    assert other.letters == found.letters


def test_models_share_a_letter_exactly_if_not_told_apart(
    found: nettrial.MultipleComparison,
) -> None:
    pairs = found.pairs
    for a, b, p in zip(pairs.first, pairs.second, pairs.adjusted_pvalue):
        assert bool(set(found.letters[a]) & set(found.letters[b])) == (p >= 0.05)
    assert list(found.scores.values()) == sorted(found.scores.values())
    np.testing.assert_array_equal(pairs.details["holm_pvalue"], adjust(pairs.pvalue))


@pytest.mark.slow
def test_a_control_costs_less_than_all_pairs(
    network: Network, found: nettrial.MultipleComparison
) -> None:
    one = nettrial.compare_models(network, MODELS, control="wvrn", n_splits=6, seed=5)
    assert one.pairs.second == ("wvrn",) * 3
    assert one.letters == {}
    np.testing.assert_allclose(one.pairs.estimate, -found.pairs.estimate[:3], atol=1e-12)
    assert "letters" not in str(one)
    for family in (one, found):
        assert family.pairs.df is not None
        alone = float(stats.t.ppf(0.975, family.pairs.df[0]))
        bonferroni = float(stats.t.ppf(1 - 0.025 / len(family.pairs.first), family.pairs.df[0]))
        assert alone < family.pairs.details["critical_value"][0] <= bonferroni


def test_a_model_against_itself_has_no_difference(network: Network) -> None:
    same = nettrial.compare_models(network, ["wvrn", "wvrn", "wvrn"], n_splits=3)
    assert list(same.scores) == ["wvrn", "wvrn (2)", "wvrn (3)"]
    assert (same.pairs.estimate == 0).all()
    assert (same.pairs.adjusted_pvalue == 1).all()
    assert set(same.letters.values()) == {"a"}


@pytest.mark.slow
def test_same_seed_gives_the_same_bytes_and_json_holds_the_pairs(network: Network) -> None:
    one = timeless(nettrial.compare_models(network, MODELS[:3], n_splits=3, seed=9))
    assert one == timeless(nettrial.compare_models(network, MODELS[:3], n_splits=3, seed=9))
    read = json.loads(one)
    assert len(read["pairs"]) == 3
    assert {"holm_pvalue", "adjusted_pvalue", "ci_low"} <= set(read["pairs"][0])
    assert {"model", "score", "letters"} <= set(read["models"][0])


def test_several_measures_at_once(network: Network) -> None:
    measures = ("error", "squared_loss")
    two = nettrial.compare_models(network, ["wvrn", "nbc"], n_splits=4, measures=measures)
    three = nettrial.compare_models(
        network, ["wvrn", "nbc", "nlb"], n_splits=4, test="network_hac", measures=measures
    )
    for found, n_models in ((two, 2), (three, 3)):
        rows = []
        for m in range(n_models):
            columns = []
            for measure in measures:
                scores = Scores.of(found.predictions, measure_named(measure))
                group = found.communities[scores.nodes]
                columns.append(
                    [
                        np.average(scores.means[m][group == c], weights=scores.weights[group == c])
                        for c in np.unique(group)
                    ]
                )
            rows.append(np.array(columns).T)
        if n_models == 2:
            wanted = hotelling_paired_test(rows[0], rows[1])
        else:
            n = len(rows[0])
            wanted = manova_test(
                np.vstack(rows), np.repeat(np.arange(3), n), blocks=np.tile(np.arange(n), 3)
            )
        assert found.multivariate is not None
        assert found.multivariate.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)
        assert any("equally heavy" in str(w) for w in found.warnings)


def test_losses_are_those_of_the_metrics(found: nettrial.MultipleComparison) -> None:
    from nettrial.metrics import log_loss

    predictions = found.predictions
    scores = Scores.of(predictions, measure_named("log_loss"))
    losses, times = scores.means, scores.weights
    for row, model in zip(losses, predictions.models):
        each = []
        for split, proba in zip(predictions.splits, predictions.probabilities[model]):
            table = np.clip(proba.astype(float), SMALLEST, None)
            each.append(
                log_loss(
                    predictions.network.labels[split.test],
                    table / table.sum(axis=1, keepdims=True),
                    classes=range(predictions.network.n_classes),
                )
            )
        assert (row * times).sum() / times.sum() == pytest.approx(np.mean(each), abs=1e-5)


@pytest.mark.parametrize(
    ("models", "options"),
    [
        (["wvrn"], {}),
        (["wvrn", "nbc"], {"control": "gcn"}),
        (["wvrn", "nbc"], {"measures": ("error", "auc")}),
        (["wvrn", "nbc"], {"measures": ("log_loss",)}),
    ],
)
def test_what_cannot_be_compared_is_refused(
    network: Network, models: list[str], options: dict[str, object], words
) -> None:
    with words.raises(InputError):
        nettrial.compare_models(network, models, n_splits=2, **options)  # type: ignore[arg-type]


def test_one_community_gives_no_pvalue_and_says_so(network: Network) -> None:
    found = nettrial.compare_models(
        network,
        ["wvrn", "nbc"],
        n_splits=3,
        communities=np.zeros(network.n_nodes, dtype=int),
        test="cluster_robust_t",
    )
    assert np.isnan(found.pairs.adjusted_pvalue).all()
    assert found.verdict.startswith("No verdict on the models: no pair has a p-value.")
    assert "1 given community" in str(found)


# sweeps


@pytest.fixture(scope="module")
def swept(network: Network) -> nettrial.Sweep:
    return nettrial.sweep(
        network,
        ["wvrn", "nbc", "nlb"],
        labeled=[0.5, 0.1, 0.3],
        n_splits=5,
        design="ncv",
        test="network_hac",
        seed=2,
    )


def test_the_middle_of_a_sweep_has_the_errors_of_a_comparison(
    network: Network, swept: nettrial.Sweep
) -> None:
    assert swept.labeled == (0.1, 0.3, 0.5)
    alone = nettrial.compare_models(
        network,
        ["wvrn", "nbc", "nlb"],
        labeled=0.3,
        n_splits=5,
        design="ncv",
        test="network_hac",
        seed=2,
    )
    for model, error in zip(swept.models, swept.scores[1]):
        assert error == pytest.approx(alone.scores[model])  # these models do not draw at random
    np.testing.assert_allclose(swept.pairs.estimate[3:6], alone.pairs.estimate, atol=1e-12)
    np.testing.assert_allclose(swept.pairs.standard_error[3:6], alone.pairs.standard_error)
    frame = swept.to_frame()
    assert frame.labeled.tolist() == [0.1] * 3 + [0.3] * 3 + [0.5] * 3


def test_network_cross_validation_has_one_set_of_folds(network: Network) -> None:
    folds = [
        [
            split.test.tolist()
            for split in NetworkCrossValidation(n_splits=5, labeled=rate, seed=2).split_network(
                network
            )
        ]
        for rate in (0.1, 0.3, 0.5)
    ]
    assert folds[0] == folds[1] == folds[2]


def test_intervals_for_other_splits_are_t_intervals_of_the_splits(network: Network) -> None:
    found = nettrial.sweep(network, ["wvrn", "nbc"], labeled=[0.4], n_splits=6, seed=4)
    splits = RandomResampling(n_splits=6, labeled=0.4, seed=4).split_network(network)
    predictions = nettrial.run(network, {"m": nettrial.models.WVRN()}, splits)
    rates = [float((row == 1).sum() / (row >= 0).sum()) for row in predictions.errors("m")]
    low, high = stats.t.interval(0.95, 5, np.mean(rates), stats.sem(rates))
    assert found.splits_low[0, 0] == pytest.approx(low)
    assert found.splits_high[0, 0] == pytest.approx(high)


def test_changes_of_order_are_found_and_judged(swept: nettrial.Sweep) -> None:
    for change in swept.changes:
        i, j = swept.labeled.index(change.before), swept.labeled.index(change.after)
        one, two = (swept.models.index(name) for name in (change.first, change.second))
        assert j == i + 1
        assert swept.scores[i, one] < swept.scores[i, two]
        assert swept.scores[j, one] > swept.scores[j, two]
        assert change.before < change.crossing < change.after
    order = np.sign(swept.pairs.estimate.reshape(3, 3))
    turns = (order[:-1] * order[1:] < 0).sum()
    assert len(swept.changes) == turns
    assert "other networks" in str(swept)
    assert "one set of folds" in " ".join(str(swept).split())


class Turning:
    """Right on a share of the nodes of every community that depends on the labels it sees."""

    def __init__(self, few: float, many: float) -> None:
        self.shares = few, many

    def fit(self, network: Network, train: np.ndarray) -> Turning:
        self.right = self.shares[train.size > network.n_nodes / 3]
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        right = np.random.default_rng(nodes % 1000).random(nodes.size) < self.right
        return np.eye(2)[np.where(right, 1, 0)]


def test_a_clear_change_of_the_winner_is_supported() -> None:
    n = 600
    ring = np.arange(n)
    network = Network(
        ring, (ring + 1) % n, n_nodes=n, labels=["b"] * (n - 1) + ["a"], classes=["a", "b"]
    )
    found = nettrial.sweep(
        network, [Turning(0.5, 0.9), Turning(0.9, 0.5)], labeled=[0.2, 0.6],
        communities=ring // 20, test="network_hac",
    )  # fmt: skip
    (change,) = found.changes
    assert (change.first, change.second) == ("Turning (2)", "Turning")
    assert change.supported
    assert "1 of 1 changes" in found.verdict


@pytest.mark.parametrize(
    "options",
    [
        {"labeled": []},
        {"labeled": [0.3, 0.3]},
        {"design": "kfold"},
        {"labeled": [0.1, 0.95], "design": "ncv"},
    ],
)
def test_sweeps_that_cannot_be_run_are_refused(
    network: Network, options: dict[str, object], words
) -> None:
    with words.raises(InputError):
        nettrial.sweep(network, ["wvrn", "nbc"], **options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_real_networks_with_missing_labels_and_many_classes(data: Path) -> None:
    network = nettrial.read(data / "neutral" / "football")
    found = nettrial.compare_models(network, ["wvrn", "nbc", "cdrn"], labeled=0.5, n_replicates=20)
    assert str(found)
    assert set(found.letters) == {"wvrn", "nbc", "cdrn"}


@pytest.mark.parametrize("control", [None, "nbc"])
def test_the_verdict_has_the_numbers_of_the_closest_pair(control: str | None) -> None:
    network = nettrial.latent_group_network(300, seed=2)
    found = nettrial.compare_models(
        network, ["nbc", "wvrn", "nlb"], control=control, n_splits=4, seed=1, test="network_hac"
    )
    assert not found.pairs.significant.any()
    best, second, _ = found.scores
    pair = {best, second} if control is None else {control, best if best != control else second}
    place = [{*each} for each in zip(found.pairs.first, found.pairs.second)].index(pair)
    low, high = (100 * end[place] for end in (found.pairs.ci_low, found.pairs.ci_high))
    for note in (
        f"error rate difference {100 * found.pairs.estimate[place]:.1f} percentage points "
        f"({found.pairs.first[place]} minus {found.pairs.second[place]})",
        f"simultaneous 95% confidence interval {low:.1f} to {high:.1f}",
        f"adjusted {pvalue_text(found.pairs.adjusted_pvalue[place])}.",
    ):
        assert note in found.verdict


def test_models_of_a_mapping_have_its_names(words) -> None:
    network = nettrial.latent_group_network(60, seed=1)
    models = {"wide": "wvrn", "narrow": nettrial.models.WVRN(), "prior": "prior"}
    quick = {"n_splits": 2, "test": "network_hac"}
    assert nettrial.compare(network, models, **quick).predictions.models == tuple(models)
    assert nettrial.compare_models(network, models, control="wide", **quick).control == "wide"
    assert nettrial.sweep(network, models, labeled=[0.3, 0.5], **quick).models == tuple(models)
    links = {"x": "katz", "y": "jaccard", "z": "adamic_adar"}
    assert nettrial.compare(network, links, n_splits=2).predictions.models == ("x", "y", "z")
    with words.raises(nettrial.InputError):
        nettrial.compare(network, models, "nbc")


def test_names_in_figures_differ_where_models_do() -> None:
    long = "gradient boosting on all columns of the accounts"
    names = [f"{long}{end}" for end in ("", " and graph", ", tuned and graph", "x")]
    for width in (12, 20, 40):
        shown = shorten_apart([*names, names[0]], width)
        assert len(set(shown)) == len(names)
        assert shown[0] == shown[-1]
        assert max(map(len, shown)) <= width
