"""A comparison across networks in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import data_sets_text
from .sweep_text import title
from .text import align, pvalue_text, told, unit, wrapped

if TYPE_CHECKING:
    from .across import AcrossNetworks
    from .data_sets import OverDataSets


def verdict(found: AcrossNetworks) -> str:
    """Say what holds over the networks."""
    over = found.over
    if len(over.models) == 2:
        return _of_two(over)
    apart = ", ".join(data_sets_text.by_wilcoxon(over))
    alone = apart or "no two are told apart"
    reach = data_sets_text.out_of_reach(over, "networks")
    return (
        f"{data_sets_text.best_told(over, 'networks')}: "
        f"{data_sets_text.ranks_told(over, 'networks')}; pair by pair {alone} (Wilcoxon, Holm)"
        f"{reach and f', nor could they be: {reach}'}."
    )


def _of_two(over: OverDataSets) -> str:
    (pair,), number = over.pairs, len(over.data_sets)
    better, worse = data_sets_text.ordered(over, pair)
    p = float(pair.wilcoxon.pvalue)
    claim = f"{better} beats {worse} over such networks"
    head = claim if p < 1 - over.confidence else f"No evidence that {claim}"
    wins = pair.wins if better == pair.first else pair.losses
    reach = data_sets_text.out_of_reach(over, "networks")
    return (
        f"{head}: it is better on {wins} of {number} (Wilcoxon, {pvalue_text(p)})"
        f"{reach and f'; for evidence {reach}'}."
    )


def heading(over: OverDataSets) -> str:
    """Head the table of error rates or of the other measure."""
    return title(over.measure).replace(" (*", f"{' in %' * over.measure.shares} (*")


def spread_told(found: AcrossNetworks) -> list[str]:
    """Say how much the true differences vary between networks; one line, or none."""
    measure = found.over.measure
    spread = ", ".join(
        f"{pair.first} - {pair.second} {told(measure, pair.hierarchical.details['tau'])}"
        for pair in found.over.pairs
        if pair.hierarchical is not None
    )
    if not spread:
        return []
    points = " (points)" * measure.shares
    return [f"True differences vary between networks with standard deviation{points}: {spread}."]


def full_text(found: AcrossNetworks) -> str:
    """Give verdict, errors, pairs, what each network says, and warnings for a terminal."""
    over = found.over
    lines = [
        wrapped(found.verdict),
        "",
        heading(over),
        align(data_sets_text.errors_rows(over)),
        *(wrapped(line) for line in data_sets_text.omnibus_lines(over)),
        "",
        f"Differences in {unit(over.measure)}",
        align(data_sets_text.pairs_rows(over)),
        *(wrapped(line) for line in data_sets_text.pairs_lines(over)),
        "",
        "Each network alone",
        *(wrapped(f"{name}: {each.verdict}", mark="- ") for name, each in found.networks.items()),
    ]
    lines += [part for line in spread_told(found) for part in ("", wrapped(line))]
    lines += ["", wrapped(found.claim)]
    if found.warnings:
        lines += ["", *(wrapped(str(warning), mark="! ") for warning in found.warnings)]
    return "\n".join(lines)
