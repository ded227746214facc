"""Halves of the communities for models that are trained elsewhere: what to fit, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.seeds import Seed, generator
from ..inference.choice import HALVES
from ..inference.registry import canonical
from ..metrics._check import class_places
from ..network.arrays import frozen
from ..network.canonical_order import canonical_order
from ..network.communities import effective_number
from ..network.network import Network
from ..numeric.checks import from_tensor
from ..numeric.input_alignment import column_names
from ..replicates.base import DrawnSet, ReplicateResults
from ..replicates.blocks import Blocks, take_apart
from ..replicates.by_community import values_of
from ..replicates.half_samples import HalfSamples, Parts, is_usable
from ..replicates.halving_plan import FEWEST, NOISE, HalvingPlan, expected_df
from ..splits.base import Design, Split
from ..splits.checks import MOST, check_count
from ..splits.files import validation_size
from ..study.node_study import Predictions
from ..study.tasks import task_of
from .analysis import Analysis
from .joint_measures import are_several
from .judge import Cell, judge
from .multiple import MultipleComparison, multiple_of
from .options import Judged, Options, not_used
from .pair import comparison_of
from .result import Comparison
from .setup import Setup, analysis_of

Nodes: TypeAlias = NDArray[np.intp]
WHOLE = -1  # in place of the number of a halving: the network itself
LISTED = 6  # of what is missing


class Fit(NamedTuple):
    """What one model is trained on, and what it then predicts."""

    # the network itself, or one half of its communities; it shows the labels of `train` and `val`
    # alone
    network: Network
    # train, val, test: nodes to learn from, to choose settings by, and to predict; numbers of nodes
    # in `network`
    train: Nodes
    val: Nodes
    test: Nodes


class Key(NamedTuple):
    """Which fit it is: halving and part (-1 and 0 for the network itself), and the split."""

    halving: int
    part: int
    split: int

    def __str__(self) -> str:
        if self.halving == WHOLE:
            return f"the network, split {self.split}"
        return f"halving {self.halving} part {self.part}, split {self.split}"


class Elsewhere:
    """Stands for a model that is trained elsewhere."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fit(self, network: Network, train: Nodes) -> Any:
        """Refuse to run."""
        raise InputError(f"{self.name} is trained elsewhere")

    predict_proba = predict = fit


@dataclass(frozen=True, repr=False)
class Halves:
    """Halves of a network's communities, ready for models that are trained elsewhere.

    Going through it gives every fit that a model takes, as (network, train, val, test): first on
    the network itself, then on both parts of every halving. `collect` takes what was predicted.

    Attributes
    ----------
    network : Network
        In canonical order, see `Order`.
    splits : tuple of Split
        Of the network.
    analysis : Analysis
        Communities, design and seed.
    plan : HalvingPlan
        Number of halvings, and splits of each.
    validation : float
        Share of the training nodes of each fit that is set apart to choose by.

    Examples
    --------
    >>> import nettrial
    >>> from nettrial.models import by_name
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> halves = nettrial.halves(net, n_splits=3, n_halvings=6, seed=1)
    >>> made = {name: [] for name in ("wvrn", "prior")}
    >>> for network, train, val, test in halves:
    ...     for name, model in made.items():
    ...         model.append(by_name(name).fit(network, train).predict_proba(network, test))
    >>> halves.fits_per_model, len(made["wvrn"])
    (39, 39)
    >>> halves.collect(made).recommended
    'halves'
    """

    network: Network
    splits: tuple[Split, ...]
    analysis: Analysis
    plan: HalvingPlan
    validation: float = 0.0

    def __repr__(self) -> str:
        fits = f"{self.fits_per_model} fits of each model"
        return f"<Halves: {self.plan.n_halvings} halvings of {self.network!r}, {fits}>"

    @property
    def given(self) -> Network:
        """The network with its nodes as they were given."""
        order = self.analysis.order
        return self.network if order is None else order.given

    @cached_property
    def blocks(self) -> Blocks:
        """The network taken apart into communities."""
        return take_apart(self.network, self.analysis.groups)

    @cached_property
    def parts(self) -> Parts:
        """The parts of all halvings."""
        return self._samples(self.blocks, ("", "")).sets(0, {})[0]

    def _samples(self, blocks: Blocks, names: Sequence[str]) -> HalfSamples:
        found = self.analysis.replicates(blocks, tuple(names), len(self.splits))
        assert isinstance(found, HalfSamples)  # noqa: S101 - that is the test it was made for
        return replace(found, plan=self.plan)

    @property
    def keys(self) -> list[Key]:
        """Return which fits there are, in their order."""
        return [key for key, _, _ in self._divided()]

    @property
    def fits_per_model(self) -> int:
        """Number of fits that each model takes."""
        return len(self.keys)

    def expected_df(self, n_halvings: int | None = None, per_halving: int | None = None) -> float:
        """Return the degrees of freedom that so many halvings are expected to bring."""
        k = len(self.splits)
        return expected_df(
            n_halvings or self.plan.n_halvings,
            per_halving or self.plan.n_splits,
            k,
            effective_number(self.blocks.sizes),
            NOISE,
        )

    def _divided(self) -> Iterator[tuple[Key, Network, Split]]:
        """Yield every network and split on which a model is trained, with all labels."""
        for number, split in enumerate(self.splits):
            yield Key(WHOLE, 0, number), self.network, split
        for number in range(self.parts.size):
            part, _, splits = self._part(number)
            for turn, split in zip(self.parts.turn(number, len(self.splits)), splits):
                if split.train.size and split.test.size:
                    yield Key(*divmod(number, 2), turn), part, split

    def _part(self, number: int) -> tuple[Network, NDArray[np.int32], list[Split]]:
        """Return a part with the ids of the network, its nodes there, and the splits it uses."""
        drawn, splits = self.parts.drawn(self.network, self.splits, number)
        part = drawn.network._with_labels(drawn.network.labels)
        part._set(ids=frozen(self.network.ids[drawn.origin]))
        return part, drawn.origin, splits

    def __iter__(self) -> Iterator[Fit]:
        """Yield all fits in the order of `keys`."""
        for key, network, split in self._divided():
            train, val = self.training(key, split)
            yield Fit(network.mask_labels(split.train).imputed(split.train), train, val, split.test)

    def __len__(self) -> int:
        return self.fits_per_model

    def training(self, key: Key, split: Split) -> tuple[Nodes, Nodes]:
        """Return the training nodes of a fit: to learn from, and to choose by."""
        count = validation_size(self.validation, split)
        order = generator(self.analysis.entropy, *(each + 1 for each in key)).permutation(
            split.train
        )
        return np.sort(order[count:]), np.sort(order[:count])

    @check_arguments
    def collect(
        self, predictions: Mapping[str, Sequence[Any]], **options: Unpack[Judged]
    ) -> Comparison | MultipleComparison:
        """Compare models by what they predicted: the verdict by halves, as if they had run here.

        Parameters
        ----------
        predictions : mapping of str to sequence
            For each model what it predicted, one entry for each fit in their order: classes or
            class probabilities of the test nodes, shape (n_test,) or (n_test, n_classes), or
            probabilities of all nodes. Of a numeric target numbers.
        **options
            As for `compare_predictions`; `seed` and `communities` are those of the halves.

        Raises
        ------
        InputError
            Where fits are missing, which are counted and named, or what was predicted has another
            shape; and as `compare_predictions`.
        """
        for name in options:
            if name not in Judged.__annotations__:
                raise not_used(name, "models that are trained elsewhere", "collect")
        found: dict[Key, dict[str, Any]] = {}
        divided = list(self._divided())
        for name, given in predictions.items():
            if len(given) != len(divided):
                raise InputError(
                    parameter="predictions",
                    expected=f"{len(divided):,} entries for each model, one for each fit",
                    got=f"{len(given):,} of {name}",
                )
            for (key, network, split), values in zip(divided, given):
                found.setdefault(key, {})[name] = _table(name, key, network, split, values)
        return self.judged(found, tuple(predictions), Options(**options))

    def judged(
        self,
        found: Mapping[Key, Mapping[str, NDArray[np.floating]]],
        names: tuple[str, ...],
        asked: Options,
        settings: Mapping[str, Any] | None = None,
    ) -> Comparison | MultipleComparison:
        """Judge models by the predictions of all fits."""
        self._check_whole(found, names)
        own = self._predictions(self.network, self.splits, names, [
            found[Key(WHOLE, 0, number)] for number in range(len(self.splits))
        ])  # fmt: skip
        own = own if asked.positive is None else own.one_against_rest(asked.positive)
        analysis = self._asked(own, asked, settings)

        def rows(drawn: DrawnSet[Any]) -> NDArray[np.float64]:
            return np.array(
                [self._row(number, found, names, analysis, asked) for number in range(drawn.size)]
            )

        def on_drawn(scores: Any, blocks: Blocks) -> ReplicateResults:
            return self._samples(blocks, names).results(scores.values, rows)

        judgment = judge([Cell(own, analysis, on_drawn)])[0]
        several = len(names) > 2 or asked.control or are_several(asked.measures)
        return multiple_of(judgment) if several else comparison_of(judgment)

    def _asked(self, own: Predictions, asked: Options, settings: Any) -> Analysis:
        """Return how the predictions are judged: by halves, unless another test was asked for."""
        how = self.analysis
        by_halves = canonical(asked.test) in ("auto", HALVES)
        here = asked.but(
            seed=how.entropy, communities=how.groups, labeled=how.labeled,
            test="auto" if by_halves else asked.test,
        )  # fmt: skip
        more = dict(how.settings) | dict(settings or {}) | {"predictions": "made elsewhere"}
        order = how.order
        if order is not None and asked.positive is not None:
            order = canonical_order(order.given.one_against_rest(asked.positive))
        found = analysis_of(own, here, design=how.design, settings=more, order=order)
        choice = how.choice if by_halves else found.choice
        return replace(found, communities=how.communities, similar=how.similar, choice=choice)

    def _row(
        self,
        number: int,
        found: Mapping[Key, Mapping[str, NDArray[np.floating]]],
        names: tuple[str, ...],
        analysis: Analysis,
        asked: Options,
    ) -> NDArray[np.float64]:
        """Measure all models on a part; NaN where a split cannot be used there."""
        part, origin, splits = self._part(number)
        turns = self.parts.turn(number, len(self.splits))
        values = np.full((len(names), len(turns)), np.nan)
        positive = asked.positive
        labels = part if positive is None else part.one_against_rest(positive)
        task = task_of(labels)
        usable = [
            i for i, split in enumerate(splits) if is_usable(labels, split, analysis.measure, task)
        ]
        if usable:
            made = self._predictions(part, [splits[i] for i in usable], names, [
                found[Key(*divmod(number, 2), turns[i])] for i in usable
            ])  # fmt: skip
            made = made if positive is None else made.one_against_rest(positive)
            values[:, usable] = values_of(made, analysis.measure, origin)
        return values.ravel()

    def _predictions(
        self,
        network: Network,
        splits: Sequence[Split],
        names: tuple[str, ...],
        tables: Sequence[Mapping[str, NDArray[np.floating]]],
    ) -> Predictions:
        made = {name: tuple(table[name] for table in tables) for name in names}
        return Predictions(network, tuple(splits), names, made)

    def _check_whole(self, found: Mapping[Key, Mapping[str, Any]], names: Sequence[str]) -> None:
        """Refuse predictions that do not hold all fits; count and name what is missing."""
        keys = self.keys
        for name in names:
            missing = [key for key in keys if name not in found.get(key, {})]
            if missing:
                more = f"; and {len(missing) - LISTED:,} more" if len(missing) > LISTED else ""
                raise InputError(
                    f"{name} lacks {len(missing):,} of {len(keys):,} fits: "
                    f"{'; '.join(map(str, missing[:LISTED]))}{more}. "
                    f"Train these{self._fewer(missing)}"
                )

    def _fewer(self, missing: Sequence[Key]) -> str:
        """Return how many halvings would do: a smaller number makes the first of these."""
        whole = min((key.halving for key in missing), default=0)
        if whole < FEWEST:
            return ""
        return (
            f", or use the first {whole} halvings, which are complete: "
            f"{option('n_halvings', whole)} makes these alone"
        )


def _table(
    name: str, key: Key, network: Network, split: Split, values: Any
) -> NDArray[np.floating]:
    """Return what a model predicted on a fit as probabilities of the test nodes, or numbers."""
    array, names = np.asarray(from_tensor(values)), column_names(values)
    if network.targets is None and array.ndim == 2 and names is not None:
        array = array[:, class_places(f"{name}, {key}", names, network.classes)]
    if network.targets is None and array.ndim == 2 and len(array) == network.n_nodes:
        array = array[split.test] if len(array) != split.test.size else array
    if network.targets is None and array.ndim == 1:
        codes = {str(one): code for code, one in enumerate(network.classes)}
        words = [str(one) for one in array.tolist()]
        odd = next((word for word in words if word not in codes), None)
        if array.dtype.kind in "iu" and odd is not None:
            known = array  # numbers of classes
        elif odd is not None:
            raise InputError(
                f"{name}, {key}: expected classes ({', '.join(codes)}), got {shown(odd)}"
            )
        else:
            known = np.array([codes[word] for word in words])
        array = np.eye(network.n_classes, dtype=np.float32)[known]
    return task_of(network).checked(array, network, split, name, str(key))


@check_arguments
def halves(
    network: Network,
    *,
    labeled: float | None = None,
    n_splits: int | None = None,
    design: str | Design | Sequence[Split] = "rrs",
    n_halvings: int = 20,
    per_halving: int | None = None,
    validation: float = 0.0,
    communities: str | ArrayLike = "louvain",
    seed: Seed = 0,
) -> Halves:
    """Divide the communities of a network into halves, for models that are trained elsewhere.

    They are those on which `compare` runs models with the same options, `test="halves"` and
    `n_replicates=n_halvings`: same predictions give the same verdict.

    Parameters
    ----------
    network : Network
        With labels or targets.
    labeled, n_splits, design, communities, seed
        As for `compare`.
    n_halvings : int
        At least 6; 20 by default. The first of more are those of fewer.
    per_halving : int, optional
        Splits that each halving uses, by default all; fewer only where splits are independent
        (design "rrs"). Splits take turns.
    validation : float
        Share of the training nodes of each fit, at least 0 and below 1, that is given apart.

    Returns
    -------
    Halves
        The fits, and `collect` for what was predicted. `nettrial.compare_predictions` takes
        tables with the columns halving and part.

    Raises
    ------
    InputError
        Where the options do not fit the network, or there are fewer than two communities.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> found = nettrial.halves(net, n_splits=5, n_halvings=10, per_halving=2)
    >>> found.fits_per_model, round(found.expected_df(), 1)
    (45, 2.6)
    """
    asked = Options(
        labeled=labeled, n_splits=n_splits, design=design, communities=communities, seed=seed,
        test=HALVES,
    )  # fmt: skip
    check_count("halves", "n_halvings", n_halvings, FEWEST, MOST)
    if not 0 <= validation < 1:
        raise InputError(
            parameter="validation", expected="a share of at least 0 and below 1",
            got=shown(validation), where="halves",
        )  # fmt: skip
    setup = Setup.of(network, [Elsewhere("a"), Elsewhere("b")], asked)
    k, independent = len(setup.splits), setup.analysis.choice.independent
    per = k if per_halving is None else per_halving
    check_count("halves", "per_halving", per, 1, k)
    if per < k and not independent:
        raise InputError(
            parameter="per_halving", expected=f"all {k} splits, which are not independent",
            got=str(per), hint=f"leave it out, or take {option('design', 'rrs')}", where="halves",
        )  # fmt: skip
    choice = replace(setup.analysis.choice, n_replicates=n_halvings)
    kept = {key: value for key, value in setup.analysis.settings.items() if key == "links_shown"}
    analysis = replace(setup.analysis, choice=choice, settings=kept)
    return Halves(
        setup.network, tuple(setup.splits), analysis, HalvingPlan(n_halvings, per), validation
    )


__all__ = ["Fit", "Halves", "Key", "halves"]
