"""Drawing a network anew out of the communities of one network.

Links are rows (source, target, weight); those of an undirected network occur once. `kinds`
gives each node's class, missing being a class of its own here.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .streams import below

ATTEMPTS = 8  # partners tried for a loose end before it is put aside


@njit(cache=True)
def draw_slots(sizes, n_nodes, state):  # type: ignore[no-untyped-def]
    """Draw communities with replacement until their nodes number `n_nodes`, or nearly.

    The last one is kept where that brings the number nearer to `n_nodes`; two are the least.
    """
    slots = np.empty(n_nodes + 2, dtype=np.int32)
    number, total = 0, 0
    while total < n_nodes:
        community = below(state, sizes.size)
        size = sizes[community]
        if number >= 2 and total + size - n_nodes > n_nodes - total:
            break
        slots[number] = community
        number += 1
        total += size
    return slots[:number].copy()


@njit(cache=True)
def place_nodes(slots, member_start, members):  # type: ignore[no-untyped-def]
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
def _shuffle(values, size, state):  # type: ignore[no-untyped-def]
    for place in range(size - 1, 0, -1):
        other = below(state, place + 1)
        values[place], values[other] = values[other], values[place]


@njit(cache=True)
def _copies(slots, n_communities):  # type: ignore[no-untyped-def]
    """List the slots of each community."""
    start = np.zeros(n_communities + 1, dtype=np.int64)
    for s in slots:
        start[s + 1] += 1
    for g in range(n_communities):
        start[g + 1] += start[g]
    listed = np.empty(slots.size, dtype=np.int32)
    at = start[:-1].copy()
    for s in range(slots.size):
        listed[at[slots[s]]] = s
        at[slots[s]] += 1
    return start, listed


@njit(cache=True)
def _join(a, b, sizes, ends, taken, slot, link_s, link_t, link_w, found, state):  # type: ignore[no-untyped-def]
    """Join loose ends of list `a` with those of list `b`, never inside one slot."""
    nodes, weights = ends
    size_a, size_b = sizes
    for x in range(min(size_a, size_b)):
        u = nodes[a[x]]
        for attempt in range(ATTEMPTS):
            y = x if attempt == 0 else x + below(state, size_b - x)
            if slot[nodes[b[y]]] != slot[u]:
                b[x], b[y] = b[y], b[x]
                link_s[found], link_t[found] = u, nodes[b[x]]
                link_w[found] = weights[a[x]]
                found += 1
                taken[a[x]] = True
                taken[b[x]] = True
                break
    return found


@njit(cache=True)
def draw_replicate(  # type: ignore[no-untyped-def]
    sizes, member_start, members, rank, community, inner_start, inner_s, inner_t, inner_w,
    outer_s, outer_t, outer_w, kinds, n_kinds, directed, state,
):  # fmt: skip
    """Draw one replicate.

    Each drawn community keeps its inner links. Of a link between communities, every copy of
    either end keeps its half: as many as can be are joined with a copy of the other half, each
    with one; the halves left over, where one community was drawn more often than the other,
    are joined with each other so that the classes at both ends stay what they were, as far as
    possible. So each node keeps its number of links, and copies of one community become linked
    as different communities are.

    Returns
    -------
    origin, slot : ndarray of int32, one entry for each new node
        The node that it copies, and the number of the draw that it belongs to.
    source, target, weight : ndarray, one entry for each link
    """
    slots = draw_slots(sizes, community.size, state)
    origin, slot, first = place_nodes(slots, member_start, members)
    start, listed = _copies(slots, sizes.size)
    capacity = 0
    for s in slots:
        capacity += inner_start[s + 1] - inner_start[s]
    loose = 0
    for e in range(outer_s.size):
        g, h = community[outer_s[e]], community[outer_t[e]]
        a, b = start[g + 1] - start[g], start[h + 1] - start[h]
        capacity += max(a, b)
        loose += abs(a - b)
    source = np.empty(capacity, dtype=np.int32)
    target = np.empty(capacity, dtype=np.int32)
    weight = np.empty(capacity, dtype=np.float64)
    found = 0
    for s in range(slots.size):
        g = slots[s]
        for e in range(inner_start[g], inner_start[g + 1]):
            source[found] = first[s] + rank[inner_s[e]]
            target[found] = first[s] + rank[inner_t[e]]
            weight[found] = inner_w[e]
            found += 1
    inner = found

    nodes = np.empty(loose, dtype=np.int32)
    weights = np.empty(loose, dtype=np.float64)
    code = np.empty(loose, dtype=np.int64)
    scratch = np.empty(slots.size, dtype=np.int32)
    ends = 0
    for e in range(outer_s.size):
        i, j = outer_s[e], outer_t[e]
        g, h = community[i], community[j]
        a, b = start[g + 1] - start[g], start[h + 1] - start[h]
        more, fewer = (i, j) if a >= b else (j, i)
        big, small = (g, h) if a >= b else (h, g)
        most, least = max(a, b), min(a, b)
        for c in range(most):
            scratch[c] = listed[start[big] + c]
        if least > 0 and most > 1:
            _shuffle(scratch, most, state)
        for c in range(least):
            u = first[scratch[c]] + rank[more]
            v = first[listed[start[small] + c]] + rank[fewer]
            source[found], target[found] = (u, v) if a >= b else (v, u)
            weight[found] = outer_w[e]
            found += 1
        for c in range(least, most):
            nodes[ends] = first[scratch[c]] + rank[more]
            weights[ends] = outer_w[e]
            # out-going halves and in-coming ones of a directed network are kept apart
            side = 1 if directed and a < b else 0
            code[ends] = (kinds[more] * n_kinds + kinds[fewer]) * 2 + side
            ends += 1
    found = _join_loose(
        nodes, weights, code, n_kinds, directed, slot, source, target, weight, found, state
    )
    found = _merge(source, target, weight, inner, found, directed)
    return origin, slot, source[:found], target[:found], weight[:found]


@njit(cache=True)
def _join_loose(  # type: ignore[no-untyped-def]
    nodes, weights, code, n_kinds, directed, slot, source, target, weight, found, state
):
    taken = np.zeros(nodes.size, dtype=np.bool_)
    order = np.arange(nodes.size)
    _shuffle(order, nodes.size, state)
    by_code = order[np.argsort(code[order], kind="mergesort")]
    start = np.zeros(2 * n_kinds * n_kinds + 1, dtype=np.int64)
    for c in code:
        start[c + 1] += 1
    for c in range(start.size - 1):
        start[c + 1] += start[c]
    for y in range(n_kinds):
        for z in range(n_kinds):
            here = (y * n_kinds + z) * 2
            if directed:
                there = (z * n_kinds + y) * 2 + 1
            elif y < z:
                there = (z * n_kinds + y) * 2
            elif y == z:
                there = here
            else:
                continue
            a = by_code[start[here] : start[here + 1]]
            b = by_code[start[there] : start[there + 1]]
            if here == there:
                half = a.size // 2
                a, b = a[:half], a[half:]
            found = _join(
                a, b, (a.size, b.size), (nodes, weights), taken, slot, source, target, weight,
                found, state,
            )  # fmt: skip
    # what no fitting class was left for
    a = np.empty(nodes.size, dtype=np.int64)
    b = np.empty(nodes.size, dtype=np.int64)
    size_a, size_b = 0, 0
    for x in order:
        if not taken[x]:
            to_a = code[x] % 2 == 0 if directed else size_a <= size_b
            if to_a:
                a[size_a] = x
                size_a += 1
            else:
                b[size_b] = x
                size_b += 1
    return _join(
        a, b, (size_a, size_b), (nodes, weights), taken, slot, source, target, weight, found,
        state,
    )  # fmt: skip


@njit(cache=True)
def _merge(source, target, weight, inner, found, directed):  # type: ignore[no-untyped-def]
    """Merge repeated links between communities: weights above 1 or below it are added.

    Two plain links of weight 1 between the same nodes become one, as in any network.
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
def to_rows(n, source, target, weight, weighted, forward, backward):  # type: ignore[no-untyped-def]
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
