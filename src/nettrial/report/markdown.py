"""A document as Markdown, for notes, issues and pull requests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatch

from ..core.wording import clean
from .cells import Cell
from .document import Caution, Document, Figure, Items, Paragraph, Table

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$&])")
LEADING = re.compile(r"^(\d*)([#+.)-])(?=[#\s])")  # what begins a list or a title


def escape(text: object) -> str:
    r"""Write text so that Markdown shows it and does nothing else.

    Examples
    --------
    >>> print(escape("a_b | <b> *x*"), escape("1. x"), escape("-1.2"))
    a\_b \| \<b\> \*x\* 1\. x -1.2
    """
    return LEADING.sub(r"\1\\\2", SPECIAL.sub(r"\\\1", clean(text)))


def render(document: Document) -> str:
    """Return verdict, blocks and warnings as Markdown."""
    parts = [f"**{escape(document.verdict.headline)}**", escape(document.verdict.text)]
    parts += [part for block in document.blocks if (part := _block(block))]
    return "\n\n".join([*parts, *_warnings(document.cautions)]) + "\n"


@singledispatch
def _block(block: object) -> str:
    raise TypeError(f"no Markdown for {type(block).__name__}")


@_block.register
def _paragraph(block: Paragraph) -> str:
    return (f"### {escape(block.title)}\n\n" if block.title else "") + escape(block.text)


@_block.register
def _items(block: Items) -> str:
    return "\n".join([f"### {escape(block.title)}\n", *(f"- {escape(t)}" for t in block.texts)])


@_block.register
def table(block: Table) -> str:
    """Return a table with its title and what stands below."""
    numeric = block.numeric
    head = block.head or ("",) * len(numeric)
    lines = [_line(map(escape, head)), _line("---:" if right else "---" for right in numeric)]
    for row in block.rows:
        cells = [_cell(cell) for cell in row.cells]
        if row.best:
            cells[0] = f"**{cells[0]}**"
        if row.tag:
            cells[0] += f" ({escape(row.tag)})"
        lines.append(_line(cells))
    below = [escape(text) for text in block.below]
    return "\n\n".join([f"### {escape(block.titled)}", "\n".join(lines), *below])


@_block.register
def _left_out(_block: Figure | Caution) -> str:  # text has no pictures; warnings come last
    return ""


def _line(cells: object) -> str:
    return f"| {' | '.join(cells)} |"  # type: ignore[arg-type]  # an iterable of text


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.kind == "code":
        text = f"`{clean(cell.text).replace('`', chr(39)).replace('|', chr(92) + '|')}`"
    notes = rf" \[{', '.join(map(str, cell.notes))}\]" if cell.notes else ""
    return (f"**{text}**" if cell.best else text) + notes


def _warnings(cautions: Sequence[Caution]) -> list[str]:
    if not cautions:
        return []
    lines = [
        f"{number}. {escape(caution.note)}" for number, caution in enumerate(cautions, start=1)
    ]
    return ["### Warnings\n\n" + "\n".join(lines)]
