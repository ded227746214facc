"""What a result claims: which question its test answers, and against how many others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..comparison.grouped_items import OTHER_GROUPS
from ..core.wording import listed, pvalue_text
from ..inference.outcome import OTHER_NETWORKS
from ..inference.registry import PROCEDURES
from ..published.leaderboard import Leaderboard
from ..published.table import Entry
from ..stats.recommendation import recommend
from .problem import Problem

LEVEL = 0.05
NAMED = 4
NUMBERED = re.compile(
    r"(.*?)[ _.,:#/([-]*(split|fold|seed|run|rep(eat)?|sample|part|trial|teilung|lauf)s?"
    r"[ _.:#=-]*\d+(\s*(/|of)\s*\d+)?[ )\]]*",
    re.IGNORECASE,
)
Results = Sequence[Mapping[str, Any]]  # each as `to_dict` gives it


def check_networks(entries: Sequence[Entry]) -> Problem | None:
    """Find data sets of a table that are splits, folds or runs of one."""
    names = list(dict.fromkeys(entry.data_set for entry in entries))
    parts = [name for name in names if NUMBERED.fullmatch(name)]
    stems = {match[1].lower() for name in parts if (match := NUMBERED.fullmatch(name))}
    if len(parts) < 2 or len(stems) == len(parts):
        return None
    models = len({entry.model for entry in entries})
    advised = recommend(
        classifiers=models, test_sets=len(parts), overlapping=True, predictions=False
    )
    text = f"taken for data sets, and of the same one: {listed(parts[:NAMED])}"
    instead = f"`recommend` for {len(parts)} splits of one data set: {advised.test}"
    return Problem(True, float(len(parts)), float(len(names)), "data sets", text, instead=instead)


def check_unadjusted(board: Leaderboard) -> Problem | None:
    """Find best entries that are supported only while no other is looked at."""
    level = 1 - board.confidence
    open_ones = [c for c in board.claims if c.pvalue <= level < c.adjusted_pvalue]
    if not open_ones:
        return None
    names = [f"{claim.best} on {claim.data_set}" for claim in open_ones]
    named = listed(names[:NAMED])
    text = f"significant alone, but not among {len(board.claims)} best entries: {named}"
    instead = (
        f"`leaderboard`: adjusted p-values from {min(c.adjusted_pvalue for c in open_ones):.2g}"
    )
    total = float(len(board.claims))
    return Problem(True, float(len(open_ones)), total, "best entries", text, instead=instead)


def _verdict(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the test of the verdict, empty where a result has several pairs."""
    tests = result.get("tests") or []
    wanted = result.get("recommended")
    return next((t for t in tests if isinstance(t, dict) and t.get("name") == wanted), {})


def _significant(test: Mapping[str, Any]) -> bool:
    pvalue = test.get("pvalue")
    return isinstance(pvalue, (int, float)) and pvalue <= LEVEL


def check_question(results: Results) -> Problem | None:
    """Note verdicts that are about other splits of the network, not about other networks.

    It is a problem where the verdict is significant and the test of the other question is not.
    """
    texts, said, serious = [], "", False
    for result in results:
        name, test = result.get("recommended"), _verdict(result)
        procedure = PROCEDURES.get(str(name))
        question = test.get("question") or (procedure.question if procedure else OTHER_NETWORKS)
        if question in (OTHER_NETWORKS, OTHER_GROUPS):
            continue
        texts.append(f"the verdict by {test.get('method') or name} answers: {question}")
        others = [t for t in result.get("tests") or [] if t.get("question") == OTHER_NETWORKS]
        able = [t for t in others if isinstance(t.get("pvalue"), (int, float))]
        if able:
            least = min(able, key=lambda t: float(t["pvalue"]))
            said = f"`compare`: {least['method']}, {pvalue_text(least['pvalue'])}"
            serious = serious or (_significant(test) and not _significant(least))
    if not texts:
        return None
    size, of = float(len(texts)), float(len(results))
    return Problem(serious, size, of, "results", "; ".join(texts[:NAMED]), instead=said)


def check_repeated(results: Results) -> Problem | None:
    """Find verdicts of several comparisons on one network that no adjustment joins."""
    open_ones: dict[str, list[float]] = {}
    for result in results:
        test = _verdict(result)
        if test.get("pvalue") is not None and not result.get("prior_tests"):
            about = f"{result.get('network')} {result.get('n_nodes')} {result.get('n_links')}"
            open_ones.setdefault(about, []).append(float(test["pvalue"]))
    size = sum(len(each) for each in open_ones.values() if len(each) > 1)
    if not size:
        return None
    lost = sum(
        p <= LEVEL < len(each) * p for each in open_ones.values() if len(each) > 1 for p in each
    )
    text = f"{size} comparisons on one network, each as if it were the only one"
    text += f"; {lost} would not be significant with Bonferroni's adjustment" * (lost > 0)
    instead = "`compare` with a list of models, or with n_prior_tests"
    return Problem(lost > 0, float(size), float(len(results)), "results", text, instead=instead)
