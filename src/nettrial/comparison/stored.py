"""A comparison from a study file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.blocks import take_apart
from ..bootstrap.runs import Drawn, drawn_from, splits_of_replicates, units_of
from ..bootstrap.test import conclude
from ..errors import InputError
from ..stats.result import TestResult
from ..store import StoredStudy, Unit
from ..study import Predictions, by_split
from .compare import tests_on
from .rerun import Choice, with_verdict_by
from .result import Comparison


def stored_predictions(path: str | PathLike[str]) -> Predictions:
    """Read the predictions of a finished study.

    Parameters
    ----------
    path : path

    Raises
    ------
    InputError
        Where the file is missing, damaged or no study file, or does not hold the network.
    IncompleteStudyError
        Where units failed or are not done.
    """
    study = StoredStudy(path)
    study.check_complete(study.units())
    network, splits = study.network(), study.splits()
    for split in splits:
        if split.test.size and not 0 <= split.test.min() <= split.test.max() < network.n_nodes:
            raise InputError(f"{study.path}: is damaged: a split tests nodes that do not exist")
    shapes = [(split.test.size, network.n_classes) for split in splits]
    found = {
        name: tuple(
            study.results((Unit(place, number), shape) for number, shape in enumerate(shapes))
        )
        for place, name in enumerate(study.models)
    }  # fmt: skip
    heard = by_split(study.models, len(splits), study.warned())
    return Predictions(network, splits, study.models, found, heard)


def stored_comparison(path: str | PathLike[str]) -> Comparison:
    """Compare the two models of a finished study as `compare` was told to when it made the file.

    Parameters
    ----------
    path : path

    Raises
    ------
    InputError, IncompleteStudyError
        As `stored_predictions`; also where the file was not made by `compare`.
    """
    analysis = StoredStudy(path).analysis
    if not analysis:
        raise InputError(
            f"{path}: was made by run, which says nothing about a comparison; read it by "
            "stored_predictions and compare these by compare_predictions"
        )
    predictions = stored_predictions(path)
    if not isinstance(analysis.get("communities"), str):
        analysis["communities"] = np.array(analysis.get("communities"), dtype=object)
    try:
        choice = Choice(**analysis.pop("verdict", {}))
        found = tests_on(predictions, **analysis)
    except TypeError as error:
        raise InputError(f"{path}: is damaged: its settings cannot be used ({error})") from None
    return with_verdict_by(choice, found, lambda found: stored_bootstrap(path, choice, found))


def stored_bootstrap(path: str | PathLike[str], choice: Choice, found: Comparison) -> TestResult:
    """Make the bootstrap from what a study file holds of the networks that were drawn."""
    study = StoredStudy(path)
    blocks = take_apart(found.predictions.network, found.communities)

    def draw(_: Sequence[int], __: NDArray[np.float64], place: int) -> Drawn:
        study.check_complete(units_of(place, choice.n_replicates))
        return drawn_from(
            study.results, blocks, place, n_models=2, n_replicates=choice.n_replicates,
            n_splits=splits_of_replicates(study.n_splits, choice.compiled),
            independent=choice.independent, compiled=choice.compiled,
        )  # fmt: skip

    return conclude(
        found.predictions, blocks, draw, n_replicates=choice.n_replicates,
        confidence=found.confidence, measure=found.measure,
    )  # fmt: skip
