"""`nettrial plan`: how many nodes, labels, splits or seeds it takes to see a difference."""

from __future__ import annotations

from typing import Any

import click

from .grouped_help import GroupedCommand
from .networks import network_of, network_options, running_options
from .options import declared_option, described_warnings, with_options
from .outputs import check_outputs, finish


@click.command("plan", cls=GroupedCommand)
@network_options
@click.option(
    "--difference",
    type=float,
    default=0.02,
    show_default=True,
    help="True difference of the error rates to detect; with --target of the squared errors, as a "
    "share of the larger one.",
)
@click.option(
    "--power",
    type=float,
    default=0.8,
    show_default=True,
    help="Probability with which it is detected.",
)
@click.option(
    "--replicates",
    "n_replicates",
    type=int,
    help="Drawn networks of each size and proportion of labels, by default up to 200 within the "
    "budget; or halvings of the communities, by default up to 40.",
)
@with_options(declared_option("n_seeds"), declared_option("budget"))
@running_options
def command(path: str | None, **options: Any) -> None:
    """Show how many nodes, labels, splits or seeds it takes to see a difference of two classifiers.

    \b
    nettrial plan my_network/ --a wvrn --b nbc --labeled 0.3 --difference 0.02
    nettrial plan my_network/ --a gcn --b mlp --seeds 3 --budget 10min
    """
    from ..auditing.plan import plan
    from .user_models import user_model

    check_outputs(options)
    with described_warnings():
        found = plan(
            network_of("plan", path, options), user_model(options["a"]), user_model(options["b"]),
            **{name: options[name] for name in
               ("labeled", "n_splits", "positive", "communities", "difference", "power",
                "n_replicates", "n_seeds", "budget", "minutes", "seed")
               if options[name] is not None},
        )  # fmt: skip
    finish(found, options)
