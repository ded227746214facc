"""Fair trials for network classifiers: does A really beat B on networks like this one?"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .core.version import __version__

if TYPE_CHECKING:
    from .auditing.audit import audit
    from .auditing.audit_result import Audit
    from .auditing.plan import plan
    from .auditing.plan_result import Plan
    from .auditing.seed_variance import SeedVariance, seed_variance
    from .checking.check import Check, check
    from .comparison.across import AcrossNetworks, compare_across
    from .comparison.compare import compare
    from .comparison.grouped import GroupedComparison, compare_grouped
    from .comparison.grouped_models import MultipleGroupedComparison
    from .comparison.halves import Halves, halves
    from .comparison.halves_files import read_halves
    from .comparison.labels import compare_labels
    from .comparison.multiple import MultipleComparison, compare_models
    from .comparison.predictions import compare_predictions
    from .comparison.result import Comparison
    from .comparison.sharded import compare_shard
    from .comparison.sweep import Sweep, sweep
    from .comparison.transfer import compare_transfer
    from .core.errors import InputError, NettrialWarning
    from .io.frames import from_frames
    from .io.objects import from_adjacency, from_networkx
    from .io.read import read
    from .models.tuning import tuned
    from .network.network import Network
    from .network.summary import summarize
    from .published.leaderboard import Leaderboard, leaderboard
    from .saved import read_evaluation, read_evaluations, read_predictions
    from .splits.files import read_splits, write_splits
    from .study.node_study import Predictions, run
    from .synth import latent_group_network

# public name -> module that holds it; loaded at first use, so that importing costs nothing
_HOME = {
    "Audit": "auditing.audit_result",
    "AcrossNetworks": "comparison.across",
    "Check": "checking.check",
    "Comparison": "comparison.result",
    "GroupedComparison": "comparison.grouped",
    "Halves": "comparison.halves",
    "InputError": "core.errors",
    "Leaderboard": "published.leaderboard",
    "MultipleComparison": "comparison.multiple",
    "MultipleGroupedComparison": "comparison.grouped_models",
    "NettrialWarning": "core.errors",
    "Network": "network.network",
    "Plan": "auditing.plan_result",
    "Predictions": "study.node_study",
    "SeedVariance": "auditing.seed_variance",
    "Sweep": "comparison.sweep",
    "audit": "auditing.audit",
    "check": "checking.check",
    "compare": "comparison.compare",
    "compare_across": "comparison.across",
    "compare_grouped": "comparison.grouped",
    "compare_labels": "comparison.labels",
    "compare_models": "comparison.multiple",
    "compare_transfer": "comparison.transfer",
    "compare_predictions": "comparison.predictions",
    "compare_shard": "comparison.sharded",
    "from_adjacency": "io.objects",
    "from_frames": "io.frames",
    "from_networkx": "io.objects",
    "halves": "comparison.halves",
    "latent_group_network": "synth",
    "leaderboard": "published.leaderboard",
    "plan": "auditing.plan",
    "read": "io",
    "read_evaluation": "saved",
    "read_evaluations": "saved",
    "read_halves": "comparison.halves_files",
    "read_predictions": "saved",
    "read_splits": "splits.files",
    "run": "study.node_study",
    "seed_variance": "auditing.seed_variance",
    "summarize": "network.summary",
    "sweep": "comparison.sweep",
    "tuned": "models.tuning",
    "write_splits": "splits.files",
}
_MODULES = (
    "experiments",
    "io",
    "metrics",
    "models",
    "replicates",
    "report",
    "splits",
    "stats",
    "store",
    "synth",
)

__all__ = [
    "AcrossNetworks",
    "Audit",
    "Check",
    "Comparison",
    "GroupedComparison",
    "Halves",
    "InputError",
    "Leaderboard",
    "MultipleComparison",
    "MultipleGroupedComparison",
    "NettrialWarning",
    "Network",
    "Plan",
    "Predictions",
    "SeedVariance",
    "Sweep",
    "__version__",
    "audit",
    "check",
    "compare",
    "compare_across",
    "compare_grouped",
    "compare_labels",
    "compare_models",
    "compare_predictions",
    "compare_shard",
    "compare_transfer",
    "from_adjacency",
    "from_frames",
    "from_networkx",
    "halves",
    "latent_group_network",
    "leaderboard",
    "plan",
    "read",
    "read_evaluation",
    "read_evaluations",
    "read_halves",
    "read_predictions",
    "read_splits",
    "run",
    "seed_variance",
    "summarize",
    "sweep",
    "tuned",
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
