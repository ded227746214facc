"""How often tests of one data set reject where two algorithms are equally good.

python benchmarks/resampled_tests.py [DATA_SETS]

The designs are those of Nadeau and Bengio (2003) and of Bouckaert and Frank (2004). Their data
and classifiers are not distributed, so that their tables cannot be repeated cell by cell; what they
claim is put to data of the same kind, and held to bounds that stand here and were written first:
a corrected test rejects at most 3 standard errors more often than its level, one that takes the
scores as independent at least twice as often as its level.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from nettrial import stats

Losses = Callable[[np.ndarray, np.ndarray], np.ndarray]


def least_squares(random: np.random.Generator, n: int = 100) -> Losses:
    """Regression on one of two columns that are alike in distribution, after Nadeau and Bengio."""
    x = random.normal(size=(n, 2))
    y = x.sum(axis=1) + random.normal(size=n)

    def errors(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        found = []
        for column in (0, 1):
            slope, level = np.polyfit(x[train, column], y[train], 1)
            found.append(np.mean((y[test] - level - slope * x[test, column]) ** 2))
        return np.array(found)

    return errors


def random_bits(random: np.random.Generator, n: int = 300) -> Losses:
    """Naive Bayes and a tree on ten random bits and a class at random, after Bouckaert and Frank.

    Both are wrong in half of the cases, whatever they have learned.
    """
    x, y = random.integers(2, size=(n, 10)), random.integers(2, size=n)

    def errors(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        models = (BernoulliNB(), DecisionTreeClassifier(min_samples_leaf=2, random_state=0))
        return np.array([np.mean(m.fit(x[train], y[train]).predict(x[test]) != y[test])
                         for m in models])  # fmt: skip

    return errors


def halves_of(errors: Losses, n: int, random: np.random.Generator) -> list[list[float]]:
    """Return mean differences on both halves of five divisions, with test sets of a tenth of n."""
    found = []
    for _ in range(5):
        parts = np.split(random.permutation(n), 2)
        rows = []
        for part in parts:
            splits = ShuffleSplit(5, test_size=n // 10, random_state=int(random.integers(2**31)))
            differences = [np.diff(errors(part[train], part[test]))[0]
                           for train, test in splits.split(part)]  # fmt: skip
            rows.append(float(np.mean(differences)))
        found.append(rows)
    return found


def pvalues(errors: Losses, n: int, random: np.random.Generator) -> dict[str, float]:
    """Return p of each test on one data set."""
    draw = int(random.integers(2**31))
    designs = {
        "15 splits": ShuffleSplit(15, test_size=n // 10, random_state=draw),
        "10x10 folds": RepeatedKFold(n_splits=10, n_repeats=10, random_state=draw),
    }
    scores = {
        name: np.array([errors(*split) for split in design.split(np.zeros(n))])
        for name, design in designs.items()
    }
    some, folds = scores["15 splits"].T, scores["10x10 folds"].T.reshape(2, 10, 10)
    sizes = {"n_train": n - n // 10, "n_test": n // 10}
    return {
        "paired t, 15 splits": stats.paired_t_test(*some).pvalue,
        "corrected resampled t, 15 splits": stats.corrected_resampled_t_test(*some, **sizes).pvalue,
        "conservative z, 15 splits": stats.conservative_z_test(
            some[1] - some[0], halves_of(errors, n, random)).pvalue,
        "paired t, 10x10 folds": stats.paired_t_test(*folds.reshape(2, 100)).pvalue,
        "corrected t, 10x10 folds": stats.corrected_repeated_kfold_t_test(*folds).pvalue,
    }  # fmt: skip


def main(count: int = 150) -> int:
    """Print the table, and return how many rates are outside their bounds."""
    outside = 0
    print("| data | test | rejected at 10% | bound |\n|---|---|---:|---|")
    for what, make, n in (("least squares", least_squares, 100), ("random bits", random_bits, 300)):
        rows = []
        for number in range(count):
            random = np.random.default_rng([7, number])
            rows.append(pvalues(make(random, n), n, random))
        for name in rows[0]:
            rate = np.mean([row[name] < 0.1 for row in rows])
            bound = 0.1 + 3 * np.sqrt(0.09 / count)
            naive = name.startswith("paired")
            outside += int(rate < 0.2 if naive else rate > bound)
            words = "at least 20%" if naive else f"at most {bound:.1%}"
            print(f"| {what} | {name} | {rate:.1%} | {words} |", flush=True)
    return outside


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
