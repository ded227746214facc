"""Everything that a paper needs of one result, in one folder."""

from __future__ import annotations

import os
from functools import singledispatch
from pathlib import Path
from typing import Any

from ..atomic import whole_file
from ..comparison.across import AcrossNetworks
from ..comparison.leaderboard import Leaderboard
from ..comparison.multiple_result import MultipleComparison
from ..comparison.sweep import Sweep
from ..errors import InputError
from .bibliography import bibtex
from .displays import CurvesDisplay, Display, LeadsDisplay, PairsDisplay, RanksDisplay
from .latex import latex_table
from .methods import cited, methods_paragraph

DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{textcomp,booktabs,graphicx}
\usepackage[landscape,margin=2cm]{geometry}
\begin{document}
\input{methods}

\begin{center}\small
\input{table}
\end{center}

\begin{center}\includegraphics[width=\linewidth,height=0.8\textheight,keepaspectratio]{figure}
\end{center}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""


@singledispatch
def display_of(found: Any) -> Display:
    """Give the display of a result.

    Raises
    ------
    InputError
        For something that has none.
    """
    raise InputError(f"display: received a {type(found).__name__}, which has no figure")


@display_of.register
def _models(found: MultipleComparison) -> Display:
    return PairsDisplay(found)


@display_of.register
def _sweep(found: Sweep) -> Display:
    return CurvesDisplay(found)


@display_of.register
def _across(found: AcrossNetworks) -> Display:
    return RanksDisplay(found.over)


@display_of.register
def _leaderboard(found: Leaderboard) -> Display:
    return LeadsDisplay(found)


def write_paper(found: Any, folder: str | os.PathLike[str]) -> None:
    """Write figure.pdf, table.tex, methods.tex, references.bib, and paper.tex that shows all.

    Parameters
    ----------
    found : MultipleComparison, Sweep, AcrossNetworks or Leaderboard
        What to write.
    folder : str or path
        Made if it is not there; files of these names are replaced.

    Raises
    ------
    InputError
        Where the folder cannot be written.
    """
    target = Path(folder)
    texts = {
        "table.tex": latex_table(found),
        "methods.tex": methods_paragraph(found, latex=True),
        "references.bib": bibtex(cited(found)),
        "paper.tex": DOCUMENT,
    }
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with whole_file(target / name) as draft:
                draft.write_text(text.rstrip() + "\n", encoding="utf-8")
        with whole_file(target / "figure.pdf") as draft:
            display_of(found).save(draft)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from error
