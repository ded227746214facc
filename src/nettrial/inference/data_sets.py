"""Several models over several data sets: ranks, signs, posteriors, and what they allow to claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import AssumptionWarning, InputError
from ..core.finding import Finding
from ..core.results import jsonable
from ..core.seeds import Seed, derive, freeze
from ..metrics.measures import MEASURES, Measure
from ..stats.bayes_signed_rank import RopePosterior, bayesian_signed_rank_test
from ..stats.comparisons import Comparisons, all_pairs, pair_names, read_names
from ..stats.friedman import friedman_test, iman_davenport_test
from ..stats.meta import random_effects
from ..stats.multiplicity import adjust_known
from ..stats.nemenyi import nemenyi_test
from ..stats.omnibus import OmnibusResult
from ..stats.result import TestResult
from ..stats.sign import sign_test
from ..stats.signed_rank import wilcoxon_test
from .margins import Ending, ending_at, t_parts, with_endings

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 12  # error rates that differ by rounding are equal


@dataclass(frozen=True, slots=True)
class PairOverDataSets:
    """Two models over data sets; estimates are the first's measure minus the second's.

    Attributes
    ----------
    first, second : str
        The models.
    mean_difference : float
        Plain mean over data sets.
    wins, losses, ties : int
        Data sets on which `first` is better, worse, as good.
    wilcoxon, sign : TestResult
        Signed-rank and sign test.
    wilcoxon_holm, sign_holm : float
        Their p-values after Holm's adjustment over all pairs.
    bayes : RopePosterior or None
        Bayesian signed-rank test, its "less" meaning that `first` is better; None without a rope.
    hierarchical : TestResult or None
        Random-effects mean; None without standard errors.
    """

    first: str
    second: str
    mean_difference: float
    wins: int
    losses: int
    ties: int
    wilcoxon: TestResult
    wilcoxon_holm: float
    sign: TestResult
    sign_holm: float
    bayes: RopePosterior | None
    hierarchical: TestResult | None


@dataclass(frozen=True, slots=True, repr=False)
class OverDataSets(Finding):
    """Models over data sets.

    Attributes
    ----------
    data_sets, models : tuple of str
        Names of rows and columns.
    scores : ndarray, shape (n_data_sets, n_models)
        Error rates, or the other measure that was asked for.
    friedman, iman_davenport : OmnibusResult
        Do all models have the same ranks?
    nemenyi : Comparisons
        All pairs by mean ranks; ``details`` has mean ranks and critical difference.
    pairs : tuple of PairOverDataSets
        All pairs, each judged without the other models.
    confidence : float
        Level of the intervals.
    measure : Measure
        What is compared; by default error rates.
    endings : tuple of Ending
        How the random-effects mean of each pair ends against the margin; empty without one.
    """

    data_sets: tuple[str, ...]
    models: tuple[str, ...]
    scores: NDArray[np.float64]
    friedman: OmnibusResult
    iman_davenport: OmnibusResult
    nemenyi: Comparisons
    pairs: tuple[PairOverDataSets, ...]
    confidence: float
    measure: Measure = MEASURES["error"]
    endings: tuple[Ending, ...] = ()

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Return what the reader must know of the tests; those of ranks only for several models."""
        tests: list[tuple[str, TestResult | OmnibusResult | Comparisons | None]] = []
        if len(self.models) > 2:
            tests += [
                ("Friedman and Iman-Davenport", test)
                for test in (self.friedman, self.iman_davenport)
            ]
            tests.append(("Nemenyi", self.nemenyi))
        for pair in self.pairs:
            both = f"{pair.first} minus {pair.second}"
            tests += [(f"Wilcoxon, {both}", pair.wilcoxon), (f"sign test, {both}", pair.sign)]
            tests.append(("random-effects mean", pair.hierarchical))
        notes = [f"{name}: {note}" for name, test in tests if test for note in test.notes]
        return tuple(AssumptionWarning(note) for note in dict.fromkeys(notes))

    @property
    def mean_ranks(self) -> dict[str, float]:
        """Return each model's mean rank, the best (1) first."""
        ranks: dict[str, float] = self.nemenyi.details["mean_ranks"]
        return dict(sorted(ranks.items(), key=lambda item: item[1]))

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a table, one row per pair."""
        import pandas as pd

        return pd.DataFrame(with_endings([_row(pair) for pair in self.pairs], self.endings))

    def _values(self) -> dict[str, Any]:
        return {
            "data_sets": self.data_sets,
            "models": self.models,
            "scores": self.scores,
            "confidence": self.confidence,
            "measure": self.measure.name,
            "better": self.measure.better,
            "mean_ranks": self.mean_ranks,
            "friedman": self.friedman.to_dict(),
            "iman_davenport": self.iman_davenport.to_dict(),
            "nemenyi": self.nemenyi.to_dict(),
            "pairs": with_endings(jsonable(list(self.pairs)), self.endings),
            **({"margin": self.endings[0].margin} if self.endings else {}),
        }


def over_data_sets(
    errors: ArrayLike,
    *,
    models: Sequence[str],
    data_sets: Sequence[str],
    standard_errors: ArrayLike | None = None,
    rope: float | None = 0.01,
    measure: Measure = MEASURES["error"],
    confidence: float = 0.95,
    margin: float | None = None,
    seed: Seed = 0,
) -> OverDataSets:
    """Compare several models over several independent data sets in the usual ways.

    Parameters
    ----------
    errors : array_like, shape (n_data_sets, n_models)
        Error rates, or what `measure` says. They are rounded to 12 digits, so that ties are ties.
    models, data_sets : sequence of str
        Names.
    standard_errors : array_like, shape (n_data_sets, n_pairs), optional
        Of the differences of all pairs, in the order of `all_pairs`; NaN or 0 leave a pair
        without hierarchical estimate.
    rope : float or None
        Half width of practical equivalence for the Bayesian test, in the measure; None leaves
        that test out.
    measure : Measure
        What is compared, and which values are better.
    confidence : float
        Level of the intervals.
    margin : float, optional
        The smallest difference that matters: each random-effects mean is held against it.
    seed : int, SeedSequence or Generator
        For the Bayesian test.

    Examples
    --------
    >>> found = over_data_sets([[0.1, 0.2], [0.2, 0.3], [0.1, 0.3]], models=["a", "b"],
    ...     data_sets=["x", "y", "z"])
    >>> found.mean_ranks, found.pairs[0].sign.pvalue
    ({'a': 1.0, 'b': 2.0}, 0.25)
    """
    table = np.asarray(errors, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise InputError(
            parameter="errors",
            expected="finite values of at least two data sets (rows) and two models (columns)",
            got=f"shape {table.shape}",
        )
    table, sign = np.round(table, DIGITS), measure.sign
    names, rows = read_names(models, table.shape[1]), read_names(data_sets, table.shape[0])
    first, second = pair_names(names, *all_pairs(len(names)))
    own = np.full((len(rows), len(first)), np.nan)
    if standard_errors is not None:
        own = np.asarray(standard_errors, dtype=np.float64)
        if own.shape != (len(rows), len(first)):
            raise InputError(
                parameter="standard_errors",
                expected=f"one row per data set and one column per pair, {(len(rows), len(first))}",
                got=f"{own.shape}",
            )
    place, entropy = {name: i for i, name in enumerate(names)}, freeze(seed)
    columns = [(table[:, place[a]], table[:, place[b]]) for a, b in zip(first, second)]
    wilcoxon = [wilcoxon_test(np.round(a - b, DIGITS), confidence=confidence) for a, b in columns]
    signs = [sign_test(a, b, confidence=confidence) for a, b in columns]
    adjusted = [
        adjust_known(np.array([float(test.pvalue) for test in tests]), "holm").tolist()
        for tests in (wilcoxon, signs)
    ]
    pairs = tuple(
        PairOverDataSets(
            first=first[i],
            second=second[i],
            mean_difference=float((a - b).mean()),
            wins=int((sign * a < sign * b).sum()),
            losses=int((sign * a > sign * b).sum()),
            ties=int((a == b).sum()),
            wilcoxon=wilcoxon[i],
            wilcoxon_holm=adjusted[0][i],
            sign=signs[i],
            sign_holm=adjusted[1][i],
            bayes=None
            if rope is None
            else bayesian_signed_rank_test(sign * a, sign * b, rope=rope, seed=derive(entropy, i)),
            hierarchical=random_effects(a - b, own[:, i], confidence=confidence)
            if np.isfinite(own[:, i]).all() and (own[:, i] > 0).all()
            else None,
        )
        for i, (a, b) in enumerate(columns)
    )
    endings = [_ending(margin, pair.hierarchical, confidence, len(pairs)) for pair in pairs]
    return OverDataSets(
        data_sets=rows,
        models=names,
        scores=table,
        friedman=friedman_test(sign * table),
        iman_davenport=iman_davenport_test(sign * table),
        nemenyi=nemenyi_test(sign * table, names=names, confidence=confidence),
        pairs=pairs,
        confidence=confidence,
        measure=measure,
        endings=tuple(each for each in endings if each is not None),
    )


def _ending(
    margin: float | None, mean: TestResult | None, confidence: float, tests: int
) -> Ending | None:
    """Return how a mean ends against a margin, as one of so many; without a mean nobody knows."""
    known = (math.nan, math.nan, math.nan)
    if mean is not None and isinstance(mean.df, float):
        known = float(mean.estimate), float(mean.standard_error), mean.df
    return ending_at(margin, t_parts(*known), confidence, tests, settled=mean is not None)


def _row(pair: PairOverDataSets) -> dict[str, Any]:
    row: dict[str, Any] = {
        name: getattr(pair, name)
        for name in ("first", "second", "mean_difference", "wins", "losses", "ties")
    }
    row |= {
        "wilcoxon_pvalue": pair.wilcoxon.pvalue,
        "wilcoxon_holm": pair.wilcoxon_holm,
        "sign_pvalue": pair.sign.pvalue,
        "sign_holm": pair.sign_holm,
    }
    if pair.bayes is not None:
        row |= {
            "prob_first_better": pair.bayes.prob_less,
            "prob_equal": pair.bayes.prob_rope,
            "prob_second_better": pair.bayes.prob_greater,
            "rope": pair.bayes.rope,
        }
    if pair.hierarchical is not None:
        test = pair.hierarchical
        row |= {
            "hierarchical_estimate": test.estimate,
            "hierarchical_low": test.ci_low,
            "hierarchical_high": test.ci_high,
            "hierarchical_pvalue": test.pvalue,
            "tau": test.details["tau"],
        }
    return row


def least_pvalue(n_data_sets: int) -> float:
    """Return the smallest two-sided p-value of a sign or signed-rank test.

    Examples
    --------
    >>> least_pvalue(6)
    0.03125
    """
    return float(2.0 ** (1 - n_data_sets))


def domain_claim(n_data_sets: int, n_pairs: int) -> str:
    """Return what a claim about a whole domain needs.

    Examples
    --------
    >>> print(domain_claim(4, 1))
    A claim about the domain needs networks that were drawn from it independently of each other \
(not parts or years of one) and of the models' design, and enough of them: with 4 networks no \
two-sided sign or signed-rank p-value can be below 0.125; at least 6 are needed for 0.05.
    """
    least = least_pvalue(n_data_sets)
    needed = next(n for n in range(2, 100) if n_pairs * least_pvalue(n) < 0.05)
    among = "" if n_pairs == 1 else f" after Holm's adjustment for {n_pairs} pairs"
    return (
        "A claim about the domain needs networks that were drawn from it independently of each "
        "other (not parts or years of one) and of the models' design, and enough of them: with "
        f"{n_data_sets} networks no two-sided sign or signed-rank p-value can be below {least:.3g}"
        f"{among and f', or {min(1.0, n_pairs * least):.3g}{among}'}; at least {needed} are needed "
        "for 0.05."
    )
