"""`nettrial audit`: what each test is worth on networks like the user's own."""

from __future__ import annotations

from typing import Any

import click

from .grouped_help import GroupedCommand
from .networks import network_of, network_options, running_options
from .options import declared_option, numbers, warnings_told, with_options
from .outputs import check_outputs, finish


@click.command("audit", cls=GroupedCommand)
@network_options
@click.option(
    "--differences",
    metavar="LIST",
    default="0.01,0.02,0.03,0.04,0.05",
    show_default=True,
    help="True differences at which power is measured.",
)
@click.option(
    "--replicates",
    "n_replicates",
    type=int,
    default=500,
    show_default=True,
    help="Drawn networks on which every test is made.",
)
@click.option(
    "--inner",
    "n_inner",
    type=int,
    default=30,
    show_default=True,
    help="Replicates of either kind for the bootstrap on each; 0 leaves it out.",
)
@with_options(declared_option("n_jobs"))
@running_options
def command(path: str | None, **options: Any) -> None:
    """Measure Type I error and power of every test on networks like yours, and recommend one.

    \b
    nettrial audit my_network/ --a wvrn --b nbc --labeled 0.3 --report audit.html
    """
    from ..auditing.audit import audit
    from .user_models import user_model

    differences = numbers(options["differences"], "differences", "numbers such as 0.01,0.03")
    check_outputs(options)
    with warnings_told():
        found = audit(
            network_of("audit", path, options), user_model(options["a"]), user_model(options["b"]),
            differences=differences,
            **{name: options[name] for name in
               ("labeled", "n_splits", "positive", "communities", "n_replicates", "n_inner",
                "minutes", "seed", "n_jobs")},
        )  # fmt: skip
    finish(found, options)
