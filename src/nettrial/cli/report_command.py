"""`nettrial report`: the verdict from a study file."""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import InputError, shown
from .options import with_options
from .outputs import OUTPUT, check_outputs, finish


@click.command("report")
@click.argument("path", metavar="FILE")
@click.argument("out", required=False, metavar="[OUT.html]")
@with_options(*OUTPUT)
def command(path: str, out: str | None, **options: Any) -> None:
    """Show the verdict from a finished study file, as `compare` gave it, without running a model.

    With OUT.html also write one self-contained page.

    \b
    nettrial report study.nettrial report.html
    nettrial report study.nettrial --json
    """
    from ..comparison.stored_runs import stored_comparison

    if out is not None:
        if options["report"] is not None:
            raise InputError(
                expected="one page", got=f"both {shown(out)} and --report", where="report"
            )
        options["report"] = out
    check_outputs(options)
    finish(stored_comparison(path), options)
