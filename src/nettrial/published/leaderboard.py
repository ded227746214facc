"""leaderboard(): which bold entries of a published table are supported."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, shown
from ..core.finding import Finding
from ..core.results import jsonable
from ..inference.data_sets import OverDataSets, over_data_sets
from ..inference.margins import Ending, check_margin, ending_at, t_parts, with_endings
from ..io.frames import Frame
from ..metrics.measures import MEASURES
from ..numeric.checks import count
from ..stats.result import check_confidence
from .layout import ModelsIn, less_is_better
from .table import Entry, complete_part, read_entries

if TYPE_CHECKING:
    import pandas as pd

SUPPORTED = "supported"
INDEPENDENT_ONLY = "only if splits were independent"
UNSUPPORTED = "not supported"
NOT_JUDGED = "cannot be judged"
FEWEST_MODELS = 2
SCORE = replace(MEASURES["error"], title="score")  # what a margin is held against


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that one model is the best on one data set.

    Attributes
    ----------
    data_set, best, rival : str
        The data set, its best model, and the model that is hardest to tell apart from it.
    lead : float
        Mean score of `best` minus that of `rival`, positive where `best` is better.
    standard_error : float
        Of the lead, at the assumed correlation between splits.
    df : float
        Its degrees of freedom, the number of splits less one.
    pvalue_independent : float
        Two-sided p-value with independent splits: the smallest that the table can support.
    pvalue : float
        At the assumed correlation.
    adjusted_pvalue : float
        The same times the number of data sets (Bonferroni).
    break_even : float
        Largest correlation between splits at which the adjusted p-value still reaches the level;
        NaN where none does.
    break_even_worst : float
        The same if the two models' scores were as unfavorably paired as their standard
        deviations allow (correlation -1); equal to `break_even` where pairs are known.
    reading : str
        "supported", "only if splits were independent", "not supported" or "cannot be judged".
    not_distinguished : tuple of str
        Models that do not differ significantly from the best at the assumed correlation.
    not_judged : tuple of str
        Models without a standard deviation or number of splits: the reading is against the others.
    """

    data_set: str
    best: str
    rival: str
    lead: float
    standard_error: float
    df: float
    pvalue_independent: float
    pvalue: float
    adjusted_pvalue: float
    break_even: float
    break_even_worst: float
    reading: str
    not_distinguished: tuple[str, ...]
    not_judged: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Finding):
    """An honest reading of a table of results.

    Attributes
    ----------
    entries : tuple of Entry
        What the table holds; scores are proportions.
    claims : tuple of Claim
        One per data set with at least two models.
    over : OverDataSets or None
        The models over the data sets, by 1 - score (or the score, if errors); None for one data
        set or fewer than two models that are on all.
    left_out : tuple of str
        Models that are not on every data set and so not in `over`.
    notes : tuple of str
        What was set aside or assumed in reading the table.
    correlation : float
        Assumed correlation between the scores of two splits.
    paired : bool
        Whether models were measured on the same splits.
    errors : bool
        Whether lower scores are better.
    confidence : float
        1 minus the level.
    endings : tuple of Ending
        How each lead over the runner-up ends against the margin, as one of so many data sets; empty
        without one.
    """

    entries: tuple[Entry, ...]
    claims: tuple[Claim, ...]
    over: OverDataSets | None
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    correlation: float
    paired: bool
    errors: bool
    confidence: float
    endings: tuple[Ending, ...] = ()

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """What was assumed in reading the table, and warnings about the result over data sets."""
        note: tuple[Warning, ...] = tuple(map(AssumptionWarning, self.notes))
        lacking = [
            f"{claim.data_set}: {', '.join(claim.not_judged)}"
            for claim in self.claims
            if claim.not_judged and claim.reading != NOT_JUDGED
        ]
        if lacking:
            note += (
                AssumptionWarning(
                    "without a standard deviation or number of splits, so that the best is judged "
                    f"against the others only: {'; '.join(lacking)}"
                ),
            )
        if self.left_out:
            names = ", ".join(self.left_out)
            note += (
                AssumptionWarning(f"not on every data set and left out of the ranks: {names}"),
            )
        return note if self.over is None else note + self.over.warnings

    def to_frame(self) -> pd.DataFrame:
        """Return the claims as a table, one row per data set."""
        import pandas as pd

        return pd.DataFrame(self._claims())

    def _claims(self) -> list[dict[str, Any]]:
        return with_endings(jsonable(list(self.claims)), self.endings)

    def _values(self) -> dict[str, Any]:
        cells = ("data_set", "model", "mean", "sd", "n_splits")
        return {
            "entries": [{name: getattr(e, name) for name in cells} for e in self.entries],
            "claims": self._claims(),
            "over_data_sets": None if self.over is None else self.over.to_dict(),
            "left_out": self.left_out,
            "correlation": self.correlation,
            "paired": self.paired,
            "errors": self.errors,
            "confidence": self.confidence,
            **({"margin": self.endings[0].margin} if self.endings else {}),
        }


@check_arguments
def leaderboard(
    table: str | PathLike[str] | Mapping[str, Any] | Frame,
    *,
    test_share: float,
    data_set: str | None = None,
    model: str | Sequence[str] | None = None,
    mean: str | None = None,
    sd: str | None = None,
    value: str | None = None,
    models_in: ModelsIn | None = None,
    n_splits: int | None = None,
    paired: bool = False,
    errors: bool | None = None,
    confidence: float = 0.95,
    margin: float | None = None,
) -> Leaderboard:
    r"""Read a table of published or saved results: which best entries are supported?

    Whether a lead holds depends on how strongly the scores of two splits vary together, since
    their training (and test) sets overlap; a table does not tell. So three answers are given:
    with independent splits, the most that the table could support; with a correlation equal to
    the share of data that is tested, as Nadeau and Bengio (2003) suggest for random splits; and
    the correlation up to which the claim stands.

    Parameters
    ----------
    table : path, DataFrame or mapping of columns
        One of three forms. Wide: models in rows and data sets in columns, or the other way round,
        with cells such as "0.81", "81.2 ± 0.4", "81.2 (0.4)", "$81.2 \\pm 0.4$", "81.2%", "OOM"
        or "-"; bold type and marks are taken off. Long: one row per entry, with columns for data
        set, model, mean and standard deviation, and perhaps `n_splits`. Single scores: one row a
        split, with the column named by `value`; further columns number the splits. Or wide with
        single scores: a column called seed, run, split, fold, ... says that rows are runs. A file
        holds a CSV, Markdown or LaTeX table.
    test_share : float
        Test size over training and test size of a split: the assumed correlation between splits.
    data_set, mean, sd, value : str, optional
        Names of columns, where they are not the usual words.
    model : str or sequence of str, optional
        The column, or the columns that together name a model.
    models_in : {"rows", "columns"}, optional
        Where the models of a wide table are, if the table does not show it: a first column called
        Model or Dataset does, or well-known names.
    n_splits : int, optional
        Number of splits behind the means of which no column says it.
    paired : bool
        Whether single scores with the same key are from the same split for all models.
    errors : bool, optional
        Whether lower scores are better. By default as the columns are called: they are of MAE,
        RMSE, loss and the like.
    confidence : float
        1 minus the level of the tests.
    margin : float, optional
        The smallest lead that matters, as a proportion: 0.01 is one percentage point. Each lead
        over the runner-up is then held against it, at the assumed correlation.

    Returns
    -------
    Leaderboard
        For k splits, correlation :math:`\rho` and the standard deviation s of a difference of
        single scores, the variance of a mean difference is
        :math:`s^2 (1/k + \rho/(1-\rho))`, judged by t with k - 1 degrees of freedom. Without
        pairs :math:`s^2 = s_1^2 + s_2^2`. The p-value of "the best is the best" is the largest of
        the two-sided p-values against the others, which needs no correction for having chosen the
        best by its score (Hung and Fithian 2019, for normal means of equal variance), times the
        number of data sets.

    Raises
    ------
    InputError
        For a table that cannot be read, no data set with two models, `paired` without single
        scores or with splits that differ, a share outside (0, 1), or fewer than one split.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281. Hung and Fithian (2019), Annals of
    Statistics 47, 758-782.

    Examples
    --------
    >>> found = leaderboard({"dataset": ["cora", "citeseer"], "gcn": ["81.5 ± 0.5", "70.3 ± 0.7"],
    ...     "gat": ["83.0 ± 0.7", "72.5 ± 2.0"]}, n_splits=100, test_share=0.35)
    >>> [(claim.best, claim.reading) for claim in found.claims]
    [('gat', 'supported'), ('gat', 'only if splits were independent')]
    """
    check_confidence(confidence)
    check_margin(margin, SCORE, confidence)
    if n_splits is not None:
        count("n_splits", n_splits)
    if not 0 < test_share < 1:
        raise InputError(
            parameter="test_share",
            expected="a proportion between 0 and 1, such as 0.1 for ten folds",
            got=shown(test_share),
        )
    entries, notes, titles = read_entries(
        table,
        data_set=data_set,
        model=model,
        mean=mean,
        sd=sd,
        value=value,
        models_in=models_in,
        n_splits=n_splits,
    )
    if errors is None:
        errors = less_is_better(titles)
        notes += (f"lower scores are taken to be better, as {titles[0]} says",) * errors
    if paired and any(entry.scores is None for entry in entries):
        raise InputError(
            parameter="paired", expected="single scores", hint="name their column by value"
        )
    by_data_set: dict[str, list[Entry]] = {}
    for entry in entries:
        by_data_set.setdefault(entry.data_set, []).append(entry)
    judged = {name: e for name, e in by_data_set.items() if len(e) >= FEWEST_MODELS}
    if not judged:
        raise InputError("leaderboard: no data set has two models to compare")
    level = (1 - confidence) / len(judged)
    claims = tuple(
        _claim(each, test_share, level, len(judged), paired, errors) for each in judged.values()
    )
    endings = (
        ending_at(
            margin,
            t_parts(claim.lead, claim.standard_error, claim.df),
            confidence,
            len(judged),
            settled=claim.reading != NOT_JUDGED,
        )
        for claim in claims
    )
    data_sets, models, means, left_out = complete_part(entries)
    over = None
    if len(data_sets) >= 2 and len(models) >= FEWEST_MODELS:
        over = over_data_sets(
            means if errors else 1 - means,
            models=models,
            data_sets=data_sets,
            rope=None,
            confidence=confidence,
        )
    return Leaderboard(
        entries=tuple(entries),
        claims=claims,
        over=over,
        left_out=left_out,
        notes=notes,
        correlation=test_share,
        paired=paired,
        errors=errors,
        confidence=confidence,
        endings=tuple(each for each in endings if each is not None),
    )


@dataclass(frozen=True, slots=True)
class _Lead:
    """The lead of the best over one rival, before anything is assumed of splits."""

    rival: str
    lead: float
    sd: float
    sd_worst: float
    k: int

    def standard_error(self, correlation: float) -> float:
        return self.sd * math.sqrt(1 / self.k + correlation / (1 - correlation))

    def pvalue(self, correlation: float) -> float:
        if not self.judged:
            return math.nan
        t = self.lead / self.standard_error(correlation)
        return float(2 * special.stdtr(self.k - 1, -abs(t)))

    @property
    def judged(self) -> bool:
        return self.k >= 2 and self.sd > 0

    def break_even(self, level: float, sd: float) -> float:
        """Solve (lead / (t sd))^2 = 1/k + rho / (1 - rho) for rho."""
        if not self.judged:
            return math.nan
        t = float(special.stdtrit(self.k - 1, 1 - level / 2))
        ratio = (self.lead / (t * sd)) ** 2 - 1 / self.k
        return ratio / (1 + ratio) if ratio >= 0 else math.nan


def _claim(
    entries: Sequence[Entry],
    correlation: float,
    level: float,
    n_claims: int,
    paired: bool,
    errors: bool,
) -> Claim:
    sign = -1.0 if errors else 1.0
    best = max(entries, key=lambda entry: sign * entry.mean)
    leads = [_lead(best, other, sign, paired) for other in entries if other is not best]
    judged = [lead for lead in leads if lead.judged]
    not_judged = tuple(lead.rival for lead in leads if not lead.judged)
    if not judged:
        nearest = min(leads, key=lambda lead: lead.lead)
        unknown = (math.nan,) * 7
        place = best.data_set, best.model, nearest.rival, nearest.lead
        return Claim(*place, *unknown, NOT_JUDGED, not_judged, not_judged)
    hardest = max(judged, key=lambda lead: lead.pvalue(correlation))
    independent = max(lead.pvalue(0.0) for lead in judged)
    p = hardest.pvalue(correlation)
    reading = SUPPORTED if p <= level else UNSUPPORTED
    if p > level >= independent:
        reading = INDEPENDENT_ONLY
    return Claim(
        data_set=best.data_set,
        best=best.model,
        rival=hardest.rival,
        lead=hardest.lead,
        standard_error=hardest.standard_error(correlation),
        df=hardest.k - 1.0,
        pvalue_independent=independent,
        pvalue=p,
        adjusted_pvalue=min(1.0, n_claims * p),
        break_even=_smallest([lead.break_even(level, lead.sd) for lead in judged]),
        break_even_worst=_smallest([lead.break_even(level, lead.sd_worst) for lead in judged]),
        reading=reading,
        not_distinguished=tuple(lead.rival for lead in judged if lead.pvalue(correlation) > level),
        not_judged=not_judged,
    )


def _smallest(values: Sequence[float]) -> float:
    """Return the smallest value, NaN if there is one among them."""
    return float(np.min(values))


def _lead(best: Entry, other: Entry, sign: float, paired: bool) -> _Lead:
    if paired and best.scores is not None and other.scores is not None:
        if best.scores.keys() != other.scores.keys():
            raise InputError(
                f"{shown(best.model)} and {shown(other.model)} were not measured on the same "
                f"splits of {shown(best.data_set)}",
                parameter="paired",
            )
        d = np.array([best.scores[key] - other.scores[key] for key in best.scores])
        sd = float(d.std(ddof=1)) if d.size > 1 else math.nan
        # differences of decimal scores that are all equal leave rounding behind
        sd = 0.0 if sd < 1e-12 else sd
        return _Lead(other.model, sign * float(d.mean()), sd, sd, d.size)
    lead = sign * (best.mean - other.mean)
    k = min(best.n_splits, other.n_splits)
    return _Lead(other.model, lead, math.hypot(best.sd, other.sd), best.sd + other.sd, k)
