"""Experiments in which the truth is known: the papers' figures by name, and more."""

from __future__ import annotations

from typing import Any

from ..lazy_names import load

_HOME = {
    "Experiment": "base",
    "ExperimentResult": "result",
    "experiment": "registry",
    "names": "registry",
    "run_experiment": "runner",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    return load(__name__, _HOME, name)


def __dir__() -> list[str]:
    return __all__
