"""The plan of halvings in a study file: who timed its fits first writes it, all others follow."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from ..core.wording import duration
from ..store.file import settle
from ..store.inputs import DRAWN
from ..store.shards import Shard
from ..store.stored_study import StoredStudy, integrity_errors
from ..store.units import IncompleteStudyError
from .blocks import BootstrapError
from .halving_plan import MOST, HalvingPlan

FACT = "halvings"
BY_BUDGET = "by the budget"  # in the inputs of a study, in place of the number of halvings


def number_in(store: str | PathLike[str] | None) -> int:
    """Return the number of halvings that a study was begun with; 0 where the budget sets it.

    Shards are dealt before anything was timed, and cannot ask each other: they run the most.
    """
    if isinstance(store, Shard):
        return MOST
    if store is None or not Path(store).is_file():
        return 0
    number = StoredStudy(store).inputs.get(DRAWN, {}).get("number", 0)
    return number if isinstance(number, int) else 0


def kept_plan(store: str | PathLike[str]) -> HalvingPlan | None:
    """Return the plan that a study file holds."""
    study = StoredStudy(store)
    text = study.facts.get(FACT)
    return None if text is None else _read(study, text)


def _read(study: StoredStudy, text: str) -> HalvingPlan:
    with integrity_errors(study.path):
        plan = HalvingPlan(**json.loads(text))
        whole = all(isinstance(value, int) for value in (*plan[:2], *plan[6:]))
        if not whole or not 1 <= plan.n_splits <= study.n_splits or not plan.n_halvings <= MOST:
            raise ValueError(f"{plan.n_halvings:,} halvings with {plan.n_splits} splits each")
        if not all(isinstance(value, float) for value in plan[2:6]):
            raise ValueError("its plan of halvings holds what is no number")
    return plan


def agreed(store: str | PathLike[str], plan: HalvingPlan) -> HalvingPlan:
    """Write a plan into a study file, unless another process was first; return what it holds.

    A plan without halvings, which did not fit into a budget, gives way to another one.
    """
    study = StoredStudy(store)
    text = json.dumps(plan._asdict())
    return _read(study, settle(study.path, FACT, text, lambda old: _read(study, old).fits(1) > 0))


def plan_to_read(store: str | PathLike[str]) -> HalvingPlan:
    """Return the plan by which the halvings in a study file were run."""
    plan = kept_plan(store)
    if plan is None:
        raise IncompleteStudyError(
            f"{store}: the models have not been run again yet; run the same command again"
        )
    if not plan.n_halvings:
        raise too_long(plan)
    return plan


def too_long(plan: HalvingPlan) -> BootstrapError:
    """Return what is reported where the fewest halvings would take longer than the budget."""
    return BootstrapError(
        f"even the fewest halvings of the communities would take about {duration(plan.seconds)}, "
        f"and the budget is {duration(plan.budget)}; give a larger budget, or name the test halves"
    )
