"""Relaxation labelling of many label sets, 16 at a time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import bayes
from ..kernels import relaxation as kernels
from ..kernels.packing import lines, masks, pack, unpack
from ..kernels.threads import each, n_threads, telling_of_compilation
from .convergence import Convergence
from .evidence import Evidence
from .rule import LOG2_E, Kind, Rule, in_lanes, log_prior

LANES = kernels.LANES
LARGE = 50_000  # nodes from which the threads share one block instead of taking one each
CACHED = 2**20  # bytes of lines that stay in a core's cache, so that prefetching only costs
FAR = 64  # links between asking for a line from memory and its use
BITS = 100  # the range of a product of factors, in powers of two, with room to float32's 126
MOST_FACTORS = 256  # links multiplied before the power of two is put apart


class Block:
    """Up to 16 label sets in lanes, and the loops of their classifier."""

    def __init__(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        self.order = evidence.order
        self.columns = evidence.n_classes - 1
        self.n = evidence.labels.shape[1]
        self.indptr, self.indices, self.weights = evidence.ordered_links
        self.fixed = masks(evidence.labels[rows], evidence.lost[rows], self.order, LANES)
        self.old = lines(self.n * self.columns)
        pack(evidence.labels[rows], evidence.guess[rows], self.order, self.columns, self.old)
        self.new = self.old
        self.far = FAR if self.old.nbytes > CACHED else 0
        self.graph = (self.fixed, self.indptr, self.indices, self.weights)
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
        """Update the nodes from first to stop; give max |F(P) - P| of each lane."""
        worst = np.empty(LANES, dtype=np.float32)
        self.kernel(
            *self.buffers, *self.graph, *self.parameters, self.columns, beta, first, stop, worst,
            self.far,
        )  # fmt: skip
        return worst

    kernel: Any = staticmethod(kernels.sweep_vote)
    whole: Any = staticmethod(kernels.run_vote)

    @property
    def buffers(self) -> tuple[NDArray[np.float32], ...]:
        return self.new, self.old

    def swap(self) -> None:
        self.new, self.old = self.old, self.new

    def advance(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Make ready what the next sweep reads."""
        self.swap()

    def run(self, schedule: NDArray[np.float32], tolerance: float) -> None:
        """Run all sweeps in one compiled call; the result is in `result`."""
        moved = self.whole(
            *self.buffers, *self.graph, *self.parameters, self.columns, schedule,
            np.float32(tolerance), self.active, self.iterations, self.residual,
        )  # fmt: skip
        if moved:
            self.swap()

    def run_shared(self, schedule: NDArray[np.float32], tolerance: float) -> None:
        """Run all sweeps, the nodes shared among the threads."""
        parts = 1 if n_threads() == 1 else 4 * n_threads()
        links = np.linspace(0, self.indices.size, parts + 1)
        bounds = np.searchsorted(self.indptr, links).astype(int).tolist()
        bounds[0], bounds[-1] = 0, self.n
        ranges = list(itertools.pairwise(bounds))
        worst = np.zeros((parts, LANES), dtype=np.float32)
        for sweep, beta in enumerate(schedule):
            rate = beta * self.active

            def part(index: int, rate: NDArray[np.float32] = rate) -> None:
                worst[index] = self.sweep(rate, *ranges[index])

            each(part, range(parts))
            self.advance(ranges)
            if not kernels.settle(
                worst.max(axis=0), np.float32(tolerance), sweep, self.active, self.iterations,
                self.residual,
            ):  # fmt: skip
                return

    @property
    def result(self) -> NDArray[np.float32]:
        return self.old


class BayesBlock(Block):
    """nBC: P is changed in place; beside it lie the odds factors, which are what is gathered."""

    kernel = staticmethod(bayes.sweep_bayes)

    def prepare(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        table, prior = rule.table[rows], rule.bias[rows]
        self.table = in_lanes(table)
        self.new = lines(self.n * self.columns)
        if self.weights is not None:
            prior = LOG2_E * log_prior(prior)
        if self.columns == 1:
            first, last = prior.T
            with np.errstate(divide="ignore"):
                prior = (first / last if self.weights is None else first - last)[:, None]
        odds = np.abs(np.log2(table / table[:, -1:])).max()
        stride = MOST_FACTORS if odds == 0 else min(MOST_FACTORS, int(BITS / odds))
        self.parameters = (in_lanes(prior), stride)
        self.advance([(0, self.n)])

    @property
    def buffers(self) -> tuple[NDArray[np.float32], ...]:
        return self.old, self.new

    def advance(self, ranges: Sequence[tuple[int, int]]) -> None:
        def refresh(part: tuple[int, int]) -> None:
            bayes.make_factors(self.new, self.old, self.weights, self.table, self.columns, *part)

        each(refresh, ranges)

    def run(self, schedule: NDArray[np.float32], tolerance: float) -> None:
        bayes.run_bayes(
            *self.buffers, *self.graph, *self.parameters, self.table, self.columns, schedule,
            np.float32(tolerance), self.active, self.iterations, self.residual,
        )  # fmt: skip

class MapBlock(Block):
    """nLB and cdRN: a map of the neighbours' mean."""

    kernel = staticmethod(kernels.sweep_map)
    whole = staticmethod(kernels.run_map)

    def prepare(self, evidence: Evidence, rule: Rule, rows: slice) -> None:
        super().prepare(evidence, rule, rows)
        softly = rule.kind == Kind.LOGISTIC
        unit = LOG2_E if softly else 1.0
        table, bias = in_lanes(unit * rule.table[rows]), in_lanes(unit * rule.bias[rows])
        self.parameters = (evidence.scale, table, bias, softly)


BLOCKS = {Kind.VOTE: Block, Kind.BAYES: BayesBlock, Kind.LOGISTIC: MapBlock, Kind.COSINE: MapBlock}


def relax(
    evidence: Evidence, rule: Rule, weights: NDArray[np.float64], tolerance: float
) -> tuple[NDArray[np.float32], Convergence]:
    """Run relaxation labelling with the given weights of F(P) for all label sets."""
    n_sets, n = evidence.labels.shape
    out = np.empty((n_sets, n, evidence.n_classes), dtype=np.float32)
    iterations = np.zeros(n_sets, dtype=np.int64)
    residual = np.zeros(n_sets)
    schedule = weights.astype(np.float32)

    def block_from(begin: int, shared: bool) -> None:
        rows = slice(begin, min(begin + LANES, n_sets))
        block = BLOCKS[rule.kind](evidence, rule, rows)
        (block.run_shared if shared else block.run)(schedule, tolerance)
        iterations[rows] = block.iterations[: rows.stop - begin]
        residual[rows] = block.residual[: rows.stop - begin]
        result, columns = block.result, block.columns
        del block  # large networks need the memory of its other lines
        unpack(result, evidence.order, columns, out[rows])

    with telling_of_compilation():
        begins = range(0, n_sets, LANES)
        if n >= LARGE:
            for begin in begins:
                block_from(begin, True)
        else:
            each(lambda begin: block_from(begin, False), begins)
    return out, Convergence(iterations, residual)
