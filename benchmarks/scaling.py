"""Workers: what a unit costs beside its own work, and how much faster two are than one.

    python benchmarks/scaling.py                     # loky, 2,000 units
    python benchmarks/scaling.py --backend dask      # a local cluster of as many workers
    python benchmarks/scaling.py --backend ray

Each unit simulates one split: a random classifier on a generated network, with real arithmetic for
about `--work` milliseconds. The same sweep runs in this process, by one worker and by two, with
and without a study file, in turn; all digests must be equal. The overhead a unit is that of a
sweep whose units do nothing. CPU times say what the machine had left for us: on a busy machine
the ratio of wall times says little.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

import nettrial
from nettrial.network.network import Network
from nettrial.splits import RandomResampling, Split
from nettrial.study.node_study import run


class Simulated:
    """A random classifier that works for a while."""

    def __init__(self, name: str, rounds: int) -> None:
        self.name = name
        self.rounds = rounds

    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int) -> Simulated:
        """Draw random numbers for as many rounds as told."""
        rng = np.random.default_rng(seed)
        self.scores = rng.random(network.n_nodes)
        for _ in range(self.rounds):
            self.scores = (self.scores + rng.random(network.n_nodes)) / 2
        return self

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the drawn numbers as probabilities."""
        return np.column_stack([self.scores[nodes], 1 - self.scores[nodes]])


@contextlib.contextmanager
def cluster(backend: str, workers: int) -> Iterator[None]:
    """Set joblib up; at one worker, too, the work goes through the backend."""
    if backend == "dask":
        from distributed import Client, LocalCluster

        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local,
            Client(local),
            parallel_config(backend="dask"),
        ):
            yield
    elif backend == "ray":
        import ray
        from ray.util.joblib import register_ray

        paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, runtime_env=paths)
        register_ray()
        with parallel_config(backend="ray", n_jobs=workers):
            yield
        ray.shutdown()
    else:
        with parallel_config(backend="loky", n_jobs=workers):
            yield


def sweep(
    network: Network, splits: list[Split], rounds: int, store: Path | None = None
) -> tuple[float, str]:
    """Run all units; give the time and a digest of the predictions."""
    begin = time.perf_counter()
    found = run(network, {"simulated": Simulated("simulated", rounds)}, splits, store=store)
    seconds = time.perf_counter() - begin
    state = hashlib.sha256()
    for proba in found.probabilities["simulated"]:
        state.update(proba.tobytes())
    return seconds, state.hexdigest()


def rounds_for(network: Network, splits: list[Split], milliseconds: float) -> int:
    """Find how many rounds take that long."""
    trial = 200
    times = []
    for _ in range(5):
        begin = time.process_time()
        Simulated("trial", trial).fit(network, splits[0].train, seed=0)
        times.append(time.process_time() - begin)
    return max(1, round(trial * milliseconds / 1000 / min(times)))


def main() -> None:
    """Run the sweeps and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=["loky", "dask", "ray"], default="loky")
    parser.add_argument("--units", type=int, default=2000)
    parser.add_argument("--work", type=float, default=10.0, help="milliseconds a unit")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    network = nettrial.latent_group_network(1000, seed=1)
    splits = RandomResampling(n_splits=options.units, labeled=0.3).split_network(network)
    rounds = rounds_for(network, splits, options.work)
    found: dict[str, object] = {
        "backend": options.backend, "units": options.units, "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
    }  # fmt: skip
    here, expected = sweep(network, splits, rounds)
    nothing, _ = sweep(network, splits, 0)
    found["in_process_seconds"] = here
    found["in_process_seconds_without_work"] = nothing
    walls = {}
    for workers in options.workers:
        with cluster(options.backend, workers), tempfile.TemporaryDirectory() as folder:
            sweep(network, splits[:20], 0)  # starts the workers
            walls[workers], digest = sweep(network, splits, rounds)
            assert digest == expected, "another number of workers gave other results"
            empty, _ = sweep(network, splits, 0)
            stored, digest = sweep(network, splits, 0, Path(folder, "study.nettrial"))
            found[f"workers_{workers}"] = {
                "seconds": walls[workers],
                "overhead_ms_a_unit": 1000 * empty / options.units,
                "overhead_ms_a_unit_with_study_file": 1000 * stored / options.units,
            }
    if {1, 2} <= set(walls):
        found["two_workers_against_one"] = walls[1] / walls[2]
    found["load_after"] = os.getloadavg()[0]
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
