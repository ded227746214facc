"""Relaxation labeling of many label sets, 16 at a time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import SlowWarning, warn_user
from ..kernels import bayes
from ..kernels import relaxation as kernels
from ..kernels.neighbor_sums import Links
from ..kernels.packing import LANES, lines, masks, pack, unpack
from ..kernels.threads import each, n_threads, team
from .convergence import Convergence
from .evidence import Evidence
from .rule import LOG2_E, Kind, Rule, in_lanes, log_prior

SLOW = 10**11  # steps of 16 numbers each, a minute of one core at best
LARGE = 50_000  # nodes from which the threads share one block instead of taking one each
CACHED = 3 * 2**18  # bytes of lines that stay in a core's cache, so that none is asked for ahead
BITS = 100  # the range of a product of factors, in powers of two, with room to float32's 126
MOST_FACTORS = 256  # links multiplied before the power of two is put apart


class Block:
    """Up to 16 label sets in lanes, and the loops of their classifier."""

    def __init__(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        self.order = evidence.order
        self.columns = evidence.n_classes - 1
        self.n = evidence.labels.shape[1]
        self.links = Links(*evidence.ordered_links)
        self.fixed = masks(evidence.labels[rows], evidence.lost[rows], self.order, LANES)
        self.old = lines(self.n * self.columns)
        pack(evidence.labels[rows], evidence.guess[rows], self.order, self.columns, self.old)
        self.new = self.old
        self.ahead = None if self.old.nbytes <= CACHED else True
        self.active = np.zeros(LANES, dtype=np.float32)
        self.active[: rows.stop - rows.start] = 1
        self.iterations = np.zeros(LANES, dtype=np.int64)
        self.residual = np.zeros(LANES, dtype=np.float32)
        self.prepare(evidence, rule, rows)

    def prepare(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        self.new = lines(self.n * self.columns)
        self.new[:] = self.old
        self.parameters: tuple[Any, ...] = (evidence.scale,)

    def sweep(self, beta: NDArray[np.float32], first: int, stop: int) -> NDArray[np.float32]:
        """Update the nodes from first to stop; return max |F(P) - P| of each lane."""
        worst = np.empty(LANES, dtype=np.float32)
        self.kernel(
            *self.buffers,
            self.fixed,
            self.links,
            *self.parameters,
            self.columns,
            beta,
            kernels.Part(first, stop),
            worst,
            self.ahead,
        )
        return worst

    @property
    def kernel(self) -> Any:
        """The loop over the nodes; one of its own for two classes."""
        return kernels.sweep_vote_of_two if self.columns == 1 else kernels.sweep_vote

    @property
    def buffers(self) -> tuple[NDArray[np.float32], ...]:
        return self.new, self.old

    def swap(self) -> None:
        self.new, self.old = self.old, self.new

    def advance(self, ranges: Sequence[tuple[int, int]], run: Any = each) -> None:
        """Make ready what the next sweep reads."""
        self.swap()

    def run(self, schedule: NDArray[np.float32], tolerance: float, parts: int) -> None:
        """Run all sweeps, the nodes in as many parts, which the threads share."""
        links = np.linspace(0, self.links.indices.size, parts + 1)
        bounds = np.searchsorted(self.links.indptr, links).astype(int).tolist()
        bounds[0], bounds[-1] = 0, self.n
        ranges = list(itertools.pairwise(bounds))
        worst = np.zeros((parts, LANES), dtype=np.float32)
        with team(parts) as run:
            for sweep, beta in enumerate(schedule):
                rate = beta * self.active

                def part(index: int, rate: NDArray[np.float32] = rate) -> None:
                    worst[index] = self.sweep(rate, *ranges[index])

                run(part, range(parts))
                self.advance(ranges, run)
                if not self.settle(worst.max(axis=0), tolerance, sweep):
                    return

    def settle(self, worst: NDArray[np.float32], tolerance: float, sweep: int) -> bool:
        """Record the sweep in the lanes still active; return whether any is left."""
        at_work = self.active > 0
        self.iterations[at_work] = sweep + 1
        np.copyto(self.residual, worst, where=at_work)
        self.active[at_work & (worst < np.float32(tolerance))] = 0
        return bool(self.active.any())

    @property
    def result(self) -> NDArray[np.float32]:
        return self.old


class BayesBlock(Block):
    """nBC: P is changed in place; beside it lie the odds factors, which are what is gathered."""

    @property
    def kernel(self) -> Any:
        return bayes.sweep_odds if self.columns == 1 else bayes.sweep_bayes

    def prepare(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        table, prior = rule.table[rows], rule.bias[rows]
        self.table = in_lanes(table)
        self.new = lines(self.n * self.columns)
        if self.links.weights is not None:
            prior = LOG2_E * log_prior(prior)
        if self.columns == 1:
            first, last = prior.T
            with np.errstate(divide="ignore"):
                prior = (first / last if self.links.weights is None else first - last)[:, None]
        odds = np.abs(np.log2(table / table[:, -1:])).max()
        stride = MOST_FACTORS if odds == 0 else min(MOST_FACTORS, int(BITS / odds))
        self.parameters = (bayes.Prior(in_lanes(prior), stride),)
        self.advance([(0, self.n)])

    @property
    def buffers(self) -> tuple[NDArray[np.float32], ...]:
        return self.old, self.new

    def advance(self, ranges: Sequence[tuple[int, int]], run: Any = each) -> None:
        make = bayes.make_odds if self.columns == 1 else bayes.make_factors

        def refresh(part: tuple[int, int]) -> None:
            make(self.new, self.old, self.links.weights, self.table, self.columns, *part)

        run(refresh, ranges)


class MapBlock(Block):
    """nLB and cdRN: a map of the neighbors' mean."""

    @property
    def kernel(self) -> Any:
        return kernels.sweep_map

    def prepare(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        super().prepare(evidence, rule, rows)
        softly = rule.kind == Kind.LOGISTIC
        unit = LOG2_E if softly else 1.0
        table, bias = in_lanes(unit * rule.table[rows]), in_lanes(unit * rule.bias[rows])
        self.parameters = (evidence.scale, kernels.Linear(table, bias, softly))


BLOCKS = {Kind.VOTE: Block, Kind.BAYES: BayesBlock, Kind.LOGISTIC: MapBlock, Kind.COSINE: MapBlock}


def warn_where_slow(n: int, n_classes: int, sweeps: int, blocks: int) -> None:
    """Warn, where it matters, that nBC's work grows with the square of the number of classes."""
    steps = n * n_classes**2 * sweeps * blocks
    if steps >= SLOW:
        warn_user(
            SlowWarning(
                f"nBC with {n_classes} classes on {n} nodes: {steps:.0e} steps, of which a core "
                "makes about a billion a second; the work grows with the square of the number of "
                "classes. Merge rare classes, stop early with a tolerance, or use wvRN"
            )
        )


def relax(
    evidence: Evidence, rule: Rule, weights: NDArray[np.float64], tolerance: float
) -> tuple[NDArray[np.float32], Convergence]:
    """Run relaxation labeling with the given weights of F(P) for all label sets."""
    n_sets, n = evidence.labels.shape
    out = np.empty((n_sets, n, evidence.n_classes), dtype=np.float32)
    iterations = np.zeros(n_sets, dtype=np.int64)
    residual = np.zeros(n_sets)
    schedule = weights.astype(np.float32)
    if rule.kind == Kind.BAYES:
        warn_where_slow(n, evidence.n_classes, weights.size, -(-n_sets // LANES))

    def block_from(begin: int, parts: int) -> None:
        rows = slice(begin, min(begin + LANES, n_sets))
        block = BLOCKS[rule.kind](evidence, rule, rows)
        block.run(schedule, tolerance, parts)
        iterations[rows] = block.iterations[: rows.stop - begin]
        residual[rows] = block.residual[: rows.stop - begin]
        result, columns = block.result, block.columns
        del block  # large networks need the memory of its other lines
        unpack(result, evidence.order, columns, out[rows])

    begins = range(0, n_sets, LANES)
    if n >= LARGE:
        for begin in begins:
            block_from(begin, 1 if n_threads() == 1 else 4 * n_threads())
    else:
        each(lambda begin: block_from(begin, 1), begins)
    return out, Convergence(iterations, residual)
