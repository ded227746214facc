"""An audit in words: what to use, then the numbers, then what they cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..comparison.text import USUAL, align, points, wrapped

if TYPE_CHECKING:
    from .audited import Audit, AuditedTest, Rate


def percent(rate: Rate) -> str:
    """Write a share with its Monte Carlo error, half its 95% interval.

    Examples
    --------
    >>> from nettrial.auditing.audited import Rate
    >>> percent(Rate(0.0, 0.052, 0.036, 0.075, 0))
    '5% ± 2'
    """
    return f"{100 * rate.rejected:.0f}% ± {max(50 * (rate.high - rate.low), 0.5):.0f}"


def verdict(found: Audit) -> str:
    """Say which test to use, how sure it is, and what the usual test would do."""
    setting = f"With {found.n_splits} splits and {found.labeled:.0%} labeled"
    usual = next((t for t in found.tests if t.title == USUAL), None)
    if not found.recommended:
        least = min(found.tests, key=lambda test: test.type_1_error.rejected)
        head = (
            "No test for other networks holds its level of 5% on networks like this one. "
            f"{setting} the smallest share of false alarms is that of "
            f"{described(least)}, {percent(least.type_1_error)}."
        )
    else:
        best = found.test(found.recommended)
        head = (
            f"Use {described(best)} on networks like this one. {setting} it claims a difference "
            f"where there is none in {percent(best.type_1_error)} of them, and finds "
            f"{_found(best)}."
        )
    if usual is None or usual.title == found.recommended:
        return head
    return f"{head} The usual paired t-test has false alarms in {percent(usual.type_1_error)}."


def described(test: AuditedTest) -> str:
    """Name a test, with its design where that is not the usual one."""
    return test.name if test.title == test.name else f"{test.name} on network cross-validation"


def _found(test: AuditedTest) -> str:
    last = test.rates[-1]
    middle = test.rates[(len(test.rates)) // 2]
    shown = [middle] if middle is last else [middle, last]
    return " and ".join(
        f"a true difference of {points(rate.difference)} points in {percent(rate)}"
        for rate in shown
    )


def table(found: Audit) -> str:
    """Lay out every test: Type I error, then power at each difference."""
    head = ["  test", "answers for", "Type I error"]
    head += [f"power at {points(d)}" for d in found.differences[1:]]
    rows = [head]
    for test in found.tests:
        mark = ">" if test.title == found.recommended else " "
        told = "" if test.holds else " !"
        rows.append(
            [f"{mark} {test.title}{told}", asks(test),
             *(percent(rate) for rate in test.rates)]
        )  # fmt: skip
    return align(rows, left=2)


def asks(test: AuditedTest) -> str:
    """Say what a test answers for, in two words."""
    return "other splits" if "splits" in test.question else "other networks"


def limits(found: Audit) -> list[str]:
    """Say what the audit cannot see."""
    away = np.abs(found.measured) - np.array(found.differences)
    sure = 1.96 * found.measured_error
    told = [
        "The networks were drawn from the communities of this one, whole: dependence that reaches "
        "further than a community, and which community neighbours which, is lost in them. What "
        "the community bootstrap cannot see, this audit cannot see either, and it says nothing "
        "about other domains.",
        f"True differences were made by turning predictions at random "
        f"({_turned(found)}). Turned predictions fall on any node alike; a difference that sits "
        "in some communities only is harder to find.",
        f"The handicap was found on {found.settings['n_calibration']:,} networks of its own. On "
        f"those that the tests were made on, the difference meant to be 0 was "
        f"{100 * found.measured[0]:.2f} ± {100 * sure[0]:.2f} points, and the others were off by "
        f"{100 * np.abs(away).max():.2f} at most.",
        f"The level is judged by {found.n_replicates} networks: a share of 5% is known to "
        f"± {196 * (0.05 * 0.95 / found.n_replicates) ** 0.5:.1f} points. Choosing the most "
        "powerful of the valid tests flatters its numbers a little.",
    ]
    if found.n_inner:
        told.append(
            f"The bootstrap was made from {found.n_inner} replicates of either kind on each drawn "
            "network (compare takes 200, which gives it a little more power). Its own level is "
            "in part a circular check: the networks that it is tried on were drawn by the rules "
            "it assumes. The calibration suite tries it on networks that were not."
        )
    else:
        told.append(
            "The bootstrap was not tried: it re-runs both models hundreds of times on every drawn "
            "network, which is quick for wvrn and nbc with relaxation labelling only, or was "
            "asked to be left out."
        )
    unclear = [t.title for t in found.tests if any(rate.undefined for rate in t.rates)]
    if unclear:
        told.append(
            f"Where a test has no p-value it counts as finding nothing ({', '.join(unclear)}; the "
            "numbers are in the table of the JSON form)."
        )
    return told


def _turned(found: Audit) -> str:
    parts = [
        f"{name} {100 * low:.1f}%" if abs(high - low) < 5e-4
        else f"{name} {100 * low:.1f}% to {100 * high:.1f}%"
        for name, low, high in zip(
            found.models, found.handicaps.min(axis=0), found.handicaps.max(axis=0)
        )
    ]  # fmt: skip
    return ", ".join(parts)


def full_text(found: Audit) -> str:
    """Give verdict, table, limits and warnings for a terminal."""
    network, told = found.network, found.settings
    errors = " and ".join(f"{e:.1%} ({m})" for e, m in zip(found.errors, found.models))
    lines = [
        wrapped(found.verdict),
        "",
        wrapped(
            f"{network.n_nodes} nodes, {network.n_links} links, {network.n_classes} classes, "
            f"{told['n_communities']} communities (worth {told['effective_communities']:.1f} equal "
            f"ones); {found.n_replicates} networks drawn from them, on which the errors are "
            f"{errors} without handicap."
        ),
        "",
        "Share of networks in which a test has p < 0.05, ± half of its 95% interval; power by the",
        "true difference in points; > use this; ! false alarms above 5%; (ncv) on network",
        "cross-validation, the others on random resampling",
        table(found),
        "",
        "What this cannot say",
        *(wrapped(text, mark="- ") for text in limits(found)),
    ]
    if found.warnings:
        lines += ["", "Warnings", *(wrapped(str(w), mark="! ") for w in found.warnings)]
    return "\n".join(lines)
