"""Fair trials for network classifiers: does A really beat B on networks like this one?"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from .comparison.compare import compare, compare_predictions
    from .comparison.grouped import GroupedComparison, compare_grouped
    from .comparison.result import Comparison
    from .comparison.saved import compare_saved
    from .io import read
    from .io.objects import from_adjacency, from_frames, from_networkx
    from .network import Network
    from .saved import read_predictions
    from .splits.files import read_splits, write_splits
    from .study import Predictions, run
    from .summary import summarize
    from .synth import latent_group_network

# public name -> module that holds it; loaded at first use, so that importing costs nothing
_HOME = {
    "Comparison": "comparison.result",
    "GroupedComparison": "comparison.grouped",
    "Network": "network",
    "Predictions": "study",
    "compare": "comparison.compare",
    "compare_grouped": "comparison.grouped",
    "compare_predictions": "comparison.compare",
    "compare_saved": "comparison.saved",
    "from_adjacency": "io.objects",
    "from_frames": "io.objects",
    "from_networkx": "io.objects",
    "latent_group_network": "synth",
    "read": "io",
    "read_predictions": "saved",
    "read_splits": "splits.files",
    "run": "study",
    "summarize": "summary",
    "write_splits": "splits.files",
}
_MODULES = ("io", "metrics", "models", "splits", "stats", "synth", "theory")

__all__ = [
    "Comparison",
    "GroupedComparison",
    "Network",
    "Predictions",
    "__version__",
    "compare",
    "compare_grouped",
    "compare_predictions",
    "compare_saved",
    "from_adjacency",
    "from_frames",
    "from_networkx",
    "latent_group_network",
    "read",
    "read_predictions",
    "read_splits",
    "run",
    "summarize",
    "write_splits",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module 'nettrial' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
