"""`nettrial compare`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from . import say

if TYPE_CHECKING:
    from ..network import Network

EXAMPLE_NODES = 300


@click.command("compare")
@click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]")
@click.option("--example", is_flag=True, help="Use a generated network instead of a file.")
@click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links.")
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@click.option("--positive", metavar="VALUE", help="Take one class against all others.")
@click.option("--directed/--undirected", default=None, help="By default as the file says.")
@click.option("--a", "a", metavar="MODEL", default="wvrn", show_default=True, help="Model A.")
@click.option("--b", "b", metavar="MODEL", default="nbc", show_default=True, help="Model B.")
@click.option("--labeled", type=float, default=0.3, show_default=True,
              help="Proportion of labelled nodes that the models learn from.")  # fmt: skip
@click.option("--splits", "n_splits", type=int, default=10, show_default=True,
              help="Number of splits.")  # fmt: skip
@click.option("--design", metavar="NAME", default="rrs", show_default=True,
              help="How to split: rrs, ers, ncv, ...")  # fmt: skip
@click.option("--communities", metavar="NAME", default="louvain", show_default=True,
              help="Groups of dependent nodes: louvain, or a node column.")  # fmt: skip
@click.option("--drop-cross-links", is_flag=True,
              help="Leave out links between training nodes and others.")  # fmt: skip
@click.option("--confidence", type=float, default=0.95, show_default=True,
              help="Level of the intervals.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", "n_jobs", type=int, default=1, show_default=True,
              help="Worker processes; -1 is one a core.")  # fmt: skip
@click.option("--store", metavar="FILE", help="Keep every finished run in a study file; "
              "the same command again runs only what is missing.")  # fmt: skip
@click.option("--retry", is_flag=True, help="Run again what failed, as the study file says.")
@click.option("--report", metavar="FILE.html", help="Also write one self-contained page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare_command(
    path: str | None,
    example: bool,
    nodes: str | None,
    label: str | None,
    positive: str | None,
    directed: bool | None,
    a: str,
    b: str,
    labeled: float,
    n_splits: int,
    design: str,
    communities: str,
    drop_cross_links: bool,
    confidence: float,
    seed: int,
    n_jobs: int,
    store: str | None,
    retry: bool,
    report: str | None,
    as_json: bool,
) -> None:
    """Say whether one classifier really beats another on networks like this one.

    LINKS_OR_FOLDER is a folder with edges.csv and nodes.csv, or a file of links.

    \b
    nettrial compare --example --report report.html
    nettrial compare my_network/ --a wvrn --b nbc --labeled 0.3
    """
    if retry and store is None:
        raise InputError("compare: --retry needs --store FILE, the study file whose runs failed")
    from ..comparison.compare import compare
    from ..report.html import check_writable, write_report

    if report is not None:
        check_writable(report)
    network = _network(path, example, nodes, label, directed)
    found = compare(
        network, a, b, labeled=labeled, n_splits=n_splits, design=design, positive=positive,
        communities=communities, cross_links="drop" if drop_cross_links else "keep",
        confidence=confidence, seed=seed, n_jobs=n_jobs, store=store, retry=retry,
    )  # fmt: skip
    if report is not None:
        write_report(found, report)
    say(found.to_json() if as_json else str(found))
    if report is not None:
        say(f"report written to {Path(report)}", err=True)


def _network(
    path: str | None, example: bool, nodes: str | None, label: str | None, directed: bool | None
) -> Network:
    if example:
        if path is not None:
            raise InputError(f"compare: received both --example and {path!r}; give one of them")
        from ..synth import latent_group_network

        return latent_group_network(EXAMPLE_NODES, seed=0)
    if path is None:
        raise InputError(
            "compare: no network given; name a folder or a file of links, or try --example"
        )
    from ..io import read

    return read(path, nodes=nodes, label=label, directed=directed)
