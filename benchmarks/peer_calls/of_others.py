"""MLstatkit by its tests; libraries whose packages hold no tests by tables of drawn numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy

from nettrial import stats
from nettrial.metrics.measures import link_measure_named

from .cases import Case, Pairs, asks, because, by_ours, plain, same

DRAWN = 40  # tables for each function


@asks("MLstatkit.Delong_test")
def _delong(theirs, true, prob_a, prob_b, return_ci=True, return_auc=True, **options):
    plain("intervals and areas by resampling", not np.isscalar(theirs))
    found = list(theirs)
    ours = stats.delong_test(np.asarray(true), np.asarray(prob_a), np.asarray(prob_b))
    # z is B minus A there
    return {"z": (-found[0], ours.statistic), "p": (found[1], ours.pvalue)}


H = "scikit_posthocs."


def _upper(theirs: Any) -> Any:
    table = np.asarray(theirs, float)
    return table[np.triu_indices(len(table), 1)]


def _of_table(test: Callable[..., Any], **fixed: Any) -> Callable[..., Pairs]:
    def ask(theirs, a, p_adjust=None, **options):
        more = {} if "adjustment" not in fixed else {"adjustment": p_adjust or "none"}
        found = test(np.asarray(a, float), **more)
        return {"p": (_upper(theirs), found.adjusted_pvalue)}

    return ask


asks(H + "posthoc_nemenyi_friedman")(_of_table(stats.nemenyi_test))
asks(H + "posthoc_conover_friedman")(_of_table(stats.conover_test, adjustment=None))
asks(H + "posthoc_siegel_friedman")(_of_table(stats.siegel_test, adjustment=None))


@asks(H + "posthoc_quade")
def _quade(theirs, a, dist="t", p_adjust=None):
    found = stats.quade_comparisons(np.asarray(a, float), adjustment=p_adjust or "none")
    return {"p": (_upper(theirs), found.adjusted_pvalue)}


@asks(H + "posthoc_dunn")
def _dunn(theirs, a, p_adjust=None):
    found = stats.dunn_test([np.asarray(x, float) for x in a], adjustment=p_adjust or "none")
    return {"p": (_upper(theirs), found.adjusted_pvalue)}


@asks(H + "posthoc_tukey_hsd")
def _tukey(theirs, a):
    found = stats.tukey_hsd([np.asarray(x, float) for x in a])
    return {"p": (_upper(theirs), found.adjusted_pvalue)}


M = "mlxtend.evaluate."


@asks(M + "mcnemar")
def _mcnemar(theirs, ary, corrected=True, exact=False):
    how = "exact" if exact else "edwards" if corrected else "uncorrected"
    return {"p": (theirs[1], stats.mcnemar_test(ary, method=how).pvalue)}


@asks(M + "cochrans_q")
def _cochran(theirs, y_target, *predictions):
    wrong = np.column_stack([np.asarray(p) != y_target for p in predictions]).astype(int)
    ours = stats.cochran_q_test(wrong)
    return {"Q": (theirs[0], ours.statistic), "p": (theirs[1], ours.pvalue)}


@asks(M + "ftest")
def _f(theirs, y_target, *predictions):
    wrong = np.column_stack([np.asarray(p) != y_target for p in predictions]).astype(float)
    ours = stats.repeated_measures_anova(wrong, correction="none")
    return {"F": (theirs[0], ours.statistic), "p": (theirs[1], ours.pvalue)}


@asks(M + "permutation_test")
def _permutation(theirs, x, y, func="x_mean != y_mean", method="exact", paired=False):
    if paired:
        ours = stats.permutation_test(x, y, n_resamples=99_999)
    else:
        ours = stats.two_sample_permutation_test(x, y, n_resamples=99_999)
    return {"p": (theirs, ours.pvalue)}


@because(M + "ftest", text="F is equal; for p mlxtend takes (k - 1) n degrees of freedom below, here they "
         "are (k - 1) (n - 1), as in Looney's paper")  # fmt: skip
def _other_degrees(case: Case) -> bool:
    if case.wrong != ("p",):
        return False
    (f, _), above, n = case.pairs["F"], len(case.args) - 2, len(case.args[0])
    return same(case.pairs["p"][0], scipy.stats.f.sf(f, above, above * n))


@because(H + "posthoc_quade", text="rows whose ranges are equal as decimals: tied here, apart by the "
         "rounding of doubles there (the same numbers as whole ones give our p there too)")  # fmt: skip
def _as_whole_numbers(case: Case) -> bool:
    import scikit_posthocs as posthocs

    whole = np.rint(case.args[0] * 1e6)
    adjust = {"BH": "fdr_bh"}.get(case.options["p_adjust"], case.options["p_adjust"])
    return same(_upper(posthocs.posthoc_quade(whole, p_adjust=adjust)), case.pairs["p"][1])


def _hits(theirs, y_pred_pos, y_pred_neg, k):
    scores = np.r_[y_pred_pos, y_pred_neg]
    link = np.r_[np.ones(len(y_pred_pos)), np.zeros(len(y_pred_neg))].astype(int)
    measure = link_measure_named(f"hits@{k}")
    psi = measure.contributions(link, np.c_[-scores, scores], np.empty(0), np.empty(0))
    return {"hits": (theirs, float(psi.mean()))}


asks("ogb.linkproppred.Evaluator (hits@K)")(_hits)


def _reciprocal(theirs, positive, negative):
    """Each link with pairs of its own: they share its first node, which no other link has."""
    n, m = negative.shape
    nodes = np.arange(n) * (m + 2)
    links = np.c_[nodes, nodes + 1]
    others = np.c_[np.repeat(nodes, m), np.concatenate([i + 2 + np.arange(m) for i in nodes])]
    scores = np.r_[positive, negative.ravel()]
    labels = np.r_[np.ones(n), np.zeros(n * m)].astype(int)
    psi = link_measure_named("mrr").contributions(
        labels, np.c_[-scores, scores], np.empty(0), np.r_[links, others]
    )
    return {"mrr": (np.float32(theirs), float(psi.mean()))}


asks("ogb.linkproppred.Evaluator (MRR)", "torch_geometric.metrics.LinkPredMRR")(_reciprocal)


Drawn = Iterator[tuple[str, tuple[Any, ...], dict[str, Any], Any]]


def drawn(seed: int = 2024) -> Drawn:
    """Ask functions of packages without tests about drawn numbers, ties among them."""
    random = np.random.default_rng(seed)
    for turn in range(DRAWN):
        digits = (1, 2, 6)[turn % 3]
        yield from _posthocs(random, digits, turn)
        yield from _mlxtend(random, digits, turn)
        yield from _links(random, digits)


def _posthocs(random: np.random.Generator, digits: int, turn: int) -> Drawn:
    import scikit_posthocs as posthocs

    k, n = int(random.integers(3, 6)), int(random.integers(5, 15))
    table = (random.normal(size=(n, k)) + 0.5 * np.arange(k)).round(digits)
    adjust = (None, "holm", "bonferroni", "fdr_bh")[turn % 4]
    ours = {"fdr_bh": "BH"}.get(adjust, adjust)
    for name in ("conover_friedman", "siegel_friedman", "quade"):
        found = getattr(posthocs, f"posthoc_{name}")(table, p_adjust=adjust)
        yield f"{H}posthoc_{name}", (table,), {"p_adjust": ours}, found
    yield (f"{H}posthoc_nemenyi_friedman", (table,), {},
           posthocs.posthoc_nemenyi_friedman(table))  # fmt: skip
    groups = [table[: n - i % 2, i].tolist() for i in range(k)]
    found = posthocs.posthoc_dunn(groups, p_adjust=adjust)
    yield f"{H}posthoc_dunn", (groups,), {"p_adjust": ours}, found
    yield f"{H}posthoc_tukey_hsd", (groups,), {}, posthocs.posthoc_tukey_hsd(groups)


def _mlxtend(random: np.random.Generator, digits: int, turn: int) -> Drawn:
    from mlxtend import evaluate

    counts = random.integers(1, 30, (2, 2))
    for options in ({"exact": True}, {"corrected": True}, {"corrected": False}):
        yield f"{M}mcnemar", (counts,), options, evaluate.mcnemar(counts, **options)
    truth = random.integers(0, 2, 60)
    predictions = tuple(np.where(random.random(60) < 0.7, truth, 1 - truth) for _ in range(3))
    for name in ("cochrans_q", "ftest"):
        found = getattr(evaluate, name)(truth, *predictions)
        yield M + name, (truth, *predictions), {}, found
    a, b = random.normal(size=(2, 7)).round(digits)
    for paired in (False, True):
        options = {"method": "exact", "paired": paired}
        found = evaluate.permutation_test(a, b, **options)
        yield f"{M}permutation_test", (a, b), options, found


def _links(random: np.random.Generator, digits: int) -> Drawn:
    import torch
    from ogb.linkproppred import Evaluator
    from torch_geometric.metrics import LinkPredMRR

    positive = (random.normal(size=40) + 1).round(digits + 1)
    negative = random.normal(size=120).round(digits + 1)
    judge = Evaluator(name="ogbl-ddi")
    for k in (5, 20):
        judge.K = k
        found = judge.eval({"y_pred_pos": positive, "y_pred_neg": negative})[f"hits@{k}"]
        yield "ogb.linkproppred.Evaluator (hits@K)", (positive, negative, k), {}, found
    own = random.normal(size=(40, 15)).round(digits + 1)
    ranks = Evaluator(name="ogbl-citation2").eval(
        {"y_pred_pos": torch.tensor(positive), "y_pred_neg": torch.tensor(own)}
    )
    yield ("ogb.linkproppred.Evaluator (MRR)", (positive, own), {},
           float(ranks["mrr_list"].mean()))  # fmt: skip
    order = np.argsort(-np.c_[positive, own], axis=1, kind="stable")
    metric = LinkPredMRR(k=16)
    one = torch.arange(40)
    metric.update(torch.tensor(order), torch.stack([one, torch.zeros(40, dtype=torch.long)]))
    yield "torch_geometric.metrics.LinkPredMRR", (positive, own), {}, float(metric.compute())


def _ties_between(case: Case) -> bool:
    links, others = np.ravel(case.args[0]), np.ravel(case.args[1])
    return case.outcome == "different" and bool(np.isin(links, others).any())


because(
    "MLstatkit.", text="equal areas and no variance of their difference: no p here, p = 0 there"
)(by_ours(np.isnan))
because("ogb.", text="a link tied with the K-th pair without link counts by the share of orders in "
        "which it is ahead here, never there")(_ties_between)  # fmt: skip
because("torch_geometric.", text="a link tied with pairs without link has the rank of its place in the "
        "list there, the middle of its ranks here")(_ties_between)  # fmt: skip
