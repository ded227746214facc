"""What a report on a leaderboard says."""

from __future__ import annotations

from dataclasses import replace

from ...core.wording import listed
from ...published.leaderboard import INDEPENDENT_ONLY, NOT_JUDGED, SCORE, SUPPORTED, Leaderboard
from ...published.table import Entry
from .. import cells
from ..displays import BoardDisplay, printed
from ..document import (
    Blocks,
    Document,
    Figure,
    Items,
    Name,
    Paragraph,
    Row,
    Table,
    Verdict,
    cautions,
    rows,
)
from ..references import cite
from . import over
from .base import describe
from .common import software
from .margin import ending_cells, ending_head, endings_note, margin_cited
from .settings import settings_table

MOST = 4  # models that are named in a line


@describe.register
def _leaderboard(found: Leaderboard) -> Document:
    text, ties = _answer(found), tuple(_ties(found))
    headline, _, rest = text.partition("; ")
    ends = _endings(found)
    return Document(
        kind=f"A table of {len(found.claims):,} data sets",
        verdict=Verdict(
            headline.rstrip("."),
            f"{text}{ends}",
            f"{rest[:1].upper()}{rest[1:]}{ends}".strip(),
            _facts(found),
        ),
        blocks=(
            Figure(
                "The best entry of each data set, its runner-up and those that follow: mean and "
                "standard deviation over splits, as printed. A full mark is a best entry that is "
                "supported.",
                BoardDisplay(found), "The table",
            ),
            _claims(found),
            *([Items("Not significantly different from the best", ties)] if ties else []),
            *(Paragraph(line, "What was assumed") for line in _assumptions(found)),
            *_printed(found),
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        brief=(_brief(found),),
        paper=(*_printed(found), replace(_brief(found), title=_claims(found).title)),
    )  # fmt: skip


def _facts(found: Leaderboard) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    readings = [claim.reading for claim in found.claims]
    return (
        (f"{readings.count(SUPPORTED):,} of {len(readings):,}", "best entries are supported"),
        (f"{readings.count(INDEPENDENT_ONLY):,}", "more if splits were independent"),
        (f"{found.correlation:.2g}", "correlation between splits, assumed"),
        (f"{len({entry.model for entry in found.entries}):,}", "models in the table"),
    )


def _printed(found: Leaderboard) -> tuple[Table, ...]:
    """Return the table as it is printed, with mean ranks and tests over the data sets."""
    models = list(dict.fromkeys(entry.model for entry in found.entries))
    held = {(entry.data_set, entry.model): entry for entry in found.entries}
    # what looks as good as the best is marked, too
    tops = {claim.data_set: _mean(held[claim.data_set, claim.best]) for claim in found.claims}
    body = [
        [
            cells.words(claim.data_set),
            *(
                cells.numbers(
                    printed(held[claim.data_set, model]),
                    best=_mean(held[claim.data_set, model]) == tops[claim.data_set],
                )
                if (claim.data_set, model) in held
                else cells.numbers(cells.NONE)
                for model in models
            ),
        ]
        for claim in found.claims
    ]
    below: tuple[str, ...] = ()
    if found.over is not None:
        ranks, below = (
            found.over.mean_ranks,
            tuple(f"{line}." for line in over.omnibus_lines(found.over)),
        )
        body.append(
            [cells.words("mean rank"), *(cells.number(ranks.get(m), ".2f") for m in models)]
        )
    better = "lowest" if found.errors else "highest"
    return (
        Table(
            "As printed, in %", ("data set", *models), rows(body), f"{better} score", below=below
        ),
    )


def _mean(entry: Entry) -> str:
    return printed(entry).partition(" ")[0]


def _answer(found: Leaderboard) -> str:
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
        text += (
            f"; {counts[NOT_JUDGED]} cannot be judged (standard deviation or number of splits "
            "missing)"
        )
    partly = [claim for claim in found.claims if claim.not_judged and claim.reading != NOT_JUDGED]
    if partly:
        text += (
            f"; {len(partly)} {'is' if len(partly) == 1 else 'are'} judged against the models with "
            "a standard deviation only"
        )
    return f"{text}."


def _endings(found: Leaderboard) -> str:
    """Return how the leads end against a margin; empty without one."""
    leads = [(claim.best, claim.rival) for claim in found.claims]
    where = [f" on {claim.data_set}" for claim in found.claims]
    return endings_note(leads, found.endings, SCORE, where)


def _claims(found: Leaderboard) -> Table:
    body = [
        [cells.words(claim.data_set), cells.words(claim.best), cells.words(claim.rival),
         cells.difference_of_shares(claim.lead), cells.pvalue(claim.pvalue_independent),
         cells.pvalue(claim.pvalue), cells.pvalue(claim.adjusted_pvalue),
         cells.number(claim.break_even, ".3f"), cells.number(claim.break_even_worst, ".3f"),
         cells.words(claim.reading), *end]
        for claim, end in zip(found.claims, ending_cells(found.endings, len(found.claims)))
    ]  # fmt: skip
    return Table(
        "Claims 'this model is the best here' (lead in percentage points)",
        ("data set", "best", "runner-up", "lead", "p independent",
         f"p at {found.correlation:.2g}", "p adjusted", "stands to", "worst pairing", "reading",
         *ending_head(found.endings)),
        rows(body),
        fold=True,
    )  # fmt: skip


def _brief(found: Leaderboard) -> Table:
    """Return the claims without what they would need."""
    table, kept = _claims(found), (0, 1, 2, 3, 6, 9, *([10] if found.endings else []))
    body = [Row(tuple(row.cells[i] for i in kept)) for row in table.rows]
    return replace(table, title="", head=tuple(table.head[i] for i in kept), rows=tuple(body))


def _assumptions(found: Leaderboard) -> list[str]:
    """Return what the reading of single rows assumes; one line, or none if no row is judged."""
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


def _ties(found: Leaderboard) -> list[str]:
    """Return which models do not differ significantly from the best, by data set."""
    lines = []
    for claim in found.claims:
        names = list(claim.not_distinguished)
        if names and claim.reading != NOT_JUDGED:
            more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
            lines.append(f"{claim.data_set}: {listed(names[:MOST] + more)}")
    return lines


def _details(found: Leaderboard) -> Blocks:
    own = {
        "models": len({entry.model for entry in found.entries}),
        "data sets": len(found.claims),
        "assumed correlation between splits": found.correlation,
        "scores are paired": found.paired,
        "lower is better": found.errors,
        "confidence": found.confidence,
    }
    return (settings_table(own, {}),)


def _methods(found: Leaderboard, name: Name) -> str:
    models = {entry.model for entry in found.entries}
    data_sets = listed([name(claim.data_set) for claim in found.claims])
    pairing = (
        "from differences split by split"
        if found.paired
        else "with the scores of two models on a split taken as uncorrelated"
    )
    return (
        f"The table holds {len(models):,} models on {len(found.claims):,} data sets ({data_sets}). "
        "For each data set the best model was compared with every other one by a t-test whose "
        f"variance allows for a correlation of {found.correlation:.2g} between the scores of two "
        f"splits {cite('nadeau2003')}, {pairing}; the largest two-sided p-value supports the claim "
        f"that it is the best {cite('hung2019')}, adjusted for the number of data sets. We also "
        "give the p-value for independent splits and the largest correlation at which the claim "
        f"stands. {margin_cited(next(iter(found.endings), None), SCORE)}"
        "Ranks over data sets are compared as by Friedman and Nemenyi "
        f"{cite('demsar2006')}. {software({}, name)}"
    )
