"""Does `audit` foresee the Type I errors that fresh networks of the same kind show?

    python benchmarks/audited.py                     # lgm300 and lgm600, some minutes
    python benchmarks/audited.py --worlds weak600 --labeled 0.1 0.3

Each audit knows one network of a domain. What it says of every test is held against the share of
rejections over the fresh networks of that domain in the calibration's table (10 splits, wvRN
against nBC made equal): the mean over the audits, their range, and how often the audit's 95%
interval holds the table's rate. Last comes what following the audits' advice would give: the
table's rate of the recommended tests, averaged over the audits that recommend one.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path

import numpy as np

import nettrial
from nettrial.experiments.domains import draw

TABLE = Path(__file__).resolve().parent.parent / "docs" / "lab" / "calibration.csv"
N_SPLITS = 10


def rates_on_fresh_networks(world: str, labeled: float) -> dict[str, float]:
    """Return the Type I error of every test of the calibration's table."""
    with TABLE.open(newline="") as lines:
        return {
            row["test"]: float(row["rejected"])
            for row in csv.DictReader(lines)
            if row["world"] == world
            and float(row["labeled"]) == labeled
            and int(row["n_splits"]) == N_SPLITS
            and float(row["difference"]) == 0
        }


def in_the_table(test: nettrial.auditing.audit_result.AuditedTest) -> str:
    return test.name if test.design == "rrs" else f"ncv_{test.name}"


def audited(
    world: str, labeled: float, number: int, replicates: int, seed: int
) -> list[nettrial.Audit]:
    """Return audits of networks that no row of the table rests on."""
    drawn = np.random.SeedSequence([seed, 2026]).generate_state(number)
    return [
        nettrial.audit(
            draw(world, int(entropy)), "wvrn", "nbc", labeled=labeled, n_splits=N_SPLITS,
            differences=(0.04,), n_replicates=replicates, seed=int(entropy), n_jobs=1,
            progress=False,
        )
        for entropy in drawn
    ]  # fmt: skip


def compared(world: str, labeled: float, found: list[nettrial.Audit]) -> None:
    """Print the audits of one cell beside the table, and a line of JSON with all rates."""
    truth = rates_on_fresh_networks(world, labeled)
    rates: dict[str, list[nettrial.auditing.audit_result.Rate]] = {}
    advised = []
    for each in found:
        for test in each.tests:
            rates.setdefault(in_the_table(test), []).append(test.type_1_error)
            if test.title == each.recommended:
                advised.append(in_the_table(test))
    print(f"\n{world}, {labeled:.0%} labeled, {len(found)} networks")
    print(f"{'test':22s} {'fresh':>6s} {'audits':>7s} {'range':>14s} {'holds':>6s}")
    for name, of_test in rates.items():
        if name in truth:
            mean = np.mean([rate.rejected for rate in of_test])
            low, high = (f(rate.rejected for rate in of_test) for f in (min, max))
            holds = sum(rate.low <= truth[name] <= rate.high for rate in of_test)
            print(
                f"{name:22s} {truth[name]:6.3f} {mean:7.3f} {low:6.3f} to {high:5.3f} "
                f"{holds:3d}/{len(of_test)}"
            )
    counts = {name: advised.count(name) for name in dict.fromkeys(advised)}
    known = [truth[name] for name in advised if name in truth]
    words = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(f"recommended: {words or 'nothing'}; none by {len(found) - len(advised)}")
    if known:
        above = sum(rate > 0.1 for rate in known)
        print(f"who follows them has {np.mean(known):.3f} on fresh networks; {above} above 0.1")
    values = {name: [rate.rejected for rate in of_test] for name, of_test in rates.items()}
    record = {"world": world, "labeled": labeled, "advised": advised, "rates": values}
    print(json.dumps(record), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", nargs="+", default=["lgm300", "lgm600"])
    parser.add_argument("--labeled", nargs="+", type=float, default=[0.1, 0.3])
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for world in given.worlds:
        for labeled in given.labeled:
            begin = time.process_time()
            found = audited(world, labeled, given.networks, given.replicates, given.seed)
            compared(world, labeled, found)
            print(f"{time.process_time() - begin:.0f} s of processor time")


if __name__ == "__main__":
    main()
