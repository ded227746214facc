"""Lines of the width of the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap

WIDTH = 80  # where there is no terminal
NARROWEST, WIDEST = 40, 120  # lines that can be read
FIXED = "\u00a0"  # a space at which no line is broken
TOGETHER = re.compile(r"(?<=\bp) (?=[=<] )|(?<=\bp [=<]) (?=\d)|(?<=\d) (?=percentage point)")
NAMED = re.compile(r" *(?:\S+(?: \S+)*)? {2,}")  # what stands before the words of a line


def wrapped(text: str, *, mark: str = "") -> str:
    """Break text into lines; those after the first are indented by the mark's width.

    A word is left whole, as are paths longer than a line, the names of options, "p = 0.031", and a
    number with its "percentage points".
    """
    return textwrap.fill(
        TOGETHER.sub(FIXED, text),
        width(),
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    ).replace(FIXED, " ")


def fitted(text: str) -> str:
    """Break the lines of a text that are too wide, below what stands beside their names.

    Examples
    --------
    >>> print(fitted("estimate  0.1"))
    estimate  0.1
    >>> print(fitted("question  " + "does it hold " * 7 + "elsewhere?"))
    question  does it hold does it hold does it hold does it hold does it hold does
              it hold does it hold elsewhere?
    """
    return "\n".join(map(_fitted, text.split("\n")))


def _fitted(line: str) -> str:
    if len(line) <= width():
        return line
    named = NAMED.match(line)
    mark = named[0] if named and len(named[0]) <= width() // 2 else ""
    return wrapped(line[len(mark) :], mark=mark)


def width() -> int:
    """Return the width of lines: that of the terminal within reason, 80 columns without one."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns))
