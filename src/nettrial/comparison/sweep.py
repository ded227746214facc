"""sweep(): several models at several proportions of labels, one family of tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.errors import AssumptionWarning, InputError, ModelWarning, shown
from ..core.finding import Finding
from ..core.wording import listed
from ..inference.margins import Ending
from ..metrics.measures import MEASURES, Measure
from ..models.base import AnyModel
from ..network.network import Network
from ..splits.names import listed_design
from ..splits.names import options as design_options
from ..stats.comparisons import Comparisons
from ..stats.letters import compact_letters
from ..study.node_study import Predictions, warnings_of_runs
from .baseline import Baseline, baseline_notes, baseline_of
from .endings import endings_of
from .judge import Judgement, family_notes, joint_pairs, run_and_judge
from .notes import network_facts
from .options import Asked, Options, takes_options
from .pair import settings_of
from .setup import Setup, study_in
from .setup_checks import check_question

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
SHARED_FOLDS = "one set of folds serves all proportions"


@dataclass(frozen=True, slots=True)
class Change:
    """A pair of models whose order turns between two neighboring proportions.

    Attributes
    ----------
    first, second : str
        `first` is better before (has fewer errors), `second` after.
    before, after : float
        The proportions of labels.
    crossing : float
        Where the straight line between the two differences is 0.
    supported : bool
        Whether `first` beats `second` at `before` or at a smaller proportion, and `second` beats
        `first` at `after` or a larger one, both after adjustment over the whole sweep.
    """

    first: str
    second: str
    before: float
    after: float
    crossing: float
    supported: bool


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Finding):
    """Learning curves of several models on one network; rates ascend.

    Attributes
    ----------
    network : Network
        The network.
    models : tuple of str
        Names of the models.
    labeled : tuple of float
        The proportions of labels.
    design : str
        How the splits were drawn.
    n_splits : int
        Number of splits at each proportion.
    seed : int
        The frozen seed.
    confidence : float
        Level of the intervals.
    scores : ndarray, shape (n_rates, n_models)
        Error rates, or the other measure that was asked for.
    networks_low, networks_high : ndarray, shape (n_rates, n_models)
        Interval on other networks like this one, pointwise (not simultaneous).
    splits_low, splits_high : ndarray, shape (n_rates, n_models)
        Interval on other splits of this same network (t, splits taken for independent).
    pairs : Comparisons
        All pairs at all proportions as one family, in blocks of one proportion.
    pair_labeled : tuple of float
        The proportion of each row of `pairs`.
    changes : tuple of Change
        Where the order of two models turns.
    warnings : tuple of Warning
        Warnings that bear on the verdict.
    settings : mapping
        Further settings, and versions.
    measure : Measure
        What is compared; by default error rates.
    recommended, reason : str
        Which test the intervals and p-values come from, and why.
    baselines : tuple of Baseline or None
        At each proportion what is reached without a model.
    endings : tuple of Ending
        How each row of `pairs` ends against the margin; empty without one.
    """

    network: Network
    models: tuple[str, ...]
    labeled: tuple[float, ...]
    design: str
    n_splits: int
    seed: int
    confidence: float
    scores: Floats
    networks_low: Floats
    networks_high: Floats
    splits_low: Floats
    splits_high: Floats
    pairs: Comparisons
    pair_labeled: tuple[float, ...]
    changes: tuple[Change, ...]
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    measure: Measure = MEASURES["error"]
    recommended: str = "cluster_robust_t"
    reason: str = ""
    baselines: tuple[Baseline | None, ...] = ()
    endings: tuple[Ending, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """Best model (with the lowest error rate) at each proportion."""
        return tuple(self.models[i] for i in (self.measure.sign * self.scores).argmin(axis=1))

    @property
    def letters(self) -> tuple[dict[str, str], ...]:
        """Letters at each proportion; models that share one do not differ significantly."""
        per_rate = len(self.pairs.first) // len(self.labeled)
        differ = self.pairs.significant
        found = []
        for i, errors in enumerate(self.scores):
            rows = slice(i * per_rate, (i + 1) * per_rate)
            pairs = zip(self.pairs.first[rows], self.pairs.second[rows], differ[rows])
            ranked = [self.models[j] for j in np.argsort(self.measure.sign * errors, kind="stable")]
            found.append(compact_letters(ranked, [(a, b) for a, b, yes in pairs if yes]))
        return tuple(found)

    def curves(self) -> pd.DataFrame:
        """Return the learning curves as a table, one row per model and proportion."""
        import pandas as pd

        fields = ("scores", "networks_low", "networks_high", "splits_low", "splits_high")
        table: dict[str, Any] = {
            "labeled": np.repeat(self.labeled, len(self.models)),
            "model": list(self.models) * len(self.labeled),
        }
        return pd.DataFrame(table | {name: getattr(self, name).ravel() for name in fields})

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a table, one row per pair and proportion."""
        frame = self.pairs.to_frame().assign(holm_pvalue=self.pairs.details["holm_pvalue"])
        frame.insert(0, "labeled", self.pair_labeled)
        return frame.assign(ending=[e.name for e in self.endings]) if self.endings else frame

    def _values(self) -> dict[str, Any]:
        return {
            **network_facts(self.network),
            "models": self.models,
            "labeled": self.labeled,
            "design": self.design,
            "n_splits": self.n_splits,
            "seed": self.seed,
            "confidence": self.confidence,
            "measure": self.measure.name,
            "better": self.measure.better,
            "recommended": self.recommended,
            "reason": self.reason,
            "curves": self.curves().to_dict("records"),
            "letters": self.letters,
            "baselines": [None if each is None else each._asdict() for each in self.baselines],
            "pairs": self.to_frame().to_dict("records"),
            "changes": self.changes,
            "settings": self.settings,
            **({"margin": self.endings[0].margin} if self.endings else {}),
        }


@takes_options
def sweep(
    network: Network,
    models: Sequence[str | AnyModel] | Mapping[str, str | AnyModel],
    *,
    labeled: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5),
    **options: Unpack[Asked],
) -> Sweep:
    """Compare several models at several proportions of labels.

    Every model runs at every proportion. Every pair at every proportion has the estimate,
    standard error, degrees of freedom and unadjusted p-value that `compare` gives it alone. All
    pairs at all proportions are one family, whose intervals hold simultaneously and whose
    p-values are adjusted by the single-step max-t procedure.

    Parameters
    ----------
    network : Network
        With labels on at least some nodes, of at least two classes.
    models : sequence of str, Model or scikit-learn classifier, or mapping of names to them
        At least two.
    labeled : sequence of float
        Different proportions of the labeled nodes that the models are trained on.
    design : {"rrs", "ers", "ncv", ...}
        Name of a design with a proportion of labels. All proportions are drawn with one seed: for
        "ncv" one set of folds serves them all, and training sets grow within each other.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError
        For fewer than two models, no proportion or equal ones, a design without proportions, and
        as `compare`.
    ModelError
        Where a model fails.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> options = {"n_splits": 4, "seed": 1, "test": "network_hac"}
    >>> found = nettrial.sweep(net, ["wvrn", "prior"], labeled=[0.2, 0.5], **options)
    >>> found.scores.shape, found.pair_labeled, found.winners
    ((2, 2), (0.2, 0.5), ('prior', 'wvrn'))
    """
    check_question(network, models, "sweep")
    asked = Options(**options)
    rates = _checked_rates(labeled, asked.design)
    one = Setup.of(network, models, asked.but(labeled=rates[0]))
    # all splits are drawn before any model runs: a proportion that does not fit is refused at once
    setups = [one, *(one.at(rate) for rate in rates[1:])]
    setups = [
        each.kept_in(study_in(asked.store, f"labeled-{rate:g}"))
        for rate, each in zip(rates, setups)
    ]
    return _read(run_and_judge(setups), rates, listed_design(asked.design))


def _checked_rates(labeled: Sequence[float], design: Any) -> tuple[float, ...]:
    if not isinstance(design, str) or "labeled" not in design_options(design):
        raise InputError(
            f"sweep: the design {shown(design)} has no proportion of labels; use rrs, ers or ncv"
        )
    try:
        rates = tuple(sorted(float(rate) for rate in labeled))
    except (TypeError, ValueError):
        raise InputError(
            parameter="labeled",
            expected="proportions, such as [0.1, 0.3]",
            got=shown(labeled),
            where="sweep",
        ) from None
    if not rates or len(set(rates)) < len(rates):
        raise InputError(
            parameter="labeled",
            expected="different proportions, such as 0.1, 0.3, 0.5",
            got=f"{', '.join(map(str, labeled)) or 'none'}",
            where="sweep",
        )
    return rates


def _read(found: Sequence[Judgement], rates: tuple[float, ...], design: str) -> Sweep:
    how, names = found[0].analysis, found[0].scores.models
    network, measure = found[0].scores.predictions.network, how.measure
    pairs = joint_pairs(found)
    low, high = (np.array(ends) for ends in zip(*(each.intervals() for each in found)))
    per_split = np.array([each.scores.values for each in found])
    k = per_split.shape[-1]
    half = special.stdtrit(k - 1, (1 + how.confidence) / 2) * per_split.std(axis=-1, ddof=1)
    half /= np.sqrt(k)
    means = per_split.mean(axis=-1)
    runs = [each.scores.predictions for each in found]
    # replicates are split anew, so that only a test on predictions can miss it
    unseen = half > (high - low) / 2
    unsteady = found[0].procedure.needs == "predictions"
    settings = settings_of(network, how)
    if design == "ncv":
        settings["folds"] = SHARED_FOLDS
    n_pairs = len(found[0].tests)
    floors = [baseline_of(each.scores, each.analysis) for each in found]
    return Sweep(
        network=network if how.order is None else how.order.given,
        models=names,
        labeled=rates,
        design=design,
        n_splits=k,
        seed=how.entropy,
        confidence=how.confidence,
        scores=means,
        networks_low=low,
        networks_high=high,
        splits_low=np.clip(means - half, *measure.bounds),
        splits_high=np.clip(means + half, *measure.bounds),
        pairs=pairs,
        pair_labeled=tuple(np.repeat(rates, n_pairs).tolist()),
        changes=_changes(rates, pairs, n_pairs, measure),
        warnings=_at_rates(rates, [each.warnings() for each in found])
        + family_notes(pairs)
        + _of_models(rates, runs)
        + (_unsteady(names, rates, unseen, measure) if unsteady else ())
        + tuple(w for each in runs for w in each.task.cautions(each, measure))
        + runs[0].task.doubts(network)
        + _at_rates(rates, [baseline_notes(each.scores, one) for each, one in zip(found, floors)]),
        settings=settings,
        measure=measure,
        recommended=how.choice.name,
        reason=how.choice.reason,
        baselines=tuple(floors),
        endings=endings_of(found, pairs.significant, pairs.ci_low, pairs.ci_high),
    )


def _at_rates(rates: Sequence[float], found: Sequence[tuple[Warning, ...]]) -> tuple[Warning, ...]:
    """Return the warnings at all rates, each once; what is not for all rates names its own."""
    kinds: dict[str, tuple[Warning, list[str]]] = {}
    for rate, each in zip(rates, found):
        for warning in each:
            kinds.setdefault(str(warning), (warning, []))[1].append(f"{rate:.0%}")
    return tuple(
        warning
        if len(where) == len(rates)
        else type(warning)(f"with {listed(where)} labeled: {text}")
        for text, (warning, where) in kinds.items()
    )


def _of_models(rates: Sequence[float], found: Sequence[Predictions]) -> tuple[Warning, ...]:
    """Return what models warned of, once over all proportions, and at which ones."""
    return tuple(
        ModelWarning(f"with {listed([f'{rates[place]:.0%}' for place in places])} labeled, {note}")
        for places, note in warnings_of_runs(found)
    )


def _unsteady(
    models: Sequence[str], rates: Sequence[float], unseen: NDArray[np.bool_], measure: Measure
) -> tuple[Warning, ...]:
    """Warn where training sets matter more than communities, which clustering cannot see."""
    where = [
        f"{models[j]} at {rates[i]:.0%}"
        for i, j in zip(*(part.tolist() for part in unseen.nonzero()))
    ]
    if not where:
        return ()
    return (
        AssumptionWarning(
            f"the {measure.words} varies more from split to split than from community to community "
            f"({', '.join(where)}): intervals and p-values for other networks take the trained "
            "models as given and are too narrow there; use more splits"
        ),
    )


def _changes(
    rates: Sequence[float], pairs: Comparisons, per_rate: int, measure: Measure
) -> tuple[Change, ...]:
    """Find every turn of a pair between neighboring proportions."""
    difference = pairs.estimate.reshape(-1, per_rate)
    sure = pairs.significant.reshape(-1, per_rate)
    won = np.sign(difference) * sure
    turns = []
    for j in range(per_rate):
        for i in np.flatnonzero(difference[:-1, j] * difference[1:, j] < 0).tolist():
            before, after = float(difference[i, j]), float(difference[i + 1, j])
            names = (pairs.first[j], pairs.second[j])
            first, second = names if measure.sign * before < 0 else names[::-1]
            sign = np.sign(before)
            share = before / (before - after)
            turns.append(
                Change(
                    first=first,
                    second=second,
                    before=rates[i],
                    after=rates[i + 1],
                    crossing=rates[i] + share * (rates[i + 1] - rates[i]),
                    supported=bool(
                        (won[: i + 1, j] == sign).any() and (won[i + 1 :, j] == -sign).any()
                    ),
                )
            )
    return tuple(turns)
