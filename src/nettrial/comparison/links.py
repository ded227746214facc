"""Compare link predictors: from a network's links to a verdict, by the road of all comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import isroutine
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.seeds import Stream, derive, freeze
from ..inference.choice import ASKED, TestChoice, checked
from ..inference.margins import check_margin
from ..inference.on_pairs import CLUSTER_ENDS_T, FEWEST_DEGREES, NODE_JACKKNIFE
from ..inference.registry import verdict_names
from ..metrics.measures import Measure, measure_of
from ..models.link_predictors import (
    LinkPredictor,
    as_link_predictor,
    is_link_predictor,
    listed_predictor,
)
from ..models.names import is_name
from ..network.communities import effective_number
from ..network.network import Network
from ..splits.link_designs import (
    LinkDesign,
    LinkSplit,
    TemporalLinks,
    link_design,
    listed_link_design,
)
from ..stats.result import check_confidence
from ..study.link_study import LinkPlan, LinkPredictions, run_links
from ..study.node_study import model_warnings, tell_warnings
from ..study.parallel import check_n_jobs
from .analysis import Analysis, communities_for
from .baseline import baseline_notes, baseline_of
from .endings import ending_of_pair
from .judge import Cell, Judgement, judge, prior_tests_of_pair
from .notes import notes_of_links
from .options import Options
from .pair import settings_of, shared_by_two
from .prior_tests import check_prior_tests, prior_tests_note
from .result import LinkComparison
from .setup import (
    check_models,
    check_network,
    check_retry,
    check_storable,
    options_given,
    refuse_options,
    unique_names,
)

# what has no meaning where links are predicted, and why
WITHOUT_LINKS: Mapping[str, str] = {
    "positive": "there are no classes",
    "cross_links": "links are divided, and no nodes",
    "q": "no errors of classes are estimated",
    "measures": "they are for errors of nodes",
    "n_replicates": "no test of pairs runs the models again",
    "budget": "no test of pairs runs the models again",
    "n_seeds": "a model is run once on each split, with a seed of its own",
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
    options : Options
        As they were given; how the models are run.
    """

    network: Network
    models: dict[str, LinkPredictor]
    splits: list[LinkSplit]
    analysis: Analysis
    options: Options

    @classmethod
    def of(cls, network: Network, models: Sequence[Any], options: Options) -> LinkSetup:
        """Check everything that can be checked before any model runs, see `compare`."""
        for name, why in WITHOUT_LINKS.items():
            options.refuse(f"link predictors, since {why}", name)
        check_confidence(options.confidence)
        check_n_jobs(options.n_jobs)
        check_network(network)
        check_retry(options.retry, options.store)
        if network.n_links < 2:
            raise InputError(
                expected="a network with at least 2 links",
                got=f"{network.n_links}",
                where="compare",
            )
        check_storable(measure_of(options.measure, "links"), options.store)
        entropy = freeze(options.seed)
        built = unique_names(models, as_link_predictor, listed_predictor)
        control = check_models(tuple(built), options.control, listed_predictor)
        name, splits, seen = _splits(network, options, entropy)
        how = options.but(control=control, labeled=seen, seed=entropy)
        analysis = analysis_of_links(network, splits, how, design=name)
        return cls(network, built, splits, analysis, options)

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
            n_jobs=self.options.n_jobs,
            store=self.options.store,
            retry=self.options.retry,
            analysis=self.analysis.to_dict(),
            progress=self.options.progress,
        )
        tell_warnings(found)
        return found

    def judge(self) -> Judgement:
        """Run all models, and test their differences."""
        return judge([Cell(self.predictions(), self.analysis)])[0]


def analysis_of_links(
    network: Network,
    splits: Sequence[LinkSplit],
    options: Options,
    *,
    design: str,
    settings: Mapping[str, Any] | None = None,
) -> Analysis:
    """Check how scores of pairs are to be judged."""
    check_prior_tests(options.n_prior_tests)
    what, entropy = measure_of(options.measure, "links"), freeze(options.seed)
    check_margin(options.margin, what, options.confidence)
    check_link_measure(splits, network.n_nodes, what)
    chosen = checked(options.test, verdict_names("pairs"), what)
    # times of links are no weights that communities go by
    timed = design.startswith(TemporalLinks.short)
    linked = network.with_links(*network.simple_links()) if timed else network
    groups = communities_for(linked, options.communities, entropy)
    choice = TestChoice(chosen, ASKED, True) if chosen != "auto" else _choice(groups)
    return Analysis(
        design=design,
        labeled=options.labeled,
        communities=options.communities,
        groups=groups,
        measure=what,
        measures=("error",),
        control=options.control,
        q="moment",
        confidence=options.confidence,
        choice=choice,
        entropy=entropy,
        settings=dict(settings or {}),
        n_prior_tests=options.n_prior_tests,
        margin=options.margin,
    )


def _choice(groups: NDArray[np.int32]) -> TestChoice:
    """Choose the test of the verdict by the network alone, before anything is predicted."""
    number = effective_number(np.unique(groups, return_counts=True)[1])
    if number - 1 >= FEWEST_DEGREES:
        return TestChoice(CLUSTER_ENDS_T.name, CLUSTER_ENDS_T.why, False)
    return TestChoice(
        NODE_JACKKNIFE.name,
        f"{NODE_JACKKNIFE.why[:-1]}; the communities count as {number:.2f} of equal size, too few "
        "for a test over communities.",
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
        note = f"{hidden} hidden links and {size - hidden} pairs without link"
        if not 0 < hidden < size:
            raise InputError(f"compare: split {number} tests {note}; expected some of each")
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
                else f"it has {note}; use larger test sets or a smaller number"
            )
            raise InputError(
                f"{measure.title} is not defined on split {number}: {how}", parameter="measure"
            )


def _splits(
    network: Network, options: Options, entropy: int
) -> tuple[str, list[LinkSplit], float | None]:
    """Return the name of a design of links, its splits, and the share of the links that is seen."""
    design, given = options.design, options_given(options)
    if isinstance(design, str):
        made = link_design(design, seed=entropy, **given)
        return listed_link_design(design), made.split_links(network), getattr(made, "labeled", None)
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
    predictions, prior = judgment.scores.predictions, prior_tests_of_pair(judgment)
    baseline = baseline_of(judgment.scores, judgment.analysis)
    return LinkComparison(
        **shared_by_two(judgment),
        estimates={},
        warnings=prior_tests_note(prior)
        + judgment.tests[0].warnings
        + judgment.moved_by_communities()
        + model_warnings(predictions)
        + baseline_notes(judgment.scores, baseline)
        + notes_of_links(predictions.network),
        settings=settings_of(predictions.network, judgment.analysis)
        | settings_of_splits(predictions),
        prior_tests=prior,
        ending=ending_of_pair(judgment, prior),
        baseline=baseline,
    )
