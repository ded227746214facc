"""Run models on splits and keep what they predict."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import (
    InputError,
    ModelWarning,
    NettrialWarning,
    TuningNote,
    shown,
    unknown_choice,
    warn_user,
)
from ..core.option_names import option
from ..core.seeds import Seed, freeze
from ..core.wording import plural
from ..models.base import AnyModel
from ..models.link_predictors import LinkPredictor
from ..models.tuning import CHOSE
from ..network.network import Network
from ..store.splits import AnySplit
from ..store.units import IncompleteStudyError
from .class_task import NOT_TESTED
from .fitting import CrossLinks, ModelError
from .study_plan import Plan, by_split
from .task import Task
from .tasks import task_of

if TYPE_CHECKING:
    import pandas as pd

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
MOST_CHOICES = 5  # settings of a tuned model that are listed

__all__ = [
    "NOT_TESTED",
    "CrossLinks",
    "IncompleteStudyError",
    "ModelError",
    "Predictions",
    "by_split",
    "run",
]


@dataclass(frozen=True, slots=True)
class Predictions:
    """What each model predicted for the test nodes of each split.

    Attributes
    ----------
    network : Network
        The network with all its labels.
    splits : tuple of Split or LinkSplit
        The divisions that were used.
    models : tuple of str
        Names of the models.
    probabilities : mapping of str to tuple of ndarray, each (n_test, n_classes)
        For each model and split the class probabilities of the test nodes; of a network with a
        numeric target the predicted numbers, and of links the scores of the test pairs, each
        (n_test,).
    warnings : mapping of str to tuple of tuple of str
        For each model and split what the model warned of while it ran.
    reseeded : tuple of Predictions
        What the same models predicted on the same splits with other training seeds.
    decided : mapping of str to tuple of ndarray of int, each (n_test,)
        For each model and split the predicted classes, where they do not follow from these
        probabilities: of `one_against_rest` of more than two classes. Else empty.
    kind : Task or None
        What was predicted; None for what the splits divide.
    seconds : mapping of str to tuple of float
        For each model and split the time of fit and prediction, by `nettrial.core.clock`. A
        built-in model that takes splits in batches has the mean of its batch. Empty for
        predictions made elsewhere.
    megabytes : mapping of str to tuple of float
        For each model and split the main memory that fit and prediction took at their peak beside
        what the process held, where worker processes ran them; else NaN, or empty.
    """

    network: Network
    splits: tuple[Any, ...]
    models: tuple[str, ...]
    probabilities: Mapping[str, tuple[NDArray[np.floating], ...]]
    warnings: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    reseeded: tuple[Predictions, ...] = ()
    decided: Mapping[str, tuple[NDArray[np.int32], ...]] = field(default_factory=dict)
    kind: Task | None = None
    seconds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    megabytes: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def median_seconds(self) -> dict[str, float]:
        """Median time of each model for fit and prediction on one split; empty where not known.

        Results hold it under "seconds", which with "megabytes" alone differs from run to run.
        """
        return self._medians("seconds")

    @property
    def median_megabytes(self) -> dict[str, float]:
        """Median of the memory that each model took on one split; empty where not known."""
        return self._medians("megabytes")

    def _medians(self, what: str) -> dict[str, float]:
        found = {}
        for name in self.models:
            every = [each for run in self.runs for each in getattr(run, what).get(name, ())]
            if not all(map(math.isnan, every)):
                found[name] = float(np.nanmedian(every))
        return found

    @property
    def total_seconds(self) -> float:
        """Time of all models on all splits, one after the other."""
        times = [each for run in self.runs for one in run.seconds.values() for each in one]
        return float(np.nansum(times))

    @check_arguments
    def predicted(self, model: str, split: int) -> NDArray[np.int32]:
        """Return the predicted classes of the test nodes of one split, as codes.

        They are the most probable ones, see `nettrial.models.predict_labels`; of one class against
        the others those of the predictions of all classes.
        """
        if model not in self.probabilities:
            raise unknown_choice("model", model, self.models)
        if not -len(self.splits) <= split < len(self.splits):
            raise InputError(
                expected=f"a number below {len(self.splits)}, of that many splits",
                got=shown(split),
                where="split",
            )
        return self.task.predicted(self, model, split)

    @property
    def task(self) -> Task:
        """What was predicted."""
        return task_of(self.network, self.splits) if self.kind is None else self.kind

    @property
    def runs(self) -> tuple[Predictions, ...]:
        """The predictions with each training seed."""
        return (replace(self, reseeded=()), *self.reseeded) if self.reseeded else (self,)

    @check_arguments
    def errors(self, model: str) -> NDArray[np.int8]:
        """Return the error matrix: 1 wrong, 0 right, -1 not tested.

        Shape (n_splits, n_nodes); with several training seeds the splits come once for each,
        shape (n_seeds * n_splits, n_nodes).

        Raises
        ------
        InputError
            Where numbers or links were predicted, which are neither right nor wrong.
        """
        if model not in self.probabilities:
            raise unknown_choice("model", model, self.models)
        if self.reseeded:
            return np.concatenate([run.errors(model) for run in self.runs])
        return self.task.errors(self, model)

    @check_arguments
    def chosen(self, model: str) -> dict[str, int]:
        """Return which settings a tuned model chose, and on how many splits.

        Empty for a model that is not tuned. See `nettrial.tuned`.
        """
        if model not in self.probabilities:
            raise unknown_choice("model", model, self.models)
        texts = [
            text for run in self.runs for split in run.warnings.get(model, ()) for text in split
        ]
        return dict(
            Counter(t.removeprefix(CHOSE) for t in texts if t.startswith(CHOSE)).most_common()
        )

    @check_arguments
    def one_against_rest(self, positive: Hashable) -> Predictions:
        """Return the same predictions of one class against all others together.

        Each model's probability of the positive class is kept, the other classes have the rest. A
        node is predicted to be positive where it is predicted to be of that class among all of
        them, which with more than two may be with a probability below one half.

        Parameters
        ----------
        positive : hashable
            A class of the network, or its text form.

        Raises
        ------
        InputError
            Where there is no such class.

        Examples
        --------
        >>> from nettrial.splits.base import Split
        >>> net = Network([0], [1], n_nodes=3, labels=["x", "y", "z"])
        >>> from nettrial.splits import Split
        >>> split = Split(np.array([0, 1]), np.array([2]), np.array([2]))
        >>> found = Predictions(net, (split,), ("m",), {"m": (np.array([[0.25, 0.25, 0.5]]),)})
        >>> found.one_against_rest("z").probabilities["m"][0].tolist()
        [[0.5, 0.5]]
        >>> found.one_against_rest("z").predicted("m", 0).tolist()
        [1]
        """
        network = self.network.one_against_rest(positive)
        place = self.network.classes.index(network.classes[1])
        return replace(
            self,
            network=network,
            probabilities={
                model: tuple(np.stack([1 - p[:, place], p[:, place]], axis=1) for p in tables)
                for model, tables in self.probabilities.items()
            },
            decided={
                model: tuple(
                    (self.predicted(model, number) == place).astype(np.int32)
                    for number in range(len(self.splits))
                )
                for model in self.models
            }
            if self.decided or self.network.n_classes > 2
            else {},
            reseeded=tuple(run.one_against_rest(positive) for run in self.reseeded),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per split, test node and model: label, prediction, class probabilities.

        With several training seeds, one row for each of these, with a column "seed".
        Of a network with a numeric target: target and prediction. Of links, one row per split and
        test pair: source, target, label (1 for a link), and the score of each model.
        """
        if self.reseeded:
            import pandas as pd

            frames = [run.to_frame() for run in self.runs]
            for number, frame in enumerate(frames):
                frame.insert(1, "seed", number)
            return pd.concat(frames, ignore_index=True)
        return self.task.frame(self)


@check_arguments
def run(
    network: Network,
    models: Mapping[str, AnyModel | LinkPredictor],
    splits: Sequence[AnySplit],
    *,
    seed: Seed = 0,
    n_jobs: int | None = None,
    cross_links: CrossLinks = "keep",
    store: str | PathLike[str] | None = None,
    retry: bool = False,
    analysis: Mapping[str, Any] | None = None,
    drawn: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    task: Task | None = None,
    first: int | None = None,
    number: Callable[[float], int] | None = None,
) -> Predictions:
    """Train every model on every split and keep its predictions for the test nodes.

    Each model is handed the network with all labels hidden but those of the training nodes; a link
    predictor that with the links of the training set.

    Parameters
    ----------
    network : Network
        With the labels of training and test nodes.
    models : mapping of str to Model
        The models, or link predictors, by the names under which their predictions are kept.
    splits : sequence of Split or LinkSplit
        For example from ``RandomResampling().split_network(network)``.
    seed : int, SeedSequence or Generator
        Each fit derives its own seed from it, the model's name and the split's number.
    n_jobs : int, optional
        Worker processes, -1 for one a core; by default one process, or what an enclosing
        ``joblib.parallel_config`` says. The result does not depend on it.
    cross_links : {"keep", "drop", "inductive"}
        Whether links between training nodes and others stay in the network of a split. With
        "inductive" a model learns from the training nodes and the links among them alone, and then
        predicts on the whole network.
    store : path, optional
        Study file in which every unit of work (one model on one split) is kept as it ends. Where
        the file exists, only what is missing in it is run.
    retry : bool
        Whether units that failed before are run again.
    drawn : mapping, optional
        What results on networks depend on that will be drawn from this one and kept in the same
        study file; a file whose drawn networks depend on anything else is refused.
    analysis : mapping, optional
        Kept in the study file: how its results are meant to be analyzed.
    progress : bool, optional
        By default a bar is shown on a terminal.
    task : Task, optional
        What is predicted: by default links where splits divide them, else what the network has of
        its nodes, classes or numbers.
    first : int, optional
        Splits with which a study file was begun, by default all; the others may be new to it.
    number : callable, optional
        Gives the number of splits to run by the seconds that all models take for one, by default
        all; without a study file.

    Raises
    ------
    InputError
        Where there is no split, no model, or a test node without label, or the study file cannot
        be used or was made with other inputs.
    ModelError
        Where a model fails and there is no study file; names model and split.
    IncompleteStudyError
        Where units failed and are recorded in the study file, when all others have ended.

    Warns
    -----
    ModelWarning
        Where models warned; once for each warning, with the number of splits.

    Examples
    --------
    >>> from nettrial.models import WVRN
    >>> from nettrial.splits import RandomResampling
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    >>> run(net, {"wvRN": WVRN()}, splits).to_frame().shape
    (4, 7)
    """
    if retry and store is None:
        raise InputError(
            f"run: {option('retry', True)} needs the study file whose failed units it runs again"
        )
    plan = Plan(network, dict(models), tuple(splits), freeze(seed), cross_links, task, first)
    with plan.record(store, drawn=drawn, analysis=analysis, retry=retry) as record:
        if number is not None:
            plan.shorten(record, n_jobs, number)
        probabilities, heard, seconds = plan.complete(record, n_jobs, progress)
        names = tuple(plan.models)
        megabytes = by_split(names, len(plan.splits), record.megabytes(), math.nan)
    found = Predictions(
        network,
        plan.splits,
        names,
        probabilities,
        heard,
        kind=task,
        seconds=seconds,
        megabytes=megabytes,
    )
    tell_warnings(found)
    return found


def tell_warnings(found: Predictions) -> None:
    """Give what models warned of, but for what tuned ones chose."""
    for warning in model_warnings(found):
        if not isinstance(warning, TuningNote):
            warn_user(warning)


def model_warnings(predictions: Predictions) -> tuple[NettrialWarning, ...]:
    """Return each warning of each model once, with the number of splits on which it came.

    Warnings that differ in their numbers alone count as one.
    """
    return tuple(warning for _, warning in warnings_of_runs(predictions.runs))


def warnings_of_runs(
    runs: Sequence[Predictions],
) -> list[tuple[tuple[int, ...], NettrialWarning]]:
    """Return each warning of each model once, after the places of the runs in which it came.

    What a tuned model chose is one of them, a `TuningNote`.

    The number of splits is that in these runs together.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from nettrial.models import WVRN
    >>> from nettrial.splits import RandomResampling
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    >>> quiet = run(net, {"m": WVRN()}, splits)
    >>> loud = replace(quiet, warnings={"m": (("left at 7",), ("left at 8",))})
    >>> [(where, str(warning)) for where, warning in warnings_of_runs([loud, quiet, loud])]
    [((0, 2), 'm warned on 4 of 4 splits (here as on the first of them): left at 7')]
    """
    alike: dict[tuple[str, str], dict[int, list[str]]] = {}
    for place, each in enumerate(runs):
        for model, splits in each.warnings.items():
            for texts in splits:
                first: dict[str, str] = {}  # of each kind on this split
                for text in texts:
                    kind = CHOSE if text.startswith(CHOSE) else NUMBER.sub("#", text)
                    first.setdefault(kind, text)
                for kind, text in first.items():
                    alike.setdefault((model, kind), {}).setdefault(place, []).append(text)
    found: list[tuple[tuple[int, ...], NettrialWarning]] = []
    for (model, kind), by_run in alike.items():
        given = [text for texts in by_run.values() for text in texts]
        if kind == CHOSE:
            found.append((tuple(by_run), TuningNote(f"{model} {chosen_words(given)}")))
            continue
        differ = " (here as on the first of them)" if len(set(given)) > 1 else ""
        total = sum(len(runs[place].splits) for place in by_run)
        text = f"{model} warned on {len(given):,} of {total:,} splits{differ}: {given[0]}"
        found.append((tuple(by_run), ModelWarning(text)))
    return found


def chosen_words(texts: Sequence[str]) -> str:
    """Return which settings were chosen how often, in words, the most frequent ones first.

    Examples
    --------
    >>> chosen_words(["chose hidden=16", "chose hidden=64", "chose hidden=64"])
    'chose inside 3 training sets: hidden=64 on 2; hidden=16 on 1'
    """
    counts = Counter(text.removeprefix(CHOSE) for text in texts).most_common()
    listed = [f"{settings} on {count}" for settings, count in counts[:MOST_CHOICES]]
    more = len(counts) - len(listed)
    rest = f"; {more} more on the rest" if more else ""
    return f"{CHOSE}inside {plural(len(texts), 'training set')}: {'; '.join(listed)}{rest}"
