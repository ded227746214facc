"""Verdicts that depend on where Louvain starts are reported."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.seeds import Stream, derive
from nettrial.network.communities import communities

MOVED = "which nodes are in one community decides the verdict"
QUICK: dict[str, Any] = {"n_splits": 3, "progress": False, "seed": 1}


def note(found: Any) -> list[str]:
    return [str(warning) for warning in found.warnings if MOVED in str(warning)]


@pytest.mark.slow
def test_a_verdict_on_links_that_other_starts_do_not_share_is_told_everywhere() -> None:
    network = nettrial.latent_group_network(100, seed=12)
    found = nettrial.compare(network, "adamic_adar", "katz", test="cluster_ends_t", **QUICK)
    (warning,) = note(found)
    assert MOVED in " ".join(str(found).split())
    assert MOVED in found.to_html()
    assert MOVED in " ".join(found.to_dict()["warnings"])
    first = derive(1, Stream.COMMUNITIES)
    starts = [first, *(derive(first, i) for i in range(1, 20))]
    again = [
        nettrial.compare_predictions(
            found.predictions, communities=communities(network, seed=start), test="cluster_ends_t"
        )
        for start in starts
    ]
    tests = [each.test("cluster_ends_t") for each in again]
    assert tests[0].pvalue == found.test("cluster_ends_t").pvalue
    pvalues = np.array([test.pvalue for test in tests])
    assert (pvalues < 0.05).any()
    assert f"found from {(pvalues < 0.05).sum()} of the 20" in warning
    ends = [float(end) for end in re.findall(r"p = ([\d.]+)", warning)]
    assert np.allclose(ends, [pvalues.min(), pvalues.max()], rtol=0.05)
    dfs = [test.df for test in tests]
    assert f"({min(dfs):.2f} to {max(dfs):.2f} degrees of freedom)" in warning
    assert not any(map(note, again))  # of communities that were given


def test_of_several_models_the_pairs_are_named_that_it_concerns() -> None:
    network = nettrial.latent_group_network(100, seed=30)
    names = ["wvrn", "nbc", "prior"]
    found = nettrial.compare_models(network, names, test="cluster_robust_t", **QUICK)
    (warning,) = note(found)
    assert warning.startswith("wvrn minus prior: ")
    other = nettrial.compare_models(network, names, test="network_hac", **QUICK)
    assert not note(other)  # it needs no communities
