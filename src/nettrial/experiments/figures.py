"""Draw an experiment's table: lines that differ in color, mark and dash, with Monte Carlo error."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.atomic import whole_file
from ..metrics._drawing import COLORS
from .base import Figure as Spec
from .records import REJECTIONS
from .result import ExperimentResult
from .tables import beside, value

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")
LEVEL = 0.05
LETTERS = 11  # of a title, for each inch of the figure's width
APART = 0.008  # distance of points that belong together, in units of the axis
SAME_BYTES: dict[Any, Any] = {"svg.hashsalt": "nettrial", "font.size": 9.5}


def save(result: ExperimentResult, out: Path) -> None:
    """Write figure.png and figure.svg, equal bytes for equal results."""
    from matplotlib import rc_context

    with rc_context(SAME_BYTES):
        figure = draw(result)
        with whole_file(out / "figure.png") as draft:
            figure.savefig(draft, dpi=150, metadata={"Software": None})
        with whole_file(out / "figure.svg") as draft:
            figure.savefig(draft, metadata={"Date": None, "Creator": None})


def draw(result: ExperimentResult) -> Figure:
    """Draw the figure, without pyplot."""
    from matplotlib.figure import Figure

    spec = result.experiment.figure
    table = _prepared(spec, result.table)
    panels = list(dict.fromkeys(table[spec.panels])) if spec.panels else [None]
    wide = 2 if len(panels) in (2, 4) else min(len(panels), 3)
    tall = -(-len(panels) // wide)
    figure = Figure(figsize=(1.2 + 4.2 * wide, 1.1 + 3.5 * tall), layout="constrained")
    share = not spec.points
    axes = figure.subplots(tall, wide, sharex=share, sharey=share, squeeze=False).ravel()
    styles = {name: i for i, name in enumerate(dict.fromkeys(table["line"]))}
    for ax, panel in zip(axes, panels):
        part = table if panel is None else table[table[spec.panels] == panel]
        _panel(ax, spec, part, styles)
        if panel is not None:
            text = f"{panel:g}" if isinstance(panel, float) else str(panel)
            ax.set_title(spec.panel_title.format(text), fontsize=10)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    for ax in axes[::wide]:
        ax.set_ylabel(spec.ylabel)
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        frameon=False,
        ncols=min(len(handles), 2 + 2 * (wide > 1)),
    )
    if spec.measure == REJECTIONS:
        top = min(1.03, 1.05 * float(table["high"].max()))
        axes[0].set_ylim(-0.02 * top, top)  # marks at zero stay whole
    title = textwrap.fill(result.experiment.title, int(LETTERS * figure.get_figwidth()))
    figure.suptitle(title, fontsize=11)
    return figure


def _prepared(spec: Spec, table: pd.DataFrame) -> pd.DataFrame:
    """Keep the rows that are drawn, with columns x, y and line."""
    added = {"y": value(table)}
    if spec.x not in table:
        added["x"] = beside(table, spec.x)
    if spec.reference:
        added["reference"] = beside(table, spec.reference)
    found = table.assign(**added)
    found = found[found["measure"] == spec.measure]
    if "x" not in added:
        found = found.assign(x=found[spec.x])
    if spec.only is not None:
        column, wanted = spec.only
        found = found[found[column] == wanted]
    for column, wanted in spec.fixed.items():
        found = found[found[column].isna() | (found[column] == wanted)]
    if spec.averaged:
        found = found[found[spec.averaged].isna()]
    names = found[[c for c in spec.lines if c in found]]
    return found.assign(line=[_line_name(row) for row in names.to_dict("records")])


def _line_name(row: dict[Any, Any]) -> str:
    """Return the name of a line from its values; a number needs the name of its column."""
    parts = [f"{c} = {v:g}" if isinstance(v, (int, float)) else v for c, v in row.items() if v == v]
    return " ".join(part for part in parts if part)


def _panel(ax: Axes, spec: Spec, table: pd.DataFrame, styles: dict[str, int]) -> None:
    for name, part in table.groupby("line", sort=False):
        i = styles[str(name)]
        shown = part.sort_values("x")
        x, y, low, high = (shown[c].to_numpy(dtype=float) for c in ("x", "y", "low", "high"))
        color, mark = COLORS[i % len(COLORS)], MARKS[i % len(MARKS)]
        if spec.points:
            # lines that share their places are set apart a little
            x = x + APART * (i - (len(styles) - 1) / 2) * np.ptp(table["x"].to_numpy(dtype=float))
            ax.errorbar(
                x,
                y,
                yerr=[y - low, high - y],
                fmt=mark,
                color=color,
                capsize=2,
                label=str(name),
                markersize=4,
                linewidth=1,
            )
            continue
        ax.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0)
        ax.plot(
            x,
            y,
            marker=mark,
            color=color,
            linestyle=DASHES[i % len(DASHES)],
            label=str(name),
            markersize=4.5,
            linewidth=1.4,
        )
        if spec.reference:
            ax.plot(
                x,
                shown["reference"].to_numpy(dtype=float),
                color=color,
                linewidth=1,
                linestyle=(0, (1, 1)),
            )
    if spec.points and spec.reference == spec.x:
        ends = [float(table["x"].min()), float(table["x"].max())]
        ax.plot(ends, ends, color="#222222", linewidth=0.8, linestyle=(0, (4, 2)))
    if spec.names:
        _write_names(ax, table, spec.names)
    if spec.measure == REJECTIONS:
        ax.axhline(LEVEL, color="#222222", linewidth=0.8, linestyle=(0, (4, 2)))
        ax.annotate(
            "0.05",
            (1, LEVEL),
            xycoords=("axes fraction", "data"),
            xytext=(2, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    if "x" in spec.logarithmic:
        ax.set_xscale("log")
        ticks = np.unique(table["x"].to_numpy(dtype=float))
        ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
        ax.minorticks_off()
    if "y" in spec.logarithmic:
        ax.set_yscale("log")
    ax.set_xlabel(spec.xlabel)
    ax.tick_params(labelbottom=True)  # also where the axis below is the same
    ax.grid(color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _write_names(ax: Axes, table: pd.DataFrame, column: str) -> None:
    """Write what points are called above the highest of each name, upright."""
    for name, part in table.groupby(column, sort=False):
        ax.annotate(
            str(name),
            (float(part["x"].mean()), float(part["high"].max())),
            xytext=(0, 3),
            textcoords="offset points",
            rotation=90,
            ha="center",
            va="bottom",
            fontsize=7.5,
        )
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.45 * (high - low))  # room for the names
