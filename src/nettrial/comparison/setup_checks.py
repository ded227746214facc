"""What cannot be compared, or kept, is refused before anything is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import option
from ..metrics.measures import Measure
from ..network.network import Network
from ..splits.checks import MOST, check_count
from ..study.task import Task
from ..study.tasks import task_for, task_of
from .joint_measures import Loss, are_several
from .prior_tests import check_prior_tests


def check_retry(retry: bool, store: str | PathLike[str] | None) -> None:
    """Refuse to run again what failed where nothing tells what that was."""
    if retry and store is None:
        raise InputError(
            parameter="retry",
            expected=f"{option('store')} beside it, the study file whose runs failed",
        )


def check_storable(measure: Measure, store: str | PathLike[str] | None) -> None:
    """Refuse to store a study whose measure is a function."""
    if measure.is_custom and store is not None:
        raise InputError(
            f"a study file cannot hold the function that is the measure {shown(measure.name)}",
            parameter="store",
            hint=f"leave {option('store')} out, or store a study of a measure by name and "
            "compare its stored predictions by the function",
        )


def check_seeds(n_seeds: int, store: str | PathLike[str] | None) -> None:
    """Refuse a number of training seeds that cannot be run, or kept."""
    check_count("compare", "n_seeds", n_seeds, 1, MOST)
    if n_seeds > 1 and store is not None:
        raise InputError(
            "a study file keeps one training seed for each split, got "
            f"{option('n_seeds', n_seeds)}",
            parameter="n_seeds",
            hint=f"leave {option('store')} or {option('n_seeds')} out",
        )


def check_prior_tests_with(number: int | None, measures: Sequence[Loss]) -> None:
    """Refuse what is no number of comparisons, and several measures at once with one."""
    check_prior_tests(number)
    if number is not None and are_several(measures):
        raise InputError(
            "cannot be used with several measures at once",
            parameter="n_prior_tests",
            hint="leave one out",
        )


def check_question(
    network: Network, models: Sequence[Any] | Mapping[str, Any], question: str
) -> None:
    """Refuse a question that cannot be asked where these models predict what they do."""
    task = task_for(network, models)
    if question in task.not_asked:
        raise InputError(f"{question} is not for {task.models}: {task.not_asked[question]}")


def check_comparable(network: Network) -> None:
    """Refuse a network on which no two models can be compared."""
    task_of(network).check(network)


def check_several(task: Task, measures: Sequence[Loss]) -> None:
    """Refuse several measures at once of which one is not of what the models predict."""
    if are_several(measures):
        named = [task.measure(measure).name for measure in measures]
        if len(set(named)) < len(named):
            raise InputError(
                parameter="measures",
                expected="different ones",
                got=", ".join(measures),
                hint="error means squared_error for a numeric target",
            )


def check_models(
    names: Sequence[str], control: str | None, listed: Callable[[str], str] = str
) -> str | None:
    """Refuse fewer than two models, and return the control by the name that is listed for it."""
    if len(names) < 2:
        raise InputError(parameter="models", expected="at least two", got=f"{len(names)}")
    if isinstance(control, str):
        control = listed(control)
    if control is not None and control not in names:
        raise unknown_choice("control", control, names)
    return control
