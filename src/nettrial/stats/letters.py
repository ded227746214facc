"""Compact letters: which items do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from .comparisons import text_names


@check_arguments
def compact_letters(names: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return letters for each name, so that two names share one if and only if they do not differ.

    When to use it: to show the outcome of all pairwise comparisons in one column of a table.
    It assumes that the pairs were judged together, at one level. Sharing a letter does *not*
    mean that two are equal, only that no difference was found.

    Parameters
    ----------
    names : sequence of str
        In the order of the table, the best first; letters start there.
    different : iterable of (str, str)
        The pairs that differ.

    Returns
    -------
    dict of str to str
        Letters a, b, ..., z, then a1, b1, ...

    Raises
    ------
    InputError
        For names that occur twice, or pairs of unknown or equal names.

    Notes
    -----
    Insert and absorb: start from one column that holds all; for each pair that differs, split
    every column that holds both into one without the first and one without the second, and drop
    columns that lie within another.

    References
    ----------
    Piepho (2004), Journal of Computational and Graphical Statistics 13, 456-466.

    Examples
    --------
    >>> compact_letters(["gcn", "nlb", "wvrn"], [("gcn", "wvrn")])
    {'gcn': 'a', 'nlb': 'ab', 'wvrn': 'b'}
    """
    names = text_names("names", names)
    if len(set(names)) != len(names):
        raise InputError(parameter="names", expected="different ones", got=", ".join(names))
    try:
        pairs = [(str(one), str(other)) for one, other in different]
    except (TypeError, ValueError) as error:
        raise InputError(
            parameter="different", expected="pairs of names", got=f"something else ({error})"
        ) from error
    columns: list[frozenset[str]] = [frozenset(names)]
    for one, other in pairs:
        if one == other or not {one, other} <= set(names):
            raise InputError(
                parameter="different", expected="two of the names", got=shown((one, other))
            )
        split = [c for c in columns if not {one, other} <= c]
        for column in columns:
            if {one, other} <= column:
                split += [column - {one}, column - {other}]
        columns = _absorbed(split)
    place = {name: i for i, name in enumerate(names)}
    columns.sort(key=lambda column: sorted(place[name] for name in column))
    return {
        name: "".join(_letter(i) for i, column in enumerate(columns) if name in column)
        for name in names
    }


def _absorbed(columns: list[frozenset[str]]) -> list[frozenset[str]]:
    kept: list[frozenset[str]] = []
    for column in sorted(set(columns), key=len, reverse=True):
        if column and not any(column <= larger for larger in kept):
            kept.append(column)
    return kept


def _letter(place: int) -> str:
    turn, letter = divmod(place, 26)
    return chr(ord("a") + letter) + (str(turn) if turn else "")
