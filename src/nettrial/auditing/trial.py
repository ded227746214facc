"""Every test on one replicate, for every true difference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError
from ..core.seeds import Stream
from ..inference.community_bootstrap import COMMUNITY_BOOTSTRAP
from ..inference.outcome import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest
from ..inference.registry import PROCEDURES, run_on_predictions
from ..inference.scores import Evidence, Scores
from ..metrics.measures import Measure
from ..replicates.blocks import take_apart
from ..replicates.bootstrap_test import pvalue_of
from ..replicates.compiled_pair import LEAST_SPLITS
from ..replicates.handicaps import run_both_kinds
from ..replicates.replicate import Replicate
from ..study.node_study import Predictions
from .source import Source

Floats = NDArray[np.float64]
RRS, NCV = "rrs", "ncv"
BOOTSTRAP = COMMUNITY_BOOTSTRAP.name
CONFIDENCE = 0.95


class Key(NamedTuple):
    """A test and the design that it was made on."""

    design: str
    test: str


class Trial(NamedTuple):
    """What the tests said on one replicate."""

    pvalues: dict[Key, Floats]  # shape (n_differences,): NaN where a test is not defined
    # shape (n_differences,): mean difference of the error rates, or squared errors, on the random
    # splits
    differences: Floats
    questions: dict[Key, str]  # what each test answers


def run_trial(
    source: Source, number: int, chances: Floats, *, labeled: float, n_splits: int, n_inner: int
) -> Trial:
    """Draw a replicate, run both models on it, and make every test for every pair of handicaps.

    Parameters
    ----------
    number : int
        Of the replicate.
    chances : ndarray, shape (n_differences, 2)
    labeled, n_splits
        Of the designs.
    n_inner : int
        Replicates of the replicate, of either kind, from which the bootstrap is made; 0 for no
        bootstrap.
    """
    drawn = source.draw(number)
    groups = source.groups(drawn)
    random = source.predict(drawn.network, source.splits(RRS, labeled, n_splits, number), number)
    turned = source.turn(random, chances, number)
    rates = np.array([Scores.of(one, source.measure).values for one in turned])
    own = rates[:, 0] - rates[:, 1]
    pvalues: dict[Key, Floats] = {}
    questions: dict[Key, str] = {}

    def keep(design: str, h: int, tests: tuple[NetworkTest, ...]) -> None:
        for test in tests:
            key = Key(design, test.name)
            pvalues.setdefault(key, np.full(len(chances), np.nan))[h] = test.pvalue
            questions[key] = test.question

    if n_inner:
        key = Key(RRS, BOOTSTRAP)
        pvalues[key] = _bootstrap_p_values(
            source, number, drawn, groups, chances, own, labeled, n_inner
        )
        questions[key] = OTHER_NETWORKS
    flips = seeds.derive(source.entropy, Stream.AUDIT_FLIPS, number)
    for h, one in enumerate(turned):
        keep(RRS, h, _tests(one, groups, flips, source.measure))
    if labeled <= (n_splits - 1) / n_splits:
        folds = source.predict(drawn.network, source.splits(NCV, labeled, n_splits, number), number)
        for h, one in enumerate(source.turn(folds, chances, number)):
            tests = _tests(one, groups, flips, source.measure)
            # the tests that disjoint folds are recommended for
            keep(NCV, h, tuple(test for test in tests if test.question == OTHER_SPLITS))
    return Trial(pvalues, own.mean(axis=1), questions)


def _tests(
    predictions: Predictions, groups: NDArray[np.int32], flips: int, measure: Measure
) -> tuple[NetworkTest, ...]:
    """Make every test that needs the predictions alone and holds for the measure."""
    a, b = predictions.models
    scores = Scores.of(predictions, measure)
    made = run_on_predictions(Evidence(scores, a, b, groups, CONFIDENCE, flips))
    return tuple(test for test in made if not PROCEDURES[test.name].unfit(measure))


def _bootstrap_p_values(
    source: Source,
    number: int,
    drawn: Replicate,
    groups: NDArray[np.int32],
    chances: Floats,
    own: Floats,
    labeled: float,
    n_inner: int,
) -> Floats:
    """Return the p-values of the community bootstrap, as `community_bootstrap_test` makes them."""
    assert source.pair is not None  # noqa: S101 - `audit` asks for a bootstrap only then
    try:
        blocks = take_apart(drawn.network, groups)
    except InputError:  # one community
        return np.full(len(chances), np.nan)
    kinds = run_both_kinds(
        drawn.network, blocks, source.pair, chances, labeled=labeled,
        n_splits=max(own.shape[1], LEAST_SPLITS), n_replicates=n_inner,
        entropies=(
            seeds.derive(source.entropy, Stream.AUDIT_INNER, number, Stream.INNER_PLAIN),
            seeds.derive(source.entropy, Stream.AUDIT_INNER, number, Stream.INNER_NULL),
        ),
    )  # fmt: skip
    found = np.full(len(chances), np.nan)
    for h in range(len(chances)):
        plain, null = kinds.plain[:, h], kinds.null[:, h]
        if np.isnan(plain).any() or np.isnan(null).any():
            continue
        found[h] = pvalue_of(own[h], plain, null, blocks.sizes.astype(float))
    return found
