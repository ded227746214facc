"""A document as plain text, for a terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from functools import singledispatch

from ..plain_text import printable
from .cells import Cell
from .document import Caution, Document, Figure, Items, Paragraph, Table

WIDTH = 80  # where there is no terminal
NARROWEST, WIDEST = 40, 120  # lines that can be read


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
    return "\n".join(filter(None, (block.title, wrapped(block.text))))


@_block.register
def _items(block: Items) -> str:
    return "\n".join([block.title, *(wrapped(text, mark="- ") for text in block.texts)])


@_block.register
def table(block: Table) -> str:
    """Return a table with its title and what stands below."""
    heads = [block.head] if block.head else []
    choice = any(row.best for row in block.rows)
    lines = [
        [f"{'  ' * choice}{cell}" if i == 0 else cell for i, cell in enumerate(head)]
        for head in heads
    ]
    numeric = block.numeric
    marked = [any(row.cells[i].best for row in block.rows) for i in range(len(numeric))]
    if marked and lines:
        lines[0] = [f"{cell}  " if mark else cell for cell, mark in zip(lines[0], marked)]
    for row in block.rows:
        cells = [_cell(cell, mark) for cell, mark in zip(row.cells, marked)]
        if choice:
            cells[0] = f"{'>' if row.best else ' '} {cells[0]}"
        lines.append(cells)
    title = f"{block.title} (* {block.best})" if any(marked) else block.title
    below = [wrapped(text) for text in block.below]
    return "\n".join(filter(None, [title, align(lines, numeric), *below]))


@_block.register
def _figure(_block: Figure) -> str:
    return ""


@_block.register
def _caution(_block: Caution) -> str:
    return ""


def _cell(cell: Cell, marked: bool) -> str:
    notes = f" [{', '.join(map(str, cell.notes))}]" if cell.notes else ""
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


def align(rows: Sequence[Sequence[str]], numeric: Sequence[bool] = ()) -> str:
    """Lay out rows in columns: numbers flush right, words flush left.

    Parameters
    ----------
    rows : sequence of sequence of str
        Of equal length.
    numeric : sequence of bool
        Which columns hold numbers; by default all but the first.

    Examples
    --------
    >>> print(align([["test", "p"], ["paired t", "0.04"]]))
    test         p
    paired t  0.04
    """
    if not rows:
        return ""
    right = list(numeric) or [False] + [True] * (len(rows[0]) - 1)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right)
        ).rstrip()
        for row in rows
    )


def wrapped(text: str, *, mark: str = "") -> str:
    """Break text into lines; those after the first are indented by the mark's width."""
    return textwrap.fill(text, width(), initial_indent=mark, subsequent_indent=" " * len(mark))


def width() -> int:
    """Return the width of lines: that of the terminal within reason, 80 columns without one."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns))
