"""Halves of the communities: models run again on parts of the network that hold no copies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.errors import AssumptionWarning
from ..core.option_names import option
from ..core.wording import df_text
from ..replicates.base import community_details
from ..replicates.bootstrap_test import details_of_chance, finish, size_of
from ..replicates.half_sample_variance import HalfSampleVariance, not_below
from ..replicates.half_samples import HalfSamples
from ..stats.max_t import correlation_of
from .community_bootstrap import community_warnings, weak_communities
from .on_communities import CLUSTER_ROBUST_T
from .outcome import FEWEST_DEGREES, OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats

NAME = "halves"
# where communities are weak; docs/lab/replicates.md
LEVEL_BY_LINKS = "up to 14% instead of 5%"
LEVEL_BY_FEATURES = "5% on average, as it should be, and up to 10% for one of the models"


def spread_on_halves(e: Evidence) -> HalfSampleVariance:
    """Return the variance by halves of the communities, not below that of the clustered test."""
    return not_below(e.variance(HalfSampleVariance), *_clustered(e))


def _halves(e: Evidence) -> NetworkTest:
    spread, ran = spread_on_halves(e), e.ran_again()
    halves = ran.replicates
    assert isinstance(halves, HalfSamples)  # noqa: S101 - the variance is by halves
    plan = halves.plan
    details: dict[str, Any] = community_details(halves.blocks) | {
        "n_halvings": plan.n_halvings,
        "n_splits": plan.n_splits,
        "fits": plan.fits(len(halves.names)),
        "variance_odd": spread.odd,
        "variance_even": spread.even,
        "size_correction": spread.correction,
        "variance_clustered": _clustered(e)[0],
        "variance_splits": spread.splits,
        **details_of_chance(e.estimate, spread, spread.splits / e.scores_a.size),
        "shift": spread.mean - e.estimate,
        "budget_seconds": plan.budget,
        "df_at_twice_the_budget": plan.df_at_twice,
    }
    found = finish(
        "halves of the communities",
        e.estimate,
        spread.variance,
        spread.df,
        e.confidence,
        details,
        size=size_of(np.array([e.scores_a, e.scores_b]), e.measure),
    )
    if not COMMUNITY_HALVES.settles(spread.df):  # quantiles of t go beyond all bounds
        found = replace(found, ci_low=-math.inf, ci_high=math.inf)
    warned = community_warnings(e.communities) + weak_communities(
        ran.agreement, LEVEL_BY_FEATURES if ran.by_features else LEVEL_BY_LINKS, e.measure
    )
    if spread.df < FEWEST_DEGREES:
        warned.append(
            AssumptionWarning(
                f"{plan.note()} leave {df_text(spread.df)} degrees of freedom, so the interval is "
                f"very wide; a larger {option('budget')} or {option('n_replicates')} narrows "
                "it"
            )
        )
    return NetworkTest.of(NAME, found, OTHER_NETWORKS, tuple(warned))


def _clustered(e: Evidence) -> tuple[float, float]:
    """Return the variance by sums over communities (CR1), and the clustered test's df."""
    squares, number = e.scores.over_communities(e.differences, e.groups)
    variance, df = squares * number / max(number - 1, 1), CLUSTER_ROBUST_T.run(e).df
    return variance, df if df is not None and math.isfinite(df) else max(number - 1.0, 1.0)


def _correlation(found: Sequence[Evidence]) -> Floats:
    """Return how the differences vary together from part to part."""
    parts = [np.split(e.variance(HalfSampleVariance).moves, 2) for e in found]
    # halvings of one network are the same; where time set their number, take those that all have
    number = min(odd.size for odd, _ in parts)
    moves = np.array([np.concatenate([odd[:number], even[:number]]) for odd, even in parts])
    return correlation_of(moves @ moves.T)


COMMUNITY_HALVES = Procedure(
    name=NAME,
    question=OTHER_NETWORKS,
    make=_halves,
    words="halves of the communities",
    label="halves",
    needs="models",
    aliases=("community_halves",),
    references=("mccarthy1969", "satterthwaite1946"),
    why=(
        "it answers for other networks and holds no copies of a node, which a model that learns "
        "from features would recognize: all models were run again on random halves of the "
        "communities of this one."
    ),
    correlation=_correlation,
    one_model=True,
)
