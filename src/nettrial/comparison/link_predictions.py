"""Scores of pairs that were made before: the part of compare_predictions() for links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.errors import AssumptionWarning, InputError, not_found, shown
from ..core.option_names import option
from ..network.canonical_order import canonical_order
from ..network.communities import communities_in_order
from ..network.network import Network
from ..saved import conditions
from ..saved.links import read_link_predictions
from ..saved.sources import Part
from ..stats.result import check_confidence
from ..study.in_order import predictions_in_order
from ..study.node_study import Predictions
from .judge import Cell, judge
from .links import analysis_of_links, link_comparison_of, settings_of_splits
from .multiple import MultipleComparison, multiple_of
from .options import Options, not_used
from .result import LinkComparison
from .setup import check_models


def compare_link_predictions(
    source: Part | Predictions,
    network: Network | None,
    a: str | None,
    b: str | None,
    options: Options,
    *,
    splits: Any,
    where: Mapping[str, object] | str | None,
    design: str,
    settings: Mapping[str, Any],
) -> LinkComparison | MultipleComparison:
    """Compare link predictors by their scores, see `compare_predictions`."""
    for name in ("labeled", "q", "measures", "positive"):
        options.refuse("link predictors", name)
    if splits is not None:
        raise not_used("splits", "link predictors")
    check_confidence(options.confidence)
    notes: tuple[str, ...] = ()
    if isinstance(source, Predictions):
        found = source
    else:
        found, notes = read_link_predictions(source, network, where=conditions(where))
    found = _chosen(found, a, b)
    check_models(found.models, options.control)
    order = canonical_order(found.network)
    options = options.but(communities=communities_in_order(options.communities, order))
    found = predictions_in_order(found, order)
    analysis = analysis_of_links(
        found.network, found.splits, options, design=design, settings=settings
    )
    judgment = judge([Cell(found, replace(analysis, order=order))])[0]
    warnings = tuple(AssumptionWarning(note) for note in notes)
    if len(found.models) == 2 and options.control is None:
        two = link_comparison_of(judgment)
        return replace(two, warnings=warnings + two.warnings)
    several = multiple_of(judgment, **settings_of_splits(found))
    return replace(several, warnings=warnings + several.warnings)


def _chosen(found: Predictions, a: str | None, b: str | None) -> Predictions:
    """Return the scores of the two models that are asked for; of one, beside the only other."""
    for name in (a, b):
        if name is not None and name not in found.models:
            raise not_found("model", name, found.models)
    rest = [name for name in found.models if name not in (a, b)]
    if (a, b) == (None, None):
        return found
    if (a is None or b is None) and len(rest) != 1:
        raise InputError(
            expected="two models",
            got=f"{shown(a or b)} of {len(found.models)} ({', '.join(found.models[:8])})",
            hint=f"name both by {option('a')} and {option('b')}",
            where="compare",
        )
    pair = (rest[0] if a is None else a, rest[0] if b is None else b)
    return replace(
        found, models=pair, probabilities={name: found.probabilities[name] for name in pair}
    )
