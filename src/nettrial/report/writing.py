"""Results written to files: a page, LaTeX, Markdown, Typst, Word, or all that a paper needs."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.arguments import check_arguments
from ..core.atomic import whole_file
from ..core.errors import InputError
from ..core.references import bibtex
from . import html, latex, markdown, typst, word
from .describe import describe
from .files import LATEX, MARKDOWN, TYPST, WORD, write_whole
from .methods import cited, in_latex

if TYPE_CHECKING:
    from ..core.finding import Finding

PAPER = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{textcomp,booktabs,graphicx}
\usepackage[landscape,margin=2cm]{geometry}
\begin{document}
\input{methods}

\input{verdict}

\input{table}

\begin{figure}[htbp]\centering
\includegraphics[width=\linewidth,height=0.7\textheight,keepaspectratio]{figure}
\input{caption}
\end{figure}
\bibliographystyle{plain}
\bibliography{references}
\clearpage
\section*{Supplement: all tables and warnings}
\input{supplement}
\end{document}
"""


@check_arguments
def write_report(found: Finding, path: str | os.PathLike[str]) -> None:
    """Write a result as one HTML page that needs neither network nor scripts.

    Equal results give equal bytes. A file that is there already is replaced as a whole, or stays
    as it was where writing fails.

    Parameters
    ----------
    found : Finding
        Any result: of `compare`, `compare_models`, `sweep`, `compare_across`, `compare_grouped`,
        `leaderboard`, `audit` or `plan`.
    path : str or path
        The file to write.

    Raises
    ------
    InputError
        Where `path` cannot be written, and for what is no result.
    """
    write_whole(lambda: html.render(describe(found), found), path)


@check_arguments
def write_latex(found: Finding, path: str | os.PathLike[str]) -> None:
    """Write the tables of a result in LaTeX; otherwise as `write_report`."""
    write_whole(
        lambda: latex.render(describe(found)) + "\n", path, what="LaTeX file", endings=LATEX
    )


@check_arguments
def write_markdown(found: Finding, path: str | os.PathLike[str]) -> None:
    """Write a result as Markdown; otherwise as `write_report`."""
    write_whole(
        lambda: markdown.render(describe(found)), path, what="Markdown file", endings=MARKDOWN
    )


@check_arguments
def write_typst(found: Finding, path: str | os.PathLike[str]) -> None:
    """Write a result as Typst; otherwise as `write_report`."""
    write_whole(lambda: typst.render(describe(found)), path, what="Typst file", endings=TYPST)


@check_arguments
def write_docx(found: Finding, path: str | os.PathLike[str]) -> None:
    """Write a result as a file of Word, with tables that can be edited.

    Parameters
    ----------
    found : Finding
        Any result.
    path : str or path
        The file to write.

    Raises
    ------
    InputError
        Where `path` cannot be written, python-docx (``nettrial[docx]``) is not installed, and for
        what is no result.
    """
    write_whole(lambda: word.render(describe(found)), path, what="Word file", endings=WORD)


@check_arguments
def write_paper(found: Finding, folder: str | os.PathLike[str]) -> None:
    """Write figure, tables, methods, verdict and references, and paper.tex that shows all.

    The files are figure.pdf with caption.tex, table.tex (what a paper takes), methods.tex,
    verdict.tex (with the two most important warnings), supplement.tex (all tables and warnings),
    references.bib and paper.tex.

    Parameters
    ----------
    found : Finding
        Any result.
    folder : str or path
        Made if it is not there; files of these names are replaced.

    Raises
    ------
    InputError
        Where the folder cannot be written, and for what is no result.
    """
    document, target = describe(found), Path(folder)
    texts = {
        "table.tex": latex.main_tables(document),
        "supplement.tex": latex.render(document),
        "caption.tex": latex.caption(document),
        "methods.tex": in_latex(document),
        "verdict.tex": latex.verdict(document),
        "references.bib": bibtex(cited(document)),
        "paper.tex": PAPER,
    }
    files = {name: (text.rstrip() + "\n").encode() for name, text in texts.items()}
    files["figure.pdf"] = document.figure().display.drawn(".pdf")
    fresh = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        try:
            with ExitStack() as stack:  # all are written before the first takes its place
                for name, data in files.items():
                    stack.enter_context(whole_file(target / name)).write_bytes(data)
        except BaseException:
            if fresh:
                with suppress(OSError):
                    target.rmdir()
            raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from error
