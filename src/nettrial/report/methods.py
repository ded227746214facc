"""A methods paragraph in words, with the numbers and references of one result filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from ..comparison import data_sets_text
from ..comparison.across import AcrossNetworks
from ..comparison.leaderboard import Leaderboard
from ..comparison.multiple_result import MultipleComparison
from ..comparison.multiple_text import learned_words, listed
from ..comparison.sweep import Sweep
from ..comparison.text import level
from ..errors import InputError
from ..metrics.measures import Measure
from ..splits.names import splits_told
from .bibliography import WORKS
from .latex import escape
from .wording import clean

CITED = re.compile(r"\[@(\w+)\]")
Name = Callable[[object], str]
CLUSTERED = (
    "Standard errors let the errors of all nodes of a community depend on each other in any way "
    "[@liang1986] and take communities for independent; they treat the trained models as given."
)


def methods_paragraph(found: Any, *, latex: bool = False) -> str:
    r"""Say what was done, so that a reviewer can check it.

    Parameters
    ----------
    found : MultipleComparison, Sweep, AcrossNetworks or Leaderboard
        What was done.
    latex : bool
        With \cite commands for the keys of `bibtex`, and names escaped.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> import nettrial
    >>> found = nettrial.leaderboard({"dataset": ["a"], "x": ["0.8"], "y": ["0.7"]},
    ...     test_share=0.1)
    >>> methods_paragraph(found)[:58]
    'The table holds 2 models on 1 data sets (a). For each data'
    """
    text = _words(found, escape if latex else clean)
    if latex:
        # the paragraphs themselves hold no other special character than the percent sign
        text = re.sub(r"(?<!\\)%", r"\\%", text)
        return CITED.sub(r"\\cite{\1}", text)
    return CITED.sub(lambda m: f"({WORKS[m[1]].short})", text)


def cited(found: Any) -> list[str]:
    """Give the keys of the works that the methods paragraph of a result cites."""
    return list(dict.fromkeys(CITED.findall(_words(found, clean))))


@singledispatch
def _words(found: Any, _name: Name) -> str:
    raise InputError(f"methods: received a {type(found).__name__}, which has no methods paragraph")


@_words.register
def _models(found: MultipleComparison, name: Name) -> str:
    network, names = found.predictions.network, list(found.scores)
    family = (
        f"all {len(found.pairs.first)} pairs" if found.control is None
        else f"the {len(found.pairs.first)} comparisons with {name(found.control)}"
    )  # fmt: skip
    letters = (
        " Models that share a letter [@piepho2004] are not told apart."
        if found.control is None
        else ""
    )
    several = ""
    if found.multivariate is not None:
        several = (
            f" {listed(found.settings['measures']).replace('_', ' ').capitalize()} together were "
            f"tested on means within communities ({name(found.multivariate.method)})."
        )
    return (
        f"We compared {listed([name(n) for n in names])} on a network of {network.n_nodes} nodes, "
        f"{network.n_links} links and {network.n_classes} classes. {_learned(found, name)} "
        f"The seed was {found.seed}. {_measured(found.measure)}{_communities(found.settings)} "
        f"{_errors(found)} Intervals "
        f"({level(found.confidence)}) and p-values of {family} hold together by the single-step "
        f"max-t procedure [@hothorn2008]{_df(found)}; Holm's adjustment "
        f"[@holm1979] stands beside it.{letters}{several} {_software(found.settings)}"
    )


def _learned(found: MultipleComparison, name: Name, of_each: str = "") -> str:
    learned, number = found.settings.get("learned_on"), len(found.predictions.splits)
    if learned is not None:
        words = learned_words({**learned, "network": name(learned["network"])})
        return f"All models learned from {words}, drawn {number} times."
    labeled = "" if found.labeled is None else f", with {found.labeled:.0%} of the labels known"
    return (
        f"All models ran on the same {name(splits_told(number, found.design))}{of_each}{labeled} "
        "[@neville2009]."
    )


def _errors(found: MultipleComparison) -> str:
    if found.test != "bootstrap":
        return CLUSTERED
    return (
        f"All models were run again on {found.settings['n_replicates']} networks drawn from the "
        "communities of this one, with links between communities drawn afresh at the rates of "
        "their classes (a block bootstrap over communities [@kunsch1989]), and each two of them on "
        "as many more, drawn by exponential tilting [@efron1981] such that the two are equal. The "
        "first give the correlation of the differences, both together their standard errors."
    )


def _df(found: MultipleComparison) -> str:
    assert found.pairs.df is not None  # noqa: S101 - both tests have them
    known = found.pairs.df[np.isfinite(found.pairs.df)]
    if known.size == 0:  # no pair varies
        return ""
    low, high = f"{known.min():.1f}", f"{known.max():.1f}"
    return f", with {low if low == high else f'{low} to {high}'} degrees of freedom"


@_words.register
def _sweep(found: Sweep, name: Name) -> str:
    rates = listed([f"{rate:.0%}" for rate in found.labeled])
    folds = found.settings.get("folds")
    return (
        f"We compared {listed([name(model) for model in found.models])} on a network of "
        f"{found.network.n_nodes} nodes, {found.network.n_links} links and "
        f"{found.network.n_classes} classes with {rates} of the labels known, on "
        f"{name(splits_told(found.n_splits, found.design))} at each proportion [@neville2009]"
        f"{'; ' + folds if folds else ''}; the seed was {found.seed}. "
        f"{_measured(found.measure)}{_communities(found.settings)} {CLUSTERED} "
        f"The {len(found.pairs.first)} differences of "
        "all pairs at all proportions are one family, adjusted by the single-step max-t procedure "
        "[@hothorn2008]; models that share a letter at a proportion [@piepho2004] are not told "
        f"apart. Intervals of single curves ({level(found.confidence)}) are given for "
        "other networks like this one, and beside them those for other splits of this network, "
        f"which take splits for independent. {_software(found.settings)}"
    )


@_words.register
def _across(found: AcrossNetworks, name: Name) -> str:
    over = found.over
    first = next(iter(found.networks.values()))
    tests = "Wilcoxon's signed-rank and the sign test [@demsar2006]"
    if len(over.models) > 2:
        tests = (
            "Friedman's test with Nemenyi's comparisons of mean ranks, Wilcoxon's signed-rank and "
            "the sign test of each pair [@demsar2006], adjusted by Holm's method [@holm1979]"
        )
    return (
        f"We compared {listed([name(model) for model in over.models])} on {len(over.data_sets)} "
        f"networks ({listed([name(n) for n in over.data_sets])}). "
        f"{_learned(first, name, ' of each network')} The seed was {found.seed}. "
        f"{_measured(over.measure)}Networks are the observations: {tests}, and the Bayesian "
        "signed-rank test [@benavoli2017], for which models are equal that differ by "
        f"{data_sets_text.rope_told(over)} or less. The random-effects mean of each difference "
        "weighs networks by their standard errors, which are clustered by community [@liang1986], "
        "with the adjustment of Hartung and Knapp [@hartung2001]. "
        f"{_software(first.settings)}"
    )


@_words.register
def _leaderboard(found: Leaderboard, name: Name) -> str:
    models = {entry.model for entry in found.entries}
    data_sets = listed([name(claim.data_set) for claim in found.claims])
    pairing = (
        "from differences split by split" if found.paired
        else "with the scores of two models on a split taken as uncorrelated"
    )  # fmt: skip
    return (
        f"The table holds {len(models)} models on {len(found.claims)} data sets ({data_sets}). "
        "For each data set the best model was compared with every other one by a t-test whose "
        "variance allows for a "
        f"correlation of {found.correlation:.2g} between the scores of two splits [@nadeau2003], "
        f"{pairing}; the largest two-sided p-value supports the claim that it is the best "
        "[@hung2019], adjusted for the number of data sets. We also give the p-value for "
        "independent splits and the largest correlation at which the claim stands. Ranks over data "
        "sets are compared as by Friedman and Nemenyi [@demsar2006]."
    )


def _measured(measure: Measure) -> str:
    """Say what was compared, where it was not the error rate."""
    if measure.name == "error":
        return ""
    how = "" if measure.name.endswith("loss") else ", which enters by its influence values"
    return f"The measure is the {measure.title} ({measure.better} is better){how}. "


def _communities(settings: Mapping[str, Any]) -> str:
    how = "found by the Louvain method [@blondel2008]"
    if settings["communities"] != "louvain":
        how = "given"
    return f"The network has {settings['n_communities']} communities, {how}."


def _software(settings: Mapping[str, Any]) -> str:
    versions = settings["versions"]
    return f"Computed with nettrial {versions['nettrial']} (Python {versions['python']})."
