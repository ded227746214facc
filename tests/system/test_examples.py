"""Every example runs as it stands and ends with a verdict."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


SLOW_TO_END = "Worker process still alive after"  # what Dask says where a machine is busy


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    if "import torch" in path.read_text() and importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch is not installed")
    if "import distributed" in path.read_text() and importlib.util.find_spec("distributed") is None:
        pytest.skip("Dask is not installed")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if SLOW_TO_END not in line]
    assert not said, said
    text = " ".join(done.stdout.split())
    assert "on networks like this one" in text or "on groups like these" in text
    assert list(tmp_path.iterdir()) == []


def test_the_list_of_examples_is_complete() -> None:
    note = (ROOT / "examples" / "README.md").read_text()
    assert len(EXAMPLES) == 7
    assert all(f"`{path.name}`" in note for path in EXAMPLES)
