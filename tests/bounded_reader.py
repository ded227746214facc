"""Read each file named on standard input in a process of its own, with limits, and tell its cost.

A format may be given as an argument; else it is recognized.

Run as a script: a line of JSON a file, with processor seconds, megabytes beyond what the process
had before, and the error.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import tempfile
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse as sp

import nettrial.io.registry  # noqa: F401
from nettrial.core.errors import InputError
from nettrial.io import read

HARD_SECONDS, HARD_BYTES = 20, 2**31


def warm_up(folder: Path) -> None:
    """Load what reading loads on its first use."""
    graph = nx.path_graph(5)
    nx.write_gml(graph, folder / "x.gml")
    nx.write_edgelist(graph, folder / "x.csv", data=False)
    nx.write_graphml(graph, folder / "x.graphml")
    (folder / "x.json").write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    (folder / "x.g6").write_bytes(nx.to_graph6_bytes(graph))
    matrix = sp.csc_array(nx.to_scipy_sparse_array(graph, dtype=float))
    scipy.io.savemat(folder / "x.mat", {"network": matrix, "group": np.ones((5, 1))})
    for path in sorted(folder.iterdir()):
        read(path)
    with contextlib.suppress(ImportError):
        import pyarrow.parquet  # noqa: F401


def resident() -> int:
    """Return the bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def measured(path: str, format: str | None) -> dict[str, object]:
    """Read a file in a child process and return what it took."""
    before = resident()
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (HARD_SECONDS, HARD_SECONDS))
        resource.setrlimit(resource.RLIMIT_DATA, (before + HARD_BYTES, before + HARD_BYTES))
        try:
            network = read(path, format=format)
            note = f"read: {network.n_nodes} nodes"
        except InputError as error:
            note = f"refused: {error}"
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is reported
            note = f"broken: {type(error).__name__}: {error}"
        os.write(ends[1], note.encode()[:2000])
        os._exit(0)
    os.close(ends[1])
    note = b""
    while piece := os.read(ends[0], 4096):
        note += piece
    os.close(ends[0])
    _, status, usage = os.wait4(child, 0)
    return {
        "file": path, "note": note.decode("utf-8", "replace") or f"died with status {status}",
        "seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": (usage.ru_maxrss * 1024 - before) / 2**20,
    }  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as temporary:
        warm_up(Path(temporary))
    for line in sys.stdin:
        sys.stdout.write(json.dumps(measured(line.strip(), "".join(sys.argv[1:]) or None)) + "\n")
        sys.stdout.flush()
