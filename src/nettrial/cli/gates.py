"""`--fail-if`: the exit status of a comparison says whether a model may ship."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError
from . import say

if TYPE_CHECKING:
    from ..core.finding import Finding

FAILED = 3  # the exit status of a gate that does not pass
GATE: Sequence[Callable[[Any], Any]] = (
    click.option("--fail-if", metavar="CONDITION", multiple=True,
                 help="End with status 3 where A is worse, not-better or worse-by=MARGIN than B, "
                      "or where `nettrial check` finds a problem (check). May be repeated."),
    click.option("--on-unsettled", type=click.Choice(["fail", "pass"]),
                 help="With --fail-if: what follows where the data cannot tell.  "
                      "[default: fail]"),
)  # fmt: skip
NAMES = ("fail_if", "on_unsettled")


def check_gate(options: Mapping[str, Any], *, several: bool) -> None:
    """Refuse conditions that cannot be used, before any work is done."""
    if not options["fail_if"]:
        if options["on_unsettled"] is not None:
            raise InputError("compare: --on-unsettled needs --fail-if")
        return
    from ..comparison.multiple import MultipleComparison
    from ..report.gate import CHECK, check_conditions, check_gated, known_measure

    check_conditions(options["fail_if"], known_measure(options["measure"]))
    held = next((each for each in options["fail_if"] if each != CHECK), None)
    if held is None:
        return
    if several:
        check_gated(MultipleComparison, options["control"])
    elif all(options[name] is None for name in ("a", "b", "control")):
        raise InputError(
            f"compare: --fail-if {held} needs --a, the new model, and --b, the old one; nothing "
            "else says which is which"
        )


def end(found: Finding, options: Mapping[str, Any]) -> None:
    """Say whether the result passes, and end with status 3 where it does not."""
    if not options["fail_if"]:
        return
    from ..report.gate import gate

    new = getattr(found, "a", None)  # as --a or --b says
    unsettled: Any = options["on_unsettled"] or "fail"
    reached = gate(found, options["fail_if"], new=new, on_unsettled=unsettled)
    say(f"nettrial: {reached.sentence}", err=True)
    if not reached.passed:
        raise click.exceptions.Exit(FAILED)
