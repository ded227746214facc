"""From a matplotlib figure to an SVG element that can stand inside a page."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from .hover import note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SAME_BYTES: dict[Any, Any] = {"svg.hashsalt": "nettrial", "svg.fonttype": "none"}
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
LOCAL_LINK = re.compile(r"url\(#")
DIGITS = re.compile(r"-?\d+\.\d{2,}")  # more than a screen can show
COLOR = re.compile(r"#[0-9a-f]{6}\b")
# colors that a page may replace, for readers in the dark
LIVE = {
    "#ffffff": "paper",
    "#222222": "ink",
    "#000000": "ink",
    "#8a8a8a": "pale",
    "#dddddd": "grid",
    "#eef1f4": "band",
    "#f6e7b8": "margin",
    "#9c3d76": "splits",
    "#00539c": "blue",
    "#bb7f00": "orange",
    "#007048": "green",
    "#a0609c": "purple",
    "#0095dc": "sky",
    "#a52a00": "red",
}


def inline_svg(ax: Axes, *, prefix: str, label: str) -> str:
    """Write the figure of `ax` as an SVG element: text as text, equal figures as equal bytes.

    Parameters
    ----------
    ax : matplotlib Axes
        Any axes of the figure.
    prefix : str
        Put before every id, so that several figures can stand on one page.
    label : str
        What the picture shows, for readers who cannot see it.

    Returns
    -------
    str
        Without XML header, metadata, comments, namespaces or links to anywhere outside.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer, texts, figure = io.BytesIO(), note(ax.figure), ax.figure
    with rc_context(SAME_BYTES), warnings.catch_warnings():
        # letters that matplotlib's font lacks are measured as boxes; the reader's fonts have them
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.set_facecolor("none")  # the page shows through
        for each in figure.axes:
            each.patch.set_visible(False)
        # print_figure would draw twice, once for the layout, which is part of drawing anyway
        FigureCanvasSVG(figure).print_svg(buffer, metadata=NO_METADATA)
    root = ET.fromstring(buffer.getvalue())  # noqa: S314 - written by matplotlib just now
    for group in root.iter():
        _title_marks(group, texts.get(group.attrib.get("id", ""), ()))
    _embed(root, prefix)
    view = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib |= {"viewBox": view, "role": "img", "aria-label": label}
    return ET.tostring(root, encoding="unicode")


def _title_marks(group: ET.Element, texts: tuple[str, ...]) -> None:
    """Give each marker of a line its text; none where markers are missing in the figure."""
    marks = [each for each in group.iter() if _local(each.tag) == "use"] if texts else []
    if len(marks) == len(texts):
        for mark, text in zip(marks, texts):
            ET.SubElement(mark, "title").text = text


def _embed(root: ET.Element, prefix: str) -> None:
    for parent in list(root.iter()):
        parent.tag = _local(parent.tag)
        for child in list(parent):
            if _local(child.tag) in ("metadata", "style"):  # matplotlib's style is for `*`
                parent.remove(child)
        for name in list(parent.attrib):
            value = LOCAL_LINK.sub(f"url(#{prefix}", parent.attrib.pop(name))
            if _local(name) == "href":
                value = f"#{prefix}{value.removeprefix('#')}"
            if name == "d":
                value = DIGITS.sub(lambda found: f"{float(found[0]):.1f}", value)
            if name == "style":
                value = COLOR.sub(_live, value)
            parent.attrib[_local(name)] = prefix + value if name == "id" else value
        parent.tail = None
        if parent.text and not parent.text.strip():
            parent.text = None


def _live(color: re.Match[str]) -> str:
    name = LIVE.get(color[0])
    return f"var(--{name}, {color[0]})" if name else color[0]


def _local(name: str) -> str:
    return name.rpartition("}")[2]
