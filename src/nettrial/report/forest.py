"""The difference between two models on each of several networks, and its mean over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.wording import level
from ..metrics.amounts import NO_USE, says_nothing
from .canvas import scale_of
from .charts import Chart, ChartDisplay, Entry, symmetric
from .plots import interval_note

if TYPE_CHECKING:
    import pandas as pd

    from ..comparison.across import AcrossNetworks

MEAN = "mean over such networks"


@dataclass(frozen=True, slots=True)
class ForestDisplay(ChartDisplay):
    """Forest plot of the first pair of an `AcrossNetworks`."""

    found: AcrossNetworks

    def frame(self) -> pd.DataFrame:
        """Return one row per network, and a last one for the mean."""
        import pandas as pd

        rows = [
            (name, float(one.pairs.estimate[0]), float(one.pairs.ci_low[0]),
             float(one.pairs.ci_high[0]))
            for name, one in self.found.networks.items()
        ]  # fmt: skip
        mean = self.found.over.pairs[0].hierarchical
        if mean is not None:
            rows.append((MEAN, float(mean.estimate), float(mean.ci_low), float(mean.ci_high)))
        return pd.DataFrame(rows, columns=["network", "estimate", "ci_low", "ci_high"])

    def chart(self) -> Chart:
        """Return one row for each network, and one for the random-effects mean."""
        over, table = self.found.over, self.frame()
        measure, pair = over.measure, over.pairs[0]
        scale = scale_of(measure, table.iloc[:, 1:])
        rows = []
        for name, estimate, low, high in table.itertuples(index=False, name=None):
            useless, last = says_nothing(measure, low, high), name == MEAN
            known = not (useless or math.isnan(low) or math.isnan(high))
            note = interval_note(scale, low, high, NO_USE if useless else "no interval", known)
            ends = [scale.factor * end if known else math.nan for end in (low, high)]
            rows.append(Entry(name, scale.factor * estimate, ends[0], ends[1],
                              (scale.note(estimate), note), mark="D" if last else "o",
                              strong=last))  # fmt: skip
        return Chart(
            tuple(rows),
            ("difference", f"{level(over.confidence)} interval"),
            "",
            symmetric(rows, scale.least),
            of=(scale, pair.first, pair.second),
            zero=True,
        )
