"""compare_models(): any number of models on one network, all pairs judged together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..inference.margins import Ending
from ..inference.on_splits import PAIRED_T
from ..inference.scores import scores_by_model
from ..inference.variance_sources import Sources
from ..metrics.measures import MEASURES, Measure
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from ..stats.comparisons import Comparisons
from ..stats.letters import compact_letters
from ..stats.omnibus import OmnibusResult
from ..study.node_study import Predictions
from .baseline import Baseline, baseline_notes, baseline_of
from .endings import endings_of
from .joint_measures import MULTIVARIATE, are_several, multivariate_test
from .judge import Judgement, family_notes, prior_tests_of_family, run_and_judge
from .label_predictions import LabelPredictions
from .notes import network_facts
from .options import Asked, Options, takes_options
from .pair import notes_of, settings_of, shared, test_sets_note
from .prior_tests import PriorTests, prior_tests_note, with_prior_tests
from .result import OfSeveral
from .setup import Setup


@dataclass(frozen=True, slots=True, repr=False)
class MultipleComparison(OfSeveral):
    """The outcome of comparing several models on one network.

    Attributes
    ----------
    predictions : Predictions or LabelPredictions
        What was predicted; holds the network and the splits. The last where nodes may have
        several labels, see `compare_labels`.
    design : str
        How the splits were drawn.
    labeled : float or None
        Proportion of labeled nodes in training; None where the splits were given.
    seed : int
        The frozen seed.
    confidence : float
        Level of the intervals.
    communities : ndarray of int, shape (n_nodes,)
        Community of each node.
    control : str or None
        The model with which each other one was compared; None for all pairs.
    scores : mapping of str to float
        Error rate of each model, or the other measure that was asked for, the mean over all
        tests of nodes; the best first.
    score_intervals : mapping of str to (float, float)
        Interval of each model's rate on other networks like this one, pointwise (not simultaneous).
    pairs : Comparisons
        The differences of these with simultaneous intervals and adjusted p-values;
        ``details["holm_pvalue"]`` has Holm's, ``details["usual_pvalue"]`` those of paired t-tests
        over splits.
    letters : mapping of str to str
        Models that share a letter do not differ significantly; empty beside a control.
    recommended : str
        Which test gave the intervals and p-values.
    reason : str
        Why that test.
    multivariate : OmnibusResult or None
        Hotelling's T2 (two models) or Pillai's trace (more) for several measures at once.
    warnings : tuple of Warning
        Warnings that bear on the verdict.
    settings : mapping
        Further settings, and versions.
    measure : Measure
        What is compared; by default error rates.
    sources : tuple of Sources
        Where the variance of each model's measure, and of each difference, comes from: networks,
        splits, training seeds. Empty with one training seed.
    prior_tests : PriorTests or None
        What the verdicts are worth after other comparisons on this test set, where `n_prior_tests`
        says how many. Then adjusted p-values, intervals and letters are those of
        `prior_tests.fixed`.
    baseline : Baseline or None
        What is reached without a model: always the commonest class, the mean, or links by degree.
    scores_by_split : mapping of str to ndarray, each (n_splits,)
        The measure of each model on each split.
    endings : tuple of Ending
        How the verdict on each pair ends against the margin; empty without one.
    """

    predictions: Predictions | LabelPredictions
    design: str
    labeled: float | None
    seed: int
    confidence: float
    communities: NDArray[np.int32]
    control: str | None
    scores: Mapping[str, float]
    score_intervals: Mapping[str, tuple[float, float]]
    pairs: Comparisons
    letters: Mapping[str, str]
    recommended: str
    reason: str
    multivariate: OmnibusResult | None
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    measure: Measure = MEASURES["error"]
    sources: tuple[Sources, ...] = ()
    prior_tests: PriorTests | None = None
    baseline: Baseline | None = None
    scores_by_split: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    endings: tuple[Ending, ...] = ()

    def _values(self) -> dict[str, Any]:
        network = self.predictions.network
        return {
            **network_facts(network),
            "design": self.design,
            "labeled": self.labeled,
            "n_splits": len(self.predictions.splits),
            "seed": self.seed,
            "confidence": self.confidence,
            "control": self.control,
            "recommended": self.recommended,
            "reason": self.reason,
            "measure": self.measure.name,
            "better": self.measure.better,
            "models": [
                row | {"by_split": self.scores_by_split.get(row["model"])} for row in self._models()
            ],
            "baseline": None if self.baseline is None else self.baseline._asdict(),
            "may_be_best": self.may_be_best,
            "seconds": self.predictions.median_seconds,
            "megabytes": self.predictions.median_megabytes,
            **self._pairs(),
            "multivariate": None if self.multivariate is None else self.multivariate.to_dict(),
            "sources": [each.to_dict() for each in self.sources],
            "settings": self.settings,
            **({} if self.prior_tests is None else {"prior_tests": self.prior_tests}),
        }


@takes_options
def compare_models(
    network: Network,
    models: Sequence[str | AnyModel | LinkModel] | Mapping[str, str | AnyModel | LinkModel],
    *,
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> MultipleComparison:
    """Compare several models: which beats which on networks like this one?

    All models run on the same splits. Every pair has the estimate, standard error, degrees of
    freedom and unadjusted p-value that `compare` gives it alone. The differences of all pairs, or
    with a control, are one family: its intervals hold simultaneously and its p-values are adjusted
    by the single-step max-t procedure.

    Parameters
    ----------
    network : Network
        With labels on at least some nodes, of at least two classes.
    models : sequence of str, Model or scikit-learn classifier, or mapping of names to them
        At least two; or at least two link predictors, as for `compare`.

    Returns
    -------
    MultipleComparison

    Raises
    ------
    InputError
        For fewer than two models, an unknown control or measure, fewer communities than the
        measures at once need, and as `compare`.
    ModelError
        Where a model fails.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> models = ["wvrn", "nbc", "prior"]
    >>> found = nettrial.compare_models(net, models, n_splits=5, seed=1, test="network_hac")
    >>> len(found.pairs.first), found.letters["prior"]
    (3, 'a')
    """
    asked = Options(labeled=labeled, **options)
    return multiple_of(run_and_judge([Setup.of(network, models, asked)])[0])


def multiple_of(judgment: Judgement, **settings: Any) -> MultipleComparison:
    """Return the comparison of all pairs of a judgment; `settings` are kept beside its own."""
    how, scores = judgment.analysis, judgment.scores
    predictions, names, what = scores.predictions, scores.models, how.measure
    prior, mean = prior_tests_of_family(judgment), scores.mean
    pairs = with_prior_tests(judgment.pairs(), prior)
    usual = np.array([PAIRED_T.run(each).pvalue for each in judgment.evidence])
    pairs = replace(pairs, details=MappingProxyType({**pairs.details, "usual_pvalue": usual}))
    ranked = sorted(names, key=lambda name: what.sign * mean[name])
    low, high = judgment.intervals()
    limits = dict(zip(names, zip(low.tolist(), high.tolist())))
    named = zip(pairs.first, pairs.second, pairs.significant)
    differing = [(a, b) for a, b, yes in named if yes]
    multivariate, at_once = None, {}
    baseline = baseline_of(scores, how)
    note = prior_tests_note(prior) + judgment.warnings() + family_notes(pairs) + notes_of(scores)
    note += baseline_notes(scores, baseline)
    if are_several(how.measures):
        multivariate = multivariate_test(predictions, how.groups, how.measures, how.confidence)
        note += (MULTIVARIATE,)
        at_once["measures"] = list(how.measures)
    return MultipleComparison(
        **shared(judgment),
        control=how.control,
        scores={name: mean[name] for name in ranked},
        score_intervals={name: limits[name] for name in ranked},
        pairs=pairs,
        letters={} if how.control is not None else compact_letters(ranked, differing),
        recommended=how.choice.name,
        multivariate=multivariate,
        warnings=note,
        settings=settings_of(predictions.network, how)
        | at_once
        | test_sets_note(judgment)
        | predictions.task.settings(predictions)
        | settings,
        sources=judgment.sources(),
        prior_tests=prior,
        baseline=baseline,
        scores_by_split=scores_by_model(scores),
        endings=endings_of([judgment], pairs.significant, pairs.ci_low, pairs.ci_high),
    )
