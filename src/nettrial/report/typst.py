"""A document as Typst; what may hold names stands in strings, which Typst does not interpret."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from ..core.wording import clean, minus
from .document import Caution, Document, Figure, Items, Paragraph, Row, Table
from .word import shown, warned


def string(text: object) -> str:
    r"""Write text as a string of Typst, which shows it and does nothing else.

    Examples
    --------
    >>> print(string('#read("x") \\ $y$'))
    "#read(\"x\") \\ $y$"
    """
    escaped = clean(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _prose(text: str) -> str:
    return string(minus(clean(text)))


def render(document: Document) -> str:
    """Return verdict, blocks and warnings as Typst."""
    parts = [f"#strong({_prose(document.verdict.headline)})", f"#{_prose(document.verdict.text)}"]
    parts += [part for block in document.blocks if (part := _block(block))]
    if document.cautions:
        parts.append(_title("Warnings") + _call("enum", map(_prose, warned(document))))
    return "\n\n".join(parts) + "\n"


@singledispatch
def _block(block: object) -> str:
    raise TypeError(f"no Typst for {type(block).__name__}")


@_block.register
def _paragraph(block: Paragraph) -> str:
    return (_title(block.title) if block.title else "") + f"#{_prose(block.text)}"


@_block.register
def _items(block: Items) -> str:
    return _title(block.title) + _call("list", map(_prose, block.texts))


@_block.register
def table(block: Table) -> str:
    """Return a table with its title and what stands below."""
    sides = ", ".join("right" if right else "left" for right in block.numeric)
    arguments = [f"columns: {len(block.numeric)}", f"align: ({sides},)", "stroke: none"]
    arguments.append("table.hline()")
    if block.head:
        arguments.append(f"table.header({', '.join(map(string, block.head))})")
        arguments.append("table.hline(stroke: 0.5pt)")
    arguments += [_row(row) for row in block.rows]
    arguments.append("table.hline()")
    below = [f"#{_prose(text)}" for text in block.below]
    return _title(block.titled) + "\n\n".join([_call("table", arguments), *below])


@_block.register
def _left_out(_block: Figure | Caution) -> str:  # text has no pictures; warnings come last
    return ""


def _title(text: str) -> str:
    return f"#heading(level: 3, {string(text)})\n"


def _call(name: str, arguments: Iterable[str]) -> str:
    return f"#{name}(\n" + "".join(f"  {each},\n" for each in arguments) + ")"


def _row(row: Row) -> str:
    texts = [string(shown(cell, "" if place else row.tag)) for place, cell in enumerate(row.cells)]
    bold = [cell.best or (row.best and not place) for place, cell in enumerate(row.cells)]
    return ", ".join(f"strong({text})" if each else text for text, each in zip(texts, bold))
