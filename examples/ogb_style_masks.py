"""Splits as dicts of index arrays, as code for the Open Graph Benchmark expects them."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import nettrial
from nettrial.splits import RandomResampling

folder = tempfile.TemporaryDirectory()
here = Path(folder.name)
network = nettrial.latent_group_network(300, seed=3)

# on the command line: nettrial split NETWORK --labeled 0.3 --validation 0.2 --out splits.json
splits = RandomResampling(n_splits=10, labeled=0.3).split_network(network)
nettrial.write_splits(network, splits, here / "splits.json", validation=0.2)
stored = json.loads((here / "splits.json").read_text())
labels = network.labels
links = network.adjacency()


def votes(known_nodes):
    """Count each node's neighbors of each class, of those whose class is known."""
    known = np.zeros((network.n_nodes, network.n_classes))
    known[known_nodes, labels[known_nodes]] = 1.0
    return links @ known


tables = []
for number, split_idx in enumerate(stored["splits"]):
    train, valid, test = (split_idx[part] for part in ("train", "valid", "test"))
    inputs = votes(train)
    tried = [LogisticRegression(C=c).fit(inputs[train], labels[train]) for c in (0.01, 1.0, 100.0)]
    best = max(tried, key=lambda model: model.score(inputs[valid], labels[valid]))
    counted = votes(train + valid)[test].argmax(axis=1)
    for model, predicted in (("logistic", best.predict(inputs[test])), ("majority", counted)):
        classes = [network.classes[code] for code in predicted]
        ids = [stored["ids"][node] for node in test]
        columns = {"split": number, "node": ids, "model": model, "prediction": classes}
        tables.append(pd.DataFrame(columns))
pd.concat(tables).to_csv(here / "predictions.csv", index=False)

back = nettrial.read_splits(here / "splits.json", network)
print(nettrial.compare_predictions(here / "predictions.csv", network, splits=back))
folder.cleanup()
