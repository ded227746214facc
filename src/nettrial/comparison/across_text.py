"""A comparison across networks in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .data_sets_text import errors_rows, omnibus_lines, pairs_rows
from .text import align, points, wrapped

if TYPE_CHECKING:
    from .across import AcrossNetworks


def verdict(found: AcrossNetworks) -> str:
    """Say what holds over the networks."""
    over, level = found.over, 1 - found.over.confidence
    best = next(iter(over.mean_ranks))
    sure = [pair for pair in over.pairs if pair.wilcoxon_holm < level]
    told = [
        f"{pair.first} beats {pair.second}" if pair.mean_difference < 0
        else f"{pair.second} beats {pair.first}"
        for pair in sure
    ]  # fmt: skip
    holds = "; ".join(told) or "no pair of models is told apart"
    return (
        f"{best} has the best mean rank over {len(over.data_sets)} networks. Over such networks "
        f"(Wilcoxon, Holm): {holds}."
    )


def spread_told(found: AcrossNetworks) -> list[str]:
    """Say how much the true differences vary between networks; one line, or none."""
    spread = ", ".join(
        f"{pair.first} - {pair.second} {points(pair.hierarchical.details['tau'])}"
        for pair in found.over.pairs
        if pair.hierarchical is not None
    )
    if not spread:
        return []
    return [f"True differences vary between networks with standard deviation (points): {spread}."]


def full_text(found: AcrossNetworks) -> str:
    """Give verdict, errors, pairs and what each network says for a terminal."""
    over = found.over
    lines = [
        wrapped(found.verdict),
        "",
        "Error rates in % (* fewest)",
        align(errors_rows(over)),
        "",
        *(wrapped(line) for line in omnibus_lines(over)),
        "",
        "Differences in error rate, percentage points",
        align(pairs_rows(over)),
        "",
        "Each network alone",
        *(wrapped(f"{name}: {each.verdict}", mark="- ") for name, each in found.networks.items()),
    ]
    lines += [part for line in spread_told(found) for part in ("", wrapped(line))]
    return "\n".join([*lines, "", wrapped(found.claim)])
