"""Are the shipped networks better trained by mini-batches than on the whole network?

    python benchmarks/mini_batches.py accuracy PATH ...   # Cora, CiteSeer, ACM
    python benchmarks/mini_batches.py accuracy PATH ... --epochs 200
    python benchmarks/mini_batches.py size WAY ... --nodes 170000 --groups 170 --epochs 3
    python benchmarks/mini_batches.py learn WAY ... --nodes 30000 --groups 30 --batches 16

Criteria, written before anything was measured. A way of batching is kept if
1. its accuracy is that of full batches: over 10 splits with 10% labeled and 3 seeds, the mean
   difference is within one point for every model that it serves, on each of the three networks;
2. at 170,000 nodes with 128 features it needs less time per fit than full batches, at an accuracy
   that is no more than one point lower, or less memory at its peak by a fifth at no more time;
3. it holds 2. on a network with groups and on one without.
If none does, none is kept.

Ways:
- `sampled` draws at each step some training nodes, 10 neighbors of each, and of these again
  (Hamilton et al. 2017);
- `parts` trains on the communities that Louvain finds, in fixed batches of about equal size, links
  between batches left out (Chiang et al. 2019);
- `regrouped` makes such batches anew in each epoch, of smaller communities (resolution 20);
- `history` takes the batches of `parts` with all their links, where hidden units of nodes outside
  come from their last visit (Fey et al. 2021);
- `random` does the same with batches of nodes drawn at random.
`regrouped` and `random` were added after `parts` and `history` had missed the first criterion on
Cora, since their batches have few classes each. All predict, and look at the validation nodes, on
the whole network. Times are processor time.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np

import nettrial
from nettrial.core.peak_memory import PeakMemory
from nettrial.core.seeds import generator, key
from nettrial.models import APPNP, GCN, MLP, SAGE, SGC
from nettrial.models import neural_layers as layers
from nettrial.models.neural import CrossEntropy
from nettrial.models.neural_inputs import Matrix, features
from nettrial.models.validation import set_aside
from nettrial.network.communities import louvain
from nettrial.splits import RandomResampling

KINDS = {kind.name: kind for kind in (GCN, SAGE, SGC, APPNP, MLP)}
TWO = ("gcn", "sage")  # of two layers that gather from neighbors
WAYS = {
    "full": KINDS, "sampled": TWO, "parts": KINDS, "regrouped": KINDS, "history": TWO,
    "random": TWO,
}  # fmt: skip
N_BATCHES, N_NEIGHBORS, FINE = 8, 10, 20.0


class Sampled(Matrix):
    """Links of which a few are drawn for each node, their weights scaled up."""

    __slots__ = ("rng",)

    def seen_from(self, nodes: np.ndarray) -> tuple[Matrix, np.ndarray]:
        some = self.rows(nodes)
        counts = some.row_sizes
        of = np.repeat(np.arange(nodes.size), counts)
        order = np.lexsort((self.rng.random(of.size), of))
        chosen = np.sort(order[np.arange(of.size) - some.indptr[of] < N_NEIGHBORS])
        indptr = np.concatenate([[0], np.cumsum(np.minimum(counts, N_NEIGHBORS))])
        more = np.maximum(counts / N_NEIGHBORS, 1)[of[chosen]].astype(np.float32)
        whole = Matrix(indptr, some.indices[chosen], some.values[chosen] * more, self.n_columns)
        parts = self.n_columns // self.n_rows
        owner, part = np.divmod(whole.indices, parts)
        found, place = np.unique(owner, return_inverse=True)
        indices = (place * parts + part).astype(np.int32)
        return Matrix(indptr, indices, whole.values, found.size * parts), found


class History:
    """Hidden units of a batch, and those of its neighbors as they were when last computed."""

    def __init__(self, batch: np.ndarray, outside: np.ndarray, kept: np.ndarray) -> None:
        self.batch, self.outside, self.kept = batch, outside, kept
        self.room: list[np.ndarray] = []

    def forward(self, given: np.ndarray, noise: Any) -> np.ndarray:
        rows = given.reshape(self.batch.size, -1)
        self.kept[self.batch] = rows
        both = layers.empty(self.batch.size + self.outside.size, rows.shape[1])
        both.reshape(-1, rows.shape[1])[:] = np.concatenate([rows, self.kept[self.outside]])
        return both

    def backward(self, gradient: np.ndarray) -> np.ndarray:
        return gradient[: self.batch.size * self.kept.shape[1]]


def batches_of(way: str, network: Any, rng: np.random.Generator) -> list[np.ndarray]:
    """Put communities, or nodes, in random order, into batches of about equal size."""
    code = np.asarray(louvain(network, resolution=FINE if way == "regrouped" else 1.0))
    if way == "random":
        code = np.arange(network.n_nodes)
    size = -(-network.n_nodes // N_BATCHES)
    order = rng.permutation(code.max() + 1)
    nodes = np.argsort(np.argsort(order)[code], kind="stable")  # communities one after the other
    return [np.sort(nodes[at : at + size]) for at in range(0, nodes.size, size)]


def with_history(model: Any, network: Any, x: Matrix, batch: np.ndarray, own: np.ndarray,
                 kept: np.ndarray) -> tuple[layers.Layer, ...]:  # fmt: skip
    """Return the layers to the scores of the batch's training nodes."""
    first, bias, second, offset = model.weights_
    matrix = model._adding(network)
    parts = matrix.n_columns // matrix.n_rows
    last, near = matrix.seen_from(own)
    hidden = batch
    outside = np.setdiff1d(near, hidden)
    place = np.full(network.n_nodes, -1)
    place[hidden], place[outside] = np.arange(hidden.size), hidden.size + np.arange(outside.size)
    owner, part = np.divmod(last.indices, parts)
    columns = (place[near[owner]] * parts + part).astype(np.int32)
    n_all = hidden.size + outside.size
    last = Matrix(last.indptr, columns, last.values, n_all * parts)
    before, far = model._gather(network, hidden, bias.shape[1])
    return (
        layers.Features(x, far, first), *before, layers.HiddenLayer(bias),
        History(hidden, outside, kept), layers.Dense(n_all, second),
        layers.Links(last, offset.shape[1]), layers.Offset(offset),
    )  # fmt: skip


def fit(way: str, model: Any, network: Any, train: np.ndarray, seed: int) -> Any:
    """Train a model in one of the ways."""
    if way == "full":
        return model.fit(network, train, seed=seed)
    fitted, stopping = set_aside(model.name, network, train, model.validation, seed)
    x = features(network, model.name, needs_them=False, note=False)
    k, rng = network.n_classes, generator(seed, 7)
    model.weights_ = model._start(x.n_columns, k, generator(seed, 0))
    model.n_features_, model.n_classes_ = x.n_columns, k
    judge = model._layers(network, x, stopping), CrossEntropy(network.labels[stopping], k)
    kept = np.zeros((network.n_nodes, layers.wide(getattr(model, "hidden", 1))), np.float32)

    def grouped() -> list[Any]:
        made: list[Any] = []
        for batch in batches_of(way, network, rng):
            own = np.intersect1d(batch, fitted)
            if not own.size:
                continue
            if way in ("history", "random"):
                found = with_history(model, network, x, batch, own, kept)
            else:
                here = np.searchsorted(batch, own)
                found = model._layers(network.among(batch), x.rows(batch), here)
                layers.share_room(judge[0], found)
            made.append((found, CrossEntropy(network.labels[own], k)))
        return made

    def sampled(own: np.ndarray) -> Any:
        matrix = KINDS[model.name]._adding(model, network)
        some = Sampled(matrix.indptr, matrix.indices, matrix.values, matrix.n_columns)
        object.__setattr__(some, "rng", rng)
        model._adding = lambda _: some
        found = model._layers(network, x, own)
        del model._adding
        return found

    made = [] if way == "sampled" else grouped()
    noise = layers.Noise(key(seed, 1), model.dropout)
    best, waited, step, values = math.inf, 0, 0, []
    size = -(-fitted.size // N_BATCHES)
    for _ in range(model.epochs):
        if way == "sampled":
            order, made = rng.permutation(fitted), []
            for at in range(0, order.size, size):
                own = np.sort(order[at : at + size])
                made.append((own, CrossEntropy(network.labels[own], k)))
        elif way == "regrouped" and step:
            made = grouped()
        for number in rng.permutation(len(made)):
            found, loss = made[number]
            if way == "sampled":
                found = sampled(found)
            step += 1
            noise.epoch = step
            scores = layers.forward(found, noise)
            loss(scores, scores)
            layers.backward(found, scores)
            for weights in model.weights_:
                weights.step(model.learning_rate, step)
        now, waited = judge[1](layers.forward(judge[0]), None), waited + 1
        if now < best:
            best, waited = now, 0
            values = [weights.value.copy() for weights in model.weights_]
        if waited == model.patience:
            break
    for weights, value in zip(model.weights_, values):
        weights.value[:] = value
    model.steps_ = step
    return model


def settings(way: str, epochs: int) -> dict[str, int]:
    """Full batches keep their defaults: 200 epochs, 50 of patience."""
    return {} if way == "full" else {"epochs": epochs, "patience": -(-epochs // 4)}


def accuracy(paths: list[str], only: list[str] | None, ways: list[str] | None, epochs: int) -> None:
    """Print mean accuracies, differences from full batches, and seconds per fit."""
    for path in paths:
        network = nettrial.read(path)
        splits = RandomResampling(n_splits=10, labeled=0.1, seed=0).split_network(network)
        for name, kind in KINDS.items():
            base = None
            for way, serves in WAYS.items():
                if name not in serves or (only and name not in only):
                    continue
                if way != "full" and ways and way not in ways:
                    continue
                right, begin = [], time.process_time()
                for split in splits:
                    seen = network.mask_labels(split.train)
                    for seed in range(3):
                        model = fit(way, kind(**settings(way, epochs)), seen, split.train, seed)
                        proba = model.predict_proba(seen, split.test)
                        right.append(np.mean(proba.argmax(axis=1) == network.labels[split.test]))
                seconds = (time.process_time() - begin) / len(right)
                base = np.array(right) if base is None else base
                apart = 100 * (np.array(right) - base).reshape(10, 3).mean(axis=1)
                error = apart.std(ddof=1) / math.sqrt(10)
                print(
                    f"{path.split('/')[-1]:18s} {name:6s} {way:8s} {np.mean(right):.4f}  "
                    f"{apart.mean():+.2f} ± {error:.2f} points  {seconds:.3f} s", flush=True,
                )  # fmt: skip


def network_of(n: int, groups: int) -> nettrial.Network:
    """Return a network of 7 neighbors a node, 80% of them in its group (none if groups is 0).

    There are 128 features and 40 classes; without groups, links join nodes of one class as often.
    """
    rng = np.random.default_rng(0)
    group = rng.integers(groups or 40, size=n)
    label = np.where(rng.random(n) < 0.7, group % 40, rng.integers(40, size=n)).astype(np.int64)
    centers = rng.normal(size=(40, 128)).astype(np.float32)
    values = np.empty((n, 128), dtype=np.float32)
    for at in range(0, n, 10_000):
        part = rng.normal(size=(min(10_000, n - at), 128))
        values[at : at + 10_000] = part + centers[label[at : at + 10_000]] / 8
    a = rng.integers(n, size=7 * n // 2)
    order, counts = np.argsort(group, kind="stable"), np.bincount(group)
    start = np.cumsum(counts) - counts
    inside = order[start[group[a]] + (rng.random(a.size) * counts[group[a]]).astype(np.int64)]
    b = np.where(rng.random(a.size) < 0.8, inside, rng.integers(n, size=a.size))
    return nettrial.Network(a, b, n_nodes=n, labels=label, features=values)


def size(way: str, n: int, groups: int, epochs: int, name: str) -> None:
    """Print what a few epochs take in this process: seconds per epoch, steps and peak memory."""
    small = network_of(400, groups and 8)
    fit(way, KINDS[name](epochs=2), small, np.arange(200), 0)  # loads the loops
    network = network_of(n, groups)
    train = RandomResampling(n_splits=2, labeled=0.5, seed=0).split_network(network)[0].train
    features(network, name, needs_them=False, note=False)
    if way != "full":
        louvain(network)
    before = PeakMemory()
    fit(way, KINDS[name](epochs=1), network.mask_labels(train), train, 0)
    megabytes = before.megabytes()
    took, steps = [], []
    for number in (1, epochs):
        begin = time.process_time()
        model = fit(way, KINDS[name](epochs=number), network.mask_labels(train), train, 0)
        took.append(time.process_time() - begin)
        steps.append(getattr(model, "steps_", number))
    each = (took[1] - took[0]) / (epochs - 1)
    print(
        f"{name} {way}, {n:,} nodes, {groups} groups: {each:.3f} s per epoch of {steps[0]} steps, "
        f"{took[0] - each:.2f} s before; {megabytes:.0f} MB beside the network "
        "and its scaled features",
        flush=True,
    )


def learn(way: str, n: int, groups: int, epochs: int, name: str) -> None:
    """Print the accuracy and the seconds of one whole fit, half of the nodes labeled."""
    network = network_of(n, groups)
    (split, _) = RandomResampling(n_splits=2, labeled=0.5, seed=0).split_network(network)
    seen, begin = network.mask_labels(split.train), time.process_time()
    model = KINDS[name](epochs=epochs, patience=epochs)
    fit(way, model, seen, split.train, 0)
    seconds = time.process_time() - begin
    found = model.predict_proba(seen, split.test).argmax(axis=1)
    right = np.mean(found == network.labels[split.test])
    print(f"{name} {way}, {n:,} nodes, {groups} groups: accuracy {right:.4f}, {seconds:.1f} s")


def main() -> None:
    """Measure."""
    global N_BATCHES
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("accuracy", "size", "learn"))
    parser.add_argument("given", nargs="+")
    parser.add_argument("--nodes", type=int, default=170_000)
    parser.add_argument("--groups", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--models", nargs="*")
    parser.add_argument("--ways", nargs="*")
    parser.add_argument("--batches", type=int, default=N_BATCHES)
    asked = parser.parse_args()
    N_BATCHES = asked.batches
    if asked.what == "accuracy":
        accuracy(asked.given, asked.models, asked.ways, asked.epochs)
        return
    for way in asked.given:
        measure = size if asked.what == "size" else learn
        measure(way, asked.nodes, asked.groups, asked.epochs, (asked.models or ["gcn"])[0])


if __name__ == "__main__":
    main()
