"""Help whose options stand in groups, under what they are for; `-h` names them alone."""

from __future__ import annotations

from typing import Any

import click

from ..io.options import declared
from . import gates
from .help import FIXED_HYPHEN
from .outputs import NAMES

# title -> parameters, in the order of the help; what is in none stands last
GROUPS: dict[str, tuple[str, ...]] = {
    "Models": ("a", "b", "models"),
    "Predictions made elsewhere": ("predictions", "where"),
    "Nodes with several labels": ("labels", "average"),
    "Items in groups, logs": ("groups", "truth", "score", "errors"),
    "Reading files": ("network", "example", *declared(), "positive"),
    "Splits": ("labeled", "known", "n_splits", "design", "split_file", "cross_links",
               "setting"),
    "Tests": ("communities", "measure", "measures", "margin", "test", "n_replicates", "rope",
              "confidence", "control", "n_prior_tests"),
    "Running": ("seed", "n_seeds", "n_jobs", "store", "shard", "retry", "timeout", "memory",
                "minutes", "budget"),
    "Gate": gates.NAMES,
    "Output": NAMES,
}  # fmt: skip
SHORT = "nettrial.short_help"


def short_help() -> Any:
    """Return the option `-h`: what a command is for, examples, and the names of its options."""

    def show(context: click.Context, _option: click.Parameter, asked: bool) -> None:
        if asked and not context.resilient_parsing:
            context.meta[SHORT] = True
            click.echo(context.get_help())
            context.exit()

    return click.Option(
        ["-h"], is_flag=True, is_eager=True, expose_value=False, callback=show,
        help="Show the names of the options alone.",
    )  # fmt: skip


class GroupedCommand(click.Command):
    """A command with many options."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.context_settings = {"help_option_names": ["--help"]}
        self.params.append(short_help())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group, or their names."""
        grouped = {name: title for title, names in GROUPS.items() for name in names}
        found: dict[str, list[tuple[str, str]]] = {title: [] for title in (*GROUPS, "Options")}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                found[grouped.get(str(parameter.name), "Options")].append(record)
        known = {title: records for title, records in found.items() if records}
        if ctx.meta.get(SHORT):
            with formatter.section(f"Options (nettrial {self.name} --help says what they do)"):
                formatter.write_dl([(title, _names(records)) for title, records in known.items()])
            return
        for title, records in known.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _names(records: list[tuple[str, str]]) -> str:
    """Return the options of a group without what they take."""
    options = (word.partition(" ")[0] for heads, _ in records for word in heads.split(" / "))
    return " ".join(word.rstrip(",") for word in options).replace("-", FIXED_HYPHEN)
