"""Which test gives the verdict: chosen once for a study, before any model runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, SlowWarning, unknown_choice, warn_user
from ..core.option_names import option
from ..core.wording import df_text
from ..metrics.measures import MEASURES, Measure
from ..models.base import AnyModel
from ..network.communities import effective_number
from ..network.network import Network
from ..replicates.blocks import check_several
from ..replicates.bootstrap import check_replicates
from ..replicates.compiled_pair import is_compiled, is_independent
from ..replicates.halving import may_see_copies
from ..splits.base import Design, Split
from ..stats.network_hac import network_hac_df, reach_of_correlation
from ..study.node_study import CrossLinks
from ..study.task import Task
from .community_bootstrap import COMMUNITY_BOOTSTRAP
from .community_halves import COMMUNITY_HALVES
from .on_communities import CLUSTER_ROBUST_T
from .on_links import NETWORK_HAC
from .on_pairs import CLUSTER_ENDS_T, FEWEST_OF_ENDS, NODE_JACKKNIFE
from .outcome import FEWEST_DEGREES
from .registry import PROCEDURES, canonical, verdict_names

BOOTSTRAP, HALVES = COMMUNITY_BOOTSTRAP.name, COMMUNITY_HALVES.name
RERUNS = (BOOTSTRAP, HALVES)  # the tests that run the models again
REPLICATES = 200  # networks that the bootstrap draws, of either of its two kinds
LEAST_REACH = 2  # links over which errors are taken to depend on each other at least
ASKED = "you chose it."
# up to so many links re-running hundreds of times takes about a minute or less: with the compiled
# path, and with one model call a replicate
QUICK_COMPILED, QUICK = 20_000, 2_000
# a link costs something for every class but one, and with nBC a node for every two classes: up to
# 5 classes with 20,000 links, or 11 with 8,000
QUICK_CLASSES = 80_000


@dataclass(frozen=True, slots=True)
class TestChoice:
    """The test that gives the verdict, and why."""

    name: str
    reason: str
    forced: bool  # whether the user named it
    # networks that the bootstrap draws, of either of its two kinds, or halvings of the communities;
    # 0 where their number is planned when one split has been timed
    n_replicates: int = 0
    # whether the splits of a network are drawn independently of each other
    independent: bool = False
    # for each pair, whether both models run on replicates in one compiled loop
    compiled: tuple[bool, ...] = ()
    # splits of each network that the bootstrap draws, where the network itself may get more; 0
    # where both have the same number
    n_splits: int = 0


def choose(
    test: str,
    task: Task,
    network: Network,
    models: Sequence[AnyModel],
    pairs: Sequence[tuple[int, int]],
    design: Design | Sequence[Split],
    communities: NDArray[np.int32],
    *,
    cross_links: CrossLinks = "keep",
    n_replicates: int | None = None,
    measure: Measure = MEASURES["error"],
) -> TestChoice:
    """Choose the test that gives the verdict for all pairs of a study.

    Models are run again: on networks drawn with replacement where none of them can notice copies
    and replicates can be split as the network was, which for a choice by "auto" must be quick;
    elsewhere on halves of the communities, as many as the budget allows. Where no test does that,
    the choice is one among the tests on predictions.

    Warns
    -----
    SlowWarning
        Where the bootstrap is asked for on a network of many classes and links.
    """
    allowed = verdict_names(task.items)
    test = checked(test, allowed, measure)
    if test not in ("auto", *RERUNS):
        return TestChoice(test, ASKED, True)
    if not {*allowed} & {*RERUNS}:
        return on_predictions(task, network, communities)
    independent = isinstance(design, Design) and is_independent(design)
    compiled: tuple[bool, ...] = ()
    if isinstance(design, Design):
        compiled = tuple(
            is_compiled(network, (models[i], models[j]), design, cross_links, measure)
            for i, j in pairs
        )
    obstacle = "" if test == HALVES else _obstacle(models, design)
    many = network.n_links * (network.n_classes - 1) > QUICK_CLASSES
    if test == "auto" and not obstacle:
        obstacle = _slow(network, compiled, many, measure)
    if test == HALVES or obstacle:
        because = f" Networks are not drawn with replacement, since {obstacle}." if obstacle else ""
        return TestChoice(
            HALVES,
            f"{COMMUNITY_HALVES.why}{because}",
            test != "auto",
            n_replicates or 0,
            independent,
            compiled,
        )
    number = REPLICATES if n_replicates is None else n_replicates
    if many:
        warn_user(
            SlowWarning(
                f"the bootstrap runs the models on {2 * number} or more networks like this one, "
                f"which with {network.n_classes} classes and {network.n_links:,} links may take "
                f"hours; {option('test', 'halves')} keeps within a budget"
            )
        )
    return TestChoice(
        BOOTSTRAP,
        COMMUNITY_BOOTSTRAP.why,
        test == BOOTSTRAP,
        number,
        independent,
        compiled,
    )


def _obstacle(models: Sequence[AnyModel], design: Design | Sequence[Split]) -> str:
    """Return why no networks can be drawn with replacement; nothing where they can."""
    if not all(may_see_copies(model) for model in models):
        return "a model that is not known to ignore copies of a node would find them in test sets"
    if not isinstance(design, Design):
        return "the splits were given, so that other networks cannot be split in the same way"
    return ""


def _slow(network: Network, compiled: Sequence[bool], many: bool, measure: Measure) -> str:
    """Return why drawing hundreds of networks would take long; nothing where it would not."""
    quick = QUICK_COMPILED if all(compiled) else QUICK
    if network.n_links > quick:
        also = "" if measure.name == "error" else " and this measure"
        return f"with these models and splits{also} more than {quick:,} links take long"
    if many:
        return f"{network.n_classes} classes and {network.n_links:,} links take long"
    return ""


def choose_on_predictions(
    test: str,
    task: Task,
    network: Network,
    communities: NDArray[np.int32],
    measure: Measure = MEASURES["error"],
) -> TestChoice:
    """Choose the test that gives the verdict where there are predictions only."""
    names = verdict_names(task.items)
    allowed = [name for name in names if name not in RERUNS]
    none = "there are predictions only, and no models to run again"
    if canonical(test) in RERUNS and canonical(test) in names:
        raise InputError(
            f"{canonical(test)} runs the models again, but {none}",
            parameter="test",
            hint=f"use auto or {', '.join(allowed)}",
        )
    test = checked(test, allowed, measure)
    if test == "auto":
        return on_predictions(task, network, communities, none)
    return TestChoice(test, ASKED, True)


def checked(test: str, allowed: Sequence[str], measure: Measure) -> str:
    """Return the one name of a test whose answer can be the verdict, or "auto"."""
    name = canonical(test)
    if name not in ("auto", *allowed):
        if name in PROCEDURES and PROCEDURES[name].takes_splits_for_independent:
            raise InputError(
                f"{name} answers for other splits of this network only and cannot give the verdict",
                parameter="test",
                hint=f"use auto or one of {', '.join(allowed)}",
            )
        raise unknown_choice("test", test, ("auto", *allowed))
    if name != "auto" and (unfit := PROCEDURES[name].unfit(measure)):
        raise InputError(f"{name} cannot be used, since {unfit}", parameter="test", hint="use auto")
    return name


def on_predictions(
    task: Task, network: Network, communities: NDArray[np.int32], because: str = ""
) -> TestChoice:
    """Choose the test on predictions by the network alone.

    What the models predicted has no say, so the choice is the same for every pair of a study and
    for a pair alone.
    """
    return BY_ITEMS[task.items](task, network, communities, because)


def _of_nodes(task: Task, network: Network, _: NDArray[np.int32], because: str) -> TestChoice:
    """Choose network HAC, or else the test by communities.

    Network HAC came closest to its level wherever it was measured (docs/user/methods.md). The test
    by communities takes its place where network HAC cannot follow the links, as on large networks,
    or would have fewer than 4 degrees of freedom: where the true classes of nodes go together over
    so many links that few nodes are farther apart.
    """
    graph, nodes = network.adjacency("both"), network.labeled
    try:
        reach = LEAST_REACH
        df = network_hac_df(graph, nodes=nodes, correlated=reach)
        if df >= FEWEST_DEGREES:
            reach = max(reach, reach_of_correlation(task.truth(network), graph, nodes=nodes))
        if reach > LEAST_REACH:
            df = network_hac_df(graph, nodes=nodes, correlated=reach)
    except InputError:
        why = f"network HAC cannot follow so many links over distances up to {2 * reach}"
    else:
        if df >= FEWEST_DEGREES:
            return TestChoice(NETWORK_HAC.name, f"{because}; {NETWORK_HAC.why}", False)
        why = (
            f"network HAC would have {df_text(df)} degrees of freedom, because few nodes are more "
            f"than {reach} links apart"
        )
    return TestChoice(
        CLUSTER_ROBUST_T.name, f"{because}; {CLUSTER_ROBUST_T.why[:-1]}; {why}.", False
    )


def _of_pairs(_: Task, __: Network, communities: NDArray[np.int32], ___: str) -> TestChoice:
    """Choose the test by the communities of both ends, or where they are few by single nodes."""
    number = effective_number(np.unique(communities, return_counts=True)[1])
    if number - 1 >= FEWEST_OF_ENDS:
        return TestChoice(CLUSTER_ENDS_T.name, CLUSTER_ENDS_T.why, False)
    return TestChoice(
        NODE_JACKKNIFE.name,
        f"{NODE_JACKKNIFE.why[:-1]}; the communities count as {number:.2f} of equal size, too few "
        "for a test over communities.",
        False,
    )


# what predictions are made for -> the choice among the tests of it
BY_ITEMS = {"nodes": _of_nodes, "pairs": _of_pairs}


def check_drawing(
    choice: TestChoice, communities: NDArray[np.int32], n_replicates: int | None
) -> None:
    """Refuse, where models are run again, what no networks worth having can be drawn from."""
    if choice.name not in RERUNS:
        return
    if n_replicates is not None:
        check_replicates(n_replicates, "compare", halves=choice.name == HALVES)
    if choice.forced:
        check_several(communities)
