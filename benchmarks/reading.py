"""How long nettrial takes to read half a million links, beside pandas on the same file.

    python benchmarks/reading.py            # the table, under a minute
    python benchmarks/reading.py --json     # a list of goals: name, value, target, met

Both read in turns in one process, in processor time; the least of the repeats counts, since other
work on the machine only adds to it. pandas only parses; nettrial also recognizes the format,
numbers the nodes, decides on the direction and makes the network. Each file is read with pyarrow
(where it is installed) and without, as a plain installation does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

LINKS, NODES, REPEATS, GOAL = 500_000, 100_000, 7, 2.0
FILES = {"integers, CSV": ("int", ","), "text, CSV": ("text", ","), "integers, TSV": ("int", "\t")}


def write(path: Path, kind: str, mark: str) -> None:
    import numpy as np

    ends = np.random.default_rng(1).integers(0, NODES, (LINKS, 2))
    prefix = "user_" if kind == "text" else ""
    header = f"source{mark}target\n" if mark == "," else ""
    path.write_text(header + "".join(f"{prefix}{a}{mark}{prefix}{b}\n" for a, b in ends.tolist()))


def taken(read: Callable[[], Any]) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start


def measure() -> dict[str, tuple[float, float]]:
    """Return seconds of pandas and of nettrial for each file."""
    import pandas as pd

    from nettrial.io import read

    warnings.simplefilter("ignore")
    found = {}
    for name, (kind, mark) in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "links.csv" if mark == "," else "links.tsv")
            write(path, kind, mark)
            header: Any = 0 if mark == "," else None
            theirs = partial(pd.read_csv, path, sep=mark, header=header)
            pairs = [(taken(theirs), taken(partial(read, path))) for _ in range(REPEATS)]
        found[name] = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", choices=["plain", "pyarrow"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        if asked.one == "plain":
            sys.modules["pyarrow"] = None  # type: ignore[assignment]
        print(json.dumps(measure()))
        return
    goals = []
    for mode in ["plain", *["pyarrow"] * (find_spec("pyarrow") is not None)]:
        command = [sys.executable, __file__, "--one", mode]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for name, (theirs, ours) in json.loads(output).items():
            ratio = ours / theirs
            goals.append(
                {"name": f"{name}, {mode}", "value": ratio, "target": GOAL, "met": ratio <= GOAL}
            )
            if not asked.json:
                print(f"{name:16}{mode:9}{theirs:8.3f} s{ours:8.3f} s{ratio:7.2f}")
    if asked.json:
        print(json.dumps(goals, indent=1))


if __name__ == "__main__":
    main()
