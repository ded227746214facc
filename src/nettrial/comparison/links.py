"""Compare link predictors: from a network's links to a verdict, by the road of all comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import isroutine
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.seeds import Seed, Stream, derive, freeze
from ..inference.choice import ASKED, TestChoice, checked
from ..inference.on_pairs import CLUSTER_ENDS_T, FEWEST_DEGREES, NODE_JACKKNIFE
from ..inference.registry import verdict_names
from ..metrics.measures import Measure, MeasureLike, measure_of
from ..models.link_predictors import (
    LinkPredictor,
    as_link_predictor,
    is_link_predictor,
    listed_predictor,
)
from ..models.names import is_name
from ..network.communities import effective_number
from ..network.network import Network
from ..splits.link_designs import LinkDesign, LinkSplit, TemporalLinks, link_design
from ..stats.result import check_confidence
from ..study.link_study import LinkPlan, LinkPredictions, run_links
from ..study.node_study import model_warnings, tell_warnings
from ..study.parallel import check_n_jobs
from .analysis import Analysis, communities_for
from .baseline import baseline_notes, baseline_of
from .judge import Cell, Judgement, judge, looks_of_pair
from .looks import check_looks, looks_note
from .notes import notes_of_links
from .pair import settings_of, shared_by_two
from .result import LinkComparison
from .setup import (
    BUDGET,
    check_models,
    check_network,
    check_retry,
    check_storable,
    options_given,
    refuse_options,
    unique_names,
)

# what has no meaning where links are predicted -> its default, and why
WITHOUT_LINKS: Mapping[str, tuple[Any, str]] = {
    "positive": (None, "there are no classes"),
    "cross_links": ("keep", "links are divided, and no nodes"),
    "q": ("moment", "no errors of classes are estimated"),
    "n_replicates": (None, "no test of pairs runs the models again"),
    "budget": (BUDGET, "no test of pairs runs the models again"),
    "n_seeds": (1, "a model is run once on each split, with a seed of its own"),
}


def are_links(models: Sequence[Any]) -> bool:
    """Return whether models predict links.

    Raises
    ------
    InputError
        Where some do and others do not.
    """
    kinds = [is_link_predictor(model) for model in models]
    if len(set(kinds)) < 2:
        return any(kinds)
    link, other = models[kinds.index(True)], models[kinds.index(False)]
    if isinstance(other, str) and not is_name(other):
        as_link_predictor(other)  # refuses it, and names those that there are
    hint = "; to train a model of nodes, a function takes (data, seed)" * isroutine(link)
    raise InputError(
        f"compare: {_name(link)} predicts links and {_name(other)} does not; expected models that "
        f"predict the same{hint}"
    )


def _name(model: Any) -> str:
    own = getattr(model, "__name__", type(model).__name__)
    return str(model if isinstance(model, str) else getattr(model, "name", own))


@dataclass(frozen=True, slots=True)
class LinkSetup:
    """A comparison of link predictors on one network, checked and ready to run.

    Attributes
    ----------
    network : Network
    models : dict of str to LinkPredictor
    splits : list of LinkSplit
    analysis : Analysis
    n_jobs, store, retry, progress
        How the models are run.
    """

    network: Network
    models: dict[str, LinkPredictor]
    splits: list[LinkSplit]
    analysis: Analysis
    n_jobs: int | None
    store: str | PathLike[str] | None
    retry: bool
    progress: bool | None

    @classmethod
    def of(
        cls,
        network: Network,
        models: Sequence[Any],
        *,
        control: str | None = None,
        labeled: float | None = None,
        n_splits: int | None = None,
        design: str | LinkDesign | Sequence[LinkSplit] = "rrs",
        communities: str | ArrayLike = "louvain",
        measure: MeasureLike = "error",
        confidence: float = 0.95,
        test: str = "auto",
        looks: int | None = None,
        seed: Seed = 0,
        n_jobs: int | None = None,
        store: str | PathLike[str] | None = None,
        retry: bool = False,
        progress: bool | None = None,
        **others: Any,
    ) -> LinkSetup:
        """Check everything that can be checked before any model runs, see `compare`."""
        for name, value in others.items():
            default, why = WITHOUT_LINKS[name]
            if value != default:
                raise InputError(
                    f"compare: {name}= cannot be used where links are predicted, since {why}; "
                    "leave it out"
                )
        check_confidence(confidence)
        check_n_jobs(n_jobs)
        check_network(network)
        check_retry(retry, store)
        if network.n_links < 2:
            raise InputError(
                expected="a network with at least 2 links",
                got=f"{network.n_links}",
                where="compare",
            )
        check_storable(measure_of(measure, "links"), store)
        entropy = freeze(seed)
        built = unique_names(models, as_link_predictor, listed_predictor)
        control = check_models(tuple(built), control, listed_predictor)
        name, splits, seen = _splits(network, design, labeled, n_splits, entropy)
        analysis = analysis_of_links(
            network,
            splits,
            design=name,
            labeled=seen,
            communities=communities,
            measure=measure,
            control=control,
            confidence=confidence,
            test=test,
            looks=looks,
            entropy=entropy,
        )
        return cls(network, built, splits, analysis, n_jobs, store, retry, progress)

    @property
    def _seed(self) -> int:
        return derive(self.analysis.entropy, Stream.MODELS)

    def plan(self) -> LinkPlan:
        """Return the units of work."""
        return LinkPlan(self.network, self.models, tuple(self.splits), self._seed)

    def drawn(self) -> None:
        """Return that nothing is drawn from the network: link predictors are not run again."""

    def predictions(self) -> LinkPredictions:
        """Run every model on every split."""
        found = run_links(
            self.network,
            self.models,
            self.splits,
            seed=self._seed,
            n_jobs=self.n_jobs,
            store=self.store,
            retry=self.retry,
            analysis=self.analysis.to_dict(),
            progress=self.progress,
        )
        tell_warnings(found)
        return found

    def judge(self) -> Judgement:
        """Run all models, and test their differences."""
        return judge([Cell(self.predictions(), self.analysis)])[0]


def analysis_of_links(
    network: Network,
    splits: Sequence[LinkSplit],
    *,
    design: str,
    labeled: float | None,
    communities: str | ArrayLike,
    measure: MeasureLike,
    control: str | None,
    confidence: float,
    test: str,
    looks: int | None,
    entropy: int,
) -> Analysis:
    """Check how scores of pairs are to be judged."""
    check_looks(looks)
    what = measure_of(measure, "links")
    check_link_measure(splits, network.n_nodes, what)
    chosen = checked(test, verdict_names("pairs"), what)
    # times of links are no weights that communities go by
    timed = design.startswith(TemporalLinks.short)
    linked = network.with_links(*network.simple_links()) if timed else network
    groups = communities_for(linked, communities, entropy)
    choice = TestChoice(chosen, ASKED, True) if chosen != "auto" else _choice(groups)
    return Analysis(
        design=design,
        labeled=labeled,
        communities=communities,
        groups=groups,
        measure=what,
        measures=("error",),
        control=control,
        q="moment",
        confidence=confidence,
        choice=choice,
        entropy=entropy,
        looks=looks,
    )


def _choice(groups: NDArray[np.int32]) -> TestChoice:
    """Choose the test of the verdict by the network alone, before anything is predicted."""
    number = effective_number(np.unique(groups, return_counts=True)[1])
    if number - 1 >= FEWEST_DEGREES:
        return TestChoice(CLUSTER_ENDS_T.name, CLUSTER_ENDS_T.why, False)
    return TestChoice(
        NODE_JACKKNIFE.name,
        f"{NODE_JACKKNIFE.why[:-1]}; with communities that weigh as {number:.2f} of equal size "
        "cluster_ends_t can detect next to nothing.",
        False,
    )


def check_link_measure(splits: Sequence[LinkSplit], n_nodes: int, measure: Measure) -> None:
    """Refuse a measure that is not defined on these test sets, whatever models predict.

    Raises
    ------
    InputError
        Names the first such test set, and what to do.
    """
    for number, split in enumerate(splits):
        hidden, size = int(split.is_link.sum()), split.test.size
        told = f"{hidden} hidden links and {size - hidden} pairs without link"
        if not 0 < hidden < size:
            raise InputError(f"compare: split {number} tests {told}; expected some of each")
        if measure.is_custom:
            continue  # what the function makes of even scores says nothing
        labels, even = split.is_link.astype(np.int32), np.zeros((size, 2))
        empty = np.empty(0, dtype=np.int32)
        psi = measure.contributions(labels, even, empty, split.pairs(n_nodes))
        if np.isnan(psi).any():
            how = (
                "it ranks each hidden link among the pairs without link that share a node with "
                "it, and some link has none; draw them there, as with "
                f"{option('design', 'rrs+ends:50')}"
                if measure.name == "mrr"
                else f"it has {told}; use larger test sets or a smaller number"
            )
            raise InputError(
                f"{measure.title} is not defined on split {number}: {how}", parameter="measure"
            )


def _splits(
    network: Network,
    design: str | LinkDesign | Sequence[LinkSplit],
    labeled: float | None,
    n_splits: int | None,
    entropy: int,
) -> tuple[str, list[LinkSplit], float | None]:
    """Return the name of a design of links, its splits, and the share of the links that is seen."""
    given = options_given(labeled, n_splits)
    if isinstance(design, str):
        made = link_design(design, seed=entropy, **given)
        return design.lower(), made.split_links(network), getattr(made, "labeled", None)
    refuse_options(given)
    if isinstance(design, LinkDesign):
        seen = getattr(design, "labeled", None)
        return design.name, design.split_links(network), seen
    splits = (
        [each for each in design if isinstance(each, LinkSplit)]
        if isinstance(design, Sequence)
        else []
    )
    if not splits or len(splits) < len(design):
        raise InputError(
            parameter="design",
            expected="one of links, such as 'rrs', 'kfold' or 'temporal', a LinkDesign, or "
            "LinkSplits",
            got=shown(design),
        )
    return "given", splits, None


def settings_of_splits(predictions: LinkPredictions) -> dict[str, Any]:
    """Return how large the test sets are, the mean over splits."""
    splits = predictions.splits
    hidden = float(np.mean([split.is_link.sum() for split in splits]))
    return {
        "links_seen": float(np.mean([split.train.size for split in splits])),
        "links_hidden": hidden,
        "pairs_without_link": float(np.mean([split.test.size for split in splits])) - hidden,
    }


def link_comparison_of(judgment: Judgement) -> LinkComparison:
    """Return the comparison of the first pair of a judgment on links."""
    predictions, looks = judgment.scores.predictions, looks_of_pair(judgment)
    baseline = baseline_of(judgment.scores, judgment.analysis)
    return LinkComparison(
        **shared_by_two(judgment),
        warnings=looks_note(looks)
        + judgment.tests[0].warnings
        + judgment.moved_by_communities()
        + model_warnings(predictions)
        + notes_of_links(predictions.network)
        + baseline_notes(judgment.scores, baseline),
        settings=settings_of(predictions.network, judgment.analysis)
        | settings_of_splits(predictions),
        looks=looks,
        baseline=baseline,
    )
