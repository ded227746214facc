"""Benchmarks still run, on networks too small to tell anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SMALL = {
    "out_of_core.py": ["--nodes", "2000", "--degree", "6", "--iterations", "2"],
    "parts.py": ["--nodes", "3000"],
    "citation_halves.py": ["--networks", "2", "--halvings", "6"],
    "audited.py": ["--worlds", "lgm300", "--labeled", "0.3", "--networks", "1",
                   "--replicates", "20"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the sdist alone has no benchmarks")
@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_runs(name: str) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / name, *SMALL[name]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the sdist alone has no benchmarks")
def test_what_large_networks_alone_are_measured_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    import inference

    evidence = inference.evidence_of(inference.power_law(2000))
    assert inference.threads_ratio(evidence) > 0
    for model in (inference.WVRN(), inference.NBC()):
        used = inference.memory(evidence, model)
        assert used is None or used > 0
