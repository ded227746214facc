"""Several models, label rates, networks, or a leaderboard as one self-contained HTML page."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from ..comparison import across_text, data_sets_text, leaderboard_text, multiple_text, sweep_text
from ..comparison.across import AcrossNetworks
from ..comparison.leaderboard import Leaderboard
from ..comparison.multiple_result import MultipleComparison
from ..comparison.sweep import Sweep
from ..comparison.text import level, unit
from ..errors import InputError
from ..version import __version__
from .bibliography import WORKS
from .html import environment, resource, write_made
from .methods import cited, methods_paragraph
from .paper import display_of
from .svg import inline_svg


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a page: title, head and rows, how many columns are words, and a word below."""

    title: str
    rows: list[list[str]]
    words: int = 1
    below: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page tells beside verdict, figure and methods."""

    kind: str
    about: tuple[str, ...]
    caption: str
    tables: tuple[Table, ...]
    told: tuple[str, ...]
    warnings: tuple[Warning, ...]


def write_several_report(found: Any, path: str | os.PathLike[str]) -> None:
    """Write a result as one HTML page that needs neither network nor scripts.

    Parameters
    ----------
    found : MultipleComparison, Sweep, AcrossNetworks or Leaderboard
        What to report.
    path : str or path
        The file to write.

    Raises
    ------
    InputError
        Where `path` cannot be written, and for anything else.
    """
    write_made(lambda: render_several(found), path)


def render_several(found: Any) -> str:
    """Give the page as text."""
    from markupsafe import Markup

    page = page_of(found)
    figure = inline_svg(display_of(found).plot(), prefix="f-", label=page.caption)
    return (
        environment()
        .from_string(resource("several.html"))
        .render(
            style=Markup(resource("page.css")),  # noqa: S704 - a file of this package
            figure=Markup(figure),  # noqa: S704 - names are escaped
            page=page,
            verdict=found.verdict,
            methods=methods_paragraph(found),
            references=[WORKS[key] for key in cited(found)],
            version=__version__,
        )
    )


@singledispatch
def page_of(found: Any) -> Page:
    """Give what the page of a result tells.

    Raises
    ------
    InputError
        For something that has no page.
    """
    raise InputError(f"report: received a {type(found).__name__}, which has no page")


@page_of.register
def _models(found: MultipleComparison) -> Page:
    alike = "Models that share a letter are not told apart." if found.letters else ""
    told = () if found.multivariate is None else (multiple_text.at_once(found),)
    return Page(
        kind=f"{len(found.scores)} models on {found.predictions.network.name or 'one network'}",
        about=(multiple_text.about(found), *multiple_text.learned_elsewhere(found)),
        caption=f"Differences in {found.measure.title}, the first model of a pair minus the "
        f"second, with joint {level(found.confidence)} intervals. {found.measure.better.title()} "
        "values are better. Filled circles mark pairs that are told apart.",
        tables=(
            Table("Models", multiple_text.models_rows(found), below=alike),
            Table(
                f"Differences in {unit(found.measure)}",
                multiple_text.pairs_rows(found.pairs, found.measure),
            ),
        ),
        told=told,
        warnings=found.warnings,
    )


@page_of.register
def _sweep(found: Sweep) -> Page:
    return Page(
        kind=f"Learning curves of {len(found.models)} models on "
        f"{found.network.name or 'one network'}",
        about=(sweep_text.about(found),),
        caption=f"{sweep_text.values_of(found.measure)} with {level(found.confidence)} intervals, "
        "one at a time: thin lines for other networks like this one, thick ones for other splits "
        "of this network. Intervals stand a little beside their proportions, so that they can be "
        "told apart.",
        tables=(
            Table(
                sweep_text.title(found.measure), sweep_text.curves_rows(found), 2,
                "Models that share a letter at a proportion are not told apart.",
            ),
            Table(f"Differences in {unit(found.measure)}, adjusted over the whole sweep",
                  sweep_text.pairs_rows(found), 2),
        ),
        told=tuple(sweep_text.changes_told(found)),
        warnings=found.warnings,
    )  # fmt: skip


@page_of.register
def _across(found: AcrossNetworks) -> Page:
    over, lines = found.over, data_sets_text.omnibus_lines(found.over)
    alone = tuple(f"{name} alone: {each.verdict}" for name, each in found.networks.items())
    return Page(
        kind=f"{len(over.models)} models on {len(over.data_sets)} networks",
        about=(found.claim,),
        caption="Mean ranks of the models, the best left"
        + ("; bars join models that are not told apart (Nemenyi)." if lines else "."),
        tables=(
            Table(across_text.heading(over), data_sets_text.errors_rows(over),
                  below=" ".join(f"{line}." for line in lines)),
            Table(f"Differences in {unit(over.measure)}", data_sets_text.pairs_rows(over),
                  below=" ".join(data_sets_text.pairs_lines(over))),
        ),
        told=alone + tuple(across_text.spread_told(found)),
        warnings=found.warnings,
    )  # fmt: skip


@page_of.register
def _leaderboard(found: Leaderboard) -> Page:
    tables = [Table("Claims 'this model is the best here', leads in points",
                    leaderboard_text.claims_rows(found), 3)]  # fmt: skip
    if found.over is not None:
        tables.append(Table(
            "Over the data sets, errors in % (* fewest)", data_sets_text.errors_rows(found.over),
            below=" ".join(f"{line}." for line in data_sets_text.omnibus_lines(found.over)),
        ))  # fmt: skip
    return Page(
        kind=f"A table of {len(found.claims)} data sets",
        about=tuple(leaderboard_text.assumptions(found)),
        caption="Correlation between splits up to which each best entry is supported.",
        tables=tuple(tables),
        told=tuple(leaderboard_text.ties_told(found)),
        warnings=found.warnings,
    )
