"""Does a number of splits that follows the variance pay for models that run on halves too?

    python benchmarks/auto_halves.py --networks 40

Question, rule, cells and criteria, written down before anything was run.

Question: halves run on the 10 splits of the network, and their variance V = c (O + E - 2 s² (1/r -
1/k)) holds the noise of splits. Do more splits of the network itself, which cost no halving more,
raise the power at the same level?

Rule: that of the bootstrap. With s² and V by 10 splits and 20 halvings, k* = ceil(9 s² / N) with
N = V - s²/10, at least 10 and at most 100, and no more than the budget has time for after the
halvings; splits 11 to k* run on the network alone, and V is taken with k* in place of 10. No
p-value has a say.

Cells: `two classes` and `mixed groups` of nettrial.experiments.featured at 30 and 10% labeled,
1-nn, ridge and SGC on either half of exchangeable features; level at 5%, and power where the
difference is 2.8 true standard deviations of that by 10 splits. Rates of 40 networks are known to
3.4 points at 5%; the six cells together to 1.4.

Criteria: an option where mean power rises by a point or more and the level of the six cells
together is at most .07 and no more than .015 above that of 10 splits; the default never by this,
which is too small a run.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np
from scipy import special

from nettrial.core import seeds
from nettrial.experiments.featured import DOMAINS, PLAIN, Predictor, error_rates, errors_of_halves
from nettrial.network.communities import LINKS_AND_FEATURES, communities
from nettrial.network.network import Network
from nettrial.replicates.blocks import take_apart
from nettrial.replicates.half_sample_variance import spread_of_halves
from nettrial.replicates.halving import halve, part_network, restricted
from nettrial.splits.resampling import RandomResampling

CELLS = (("two classes", 0.3), ("mixed groups", 0.1))
FIRST, MOST, HALVINGS = 10, 100, 20


def trial(network: Network, model: Predictor, labeled: float, entropy: int) -> list[list[float]]:
    """Return estimate, variance, degrees of freedom and number of splits: of 10, and of auto."""
    splits = RandomResampling(n_splits=MOST, labeled=labeled, seed=entropy).split_network(network)
    blocks = take_apart(network, communities(network, LINKS_AND_FEATURES, seed=entropy))
    sizes, shares = blocks.sizes.astype(float), np.empty(HALVINGS)
    differences = np.empty((HALVINGS, 2, FIRST))
    for number in range(HALVINGS):
        parts = halve(blocks.sizes, entropy, number)
        shares[number] = sizes[parts[0]].sum() / sizes.sum()
        for side, part in enumerate(parts):
            drawn = part_network(network, blocks, part, entropy, 2 * number + side)
            own = restricted(splits[:FIRST], drawn.origin, network.n_nodes)
            a, b = error_rates(errors_of_halves(drawn.network, own, model))
            differences[number, side] = a - b
    differences[np.isnan(differences).any(axis=1, keepdims=True).repeat(2, axis=1)] = np.nan
    a, b = error_rates(errors_of_halves(network, splits, model))

    def judged(k: int) -> list[float]:
        own = (a - b)[:k]
        found = spread_of_halves(differences, shares, own, sizes, independent=True)
        return [float(own.mean()), found.variance, found.df, k, found.splits]

    first = judged(FIRST)
    networks = first[1] - first[4] / FIRST
    wanted = 9 * first[4] / networks if networks > 0 else MOST
    return [first, judged(min(MOST, max(FIRST, math.ceil(wanted))))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=40)
    given, levels, powers = parser.parse_args(), [], []
    print("| cell | models | splits (median) | level: 10, auto | power: 10, auto | V / truth |")
    print("|---|---|---|---|---|---|")
    for domain, labeled in CELLS:
        for name, model in PLAIN.items():
            rows = []
            for number in range(given.networks):
                entropy = seeds.derive(11, number)
                rows.append(trial(DOMAINS[domain](seed=entropy), model, labeled, entropy))
            estimate, variance, df, k = np.moveaxis(np.array(rows)[..., :4], 2, 0)
            truth, reach = estimate.std(axis=0, ddof=1), special.stdtrit(df, 0.975)
            reach = reach * np.sqrt(variance)
            levels.append((abs(estimate) > reach).mean(axis=0))
            moved = [abs(estimate + 2.8 * side * truth[0]) > reach for side in (-1, 1)]
            powers.append(np.mean(moved, axis=(0, 1)))
            share = np.median(variance, axis=0) / truth**2
            shown = " | ".join("{:.3f}, {:.3f}".format(*x) for x in (levels[-1], powers[-1], share))
            print(f"| {domain} {labeled:.0%} | {name} | {np.median(k[:, 1]):.0f} | {shown} |")
            print(end="", flush=True)
    shown = ["{:.3f}, {:.3f}".format(*np.mean(each, axis=0)) for each in (levels, powers)]
    print(f"| all | | | {' | '.join(shown)} | |\n{time.process_time():.0f} s")


if __name__ == "__main__":
    main()
