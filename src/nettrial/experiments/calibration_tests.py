"""The tests of a calibration cell: what each would have said in every trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..inference.registry import on_predictions
from ..replicates.bootstrap_test import pvalue_of
from ..stats.paired import paired_t_test

Floats = NDArray[np.float64]
Table: TypeAlias = list[dict[str, Any]]
LEVEL = 0.05


class Trials(NamedTuple):
    """The trials of a cell with one true difference and one number of splits."""

    rates: Floats  # shape (n_trials, 2, k): error rates on random resamples
    # shape (n_trials, 2, k), or None: the same by network cross-validation; None where it does not
    # exist
    folds: Floats | None
    # shape (n_trials,): of every registered test on predictions; NaN where it refuses
    pvalues: Mapping[str, Floats]
    sizes: Floats  # shape (n_trials, n_communities): nodes of the communities, padded with zeros
    # plain, null: shape (n_trials, n_replicates, r): differences on the replicates
    plain: Floats
    null: Floats
    # shape (n_trials,): differences of the trials under the null hypothesis, for the oracle
    truth: Floats

    @property
    def differences(self) -> Floats:
        """Mean difference of the error rates, shape (n_trials,)."""
        return np.asarray((self.rates[:, 0] - self.rates[:, 1]).mean(axis=1))


def of_folds(trials: Trials) -> Floats:
    """Make the paired t-test of network cross-validation; NaN where there is none."""
    if trials.folds is None:
        return np.full(len(trials.rates), np.nan)
    return np.asarray(paired_t_test(trials.folds[:, 0], trials.folds[:, 1]).pvalue)


def bootstrap(trials: Trials) -> Floats:
    """Make the community bootstrap as `compare` makes it."""
    return _bootstrap(trials, trials.null)


def bootstrap_at_estimate(trials: Trials) -> Floats:
    """Make the same without replicates under the null hypothesis."""
    return _bootstrap(trials, trials.plain)


def _bootstrap(trials: Trials, null: Floats) -> Floats:
    own = trials.rates[:, 0] - trials.rates[:, 1]
    return np.array(
        [
            pvalue_of(own[i], trials.plain[i], null[i], sizes[sizes > 0])
            for i, sizes in enumerate(trials.sizes)
        ]
    )


def bootstrap_normal(trials: Trials) -> Floats:
    """Make it of replicates of the network as it is, with a normal reference distribution."""
    k, r = trials.rates.shape[2], trials.plain.shape[2]
    within = trials.plain.var(axis=2, ddof=1).mean(axis=1)
    between = trials.plain.mean(axis=2).var(axis=1, ddof=1) - within / r
    return z_test(trials.differences, np.sqrt(np.maximum(between, 0) + within / k))


def z_test(difference: Floats, error: Floats | float) -> Floats:
    """Return p-values of differences whose standard error is known."""
    return np.asarray(2 * special.ndtr(-np.abs(difference / error)))


def oracles(difference: Floats, truth: Floats) -> dict[str, Floats]:
    """Return the p-values of the z tests that know a standard error.

    ``oracle_z`` knows that of the null hypothesis, ``oracle_own_z`` that of the very networks that
    it is applied to: a handicap that makes a true difference changes how much the difference
    varies as well, so this is what a test can reach whose standard error is right.
    """
    known = {"oracle_z": truth, "oracle_own_z": difference}
    return {name: z_test(difference, each.std(ddof=1)) for name, each in known.items()}


VARIANTS = {
    "bootstrap": bootstrap,
    "bootstrap_at_estimate": bootstrap_at_estimate,
    "bootstrap_normal": bootstrap_normal,
}


def pvalues_of(trials: Trials) -> dict[str, Floats]:
    """Return the p-values of every test in every trial, in the order of the table.

    Tests on predictions are those of the registry, as `compare` applies them. A test that refuses
    does not reject: its p-value counts as 1.
    """
    found = {name: test(trials) for name, test in VARIANTS.items()} | dict(trials.pvalues)
    found["ncv_paired_t"] = of_folds(trials)
    kept = {name: np.nan_to_num(each, nan=1.0) for name, each in found.items()}
    return kept | oracles(trials.differences, trials.truth)


def names() -> tuple[str, ...]:
    """Return the tests of the grid."""
    made = [each.name for each in on_predictions()]
    return (*VARIANTS, *made, "ncv_paired_t", "oracle_z", "oracle_own_z")


def rows(
    name: str,
    labeled: float,
    differences: tuple[float, ...],
    splits: tuple[int, ...],
    found: Mapping[str, NDArray[Any]],
) -> Table:
    """Tabulate a cell: one row per test, true difference and number of splits."""
    table: Table = []
    for place, k in enumerate(splits):
        null: dict[str, Floats] = {}
        for h, difference in enumerate(differences):
            trials = _trials(found, place, h, k)
            where = {"world": name, "labeled": labeled, "n_splits": k, "difference": difference}
            table += tabulate(where, trials.differences, pvalues_of(trials), null)
    return table


def tabulate(
    where: Mapping[str, Any], gap: Floats, found: Mapping[str, Floats], null: dict[str, Floats]
) -> Table:
    """Count the rejections of every test in the trials of one true difference.

    Parameters
    ----------
    where : mapping
        What the trials have in common; it begins every row.
    gap : ndarray, shape (n_trials,)
        Measured differences.
    found : mapping of str to ndarray, shape (n_trials,)
        p-values of every test; NaN where it was not made.
    null : dict
        The p-values under the null hypothesis; filled where it is empty.

    Returns
    -------
    list of dict
        ``rejected`` is the share of trials with p < 0.05, ``error`` its Monte Carlo standard
        error; ``adjusted`` is the share with a p-value below the test's own 5% quantile under the
        null hypothesis, so that tests of different size can be compared.
    """
    table: Table = []
    for test, every in found.items():
        p = every[~np.isnan(every)]  # not every test was made in every trial
        threshold = np.quantile(null.setdefault(test, p), LEVEL)
        share = float((p < LEVEL).mean())
        table.append(
            {
                **where, "test": test, "measured": float(gap.mean()),
                "sd": float(gap.std(ddof=1)), "rejected": share,
                "error": float(np.sqrt(share * (1 - share) / p.size)),
                "adjusted": float((p < threshold).mean()), "n_trials": p.size,
            }
        )  # fmt: skip
    return table


def _trials(found: Mapping[str, NDArray[Any]], place: int, h: int, k: int) -> Trials:
    rates = np.asarray(found["rates"], dtype=float)
    truth = (rates[:, 0, 0, :k] - rates[:, 0, 1, :k]).mean(axis=1)
    # not every trial was given every true difference
    run = np.isfinite(rates[:, h, 0, 0])

    def part(name: str, *place: Any) -> Floats:
        return np.asarray(found[name][(run, *place)], dtype=float)

    return Trials(
        rates=rates[run, h, :, :k],
        folds=part(f"folds_{k}", h) if f"folds_{k}" in found else None,
        pvalues={
            each.name: part("pvalues", place, h, number)
            for number, each in enumerate(on_predictions())
        },
        sizes=part("sizes"),
        plain=part("plain", slice(None), h),
        null=part("null", slice(None), h),
        truth=truth,
    )
