"""Experiments in which the truth is known: the papers' figures by name, and more."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Experiment": "base",
    "ExperimentResult": "result",
    "experiment": "registry",
    "names": "registry",
    "run_experiment": "runner",
}

__all__ = sorted(_HOME)


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
