"""A document as a file of Word (docx): verdict, tables that can be edited, warnings."""

from __future__ import annotations

import io
from functools import singledispatch
from typing import Any

from ..core.errors import InputError
from ..core.wording import clean, minus
from .cells import Cell
from .document import Caution, Document, Figure, Items, Paragraph, Table
from .html import cell_text

HOW = "a Word file needs the extra: pip install 'nettrial[docx]'"


def render(document: Document) -> bytes:
    """Return verdict, blocks and warnings as the bytes of a file."""
    try:
        import docx
    except ImportError as error:
        raise InputError(HOW) from error
    file = docx.Document()
    file.add_heading(_plain(document.verdict.headline), level=1)
    file.add_paragraph(_plain(document.verdict.text))
    for block in document.blocks:
        _block(block, file)
    if document.cautions:
        file.add_heading("Warnings", level=2)
        for number, text in enumerate(warned(document), start=1):
            file.add_paragraph(f"[{number}] {_plain(text)}")
    buffer = io.BytesIO()
    file.save(buffer)
    return buffer.getvalue()


def shown(cell: Cell, tag: str = "") -> str:
    """Return what a cell shows, with its tag and the numbers of its warnings."""
    notes = f" [{', '.join(map(str, cell.notes))}]" if cell.notes else ""
    return clean(cell_text(cell)) + (f" ({tag})" if tag else "") + notes


def warned(document: Document) -> list[str]:
    """Return the warnings, each with what it concerns."""
    return [caution.note for caution in document.cautions]


def _plain(text: str) -> str:
    return minus(clean(text))


@singledispatch
def _block(block: object, _file: Any) -> None:
    raise TypeError(f"no Word for {type(block).__name__}")


@_block.register
def _paragraph(block: Paragraph, file: Any) -> None:
    if block.title:
        file.add_heading(clean(block.title), level=2)
    file.add_paragraph(_plain(block.text))


@_block.register
def _items(block: Items, file: Any) -> None:
    file.add_heading(clean(block.title), level=2)
    for text in block.texts:
        file.add_paragraph(_plain(text), style="List Bullet")


@_block.register
def table(block: Table, file: Any) -> None:
    """Add a table with its title and what stands below."""
    file.add_heading(clean(block.titled), level=2)
    numeric = block.numeric
    made = file.add_table(rows=0, cols=len(numeric), style="Light List")
    if block.head:
        _fill(made.add_row(), [clean(text) for text in block.head], numeric, [True] * len(numeric))
    for row in block.rows:
        texts = [shown(cell, "" if place else row.tag) for place, cell in enumerate(row.cells)]
        bold = [cell.best or (row.best and not place) for place, cell in enumerate(row.cells)]
        _fill(made.add_row(), texts, numeric, bold)
    for text in block.below:
        file.add_paragraph(_plain(text))


@_block.register
def _figure(_block: Figure, file: Any) -> None:
    """Leave the figure out: Word shows no vector figure that it can be given here."""


@_block.register
def _caution(_block: Caution, file: Any) -> None:
    """Leave it to the list of warnings."""


def _fill(row: Any, texts: list[str], numeric: list[bool], bold: list[bool]) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    for cell, text, right, heavy in zip(row.cells, texts, numeric, bold):
        paragraph = cell.paragraphs[0]
        paragraph.add_run(text).bold = heavy
        if right:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
