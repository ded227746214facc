"""Unfair comparisons: what was planted, and what real data are known for."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import nettrial
from nettrial.network.network import Network
from nettrial.splits.base import Split
from nettrial.splits.link_designs import RandomLinks
from nettrial.splits.resampling import RandomResampling
from nettrial.splits.structure import Temporal

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
QUICK: dict[str, Any] = {"n_splits": 4, "test": "network_hac", "seed": 1}
TWINS = 30
Given = dict[str, Any]


class Case(NamedTuple):
    """Something unfair: the kind that should find it, and what `check` is given."""

    code: str
    name: str
    make: Callable[[], Given]
    serious: bool = True


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def net(features: NDArray[np.float64] | None = None, *, seed: int = 1) -> Network:
    return rebuilt(nettrial.latent_group_network(200, seed=seed), features=features)


def rebuilt(made: Network, **changed: Any) -> Network:
    first, second = made.simple_links()
    names = [None if code < 0 else made.classes[code] for code in made.labels]
    given = {"source": first, "target": second, "n_nodes": made.n_nodes, "labels": names}
    return Network(**(given | changed))


def splits(network: Network, labeled: float = 0.3, n_splits: int = 4) -> list[Split]:
    design = RandomResampling(labeled=labeled, n_splits=n_splits, seed=0)
    return design.split_network(network)


def with_splits(network: Network, **more: Any) -> Given:
    return {"given": network, "splits": splits(network), **more}


def with_twins(noise: float = 0.0, away: float = 0.0) -> Network:
    """Copy the first nodes with their features and classes, and most of their links."""
    made, draw = net(), rng()
    first, second = made.simple_links()
    features = draw.normal(size=(200, 20))
    ends = np.concatenate([first, second]), np.concatenate([second, first])
    outside = (ends[0] < TWINS) & (ends[1] >= TWINS)
    outside &= draw.random(outside.size) >= away
    keep = ~((first < TWINS) & (second < TWINS))  # links among them would need copies of copies
    source = np.concatenate([first[keep], ends[0][outside] + 200])
    target = np.concatenate([second[keep], ends[1][outside]])
    labels = [made.classes[code] for code in np.concatenate([made.labels, made.labels[:TWINS]])]
    copies = features[:TWINS] + noise * draw.normal(size=(TWINS, 20))
    return Network(source, target, n_nodes=200 + TWINS, labels=labels,
                   features=np.concatenate([features, copies]))  # fmt: skip


def words_nearly_the_same() -> Network:
    """Bags of words of which copies have one word more."""
    made, draw = with_twins(), rng(3)
    words = (draw.random((200, 300)) < 0.08).astype(float)
    copies = words[:TWINS].copy()
    copies[np.arange(TWINS), draw.integers(0, 300, TWINS)] = 1
    return rebuilt(made, features=np.concatenate([words, copies]))


def with_copies() -> Network:
    """Nodes in groups that have the same neighbors and the same class, which neighbors have not."""
    groups, hubs, draw = 30, 60, rng(1)
    around = [draw.choice(hubs, 4, replace=False) for _ in range(groups)]
    source = np.repeat(hubs + np.arange(3 * groups), 4)
    target = np.concatenate([np.tile(each, 3) for each in around])
    classes = np.concatenate([draw.integers(0, 3, hubs), np.repeat(draw.integers(0, 3, groups), 3)])
    return Network(source, target, n_nodes=classes.size, labels=classes.tolist())


def texts(again: int) -> dict[str, list[Any]]:
    words = [f"w{k}" for k in range(500)]
    made = [" ".join(rng(k).choice(words, 8)) for k in range(200)]
    return {"abstract": [*made[:-again], *(text.upper() + "." for text in made[:again])]}


def compared(**options: Any) -> Any:
    return nettrial.compare(net(), "wvrn", "nbc", **(QUICK | options))


def predictions(**more: Any) -> Given:
    found = compared().predictions
    return {"given": replace(found, probabilities=dict(found.probabilities) | more)}


def constant(code: int, noise: float = 0.0) -> tuple[NDArray[np.float64], ...]:
    one = np.eye(net().n_classes)[code]
    return tuple(
        np.tile(one, (s.test.size, 1)) * (1 + noise) for s in compared().predictions.splits
    )


def right() -> tuple[NDArray[np.float64], ...]:
    found = compared().predictions
    return tuple(
        np.eye(found.network.n_classes)[found.network.labels[split.test]] for split in found.splits
    )


def wrong(shift: int) -> tuple[NDArray[np.float64], ...]:
    """Right but for two in three nodes, and of more than one class."""
    return tuple(
        np.where(((np.arange(p.shape[0]) + shift) % 3 > 0)[:, None], np.roll(p, 1, axis=1), p)
        for p in right()
    )


def a_class_left_out() -> Given:
    without = np.flatnonzero(net().labels != 0)
    rest = np.setdiff1d(np.arange(200), without[:60])
    return {"given": net(), "splits": [Split(without[:60], rest, rest)]}


def overlapping() -> list[Split]:
    return [replace(s, test=np.union1d(s.test, s.train[:5])) for s in splits(net())]


def masks(valid: float = 0.0, leak: int = 0) -> dict[str, NDArray[np.bool_]]:
    """Masks as PyTorch Geometric has them, of which some nodes may be in two."""
    found = {
        name: np.zeros((200, 4), dtype=bool) for name in ("train_mask", "val_mask", "test_mask")
    }
    for k, split in enumerate(splits(net())):
        n = round(valid * split.train.size)
        found["val_mask"][split.train[:n], k] = True
        found["train_mask"][split.train[n:], k] = True
        found["test_mask"][np.concatenate([split.test, split.train[:leak]]), k] = True
    return found if valid else {key: mask for key, mask in found.items() if key != "val_mask"}


def unlabeled() -> Given:
    rest = np.arange(60, 200)
    return {
        "given": net().mask_labels(np.arange(150)),
        "splits": [Split(np.arange(60), rest, rest)],
    }


def tiny() -> Given:
    made = net()
    names = ["rare" if k < 8 else str(code) for k, code in enumerate(made.labels)]
    return with_splits(rebuilt(made, labels=names))


def recoded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A column of other numbers for the classes, among columns of noise."""
    return np.column_stack([rng().normal(size=(200, 3)), values])


def one_hot(network: Network) -> NDArray[np.float64]:
    noise = rng().random((200, 600)) < 0.1
    return np.column_stack([noise, np.eye(network.n_classes)[network.labels]]).astype(float)


def sparse_one_hot() -> Network:
    from scipy import sparse

    return net(sparse.csr_array(one_hot(net())))


def by_class() -> Network:
    made = net()
    order = np.argsort(made.labels, kind="stable")
    place = np.argsort(order)
    first, second = made.simple_links()
    names = [made.classes[code] for code in made.labels[order]]
    return Network(place[first], place[second], n_nodes=200, labels=names)


def columns() -> dict[str, list[Any]]:
    """Two words for each class; ids; and one value for all."""
    names = [f"{'abcd'[code]}{i % 2}" for i, code in enumerate(net().labels)]
    return {"team": names, "id2": [f"n{i}" for i in range(200)], "country": ["x"] * 200}


def within_classes(of: int | None = None) -> Network:
    made = net()
    first, second = made.simple_links()
    one, two = made.labels[first], made.labels[second]
    keep = one == two if of is None else (one == two) | ((one != of) & (two != of))
    return rebuilt(made, source=first[keep], target=second[keep])


def three_classes_one_apart() -> Network:
    made = nettrial.latent_group_network(300, seed=4)
    first, second = made.simple_links()
    classes = made.labels + np.where(np.arange(300) < 150, 0, 2)
    one, two = classes[first], classes[second]
    keep = (one == two) | ((one != 0) & (two != 0))
    return Network(first[keep], second[keep], n_nodes=300, labels=classes.tolist())


def of_neighbors(share: bool, noise: float = 0.0) -> Network:
    made = net()
    count = (made.adjacency() != 0).astype(float) @ (made.labels == 1).astype(float)
    degree = np.diff(made.neighbors().indptr)
    column = count / np.maximum(degree, 1) if share else 3 * count - 1
    return net(recoded(column + noise * rng(2).normal(size=200)))


def years() -> Network:
    return rebuilt(net(), attributes={"year": (2000 + rng(5).integers(0, 20, 200)).tolist()})


def by_year(network: Network) -> list[Split]:
    return Temporal(column="year", n_splits=3).split_network(network)


def timed_links() -> Given:
    made = net()
    network = rebuilt(made, weight=np.arange(1, made.n_links + 1))
    found = nettrial.compare(network, "adamic_adar", "jaccard", n_splits=2, seed=1)
    own = RandomLinks(labeled=0.7, n_splits=2, seed=1).split_links(network)
    predicted = replace(found.predictions, splits=tuple(own), network=network)
    return {"given": replace(found, predictions=predicted), "times": "weight"}


def board(table: dict[str, list[Any]], **options: Any) -> Given:
    return {"given": nettrial.leaderboard(table, **({"n_splits": 10, "test_share": 0.3} | options))}


CLOSE = {"dataset": ["cora", "citeseer"], "gcn": ["81.5 ± 0.9", "70.3 ± 0.7"],
         "gat": ["82.0 ± 0.7", "72.5 ± 2.0"]}  # fmt: skip
COUNTS = {"dataset": ["cora"] * 2, "model": ["gcn", "gat"], "mean": [0.7, 0.9],
          "sd": [0.01, 0.01], "n_splits": [10, 3]}  # fmt: skip


def many_best() -> dict[str, list[Any]]:
    """Fifteen leads that are each significant, and none among fifteen."""
    names = [f"{name}" for name in "abcdefghijklmno"]
    return {"dataset": names, "gcn": ["80.0 ± 1.0"] * 15, "gat": ["81.9 ± 1.0"] * 15}


def runs(lead: float = 5.0, spread: float = 0.5, splits_of: dict[str, int] | None = None,
         settings: dict[str, int] | None = None,
         seeds: int = 5) -> dict[str, list[Any]]:  # fmt: skip
    rows = []
    for model, level in (("gcn", 80.0), ("gat", 80.0 + lead)):
        for split in range((splits_of or {}).get(model, 1)):
            for seed in range(seeds):
                for setting in range((settings or {}).get(model, 1)):
                    draw = rng(1000 * seed + 10 * split + setting + (model == "gat") * 7)
                    rows.append((model, split, seed, 0.01 * (setting + 1),
                                 level + spread * draw.normal()))  # fmt: skip
    names = ("model", "split", "seed", "lr", "test_acc")
    return {name: [str(row[k]) for row in rows] for k, name in enumerate(names)}


def on_scales(model: str, **of: int) -> Given:
    """Runs of which some of a model are in percent where others are not."""
    table, left = runs(seeds=5), of["runs"]
    for row, name in enumerate(table["model"]):
        percent = name == model and left > 0
        left -= percent
        if not percent:
            table["test_acc"][row] = str(float(table["test_acc"][row]) / 100)
    return {"given": None, "table": table}


def as_folder(table: dict[str, list[Any]]) -> Path:
    """Write each run as a JSON file in a folder of its model."""
    folder = Path(tempfile.mkdtemp())
    for k in range(len(table["model"])):
        row = {name: values[k] for name, values in table.items()}
        place = folder / row["model"] / f"run{k}"
        place.mkdir(parents=True)
        config = {name: float(row[name]) for name in ("lr", "seed", "split")}
        about = {"config": config, "results": {"test_acc": float(row["test_acc"])}}
        (place / "run.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


def without(table: dict[str, list[Any]], *names: str) -> dict[str, list[Any]]:
    return {name: values for name, values in table.items() if name not in names}


def by_seeds() -> Given:
    """Two models that swap places with the training seed."""
    found = compared().predictions
    flip = replace(found, probabilities={"wvrn": found.probabilities["nbc"],
                                         "nbc": found.probabilities["wvrn"]})  # fmt: skip
    return {"given": replace(found, reseeded=(flip, found, flip))}


def tuned_and_not() -> Given:
    grid = nettrial.tuned("nbc", {"smoothing": [0.1, 1.0]})
    return {"given": nettrial.compare(net(), grid, "wvrn", **QUICK)}


def rows_of(lacking: int) -> Given:
    """A table of predictions, of which one model lacks some."""
    found, rows = compared().predictions, []
    for model in found.models:
        for k, split in enumerate(found.splits):
            skip = lacking if model == "nbc" else 0
            codes = found.predicted(model, k)[skip:]
            rows += [
                (k, node, model, net().classes[c]) for node, c in zip(split.test[skip:], codes)
            ]
    table = {name: [row[k] for row in rows]
             for k, name in enumerate(("split", "node", "model", "prediction"))}  # fmt: skip
    return {"given": net(), "splits": list(found.splits), "predictions": table}


def on_splits(pvalue: float = 0.01, other: float = 0.4) -> dict[str, Any]:
    """The JSON of a comparison whose verdict is on other splits of the same network."""
    made = json.loads(compared().to_json())
    made["recommended"] = "paired_t"
    base = next(test for test in made["tests"] if test["name"] == "network_hac")
    base["pvalue"] = other
    question = "Does the difference hold on other splits of this same network?"
    own = base | {"name": "paired_t", "method": "paired t-test", "question": question,
                  "pvalue": pvalue}  # fmt: skip
    return made | {"tests": [base, own]}


def folder_of_results() -> Given:
    folder = Path(tempfile.mkdtemp())
    for k in range(4):
        made = json.loads(compared(seed=k).to_json())
        for test in made["tests"]:
            test["pvalue"] = 0.03
        (folder / f"against_{k}.json").write_text(json.dumps(made, indent=1), encoding="utf-8")
    return {"given": folder}


SWAPPED = Split(np.arange(40), np.arange(40, 200), np.arange(40, 200))
PLANTED = (
    Case("NT101", "twins: same features, same neighbors", lambda: with_splits(with_twins())),
    Case("NT101", "twins, without splits", lambda: {"given": with_twins()}, False),
    Case("NT102", "test nodes in training sets", lambda: {"given": net(), "splits": overlapping()}),
    Case("NT102", "masks that overlap", lambda: {"given": net(), "splits": masks(leak=5)}),
    Case("NT103", "overlapping test sets", lambda: with_splits(net()), False),
    Case("NT104", "a class in no training set", a_class_left_out),
    Case("NT105", "unlabeled nodes tested", unlabeled),
    Case("NT106", "copies by links alone", lambda: with_splits(with_copies())),
    Case("NT107", "features of copies with noise", lambda: with_splits(with_twins(0.1))),
    Case("NT107", "copies without a tenth of the links", lambda: with_splits(with_twins(0.1, 0.1))),
    Case("NT107", "copies with one word more", lambda: with_splits(words_nearly_the_same())),
    Case("NT108", "same texts in capitals",
         lambda: with_splits(rebuilt(net(), attributes=texts(40)))),
    Case("NT109", "a class of eight nodes", tiny, False),
    Case("NT201", "the class as other numbers",
         lambda: {"given": net(recoded(np.array([7.5, -2, 3, 11])[net().labels]))}),
    Case("NT201", "the class one-hot, dense", lambda: {"given": net(one_hot(net()))}),
    Case("NT201", "the class one-hot, sparse", lambda: {"given": sparse_one_hot()}),
    Case("NT201", "codes that take turns",
         lambda: {"given": net(recoded(2.0 * (np.arange(200) % 6) + net().labels))}),
    Case("NT202", "nodes sorted by class", lambda: {"given": by_class()}, False),
    Case("NT203", "links within classes", lambda: {"given": within_classes()}),
    Case("NT203", "one class without links to others",
         lambda: {"given": three_classes_one_apart()}, False),
    Case("NT204", "two words for each class",
         lambda: {"given": rebuilt(net(), attributes=columns())}, False),
    Case("NT205", "share of neighbors of a class", lambda: with_splits(of_neighbors(share=True))),
    Case("NT205", "number of neighbors of a class", lambda: with_splits(of_neighbors(share=False))),
    Case("NT206", "random splits of dated nodes", lambda: with_splits(years(), times="year")),
    Case("NT207", "links to later nodes",
         lambda: {"given": years(), "splits": by_year(years()), "times": "year"}, False),
    Case("NT207", "dated links hidden at random", timed_links),
    Case("NT301", "30% for 50%", lambda: with_splits(net(), labeled=0.5)),
    Case("NT302", "ten splits against three",
         lambda: board(without(COUNTS) , n_splits=None, test_share=0.1)),
    Case("NT303", "random splits called k-fold", lambda: with_splits(net(), design="kfold")),
    Case("NT303", "random splits called balanced", lambda: with_splits(net(), design="balanced")),
    Case("NT304", "validation labels left out of the share",
         lambda: {"given": net(), "splits": masks(valid=0.5), "labeled": 0.15}),
    Case("NT304", "validation labels, no claim",
         lambda: {"given": net(), "splits": masks(valid=0.5)}, False),
    Case("NT305", "a model without 20 of its predictions", lambda: rows_of(lacking=20)),
    Case("NT306", "runs on fewer splits",
         lambda: {"given": None, "table": runs(splits_of={"gcn": 5, "gat": 3})}),
    Case("NT307", "a run in percent, others as proportions", lambda: on_scales("gat", runs=1)),
    Case("NT307", "a model in proportions, another in percent", lambda: on_scales("gcn", runs=5)),
    Case("NT307", "an entry of a table as a proportion",
         lambda: board(CLOSE | {"gcn": ["0.815", *CLOSE["gcn"][1:]]})),
    Case("NT401", "one class for all", lambda: predictions(wvrn=constant(0))),
    Case("NT402", "worse than the commonest class",
         lambda: predictions(wvrn=wrong(1), nbc=wrong(2))),
    Case("NT403", "a model against itself",
         lambda: {"given": nettrial.compare(net(), "wvrn", "wvrn", **QUICK)}),
    Case("NT404", "probabilities above one", lambda: predictions(wvrn=constant(0, 0.5))),
    Case("NT405", "not one error", lambda: predictions(wvrn=right())),
    Case("NT406", "seeds that change nothing", lambda: {"given": compared(n_seeds=2)}, False),
    Case("NT407", "twenty settings against two, a table",
         lambda: {"given": None, "table": runs(settings={"gcn": 2, "gat": 20}, seeds=1)}),
    Case("NT407", "twenty settings against two, a folder",
         lambda: {"given": None, "runs": as_folder(runs(settings={"gcn": 2, "gat": 20}, seeds=1))}),
    Case("NT408", "one model tuned", tuned_and_not, False),
    Case("NT501", "close scores of ten splits", lambda: board(CLOSE)),
    Case("NT502", "runs with seeds alone",
         lambda: {"given": None, "table": without(runs(), "split", "lr")}, False),
    Case("NT503", "splits as data sets",
         lambda: board({"dataset": [f"cora_split{k}" for k in range(5)], "gcn": [0.8] * 5,
                        "gat": [0.81] * 5})),
    Case("NT504", "a paired t-test on splits", lambda: {"given": on_splits()}),
    Case("NT505", "fifteen leads", lambda: board(many_best(), test_share=0.05)),
    Case("NT506", "a lead within its seeds",
         lambda: {"given": None, "table": without(runs(0.2, 1.0), "lr")}),
    Case("NT506", "models that swap places with the seed", by_seeds),
    Case("NT507", "four results, none adjusted", folder_of_results),
)  # fmt: skip


def read(name: str, **options: Any) -> Network:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nettrial.read(DATA / name, **options)


def public_split() -> Given:
    """The split of Yang et al. (2016): 20 nodes of each class, 500 for validation, 1,000 tests."""
    network = read("featured/citeseer")
    order = [np.flatnonzero(network.labels == c)[:20] for c in range(network.n_classes)]
    train = np.concatenate(order)
    rest = np.setdiff1d(network.labeled, train)
    return {"given": network, "labeled": train.size / network.labeled.size,
            "splits": {"train": train, "valid": rest[:500], "test": rest[500:1500]}}  # fmt: skip


def hospital() -> Given:
    """Contacts of a hospital, with the order of their rows as made-up times."""
    network = read("neutral/rfid_weighted")
    first, second = network.simple_links()
    dated = rebuilt(network, weight=np.arange(1, first.size + 1), source=first, target=second)
    made = nettrial.compare(dated, "adamic_adar", "jaccard", n_splits=2, seed=1)
    return {"given": made, "times": "weight"}


def labels_of_neighbors() -> Given:
    """Shares of classes among neighbors, as features of all nodes."""
    network = read("featured/cora_ml")
    member = (network.labels[:, None] == np.arange(network.n_classes)).astype(float)
    counts = (network.adjacency() != 0).astype(float) @ member
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return with_splits(network.derive(features=shares))


def shchur() -> Given:
    """Made-up runs of two models with ten seeds, apart by less than the seeds move them."""
    draw = rng(8)
    rows = [("gcn", s, 81.5 + 0.8 * draw.normal()) for s in range(10)]
    rows += [("gat", s, 81.6 + 0.9 * draw.normal()) for s in range(10)]
    table = {name: [str(row[k]) for row in rows] for k, name in enumerate(("model", "seed", "acc"))}
    return {"given": None, "table": table}


PLANTED_IN_REAL = (
    Case("NT103", "Cora, overlapping test sets",
         lambda: with_splits(read("neutral/cora_planetoid")), False),
    Case("NT303", "Cora, random splits called cross-validation",
         lambda: with_splits(read("neutral/cora_planetoid"), design="kfold")),
    Case("NT207", "Hospital contacts with made-up times, links hidden", hospital),
    Case("NT205", "Cora-ML, classes of neighbors as features", labels_of_neighbors),
    Case("NT506", "made-up runs, a lead within ten seeds", shchur),
)  # fmt: skip
# facts of the files themselves, or of what was published with them
KNOWN = (
    Case("NT501", "Geom-GCN, best of six embeddings (leaderboard.md)",
         lambda: {"given": nettrial.leaderboard(
             DATA / "tables/geomgcn_summary/ExperimentTwoPairs_results.csv", n_splits=10,
             test_share=0.2, mean="avg_test_acc", sd="std_dev_test_acc",
             model=["dataset_embedding_graph", "dataset_embedding_space"])}),
    Case("NT101", "CiteSeer, papers listed twice",
         lambda: with_splits(read("featured/citeseer")), False),
    Case("NT107", "CiteSeer, papers listed nearly twice",
         lambda: with_splits(read("featured/citeseer")), False),
    Case("NT101", "Cora-ML, papers listed twice",
         lambda: with_splits(read("featured/cora_ml")), False),
    Case("NT109", "Texas, a class of one page",
         lambda: with_splits(read("neutral/geomgcn_texas")), False),
    Case("NT202", "ACM, papers listed by class", lambda: {"given": read("featured/acm")}, False),
    Case("NT202", "Wiki, pages listed by class",
         lambda: {"given": read("neutral/wiki_openne")}, False),
    Case("NT304", "CiteSeer, 500 for validation (Yang et al. 2016)", public_split),
    Case("NT201", "Teenagers, the class as a feature",
         lambda: {"given": read("neutral/s50_w1", features="all")}),
    Case("NT204", "Teenagers, the class in another column",
         lambda: {"given": read("neutral/s50_w1")}, False),
    Case("NT109", "E-mail, departments of a few people",
         lambda: with_splits(read("neutral/email_eu_core")), False),
)  # fmt: skip


def found(given: Given) -> Any:
    """Return the check of what a case makes."""
    options = {name: value for name, value in given.items() if name != "given"}
    return nettrial.check(given["given"], **options)


def codes(check: Any) -> set[str]:
    return {each.code for each in (*check.problems, *check.notes)}
