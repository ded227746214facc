"""How many unfair comparisons `nettrial check` finds, and how often it alarms on clean networks.

Prints a table of every planted and known case of `tests/unfair_cases.py`, then the real networks
of which each class has 20 labeled nodes, with three random splits. Chameleon and Squirrel come
from a folder that is named, as they were published (`data/` of heterophilous-graphs).

With `--fresh SEED` it counts the cases of `fresh_cases.py`, drawn by that seed, alone.

    python benchmarks/check_cases.py [--originals FOLDER] [--fresh SEED]
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import nettrial

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from fresh_cases import clean_names, fresh

from unfair_cases import DATA, KNOWN, PLANTED, PLANTED_IN_REAL, Case, codes, found, read, splits


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
    for name in clean_names():
        network = read(name)
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
    parser.add_argument("--fresh", type=int, metavar="SEED", help="count fresh cases alone")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.fresh is not None:
        cases(f"fresh, seed {options.fresh}", fresh(options.fresh))
        return
    cases("planted", PLANTED)
    if DATA.is_dir():
        cases("planted in real networks", PLANTED_IN_REAL)
    known = KNOWN if DATA.is_dir() else ()
    cases("known", known + (originals(options.originals) if options.originals else ()))
    if DATA.is_dir():
        clean()


if __name__ == "__main__":
    main()
