"""Help whose options stand in groups, under what they are for."""

from __future__ import annotations

import click

from ..io.options import declared
from . import gates
from .outputs import NAMES

# title -> parameters, in the order of the help; what is in none stands first
GROUPS: dict[str, tuple[str, ...]] = {
    "Reading files": tuple(declared()),
    "Splits": ("labeled", "known", "n_splits", "design", "split_file", "cross_links"),
    "Tests": ("communities", "measure", "measures", "test", "n_replicates", "rope", "confidence",
              "control", "n_prior_tests"),
    "Running": ("seed", "n_seeds", "n_jobs", "store", "retry", "timeout", "memory",
                "minutes", "budget"),
    "Gate": gates.NAMES,
    "Output": NAMES,
}  # fmt: skip


class GroupedCommand(click.Command):
    """A command with many options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group."""
        grouped = {name: title for title, names in GROUPS.items() for name in names}
        found: dict[str, list[tuple[str, str]]] = {title: [] for title in ("Options", *GROUPS)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                found[grouped.get(str(parameter.name), "Options")].append(record)
        for title, records in found.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
