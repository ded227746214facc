"""Network classifiers and the protocol that any other model can follow."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "BatchModel": "base",
    "CDRN": "cdrn",
    "Convergence": "convergence",
    "GibbsSampling": "gibbs",
    "IterativeClassification": "iterative",
    "Model": "base",
    "NBC": "nbc",
    "NLB": "link_based",
    "NoInference": "iterative",
    "Prior": "prior",
    "RelaxationLabeling": "relaxation",
    "WVRN": "wvrn",
    "by_name": "names",
    "predict_labels": "decide",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
