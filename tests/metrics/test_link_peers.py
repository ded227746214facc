"""Measures of links against those of OGB and PyTorch Geometric, where these are installed."""

from __future__ import annotations

import numpy as np
import pytest

from nettrial.metrics.measures import link_measure_named

POSITIVE = np.random.default_rng(3).permutation(160)[:40] / 100 + 0.3
NEGATIVE = np.setdiff1d(np.arange(160) / 100, POSITIVE.round(2))[:100]


def ours(name: str) -> float:
    scores = np.r_[POSITIVE, NEGATIVE]
    link = np.r_[np.ones(POSITIVE.size), np.zeros(NEGATIVE.size)].astype(int)
    measure = link_measure_named(name)
    return float(
        measure.contributions(link, np.c_[-scores, scores], np.empty(0), np.empty(0)).mean()
    )


@pytest.mark.parametrize("k", [1, 5, 20])
def test_hits_are_those_of_ogb(k: int) -> None:
    judge = pytest.importorskip("ogb.linkproppred").Evaluator(name="ogbl-ddi")
    judge.K = k
    found = judge.eval({"y_pred_pos": POSITIVE, "y_pred_neg": NEGATIVE})[f"hits@{k}"]
    assert ours(f"hits@{k}") == pytest.approx(found)


@pytest.mark.parametrize(
    ("name", "measure", "k"),
    [("LinkPredPrecision", "precision@5", 5), ("LinkPredPrecision", "precision@50", 50),
     ("LinkPredRecall", "recall@0.1", 14), ("LinkPredRecall", "recall@0.5", 70)],
)  # fmt: skip
def test_precision_and_recall_are_those_of_pyg_for_links_of_one_node(
    name: str, measure: str, k: int
) -> None:
    metrics, torch = map(pytest.importorskip, ("torch_geometric.metrics", "torch"))
    metric = getattr(metrics, name)(k=k)
    order = np.argsort(-np.r_[POSITIVE, NEGATIVE])[None, :k].copy()
    truth = torch.arange(POSITIVE.size)
    metric.update(torch.tensor(order), torch.stack([torch.zeros_like(truth), truth]))
    assert ours(measure) == pytest.approx(float(metric.compute()))
