"""Where every command's result goes: options, checks before any work, files and the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError, shown
from . import say, tell
from .process import uncollected

if TYPE_CHECKING:
    from ..core.finding import Finding

OUTPUT: Sequence[Callable[[Any], Any]] = (
    click.option("--report", metavar="FILE.html", help="Also write one self-contained page."),
    click.option("--paper", metavar="FOLDER",
                 help="Also write figure.pdf, table.tex, methods.tex, verdict.tex, references.bib "
                      "and a paper.tex that shows them."),
    click.option("--latex", metavar="FILE.tex",
                 help="Also write the tables in LaTeX (booktabs, graphicx)."),
    click.option("--markdown", metavar="FILE.md", help="Also write a Markdown file."),
    click.option("--typst", metavar="FILE.typ", help="Also write a Typst file."),
    click.option("--docx", metavar="FILE.docx", help="Also write a Word file (extra: docx)."),
    click.option("--figure", metavar="FILE",
                 help="Also write the main figure: .pdf, .svg or .eps."),
    click.option("--full", is_flag=True, help="Print all tests, settings and notes."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
)  # fmt: skip
FILES = ("report", "paper", "latex", "markdown", "typst", "docx", "figure")
BESIDE = ("store", "junit", "sarif", "qq")  # files that some commands write too
NAMES = (*FILES, "full", "as_json")
MORE = "--full prints all tests, settings and notes; --report FILE writes a page"


def check_outputs(options: Mapping[str, Any], *, inputs: Sequence[Path] = ()) -> None:
    """Refuse files that could not be written or are read, before any work is done."""
    from ..report.display import check_ending
    from ..report.files import LATEX, MARKDOWN, PAGE, TYPST, WORD, check_writable

    refuse_shared(options, inputs)
    for name, what, endings in (
        ("report", "report", PAGE),
        ("latex", "LaTeX file", LATEX),
        ("markdown", "Markdown file", MARKDOWN),
        ("typst", "Typst file", TYPST),
        ("docx", "Word file", WORD),
    ):
        if options[name] is not None:
            check_writable(options[name], what=what, endings=endings)
    if options["docx"] is not None and find_spec("docx") is None:
        from ..report.word import HOW

        raise InputError(HOW)
    figure, paper = options["figure"], options["paper"]
    if figure is not None:
        check_ending(figure)
        if not Path(figure).resolve().parent.is_dir():
            raise InputError(f"figure {shown(figure)}: there is no such folder; create it first")
    if paper is not None and Path(paper).exists() and not Path(paper).is_dir():
        raise InputError(f"paper {shown(paper)}: that is a file; name a folder")


def refuse_shared(options: Mapping[str, Any], inputs: Sequence[Path] = ()) -> None:
    """Refuse standard output as a file, and one path for two files, of all that a command writes.

    Nor may it write what it reads.

    A folder for a paper takes the paths of the files in it.
    """
    from ..report.files import IN_PAPER

    places: dict[Path, str] = {}
    read = {place.resolve() for place in inputs}
    for name in (*FILES, *BESIDE):
        if options.get(name) is None:
            continue
        if options[name] in ("", "-"):
            raise InputError(
                parameter=name,
                expected="a file",
                got=shown(options[name]),
                hint="standard output takes text, or JSON by --json",
            )
        place = Path(options[name]).resolve()
        for each in (place, *(place / file for file in IN_PAPER * (name == "paper"))):
            if each in read:
                raise InputError(
                    parameter=name,
                    expected="a new file",
                    got=f"{shown(str(options[name]))}, which is read",
                    hint="name another",
                )
            if each in places:
                raise InputError(
                    parameter=(places[each], name),
                    expected="different files",
                    got=f"{shown(str(each))} for both",
                )
            places[each] = name


def finish(found: Finding, options: Mapping[str, Any]) -> None:
    """Write what goes to files, and print the result."""
    from ..report import (
        write_docx,
        write_latex,
        write_markdown,
        write_paper,
        write_report,
        write_typst,
    )

    writers: dict[str, tuple[Callable[[Finding, Any], None], str]] = {
        "report": (write_report, "report"),
        "paper": (write_paper, "figure, table, methods, verdict and references"),
        "latex": (write_latex, "tables"),
        "markdown": (write_markdown, "Markdown"),
        "typst": (write_typst, "Typst"),
        "docx": (write_docx, "Word file"),
        "figure": (_write_figure, "figure"),
    }
    written = {name: what for name, (_, what) in writers.items() if options[name] is not None}
    with uncollected():  # the figures need Matplotlib
        for name in written:
            writers[name][0](found, options[name])
    if options["as_json"]:
        say(found.to_json())
    elif options["full"]:
        tell(str(found), look=painted)
    else:
        tell(f"{found.summary()}\n\n{MORE}", look=painted)
    for name, what in written.items():
        say(f"{what} written to {options[name]}", err=True)


def painted(text: str) -> str:
    """Return the text of a result with its verdict bold, and what is beside it dim or yellow."""
    verdict, gap, rest = text.partition("\n\n")
    rest = re.sub(r"^!(?= )", click.style("!", fg="yellow"), rest, flags=re.MULTILINE)
    if rest.endswith(MORE):
        rest = rest.removesuffix(MORE) + click.style(MORE, dim=True)
    return f"{click.style(verdict, bold=True)}{gap}{rest}"


def _write_figure(found: Finding, path: str) -> None:
    from ..report.describe import describe

    describe(found).figure().display.save(path)
