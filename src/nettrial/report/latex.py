"""The tables of a document in LaTeX (booktabs); names are escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ..wording import clean
from .cells import NONE, Cell
from .document import Document, Table

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}",
    "-": "{-}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "“": "``", "”": "''", "±": r"$\pm$", "×": r"$\times$", "−": "$-$", "–": "--", "…": r"\ldots{}",
    "‘": "`", "’": "'", "—": "---", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$",
    "≈": r"$\approx$", "√": r"$\surd$", "∞": r"$\infty$", "·": r"$\cdot$", "→": r"$\to$",
}  # fmt: skip
GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")
# the letters that LaTeX has a command for: omicron and most capitals look as Latin ones
LETTERS = frozenset(
    [
        "ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON", "ZETA", "ETA", "THETA", "IOTA", "KAPPA",
        "LAMDA", "MU", "NU", "XI", "PI", "RHO", "SIGMA", "TAU", "UPSILON", "PHI", "CHI", "PSI",
        "OMEGA",
    ]
)  # fmt: skip
CAPITALS = frozenset(
    ["GAMMA", "DELTA", "THETA", "LAMDA", "XI", "PI", "SIGMA", "UPSILON", "PHI", "PSI", "OMEGA"]
)
# Latin letters that every LaTeX in UTF-8 knows
KNOWN = frozenset("äöüÄÖÜßáàâãåæçéèêëíìîïñóòôõøúùûýÿÁÀÂÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÕØÚÙÛÝ")
NUMBER = re.compile(r"(?:< )?-?(?:inf\b|[\d.,]*\d(?:e[+-]?\d+)?)")


def escape(text: object) -> str:
    r"""Write a name so that LaTeX prints it and does nothing else.

    Greek letters, superscripts and subscripts are set in mathematics; any other sign that the
    reader's LaTeX may not know is written as its code point.

    Examples
    --------
    >>> print(escape(r"50% of \input{x}"), escape("a_b"), escape("R²"), escape("日"))
    50\% of \textbackslash{}input\{x\} a\_b R$^{2}$ U+65E5
    """
    return _escaped(clean(text))


def _escaped(line: str) -> str:
    # a hyphen alone is one; several would join to a dash
    parts = re.split(r"((?<!-)-(?!-))", line)
    return "".join(part if part == "-" else "".join(map(_letter, part)) for part in parts)


def _letter(c: str) -> str:
    if c in SPECIAL:
        return SPECIAL[c]
    return c if c.isascii() or c in KNOWN else _mathematics(c) or f"U+{ord(c):04X}"


def _mathematics(c: str) -> str:
    """Return a Greek letter, superscript or subscript as LaTeX sets it, empty for other signs."""
    place, _, plain = unicodedata.decomposition(c).partition(" ")
    if place in ("<super>", "<sub>") and " " not in plain:
        sign = "^" if place == "<super>" else "_"
        raised = chr(int(plain, 16)).replace("−", "-")  # in mathematics a hyphen is a minus sign
        return f"${sign}{{{raised}}}$" if raised.isascii() else ""
    if not (letter := GREEK.fullmatch(unicodedata.name(c, ""))):
        return ""
    size, name = letter.groups()
    if name not in LETTERS or (size == "CAPITAL" and name not in CAPITALS):
        return ""
    command = name.replace("LAMDA", "LAMBDA").lower()
    return f"$\\{command.capitalize() if size == 'CAPITAL' else command}$"


def prose(text: str) -> str:
    r"""Write a title or a sentence of our own, which may hold names, as readable LaTeX.

    Examples
    --------
    >>> print(prose("Claims 'the best', 5% level"))
    Claims `the best', 5\% level
    """
    parts = re.split(r"('[^']*')", clean(text))  # a word in quotation marks
    return "".join(
        f"`{_escaped(part[1:-1])}'" if number % 2 else _escaped(part)
        for number, part in enumerate(parts)
    )


def render(document: Document) -> str:
    r"""Return the tables of a document, each with its title as a comment."""
    return "\n\\par\\medskip\n".join(map(table, document.of(Table)))


def table(block: Table) -> str:
    """Return one table."""
    cells = [[_cell(cell) for cell in row.cells] for row in block.rows]
    kinds = [column[0].kind for column in zip(*(row.cells for row in block.rows))]
    columns = "".join(
        ("c" if kind == "interval" else "r") if number else "l"
        for number, kind in zip(block.numeric, kinds)
    )
    head = [
        re.sub(r"^p\b", "$p$", prose(cell)) if kind == "p" else prose(cell)
        for cell, kind in zip(block.head, kinds)
    ]
    below = [rf"\par\smallskip{{\footnotesize {prose(text)}\par}}" for text in block.below]
    drawn = booktabs(head, cells, columns, groups=block.groups)
    return "\n".join([f"% {prose(block.title)}", drawn, *below])


def _cell(cell: Cell) -> str:
    if not cell.is_number:
        name = escape(cell.text)
        return rf"\texttt{{{name}}}" if cell.kind == "code" else name
    if cell.text == NONE:
        return "--"
    text = NUMBER.sub(lambda m: f"${m[0].replace('inf', chr(92) + 'infty')}$", cell.text)
    text = text.replace("%", r"\%").replace("±", r"$\pm$").replace("$ $", " ")
    return rf"{{\boldmath{text}}}" if cell.best else text


def booktabs(
    head: Sequence[str], rows: Sequence[Sequence[str]], columns: str, *, groups: int = 0
) -> str:
    r"""Lay out rows that are escaped already; a little space after every `groups` rows.

    Examples
    --------
    >>> print(booktabs(["a", "b"], [["1", "2"]], "lr"))
    \begin{tabular}{@{}lr@{}}
    \toprule a & b \\
    \midrule
    1 & 2 \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}"]
    lines += [rf"\toprule {' & '.join(head)} \\", r"\midrule"] if head else [r"\toprule"]
    for number, row in enumerate(rows):
        if groups and number and number % groups == 0:
            lines.append(r"\addlinespace")
        lines.append(" & ".join(row) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
