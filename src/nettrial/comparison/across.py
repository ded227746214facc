"""compare_across(): several models on several networks of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..core.errors import AssumptionWarning, InputError, ModelWarning, naming, shown
from ..core.finding import Finding
from ..core.option_names import option
from ..core.seeds import Stream, derive, freeze
from ..inference.data_sets import OverDataSets, domain_claim, over_data_sets
from ..metrics.measures import measure_of
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from ..numeric.checks import scalar
from ..replicates.halving_plan import seconds_of_budget
from ..stats.result import check_confidence
from ..study.node_study import warnings_of_runs
from ..study.tasks import task_of
from .judge import run_and_judge
from .links import LinkSetup, are_links
from .multiple import MultipleComparison, multiple_of, multiple_of_links
from .options import Asked, Options, declared, offered, takes_options
from .setup import Setup, check_network, study_in
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
            ModelWarning(f"{', '.join(names[place] for place in places)}: {note}")
            for places, note in warnings_of_runs(runs)
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs over networks as a table, one row per pair."""
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


@takes_options
def compare_across(
    networks: Mapping[str, Network],
    models: Sequence[str | AnyModel | LinkModel],
    *,
    train: Network | None = None,
    known: float = 0.0,
    labeled: float | None = None,
    rope: float | None = None,
    **options: Unpack[Asked],
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
    asked = Options(labeled=labeled, **options)
    if train is not None:
        asked.refuse(option("train"), *(set(declared()) - set(offered("compare_transfer"))))
    check_confidence(asked.confidence)
    seconds_of_budget(asked.budget)
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
    kinds = sorted({task_of(network).name for network in networks.values()})
    if len(kinds) > 1 and not links:
        raise InputError(
            expected="networks of one kind", got="both classes and numbers", where="across"
        )
    what, entropy = measure_of(asked.measure, "links" if links else kinds[0]), freeze(asked.seed)
    endless = what.of == "numbers" and np.isinf(what.largest)
    half = rope if rope is not None or endless else 0.01
    asked = asked.but(seed=entropy)

    def ready(place: int, name: str, network: Network) -> Callable[[], MultipleComparison]:
        if train is not None:
            # no link predictors, as was checked
            return ready_to_transfer(train, network, models, known, asked)
        here = asked.but(store=study_in(asked.store, f"{place}-{name}"))
        if links:
            alone = LinkSetup.of(network, models, here)
            return lambda: multiple_of_links(alone.judge())
        share = seconds_of_budget(asked.budget) / len(networks)
        setup = Setup.of(network, models, here.but(budget=share))
        return lambda: multiple_of(run_and_judge([setup])[0])

    judges: dict[str, Callable[[], MultipleComparison]] = {}
    for place, (name, network) in enumerate(networks.items(), 1):
        with naming(f"network {shown(name)}"):
            judges[name] = ready(place, name, network)
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
        confidence=asked.confidence,
        seed=derive(entropy, Stream.POSTERIOR),
    )
    claim = domain_claim(len(found), len(over.pairs))
    if train is not None:
        claim += (
            " All models learned on one and the same network: the claim is about networks to which "
            "these models are applied, not about learning on other networks."
        )
    return AcrossNetworks(found, over, claim, entropy)
