"""scipy.stats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nettrial import stats

from .cases import Case, Other, Pairs, asks, because, plain

S = "scipy.stats."


def _t(theirs: Any, ours: Any) -> Pairs:
    return {
        "statistic": (theirs.statistic, ours.statistic),
        "p": (theirs.pvalue, ours.pvalue),
        "df": (theirs.df, ours.df),
    }


def _arrays(*samples: Any) -> list[Any]:
    found = [np.asarray(x) for x in samples]
    for x in found:
        plain("complex numbers or objects", x.dtype.kind in "iufb")
    return found


@asks(S + "ttest_rel")
def _related(theirs, a, b, axis=0, nan_policy="propagate", alternative="two-sided", *,
             keepdims=False):  # fmt: skip
    a, b = _arrays(a, b)
    plain("axis=None", axis is not None)
    return _t(theirs, stats.paired_t_test(a, b, axis=axis, alternative=alternative))


@asks(S + "ttest_1samp")
def _one(theirs, a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *,
         keepdims=False):  # fmt: skip
    a, null = _arrays(a, popmean)
    if axis is None:
        a, axis = a.ravel(), 0
    if null.ndim and null.ndim == a.ndim and null.shape[axis] == 1:
        null = np.squeeze(null, axis)
    return _t(theirs, stats.one_sample_t_test(a, null_value=null, axis=axis,
                                              alternative=alternative))  # fmt: skip


@asks(S + "ttest_ind")
def _two(theirs, a, b, *, axis=0, equal_var=True, nan_policy="propagate", permutations=None,
         random_state=None, alternative="two-sided", trim=0, method=None, keepdims=False,
         rng=None):  # fmt: skip
    a, b = _arrays(a, b)
    plain("trimmed means", trim == 0)
    plain("t by permutation", method is None and not permutations)
    if axis is None:
        a, b, axis = a.ravel(), b.ravel(), 0
    test = stats.pooled_t_test if equal_var else stats.welch_t_test
    return _t(theirs, test(a, b, axis=axis, alternative=alternative))


@asks(S + "wilcoxon")
def _wilcoxon(theirs, x, y=None, zero_method="wilcox", correction=False, alternative="two-sided",
              method="auto", *, axis=0, nan_policy="propagate", keepdims=False, mode=None):  # fmt: skip
    method = mode or method
    x, y = _arrays(x, 0.0 if y is None else y)
    plain("resampling by an object", isinstance(method, str))
    zeros = {"wilcox": "drop", "pratt": "pratt", "zsplit": "split"}[zero_method]
    if axis is None:
        x, y, axis = x.ravel(), y.ravel(), 0
    if method == "auto":  # exact up to 50, or 13 with ties
        d = np.abs(np.asarray(x - y, dtype=float))
        n = d.shape[axis]
        tied = d.ndim == 1 and (np.unique(d).size < n or not d.all())
        method = "exact" if n <= (13 if tied else 50) else "asymptotic"
    how = "exact" if method == "exact" else "normal-corrected" if correction else "normal"
    ours = stats.wilcoxon_test(x, y, method=how, zeros=zeros, axis=axis, alternative=alternative)
    plus, minus = ours.details["w_plus"], ours.details["w_minus"]
    least = np.minimum(plus, minus) if alternative == "two-sided" else plus
    return {"statistic": (theirs.statistic, least), "p": (theirs.pvalue, ours.pvalue)}


@asks(S + "mannwhitneyu")
def _mann_whitney(theirs, x, y, use_continuity=True, alternative="two-sided", axis=0,
                  method="auto", *, nan_policy="propagate", keepdims=False):  # fmt: skip
    x, y = _arrays(x, y)
    plain("resampling by an object", isinstance(method, str))
    if axis is None:
        x, y, axis = x.ravel(), y.ravel(), 0
    how = "normal-corrected" if use_continuity else "normal"
    if method == "exact" or (method == "auto" and min(x.shape[axis], y.shape[axis]) <= 8):
        how = "exact"
    ours = stats.mann_whitney_test(x, y, method=how, axis=axis, alternative=alternative)
    return {"statistic": (theirs.statistic, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(S + "kruskal", S + "f_oneway")
def _groups(theirs, *samples, axis=0, nan_policy="propagate", keepdims=False, equal_var=True):
    samples = _arrays(*samples)
    rank = type(theirs).__name__.startswith("Kruskal")
    options = {"method": "fisher" if equal_var else "welch"}
    test, options = (stats.kruskal_wallis_test, {}) if rank else (stats.oneway_anova, options)
    if axis is None:
        samples, axis = [x.ravel() for x in samples], 0
    ours = test(list(samples), axis=axis, **options)
    return {"statistic": (theirs.statistic, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(S + "friedmanchisquare")
def _friedman(theirs, *samples, axis=0, nan_policy="propagate", keepdims=False):
    table = np.stack(np.broadcast_arrays(*_arrays(*samples)), axis=-1)
    plain("axis=None", axis is not None)
    ours = stats.friedman_test(np.moveaxis(table, axis % (table.ndim - 1), -2))
    return {"statistic": (theirs.statistic, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(S + "binomtest")
def _binomial(theirs, k, n, p=0.5, alternative="two-sided"):
    ours = stats.binomial_test(k, n, p0=p, alternative=alternative)
    ends = theirs.proportion_ci()
    return {
        "p": (theirs.pvalue, ours.pvalue),
        "low": (ends.low, ours.ci_low),
        "high": (ends.high, ours.ci_high),
    }


@asks(S + "tukey_hsd")
def _tukey(theirs, *groups, equal_var=True):
    ours = (stats.tukey_hsd if equal_var else stats.games_howell)(list(_arrays(*groups)))
    above = np.triu_indices(len(groups), 1)
    ends = theirs.confidence_interval()
    return {
        "difference": (theirs.statistic[above], ours.estimate),
        "p": (theirs.pvalue[above], ours.adjusted_pvalue),
        "low": (ends.low[above], ours.ci_low),
        "high": (ends.high[above], ours.ci_high),
    }


@asks(S + "false_discovery_control")
def _discoveries(theirs, ps, *, axis=0, method="bh"):
    ps = np.asarray(ps)
    if axis is None:
        ps, axis = ps.ravel(), 0
    plain("adjustment along no axis", ps.ndim > 0)
    return {"p": (np.ravel(theirs), np.ravel(stats.adjust(ps, method=method.upper(), axis=axis)))}


@asks(S + "permutation_test")
def _permutation(theirs, data, statistic, *, permutation_type="independent", vectorized=None,
                 n_resamples=9999, batch=None, alternative="two-sided", axis=0, rng=None,
                 random_state=None):  # fmt: skip
    data = _arrays(*data)
    plain("pairings, or more than two samples", len(data) == 2 and permutation_type != "pairings")
    plain("several trials a call", all(x.ndim == 1 for x in data))
    a, b = data

    def of(x: Any, y: Any) -> float:
        return float(statistic(x, y, axis=-1) if vectorized is not False else statistic(x, y))

    try:
        if permutation_type == "independent":
            ways = math.comb(a.size + b.size, a.size)
            plain("a random choice of arrangements", ways <= min(n_resamples, 20_000))
            ours = stats.two_sample_permutation_test(
                a, b, statistic=of, n_resamples=20_000, alternative=alternative
            )
        else:
            plain("a random choice of arrangements", 2**a.size <= min(n_resamples, 20_000))
            d = a - b
            unit = np.abs(of(a, b) - np.mean(d)) <= 1e-12
            plain("a paired statistic that is not of the differences", bool(unit))
            ours = stats.permutation_test(a, b, n_resamples=20_000, alternative=alternative)
    except TypeError as error:
        raise Other("a statistic of another form") from error
    return {"statistic": (theirs.statistic, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@because(S + "mannwhitneyu", text="tied values with method='exact', or few tied values: SciPy counts "
         "arrangements without ties, or takes the normal approximation; nettrial counts those "
         "of the ranks as they are")  # fmt: skip
def _tied(case: Case) -> bool:
    samples = [np.ravel(x) for x in case.args[:2]]
    few = min(x.size for x in samples) <= 8
    exact = few or case.options.get("method") == "exact"
    both = np.concatenate(samples)
    return case.wrong == ("p",) and exact and np.unique(both).size < both.size


@because(S + "wilcoxon", text="zeros that are split give the same half ranks whatever the signs, so that they add no "
         "variance here, as in Pratt's form; SciPy keeps theirs")  # fmt: skip
def _split(case: Case) -> bool:
    return case.outcome == "different" and "zsplit" in (
        *case.args[2:3],
        case.options.get("zero_method"),
    )


@because(S + "wilcoxon", text="tied differences with method='exact': SciPy takes the distribution without "
         "ties and rounds the statistic, nettrial counts all signs of these ranks")  # fmt: skip
def _tied_differences(case: Case) -> bool:
    x, y = (np.asarray(v, float) for v in (*case.args, 0.0)[:2])
    d = np.abs(x - y)
    return case.wrong == ("p",) and np.unique(d).size < d.size and case.options["method"] == "exact"
