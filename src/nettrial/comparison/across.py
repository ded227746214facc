"""compare_across(): several models on several networks of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from ..core.errors import (
    AssumptionWarning,
    InputError,
    ModelWarning,
    error_about,
    shown,
    unknown_choice,
)
from ..core.finding import Finding
from ..core.option_names import option
from ..core.seeds import Stream, derive, freeze
from ..inference.data_sets import OverDataSets, domain_claim, over_data_sets
from ..inference.moderator import Moderation, meta_regression
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from ..numeric.checks import scalar
from ..replicates.halving_plan import seconds_of_budget
from ..stats.result import check_confidence
from ..study.node_study import warnings_of_runs
from ..study.tasks import task_for
from .judge import run_and_judge
from .multiple import MultipleComparison, multiple_of
from .network_traits import repeated, traits_of
from .options import Asked, Options, declared, offered, takes_options
from .setup import Setup, study_in
from .transfer import ready_to_transfer

if TYPE_CHECKING:
    import pandas as pd


class Directions(NamedTuple):
    """On how many networks, each alone, either model of a pair is significantly better.

    Attributes
    ----------
    first, second : str
    first_better, second_better : int
    depends : bool
        Whether both are, after Bonferroni's adjustment for the number of networks too.
    """

    first: str
    second: str
    first_better: int
    second_better: int
    depends: bool


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
    traits : mapping of str to mapping
        Of each network nodes, links, classes, features, share of labeled nodes, autocorrelation.
    alike : tuple of Warning
        Which networks may be one and the same.
    moderator : str
        By what the differences were regressed; empty for nothing.
    moderated : mapping of str to float
        Its value on each network.
    moderations : tuple of Moderation
        The line of each pair that has standard errors.
    """

    networks: Mapping[str, MultipleComparison]
    over: OverDataSets
    claim: str
    seed: int
    traits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    alike: tuple[Warning, ...] = ()
    moderator: str = ""
    moderated: Mapping[str, float] = field(default_factory=dict)
    moderations: tuple[Moderation, ...] = ()

    @property
    def directions(self) -> tuple[Directions, ...]:
        """On how many networks, each alone, either model of each pair is significantly better."""
        found, families = [], [each.pairs for each in self.networks.values()]
        for place, pair in enumerate(self.over.pairs if families else ()):
            several = len(self.over.pairs) > 1
            p = np.array([(f.adjusted_pvalue if several else f.pvalue)[place] for f in families])
            ahead = self.over.measure.sign * np.array([f.estimate[place] for f in families]) < 0
            differs = np.array([f.significant[place] for f in families])
            sure = differs & (p * len(families) < 1 - self.over.confidence)
            found.append(
                Directions(
                    pair.first,
                    pair.second,
                    int((differs & ahead).sum()),
                    int((differs & ~ahead).sum()),
                    bool((sure & ahead).any() and (sure & ~ahead).any()),
                )
            )
        return tuple(found)

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
        notes = tuple(AssumptionWarning(text) for text in (*over, *alone))
        return self.alike + notes + self._of_models()

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
            "traits": self.traits,
            "directions": [each._asdict() for each in self.directions],
            **(
                {
                    "moderator": self.moderator,
                    "moderated": self.moderated,
                    "moderations": self.moderations,
                }
                if self.moderator
                else {}
            ),
            **({"margin": self.over.endings[0].margin} if self.over.endings else {}),
            "networks": {name: each.to_dict() for name, each in self.networks.items()},
        }


@takes_options
def compare_across(
    networks: Mapping[str, Network],
    models: Sequence[str | AnyModel | LinkModel] | Mapping[str, str | AnyModel | LinkModel],
    *,
    train: Network | None = None,
    known: float = 0.0,
    labeled: float | None = None,
    rope: float | None = None,
    moderator: str | Mapping[str, float] | None = None,
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
    models : sequence of str, Model or scikit-learn classifier, or mapping of names to them
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
    moderator : str or mapping of str to float, optional
        Something known of each network by which the difference may change: "autocorrelation",
        "n_nodes", "n_links", "n_classes", "n_features", "labeled_share", or a number of your own
        for each network by its name. Each pair then has a line through its differences, by
        random-effects meta-regression, on at least four networks. Choose it before you look.

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
    if len(networks) < 2:
        raise InputError(
            expected="at least two networks by name",
            got=f"{len(networks)}",
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
    tasks = {task_for(network, models) for network in networks.values()}
    if len(tasks) > 1:
        both = " and ".join(sorted(task.name for task in tasks))
        raise InputError(expected="networks of one kind", got=f"both {both}", where="across")
    what, entropy = tasks.pop().measure(asked.measure), freeze(asked.seed)
    endless = what.of == "numbers" and np.isinf(what.largest)
    half = rope if rope is not None or endless else 0.01
    asked = asked.but(seed=entropy)

    def ready(place: int, name: str, network: Network) -> Callable[[], MultipleComparison]:
        if train is not None:
            return ready_to_transfer(train, network, models, known, asked)
        here = asked.but(store=study_in(asked.store, f"{place}-{name}"))
        setup = Setup.of(network, models, here)
        return lambda: multiple_of(run_and_judge([setup], of=len(networks))[0])

    judges: dict[str, Callable[[], MultipleComparison]] = {}
    for place, (name, network) in enumerate(networks.items(), 1):
        with error_about(f"network {shown(name)}"):
            judges[name] = ready(place, name, network)
    traits = {name: traits_of(network) for name, network in networks.items()}
    by, values = _moderator(moderator, traits)
    # no model runs before all networks are checked
    found: dict[str, MultipleComparison] = {}
    for name, judge in judges.items():
        with error_about(f"network {shown(name)}"):
            found[name] = judge()
    names = next(iter(found.values())).predictions.models
    errors = np.array([each.pairs.standard_error for each in found.values()])
    over = over_data_sets(
        [[each.scores[model] for model in names] for each in found.values()],
        models=names,
        data_sets=list(found),
        standard_errors=errors,
        rope=half,
        measure=what,
        confidence=asked.confidence,
        margin=asked.margin,
        seed=derive(entropy, Stream.POSTERIOR),
    )
    claim = domain_claim(len(found), len(over.pairs))
    if train is not None:
        claim += (
            " All models learned on one and the same network: the claim is about networks to which "
            "these models are applied, not about learning on other networks."
        )
    column = {name: i for i, name in enumerate(names)}
    lines = tuple(
        meta_regression(
            (pair.first, pair.second),
            over.scores[:, column[pair.first]] - over.scores[:, column[pair.second]],
            errors[:, i],
            list(values.values()),
            asked.confidence,
        )
        for i, pair in enumerate(over.pairs)
        if by and pair.hierarchical is not None
    )
    return AcrossNetworks(
        found, over, claim, entropy, traits, repeated(networks), by, values, lines
    )


def _moderator(
    asked: str | Mapping[str, float] | None, traits: Mapping[str, Mapping[str, Any]]
) -> tuple[str, Mapping[str, float]]:
    """Return the name of a moderator and its value on each network; refuse what is none."""
    if asked is None:
        return "", {}
    if isinstance(asked, str):
        known = list(next(iter(traits.values())))
        if asked not in known:
            raise unknown_choice("moderator", asked, known)
        name, values = asked, {key: each[asked] for key, each in traits.items()}
    else:
        name, values = "moderator", {key: asked.get(key) for key in traits}
    numbers = {key: np.nan if value is None else float(value) for key, value in values.items()}
    # refuses too few networks, and values that are missing or all the same
    size = np.ones(len(numbers))
    meta_regression(("", ""), size, size, list(numbers.values()))
    return name, numbers
