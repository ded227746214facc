"""Names from files made fit to be shown: nothing unprintable, nothing too long."""

from __future__ import annotations

import math
import unicodedata

from ..comparison.text import pvalue_text, told
from ..metrics.measures import MEASURES, Measure

JOINERS = "\u200c\u200d"  # not printable by themselves, but part of words in several scripts


def clean(text: object) -> str:
    """Write any value on one line; what cannot be printed becomes a replacement character.

    Examples
    --------
    >>> clean("a\\nb"), clean(7), clean("x\\x00") == "x\\ufffd"
    ('a b', '7', True)
    """
    line = " ".join(str(text).split())
    return "".join(c if c.isprintable() or c in JOINERS else "\ufffd" for c in line)


def shorten(text: object, width: int) -> str:
    """Cut a name that is wider than `width` letters and end it with an ellipsis.

    Letters of East Asian scripts count as two.

    Examples
    --------
    >>> shorten("relational", 6), shorten("short", 6), shorten("日本語", 5)
    ('relat…', 'short', '日本…')
    """
    line = clean(text)
    widths = [2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line]
    if sum(widths) <= width:
        return line
    used, kept = 1, ""
    for letter, wide in zip(line, widths):
        used += wide
        if used > width:
            break
        kept += letter
    return kept.rstrip() + "…"


def shorten_name(text: object, width: int) -> str:
    """Cut the middle of a name that is too wide: names of one kind often begin alike.

    Examples
    --------
    >>> shorten_name("http://example.org/people/ann", 12), shorten_name("ann", 12)
    ('http:…le/ann', 'ann')
    """
    line = clean(text)
    if shorten(line, width) == line:
        return line
    front = shorten(line, width // 2)
    back = shorten(line[::-1], width - width // 2 + 1)[::-1]
    return front.removesuffix("…") + back


def signed(value: float, measure: Measure = MEASURES["error"]) -> str:
    """Write a difference, of shares in percentage points, with a proper minus sign.

    Examples
    --------
    >>> signed(-0.0123), signed(float("nan")), signed(-0.0123, MEASURES["log_loss"])
    ('−1.2', '–', '−0.0123')
    """
    text = told(measure, value)
    return "–" if text == "-" else text.replace("-", "−")


def bare_p(value: float) -> str:
    """Write a p-value for a column that is headed p.

    Examples
    --------
    >>> bare_p(0.0312), bare_p(1e-9), bare_p(float("nan"))
    ('0.031', '< 0.0001', '–')
    """
    if math.isnan(value):
        return "–"
    return pvalue_text(value).removeprefix("p ").removeprefix("= ")
