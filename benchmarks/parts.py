"""Where the time of `compare` goes on a large network: each part by itself, then the command.

    python benchmarks/parts.py --nodes 100000              # half a minute
    python benchmarks/parts.py --nodes 1000000             # two minutes
    python benchmarks/parts.py --nodes 10000000 --command-only

The network is drawn in blocks of 500 nodes with 16 stored links a node. Times are seconds of
processor time and of the clock, compiling not counted: a small network is compared first. Memory
is the peak of the process so far; that of the command is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import nettrial
from nettrial import io
from nettrial.inference.estimates import estimate_errors
from nettrial.models import by_name
from nettrial.network.communities import divided_louvain
from nettrial.network.network import Network
from nettrial.replicates.replicate import replicate_network
from nettrial.splits import RandomResampling
from nettrial.stats.lemma1 import ritz_ends
from nettrial.stats.network_hac import network_hac_test
from nettrial.synth.blocks import block_network

LABELED, N_SPLITS, BLOCK = 0.3, 10, 500
CLI = "from nettrial.cli import main; main()"
COMMAND = ("--a", "wvrn", "--b", "nbc", "--splits", str(N_SPLITS), "--test", "network_hac")
Row = dict[str, float]


def peak(who: int) -> float:
    """Return the largest resident memory so far, in GB."""
    return resource.getrusage(who).ru_maxrss / 2**20


def timed(call: Callable[[], Any]) -> tuple[Any, Row]:
    """Return what a call returns, with its seconds and the peak of memory after it."""
    clock, processor = time.perf_counter(), time.process_time()
    value = call()
    row = {
        "processor_s": time.process_time() - processor,
        "clock_s": time.perf_counter() - clock,
        "peak_gb": peak(resource.RUSAGE_SELF),
    }
    return value, row


def drawn(n: int) -> Network:
    return block_network(n, n_blocks=max(20, n // BLOCK), mean_degree=16, seed=0)


def parts(network: Network) -> dict[str, Row]:
    """Time every part that `compare` is made of."""
    found: dict[str, Row] = {}

    def part(name: str, call: Callable[[], Any]) -> Any:
        value, found[name] = timed(call)
        return value

    groups = part("communities", lambda: divided_louvain(network))
    design = RandomResampling(labeled=LABELED, n_splits=N_SPLITS, seed=0)
    splits = part("splits", lambda: design.split_network(network))
    runs = [
        part(
            f"inference, {name}",
            lambda name=name: nettrial.run(network, {name: by_name(name)}, splits),
        )
        for name in ("wvrn", "nbc")
    ]
    errors = part("errors of every node", lambda: [run.errors(run.models[0]) for run in runs])
    for name, matrix in zip(("wvrn", "nbc"), errors):
        part(f"link counts, {name}", lambda matrix=matrix: estimate_errors(network, matrix))
    tests = (errors[0] >= 0).sum(axis=0)
    nodes = np.flatnonzero(tests)
    excess = (np.maximum(errors[0], 0) - np.maximum(errors[1], 0)).sum(axis=0)[nodes]
    graph = network.adjacency("both")
    part(
        "network HAC",
        lambda: network_hac_test(excess / tests[nodes], graph, nodes=nodes, weights=tests[nodes]),
    )
    part("ends of the spectrum", lambda: ritz_ends(graph))
    part("a replicate", lambda: replicate_network(network, groups))
    return found


def command(path: Path) -> Row:
    """Time `nettrial compare`, a process of its own."""
    clock, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", CLI, "compare", str(path), *COMMAND],
        check=True,
        env=os.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "processor_s": used,
        "clock_s": time.perf_counter() - clock,
        "peak_gb": peak(resource.RUSAGE_CHILDREN),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--command-only", action="store_true", help="not part by part")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    parts(drawn(60_000))  # compiles all loops, those of large networks too
    network, row = timed(lambda: drawn(options.nodes))
    rows = {"drawing the network": row}
    if not options.command_only:
        rows |= parts(network)
    size = f"{network.n_nodes:,} nodes, {network.links.indices.size:,} stored links"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.npz"
        _, rows["writing npz"] = timed(partial(io.write, network, path))
        del network  # the command needs the memory
        _, rows["reading npz"] = timed(partial(io.read, path))
        rows["nettrial compare"] = command(path)
    if options.json:
        print(json.dumps({"nodes": options.nodes, "parts": rows}, indent=1))
        return
    print(size)
    for name, row in rows.items():
        print(
            f"{name:<24}{row['processor_s']:9.2f} s of processor {row['clock_s']:9.2f} s of clock "
            f"{row['peak_gb']:6.2f} GB"
        )


if __name__ == "__main__":
    main()
