"""Files of tables: CSV, Markdown and LaTeX, all as a header and rows of text."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import InputError, shown
from ..io.columns import is_index_name
from ..io.content import seen_instead
from ..io.excel_file import is_excel, read_sheets
from ..io.guards import LIMITS, read_head, read_text
from ..io.json_records import read_records
from ..io.jsongraph import is_records
from ..io.members import split_member
from ..io.numerals import whole_number
from ..io.vocabulary import CASES, DATA_SET, MODEL_HEADS, SPLIT, TRUTH, plain
from .cells import read_cell, read_name

TABULAR = re.compile(r"\\begin\{(tabular[xy]?\*?|tabu|longtable|NiceTabular|array)\}")
# what may stand in brackets is bounded, so that no text takes time beyond its length
SOME = "{0,500}"
ARGUMENTS = rf"(?:\[[^\]]{SOME}\]|\([^)]{SOME}\)|\{{[^{{}}]{SOME}\}}){{0,6}}"
RULE = re.compile(
    r"\\(?:hline|[a-z]{0,20}rule|endhead|endfirsthead|endfoot|endlastfoot|centering|small|cline"
    rf"|cmidrule|addlinespace|rowcolor|arrayrulecolor|noalign)\b{ARGUMENTS}"
)
SPAN = re.compile(r"\s*\\multicolumn\{(\d+)\}\{[^{}]{0,200}\}\s*(\{.*\})\s*", re.DOTALL)
TALL = re.compile(r"\\multirow(?:cell)?(?:\[[^\]]{0,20}\])?\{(\d+)\}")
APART = re.compile(r"\s{2,}")  # between columns that stand under each other
BESIDE = {*MODEL_HEADS, *DATA_SET, *SPLIT, *CASES, *TRUTH}  # names beside which a number is one
FIRST = 50  # rows that show which columns hold numbers
LOG = re.compile(r"(?i)\bepoch\b")
POINT, COMMA = re.compile(r"\d\.\d"), re.compile(r"(?<=\d),(?=\d)")
DASHES = re.compile(r":?-+:?")
Rows = list[list[str]]


def read_rows(table: str | Path) -> tuple[list[str], Rows]:
    """Read a table from a file; each row has as many cells as the header.

    Parameters
    ----------
    table : path
        CSV (also with semicolons or tabs, and then decimal commas), columns under each other, two
        spaces apart, a Markdown table or a LaTeX tabular with text around it, or an Excel workbook
        of one sheet. ``file#2`` is the second of several Markdown or LaTeX tables.
    """
    path, member = split_member(Path(table))
    head = read_head(path)
    if member is not None and (is_excel(head, path) or is_records(head)):
        raise InputError(f"holds one table; leave #{member} out", where=str(path))
    if is_excel(head, Path(path)):
        return _checked(path, _sheet(Path(path)))
    if is_records(head):
        found = read_records(path)
        body = [[str(cell) for cell in row] for row in zip(*found.columns)]
        return _checked(path, [list(found.names), *body], keys=True)
    seen = seen_instead(head)
    if seen and not seen.startswith("XML"):  # text with tables may begin with HTML
        raise InputError(f"{path}: looks like {seen}; expected a CSV, Markdown or LaTeX table")
    text = read_text(Path(path)).decode()
    if TABULAR.search(text) or (r"\\" in text and "&" in text):
        rows = _titled(path, _latex(path, text, member))
    elif any(map(_is_rule, text.splitlines())):
        rows = _titled(path, _markdown(path, text, member))
    elif seen:
        raise InputError(
            f"{path}: looks like {seen}; pandas.read_html(FILE)[0].to_csv('table.csv') makes CSV "
            "of its first table"
        )
    else:
        _which(path, 1, member)
        rows = _csv(path, text)
    return _checked(path, rows)


def _checked(path: str | Path, rows: Rows, keys: bool = False) -> tuple[list[str], Rows]:
    """Return header and rows; refuse what is no table with a header, which JSON has as `keys`."""
    if len(rows) < 2:
        raise InputError(f"{path}: no rows; expected a header and at least one row")
    if len(rows[0]) > LIMITS.columns:
        raise InputError(f"{path}: {len(rows[0])} columns, the limit is {LIMITS.columns}")
    number = None if keys else _data_in_header(rows)
    if number is not None:
        raise InputError(
            expected="a header with names",
            got=f"{shown(number)} in its first row",
            hint="write a line above it with a name for each column",
            where=f"{path}",
        )
    twice = [name for name, count in Counter(rows[0]).items() if count > 1]
    if twice:
        raise InputError(f"{path}: column {shown(min(twice))} occurs twice")
    return rows[0], rows[1:]


def _data_in_header(rows: Rows) -> str | None:
    """Return a number of the first row where it is data: one stands above each column of numbers.

    Beside a usual name of what the rows are, such as model or split, numbers are names.
    """
    first, body = rows[0], rows[1 : FIRST + 1]
    if any(plain(name) in BESIDE or is_index_name(name) for name in first):
        return None
    above = [name for name, *cells in zip(first, *body) if any(map(_is_number, cells))]
    if any(read_cell(name) is None for name in above):
        return None
    return next(filter(_is_number, above), None)


def _sheet(path: Path) -> Rows:
    """Return the rows of the only sheet of a workbook."""
    sheets = read_sheets(path, header=False)
    if len(sheets) != 1:
        raise InputError(
            expected="one sheet with rows",
            got=f"{len(sheets)}",
            hint="save one as CSV",
            where=f"{path}",
        )
    (table,) = sheets.values()
    return [list(map(str, row)) for row in zip(*table.columns)]


def _csv(path: str | Path, text: str) -> Rows:
    text = _without_comments(text)
    first = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    if delimiter not in first and APART.search(first.strip()):  # columns under each other
        text = "\n".join(APART.sub("\t", line.strip()) for line in text.split("\n"))
        delimiter = "\t"
    rows: Rows = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if rows and len(cells) != len(rows[0]):
                log = "; a training log is read by a pattern" if LOG.search(text[:4096]) else ""
                raise InputError(
                    f"{path}, line {reader.line_num}: {len(cells)} cells, but the header has "
                    f"{len(rows[0])}{log}"
                )
            rows.append(cells)
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV table ({error})") from error
    numbers = [any(map(_is_number, row[1:])) for row in rows[:3]]
    if numbers == [False, False, True] and len(set(rows[0])) < len(rows[0]):
        rows = _titled(path, rows)  # names of groups above the header
    if delimiter != "," and not any(POINT.search(cell) for row in rows[1:] for cell in row):
        rows[1:] = [[COMMA.sub(".", cell) for cell in row] for row in rows[1:]]
    return rows


def _without_comments(text: str) -> str:
    """Leave out lines above the header that begin with # and do not divide as the next one does."""
    while text.startswith("#"):
        comment, _, rest = text.partition("\n")
        below = rest.lstrip("\n").split("\n", 1)[0]
        counts = [[line.count(sign) for sign in ",;\t"] for line in (comment, below)]
        if counts[0] == counts[1] and any(counts[0]) and not below.startswith("#"):
            break  # a header such as #,gcn,mlp
        text = rest
    return text


def _is_rule(line: str) -> bool:
    """Return whether a line is what Markdown has below a header: dashes between bars."""
    if "|" not in line or "-" not in line or set(line) - set("|:- \t\r"):
        return False
    return all(DASHES.fullmatch(part.strip()) for part in line.strip().strip("|").split("|"))


def _which(path: str | Path, count: int, member: str | None) -> int:
    """Return the place of the table that is asked for among so many."""
    if member is None and count > 1:
        raise InputError(
            f"holds {count} tables",
            where=str(path),
            hint=f"choose one by its number, such as {path}#2",
        )
    place = 1 if member is None else whole_number(member) or 0
    if not 1 <= place <= count:
        raise InputError(expected=f"a table from #1 to #{count}", got=f"#{member}", where=str(path))
    return place - 1


def _markdown(path: str | Path, text: str, member: str | None) -> Rows:
    lines = text.splitlines()
    rules = [k for k, line in enumerate(lines) if _is_rule(line)]
    rule = rules[_which(path, len(rules), member)]
    end = rule + 1
    while end < len(lines) and "|" in lines[end] and end + 1 not in rules:
        end += 1
    kept = [line for k, line in enumerate(lines[:end]) if k >= rule - 1 and k != rule]
    return [
        [
            cell.replace(r"\|", "|").strip()
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))
        ]
        for line in kept
    ]


def _latex(path: str | Path, text: str, member: str | None) -> Rows:
    body = re.sub(r"(?<!\\)%[^\n]*", "", text)
    found = list(TABULAR.finditer(body))
    place = _which(path, max(len(found), 1), member)
    if found:
        start = found[place]
        end = body.find(rf"\end{{{start[1]}}}", start.end())
        body = _after_arguments(body[start.end() : end if end >= 0 else None])
    rows: Rows = []
    filled: dict[int, tuple[int, str]] = {}  # by column: rows to come, and their text
    for line in _lines(RULE.sub("", body)):
        row = [part for cell in line for part in _spread(cell)]
        for column, cell in enumerate(row):
            tall = TALL.search(cell)
            if tall:
                filled[column] = (int(tall[1]) - 1, cell)
            elif not cell and filled.get(column, (0, ""))[0] > 0:
                left, row[column] = filled[column]
                filled[column] = (left - 1, row[column])
        if any(row):
            rows.append(row)
    return rows


def _after_arguments(text: str) -> str:
    """Leave out the arguments of the environment: width, columns."""
    rest = re.sub(r"^\s*\[[^\]]*\]", "", text)
    while rest.lstrip().startswith("{"):
        depth, rest = 0, rest.lstrip()
        for place, sign in enumerate(rest):
            depth += (sign == "{") - (sign == "}")
            if depth == 0:
                rest = rest[place + 1 :]
                break
        else:
            break
    return rest


def _lines(text: str) -> Iterator[list[str]]:
    """Divide at the line ends and ampersands that stand in no braces."""
    depth, cells, cell = 0, [], ""
    for piece in re.findall(
        r"\\\\(?:\*|\[[^\]]*\])?|\\tabularnewline\b|\\.|[{}&]|[^\\{}&]+|\\", text, re.DOTALL
    ):
        depth += (piece == "{") - (piece == "}")
        ends = piece.startswith("\\\\") or piece == "\\tabularnewline"
        if depth == 0 and (ends or piece == "&"):
            cells.append(" ".join(cell.split()))
            cell = ""
            if ends:
                yield cells
                cells = []
        else:
            cell += " " if ends else piece
    yield [*cells, " ".join(cell.split())]


def _spread(cell: str) -> list[str]:
    """Repeat a cell that spans several columns."""
    found = SPAN.fullmatch(cell)
    return [found[2]] * int(found[1]) if found else [cell]


def _titled(path: str | Path, rows: Rows) -> Rows:
    """Make one header of the rows above the first one with a number, and clean all cells."""
    width = max((len(row) for row in rows), default=0)
    table = [[*row, *[""] * (width - len(row))] for row in rows]
    first = next((k for k, row in enumerate(table) if any(map(_is_number, row[1:]))), None)
    if not first:
        raise InputError(expected="a header above rows of numbers, found none", where=f"{path}")
    header = []
    for column in range(width):
        names = [read_name(row[column]) for row in table[:first]]
        header.append(" ".join(dict.fromkeys(filter(None, names))))
    last = [read_name(cell) for cell in table[first - 1]]
    if all(last[1:]) and len(set(last)) == len(last):
        header = [header[0], *last[1:]]
    body = [[_clean(cell) for cell in row] for row in table[first:]]
    # a heading may span the whole table
    return [header, *([row[0], *[""] * (width - 1)] if len(set(row)) == 1 else row for row in body)]


def _is_number(cell: str) -> bool:
    found = read_cell(cell)
    return found is not None and found.mean == found.mean


def _clean(cell: str) -> str:
    """Keep what is read as a number, remove the markup from anything else."""
    return cell if read_cell(cell) is not None else read_name(cell)
