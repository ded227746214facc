"""How long nettrial takes to read half a million links, beside pandas on the same file.

    python benchmarks/reading.py            # the table, two minutes
    python benchmarks/reading.py --json     # a list of goals: name, value, target, met

All read in turns in one process, in processor time; the least of the repeats counts, since other
work on the machine only adds to it. `parse` is `pandas.read_csv` alone. `network` is what a user
writes to come as far as nettrial does: parse, number the ids of both ends by `pandas.factorize`,
and make a symmetric matrix in compressed rows; the goal is in multiples of this. nettrial also
recognizes the format and the columns and decides on the direction. Each file is read with pyarrow
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
FILES = {
    "integers, CSV": ("int", ","),
    "integers and weights, CSV": ("weights", ","),
    "text, CSV": ("text", ","),
    "integers, TSV": ("int", "\t"),
}


def write(path: Path, kind: str, mark: str) -> None:
    import numpy as np

    random = np.random.default_rng(1)
    ends = random.integers(0, NODES, (LINKS, 2)).tolist()
    prefix = "user_" if kind == "text" else ""
    weights = [""] * LINKS
    if kind == "weights":
        weights = [f"{mark}{w / 100}" for w in random.integers(1, 1000, LINKS).tolist()]
    names = ["source", "target", *["weight"] * (kind == "weights")]
    header = f"{mark.join(names)}\n" if mark == "," else ""
    rows = (f"{prefix}{a}{mark}{prefix}{b}{w}\n" for (a, b), w in zip(ends, weights))
    path.write_text(header + "".join(rows))


def by_hand(parse: Callable[[], Any]) -> Any:
    """Make a network of a table of links with pandas and SciPy."""
    import numpy as np
    import pandas as pd
    import scipy.sparse as sp

    frame = parse()
    source, target, *weight = (frame[name] for name in frame.columns)
    codes, ids = pd.factorize(pd.concat([source, target], ignore_index=True))
    data = weight[0].to_numpy() if weight else np.ones(LINKS)
    shape = (len(ids), len(ids))
    out = sp.coo_array((data, (codes[:LINKS], codes[LINKS:])), shape=shape).tocsr()
    both = (out + out.T).tocsr()
    both.sort_indices()
    return both, ids


def taken(read: Callable[[], Any]) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start


def measure() -> dict[str, list[float]]:
    """Return seconds of pandas alone, of a network by hand and of nettrial for each file."""
    import pandas as pd

    from nettrial.io import read

    warnings.simplefilter("ignore")
    found = {}
    for name, (kind, mark) in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "links.csv" if mark == "," else "links.tsv")
            write(path, kind, mark)
            header: Any = 0 if mark == "," else None
            parse = partial(pd.read_csv, path, sep=mark, header=header)
            all_three = (parse, partial(by_hand, parse), partial(read, path))
            rounds = [[taken(each) for each in all_three] for _ in range(REPEATS)]
        found[name] = [min(times) for times in zip(*rounds)]
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
        for name, (parse, network, ours) in json.loads(output).items():
            ratio = ours / network
            goals.append(
                {"name": f"{name}, {mode}", "value": ratio, "target": GOAL, "met": ratio <= GOAL}
            )
            if not asked.json:
                print(
                    f"{name:26}{mode:8}parse {parse:.3f} s  network {network:.3f} s  "
                    f"nettrial {ours:.3f} s  {ours / parse:5.2f} {ratio:5.2f}"
                )
    if asked.json:
        print(json.dumps(goals, indent=1))


if __name__ == "__main__":
    main()
