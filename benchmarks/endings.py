"""How often does a verdict end wrongly, and does the next network do what was foretold?

    python benchmarks/endings.py --networks 40

wvRN against nBC by the bootstrap with 10 splits on cells of the calibration grid, made equal and 4
points apart in either direction. With a margin of 4 points "better" is wrong where the models are
equal, and "equivalent" or "by less" where they are 4 points apart (both are at the edge of what is
true, where errors are most frequent: 5% each, and 2.5% for the two). Of every network the chance is
taken that wvRN has fewer errors on the next one, and the interval of its difference; other
networks of the cell, with as many splits as pay, say how often that was so. Good are errors of at
most .05, and chances that are within .05 of the share on average.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from auto_splits import outcomes
from scipy import special

from nettrial.core import seeds
from nettrial.experiments.calibration import CalibrationCell, handicaps
from nettrial.experiments.domains import draw

CELLS = (("lgm300", 0.3), ("hetero600", 0.3), ("weak600", 0.2))
MARGIN = 0.04
DIFFERENCES = (0.0, MARGIN, -MARGIN)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--replicates", type=int, default=60)
    given = parser.parse_args()
    print("| network | true difference | better | equivalent or by less | chance foretold, share "
          "| interval of the next |\n|---|---|---|---|---|---|")  # fmt: skip
    for world, labeled in CELLS:
        cell = CalibrationCell(world, labeled, 1, given.replicates, DIFFERENCES)
        chances, rows = handicaps(cell, n_networks=200, seed=5), []
        for number in range(given.networks):
            entropy = seeds.derive(5, 97, number)
            network = draw(world, entropy)
            rows.append(outcomes(network, chances, labeled, given.replicates, entropy))
        found = np.array(rows)  # network, difference, 10 and auto, numbers
        for h, true in enumerate(DIFFERENCES):
            _, _, variance, _, estimate, df, noise = found[:, h, 0].T
            error, next_ones = np.sqrt(variance), found[:, h, 1, 4]
            wide, narrow = (special.stdtrit(df, q) * error for q in (0.975, 0.95))
            better = np.mean(abs(estimate) > wide)
            less = np.mean((estimate + narrow < MARGIN) & (estimate - narrow > -MARGIN))
            spread = np.sqrt(variance + np.maximum(variance - noise, 0))
            chance = special.stdtr(df, -estimate / spread).mean()
            apart = abs(next_ones[None] - estimate[:, None])
            inside = apart <= (special.stdtrit(df, 0.975) * spread)[:, None]
            held = inside[~np.eye(len(inside), dtype=bool)].mean()
            share = (next_ones < 0).mean()
            print(f"| {world} {labeled:.0%} | {100 * true:+.0f} | {better:.3f} | {less:.3f} | "
                  f"{chance:.2f}, {share:.2f} | {held:.3f} |", flush=True)  # fmt: skip
    print(f"{given.networks} networks a cell, {time.process_time():.0f} s")


if __name__ == "__main__":
    main()
