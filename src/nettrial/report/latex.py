"""The tables, warnings and verdict of a document in LaTeX (booktabs); names are escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from ..core.wording import clean, minus, plural
from .cells import NONE, Cell
from .document import Caution, Document, Row, Table

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
# marks over, through and under letters, as commands that every LaTeX knows
MARKS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0326": "textcommabelow", "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
UNDER = frozenset(["d", "textcommabelow", "c", "k", "b"])
OTHERS = {"œ": r"\oe{}", "Œ": r"\OE{}", "ı": r"\i{}", "ȷ": r"\j{}"}
# the fonts that LaTeX takes by default lack these, or have them upright alone; T1 has them
T1 = {
    "đ": r"\dj{}", "Đ": r"\DJ{}", "ð": r"\dh{}", "Ð": r"\DH{}", "þ": r"\th{}", "Þ": r"\TH{}",
    "ŋ": r"\ng{}", "Ŋ": r"\NG{}", "ł": r"\l{}", "Ł": r"\L{}",
}  # fmt: skip
NOTES = 2  # below a table, and warnings after a verdict; a supplement holds the others
NUMBER = re.compile(r"(?:< )?-?(?:inf\b|[\d.,]*\d(?:e[+-]?\d+)?)")


def escape(text: object) -> str:
    r"""Write a name so that LaTeX prints it and does nothing else.

    Greek letters, superscripts and subscripts are set in mathematics, Latin letters by commands for
    their marks. Any other sign stands as it is for LuaLaTeX and XeLaTeX, which show it where their
    font has it; pdfLaTeX, which stops at it, prints its code point.

    Examples
    --------
    >>> print(escape(r"50% of \input{x}"), escape("a_b"), escape("R²"), escape("日"))
    50\% of \textbackslash{}input\{x\} a\_b R$^{2}$ \ifdefined\Umathcode 日\else U+65E5\fi{}
    >>> print(escape("Čapek Łódź"))
    \v{C}apek {\fontencoding{T1}\selectfont\L{}}ód\'{z}
    """
    return _escaped(clean(text))


def _escaped(line: str) -> str:
    # a hyphen alone is one; several would join to a dash
    parts = re.split(r"((?<!-)-(?!-))", unicodedata.normalize("NFC", line))
    return "".join(part if part == "-" else _signs(part) for part in parts)


def _signs(part: str) -> str:
    found = []
    for known, run in groupby(((c, _sign(c)) for c in part), key=lambda each: bool(each[1])):
        signs, written = zip(*run)
        if known:
            found.append("".join(written))
        else:
            codes = " ".join(f"U+{ord(c):04X}" for c in signs)
            found.append(rf"\ifdefined\Umathcode {''.join(signs)}\else {codes}\fi{{}}")
    return "".join(found)


def _sign(c: str) -> str:
    """Return a sign as every LaTeX sets it, empty where some cannot."""
    if c.isascii() or c in KNOWN or c in SPECIAL:
        return SPECIAL.get(c, c)
    if c in T1:
        return _in_t1(T1[c])
    return OTHERS.get(c) or _marked(c) or _mathematics(c)


def _in_t1(command: str) -> str:
    return rf"{{\fontencoding{{T1}}\selectfont{command}}}"


def _marked(c: str) -> str:
    """Return a Latin letter with a mark, empty for other signs: pdfLaTeX puts two side by side."""
    letter, *marks = list(unicodedata.normalize("NFD", c))
    command = MARKS.get(marks[0]) if len(marks) == 1 else None
    if command is None or not letter.isascii() or not letter.isalpha():
        return ""
    if letter in "ij" and command not in UNDER:
        letter = rf"\{letter}"  # the mark takes the place of the dot
    found = rf"\{command}{{{letter}}}"
    return _in_t1(found) if command == "k" else found


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
    r"""Return all tables of a document as floats with caption and label, and the warnings."""
    return "\n\n".join([*_floats(document, document.of(Table)), *_warnings(document.cautions)])


def main_tables(document: Document) -> str:
    """Return the tables that a paper takes, with two notes each at most."""
    taken = document.paper or document.of(Table)[:1]
    return "\n\n".join(_floats(document, [replace(one, below=one.below[:NOTES]) for one in taken]))


def verdict(document: Document) -> str:
    """Return the verdict in a paragraph, and the first warnings that it must be read with."""
    warned = [each.text for each in document.short().cautions]
    parts = [document.verdict.text, *(f"Warning: {text.rstrip('.')}." for text in warned[:NOTES])]
    if len(warned) > NOTES:
        parts.append(f"{plural(len(warned) - NOTES, 'further warning')}: see the supplement.")
    return "\n\n".join(prose(minus(clean(part))) for part in parts)


def caption(document: Document) -> str:
    """Return the caption of the main figure."""
    said = prose(minus(clean(document.figure().caption)))
    return rf"\caption{{{said}}}\label{{fig:nettrial}}"


def _warnings(cautions: Sequence[Caution]) -> list[str]:
    if not cautions:
        return []
    lines = [
        rf"\textsuperscript{{{number}}}{prose(minus(clean(caution.note)))}\par"
        for number, caution in enumerate(cautions, start=1)
    ]
    return ["\n".join([r"{\footnotesize Warnings\par", *lines, "}"])]


def _floats(document: Document, tables: Sequence[Table]) -> list[str]:
    labels: list[str] = []
    for block in tables:
        words = re.findall(r"[a-z]+", re.split("[,;(]", block.title.lower())[0])
        label = f"tab:{'-'.join(words[:4])}"
        labels.append(f"{label}-{len(labels) + 1}" if label in labels else label)
    captions = [f"{prose(document.kind)}. {prose(one.titled)}." for one in tables]
    return list(map(table, tables, captions, labels))


def table(block: Table, caption: str, label: str) -> str:
    """Return one table as a float."""
    cells = [_row(row) for row in block.rows]
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
    return "\n".join(
        [
            r"\begin{table}[htbp]\centering\small",
            rf"\caption{{{caption}}}\label{{{label}}}",
            FITTED,
            booktabs(head, cells, columns, groups=block.groups) + "}",
            *below,
            r"\end{table}",
        ]
    )


def _row(row: Row) -> list[str]:
    """Return the cells of a row; the row to look at is marked, as is one with a word on it."""
    cells = [_cell(cell) + _notes(cell) for cell in row.cells]
    if row.best:
        cells[0] = rf"\textbf{{{cells[0]}}}"
    if row.tag:
        cells[0] += f" ({prose(row.tag)})"
    return cells


def _notes(cell: Cell) -> str:
    notes = ", ".join(map(str, cell.notes))
    return rf"\textsuperscript{{{notes}}}" if notes else ""


def _cell(cell: Cell) -> str:
    if not cell.is_number:
        if cell.kind == "code" and not cell.small:
            return rf"\texttt{{{escape(cell.text)}}}"
        named = cell.small.partition(" (")[0] if cell.kind == "code" else cell.typeset
        return escape(named)  # a test by its name
    if cell.text == NONE:
        return "--"
    # a comma of mathematics has a space behind it, in braces it has none
    text = NUMBER.sub(
        lambda m: f"${m[0].replace('inf', chr(92) + 'infty').replace(',', '{,}')}$", cell.text
    )
    text = text.replace("%", r"\%").replace("±", r"$\pm$").replace("$ $", " ")
    return rf"{{\boldmath{text}}}" if cell.best else text


# no table is wider than its page
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


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
        start = "{}" if row[0].startswith(("[", "*")) else ""  # "\\" would take it for an option
        lines.append(start + " & ".join(row) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
