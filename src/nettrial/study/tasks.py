"""The kinds of what is predicted; whoever asks which it is asks here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..network.network import Network
from .link_task import Links
from .node_tasks import Classes, Numbers
from .task import Task

LINKS, NUMBERS, CLASSES = Links(), Numbers(), Classes()
TASKS: tuple[Task, ...] = (LINKS, NUMBERS, CLASSES)


def task_of(network: Network, splits: Sequence[Any] = ()) -> Task:
    """Return what is predicted where a network is divided by splits.

    Examples
    --------
    >>> task_of(Network([0], [1], n_nodes=2, targets=[0.5, 1.5])).name
    'numbers'
    """
    return next(task for task in TASKS if task.of_splits(network, splits))
