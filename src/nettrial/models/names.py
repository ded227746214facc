"""Models by name."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import unknown_choice
from .adapted import ADAPTED, adapted
from .base import Model
from .nbc import NBC
from .relational import RelationalClassifier
from .wvrn import WVRN

CLASSIFIERS: dict[str, Callable[[], RelationalClassifier]] = {"wvrn": WVRN, "nbc": NBC}


def by_name(name: str) -> Model:
    """Make the model of that name.

    Raises
    ------
    InputError
        Where there is no such model.

    Examples
    --------
    >>> by_name("nbc").smoothing
    1.0
    """
    if name in ADAPTED:
        made: Model = adapted(name)
        return made
    if name not in CLASSIFIERS:
        raise unknown_choice("model", name, [*CLASSIFIERS, *ADAPTED])
    return CLASSIFIERS[name]()
