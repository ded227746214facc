"""The options that commands share, and lists in one word."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field
from typing import Any

import click

from ..comparison.options import declared, offered, spelling
from ..core.declared import spelling_of
from ..core.errors import InputError, shown
from . import say

MODELS = "Models, separated by commas: built-in names, MODULE:OBJECT or FILE.py:OBJECT."


class NumberOrAuto(click.types.IntParamType):
    """A whole number, or the word auto."""

    def convert(self, value: Any, *where: Any) -> Any:
        """Return the number."""
        return value if value == "auto" else super().convert(value, *where)


def measure_word(text: str) -> str:
    """Return the name of a measure that may be written with hyphens.

    Examples
    --------
    >>> measure_word("macro-f1"), measure_word("macro-f2")
    ('macro_f1', 'macro-f2')
    """
    from ..metrics.measures import MEASURES

    name = text.replace("-", "_").lower()
    return name if name in MEASURES else text  # what is refused is reported as it was written


def declared_option(name: str, **changed: Any) -> Callable[[Any], Any]:
    """Return an option of comparisons as the command line spells it, but for what is changed."""
    if name == "measure":
        changed["callback"] = lambda _context, _option, text: text and measure_word(text)
    kinds: dict[str, Any] = {"seed": click.INT, "n_splits": NumberOrAuto()}
    if name in kinds:
        changed = {"type": kinds[name]} | changed
    return spelled_option(declared()[name], **changed)


def spelled_option(option: Field[Any], **changed: Any) -> Callable[[Any], Any]:
    """Return a declared option as the command line spells it, but for what is changed.

    Without a value it is None, so that the functions' own defaults apply.
    """
    said, kind = spelling_of(option), str(option.type).split(" | ")
    how: dict[str, Any] = {"help": said.help, "metavar": said.metavar, "default": None}
    default = changed.pop("show_default", said.default)
    if said.value or (kind == ["bool"]):
        how |= {"is_flag": True, "flag_value": said.value or True}
    elif "str" not in kind and "/" not in said.flag:
        how["type"] = next((t for t in (float, int) if t.__name__ in kind), None)
    how |= changed
    how["help"] += f"  [default: {default}]" * bool(default)
    return click.option(said.flag, option.name, **how)


def declared_options(face: str, *but: str) -> list[Callable[[Any], Any]]:
    """Return all options that a function has, as the command line spells them."""
    return [declared_option(n) for n in offered(face) if spelling(n).flag and n not in but]


MODELS_OPTION = click.option("--models", metavar="LIST", required=True, help=MODELS)


def with_options(
    *options: Callable[[Any], Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command, in the order of its help."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def words(text: str, what: str) -> list[str]:
    """Split a list at commas.

    Examples
    --------
    >>> words("wvrn, nbc", "models")
    ['wvrn', 'nbc']
    """
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise InputError(parameter=what, expected="a list such as a,b,c", got=shown(text))
    return found


def numbers(text: str, what: str, such_as: str) -> list[float]:
    """Split a list of numbers at commas.

    Examples
    --------
    >>> numbers("0.1, 0.3", "--labeled", "proportions such as 0.1,0.3")
    [0.1, 0.3]
    """
    try:
        return [float(word) for word in words(text, what)]
    except ValueError as error:
        raise InputError(parameter=what, expected=such_as, got=shown(text)) from error


def models_of(text: str) -> list[Any]:
    """Return the models of a list, the user's own ones built."""
    from .user_models import user_model

    names = words(text, "models")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            parameter="models", expected="different models", got=f"{shown(twice)} twice"
        )
    return [user_model(name) for name in names]


def running(options: dict[str, Any]) -> dict[str, Any]:
    """Turn the options of the command line into those of the functions.

    What was not given is left to the functions' own defaults.
    """
    found = {name: options[name] for name in declared() if options.get(name) is not None}
    if "measures" in found:
        found["measures"] = [measure_word(word) for word in words(found["measures"], "--measures")]
    if "retry" in found and options["store"] is None:
        raise InputError("--retry needs --store FILE, the study file whose runs failed")
    return found


@contextmanager
def described_warnings() -> Iterator[None]:
    """Show every warning once, as it comes, in one line on stderr."""
    seen: set[str] = set()

    def show(message: Warning | str, *_where: Any, **_more: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            say(f"nettrial: warning: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
