"""From predictions to tests: every comparison takes this one road."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, warn_user
from ..core.progress import Progress
from ..core.seeds import Stream, derive
from ..inference.choice import RERUNS, on_predictions
from ..inference.family import family
from ..inference.on_communities import CLUSTER_ROBUST_T
from ..inference.outcome import FEWEST_DEGREES, NetworkTest, noted
from ..inference.procedure import Procedure
from ..inference.registry import PROCEDURES, run_on_predictions
from ..inference.scores import Evidence, Scores
from ..inference.variance_sources import Sources, effects_of, moved_by_seeds, sources_of
from ..network.communities import agreement
from ..replicates.base import Budget, Pairs, ReplicateResults
from ..replicates.blocks import Blocks, BootstrapError, take_apart
from ..replicates.halving_plan import seconds_of_budget
from ..stats.comparisons import Comparisons
from ..study.fitting import ModelError
from ..study.node_study import Predictions
from ..study.parallel import n_workers
from .analysis import Analysis
from .other_communities import leaky_communities, moved_by_communities
from .prior_tests import Parts, PriorTests, adjusted
from .setup import Setup

# the scores of models on a network taken apart -> what they do on networks drawn from it
OnDrawn: TypeAlias = Callable[[Scores, Blocks], ReplicateResults]


class Cell(NamedTuple):
    """The models' predictions under one condition, and how they can be run again."""

    predictions: Predictions
    analysis: Analysis
    # runs the models on replicates, or reads what they did there; None where neither is possible
    on_drawn: OnDrawn | None = None
    scores: Scores | None = None  # of the predictions, where they are not what these alone give
    # runs the models on more splits of the network, or returns None; None where their number is
    # fixed
    on_splits: Callable[[int], Predictions | None] | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the test that gives the verdict says of every pair of models."""

    analysis: Analysis  # with the test that was used in the end
    scores: Scores
    evidence: tuple[Evidence, ...]  # one piece a pair
    tests: tuple[NetworkTest, ...]  # likewise

    @property
    def procedure(self) -> Procedure:
        """The test that gives the verdict."""
        return PROCEDURES[self.analysis.choice.name]

    def all_tests(self) -> tuple[NetworkTest, ...]:
        """Return every test of the first pair, that of the verdict as it was made."""
        verdict = self.tests[0]
        others = run_on_predictions(self.evidence[0], verdict)
        return (verdict, *others) if self.procedure.needs == "models" else others

    def pairs(self) -> Comparisons:
        return joint_pairs([self])

    def intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return pointwise intervals of each model's measure on other networks."""
        tests, bounds = self._alone(), self.scores.measure.bounds
        low, high = (np.array([getattr(t, end) for t in tests]) for end in ("ci_low", "ci_high"))
        return np.clip(low, *bounds), np.clip(high, *bounds)

    def _alone(self) -> list[NetworkTest]:
        """Test the measure of every model alone."""
        chosen = self.procedure if self.procedure.one_model else CLUSTER_ROBUST_T
        return [chosen.run(self.evidence[0].of(name)) for name in self.scores.models]

    def sources(self) -> tuple[Sources, ...]:
        """Return where the variance comes from: of every model, then of every pair.

        None with one training seed or one split, which cannot be distinguished.
        """
        by_model = dict(zip(self.scores.models, self.scores.by_seed))
        if min(self.scores.by_seed.shape[1:]) < 2:
            return ()
        models = zip(by_model.items(), self._alone())
        pairs = zip(self.evidence, self.tests)
        return (
            *(sources_of(name, own, test.standard_error**2) for (name, own), test in models),
            *(
                sources_of(f"{e.a} - {e.b}", by_model[e.a] - by_model[e.b], test.standard_error**2)
                for e, test in pairs
            ),
        )

    def warnings(self) -> tuple[Warning, ...]:
        """Return warnings that bear on the verdicts: once each, after the pairs they concern."""
        return (
            warnings_of(self.evidence, self.tests) + self.of_communities() + self.moved_by_seeds()
        )

    def of_communities(self) -> tuple[Warning, ...]:
        """Warn of leaky communities, and of verdicts that others of Louvain's would change."""
        how = self.analysis, self.procedure, self.evidence
        return leaky_communities(*how) + moved_by_communities(*how, self.tests)

    def moved_by_seeds(self) -> tuple[Warning, ...]:
        """Warn of models that the training seed moves by more than they differ from another."""
        if min(self.scores.by_seed.shape[1:]) < 2:
            return ()
        names = self.scores.models
        note = moved_by_seeds(
            names,
            list(self.scores.mean.values()),
            [effects_of(own).seed ** 0.5 for own in self.scores.by_seed],
            self.analysis.pairs(names),
            self.scores.measure,
        )
        return tuple(map(AssumptionWarning, note))


def judge(cells: Sequence[Cell]) -> list[Judgement]:
    """Test all pairs of models in every cell by the one test that was chosen for the study.

    Where models were to be run again but cannot be in some cell, and the user did not name such a
    test, a test on predictions takes its place in all cells.
    """
    scored = [cell.scores or Scores.of(cell.predictions, cell.analysis.measure) for cell in cells]
    reruns: list[ReplicateResults | None] = [None] * len(cells)
    choices = [cell.analysis.choice for cell in cells]
    if any(choice.name in RERUNS for choice in choices):
        try:
            reruns = [_reruns(cell, scores) for cell, scores in zip(cells, scored)]
        except (BootstrapError, ModelError) as error:
            if any(choice.forced for choice in choices):
                raise
            because = f"models could not be run again: {error}"
            choices = [
                on_predictions(
                    cell.predictions.task, cell.predictions.network, cell.analysis.groups, because
                )
                for cell in cells
            ]
        else:
            choices = [
                replace(
                    choice,
                    n_replicates=found.replicates.n_replicates,
                    reason=f"{choice.reason} {found.replicates.note}".strip(),
                )
                for choice, found in zip(choices, reruns)
                if found is not None
            ]
            scored, reruns = _on_splits_that_pay(cells, scored, reruns)
    return [
        _judged(replace(cell.analysis, choice=choice), scores, rerun)
        for cell, choice, scores, rerun in zip(cells, choices, scored, reruns)
    ]


def _on_splits_that_pay(
    cells: Sequence[Cell], scored: list[Scores], reruns: list[ReplicateResults | None]
) -> tuple[list[Scores], list[ReplicateResults | None]]:
    """Run as many splits as pay, the same number in all cells; the replicates stay."""
    number = max(found.splits_that_pay() for found in reruns if found is not None)
    if number <= scored[0].values.shape[1]:
        return scored, reruns
    more = []
    for cell in cells:
        made = cell.on_splits and cell.on_splits(number)
        if made is None:
            return scored, reruns
        more.append(Scores.of(made, cell.analysis.measure))
    return more, [found and found.with_own(one.values) for one, found in zip(more, reruns)]


def _reruns(cell: Cell, scores: Scores) -> ReplicateResults:
    if cell.on_drawn is None:
        raise BootstrapError("there are predictions only, and no models to run again")
    network, how = cell.predictions.network, cell.analysis
    found = cell.on_drawn(scores, take_apart(network, how.groups))
    if not isinstance(how.communities, str) or how.communities in network.attributes:
        return found
    if how.similar is not None:
        return replace(found, agreement=how.similar.agreement, by_features=True)
    again = agreement(network, how.groups, seed=derive(how.entropy, Stream.COMMUNITIES))
    return replace(found, agreement=again)


def _judged(analysis: Analysis, scores: Scores, reruns: ReplicateResults | None) -> Judgement:
    names = scores.models
    evidence = tuple(
        Evidence(
            scores,
            names[i],
            names[j],
            analysis.groups,
            analysis.confidence,
            derive(analysis.entropy, Stream.FLIPS),
            analysis.q,
            reruns,
        )
        for i, j in analysis.pairs(names)
    )
    chosen = PROCEDURES[analysis.choice.name]
    return Judgement(analysis, scores, evidence, tuple(chosen.run(each) for each in evidence))


def prior_tests_of_pair(judgment: Judgement) -> PriorTests | None:
    """Return what the verdict on two models is worth after others on this test set."""

    def parts(found: Judgement) -> Parts:
        test = found.tests[0]
        return test.pvalue, test.ci_low, test.ci_high

    return _prior_tests(judgment, parts)


def prior_tests_of_family(judgment: Judgement) -> PriorTests | None:
    """Return what the verdicts on several models are worth, pair by pair."""

    def parts(found: Judgement) -> Parts:
        pairs = found.pairs()
        return pairs.adjusted_pvalue, pairs.ci_low, pairs.ci_high

    return _prior_tests(judgment, parts)


def _prior_tests(judgment: Judgement, parts: Callable[[Judgement], Parts]) -> PriorTests | None:
    how = judgment.analysis
    if how.n_prior_tests is None:
        return None
    return adjusted(
        how.n_prior_tests,
        how.confidence,
        parts(judgment),
        lambda level: parts(judged_at(judgment, level)),
    )


def judged_at(found: Judgement, confidence: float) -> Judgement:
    """Return the same judgment with intervals of another level."""
    evidence = tuple(replace(each, confidence=confidence) for each in found.evidence)
    return replace(
        found,
        analysis=replace(found.analysis, confidence=confidence),
        evidence=evidence,
        tests=tuple(map(found.procedure.run, evidence)),
    )


def joint_pairs(found: Sequence[Judgement]) -> Comparisons:
    """Return all pairs in all cells as one family."""
    how = found[0].analysis
    return family(
        found[0].procedure,
        [each for one in found for each in one.evidence],
        tests=[test for one in found for test in one.tests],
        confidence=how.confidence,
        seed=derive(how.entropy, Stream.DIRECTIONS),
    )


def warnings_of(evidence: Sequence[Evidence], tests: Sequence[NetworkTest]) -> tuple[Warning, ...]:
    """Return the warnings of tests of several pairs, each once.

    What does not concern all pairs names those that it concerns.
    """
    kinds: dict[str, tuple[Warning, list[str]]] = {}
    for each, test in zip(evidence, tests):
        for warning in test.warnings:
            pair = f"{each.a} minus {each.b}"
            kinds.setdefault(str(warning), (warning, []))[1].append(pair)
    return tuple(
        warning if len(pairs) == len(tests) else type(warning)(f"{', '.join(pairs)}: {text}")
        for text, (warning, pairs) in kinds.items()
    )


def family_notes(pairs: Comparisons) -> tuple[Warning, ...]:
    """Return what the family notes, beside the tests of its pairs."""
    return noted(pairs.notes)


def run_again(setup: Setup, spent: float, budget: float) -> OnDrawn | None:
    """Return what runs the models of a setup again; None where its test does not ask for it.

    Parameters
    ----------
    spent : float
        Seconds that the models took on the network itself, each worker its part.
    budget : float
        Seconds that both may take together.
    """
    how, options = setup.analysis, setup.options
    if how.choice.name not in RERUNS:
        return None

    def on_drawn(scores: Scores, blocks: Blocks) -> ReplicateResults:
        drawn = setup.replicates(blocks)
        if not how.choice.n_replicates:
            noise = _noise(scores, blocks, drawn.pairs)
            per_split = _seconds_of_a_split(scores.predictions, spent, n_workers(options.n_jobs))
            allowed = Budget(budget, spent, per_split, noise, how.choice.forced, options.store)
            drawn = drawn.planned(allowed, setup.network, options.n_jobs)
        if warning := drawn.shortfall(FEWEST_DEGREES):
            warn_user(AssumptionWarning(warning))
        total = sum(map(len, drawn.rounds()))
        with Progress(drawn.title, total=total, enabled=options.progress) as bar:
            return drawn.results(scores.values, setup.runner(bar))

    return on_drawn


def _seconds_of_a_split(predictions: Predictions, spent: float, workers: int) -> float:
    """Return the seconds that a split took, typically: the first one may load and compile."""
    took = [each for run in predictions.runs for each in zip(*run.seconds.values())]
    found = len(predictions.runs) * float(np.median([sum(each) for each in took])) / workers
    return spent / len(predictions.splits) if math.isnan(found) else found


def _noise(scores: Scores, blocks: Blocks, pairs: Pairs) -> float:
    """Return the variance between splits in units of that of the mean, the largest of all pairs.

    The latter is not known yet; that of sums over communities stands for it.
    """
    k, found = scores.values.shape[1], [0.0]
    groups = blocks.community[scores.nodes]
    for i, j in pairs:
        splits = float((scores.values[i] - scores.values[j]).var(ddof=1))
        clustered, _ = scores.over_communities(scores.means[i] - scores.means[j], groups)
        found.append(splits / max(clustered, splits / k, 1e-300))
    return max(found)


def run_and_judge(setups: Sequence[Setup], of: int | None = None) -> list[Judgement]:
    """Run the models of every setup, and judge all of them as one study.

    The budget is shared by `of` setups, by default these.
    """
    cells = []
    for each in setups:
        budget = seconds_of_budget(each.options.budget) / (of or len(setups))
        # conditions of a sweep have the same number of splits
        setup, predictions = each.within(budget) if len(setups) == 1 else (each, each.predictions())
        spent = predictions.total_seconds / n_workers(each.options.n_jobs)
        again = run_again(setup, spent, budget)
        more = setup.predictions_on if setup.analysis.choice.n_splits else None
        cells.append(Cell(predictions, setup.analysis, again, on_splits=more))
    return judge(cells)
