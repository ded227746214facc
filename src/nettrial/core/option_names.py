"""How a message names an option: as Python's parameter, or as the command line's option."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

ALONE = object()  # in place of a value: the option is named without one
# parameter and value (or ALONE) -> the option that stands for it here, if there is one
Speller: TypeAlias = Callable[[str, Any], str | None]


class Placeholder(str):
    """A word that stands for what a user writes in its place: ``label=NAME``."""

    __repr__ = str.__str__


NAME, COLUMN, EQUATION = map(Placeholder, ("NAME", "COLUMN", "COLUMN=VALUE"))
# other names of a parameter, as documents and R write it, wherever a function has it
SYNONYMS = dict.fromkeys(("p0", "mu", "p"), "null_value") | {"conf_level": "confidence"}
_spellers: list[Speller] = []  # of the command that runs; none in Python


def option(name: str, value: Any = ALONE) -> str:
    """Name an option in a sentence, with a value or without, as its reader spells it.

    Examples
    --------
    >>> option("n_jobs", 2), option("label", NAME), option("store")
    ('n_jobs=2', 'label=NAME', 'store=')
    >>> with spelled_by(lambda name, value: "--jobs 2" if name == "n_jobs" else None):
    ...     option("n_jobs", 2), option("store")
    ('--jobs 2', 'store=')
    """
    return _spelled(name, value) or f"{name}={'' if value is ALONE else written(value)}"


def option_name(parameter: str) -> str:
    """Name an option at the head of a message: ``n_jobs`` or ``--jobs``."""
    return _spelled(parameter, ALONE) or parameter


def _spelled(name: str, value: Any) -> str | None:
    return next(filter(None, (speller(name, value) for speller in reversed(_spellers))), None)


def written(value: object) -> str:
    """Write a value as ``repr`` does, but numpy's scalars as Python's: 'a', not np.str_('a')."""
    numpy = sys.modules.get("numpy")  # without it, there are none of its scalars
    if numpy is None or numpy.__version__.startswith("1."):
        return repr(value)
    with numpy.printoptions(legacy="1.25"):
        return repr(value)


@contextmanager
def spelled_by(speller: Speller) -> Iterator[None]:
    """Name options as a command does, in every message that is written meanwhile."""
    _spellers.append(speller)
    try:
        yield
    finally:
        _spellers.remove(speller)
