"""How long the first and every later run of each command takes, in processor time.

    python benchmarks/cold_start.py            # the table, about two minutes
    python benchmarks/cold_start.py --json     # a list of goals: name, value, target, met
    python benchmarks/cold_start.py --check    # the guard of the test machines, see `check`

Processor time is that of the process and its children (user and system); the first run has an
empty folder for compiled code (NUMBA_CACHE_DIR), the later one what the first has left there. Both
have bytecode, as an installed package has; each command makes it once beforehand.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

# command -> seconds of processor time allowed with an empty folder, and after that
GOALS: dict[str, tuple[float, float]] = {
    "compare --example --report": (15.0, 3.0),
    "compare --example --test cluster_robust_t": (8.0, 2.5),
    "compare --predictions": (3.0, 2.0),
    "info": (3.0, 0.6),
    "test": (1.5, 0.7),
    "--help": (0.15, 0.15),
}
IMPORTS = 1.3  # "from nettrial import compare" over numpy, scipy.sparse and numba alone
# what may be compiled for the first command: processor time over that of FROZEN, and bytes
MOST_COMPILING = 45.0  # 34 are measured, Louvain among it; 200 with nested loops
MOST_BYTES = 1_000_000  # 0.89 million are measured
REPEATS = 3  # the least time of so many, since other work on the machine only adds to it

CLI = "import sys; from nettrial.cli import main; main(sys.argv[1:])"
BASE = "import numpy, scipy.sparse, numba"
# must never change: what is measured against it would mean something else
FROZEN = """
import time
import numpy as np
from numba import njit

@njit
def first(x): return x + 1

@njit
def frozen(indptr, indices, weights, old, new, labels, total):
    for i in range(indptr.size - 1):
        best, place = -1.0, -1
        for c in range(total.size):
            total[c] = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            if labels[j] >= 0:
                total[labels[j]] += weights[e] * old[j]
        for c in range(total.size):
            if total[c] > best:
                best, place = total[c], c
        new[i] = best if place >= 0 else old[i]
        labels[i] = place

first(1)
begin = time.process_time()
frozen(np.zeros(2, np.int64), np.zeros(1, np.int32), np.zeros(1), np.zeros(1), np.zeros(1),
       np.zeros(1, np.int32), np.zeros(2))
print(time.process_time() - begin)
"""


def seconds(arguments: Sequence[str], cache: Path, where: Path) -> float:
    """Return the processor time of a Python process and its children."""
    # an installed package has its bytecode, so a process must be able to write it
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env |= {"NUMBA_CACHE_DIR": str(cache), "PYTHONPYCACHEPREFIX": str(where / "bytecode")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        env=env,
        cwd=where,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(arguments: Sequence[str], cache: Path, where: Path) -> float:
    """Return the least processor time of several runs."""
    return min(seconds(arguments, cache, where) for _ in range(REPEATS))


def write_inputs(where: Path) -> None:
    """Write a small network, splits, predictions of two models and a table of results."""
    from nettrial import io
    from nettrial.synth.latent_groups import latent_group_network

    network = latent_group_network(300, seed=0)
    io.write(network, where / "network")
    rows = ["split,node,model,prediction"]
    labels = network.class_labels if hasattr(network, "class_labels") else None
    for split in range(10):
        for node in range(split, 300, 3):
            truth = network.classes[network.labels[node]] if labels is None else labels[node]
            for model, wrong in (("a", node % 7 == 0), ("b", node % 5 == 0)):
                other = next(c for c in network.classes if c != truth)
                rows.append(f"{split},{network.ids[node]},{model},{other if wrong else truth}")
    (where / "predictions.csv").write_text("\n".join(rows) + "\n")
    pairs = [f"{0.1 + i % 3 / 50:.3f},{0.12 + i % 4 / 50:.3f}" for i in range(10)]
    (where / "results.csv").write_text("\n".join(["a,b", *pairs]) + "\n")


COMMANDS: dict[str, list[str]] = {
    "compare --example --report": ["compare", "--example", "--report", "r.html"],
    "compare --example --test cluster_robust_t": [
        "compare",
        "--example",
        "--test",
        "cluster_robust_t",
    ],
    "compare --predictions": ["compare", "network", "--predictions", "predictions.csv"],
    "info": ["info", "network/edges.csv"],
    "test": ["test", "paired-t", "results.csv"],
    "--help": ["--help"],
}


def goal(name: str, value: float, target: float) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "target": target, "met": value <= target}


def measure() -> Iterator[dict[str, Any]]:
    """Measure all commands and the import."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        write_inputs(where)
        for name, arguments in COMMANDS.items():
            seconds(["-c", CLI, *arguments], where / "bytecode only", where)
            cache = where / f"cache {name}"
            first = seconds(["-c", CLI, *arguments], cache, where)
            yield goal(f"{name}, first run", first, GOALS[name][0])
            later = least(["-c", CLI, *arguments], cache, where)
            yield goal(f"{name}, later", later, GOALS[name][1])
        base = least(["-c", BASE], where, where)
        yield {"name": "numpy, scipy.sparse and numba", "value": round(base, 3)}
        ours = least(["-c", "from nettrial import compare"], where, where)
        yield goal("import, over that of numpy, scipy.sparse and numba", ours / base, IMPORTS)


def check() -> int:
    """Refuse growth of what is compiled for the README's command; return an exit code.

    The time of compiling it is the first run's less a later run's, over the time in which numba
    compiles a function that never changes, so that the speed of the machine cancels out.
    """
    arguments = ["-c", CLI, *COMMANDS["compare --example --report"]]
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        unit = min(
            float(
                subprocess.run(
                    [sys.executable, "-c", FROZEN], check=True, capture_output=True, text=True
                ).stdout
            )
            for _ in range(REPEATS)
        )
        seconds(
            arguments, where / "bytecode only", where
        )  # else the first run would compile it too
        first = seconds(arguments, where / "cache", where)
        ratio = (first - least(arguments, where / "cache", where)) / unit
        size = sum(file.stat().st_size for file in (where / "cache").rglob("*.nbc"))
    print(f"compiling takes {ratio:.1f} times a frozen function's time (at most {MOST_COMPILING})")
    print(f"compiled code takes {size:,} bytes (at most {MOST_BYTES:,})")
    return int(ratio > MOST_COMPILING or size > MOST_BYTES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        sys.exit(check())
    if options.json:
        print(json.dumps({"goals": list(measure())}, indent=1))
        return
    for row in measure():
        if "target" not in row:
            print(f"{row['name']:55s} {row['value']:8.2f}", flush=True)
            continue
        verdict = "met" if row["met"] else "missed"
        print(
            f"{row['name']:55s} {row['value']:8.2f}  at most {row['target']:5.2f}  {verdict}",
            flush=True,
        )


if __name__ == "__main__":
    main()
