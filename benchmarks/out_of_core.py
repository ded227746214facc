"""Links that take more than half of the memory: wvRN and nBC on mapped links.

    python benchmarks/out_of_core.py --nodes 20000000 --degree 160 --folder /disk/with/13/GB

A regular graph whose nodes lie on a circle, each linked to those at random distances, numbered at
random, so that every link leads to another line of memory. It is written row by row, without a
table of links: `large_graph.py` measures the conversion of one. Each step has two peaks: that
of its own pages, and that with the pages of mapped files, which the system may take back.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from large_graph import measured

import nettrial
from nettrial.core.atomic import whole_folder
from nettrial.core.errors import ConvergenceWarning
from nettrial.io.arrays import text_array, to_arrays
from nettrial.io.folder import NpyWriter, save
from nettrial.io.seals import seal_folder
from nettrial.models import NBC, WVRN, RelaxationLabeling
from nettrial.models.relaxation_blocks import Block
from nettrial.network.network import Network
from nettrial.splits import RandomResampling

ROWS = 50_000  # rows that are written in one go


def write_circle(path: Path, nodes: int, degree: int) -> dict[str, Any]:
    """Write the graph."""
    rng = np.random.default_rng(1)
    half = rng.choice(np.arange(1, (nodes - 1) // 2), degree // 2, replace=False)
    steps = np.concatenate([half, nodes - half])
    number = rng.permutation(nodes).astype(np.int32)
    position = np.empty(nodes, dtype=np.int32)
    position[number] = np.arange(nodes, dtype=np.int32)
    labels = pd.Categorical.from_codes(rng.integers(0, 2, nodes), categories=["a", "b"])
    head = Network([], [], n_nodes=nodes, labels=labels)
    with whole_folder(path) as draft:
        with NpyWriter(draft / "indices.npy", np.int32) as indices:
            for begin in range(0, nodes, ROWS):
                rows = position[begin : begin + ROWS, None] + steps
                rows[rows >= nodes] -= nodes
                indices.append(np.sort(number[rows], axis=1).ravel())
        about = {"name": "circle", "directed": False, "n_links": indices.size // 2}
        parts = {
            "indptr": np.arange(nodes + 1, dtype=np.int64) * steps.size,
            "about": text_array(about | {"tally": head.tally.to_dict()}),
        }
        arrays = {key: part for key, part in to_arrays(head).items() if key != "indices"}
        save(draft, arrays | parts)
        seal_folder(draft)
    return {"stored_links": indices.size, "links_gb": round(4 * indices.size / 2**30, 2)}


def infer(path: Path, name: str, splits: int, iterations: int) -> dict[str, Any]:
    """Run one model on some splits."""
    network = nettrial.read(path)
    drawn = RandomResampling(n_splits=splits, labeled=0.3).split_network(network)
    inference = RelaxationLabeling(iterations=iterations)
    model = {"wvrn": WVRN, "nbc": NBC}[name](inference=inference)
    sweeping, run = [0.0], Block.run

    def timed_run(block: Block, *arguments: Any) -> None:
        begin = time.perf_counter()
        run(block, *arguments)
        sweeping[0] += time.perf_counter() - begin

    Block.run = timed_run  # type: ignore[method-assign]
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # so few sweeps settle nothing
        found = nettrial.run(network, {name: model}, drawn, progress=False)
    blocks = -(-splits // 16)
    return {
        "iterations": iterations, "run_seconds": round(time.perf_counter() - begin, 1),
        "seconds_a_sweep": round(sweeping[0] / iterations / blocks, 2),
        "lines_a_second": network.links.indices.size * iterations * blocks / sweeping[0],
        "error": float(np.mean([np.mean(row[row >= 0]) for row in found.errors(name)])),
    }  # fmt: skip


def main() -> None:
    """Run all steps and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--degree", type=int, default=40)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--models", nargs="*", default=["wvrn", "nbc"])
    parser.add_argument("--folder", help="where the files go; by default the temporary folder")
    options = parser.parse_args()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        path = Path(name, "circle.nettrial-graph")
        made = measured("write", write_circle, path, options.nodes, options.degree)
        share = 4 * made["stored_links"] / memory
        print(json.dumps({"memory_gb": round(memory / 2**30, 1), "links_share": round(share, 2)}))
        for model in options.models:
            measured(model, infer, path, model, options.splits, options.iterations)


if __name__ == "__main__":
    main()
