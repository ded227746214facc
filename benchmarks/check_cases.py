"""How many unfair comparisons `nettrial check` finds, and how often it alarms on clean networks.

Prints a table of every planted and known case of `tests/unfair_cases.py`, then the real networks
of which each class has 20 labeled nodes, with three random splits. Chameleon and Squirrel come
from a folder that is named, as they were published (`data/` of heterophilous-graphs).

    python benchmarks/check_cases.py [--originals FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np

import nettrial

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from unfair_cases import DATA, KNOWN, PLANTED, Case, codes, found, read, splits

LEAST = 20  # labeled nodes of each class


def originals(folder: Path) -> tuple[Case, ...]:
    """Return the networks before their duplicates were removed, with the splits that they have."""
    places = {name: folder / f"{name.lower()}.npz" for name in ("Chameleon", "Squirrel")}
    return tuple(
        Case("NT106", f"{name}, as published (Platonov et al. 2023)",
             lambda path=path: {"given": nettrial.read(path), "splits": path})
        for name, path in places.items()
    )  # fmt: skip


def cases(title: str, several: tuple[Case, ...]) -> tuple[int, int]:
    """Print which cases are found."""
    print(f"\n{title}")
    hits = 0
    for case in several:
        check = found(case.make())
        hit = case.code in codes(check)
        hits += hit
        print(f"  {case.code}  {'found' if hit else 'MISSED':6}  {case.name}")
    print(f"  {hits} of {len(several)} found")
    return hits, len(several)


def clean() -> tuple[int, int]:
    """Print which clean real networks raise an alarm."""
    print("\nreal networks, a problem is a false alarm")
    alarms = seen = 0
    names = [f"{kind}/{p.name}" for kind in ("neutral", "featured")
             for p in sorted((DATA / kind).iterdir()) if p.is_dir()]  # fmt: skip
    for name in names:
        network = read(name)
        labeled = network.labels[network.labeled]
        if network.n_classes < 2 or np.bincount(labeled).min() < LEAST:
            continue
        check = nettrial.check(network, splits=splits(network))
        alarms, seen = alarms + bool(check.problems), seen + 1
        said = ", ".join(each.code for each in check.problems) or "none"
        print(f"  {name:36} {said}")
    print(f"  {alarms} of {seen} networks with a false alarm")
    return alarms, seen


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--originals", type=Path, help="folder with chameleon.npz, squirrel.npz")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    cases("planted", PLANTED)
    known = KNOWN if DATA.is_dir() else ()
    cases("known", known + (originals(options.originals) if options.originals else ()))
    if DATA.is_dir():
        clean()


if __name__ == "__main__":
    main()
