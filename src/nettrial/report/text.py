"""A document as plain text, for a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Sequence
from functools import singledispatch

from ..plain_text import printable
from .cells import Cell
from .document import Caution, Document, Figure, Items, Paragraph, Table
from .layout import Column, laid_out

WIDTH = 80  # where there is no terminal
NARROWEST, WIDEST = 40, 120  # lines that can be read
FIXED = "\u00a0"  # a space at which no line is broken
NAMED = re.compile(r" *(?:\S+(?: \S+)*)? {2,}")  # what stands before the words of a line


def render(document: Document) -> str:
    """Return verdict, blocks and warnings as lines; control characters in names are escaped."""
    parts = [wrapped(document.verdict.text)]
    parts += [part for block in document.blocks if (part := _block(block))]
    return printable("\n\n".join([*parts, *_warnings(document.cautions)]))


@singledispatch
def _block(block: object) -> str:
    raise TypeError(f"no text for {type(block).__name__}")


@_block.register
def _paragraph(block: Paragraph) -> str:
    return "\n".join(filter(None, (wrapped(block.title), wrapped(block.text))))


@_block.register
def _items(block: Items) -> str:
    return "\n".join([wrapped(block.title), *(wrapped(text, mark="- ") for text in block.texts)])


@_block.register
def table(block: Table) -> str:
    """Return a table with its title and what stands below."""
    numeric = block.numeric
    choice = any(row.best for row in block.rows)
    marked = [any(row.cells[i].best for row in block.rows) for i in range(len(numeric))]
    columns = []
    for i, flush in enumerate(numeric):
        cells = [_cell(row.cells[i], marked[i]) for row in block.rows]
        head = block.head[i] if block.head else ""
        if choice and not i:
            cells = [f"{'>' if row.best else ' '} {cell}" for row, cell in zip(block.rows, cells)]
            head = f"  {head}"
        columns.append(Column(f"{head}{'  ' * (marked[i] and flush)}", tuple(cells), flush))
    title = f"{block.title} (* {block.best})" if any(marked) else block.title
    below = [wrapped(text) for text in block.below]
    shown = laid_out(columns, width()).replace(FIXED, " ")
    return "\n".join(filter(None, [wrapped(title), shown, *below]))


@_block.register
def _figure(_block: Figure) -> str:
    return ""


@_block.register
def _caution(_block: Caution) -> str:
    return ""


def _cell(cell: Cell, marked: bool) -> str:
    notes = f" [{f',{FIXED}'.join(map(str, cell.notes))}]" if cell.notes else ""
    best = (" *" if cell.best else "  ") if marked else ""
    return " ".join(cell.text.split()) + notes + best


def _warnings(cautions: Sequence[Caution]) -> list[str]:
    if not cautions:
        return []
    numbered = any(caution.whose for caution in cautions)
    lines = ["Warnings"]
    for number, caution in enumerate(cautions, start=1):
        lines.append(wrapped(caution.told, mark=f"[{number}] " if numbered else "! "))
    return ["\n".join(lines)]


def wrapped(text: str, *, mark: str = "") -> str:
    """Break text into lines; those after the first are indented by the mark's width.

    A word is left whole, as are paths longer than a line and the names of options.
    """
    return textwrap.fill(
        text,
        width(),
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )


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
