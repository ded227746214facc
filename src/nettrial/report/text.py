"""A document as plain text, for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch

from ..core.plain_text import printable
from ..core.wording import plural
from .cells import Cell
from .document import Block, Caution, Document, Figure, Items, Paragraph, Table, fewer_rows
from .layout import Column, laid_out
from .lines import FIXED, width, wrapped

LINES = 14  # of a short text; the command line says in two more how to see the rest


def render(document: Document) -> str:
    """Return verdict, blocks and warnings as lines; control characters in names are escaped."""
    parts = [wrapped(document.verdict.text)]
    parts += [part for block in document.blocks if (part := _block(block))]
    return printable("\n\n".join([*parts, *_warnings(document.cautions)]))


def brief(document: Document) -> str:
    """Return the verdict, what is brief, and what fits of the warnings on the verdict."""
    short = document.short()
    warned = [block for block in short.blocks if isinstance(block, Caution)]
    short = replace(short, blocks=tuple(b for b in short.blocks if not isinstance(b, Caution)))
    first = _height(_warnings(warned[:1])[0]) + (len(warned) > 1) if warned else 0
    for cut, said in (
        (_in_one_part, first),
        (_without_notes, first),
        (_without_spare, first),
        (_without_asides, bool(warned)),
        (_with_fewer_rows, first if short.of(Items) else bool(warned)),
    ):
        if (over := _height(render(short)) + (said and 1 + said) - LINES) > 0:
            short = cut(short, over)
    text = render(short)
    if (first and 1 + 1) + _height(text) > LINES:  # at last without a line below what was read
        verdict, read, *rest = text.split("\n\n")
        text = "\n\n".join([verdict, "\n".join([read, *rest])])
    return "\n\n".join([text, *map(printable, _warnings(_fitting(warned, LINES - _height(text))))])


def _height(text: str) -> int:
    return text.count("\n") + 1


def _fitting(warned: Sequence[Caution], room: int) -> list[Caution]:
    """Return the first warnings that fit, and how many there are beside."""
    shown: list[Caution] = []
    room -= 1  # the line above them
    for number, caution in enumerate(warned):
        lines, left = _height(wrapped(caution.note, mark="! ")), len(warned) - number
        if lines + (left > 1) > room:
            further = plural(left, "further warning" if shown else "warning")
            return [*shown, Caution(f"{further} on the verdict.")]
        shown.append(caution)
        room -= lines
    return shown


def _in_one_part(short: Document, _over: int) -> Document:
    """Leave out columns of tables that are too wide: those that are missed least."""
    return _with_tables(short, _narrow)


def _narrow(block: Table) -> Table:
    kept, made = list(range(len(block.head))), block
    for head in ("s.e.", "df"):
        if head in made.head and _height(table(replace(made, below=()))) > len(made.rows) + 1:
            kept.remove(block.head.index(head))
            made = _columns(block, kept)
    while len(kept) > 2 and "\n\n" in table(made):
        kept.pop()
        made = _columns(block, kept)
    return made


def _columns(block: Table, kept: Sequence[int]) -> Table:
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in block.rows)
    return replace(block, head=tuple(block.head[i] for i in kept), rows=rows)


def _without_notes(short: Document, _over: int) -> Document:
    """Leave out what stands below tables."""
    return _with_tables(short, lambda block: replace(block, below=()))


def _without_spare(short: Document, _over: int) -> Document:
    """Leave out the sentence that the table says too."""
    text = short.verdict.text.replace(short.verdict.spare, "").strip()
    return replace(short, verdict=replace(short.verdict, text=text))


def _without_asides(short: Document, over: int) -> Document:
    """Leave out sentences of the verdict between the first and the last, from the second on."""
    first, *rest = re.split(r"(?<=[.!?]) +(?=[A-Z])", short.verdict.text)
    before = _height(wrapped(short.verdict.text))
    text = short.verdict.text
    while len(rest) > 1 and before - _height(wrapped(text)) < over:
        rest.pop(0)
        text = " ".join([first, *rest])
    return replace(short, verdict=replace(short.verdict, text=text))


def _with_fewer_rows(short: Document, over: int) -> Document:
    """Leave out the last rows of tables but one, and the last items of lists."""
    return replace(short, blocks=tuple(_fewer(block, over) for block in short.blocks))


def _fewer(block: Block, over: int) -> Block:
    if isinstance(block, Items):
        whole, cut = list(block.texts), block
        for kept in range(len(whole) - 1, 0, -1):
            if _height(_items(cut)) + over <= _height(_items(block)):
                break
            cut = replace(block, texts=(*whole[:kept], f"... {len(whole) - kept:,} more"))
        return cut
    return fewer_rows(block, len(block.rows) - over) if isinstance(block, Table) else block


def _with_tables(short: Document, change: Callable[[Table], Table]) -> Document:
    return replace(
        short, blocks=tuple(change(b) if isinstance(b, Table) else b for b in short.blocks)
    )


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
