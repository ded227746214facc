"""`nettrial report`: the verdict from a study file."""

from __future__ import annotations

from typing import Any

import click

from ..errors import InputError
from .outputs import check_outputs, finish, output_options


@click.command("report")
@click.argument("path", metavar="FILE")
@click.argument("out", required=False, metavar="[OUT.html]")
@output_options
def command(path: str, out: str | None, **options: Any) -> None:
    """Show the verdict from a finished study file, as `compare` gave it, without running a model.

    With OUT.html also write one self-contained page.
    """
    from ..comparison.stored import stored_comparison

    if out is not None:
        if options["report"] is not None:
            raise InputError(f"report: received both {out!r} and --report; give one of them")
        options["report"] = out
    check_outputs(options)
    finish(stored_comparison(path), options)
