"""`nettrial leaderboard`: an honest reading of a table of results."""

from __future__ import annotations

from typing import Any

import click

from .options import with_options, words
from .outputs import NAMES, OUTPUT, check_outputs, finish
from .tables import PATTERN


@click.command("leaderboard")
@click.argument("paths", nargs=-1, required=True, metavar="TABLE")
@click.option(
    "--test-share",
    type=float,
    required=True,
    help="Test size over training and test size of a split: the assumed correlation "
    "between the scores of two splits.",
)
@click.option("--dataset", "data_set", metavar="COLUMN", help="Column of data sets.")
@click.option(
    "--model", metavar="LIST", help="Column of models, or several that name one together."
)
@click.option("--mean", metavar="COLUMN", help="Column of mean scores.")
@click.option("--sd", metavar="COLUMN", help="Column of standard deviations over splits.")
@click.option("--value", metavar="COLUMN", help="Column of single scores, one row per split.")
@click.option(
    "--models-in",
    metavar="PLACE",
    help="rows or columns: where the models of a wide table are, if it does not show.",
)
@PATTERN
@click.option(
    "--splits",
    "n_splits",
    type=int,
    help="Number of splits behind the means of which no column says it.",
)
@click.option(
    "--paired", is_flag=True, help="With --value: equal keys mean the same split for all models."
)
@click.option(
    "--errors/--scores",
    default=None,
    help="Whether lower scores are better; by default as the columns are called (MAE, loss, ...).",
)
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option(
    "--margin",
    type=float,
    metavar="DIFFERENCE",
    help="Smallest lead that matters (0.01: one percentage point); says which runners-up are "
    "equivalent within it.",
)
@with_options(*OUTPUT)
def command(
    paths: tuple[str, ...],
    model: str | None,
    pattern: tuple[str, ...],
    **options: Any,
) -> None:
    """Show which best entries of a table of results are supported, and by what assumption.

    TABLE is a CSV, Markdown or LaTeX file: wide (models in rows and data sets in columns or the
    other way round, cells such as "0.81", "81.2 ± 0.4" or "OOM"), long (one row per entry), or with
    single scores (--value). With --pattern it is one or several training logs.

    \b
    nettrial leaderboard results.csv --splits 10 --test-share 0.2
    nettrial leaderboard table.tex --splits 10 --test-share 0.2
    nettrial leaderboard *.log --test-share 0.2 --pattern "Epoch: {epoch}, Test: {value}"
    """
    from ..published.leaderboard import leaderboard
    from .tables import of_logs, one_path

    check_outputs(options)
    outputs = {name: options.pop(name) for name in NAMES}
    table: Any = of_logs(paths, pattern) if pattern else one_path(paths)
    if pattern and options["value"] is None:
        options["value"] = "value"
    chosen = None if model is None else words(model, "model")
    found = leaderboard(table, model=chosen, **options)
    finish(found, outputs)
