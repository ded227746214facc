"""A function as a measure: what nodes contribute is found by leaving them out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

import nettrial
from nettrial.core.errors import InputError
from nettrial.metrics.measures import custom_measure, measure_named

NETWORK = nettrial.latent_group_network(120, seed=3)
SMALL = nettrial.latent_group_network(60, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["macro_f1", "log_loss"])
def test_a_function_has_the_influence_values_of_its_formula(name) -> None:
    def by_hand(labels, said):
        if name == "log_loss":
            return -np.log(said[np.arange(labels.size), labels]).mean()
        return sk.f1_score(labels, said, average="macro")

    known = measure_named(name)
    own = custom_measure(by_hand, better=known.better, probabilities=known.needs_probabilities)
    options = {"n_splits": 3, "seed": 2, "test": "cluster_robust_t"}
    one, two = (
        nettrial.compare(NETWORK, "wvrn", "nbc", measure=m, **options) for m in (known, own)
    )
    assert two.difference == pytest.approx(one.difference, rel=1e-5)
    errors = [found.test("cluster_robust_t").standard_error for found in (one, two)]
    assert errors[1] == pytest.approx(errors[0], rel=0.03)
    assert "by hand" in str(two)


@pytest.mark.slow
def test_a_function_has_the_influence_values_of_its_weights() -> None:
    random = np.random.default_rng(4)
    labels, said = random.integers(3, size=400), random.integers(3, size=400)
    said[:200] = labels[:200]

    def f1(labels, said, weight=None):
        return sk.f1_score(labels, said, average="macro", sample_weight=weight)

    own = custom_measure(f1, better="higher")
    found = own.contributions(labels, np.empty((400, 3)), said, np.arange(400))
    value, step, changes = f1(labels, said), 1e-4, []
    for i in range(400):
        weight = np.ones(400)
        weight[i] += step * 400
        changes.append((f1(labels, said, weight) - value) / step)
    # those of leaving out differ from derivatives by about a share 1 / n of a class
    np.testing.assert_allclose(found, value + np.array(changes), atol=0.02)
    assert np.std(changes) > 0.3
    assert found.mean() == pytest.approx(value, rel=1e-12)


def test_a_function_may_look_at_nodes_and_cannot_be_stored(tmp_path, words) -> None:
    weight = np.arange(SMALL.n_nodes) + 1.0
    own = custom_measure(
        lambda labels, said, nodes: np.average(labels == said, weights=weight[nodes]),
        better="higher", name="weighted \x1b[31maccuracy", takes_nodes=True, bounds=(0, 1),
    )  # fmt: skip
    assert "\x1b" not in own.title
    found = nettrial.compare(SMALL, "wvrn", "nbc", n_splits=2, n_replicates=10, measure=own)
    assert 0 <= found.scores[found.a] <= 1
    with words.raises(InputError):
        nettrial.compare(SMALL, "wvrn", "nbc", measure=own, store=tmp_path / "s.sqlite")


def test_a_function_that_gives_no_number_is_told(words) -> None:
    own = custom_measure(lambda labels, said: "high", better="higher")
    with words.raises(InputError):
        nettrial.compare(SMALL, "wvrn", "nbc", n_splits=2, measure=own)


def test_a_function_of_three_arguments_is_told_of_the_option(words) -> None:
    measure = custom_measure(lambda _true, _said, nodes: float(nodes.size), better="higher")
    with words.raises(InputError):
        nettrial.compare(SMALL, "wvrn", "nbc", measure=measure, n_splits=2)


def test_a_value_beyond_the_bounds_is_refused(words) -> None:
    own = custom_measure(
        lambda labels, said: (labels == said).sum(), better="higher", bounds=(0, 1)
    )
    with words.raises(InputError):
        nettrial.compare(SMALL, "wvrn", "nbc", n_splits=2, measure=own)


@pytest.mark.slow
def test_the_bootstrap_leaves_out_communities_instead_of_nodes() -> None:
    calls = []

    def kappa(labels, said):
        calls.append(labels.size)
        return sk.cohen_kappa_score(labels, said)

    def right(labels, said):
        return (labels == said).mean()

    groups = np.arange(SMALL.n_nodes) // 15  # four communities
    options = {"n_splits": 2, "seed": 1, "test": "bootstrap", "n_replicates": 10}
    kept = {"communities": groups, "progress": False}
    nettrial.compare(SMALL, "wvrn", "nbc", measure=custom_measure(kappa, better="higher"),
                     **options, **kept)  # fmt: skip
    on_network = 2 * 2 * (42 + 1)  # models, splits, test nodes
    drawn = 10 * 2 * 2 * (4 + 1 + 1)  # networks, splits, models, communities and twice the whole
    baseline = 2  # splits
    assert len(calls) <= on_network + drawn + baseline
    known, own = (
        nettrial.compare(SMALL, "wvrn", "nbc", measure=measure, **options, **kept)
        for measure in ("accuracy", custom_measure(right, better="higher"))
    )  # of a mean, what a community contributes is the same in both ways
    assert own.tests[0].pvalue == pytest.approx(known.tests[0].pvalue, rel=1e-6)


def test_without_a_value_lacking_a_community_nodes_are_left_out() -> None:
    labels = np.array([0, 0, 1, 1, 1, 0], dtype=np.int32)
    said = np.array([0, 1, 1, 1, 0, 0], dtype=np.int32)

    def worst(truth, predicted):
        return min((predicted[truth == c] == c).mean() for c in (0, 1))

    own = custom_measure(worst, better="higher", bounds=(0, 1))
    handed = labels, np.empty((6, 2)), said, np.arange(6)
    with np.errstate(invalid="ignore"), pytest.warns(RuntimeWarning):
        value, sums = own.by_groups(np.array([0, 0, 1, 1, 1, 0]), *handed)
    psi = own.contributions(*handed)
    assert value == worst(labels, said)
    assert sums == pytest.approx([psi[[0, 1, 5]].sum(), psi[[2, 3, 4]].sum()])
