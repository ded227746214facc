"""A comparison across networks in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .data_sets_text import errors_table, omnibus_lines, pairs_table
from .text import points, wrapped

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


def full_text(found: AcrossNetworks) -> str:
    """Give verdict, errors, pairs and what each network says for a terminal."""
    over = found.over
    lines = [
        wrapped(found.verdict),
        "",
        "Error rates in % (* fewest)",
        errors_table(over),
        "",
        *(wrapped(line) for line in omnibus_lines(over)),
        "",
        "Differences in error rate, percentage points",
        pairs_table(over),
        "",
        "Each network alone",
        *(wrapped(f"{name}: {each.verdict}", mark="- ") for name, each in found.networks.items()),
    ]
    if any(pair.hierarchical is not None for pair in over.pairs):
        spread = ", ".join(
            f"{pair.first} - {pair.second} {points(pair.hierarchical.details['tau'])}"
            for pair in over.pairs
            if pair.hierarchical is not None
        )
        lines += ["", wrapped(f"True differences vary between networks with standard deviation "
                              f"(points): {spread}.")]  # fmt: skip
    return "\n".join([*lines, "", wrapped(found.claim)])
