"""`nettrial split`: splits to a file, for models that are trained elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError, shown
from . import say, tell
from .networks import read_network, reading_options

if TYPE_CHECKING:
    from ..network.network import Network
    from ..splits.base import Split


@click.command("split")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    help="A file: .npz (index arrays), .csv or .csv.gz (split, node, set), .json (OGB dicts); "
    "with --halves a folder.",
)
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="npz, masks (bool, nodes x splits, in an .npz), csv or ogb; by default as FILE ends. With "
    "--halves: npz, csv or pyg (tensors for PyTorch Geometric).  [default: npz]",
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
@click.option(
    "--halves",
    "n_halvings",
    type=int,
    metavar="N",
    help="Write N halvings of the communities as well, for the test that compare prefers: networks "
    "and splits on which each model is trained elsewhere.",
)
@click.option(
    "--per-halving",
    type=int,
    metavar="R",
    help="With --halves: splits that each halving uses.  [default: all]",
)
@click.option(
    "--communities",
    metavar="NAME",
    default="louvain",
    show_default=True,
    help="With --halves: groups of dependent nodes: louvain, or a node column.",
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
    n_halvings: int | None,
    per_halving: int | None,
    communities: str,
    **reading: Any,
) -> None:
    """Write training and test sets to a file, to train models elsewhere.

    They are those that compare draws with the same options. With --validation, a part of each
    training set is called valid, to choose settings or to stop early; compare counts it as
    training nodes.

    \b
    nettrial split my_network/ --design ncv --labeled 0.3 --out splits.npz
    nettrial compare my_network/ --predictions predictions.csv --split-file splits.npz
    nettrial split my_network/ --halves 20 --per-halving 3 --out halves/
    nettrial compare my_network/ --predictions halves/
    """
    from ..splits.files import write_splits
    from ..splits.names import by_name, describe_splits, options

    network = read_network(path, reading)
    if n_halvings is not None:
        _halves(
            network, out, form, n_halvings=n_halvings, per_halving=per_halving, design=design,
            labeled=labeled, n_splits=n_splits, seed=seed, validation=validation,
            communities=communities,
        )  # fmt: skip
        return
    if per_halving is not None or communities != "louvain":
        raise InputError("split: --per-halving and --communities need --halves")
    given = {k: v for k, v in (("labeled", labeled), ("n_splits", n_splits)) if v is not None}
    if "seed" in options(design):
        given["seed"] = seed
    splits = by_name(design, **given).split_network(network)
    write_splits(network, splits, out, format=form, validation=validation, seed=seed)
    note = describe_splits(len(splits), design)
    tell(f"{note} of {network.labeled.size:,} labeled nodes written to {out}")
    tell(f"in each split {_describe_sizes(splits, validation)}")
    for note in _untrained(network, splits):
        say(f"nettrial: warning: {note}", err=True)


def _untrained(network: Network, splits: Sequence[Split]) -> list[str]:
    """Describe the classes of which a split has test nodes, but no training node."""
    found = []
    for code, name in enumerate(network.classes):
        without = sum(
            code in network.labels[split.test] and code not in network.labels[split.train]
            for split in splits
        )
        if without:
            found.append(
                f"class {shown(str(name))} has no training node in {without:,} of {len(splits):,} "
                "splits, so that no model can learn it there"
            )
    return found


def _halves(network: Network, out: str, form: str | None, **options: Any) -> None:
    """Write halves of the communities, and say what it takes to train a model on them."""
    from ..comparison.halves import halves
    from ..comparison.halves_files import what_it_takes, write_halves
    from ..core.errors import unknown_choice
    from ..splits.names import describe_splits

    form = form or "npz"
    if form not in ("npz", "csv", "pyg"):
        raise unknown_choice("format", form, ("npz", "csv", "pyg"), where="split")
    found = halves(network, **options)
    write_halves(found, out, format=form)  # type: ignore[arg-type]
    splits = describe_splits(len(found.splits), options["design"])
    groups = found.blocks.sizes.size
    tell(f"{found.plan.n_halvings} halvings of {groups:,} communities, and {splits}, in {out}")
    tell(what_it_takes(found))


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
