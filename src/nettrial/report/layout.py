"""Rows in columns, within the width of a terminal.

What is too wide has its heads in several lines, then its words; what is too wide still becomes
several tables that begin with the same columns, and in the end a list of each row's values. So
nothing but a name or a path that is longer than a line reaches beyond it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

GAP = 2  # spaces between columns


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    head: str  # spaces around it are kept in each of its lines
    cells: tuple[str, ...]
    flush: bool  # whether it stands at the right, as numbers do, and is never broken

    @property
    def full(self) -> int:
        """The width in which nothing is broken."""
        return max(map(len, (self.head, *self.cells)))

    def least(self, *, words: bool) -> int:
        """Return the width below which it does not go, with its words broken into lines or not."""
        around = len(self.head) - len(self.head.strip())
        head = max(map(len, self.head.split()), default=0) + around
        if words and not self.flush:
            indent = _indent(self.cells)
            return max([head, *(indent + len(word) for c in self.cells for word in c.split())])
        return max([head, *map(len, self.cells)])

    def broken_at(self, width: int) -> int:
        """Return how many cells are wider than that."""
        return sum(len(cell) > width for cell in self.cells)

    def heading(self, width: int) -> list[str]:
        bare = self.head.strip()
        before = self.head[: len(self.head) - len(self.head.lstrip())]
        after = self.head[len(before) + len(bare) :]
        lines = _lines(bare, width - len(before) - len(after))
        return [f"{before}{line}{after}" for line in lines]

    def broken(self, cell: str, width: int) -> list[str]:
        return [cell] if len(cell) <= width else _lines(cell, width, " " * _indent(self.cells))


def laid_out(columns: Sequence[Column], width: int) -> str:
    """Return a table, or several, within a width.

    Examples
    --------
    >>> tests = Column("test", ("paired t", "sign"), False)
    >>> table = [tests, Column("p unadjusted", ("0.04", "0.3"), True)]
    >>> print(laid_out(table, 80))
    test      p unadjusted
    paired t          0.04
    sign               0.3
    >>> print(laid_out(table, 20))
                       p
    test      unadjusted
    paired t        0.04
    sign             0.3
    """
    if not columns or not (columns[0].cells or columns[0].head):
        return ""
    widths = _widths(columns, width)
    if widths is not None:
        return _table(columns, widths)
    keys = _keys(columns, width)
    for words in (False, True):
        least = [column.least(words=words) for column in columns]
        before = sum(least[:keys]) + GAP * keys
        if before + max(least[keys:], default=0) <= width:
            break
    else:
        return _records(columns, width)
    parts: list[list[Column]] = []
    used = width
    for column, needed in zip(columns[keys:], least[keys:]):
        if used + needed > width:
            parts.append([*columns[:keys]])
            used = before
        parts[-1].append(column)
        used += needed + GAP
    return "\n\n".join(laid_out(part, width) for part in parts)


def _widths(columns: Sequence[Column], width: int) -> list[int] | None:
    """Return the width of each column, or None where they do not fit side by side."""
    found = [column.full for column in columns]
    for words in (False, True):
        least = [column.least(words=words) for column in columns]
        spare = [now - low for now, low in zip(found, least)]
        over = sum(found) + GAP * (len(found) - 1) - width
        alone = [i for i, left in enumerate(spare) if left >= over > 0]
        if alone:  # one column is broken rather than several, that with the fewest cells to break
            found[min(alone, key=lambda i: columns[i].broken_at(found[i] - over))] -= over
            return found
        while over > 0 and max(spare) > 0:
            most = spare.index(max(spare))
            found[most] -= 1
            spare[most] -= 1
            over -= 1
        if over <= 0:
            return found
    return None


def _keys(columns: Sequence[Column], width: int) -> int:
    """Return how many columns say what a row is about: the first, and others of words after it."""
    keys, used = 1, columns[0].least(words=True)
    for column in columns[1:-1]:
        used += GAP + column.least(words=True)
        if column.flush or used > width // 2:
            break
        keys += 1
    return keys


def _table(columns: Sequence[Column], widths: Sequence[int]) -> str:
    heads = [column.heading(width) for column, width in zip(columns, widths)]
    tall = max(map(len, heads))
    rows = [[[""] * (tall - len(head)) + head for head in heads]]
    for cells in zip(*(column.cells for column in columns)):
        rows.append([c.broken(cell, w) for c, cell, w in zip(columns, cells, widths)])
    if not any(column.head for column in columns):
        del rows[0]
    lines = []
    for row in rows:
        for number in range(max(map(len, row))):
            parts = [cell[number] if number < len(cell) else "" for cell in row]
            lines.append(
                (" " * GAP)
                .join(
                    part.rjust(width) if column.flush else part.ljust(width)
                    for part, width, column in zip(parts, widths, columns)
                )
                .rstrip()
            )
    return "\n".join(lines)


def _records(columns: Sequence[Column], width: int) -> str:
    """Return each row as a list of its values, below what it is about."""
    lines = []
    for first, *others in zip(*(column.cells for column in columns)):
        lines.append(first.strip())
        for column, cell in zip(columns[1:], others):
            head = f"{column.head.strip()}: " if column.head.strip() else ""
            lines += textwrap.wrap(
                f"{head}{cell.strip()}",
                width,
                initial_indent="  ",
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)


def _indent(cells: Sequence[str]) -> int:
    """Return by how much the later lines of a cell stand in: as the marks of the first do."""
    return 2 if any(cell.startswith(("> ", "  ")) for cell in cells) else 0


def _lines(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 1),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
