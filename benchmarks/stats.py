"""How many times faster one call is than SciPy in a loop, for many trials at once; and one sample
of a million values, in times that NumPy takes to sort it.

    python benchmarks/stats.py [--quick] [--json]

The loop runs on some of the trials and is scaled up; both sides are timed as the best of
three runs, and their p-values are compared.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from nettrial.metrics import auc
from nettrial.stats.delong import delong_test
from nettrial.stats.mcnemar import mcnemar_test
from nettrial.stats.paired import paired_t_test
from nettrial.stats.sign import sign_test_counts
from nettrial.stats.signed_rank import wilcoxon_test


def best(run: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    times, value = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        value = run()
        times.append(time.perf_counter() - start)
    return min(times), value


def compare(
    trials: int,
    looped: int,
    together: Callable[[], Any],
    alone: Callable[[int], float],
) -> dict[str, float]:
    ours, result = best(together)
    theirs, expected = best(lambda: [alone(i) for i in range(looped)])
    np.testing.assert_allclose(result.pvalue[:looped], expected, rtol=1e-9)
    loop = theirs * trials / looped
    return {"trials": trials, "seconds": ours, "scipy_loop_seconds": loop, "ratio": loop / ours}


def one_sample(n: int) -> dict[str, dict[str, float]]:
    """Processor seconds of tests on n values, and the same over NumPy's argsort and sort of them.

    The least of fifteen rounds. Of two scorings both are sorted. Ranks need the order of the
    values, which argsort finds; sort, which does not, is several times as fast on processors with
    AVX-512.
    """
    rng = np.random.default_rng(0)
    a, b = rng.random((2, n))
    labels = rng.random(n) < 0.3
    tied = a.round(2), b.round(2)
    calls: dict[str, Callable[[], Any]] = {
        "sort": lambda: np.sort(a),
        "argsort": lambda: np.argsort(a),
        "Wilcoxon": lambda: wilcoxon_test(a, b),
        "AUC": lambda: auc(labels, a),
        "DeLong (two scorings)": lambda: delong_test(labels, a, b),
        "Wilcoxon, tied (two decimals)": lambda: wilcoxon_test(*tied),
    }
    seconds = dict.fromkeys(calls, float("inf"))
    for _ in range(15):  # in turns, so that other work on the machine slows all of them alike
        for name, call in calls.items():
            start = time.process_time()
            call()
            seconds[name] = min(seconds[name], time.process_time() - start)
    return {
        f"{name}, {n:,} values": {
            "seconds": value,
            "over_argsort": value / seconds["argsort"] / (2 if "DeLong" in name else 1),
            "over_sort": value / seconds["sort"] / (2 if "DeLong" in name else 1),
        }
        for name, value in seconds.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the trials")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    trials, looped = (10_000, 100) if options.quick else (100_000, 1000)
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.1, 0.4, (2, trials, 10))
    wins, losses = rng.integers(0, 60, (2, trials))
    losses[wins + losses == 0] = 1
    tables = np.stack([np.full(trials, 5), wins, losses, np.full(trials, 100)], axis=-1)
    tables = tables.reshape(trials, 2, 2)

    def binomial(i: int) -> float:
        return float(stats.binomtest(int(wins[i]), int(wins[i] + losses[i])).pvalue)

    rows = {
        "paired t (10 pairs)": compare(
            trials,
            looped,
            lambda: paired_t_test(a, b),
            lambda i: stats.ttest_rel(a[i], b[i]).pvalue,
        ),
        "sign": compare(trials, looped, lambda: sign_test_counts(wins, losses), binomial),
        "McNemar, exact": compare(trials, looped, lambda: mcnemar_test(tables), binomial),
        "Wilcoxon, exact (10 pairs)": compare(
            trials,
            looped,
            lambda: wilcoxon_test(a, b),
            lambda i: stats.wilcoxon(a[i], b[i], method="exact").pvalue,
        ),
    }
    large = one_sample(10**5 if options.quick else 10**6)
    if options.json:
        print(json.dumps({"trials": rows, "one sample": large}, indent=2))
        return
    for name, row in large.items():
        print(
            f"{name:<42}{row['seconds']:8.4f} s   {row['over_argsort']:6.1f} times argsort   "
            f"{row['over_sort']:6.1f} times sort"
        )
    for name, row in rows.items():
        print(
            f"{name:<28}{row['seconds']:8.3f} s   SciPy in a loop "
            f"{row['scipy_loop_seconds']:8.1f} s   {row['ratio']:6.0f} times"
        )


if __name__ == "__main__":
    main()
