"""A document as one self-contained HTML page, or as a cell of a notebook."""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import io
import re
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING

from ..core.plain_text import harmless
from ..core.references import sources
from ..core.version import __version__
from ..core.wording import clean, minus, shorten
from .canvas import drawn_for_phones
from .cells import NONE, Cell
from .describe.settings import SETTINGS
from .document import Block, Blocks, Caution, Document, Figure, Table
from .methods import in_words, rests_on
from .svg import inline_svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment
    from markupsafe import Markup

    from ..core.finding import Finding

PVALUE = re.compile(r"\bp (?:=|&lt;) \d[\d.]*\d")  # in HTML


def render(document: Document, found: Finding | None = None) -> str:
    """Return the page; equal documents give equal bytes.

    Parameters
    ----------
    document : Document
        What the page says.
    found : Finding, optional
        The result, whose table and JSON the page then holds for download.
    """
    verdict = document.verdict
    shown = verdict.numbers or verdict.text
    made = environment()
    made.filters["svg"] = partial(_svg, drawn=[])
    first, *before = _sections(document.blocks, "s") or [Section("", "s1", False)]
    return made.from_string(resource("page.html")).render(
        document=document,
        lead=first,
        before=before,
        after=_sections(document.details(), "d"),
        style=_safe(resource("page.css")),
        numbers="" if shown.rstrip(".") == verdict.headline else shown,
        cautions=sum(caution.touches_verdict for caution in document.cautions),
        methods=in_words(document),
        sources=[sources()[key] for key in rests_on(document)],
        downloads=[] if found is None else list(_downloads(found)),
        version=__version__,
    )


@dataclass(slots=True)
class Section:
    """A block with a title, and those without one that follow it."""

    title: str
    anchor: str
    fold: bool
    blocks: list[Block] = field(default_factory=list)

    @property
    def entry(self) -> str:
        """Its title in the list of contents."""
        return re.split(r" \(|;", self.title)[0]


def _sections(blocks: Blocks, mark: str) -> list[Section]:
    found: list[Section] = []
    before = False
    for block in blocks:
        if isinstance(block, Caution):
            continue
        # a folded table below a figure holds its numbers
        numbers = isinstance(block, Table) and block.fold and before and not found[-1].fold
        numbers = numbers and block.title != SETTINGS
        before = isinstance(block, Figure)
        if not found or (block.title and not numbers):
            title = block.titled if isinstance(block, Table) else block.title
            found.append(Section(title, f"{mark}{len(found) + 1}", block.fold))
        found[-1].blocks.append(block)
    return found


def _downloads(found: Finding) -> Iterator[tuple[str, str, str]]:
    """Yield name, address and description of files that the page itself holds."""
    # names that are no Unicode have no place in a table
    with contextlib.suppress(UnicodeEncodeError):
        yield "nettrial.csv", _held("text/csv", _csv(found)), "the main table"
    yield "nettrial.json", _held("application/json", found.to_json()), "everything"


def _csv(found: Finding) -> str:
    """Return the main table as CSV, as pandas writes it; without pandas where rows are known."""
    rows = found._rows()
    if rows is None:
        return found.to_frame().map(_plain).rename(columns=_plain).to_csv(index=False)
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(map(_plain, rows[0]))
    for row in rows:
        missing = (cell is None or cell != cell for cell in row.values())
        table.writerow("" if none else _plain(cell) for none, cell in zip(missing, row.values()))
    return file.getvalue()


def _held(kind: str, text: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode()).decode()}"


def _plain(cell: object) -> object:
    """Return a cell that neither a file nor a spreadsheet stumbles over."""
    return harmless(clean(cell)) if isinstance(cell, str) else cell


def notebook(document: Document) -> str:
    """Return verdict, main figure and first table as HTML for a cell of a notebook."""
    figure, table = document.figure(), document.of(Table)[0]
    # several cells stand on one page, and ids of their figures must differ
    mark = hashlib.sha256(f"{document.kind} {document.verdict.text}".encode()).hexdigest()[:8]
    svg = inline_svg(figure.display.plot(), prefix=f"n{mark}-", label=clean(figure.caption))
    return (
        environment()
        .from_string(resource("notebook.html"))
        .render(
            document=document,
            table=table,
            svg=_safe(f'<div style="max-width: 46rem; background: #fff">{svg}</div>'),
            cautions=sum(caution.touches_verdict for caution in document.cautions),
        )
    )


def environment() -> Environment:
    """Return what renders a page: everything is escaped that is not marked as safe."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # names from files must not bring control characters into the page either
        finalize=lambda value: value if isinstance(value, Markup) else clean(value),
    )
    made.filters |= {
        "cell_text": cell_text,
        "kind": lambda block: type(block).__name__,
        "minus": _prose,
        "shorten": shorten,
    }
    return made


def _prose(text: str) -> Markup:
    """Write a sentence with true minus signs, and p-values in which no line is broken."""
    from markupsafe import escape

    kept = r'<span class="p">\g<0></span>'
    return _safe(PVALUE.sub(kept, str(escape(clean(minus(text))))))


def cell_text(cell: Cell) -> str:
    if not cell.is_number:
        return shorten(cell.typeset, 160)
    return "–" if cell.text == NONE else minus(cell.text)


def _svg(figure: Figure, drawn: list[Figure]) -> Markup:
    """Draw a figure for a desk, and once more for a phone where it looks different there."""
    drawn.append(figure)
    label = clean(minus(figure.display.alt() or figure.caption))
    made = []
    for kind, narrow in (("desk", False), ("phone", True)):
        with drawn_for_phones(narrow):
            ax = figure.display.plot()
        svg = inline_svg(ax, prefix=f"{kind[0]}{len(drawn)}-", label=label)
        made.append(f'<div class="{kind}">{svg}</div>')
        if not figure.display.differs:
            return _safe(f'<div class="square">{svg}</div>')
    return _safe("".join(made))


def _safe(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - figures whose names are escaped, and files of this package


def resource(name: str) -> str:
    """Read a file of this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
