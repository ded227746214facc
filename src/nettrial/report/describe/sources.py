"""What reports say of networks, splits and training seeds as sources of variance."""

from __future__ import annotations

from ...auditing.plan_result import Plan
from ...comparison.multiple import MultipleComparison
from ...comparison.result import Comparison
from ...metrics.amounts import amount_with_unit, noun
from .. import cells
from ..bars import SourcesDisplay, called
from ..document import Blocks, Figure, Table, rows

TITLE = "Where the variance comes from"


def sources_of_variance(found: Comparison | MultipleComparison | Plan) -> Blocks:
    """Return a picture and a table of the three sources; nothing with one training seed."""
    if not found.sources:
        return ()
    measure, sources = found.measure, found.sources
    k, r = sources[0].n_splits, sources[0].n_seeds
    body = [
        [
            called(each, sources),
            *(cells.value(measure, part**0.5) for part in (each.network, each.split, each.seed)),
            cells.value(measure, each.standard_error()),
            *(
                cells.value(measure, each.standard_error(**{what: 2}))
                for what in ("seeds", "splits", "networks")
            ),
        ]
        for each in sources
    ]
    last = sources[-1]
    more = f"Splits and seeds explain all of the variance of {last.name}."
    if last.network > 0:
        more = (
            f"However many splits and seeds there are on this one network, that of {last.name} "
            f"does not fall below {amount_with_unit(measure, last.network**0.5)}."
        )
    return (
        Figure(
            f"Share of the variance of the mean {noun(measure)} over {k} splits with {r} training "
            "seeds each, and of the differences, that is between networks, between splits of one "
            "network, and between training seeds on one split.",
            SourcesDisplay(sources),
            TITLE,
        ),
        Table(
            "Three sources of variance",
            ("of", "networks", "splits", "seeds", "s.e. as it is", "twice the seeds",
             "twice the splits", "a second network"),
            rows(body),
            below=(
                "Standard deviation from network to network, from split to split, and from "
                "training seed to training seed on one split (random effects); then the standard "
                f"error of the mean as it is, and with twice as many of one of them. {more}",
            ),
        ),
    )  # fmt: skip
