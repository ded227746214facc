"""Networks larger than memory: generate, convert, run wvRN; times and peak memory of each step.

    python benchmarks/large_graph.py --nodes 500000 --links 5000000
    python benchmarks/large_graph.py --nodes 20000000 --links 200000000 --folder /big/disk

Links are drawn with a power-law choice of one end and shuffled, so that no order helps. Each step
runs in a process of its own; its peak memory counts the pages of mapped files, which the system
may take back. The bound for the iterations is the time to read the lines that they touch at the
rate of a probe that does nothing else: one random 64-byte line for each stored link.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PIECE = 2_000_000


def generate(folder: Path, nodes: int, links: int) -> dict[str, Any]:
    """Write links.csv and nodes.csv piece by piece."""
    import pandas as pd

    rng = np.random.default_rng(1)
    names = rng.permutation(nodes)
    with (folder / "links.csv").open("w") as stream:
        stream.write("source,target\n")
        for start in range(0, links, PIECE):
            count = min(PIECE, links - start)
            # half of the ends follow a power law, half are uniform
            heavy = np.minimum((nodes * rng.random(count) ** 3).astype(np.int64), nodes - 1)
            table = pd.DataFrame({"s": names[heavy], "t": rng.integers(0, nodes, count)})
            table.to_csv(stream, header=False, index=False)
    with (folder / "nodes.csv").open("w") as stream:
        stream.write("node,label\n")
        for start in range(0, nodes, PIECE):
            ids = np.arange(start, min(start + PIECE, nodes))
            labels = np.array(["a", "b"])[rng.integers(0, 2, ids.size)]
            pd.DataFrame({"n": ids, "l": labels}).to_csv(stream, header=False, index=False)
    return {"csv_bytes": (folder / "links.csv").stat().st_size}


def convert(folder: Path) -> dict[str, Any]:
    """Convert the table into mapped arrays."""
    from nettrial.io.large import convert_large

    out = folder / "big.nettrial-graph"
    n, n_links, _ = convert_large(folder / "links.csv", out, nodes=[folder / "nodes.csv"])
    size = sum(file.stat().st_size for file in out.iterdir())
    return {"nodes": n, "links": n_links, "bytes": size}


def infer(folder: Path, splits: int, iterations: int) -> dict[str, Any]:
    """Run wvRN on some splits of the mapped network."""
    import nettrial
    from nettrial.models import WVRN, RelaxationLabeling
    from nettrial.splits import RandomResampling

    begin = time.perf_counter()
    network = nettrial.read(folder / "big.nettrial-graph")
    opened = time.perf_counter()
    drawn = RandomResampling(n_splits=splits, labeled=0.3).split_network(network)
    split = time.perf_counter()
    model = WVRN(inference=RelaxationLabeling(iterations=iterations))
    found = nettrial.run(network, {"wvrn": model}, drawn, progress=False)
    end = time.perf_counter()
    return {
        "open_seconds": opened - begin, "split_seconds": split - opened,
        "wvrn_seconds": end - split, "stored_links": int(network.links.indices.size),
        "error": float(np.mean([np.mean(row[row >= 0]) for row in found.errors("wvrn")])),
    }  # fmt: skip


def probe(nodes: int) -> dict[str, Any]:
    """Count random lines of 64 bytes a second, from a table as large as the probabilities."""
    from numba import njit

    @njit
    def gather(table, places):  # type: ignore[no-untyped-def]
        total = np.float32(0)
        for place in places:
            total += table[place, 0]
        return total

    table = np.ones((nodes, 16), dtype=np.float32)
    places = np.random.default_rng(1).integers(0, nodes, 20_000_000).astype(np.int32)
    gather(table, places[:10])
    begin = time.perf_counter()
    gather(table, places)
    return {"lines_a_second": places.size / (time.perf_counter() - begin)}


def measured(name: str, step: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run a step in a process of its own; add its time and peak memory."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        found = pool.apply(timed, (step, *arguments))
    print(json.dumps({name: found}), flush=True)
    return found


def timed(step: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    begin = time.perf_counter()
    found = step(*arguments)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return found | {"seconds": round(seconds, 2), "peak_gb": round(peak, 2)}


def main() -> None:
    """Run all steps and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=500_000)
    parser.add_argument("--links", type=int, default=5_000_000)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=99)
    parser.add_argument("--folder", help="where the files go; by default the temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        measured("generate", generate, folder, options.nodes, options.links)
        measured("convert", convert, folder)
        rate = measured("probe", probe, options.nodes)["lines_a_second"]
        found = measured("infer", infer, folder, options.splits, options.iterations)
        batches = -(-options.splits // 16)
        bound = found["stored_links"] * options.iterations * batches / rate
        print(json.dumps({"bound_seconds": bound, "against_bound": found["wvrn_seconds"] / bound}))


if __name__ == "__main__":
    main()
