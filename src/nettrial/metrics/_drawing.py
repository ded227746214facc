"""How single curves are drawn: on axes of the reader's own, or on a new figure without pyplot."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic import whole_file
from ..core.errors import InputError, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# hues of Okabe and Ito (2008), in an order that alternates in lightness; dark enough for a contrast
# of 3 on white (WCAG 2.2, 1.4.11), and apart where red or green is not seen
COLORS = ("#00539C", "#BB7F00", "#007048", "#A0609C", "#0095DC", "#A52A00", "#000000", "#8A8A8A")
DASHES = ("-", "--", "-.", ":")
REFERENCE: dict[str, Any] = {
    "color": COLORS[-1],
    "linewidth": 1.0,
    "linestyle": (0, (4, 3)),
    "zorder": 1,
}
ENDINGS = (".png", ".pdf", ".svg")


def open_axes(ax: Axes | None, *, width: float = 5.0, height: float = 4.2) -> Axes:
    """Return `ax`, or the axes of a new figure that no window shows."""
    if ax is not None:
        if not hasattr(ax, "annotate"):
            raise InputError(parameter="ax", expected="axes of matplotlib or None", got=shown(ax))
        return ax
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.subplots()
    return axes


def unit_square(axes: Axes, xlabel: str, ylabel: str) -> None:
    """Label axes that both hold proportions, and leave room for lines along the edges."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=xlabel, ylabel=ylabel)
    finish(axes)


def finish(axes: Axes) -> None:
    """Remove what carries no data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#E6E6E6", linewidth=0.6)
    axes.set_axisbelow(True)


def line_style(number: int) -> dict[str, Any]:
    """Return color and dashes of the curve of that number, distinct in black and white too."""
    return {
        "color": COLORS[number % len(COLORS)],
        "linestyle": DASHES[(number // len(COLORS) + number) % len(DASHES)],
        "linewidth": 1.8,
    }


def check_picture(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    if file.suffix.lower() not in ENDINGS:
        raise InputError(
            expected=f"a picture's name, ending in {', '.join(ENDINGS)}",
            got=f"{file.suffix or 'no ending'}",
            where=shown(str(path)),
        )
    return file


def save_picture(axes: Axes, path: str | os.PathLike[str]) -> None:
    """Write the figure of these axes; its bytes depend on what it shows alone."""
    from matplotlib import rc_context

    file = check_picture(path)
    figure = axes.figure.figure  # whole, where the axes stand in a figure within it
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(file.suffix.lower(), {})
    with rc_context({"svg.hashsalt": "nettrial"}), whole_file(file) as draft:
        # in memory: on a full disk the writer of PDF hides what the system said
        drawn = BytesIO()
        figure.savefig(drawn, format=file.suffix[1:].lower(), dpi=150, metadata=metadata)
        draft.write_bytes(drawn.getvalue())
