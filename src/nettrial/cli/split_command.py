"""`nettrial split`: splits to a file, for models that are trained elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from . import tell
from .networks import read_network, reading_options

if TYPE_CHECKING:
    from ..splits.base import Split


@click.command("split")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    help="A file: .npz (index arrays), .csv or .csv.gz (split, node, set), .json (OGB dicts).",
)
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="npz, masks (bool, nodes x splits, in an .npz), csv or ogb; by default as FILE ends.",
)
@click.option(
    "--design",
    metavar="NAME",
    default="rrs",
    show_default=True,
    help="How to split: rrs (random resampling), ers (equal resampling), ncv "
    "(network cross-validation), ...",
)
@click.option(
    "--labeled", type=float, help="Proportion of labeled nodes to learn from.  [default: 0.3]"
)
@click.option("--splits", "n_splits", type=int, help="Number of splits.  [default: 10]")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--validation",
    type=float,
    default=0.0,
    show_default=True,
    help="Share of the training nodes to set apart as valid.",
)
@reading_options
def command(
    path: str,
    out: str,
    form: str | None,
    design: str,
    labeled: float | None,
    n_splits: int | None,
    seed: int,
    validation: float,
    **reading: Any,
) -> None:
    """Write training and test sets to a file, to train models elsewhere.

    They are those that compare draws with the same options. With --validation, a part of each
    training set is called valid, to choose settings or to stop early; compare counts it as
    training nodes.

    \b
    nettrial split my_network/ --design ncv --labeled 0.3 --out splits.npz
    nettrial compare my_network/ --predictions predictions.csv --split-file splits.npz
    """
    from ..splits.files import write_splits
    from ..splits.names import by_name, describe_splits, options

    network = read_network(path, reading)
    given = {k: v for k, v in (("labeled", labeled), ("n_splits", n_splits)) if v is not None}
    if "seed" in options(design):
        given["seed"] = seed
    splits = by_name(design, **given).split_network(network)
    write_splits(network, splits, out, format=form, validation=validation, seed=seed)
    note = describe_splits(len(splits), design)
    tell(f"{note} of {network.labeled.size:,} labeled nodes written to {out}")
    tell(f"in each split {_describe_sizes(splits, validation)}")


def _describe_sizes(splits: Sequence[Split], validation: float) -> str:
    """Describe how many nodes each set holds; the least and the most where splits differ."""
    from ..splits.files import validation_size

    valid = [validation_size(validation, split) for split in splits]
    counts = {
        "training": [split.train.size - n for split, n in zip(splits, valid)],
        "validation": valid,
        "test": [split.test.size for split in splits],
    }
    note = [
        f"{min(sizes):,}{f' to {max(sizes):,}' * (max(sizes) > min(sizes))} {what}"
        for what, sizes in counts.items()
        if any(sizes)
    ]
    return f"{', '.join(note[:-1])} and {note[-1]} nodes"
