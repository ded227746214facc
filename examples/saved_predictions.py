"""Splits to a file, models trained elsewhere, predictions back: nothing is run again."""

import csv
import tempfile
from pathlib import Path

import numpy as np

import nettrial
from nettrial.splits import NetworkCrossValidation

folder = tempfile.TemporaryDirectory()
here = Path(folder.name)
network = nettrial.latent_group_network(300, seed=1)

# on the command line: nettrial split NETWORK --design ncv --labeled 0.3 --out splits.npz
splits = NetworkCrossValidation(n_splits=10, labeled=0.3).split_network(network)
nettrial.write_splits(network, splits, here / "splits.npz")

# elsewhere, in any language: two simple models, one of which looks two steps far
links = network.adjacency()
one_step, two_steps = links, links + 0.5 * (links @ links)
stored = np.load(here / "splits.npz")
names = np.array(network.classes)
with (here / "predictions.csv").open("w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["split", "node", "model", *(f"p_{name}" for name in names)])
    for number in range(10):
        train, test = stored[f"train_{number}"], stored[f"test_{number}"]
        known = np.zeros((network.n_nodes, len(names)))
        known[train, network.labels[train]] = 1.0
        for model, matrix in (("one step", one_step), ("two steps", two_steps)):
            votes = matrix @ known + 0.01 * known.mean(axis=0)
            shares = votes / votes.sum(axis=1, keepdims=True)
            table.writerows([number, stored["ids"][i], model, *shares[i]] for i in test)

# on the command line: nettrial compare NETWORK --predictions predictions.csv
#                      --split-file splits.npz --a "one step" --b "two steps"
back = nettrial.read_splits(here / "splits.npz", network)
print(nettrial.compare_predictions(here / "predictions.csv", network, splits=back))
folder.cleanup()
