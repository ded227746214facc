"""Options that are declared once: signature, documentation, checks and flags come from there.

A dataclass declares them, one field each; a function that takes them as ``**options`` gets them
into its signature and its docstring, and refuses what is none of them.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, field
from typing import Any, NamedTuple, TypeVar, cast

from .arguments import check_arguments, checked_argument
from .errors import InputError, unknown_choice

Face = TypeVar("Face", bound=Callable[..., Any])
Refusal = Callable[[str, str], InputError | None]  # of a function and an option that it has not
SECTION = re.compile(r"^ *Parameters\n *-+\n(.*?)(?=^ *\w+\n *-{3,}\n|\Z)", re.M | re.S)
ENTRY = re.compile(r"^((?:\*{0,2}\w+(?:, )?(?:\\\n)?)+) ?(?::|$)", re.M)


class Spelling(NamedTuple):
    """What documentation and the command line say of an option."""

    kind: str  # its type, as documentation names it
    # what it does. The first sentence is the help of the command line, where `help` is empty.
    text: str
    # flag, metavar, help, default: on the command line; the last is what help shows as the default
    flag: str
    metavar: str | None
    help: str
    default: str
    value: str  # what the flag stands for, where it takes no value
    without: tuple[str, ...]  # the functions that do not have it


def declare(
    default: Any,
    kind: str,
    text: str,
    *,
    flag: str = "",
    metavar: str | None = None,
    help: str = "",
    shown: str = "",
    value: str = "",
    without: Sequence[str] = (),
) -> Any:
    text = inspect.cleandoc(text)
    help = help or " ".join(text.partition(". ")[0].split()).rstrip(".") + "."
    spelling = Spelling(kind, text, flag, metavar, help, shown, value, tuple(without))
    return field(default=default, metadata={"spelling": spelling})


def spelling_of(option: Field[Any]) -> Spelling:
    """Return what documentation and the command line say of a declared option."""
    return cast(Spelling, option.metadata["spelling"])


def taking(
    function: Face,
    declared: Mapping[str, Field[Any]],
    kinds: Callable[[], Mapping[str, Any]],
    refusal: Refusal,
) -> Face:
    """Make a function take, check, document and refuse declared options.

    What it takes as ``**options: Unpack[...]`` becomes part of its signature and of the section
    Parameters of its docstring; what has an entry of its own there keeps it.

    Parameters
    ----------
    declared : mapping of str to Field
        The options by name.
    kinds : callable
        Returns their types.
    refusal : callable
        Returns the error of an option that the function has not; None where it is a misspelling.
    """
    face = function.__name__
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    names = {p.name for p in own}
    unpacked = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    taken = [
        name
        for name, option in declared.items()
        if unpacked and name not in names and face not in spelling_of(option).without
    ]
    inner = check_arguments(function)

    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        for name in [name for name in given if name not in names]:
            if name not in taken:
                known = [*names, *taken]
                error = refusal(face, name) if name in declared else None
                raise error or unknown_choice("option", name, known, where=face)
            given[name] = checked_argument(face, name, given[name], kinds()[name])
        return inner(*args, **given)

    more = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=declared[name].default,
            annotation=declared[name].type,
        )
        for name in taken
    ]
    call.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    call.__doc__ = documented(function.__doc__, declared, [*names, *taken])
    return cast(Face, call)


def documented(
    text: str | None, declared: Mapping[str, Field[Any]], names: Sequence[str]
) -> str | None:
    """Return a docstring whose parameters without an entry have that of the option they are."""
    if text is None:  # as with python -OO
        return None
    text = inspect.cleandoc(text)
    found = SECTION.search(text)
    if found is None:
        return text
    known = {name.strip(" \\\n") for entry in ENTRY.findall(found[1]) for name in entry.split(",")}
    entries = [
        f"{name} : {spelling_of(option).kind}\n" + _indented(spelling_of(option).text)
        for name, option in declared.items()
        if name in names and name not in known
    ]
    end = found.start(1) + len(found[1].rstrip())
    return "\n".join([text[:end], *entries]) + text[end:]


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
