"""What a report says, before it is text, a page, LaTeX or Markdown.

A `Document` holds a verdict and blocks in the order in which they are read. Blocks know nothing of
how they are rendered: each module `text`, `html`, `latex`, `markdown`, `typst` and `word` renders
every kind of block, so that what is added to a document shows everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..core.wording import listed
from .cells import Cell

if TYPE_CHECKING:
    from .display import Display

Name: TypeAlias = Callable[[object], str]  # how a name is written in a methods paragraph
OpenBlock = TypeVar("OpenBlock")
BRIEF_ROWS = 7  # of a table in a short text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, with a title where they stand alone."""

    text: str
    title: str = ""
    fold: bool = False  # on a page, whether it opens on request


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    title: str
    texts: tuple[str, ...]
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Limits(Items):
    """What a result rests on and cannot say."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes
    ----------
    cells : tuple of Cell
    best : bool
        Whether it is the row to look at.
    tag : str
        A word on the row, such as "verdict".
    hidden : int
        Rows that it stands for.
    """

    cells: tuple[Cell, ...]
    best: bool = False
    tag: str = ""
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table."""

    title: str
    head: tuple[str, ...]  # empty where the rows explain themselves
    rows: tuple[Row, ...]
    best: str = ""  # what cells marked as best hold, such as "lowest error rate"
    below: tuple[str, ...] = ()  # sentences below the table
    groups: int = 0  # rows that belong together; 0 where all do
    fold: bool = False  # whether a page shows it on request

    @property
    def titled(self) -> str:
        """The title, with what bold cells hold."""
        bold = any(cell.best for row in self.rows for cell in row.cells)
        return f"{self.title} (bold: {self.best})" if bold else self.title

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [
            any(cell.is_number for cell in column)
            for column in zip(*(row.cells for row in self.rows))
        ]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, drawn only where it is shown."""

    caption: str
    display: Display
    title: str = ""
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning."""

    text: str  # what it says
    # the tests that it concerns, or "verdict"; empty where it concerns everything
    whose: tuple[str, ...] = ()
    words: str = ""  # the same as a reader names them, which stand after the text

    @property
    def note(self) -> str:
        """What it says, and what it concerns."""
        of = self.words or ", ".join(self.whose)
        return f"{self.text.rstrip('.')} ({of})" if of else self.text

    @property
    def touches_verdict(self) -> bool:
        """Whether the verdict must be read with it."""
        return not self.whose or self.whose[0] == "verdict"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer."""

    headline: str  # the answer in one clause
    text: str  # the answer with its numbers
    # the numbers alone, which a page shows below the headline; by default the text
    numbers: str = ""
    # the most important numbers, each with what it is; shown large on a page
    facts: tuple[tuple[str, str], ...] = ()
    asides: tuple[Paragraph, ...] = ()  # what stands beside the verdict on a page
    brief: str = ""  # the answer in a short text; by default the text
    # the sentence of it that a short text leaves out first, since its table says the same
    spare: str = ""


Block: TypeAlias = Paragraph | Items | Table | Figure | Caution
Blocks: TypeAlias = tuple[Block, ...]


def nothing() -> Blocks:
    return ()


@dataclass(frozen=True, slots=True)
class Document:
    """What a report on one result says."""

    kind: str  # what the result is, for the title of a page
    verdict: Verdict  # the answer
    # what every renderer shows, in order; cautions stand where the renderer wants them
    blocks: Blocks
    # given how names are written, returns a methods paragraph, in which `cite` marks sources
    methods: Callable[[Name], str]
    # returns further blocks, which a page shows below the others; called only for pages
    details: Callable[[], Blocks] = nothing
    # keys of what the result rests on, beside what the methods paragraph cites
    sources: tuple[str, ...] = ()
    brief: Blocks = ()  # what a short text shows below the verdict; by default the first table
    paper: tuple[Table, ...] = ()  # what a paper takes; by default the first table

    def of(self, kind: type[OpenBlock]) -> list[OpenBlock]:
        """Return the blocks of one kind, those of the details aside."""
        return [block for block in self.blocks if isinstance(block, kind)]

    @property
    def cautions(self) -> list[Caution]:
        """All warnings, in the order of their numbers."""
        return self.of(Caution)

    @property
    def limits(self) -> list[str]:
        """What the result rests on and cannot say."""
        return [text for block in self.of(Limits) for text in block.texts]

    def short(self) -> Document:
        """Return the verdict, what is brief, and first sentences of warnings on the verdict.

        Warnings that differ in numbers, or in what stands before a colon, are one.
        """
        alike: dict[str, list[str]] = {}
        for each in self.cautions:
            if each.touches_verdict:
                first = _first_sentence(each.text)
                alike.setdefault(_kind(first), []).append(first)
        texts = [
            f"{first.rstrip('.')} (and {len(more):,} more like it)." if more else first
            for first, *more in alike.values()
        ]
        blocks = [
            fewer_rows(block, BRIEF_ROWS) if isinstance(block, Table) else block
            for block in self.brief or self.of(Table)[:1]
        ]
        verdict = replace(self.verdict, text=self.verdict.brief or self.verdict.text)
        return replace(self, verdict=verdict, blocks=(*blocks, *map(Caution, texts)))

    def figure(self) -> Figure:
        return self.of(Figure)[0]


def _kind(warning: str) -> str:
    """Return what a warning says without its numbers and what it is of."""
    plain = _parts(warning)[1].replace(" (the nearest that was measured)", "")
    return re.sub(r"[\d.,%]+", "#", plain)


def _parts(warning: str) -> tuple[str, str]:
    """Return what a warning is of, empty where it is of everything, and what it says."""
    of, colon, said = warning.partition(": ")
    if not colon or len(of) > len(said):
        return "", warning
    pairs = re.match(r"([^:]* minus [^:]*): ", said)
    return (f"{of} ({pairs[1]})", said[pairs.end() :]) if pairs else (of, said)


def fewer_rows(block: Table, most: int) -> Table:
    """Return a table with its first rows and its last one, and how many there are between.

    Examples
    --------
    >>> whole = Table("", ("name",), rows([[Cell(name)] for name in "abcdef"]))
    >>> short = fewer_rows(fewer_rows(whole, 5), 4)
    >>> [row.cells[0].text for row in short.rows]
    ['a', 'b', '... 3 more', 'f']
    """
    if most < 3 or len(block.rows) <= most:
        return block
    head, between = block.rows[: most - 2], block.rows[most - 2 : -1]
    left = sum(row.hidden or 1 for row in between)
    gap = tuple(
        Cell(f"... {left:,} more" if not i else "", cell.kind)
        for i, cell in enumerate(block.rows[0].cells)
    )
    return replace(block, rows=(*head, Row(gap, hidden=left), block.rows[-1]))


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?]) +(?=[A-Z])", text, maxsplit=1)[0]


def rows(cells: Sequence[Sequence[Cell]]) -> tuple[Row, ...]:
    return tuple(Row(tuple(row)) for row in cells)


def cautions(warnings: Sequence[Warning]) -> tuple[Caution, ...]:
    """Make cautions of warnings that concern everything; alike ones, of several parts, are one."""
    alike: dict[str, list[str]] = {}
    for text in dict.fromkeys(map(str, warnings)):
        alike.setdefault(_kind(text), []).append(text)
    return tuple(
        Caution(f"{first.rstrip('.')}. {_likewise(first, more)}" if more else first)
        for first, *more in alike.values()
    )


def _likewise(first: str, more: Sequence[str]) -> str:
    """Return what warnings are of that are like a first one."""
    of, said = zip(*map(_parts, more))
    same = set(said) == {_parts(first)[1]}
    return (
        f"Likewise{', with numbers of their own,' * (not same)} {listed(list(dict.fromkeys(of)))}."
    )
