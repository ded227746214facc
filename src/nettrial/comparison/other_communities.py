"""Whether a verdict stays the same where Louvain starts elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning
from ..core.seeds import Stream, derive
from ..core.wording import df_text, pvalue_text
from ..inference.family import family
from ..inference.outcome import NetworkTest
from ..inference.procedure import Procedure
from ..inference.scores import Evidence
from ..network.communities import conductance
from ..splits.link_designs import TemporalLinks
from .analysis import Analysis
from .prior_tests import bonferroni

LEAKY = 0.5  # share of link ends beyond which more leave than stay
# up to so many links, so many starts of Louvain beside that of the study
OTHERS = ((5_000, 19), (200_000, 4))


def moved_by_communities(
    how: Analysis, procedure: Procedure, evidence: Sequence[Evidence], tests: Sequence[NetworkTest]
) -> tuple[Warning, ...]:
    """Warn of pairs on which the verdict is another one with communities of other starts.

    The verdict is that of all pairs as one family, after the comparisons before it.
    """
    network = evidence[0].scores.predictions.network
    number = next((others for links, others in OTHERS if network.n_links <= links), 0)
    if not procedure.by_communities or not number:
        return ()
    if how.design.startswith(TemporalLinks.short):  # times of links are no weights
        network = network.with_links(*network.simple_links())
    runs = [(evidence, tests)]
    for groups in how.other_groups(network, number):
        again = [replace(each, communities=groups) for each in evidence]
        runs.append((again, [procedure.run(each) for each in again]))
    if len(runs) == 1:
        return ()
    found = np.array([_pvalues(how, procedure, *run) for run in runs])
    differs = found < 1 - how.confidence
    moved = np.flatnonzero(differs.any(axis=0) & ~differs.all(axis=0)).tolist()
    return tuple(
        AssumptionWarning(
            f"{evidence[i].a} minus {evidence[i].b}: " * (len(evidence) > 1)
            + _note(found[:, i], [run[1][i].df for run in runs], int(differs[:, i].sum()))
        )
        for i in moved
    )


def leaky_communities(
    how: Analysis, procedure: Procedure, evidence: Sequence[Evidence]
) -> tuple[Warning, ...]:
    """Warn where more link ends leave the communities than stay, and the test rests on them."""
    if not procedure.by_communities and procedure.needs != "models":
        return ()
    share = conductance(evidence[0].scores.predictions.network, how.groups)
    if not share > LEAKY:
        return ()
    return (
        AssumptionWarning(
            f"{share:.0%} of the link ends of the average node's community leave it (conductance): "
            "the test takes communities for independent, which they are where this is low (Leung "
            "2023)"
        ),
    )


def _pvalues(
    how: Analysis, procedure: Procedure, evidence: Sequence[Evidence], tests: Sequence[NetworkTest]
) -> NDArray[np.float64]:
    found = np.array([test.pvalue for test in tests])
    if len(tests) > 1 and (found < 1 - how.confidence).any():
        seed = derive(how.entropy, Stream.DIRECTIONS)
        pairs = family(procedure, evidence, tests=tests, confidence=how.confidence, seed=seed)
        found = pairs.adjusted_pvalue
    return np.atleast_1d(bonferroni(found, float((how.n_prior_tests or 0) + 1)))


def _note(pvalues: NDArray[np.float64], dfs: Sequence[float | None], rejected: int) -> str:
    """Return how far p-values and degrees of freedom go, as a sentence."""
    known = [df for df in dfs if df is not None and np.isfinite(df)]
    spread = (
        f" ({df_text(min(known))} to {df_text(max(known))} degrees of freedom)" if known else ""
    )
    least, most = (pvalue_text(float(end)) for end in (np.nanmin(pvalues), np.nanmax(pvalues)))
    return (
        "which nodes are in one community decides the verdict: this and "
        f"{pvalues.size - 1} other starts of Louvain give {least} to {most}{spread}, and a "
        f"difference is found from {rejected} of the {pvalues.size}. Do not choose among seeds: "
        "report the range, or name a node column with the true groups"
    )
