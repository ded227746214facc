"""Pairs of models: their names, their differences, and which of them are told apart."""

from __future__ import annotations

from collections.abc import Sequence

from ..stats.comparisons import Comparisons, all_pairs


def pairs_of(
    names: Sequence[str], control: str | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first and second model of each pair: all pairs, or each model and the control.

    Examples
    --------
    >>> pairs_of(["a", "b", "c"], "b")
    (('a', 'c'), ('b', 'b'))
    """
    if control is not None:
        others = tuple(name for name in names if name != control)
        return others, (control,) * len(others)
    i, j = all_pairs(len(names))
    return tuple(names[k] for k in i), tuple(names[k] for k in j)


def significant(pairs: Comparisons) -> list[tuple[str, str]]:
    """Return the pairs that differ at the level of the intervals."""
    differ = pairs.adjusted_pvalue < 1 - pairs.confidence
    return [(a, b) for a, b, yes in zip(pairs.first, pairs.second, differ) if yes]
