"""Three rules that might have more power than the bootstrap of wvRN and nBC: do they hold?

    python benchmarks/three_rules.py --networks 100

Question, rivals, cells and criteria, written down before anything was run.

Question: the bootstrap loses power where the tilt to the null hypothesis leaves few communities in
play (lgm600 at 10% labeled). Does one of three rules win it back and hold the level?

1. Studentized under the tilt: T = d / s, with s² the clustered variance (CR2) plus s²_split / k, on
   the network and, centered at their mean, on tilted replicates with s of their own by draws.
   "scaled": T / max(1, sd of T*), by t on Ge - 1 degrees of freedom. "quantile": the share of
   |T*| that is no less than |T|.
2. A prior on the design effect: y = log(V / V0) of the bootstrap's V, with V0 = (delta - d²) / n
   and delta the share of nodes on which one model alone errs, fitted by least squares on
   log(n / Ge), the share labeled, homophily, and the agreement of Louvain, on the networks of all
   *other* domains; d0 from the spread of residuals (Smyth 2004),
   V~ = (d0 V0 exp(fit) + df V) / (d0 + df) on d0 + df degrees of freedom. "prior" takes the fit as
   it is, "prior, centered" takes the mean of the logarithm of chi-square out of it.
3. Other questions with more information. "communities": the mean over communities in place of
   that over nodes, t on G - 1. "matched halves": networks with this class mix and density, by 20
   halvings that part each pair of communities alike in size, class mix and links per node; the odd
   part of the variance, t on Ge / 2 degrees of freedom.

Cells: lgm300 at 10 and 30%, lgm600 at 10 and 30%, hetero600 at 10 and 30%, blocks600 at 20%,
weak600 at 10 and 20%, and networks of citations at 10% labeled; 10 splits, 60 replicates of either
kind; level, and power at 4 points in both directions. Rates of 100 networks are known to 2.2 points
at 5%. For "communities" what is true is the mean over the networks of the cell; for "matched
halves" the fit of the difference on class mix and logarithm of links per node over these networks.

Criteria: shipped where at most 7% of true null hypotheses are rejected over all cells (of the
prior: over the cells of every domain that was left out), at most 10% in each, and the power on
lgm600 at 10% is at least .40 with wvRN worse.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from citation_halves import both_ways
from scipy import special

from nettrial.core import seeds
from nettrial.experiments.calibration import PAIR, CalibrationCell, handicaps, training_size
from nettrial.experiments.domains import OTHERS, draw
from nettrial.kernels.designs import draw_resamples, rows_for
from nettrial.kernels.kinds import RowForm
from nettrial.kernels.replicates import draw_replicate, to_rows
from nettrial.kernels.small_graphs import graph_of
from nettrial.kernels.small_models import run_rows
from nettrial.kernels.split_counts import node_counts, split_rates
from nettrial.kernels.streams import key_of, stream
from nettrial.kernels.trials import DRAW, FLIP, SPLIT, handicap
from nettrial.network.communities import agreement, divided_louvain, effective_number
from nettrial.network.network import Network
from nettrial.replicates.blocks import Blocks, take_apart
from nettrial.replicates.bootstrap_variance import spread_of
from nettrial.replicates.by_community import totals_of
from nettrial.replicates.tilting import null_probabilities

CELLS = (
    ("lgm300", 0.1), ("lgm300", 0.3), ("lgm600", 0.1), ("lgm600", 0.3), ("hetero600", 0.1),
    ("hetero600", 0.3), ("blocks600", 0.2), ("weak600", 0.1), ("weak600", 0.2), ("citations", 0.1),
)  # fmt: skip
DIFFERENCES = (0.0, 0.04, -0.04)
SPLITS, REPLICATES, HALVINGS, ROUND = 10, 60, 20, 10
BOTH_ENDS = RowForm(False, True, True)
Floats = np.ndarray


class Ran:
    """What both models did on one graph with given splits, for every pair of handicaps."""

    def __init__(self, graph: Any, labels: Any, masks: Any, chances: Floats, flips: Any) -> None:
        train, test = masks
        plain = run_rows(graph, labels, int(labels.max()) + 1, train, test, PAIR)
        wrong = np.zeros((test.shape[0], len(chances), 2, labels.size), dtype=np.uint16)
        classes = int(labels.max()) + 1
        handicap(plain, test, chances, classes, 0, SPLITS, flips, wrong)
        rates = split_rates(test, wrong, 0, SPLITS)
        self.differences = rates[:, 0] - rates[:, 1]
        self.times, errors = node_counts(test, wrong, 0, SPLITS)
        self.excess = errors[:, 0] - errors[:, 1]
        self.alone = np.bitwise_count(wrong[:, :, 0] ^ wrong[:, :, 1]).sum(axis=(0, 2))

    def studentized(self, group: Any) -> tuple[Floats, Floats]:
        """Return mean differences and their squared standard errors by communities and splits."""
        estimate = self.differences.mean(axis=1)
        times = np.bincount(group, weights=self.times)
        share, total = times / times.sum(), times.sum()
        sums = np.array([np.bincount(group, weights=row) for row in self.excess])
        u = (sums - (self.excess.sum(axis=1) / total)[:, None] * times) / total
        clustered = (u**2 / np.maximum(1 - share, 1e-9)).sum(axis=1)
        return estimate, clustered + self.differences.var(axis=1, ddof=1) / SPLITS


def masks_of(labels: Any, labeled: float, state: Any) -> tuple[Any, Any]:
    """Return training and test sets as bits."""
    train = np.zeros((rows_for(SPLITS), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    n_train = min(max(training_size(labels.size, labeled), 1), labels.size - 1)
    draw_resamples(labels, n_train, 0, SPLITS, state, train, test)
    return train, test


def replicate(
    network: Network, blocks: Blocks, chances: Floats, labeled: float, key: Any, number: int
) -> tuple[Ran, Any, Any]:
    """Run both models on a network drawn with replacement; return origin and draw of its nodes."""
    origin, slot, source, target, weight = draw_replicate(blocks, stream(key, number, DRAW), None)
    graph = graph_of(*to_rows(origin.size, source, target, weight, BOTH_ENDS))
    labels = network.labels[origin]
    masks = masks_of(labels, labeled, stream(key, number, SPLIT))
    return Ran(graph, labels, masks, chances, stream(key, number, FLIP)), origin, slot


def matched(blocks: Blocks, about: Floats, rng: Any) -> tuple[Any, Any]:
    """Divide communities into two halves, one of each pair that is alike in either."""
    scaled = (about - about.mean(axis=0)) / np.maximum(about.std(axis=0), 1e-9)
    left, halves = list(np.argsort(-blocks.sizes, kind="stable")), ([], [])
    while len(left) > 1:
        one = left.pop(0)
        other = left.pop(int(np.argmin(((scaled[left] - scaled[one]) ** 2).sum(axis=1))))
        first = int(rng.integers(2))
        halves[first].append(one)
        halves[1 - first].append(other)
    halves[int(rng.integers(2))].extend(left)
    return tuple(np.array(half, dtype=np.int32) for half in halves)


def odd_part(
    network: Network, blocks: Blocks, masks: Any, chances: Floats, key: Any, entropy: int
) -> Floats:
    """Return the odd part of the variance by matched halves, for every pair of handicaps."""
    degree = np.bincount(np.concatenate(network.simple_links()[:2]), minlength=network.n_nodes)
    columns = [
        np.bincount(blocks.community, weights=w) / blocks.sizes
        for w in (*(network.labels == c for c in range(network.n_classes - 1)), degree)
    ]
    about = np.column_stack([*columns, np.log(blocks.sizes)])
    rng, found = seeds.generator(entropy, 5), np.full((HALVINGS, len(chances)), np.nan)
    for number in range(HALVINGS):
        means, shares = [], []
        for side, part in enumerate(matched(blocks, about, rng)):
            share = blocks.sizes[part].sum() / network.n_nodes
            fewer = blocks._replace(rates=blocks.rates / share)
            place = 2 * number + side
            origin, _, s, t, w = draw_replicate(fewer, stream(key, place, DRAW), part)
            graph = graph_of(*to_rows(origin.size, s, t, w, BOTH_ENDS))
            own = tuple(np.ascontiguousarray(mask[:, origin]) for mask in masks)
            ran = Ran(graph, network.labels[origin], own, chances, stream(key, place, FLIP))
            means.append(np.nanmean(ran.differences, axis=1))
            shares.append(share)
        found[number] = shares[0] * shares[1] * (means[0] - means[1]) ** 2
    return np.nanmean(found, axis=0)


def trial(network: Network, chances: Floats, labeled: float, entropy: int) -> list[list[float]]:
    """Return a row of numbers for every pair of handicaps."""
    links, key = network.links, key_of(entropy)
    graph = graph_of(links.indptr, links.indices, np.empty(0))
    masks = masks_of(network.labels, labeled, stream(key, 1, SPLIT))
    own = Ran(graph, network.labels, masks, chances, stream(key, 1, FLIP))
    group = divided_louvain(network, seed=entropy)
    blocks, sizes = take_apart(network, group), np.bincount(group).astype(float)
    estimate, square = own.studentized(group)
    plain, tests, excess = [], [], []
    for number in range(REPLICATES):
        ran, origin, _ = replicate(network, blocks, chances, labeled, key_of(entropy + 1), number)
        plain.append(ran.differences)
        tests.append(np.bincount(group[origin], weights=ran.times, minlength=sizes.size))
        excess.append(
            [np.bincount(group[origin], weights=row, minlength=sizes.size) for row in ran.excess]
        )
    matched_halves = odd_part(network, blocks, masks, chances, key_of(entropy + 3), entropy)
    again = agreement(network, group, seed=entropy)
    s, t = network.simple_links()[:2]
    homophily = float((network.labels[s] == network.labels[t]).mean())
    mix, density = float((network.labels == 0).mean()), np.log(s.size / network.n_nodes)
    times = np.bincount(group, weights=own.times)
    rows = []
    for h in range(len(chances)):
        totals = totals_of(blocks, np.array(tests), np.array(excess)[:, h])
        tilted = blocks._replace(cumulative=np.cumsum(null_probabilities(totals)))
        null, star = [], []
        for number in range(REPLICATES):
            ran, _, slot = replicate(
                network, tilted, chances[h : h + 1], labeled, key_of(entropy + 2), number
            )
            null.append(ran.differences[0])
            star.append([float(each[0]) for each in ran.studentized(slot)])
        spread = spread_of(
            np.array(plain)[:, h], np.array(null), own.differences[h], sizes, independent=True
        )
        d, s2 = np.array(star).T
        ratios = (d - d.mean()) / np.sqrt(np.maximum(s2, 1e-12))
        value = estimate[h] / np.sqrt(square[h])
        quantile = (1 + (abs(ratios) >= abs(value)).sum()) / (REPLICATES + 1)
        scaled = t_pvalue(value / max(1, ratios.std(ddof=1)), effective_number(sizes) - 1)
        means = (np.bincount(group, weights=own.excess[h]) / np.maximum(times, 1e-9))[times > 0]
        n = own.times.sum() / SPLITS
        base = (own.alone[h] / own.times.sum() - estimate[h] ** 2) / n
        rows.append([
            estimate[h], spread.variance, spread.df, scaled, quantile, means.mean(),
            means.var(ddof=1) / means.size, means.size - 1, matched_halves[h],
            effective_number(sizes) / 2, base, np.log(n / effective_number(sizes)), labeled,
            homophily, again, mix, density,
        ])  # fmt: skip
    return rows


def t_pvalue(value: Any, df: Any) -> Any:
    return 2 * special.stdtr(df, -np.abs(value))


def with_prior(found: dict[Any, Floats]) -> dict[Any, dict[str, Floats]]:
    """Return p-values with the prior that all other domains make, by cell."""

    def columns(rows: Floats) -> tuple[Floats, Floats]:
        y = np.log(rows[..., 1] / rows[..., 10])
        return np.concatenate([np.ones((*y.shape, 1)), rows[..., 11:15]], axis=-1), y

    made = {}
    for cell, rows in found.items():
        others = np.concatenate([v[:, 0] for other, v in found.items() if other[0] != cell[0]])
        x, y = columns(others)
        weights = np.linalg.lstsq(x, y, rcond=None)[0]
        left = float((y - x @ weights).var(ddof=x.shape[1])) - float(
            special.polygamma(1, others[:, 2] / 2).mean()
        )
        grid = np.geomspace(0.5, 1000, 400)
        d0 = float(grid[np.argmin(abs(special.polygamma(1, grid / 2) - max(left, 0.002)))])
        here, _ = columns(rows)
        variance, df = rows[..., 1], rows[..., 2]
        off = float((special.digamma(others[:, 2] / 2) - np.log(others[:, 2] / 2)).mean())
        made[cell] = {"d0": d0}
        for name, move in (("prior", 0.0), ("prior, centered", off)):
            guess = rows[..., 10] * np.exp(here @ weights - move)
            both = (d0 * guess + df * variance) / (d0 + df)
            made[cell][name] = t_pvalue(rows[..., 0] / np.sqrt(both), d0 + df)
    return made


def pvalues(rows: Floats) -> dict[str, Floats]:
    """Return p-values of all rules but the prior, shape (networks, handicaps)."""
    d, variance, df, scaled, quantile, by_community, spread, fewer, odd, pairs = np.moveaxis(
        rows[..., :10], -1, 0
    )
    mean = by_community[:, 0].mean()  # what is true on average where the models are equal by nodes
    about = np.column_stack([np.ones(len(rows)), rows[:, 0, 15:17]])
    fit = about @ np.linalg.lstsq(about, d[:, 0], rcond=None)[0]
    return {
        "as built": t_pvalue(d / np.sqrt(variance), df),
        "scaled": scaled,
        "quantile": quantile,
        "communities": t_pvalue((by_community - mean) / np.sqrt(spread), fewer),
        "matched halves": t_pvalue((d - fit[:, None]) / np.sqrt(odd), pairs),
    }


def show(found: dict[Any, list[Any]], used: float) -> None:
    every = {cell: np.array(rows) for cell, rows in found.items()}
    prior, total = with_prior(every), {}
    print("| cell | rule | level | power, wvRN worse | power, nBC worse | V / truth |")
    print("|---|---|---|---|---|---|")
    for cell, rows in every.items():
        d0 = prior[cell].pop("d0")
        for rule, p in (pvalues(rows) | prior[cell]).items():
            level, worse, better = (p < 0.05).mean(axis=0)
            total.setdefault(rule, []).append(level)
            share = ""
            if rule == "as built":
                share = f"{np.median(rows[:, 0, 1]) / rows[:, 0, 0].var(ddof=1):.2f}"
            print(
                f"| {cell[0]} {cell[1]:.0%} | {rule} | {level:.3f} | {worse:.2f} | {better:.2f} "
                f"| {share} |"
            )
        print(f"| {cell[0]} {cell[1]:.0%} | d0 of the prior: {d0:.1f} | | | | |")
    for rule, levels in total.items():
        print(f"| all | {rule} | {np.mean(levels):.3f}, at most {max(levels):.3f} | | | |")
    print(f"{len(next(iter(found.values())))} networks a cell, {used:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    OTHERS["citations"] = both_ways
    chances = {
        (world, labeled): handicaps(
            CalibrationCell(world, labeled, 1, 100, DIFFERENCES), n_networks=200, seed=given.seed
        )
        for world, labeled in CELLS
    }
    found: dict[Any, list[Any]] = {cell: [] for cell in CELLS}
    while len(found[CELLS[-1]]) < given.networks:
        for cell, here in found.items():
            for number in range(len(here), min(len(here) + ROUND, given.networks)):
                entropy = seeds.derive(given.seed, 91, number)
                network = draw(cell[0], entropy)
                here.append(trial(network, chances[cell], cell[1], entropy))
        show(found, time.process_time())


if __name__ == "__main__":
    main()
