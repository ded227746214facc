"""The experiments by name; the module of one is imported when it is used."""

from __future__ import annotations

import importlib

from ..core.arguments import check_arguments
from ..core.errors import unknown_choice
from ..core.plain_text import listed
from .base import Experiment

_HOME = {
    "icdm09-table1": "error_correlation",
    "icdm09-fig1a": "simulated",
    "icdm09-fig1b": "simulated",
    "icdm09-fig1c": "latent",
    "icdm09-fig1d": "latent",
    "icdm09-fig1e": "latent",
    "icdm09-fig1f": "real",
    "ecml11-fig1a": "simulated",
    "ecml11-fig1b": "simulated",
    "ecml11-fig2a": "latent",
    "ecml11-fig2b": "latent",
    "ecml11-fig3a": "real",
    "ecml11-fig3b": "real",
    "folds": "simulated",
    "theory": "theorems",
    "dietterich": "independent",
    "labels": "label_draws",
    "calibration": "calibration_grid",
    "halves": "feature_halves",
    "links": "link_predictors",
    "measures": "measures",
    "regression": "regression",
}


@check_arguments
def names() -> list[str]:
    """Return the names of all experiments.

    Examples
    --------
    >>> "folds" in names()
    True
    """
    return list(_HOME)


@check_arguments
def experiment(name: str) -> Experiment:
    """Return an experiment.

    Raises
    ------
    InputError
        For a name that no experiment has.

    Examples
    --------
    >>> experiment("Folds").trials
    10000
    """
    name = listed(name, _HOME)
    if name not in _HOME:
        raise unknown_choice("experiment", name, _HOME, listing="listed")
    module = importlib.import_module(f".{_HOME[name]}", __package__)
    found: Experiment = module.EXPERIMENTS[name]
    return found
