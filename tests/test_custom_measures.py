"""A function as a measure: what nodes contribute is found by leaving them out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

import nettrial
from nettrial.errors import InputError
from nettrial.metrics.measures import custom_measure, measure_named

NETWORK = nettrial.latent_group_network(120, seed=3)
SMALL = nettrial.latent_group_network(60, seed=3)


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


def test_a_function_may_look_at_nodes_and_cannot_be_stored(tmp_path) -> None:
    weight = np.arange(SMALL.n_nodes) + 1.0
    own = custom_measure(
        lambda labels, said, nodes: np.average(labels == said, weights=weight[nodes]),
        better="higher", name="weighted \x1b[31maccuracy", takes_nodes=True, bounds=(0, 1),
    )  # fmt: skip
    assert "\x1b" not in own.title
    found = nettrial.compare(SMALL, "wvrn", "nbc", n_splits=2, n_replicates=10, measure=own)
    assert 0 <= found.score_a <= 1
    with pytest.raises(InputError, match="cannot hold the function"):
        nettrial.compare(SMALL, "wvrn", "nbc", measure=own, store=tmp_path / "s.sqlite")


def test_a_function_that_gives_no_number_is_told() -> None:
    own = custom_measure(lambda labels, said: "high", better="higher")
    with pytest.raises(InputError, match="expected a number from the function, got 'high'"):
        nettrial.compare(SMALL, "wvrn", "nbc", n_splits=2, measure=own)
