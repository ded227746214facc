"""Every test of a difference on a network: whoever makes or names tests takes them from here."""

from __future__ import annotations

from ..errors import unknown_choice
from .community_bootstrap import COMMUNITY_BOOTSTRAP
from .community_halves import COMMUNITY_HALVES
from .on_communities import CLUSTER_ROBUST_T, CLUSTER_SIGN_FLIP
from .on_links import NETWORK_HAC
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

    Raises
    ------
    InputError
        For an unknown name.

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
    >>> canonical("Sign-Flip"), canonical("friedman")
    ('cluster_sign_flip', 'friedman')
    """
    word = str(name).lower().replace("-", "_")
    for each in PROCEDURES.values():
        if word in (each.name, *each.aliases):
            return each.name
    return name


def on_predictions() -> list[Procedure]:
    """Return the tests that need predictions alone."""
    return [each for each in PROCEDURES.values() if each.needs == "predictions"]


def verdict_names() -> list[str]:
    """Return the names of the tests whose answer can be the verdict."""
    return [each.name for each in PROCEDURES.values() if each.gives_verdict]


def run_on_predictions(
    evidence: Evidence, made: NetworkTest | None = None
) -> tuple[NetworkTest, ...]:
    """Make every test that needs predictions alone; one `made` before is taken as it is."""
    return tuple(
        made if made is not None and made.name == each.name else each.run(evidence)
        for each in on_predictions()
    )
