"""What a report on an audit says: what to use, then the numbers, then what they cannot say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...auditing.audit_result import TOO_HIGH, Audit, AuditedTest, Rate
from ...core.results import show
from ...core.wording import capitalized, listed, plural, points, shorten_apart
from ...stats.intervals import proportion_interval
from ...study.tasks import task_of
from .. import cells
from ..audit_displays import AuditDisplay, handicap_words, unit_of
from ..document import (
    Blocks,
    Document,
    Figure,
    Limits,
    Name,
    Paragraph,
    Row,
    Table,
    Verdict,
    cautions,
)
from ..references import cite, of_communities, of_models
from .base import describe
from .common import communities_words, describe_network, size_of, software, test_words
from .pair import USUAL
from .settings import network_settings, settings_table

TOO_FEW = "Too few networks to recommend a test"
NONE_HOLDS = "No test for other networks is known to hold its level of 5% on networks like this one"


@describe.register
def _audit(found: Audit) -> Document:
    on = f" on {found.network.name}" if found.network.name else ""
    if found.recommended:
        headline = f"Use {_called(found.test(found.recommended))} on networks like this one"
    elif _too_few(found):
        headline = TOO_FEW
    else:
        headline = NONE_HOLDS
    answer = _answer(found)
    numbers = capitalized(answer.removeprefix(headline).lstrip(".: "))
    a, b = shorten_apart(found.models, 40)
    return Document(
        kind=f"audit: {found.models[0]} against {found.models[1]}{on}",
        verdict=Verdict(headline, answer, numbers, _facts(found)),
        blocks=(
            Figure(
                f"How often each test claims a difference between {a} and {b} where there is none, "
                "with 95% intervals. Full marks are tests that hold 5%, open ones those that are "
                "not known to, gray ones those that are overconfident.",
                AuditDisplay(found),
                "Type I error",
            ),
            Figure(
                f"How often each test finds a true difference between {a} and {b}.",
                AuditDisplay(found, power=True),
                "Power",
            ),
            _table(found),
            Paragraph(_about(found), "What was audited"),
            Limits("What this cannot say", tuple(_limits(found))),
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=(*of_models(found.models), *of_communities(found.settings["communities"])),
        brief=(_brief(found),),
    )


def percent(rate: Rate) -> str:
    """Write a share with its Monte Carlo error, half its 95% interval.

    Examples
    --------
    >>> percent(Rate(0.0, 0.052, 0.036, 0.075, 0))
    '5% ± 2'
    """
    return f"{100 * rate.rejected:.0f}% ± {max(50 * (rate.high - rate.low), 0.5):.0f}"


def _facts(found: Audit) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    facts = [(f"{found.n_replicates:,}", "networks drawn, on which every test was made")]
    if found.recommended:
        best = found.test(found.recommended)
        last = best.rates[-1]
        facts += [
            (f"{best.type_1_error.rejected:.0%}", f"Type I error of {_called(best)}"),
            (f"{last.rejected:.0%}",
             f"its power at {points(last.difference)}{unit_of(found.network)}"),
        ]  # fmt: skip
    usual = next((t for t in found.tests if t.title == USUAL), None)
    if usual is not None:
        facts.append((f"{usual.type_1_error.rejected:.0%}", "Type I error of the usual t-test"))
    return tuple(facts)


def _too_few(found: Audit) -> bool:
    """Return whether so few networks could not show a Type I error of 10% at most, even at 0%."""
    return bool(proportion_interval(0, found.n_replicates).ci_high > TOO_HIGH)


def _answer(found: Audit) -> str:
    """Return which test to use, how sure that is, and what the usual test would do."""
    setting = f"With {found.n_splits} splits and {found.labeled:.0%} labeled"
    usual = next((t for t in found.tests if t.title == USUAL), None)
    if not found.recommended:
        least = min(found.tests, key=lambda test: test.type_1_error.rejected)
        reason = (
            f"{TOO_FEW}: on {plural(found.n_replicates, 'network')} even a test that never rejects "
            "may have a Type I error above 10%. Take 200 or more (500 by default)."
            if _too_few(found)
            else f"{NONE_HOLDS}: on the {found.n_replicates} that "
            "were drawn, every one either rejects too often or could, by its 95% interval, have a "
            "Type I error above 10%."
        )
        head = (
            f"{reason} {setting} the smallest Type I error is that of {_called(least)}, "
            f"{percent(least.type_1_error)}."
        )
    else:
        best = found.test(found.recommended)
        head = (
            f"Use {_called(best)} on networks like this one. {setting} it claims a difference "
            f"where there is none in {percent(best.type_1_error)} of them (Type I error), and "
            f"finds {_power(best, unit_of(found.network))}."
        )
        if found.rivals:
            rivals = [_called(found.test(title)) for title in found.rivals]
            head += (
                f" Another run may recommend {listed(rivals, 'or')} instead: on "
                f"{found.n_replicates:,} networks their power differs by no more than its Monte "
                "Carlo error."
            )
    if usual is None or usual.title == found.recommended:
        return head
    return f"{head} The usual paired t-test has a Type I error of {percent(usual.type_1_error)}."


def _called(test: AuditedTest) -> str:
    words = test_words(test.name)
    return words if test.title == test.name else f"{words} on network cross-validation"


def _power(test: AuditedTest, unit: str) -> str:
    last = test.rates[-1]
    middle = test.rates[(len(test.rates)) // 2]
    shown = [middle] if middle is last else [middle, last]
    return " and ".join(
        f"a true difference of {points(rate.difference)}{unit} in {percent(rate)}" for rate in shown
    )


def _about(found: Audit) -> str:
    settings = found.settings
    words = handicap_words(found.network)
    errors = " and ".join(f"{words.value(e)} ({m})" for e, m in zip(found.errors, found.models))
    communities = communities_words(
        settings["n_communities"], settings["communities"], settings["effective_communities"]
    )
    return (
        f"{size_of(found.network)}, {communities}; {found.n_replicates:,} networks drawn from "
        f"them, on which the {words.errors} are {errors} without "
        "handicap."
    )


def _table(found: Audit) -> Table:
    """Return every test: Type I error, then power at each difference."""
    body = []
    for test in found.tests:
        best = test.title == found.recommended
        splits = "splits" in test.question
        body.append(
            Row(
                (
                    cells.code(test.title),
                    cells.words("other splits" if splits else "other networks"),
                    *(cells.numbers(percent(rate), rate.rejected) for rate in test.rates),
                    cells.words(_holds(test)),
                ),
                best,
                "use this" if best else "" if test.holds else "overconfident",
            )
        )
    unit = unit_of(found.network).replace("%", " percent")
    power = (f"power at {points(d)}" for d in found.differences[1:])
    return Table(
        "All tests",
        ("test", "answers for", "Type I error", *power, "holds 5%"),
        tuple(body),
        below=(
            f"Share of {found.n_replicates:,} drawn networks with p < 0.05, ± half of its 95% "
            f"interval; power by the true difference in{unit}. Whether a test holds 5% is not "
            "known where its interval reaches above 10%. Tests "
            "marked (ncv) are on network cross-validation, the others on random resampling.",
        ),
        fold=True,
    )


def _brief(found: Audit) -> Table:
    """Return the recommended test beside the usual one, with the greatest difference tried."""
    table = _table(found)
    kept = [
        replace(row, cells=(*row.cells[:3], *row.cells[-2:]))
        for row, test in zip(table.rows, found.tests)
        if test.title in (found.recommended, USUAL)
    ]
    head = (*table.head[:3], *table.head[-2:])
    return replace(table, title="", head=head, rows=tuple(kept), below=())


def _holds(test: AuditedTest) -> str:
    if test.is_safe:
        return "yes"
    return "not known" if test.holds else "no"


def _limits(found: Audit) -> list[str]:
    """Return what the audit cannot see."""
    away = np.abs(found.measured) - np.array(found.differences)
    sure = 1.96 * found.measured_error
    halves = (
        "Each drawn network is a half of the communities, since a model may notice copies of a "
        "node: rates are those of networks of half the size. "
    )
    lines = [
        f"{halves if found.settings.get('halves') else ''}"
        "The networks were drawn from the communities of this one, whole: dependence that reaches "
        "further than a community, and which communities are neighbors, is lost in them. What "
        "the community bootstrap cannot see, this audit cannot see either, and it says nothing "
        "about other domains.",
        f"True differences were made by changing predictions at random ({_changes(found)}). "
        "Changed predictions fall on all nodes alike; a difference that sits in some communities "
        "only is harder to find.",
        f"The handicap was found on {found.settings['n_calibration']:,} networks of its own. On "
        f"those that the tests were made on, the difference meant to be 0 was "
        f"{100 * found.measured[0]:.2f} ± {100 * sure[0]:.2f}{unit_of(found.network)}, and the "
        f"others were off by {100 * np.abs(away).max():.2f} at most.",
        f"The level is judged by {found.n_replicates:,} networks: a share of 5% is known to "
        f"± {196 * (0.05 * 0.95 / found.n_replicates) ** 0.5:.1f} percentage points. Choosing the "
        "most powerful of the valid tests flatters its numbers a little.",
    ]
    if found.n_inner:
        lines.append(
            f"The bootstrap was made from {found.n_inner:,} replicates of either kind on each "
            "drawn network (compare takes 200, which gives it a little more power). Its own level "
            "is in part a circular check: the networks that it is tried on were drawn by the rules "
            "it assumes. The calibration suite tries it on networks that were not."
        )
    else:
        lines.append(
            "The bootstrap was not tried: it re-runs both models hundreds of times on every drawn "
            "network, which is quick only for wvrn and nbc with relaxation labeling, or was "
            "left out by request."
        )
    unclear = [t.title for t in found.tests if any(rate.undefined for rate in t.rates)]
    if unclear:
        lines.append(
            f"Where a test has no p-value it counts as finding nothing ({', '.join(unclear)}; the "
            "numbers are in the table of the JSON form)."
        )
    return lines


def _blurred(found: Audit) -> str:
    low, high = np.sqrt(found.handicaps.min(axis=0)), np.sqrt(found.handicaps.max(axis=0))
    sizes = ", ".join(f"{m} {show(float(a))} to {show(float(b))}"
                      for m, a, b in zip(found.models, low, high))  # fmt: skip
    return f"normal noise was added, of standard deviation: {sizes}"


def _flipped(found: Audit) -> str:
    parts = [
        f"{name} {100 * low:.1f}%"
        if abs(high - low) < 5e-4
        else f"{name} {100 * low:.1f}% to {100 * high:.1f}%"
        for name, low, high in zip(
            found.models, found.handicaps.min(axis=0), found.handicaps.max(axis=0)
        )
    ]
    return ", ".join(parts)


def _changes(found: Audit) -> str:
    """Return how large the changes of predictions were."""
    return {"classes": _flipped, "numbers": _blurred}[task_of(found.network).name](found)


def _details(found: Audit) -> Blocks:
    own = {
        "model A": found.models[0],
        "model B": found.models[1],
        "labeled proportion": found.labeled,
        "splits": found.n_splits,
        "drawn networks": found.n_replicates,
        "replicates of the bootstrap on each": found.n_inner,
        "seed": found.seed,
    }
    return (settings_table(own | network_settings(found.network), found.settings),)


def _methods(found: Audit, name: Name) -> str:
    a, b = map(name, found.models)
    bootstrap = ""
    if found.n_inner:
        bootstrap = f" The bootstrap took {found.n_inner:,} replicates of either kind on each."
    return (
        f"We audited the tests of a difference between {a} and {b} on "
        f"{describe_network(found.network, name)}, with {found.n_splits} splits and "
        f"{found.labeled:.0%} of the nodes labeled {cite('neville2009')}. "
        f"{found.n_replicates:,} networks were drawn from its communities {cite('kunsch1989')}, "
        "the two models made equal, or different by a known amount, by changing predictions "
        "at random, and every test made on each; the shares of "
        f"p-values below 0.05 have 95% intervals {cite('wilson1927')}.{bootstrap} The seed was "
        f"{found.seed}. {software(found.settings, name)}"
    )
