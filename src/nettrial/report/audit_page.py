"""An audit or a plan as one self-contained HTML page."""

from __future__ import annotations

import os
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from ..auditing.audit_text import asks, described, percent
from ..auditing.audit_text import limits as audit_limits
from ..auditing.audited import Audit
from ..auditing.plan_text import limits as plan_limits
from ..auditing.plan_text import share
from ..auditing.planned import Plan
from ..comparison.text import points
from ..results import show
from ..version import __version__
from .audit_displays import PlanDisplay, PowerDisplay
from .html import environment, resource, write_made
from .svg import inline_svg
from .wording import shorten

if TYPE_CHECKING:
    from ..network import Network

SETTINGS = {
    "communities": "communities by",
    "n_communities": "number of communities",
    "largest_community": "nodes in the largest community",
    "effective_communities": "communities, counted as equal ones",
    "n_calibration": "networks from which the handicap was found",
    "compiled": "models run by the compiled path",
}


def write_page(found: Audit | Plan, path: str | os.PathLike[str]) -> None:
    """Write an audit or a plan as one HTML page that needs neither network nor scripts.

    Parameters
    ----------
    found : Audit or Plan
        What to report.
    path : str or path
        The file to write.

    Raises
    ------
    InputError
        Where `path` cannot be written.
    """
    write_made(lambda: render(found), path)


def render(found: Audit | Plan) -> str:
    """Give the page as text."""
    from markupsafe import Markup

    content = _content(found)
    for block in content["blocks"]:
        if "display" in block:
            svg = inline_svg(
                block["display"].plot(), prefix=block["prefix"], label=block["caption"]
            )
            block["figure"] = Markup(svg)  # noqa: S704 - names are escaped
    style = Markup(resource("page.css"))  # noqa: S704 - a file of this package
    template = environment().from_string(resource("audit.html"))
    return template.render(
        style=style, found=found, version=__version__, settings=_settings(found), **content
    )


@singledispatch
def _content(found: Any) -> dict[str, Any]:
    raise TypeError(f"no page for {type(found).__name__}")


@_content.register
def _audit(found: Audit) -> dict[str, Any]:
    a, b = (shorten(model, 40) for model in found.models)
    head = ["test", "answers for", "false alarms"]
    head += [f"power at {points(d)}" for d in found.differences[1:]]
    rows = [
        {
            "cells": [test.title, asks(test), *(percent(rate) for rate in test.rates)],
            "best": test.title == found.recommended,
            "tag": "use this" if test.title == found.recommended
            else "" if test.holds else "claims too much",
        }
        for test in found.tests
    ]  # fmt: skip
    return {
        "kind": "audit",
        "headline": f"Use {described(found.test(found.recommended))}"
        if found.recommended
        else "No test holds its level",
        "blocks": [
            {
                "title": "False alarms and power",
                "display": PowerDisplay(found),
                "prefix": "power-",
                "caption": f"How often each test claims a difference between {a} and {b}, against "
                "the true difference; the numbers are in the table. The bold line is the "
                "recommended test with its 95% Monte Carlo interval; dashed lines have more than "
                "5% false alarms.",
            },
            {
                "title": "All tests",
                "head": head,
                "rows": rows,
                "left": 2,
                "note": f"Share of {found.n_replicates} drawn networks with p < 0.05, ± half of "
                "its 95% interval; the true difference in percentage points. Tests marked (ncv) "
                "are on network cross-validation, the others on random resampling.",
            },
        ],
        "limits": audit_limits(found),
        "limits_title": "What this cannot say",
    }


@_content.register
def _plan(found: Plan) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    for by, field in (("splits", "n_splits"), ("labels", "labeled")):
        values = sorted({getattr(spot, field) for spot in found.spots})
        sizes = sorted({spot.multiple for spot in found.spots})
        rows = []
        for multiple in sizes:
            spots = [
                found.spot(multiple, found.labeled, value) if by == "splits"
                else found.spot(multiple, value, found.n_splits)
                for value in values
            ]  # fmt: skip
            rows.append(
                {"cells": [f"{spots[0].n_nodes:,}", *map(share, spots)], "best": False, "tag": ""}
            )
        told = [f"{v} splits" if by == "splits" else f"{v:.0%} labeled" for v in values]
        blocks.append(
            {
                "title": f"Power by size and {'number of splits' if by == 'splits' else 'labels'}",
                "display": PlanDisplay(found, by),  # type: ignore[arg-type]  # one of the two words
                "prefix": f"{by}-",
                "caption": "Power of the community bootstrap against the number of nodes, with "
                "the 95% interval of its Monte Carlo error; the numbers are in the table.",
                "head": ["nodes", *told],
                "rows": rows,
                "left": 1,
                "note": "Power, with the 95% interval of its Monte Carlo error in brackets.",
            }
        )
    return {
        "kind": "plan",
        "headline": f"To see {points(found.difference)} points with {found.wanted:.0%} power",
        "blocks": blocks,
        "limits": plan_limits(found),
        "limits_title": "What this rests on",
    }


def _settings(found: Audit | Plan) -> list[tuple[str, str]]:
    network: Network = found.network
    rows = [
        ("model A", found.models[0]),
        ("model B", found.models[1]),
        ("nodes", f"{network.n_nodes:,}"),
        ("links", f"{network.n_links:,}"),
        ("labeled proportion", show(found.labeled)),
        ("splits", show(found.n_splits)),
        ("drawn networks", show(found.n_replicates)),
        ("seed", str(found.seed)),
    ]
    rows += [(words, show(found.settings[key])) for key, words in SETTINGS.items()
             if key in found.settings]  # fmt: skip
    return rows + [
        (f"version of {name}", text) for name, text in found.settings["versions"].items()
    ]
