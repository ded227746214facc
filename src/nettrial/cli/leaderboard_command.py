"""`nettrial leaderboard`: an honest reading of a table of results."""

from __future__ import annotations

from typing import Any

import click

from .many import words
from .outputs import NAMES, check_outputs, finish, output_options


@click.command("leaderboard")
@click.argument("path", metavar="TABLE.csv")
@click.option("--test-share", type=float, required=True,
              help="Test size over training and test size of a split: the assumed correlation "
                   "between the scores of two splits.")  # fmt: skip
@click.option("--dataset", "data_set", metavar="COLUMN", help="Column of data sets.")
@click.option("--model", metavar="LIST",
              help="Column of models, or several that name one together.")  # fmt: skip
@click.option("--mean", metavar="COLUMN", help="Column of mean scores.")
@click.option("--sd", metavar="COLUMN", help="Column of standard deviations over splits.")
@click.option("--value", metavar="COLUMN", help="Column of single scores, one row a split.")
@click.option("--splits", "n_splits", type=int, help="Number of splits behind every mean.")
@click.option("--paired", is_flag=True,
              help="With --value: equal keys mean the same split for all models.")  # fmt: skip
@click.option("--errors", is_flag=True, help="Lower scores are better.")
@click.option("--confidence", type=float, default=0.95, show_default=True)
@output_options
def command(
    path: str,
    model: str | None,
    **options: Any,
) -> None:
    """Say which best entries of a table of results are supported, and by what assumption.

    The table is wide (data sets by models, cells "0.81" or "81.2 ± 0.4"), long (one row an entry)
    or holds single scores (--value).

    \b
    nettrial leaderboard results.csv --splits 10 --test-share 0.2
    """
    from ..comparison.leaderboard import leaderboard
    from .tables import read_columns

    check_outputs(options)
    outputs = {name: options.pop(name) for name in NAMES}
    chosen = None if model is None else words(model, "--model")
    found = leaderboard(read_columns(path), model=chosen, **options)
    finish(found, outputs)
