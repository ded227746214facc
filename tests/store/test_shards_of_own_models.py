"""Shards in two processes run models by file and name, a class and a training function."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import nettrial

MODELS = """
import numpy as np


class Shares:
    name = "shares"

    def fit(self, network, train):
        counts = np.bincount(network.labels[train], minlength=network.n_classes)
        self.share = counts / counts.sum()
        return self

    def predict_proba(self, network, nodes):
        return np.tile(self.share, (len(nodes), 1))


def run(data, seed):
    import torch

    known = torch.nn.functional.one_hot(data.y.clamp(min=0), data.num_classes).float()
    known[data.test_mask] = 0
    out = torch.zeros_like(known).index_add(0, data.edge_index[1], known[data.edge_index[0]])
    return out + torch.rand(()) / 10
"""


@pytest.mark.slow
def test_two_processes_run_models_by_file_and_name(tmp_path: Path) -> None:
    pytest.importorskip("torch_geometric")
    nettrial.io.write(nettrial.latent_group_network(80, seed=1), tmp_path / "net")
    (tmp_path / "mine.py").write_text(MODELS)
    words = ["compare", "net", "--a", "mine.py:run", "--b", "mine.py:Shares", "--splits", "3",
             "--test", "halves", "--replicates", "10"]  # fmt: skip
    source = str(Path(nettrial.__file__).parents[1])
    surroundings = os.environ | {"PYTHONPATH": source}

    def started(*more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "nettrial", *more], cwd=tmp_path, env=surroundings, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    shards = [started(*words, "--store", "shards", "--shard", f"{i}/2") for i in (1, 2)]
    whole = started(*words, "--store", "whole.nettrial", "--json")
    for process in (*shards, whole):
        said = process.communicate(timeout=300)
        assert process.returncode == 0, said
    merged = started("merge", "shards", "merged.nettrial")
    assert merged.communicate(timeout=60) is not None
    assert merged.returncode == 0
    found = [
        nettrial.store.StoredStudy(tmp_path / f"{name}.nettrial") for name in ("merged", "whole")
    ]
    assert [study.models for study in found] == [("run", "shares")] * 2
    from nettrial.comparison.stored_runs import stored_comparison

    one, other = (stored_comparison(tmp_path / f"{n}.nettrial") for n in ("merged", "whole"))
    assert one.test("halves").pvalue == other.test("halves").pvalue
    assert one.scores == other.scores
