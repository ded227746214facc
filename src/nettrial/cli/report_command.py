"""`nettrial report`: the verdict from a study file."""

from __future__ import annotations

from pathlib import Path

import click

from . import say


@click.command("report")
@click.argument("path", metavar="FILE")
@click.argument("out", required=False, metavar="[OUT.html]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(path: str, out: str | None, as_json: bool) -> None:
    """Give the verdict from a finished study file, as `compare` gave it, without running a model.

    With OUT.html also write one self-contained page.
    """
    from ..comparison.multiple_result import MultipleComparison
    from ..comparison.stored import stored_comparison
    from ..report.html import check_writable, write_report
    from ..report.html_several import write_several_report

    if out is not None:
        check_writable(out)
    found = stored_comparison(path)
    if out is not None:
        if isinstance(found, MultipleComparison):
            write_several_report(found, out)
        else:
            write_report(found, out)
    say(found.to_json() if as_json else str(found))
    if out is not None:
        say(f"report written to {Path(out)}", err=True)
