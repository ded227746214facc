"""Tables for papers in LaTeX (booktabs); every name is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, singledispatch
from typing import Any

from ..comparison.across import AcrossNetworks
from ..comparison.leaderboard import Leaderboard
from ..comparison.multiple_result import MultipleComparison
from ..comparison.multiple_text import bare
from ..comparison.sweep import Sweep
from ..comparison.text import best_marked, told
from ..errors import InputError
from ..metrics.measures import MEASURES, Measure
from .wording import clean

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}",
    "-": "{-}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
}  # fmt: skip


def escape(text: object) -> str:
    r"""Write a name so that LaTeX prints it and does nothing else.

    What is not ASCII and so may be unknown to the reader's LaTeX is written as its code point.

    Examples
    --------
    >>> print(escape(r"50% of \input{x}"), escape("a_b"), escape("日"))
    50\% of \textbackslash{}input\{x\} a\_b U+65E5
    """
    return "".join(
        SPECIAL.get(c, c) if c.isascii() else (c if c in KNOWN else f"U+{ord(c):04X}")
        for c in clean(text)
    )


# Latin letters that every LaTeX in UTF-8 knows
KNOWN = frozenset("äöüÄÖÜßáàâãåæçéèêëíìîïñóòôõøúùûýÿÁÀÂÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÕØÚÙÛÝ")


@singledispatch
def latex_table(found: Any) -> str:
    r"""Give the table of a result in LaTeX, for a document that loads booktabs.

    Parameters
    ----------
    found : MultipleComparison, Sweep, AcrossNetworks or Leaderboard
        What to show.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> import nettrial
    >>> found = nettrial.leaderboard({"dataset": ["a_b"], "x": ["0.8"], "y": ["0.7"]},
    ...     test_share=0.1)
    >>> print(latex_table(found).splitlines()[3])
    a\_b & x & y & $10.0$ & -- & -- & -- & cannot be judged \\
    """
    raise InputError(f"latex_table: received a {type(found).__name__}, which has no LaTeX table")


@latex_table.register
def _models(found: MultipleComparison) -> str:
    number = partial(_number, measure=found.measure)
    interval = partial(_interval, measure=found.measure)
    head = ["Model", _head(found.measure), rf"{found.confidence * 100:g}\% interval", "Group"]
    rows = [
        [escape(name), number(error), interval(*found.score_intervals[name]),
         found.letters.get(name, "")]
        for name, error in found.scores.items()
    ]  # fmt: skip
    pairs = found.pairs
    second = ["Pair", "Difference", "Joint interval", "$p$", r"$p$ max-$t$", "$p$ Holm"]
    differences = [
        [f"{escape(a)} -- {escape(b)}", number(d), interval(low, high), _p(p), _p(q), _p(h)]
        for a, b, d, low, high, p, q, h in zip(
            pairs.first, pairs.second, pairs.estimate, pairs.ci_low, pairs.ci_high, pairs.pvalue,
            pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
        )
    ]  # fmt: skip
    return (
        booktabs(head, rows, "lrcl")
        + "\n\\par\\medskip\n"
        + booktabs(second, differences, "lrcrrr")
    )


@latex_table.register
def _sweep(found: Sweep) -> str:
    number = partial(_number, measure=found.measure)
    interval = partial(_interval, measure=found.measure)
    head = ["Labelled", "Model", _head(found.measure), "Other networks", "Other splits", "Group"]
    rows = []
    for i, rate in enumerate(found.labeled):
        marks = best_marked(found.measure, found.scores[i].tolist())
        for j, model in enumerate(found.models):
            error = number(found.scores[i, j])
            rows.append([
                rf"{rate * 100:g}\%" if j == 0 else "", escape(model),
                rf"{{\boldmath{error}}}" if marks[j] else error,
                interval(found.networks_low[i, j], found.networks_high[i, j]),
                interval(found.splits_low[i, j], found.splits_high[i, j]),
                found.letters[i][model],
            ])  # fmt: skip
    return booktabs(head, rows, "llrccl", groups=len(found.models))


@latex_table.register
def _across(found: AcrossNetworks) -> str:
    over = found.over
    number, interval = (partial(make, measure=over.measure) for make in (_number, _interval))
    rows = [
        [escape(name), *map(number, values)] for name, values in zip(over.data_sets, over.scores)
    ]
    ranks = over.mean_ranks
    rows.append(["Mean rank", *(f"${ranks[model]:.2f}$" for model in over.models)])
    errors = booktabs(["Network", *map(escape, over.models)], rows, "l" + "r" * len(over.models))
    head = ["Pair", "Difference", "Wins--ties--losses", r"$p$ Wilcoxon", "Holm", "Hierarchical"]
    pairs = [
        [f"{escape(pair.first)} -- {escape(pair.second)}", number(pair.mean_difference),
         f"{pair.wins}--{pair.ties}--{pair.losses}", _p(float(pair.wilcoxon.pvalue)),
         _p(pair.wilcoxon_holm),
         "--" if pair.hierarchical is None else
         f"{number(float(pair.hierarchical.estimate))} "
         f"{interval(float(pair.hierarchical.ci_low), float(pair.hierarchical.ci_high))}"]
        for pair in over.pairs
    ]  # fmt: skip
    return errors + "\n\\par\\medskip\n" + booktabs(head, pairs, "lrcrrr")


@latex_table.register
def _leaderboard(found: Leaderboard) -> str:
    head = ["Data set", "Best", "Hardest rival", "Lead", "$p$ indep.",
            f"$p$ ($\\rho={found.correlation:.2g}$)", r"Stands to $\rho$", "Reading"]  # fmt: skip
    rows = [
        [escape(claim.data_set), escape(claim.best), escape(claim.rival), _number(claim.lead),
         _p(claim.pvalue_independent), _p(claim.pvalue),
         "--" if math.isnan(claim.break_even) else f"${claim.break_even:.3f}$", claim.reading]
        for claim in found.claims
    ]  # fmt: skip
    return booktabs(head, rows, "lllrrrrl")


def booktabs(
    head: Sequence[str], rows: Sequence[Sequence[str]], columns: str, *, groups: int = 0
) -> str:
    r"""Lay out rows that are escaped already; a little space after every `groups` rows.

    Examples
    --------
    >>> print(booktabs(["a", "b"], [["1", "2"]], "lr"))
    \begin{tabular}{@{}lr@{}}
    \toprule a & b \\
    \midrule
    1 & 2 \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", rf"\toprule {' & '.join(head)} \\",
             r"\midrule"]  # fmt: skip
    for number, row in enumerate(rows):
        if groups and number and number % groups == 0:
            lines.append(r"\addlinespace")
        lines.append(" & ".join(row) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _head(measure: Measure) -> str:
    """Head a column, with the percent sign for shares."""
    percent = r" (\%)" if measure.shares else ""
    return measure.words[:1].upper() + measure.words[1:] + percent


def _number(value: float, measure: Measure = MEASURES["error"]) -> str:
    text = told(measure, float(value))
    return "--" if text == "-" else f"${text.replace('inf', chr(92) + 'infty')}$"


def _interval(low: float, high: float, measure: Measure = MEASURES["error"]) -> str:
    ends = [_number(low, measure), _number(high, measure)]
    return "--" if "--" in ends else f"[{ends[0]}, {ends[1]}]"


def _p(value: float) -> str:
    text = bare(float(value))
    return "--" if text == "-" else f"${text}$"
