"""What a report on a plan says: the answer, then the numbers, then what they rest on."""

from __future__ import annotations

from ...auditing.plan import GROWS
from ...auditing.plan_result import Plan, PlanPoint
from ...core.wording import duration, plural, points
from ...study.tasks import task_of
from .. import cells
from ..audit_displays import (
    FIELDS,
    PlanDisplay,
    PlannedBy,
    describe_rest,
    describe_value,
    falls,
    handicap_words,
    planned_by,
    unit_of,
)
from ..document import (
    Blocks,
    Document,
    Figure,
    Limits,
    Name,
    Paragraph,
    Table,
    Verdict,
    cautions,
    rows,
)
from ..references import cite, of_communities, of_models
from .base import describe
from .common import describe_network, size_of, software
from .settings import network_settings, settings_table
from .sources import sources_of_variance


@describe.register
def _plan(found: Plan) -> Document:
    on = f" on {found.network.name}" if found.network.name else ""
    text = _answer(found)
    headline, _, rest = text.partition(": ")
    return Document(
        kind=f"plan: {found.models[0]} against {found.models[1]}{on}",
        verdict=Verdict(headline, text, f"{rest[:1].upper()}{rest[1:]}", _facts(found)),
        blocks=(
            *(block for by in _tried(found) for block in _by(found, by)),
            _smallest(found),
            Paragraph(
                f"{' against '.join(found.models)} on {size_of(found.network)}; true difference "
                f"{_note(found, found.difference)}; smallest difference detected with "
                f"{found.wanted:.0%} power as things are: {_note(found, found.detectable)}.",
                "What was planned",
            ),
            *sources_of_variance(found),
            Limits("What this rests on", tuple(_limits(found))),
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=(*of_models(found.models), *of_communities(found.settings["communities"])),
    )


def _facts(found: Plan) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    most = max(spot.n_nodes for spot in found.spots)
    enough = f"> {most:,}" if found.nodes is None else f"{_rounded(found.nodes):,}"
    return (
        (f"{found.now.power:.0%}", f"power as things are; wanted {found.wanted:.0%}"),
        (_note(found, found.difference).split(" ")[0],
         f"{unit_of(found.network).strip()} of true difference"),
        (points(found.detectable), f"is the smallest detected with {found.wanted:.0%} power"),
        (enough, f"nodes needed; the network has {found.network.n_nodes:,}"),
    )  # fmt: skip


def _rounded(nodes: float) -> int:
    return int(round(nodes, -max(len(str(int(nodes))) - 2, 0)))


def share(spot: PlanPoint) -> str:
    """Write a power with the interval of its Monte Carlo error.

    Examples
    --------
    >>> share(PlanPoint(1, 300, 0.3, 10, 0.02, 14.0, 0.52, 0.46, 0.59, 0.06))
    '52% (46 to 59)'
    """
    return f"{100 * spot.power:.0f}% ({100 * spot.low:.0f} to {100 * spot.high:.0f})"


def _note(found: Plan, difference: float) -> str:
    return f"{points(difference)}{unit_of(found.network)}"


def _answer(found: Plan) -> str:
    """Return whether the network suffices, and what would."""
    goal = (
        f"to detect a difference of {_note(found, found.difference)} with {found.wanted:.0%} power"
    )
    now = found.now
    here = _called(now, found)
    if now.suffices(found.wanted):
        return f"Your network is large enough {goal}: with {here} the power is {share(now)}."
    ways = [way for way in (_nodes(found), _rate(found), _splits(found), _seeds(found)) if way]
    sure = now.high < found.wanted
    head = "Your network is too small" if sure else "Your network may be too small"
    head = f"{head} {goal}: with {here} the power is {share(now)}. "
    if now.power >= found.wanted:
        return f"{head}More {_drawn(found)} narrow the interval."
    if not ways:
        return (
            f"{head}{_alone(found)} As things are, {_note(found, found.detectable)} is "
            "the smallest difference that is detected so often."
        )
    return f"{head}It takes {', or '.join(ways)}. {_unattainable_note(found)}".rstrip() + _open(
        found
    )


def _alone(found: Plan) -> str:
    """Return that no single change suffices, and what several do together."""
    spots = found.spots
    most = [plural(spots[-1].n_nodes, "node")]
    for by in FIELDS:
        value = list(planned_by(found, by))[-1]
        if by in _tried(found):
            most.append(f"labels on {value:.0%}" if by == "labels" else describe_value(by, value))
    spot = found.together
    if spot is None:
        doubt = _open(found)
        suffices = "is sure to suffice" if doubt else "suffices"
        return (
            f"Nothing that was tried {suffices}, alone or together: not {', not '.join(most)}."
            f"{doubt}"
        )
    return (
        f"No change that was tried suffices alone: not {', not '.join(most)}. Together "
        f"{_called(spot, found)} have {share(spot)}.{_open(found)}"
    )


def _called(spot: PlanPoint, found: Plan) -> str:
    """Name what a power is for; the number of seeds where there are several."""
    nodes, splits = plural(spot.n_nodes, "node"), f"{spot.n_splits} splits"
    if found.n_seeds > 1:
        splits = f"{splits} with {plural(spot.n_seeds, 'training seed')} each"
    return f"{nodes}, {spot.labeled:.0%} labeled and {splits}"


def _drawn(found: Plan) -> str:
    return "halvings" if found.by_halves else "drawn networks"


def _tried(found: Plan) -> list[PlannedBy]:
    """Return of what more than one value was tried."""
    kinds: tuple[PlannedBy, ...] = ("splits", "labels", "seeds")
    return [by for by in kinds if by == "splits" or len(planned_by(found, by)) > 1]


def _nodes(found: Plan) -> str:
    if found.nodes is None:
        return ""
    times = found.nodes / found.network.n_nodes
    return f"a network of about {_rounded(found.nodes):,} nodes ({times:.1f} times as many)"


def _rate(found: Plan) -> str:
    return "" if found.rate is None else f"labels on {found.rate:.0%} of the nodes"


def _splits(found: Plan) -> str:
    return "" if found.splits is None else f"{found.splits} splits"


def _seeds(found: Plan) -> str:
    several = found.n_seeds > 1 and found.seeds is not None
    return f"{found.seeds} training seeds for each split" if several else ""


def _unattainable_note(found: Plan) -> str:
    """Return which way does not lead there."""
    lines = []
    last = {by: list(planned_by(found, by).values())[-1][0] for by in _tried(found)}
    if found.splits is None:
        most = last["splits"]
        end = (
            f"even infinitely many reach only {found.ceiling:.0%}, since the rest of the variance "
            "is between networks"
            if found.ceiling < found.wanted
            else f"{most.n_splits} have {share(most)}"
        )
        lines.append(f"More splits are not enough: {end}")
    if found.seeds is None and "seeds" in last:
        most = last["seeds"]
        lines.append(f"more seeds are not enough, up to {most.n_seeds}, with {share(most)}")
    if found.rate is None and "labels" in last:
        most = last["labels"]
        lines.append(f"more labels are not enough, up to {most.labeled:.0%}, with {share(most)}")
    if found.nodes is None:
        largest = found.spots[-1]
        spot = found.spot(largest.multiple, found.labeled, found.n_splits)
        lines.append(
            f"a network of {spot.n_nodes:,} nodes is not enough by itself, with {share(spot)}"
        )
    text = "; ".join(lines)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _open(found: Plan) -> str:
    """Return what to do where a power is above the one wanted but its interval reaches below."""
    if not any(spot.power >= found.wanted > spot.low for spot in found.spots):
        return ""
    return f" {_rule(found)}; more {_drawn(found)} narrow it."


def _rule(found: Plan) -> str:
    """Return when a plan suffices: not where it may be luck of the networks drawn."""
    return f"A plan suffices where the lower end of its power's interval reaches {found.wanted:.0%}"


def _by(found: Plan, by: PlannedBy) -> Blocks:
    """Return the power by size and number of splits or seeds, or proportion of labels."""
    lines = planned_by(found, by)
    sizes = zip(*lines.values())
    body = [
        [
            cells.count(spots[0].n_nodes),
            *(
                cells.numbers(share(spot), spot.power, best=spot.suffices(found.wanted))
                for spot in spots
            ),
        ]
        for spots in sizes
    ]
    what = by if by == "labels" else f"number of {by}"
    return (
        Figure(
            f"Power of {found.procedure.words} against the number of nodes, with the 95% "
            "interval of its Monte Carlo error.",
            PlanDisplay(found, by),
            f"Power by size and {what}",
        ),
        Table(
            f"Power with {describe_rest(found, by)}",
            ("nodes", *(describe_value(by, value) for value in lines)),
            rows(body),
            "what suffices",
            below=(
                "Power, with the 95% interval of its Monte Carlo error in brackets. "
                f"{_rule(found)}.",
            ),
            fold=True,
        ),
    )


def _smallest(found: Plan) -> Table:
    """Return the smallest difference that is detected, by size and number of splits."""
    lines = planned_by(found, "splits")
    body = [
        [
            cells.count(spots[0].n_nodes),
            *(cells.numbers(points(spot.detectable), spot.detectable) for spot in spots),
        ]
        for spots in zip(*lines.values())
    ]
    unit = unit_of(found.network).strip().replace("%", "percent")
    return Table(
        f"Smallest difference detected with {found.wanted:.0%} power, "
        f"{describe_rest(found, 'splits')}",
        ("nodes", *(describe_value("splits", value) for value in lines)),
        rows(body),
        below=(
            f"True difference in {unit} whose power is {found.wanted:.0%} by the same standard "
            "errors, without their Monte Carlo error: to suffice for it takes somewhat more.",
        ),
        fold=True,
    )


# of what the accuracy of the power is not known
NOT_MEASURED = {"numbers": ", with classes to predict; with numbers it was not measured"}


def _limits(found: Plan) -> list[str]:
    communities = found.settings["effective_communities"]
    unsure = (
        "The numbers in brackets hold the Monte Carlo error of the standard error only, not that "
        f"of having one network: its effective number of communities is {communities:.1f}, and a "
        "standard error from so many is itself uncertain by about "
        f"{100 / (2 * max(communities - 1, 1)) ** 0.5:.0f}%."
    )
    if found.by_halves:
        return [*_limits_of_halves(found), GROWS, unsure]
    return [
        f"{found.n_replicates:,} networks of each size and proportion of labels were drawn from "
        "the communities of this one. A larger network is taken to have more communities of the "
        "same kind and as many links a node; what else changes as your domain grows is not in it.",
        f"Power is that of {found.procedure.words}, from the standard error on these networks "
        "and its degrees of freedom (a t test). Against simulations of the test on networks of "
        "known domains this was off by 2 percentage points of power on average, 10 at most"
        f"{NOT_MEASURED.get(task_of(found.network).name, '')}.",
        GROWS,
        unsure,
        f"True differences were made by {handicap_words(found.network).how} predictions "
        "at random; a difference that sits in some communities only is harder to find.",
        *_less_with_more(found),
    ]


def _limits_of_halves(found: Plan) -> list[str]:
    settings = found.settings
    each = plural(settings["splits_of_a_halving"], "split")
    ran = f"{plural(found.n_replicates, 'halving')} with {each} each ({settings['fits']:,} fits)"
    if settings["budget_seconds"] == settings["budget_seconds"]:  # NaN where the number was given
        ran = f"{ran}, planned for a budget of {duration(settings['budget_seconds'])}"
    seeds = (
        "; what training seeds move is taken to stay, since it may move all nodes alike"
        if found.n_seeds > 1
        else ""
    )
    return [
        f"No larger network was drawn. Both models ran on this network and on {ran}, and the rest "
        "was computed from the variances. A larger network is taken to have more communities of "
        "the same kind, so that the variance between networks and between splits falls as its size "
        f"grows{seeds}. That models learn more from more nodes is not in it.",
        f"Power is that of {found.procedure.words} with as many halvings, from the standard error "
        "of the difference as it is here and its degrees of freedom (a t test).",
        f"Proportions of labels other than {found.labeled:.0%} were not tried: halves of the "
        "communities tell nothing of them. Call plan with another one.",
    ]


def _less_with_more(found: Plan) -> list[str]:
    """Return why larger networks or more labels came out with less power, where they did."""
    said = " ".join(filter(None, (falls(found.spots, "nodes"), falls(found.spots, "labels"))))
    if not said:
        return []
    return [
        f"{said} The standard error need not fall: errors that spread further vary more from "
        "network to network, and the models' difference depends on size and labels as well. Small "
        "steps are Monte Carlo error; the brackets say how small."
    ]


def _details(found: Plan) -> Blocks:
    own = {
        "model A": found.models[0],
        "model B": found.models[1],
        "difference planned for": _note(found, found.difference),
        "power wanted": f"{found.wanted:.0%}",
        "labeled proportion": found.labeled,
        "splits": found.n_splits,
        "training seeds for each split": found.n_seeds,
        "halvings" if found.by_halves else "drawn networks of each size": found.n_replicates,
        "seed": found.seed,
    }
    return (settings_table(own | network_settings(found.network), found.settings),)


def _methods(found: Plan, name: Name) -> str:
    a, b = map(name, found.models)
    sizes = sorted({spot.n_nodes for spot in found.spots})
    begin = (
        f"We planned a comparison of {a} with {b} from "
        f"{describe_network(found.network, name)}, with "
        f"{found.n_splits} splits and {found.labeled:.0%} of the nodes labeled "
        f"{cite('neville2009')}."
    )
    power = (
        f"for a true difference of {_note(found, found.difference)}. The seed was "
        f"{found.seed}. {software(found.settings, name)}"
    )
    if found.by_halves:
        again = f"{plural(found.n_replicates, 'random halving')} of its communities"
        return (
            f"{begin} Both models were run again on {again} {cite('mccarthy1969')}; power is that "
            "of a t-test with the standard error that these give, its parts between networks and "
            "between splits divided by the growth of the network and by the number of splits, "
            f"{power}"
        )
    return (
        f"{begin} For networks of {', '.join(f'{size:,}' for size in sizes)} nodes, "
        f"{found.n_replicates} of each were drawn from its communities {cite('kunsch1989')}; power "
        f"is that of a t-test with the standard error of the difference on these networks, {power}"
    )
