"""A plan in words: the answer first, then the numbers, then what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..comparison.text import align, points, wrapped

if TYPE_CHECKING:
    from .planned import Plan, Spot


def share(spot: Spot) -> str:
    """Write a power with the interval of its Monte Carlo error.

    Examples
    --------
    >>> from nettrial.auditing.planned import Spot
    >>> share(Spot(1, 300, 0.3, 10, 0.02, 14.0, 0.52, 0.46, 0.59))
    '52% (46 to 59)'
    """
    return f"{100 * spot.power:.0f}% ({100 * spot.low:.0f} to {100 * spot.high:.0f})"


def verdict(found: Plan) -> str:
    """Say whether the network suffices, and what would."""
    goal = f"a difference of {points(found.difference)} points with {found.wanted:.0%} power"
    now = found.now
    here = f"{now.n_nodes:,} nodes, {found.labeled:.0%} labeled and {found.n_splits} splits"
    if now.power >= found.wanted:
        return f"Your network suffices for {goal}: with {here} the power is {share(now)}."
    ways = [way for way in (_nodes(found), _rate(found), _splits(found)) if way]
    head = f"Your network does not suffice for {goal}: with {here} the power is {share(now)}. "
    if not ways:
        return f"{head}{_alone(found)} As things are, a difference of " + (
            f"{points(found.detectable)} points is the smallest that is seen so often."
        )
    return f"{head}It takes {', or '.join(ways)}. {_vain(found)}".rstrip()


def _alone(found: Plan) -> str:
    """Say that no single change suffices, and what several do together."""
    spots = found.spots
    most = (
        f"{spots[-1].n_nodes:,} nodes, not labels on {max(s.labeled for s in spots):.0%}, not "
        f"{max(s.n_splits for s in spots)} splits"
    )
    spot = found.together
    if spot is None:
        return f"Nothing that was tried suffices, alone or together: not {most}."
    return (
        f"No change that was tried suffices alone: not {most}. Together {spot.n_nodes:,} nodes, "
        f"{spot.labeled:.0%} labeled and {spot.n_splits} splits have {share(spot)}."
    )


def _nodes(found: Plan) -> str:
    if found.nodes is None:
        return ""
    times = found.nodes / found.network.n_nodes
    return f"a network of about {_rounded(found.nodes):,} nodes ({times:.1f} times as many)"


def _rounded(nodes: float) -> int:
    """Round to two digits."""
    digits = len(str(int(nodes))) - 2
    return int(round(nodes, -max(digits, 0)))


def _rate(found: Plan) -> str:
    return "" if found.rate is None else f"labels on {found.rate:.0%} of the nodes"


def _splits(found: Plan) -> str:
    return "" if found.splits is None else f"{found.splits} splits"


def _vain(found: Plan) -> str:
    """Say which way does not lead there."""
    told = []
    if found.splits is None:
        told.append(
            f"More splits do not do it: splits without end reach {found.ceiling:.0%}, since the "
            "rest of the variance is between networks"
        )
    if found.rate is None:
        most = max(spot.labeled for spot in found.spots)
        told.append(f"more labels do not do it up to {most:.0%}")
    if found.nodes is None:
        told.append(f"a network of {found.spots[-1].n_nodes:,} nodes is not enough by itself")
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def by_size(found: Plan) -> str:
    """Lay out the power by size and number of splits."""
    numbers = sorted({spot.n_splits for spot in found.spots})
    sizes = sorted({spot.multiple for spot in found.spots})
    rows = [["nodes", *(f"{k} splits" for k in numbers)]]
    for multiple in sizes:
        spots = [found.spot(multiple, found.labeled, k) for k in numbers]
        rows.append([f"{spots[0].n_nodes:,}", *map(share, spots)])
    return align(rows)


def by_rate(found: Plan) -> str:
    """Lay out the power by proportion of labels and size."""
    rates = sorted({spot.labeled for spot in found.spots})
    sizes = sorted({spot.multiple for spot in found.spots})
    rows = [["labeled", *(f"{m * found.network.n_nodes:,} nodes" for m in sizes)]]
    for rate in rates:
        spots = [found.spot(multiple, rate, found.n_splits) for multiple in sizes]
        rows.append([f"{rate:.0%}", *map(share, spots)])
    return align(rows)


def limits(found: Plan) -> list[str]:
    """Say what the plan rests on."""
    communities = found.settings["effective_communities"]
    return [
        f"{found.n_replicates} networks of each size and proportion of labels were drawn from the "
        "communities of this one. A larger network is taken to have more communities of the same "
        "kind and as many links a node; what else changes as your domain grows is not in it.",
        "Power is that of the community bootstrap, from the standard error on these networks and "
        "its degrees of freedom (a t test). Held against simulation of the test on networks of "
        "known domains this was off by 2 points of power on average, 10 at most.",
        "The numbers in brackets hold the Monte Carlo error of the standard error only, not that "
        f"of having one network: its communities are worth {communities:.1f} equal ones, and a "
        f"standard error from so many is itself unsure by about "
        f"{100 / (2 * max(communities - 1, 1)) ** 0.5:.0f}%.",
        "True differences were made by turning predictions at random; a difference that sits in "
        "some communities only is harder to find.",
        *_less_with_more(found),
    ]


def _less_with_more(found: Plan) -> list[str]:
    """Say where larger networks or more labels came out with less power."""
    power = {(spot.n_splits, spot.labeled, spot.multiple): spot.power for spot in found.spots}
    falls = {
        what
        for (k, rate, multiple), value in power.items()
        for what, before in (
            (
                "larger networks",
                [power.get((k, rate, m), 0.0) for m in _below(found, "multiple", multiple)],
            ),
            (
                "more labels",
                [power.get((k, r, multiple), 0.0) for r in _below(found, "labeled", rate)],
            ),
        )
        if before and value < max(before)
    }
    if not falls:
        return []
    return [
        f"With {' and '.join(sorted(falls))} the power is not always greater here. The standard "
        "error need not fall: errors that spread further vary more from network to network, and "
        "the models' difference depends on size and labels as well. Small steps are Monte Carlo "
        "error; the brackets say how small."
    ]


def _below(found: Plan, what: str, value: float) -> list[Any]:
    return [each for each in {getattr(spot, what) for spot in found.spots} if each < value]


def full_text(found: Plan) -> str:
    """Give verdict, tables, limits and warnings for a terminal."""
    lines = [
        wrapped(found.verdict),
        "",
        wrapped(
            f"{' against '.join(found.models)} on {found.network.n_nodes:,} nodes, "
            f"{found.network.n_links:,} links; true difference {points(found.difference)} points; "
            f"smallest difference seen with {found.wanted:.0%} power as things are: "
            f"{points(found.detectable)} points."
        ),
        "",
        f"Power with {found.labeled:.0%} labeled (95% interval of its Monte Carlo error)",
        by_size(found),
        "",
        f"Power with {found.n_splits} splits",
        by_rate(found),
        "",
        "What this rests on",
        *(wrapped(text, mark="- ") for text in limits(found)),
    ]
    if found.warnings:
        lines += ["", "Warnings", *(wrapped(str(w), mark="! ") for w in found.warnings)]
    return "\n".join(lines)
