"""One check of arguments: what a public function is handed must be what its signature says.

``@check_arguments`` reads the annotations of a function when it is first called, and refuses an
argument of another kind in one line, before anything is done with it. What a value must be beyond
its kind (a share below 1, a file that exists) is checked where it is used.
"""

from __future__ import annotations

import collections.abc as abc
import inspect
import os
import types
from collections.abc import Callable
from functools import lru_cache, wraps
from numbers import Integral, Real
from typing import (
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np
from numpy.typing import ArrayLike

from .errors import InputError, unknown_choice

P = ParamSpec("P")
R = TypeVar("R")
LONGEST = 60  # letters of a value that a message shows
ARRAYS = (abc.Sequence, np.ndarray, Real, np.generic)
WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "an integer",
    float: "a number",
    str: "text",
    type(None): "None",
    os.PathLike: "a path",
    abc.Mapping: "a mapping such as a dict",
    abc.Sequence: "a sequence such as a list",
    abc.Iterable: "a sequence such as a list",
    abc.Callable: "a function",
    np.ndarray: "an array",
}


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments of another kind than the annotations say.

    Raises
    ------
    InputError
        When the function is called with one; names the function and the parameter.

    Examples
    --------
    >>> @check_arguments
    ... def half(size: int, *, by: Literal["floor", "ceil"] = "floor") -> int:
    ...     return size // 2
    >>> half(7)
    3
    >>> half("7")
    Traceback (most recent call last):
    nettrial.errors.InputError: half: size: expected an integer, got '7'
    >>> half(7, by="flor")
    Traceback (most recent call last):
    nettrial.errors.InputError: half: by: expected one of floor, ceil, got 'flor'; did you ...
    """
    signature = inspect.signature(function)
    who = function.__qualname__.removesuffix(".__init__").rpartition("<locals>.")[2]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return function(*args, **kwargs)  # which says what is missing or too much
        kinds = _kinds(function)
        for name, value in given.items():
            if name in kinds and signature.parameters[name].kind.name not in (
                "VAR_POSITIONAL",
                "VAR_KEYWORD",
            ):
                _check(f"{who}: {name}", value, kinds[name])
        return function(*args, **kwargs)

    return call


@lru_cache(maxsize=512)
def _kinds(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of a function's parameters; without those that cannot be read."""
    try:
        found = get_type_hints(function)
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
    found.pop("return", None)
    return found


def _check(where: str, value: Any, kind: Any) -> None:
    if matches(value, kind):
        return
    choices = [
        choice for part in _parts(kind) if get_origin(part) is Literal for choice in get_args(part)
    ]
    if choices and isinstance(value, str):
        raise unknown_choice(where, value, choices)
    raise InputError(f"{where}: expected {described(kind)}, got {_shown(value)}")


def _parts(kind: Any) -> tuple[Any, ...]:
    if kind == ArrayLike:
        return (kind,)
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(part for inner in get_args(kind) for part in _parts(inner))
    return (kind,)


def matches(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind, as an annotation names it.

    Examples
    --------
    >>> matches(3, float), matches(True, int), matches("a", str | None), matches([1], list[str])
    (True, False, True, False)
    """
    parts = _parts(kind)
    if len(parts) > 1:
        return any(matches(value, part) for part in parts)
    (kind,) = parts
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if kind in (Any, object) or isinstance(kind, TypeVar):
        return True
    if kind == ArrayLike or origin is np.ndarray:
        return isinstance(value, ARRAYS) or hasattr(value, "__array__")
    if kind is None or kind is type(None):
        return value is None
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in inner)
    if kind is bool:
        return isinstance(value, (bool, np.bool_))
    if kind is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    if kind is complex or is_typeddict(kind):
        return True
    if origin is abc.Callable:
        return callable(value)
    if not isinstance(origin, type):
        return True
    return _is_instance(value, origin) and _holds(value, origin, inner)


def _is_instance(value: Any, kind: type) -> bool:
    if issubclass(kind, os.PathLike) or kind is os.PathLike:
        return isinstance(value, os.PathLike)
    if kind in (abc.Sequence, abc.Iterable, abc.Collection):
        if isinstance(value, (str, bytes, abc.Mapping)):
            return False
        # arrays and tables are sequences in all but name
        return isinstance(value, kind) or (hasattr(value, "__len__") and hasattr(value, "__iter__"))
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be check_arguments
        return True


def _holds(value: Any, kind: type, inner: tuple[Any, ...]) -> bool:
    """Return whether a container holds what it should; iterators, which end, are not asked."""
    if not inner:
        return True
    if issubclass(kind, abc.Mapping):
        return all(
            matches(key, inner[0]) and matches(item, inner[1]) for key, item in value.items()
        )
    if kind in (list, abc.Sequence, abc.Collection, set, frozenset) and len(inner) == 1:
        if getattr(getattr(value, "dtype", None), "kind", "O") != "O" and inner[0] in (int, float):
            return True
        return all(matches(item, inner[0]) for item in value)
    if kind is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return all(matches(item, inner[0]) for item in value)
    return True


def described(kind: Any) -> str:
    """Describe in words what an annotation asks for.

    Examples
    --------
    >>> described(int | None), described(list[str])
    ('an integer or None', 'a list of text')
    """
    parts = _parts(kind)
    if len(parts) > 1:
        said = list(dict.fromkeys(described(part) for part in parts))
        return f"{', '.join(said[:-1])} or {said[-1]}" if len(said) > 1 else said[0]
    (kind,) = parts
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if kind == ArrayLike or origin is np.ndarray:
        return "an array, or a list of numbers"
    if origin is Literal:
        return " or ".join(map(repr, inner))
    name = WORDS.get(origin) or _article(getattr(origin, "__name__", str(origin)))
    if origin in (abc.Sequence, abc.Iterable, list, tuple, set) and inner and inner[0] is not Any:
        held = described(inner[0]).removeprefix("an ").removeprefix("a ")
        return f"{name.removesuffix(' such as a list')} of {held}"
    return name


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - any object may come here
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
