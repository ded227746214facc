"""compare_across(): several models on several networks of one kind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Sized
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, ModelWarning, naming, shown
from ..core.finding import Finding
from ..core.option_names import option
from ..core.seeds import Seed, Stream, derive, freeze
from ..inference.data_sets import OverDataSets, domain_claim, over_data_sets
from ..inference.estimates import QEstimator
from ..metrics.measures import MeasureLike, measure_of
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from ..numeric.checks import scalar
from ..replicates.halving_plan import seconds_of_budget
from ..stats.result import check_confidence
from ..study.measured import kind_of
from ..study.node_study import CrossLinks, warnings_of_runs
from .judge import run_and_judge
from .links import LinkSetup, are_links
from .multiple import MultipleComparison, multiple_of, multiple_of_links
from .setup import BUDGET, Setup, check_network, study_in
from .transfer import ready_to_transfer

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class AcrossNetworks(Finding):
    """The outcome of comparing several models on several networks.

    Attributes
    ----------
    networks : mapping of str to MultipleComparison
        What was found on each network.
    over : OverDataSets
        What was found over the networks.
    claim : str
        What a claim about the domain needs.
    seed : int
        The frozen seed.
    """

    networks: Mapping[str, MultipleComparison]
    over: OverDataSets
    claim: str
    seed: int

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Warnings that bear on the verdicts: first over the networks, then by network."""
        where: dict[str, list[str]] = {}
        for name, each in self.networks.items():
            others = [w for w in each.warnings if not isinstance(w, ModelWarning)]
            for text in dict.fromkeys(map(str, others)):
                where.setdefault(text, []).append(name)
        alone = (f"{', '.join(names)}: {text}" for text, names in where.items())
        over = (str(warning).replace("data set", "network") for warning in self.over.warnings)
        return tuple(AssumptionWarning(text) for text in (*over, *alone)) + self._of_models()

    def _of_models(self) -> tuple[Warning, ...]:
        """Return what models warned of, once over all networks, after the names of these."""
        names = list(self.networks)
        runs: list[Any] = [each.predictions for each in self.networks.values()]
        return tuple(
            ModelWarning(f"{', '.join(names[place] for place in places)}: {told}")
            for places, told in warnings_of_runs(runs)
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs over networks as a table, one row a pair."""
        return self.over.to_frame()

    def _values(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "seed": self.seed,
            "measure": self.over.measure.name,
            "better": self.over.measure.better,
            "over_networks": self.over.to_dict(),
            "networks": {name: each.to_dict() for name, each in self.networks.items()},
        }


@check_arguments
def compare_across(
    networks: Mapping[str, Network],
    models: Sequence[str | AnyModel | LinkModel],
    *,
    train: Network | None = None,
    known: float = 0.0,
    labeled: float | None = None,
    n_splits: int | None = None,
    design: str | None = None,
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    measure: MeasureLike = "error",
    cross_links: CrossLinks = "keep",
    q: QEstimator = "moment",
    rope: float | None = None,
    confidence: float = 0.95,
    test: str = "auto",
    n_replicates: int | None = None,
    budget: str | float | None = None,
    n_seeds: int = 1,
    seed: Seed = 0,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    retry: bool = False,
    progress: bool | None = None,
) -> AcrossNetworks:
    """Compare several models on several networks of one kind: schools, years, countries.

    On each network the models are compared as by `compare_models` with the same options, with the
    same result. Over the networks each model has one error rate (or other measure) a network, and
    the networks are the observations: Friedman's test with Nemenyi's comparisons, Wilcoxon's
    signed-rank and the sign test of each pair with Holm's adjustment, the Bayesian signed-rank
    test, and the random-effects mean of each difference, which weighs networks by their standard
    errors.

    Parameters
    ----------
    networks : mapping of str to Network
        At least two, by name.
    models : sequence of str, Model or scikit-learn classifier
        At least two; or at least two link predictors, as for `compare`.
    train : Network, optional
        Learn on this network and test on each of `networks`, as by `compare_transfer`, with
        `labeled` by default 1. `design`, `n_replicates`, `budget`, `n_seeds`, `store` and tests
        that run the models again are then refused.
    known : float
        With `train`: proportion of each test network's labels that are known.
    rope : float, optional
        Half width of practical equivalence for the Bayesian test, in the measure; by default 0.01,
        and none, with no such test, for errors in units of a target.
    budget : str or float, optional
        As for `compare`, for all networks together.
    store : path, optional
        Folder with a study file for each network, see `compare`.
    labeled, n_splits, design, positive, communities, measure, cross_links, q, confidence, test, \
n_replicates, n_seeds, seed, n_jobs, retry, progress
        As for `compare_models`, for each network.

    Returns
    -------
    AcrossNetworks

    Raises
    ------
    InputError
        For fewer than two networks, and as `compare_models`; names the network.
    ModelError
        Where a model fails.

    Examples
    --------
    >>> import nettrial
    >>> nets = {f"net {i}": nettrial.latent_group_network(100, seed=i) for i in range(3)}
    >>> found = nettrial.compare_across(nets, ["wvrn", "prior"], n_splits=4, test="network_hac")
    >>> found.over.mean_ranks, len(found.networks)
    ({'wvrn': 1.0, 'prior': 2.0}, 3)
    """
    if not isinstance(networks, Mapping) or len(networks) < 2:
        number = len(networks) if isinstance(networks, Sized) else "none"
        raise InputError(
            expected="at least two networks by name",
            got=f"{number}",
            hint="for one use compare",
            where="across",
        )
    if train is None and known:
        raise InputError(
            f"across: {option('known', known)} goes with {option('train')}, the network to learn on"
        )
    for name, value in (
        ("design", design),
        ("n_replicates", n_replicates),
        ("budget", budget),
        ("n_seeds", None if n_seeds == 1 else n_seeds),
        ("store", store),
        ("retry", retry or None),
    ):
        if train is not None and value is not None:
            raise InputError(f"across: {name}= cannot be used with train=; leave it out")
    check_confidence(confidence)
    if rope is not None and not 0 <= scalar("rope", rope) < np.inf:
        raise InputError(parameter="rope", expected="a half width of 0 or more", got=shown(rope))
    for name, network in networks.items():
        with naming(f"network {shown(name)}"):
            check_network(network)
    links = are_links(models)
    if links and train is not None:
        raise InputError(
            "across: train= cannot be used where links are predicted, since link predictors learn "
            "from the links that a network keeps; leave it out"
        )
    kinds = sorted({kind_of(network) for network in networks.values()})
    if len(kinds) > 1 and not links:
        raise InputError(
            expected="networks of one kind", got="both classes and numbers", where="across"
        )
    what, entropy = measure_of(measure, "links" if links else kinds[0]), freeze(seed)
    endless = what.of == "numbers" and np.isinf(what.largest)
    half = rope if rope is not None or endless else 0.01
    common: dict[str, Any] = {
        "positive": positive, "communities": communities, "cross_links": cross_links, "q": q,
        "confidence": confidence, "measure": measure, "test": test, "seed": entropy,
        "n_jobs": n_jobs, "progress": progress,
    }  # fmt: skip

    def ready(name: str, network: Network) -> Callable[[], MultipleComparison]:
        if train is not None:
            return ready_to_transfer(
                train,
                network,
                models,  # type: ignore[arg-type]  # no link predictors, as was checked
                labeled=1.0 if labeled is None else labeled,
                known=known,
                n_splits=10 if n_splits is None else n_splits,
                **common,
            )
        given: dict[str, Any] = {
            "labeled": labeled, "n_splits": n_splits, "n_replicates": n_replicates,
            "design": "rrs" if design is None else design, "n_seeds": n_seeds, "retry": retry,
            "store": study_in(store, f"{list(networks).index(name) + 1}-{name}"),
        } | common  # fmt: skip
        if links:
            given |= {} if budget is None else {"budget": budget}
            alone = LinkSetup.of(network, models, **given)
            return lambda: multiple_of_links(alone.judge())
        share = seconds_of_budget(BUDGET if budget is None else budget) / 60 / len(networks)
        setup = Setup.of(network, models, budget=share, **given)
        return lambda: multiple_of(run_and_judge([setup])[0])

    judges: dict[str, Callable[[], MultipleComparison]] = {}
    for name, network in networks.items():
        with naming(f"network {shown(name)}"):
            judges[name] = ready(name, network)
    # no model runs before all networks are checked
    found: dict[str, MultipleComparison] = {}
    for name, judge in judges.items():
        with naming(f"network {shown(name)}"):
            found[name] = judge()
    names = next(iter(found.values())).predictions.models
    over = over_data_sets(
        [[each.scores[model] for model in names] for each in found.values()],
        models=names,
        data_sets=list(found),
        standard_errors=np.array([each.pairs.standard_error for each in found.values()]),
        rope=half,
        measure=what,
        confidence=confidence,
        seed=derive(entropy, Stream.POSTERIOR),
    )
    claim = domain_claim(len(found), len(over.pairs))
    if train is not None:
        claim += (
            " All models learned on one and the same network: the claim is about networks to which "
            "these models are applied, not about learning on other networks."
        )
    return AcrossNetworks(found, over, claim, entropy)
