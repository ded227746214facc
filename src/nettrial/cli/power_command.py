"""`nettrial power`: how large a sample has to be, or what one of a given size can show."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable
from typing import Any

import click

from ..core.errors import AssumptionWarning, InputError, shown, unknown_choice
from ..core.plain_text import listed
from ..numeric.checks import count, scalar
from ..stats.catalog import plain
from . import say, tell
from .test_command import setting

# test -> what it is planned by
PLANNED = {
    "t": ("EFFECT_SIZE",),
    "sign": ("PROBABILITY",),
    "mcnemar": ("P_ONLY_A", "P_ONLY_B"),
    "two-proportions": ("P_A", "P_B"),
}


@click.command("power", context_settings={"ignore_unknown_options": True})
@click.argument("test", metavar="TEST")
@click.argument("values", nargs=-1, metavar="VALUE...")
@click.option("--n", type=float, help="Say what power so many pairs or cases have.")
@click.option("--power", "wanted", type=float, help="The power wanted.  [default: 0.8]")
@click.option("--alpha", type=float, help="The level.  [default: 0.05]")
@click.option("--alternative", help="two-sided, less or greater.")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Any other option.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    test: str,
    values: tuple[str, ...],
    n: float | None,
    wanted: float | None,
    settings: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Find the sample size of a test, or with --n its power.

    \b
    nettrial power t 0.5                            # pairs, by their mean over their sd
    nettrial power t 0.5 --set design=two-sample
    nettrial power sign 0.7                         # pairs, by the chance that A is higher
    nettrial power mcnemar 0.08 0.05                # cases, by the chances that only one errs
    nettrial power two-proportions 0.20 0.15 --n 500

    Cases must be independent: for networks use plan.
    """
    name = listed(plain(test), PLANNED, {"pairedt": "t", "twoproportionsscore": "two-proportions"})
    if name not in PLANNED:
        raise unknown_choice("TEST", test, PLANNED)
    words = PLANNED[name]
    if len(values) != len(words):
        raise InputError(
            parameter=name, expected=" ".join(words), got=f"{' '.join(values) or 'no value'}"
        )
    if n is not None and wanted is not None:
        raise InputError(expected="--n or --power", got="both")
    given = {key: value for key, value in options.items() if value is not None}
    given |= dict(setting(text) for text in settings)
    if wanted is not None:
        given["power"] = wanted
    function = _function(name, sized=n is None)
    known = [p.name for p in inspect.signature(function).parameters.values()][len(words) :]
    for key in given:
        if key not in known or key == "n":
            raise unknown_choice("set", key, [word for word in known if word != "n"])
    numbers: list[float] = [_number(word, text) for word, text in zip(words, values)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)  # the result's notes say it
        found = function(*numbers, *([] if n is None else [count("n", n)]), **given)
    if as_json:
        say(json.dumps(found.to_dict(), indent=2))
        return
    unit = "pairs" if name in ("t", "sign") else "cases"
    tell(_note(found, "values" if given.get("design", "paired") != "paired" else unit, n is None))


def _function(name: str, *, sized: bool) -> Callable[..., Any]:
    from ..stats import power

    found: Callable[..., Any] = getattr(
        power, f"{name.replace('-', '_')}_{'sample_size' if sized else 'power'}"
    )
    return found


def _number(word: str, text: str) -> float:
    try:
        return scalar(word, float(text))
    except ValueError:
        raise InputError(parameter=word, expected="a number", got=shown(text)) from None


def _note(found: Any, unit: str, sized: bool) -> str:
    sizes = f"{found.n:,} {unit}" if found.n_b is None else f"{found.n:,} and {found.n_b:,} {unit}"
    if sized:
        first = f"It takes {sizes} for a power of {found.power:.4g}."
    else:
        first = f"With {sizes} the power is {found.power:.4g}."
    return f"{first}\n\n{found}"
