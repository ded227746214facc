"""`nettrial merge`: shards joined to a study file."""

from __future__ import annotations

import click

from . import tell


@click.command("merge")
@click.argument("folder", metavar="FOLDER")
@click.argument("out", metavar="STUDY.nettrial")
def command(folder: str, out: str) -> None:
    """Check the shards in FOLDER and join them to a new study file on a local disk.

    Shards of other settings, damaged ones, and units that two shards hold differently are refused;
    where units are missing or failed, it says which shards have to run.

    \b
    nettrial compare my_network/ --a gcn --b wvrn --store shards/ --shard 1/2
    nettrial compare my_network/ --a gcn --b wvrn --store shards/ --shard 2/2
    nettrial merge shards/ study.nettrial
    nettrial report study.nettrial report.html
    """
    from ..store import merge_shards

    tell(str(merge_shards(folder, out)))
