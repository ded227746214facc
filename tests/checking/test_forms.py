"""What other programs save is read in any usual form, from a folder and by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.network.network import Network
from nettrial.splits.files import read_splits
from unfair_cases import net

NETWORK = net()
N, LEAK = NETWORK.n_nodes, 6
CLASSES = [str(NETWORK.classes[c]) for c in NETWORK.labels]
Splits = list[tuple[np.ndarray, np.ndarray]]


def a_network(folder: Path, prefix: str = "n", **columns: Any) -> Path:
    """Write the network; its ids are no places."""
    first, second = NETWORK.simple_links()
    pd.DataFrame({"source": [f"{prefix}{k}" for k in first],
                  "target": [f"{prefix}{k}" for k in second]}).to_csv(
        folder / "edges.csv", index=False)  # fmt: skip
    nodes = pd.DataFrame({"node": [f"{prefix}{k}" for k in range(N)], "label": CLASSES, **columns})
    nodes.to_csv(folder / "nodes.csv", index=False)
    return folder


def leaking(n_splits: int) -> Splits:
    """Return training and test sets that share six nodes."""
    found = []
    for seed in range(n_splits):
        order = np.random.default_rng(seed).permutation(N)
        found.append((order[: N // 2], order[N // 2 - LEAK :]))
    return found


def mask(nodes: np.ndarray) -> np.ndarray:
    return np.isin(np.arange(N), nodes)


def names(nodes: np.ndarray) -> list[str]:
    return [f"n{k}" for k in nodes]


def table(splits: Splits, heads: tuple[str, str, str], words: tuple[str, str]) -> pd.DataFrame:
    rows = [(k, name, word) for k, sets in enumerate(splits)
            for word, nodes in zip(words, sets) for name in names(nodes)]  # fmt: skip
    return pd.DataFrame(rows, columns=list(heads))


def torch_saved(value: Any, place: Path) -> None:
    pytest.importorskip("torch").save(value, place)


def tensor(array: np.ndarray) -> Any:
    return pytest.importorskip("torch").from_numpy(np.ascontiguousarray(array))


def in_folders(place: Path, splits: Splits) -> None:
    for k, sets in enumerate(splits):
        (place / "splits" / f"split_{k}").mkdir(parents=True)
        for name, nodes in zip(("train", "test"), sets):
            np.save(place / "splits" / f"split_{k}" / f"{name}_idx.npy", nodes)


def texts(place: Path, splits: Splits, show: Callable[[np.ndarray], Any], name: str) -> None:
    (place / "splits").mkdir()
    for part, nodes in zip(("train", "test"), splits[0]):
        np.savetxt(place / "splits" / name.format(part), show(nodes), fmt="%s")


def written(value: Any, place: Path) -> None:
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(value), encoding="utf-8")


def geom(place: Path, splits: Splits) -> None:
    (place / "splits").mkdir()
    for k, (train, test) in enumerate(splits):
        np.savez(place / "splits" / f"texas_split_0.6_0.2_{k}.npz", train_mask=mask(train) * 1,
                 val_mask=np.zeros(N, int), test_mask=mask(test) * 1)  # fmt: skip


def wide(place: Path, splits: Splits) -> None:
    columns = {"node": names(np.arange(N))}
    for part, nodes in zip(("Train Mask", "Test Mask"), splits[0]):
        columns[part] = mask(nodes).tolist()
    pd.DataFrame(columns).to_csv(place / "splits.csv", index=False)


def stacked(splits: Splits, part: int) -> np.ndarray:
    return np.array([mask(sets[part]) for sets in splits])


# by name: how many splits, and what writes them
FORMS: dict[str, tuple[int, Callable[[Path, Splits], Any]]] = {
    "list of dicts": (3, lambda p, s: written(
        [{"train": a.tolist(), "test": b.tolist()} for a, b in s], p / "splits.json")),
    "list of dicts with seeds": (3, lambda p, s: written(
        [{"seed": k, "train": a.tolist(), "test": b.tolist()} for k, (a, b) in enumerate(s)],
        p / "splits.json")),
    "dicts by name, in capitals": (2, lambda p, s: written(
        {f"Fold {k}": {"Train": names(a), "Test": names(b)} for k, (a, b) in enumerate(s)},
        p / "data" / "splits.json")),
    "dict of lists": (3, lambda p, s: written(
        {"train": [a.tolist() for a, _ in s], "test": [b.tolist() for _, b in s]},
        p / "folds.json")),
    "pairs": (2, lambda p, s: written([[a.tolist(), b.tolist()] for a, b in s], p / "splits.json")),
    "lines of json": (2, lambda p, s: (p / "splits.json").write_text("\n".join(
        json.dumps({"train": a.tolist(), "test": b.tolist()}) for a, b in s), encoding="utf-8")),
    "records": (2, lambda p, s: table(s, ("Split", "Node", "Set"), ("Train", "Test")).to_json(
        p / "splits.json", orient="records")),
    "geom-gcn": (11, geom),
    "numbered at the top": (2, lambda p, s: [np.savez(
        p / f"split_{k}.npz", train_idx=a, test_idx=b) for k, (a, b) in enumerate(s)]),
    "arrays by number": (2, lambda p, s: np.savez(p / "splits.npz", **{
        f"{part}_idx_{k}": nodes for k, sets in enumerate(s)
        for part, nodes in zip(("train", "test"), sets)})),
    "rows of nodes": (2, lambda p, s: np.savez(
        p / "splits.npz", train=np.array([a for a, _ in s]), test=np.array([b for _, b in s]))),
    "masks in npy": (3, lambda p, s: [np.save(p / f"{part}_masks.npy", stacked(s, k))
                                      for k, part in enumerate(("train", "test"))]),
    "folders": (3, in_folders),
    "indices in text": (1, lambda p, s: texts(p, s, lambda nodes: nodes, "{}.txt")),
    "names in text": (1, lambda p, s: texts(p, s, names, "{}.csv") or [
        f.write_text("node\n" + f.read_text()) for f in (p / "splits").iterdir()]),
    "masks in text": (1, lambda p, s: texts(p, s, lambda n: mask(n) * 1, "{}_mask.txt")),
    "masks of savetxt": (1, lambda p, s: [np.savetxt(p / f"{part}_mask.txt", mask(nodes) * 1.0)
                                          for part, nodes in zip(("train", "test"), s[0])]),
    "lists at the top": (1, lambda p, s: [np.savetxt(p / f"{part}.txt", nodes, fmt="%d")
                                          for part, nodes in zip(("train", "test"), s[0])]),
    "masks of torch": (1, lambda p, s: torch_saved(
        {"train_mask": tensor(mask(s[0][0])), "test_mask": tensor(mask(s[0][1]))}, p / "masks.pt")),
    "dicts of torch": (2, lambda p, s: torch_saved(
        [{"train": tensor(a), "test": tensor(b)} for a, b in s], p / "splits.pt")),
    "table": (2, lambda p, s: table(s, ("Fold", "Node ID", "Subset"), ("train", "test")).to_csv(
        p / "splits.csv", index=False)),
    "table in German": (2, lambda p, s: table(
        s, ("Lauf", "Knoten", "Menge"), ("Training", "Test")).to_csv(
            p / "splits.csv", sep=";", index=False)),
    "table of any heads": (2, lambda p, s: table(
        s, ("rep.", "page", "what"), ("TRAIN", "TEST")).to_csv(p / "splits.csv", index=False)),
    "table without splits": (1, lambda p, s: table(
        s, ("run", "id", "role"), ("train", "test")).drop(columns="run").to_csv(
            p / "split.csv", index=False)),
    "a workbook": (2, lambda p, s: table(s, ("split", "node", "set"), ("train", "test")).to_excel(
        p / "splits.xlsx", index=False)),
    "parquet": (2, lambda p, s: table(s, ("split", "node", "set"), ("train", "test")).to_parquet(
        p / "splits.parquet", index=False)),
    "columns of masks": (1, wide),
    "columns of nodes": (1, lambda p, s: pd.DataFrame(
        {"train": pd.Series(names(s[0][0])), "test": pd.Series(names(s[0][1]))}).to_csv(
            p / "splits.csv", index=False)),
    "one level down": (2, lambda p, s: ((p / "data").mkdir(), np.savez(
        p / "data" / "splits.npz", train_mask=stacked(s, 0).T, test_mask=stacked(s, 1).T))),
    "of no name that says it": (1, lambda p, s: np.savez(
        p / "cora.npz", TrainMask=mask(s[0][0]), TestMask=mask(s[0][1]))),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
@pytest.mark.parametrize("form", FORMS)
def test_nodes_in_both_sets_are_found_in_any_form(form: str, tmp_path: Path) -> None:
    n_splits, write = FORMS[form]
    splits = leaking(n_splits)
    write(a_network(tmp_path), splits)
    check = nettrial.check(tmp_path, select=["NT102"])
    assert (check.n_splits, [each.code for each in check.problems]) == (n_splits, ["NT102"])
    assert check.problems[0].problem.size == LEAK  # in each split
    (lying,) = {p for p in tmp_path.rglob("*") if p.is_file()} - {
        tmp_path / "edges.csv", tmp_path / "nodes.csv"
    } if form not in SEVERAL else {None}  # fmt: skip
    place = lying or tmp_path / "splits"
    if place.exists():
        named = nettrial.check(tmp_path, splits=place, select=["NT102"])
        assert named.problems[0].sentences == check.problems[0].sentences


SEVERAL = ("geom-gcn", "numbered at the top", "masks in npy", "folders", "indices in text",
           "names in text", "masks in text", "masks of savetxt", "lists at the top")  # fmt: skip


def test_splits_come_by_number(tmp_path: Path) -> None:
    splits = leaking(11)
    geom(a_network(tmp_path), splits)
    check = nettrial.check(tmp_path, select=["NT103"])
    apart = nettrial.check(
        NETWORK, splits=[{"train": a, "test": b} for a, b in splits], select=["NT103"]
    )
    assert check.n_splits == 11
    assert [p.sentences for p in check.checked] == [p.sentences for p in apart.checked]


def test_masks_of_the_network_itself_are_its_splits(tmp_path: Path) -> None:
    ((train, test),) = leaking(1)
    for name, columns in {
        "masks": {"train_mask": mask(train), "test_mask": mask(test)},
        "words": {"Set": np.where(mask(test), "Test", "Train")},
    }.items():
        (tmp_path / name).mkdir()
        check = nettrial.check(a_network(tmp_path / name, **columns))
        assert (check.n_splits, "NT102" in [p.code for p in check.problems]) == (1, name == "masks")
        assert "splits are those of the network itself" in " ".join(map(str, check.warnings))
    first, second = NETWORK.simple_links()
    np.savez(tmp_path / "data.npz", edge_index=[first, second], y=NETWORK.labels,
             train_mask=mask(train), test_mask=mask(test))  # fmt: skip
    (tmp_path / "one").mkdir()
    (tmp_path / "data.npz").rename(tmp_path / "one" / "data.npz")
    for place in (tmp_path / "one", tmp_path / "one" / "data.npz"):
        assert [p.code for p in nettrial.check(place, select=["NT102"]).problems] == ["NT102"]


@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_predictions_that_test_other_nodes_keep_their_own_splits(tmp_path: Path) -> None:
    ((train, test),) = leaking(1)
    a_network(tmp_path, train_mask=mask(train), test_mask=mask(test))
    rows = [(k, name, model, CLASSES[n]) for k in range(2) for model in ("gcn", "gat")
            for n, name in enumerate(names(np.arange(N))) if n % 2 == k]  # fmt: skip
    pd.DataFrame(rows, columns=["split", "node", "model", "prediction"]).to_csv(
        tmp_path / "predictions.csv", index=False
    )
    check = nettrial.check(tmp_path)
    assert check.n_splits == 2
    assert "the predictions test other nodes" in " ".join(map(str, check.warnings))


@pytest.mark.parametrize("place", ["predictions.csv", "output/predictions.csv", "out/gcn_gat.csv"])
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_predictions_in_german_and_in_folders(place: str, tmp_path: Path) -> None:
    rows = [(k, name, model, CLASSES[n], CLASSES[n]) for k in range(2) for model in ("gcn", "gat")
            for n, name in enumerate(names(np.arange(N))) if n % 2 == k]  # fmt: skip
    (a_network(tmp_path) / place).parent.mkdir(exist_ok=True)
    pd.DataFrame(rows, columns=["Lauf", "Knoten", "Modell", "Wahr", "Vorhersage"]).to_csv(
        tmp_path / place, sep=";", index=False
    )
    problems = [each.code for each in nettrial.check(tmp_path).problems]
    assert {"NT403", "NT405"} <= set(problems)


@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_an_array_per_model(tmp_path: Path) -> None:
    (a_network(tmp_path) / "predictions").mkdir()
    made = np.where(np.arange(N) % 3 == 0, NETWORK.labels, -1)
    for model in ("gcn", "gat"):
        np.save(tmp_path / "predictions" / f"{model}.npy", made)
    check = nettrial.check(tmp_path, select=["NT403"])
    assert (check.models, len(check.problems)) == (("gat", "gcn"), 1)


def test_runs_go_by_the_names_of_their_folders(tmp_path: Path) -> None:
    for model, seeds in (("gcn", 4), ("gat", 2)):
        for seed in range(seeds):
            written({"test/acc": 0.8 + seed / 100}, tmp_path / "runs" / "x.json")
            place = tmp_path / "runs" / f"{model}-seed{seed}"
            place.mkdir()
            (tmp_path / "runs" / "x.json").rename(place / "metrics.json")
    check = nettrial.check(tmp_path, select=["NT306"])
    assert (set(check.models), len(check.problems)) == ({"gcn", "gat"}, 1)


@pytest.mark.parametrize(
    ("name", "table", "code"),
    [
        ("results.csv", "Model,cora,trials\nGCN,81.5,10\nOurs,83.0,200\n", "NT407"),
        ("ergebnisse.csv", "Modell,cora,trials\nGCN,81.5,10\nOurs,83.0,200\n", "NT407"),
        ("results/main.csv", "Model,cora,trials\nGCN,81.5,10\nOurs,83.0,200\n", "NT407"),
        ("runs/all.csv", "Model,Split,Test Accuracy (%)\na,0,80\na,1,81\nb,0,82\n", "NT306"),
        ("results.csv", "Dataset,a,b\n" + "".join(
            f"Texas (split {k}),60,{61 + k}\n" for k in range(4)), "NT503"),
        ("results.csv", "Dataset,a,b\n" + "".join(
            f"cora [fold {k}/4],60,{61 + k}\n" for k in range(4)), "NT503"),
    ],
)  # fmt: skip
def test_results_alone_need_no_network(name: str, table: str, code: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(table, encoding="utf-8")
    assert code in [each.code for each in nettrial.check(tmp_path).problems]


def test_the_same_text_in_a_script_without_spaces(tmp_path: Path) -> None:
    signs = np.array(list("图神经网络学习模型数据核树深度方法研究"))
    rng = np.random.default_rng(0)
    titles = ["".join(rng.choice(signs, 18)) for _ in range(N)]
    for k in range(12):
        titles[N - 1 - k] = titles[k] + "。"
    half = np.arange(N) < N // 2
    a_network(tmp_path, title=titles, train_mask=half, test_mask=~half)
    assert [p.code for p in nettrial.check(tmp_path, select=["NT108"]).problems] == ["NT108"]


def test_a_node_that_a_set_names_twice_is_refused() -> None:
    given = {"train_idx": np.array([1, 1, 2]), "test_idx": np.array([5, 6])}
    with pytest.raises(InputError, match="the training set of split 0 has a node twice"):
        nettrial.check(NETWORK, splits=given)


def test_numbers_that_are_ids_and_no_places(tmp_path: Path) -> None:
    network = Network([0, 1, 2], [1, 2, 3], n_nodes=4, ids=[11, 12, 13, 14], labels=list("abab"))
    written({"train": [11, 12], "test": [13, 14]}, tmp_path / "s.json")
    assert read_splits(tmp_path / "s.json", network)[0].test.tolist() == [2, 3]
    written({"train": [11, 12], "test": [13, 99]}, tmp_path / "s.json")
    with pytest.raises(InputError, match="node number"):
        read_splits(tmp_path / "s.json", network)
    counted = Network([0, 1, 2], [1, 2, 3], n_nodes=4, ids=[1, 2, 3, 4], labels=list("abab"))
    written({"train": [1], "test": [2, 3]}, tmp_path / "s.json")
    with pytest.warns(AssumptionWarning, match="all of them are ids"):
        assert read_splits(tmp_path / "s.json", counted)[0].test.tolist() == [2, 3]


def test_columns_that_could_be_features_are_named(tmp_path: Path) -> None:
    a_network(tmp_path, age=np.arange(N) % 7)
    assert "node columns are not checked as features (age)" in " ".join(
        map(str, nettrial.check(tmp_path).warnings)
    )
    with pytest.raises(InputError, match="features= makes features"):
        nettrial.check(tmp_path, select=["NT201"])


def test_a_kind_that_is_named_and_cannot_be_checked_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing of NT103 can be checked without splits"):
        nettrial.check(NETWORK, select=["NT202", "NT103"])
    assert not nettrial.check(NETWORK, select=["NT1", "NT202"]).problems
    without = nettrial.check(NETWORK, splits=[{"train": [0, 1], "test": [2]}], select=["NT304"])
    assert without.checked[0].problem is None
