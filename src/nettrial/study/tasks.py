"""The kinds of what is predicted: whoever asks which one it is asks here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import isroutine
from typing import Any

from ..core.errors import InputError
from ..models.names import is_name
from ..network.network import Network
from .class_task import Classes, OneOfSeveral
from .link_task import Links
from .number_task import Numbers
from .task import Task

LINKS, NUMBERS, CLASSES, LABELS = Links(), Numbers(), Classes(), OneOfSeveral()
TASKS: list[Task] = [LINKS, NUMBERS, CLASSES]  # the first that fits


def task_of(network: Network, splits: Sequence[Any] = ()) -> Task:
    """Return what is predicted where a network is divided by splits.

    Examples
    --------
    >>> task_of(Network([0], [1], n_nodes=2, targets=[0.5, 1.5])).name
    'numbers'
    """
    return next(task for task in TASKS if task.of_splits(network, splits))


def task_for(network: Network, models: Sequence[Any] | Mapping[str, Any]) -> Task:
    """Return what models predict of a network.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=2, labels=["a", "b"])
    >>> task_for(net, ["wvrn", "nbc"]).name, task_for(net, ["katz", "jaccard"]).name
    ('classes', 'links')
    """
    found: dict[Task, Any] = {}
    for model in models.values() if isinstance(models, Mapping) else models:
        found.setdefault(next(task for task in TASKS if task.takes(network, model)), model)
    if len(found) < 2:
        return next(iter(found), task_of(network))
    task, other = sorted(found, key=TASKS.index)[:2]
    if isinstance(found[other], str) and not is_name(found[other]):
        task.model(found[other])  # refuses it, and names those that there are
    hint = "; to train a model of nodes, a function takes (data, seed)" * isroutine(found[task])
    raise InputError(
        f"compare: {_name(found[task])} predicts {task.name} and {_name(found[other])} does not; "
        f"expected models that predict the same{hint}"
    )


def model_of(given: Any) -> Any:
    """Make a model of what can stand for one, whatever it predicts."""
    return (LINKS if LINKS.takes(None, given) else CLASSES).model(given)


def _name(model: Any) -> str:
    own = getattr(model, "__name__", type(model).__name__)
    return str(model if isinstance(model, str) else getattr(model, "name", own))
