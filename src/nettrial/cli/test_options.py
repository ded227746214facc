"""`nettrial test NAME --list`: what a test takes, and its options with their choices."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..core.plain_text import letters, listed
from ..stats.catalog import SHAPES, TestSpecification

# options of the command itself; all others are given by --set
OWN = ("alternative", "confidence", "null_value", "n_train", "n_test", "seed")


# other words for choices of tests, without capitals and separators
OTHER_WORDS = {
    "asymptotic": ("normal", "chi-square", "uncorrected"),
    "binomial": ("exact",),
    "chi2": ("chi-square", "uncorrected"),
    "chisq": ("chi-square", "uncorrected"),
    "chisquare": ("uncorrected",),
    "chisquared": ("chi-square", "uncorrected"),
    "continuity": ("corrected", "normal-corrected"),
    "yates": ("corrected",),
}


def offered(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the options that a user can set, with their defaults."""
    return {
        name: p.default
        for name, p in inspect.signature(function).parameters.items()
        if p.kind is p.KEYWORD_ONLY and name not in ("axis", "names")
    }


def meant(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with each choice as it is listed, however it is written.

    Examples
    --------
    >>> from nettrial.stats.catalog import CATALOG
    >>> meant(CATALOG["mcnemar"].load(), {"method": "Mid-P"})
    {'method': 'midp'}
    >>> meant(CATALOG["mcnemar"].load(), {"method": "chi-square"})
    {'method': 'uncorrected'}
    """
    kinds = get_type_hints(inspect.unwrap(function))
    found = dict(given)
    for name, value in given.items():
        if isinstance(value, str) and _is_choice(kinds.get(name)):
            choices = get_args(kinds[name])
            other = [one for one in OTHER_WORDS.get(letters(value), ()) if one in choices]
            found[name] = other[0] if other else listed(value, choices)
    return found


def options_of(spec: TestSpecification) -> list[dict[str, Any]]:
    """Return name, option, choices, default and meaning of each option of a test.

    Examples
    --------
    >>> from nettrial.stats.catalog import CATALOG
    >>> [option["option"] for option in options_of(CATALOG["sign"])]
    ['--set ties=', '--set digits=', '--alternative', '--confidence']
    """
    function = spec.load()
    kinds = get_type_hints(inspect.unwrap(function))
    note = _meanings(inspect.getdoc(function) or "")
    found = []
    for name, default in offered(function).items():
        required = default is inspect.Parameter.empty
        own = f"--{name.replace('_', '-')}" if name in OWN else f"--set {name}="
        found.append(
            {
                "name": name,
                "option": own,
                "choices": list(get_args(kinds.get(name))) if _is_choice(kinds.get(name)) else None,
                "required": required,
                "default": None if required else default,
                "meaning": note.get(name, ""),
            }
        )
    return found


def options_text(spec: TestSpecification) -> str:
    """Write for people what a test is for, takes and offers."""
    options = options_of(spec)
    lines = [f"{spec.name}: {spec.use}", f"TABLE: {SHAPES[spec.shape]}"]
    if spec.aliases:
        lines.append(f"also called {', '.join(spec.aliases)}")
    width = max((len(option["option"]) for option in options), default=0)
    for option in options:
        default = "required" if option["required"] else f"default {_shown(option['default'])}"
        choices = f"{', '.join(map(str, option['choices']))}; " if option["choices"] else ""
        meaning = f"; {option['meaning']}" if option["meaning"] else ""
        lines.append(f"  {option['option']:<{width}}  {choices}{default}{meaning}")
    return "\n".join(lines)


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _shown(default: Any) -> str:
    if isinstance(default, tuple):
        return ",".join(f"{value:g}" for value in default)
    if default is None or isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)


def _meanings(text: str) -> dict[str, str]:
    """Return the first sentence on each parameter of a docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", text, re.DOTALL | re.M)
    found: dict[str, str] = {}
    for entry in re.split(r"^(?=\w)", section[1] if section else "", flags=re.M):
        head, _, body = entry.partition("\n")
        sentence = re.split(r"(?<=[a-z)\]])\.(?:\s|$)", " ".join(body.split()), maxsplit=1)[0]
        if sentence and not sentence.startswith("As "):
            for name in head.partition(" : ")[0].split(","):
                found[name.strip()] = sentence.replace("`", "").rstrip(".")
    return found
