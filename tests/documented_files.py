"""The files that pages of the documentation speak of, in small, made in the folder at hand."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import scipy.io

import nettrial
from nettrial.splits import by_name


def attributed(name: str, seed: int = 0, **columns: object) -> nettrial.Network:
    """Write a network of 120 nodes with further node columns."""
    drawn = nettrial.latent_group_network(120, seed=seed)
    network = nettrial.from_adjacency(
        drawn.adjacency(), drawn.labels.tolist(), attributes={**columns}
    )
    shutil.rmtree(name, ignore_errors=True)  # that of other pages has no such columns
    nettrial.io.write(network, name)
    return network


def papers(name: str) -> None:
    """Write a network with words as features, as Cora is distributed."""
    network = nettrial.latent_group_network(120, seed=0)
    words = np.random.default_rng(0).random((120, 12)) < 0.2 + 0.2 * network.labels[:, None]
    Path(name).mkdir()
    content = [
        f"{node}\t{' '.join(map(str, row.astype(int)))}\tclass{label}\n".replace(" ", "\t")
        for node, row, label in zip(network.ids, words, network.labels)
    ]
    Path(name, f"{name}.content").write_text("".join(content), encoding="utf-8")
    pairs = zip(*network.adjacency().nonzero())
    cites = [f"{network.ids[i]}\t{network.ids[j]}\n" for i, j in pairs if i < j]
    Path(name, f"{name}.cites").write_text("".join(cites), encoding="utf-8")


def predictions(network: nettrial.Network, path: str, models: str, **more: object) -> None:
    """Write predictions of models that err by chance, on the splits of `nettrial split`."""
    rng, rows = np.random.default_rng(0), []
    for split, drawn in enumerate(by_name("rrs", labeled=0.3).split_network(network)):
        for node in drawn.test:
            for model in models.split():
                code = network.labels[node] ^ (rng.random() < 0.3)
                rows.append((split, network.ids[node], model, network.classes[code]))
    frame = pd.DataFrame(rows, columns=["split", "node", "model", "prediction"])
    frame.assign(**more).to_csv(path, index=False)


def several_labels(page: str) -> None:
    rng = np.random.default_rng(1)
    words = {name: (rng.random(120) < 0.4).astype(int) for name in ("sports", "news", "music")}
    network = attributed("my_network", **words)
    groups = np.column_stack(list(words.values())).astype(float)
    graph = {"network": network.adjacency().astype(float), "group": groups}
    scipy.io.savemat("blogcatalog.mat", graph)


def your_model(page: str) -> None:
    shown = re.search(r">>> (import numpy.*)\n((?:(?:>>> class|\.\.\.).*\n)+)", page)
    assert shown is not None
    lines = [shown[1], *(line[4:] for line in shown[2].splitlines())]
    Path("my_models.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def language_models(page: str) -> None:
    for seed, name in enumerate(("new", "old")):
        right = np.random.default_rng(seed).random(80) < 0.6
        samples = [
            {"id": f"s{i}", "epoch": 1, "input": f"question {i}",
             "metadata": {"document": f"d{i // 4}"},
             "scores": {"choice": {"value": "C" if right[i] else "I", "answer": "A"}}}
            for i in range(80)
        ]  # fmt: skip
        header = {"version": 2, "status": "success", "eval": {"task": "t"}}
        with zipfile.ZipFile(f"{name}.eval", "w") as archive:
            archive.writestr("header.json", json.dumps(header))
            for sample in samples:
                archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((300, 3)) < [0.8, 0.7, 0.6], columns=["new", "old", "older"])
    table = table.astype(int).assign(page=np.arange(300) // 5, task=np.arange(300) // 50)
    table.to_csv("answers.csv", index=False)


def readme(page: str) -> None:
    nx.write_gml(nx.karate_club_graph(), "links.gml")
    for seed, name in enumerate(("train", "test")):
        nettrial.io.write(nettrial.latent_group_network(120, seed=seed), name)
    predictions(nettrial.read("my_network"), "predictions.csv", "gcn mlp")
    scores("")
    tour = Path(__file__).parents[1] / "docs" / "tours" / "graph_neural_networks.md"
    training_script(tour.read_text(encoding="utf-8"), "train.py")


def scores(page: str) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(60) < 0.4
    frame = pd.DataFrame({"label": truth.astype(int), "query": np.arange(60) // 12})
    for name in ("gcn", "wvrn"):
        frame[name] = np.clip(truth * 0.3 + rng.random(60) * 0.7, 0, 1)
    if not page:
        frame = frame.drop(columns="query").rename(columns={"gcn": "score"}).drop(columns="wvrn")
    frame.to_csv("scores.csv", index=False)


def measures(page: str) -> None:
    scores(page)
    frame = pd.read_csv("scores.csv")
    kind = frame.label.map({1: "fraud", 0: "fair"})
    frame.assign(kind=kind, weight=np.arange(60) % 3 + 1).to_csv("scores.csv", index=False)
    guess = pd.DataFrame({"class": kind, "gcn": kind, "wvrn": kind[::-1].array})
    guess.to_csv("predictions.csv", index=False)
    rng = np.random.default_rng(1)
    pd.DataFrame(0.8 + rng.random((10, 2)) / 10, columns=["gcn", "mlp"]).round(4).to_csv(
        "table.csv", index=False
    )
    pd.DataFrame({"p": [0.001, 0.02, 0.03, 0.4]}).to_csv("pvalues.csv", index=False)


def logs(page: str) -> None:
    rng = np.random.default_rng(2)
    together = []
    for model in ("gcn", "gat"):
        lines = []
        for run in range(5):
            lines += [f"Run: {run}, loss 0.3, Test: {0.8 + rng.random() / 10:.4f}"]
        Path(f"{model}.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if "all.log" not in page:
        return
    for model in ("gcn", "gat"):
        lines = []
        for seed in range(5):
            together.append(f"Model: {model}, seed {seed}")
            run = [
                f"Epoch: {k}, Loss: 0.{9 - k}, Test: {0.7 + rng.random() / 5:.4f}" for k in (1, 2)
            ]
            together += run
            lines += run
        Path(f"{model}.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("all.log").write_text("\n".join(together) + "\n", encoding="utf-8")


def leaderboard(page: str) -> None:
    logs(page)
    rng, rows = np.random.default_rng(3), []
    for data_set in ("cora", "texas", "cornell"):
        for graph, space in (("MDS", "poincare"), ("MDS", "struc2vec"), ("poincare", "MDS")):
            rows.append((data_set, graph, space, 0.8 + rng.random() / 10, 0.02))
    names = ["dataset", "dataset_embedding_graph", "dataset_embedding_space", "avg_test_acc",
             "std_dev_test_acc"]  # fmt: skip
    pd.DataFrame(rows, columns=names).to_csv("ExperimentTwoPairs_results.csv", index=False)


def link_prediction(page: str) -> None:
    network = nettrial.latent_group_network(150, seed=1)
    links = {tuple(sorted(pair)) for pair in zip(*network.adjacency().nonzero())}
    rng = np.random.default_rng(4)
    ends = np.array(sorted(links))
    frame = pd.DataFrame(ends, columns=["source", "target"])
    frame.assign(year=rng.integers(2001, 2011, len(ends))).to_csv("links.csv", index=False)
    rows = []
    for split in range(4):
        shown = ends[rng.choice(len(ends), 60, replace=False)]
        absent = {tuple(sorted(pair)) for pair in rng.integers(150, size=(80, 2))} - links
        tested = [(*pair, 1) for pair in shown] + [
            (*pair, 0) for pair in sorted(absent) if pair[0] != pair[1]
        ]
        for source, target, label in tested:
            mine, theirs = label + rng.normal(size=2)
            rows.append((split, source, target, label, round(mine, 3), round(theirs, 3)))
    names = ["split", "source", "target", "label", "mine", "theirs"]
    pd.DataFrame(rows, columns=names).to_csv("scores.csv", index=False)
    nettrial.io.write(network, "lastfm_asia")


def regression(page: str) -> None:
    rng = np.random.default_rng(5)
    income = np.round(rng.normal(30, 5, 120), 1)
    network = attributed("my_network", income=income)
    rows = [
        (split, network.ids[node], model, round(income[node] + rng.normal(), 2))
        for split, nodes in enumerate(np.array_split(rng.permutation(120), 10))
        for node in nodes
        for model in "AB"
    ]
    names = ["split", "node", "model", "prediction"]
    pd.DataFrame(rows, columns=names).to_csv("predictions.csv", index=False)


def cora(page: str) -> None:
    papers("cora")


def theory(page: str) -> None:
    frame = pd.DataFrame({"p": [0.1, 0.2], "q": 0.9, "rho": [0.2, 0.1], "n": 210, "links": 1260})
    frame.to_csv("settings.csv", index=False)
    rates = np.random.default_rng(7).normal(0.2, 0.02, (10, 2)).round(4)
    pd.DataFrame(rates, columns=["gcn", "mlp"]).to_csv("table.csv", index=False)


def several_models(page: str) -> None:
    papers("cora")
    for k in (1, 2, 3):
        attributed(f"year_{k}", seed=k)
        attributed(f"school_{k}", seed=k + 3)


def formats(page: str) -> None:
    logs(page)
    network = nettrial.read("my_network")
    two = ["all.csv", "rrs.csv"]
    predictions(network, two[1], "gcn gat", design="rrs")
    predictions(network, two[0], "gcn gat", design="ncv")
    pd.concat([pd.read_csv(path) for path in two]).to_csv("all.csv", index=False)
    rng, rows = np.random.default_rng(6), []
    for data_set in ("cora", "texas"):
        for iteration in range(10):
            for model, variant in (("gcn", "VARIANT"), ("mlp", ""), ("logreg", "")):
                rows.append((data_set, iteration, model, variant, 0.8 + rng.random() / 10))
    names = ["dataset", "iteration", "model", "variant", "accuracy"]
    pd.DataFrame(rows, columns=names).to_csv("long.csv", index=False)
    wide = pd.DataFrame(
        [(d, k, *rng.random(2).round(3)) for d in "abcdefgh" for k in range(3)],
        columns=["dataset", "split", "mlp", "logreg"],
    )
    wide.to_csv("results.csv", index=False)


def training_script(page: str, name: str = "my_script.py") -> None:
    script = page.partition("```python\n")[2].partition("```")[0]
    Path(name).write_text(script, encoding="utf-8")


def graph_neural_networks(page: str) -> None:
    papers("cora")
    training_script(page)


# page -> what makes its files, from its text; `docs/tours/follow_along.py` made those of all pages
MADE = {
    "README.md": readme,
    "howto/language_models.md": language_models,
    "howto/several_labels.md": several_labels,
    "howto/your_model.md": your_model,
    "tours/graph_neural_networks.md": graph_neural_networks,
    "user/formats.md": formats,
    "user/graph_neural_networks.md": cora,
    "user/leaderboard.md": leaderboard,
    "user/link_prediction.md": link_prediction,
    "user/measures.md": measures,
    "user/regression.md": regression,
    "user/several_models.md": several_models,
    "lab/sources.md": theory,
}
