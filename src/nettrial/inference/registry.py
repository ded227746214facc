"""Every test of a difference on a network: whoever makes or names tests takes them from here."""

from __future__ import annotations

from ..core.errors import InputError, unknown_choice
from ..core.option_names import option
from ..stats.catalog import CATALOG, TestSpecification, plain, specification
from ..study.task import Items
from .community_bootstrap import COMMUNITY_BOOTSTRAP
from .community_halves import COMMUNITY_HALVES
from .on_communities import CLUSTER_ROBUST_T, CLUSTER_SIGN_FLIP
from .on_links import NETWORK_HAC
from .on_pairs import CLUSTER_ENDS_T, DYADIC_ROBUST_T, NODE_BOOTSTRAP, NODE_JACKKNIFE
from .on_splits import NADEAU_BENGIO, PAIRED_T, POOLED_T, WILCOXON
from .outcome import NetworkTest
from .procedure import Procedure
from .rsc import RSC_PAIRED, RSC_UNPAIRED
from .scores import Evidence

# in the order of tables: first those whose level does not depend on the number of splits
PROCEDURES: dict[str, Procedure] = {
    each.name: each
    for each in (
        COMMUNITY_BOOTSTRAP,
        COMMUNITY_HALVES,
        CLUSTER_ROBUST_T,
        NETWORK_HAC,
        CLUSTER_SIGN_FLIP,
        CLUSTER_ENDS_T,
        NODE_JACKKNIFE,
        DYADIC_ROBUST_T,
        NODE_BOOTSTRAP,
        RSC_PAIRED,
        RSC_UNPAIRED,
        NADEAU_BENGIO,
        PAIRED_T,
        POOLED_T,
        WILCOXON,
    )
}


def procedure(name: str) -> Procedure:
    """Return a test by its name or another name of it.

    Examples
    --------
    >>> procedure("cluster-paired").name, procedure("rsc").name
    ('cluster_robust_t', 'rsc_paired')
    """
    own = canonical(name)
    if own not in PROCEDURES:
        raise unknown_choice("test", name, PROCEDURES)
    return PROCEDURES[own]


def canonical(name: str) -> str:
    """Return the one name of a test; what is no test's name comes back as it is.

    Examples
    --------
    >>> canonical("Sign-Flip"), canonical("RS-C"), canonical("friedman")
    ('cluster_sign_flip', 'rsc_paired', 'friedman')
    """
    word = plain(name)
    for each in PROCEDURES.values():
        if word in map(plain, each.names):
            return each.name
    return name


def label(test: str) -> str:
    """Return how a test is called in tables and figures; what is none keeps its name."""
    return PROCEDURES[test].label if test in PROCEDURES else test


def on_tables() -> dict[str, TestSpecification]:
    """Return every test that is made of a table of numbers: the catalog, and what is here."""
    here = (each.table for each in PROCEDURES.values() if each.table is not None)
    return CATALOG | {test.name: test for test in here}


def on_table(name: str) -> TestSpecification:
    """Return how a test is made of a table of numbers.

    Examples
    --------
    >>> on_table("nadeau_bengio").name
    'corrected-resampled-t'
    """
    found = PROCEDURES.get(canonical(name))
    if found is None:
        return specification(name)
    if found.table is None:
        raise InputError(
            f"{found.name} needs a network, not a table of numbers",
            parameter="test",
            hint=f"use compare or compare_predictions with {option('test', found.name)}",
        )
    return found.table


def on_predictions(items: Items = "nodes") -> list[Procedure]:
    """Return the tests that need predictions alone, those of nodes or of pairs of nodes."""
    return [
        each for each in PROCEDURES.values() if each.needs == "predictions" and items in each.items
    ]


def verdict_names(items: Items = "nodes") -> list[str]:
    """Return the names of the tests whose answer on nodes or pairs can be the verdict."""
    return [each.name for each in PROCEDURES.values() if each.gives_verdict and items in each.items]


def run_on_predictions(
    evidence: Evidence, made: NetworkTest | None = None
) -> tuple[NetworkTest, ...]:
    """Make every test that needs predictions alone; one `made` before is taken as it is."""
    return tuple(
        made if made is not None and made.name == each.name else each.run(evidence)
        for each in on_predictions(evidence.scores.items)
    )
