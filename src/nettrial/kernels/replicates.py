"""Drawing a network anew out of the communities of one network.

Links are rows (source, target, weight); those of an undirected network occur once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .compiled import kernel
from .kinds import RowForm
from .small_graphs import START, spans
from .streams import below, uniform

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
POISSON_PART = 20.0  # a large mean is drawn in parts, so that exp(-part) stays a number


@njit(forceinline=True)
def _drawn(cumulative, begin, end, state):
    """Draw a place from `begin` to `end` with chances whose running sums are given."""
    value = uniform(state) * cumulative[end - 1]
    while begin < end:
        middle = (begin + end) // 2
        if cumulative[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def draw_slots(sizes, cumulative, n_nodes, state, slots):
    """Draw communities with replacement until their nodes number `n_nodes`, or nearly.

    The last one is kept where that brings the number nearer to `n_nodes`; two are the least.
    `cumulative` holds the cumulated probabilities of the communities. Sets `slots`, and returns
    the number of communities.
    """
    number, total = 0, 0
    while total < n_nodes:
        community = _drawn(cumulative, START, cumulative.size, state)
        size = sizes[community]
        if number >= 2 and total + size - n_nodes > n_nodes - total:
            break
        slots[number] = community
        number += 1
        total += size
    return number


@kernel
def draw_poisson(means, state, numbers):
    """Draw a Poisson number for every positive mean, in their order."""
    for k in range(means.size):
        mean = means[k]
        while mean > 0:
            limit = np.exp(-min(mean, POISSON_PART))
            product = uniform(state)
            while product > limit:
                numbers[k] += 1
                product *= uniform(state)
            mean -= POISSON_PART


@kernel
def draw_links(
    numbers,
    n_kinds,
    n,
    senders,
    receivers,
    slot,
    weight_start,
    outer_w,
    state,
    source,
    target,
    weight,
):
    """Draw links between draws of communities, kind by kind; return how many there are."""
    found = 0
    for y in range(n_kinds):
        for z in range(n_kinds):
            kind = y * n_kinds + z
            start = weight_start[kind]
            many = weight_start[kind + 1] - start
            for _ in range(numbers[kind]):
                u = _drawn(senders, y * n, (y + 1) * n, state) - y * n
                v = _drawn(receivers, z * n, (z + 1) * n, state) - z * n
                if slot[u] != slot[v]:
                    source[found], target[found] = u, v
                    weight[found] = outer_w[start + below(state, many)]
                    found += 1
    return found


@kernel
def fill_rows(source, target, weight, weighted, forward, backward, at, indices, weights):
    """Write links to the rows that begin at `at`, which is moved to their ends."""
    for e in range(source.size):
        u, v = source[e], target[e]
        if forward:
            indices[at[u]] = v
            if weighted:
                weights[at[u]] = weight[e]
            at[u] += 1
        if backward:
            indices[at[v]] = u
            if weighted:
                weights[at[v]] = weight[e]
            at[v] += 1


def _cumulated(activity: Floats, kinds: Ints, n_kinds: int, origin: Ints) -> Floats:
    """Cumulate the activity of the new nodes, each class for itself."""
    own = kinds[origin] == np.arange(n_kinds)[:, None]
    return np.cumsum(np.where(own, activity[origin], 0.0), axis=1)


def draw_replicate(
    blocks: tuple[Any, ...], state: NDArray[np.uint32], slots: NDArray[np.int32] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], Ints, Ints, Floats]:
    """Draw one replicate of a network that was taken apart into `bootstrap.blocks.Blocks`.

    Parameters
    ----------
    blocks : Blocks
    state : ndarray
        Stream of random numbers.
    slots : ndarray of int32, optional
        The communities that it is made of; by default they are drawn with replacement.

    Returns
    -------
    origin, slot : ndarray of int32, one entry for each new node
        The node that it copies, and the number of the draw that it belongs to.
    source, target, weight : ndarray, one entry for each link
    """
    (
        sizes, member_start, members, inner_start, inner_s, inner_t, inner_w, kinds, sending,
        receiving, rates, weight_start, outer_w, directed, cumulative,
    ) = blocks  # fmt: skip
    if slots is None:
        slots = np.empty(members.size + 2, dtype=np.int32)
        slots = slots[: draw_slots(sizes, cumulative, members.size, state, slots)]
    lengths = (member_start[1:] - member_start[:-1])[slots]
    origin = members[spans(member_start[slots], lengths)].astype(np.int32, copy=False)
    slot = np.repeat(np.arange(slots.size, dtype=np.int32), lengths)
    n, n_kinds = origin.size, rates.shape[0]
    senders = _cumulated(sending, kinds, n_kinds, origin)
    receivers = _cumulated(receiving, kinds, n_kinds, origin)
    means = rates * senders[:, -1:] * receivers[:, -1]
    if not directed:
        means = np.triu(means)
    numbers = np.zeros(means.size, dtype=np.int64)
    draw_poisson(means.ravel(), state, numbers)
    capacity = int(numbers.sum())
    source, target = np.empty((2, capacity), dtype=np.int32)
    weight = np.empty(capacity)
    drawn = draw_links(
        numbers,
        n_kinds,
        n,
        senders.ravel(),
        receivers.ravel(),
        slot,
        weight_start,
        outer_w,
        state,
        source,
        target,
        weight,
    )
    outer = _merged(source[:drawn], target[:drawn], weight[:drawn], n, directed)
    many = (inner_start[1:] - inner_start[:-1])[slots]
    inner = spans(inner_start[slots], many)
    shift = np.repeat(np.cumsum(lengths) - lengths, many)
    return (
        origin,
        slot,
        np.concatenate([(inner_s[inner] + shift).astype(np.int32), outer[0]]),
        np.concatenate([(inner_t[inner] + shift).astype(np.int32), outer[1]]),
        np.concatenate([inner_w[inner], outer[2]]),
    )


def _merged(
    source: NDArray[np.int32], target: NDArray[np.int32], weight: Floats, n: int, directed: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], Floats]:
    """Merge repeated links as a network does; the first one keeps its place.

    Weights are added, but plain links of weight 1 are one link until another weight comes.
    """
    u, v = source.astype(np.int64), target.astype(np.int64)
    if not directed:
        u, v = np.minimum(u, v), np.maximum(u, v)
    key = u * n + v
    order = np.argsort(key, kind="stable")
    ranked, weights = key[order], weight[order]
    new = np.diff(ranked, prepend=-1) != 0
    if new.all():
        return source, target, weight
    first = np.flatnonzero(new)
    run = np.cumsum(new) - 1
    other = np.cumsum(weights != 1)  # weights other than 1 so far, this one included
    plain = other == (other - (weights != 1))[first][run]
    total = np.bincount(run, weights=np.where(plain & ~new, 0.0, weights))
    kept = np.sort(order[first])
    merged = weight.copy()
    merged[order[first]] = total
    return source[kept], target[kept], merged[kept]


def to_rows(
    n: int, source: Ints, target: Ints, weight: Floats, form: RowForm
) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
    """Return links as compressed rows."""
    weighted, forward, backward = form
    counts = np.zeros(n, dtype=np.int64)
    for ends in [source] * forward + [target] * backward:
        counts += np.bincount(ends, minlength=n)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.empty(indptr[-1], dtype=np.int32)
    weights = np.empty(indptr[-1] if weighted else 0)
    fill_rows(
        source, target, weight, weighted, forward, backward, indptr[:-1].copy(), indices, weights
    )
    return indptr, indices, weights
