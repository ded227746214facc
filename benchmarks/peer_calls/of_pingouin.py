"""pingouin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nettrial import stats

from .cases import Case, Other, Pairs, asks, because, plain, same

P = "pingouin."
Frame = pd.DataFrame


def _cell(table: Frame, *names: str) -> Any:
    """Return the first row's entry, by any of the names that versions use."""
    return next(table[name].iloc[0] for name in names if name in table.columns)


def _p(table: Frame) -> Any:
    return _cell(table, "p-val", "p_val", "pval", "p-unc", "p_unc")


def _column(table: Frame, *names: str) -> Any:
    return next(table[name].to_numpy() for name in names if name in table.columns)


def _complete(x: Any, y: Any = None) -> tuple[Any, Any]:
    """Leave out missing values, as pingouin does: pairs whole."""
    x = np.asarray(x, float)
    if y is None:
        return x[~np.isnan(x)], None
    y = np.asarray(y, float)
    if x.shape == y.shape and x.ndim:
        keep = ~(np.isnan(x) | np.isnan(y))
        return x[keep], y[keep]
    return x[~np.isnan(x)], y[~np.isnan(y)] if y.ndim else y


@asks(P + "ttest")
def _t(theirs, x, y, paired=False, alternative="two-sided", correction="auto", r=0.707,
       confidence=0.95):  # fmt: skip
    x, y = np.asarray(x, float), np.asarray(y, float)
    options = {"alternative": alternative, "confidence": confidence}
    if y.ndim == 0 or y.size == 1:
        ours = stats.one_sample_t_test(x[~np.isnan(x)], null_value=float(y), **options)
    elif paired and x.size == y.size:
        x, y = _complete(x, y)
        ours = stats.paired_t_test(x, y, **options)
    else:
        x, y = x[~np.isnan(x)], y[~np.isnan(y)]
        welch = x.size != y.size if correction == "auto" else correction
        ours = (stats.welch_t_test if welch else stats.pooled_t_test)(x, y, **options)
    return {"t": (_cell(theirs, "T"), ours.statistic), "p": (_p(theirs), ours.pvalue),
             "df": (_cell(theirs, "dof"), ours.df)}  # fmt: skip


@asks(P + "wilcoxon")
def _wilcoxon(theirs, x, y=None, alternative="two-sided", **options):
    plain("options that go to SciPy", not set(options) - {"method", "correction", "zero_method"})
    x, y = _complete(x, y)
    d = x if y is None else x - y
    plain("differences with zeros", options.get("zero_method", "wilcox") == "wilcox")
    how = options.get("method", "auto")
    if how == "asymptotic" or how == "approx":
        how = "normal-corrected" if options.get("correction", True) else "normal"
    elif how == "auto":
        unique = np.unique(np.abs(d)).size == d.size and (d != 0).all() and d.size <= 50
        exact = unique or d.size <= 13
        how = "exact" if exact else "normal-corrected"
    ours = stats.wilcoxon_test(d, method=how, alternative=alternative)
    plus, minus = ours.details["w_plus"], ours.details["w_minus"]
    w = min(plus, minus) if alternative == "two-sided" else plus
    return {"W": (_cell(theirs, "W-val", "W_val", "W"), w), "p": (_p(theirs), ours.pvalue),
            "RBC": (_cell(theirs, "RBC"), ours.estimate)}  # fmt: skip


@asks(P + "mwu")
def _mann_whitney(theirs, x, y, alternative="two-sided", **options):
    plain("options that go to SciPy", not options)
    x, y = (v[~np.isnan(v)] for v in (np.asarray(x, float), np.asarray(y, float)))
    tied = np.unique(np.r_[x, y]).size < x.size + y.size
    how = "exact" if min(x.size, y.size) <= 8 and not tied else "normal-corrected"
    ours = stats.mann_whitney_test(x, y, alternative=alternative, method=how)
    return {"U": (_cell(theirs, "U-val", "U_val", "U"), ours.statistic), "p": (_p(theirs), ours.pvalue),
            "RBC": (_cell(theirs, "RBC"), ours.estimate)}  # fmt: skip


def _groups(data: Frame, dv: str, between: str) -> list[Any]:
    kept = data[[dv, between]].dropna()
    return [part[dv].to_numpy(float) for _, part in kept.groupby(between, observed=True)]


@asks(P + "kruskal")
def _kruskal(theirs, data=None, dv=None, between=None, detailed=False):
    ours = stats.kruskal_wallis_test(_groups(data, dv, between))
    return {"H": (_cell(theirs, "H"), ours.statistic), "p": (_p(theirs), ours.pvalue)}


@asks(P + "anova", P + "welch_anova")
def _anova(theirs, data=None, dv=None, between=None, ss_type=2, detailed=False, effsize="np2"):
    factors = [between] if isinstance(between, str) else list(between)
    plain("several factors between groups", len(factors) == 1)
    welch = "SS" not in theirs.columns and "ddof1" in theirs and not float(
        _cell(theirs, "ddof2")).is_integer()  # fmt: skip
    ours = stats.oneway_anova(_groups(data, dv, factors[0]), method="welch" if welch else "fisher")
    found = {"F": (_cell(theirs, "F"), ours.statistic), "p": (_p(theirs), ours.pvalue)}
    if not welch:
        found["eta"] = (_cell(theirs, "np2", "n2"), ours.effect_size)
    return found


def _wide(data: Frame | None, dv: Any, within: Any, subject: Any) -> Frame:
    if dv is None or within is None:
        return data.dropna()
    within = within if isinstance(within, str) else list(within)
    if not isinstance(within, str):
        plain("several factors within a subject", len(within) == 1)
        within = within[0]
    cells = data.groupby([subject, within], observed=True)[dv].mean()
    return cells.unstack(within).dropna()


@asks(P + "rm_anova")
def _repeated(theirs, data=None, dv=None, within=None, subject=None, correction="auto",
              detailed=False, effsize="ng2"):  # fmt: skip
    table = _wide(data, dv, within, subject)
    ours = stats.repeated_measures_anova(table.to_numpy(float), correction="none")
    found = {"F": (_cell(theirs, "F"), ours.statistic), "p": (_p(theirs), ours.pvalue)}
    if "eps" in theirs and table.shape[1] > 2:
        found["epsilon"] = (_cell(theirs, "eps"), ours.details["greenhouse_geisser_epsilon"])
    if "p-GG-corr" in theirs or "p_GG_corr" in theirs:
        own = stats.repeated_measures_anova(table.to_numpy(float))
        found["corrected p"] = (_cell(theirs, "p-GG-corr", "p_GG_corr"), own.pvalue)
    return found


@asks(P + "epsilon")
def _epsilon(theirs, data, dv=None, within=None, subject=None, correction="gg"):
    plain("the lower bound of epsilon", correction != "lb")
    plain("several factors within a subject", isinstance(within, (str, type(None)))
          or len(within) == 1)  # fmt: skip
    plain("columns of two levels", not isinstance(data.columns, pd.MultiIndex))
    table = _wide(data, dv, within, subject)
    ours = stats.repeated_measures_anova(table.to_numpy(float))
    word = "greenhouse_geisser" if correction == "gg" else "huynh_feldt"
    return {"epsilon": (theirs, ours.details[f"{word}_epsilon"])}


@asks(P + "friedman")
def _friedman(theirs, data=None, dv=None, within=None, subject=None, method="chisq"):
    table = _wide(data, dv, within, subject).to_numpy(float)
    if method == "f":
        raise Other("F of Friedman's ranks with degrees of freedom of its own")
    ours = stats.friedman_test(table)
    return {"Q": (_cell(theirs, "Q"), ours.statistic), "p": (_p(theirs), ours.pvalue),
            "W": (_cell(theirs, "W"), ours.effect_size)}  # fmt: skip


@asks(P + "cochran")
def _cochran(theirs, data=None, dv=None, within=None, subject=None):
    ours = stats.cochran_q_test(_wide(data, dv, within, subject).to_numpy(int))
    return {"Q": (_cell(theirs, "Q"), ours.statistic), "p": (_p(theirs), ours.pvalue)}


@asks(P + "pairwise_tukey", P + "pairwise_gameshowell")
def _pairs(theirs, data=None, dv=None, between=None, effsize="hedges"):
    plain("several factors between groups", isinstance(between, str) or len(between) == 1)
    between = between if isinstance(between, str) else between[0]
    test = stats.games_howell if "df" in theirs.columns else stats.tukey_hsd
    ours = test(_groups(data, dv, between))
    return {"difference": (_column(theirs, "diff"), ours.estimate),
            "p": (_column(theirs, "p-tukey", "p_tukey", "pval", "p_val", "p-val"),
                  ours.adjusted_pvalue),
            "error": (_column(theirs, "se"), ours.standard_error)}  # fmt: skip


ADJUSTMENTS = {"bonf": "bonferroni", "b": "bonferroni", "bonferroni": "bonferroni", "holm": "holm",
               "h": "holm", "sidak": "sidak", "s": "sidak", "fdr_bh": "BH", "fdr": "BH",
               "fdr_by": "BY", "none": "none"}  # fmt: skip


@asks(P + "multicomp")
def _adjusted(theirs, pvals, alpha=0.05, method="holm"):
    plain(f"adjustment {method!r}", method in ADJUSTMENTS)
    p = np.asarray(pvals, float)
    adjusted = stats.adjust(p.ravel(), method=ADJUSTMENTS[method])
    return {"p": (np.ravel(theirs[1]), adjusted)}


@asks(P + "compute_effsize")
def _size(theirs, x, y, paired=False, eftype="cohen"):
    x, y = np.asarray(x, float), np.asarray(y, float)
    plain("one sample against a value", y.ndim > 0 and y.size > 1)
    plain("missing values", not (np.isnan(x).any() or np.isnan(y).any()))
    if eftype in ("cohen", "hedges"):
        plain("d of pairs by the mean of both variances", not paired)
        ours = (stats.cohens_d if eftype == "cohen" else stats.hedges_g)(x, y).estimate
    elif eftype == "odds-ratio" or eftype == "AUC" or eftype == "r":
        raise Other("d turned into another measure")
    elif eftype == "CLES" or eftype == "cles":
        plain("the common language effect of pairs", not paired)
        ours = (1 + stats.cliffs_delta(x, y).estimate) / 2
    else:
        raise Other(f"effect size {eftype!r}")
    return {"d": (theirs, ours)}


@asks(P + "tost")
def _equivalent(theirs, x, y, bound=1, paired=False, correction=False):
    x, y = np.asarray(x, float), np.asarray(y, float)
    if y.ndim == 0 or y.size == 1:
        tested = stats.one_sample_t_test(x, null_value=float(y))
        margin = (float(y) - bound, float(y) + bound)
        low = stats.one_sample_t_test(x, null_value=margin[0], alternative="greater").pvalue
        high = stats.one_sample_t_test(x, null_value=margin[1], alternative="less").pvalue
        return {"p": (_p(theirs), max(low, high)), "df": (_cell(theirs, "dof"), tested.df)}
    if paired:
        tested = stats.paired_t_test(x, y)
    else:
        welch = x.size != y.size if correction == "auto" else correction
        tested = (stats.welch_t_test if welch else stats.pooled_t_test)(x, y)
    return {"p": (_p(theirs), stats.equivalence_test(tested, margin=bound).pvalue)}


def _solve(theirs: Any, d: Any, n: Any, n_b: Any, power: Any, alpha: Any, options: Any) -> Pairs:
    if power is None:
        plain("several effects or sizes a call", np.ndim(d) == np.ndim(n) == 0)
        return {"power": (theirs, stats.t_power(d, int(n), n_b=n_b, alpha=alpha, **options).power)}
    if alpha is None:
        found = stats.t_alpha(d, int(n), n_b=n_b, power=power, **options).alpha
        return {"alpha": (theirs, found)}
    if n is None:
        found = stats.t_sample_size(d, power=power, alpha=alpha, **options).n
        return {"n": (np.ceil(theirs), found)}
    found = stats.t_effect_size(int(n), n_b=n_b, power=power, alpha=alpha, **options)
    return {"d": (theirs, found.details["effect_size"])}


@asks(P + "power_ttest")
def _power(theirs, d=None, n=None, power=None, alpha=0.05, contrast="two-samples",
           alternative="two-sided"):  # fmt: skip
    design = {"one-sample": "one-sample", "paired": "paired", "two-samples": "two-sample"}[contrast]
    options = {"design": design, "alternative": alternative}
    plain("no number there (NaN)", not np.isnan(theirs).any())
    return _solve(theirs, d, n, n if design == "two-sample" else None, power, alpha, options)


@asks(P + "power_ttest2n")
def _power_two(theirs, nx, ny, d=None, power=None, alpha=0.05, alternative="two-sided"):
    options = {"design": "two-sample", "alternative": alternative}
    return _solve(theirs, d, nx, ny, power, alpha, options)


@asks(P + "multivariate_ttest")
def _criteria(theirs, X, Y=None, paired=False):
    X = np.asarray(X, float)
    if Y is None or np.ndim(Y) == 1:
        null = np.zeros(X.shape[1]) if Y is None else np.asarray(Y, float)
        ours = stats.hotelling_paired_test(X, np.broadcast_to(null, X.shape))
    else:
        test = stats.hotelling_paired_test if paired else stats.hotelling_two_sample_test
        ours = test(X, np.asarray(Y, float))
    return {"T2": (_cell(theirs, "T2"), ours.statistic), "p": (_p(theirs), ours.pvalue)}


@asks(P + "chi2_mcnemar")
def _mcnemar(theirs, data, x, y, correction=True):
    observed, results = theirs
    table = np.asarray(observed)
    how = "edwards" if correction else "uncorrected"
    exact = _cell(results, "p-exact", "p_exact")
    approximate = _cell(results, "p-approx", "p_approx")
    return {"exact": (exact, stats.mcnemar_test(table).pvalue),
            "approximate": (approximate, stats.mcnemar_test(table, method=how).pvalue)}  # fmt: skip


@because(
    P + "compute_effsize",
    text="Hedges's factor: exact here (gamma functions), 1 - 3 / (4 n - 9) there",
)
def _factor(case: Case) -> bool:
    x, y = (np.asarray(case.options.get(k, v), float) for k, v in zip("xy", [*case.args, 0, 0]))
    if case.outcome != "different" or case.options.get("eftype") != "hedges":
        return False
    approximate = 1 - 3 / (4 * (x.size + y.size) - 9)
    return same(case.pairs["d"][0], stats.cohens_d(x, y).estimate * approximate)


@because(P + "wilcoxon", text="the rank-biserial correlation has the sign of the difference here, "
         "whatever the alternative; it turns with it there")  # fmt: skip
def _turned(case: Case) -> bool:
    theirs, ours = case.pairs.get("RBC", (0, 1))
    return case.wrong == ("RBC",) and same(theirs, -ours)


@because(P + "epsilon", text="Huynh and Feldt's epsilon as it comes here, cut at 1 there; the test cuts "
         "it in both")  # fmt: skip
def _above_one(case: Case) -> bool:
    theirs, ours = case.pairs.get("epsilon", (0, 0))
    return case.outcome == "different" and same(theirs, min(1.0, ours))
