"""Names come from files and models: here they are made harmless where they are shown."""

from __future__ import annotations

from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the start of one


def printable(text: str) -> str:
    """Escape control characters, line ends aside, so that no name can steer a terminal.

    Examples
    --------
    >>> printable("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def harmless(cell: Any) -> Any:
    """Prefix text that a spreadsheet would run as a formula with a quote.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-1.5"), harmless("+"), harmless(-2)
    ("'=1+1", '-1.5', '+', -2)
    """
    if not isinstance(cell, str) or len(cell) < 2 or not cell.startswith(FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
