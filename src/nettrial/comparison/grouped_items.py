"""Values of models on items in groups: as they are given, and the tests made of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import AssumptionWarning, InputError, not_found, shown
from ..core.option_names import option
from ..inference.outcome import NetworkTest
from ..inference.procedure import Procedure
from ..io.columns import refuse_truth
from ..metrics.measures import MEASURES, Measure
from ..network.arrays import object_array
from ..numeric.checks import is_missing
from ..saved.evaluations import Evaluation, paired_items

Floats: TypeAlias = NDArray[np.float64]
OTHER_GROUPS = "Does the difference hold on other groups like these?"
ALONE = "Would the difference hold on other items, if each were a group of its own?"
REASON = (
    "it answers for other groups, and lets the items of a group depend on each other in any way."
)


class GroupedItems(NamedTuple):
    """What models scored on items in groups."""

    names: tuple[str, ...]
    values: Floats  # shape (n_models, n_items)
    groups: NDArray[Any]  # shape (n_items,)
    measure: Measure


def mean_of_items(*, errors: bool, shares: bool) -> Measure:
    """Return what is compared: the mean of the values, as a measure."""
    return Measure(
        name="mean",  # no measure of networks
        words="mean",
        title="mean",
        better="lower" if errors else "higher",
        needs_probabilities=False,
        shares=shares,
        largest=1.0 if shares else math.inf,
        contributions=MEASURES["error"].contributions,
    )


def items_of(
    names: Sequence[str],
    given: Sequence[ArrayLike | Evaluation],
    groups: Iterable[Hashable] | None,
    *,
    errors: bool,
) -> GroupedItems:
    """Return the values of models, arrays or evaluations, when all of them are checked."""
    evaluations = [each for each in given if isinstance(each, Evaluation)]
    shares = bool(evaluations) and all(each.shares for each in evaluations)
    if len(evaluations) == len(given):
        if groups is not None:
            raise InputError(
                f"got {option('groups')} beside evaluations, which bring their own",
                parameter="groups",
            )
        given, groups = paired_items(*evaluations)
    elif evaluations:
        two = len(given) == 2
        raise InputError(
            expected="two evaluations or two arrays" if two else "evaluations alone or arrays",
            got="one of each" if two else "both",
            where="compare_grouped",
        )
    if groups is None:
        raise InputError(parameter="groups", expected="the group of each item", got="none")
    values = [_values(v, name) for v, name in zip(given, names)]
    cells = object_array(groups)
    if {each.size for each in values} != {cells.size}:
        other = next((i for i, each in enumerate(values) if each.size != values[0].size), 1)
        raise InputError(
            expected="one value of each model and one group for every item",
            got=f"{values[0].size} values of {names[0]}, {values[other].size} of {names[other]} "
            f"and {cells.size:,} groups",
            where="compare_grouped",
        )
    empty = sum(is_missing(cell) or cell == "" for cell in cells)
    if empty:
        raise InputError(f"compare_grouped: {empty} items have no group; give one for each")
    if cells.size < 2:
        raise InputError(expected="at least 2 items", got=f"{cells.size}", where="compare_grouped")
    table = np.array(values)
    shares = shares or bool(np.isin(table, (0.0, 1.0)).all())
    return GroupedItems(tuple(names), table, cells, mean_of_items(errors=errors, shares=shares))


class Columns(NamedTuple):
    """Columns of a table of items: of models, of groups and of data sets."""

    models: dict[str, Any]
    groups: Any
    data_sets: Any


def columns_of(table: Any, models: Sequence[str] | None, groups: Any, data_sets: Any) -> Columns:
    """Return the columns of a mapping or a data frame; `models` are by default all others.

    Groups and data sets are names of columns, or are given themselves.
    """
    if not (hasattr(table, "columns") or isinstance(table, Mapping)):
        raise InputError(
            expected="two models, or a table of several: a data frame, or a mapping of names",
            got=shown(table),
            where="compare_grouped",
        )
    known = list(table.columns if hasattr(table, "columns") else table)
    taken = {each for each in (groups, data_sets) if isinstance(each, str)}

    def column(parameter: str, name: Any) -> Any:
        if name not in known:
            raise not_found(parameter, name, known)
        return table[name]

    names = [name for name in known if name not in taken] if models is None else list(models)
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(
            parameter="models",
            expected="at least two different models",
            got=", ".join(map(str, names)) or "none",
            where="compare_grouped",
        )
    if all(name in known for name in names):  # else refused below
        cells = {str(n): table[n] for n in known if not isinstance(table[n], Evaluation)}
        own = [str(name) for name in names if str(name) in cells]
        refuse_truth(cells, own, named=models is not None, taken=False)
    given = (("groups", groups), ("data_sets", data_sets))
    aside = [column(*each) if isinstance(each[1], str) else each[1] for each in given]
    return Columns({str(name): column("models", name) for name in names}, *aside)


def grouped_test(
    procedure: Procedure,
    pair: tuple[Floats, Floats],
    groups: NDArray[Any],
    confidence: float,
    seed: int,
) -> NetworkTest:
    """Make a test of the difference of two models; the procedure must have `on_groups`."""
    assert procedure.on_groups is not None  # noqa: S101 - as the caller made sure
    found = procedure.on_groups(*pair, groups, confidence, seed)
    alone = AssumptionWarning(
        "takes the items of a group for independent: the p-value is often far too small for the "
        "question about other groups"
    )
    verdict = procedure.gives_verdict
    question, warned = (OTHER_GROUPS, ()) if verdict else (ALONE, (alone,))
    return NetworkTest.of(procedure.name, found, question, warned, ("group", "groups"))


def _values(given: ArrayLike | Evaluation, name: str) -> Floats:
    try:
        array = np.asarray(given, dtype=np.float64).ravel()
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        raise InputError(
            f"compare_grouped: {name} must hold numbers ({error}); of a table of several models, "
            f"name these by {option('models')}"
        ) from None
    bad = ~np.isfinite(array)
    if bad.any():
        raise InputError(
            f"compare_grouped: {np.count_nonzero(bad)} values of {name} are missing or not finite, "
            f"first item {int(np.argmax(bad)) + 1}; remove these items for "
            "both models"
        )
    return array
