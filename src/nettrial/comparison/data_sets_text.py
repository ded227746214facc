"""Models over data sets in words."""

from __future__ import annotations

from .data_sets import OverDataSets
from .many_text import bare
from .text import points, pvalue_text


def errors_rows(found: OverDataSets) -> list[list[str]]:
    """Lay out the error rates, * marking the fewest, and mean ranks."""
    rows = [["", *found.models]]
    for name, values in zip(found.data_sets, found.errors):
        best = values.min()
        rows.append([name, *(points(v) + (" *" if v == best else "  ") for v in values)])
    ranks = found.mean_ranks
    rows.append(["mean rank", *(f"{ranks[model]:.2f}  " for model in found.models)])
    return rows


def omnibus_lines(found: OverDataSets) -> list[str]:
    """Say what Friedman, Iman and Davenport, and Nemenyi find."""
    limit = found.nemenyi.details["critical_difference"]
    groups = found.nemenyi.details["groups"]
    alike = "; ".join(", ".join(group) for group in groups) or "none"
    chi, f = found.friedman, found.iman_davenport
    return [
        f"Friedman chi-square {chi.statistic:.3f}, {pvalue_text(float(chi.pvalue))}; "
        f"Iman-Davenport F {f.statistic:.3f}, {pvalue_text(float(f.pvalue))}",
        f"Nemenyi: critical difference of mean ranks {limit:.3f}; not told apart: {alike}",
    ]


def pairs_rows(found: OverDataSets) -> list[list[str]]:
    """Lay out every pair."""
    head = ["pair", "mean difference", "wins-ties-losses", "p Wilcoxon", "Holm", "p sign", "Holm",
            "P(first, equal, second better)", "hierarchical"]  # fmt: skip
    rows = []
    for pair in found.pairs:
        bayes, whole = pair.bayes, pair.hierarchical
        rows.append([
            f"{pair.first} - {pair.second}", points(pair.mean_difference),
            f"{pair.wins}-{pair.ties}-{pair.losses}", bare(float(pair.wilcoxon.pvalue)),
            bare(pair.wilcoxon_holm), bare(float(pair.sign.pvalue)), bare(pair.sign_holm),
            "-" if bayes is None else
            f"{bayes.prob_less:.2f}, {bayes.prob_rope:.2f}, {bayes.prob_greater:.2f}",
            "-" if whole is None else
            f"{points(float(whole.estimate))} ({points(float(whole.ci_low))} to "
            f"{points(float(whole.ci_high))})",
        ])  # fmt: skip
    return [head, *rows]
