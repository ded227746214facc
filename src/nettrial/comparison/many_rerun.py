"""The bootstrap of several models in place of the test on their predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..bootstrap.blocks import BootstrapError
from ..bootstrap.many import bootstrap_comparisons
from ..models.base import Model
from ..splits.base import Design, Split
from ..stats.letters import compact_letters
from ..study import CrossLinks
from .pairs import significant
from .rerun import BOOTSTRAP, ON_PREDICTIONS, Choice, community_warnings
from .result import noted
from .told import clustered_told

if TYPE_CHECKING:
    from .many_result import MultipleComparison


def with_verdict_by(
    choice: Choice,
    found: MultipleComparison,
    models: Mapping[str, Model],
    design: Design | Sequence[Split],
    *,
    n_replicates: int,
    cross_links: CrossLinks,
    seed: int,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> MultipleComparison:
    """Take intervals and p-values from the chosen test, making the bootstrap if it is that."""
    if choice.name == ON_PREDICTIONS:
        return replace(found, reason=f"{choice.reason} {found.reason}")
    if choice.name != BOOTSTRAP:
        return replace(found, reason=choice.reason)
    assert isinstance(design, Design)  # noqa: S101 - choose_test refused splits that were given
    try:
        made = bootstrap_comparisons(
            found.predictions, models, design, first=found.pairs.first, second=found.pairs.second,
            communities=found.communities, n_replicates=n_replicates, cross_links=cross_links,
            confidence=found.confidence, measure=found.measure.name, seed=seed,
            n_jobs=n_jobs, progress=progress,
        )  # fmt: skip
    except BootstrapError as error:
        if choice.forced:
            raise
        because = f"no bootstrap, since it could not be made: {error}."
        return replace(found, reason=f"{because} {found.reason}")
    clustered = set(map(str, clustered_told(found.pairs, [found.predictions])))
    others = tuple(warning for warning in found.warnings if str(warning) not in clustered)
    names = found.predictions.models
    limits = {name: (float(low), float(high)) for name, low, high in
              zip(names, made.low, made.high)}  # fmt: skip
    return replace(
        found,
        pairs=made.pairs,
        score_intervals={name: limits[name] for name in found.scores},
        letters=compact_letters(list(found.scores), significant(made.pairs))
        if found.control is None else {},
        test=BOOTSTRAP,
        reason=choice.reason,
        warnings=tuple(community_warnings(found.communities)) + noted(made.pairs.notes) + others,
        settings=dict(found.settings) | {"n_replicates": n_replicates},
    )  # fmt: skip
