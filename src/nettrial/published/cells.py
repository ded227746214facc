"""Cells of tables as papers print them: numbers with spread, marks and markup, or nothing."""

from __future__ import annotations

import functools
import math
import re
from typing import NamedTuple

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
PLUS_MINUS = r"(?:±|\+/-|\+-)"
CELL = re.compile(
    rf"(?P<mean>{NUMBER})\s*(?P<percent>%?)\s*"
    rf"(?:{PLUS_MINUS}\s*(?P<sd>{NUMBER})\s*%?|\(\s*{PLUS_MINUS}\s*(?P<inside>{NUMBER})\s*%?\s*\)"
    rf"|\(\s*(?P<bracket>{NUMBER})\s*%?\s*\))?\s*(?P<after>%?)"
)
MARKS = "*†‡§¶⋆★☆◦•↑↓↗↘^# \t"
BLANK = re.compile(
    r"|-+|[–—]+|\?|/|[×✗✘]|na|nan|<na>|n/a|n\.a\.?|none|null|nr|n/r|not reported|tle|mle"
    r"|oo[mt]\b.*|out of (memory|time)\b.*|time ?out|fail(ed|s)?|>\s*\d.*",
    re.IGNORECASE,
)
DROPPED = (  # commands of LaTeX whose argument is no part of the text
    "cite", "citep", "citet", "ref", "label", "footnote", "footnotemark", "tnote", "cellcolor",
    "rowcolor", "color", "vspace", "hspace", "phantom", "fontsize", "tablefootnote",
)  # fmt: skip
FIRST_DROPPED = ("textcolor", "colorbox", "multirow", "multicolumn", "resizebox", "rotatebox")
SYMBOLS = {
    r"\textsuperscript": "^", r"\textsubscript": "_",
    r"\pm": "±", r"\%": "%", r"\_": "_", r"\&": "&", r"\#": "#", r"\$": "", "~": " ",
    r"\times": "×", r"\textemdash": "—", r"\textendash": "–", r"\uparrow": "", r"\downarrow": "",
    r"\dagger": "†", r"\ddagger": "‡", r"\ast": "*", r"\star": "*", r"\diamond": "*",
    r"\,": " ", r"\;": " ", r"\:": " ", r"\!": "", r"\ ": " ", r"\\": " ", "−": "-",
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "$": "",
}  # fmt: skip


SIGNS = re.compile(
    "|".join(re.escape(sign) + (r"(?![A-Za-z])" if sign[-1].isalpha() else "") for sign in SYMBOLS)
)
LONGEST = 2000  # longer text is no cell with markup, and would take long to look through


class Cell(NamedTuple):
    """A cell that holds a number, or says that there is none."""

    mean: float  # NaN where there is none
    sd: float = math.nan  # NaN where it is not given
    percent: bool = False  # whether a percent sign stands there
    # whether the second number is in brackets without sign, where it may be a rank too
    bracket: bool = False


NOTHING = Cell(math.nan)


@functools.lru_cache(maxsize=10_000)
def read_cell(text: str) -> Cell | None:
    r"""Return what a cell holds, None where it is neither a number nor a sign for none.

    Examples
    --------
    >>> read_cell(r"$\mathbf{81.5} \pm 0.5$")
    Cell(mean=81.5, sd=0.5, percent=False, bracket=False)
    >>> read_cell("**81.5%** (.5)")
    Cell(mean=81.5, sd=0.5, percent=True, bracket=True)
    >>> read_cell("OOM").mean, read_cell("GCN")
    (nan, None)
    """
    if len(text) > LONGEST:
        return None
    plain = _without_markup(text, number=True).strip(MARKS)
    if BLANK.fullmatch(plain):
        return NOTHING
    found = CELL.fullmatch(re.sub(r"[*†‡§¶⋆★]+", " ", plain).strip())
    if found is None or math.isinf(float(found["mean"])):
        return None
    spread = found["sd"] or found["inside"] or found["bracket"]
    return Cell(
        float(found["mean"]),
        math.nan if spread is None else float(spread),
        "%" in plain,
        found["bracket"] is not None,
    )


def read_name(text: str) -> str:
    r"""Return the name of a model, data set or column without markup, marks and citations.

    Examples
    --------
    >>> read_name(r"\textbf{H$_2$GCN}~\citep{zhu}"), read_name("[GCN](https://x.org)*")
    ('H2GCN', 'GCN')
    """
    plain = _without_markup(text, number=False)
    plain = re.sub(r"\s*\[\d+(?:\s*[,–-]\s*\d+)*\]$", "", plain.strip(MARKS.replace("#", "")))
    return " ".join(plain.split())


def _without_markup(text: str, *, number: bool) -> str:
    """Remove markup; in a `number` digits that were apart stay apart."""
    if len(text) > LONGEST or not re.search(r"[\\$<*_`\[{~−\u00a0\u2009\u202f^]", text):
        return text.strip()
    found = re.sub(r"<sup>.*?</sup>", "", text, flags=re.IGNORECASE)
    found = re.sub(r"</?[A-Za-z][^<>]*>", " ", found)
    found = re.sub(r"\[\^[^\]]*\]", "", found)
    found = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", found)
    found = re.sub(r"\*\*|`", "", found)
    found = re.sub(r"^(__?)(.*)\1$", r"\2", found.strip())
    found = re.sub(r"\$([^$]*)\$", lambda m: re.sub(r"_(\w)", r"_{\1}", m[1]), found)
    found = SIGNS.sub(lambda sign: SYMBOLS[sign[0]], found)
    joint = " " if number else ""
    found = _without_commands(found, rf"{joint}\1{joint}")
    found = re.sub(r"_\{([^{}]*)\}", r" (\1)" if number else r"\1", found)
    # a mark or a footnote, but no power of ten
    found = re.sub(r"(?<!\b10)\^(?:\{\d?\d?\}|\{[^\d{}]*\}|[^\s\d{}]|\d(?!\d))", "", found)
    return re.sub(r"\\[A-Za-z]+|[{}]", joint, found).strip()


def _without_commands(text: str, content: str) -> str:
    """Remove the commands of LaTeX that wrap text, from the innermost."""
    found = text
    for _ in range(8):
        before = found
        found = re.sub(rf"\\(?:{'|'.join(DROPPED)})\*?(?:\[[^\]]*\])*\{{[^{{}}]*\}}", "", found)
        found = re.sub(
            rf"\\(?:{'|'.join(FIRST_DROPPED)})(?:\[[^\]]*\])?(?:\{{[^{{}}]*\}}|\*)+"
            r"\{([^{}]*)\}",
            content,
            found,
        )
        found = re.sub(r"\\[A-Za-z]+\*?\s*(?:\[[^\]]*\])?\{([^{}]*)\}", content, found)
        found = re.sub(r"(?<![_^A-Za-z}\\])\{\\[A-Za-z]+\s+([^{}]*)\}", content, found)
        if found == before:
            break
    return found
