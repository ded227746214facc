"""The options of a comparison, each declared once.

An option is one entry of `Options`: name, type, default, text and spelling on the command line.
Signatures, documentation, checks, refusals and command-line options come from it. `Judged` and
`Asked` say the same to editors and type checkers, which read no code.
"""

# ruff: noqa: RUF009 - declare() is dataclasses.field() in other words
from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeAlias,
    TypedDict,
    get_type_hints,
)

from ..core.declared import Face, Spelling, declare, spelling_of, taking
from ..core.errors import InputError
from ..core.option_names import option

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..core.seeds import Seed
    from ..inference.estimates import QEstimator
    from ..metrics.measures import MeasureLike
    from ..study.fitting import CrossLinks
    from ..study.task import Task
    from .joint_measures import Loss

Setting: TypeAlias = Literal["transductive", "inductive"]
BUDGET = "5min"  # for running the models, and running them again


# function -> with what an option that it does not have cannot be used
WITHOUT: Mapping[str, str] = {
    "sweep": "several proportions of labels",
    "compare_across": "several networks",
    "compare_transfer": "models that learn on another network",
    "compare_labels": "several labels",
    "compare_predictions": "predictions that were made before",
    "compare_shard": "shards, which must agree on the number of networks drawn (n_replicates=)",
}


class Judged(TypedDict, total=False):
    """Options of every comparison, of predictions that were made before too."""

    control: str | None
    positive: Hashable | None
    communities: str | ArrayLike
    measure: MeasureLike
    measures: Sequence[Loss]
    q: QEstimator
    confidence: float
    margin: float | None
    test: str
    n_prior_tests: int | None
    seed: Seed


class Asked(Judged, total=False):
    """Options of comparisons that run models; the proportion of labels is a parameter of each."""

    n_splits: int | Literal["auto"] | None
    design: Any
    cross_links: CrossLinks
    setting: Setting
    n_replicates: int | None
    budget: str | float
    n_seeds: int
    n_jobs: int | None
    store: str | PathLike[str] | None
    retry: bool
    progress: bool | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Options:
    """What a comparison is asked for, beside networks and models."""

    labeled: float | None = declare(
        None,
        "float, optional",
        """Proportion of the labeled nodes to learn from, by default 0.3. For link predictors, the
        proportion of the links that they see, by default 0.9.""",
        flag="--labeled",
        help="Proportion of labeled nodes to learn from.",
        shown="0.3",
    )
    n_splits: int | Literal["auto"] | None = declare(
        None,
        'int or "auto", optional',
        """Number of splits, by default 10, or what the design brings. Where models run again on
        halves, and the `budget` has no time for 10 splits and enough halvings, the default is
        fewer, at least 3; the result says so. Where the bootstrap gives
        the verdict on random resampling ("rrs"), "auto" goes on from 10 to as many as bring the
        noise of splits to a tenth of the variance, at most 100. p-values have no say in it. All
        models, and all proportions of labels, get the number that the neediest pair asks for.
        Elsewhere "auto" is the default number.""",
        flag="--splits",
        metavar="N",
        help="Number of splits; with auto as many as bring their noise to a tenth of the variance, "
        "from 10 to 100, where the bootstrap gives the verdict.",
        shown="10",
        without=("compare_predictions",),
    )
    design: Any = declare(
        "rrs",
        '{"rrs", "ers", "ncv", ...}, Design or sequence of Split',
        """How the network is split. `labeled` and `n_splits` go with a name whose design has them;
        a Design or splits that are given bring their own. For link predictors "rrs", "kfold" or
        "temporal", with "+uniform", "+degree", "+ends" or "+all" for the pairs without link, see
        `nettrial.splits.link_design`.""",
        flag="--design",
        metavar="NAME",
        help="How to split: rrs (random resampling), ers (equal resampling), ncv (network "
        "cross-validation), ...",
        shown="rrs",
        without=("compare_transfer",),
    )
    control: str | None = declare(
        None,
        "str, optional",
        """With several models: compare only each other one with this one, which is fixed
        beforehand.""",
        flag="--control",
        metavar="MODEL",
        help="With --models: compare only each other one with this one.",
        without=("sweep", "compare_across"),
    )
    positive: Hashable | None = declare(
        None,
        "hashable, optional",
        "Take this class against all others together.",
        flag="--positive",
        metavar="VALUE",
        help="Take one class against all others.",
        without=("compare_labels",),
    )
    communities: str | ArrayLike = declare(
        "louvain",
        "str or array_like of int, shape (n_nodes,)",
        """The groups within which errors depend: "louvain", "links_and_features", a node column,
        or a partition. Where models that may learn from features are run again on halves,
        "louvain" means "links_and_features": links between nodes of similar features count as
        well.""",
        flag="--communities",
        metavar="NAME",
        help="Groups of dependent nodes: louvain, links_and_features, or a node column.",
        shown="louvain",
    )
    measure: MeasureLike = declare(
        "error",
        "str or Measure",
        """What is compared. Means over nodes: ``error``, ``accuracy``, ``squared_loss``,
        ``log_loss`` (probabilities are moved into [eps, 1 - eps] with eps = 2**-23 as
        scikit-learn does), ``mrr``, ``hits@K``. Means over classes: ``auc`` (each class against
        the rest), ``macro_f1``, ``weighted_f1``, ``micro_f1`` (the accuracy, as each node has
        one class), ``macro_precision``, ``balanced_accuracy``, ``mean_average_precision``. Of
        one class, named by `positive`: ``precision``, ``recall``, ``f1``,
        ``average_precision``, ``precision@K``, ``recall@SHARE``. ``mcc``; ``ece``, the
        calibration error. Of numeric targets: ``squared_error``, which "error" stands for there,
        ``absolute_error``, ``r2`` and ``spearman``. Of link predictors: ``auc``, which "error"
        stands for there, ``average_precision``, ``hits@K``, ``mrr``, ``precision@K``,
        ``recall@SHARE``. A function of your own by `nettrial.metrics.custom_measure`.""",
        flag="--measure",
        metavar="NAME",
        help="What is compared: error, accuracy, auc, macro_f1, mcc, average_precision, "
        "precision@50, ...; the word list names all.",
        shown="error",
    )
    measures: Sequence[Loss] = declare(
        ("error",),
        'sequence of {"error", "squared_loss", "log_loss"}',
        """Several models alone: two or more add one test of all these measures at once, on means
        within communities; of numeric targets "squared_error" and "absolute_error".""",
        flag="--measures",
        metavar="LIST",
        help="With --models: test several of error, squared_loss, log_loss at once (with "
        "--target: squared_error, absolute_error).",
        without=("sweep", "compare_across", "compare_labels"),
    )
    cross_links: CrossLinks = declare(
        "keep",
        '{"keep", "drop"}',
        "Whether links between training nodes and others stay in the network of a split.",
        flag="--drop-cross-links",
        help="Leave out links between training nodes and others.",
        value="drop",
        without=("compare_predictions",),
    )
    setting: Setting = declare(
        "transductive",
        '{"transductive", "inductive"}',
        """What models see while they learn: all nodes and links, with the labels of training nodes
        alone ("transductive"), or only the training nodes and the links among them ("inductive").
        They then predict with all nodes and links in sight. `cross_links` is another matter: with
        "drop" a model sees all nodes in both steps, and no link between training nodes and
        others.""",
        flag="--inductive",
        help="Models learn from the training nodes and the links among them alone, and then "
        "predict with all nodes and links.",
        value="inductive",
        without=("compare_predictions", "compare_transfer"),
    )
    q: QEstimator = declare(
        "moment",
        '{"moment", "mean_of_failing", "mean_of_erring"}',
        "Estimator of q, see `estimate_q`.",
        without=("compare_labels",),
    )
    confidence: float = declare(
        0.95, "float", "Level of the intervals.", flag="--confidence", shown="0.95"
    )
    margin: float | None = declare(
        None,
        "float, optional",
        """The smallest difference that matters, in units of the measure: 0.01 is one percentage
        point of an error rate. Choose it before you look. The verdict then also says whether a
        model is better by more or by less than the margin, or whether the two are equivalent: two
        one-sided tests, with the estimate, standard error and degrees of freedom of the
        verdict.""",
        flag="--margin",
        metavar="DIFFERENCE",
        help="Smallest difference that matters, in units of the measure (0.01: one percentage "
        "point); the verdict also says whether models are equivalent within it.",
    )
    test: str = declare(
        "auto",
        "str",
        """Which test gives the verdict: "auto", "bootstrap", "halves", or another that answers for
        other networks. It is chosen once for all pairs. "auto" runs all models again: on networks
        drawn from the communities of this one ("bootstrap") where no model can notice copies of a
        node and that is quick, and elsewhere on halves of the communities ("halves"). Where that
        cannot be, a test on the predictions takes its place ("network_hac", or "cluster_robust_t"
        where that one could detect nothing); the result says why. "bootstrap" with a model that
        may notice copies, or with splits that were given, means "halves".""",
        flag="--test",
        metavar="NAME",
        help="Which test gives the verdict, by its name in the table of all tests.",
        shown="auto",
    )
    n_replicates: int | None = declare(
        None,
        "int, optional",
        """Networks that the bootstrap draws, of either of its two kinds, by default 200; or
        halvings of the communities, by default as many as the budget allows, up to 40.""",
        flag="--replicates",
        help="Networks that the bootstrap draws, of either of its two kinds; or halvings of the "
        "communities, by default up to 40 within the budget.",
        shown="200",
        without=("compare_transfer", "compare_labels", "compare_predictions"),
    )
    budget: str | float = declare(
        BUDGET,
        "str or float",
        """Time for running the models, and for running them again on halves of the communities:
        seconds, or a text such as "90s", "10min" or "2h". It is processor time, of each worker
        process, so a busy machine does not shorten it. With less time there are fewer halvings
        and wider intervals, never another question. The number of halvings depends on the time
        that one split took. Results therefore repeat exactly only where all 40 fit in, or
        `n_replicates` is given; the result holds what was planned. A study file keeps the plan of
        the first process that made one, and all others follow it.""",
        flag="--budget",
        metavar="TIME",
        help="Processor time for running models, and again on halves of the communities: "
        "90 (seconds), 90s, 10min, 2h.",
        shown=BUDGET,
        without=("compare_transfer", "compare_labels", "compare_predictions", "compare_shard"),
    )
    n_seeds: int = declare(
        1,
        "int",
        """Training seeds for each split. With two or more the result shows how much of the
        variance is between networks, between splits, and between training seeds, what more of
        each would bring, and which models the seed alone moves by more than they differ. A
        model's measure on a split is the mean over its seeds. Not with a study file.""",
        flag="--seeds",
        metavar="N",
        help="Training seeds for each split; several separate the variance between seeds from "
        "that between splits and networks.",
        shown="1",
        without=("compare_transfer", "compare_labels", "compare_predictions"),
    )
    n_prior_tests: int | None = declare(
        None,
        "int, optional",
        """How many comparisons were made on the labels of this network before this one. The result
        then holds (`prior_tests`) p-value and interval as one of so many comparisons, with this
        one, that were fixed beforehand, and as one of the 2^(n_prior_tests + 1) - 1 to which the
        verdicts of all, yes or no, could lead. The verdict claims a difference only if the first
        of these is significant.""",
        flag="--prior-tests",
        metavar="N",
        help="How many comparisons were made on these labels before this one; the result says "
        "what the verdict is then worth.",
        without=("sweep", "compare_across", "compare_transfer"),
    )
    seed: Seed = declare(
        0,
        "int, SeedSequence or Generator",
        "Everything random derives from it.",
        flag="--seed",
        shown="0",
    )
    n_jobs: int | None = declare(
        None,
        "int, optional",
        """Worker processes, -1 for one per core; by default one process, or what an enclosing
        ``joblib.parallel_config`` says. The result does not depend on it.""",
        flag="--jobs",
        help="Worker processes; -1 is one per core.",
        shown="1",
        without=("compare_predictions",),
    )
    store: str | PathLike[str] | None = declare(
        None,
        "path, optional",
        """Study file in which every model's run on every split, and on every network that the
        bootstrap draws, is kept as it ends. Where the file exists, only what is missing in it is
        run. For several networks or proportions of labels a folder, with a study file for
        each.""",
        flag="--store",
        metavar="FILE",
        help="Keep every finished run in a study file (a folder of them for several networks or "
        "proportions of labels); the same command again runs only what is missing.",
        without=("compare_transfer", "compare_labels", "compare_predictions"),
    )
    retry: bool = declare(
        False,
        "bool",
        "Whether runs that failed before, and are recorded in the study file, are run again.",
        flag="--retry",
        help="Run again what failed, as the study file says.",
        without=("compare_transfer", "compare_labels", "compare_predictions"),
    )
    progress: bool | None = declare(
        None,
        "bool, optional",
        "By default a bar is shown on a terminal.",
        without=("compare_predictions",),
    )

    def refuse_for(self, task: Task) -> None:
        """Refuse options that have no meaning where this is predicted."""
        for name, why in task.without.items():
            self.refuse(f"{task.models}, since {why}", name)

    def refuse(self, what: str, *names: str) -> None:
        """Refuse options that would be ignored."""
        for name in names:
            value, default = getattr(self, name), declared()[name].default
            if value is not default and not (type(value) is type(default) and value == default):
                raise not_used(name, what)

    @property
    def links_shown(self) -> CrossLinks:
        """What models see of the links between training nodes and others."""
        if self.setting == "inductive" and self.cross_links == "drop":
            raise InputError(
                f"cannot be used with {option('setting', 'inductive')}",
                parameter="cross_links",
                hint="leave one out",
                where="compare",
            )
        return "inductive" if self.setting == "inductive" else self.cross_links

    def but(self, **changed: Any) -> Self:
        """Return the same options but for some."""
        return replace(self, **changed)


def not_used(name: str, what: str, where: str = "compare") -> InputError:
    """Return the error of an option that cannot be used with something."""
    return InputError(
        f"cannot be used with {what}", parameter=name, hint="leave it out", where=where
    )


@functools.cache
def declared() -> dict[str, Field[Any]]:
    """Return every option by its name."""
    return {each.name: each for each in fields(Options)}


def spelling(name: str) -> Spelling:
    """Return what documentation and the command line say of an option."""
    return spelling_of(declared()[name])


@functools.cache
def kinds() -> dict[str, Any]:
    """Return the types of all options; importing them is what the command line's help need not."""
    from numpy import typing

    from ..core import seeds
    from ..inference import estimates
    from ..metrics import measures
    from ..study import fitting
    from . import joint_measures

    names: dict[str, Any] = {}
    for module in (typing, seeds, estimates, measures, fitting, joint_measures):
        names |= vars(module)
    return get_type_hints(Options, localns=names)


def offered(face: str) -> list[str]:
    """Return the options of a function, in the order of `Options`."""
    return [name for name in declared() if face not in spelling(name).without]


def takes_options(function: Face) -> Face:
    """Make a function take, check, document and refuse the options of a comparison."""
    return taking(function, declared(), kinds, _refusal)


def _refusal(face: str, name: str) -> InputError:
    known = face in WITHOUT
    return not_used(name, WITHOUT[face]) if known else not_used(name, f"{face}()", face)
