"""compare_saved(): from predictions made elsewhere to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from ..errors import AssumptionWarning
from ..network import Network
from ..saved import read_predictions
from ..splits.base import Split
from .compare import check_comparable, compare_predictions
from .result import Comparison


def compare_saved(
    path: str | PathLike[str],
    network: Network,
    *,
    a: str | None = None,
    b: str | None = None,
    splits: Sequence[Split] | None = None,
    **options: Any,
) -> Comparison:
    """Compare two models whose predictions are in a file: every test that needs no re-run.

    Parameters
    ----------
    path, network, a, b, splits
        As for `read_predictions`.
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
    predictions, notes = read_predictions(path, network, a=a, b=b, splits=splits)
    trained = float(np.mean([split.train.size for split in predictions.splits]))
    labeled = None if splits is None else trained / network.labelled.size
    found = compare_predictions(predictions, labeled=labeled, **options)
    told = tuple(AssumptionWarning(note) for note in notes)
    return replace(found, warnings=told + found.warnings)
