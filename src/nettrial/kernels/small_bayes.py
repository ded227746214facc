"""nBC with relaxation labeling on small graphs, sixteen splits at a time; see `small_models`.

A node speaks for class c with the factor P(it | c) / P(it | 0), and a node's odds against class 0
are the product of its neighbors' factors, which takes neither logarithms nor exponentials. Only
where the product could leave float32 are logarithms taken, and where links have weights, which are
the powers of the factors.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .lanes import (
    add,
    choose,
    div,
    exponential,
    fma,
    lane_kernel,
    larger,
    load,
    logarithm,
    mul,
    pointer,
    power_of_two,
    smaller,
    splat,
    store,
    sub,
)
from .neighbor_sums import INSIDE
from .packing import lines
from .small_graphs import START, WIDTH, Graph
from .small_sums import long_product, product, weighted_sum

Lines = NDArray[np.float32]
F = np.float32
NEVER = F(1e30)  # a binary logarithm that no evidence outweighs
ROOM = F(60.0)  # binary logarithm of the largest product that is taken without a look at it
CERTAIN = F(2.0**40)  # odds that float32 does not tell from certainty
FEW = 3  # classes whose number is compiled in, which leaves their lines in registers


class SmallLinks(NamedTuple):
    """The links of a `Graph` as the loops here read them."""

    runs: NDArray[Any]
    places: NDArray[Any]


class Shares(NamedTuple):
    """Shares of the classes: as odds against class 0, and as binary logarithms."""

    odds: Lines
    logs: Lines


class Workspace(NamedTuple):
    """Memory to work in: one node's scores of the classes; factors of this and the next sweep."""

    score: Lines
    factors: Lines
    spare: Lines


def longest_product(table: Lines) -> int:
    """Return how many factors of any class may be multiplied without a look at the product."""
    ratios = table[1:] / table[0]
    widest = max(1.0, float(ratios.max()), 1 / float(ratios.min()))
    return int(ROOM / max(1.0, np.log2(widest)))


def odds_of(prior: Lines) -> Lines:
    """Return the shares of classes as odds against class 0, that of class 0 as 1.

    Where class 0 has no training nodes its share stays 0, and the others stay as they are.
    """
    first = prior[0]
    return np.asarray(np.divide(prior, first, where=first > 0, out=prior.copy()))


def logs_of(shares: Lines) -> Lines:
    """Return binary logarithms; a class without training nodes never wins."""
    logs = np.full(shares.shape, -NEVER, dtype=F)
    np.log2(shares, where=shares > 0, out=logs)
    return logs


@lane_kernel
def relax_two(links, fixed, betas, table, odds, chunk, proba, room):
    """Relax two classes with links of weight 1, in place."""
    n_runs, n, sweeps = links.runs.size, fixed.size, betas.size
    runs, places = pointer(links.runs), pointer(links.places)
    fixed, betas, proba = pointer(fixed), pointer(betas), pointer(proba)
    factors, spare = pointer(room.factors), pointer(room.spare)
    one, head = splat(F(1)), load(odds, 0)
    against, favor = load(table, 0), load(table, 2 * WIDTH)
    # P(0) a + P(1) b as a + P(1) (b - a): one fused step a node
    change_against = sub(load(table, WIDTH), against)
    change_favor = sub(load(table, 3 * WIDTH), favor)
    for i in range(0, n * WIDTH, WIDTH):
        p = load(proba, i)
        store(factors, i, div(fma(p, change_favor, favor), fma(p, change_against, against)))
    step = 0
    while step < sweeps and betas[step] != 0:
        beta = splat(betas[step])
        at, i = START, START
        # nodes of equal length follow each other, so that the end of each is foreseen
        for r in range(0, n_runs, 2):
            length, stop = runs[r], i + runs[r + 1]
            while i < stop:
                if length <= chunk:
                    found = product(factors, START, places, at, at + length, head)
                else:
                    found, power = long_product(
                        factors, START, places, at, at + length, chunk, head
                    )
                    power = larger(smaller(power, splat(ROOM)), splat(-ROOM))
                    found = mul(found, power_of_two(power))
                at += length
                found = smaller(found, splat(CERTAIN))
                old = load(proba, i * WIDTH)
                new = fma(beta, sub(div(found, add(found, one)), old), old)
                p = choose(fixed[i], old, new)
                store(proba, i * WIDTH, p)
                speaks = div(fma(p, change_favor, favor), fma(p, change_against, against))
                store(spare, i * WIDTH, speaks)
                i += 1
        factors, spare = spare, factors  # addresses change places, no line is copied
        step += 1


@njit(**INSIDE)
def speak(proba, i, n, n_classes, table, factors, logs):
    """Set a node's factors for each class against class 0, or their binary logarithms."""
    step = n * WIDTH
    rest = splat(F(1))
    at = i * WIDTH
    said = splat(F(0))
    line = WIDTH
    for _ in range(n_classes - 1):
        p = load(proba, at)
        rest = sub(rest, p)
        said = fma(p, load(table, line), said)
        at += step
        line += WIDTH
    rest = larger(rest, splat(F(0)))
    base = div(splat(F(1)), fma(rest, load(table, 0), said))
    to = i * WIDTH
    for _ in range(n_classes - 1):
        said = mul(rest, load(table, line))
        line += WIDTH
        at = i * WIDTH
        for _ in range(n_classes - 1):
            said = fma(load(proba, at), load(table, line), said)
            at += step
            line += WIDTH
        factor = mul(said, base)
        store(factors, to, logarithm(factor) if logs else factor)
        to += step


@njit(**INSIDE)
def settle(i, n, n_classes, beta, kept, score, total, proba):
    """Move a node's probabilities toward score / total."""
    share = div(beta, total)
    rest = sub(splat(F(1)), beta)
    for c in range(1, n_classes):
        place = ((c - 1) * n + i) * WIDTH
        old = load(proba, place)
        new = fma(load(score, c * WIDTH), share, mul(old, rest))
        store(proba, place, choose(kept, old, new))


@njit(**INSIDE)
def of_logs(first, n_classes, score):
    """Turn binary logarithms of the classes' evidence into numbers to share; return their sum."""
    top = first
    for c in range(1, n_classes):
        top = larger(top, load(score, c * WIDTH))
    total = exponential(sub(first, top))
    for c in range(1, n_classes):
        odds = exponential(sub(load(score, c * WIDTH), top))
        store(score, c * WIDTH, odds)
        total = add(total, odds)
    return total


@cache
def relax_many(n_fixed: int) -> Any:
    """Return the loop for `n_fixed` classes, or for any number of them where that is 0."""

    @lane_kernel
    def relax(links, fixed, betas, table, shares, n_classes, chunk, proba, room):
        """Relax any number of classes with links of weight 1, in place."""
        n_runs, n, sweeps = links.runs.size, fixed.size, betas.size
        classes = n_fixed if n_fixed else n_classes
        runs, places = pointer(links.runs), pointer(links.places)
        fixed, betas, table = pointer(fixed), pointer(betas), pointer(table)
        odds, logs, proba = pointer(shares.odds), pointer(shares.logs), pointer(proba)
        score, factors, spare = pointer(room.score), pointer(room.factors), pointer(room.spare)
        one = splat(F(1))
        for i in range(n):
            speak(proba, i, n, classes, table, factors, False)
        step = 0
        while step < sweeps and betas[step] != 0:
            beta = splat(betas[step])
            at, i = START, START
            for r in range(0, n_runs, 2):
                length, stop = runs[r], i + runs[r + 1]
                while i < stop:
                    total = load(odds, 0)
                    for c in range(1, classes):
                        base = (c - 1) * n * WIDTH
                        if length <= chunk:
                            head = load(odds, c * WIDTH)
                            found = product(factors, base, places, at, at + length, head)
                            total = add(total, found)
                        else:
                            found, power = long_product(
                                factors, base, places, at, at + length, chunk, one
                            )
                            found = add(add(power, logarithm(found)), load(logs, c * WIDTH))
                        store(score, c * WIDTH, found)
                    if length > chunk:
                        total = of_logs(load(logs, 0), classes, score)
                    at += length
                    settle(i, n, classes, beta, fixed[i], score, total, proba)
                    speak(proba, i, n, classes, table, spare, False)
                    i += 1
            factors, spare = spare, factors
            step += 1

    return relax


@lane_kernel
def relax_weighted(links, weights, fixed, betas, table, logs, n_classes, proba, room):
    """Relax with weights in log space, in place: a weight is the power of a factor."""
    n_runs, n, sweeps = links.runs.size, fixed.size, betas.size
    runs, places, weights = pointer(links.runs), pointer(links.places), pointer(weights)
    fixed, betas, table = pointer(fixed), pointer(betas), pointer(table)
    logs, proba = pointer(logs), pointer(proba)
    score, factors, spare = pointer(room.score), pointer(room.factors), pointer(room.spare)
    for i in range(n):
        speak(proba, i, n, n_classes, table, factors, True)
    step = 0
    while step < sweeps and betas[step] != 0:
        beta = splat(betas[step])
        at, i = START, START
        for r in range(0, n_runs, 2):
            length, stop = runs[r], i + runs[r + 1]
            while i < stop:
                for c in range(1, n_classes):
                    base = (c - 1) * n * WIDTH
                    said = weighted_sum(factors, base, places, weights, at, at + length)
                    store(score, c * WIDTH, add(said, load(logs, c * WIDTH)))
                at += length
                total = of_logs(load(logs, 0), n_classes, score)
                settle(i, n, n_classes, beta, fixed[i], score, total, proba)
                speak(proba, i, n, n_classes, table, spare, True)
                i += 1
        factors, spare = spare, factors
        step += 1


def relax_bayes(
    graph: Graph,
    fixed: NDArray[np.uint16],
    betas: Lines,
    prior: Lines,
    table: Lines,
    proba: Lines,
) -> None:
    """Relax `proba` in place, by the loop that serves the classes and the links.

    Parameters
    ----------
    graph : Graph
    fixed : ndarray of uint16, shape (n,)
    betas : ndarray of float32
        A zero ends the sweeps.
    prior : ndarray of float32, shape (n_classes, 16)
        Shares of the classes.
    table : ndarray of float32
        P(neighbor has class l | own class c), line ``c * n_classes + l``.
    proba : ndarray of float32
        The first probabilities; overwritten.
    """
    classes, n_lines = prior.shape[0], proba.size // WIDTH
    links, logs = SmallLinks(graph.runs, graph.places), logs_of(prior).ravel()
    room = Workspace(lines(classes), lines(n_lines), lines(n_lines))
    if graph.weights is not None:
        relax_weighted(links, graph.weights, fixed, betas, table, logs, classes, proba, room)
        return
    chunk, odds = longest_product(table.reshape(classes, -1)), odds_of(prior)
    if classes == 2:
        # a class without training nodes has no neighbors that speak for it either
        own = np.where(prior[0] > 0, odds[1], CERTAIN)
        relax_two(links, fixed, betas, table, own, chunk, proba, room)
        return
    relax = relax_many(classes if classes <= FEW else 0)
    relax(links, fixed, betas, table, Shares(odds.ravel(), logs), classes, chunk, proba, room)
