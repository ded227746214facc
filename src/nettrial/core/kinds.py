"""What an annotation asks for: whether a value is it, and in words."""

from __future__ import annotations

import collections.abc as abc
import os
import sys
import types
from functools import lru_cache
from numbers import Integral, Real
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

import numpy as np
from numpy.typing import ArrayLike

MOST = 2**31  # items of a range, as of the nodes of a network
ARRAYS = (abc.Sequence, np.ndarray, Real, np.generic)


class HasMembers(NamedTuple):
    """What an object of another library must offer to be taken for one of a kind.

    It stands in the annotation: ``Annotated[Any, HasMembers("an igraph graph", ("vcount",))]``.
    """

    kind: str
    members: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Return whether a value, which is no class, offers it."""
        return not isinstance(value, type) and all(hasattr(value, name) for name in self.members)


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


def _unaliased(kind: Any) -> Any:
    """Return what the name of a type stands for; from 2.5 on, numpy's types of arrays are names."""
    if kind is ArrayLike:
        return kind
    name = get_origin(kind) or kind
    if not hasattr(name, "__value__"):
        return kind
    return name.__value__[get_args(kind)] if get_args(kind) else name.__value__


@lru_cache(maxsize=1024)
def parts_of(kind: Any) -> tuple[Any, ...]:
    """Return what a union is of; what can be made an array is one kind, though numpy lists many."""
    kind = _unaliased(kind)
    if kind is ArrayLike or get_origin(kind) not in (Union, types.UnionType):
        return (kind,)
    inner, arrays = tuple(map(_unaliased, get_args(kind))), get_args(ArrayLike)
    if arrays and set(arrays) <= set(inner):
        return (ArrayLike, *(part for part in inner if part not in arrays))
    return inner


def matches(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind, as an annotation names it.

    Examples
    --------
    >>> matches(3, float), matches(True, int), matches("a", str | None), matches([1], list[str])
    (True, False, True, False)
    """
    parts = parts_of(kind)
    if len(parts) > 1:
        return any(matches(value, part) for part in parts)
    (kind,) = parts
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is Annotated:
        return matches(value, kind.__origin__) and all(o.fits(value) for o in _offers(kind))
    if kind in (Any, object) or isinstance(kind, TypeVar):
        return True
    if kind is ArrayLike or origin is np.ndarray:
        given = isinstance(value, ARRAYS) or hasattr(value, "__array__")
        given = given and (not isinstance(value, range) or _countable(value))
        return given and (not _of_integers(kind) or _holds_integers(value))
    if kind is None or kind is type(None):
        return value is None
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in inner)
    if kind is bool:
        return isinstance(value, (bool, np.bool_))
    if kind is int:
        return not isinstance(value, bool) and isinstance(value, Integral) and _is_double(value)
    if kind is float:
        number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
        return number and _is_double(value)
    if kind is complex or is_typeddict(kind):
        return True
    if origin is abc.Callable:
        return callable(value)
    if not isinstance(origin, type):
        return True
    return is_instance(value, origin) and _holds(value, origin, inner)


def _of_integers(kind: Any) -> bool:
    """Return whether an annotation asks for an array of integers, such as indices of nodes."""
    scalar = get_args(get_args(kind)[1])[:1] if get_origin(kind) is np.ndarray else ()
    return bool(scalar) and isinstance(scalar[0], type) and issubclass(scalar[0], np.integer)


def _holds_integers(value: Any) -> bool:
    try:
        array = np.asarray(value)
    except ValueError:  # lists of unequal lengths
        return False
    return array.ndim > 0 and array.dtype.kind in "iub"


def _offers(kind: Any) -> list[HasMembers]:
    return [part for part in kind.__metadata__ if isinstance(part, HasMembers)]


def is_instance(value: Any, kind: type) -> bool:
    if issubclass(kind, os.PathLike) or kind is os.PathLike:
        return isinstance(value, os.PathLike)
    if kind in (abc.Sequence, abc.Iterable, abc.Collection):
        if isinstance(value, (str, bytes, abc.Mapping)) or not _countable(value):
            return False
        # arrays and tables are sequences in all but name
        return isinstance(value, kind) or (hasattr(value, "__len__") and hasattr(value, "__iter__"))
    if kind in (tuple, list):
        return isinstance(value, (tuple, list))
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be checked at run time
        return True


def _is_double(value: Any) -> bool:
    """Return whether a number can be computed with: a whole one may be beyond all doubles."""
    return not isinstance(value, int) or abs(value) <= sys.float_info.max


def _countable(value: Any) -> bool:
    """Return whether what has a length has one that can be gone through.

    Arrays without dimensions and sparse matrices have none, and a range may be endless but in name.
    """
    if not hasattr(type(value), "__len__"):
        return True
    try:
        return len(value) <= MOST or not isinstance(value, range)
    except Exception:  # noqa: BLE001 - of whatever library the object is
        return False


def _holds(value: Any, kind: type, inner: tuple[Any, ...]) -> bool:
    """Return whether a container holds what it should; iterators, which end, are not asked."""
    if not inner or inner[0] in (Any, object):
        return True
    if issubclass(kind, abc.Mapping):
        return all(
            matches(key, inner[0]) and matches(item, inner[1]) for key, item in value.items()
        )
    if kind in (list, abc.Sequence, abc.Collection, set, frozenset) and len(inner) == 1:
        if getattr(getattr(value, "dtype", None), "kind", "O") != "O" and inner[0] in (int, float):
            return True
        return all(matches(item, inner[0]) for item in _samples(value, inner[0]))
    if kind is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return all(matches(item, inner[0]) for item in _samples(value, inner[0]))
    if kind is tuple:
        return len(value) == len(inner) and all(map(matches, value, inner))
    return True


def _samples(values: abc.Iterable[Any], kind: Any) -> abc.Iterable[Any]:
    """Return what must be looked at: one value of each type where the type alone decides."""
    if any(get_origin(part) is not None for part in parts_of(kind)):
        return values
    return {type(value): value for value in values}.values()


def described(kind: Any) -> str:
    """Describe in words what an annotation asks for.

    Examples
    --------
    >>> described(int | None), described(list[str])
    ('an integer or None', 'a list of text')
    """
    parts = parts_of(kind)
    if len(parts) > 1:
        said = list(dict.fromkeys(described(part) for part in parts))
        return f"{', '.join(said[:-1])} or {said[-1]}" if len(said) > 1 else said[0]
    (kind,) = parts
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if kind is ArrayLike or origin is np.ndarray:
        return f"an array{' of integers' * _of_integers(kind)}, or a list of numbers"
    if origin is Annotated:
        return " or ".join(offers.kind for offers in _offers(kind)) or described(kind.__origin__)
    if origin is Literal:
        return " or ".join(map(repr, inner))
    name = WORDS.get(origin) or _article(getattr(origin, "__name__", str(origin)))
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        return f"{len(inner)} values ({', '.join(map(described, inner))})"
    if origin in (abc.Sequence, abc.Iterable, list, tuple, set) and inner and inner[0] is not Any:
        held = described(inner[0]).removeprefix("an ").removeprefix("a ")
        several = "s" * (inner[0] in (int, float))
        return f"{name.removesuffix(' such as a list')} of {held}{several}"
    if origin is abc.Mapping and inner and inner[1] is not Any:
        return f"a mapping of {described(inner[0])} to {described(inner[1])}"
    return name


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"
