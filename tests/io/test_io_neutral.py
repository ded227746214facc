"""Real networks in neutral form give the counts that were made elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from nettrial.io import read_with_report
from nettrial.network.summary import summarize
from networks import EXPECTED, differences


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED or [pytest.param("", id="none")])
def test_neutral_counts(data: Path, name: str) -> None:
    network, report = read_with_report(data / "neutral" / name)
    assert differences(network, name) == {}
    assert summarize(network).class_counts == EXPECTED[name]["class_counts"]
    assert report.label == "label"
    assert report.direction_choice == "stated by the file"
    assert report.rows == EXPECTED[name]["edge_rows"]
    assert report.nodes == EXPECTED[name]["nodes"]
