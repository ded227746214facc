"""Real networks in neutral form give the counts that were made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nettrial.io import read_with_report
from nettrial.summary import summarize

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
    "class_counts": "class_counts",
    "unlabelled": "unlabelled",
    "directed": "directed",
    "weighted": "weighted",
}


@pytest.mark.parametrize("name", EXPECTED or [pytest.param("", id="none")])
def test_neutral_counts(data: Path, name: str) -> None:
    network, report = read_with_report(data / "neutral" / name)
    expected, found = EXPECTED[name], summarize(network).to_dict()
    assert {key: found[key] for key in KEYS} == {key: expected[KEYS[key]] for key in KEYS}
    # the references are printed with four digits after the point
    want = expected["autocorr"]
    assert (
        want is None
        if found["autocorrelation"] is None
        else (round(found["autocorrelation"], 4) == want)
    )
    assert report.label == "label"
    assert report.direction_choice == "stated by the file"
    assert report.rows == expected["edge_rows"]
