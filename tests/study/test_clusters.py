"""The same call on a cluster of two worker processes: Dask and Ray."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from joblib import parallel_config

import nettrial
from nettrial.cli.user_models import user_model
from nettrial.network.network import Network
from nettrial.store import study_status
from nettrial.study import shared_network
from study_models import Deadly, Guessing
from timeless import timeless


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(120, seed=3)


@pytest.fixture(scope="module")
def expected(network: Network) -> str:
    return compare(network)


def compare(network: Network, store: Path | None = None) -> str:
    found = nettrial.compare(
        network, Guessing(), "nbc", n_splits=20, seed=5, test="cluster_robust_t", store=store
    )
    return timeless(found)


OWN = """
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


@pytest.fixture(scope="module")
def own_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file of models that workers can import too."""
    path = tmp_path_factory.mktemp("own") / "models_of_mine.py"
    path.write_text(OWN)
    before = [*sys.path]
    sys.path.append(str(path.parent))
    yield path
    sys.path[:] = before
    sys.modules.pop(path.stem, None)


def compare_own(network: Network, path: Path) -> str:
    """Compare a class and a training function as ``--a FILE:run --b FILE:Shares`` does."""
    pytest.importorskip("torch_geometric")
    models = [user_model(f"{path}:{name}") for name in ("run", "Shares")]
    found = nettrial.compare(network, *models, n_splits=4, seed=5, test="cluster_robust_t")
    return timeless(found)


@pytest.fixture(scope="module")
def dask(own_file: Path) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def ray(own_file: Path) -> Iterator[Any]:
    module = pytest.importorskip("ray")
    from joblib.pool import PicklingPool
    from ray.util.joblib import register_ray

    bases = PicklingPool.__bases__

    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=paths)
    register_ray()
    yield module
    module.shutdown()
    PicklingPool.__bases__ = bases  # Ray's backend puts its own pool under joblib's


@pytest.mark.slow
def test_dask_gives_the_same_bytes(dask: Any, network: Network, expected: str) -> None:
    with parallel_config(backend="dask"):
        assert compare(network) == expected


@pytest.mark.slow
@pytest.mark.timeout(300)  # workers import PyTorch
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_dask_runs_models_by_file_and_name(dask: Any, network: Network, own_file: Path) -> None:
    wanted = compare_own(network, own_file)
    with parallel_config(backend="dask"):
        assert compare_own(network, own_file) == wanted


@pytest.mark.slow
def test_dask_gets_the_network_once_where_files_do_not_reach(
    dask: Any, network: Network, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_network, "elsewhere", lambda backend: True)
    with parallel_config(backend="dask"):
        assert compare(network) == expected


@pytest.mark.slow
def test_dask_replaces_a_worker_that_dies(dask: Any, network: Network, tmp_path: Path) -> None:
    from nettrial.splits import RandomResampling

    file, store = tmp_path / "deaths", tmp_path / "study.nettrial"
    splits = RandomResampling(n_splits=12, seed=1).split_network(network)
    file.write_bytes(b"1")
    before = set(dask.run(os.getpid).values())
    with parallel_config(backend="dask"):
        nettrial.run(network, {"d": Deadly("d", str(file))}, splits, store=store)
    dask.wait_for_workers(2, timeout=30)
    assert file.read_bytes() == b""
    assert study_status(store).done == 12
    assert set(dask.run(os.getpid).values()) != before


def test_ray_gives_the_same_bytes(
    ray: Any, network: Network, expected: str, tmp_path: Path
) -> None:
    with parallel_config(backend="ray", n_jobs=2):
        assert compare(network, tmp_path / "study.nettrial") == expected
    assert study_status(tmp_path / "study.nettrial").done == 40


@pytest.mark.timeout(300)  # workers import PyTorch
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_ray_runs_models_by_file_and_name(ray: Any, network: Network, own_file: Path) -> None:
    wanted = compare_own(network, own_file)
    with parallel_config(backend="ray", n_jobs=2):
        assert compare_own(network, own_file) == wanted


def test_ray_keeps_the_network_in_its_store_where_files_do_not_reach(
    ray: Any, network: Network, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_network, "elsewhere", lambda backend: True)
    with parallel_config(backend="ray", n_jobs=2):
        assert compare(network) == expected
