"""Do the tests hold their level on networks of citations, where few topics carry the variance?

    python benchmarks/citation_halves.py                 # 60 networks for each model, two minutes
    python benchmarks/citation_halves.py --networks 150 --halvings 40
    python benchmarks/citation_halves.py --networks 150 --models wvrn-nbc --labeled 0.1
    python benchmarks/citation_halves.py --networks 30 --models gcn

Nodes arrive in time and cite earlier ones, mostly of their own topic, the more cited ones more
often. The popularity of 20 topics drifts, so that few of them hold most of the nodes; classes go by
topic. One model on either half of exchangeable features makes two models of equal error; wvRN and
nBC are made equal by turning predictions of the better one, and tested by the bootstrap. Shown are
the mean variance in units of the true one, the share of networks on which the 5% test rejects, and
its power where the difference is 2.8 true standard deviations: by halves without the factor for
few or unequal communities, and with it; by the bootstrap with 10 splits, and with as many as pay.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from auto_splits import outcomes
from scipy import special

from nettrial import Network
from nettrial.core.seeds import derive
from nettrial.experiments.calibration import CalibrationCell, handicaps
from nettrial.experiments.domains import OTHERS
from nettrial.experiments.feature_halves import run_trial
from nettrial.experiments.featured import PLAIN, SHIPPED

PAIR = "wvrn-nbc"
ROUND = 30  # networks after which is shown what was found so far
Row = tuple[float, float, float]  # estimate, variance and degrees of freedom
Trial = Callable[[int], dict[str, Row]]  # by the network's seed, what each rule finds


def citations(
    n: int = 400, *, topics: int = 20, own: float = 0.75, directed: bool = True, seed: int = 0
) -> Network:
    """Draw a network that grows; a node cites up to four earlier ones."""
    rng = np.random.default_rng(seed)
    popularity, topic = rng.normal(size=topics), np.empty(n, dtype=int)
    effects, classes = rng.normal(size=(topics, 20)), rng.integers(2, size=topics)
    cited, links = np.ones(n), []
    for node in range(n):
        popularity += 0.1 * rng.normal(size=topics)
        topic[node] = rng.choice(topics, p=special.softmax(popularity))
        for _ in range(4 if node else 0):
            near = topic[:node] == topic[node]
            chance = cited[:node] * (near if near.any() and rng.random() < own else 1.0)
            target = rng.choice(node, p=chance / chance.sum())
            cited[target] += 1
            links.append((node, target))
    label = np.where(rng.random(n) < 0.85, classes[topic], 1 - classes[topic])
    features = rng.normal(size=(n, 20)) + 0.7 * effects[topic] + 0.35 * (2 * label - 1)[:, None]
    pairs = np.unique(links, axis=0).T
    return Network(*pairs, n_nodes=n, directed=directed, labels=label.tolist(), features=features)


both_ways = partial(citations, directed=False)  # as wvRN and nBC take links by default


def by_halves(model: str, labeled: float, halvings: int) -> Trial:
    """Return what tests a model on either half of the features of a network."""
    trained = (PLAIN | SHIPPED)[model]

    def trial(seed: int) -> dict[str, Row]:
        found = run_trial(citations(seed=seed), trained, labeled, halvings, seed)
        return {
            what: (found.estimate, spread.variance, spread.df)
            for what, spread in (("without", found.raw), ("with", found.spread))
        }

    return trial


def by_bootstrap(labeled: float) -> Trial:
    """Return what tests wvRN against nBC, made equal, on a network."""
    OTHERS["citations"] = both_ways
    cell = CalibrationCell("citations", labeled, 1, 200, (0.0,))
    chances = handicaps(cell, n_networks=200, seed=7)

    def trial(seed: int) -> dict[str, Row]:
        each = outcomes(both_ways(seed=seed), chances, labeled, 200, seed)[0]
        return {
            what: (found.estimate, found.variance, found.df)
            for what, found in zip(("10 splits", "auto"), each)
        }

    return trial


def show(model: str, rows: list[dict[str, Row]], used: float) -> None:
    """Print a line for every rule."""
    for what in rows[0]:
        estimates, variance, df = np.array([row[what] for row in rows]).T
        truth = estimates.std(ddof=1)
        reach = special.stdtrit(df, 0.975) * np.sqrt(variance)
        level = np.mean(np.abs(estimates) > reach)
        power = np.mean([np.abs(estimates + 2.8 * side * truth) > reach for side in (-1, 1)])
        share = variance / truth**2
        print(
            f"{model:9}{what:10}{share.mean():8.2f}, {np.median(share):.2f}{level:18.3f}"
            f"{power:12.2f}{np.median(df):12.1f}"
        )
    print(f"{len(rows)} networks, {used:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=60)
    parser.add_argument("--halvings", type=int, default=20)
    parser.add_argument("--labeled", type=float, default=0.3)
    known = [PAIR, *PLAIN, *SHIPPED]
    parser.add_argument("--models", nargs="+", default=["1-nn", "ridge"], choices=known)
    given = parser.parse_args()
    print("models   rule        V / truth (mean, median)   level   power at 2.8 sd   df")
    for model in given.models:
        begin, rows = time.process_time(), []
        if model == PAIR:
            trial = by_bootstrap(given.labeled)
        else:
            trial = by_halves(model, given.labeled, given.halvings)
        for number in range(given.networks):
            rows.append(trial(derive(7, number)))
            if len(rows) % ROUND == 0 or len(rows) == given.networks:
                show(model, rows, time.process_time() - begin)


if __name__ == "__main__":
    main()
