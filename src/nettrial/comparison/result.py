"""What a comparison found: the verdict in words, every test, every estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import unknown_choice
from ..core.finding import Finding
from ..inference.margins import Ending, NextNetwork, next_network
from ..inference.outcome import OTHER_NETWORKS, NetworkTest
from ..inference.variance_sources import Sources
from ..metrics.measures import MEASURES, Measure
from ..study.node_study import Predictions
from .notes import network_facts

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ..stats.comparisons import Comparisons
    from .baseline import Baseline
    from .prior_tests import PriorTests


COLUMNS = ("name", "method", "question", "estimate", "standard_error", "statistic", "df", "pvalue",
           "ci_low", "ci_high", "warnings")  # fmt: skip


def against_margin(ending: Ending | None) -> dict[str, Any]:
    """Return what `to_dict` holds of a margin; nothing without one."""
    if ending is None:
        return {}
    within = {"ci_low": ending.low, "ci_high": ending.high, "confidence": ending.confidence}
    return {"margin": ending.margin, "ending": ending.name, "margin_interval": within}


class OfTwo(Finding):
    """Base of the results on two models, which hold several tests of one difference."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of some, made from others elsewhere
        tests: tuple[NetworkTest, ...]
        recommended: str

        @property
        def measure(self) -> Measure:
            """What is compared."""

        @property
        def difference(self) -> float:
            """The measure of a minus that of b."""

    @property
    def a_is_better(self) -> bool:
        """Whether a has the better measure, or the same."""
        return self.measure.sign * self.difference <= 0

    @property
    def settled(self) -> bool:
        """Whether the test of the verdict has the degrees of freedom that a verdict takes."""
        from ..inference.registry import PROCEDURES  # loads what runs models

        best = self.test(self.recommended)
        chosen = PROCEDURES.get(best.name)
        other_networks = best.question == OTHER_NETWORKS
        return not other_networks or chosen is None or chosen.settles(best.df)

    @check_arguments
    def test(self, name: str) -> NetworkTest:
        """Return one test by its name, or another name of it."""
        from ..inference.registry import canonical  # loads what runs models

        for test in self.tests:
            if test.name == canonical(name):
                return test
        raise unknown_choice("test", name, [test.name for test in self.tests])

    def to_frame(self) -> pd.DataFrame:
        """Return the tests as a table, one row per test."""
        import pandas as pd

        return pd.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        tests = [test.to_dict() for test in self.tests]
        return [{name: values[name] for name in COLUMNS} for values in tests]


class OfSeveral(Finding):
    """Base of the results on several models, whose pairs are judged as one family."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of all
        scores: Mapping[str, float]  # the best first
        score_intervals: Mapping[str, tuple[float, float]]
        control: str | None
        pairs: Comparisons
        letters: Mapping[str, str]
        confidence: float
        recommended: str
        reason: str
        measure: Measure
        prior_tests: PriorTests | None
        endings: tuple[Ending, ...]

        @property
        def baseline(self) -> Baseline | None:
            """What is reached without a model."""

    @property
    def best(self) -> str:
        """Name of the best model."""
        return next(iter(self.scores))

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """The ranks that each model may have: the best and the worst one; empty beside a control.

        By the simultaneous tests of all pairs, rank 1 plus the number of models that are surely
        better is the best one, and the number of models less those that are surely worse the worst.
        """
        if self.control is not None:
            return {}
        found = {name: [1, len(self.scores)] for name in self.scores}
        for better, worse in self.wins:
            found[worse][0] += 1
            found[better][1] -= 1
        return {name: (best, worst) for name, (best, worst) in found.items()}

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Models of which none is surely better: the best is one of them; empty by a control."""
        return tuple(name for name, (best, _) in self.ranks.items() if best == 1)

    @property
    def wins(self) -> list[tuple[str, str]]:
        """Pairs that differ significantly, the better model first."""
        pairs = self.pairs
        return [
            (a, b) if self.measure.sign * difference < 0 else (b, a)
            for a, b, difference, yes in zip(
                pairs.first, pairs.second, pairs.estimate.tolist(), pairs.significant
            )
            if yes
        ]

    @property
    def settled(self) -> tuple[bool, ...]:
        """Of each pair, whether its test has the degrees of freedom that a verdict takes."""
        from ..inference.registry import PROCEDURES  # loads what runs models

        chosen, df = PROCEDURES.get(self.recommended), self.pairs.df
        if chosen is None or df is None:
            return (True,) * len(self.pairs.first)
        return tuple(map(chosen.settles, df.tolist()))

    def _models(self) -> list[dict[str, Any]]:
        return [
            {
                "model": model,
                "score": score,
                "ci_low": self.score_intervals[model][0],
                "ci_high": self.score_intervals[model][1],
                "letters": self.letters.get(model),
                "ranks": self.ranks.get(model),
            }
            for model, score in self.scores.items()
        ]

    def _pairs(self) -> dict[str, Any]:
        margin = {"margin": self.endings[0].margin} if self.endings else {}
        return margin | {"pairs": self.to_frame().to_dict("records")}

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a table, one row per pair."""
        details = self.pairs.details
        found = self.pairs.to_frame().assign(
            holm_pvalue=details["holm_pvalue"], usual_pvalue=details["usual_pvalue"]
        )
        return found.assign(ending=[e.name for e in self.endings]) if self.endings else found


class OfScores(OfTwo):
    """Base of the results on two models that keep the measure of each on every split."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of all
        a: str
        b: str
        scores_by_split: Mapping[str, NDArray[np.float64]]

    @property
    def scores(self) -> dict[str, float]:
        """The measure of each model, the mean over splits."""
        return {name: float(values.mean()) for name, values in self.scores_by_split.items()}

    @property
    def difference(self) -> float:
        """The measure of a minus that of b."""
        return self.scores[self.a] - self.scores[self.b]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(OfScores):
    """The outcome of comparing model `a` with model `b`; differences are always a minus b.

    Attributes
    ----------
    a, b : str
        Names of the models.
    predictions : Predictions
        What was predicted, split by split; holds the network and the splits.
    design : str
        How the splits were drawn.
    labeled : float or None
        Proportion of labeled nodes in training, or of the links that models saw; None where the
        splits were given.
    seed : int or None
        The frozen seed; None where the splits were given.
    confidence : float
        Level of the intervals.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    tests : tuple of NetworkTest
        Every test that was made.
    recommended : str
        Name of the test whose answer is the verdict.
    reason : str
        Why that test.
    estimates : mapping
        p, q, rho, effective_n of each model's errors; links, n, m, autocorrelation, lemma1. Of
        predicted numbers n, m and autocorrelation alone; of links nothing.
    warnings : tuple of Warning
        Warnings that bear on the verdict.
    settings : mapping
        Further settings, and versions.
    scores_by_split : mapping of str to ndarray, each (n_splits,)
        The measure of each model on each split.
    measure : Measure
        What is compared; by default error rates.
    sources : tuple of Sources
        Where the variance of each model's measure, and of each difference, comes from: networks,
        splits, training seeds. Empty with one training seed.
    prior_tests : PriorTests or None
        What the verdict is worth after other comparisons on this test set, where `n_prior_tests`
        says how many.
    baseline : Baseline or None
        What is reached without a model: always the commonest class, the mean of the target, or
        links ranked by the degrees of their two ends.
    ending : Ending or None
        How the verdict ends against the margin, where there is one.
    """

    a: str
    b: str
    predictions: Predictions
    design: str
    labeled: float | None
    seed: int | None
    confidence: float
    communities: NDArray[np.int32]
    tests: tuple[NetworkTest, ...]
    recommended: str
    reason: str
    estimates: Mapping[str, Any]
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    scores_by_split: Mapping[str, NDArray[np.float64]]
    measure: Measure = MEASURES["error"]
    sources: tuple[Sources, ...] = ()
    prior_tests: PriorTests | None = None
    baseline: Baseline | None = None
    ending: Ending | None = None

    @property
    def next_network(self) -> NextNetwork | None:
        """What the difference is expected to be on one more network like this one.

        None where models were not run again.
        """
        from ..inference.registry import PROCEDURES  # loads what runs models

        test = self.test(self.recommended)
        chosen, error = PROCEDURES.get(test.name), test.standard_error
        if chosen is None or chosen.needs != "models" or not error > 0 or test.df is None:
            return None
        apart = self.scores_by_split[self.a] - self.scores_by_split[self.b]
        splits = float(apart.var(ddof=1)) / apart.size if apart.size > 1 else 0.0
        return next_network(
            test.estimate, error, test.df, splits, self.confidence, self.measure.sign
        )

    def _values(self) -> dict[str, Any]:
        network = self.predictions.network
        return {
            "a": self.a,
            "b": self.b,
            **network_facts(network),
            "design": self.design,
            "labeled": self.labeled,
            "n_splits": len(self.predictions.splits),
            "seed": self.seed,
            "confidence": self.confidence,
            "measure": self.measure.name,
            "better": self.measure.better,
            "scores": self.scores,
            "difference": self.difference,
            "baseline": None if self.baseline is None else self.baseline._asdict(),
            "seconds": self.predictions.median_seconds,
            "megabytes": self.predictions.median_megabytes,
            "recommended": self.recommended,
            "settled": self.settled,
            "next_network": None if self.next_network is None else self.next_network._asdict(),
            "reason": self.reason,
            "tests": [test.to_dict() for test in self.tests],
            "estimates": self.estimates,
            "sources": [each.to_dict() for each in self.sources],
            "settings": self.settings,
            **against_margin(self.ending),
            **({} if self.prior_tests is None else {"prior_tests": self.prior_tests}),
        }
