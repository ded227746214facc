"""A document as plain text, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from ..core.plain_text import printable
from ..core.wording import plural
from .cells import Cell
from .document import Caution, Document, Figure, Items, Paragraph, Table
from .layout import Column, laid_out
from .lines import FIXED, width, wrapped

LINES = 14  # of a short text; the command line says in one more how to see the rest


def render(document: Document) -> str:
    """Return verdict, blocks and warnings as lines; control characters in names are escaped."""
    parts = [wrapped(document.verdict.text)]
    parts += [part for block in document.blocks if (part := _block(block))]
    return printable("\n\n".join([*parts, *_warnings(document.cautions)]))


def brief(document: Document) -> str:
    """Return the verdict, what is brief, and the first warning on the verdict with what fits."""
    short = document.short()
    text = render(replace(short, blocks=tuple(b for b in short.blocks if type(b) is not Caution)))
    room = LINES - text.count("\n") - 2
    shown: list[Caution] = []
    for caution in short.cautions:
        lines = wrapped(caution.note, mark="! ").count("\n") + 1
        left = len(short.cautions) - len(shown)
        if shown and lines + (left > 1) > room:
            shown.append(Caution(f"{plural(left, 'further warning')} on the verdict."))
            break
        shown.append(caution)
        room -= lines
    return "\n\n".join([text, *map(printable, _warnings(shown))])


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
def _left_out(_block: Figure | Caution) -> str:  # text has no pictures; warnings come last
    return ""


def _cell(cell: Cell, marked: bool) -> str:
    notes = f" [{f',{FIXED}'.join(map(str, cell.notes))}]" if cell.notes else ""
    best = (" *" if cell.best else "  ") if marked else ""
    return " ".join(cell.text.split()) + notes + best


def _warnings(cautions: Sequence[Caution]) -> list[str]:
    if not cautions:
        return []
    numbered = any(caution.whose for caution in cautions)
    lines = ["Warnings"] if numbered else []
    for number, caution in enumerate(cautions, start=1):
        lines.append(wrapped(caution.note, mark=f"[{number}] " if numbered else "! "))
    return ["\n".join(lines)]
