"""Makes the files that the tours and how-tos use, in the folder at hand."""

import json
import os

import networkx as nx
import numpy as np
import pandas as pd

import nettrial
from nettrial.splits import NetworkCrossValidation

# four schools, and the first network of all pages
for name, seed in (("my_network", 0), *((f"school_{i}", i) for i in range(1, 5))):
    nettrial.io.write(nettrial.latent_group_network(300, seed=seed), name)

# predictions of two models that err by chance, on the splits of `nettrial split --design ncv`
network = nettrial.read("my_network")
rng = np.random.default_rng(0)
rows = []
for i, split in enumerate(NetworkCrossValidation(labeled=0.3).split_network(network)):
    for model, rate in (("gcn", 0.2), ("mlp", 0.22)):
        for node, wrong in zip(split.test, rng.random(split.test.size) < rate):
            label = network.labels[node] ^ int(wrong)
            rows.append((i, network.ids[node], model, network.classes[label]))
columns = ["split", "node", "model", "prediction"]
pd.DataFrame(rows, columns=columns).to_csv("predictions.csv", index=False)


def answer(path, known, rng):
    """Write the answers of a language model to 400 questions, four on each passage."""
    passages = np.where(rng.random(100) < known, 0.9, 0.4)  # a passage is understood or not
    with open(path, "w", encoding="utf-8") as file:
        for i in range(400):
            sample = {
                "doc_id": i,
                "doc": {"passage": f"p{i // 4}", "question": i},
                "target": "yes",
                "arguments": {},
                "resps": [["yes"]],
                "filtered_resps": ["yes"],
                "doc_hash": f"h{i}",
                "acc": float(rng.random() < passages[i // 4]),
            }
            file.write(json.dumps(sample) + "\n")


for name, known in (("new", 0.6), ("old", 0.5)):
    answer(f"samples_boolq_{name}.jsonl", known, rng)
os.makedirs("benchmark", exist_ok=True)
for k in range(20):
    answer(f"benchmark/model_{k:02d}.jsonl", k / 19, np.random.default_rng(k))

# a table as papers print it
with open("table.md", "w", encoding="utf-8") as file:
    file.write("""| Model | cora | citeseer | pubmed |
|---|---|---|---|
| GCN | 81.5 ± 0.5 | 70.3 ± 0.6 | 79.0 ± 0.4 |
| GAT | 83.0 ± 0.7 | 72.5 ± 0.7 | 79.0 ± 0.3 |
| MLP | 55.1 ± 1.2 | 46.5 ± 1.0 | 71.4 ± 0.8 |
""")

# a bank: transactions with dates, and accounts of which some are fraudulent
source, target = network.simple_links()
names = np.array([f"A{i:03d}" for i in range(network.n_nodes)])
days = pd.to_timedelta(rng.integers(0, 365, source.size), "D")
os.makedirs("bank", exist_ok=True)
pd.DataFrame(
    {
        "from": names[source],
        "to": names[target],
        "amount": rng.integers(5, 500, source.size),
        "date": pd.Timestamp("2025-01-01") + days,
    }
).to_csv("bank/transactions.csv", index=False)
pd.DataFrame(
    {
        "account": names,
        "age": (rng.normal(45, 12, names.size) + 5 * network.labels).round(),
        "region": rng.choice(["north", "south", "west"], names.size),
        "fraud": network.labels,
    }
).to_csv("bank/accounts.csv", index=False)

# a school: sex, age and smoking of every pupil
school = nx.Graph()
for node, code in enumerate(network.labels.tolist()):
    age = int(13 + rng.integers(4) + code)
    school.add_node(node, sex="fm"[rng.integers(2)], age=age, smoking=["no", "yes"][code])
school.add_edges_from(zip(source.tolist(), target.tolist()))
nx.write_graphml(school, "school.graphml")
