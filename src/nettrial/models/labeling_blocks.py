"""Iterative classification and Gibbs sampling of many label sets side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import labeling as kernels
from ..kernels.neighbor_sums import Links
from ..kernels.packing import lines, masks
from ..kernels.threads import each
from ..network.node_values import MISSING
from .evidence import Evidence
from .rule import LOG2_E, Kind, Rule, in_lanes, log_prior

WIDTH = 64  # chains a line: one byte each for up to 255 classes


class Chains:
    """Chains in lanes; chain s belongs to label set `sets[s]`."""

    def __init__(self, evidence: Evidence, rule: Rule, sets: NDArray[np.intp]) -> None:
        self.sets, self.k = sets, evidence.n_classes
        self.labels = evidence.labels[sets]
        self.n = self.labels.shape[1]
        self.width = -(-sets.size // 16) * 16
        self.known = masks(self.labels, None, None, self.width)
        away = np.where(evidence.lost[sets], np.int32(0), np.int32(MISSING))
        self.lost = masks(away, None, None, self.width)
        kind = np.uint8 if self.k <= 255 else np.uint16
        self.null = int(np.iinfo(kind).max)
        self.codes = np.full((self.n, self.width), self.null, dtype=kind)
        self.put(self.labels)
        guess = in_lanes(np.moveaxis(evidence.guess[sets], 1, -1), self.width)
        nodes = evidence.guess.shape[1]
        grouped = guess.reshape(self.width // 16, self.k, nodes, 16)
        self.guess = kernels.Guess(
            np.ascontiguousarray(np.moveaxis(grouped, 2, 0)).ravel(),
            0 if nodes == 1 else self.width * self.k,
        )
        table, bias = rule.table[sets], rule.bias[sets]
        if rule.kind == Kind.BAYES:
            table, bias = np.log(table), log_prior(bias)
        if rule.kind in (Kind.BAYES, Kind.LOGISTIC):
            table, bias = LOG2_E * table, LOG2_E * bias
        self.classifier = kernels.Classifier(
            int(rule.kind), in_lanes(table, self.width), in_lanes(bias, self.width), self.k
        )
        self.links = Links(*evidence.links)

    def put(self, labels: NDArray[np.int32]) -> None:
        """Set the codes of the nodes that `labels` shows."""
        for chain, row in enumerate(labels):
            shown = row != MISSING
            self.codes[shown, chain] = row[shown]

    def iterate(self, passes: int) -> NDArray[np.int64]:
        """Run iterative classification; return each chain's passes, 0 where it did not settle."""
        settled = np.zeros(self.width, dtype=np.int64)
        kernels.iterate(
            self.codes.ravel(),
            self.width,
            self.known,
            self.lost,
            self.links,
            self.classifier,
            passes,
            settled,
        )
        return settled[: self.sets.size]

    def sample(self, key: NDArray[np.uint32], burn_in: int, samples: int) -> NDArray[np.uint32]:
        """Run Gibbs sampling; return counts of the classes, shape (n_nodes, n_classes, width)."""
        tally = np.zeros((self.n, self.k, self.width), dtype=np.uint32)
        kernels.sample(
            self.codes.ravel(),
            self.width,
            self.known,
            self.lost,
            self.links,
            self.classifier,
            self.guess,
            key,
            burn_in,
            samples,
            tally.ravel(),
        )
        return tally

    def estimates(self) -> NDArray[np.float32]:
        """Return the probabilities that the labeled neighbors make, (n_nodes, n_classes, width)."""
        proba = lines(self.n * self.k * self.width // 16)
        kernels.estimate_all(
            self.codes.ravel(),
            self.width,
            self.lost,
            self.links,
            self.classifier,
            self.guess,
            proba,
        )
        return proba.reshape(self.n, self.k, self.width)


def in_chains(
    evidence: Evidence, rule: Rule, sets: NDArray[np.intp], work: Callable[[Chains, slice], Any]
) -> None:
    """Run `work` on up to 64 chains at a time; `sets[s]` is the label set of chain s."""

    def part(begin: int) -> None:
        chosen = slice(begin, min(begin + WIDTH, sets.size))
        work(Chains(evidence, rule, sets[chosen]), chosen)

    each(part, range(0, sets.size, WIDTH))
