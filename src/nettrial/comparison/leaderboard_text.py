"""An honest reading of a leaderboard in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .data_sets_text import errors_rows, omnibus_lines
from .leaderboard import INDEPENDENT_ONLY, NOT_JUDGED, SUPPORTED
from .multiple_text import bare, listed
from .text import align, points, wrapped

if TYPE_CHECKING:
    from .leaderboard import Leaderboard

MOST = 4  # models that are named in a line


def verdict(found: Leaderboard) -> str:
    """Count the claims by what supports them."""
    total = len(found.claims)
    counts = dict.fromkeys((SUPPORTED, INDEPENDENT_ONLY, NOT_JUDGED), 0)
    for claim in found.claims:
        counts[claim.reading] = counts.get(claim.reading, 0) + 1
    text = (
        f"{counts[SUPPORTED]} of {total} best entries are supported at the assumed correlation of "
        f"{found.correlation:.2g} between splits"
    )
    if counts[INDEPENDENT_ONLY]:
        text += f"; {counts[INDEPENDENT_ONLY]} more would be if the splits were independent"
    if counts[NOT_JUDGED]:
        text += f"; {counts[NOT_JUDGED]} cannot be judged (no standard deviation or splits told)"
    return f"{text}."


def claims_rows(found: Leaderboard) -> list[list[str]]:
    """Lay out the claims, one row a data set."""
    assumed = f"p at {found.correlation:.2g}"
    head = ["data set", "best", "hardest rival", "lead", "p indep.", assumed, "adjusted",
            "stands to", "worst pairing", "reading"]  # fmt: skip
    rows = [
        [claim.data_set, claim.best, claim.rival, points(claim.lead),
         bare(claim.pvalue_independent), bare(claim.pvalue), bare(claim.adjusted_pvalue),
         _correlation(claim.break_even), _correlation(claim.break_even_worst), claim.reading]
        for claim in found.claims
    ]  # fmt: skip
    return [head, *rows]


def _correlation(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def assumptions(found: Leaderboard) -> list[str]:
    """Return what the reading of single rows assumes; one line, or none where no row is judged."""
    if all(claim.reading == NOT_JUDGED for claim in found.claims):
        return []
    pairing = (
        "differences are taken split by split"
        if found.paired
        else "the scores of two models on a split are taken as uncorrelated (the column 'worst "
        "pairing' drops this)"
    )
    return [
        f"Assumed: scores vary between splits normally, with standard deviations over n - 1, and "
        f"two splits' scores correlate by {found.correlation:.2g} (test share; Nadeau and Bengio "
        f"2003); {pairing}. 'stands to' is the largest correlation at which the claim holds, "
        "adjusted for the number of data sets; on networks, where errors spread along links and "
        "training nodes are few, it can be far larger than the test share. All answers are for "
        "these data sets; other networks are another question."
    ]


def ties_told(found: Leaderboard) -> list[str]:
    """Return which models are not told apart from the best, data set by data set."""
    told = []
    for claim in found.claims:
        names = list(claim.not_told_apart)
        if names and claim.reading != NOT_JUDGED:
            more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
            told.append(f"{claim.data_set}: {listed(names[:MOST] + more)}")
    return told


def full_text(found: Leaderboard) -> str:
    """Return verdict, claims, assumptions and the reading over data sets for a terminal."""
    lines = [
        wrapped(found.verdict),
        "",
        "Claims 'this model is the best here' (lead in points)",
        align(claims_rows(found), left=3),
    ]
    tied = ties_told(found)
    if tied:
        lines += ["", "Not told apart from the best", *(wrapped(t, mark="- ") for t in tied)]
    lines += [part for line in assumptions(found) for part in ("", wrapped(line))]
    if found.over is not None:
        lines += ["", "Over the data sets (errors in %, * fewest)", align(errors_rows(found.over)),
                  *(wrapped(line) for line in omnibus_lines(found.over))]  # fmt: skip
    if found.warnings:
        lines += ["", *(wrapped(str(warning), mark="! ") for warning in found.warnings)]
    return "\n".join(lines)
