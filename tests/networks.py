"""What datasets.json says of the real networks, and how to compare a network with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nettrial.network.network import Network
from nettrial.network.summary import summarize

DATASETS = Path(__file__).resolve().parents[2] / "shared" / "data" / "datasets.json"
EXPECTED: dict[str, Any] = json.loads(DATASETS.read_text()) if DATASETS.is_file() else {}
KEYS = {
    "nodes": "nodes",
    "rows": "edge_rows",
    "links_simple_undirected": "edges_simple_undirected",
    "self_loops": "self_loops",
    "duplicate_rows": "duplicate_rows",
    "dangling_rows": "dangling_edge_rows",
    "isolates": "isolates",
    "components": "components",
    "classes": "classes",
    "unlabeled": "unlabelled",
    "directed": "directed",
    "weighted": "weighted",
}


def differences(network: Network, name: str, *leave_out: str) -> dict[str, tuple[Any, Any]]:
    """Give every count in which a network differs from datasets.json: found, expected.

    The classes of originals are often codes for the names there, so the sizes are compared;
    the autocorrelation, printed with four digits, tells whether the right nodes have them.
    """
    found, expected = summarize(network).to_dict(), EXPECTED[name]
    pairs = {key: (found[key], expected[other]) for key, other in KEYS.items()}
    pairs["class sizes"] = (
        sorted(found["class_counts"].values()),
        sorted(expected["class_counts"].values()),
    )
    value = found["autocorrelation"]
    pairs["autocorrelation"] = (None if value is None else round(value, 4), expected["autocorr"])
    return {k: pair for k, pair in pairs.items() if pair[0] != pair[1] and k not in leave_out}
