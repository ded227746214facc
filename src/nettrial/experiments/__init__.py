"""Experiments in which the truth is known: the papers' figures by name, and more."""

from __future__ import annotations

from ..core.lazy_names import lazily

_HOME = {
    "Experiment": "base",
    "ExperimentResult": "result",
    "experiment": "registry",
    "names": "registry",
    "run_experiment": "runner",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazily(__name__, _HOME)
