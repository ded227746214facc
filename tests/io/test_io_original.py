"""The files as their users have them give the same network as the neutral copies."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nettrial.io import project, read, read_with_report
from nettrial.network.network import Network
from nettrial.network.node_values import MISSING
from networks import EXPECTED, differences

# what must be said to choose a network or label that the files leave open
OPTIONS: dict[str, dict[str, Any]] = {
    "faux_desert_high": {"label": "grade"},
    "faux_dixon_high": {"label": "grade"},
    "faux_magnolia_high": {"label": "Grade"},
    "faux_mesa_high": {"label": "Grade"},
    "foodweb_florida_dry": {"file": "foodwebs.rda#baydry", "label": "ECO"},
    "glasgow_w1": {
        "file": "Glasgow-friendship.RData#friendship.1",
        "nodes": ["Glasgow-substances.RData"],
        "label": "tobacco.t1",
    },
    "glasgow_w2": {
        "file": "../glasgow_w1/Glasgow-friendship.RData#friendship.2",
        "nodes": ["../glasgow_w1/Glasgow-substances.RData"],
        "label": "tobacco.t2",
    },
    "glasgow_w3": {
        "file": "../glasgow_w1/Glasgow-friendship.RData#friendship.3",
        "nodes": ["../glasgow_w1/Glasgow-substances.RData"],
        "label": "tobacco.t3",
    },
    "imdb_movies_gds": {
        "file": "imdb_directed_in.parquet.gzip",
        "nodes": [
            "imdb_movies_with_genre.parquet.gzip",
            "imdb_movies_without_genre.parquet.gzip",
        ],
        "label": "genre",
    },
    "imdb_movies_actor": {
        "file": "../imdb_movies_gds/imdb_acted_in.parquet.gzip",
        "nodes": [
            "../imdb_movies_gds/imdb_movies_with_genre.parquet.gzip",
            "../imdb_movies_gds/imdb_movies_without_genre.parquet.gzip",
        ],
        "label": "genre",
    },
    "lawfirm_friends": {"label": "status"},
    "macaque": {"label": "shape"},
    "petster_hamster": {"label": "pet_species"},
    "s50_w1": {"file": "s50.rda#s50.1", "label": "smoke"},
    "s50_w2": {"file": "../s50_w1/s50.rda#s50.2", "label": "smoke"},
    "s50_w3": {"file": "../s50_w1/s50.rda#s50.3", "label": "smoke"},
    "twitch_ENGB": {"label": "mature"},
    "twitch_ES": {"label": "mature"},
    "twitch_FR": {"label": "mature"},
    "twitch_PTBR": {"label": "mature"},
    "twitch_RU": {"label": "mature"},
    "twitch_TW": {"label": "mature"},
}
# copies that have no original: made from another copy, or from the folder of the first wave
DERIVED = {"rfid_weighted"}
NAMES = [name for name in EXPECTED if name not in DERIVED] or [pytest.param("", id="none")]


def smokes(network: Network) -> Network:
    """Two classes: level 1 does not smoke, the others do."""
    return network.one_against_rest(1)


def missing_as_class(network: Network) -> Network:
    codes = np.where(network.labels == MISSING, network.n_classes, network.labels)
    return network._with_labels(codes.astype(np.int32), (*network.classes, "None"))


# what the copies did to the originals beyond reading them
CHANGED = {
    **dict.fromkeys(
        ["glasgow_w1", "glasgow_w2", "glasgow_w3", "s50_w1", "s50_w2", "s50_w3"], smokes
    ),
    "petster_hamster": missing_as_class,  # the copy writes R's NA as the text None
    "netkit_test_movies": lambda network: project(network, "node type", "Movie", through="Actor"),
    "imdb_movies_gds": lambda network: project(network, "listed", "yes"),
    "imdb_movies_actor": lambda network: project(network, "listed", "yes"),
}


@functools.cache
def load(data: Path, name: str) -> Network:
    options = dict(OPTIONS.get(name, {}))
    folder = data / "original" / name
    if not folder.is_dir():
        folder = data / "original" / "karate"
    path = folder / options.pop("file", "")
    options["nodes"] = [folder / file for file in options.pop("nodes", [])] or None
    return read(path, **options)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_original_counts(data: Path, name: str) -> None:
    network = CHANGED.get(name, lambda found: found)(load(data, name))
    # this one file has no labels; the copy took them from elsewhere
    without = ("classes", "unlabeled", "class sizes", "autocorrelation")
    assert differences(network, name, *(without if name == "karate" else ())) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["adjnoun", "airports_usa", "cora_gnnbench", "cora_linqs", "cora_planetoid", "cornell_yandex",
     "email_eu_core", "foodweb_florida_dry", "football", "geomgcn_texas", "imdb_prodco_adj",
     "karate", "macaque", "minesweeper", "polbooks", "rfid_hospital", "twitch_FR",
     "webkb_cornell_linqs", "webkb_texas_linqs", "wiki_openne"],
)  # fmt: skip
def test_original_links_are_those_of_the_copy(data: Path, name: str) -> None:
    original, copy = load(data, name), read(data / "neutral" / name)
    numbered = name in ("foodweb_florida_dry", "rfid_hospital")  # the copy numbers the nodes

    def links(network: Network) -> dict[tuple[str, str], float]:
        coo = network.adjacency("out").tocoo()
        ids = [str(i) for i in (range(network.n_nodes) if numbered else network.ids.tolist())]
        return {(ids[i], ids[j]): w for i, j, w in zip(coo.row, coo.col, coo.data)}

    assert links(original) == links(copy)


@pytest.mark.parametrize(
    "name", ["cora_linqs", "glasgow_w2", "imdb_movies_gds", "polbooks", "webkb_cornell_linqs"]
)
def test_netkit_converted_counts(data: Path, name: str) -> None:
    network, report = read_with_report(data / "netkit_converted" / name)
    # the format has a weight for every link, and one copy of these is declared reversible
    leave_out = (
        ("weighted", "directed", "duplicate_rows") if name == "cora_linqs" else ("weighted",)
    )
    assert differences(network, name, *leave_out) == {}
    assert (report.format, report.label) == ("NetKit-SRL", "class")
    assert network.directed == (name in ("glasgow_w2", "webkb_cornell_linqs"))


def test_netkit_with_three_node_types(data: Path) -> None:
    network = read(data / "original" / "netkit_test_movies")
    # NetKit itself counts 20 nodes, and 60 edges after reversing all of them
    assert (network.n_nodes, 2 * network.n_links) == (20, 60)
    assert (
        network.attributes["node type"].tolist() == ["Movie"] * 13 + ["Actor"] * 3 + ["Studio"] * 4
    )


def test_line_ends_of_windows(data: Path) -> None:
    folder = data / "original" / "email_eu_core"
    plain, variant = read(folder), read(folder / "crlf_variant")
    assert plain.fingerprint() == variant.fingerprint()
