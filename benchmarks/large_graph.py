"""Networks larger than memory: generate, convert, run wvRN; times and peak memory of each step.

    python benchmarks/large_graph.py --nodes 500000 --links 5000000
    python benchmarks/large_graph.py --nodes 20000000 --links 200000000 --folder /big/disk

Links are drawn with a power-law choice of one end and shuffled, so that no order helps. Each step
runs in a process of its own. Of its memory two peaks are reported: that of its own pages, and that
with the pages of mapped files, which the system may take back. The bound for the iterations is
the time to read the lines that they touch at the rate of a probe that does nothing else: one
random 64-byte line for each stored link, with as many threads as the iterations have.

With --keep files stay in the folder, and are not made again where they are there already.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import re
import resource
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PIECE = 2_000_000
DISTANCE = 64  # links between asking for a line and its use
PROBES = 50_000_000  # lines that each thread of the probe reads


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
    from probe import gather_lines

    from nettrial.kernels.packing import lines
    from nettrial.kernels.threads import each, n_threads

    table = lines(nodes)
    table[:] = 1
    threads = n_threads()
    rng = np.random.default_rng(1)
    places = [rng.integers(0, nodes, PROBES, dtype=np.int32) for _ in range(threads)]
    out = np.empty((threads, 16), dtype=np.float32)

    def gather(thread: int, count: int = PROBES) -> None:
        gather_lines(table, places[thread][:count], 8, DISTANCE, out[thread])

    gather(0, 100)
    best = 0.0
    for _ in range(3):
        begin = time.perf_counter()
        each(gather, range(threads))
        best = max(best, threads * PROBES / (time.perf_counter() - begin))
    return {"lines_a_second": best, "threads": threads}


def measured(name: str, step: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run a step in a process of its own; add its time and peak memory."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        found = pool.apply(timed, (step, *arguments))
    print(json.dumps({name: found}), flush=True)
    return found


def timed(step: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    own, done = [0.0], threading.Event()
    watch = threading.Thread(target=watch_own_pages, args=(own, done), daemon=True)
    watch.start()
    begin, busy = time.perf_counter(), time.process_time()
    found = step(*arguments)
    seconds, busy = time.perf_counter() - begin, time.process_time() - busy
    done.set()
    watch.join()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return found | {
        "seconds": round(seconds, 2), "cpu_seconds": round(busy, 2),
        "peak_own_gb": round(own[0], 2), "peak_with_files_gb": round(peak, 2),
    }  # fmt: skip


def watch_own_pages(peak: list[float], done: threading.Event) -> None:
    """Note the greatest memory, in GB, that is not of files."""
    while not done.wait(0.05):
        text = Path("/proc/self/status").read_text()
        found = re.search(r"RssAnon:\s+(\d+) kB", text)
        peak[0] = max(peak[0], int(found.group(1)) / 2**20 if found else 0.0)


def main() -> None:
    """Run all steps and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=500_000)
    parser.add_argument("--links", type=int, default=5_000_000)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=99)
    parser.add_argument("--folder", help="where the files go; by default the temporary folder")
    parser.add_argument("--keep", action="store_true", help="needs --folder")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if options.keep:
            name = options.folder
        else:
            name = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
        folder = Path(name)
        if not (folder / "nodes.csv").exists():
            measured("generate", generate, folder, options.nodes, options.links)
        if not (folder / "big.nettrial-graph").exists():
            measured("convert", convert, folder)
        rate = measured("probe", probe, options.nodes)["lines_a_second"]
        found = measured("infer", infer, folder, options.splits, options.iterations)
        batches = -(-options.splits // 16)
        bound = found["stored_links"] * options.iterations * batches / rate
        print(json.dumps({"bound_seconds": bound, "against_bound": found["wvrn_seconds"] / bound}))


if __name__ == "__main__":
    main()
