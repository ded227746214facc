"""Unfair comparisons planted in real networks, anew for every seed.

The cases of `tests/unfair_cases.py` were at hand while the rules of `nettrial check` were set.
Those here are drawn by a seed: networks, nodes, columns and sizes. Near copies and twins are
planted in every network with features, every other kind in three networks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from nettrial.network.network import Network
from nettrial.splits.base import Split
from nettrial.splits.resampling import RandomResampling
from nettrial.study.node_study import Predictions
from unfair_cases import DATA, Case, Given, board, read, rebuilt

Rng = np.random.Generator
Made = tuple[Network, Rng]
COPIED = 0.05  # of the nodes
KEPT = 0.9  # of the links of a near copy
WORDS = 0.05  # of a near copy's that are new, one at least
NOISE = 0.1  # of the standard deviation of a number
LEAST = 20  # labeled nodes of each class of a clean network
NETWORKS = 3  # for each kind that needs no features


def split(network: Network, rng: Rng, labeled: float = 0.3) -> list[Split]:
    seed = int(rng.integers(1_000_000))
    return RandomResampling(labeled=labeled, n_splits=3, seed=seed).split_network(network)


def names_of(network: Network) -> list[Any]:
    return [None if code < 0 else network.classes[code] for code in network.labels]


def far_apart(network: Network, rng: Rng, links: int) -> np.ndarray:
    """Return 5% of the nodes, labeled and none linked with another, with so many links each."""
    around, chosen = network.neighbors(), np.zeros(network.n_nodes, dtype=bool)
    able = network.labeled[np.diff(around.indptr)[network.labeled] >= links]
    for node in rng.permutation(able):
        if not chosen[around.indices[around.indptr[node] : around.indptr[node + 1]]].any():
            chosen[node] = True
        if chosen.sum() >= max(10, COPIED * network.n_nodes):
            break
    return np.flatnonzero(chosen)


def with_copies(
    network: Network, nodes: np.ndarray, rng: Rng, kept: float, features: Any = None
) -> Network:
    """Return the network with copies of nodes that keep a share of their links, one at least."""
    around, n = network.neighbors(), network.n_nodes
    ends = [around.indices[around.indptr[k] : around.indptr[k + 1]] for k in nodes]
    ends = [each[(rng.random(each.size) < kept) | (np.arange(each.size) == 0)] for each in ends]
    copies = np.repeat(n + np.arange(nodes.size), [each.size for each in ends])
    first, second = network.simple_links()
    names = names_of(network)
    return Network(np.append(first, copies), np.append(second, np.concatenate(ends)),
                   n_nodes=n + nodes.size, labels=[*names, *(names[k] for k in nodes)],
                   features=features)  # fmt: skip


def stacked(features: Any, more: Any) -> Any:
    return sp.csr_array(sp.vstack([features, more])) if sp.issparse(features) else np.vstack(
        [features, more]
    )  # fmt: skip


def with_features(network: Network, rng: Rng) -> np.ndarray:
    """Return nodes to copy that have a feature."""
    nodes = far_apart(network, rng, 1)
    return nodes[np.asarray(abs(network.features[nodes]).sum(axis=1)).ravel() > 0]


def twins(network: Network, rng: Rng) -> Given:
    nodes, own = with_features(network, rng), network.features
    made = with_copies(network, nodes, rng, 1.0, stacked(own, own[nodes]))
    return {"given": made, "splits": split(made, rng)}


def near(network: Network, rng: Rng) -> Given:
    """Copy nodes with one word in twenty more, or numbers off by a tenth of their spread."""
    nodes, own = with_features(network, rng), network.features
    dense = own[nodes].toarray() if sp.issparse(own) else np.array(own[nodes], dtype=float)
    if own.shape[1] > 50:  # words, else numbers and flags
        for row in dense:
            there = np.flatnonzero(row)
            free = np.flatnonzero(row == 0)
            new = rng.permutation(free)[: max(1, round(WORDS * there.size))]
            row[new] = rng.choice(row[there], new.size)
    else:
        number = [np.unique(column).size > 2 for column in dense.T]
        dense += NOISE * dense.std(axis=0) * number * rng.normal(size=dense.shape)
    more = sp.csr_array(dense) if sp.issparse(own) else dense
    made = with_copies(network, nodes, rng, KEPT, stacked(own, more))
    return {"given": made, "splits": split(made, rng)}


def same_links(network: Network, rng: Rng) -> Given:
    """Copy nodes twice, with their class and their links, and no features."""
    made = network
    nodes = far_apart(network, rng, 2)
    for _ in range(2):
        made = with_copies(made, nodes, rng, 1.0)
    return {"given": made, "splits": split(made, rng)}


def in_both(network: Network, rng: Rng) -> Given:
    own = split(network, rng)
    leaks = [rng.choice(s.test, max(1, s.test.size // 100), replace=False) for s in own]
    return {"given": network, "splits": [
        Split(np.union1d(s.train, leak), s.inference, s.test) for s, leak in zip(own, leaks)
    ]}  # fmt: skip


def no_class(network: Network, rng: Rng) -> Given:
    gone, own = rng.integers(network.n_classes), split(network, rng)
    kept = [Split(s.train[network.labels[s.train] != gone], s.inference, s.test) for s in own]
    return {"given": network, "splits": kept}


def no_label(network: Network, rng: Rng) -> Given:
    own = split(network, rng)
    hidden = rng.choice(own[0].test, max(1, own[0].test.size // 50), replace=False)
    names = names_of(network)
    for node in hidden:
        names[node] = None
    return {"given": rebuilt(network, labels=names), "splits": own}


def texts(network: Network, rng: Rng) -> Given:
    words = np.array([f"w{k}" for k in range(2000)])
    made = [" ".join(rng.choice(words, 12)) for _ in range(network.n_nodes)]
    again = rng.permutation(network.n_nodes)[: 2 * max(5, network.n_nodes // 20)]
    for one, two in again.reshape(-1, 2):
        made[two] = made[one].capitalize().replace(" ", ", ", 3) + "!"
    made_network = rebuilt(network, attributes={"text": made})
    return {"given": made_network, "splits": split(made_network, rng)}


def class_column(network: Network, rng: Rng) -> Given:
    """Give each class a number, one node in 500 another class's."""
    values = 10 * rng.permutation(network.n_classes) + rng.normal(scale=0.5)
    labels = np.maximum(network.labels, 0)
    wrong = rng.random(labels.size) < 0.002
    column = np.where(wrong, rng.permutation(values[labels]), values[labels])
    noise = rng.normal(size=(network.n_nodes, 5))
    return {"given": rebuilt(network, features=np.column_stack([noise, column]))}


def sorted_nodes(network: Network, rng: Rng) -> Given:
    order = np.lexsort((rng.random(network.n_nodes), network.labels))
    place, names = np.argsort(order), names_of(network)
    first, second = network.simple_links()
    return {"given": rebuilt(network, source=place[first], target=place[second],
                             labels=[names[k] for k in order])}  # fmt: skip


def within(network: Network, rng: Rng) -> Given:  # noqa: ARG001 - as all are called
    first, second = network.simple_links()
    same = network.labels[first] == network.labels[second]
    return {"given": rebuilt(network, source=first[same], target=second[same])}


def column_of_class(network: Network, rng: Rng) -> Given:
    words = [f"{'abcdefghijklmnopqrstuvwxyz'[k]}{rng.integers(9)}" for k in range(26)]
    codes = 2 * np.maximum(network.labels, 0) + rng.integers(0, 2, network.n_nodes)
    known = [None if code < 0 else words[c % 26] + str(c // 26)
             for code, c in zip(network.labels, codes)]  # fmt: skip
    return {"given": rebuilt(network, attributes={"group": known})}


def of_neighbors(network: Network, rng: Rng) -> Given:
    """Add the share or the number of a node's neighbors of one class, with two decimals."""
    code = rng.integers(network.n_classes)
    links = (network.adjacency() != 0).astype(float)
    column = links @ (network.labels == code).astype(float)
    if rng.random() < 0.5:
        known = links @ (network.labels >= 0).astype(float)
        column = np.round(column / np.maximum(known, 1), 2)
    made = rebuilt(network, features=np.column_stack([rng.normal(size=(len(column), 4)), column]))
    return {"given": made, "splits": split(made, rng)}


def years(network: Network, rng: Rng) -> Given:
    when = (1990 + rng.integers(0, 30, network.n_nodes)).tolist()
    made = rebuilt(network, attributes={"year": when})
    return {"given": made, "splits": split(made, rng), "times": "year"}


def later_links(network: Network, rng: Rng) -> Given:
    when = rng.integers(0, 30, network.n_nodes)
    cut = int(rng.integers(10, 20))
    train = network.labeled[when[network.labeled] < cut]
    test = network.labeled[when[network.labeled] >= cut]
    rest = np.setdiff1d(np.arange(network.n_nodes), train)
    made = rebuilt(network, attributes={"year": when.tolist()})
    return {"given": made, "splits": [Split(train, rest, test)], "times": "year"}


def other_share(network: Network, rng: Rng) -> Given:
    own = split(network, rng)
    return {"given": network, "splits": own, "labeled": 0.3 + rng.choice([-1, 1]) * 0.1}


def no_folds(network: Network, rng: Rng) -> Given:
    return {"given": network, "splits": split(network, rng), "design": "kfold"}


def validation(network: Network, rng: Rng) -> Given:
    order = rng.permutation(network.labeled)
    a, b = order.size // 5, order.size // 2
    sets = {"train": order[:a], "valid": order[a:b], "test": order[b:]}
    return {"given": network, "splits": sets, "labeled": a / order.size}


def predicted(network: Network, rng: Rng, **planted: Callable[[np.ndarray], np.ndarray]) -> Given:
    """Two models with errors, one of them as it was planted."""
    own = split(network, rng)
    values: dict[str, list[np.ndarray]] = {"new": [], "old": []}
    for each in own:
        right = np.eye(network.n_classes)[network.labels[each.test]]
        for name, wrong in (("new", 0.2), ("old", 0.25)):
            noise = rng.dirichlet(np.ones(network.n_classes), right.shape[0])
            missed = rng.random(right.shape[0]) < wrong
            made = 0.6 * np.where(missed[:, None], np.roll(right, 1, axis=1), right) + 0.4 * noise
            values[name].append(planted.get(name, lambda p: p)(made))
    found = {name: tuple(each) for name, each in values.items()}
    return {"given": Predictions(network, tuple(own), tuple(found), found)}


def one_class(network: Network, rng: Rng) -> Given:
    code = rng.integers(network.n_classes)
    return predicted(network, rng, new=lambda p: np.eye(p.shape[1])[np.full(len(p), code)])


def identical(network: Network, rng: Rng) -> Given:
    given = predicted(network, rng)
    given["given"].probabilities["old"] = given["given"].probabilities["new"]
    return given


def logits(network: Network, rng: Rng) -> Given:
    return predicted(network, rng, old=lambda p: np.log(p))


def perfect(network: Network, rng: Rng) -> Given:
    given = predicted(network, rng)
    found = given["given"]
    found.probabilities["new"] = tuple(
        np.eye(network.n_classes)[network.labels[s.test]] for s in found.splits
    )
    return given


def fewer(network: Network, rng: Rng) -> Given:
    """A table of predictions, one in thirty of a model's lost."""
    own = split(network, rng)
    rows: dict[str, list[Any]] = {key: [] for key in ("split", "node", "model", "prediction")}
    for k, each in enumerate(own):
        for model, kept in (("new", 1.0), ("old", 29 / 30)):
            nodes = each.test[rng.random(each.test.size) < kept]
            rows["split"] += [k] * nodes.size
            rows["node"] += network.ids[nodes].tolist()
            rows["model"] += [model] * nodes.size
            rows["prediction"] += [network.classes[rng.integers(network.n_classes)]
                                   for _ in nodes]  # fmt: skip
    return {"given": network, "splits": own, "predictions": rows}


def runs_table(rng: Rng, lead: float, spread: float, seeds: dict[str, int],
               settings: dict[str, int]) -> dict[str, list[str]]:  # fmt: skip
    rows = []
    for model, level in (("gcn", 80.0), ("gat", 80.0 + lead), ("sage", 70.0)):
        for seed in range(seeds.get(model, 6)):
            for k in range(settings.get(model, 1)):
                rows.append((model, seed, 0.001 * (k + 1), level + spread * rng.normal()))
    names = ("method", "random_state", "dropout", "accuracy")
    return {name: [str(row[k]) for row in rows] for k, name in enumerate(names)}


def budgets(rng: Rng) -> Given:
    more = {"gat": int(rng.integers(6, 20))}
    return {"given": None, "table": runs_table(rng, 10.0, 0.3, {}, more)}


def seeds(rng: Rng) -> Given:
    return {"given": None, "table": runs_table(rng, 10.0, 0.3, {"gcn": 4}, {})}


def only_seeds(rng: Rng) -> Given:
    return {"given": None, "table": runs_table(rng, 10.0, 0.3, {}, {})}


def moved(rng: Rng) -> Given:
    """A lead of a quarter of what seeds move it."""
    table = runs_table(rng, 0.0, 0.0, {}, {})
    noise = rng.permutation(np.linspace(-1, 1, 6))
    gat = 80 + 0.17 + noise
    at = [k for k, model in enumerate(table["method"]) if model == "gat"]
    for k in at:
        table["accuracy"][k] = f"{gat[int(table['random_state'][k])]:.2f}"
    return {"given": None, "table": table}


def close(rng: Rng) -> Given:
    first, sd = rng.uniform(70, 90), rng.uniform(0.5, 2.0)
    return board({"dataset": ["a"], "gcn": [f"{first:.1f} ± {sd:.1f}"],
                  "gat": [f"{first + 0.3 * sd:.1f} ± {sd:.1f}"]})  # fmt: skip


def folds(rng: Rng) -> Given:
    word = str(rng.choice(["fold", "split", "run"]))
    scores = rng.uniform(0.7, 0.8, 6)
    return board({"dataset": [f"network {word} {k}" for k in range(6)],
                  "gcn": scores.tolist(), "gat": (scores + 0.01).tolist()})  # fmt: skip


def other_counts(rng: Rng) -> Given:
    numbers = rng.permutation([5, 10, 20]).tolist()
    table = {"dataset": ["a"] * 3, "model": list("xyz"), "mean": [0.7, 0.8, 0.9],
             "sd": [0.01] * 3, "n_splits": numbers}  # fmt: skip
    return board(table, n_splits=None, test_share=0.2)


FEATURED: Sequence[tuple[str, str, Callable[[Network, Rng], Given]]] = (
    ("NT101", "twins", twins),
    ("NT107", "near copies", near),
)
ANYWHERE: Sequence[tuple[str, str, Callable[[Network, Rng], Given]]] = (
    ("NT102", "one test node in 100 in training", in_both),
    ("NT104", "a class without training nodes", no_class),
    ("NT105", "one test node in 50 unlabeled", no_label),
    ("NT106", "two copies of nodes by their links", same_links),
    ("NT108", "texts once more, with commas", texts),
    ("NT201", "a number for each class", class_column),
    ("NT202", "nodes by class", sorted_nodes),
    ("NT203", "links within classes", within),
    ("NT204", "two words for each class", column_of_class),
    ("NT205", "neighbors of a class", of_neighbors),
    ("NT206", "random splits of dated nodes", years),
    ("NT207", "links to later nodes", later_links),
    ("NT301", "another share than claimed", other_share),
    ("NT303", "random splits called k-fold", no_folds),
    ("NT304", "validation labels left out", validation),
    ("NT305", "a model without one prediction in 30", fewer),
    ("NT401", "one class for all", one_class),
    ("NT403", "one model under two names", identical),
    ("NT404", "logarithms as probabilities", logits),
    ("NT405", "not one error", perfect),
)
TABLES: Sequence[tuple[str, str, Callable[[Rng], Given]]] = (
    ("NT302", "other numbers of splits", other_counts),
    ("NT306", "fewer seeds for one model", seeds),
    ("NT407", "many settings against one", budgets),
    ("NT501", "a lead of a third of the spread", close),
    ("NT502", "seeds alone", only_seeds),
    ("NT503", "folds as data sets", folds),
    ("NT506", "a lead within its seeds", moved),
)


def clean_names(least: int = LEAST) -> list[str]:
    """Return the networks of which each class has so many labeled nodes."""
    found = []
    for kind in ("neutral", "featured"):
        for path in sorted(p for p in (DATA / kind).iterdir() if p.is_dir()):
            network = read(f"{kind}/{path.name}")
            counts = np.bincount(network.labels[network.labeled])
            if network.n_classes > 1 and counts.min() >= least:
                found.append(f"{kind}/{path.name}")
    return found


def fresh(seed: int) -> tuple[Case, ...]:
    """Return cases drawn by a seed."""
    rng, found = np.random.default_rng(seed), []
    names = clean_names()

    def made(make: Callable[..., Given], name: str, own: int) -> Given:
        return make(read(name), np.random.default_rng(own))

    featured = sorted(p.name for p in (DATA / "featured").iterdir() if p.is_dir())
    for code, what, make in FEATURED:
        for name in featured:
            own = int(rng.integers(2**31))
            planted = partial(made, make, f"featured/{name}", own)
            found.append(Case(code, f"{name}: {what}", planted))
    for code, what, make in ANYWHERE:
        for name in rng.choice(names, NETWORKS, replace=False):
            own = int(rng.integers(2**31))
            title = f"{name.rpartition('/')[2]}: {what}"
            found.append(Case(code, title, partial(made, make, str(name), own)))
    for code, what, of_table in TABLES:
        own = int(rng.integers(2**31))
        found.append(Case(code, f"table: {what}", partial(of_table, np.random.default_rng(own))))
    return tuple(found)
