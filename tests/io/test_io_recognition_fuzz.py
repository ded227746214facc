"""Known networks written in 2,000 ways: read right, refused, or read with a warning.

A part of the ways in each run of the tests, all of them with ``pytest --full``.
"""

from __future__ import annotations

import gzip
import itertools
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read
from nettrial.network.network import Network
from nettrial.network.node_values import MISSING

COMBINATIONS = 2000
SHORT = 300
SEED = 17
RIGHT = 0.7  # share that must be read right: refusing everything would be no recognition
NEVER = ("rank", "more labels")  # tables of nodes that say nothing about which node is which


@dataclass(frozen=True)
class Known:
    """A network as a set of weighted links between node numbers, and a class for each node."""

    n: int
    links: tuple[tuple[int, int], ...]
    classes: tuple[str, ...]
    directed: bool = False


def known_networks() -> dict[str, Known]:
    rng = np.random.default_rng(5)
    karate = nx.karate_club_graph()
    clubs = tuple(
        "hi" if c == "Mr. Hi" else "officer"
        for c in nx.get_node_attributes(karate, "club").values()
    )
    blocks = nx.planted_partition_graph(3, 8, 0.5, 0.1, seed=3)
    tree = nx.balanced_tree(2, 4)
    path = nx.path_graph(20)
    nearest = nx.gnp_random_graph(20, 0.15, seed=2, directed=True)
    medici = nx.convert_node_labels_to_integers(nx.florentine_families_graph())

    def known(graph: nx.Graph, classes: tuple[str, ...] | None = None) -> Known:
        n = graph.number_of_nodes()
        drawn = tuple(rng.choice(["red", "green", "blue"], n).tolist())
        return Known(n, tuple(graph.edges()), classes or drawn, graph.is_directed())

    return {
        "karate": known(karate, clubs),
        "blocks": known(blocks),
        "tree": known(tree),
        "path": known(path),
        "directed": known(nearest),
        "medici": known(medici),
    }


IDS = {
    "from 0": lambda k: str(k),
    "from 1": lambda k: str(k + 1),
    "gaps": lambda k: str(100 + 7 * k),
    "permuted": lambda k: str((7 * k + 3) % 101),
    "large": lambda k: str(10**11 + 13 * k),
    "text": lambda k: f"node{chr(97 + k % 26)}{k}",
    "padded": lambda k: f"{k:03d}",
    "accents": lambda k: f"né{k}",
    "letters": lambda k: chr(97 + k // 26) + chr(97 + k % 26),
    "fractions": lambda k: f"{k}.0",
}
# how the links write the ids where they do not write them as the nodes do
OTHER_IDS = {
    "same": lambda text: text,
    "upper": lambda text: text.upper(),
    "zeros": lambda text: "0" + text,
    "point": lambda text: text + ".0",
}
ENDS = {
    "source, target": ("source", "target"),
    "From, To": ("From", "To"),
    "node_1, node_2": ("node_1", "node_2"),
    "user_id_a, user_id_b": ("user_id_a", "user_id_b"),
    "txId1, txId2": ("txId1", "txId2"),
    "who, whom": ("who", "whom"),
    "none": None,
}
INDEXES = ("no", "no", "", "Unnamed: 0", "index", "R")
EXTRAS = (
    "no", "no", "no", "year", "time", "edge_id", "kind", "step", "year first", "id first",
    "step first", "kind between",
)  # fmt: skip
WEIGHTS = ("no", "no", "integers", "fractions", "commas")
DELIMITERS = (",", ",", ";", "\t", "|", " ")
ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1", "crlf", "cr", "gz")
AROUND = ("no", "no", "no", "no", "title", "slashes", "trailing")
LABELS = (
    "no", "two columns", "bare", "one column", "class", "team", "index and label", "display name",
    "coordinates", "measure", "shuffled", "gaps", "codes", "index of row numbers", "id between",
    "rank", "more labels",
)  # fmt: skip


@dataclass
class Way:
    """One way to write a network."""

    network: str
    ids: str
    other_ids: str
    ends: str
    index: str
    extra: str
    weights: str
    delimiter: str
    encoding: str
    labels: str
    around: str
    seed: int
    rows: list[list[str]] = field(default_factory=list)


def ways() -> Iterator[Way]:
    rng = np.random.default_rng(SEED)

    def one(values: object) -> str:
        names = list(values)  # type: ignore[call-overload]
        return str(names[rng.integers(len(names))])

    networks = known_networks()
    for seed in range(COMBINATIONS):
        labels = one(LABELS)
        other = one(OTHER_IDS) if labels != "no" and rng.random() < 0.15 else "same"
        yield Way(
            one(networks),
            one(IDS),
            other,
            one(ENDS),
            one(INDEXES),
            one(EXTRAS),
            one(WEIGHTS),
            one(DELIMITERS),
            one(ENCODINGS),
            labels,
            one(AROUND),
            seed,
        )


def link_rows(
    way: Way, known: Known, names: list[str], rng: np.random.Generator
) -> tuple[list[str] | None, list[list[str]], dict[tuple[int, int], float]]:
    """Return header and rows of the links, and the weights that are right."""
    order = rng.permutation(len(known.links))
    header = ENDS[way.ends]
    titles = None if header is None else list(header)
    rows, right = [], {}
    write = OTHER_IDS[way.other_ids]
    for k, place in enumerate(order):
        s, t = known.links[place]
        row = [write(names[s]), write(names[t])]
        weight = 1.0
        if way.weights != "no":
            weight = float(rng.integers(1, 6)) + (0 if way.weights == "integers" else 0.5)
            text = f"{weight:g}"
            row.append(text.replace(".", ",") if way.weights == "commas" else text)
        right[s, t] = weight
        value = {
            "year": str(1990 + k % 20), "time": str(1_300_000_000 + 20 * k), "edge_id": str(k),
            "kind": "friend" if k % 3 else "foe", "year first": str(1990 + k % 20),
            "id first": str(k), "step": str(20 * (k // 2)), "step first": str(20 * (k // 2)),
            "kind between": "friend" if k % 3 else "foe",
        }.get(way.extra)  # fmt: skip
        if value is not None:
            row.insert({"first": 0, "tween": 1}.get(way.extra[-5:], len(row)), value)
        rows.append(row)
    if titles is not None:
        if way.weights != "no":
            titles.append("weight")
        if way.extra != "no":
            name = way.extra.split()[0]
            name = "edge" if name == "id" else name
            titles.insert({"first": 0, "tween": 1}.get(way.extra[-5:], len(titles)), name)
    return titles, rows, right


def with_index(
    way: Way, titles: list[str] | None, rows: list[list[str]]
) -> tuple[list[str] | None, list[list[str]]]:
    if way.index == "no":
        return titles, rows
    rows = [[str(k + (way.index == "R")), *row] for k, row in enumerate(rows)]
    if titles is not None and way.index != "R":  # R leaves out the title of its row names
        titles = [way.index, *titles]
    return titles, rows


def node_rows(
    way: Way, known: Known, names: list[str], rng: np.random.Generator
) -> tuple[list[str] | None, list[list[str]], list[str | None]]:
    """Return header and rows of the nodes, and the classes that are right."""
    classes: list[str | None] = list(known.classes)
    kind = way.labels
    if kind == "gaps":
        classes = [None if k % 5 == 0 else c for k, c in enumerate(classes)]
    if kind == "codes":
        codes = {name: str(k) for k, name in enumerate(sorted(set(known.classes)))}
        classes = [codes[c] for c in known.classes]
    texts = [rng.choice(["", "NA", "None", "NULL", "-"]) if c is None else c for c in classes]
    pairs = [[name, text] for name, text in zip(names, texts)]
    header: list[str] | None = ["node", "label"]
    if kind == "bare":
        header = None
    elif kind == "one column":
        pairs, header = [[text] for text in texts], None
    elif kind == "more labels":
        pairs, header = [[text] for text in [*texts, *texts[:5]]], ["label"]
    elif kind == "rank":
        ranks = rng.permutation(len(pairs))
        pairs = [
            [f"person {k}", IDS[way.ids](r), text] for k, (r, text) in enumerate(zip(ranks, texts))
        ]
        header = [
            str(rng.choice(["name", "member"])),
            str(rng.choice(["rank", "degree", "z"])),
            "label",
        ]
    elif kind == "class":
        header = ["id", "class"]
    elif kind == "team":
        header = ["member", "team"]
    elif kind in ("index and label", "index of row numbers"):
        pairs = [[str(k), *pair] for k, pair in enumerate(pairs)]
        header = ["" if kind == "index and label" else "Unnamed: 0", "name", "label"]
    elif kind == "display name":
        pairs = [[name, f"Person {k}", text] for k, (name, text) in enumerate(pairs)]
        header = ["Id", "Label", "group"]
    elif kind == "coordinates":
        pairs = [[name, f"{rng.normal():.4f}", f"{rng.normal():.4f}", text] for name, text in pairs]
        header = ["id", "x", "y", "community"]
    elif kind == "measure":
        pairs = [[name, f"{rng.random():.5f}", text] for name, text in pairs]
        header = ["node", "betweenness", "faction"]
    elif kind == "id between":
        pairs = [[text, name] for name, text in pairs]
        header = ["label", "vertex"]
    if kind == "shuffled":
        pairs = [pairs[k] for k in rng.permutation(len(pairs))]
    return header, pairs, classes


def encoded(way: Way, titles: list[str] | None, rows: list[list[str]]) -> bytes:
    lines = ([] if titles is None else [titles]) + rows
    text = "".join(way.delimiter.join(line) + "\n" for line in lines)
    if way.delimiter == " ":
        text = "".join(
            " ".join(f'"{f}"' if " " in f or not f else f for f in line) + "\n" for line in lines
        )
    if way.delimiter == "," and way.weights == "commas":
        text = "".join(",".join(f'"{f}"' if "," in f else f for f in line) + "\n" for line in lines)
    above = {"title": "Written by hand\n", "slashes": "// written by hand\n"}
    text = above.get(way.around, "") + text
    if way.around == "trailing" and way.delimiter not in " \t":
        text = text.replace("\n", way.delimiter + "\n")
    if way.encoding == "cr":
        return text.replace("\n", "\r").encode()
    if way.encoding == "crlf":
        return text.replace("\n", "\r\n").encode()
    if way.encoding == "gz":
        return gzip.compress(text.encode())
    return text.encode(way.encoding)


def right(
    network: Network,
    way: Way,
    known: Known,
    weights: dict[tuple[int, int], float],
    names: list[str],
    classes: list[str | None] | None,
) -> bool:
    """Whether a network is the one that was written."""
    write = OTHER_IDS[way.other_ids]
    number = {canonical(name): k for k, name in enumerate(names)}
    if classes is None:
        number |= {canonical(write(name)): k for k, name in enumerate(names)}
    ids = [number.get(canonical(i)) for i in network.ids.tolist()]
    if way.labels == "one column":
        # labels in node order begin with the first number
        ids = [int(i) - (1 if way.ids == "from 1" else 0) for i in network.ids.tolist()]
    if None in ids or network.directed != known.directed:
        return False
    linked = {end for link in known.links for end in link}
    if set(ids) != (linked if classes is None else set(range(known.n))):
        return False
    coo = network.adjacency("out").tocoo()
    found = {(ids[i], ids[j]): float(w) for i, j, w in zip(coo.row, coo.col, coo.data)}
    wanted = dict(weights)
    if not known.directed:
        wanted |= {(t, s): w for (s, t), w in weights.items()}
    if found != wanted:
        return False
    if classes is None:
        return True
    labels = {
        ids[k]: None if c == MISSING else str(network.classes[c])
        for k, c in enumerate(network.labels.tolist())
    }
    return labels == dict(enumerate(classes))


def canonical(value: object) -> str:
    return str(value)


def outcome(way: Way, folder: Path) -> str:
    known = known_networks_cached()[way.network]
    rng = np.random.default_rng([9, way.seed])
    names = [IDS[way.ids](k) for k in range(known.n)]
    titles, rows, weights = link_rows(way, known, names, rng)
    titles, rows = with_index(way, titles, rows)
    links = folder / ("links.csv" if way.delimiter == "," else "links.txt")
    links.write_bytes(encoded(way, titles, rows))
    way.rows = ([] if titles is None else [titles]) + rows[:3]
    options: dict[str, object] = {"directed": known.directed or None}
    classes = None
    if way.labels != "no":
        titles, rows, classes = node_rows(way, known, names, rng)
        (folder / "people.csv").write_bytes(encoded(way, titles, rows))
        options["nodes"] = folder / "people.csv"
        way.rows += ([] if titles is None else [titles]) + rows[:3]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            network = read(links, **options)  # type: ignore[arg-type]
        except InputError as error:
            way.rows.append([str(error)])
            return "refused"
    if right(network, way, known, weights, names, classes):
        return "right"
    warned = [str(w.message) for w in caught if issubclass(w.category, ReadWarning)]
    way.rows.append([repr(network), *warned])
    return "warned" if warned else "WRONG"


_KNOWN: dict[str, Known] = {}


def known_networks_cached() -> dict[str, Known]:
    if not _KNOWN:
        _KNOWN.update(known_networks())
    return _KNOWN


def outcomes(count: int, folder: Path) -> tuple[Counter[str], list[Way]]:
    """Return how often each outcome occurs among the first ways, and those read wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    for way in itertools.islice(ways(), count):
        result = outcome(way, folder)
        counts[result] += 1
        counts["readable"] += way.labels not in NEVER
        if result == "WRONG":
            wrong.append(way)
    return counts, wrong


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_other_network_is_read_without_a_word(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    count = COMBINATIONS if request.config.getoption("--full") else SHORT
    counts, wrong = outcomes(count, tmp_path)
    shown = "\n".join(map(str, wrong[:10]))
    assert not wrong, f"{dict(counts)}\n{shown}"
    assert counts["right"] >= RIGHT * counts["readable"], dict(counts)
