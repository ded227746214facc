"""Iterative classification and Gibbs sampling: class codes of many label sets side by side.

`codes` is a flat array of the logical shape (n_nodes, width), width being a multiple of 16: the
class code of each node in each chain, or the largest value of its type where there is none yet.
Bit s of `known[i * width // 16 + g]` says that chain 16 g + s never changes node i, and bit s of
`lost` that the node keeps its first guess. Parameters have one part of 16 lanes for each group g.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import (
    add,
    div,
    equal,
    fma,
    keep,
    lane_kernel,
    larger,
    load,
    pointer,
    splat,
    store,
    sub,
    where_greater,
)
from .neighbor_sums import INSIDE, F
from .packing import LANES
from .philox import philox4x32, shuffle, unit
from .relaxation import ALL, apply_map

VOTE, BAYES, LOGISTIC, COSINE = 0, 1, 2, 3
TIED = F(1e-6)
U32 = np.uint32


class Classifier(NamedTuple):
    """A classifier of a node by its labeled neighbors.

    Attributes
    ----------
    kind : int
        `VOTE`, `BAYES`, `LOGISTIC` or `COSINE`.
    table, bias : ndarray of float32
        Its linear map, as in `relaxation.Linear`, for each group of 16 chains.
    n_classes : int
    """

    kind: int
    table: Any
    bias: Any
    n_classes: int


class Guess(NamedTuple):
    """The first guess: `step` numbers a node in `lines`, 0 where all nodes share one."""

    lines: Any
    step: int


@njit(**INSIDE)
def vote(votes, is_class, weights, link):
    """Add one neighbor's votes."""
    if weights is None:
        return add(votes, is_class)
    return fma(splat(F(weights[link])), is_class, votes)


@njit(**INSIDE)
def estimate(codes, width, group, links, i, classifier, count, score):
    """Write the probabilities of node i to `score`; return the weight of labeled neighbors."""
    total = splat(F(0))
    kind, table, bias, n_classes = classifier
    for c in range(n_classes):
        here = splat(F(0))
        for link in range(links.indptr[i], links.indptr[i + 1]):
            is_class = equal(codes, np.int64(links.indices[link]) * width + group * LANES, c)
            here = vote(here, is_class, links.weights, link)
        total = add(total, here)
        store(count, c * LANES, here)
    if kind != BAYES:
        scale = where_greater(total, splat(F(0)), total, splat(F(1)))
        for c in range(n_classes):
            store(count, c * LANES, div(load(count, c * LANES), scale))
    if kind == VOTE:
        for c in range(n_classes):
            store(score, c * LANES, load(count, c * LANES))
    else:
        part = n_classes * LANES
        apply_map(
            count,
            score,
            table[group * n_classes * part :],
            bias[group * part :],
            n_classes,
            kind != COSINE,
        )
    return total


@njit(**INSIDE)
def fall_back(score, total, first, other, n_classes):
    """Assign the first guess to lanes without a labeled neighbor."""
    for c in range(0, n_classes * LANES, LANES):
        store(score, c, where_greater(total, splat(F(0)), load(score, c), load(first, other + c)))


@njit(**INSIDE)
def first_of_best(score, n_classes, best):
    """Write the most probable class of each lane, the first one among those within 1e-6."""
    top = load(score, 0)
    for c in range(1, n_classes):
        top = larger(top, load(score, c * LANES))
    near, code = sub(top, splat(TIED)), splat(F(0))
    for c in range(n_classes - 1, -1, -1):
        code = where_greater(near, load(score, c * LANES), code, splat(F(c)))
    store(best, 0, code)


@lane_kernel
def iterate(codes, width, known, lost, links, classifier, passes, settled):
    """Iterative classification; `settled` receives the passes of each chain, 0 where it goes on."""
    groups, n_classes = width // LANES, classifier.n_classes
    n = links.indptr.size - 1
    order = np.arange(n)
    scratch = np.empty((2, n_classes * LANES), dtype=np.float32)
    count, score = pointer(scratch[0]), pointer(scratch[1])
    best, sure = np.empty(LANES, dtype=np.float32), np.empty(LANES, dtype=np.float32)
    changed = np.empty(width, dtype=np.bool_)
    for turn in range(passes):
        shuffle(order, 1, turn)
        changed[:] = False
        for i in order:
            for g in range(groups):
                still = known[i * groups + g] | lost[i * groups + g]
                if still == ALL:
                    continue
                total = estimate(codes, width, g, links, i, classifier, count, score)
                first_of_best(score, n_classes, best)
                store(sure, 0, total)
                for lane in range(LANES):
                    place = i * width + g * LANES + lane
                    if not (still >> lane) & 1 and sure[lane] > 0 and codes[place] != best[lane]:
                        codes[place] = codes.dtype.type(best[lane])
                        changed[g * LANES + lane] = True
        going = False
        for chain in range(width):
            if changed[chain]:
                going = True
                settled[chain] = 0
            elif settled[chain] == 0:
                settled[chain] = turn + 1
        if not going:
            break
    keep(scratch)


@lane_kernel
def estimate_all(codes, width, lost, links, classifier, guess, proba):
    """Write every node's probabilities from the labeled neighbors that it has."""
    groups, n_classes = width // LANES, classifier.n_classes
    scratch = np.empty((2, n_classes * LANES), dtype=np.float32)
    count, score, first = pointer(scratch[0]), pointer(scratch[1]), pointer(guess.lines)
    for i in range(links.indptr.size - 1):
        for g in range(groups):
            other = i * guess.step + g * n_classes * LANES
            total = estimate(codes, width, g, links, i, classifier, count, score)
            fall_back(score, total, first, other, n_classes)
            for c in range(n_classes):
                place = (i * n_classes + c) * width + g * LANES
                store(proba, place, load(score, c * LANES))
                for lane in range(LANES):
                    if (lost[i * groups + g] >> lane) & 1:
                        proba[place + lane] = first[other + c * LANES + lane]
    keep(scratch)


@njit(**INSIDE)
def draw(score, uniform, place, n_classes, drawn):
    """Write a class drawn with the probabilities of each lane."""
    reached, code = splat(F(0)), splat(F(0))
    number = load(uniform, place)
    for c in range(n_classes - 1):
        reached = add(reached, load(score, c * LANES))
        code = add(code, where_greater(reached, number, splat(F(0)), splat(F(1))))
    store(drawn, 0, code)


@lane_kernel
def sample(codes, width, known, lost, links, classifier, guess, key, burn_in, samples, tally):
    """Gibbs sampling in node order; `tally` (n_nodes, n_classes, width) counts the samples.

    `key` has the shape (width, 3): two words of seed and the number of the chain. The word of a
    draw is a function of seed, chain, node and sweep.
    """
    groups, n_classes = width // LANES, classifier.n_classes
    n = links.indptr.size - 1
    scratch = np.empty((3, n_classes * LANES), dtype=np.float32)
    count, score, drawn = pointer(scratch[0]), pointer(scratch[1]), pointer(scratch[2])
    numbers = np.empty(4 * width, dtype=np.float32)
    uniform, first = pointer(numbers), pointer(guess.lines)
    for sweep in range(burn_in + samples + 1):  # the first sweep draws from the first guess
        for i in range(n):
            if i % 4 == 0:  # one call of the generator makes four words
                for chain in range(width):
                    words = philox4x32(
                        U32(i // 4), U32(sweep), key[chain, 2], U32(0), key[chain, 0], key[chain, 1]
                    )
                    for word in range(4):
                        uniform[word * width + chain] = unit(words[word])
            for g in range(groups):
                mask = known[i * groups + g]
                if mask == ALL:
                    continue
                other = i * guess.step + g * n_classes * LANES
                away = lost[i * groups + g]
                if sweep == 0 or away == ALL:
                    for c in range(n_classes):
                        store(score, c * LANES, load(first, other + c * LANES))
                else:
                    total = estimate(codes, width, g, links, i, classifier, count, score)
                    fall_back(score, total, first, other, n_classes)
                    if away:
                        for lane in range(LANES):
                            if (away >> lane) & 1:
                                for c in range(0, n_classes * LANES, LANES):
                                    score[c + lane] = first[other + c + lane]
                draw(score, uniform, (i % 4) * width + g * LANES, n_classes, drawn)
                for lane in range(LANES):
                    if not (mask >> lane) & 1:
                        chain = g * LANES + lane
                        code = np.int64(drawn[lane])
                        codes[i * width + chain] = codes.dtype.type(code)
                        if sweep > burn_in:
                            tally[(i * n_classes + code) * width + chain] += 1
    keep(scratch)
    keep(numbers)
