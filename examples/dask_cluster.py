"""The same comparison in this process and on a Dask cluster: not a byte differs.

The cluster here is two worker processes of this machine. For others only the Client changes:
Client("scheduler-address:8786").
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import distributed
from joblib import parallel_config

import nettrial


def compare(network: nettrial.Network, store: Path | None = None) -> nettrial.Comparison:
    return nettrial.compare(
        network,
        "wvrn",
        "nbc",
        labeled=0.2,
        n_splits=40,
        seed=1,
        test="cluster_robust_t",
        store=store,
    )


def main() -> None:
    network = nettrial.latent_group_network(300, seed=1)
    here = compare(network)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with tempfile.TemporaryDirectory() as folder, cluster, distributed.Client(cluster):
        store = Path(folder, "study.nettrial")
        with parallel_config(backend="dask"):
            there = compare(network, store)
        print(nettrial.store.study_status(store))
    print("the same bytes:", here.to_json() == there.to_json())
    print(there)


if __name__ == "__main__":
    main()
