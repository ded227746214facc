"""The tests of a calibration cell: what each would have said in every trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..theory import variance_terms
from .calibration import PREDICTION_ONLY
from .drawn_anew import bootstrap_pvalue

Floats = NDArray[np.float64]
Table: TypeAlias = list[dict[str, Any]]
LEVEL = 0.05


class Trials(NamedTuple):
    """The trials of a cell with one true difference and one number of splits.

    Attributes
    ----------
    rates : ndarray, shape (n_trials, 2, k)
        Error rates on random resamples.
    folds : ndarray, shape (n_trials, 2, k), or None
        The same by network cross-validation; None where it does not exist.
    parameters : ndarray, shape (n_trials, 2, 4)
        p, q, rho and |L| of both models.
    on_predictions : ndarray, shape (n_trials, 3)
        p-values of the tests named in `PREDICTION_ONLY`.
    sizes : ndarray, shape (n_trials, n_communities)
        Nodes of the communities, padded with zeros.
    plain, null : ndarray, shape (n_trials, n_replicates, r)
        Differences on the replicates.
    truth : ndarray, shape (n_trials,)
        Differences of the trials under the null hypothesis, for the oracle.
    labeled : float
    """

    rates: Floats
    folds: Floats | None
    parameters: Floats
    on_predictions: Floats
    sizes: Floats
    plain: Floats
    null: Floats
    truth: Floats
    labeled: float


def two_sided(t: Floats, df: Floats | float) -> Floats:
    """Return p-values of t statistics; 1 where the statistic is not defined."""
    p = np.minimum(2 * special.stdtr(df, -np.abs(t)), 1.0)
    return np.asarray(np.where(np.isnan(p), 1.0, p))


def _t(differences: Floats) -> Floats:
    k = differences.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / k**0.5))


def paired_t(trials: Trials) -> Floats:
    """Return the paired t test of random resamples."""
    return two_sided(_t(trials.rates[:, 0] - trials.rates[:, 1]), trials.rates.shape[2] - 1)


def folds_t(trials: Trials) -> Floats:
    """Return the paired t test of network cross-validation; p is 1 where there is none."""
    if trials.folds is None:
        return np.ones(len(trials.rates))
    return two_sided(_t(trials.folds[:, 0] - trials.folds[:, 1]), trials.folds.shape[2] - 1)


def nadeau_bengio(trials: Trials) -> Floats:
    """Return the corrected resampled t test (Nadeau and Bengio 2003)."""
    k = trials.rates.shape[2]
    ratio = (1 - trials.labeled) / trials.labeled
    t = _t(trials.rates[:, 0] - trials.rates[:, 1]) / np.sqrt(1 + k * ratio)
    return two_sided(t, k - 1)


def rsc_paired(trials: Trials) -> Floats:
    """RS-C, paired (Wang et al. 2011, section 4); undefined corrections do not reject."""
    m = trials.sizes.sum(axis=1)
    n = np.round((1 - trials.labeled) * m)
    series = []
    for model in range(2):
        x = trials.rates[:, model]
        p, q, rho, links = trials.parameters[:, model].T
        rho = np.maximum(rho, -n / np.maximum(links, 1e-9))
        terms = variance_terms(p, q, rho, n=n, m=m, links=links)
        observed = x.var(axis=1, ddof=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.sqrt((observed + terms.variance_correction) / observed)[:, None]
        mean = x.mean(axis=1, keepdims=True)
        series.append(s * x + (1 - s) * mean)
    return two_sided(_t(series[0] - series[1]), x.shape[1] - 1)


def on_predictions(name: str) -> Callable[[Trials], Floats]:
    """Return the test of that name, whose p-values were found when the trials were run."""
    place = PREDICTION_ONLY.index(name)
    return lambda trials: trials.on_predictions[:, place]


def bootstrap(trials: Trials) -> Floats:
    """Run the community bootstrap as `nettrial.bootstrap.test.community_bootstrap_test` does."""
    return _bootstrap(trials, trials.null)


def bootstrap_at_estimate(trials: Trials) -> Floats:
    """Return the same without replicates under the null hypothesis."""
    return _bootstrap(trials, trials.plain)


def _bootstrap(trials: Trials, null: Floats) -> Floats:
    own = trials.rates[:, 0] - trials.rates[:, 1]
    p = [
        bootstrap_pvalue(own[i], trials.plain[i], null[i], sizes[sizes > 0])
        for i, sizes in enumerate(trials.sizes)
    ]
    return np.nan_to_num(p, nan=1.0)


def bootstrap_normal(trials: Trials) -> Floats:
    """Replicates of the network as it is, normal reference distribution."""
    k, r = trials.rates.shape[2], trials.plain.shape[2]
    within = trials.plain.var(axis=2, ddof=1).mean(axis=1)
    between = trials.plain.mean(axis=2).var(axis=1, ddof=1) - within / r
    variance = np.maximum(between, 0) + within / k
    difference = (trials.rates[:, 0] - trials.rates[:, 1]).mean(axis=1)
    return np.asarray(2 * special.ndtr(-np.abs(difference / np.sqrt(variance))))


def oracle_z(trials: Trials) -> Floats:
    """Return the z test that knows the standard error of the null hypothesis."""
    difference = (trials.rates[:, 0] - trials.rates[:, 1]).mean(axis=1)
    return z_test(difference, trials.truth)


def oracle_own_z(trials: Trials) -> Floats:
    """Return the z test that knows the standard error of the very networks that it is applied to.

    A handicap that makes a true difference changes how much the difference varies as well, so this
    is what a test can reach whose standard error is right.
    """
    difference = (trials.rates[:, 0] - trials.rates[:, 1]).mean(axis=1)
    return z_test(difference, difference)


def z_test(difference: Floats, known: Floats) -> Floats:
    """Return p-values of differences whose standard error is the deviation of `known` ones."""
    return np.asarray(2 * special.ndtr(-np.abs(difference / known.std(ddof=1))))


TESTS = {
    "bootstrap": bootstrap,
    "bootstrap_at_estimate": bootstrap_at_estimate,
    "bootstrap_normal": bootstrap_normal,
    **{name: on_predictions(name) for name in PREDICTION_ONLY},
    "rsc_paired": rsc_paired,
    "nadeau_bengio": nadeau_bengio,
    "ncv_paired_t": folds_t,
    "paired_t": paired_t,
    "oracle_z": oracle_z,
    "oracle_own_z": oracle_own_z,
}


def rows(
    name: str,
    labeled: float,
    differences: tuple[float, ...],
    splits: tuple[int, ...],
    found: Mapping[str, NDArray[Any]],
) -> Table:
    """Tabulate a cell: one row a test, true difference and number of splits."""
    table: Table = []
    for place, k in enumerate(splits):
        null: dict[str, Floats] = {}
        for h, difference in enumerate(differences):
            trials = _trials(found, labeled, place, h, k)
            where = {"world": name, "labeled": labeled, "n_splits": k, "difference": difference}
            gap = (trials.rates[:, 0] - trials.rates[:, 1]).mean(axis=1)
            table += tabulate(where, gap, {n: test(trials) for n, test in TESTS.items()}, null)
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


def _trials(
    found: Mapping[str, NDArray[Any]], labeled: float, place: int, h: int, k: int
) -> Trials:
    rates = np.asarray(found["rates"], dtype=float)
    truth = (rates[:, 0, 0, :k] - rates[:, 0, 1, :k]).mean(axis=1)
    # not every trial was given every true difference
    run = np.isfinite(rates[:, h, 0, 0])

    def part(name: str, *place: Any) -> Floats:
        return np.asarray(found[name][(run, *place)], dtype=float)

    return Trials(
        rates=rates[run, h, :, :k],
        folds=part(f"folds_{k}", h) if f"folds_{k}" in found else None,
        parameters=part("parameters", place, h),
        on_predictions=part("on_predictions", place, h),
        sizes=part("sizes"),
        plain=part("plain", slice(None), h),
        null=part("null", slice(None), h),
        truth=truth,
        labeled=labeled,
    )
