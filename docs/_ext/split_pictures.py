"""A picture of every design of splits, drawn from its splits of one small network."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from sphinx.application import Sphinx

SHOWN = 10  # splits, as rows
COLORS = {"train": "#1d4ed8", "test": "#f59e0b", "neither": "#e2e8f0"}
WORDS = {"train": "learned from", "test": "tested", "neither": "neither"}


def picture(name: str) -> str:
    """Return a drawing as SVG: one row per split, one column per node."""
    import nettrial
    from nettrial.network.communities import communities
    from nettrial.splits import by_name

    drawn = nettrial.latent_group_network(48, seed=3)
    year = np.random.default_rng(0).integers(2000, 2024, drawn.n_nodes)
    network = nettrial.from_adjacency(
        drawn.adjacency(), drawn.labels.tolist(), attributes={"year": year}
    )
    shown = f"{name}:year" if name == "temporal" else name
    options = {} if name in ("kfold", "5x2", "temporal") else {"labeled": 0.3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        splits = by_name(shown, **options).split_network(network)[:SHOWN]
        groups = communities(network)
    order = np.argsort(year if name == "temporal" else groups, kind="stable")
    cells = []
    for row, split in enumerate(splits):
        kinds = np.full(network.n_nodes, "neither", dtype=object)
        kinds[split.train], kinds[split.test] = "train", "test"
        for column, kind in enumerate(kinds[order]):
            place = f'x="{12 * column}" y="{14 * row}" width="10" height="12"'
            cells.append(f'<rect {place} rx="2" fill="{COLORS[kind]}"/>')
    height = 14 * len(splits)
    legend = "".join(
        f'<rect x="{150 * i}" y="{height + 10}" width="10" height="12" fill="{COLORS[kind]}"/>'
        f'<text x="{150 * i + 16}" y="{height + 20}">{WORDS[kind]}</text>'
        for i, kind in enumerate(COLORS)
    )
    size = f"0 0 {12 * network.n_nodes} {height + 28}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" width="{12 * network.n_nodes}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#1f2933">'
        f"{''.join(cells)}{legend}</svg>\n"
    )


def draw(app: Sphinx) -> None:
    """Draw all designs before the pages are read."""
    from nettrial.splits import DESIGNS

    folder = Path(app.srcdir, "_made")
    folder.mkdir(exist_ok=True)
    for name in DESIGNS:
        (folder / f"split-{name}.svg").write_text(picture(name), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", draw)
    return {"parallel_read_safe": True}
