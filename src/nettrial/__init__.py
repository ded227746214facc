"""Fair trials for network classifiers: does A really beat B on networks like this one?"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from .comparison.compare import compare, compare_predictions
    from .comparison.result import Comparison
    from .io import read
    from .io.objects import from_adjacency, from_frames, from_networkx
    from .network import Network
    from .study import Predictions, run
    from .summary import summarize
    from .synth import latent_group_network

# public name -> module that holds it; loaded at first use, so that importing costs nothing
_HOME = {
    "Comparison": "comparison.result",
    "Network": "network",
    "Predictions": "study",
    "compare": "comparison.compare",
    "compare_predictions": "comparison.compare",
    "from_adjacency": "io.objects",
    "from_frames": "io.objects",
    "from_networkx": "io.objects",
    "latent_group_network": "synth",
    "read": "io",
    "run": "study",
    "summarize": "summary",
}
_MODULES = ("io", "metrics", "models", "splits", "stats", "synth", "theory")

__all__ = [
    "Comparison",
    "Network",
    "Predictions",
    "__version__",
    "compare",
    "compare_predictions",
    "from_adjacency",
    "from_frames",
    "from_networkx",
    "latent_group_network",
    "read",
    "run",
    "summarize",
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
