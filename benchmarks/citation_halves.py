"""Do halves hold their level on networks of citations, where few topics carry the variance?

    python benchmarks/citation_halves.py                 # 60 networks for each model, two minutes
    python benchmarks/citation_halves.py --networks 150 --halvings 40

Nodes arrive in time and cite earlier ones, mostly of their own topic, the more cited ones more
often. The popularity of 20 topics drifts, so that few of them hold most of the nodes; classes go by
topic. One model on either half of exchangeable features makes two models of equal error. Shown are
the mean variance in units of the true one, the share of networks on which the 5% test by halves
rejects, and its power where the difference is 2.8 true standard deviations: without the factor for
few or unequal communities, and with it.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import special

from nettrial import Network
from nettrial.core.seeds import derive
from nettrial.experiments.feature_halves import run_trial
from nettrial.experiments.featured import PLAIN


def citations(n: int = 400, *, topics: int = 20, own: float = 0.75, seed: int = 0) -> Network:
    """Draw a directed network that grows; a node cites up to four earlier ones."""
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
    return Network(*pairs, n_nodes=n, directed=True, labels=label.tolist(), features=features)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=60)
    parser.add_argument("--halvings", type=int, default=20)
    parser.add_argument("--labeled", type=float, default=0.3)
    parser.add_argument("--models", nargs="+", default=["1-nn", "ridge"], choices=[*PLAIN])
    options = parser.parse_args()
    print("model   factor   V / truth   level   power at 2.8 sd")
    for model in options.models:
        begin, trials = time.process_time(), []
        for number in range(options.networks):
            seed = derive(7, number)
            network = citations(seed=seed)
            trials.append(run_trial(network, PLAIN[model], options.labeled, options.halvings, seed))
        estimates = np.array([each.estimate for each in trials])
        truth = estimates.std(ddof=1)
        for what, spreads in (
            ("without", [each.raw for each in trials]),
            ("with", [each.spread for each in trials]),
        ):
            variance = np.array([each.variance for each in spreads])
            critical = special.stdtrit([each.df for each in spreads], 0.975)
            reach = critical * np.sqrt(variance)
            level = np.mean(np.abs(estimates) > reach)
            power = np.mean([np.abs(estimates + 2.8 * side * truth) > reach for side in (-1, 1)])
            share = variance.mean() / truth**2
            print(f"{model:8}{what:9}{share:8.2f}{level:10.3f}{power:10.2f}")
        factors = [each.spread.correction for each in trials]
        print(
            f"{'':8}factor {np.mean(factors):.2f} on average, {time.process_time() - begin:.0f} s"
        )


if __name__ == "__main__":
    main()
