"""Measures that models are judged by, as means of what each tested node contributes.

A measure M of the empirical distribution of the nodes has an influence function, and
psi_i = M + influence of node i has the mean M. For losses psi_i is the node's own loss; for a
curved measure it is the first order of what the node adds (von Mises), so that the variance of
the mean of psi is that of M. Tests of means thereby test any measure.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import listed, printable
from . import hidden_links, influence, regression
from .influence import SMALLEST, Codes, Floats
from .left_out import LeftOut

Better: TypeAlias = Literal["lower", "higher"]
Predicted: TypeAlias = Literal["classes", "numbers", "links"]
WITH_NUMBER = re.compile(r"(precision|recall|hits)@(\d*\.?\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Measure:
    """What models are judged by.

    Attributes
    ----------
    name : str
        As users name it.
    words : str
        As texts name it before a number.
    title : str
        As headings name it.
    better : {"lower", "higher"}
        Which values are better.
    needs_probabilities : bool
        Whether predicted classes alone do not do.
    shares : bool
        Whether it is reported in percent.
    largest : float
        The largest value that it can take.
    contributions : callable
        (labels, probabilities, predicted classes, nodes) of a test set -> psi, shape (n_test,),
        NaN where the measure is not defined on it.
    least : float
        The smallest value that it can take.
    needs_two_classes : bool
        Whether it is undefined on a test set of one class.
    needs_positive : bool
        Whether it judges how well one class is distinguished from the others.
    least_nodes : int
        Test nodes below which it is undefined.
    least_classes : int
        Classes below which it says nothing, since it has its largest value for any model.
    is_mean : bool
        Whether it is a plain mean over the nodes, so that psi is no approximation.
    is_custom : bool
        Whether it is a user's function, which a study file cannot hold.
    of : {"classes", "numbers", "links"}
        What is predicted. For links `contributions` takes 1 for a link and 0 for a pair without in
        the place of labels, their scores as the second column of probabilities, and pairs of nodes
        in the place of nodes. For numbers `contributions` takes targets in the place of labels, and
        the predicted numbers in that of both others.
    unit : str
        Of its values and differences, where they have one beside that of shares.
    """

    name: str
    words: str
    title: str
    better: Better
    needs_probabilities: bool
    shares: bool
    largest: float
    contributions: Callable[[Codes, Floats, Codes, NDArray[np.intp]], Floats]
    least: float = 0.0
    needs_two_classes: bool = False
    needs_positive: bool = False
    least_nodes: int = 1
    least_classes: int = 0
    is_mean: bool = False
    is_custom: bool = False
    of: Predicted = "classes"
    unit: str = ""

    @property
    def sign(self) -> int:
        """Return 1 where lower values are better, else -1."""
        return 1 if self.better == "lower" else -1

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the smallest and the largest value that it can take."""
        return self.least, self.largest

    @property
    def reach(self) -> float:
        """Return the largest difference that two models can have."""
        return self.largest - self.least

    def value(self, *test_set: Any) -> float:
        """Return its value on a test set, of which it is handed what `contributions` takes.

        A function is evaluated once.
        """
        if isinstance(self.contributions, LeftOut):
            return self.contributions.value(*test_set)
        return float(self.contributions(*test_set).mean())

    def by_groups(self, groups: NDArray[np.intp], *test_set: Any) -> tuple[float, Floats]:
        """Return its value, and what the nodes of each group contribute, by the groups' numbers.

        A function is evaluated without each group in turn.
        """
        if isinstance(self.contributions, LeftOut):
            return self.contributions.by_groups(groups, *test_set)
        psi = self.contributions(*test_set)
        return float(psi.mean()), np.asarray(np.bincount(groups, weights=psi), dtype=np.float64)


# a function too, so that its refusal can name `custom_measure`
MeasureLike: TypeAlias = str | Measure | Callable[..., float]
Formula: TypeAlias = Callable[[Codes, Floats, Codes], Floats]
OfNumbers: TypeAlias = Callable[[Floats, Floats, Any], Floats]


def _loss(name: str, title: str, formula: Formula, largest: float, **more: Any) -> Measure:
    words = name.replace("_", " ")
    return Measure(name, words, title, "lower", name != "error", more.pop("shares", False), largest,
                   _WithoutNodes(formula), is_mean=True, **more)  # fmt: skip


def _gain(
    name: str, title: str, formula: Formula, *, scores: bool = False, words: str = "", **more: Any
) -> Measure:
    shares = more.pop("shares", True)
    return Measure(name, words or title, title, "higher", scores, shares, 1.0,
                   _WithoutNodes(formula), **more)  # fmt: skip


def _of_numbers(
    name: str,
    formula: OfNumbers,
    better: Better,
    bounds: tuple[float, float],
    *,
    title: str = "",
    **more: Any,
) -> Measure:
    title = title or name.replace("_", " ")
    return Measure(name, title, title, better, False, False, bounds[1], _WithoutNodes(formula),
                   least=bounds[0], of="numbers", **more)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _WithoutNodes:
    """A formula that does not look at which nodes are tested; it can be sent to workers."""

    formula: Formula | OfNumbers

    def __call__(
        self, labels: Codes, probabilities: Floats, predicted: Codes, _nodes: NDArray[np.intp]
    ) -> Floats:
        return self.formula(labels, probabilities, predicted)  # type: ignore[arg-type]


MEASURES: dict[str, Measure] = {
    m.name: m
    for m in (
        _loss("error", "error rate", influence.errors, 1.0, shares=True),
        _loss("squared_loss", "squared loss (Brier)", influence.squared, 2.0),
        _loss("log_loss", "log loss", influence.logarithmic, -float(np.log(SMALLEST))),
        _gain("auc", "AUC", influence.ranking, scores=True, needs_two_classes=True),
        _gain("macro_f1", "macro-F1", influence.harmonic),
        _gain("accuracy", "accuracy", influence.correct, is_mean=True),
        _gain("balanced_accuracy", "balanced accuracy", influence.balanced),
        _gain("micro_f1", "micro-F1 (accuracy)", influence.correct, words="micro-F1", is_mean=True),
        _gain("weighted_f1", "weighted F1", influence.weighted_harmonic),
        _gain("macro_precision", "macro-precision", influence.macro_precision),
        _gain("mcc", "Matthews correlation", influence.correlation, shares=False, least=-1.0),
        _gain("mean_average_precision", "mean average precision",
              influence.mean_average_precision, scores=True),
        _gain("mrr", "mean reciprocal rank", influence.reciprocal_rank, scores=True, shares=False,
              is_mean=True),
        _gain("precision", "precision", influence.positive_precision, needs_positive=True),
        _gain("recall", "recall", influence.positive_recall, needs_positive=True),
        _gain("f1", "F1", influence.positive_f1, needs_positive=True),
        _gain("average_precision", "average precision", influence.positive_average_precision,
              scores=True, needs_positive=True),
        _of_numbers("squared_error", regression.squared, "lower", (0.0, np.inf), is_mean=True,
                    unit="squared units of the target"),
        _of_numbers("absolute_error", regression.absolute, "lower", (0.0, np.inf), is_mean=True,
                    unit="units of the target"),
        _of_numbers("r2", regression.determination, "higher", (-np.inf, 1.0), title="R²"),
        _of_numbers("spearman", regression.rank_correlation, "higher", (-1.0, 1.0),
                    title="rank correlation (Spearman)"),
        Measure("ece", "calibration error", "expected calibration error", "lower", True, True, 1.0,
                _WithoutNodes(influence.calibration_error)),
    )
}  # fmt: skip
# by `letters`; MAP is the mean over classes here, that over queries is a function of its own
ALIASES = {
    "fmeasure": "f1", "f1score": "f1", "fscore": "f1", "map": "mean_average_precision",
    "ap": "average_precision", "avgp": "average_precision",
    "errorrate": "error", "classificationerror": "error", "misclassificationrate": "error",
    "01loss": "error", "zerooneloss": "error", "brier": "squared_loss", "mse": "squared_error",
    "mae": "absolute_error",
}  # fmt: skip
FAMILIES = ("precision@K", "recall@SHARE", "hits@K")
# measures of scores of pairs of nodes, of which some are links
LINK_MEASURES: dict[str, Measure] = {
    m.name: replace(m, of="links", needs_positive=False)
    for m in (
        MEASURES["auc"],
        MEASURES["average_precision"],
        replace(MEASURES["mrr"], contributions=hidden_links.rank_at_its_ends, is_mean=False),
    )
}


def measure_named(measure: MeasureLike) -> Measure:
    """Return a measure by its name, or as it is.

    Parameters
    ----------
    measure : str or Measure
        A name in `MEASURES`, in any capitals and hyphens; ``precision@K``, the precision among the
        K nodes of a test set with the highest scores; ``recall@SHARE``, the recall when that share
        of the nodes is taken; ``hits@K``, how often the true class is among the K most probable
        ones; or a `Measure`.

    Examples
    --------
    >>> measure_named("auc").better
    'higher'
    >>> measure_named("Macro-F1").name, measure_named("F-measure").name, measure_named("MAP").name
    ('macro_f1', 'f1', 'mean_average_precision')
    >>> measure_named("precision@50").title
    'precision among the 50 highest scores'
    """
    if isinstance(measure, Measure):
        return measure
    if callable(measure):
        raise InputError(
            parameter="measure",
            expected="a name or a Measure",
            got="a function, of which it is not known whether higher values are better",
            hint="use custom_measure(function, better='higher')",
        )
    if not isinstance(measure, str):
        raise InputError(
            parameter="measure",
            expected="a name or a Measure",
            got=f"{shown(measure)} ({type(measure).__name__})",
        )
    if found := WITH_NUMBER.fullmatch(measure.replace("_at_", "@")):
        return _with_number(*found.groups())
    name = listed(measure, MEASURES, ALIASES)
    if name not in MEASURES:
        raise unknown_choice("measure", measure, [*MEASURES, *FAMILIES])
    return MEASURES[name]


def measure_of(measure: MeasureLike, kind: Predicted) -> Measure:
    """Return the measure by which models of one kind are judged, see `measure_named`.

    "error", the default everywhere, is the squared error where numbers are predicted. Where links
    are, it is the AUC, which does not depend on how many pairs without link are drawn; for other
    measures see `link_measure_named`.

    Examples
    --------
    >>> [measure_of("error", kind).name for kind in ("numbers", "classes", "links")]
    ['squared_error', 'error', 'auc']
    """
    if kind == "links":
        return link_measure_named("auc" if measure == "error" else measure)
    if kind == "numbers" and measure == "error":
        measure = "squared_error"
    found = measure_named(measure)
    if found.of != kind and not found.is_custom:
        allowed = [name for name, each in MEASURES.items() if each.of == kind]
        raise InputError(
            parameter="measure",
            expected=f"one of {', '.join(allowed)} for models that predict {kind}",
            got=f"{found.title}, which judges predicted {found.of}",
        )
    return found


def _with_number(family: str, text: str) -> Measure:
    name = f"{family}@{text}"
    if family == "recall":
        share = float(text)
        if not 0 < share < 1:
            raise InputError(
                parameter="measure", expected="a share above 0 and below 1 after @", got=name
            )
        return _gain(name, f"recall among the {share:.10g} of nodes with the highest scores",
                     partial(influence.recall_among, share), scores=True, words=name,
                     needs_positive=True)  # fmt: skip
    if not text.isdigit() or not 0 < int(text) < 2**31:
        raise InputError(parameter="measure", expected="a whole number from 1 after @", got=name)
    k = int(text)
    if family == "hits":
        return _gain(f"hits@{k}", f"hits among the {k} most probable classes",
                     partial(influence.hits, k), scores=True, words=f"hits@{k}",
                     least_classes=k + 1, is_mean=True)  # fmt: skip
    return _gain(f"precision@{k}", f"precision among the {k} highest scores",
                 partial(influence.precision_among, k), scores=True, words=f"precision@{k}",
                 needs_positive=True, least_nodes=k)  # fmt: skip


def link_measure_named(measure: MeasureLike) -> Measure:
    """Return a measure of scores of pairs by its name.

    Parameters
    ----------
    measure : str or Measure
        ``"auc"``, ``"average_precision"``; ``hits@K``, the share of the links scored above the
        K-th best pair without link; ``"mrr"``, the mean over links of one over the rank among the
        pairs without link that share a node with it; ``precision@K`` and ``recall@SHARE`` among
        all pairs of a test set; or what `custom_measure` made of a function of labels (1 for a
        link) and scores, and of the pairs, shape (n_test, 2), where it takes nodes.

    Examples
    --------
    >>> link_measure_named("hits@20").title
    'hits above the 20th pair without link'
    """
    if isinstance(measure, Measure) and measure.is_custom:
        if measure.needs_probabilities:
            raise InputError(
                expected="a function of scores",
                got="one of probabilities",
                hint="leave probabilities= out of custom_measure, and the function is handed the "
                "scores",
                where="measure of link predictors",
            )
        return replace(measure, of="links")
    if callable(measure) and not isinstance(measure, Measure):
        return measure_named(measure)  # refuses it, and names `custom_measure`
    if not isinstance(measure, str):
        raise InputError(
            parameter="measure",
            expected=f"a name for link predictors, one of {', '.join([*LINK_MEASURES, *FAMILIES])}",
            got=shown(measure),
        )
    if found := WITH_NUMBER.fullmatch(measure.replace("_at_", "@")):
        made = _with_number(*found.groups())
        if found[1] != "hits":
            return replace(made, of="links", needs_positive=False)
        k = int(found[2])
        return _gain(made.name, f"hits above the {_ordinal(k)} pair without link",
                     partial(hidden_links.hits_above, k), scores=True, words=made.name,
                     of="links")  # fmt: skip
    if measure not in LINK_MEASURES:
        raise unknown_choice("measure of link predictors", measure, [*LINK_MEASURES, *FAMILIES])
    return LINK_MEASURES[measure]


def _ordinal(k: int) -> str:
    """Return a number as a place.

    Examples
    --------
    >>> [_ordinal(k) for k in (1, 2, 3, 11, 20, 22)]
    ['1st', '2nd', '3rd', '11th', '20th', '22nd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(k % 10 * (k % 100 // 10 != 1), "th")
    return f"{k}{ending}"


@check_arguments
def custom_measure(
    function: Callable[..., float],
    *,
    better: Better,
    name: str = "",
    probabilities: bool = False,
    takes_nodes: bool = False,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Measure:
    """Make a measure of a function of true and predicted classes.

    Use it to compare models by a measure that has no name here. What each test node contributes
    is found by leaving it out (the jackknife's influence values): one evaluation of the function
    for each test node and one more, for every split and model. On networks that the bootstrap
    draws, communities are left out instead of nodes; on halves the function is evaluated once
    for every split and model. It assumes a measure that changes smoothly with the
    share of each kind of node, as rates, F-measures, correlations and areas do; for a median or
    the best of something the values do not hold.

    Parameters
    ----------
    function : callable
        ``function(y_true, y_pred)``, with class codes of shape (n_test,), that is places in
        ``network.classes``, or targets and predicted numbers; of link predictors 1 for a link and 0
        for a pair without, and the scores; returns a number.
    better : {"lower", "higher"}
        Which values are better.
    name : str, default: the function's name
        As texts and tables name it.
    probabilities : bool, default: False
        Hand over class probabilities, shape (n_test, n_classes), in place of predicted classes.
    takes_nodes : bool, default: False
        Hand over the numbers of the test nodes as a third argument; of link predictors those of
        both nodes of each pair, shape (n_test, 2).
    bounds : (float, float), default: unbounded
        The smallest and the largest value that it can take; another one is refused.

    Returns
    -------
    Measure
        For ``measure=`` of `compare` and its siblings. A study file cannot hold it.

    Raises
    ------
    InputError
        For what is no function, another word for `better`, or bounds out of order.

    References
    ----------
    B. Efron (1992), Jackknife-after-bootstrap standard errors and influence functions, Journal of
    the Royal Statistical Society: Series B 54(1), 83-111.

    Examples
    --------
    >>> def share_of_right(y_true, y_pred):
    ...     return (y_true == y_pred).mean()
    >>> custom_measure(share_of_right, better="higher", bounds=(0, 1)).title
    'share of right'
    """
    if not callable(function):
        raise InputError(parameter="function", expected="a function", got=shown(function))
    if better not in ("lower", "higher"):
        raise unknown_choice("better", better, ("lower", "higher"))
    try:
        low, high = (float(end) for end in bounds)
    except (TypeError, ValueError):
        raise InputError(parameter="bounds", expected="two numbers", got=shown(bounds)) from None
    if not low < high:
        raise InputError(parameter="bounds", expected="the smaller first", got=shown(bounds))
    own = getattr(function, "__name__", type(function).__name__)
    given = printable(str(name or ("your measure" if own == "<lambda>" else own)))
    words = given.replace("_", " ").strip()
    contributions = LeftOut(function, probabilities, takes_nodes, (low, high))
    return Measure(given, words, words, better, probabilities, False, high, contributions,
                   least=low, is_custom=True)  # fmt: skip
