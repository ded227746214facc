"""Network HAC against a dense oracle, and what must hold for any graph."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse.csgraph import shortest_path

import nettrial
from nettrial.core.errors import InputError
from nettrial.inference import choice
from nettrial.inference.false_alarms import TYPE_1_ERRORS
from nettrial.network.network import Network
from nettrial.stats import network_hac, network_hac_test
from nettrial.stats.network_hac import network_hac_df


def parzen(x: float) -> float:
    if x <= 0.5:
        return 1 - 6 * x * x * (1 - x)
    return 2 * (1 - x) ** 3 if x < 1 else 0.0


def oracle(y, dense, nodes, w):
    """Everything from all distances at once, eigenvalues by dense decomposition."""
    distance = shortest_path(dense != 0, method="D", directed=False, unweighted=True)
    distance = distance[np.ix_(nodes, nodes)]
    n, total = y.size, w.sum()
    mean = (w * y).sum() / total
    u = w * (y - mean)
    correlated, s, gap = 1, 1, 0
    while gap < 2:
        pairs = np.argwhere(distance == s)
        if len(pairs) == 0:
            break
        rho = np.mean([u[i] * u[j] for i, j in pairs]) / np.mean(u * u)
        if rho * np.sqrt(len(pairs) / 2) >= 2:
            correlated, gap = s, 0
        else:
            gap = s - correlated
        s += 1
    bandwidth = 2 * correlated + 1
    kernel = np.array(
        [[parzen(d / bandwidth) if np.isfinite(d) else 0.0 for d in row] for row in distance]
    )
    variance = max(u @ kernel @ u, u @ u) / total**2
    root = np.diag(np.sqrt(w))
    q = np.sqrt(w / total)
    off = np.eye(n) - np.outer(q, q)
    form = off @ root @ kernel @ root @ off
    trace = np.trace(form @ kernel)
    factor = np.sqrt(w) @ kernel @ np.sqrt(w) / trace
    df = max(trace / (np.linalg.eigvalsh(form)[-1] * np.linalg.eigvalsh(kernel)[-1]), 1)
    error = np.sqrt(variance * factor)
    return mean, error, df, correlated, 2 * stats.t.sf(abs(mean) / error, df)


@st.composite
def cases(draw):
    size = draw(st.integers(4, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    rows = draw(st.integers(0, 3 * size))
    source, target = rng.integers(size, size=(2, rows))
    keep = source != target
    graph = sp.coo_array(
        (rng.random(rows)[keep] + 0.1, (source[keep], target[keep])), shape=(size, size)
    ).tocsr()
    nodes = rng.permutation(size)[: draw(st.integers(3, size))]
    smooth = graph + graph.T + sp.eye_array(size)
    y = (smooth @ rng.normal(size=size))[nodes]  # neighbors resemble each other
    w = rng.random(nodes.size) + 0.5 if draw(st.booleans()) else np.ones(nodes.size)
    return graph, nodes, y, w


@settings(max_examples=80, deadline=None)
@given(cases())
def test_equals_the_dense_oracle(case) -> None:
    graph, nodes, y, w = case
    found = network_hac_test(y, graph, nodes=nodes, weights=w)
    mean, error, df, correlated, p = oracle(y, graph.toarray(), nodes, w)
    assert found.details["correlated_distances"] == correlated
    assert found.estimate == pytest.approx(mean, abs=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-8)
    assert found.df == pytest.approx(df, rel=1e-6)
    assert found.pvalue == pytest.approx(p, rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(cases())
def test_order_sign_and_direction_do_not_matter(case) -> None:
    graph, nodes, y, w = case
    one = network_hac_test(y, graph, nodes=nodes, weights=w)
    order = np.random.default_rng(0).permutation(graph.shape[0])
    place = np.argsort(order)
    moved = network_hac_test(-y, graph.T.tocsr()[order][:, order], nodes=place[nodes], weights=w)
    assert moved.estimate == pytest.approx(-one.estimate, abs=1e-12)
    assert moved.pvalue == pytest.approx(one.pvalue, rel=1e-6)
    assert moved.df == pytest.approx(one.df, rel=1e-6)


def test_without_links_it_is_the_t_test() -> None:
    y = np.random.default_rng(0).normal(0.3, 1, size=40)
    found = network_hac_test(y, sp.csr_array((40, 40)))
    wanted = stats.ttest_1samp(y, 0)
    assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)
    assert found.df == pytest.approx(39)
    assert (found.ci_low, found.ci_high) == pytest.approx(tuple(wanted.confidence_interval()))


def ring(n: int) -> sp.csr_array:
    return sp.csr_array((np.ones(n), (np.arange(n), (np.arange(n) + 1) % n)), shape=(n, n))


@pytest.mark.slow
def test_the_level_on_a_ring_whose_neighbors_depend_on_each_other() -> None:
    """Moving averages of order 2 on a ring of 120 nodes, 150 trials."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(150, 120))
    y = noise + np.roll(noise, 1, axis=1) + np.roll(noise, 2, axis=1)
    p = np.array([network_hac_test(row, ring(120)).pvalue for row in y])
    naive = np.array([stats.ttest_1samp(row, 0).pvalue for row in y])
    assert (naive < 0.05).mean() > 0.15
    # what a level of 0.07 exceeds once in a million
    assert (p < 0.05).sum() <= stats.binom.isf(1e-6, 150, 0.07)


def test_negative_dependence_is_not_used_and_told() -> None:
    y = np.tile([1.0, -1.0], 20) + 0.1 * np.random.default_rng(0).normal(size=40)
    found = network_hac_test(y, ring(40))
    assert found.details["variance"] < found.details["variance_independent"]
    times = found.details["small_sample_factor"] ** 0.5
    wording = f"is negative; the standard error is that of independent nodes, times {times:.3g}"
    assert any(wording in note for note in found.notes)
    assert found.standard_error >= np.sqrt(found.details["variance_independent"])


def test_entries_that_are_zero_are_no_links_and_nan_is_refused(words) -> None:
    y = np.convolve(np.random.default_rng(0).normal(size=44), np.ones(5), "valid")
    more = sp.csr_array(ring(40) + sp.csr_array(([7.0], ([0], [20])), shape=(40, 40)))
    more.data[more.data == 7] = 0
    assert more.nnz == 41
    found = network_hac_test(y, more)
    assert found.pvalue == network_hac_test(y, ring(40)).pvalue
    assert more.nnz == 41  # what was given stays as it was
    more.data[more.data == 0] = np.nan
    with words.raises(InputError):
        network_hac_test(y, more)


def test_small_values_are_refused_before_they_look_the_same(words) -> None:
    y = np.random.default_rng(0).normal(0.3, 1, size=40)
    small = network_hac_test(y * 1e-140, ring(40))
    assert small.pvalue == pytest.approx(network_hac_test(y, ring(40)).pvalue)
    with words.raises(InputError):
        network_hac_test(y * 1e-170, ring(40))


def test_equal_values_leave_no_standard_error() -> None:
    zero, one = (network_hac_test(np.full(5, v), ring(5)) for v in (0.0, 1.0))
    assert (zero.pvalue, zero.degenerate) == (1.0, True)
    assert np.isnan(one.pvalue)
    assert network_hac_test([3.0], sp.csr_array((1, 1))).degenerate


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [1.0, np.nan, 2.0]}, "NaN"),
        ({"values": [1.0, 2.0, 3.0], "nodes": [0, 1, 1]}, "different numbers"),
        ({"values": [1.0, 2.0, 3.0], "nodes": [0, 1, 9]}, "different numbers"),
        ({"values": [1.0, 2.0, 3.0], "weights": [1.0, 0.0, 1.0]}, "positive"),
        ({"values": [1.0, 2.0]}, None),
        ({"values": [[1.0, 2.0]]}, "one dimension"),
        ({"values": [1.0, 2.0, 3.0], "nodes": [0.0, 1.0, 2.0]}, "integers"),
    ],
)
def test_wrong_inputs_are_named(arguments, message) -> None:
    values = arguments.pop("values")
    if message is None:  # fewer observations than nodes need no places: the first nodes have them
        assert np.isfinite(network_hac_test(values, ring(5), **arguments).pvalue)
        return
    with pytest.raises(InputError, match=message):
        network_hac_test(values, ring(5), **arguments)


def test_bounds_hold_before_memory_is_taken(monkeypatch, words) -> None:
    rng = np.random.default_rng(0)
    y = np.convolve(rng.normal(size=104), np.ones(5), "valid")
    full = network_hac_test(y, ring(100))
    assert full.details["greatest_distance"] > 3
    monkeypatch.setattr(network_hac, "MOST_PAIRS", 100 * 7)
    short = network_hac_test(y, ring(100))
    assert short.details["greatest_distance"] == 3
    assert any("farther apart than 3" in note for note in short.notes)
    monkeypatch.setattr(network_hac, "MOST_PAIRS", 99)
    with words.raises(InputError):
        network_hac_test(y, ring(100))
    monkeypatch.setattr(network_hac, "MOST_PAIRS", 10**6)
    monkeypatch.setattr(network_hac, "MOST_STEPS", 100)
    with words.raises(InputError):
        network_hac_test(y, ring(100))


def test_compare_offers_it_for_the_verdict_and_warns() -> None:
    net = nettrial.latent_group_network(120, seed=3)
    few, many = (
        nettrial.compare(net, "wvrn", "nbc", labeled=rate, n_splits=4, seed=1, test="network_hac")
        for rate in (0.1, 0.4)
    )
    assert few.recommended == "network_hac"
    for found, share in ((few, 0.1), (many, 0.4)):
        note = "was up to {}% (cluster-robust t), {}% (network HAC) and {}% (sign flips)"
        note = note.format(
            *(math.ceil(100 * rates[share] - 1e-6) for rates in TYPE_1_ERRORS.values())
        )
        note += f" with {share:.0%} labeled, instead of 5%"
        for name in ("network_hac", "cluster_robust_t", "cluster_sign_flip"):
            assert any(note in str(warning) for warning in found.test(name).warnings)
    assert any("(network HAC) and" in str(w) for w in few.warnings)


def test_two_values_that_would_start_the_search_for_eigenvalues_at_zero() -> None:
    # a quarter low, three quarters high: |u| + u/2 is constant
    path = sp.diags_array([np.ones(31)], offsets=[1], shape=(32, 32)).tocsr()
    y = np.random.default_rng(0).permutation(np.repeat([1.0, 0.0], [24, 8]))
    found, near = network_hac_test(y, path), network_hac_test(y + 1e-9 * np.arange(32), path)
    assert found.df == pytest.approx(near.df, rel=1e-6)
    complete = sp.csr_array(np.ones((40, 40)) - np.eye(40))
    assert network_hac_test(np.repeat([1.0, 0.0], [30, 10]), complete).df == 1


def test_the_levels_told_are_those_measured() -> None:
    table = pd.read_csv(Path(__file__).parents[2] / "docs" / "lab" / "calibration.csv")
    null = (table["difference"] == 0) & table["test"].isin(list(TYPE_1_ERRORS))
    networks = table[null & (table["world"] != "simulated")]
    measured = networks.groupby(["labeled", "test"])["rejected"].max()
    assert {
        (share, name): level for name, of in TYPE_1_ERRORS.items() for share, level in of.items()
    } == pytest.approx(measured.to_dict())


def test_a_network_whose_tested_nodes_are_not_linked() -> None:
    net = Network([0, 1, 2, 3], [4, 4, 5, 5], n_nodes=6, labels=["a", "b", "a", "b", None, None])
    y = np.array([0.5, -0.25, 0.25, 1.0])
    found = network_hac_test(y, net.adjacency("both"), nodes=np.arange(4))
    assert found.details["pairs"].tolist()[:2] == [4, 0]
    assert 0 < found.pvalue < 1


def test_auto_takes_it_where_models_are_not_run_again(monkeypatch) -> None:
    net = nettrial.latent_group_network(300, seed=3)
    splits = nettrial.splits.RandomResampling(n_splits=4, labeled=0.4, seed=1).split_network(net)
    models = {name: nettrial.models.by_name(name) for name in ("wvrn", "nbc")}
    predictions = nettrial.run(net, models, splits, seed=1)
    found = nettrial.compare_predictions(predictions, seed=1)
    assert found.recommended == "network_hac"
    assert "no models to run again" in found.reason
    assert "closest to its level" in found.reason
    # where it cannot follow the links, communities serve
    monkeypatch.setattr(network_hac, "MOST_PAIRS", 300 + 2 * net.n_links)
    short = nettrial.compare_predictions(predictions, seed=1)
    assert short.recommended == "cluster_robust_t"
    assert "cannot follow so many links over distances up to 4" in short.reason
    # nor with next to no degrees of freedom, whatever the models predicted
    monkeypatch.undo()
    df = network_hac_df(net.adjacency("both"), nodes=net.labeled, correlated=2)
    for fewest, chosen in ((df, "network_hac"), (df + 0.1, "cluster_robust_t")):
        monkeypatch.setattr(choice, "FEWEST_DEGREES", fewest)
        found = nettrial.compare_predictions(predictions, seed=1)
        assert found.recommended == chosen
        assert ("degrees of freedom" in found.reason) == (chosen == "cluster_robust_t")
