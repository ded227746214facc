"""compare_saved(): from predictions made elsewhere to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import AssumptionWarning, InputError, not_found
from ..network import Network
from ..saved import read_predictions
from ..splits.base import Split
from ..study import Predictions
from .compare import check_comparable, compare_predictions
from .result import Comparison


def compare_saved(
    source: Any,
    network: Network,
    *,
    a: str | None = None,
    b: str | None = None,
    splits: Sequence[Split] | None = None,
    where: Mapping[str, object] | str | None = None,
    **options: Any,
) -> Comparison:
    """Compare two models whose predictions were made elsewhere: every test that needs no re-run.

    Parameters
    ----------
    source, network, splits, where
        As for `read_predictions`.
    a, b : str, optional
        The models to compare, where there are more than two, or to fix which comes first.
    **options
        As for `compare_predictions`: design, communities, measure, q, confidence, test, seed.

    Returns
    -------
    Comparison
        What was left out or assumed in reading stands first among its warnings.

    Raises
    ------
    InputError
        As for `read_predictions` and `compare_predictions`.

    Examples
    --------
    >>> import tempfile, nettrial
    >>> net = nettrial.latent_group_network(100, seed=1)
    >>> run = nettrial.compare(net, "wvrn", "nbc", n_splits=4, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.predictions.to_frame().to_csv(f"{folder}/saved.csv", index=False)
    ...     again = compare_saved(f"{folder}/saved.csv", net, seed=1)
    >>> again.test("clustered_t").pvalue == run.test("clustered_t").pvalue
    True
    """
    check_comparable(network)
    wanted = None if a is None or b is None else (a, b)
    predictions, notes = read_predictions(
        source, network, models=wanted, splits=splits, where=where
    )
    if wanted is None:
        predictions, _ = read_predictions(predictions, network, models=_pair(predictions, a, b))
    trained = float(np.mean([split.train.size for split in predictions.splits]))
    labeled = None if splits is None else trained / network.labelled.size
    found = compare_predictions(predictions, labeled=labeled, **options)
    told = tuple(AssumptionWarning(note) for note in notes)
    return replace(found, warnings=told + found.warnings)


def _pair(found: Predictions, a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two models of the predictions, the one that is named in its place."""
    named = a if a is not None else b
    if named is not None and named not in found.models:
        raise not_found("model", named, found.models)
    rest = [name for name in found.models if name != named]
    if len(rest) != 2 - (named is not None):
        raise InputError(
            f"expected predictions of two models, got {len(found.models)} "
            f"({', '.join(found.models[:8])}); choose two by a= and b="
        )
    first = a if a is not None else rest.pop(0)
    return first, b if b is not None else rest.pop(0)
