"""Sums over links for many splits against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from nettrial.kernels import link_measures
from nettrial.kernels.link_measures import (
    error_phi,
    link_contingency,
    phi,
)
from nettrial.network.network import Network


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(4)
    net = Network(rng.integers(0, 40, 120), rng.integers(0, 40, 120), n_nodes=40)
    return net, rng.integers(-1, 2, (45, 40)).astype(np.int8)


def test_contingency_equals_loops(case):
    net, errors = case
    indptr, indices, _ = net.neighbors()
    counts = link_contingency(errors, indptr, indices)
    for row, wrong in zip(counts, errors):
        expected = {(1, 1): 0, (1, 0): 0, (0, 1): 0, (0, 0): 0}
        for i in range(40):
            for j in indices[indptr[i] : indptr[i + 1]]:
                if wrong[i] >= 0 and wrong[j] >= 0:
                    expected[int(wrong[i]), int(wrong[j])] += 1
        assert row.tolist() == list(expected.values())


@pytest.mark.parametrize("most", [1, 7, 64])
def test_counting_in_parts_that_cut_nodes_changes_nothing(case, most, monkeypatch):
    net, errors = case
    indptr, indices, _ = net.neighbors()
    whole = link_contingency(errors, indptr, indices)
    monkeypatch.setattr(link_measures, "EXACT", most)
    assert np.array_equal(link_contingency(errors, indptr, indices), whole)


def test_phi_is_the_correlation_of_the_errors_over_the_pairs(case):
    net, errors = case
    indptr, indices, _ = net.neighbors()
    found = error_phi(errors, indptr, indices)
    source = np.repeat(np.arange(40), np.diff(indptr))
    for value, wrong in zip(found, errors):
        both = (wrong[source] >= 0) & (wrong[indices] >= 0)
        expected = np.corrcoef(wrong[source][both], wrong[indices][both])[0, 1]
        np.testing.assert_allclose(value, expected, rtol=1e-12)
    sizes = link_contingency(errors, indptr, indices).sum(axis=1)
    assert sizes.tolist() == [int(np.sum((e[source] >= 0) & (e[indices] >= 0))) for e in errors]


def test_phi_of_constant_errors_is_not_a_number():
    assert np.isnan(phi(np.array([[0, 0, 0, 7], [3, 0, 0, 0]]))).all()


def test_no_links_and_no_splits():
    net = Network([], [], n_nodes=3)
    indptr, indices, _ = net.neighbors()
    assert not link_contingency(np.zeros((2, 3), np.int8), indptr, indices).any()
    assert link_contingency(np.zeros((0, 3), np.int8), indptr, indices).shape == (0, 4)
