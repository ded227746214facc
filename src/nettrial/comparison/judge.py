"""From predictions to tests: every comparison takes this one road."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.blocks import Blocks, BootstrapError, take_apart
from ..bootstrap.pairs import OnReplicates, pairs_on_replicates, sets_of
from ..bootstrap.rerun import Rerun
from ..inference.choice import BOOTSTRAP, Choice, on_predictions
from ..inference.family import family
from ..inference.on_communities import CLUSTER_ROBUST_T
from ..inference.outcome import NetworkTest, noted
from ..inference.procedure import Procedure
from ..inference.registry import PROCEDURES, run_on_predictions
from ..inference.scores import Evidence, Reruns, Scores
from ..progress import Progress
from ..seeds import Stream, derive
from ..stats.comparisons import Comparisons
from ..store.units import Unit
from ..study import Predictions
from .setup import Analysis, Setup

Pairs: TypeAlias = Sequence[tuple[int, int]]
# the scores of models on a network taken apart -> what pairs of them do on its replicates
OnDrawn: TypeAlias = Callable[[Scores, Blocks, Pairs], OnReplicates]


class Cell(NamedTuple):
    """The models' predictions under one condition, and how they can be run again.

    Attributes
    ----------
    predictions : Predictions
    analysis : Analysis
    on_drawn : callable or None
        Runs the models on replicates, or reads what they did there; None where neither is possible.
    """

    predictions: Predictions
    analysis: Analysis
    on_drawn: OnDrawn | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the test that gives the verdict says of every pair of models.

    Attributes
    ----------
    analysis : Analysis
        With the test that was used in the end.
    scores : Scores
    evidence : tuple of Evidence
        One piece a pair.
    tests : tuple of NetworkTest
        Likewise.
    """

    analysis: Analysis
    scores: Scores
    evidence: tuple[Evidence, ...]
    tests: tuple[NetworkTest, ...]

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
        """Return all pairs as one family."""
        return joint_pairs([self])

    def intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return pointwise intervals of each model's measure on other networks."""
        chosen = self.procedure if self.procedure.one_model else CLUSTER_ROBUST_T
        tests = [chosen.run(self.evidence[0].of(name)) for name in self.scores.models]
        bounds = self.scores.measure.bounds
        low, high = (np.array([getattr(t, end) for t in tests]) for end in ("ci_low", "ci_high"))
        return np.clip(low, *bounds), np.clip(high, *bounds)

    def warnings(self) -> tuple[Warning, ...]:
        """Return warnings that bear on the verdicts: once each, after the pairs they concern."""
        return warnings_of(self.evidence, self.tests)


def judge(cells: Sequence[Cell]) -> list[Judgement]:
    """Test all pairs of models in every cell by the one test that was chosen for the study.

    Where the bootstrap was chosen but cannot be made in some cell, and the user did not name it,
    a test on predictions takes its place in all cells.

    Raises
    ------
    InputError
        Where the measure cannot be computed from the predictions.
    BootstrapError
        Where the user named the bootstrap and it cannot be made.
    """
    scored = [Scores.of(cell.predictions, cell.analysis.measure) for cell in cells]
    reruns: list[Reruns | None] = [None] * len(cells)
    choices = [cell.analysis.choice for cell in cells]
    if any(choice.name == BOOTSTRAP for choice in choices):
        try:
            reruns = [_reruns(cell, scores) for cell, scores in zip(cells, scored)]
        except BootstrapError as error:
            if any(choice.forced for choice in choices):
                raise
            because = f"no bootstrap, since it could not be made: {error}"
            choices = [on_predictions(cell.predictions.network, because) for cell in cells]
    return [
        _judged(replace(cell.analysis, choice=choice), scores, rerun)
        for cell, choice, scores, rerun in zip(cells, choices, scored, reruns)
    ]


def _reruns(cell: Cell, scores: Scores) -> Reruns:
    if cell.on_drawn is None:
        raise BootstrapError("there are predictions only, and no models to run again")
    names, blocks = scores.models, take_apart(cell.predictions.network, cell.analysis.groups)
    pairs = cell.analysis.pairs(names)
    found = cell.on_drawn(scores, blocks, pairs)
    return Reruns(
        blocks,
        cell.analysis.choice.n_replicates,
        {(names[i], names[j]): one for (i, j), one in zip(pairs, found.pairs)},
        {names[i]: spread for i, spread in found.spreads.items()},
    )


def _judged(analysis: Analysis, scores: Scores, reruns: Reruns | None) -> Judgement:
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
            pair = f"{each.a} - {each.b}"
            kinds.setdefault(str(warning), (warning, []))[1].append(pair)
    return tuple(
        warning if len(pairs) == len(tests) else type(warning)(f"{', '.join(pairs)}: {text}")
        for text, (warning, pairs) in kinds.items()
    )


def family_notes(pairs: Comparisons) -> tuple[Warning, ...]:
    """Return what the family notes, beside the tests of its pairs."""
    return noted(pairs.notes)


def run_again(setup: Setup) -> OnDrawn | None:
    """Return what runs the models of a setup on replicates; None where it cannot."""
    choice, design = setup.analysis.choice, setup.design
    if choice.name != BOOTSTRAP:
        return None

    def on_drawn(scores: Scores, blocks: Blocks, pairs: Pairs) -> OnReplicates:
        n_splits = scores.values.shape[1]
        total = _number_of_sets(choice, pairs) * choice.n_replicates
        plan, drawn = setup.plan(), setup.drawn()

        def records(units: Sequence[Unit]):  # type: ignore[no-untyped-def]
            return plan.record(setup.store, units, drawn=drawn)

        with Progress("drawn networks", total=total, enabled=setup.progress) as bar:
            rerun = Rerun(
                setup.network,
                blocks,
                setup.models,
                design,  # type: ignore[arg-type]
                n_splits,
                choice.n_replicates,
                setup.cross_links,
                setup.drawing,
                bar,
                setup.analysis.measure,
                setup.n_jobs,
                records,
            )
            return pairs_on_replicates(scores.values, pairs, blocks, rerun.draw, rerun.is_compiled)

    return on_drawn


def _number_of_sets(choice: Choice, pairs: Pairs) -> int:
    sets = sets_of(pairs, choice.compiled)
    return len({each.plain for each in sets}) + len(sets)


def run_and_judge(setups: Sequence[Setup]) -> list[Judgement]:
    """Run the models of every setup, and judge all of them as one study."""
    return judge([Cell(each.predictions(), each.analysis, run_again(each)) for each in setups])
