"""One check of arguments: what a public function is handed must be what its signature says.

``@check_arguments`` reads the annotations of a function when it is first called, and refuses an
argument of another kind in one line, before anything is done with it. What a value must be beyond
its kind (a share below 1, a file that exists) is checked where it is used.
"""

from __future__ import annotations

import collections.abc as abc
import errno
import inspect
import os
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import ArrayLike

from .errors import CallError, InputError, shown, unknown_choice
from .kinds import described, is_instance, matches, parts_of
from .option_names import SYNONYMS
from .plain_text import listed

Checked = TypeVar("Checked", bound=Callable[..., Any])


# parameters that other libraries have, and what stands for them here
ELSEWHERE = {
    "alpha": "confidence= takes 1 - alpha",
    "batch_size": "train=NeighborBatches(batch_size=) trains a module by mini-batches",
    "confidence_level": "confidence= is the same",
    "correction": "method= chooses the form, where there are several",
    "equal_var": "pooled_t_test takes variances as equal, welch_t_test does not",
    "keepdims": "np.expand_dims gives a result its axis back",
    "mu": "null_value= is the same, where a function has it",
    "nan_policy": "NaN is refused: leave out what is missing on purpose first",
    "p_adjust": "adjustment= (of p-values: method=) is the same",
    "paired": "tests of pairs, such as paired_t_test, are functions of their own",
    "precision": "train=FullBatch(mixed_precision=True) computes in bfloat16",
    "popmean": "null_value= is the same, where a function has it",
    "random_state": "seed= takes an integer or a Generator, where anything is drawn",
    "rng": "seed= takes an integer or a Generator, where anything is drawn",
    "use_continuity": "method= chooses the form, where there are several",
    "zero_method": "zeros= is the same, where a function has it",
}
RESAMPLED = ("PermutationMethod", "MonteCarloMethod", "BootstrapMethod")  # SciPy's methods


def check_arguments(checked: Checked) -> Checked:
    """Refuse arguments of another kind than the annotations say.

    Parameters
    ----------
    checked : function or class
        Of a class, what makes an object of it.

    Examples
    --------
    >>> @check_arguments
    ... def half(size: int, *, by: Literal["floor", "ceil"] = "floor") -> int:
    ...     return size // 2
    >>> half(7)
    3
    >>> half("7")
    Traceback (most recent call last):
    nettrial.InputError: half: size: expected an integer, got '7'
    >>> half(7, by="flor")
    Traceback (most recent call last):
    nettrial.InputError: half: by: unknown 'flor'; did you mean 'floor'? (one of ...
    """
    if isinstance(checked, type):
        checked.__init__ = check_arguments(checked.__init__)  # type: ignore[misc]
        return checked
    function = cast(Callable[..., Any], checked)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        ordered, kinds, names, more = _kinds(function)
        who = _who(function, args)
        if len(args) > len(ordered) and not more:
            raise _too_many(who, len(args), ordered)
        for other, name in SYNONYMS.items():
            if other in kwargs and name in kinds and other not in kinds:
                if name in kwargs:
                    raise InputError(
                        f"{other} and {name} are one parameter", hint="give one of them", where=who
                    )
                kwargs[name] = kwargs.pop(other)
        if names and not kwargs.keys() <= names.keys():
            raise _unknown(who, next(name for name in kwargs if name not in names), names)

        def checked_one(name: str, value: Any) -> Any:
            if name not in kinds:
                return value
            return checked_argument(who, name, value, kinds[name])

        plain = [checked_one(name, value) for name, value in zip(ordered, args)]
        named = {name: checked_one(name, value) for name, value in kwargs.items()}
        return function(*plain, *args[len(ordered) :], **named)

    return cast(Checked, call)


def checked_argument(where: str, name: str, value: Any, kind: Any) -> Any:
    """Return an argument as it is used, numbers of numpy's as Python's."""
    if isinstance(value, str):  # a choice, however it is written: R's "two.sided"
        choices = [c for part in parts_of(kind) for c in get_args(part) if isinstance(c, str)]
        value = listed(value, choices) if not matches(value, kind) else value
    if not matches(value, kind):
        made = _made(value, kind)
        if made is None:
            raise _refusal(where, name, value, kind)
        value = made
    if why := _wrong_path(value, kind):
        raise InputError(
            parameter=name, expected="a path", got=f"{shown(value)}, {why}", where=where
        )
    return _plain(value, kind)


def _made(value: Any, kind: Any) -> Any:
    """Return what a kind of ours makes of a value of other libraries; None where it cannot.

    Such a kind has a function ``_made_of``. In lists, tuples and mappings of it each is made.
    """
    for part in parts_of(kind):
        origin, inner = get_origin(part) or part, get_args(part)
        make = getattr(origin, "_made_of", None)
        if make is not None:
            made = make(value)
        elif type(value) not in (dict, list, tuple) or not value or not inner:
            continue
        elif origin in (list, tuple, abc.Sequence) and not isinstance(value, dict):
            made = [item if matches(item, inner[0]) else _made(item, inner[0]) for item in value]
            made = None if any(item is None for item in made) else type(value)(made)
        elif origin is abc.Mapping and isinstance(value, dict):
            made = {
                key: item if matches(item, inner[1]) else _made(item, inner[1])
                for key, item in value.items()
            }
            made = None if any(item is None for item in made.values()) else made
        else:
            continue
        if made is not None:
            return made
    return None


def _wrong_path(value: Any, kind: Any) -> str:
    """Return why what is given for a path, or for several, can be none; empty where it can."""
    parts = parts_of(kind)
    if isinstance(value, (list, tuple)):
        held = [get_args(part)[0] for part in parts if get_origin(part) is abc.Sequence]
        return next(
            (note for one in held for item in value if (note := _wrong_path(item, one))), ""
        )
    paths = any((get_origin(part) or part) is os.PathLike for part in parts)
    return no_path(value) if paths and isinstance(value, (str, os.PathLike)) else ""


def no_path(value: str | os.PathLike[str]) -> str:
    """Return why text cannot be a path; empty where it can, whether there is such a file or not.

    Examples
    --------
    >>> no_path("x.csv"), no_path("a\\0b")
    ('', 'which no file can be called')
    """
    if value == "":  # which would be the current folder
        return "which is empty"
    try:
        os.lstat(value)
    except OSError as error:
        return "which is too long" if error.errno == errno.ENAMETOOLONG else ""
    except ValueError:  # an end of text, or half of a character
        return "which no file can be called"
    return ""


def _plain(value: Any, kind: Any) -> Any:
    """Return a number of numpy's as one of Python's where a plain one is asked for.

    Results keep what they were asked with, and text and JSON know Python's numbers alone.

    Examples
    --------
    >>> _plain(np.int64(3), int | None), _plain(np.bool_(True), bool)
    (3, True)
    >>> _plain([np.int64(3), 4], list[int])
    [3, 4]
    """
    if isinstance(value, np.generic):
        parts = parts_of(kind)
        asked = ArrayLike not in parts and any(part in (int, float, bool) for part in parts)
        return value.item() if asked and value.dtype.kind in "biuf" else value
    if isinstance(value, (list, tuple)) and any(isinstance(item, np.generic) for item in value):
        for part in parts_of(kind):
            inner = get_args(part)
            if inner and inner[0] in (int, float, bool) and type(value) in (list, tuple):
                return type(value)(_plain(item, inner[0]) for item in value)
    return value


def _who(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """Name a function as its caller knows it: what makes an object, by its class."""
    if function.__name__ == "__init__":
        return type(args[0]).__name__
    return function.__qualname__.rpartition("<locals>.")[2]


@lru_cache(maxsize=1024)
def _kinds(
    function: Callable[..., Any],
) -> tuple[list[str], dict[str, Any], dict[str, None], bool]:
    """Return the parameters that may be given by position, the kinds of all that have one, the
    names that may be given (without any where all may), and whether more may be given.
    """
    found = kinds_of(function)
    parameters = inspect.signature(function).parameters.values()
    ordered = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            found.pop(p.name, None)
    every = any(p.kind is p.VAR_KEYWORD for p in parameters)
    more = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return ordered, found, {} if every else dict.fromkeys(p.name for p in parameters), more


def _too_many(who: str, number: int, ordered: abc.Sequence[str]) -> InputError:
    own = [name for name in ordered if name != "self"]
    one = "give several in one list, and options by name" if len(own) == 1 else ""
    return CallError(
        expected=f"{', '.join(own) or 'no arguments'} by position",
        got=f"{number - len(ordered) + len(own)} arguments",
        hint=one or "give options by name",
        where=who,
    )


def _unknown(who: str, name: str, names: abc.Iterable[str]) -> InputError:
    if name in ELSEWHERE:
        return CallError("is no parameter here", parameter=name, hint=ELSEWHERE[name], where=who)
    found = unknown_choice("parameter", name, [each for each in names if each != "self"])
    return CallError(str(found), where=who)


def kinds_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of a function's parameters; without those that cannot be read."""
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError):  # a type that is imported for checkers of types only
        found = {}
        for name, text in function.__annotations__.items():
            try:
                found[name] = (
                    eval(text, function.__globals__)  # noqa: S307 - the function's own source
                    if isinstance(text, str)
                    else text
                )
            except (NameError, TypeError, AttributeError):
                continue
        return found


def _refusal(who: str, name: str, value: Any, kind: Any) -> InputError:
    choices = [
        choice
        for part in parts_of(kind)
        if get_origin(part) is Literal
        for choice in get_args(part)
    ]
    if choices and isinstance(value, str):
        return unknown_choice(name, value, choices, where=who)
    for part in parts_of(kind):  # one wrong name in a list of names
        if get_origin(part) is abc.Sequence and is_instance(value, abc.Sequence):
            wrong = [item for item in value if not matches(item, get_args(part)[0])]
            if get_origin(get_args(part)[0]) is Literal and isinstance(wrong[0], str):
                return _refusal(who, name, wrong[0], get_args(part)[0])
    hint = "pass what .ravel() gives" if name == "axis" and value is None else ""
    if type(value).__name__ in RESAMPLED:
        hint = "permutation_test and two_sample_permutation_test take a statistic of your own"
    return InputError(
        parameter=name, expected=described(kind), got=shown(value), hint=hint, where=who
    )
