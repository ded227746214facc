"""statsmodels.stats."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from nettrial import stats

from .cases import Case, Other, Pairs, asks, because, plain, refused, same

W = "statsmodels.stats."


@asks(W + "contingency_tables.mcnemar")
def _mcnemar(theirs, table, exact=True, correction=True):
    table = np.asarray(table)
    plain("tables that are not two by two", table.shape == (2, 2))
    how = "exact" if exact else "edwards" if correction else "uncorrected"
    return {"p": (theirs.pvalue, stats.mcnemar_test(table, method=how).pvalue)}


@asks(W + "contingency_tables.cochrans_q")
def _cochran(theirs, x, return_object=True):
    ours = stats.cochran_q_test(np.asarray(x))
    q, p = (theirs.statistic, theirs.pvalue) if return_object else theirs[:2]
    return {"statistic": (q, ours.statistic), "p": (p, ours.pvalue)}


ADJUSTMENTS = {"b": "bonferroni", "bonf": "bonferroni", "bonferroni": "bonferroni", "s": "sidak",
               "sidak": "sidak", "h": "holm", "holm": "holm", "hs": "holm-sidak",
               "holm-sidak": "holm-sidak", "sh": "hochberg", "simes-hochberg": "hochberg",
               "ho": "hommel", "hommel": "hommel", "fdr_bh": "BH", "fdr_i": "BH", "indep": "BH",
               "i": "BH", "fdr_by": "BY", "fdr_n": "BY", "n": "BY", "none": "none",
               "fdr_tsbky": "fdr_tsbky", "fdr_tsbh": "fdr_tsbh"}  # fmt: skip


@asks(W + "multitest.multipletests", W + "multitest.fdrcorrection")
def _adjusted(theirs, pvals, alpha=0.05, method=None, maxiter=1, is_sorted=False,
              returnsorted=False):  # fmt: skip
    name = method or ("hs" if len(theirs) == 4 else "indep")
    plain(f"adjustment {name!r}", name in ADJUSTMENTS)
    plain("sorted answers", not returnsorted)
    two = ADJUSTMENTS[name].startswith("fdr_ts")
    first = not two or (alpha == 0.05 and maxiter == 1)
    plain("the two-stage method at another level, or repeated", first)
    return {"p": (theirs[1], stats.adjust(np.asarray(pvals), method=ADJUSTMENTS[name]))}


INTERVALS = {"normal": "wald", "beta": "exact", "wilson": "wilson", "agresti_coull": "agresti-coull",
             "jeffreys": "jeffreys-equal-tailed"}  # fmt: skip


@asks(W + "proportion.proportion_confint")
def _interval(theirs, count, nobs, alpha=0.05, method="normal", **more):
    plain(f"interval {method!r}", method in INTERVALS)
    side = more.get("alternative", "two-sided")
    ours = stats.proportion_interval(
        np.asarray(count), np.asarray(nobs), method=INTERVALS[method], confidence=1 - alpha,
        alternative={"two-sided": "two-sided", "larger": "less", "smaller": "greater"}[side],
    )  # fmt: skip
    return {"low": (theirs[0], ours.ci_low), "high": (theirs[1], ours.ci_high)}


@asks(W + "proportion.binom_test")
def _binomial(theirs, count, nobs, prop=0.5, alternative="two-sided"):
    ours = stats.binomial_test(count, nobs, p0=prop, alternative=ALT[alternative])
    return {"p": (theirs, ours.pvalue)}


ALT = {"two-sided": "two-sided", "2s": "two-sided", "larger": "greater", "smaller": "less",
       "l": "greater", "s": "less"}  # fmt: skip


@asks(W + "proportion.proportions_ztest")
def _z(theirs, count, nobs, value=None, alternative="two-sided", prop_var=False):
    k, n = (np.atleast_1d(x) for x in (count, nobs))
    n = np.broadcast_to(n, k.shape)
    plain("another variance", not prop_var or (k.size == 1 and prop_var == value))
    if k.size == 2:
        plain("a difference that is not 0", not value)
        ours = stats.two_proportion_test(k[0], n[0], k[1], n[1], standard_error="pooled",
                                         alternative=ALT[alternative])  # fmt: skip
    else:
        ours = stats.proportion_z_test(k[0], n[0], p0=value, alternative=ALT[alternative],
                                       standard_error="null" if prop_var else "sample")  # fmt: skip
    return {"statistic": (theirs[0], ours.statistic), "p": (theirs[1], ours.pvalue)}


@asks(W + "proportion.test_proportions_2indep")
def _two_rates(theirs, count1, nobs1, count2, nobs2, value=None, method=None, compare="diff",
               alternative="two-sided", correction=True, return_results=True):  # fmt: skip
    plain("ratios and odds ratios of two proportions", compare == "diff")
    plain("Agresti and Caffo's form, or Wald's", method in (None, "score"))
    plain("the score test with statsmodels' correction of the variance", not correction)
    counts = [np.asarray(x) for x in (count1, nobs1, count2, nobs2)]
    ours = stats.two_proportion_score_test(*counts, null=value or 0.0, alternative=ALT[alternative])
    z, p = (theirs.statistic, theirs.pvalue) if return_results else theirs[:2]
    return {"statistic": (z, ours.statistic), "p": (p, ours.pvalue)}


@asks(W + "proportion.confint_proportions_2indep")
def _two_rates_interval(theirs, count1, nobs1, count2, nobs2, method=None, compare="diff",
                        alpha=0.05, correction=True):  # fmt: skip
    plain("ratios and odds ratios of two proportions", compare == "diff")
    counts = (count1, nobs1, count2, nobs2)
    if method in (None, "newcomb"):
        found = stats.risk_difference(*counts, confidence=1 - alpha)
    elif method == "wald":
        found = stats.risk_difference(*counts, confidence=1 - alpha, interval="wald")
    elif method == "score" and not correction:
        found = stats.two_proportion_score_test(*counts, confidence=1 - alpha)
    else:
        raise Other("Agresti and Caffo's interval, or the score interval with correction")
    return {"low": (theirs[0], found.ci_low), "high": (theirs[1], found.ci_high)}


@asks(W + "oneway.anova_oneway")
def _oneway(theirs, data, groups=None, use_var="unequal", welch_correction=True, trim_frac=0):
    plain("trimmed means", trim_frac == 0)
    welch = use_var != "bf" and welch_correction
    plain("Brown and Forsythe's F, or Welch's without correction", welch)
    if groups is not None:
        data = [np.asarray(data)[np.asarray(groups) == g] for g in np.unique(groups)]
    ours = stats.oneway_anova(list(data), method="fisher" if use_var == "equal" else "welch")
    return {"statistic": (theirs.statistic, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(W + "anova.AnovaRM.fit")
def _repeated(theirs, model):
    plain("several factors within a subject", len(model.within) == 1)
    table = model.data.pivot_table(model.depvar, model.subject, model.within[0])
    ours = stats.repeated_measures_anova(table.to_numpy(), correction="none")
    row = theirs.anova_table.iloc[0]
    return {"F": (row["F Value"], ours.statistic), "p": (row["Pr > F"], ours.pvalue)}


@asks(W + "weightstats.ttest_ind")
def _two_means(theirs, x1, x2, alternative="two-sided", usevar="pooled", weights=(None, None),
               value=0):  # fmt: skip
    plain("weights of cases", all(w is None for w in weights))
    test = stats.pooled_t_test if usevar == "pooled" else stats.welch_t_test
    ours = test(np.asarray(x1, float) - value, x2, axis=0, alternative=ALT[alternative])
    return {"t": (theirs[0], ours.statistic), "p": (theirs[1], ours.pvalue),
            "df": (theirs[2], ours.df)}  # fmt: skip


@asks(W + "weightstats.ttost_ind")
def _two_equivalent(theirs, x1, x2, low, upp, usevar="pooled", weights=(None, None),
                    transform=None):  # fmt: skip
    plain("weights of cases", all(w is None for w in weights))
    x1, x2, margins = _transformed(transform, x1, x2, low, upp)
    test = stats.pooled_t_test if usevar == "pooled" else stats.welch_t_test
    return _equivalent(theirs[0], test(x1, x2, axis=0), margins)


@asks(W + "weightstats.ttost_paired")
def _pairs_equivalent(theirs, x1, x2, low, upp, transform=None, weights=None):
    plain("weights of cases", weights is None)
    x1, x2, margins = _transformed(transform, x1, x2, low, upp)
    return _equivalent(theirs[0], stats.paired_t_test(x1, x2, axis=0), margins)


def _transformed(transform: Any, *values: Any) -> tuple[Any, Any, tuple[float, float]]:
    found = [np.asarray(x, float) for x in values]
    if transform is not None:
        plain("a transform of another form", callable(transform))
        found = [transform(x) for x in found]
    plain("one margin a column", found[2].ndim == found[3].ndim == 0)
    return found[0], found[1], (float(found[2]), float(found[3]))


def _equivalent(p: Any, tested: Any, margins: tuple[float, float]) -> Pairs:
    return {"p": (p, stats.equivalence_test(tested, margin=margins).pvalue)}


@asks(W + "weightstats.DescrStatsW.ttest_mean")
def _mean(theirs, sample, value=0, alternative="two-sided"):
    plain("weights of cases", bool(np.all(sample.weights == 1)))
    ours = stats.one_sample_t_test(sample.data, null_value=value, axis=0,
                                   alternative=ALT[alternative])  # fmt: skip
    return {"t": (theirs[0], ours.statistic), "p": (theirs[1], ours.pvalue),
            "df": (theirs[2], ours.df)}  # fmt: skip


@asks(W + "weightstats.CompareMeans.ttest_ind")
def _compared(theirs, means, alternative="two-sided", usevar="pooled", value=0):
    both = (means.d1, means.d2)
    plain("weights of cases", all(bool(np.all(d.weights == 1)) for d in both))
    return _two_means(theirs, both[0].data, both[1].data, alternative, usevar, value=value)


def _power(theirs: Any, found: Any, wanted: str) -> Pairs:
    ours = {
        "power": lambda r: r.power, "alpha": lambda r: r.alpha, "nobs": lambda r: r.n,
        "effect_size": lambda r: r.details["effect_size"],
    }[wanted](found)  # fmt: skip
    theirs = np.ceil(theirs) if wanted == "nobs" else theirs
    return {wanted: (theirs, ours)}


def _of_power(theirs, effect_size, nobs, alpha, power, alternative, design, ratio=1.0):
    numbers = {"effect_size": effect_size, "nobs": nobs, "alpha": alpha, "power": power}
    plain("several sizes, effects or levels a call", all(np.ndim(x) == 0 for x in numbers.values()))
    wanted = next(k for k, v in numbers.items() if v is None)
    options: dict[str, Any] = {"design": design, "alternative": ALT[alternative]}
    if nobs is not None:
        plain("sizes that are no whole numbers", float(nobs).is_integer()
              and float(nobs * ratio).is_integer())  # fmt: skip
        nobs = int(nobs)
        if design == "two-sample":
            options["n_b"] = round(nobs * ratio)
    if wanted == "power":
        found = stats.t_power(effect_size, nobs, alpha=alpha, **options)
    elif wanted == "alpha":
        found = stats.t_alpha(effect_size, nobs, power=power, **options)
    elif wanted == "effect_size":
        found = stats.t_effect_size(nobs, alpha=alpha, power=power, **options)
    else:
        plain("another ratio", ratio == 1)
        found = stats.t_sample_size(effect_size, power=power, alpha=alpha, **options)
    return _power(theirs, found, wanted)


@asks(W + "power.TTestPower.power", W + "power.TTestIndPower.power")
def _t_power(theirs, test, effect_size, nobs=None, alpha=None, ratio=1, df=None,
             alternative="two-sided", nobs1=None):  # fmt: skip
    plain("other degrees of freedom", df is None)
    paired = type(test).__name__ == "TTestPower"
    if not np.ndim(effect_size) and not np.ndim(nobs if nobs1 is None else nobs1):
        return _of_power(theirs, effect_size, nobs if nobs1 is None else nobs1, alpha, None,
                         alternative, "paired" if paired else "two-sample", ratio)  # fmt: skip
    effects, sizes = np.broadcast_arrays(effect_size, nobs if nobs1 is None else nobs1)
    ours = [
        next(iter(_of_power(0, float(d), float(n), alpha, None, alternative,
             "paired" if paired else "two-sample", ratio).values()))[1]
        for d, n in zip(effects.ravel(), sizes.ravel())
    ]  # fmt: skip
    return {"power": (theirs, np.reshape(ours, effects.shape))}


@asks(W + "power.TTestPower.solve_power")
def _solved(theirs, test, effect_size=None, nobs=None, alpha=None, power=None,
            alternative="two-sided"):  # fmt: skip
    return _of_power(theirs, effect_size, nobs, alpha, power, alternative, "paired")


@asks(W + "power.TTestIndPower.solve_power")
def _solved_two(theirs, test, effect_size=None, nobs1=None, alpha=None, power=None, ratio=1.0,
                alternative="two-sided"):  # fmt: skip
    plain("a ratio of sizes as the answer", ratio is not None)
    return _of_power(theirs, effect_size, nobs1, alpha, power, alternative, "two-sample", ratio)


@asks(W + "multicomp.pairwise_tukeyhsd")
def _tukey(theirs, endog, groups, alpha=0.05, use_var="equal"):
    values, names = np.asarray(endog, float), np.asarray(groups)
    parts = [values[names == name] for name in np.unique(names)]
    test = stats.tukey_hsd if use_var == "equal" else stats.games_howell
    ours = test(parts, confidence=1 - alpha)
    return {
        "difference": (-theirs.meandiffs, ours.estimate),
        "p": (theirs.pvalues, ours.adjusted_pvalue),
        "low": (-theirs.confint[:, 1], ours.ci_low),
        "high": (-theirs.confint[:, 0], ours.ci_high),
    }


@asks(W + "multivariate.test_mvmean")
def _criteria(theirs, data, mean_null=0, return_results=True):
    data = np.asarray(data)
    null = np.broadcast_to(np.asarray(mean_null, float), data.shape)
    ours = stats.hotelling_paired_test(data, null)
    return {"T2": (theirs.t2, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(W + "multivariate.test_mvmean_2indep")
def _criteria_of_two(theirs, data1, data2):
    ours = stats.hotelling_two_sample_test(data1, data2)
    return {"T2": (theirs.t2, ours.statistic), "p": (theirs.pvalue, ours.pvalue)}


@asks(W + "meta_analysis.combine_effects")
def _combined(theirs, effect, variance, method_re="iterated", row_names=None, use_t=False,
              alpha=0.05, **more):  # fmt: skip
    plain("DerSimonian and Laird's variance", method_re in ("iterated", "pm"))
    ours = stats.random_effects(effect, np.sqrt(variance))
    return {"mean": (theirs.mean_effect_re, ours.estimate),
            "error": (theirs.sd_eff_w_re_hksj, ours.standard_error)}  # fmt: skip


@asks(W + "descriptivestats.sign_test")
def _sign(theirs, samp, mu0=0):
    return {"p": (theirs[1], stats.sign_test(np.asarray(samp, float), mu0).pvalue)}


because(W + "proportion.proportion_confint", text="numbers of errors that are no whole numbers: "
        "refused")(refused("whole numbers"))  # fmt: skip
because(
    W + "power", text="a power below the level, or an effect that leads the other way: refused"
)(refused("power: expected"))


def _found(case: Case, power: float, **more: Any) -> float:
    """Return the power at nettrial's answer."""
    o = case.options
    design = "paired" if "TTestPower" in case.name else "two-sample"
    n = int(more.get("n", o.get("nobs") or o.get("nobs1") or 0))
    values = {"effect_size": o.get("effect_size"), "alpha": o.get("alpha"), **more}
    return stats.t_power(
        values["effect_size"], n, alpha=values["alpha"], design=design,
        n_b=round(n * o.get("ratio", 1.0)) if design == "two-sample" else None,
        alternative=ALT[o.get("alternative", "two-sided")],
    ).power  # fmt: skip


@because(W + "power", text="statsmodels' search stops about 1e-6 away; nettrial's answer has the "
         "power that was asked for to 1e-9")  # fmt: skip
def _searched(case: Case) -> bool:
    if case.wrong not in (("alpha",), ("effect_size",)):
        return False
    (key,) = case.wrong
    theirs, ours = case.pairs[key]
    near = abs(theirs - ours) < 1e-3 * abs(ours)
    return near and abs(_found(case, 0, **{key: ours}) - case.options["power"]) < 1e-9


@because(W + "power", text="the power asked for is that of a whole number of cases up to rounding: "
         "one more is needed here to reach it")  # fmt: skip
def _whole(case: Case) -> bool:
    if case.wrong != ("nobs",):
        return False
    theirs, ours = case.pairs["nobs"]
    if _found(case, 0, n=3) < _found(case, 0, n=2):
        return False
    below = _found(case, 0, n=theirs) - case.options["power"]
    return ours == theirs + 1 and -1e-9 < below < 0


@because(W + "power", text="an effect that leads the other way, so that power falls with the number of "
         "cases: the smallest number that has it is 2")  # fmt: skip
def _other_way(case: Case) -> bool:
    return case.wrong == ("nobs",) and case.pairs["nobs"][1] == 2


@because(W + "power", text="statsmodels has no number (NaN) for powers next to 0 or 1")
def _certain(case: Case) -> bool:
    if case.wrong != ("power",):
        return False
    theirs, ours = map(np.asarray, case.pairs["power"])
    known = ~np.isnan(theirs)
    far = (ours > 1 - 1e-9) | (ours < 1e-9)
    return same(theirs[known], ours[known]) and bool(far[~known].all())


@because(W + "proportion", text="the most likely rates of the score test: nettrial's maximize the "
         "likelihood, checked by a search at each case; statsmodels' do not")  # fmt: skip
def _most_likely(case: Case) -> bool:
    if case.outcome != "different" or case.options.get("method") != "score":
        return False
    (x1, n1, x2, n2), ends = case.args, (-1.0, 1.0)
    nulls = case.pairs["low"][1:] + case.pairs["high"][1:] if "low" in case.pairs else (
        case.options["value"],)  # fmt: skip
    for a, b in zip(np.atleast_1d(x1), np.atleast_1d(x2)):
        for null in nulls:
            assert ends[0] < null < ends[1]
            found = stats.two_proportion_score_test(a, n1, b, n2, null=null).statistic
            if not same(round(_searched_z(a, n1, b, n2, null), 6), round(float(found), 6)):
                return False
    return True


def _searched_z(x1: int, n1: int, x2: int, n2: int, null: float) -> float:
    def unlikely(p: float) -> float:
        return -float(x1 * np.log(p + null) + (n1 - x1) * np.log(1 - p - null)
                      + x2 * np.log(p) + (n2 - x2) * np.log(1 - p))  # fmt: skip

    tiny = 1e-12
    ends = (max(tiny, tiny - null), min(1 - tiny, 1 - null - tiny))
    p = minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-13}).x
    error = np.sqrt((p + null) * (1 - p - null) / n1 + p * (1 - p) / n2)
    return float((x1 / n1 - x2 / n2 - null) / error)
