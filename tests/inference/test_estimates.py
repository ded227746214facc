"""Readings of q on errors of nodes of two types, whose q is known."""

from __future__ import annotations

import numpy as np
import pytest

from nettrial.inference.estimates import estimate_q

P, Q, NODES, TESTED = 0.2, 0.7, 1000, 700


def errors(splits: int) -> np.ndarray:
    rng = np.random.default_rng(splits)
    chance = np.where(np.arange(NODES) < P * NODES, Q, P * (1 - Q) / (1 - P))
    found = np.full((splits, NODES), -1, dtype=np.int8)
    for row in found:
        test = rng.choice(NODES, TESTED, replace=False)
        row[test] = rng.random(TESTED) < chance[test]
    return found


@pytest.mark.parametrize("splits", [5, 10, 30, 100])
def test_the_moment_estimator_finds_q_at_any_number_of_splits(splits: int) -> None:
    assert estimate_q(errors(splits)) == pytest.approx(Q, abs=0.1)


def test_the_mean_over_nodes_that_err_at_all_falls_with_the_number_of_splits() -> None:
    few, many = (estimate_q(errors(k), method="mean_of_erring") for k in (5, 100))
    assert few > Q - 0.25 > many + 0.2
