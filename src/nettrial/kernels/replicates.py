"""Drawing a network anew out of the communities of one network.

Links are rows (source, target, weight); those of an undirected network occur once.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .streams import below, uniform

POISSON_PART = 20.0  # a large mean is drawn in parts, so that exp(-part) stays a number


@njit(cache=True)
def draw_slots(sizes, cumulative, n_nodes, state):
    """Draw communities with replacement until their nodes number `n_nodes`, or nearly.

    The last one is kept where that brings the number nearer to `n_nodes`; two are the least.
    `cumulative` holds the cumulated probabilities of the communities.
    """
    slots = np.empty(n_nodes + 2, dtype=np.int32)
    number, total = 0, 0
    while total < n_nodes:
        community = np.searchsorted(cumulative, uniform(state) * cumulative[-1])
        size = sizes[community]
        if number >= 2 and total + size - n_nodes > n_nodes - total:
            break
        slots[number] = community
        number += 1
        total += size
    return slots[:number].copy()


@njit(cache=True)
def place_nodes(slots, member_start, members):
    """Give each new node the node that it copies and its slot, and each slot its first node."""
    first = np.zeros(slots.size + 1, dtype=np.int64)
    for s in range(slots.size):
        first[s + 1] = first[s] + member_start[slots[s] + 1] - member_start[slots[s]]
    origin = np.empty(first[-1], dtype=np.int32)
    slot = np.empty(first[-1], dtype=np.int32)
    for s in range(slots.size):
        start = member_start[slots[s]]
        for i in range(first[s], first[s + 1]):
            origin[i] = members[start + i - first[s]]
            slot[i] = s
    return origin, slot, first


@njit(cache=True)
def poisson(mean, state):
    """Draw a Poisson number."""
    total = 0
    while mean > 0:
        limit = np.exp(-min(mean, POISSON_PART))
        product = uniform(state)
        while product > limit:
            total += 1
            product *= uniform(state)
        mean -= POISSON_PART
    return total


@njit(cache=True)
def _cumulated(activity, kinds, n_kinds, origin):
    """Cumulate the activity of the new nodes, each class for itself."""
    found = np.zeros((n_kinds, origin.size))
    for kind in range(n_kinds):
        total = 0.0
        for u in range(origin.size):
            if kinds[origin[u]] == kind:
                total += activity[origin[u]]
            found[kind, u] = total
    return found


@njit(cache=True)
def draw_replicate(
    sizes, member_start, members, inner_start, inner_s, inner_t, inner_w, kinds, sending,
    receiving, rates, weight_start, outer_w, directed, cumulative, state,
):  # fmt: skip
    """Draw one replicate; the arguments are those of `nettrial.bootstrap.blocks.Blocks`.

    Returns
    -------
    origin, slot : ndarray of int32, one entry for each new node
        The node that it copies, and the number of the draw that it belongs to.
    source, target, weight : ndarray, one entry for each link
    """
    slots = draw_slots(sizes, cumulative, members.size, state)
    origin, slot, first = place_nodes(slots, member_start, members)
    n_kinds = rates.shape[0]
    senders = _cumulated(sending, kinds, n_kinds, origin)
    receivers = _cumulated(receiving, kinds, n_kinds, origin)
    numbers = np.zeros((n_kinds, n_kinds), dtype=np.int64)
    for y in range(n_kinds):
        for z in range(0 if directed else y, n_kinds):
            if rates[y, z] > 0:
                numbers[y, z] = poisson(rates[y, z] * senders[y, -1] * receivers[z, -1], state)
    inner = 0
    for s in slots:
        inner += inner_start[s + 1] - inner_start[s]
    capacity = inner + numbers.sum()
    source = np.empty(capacity, dtype=np.int32)
    target = np.empty(capacity, dtype=np.int32)
    weight = np.empty(capacity, dtype=np.float64)
    found = 0
    for s in range(slots.size):
        for e in range(inner_start[slots[s]], inner_start[slots[s] + 1]):
            source[found] = first[s] + inner_s[e]
            target[found] = first[s] + inner_t[e]
            weight[found] = inner_w[e]
            found += 1
    for y in range(n_kinds):
        for z in range(n_kinds):
            start = weight_start[y * n_kinds + z]
            many = weight_start[y * n_kinds + z + 1] - start
            for _ in range(numbers[y, z]):
                u = np.searchsorted(senders[y], uniform(state) * senders[y, -1])
                v = np.searchsorted(receivers[z], uniform(state) * receivers[z, -1])
                if slot[u] != slot[v]:
                    source[found], target[found] = u, v
                    weight[found] = outer_w[start + below(state, many)]
                    found += 1
    found = _merge(source, target, weight, inner, found, directed)
    return origin, slot, source[:found], target[:found], weight[:found]


@njit(cache=True)
def _merge(source, target, weight, inner, found, directed):
    """Merge repeated links between communities as a network does; gives the number left.

    Weights are added, but two plain links of weight 1 are one link.
    """
    n = np.int64(0)
    for e in range(inner, found):
        n = max(n, source[e], target[e])
    key = np.empty(found - inner, dtype=np.int64)
    for e in range(inner, found):
        u, v = np.int64(source[e]), np.int64(target[e])
        if not directed and u > v:
            u, v = v, u
        key[e - inner] = u * (n + 1) + v
    order = np.argsort(key, kind="mergesort")
    drop = np.zeros(key.size, dtype=np.bool_)
    kept = -1
    for x in order:
        if kept >= 0 and key[x] == key[kept]:
            drop[x] = True
            if weight[inner + x] != 1 or weight[inner + kept] != 1:
                weight[inner + kept] += weight[inner + x]
        else:
            kept = x
    at = inner
    for x in range(key.size):
        if not drop[x]:
            source[at], target[at] = source[inner + x], target[inner + x]
            weight[at] = weight[inner + x]
            at += 1
    return at


@njit(cache=True)
def to_rows(n, source, target, weight, weighted, forward, backward):
    """Give links as compressed rows of their sources (forward), targets (backward), or both."""
    indptr = np.zeros(n + 1, dtype=np.int64)
    for e in range(source.size):
        if forward:
            indptr[source[e] + 1] += 1
        if backward:
            indptr[target[e] + 1] += 1
    for i in range(n):
        indptr[i + 1] += indptr[i]
    indices = np.empty(indptr[n], dtype=np.int32)
    weights = np.empty(indptr[n] if weighted else 0, dtype=np.float64)
    at = indptr[:-1].copy()
    for e in range(source.size):
        if forward:
            indices[at[source[e]]] = target[e]
            if weighted:
                weights[at[source[e]]] = weight[e]
            at[source[e]] += 1
        if backward:
            indices[at[target[e]]] = source[e]
            if weighted:
                weights[at[target[e]]] = weight[e]
            at[target[e]] += 1
    return indptr, indices, weights
