"""A comparison from a study file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..inference.choice import RERUNS, TestChoice
from ..inference.registry import PROCEDURES, canonical
from ..inference.scores import Scores
from ..network.communities import LINKS_AND_FEATURES
from ..replicates.base import DrawnSet, ReplicateResults
from ..replicates.blocks import Blocks
from ..store import StoredStudy, Unit
from ..study.node_study import Predictions, by_split
from ..study.tasks import task_of
from .analysis import Analysis, Similar
from .judge import Cell, OnDrawn, judge
from .multiple import MultipleComparison, multiple_of
from .options import Options
from .pair import comparison_of
from .result import Comparison
from .setup import analysis_of

ON_PREDICTIONS = "predictions"  # in files of older versions: the best test on predictions


def stored_predictions(path: str | PathLike[str]) -> Predictions:
    """Read the predictions of a finished study."""
    study = StoredStudy(path)
    study.check_complete(study.units())
    network, splits = study.network(), study.splits()
    task = task_of(network, splits)
    for split in splits:
        fits = task.fits(network, split)
        if not fits:
            raise InputError(f"{study.path}: is damaged: a split tests nodes that do not exist")
    shapes = [task.shape(network, split) for split in splits]
    found = {
        name: tuple(
            study.results((Unit(place, number), shape) for number, shape in enumerate(shapes))
        )
        for place, name in enumerate(study.models)
    }
    heard = by_split(study.models, len(splits), study.warned(), ())
    seconds = by_split(study.models, len(splits), study.seconds(), math.nan)
    megabytes = by_split(study.models, len(splits), study.megabytes(), math.nan)
    return Predictions(
        network,
        tuple(splits),
        study.models,
        found,
        heard,
        seconds=seconds,
        megabytes=megabytes,
    )


def stored_comparison(
    path: str | PathLike[str],
) -> Comparison | MultipleComparison:
    """Compare the models of a finished study as `compare` did when it made the file.

    Returns
    -------
    Comparison or MultipleComparison
        For two models, two link predictors, or more.
    """
    kept = StoredStudy(path).analysis
    if not kept:
        raise InputError(
            f"{path}: was made by run, which says nothing about a comparison; read it by "
            "stored_predictions and compare these by compare_predictions"
        )
    predictions = stored_predictions(path)
    try:
        analysis = _analysis(predictions, kept)
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: is damaged: its settings cannot be used ({error})") from None
    cell = Cell(predictions, analysis, _from_file(path, analysis))
    judgment = judge([cell])[0]
    if len(predictions.models) > 2 or analysis.control is not None:
        return multiple_of(judgment)
    return comparison_of(judgment)


def _options(kept: dict[str, Any], names: Sequence[str]) -> Options:
    """Read options that a study file keeps."""
    by = kept["communities"]
    if kept.get("looks"):  # in files of older versions: with the comparison itself
        kept = kept | {"n_prior_tests": kept["looks"] - 1}
    return Options(
        communities=by if isinstance(by, str) else np.array(by, dtype=object),
        **{name: kept[name] for name in names if name in kept},
    )


def _analysis(predictions: Predictions, kept: dict[str, Any]) -> Analysis:
    """Read how a study is to be judged; files of older versions name tests otherwise."""
    verdict, similar = dict(kept.get("verdict") or {}), kept.get("similar")
    if similar is not None:  # the file does not hold the features
        kept = kept | {"communities": similar["groups"]}
    named = (
        "labeled",
        "q",
        "confidence",
        "seed",
        "measure",
        "measures",
        "control",
        "n_prior_tests",
        "margin",
    )
    given = {name: kept[name] for name in ("design", "settings") if name in kept}
    analysis = analysis_of(predictions, _options(kept, named), **given)
    if similar is not None:
        note = Similar(float(similar["agreement"]), str(similar["division"]))
        analysis = replace(analysis, communities=LINKS_AND_FEATURES, similar=note)
    name = canonical(verdict.get("name", ON_PREDICTIONS))
    if name not in PROCEDURES:
        return analysis  # the choice among the tests on predictions was left open
    compiled = verdict.get("compiled", ())
    verdict["compiled"] = (compiled,) if isinstance(compiled, bool) else tuple(compiled)
    return replace(analysis, choice=TestChoice(**(verdict | {"name": name})))


def _from_file(path: str | PathLike[str], analysis: Analysis) -> OnDrawn | None:
    """Return what reads from a study file what models did on drawn networks."""
    if analysis.choice.name not in RERUNS:
        return None
    study = StoredStudy(path)

    def rows(drawn: DrawnSet[Any]) -> NDArray[np.float64]:
        study.check_complete(drawn.units)
        return drawn.rows_from(study.results)

    def on_drawn(scores: Scores, blocks: Blocks) -> ReplicateResults:
        drawn = analysis.replicates(blocks, scores.models, study.n_splits).as_stored(path)
        return drawn.results(scores.values, rows)

    return on_drawn
