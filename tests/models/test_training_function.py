"""Functions that train and return scores of all nodes, as scripts have them, as models."""

from __future__ import annotations

import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.models import TrainingFunction
from nettrial.models.adapted import as_model
from nettrial.models.link_predictors import is_link_predictor
from nettrial.models.training_function import is_training_function
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.study.node_study import run as run_models

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")


def made(*, weighted: bool = True, numeric: bool = False) -> Network:
    base = nettrial.latent_group_network(80, seed=1)
    source, target = base.simple_links()
    rng = np.random.default_rng(1)
    labels = [None if node == 7 else base.classes[c] for node, c in enumerate(base.labels)]
    numbers = np.where(np.arange(80) == 7, np.nan, base.labels + rng.normal(size=80))
    return Network(
        source,
        target,
        n_nodes=80,
        weight=rng.integers(1, 4, size=source.size).astype(float) if weighted else None,
        features=rng.normal(size=(80, 3)) + base.labels[:, None],
        labels=None if numeric else labels,
        targets=numbers if numeric else None,
    )


NETWORK = made()
TRAIN = np.arange(8, 40)


def linear(data: object, seed: int, *, steps: int = 30) -> object:
    """Logits of a linear model on a node's own features and the sum of its neighbors'."""
    start, end = data.edge_index
    weight = 1.0 if data.edge_attr is None else data.edge_attr[:, None]
    x = torch.cat([data.x, torch.zeros_like(data.x).index_add(0, start, weight * data.x[end])], 1)
    layer = torch.nn.Linear(x.shape[1], data.num_classes)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        known = data.train_mask
        torch.nn.functional.cross_entropy(layer(x)[known], data.y[known]).backward()
        optimizer.step()
    return layer(x)


def test_what_is_a_training_function() -> None:
    yes = (linear, partial(linear, steps=2), lambda data: None, lambda data, seed=0, lr=1: None)
    no = (lambda network, pairs: None, lambda: None, lambda seed: None, np.add, "gcn", Network)
    assert all(map(is_training_function, yes))
    assert not any(map(is_training_function, no))
    assert not any(map(is_link_predictor, yes))
    assert as_model(partial(linear, steps=2)).name == "linear"


@pytest.mark.parametrize("weighted", [True, False])
def test_what_a_training_function_sees(weighted: bool) -> None:
    seen = []

    def look(data: object, seed: int) -> object:
        seen.append((data, seed))
        return -torch.ones(80, data.num_classes)

    network = made(weighted=weighted)
    TrainingFunction(look, validation=0.25).fit(network, TRAIN, seed=11)
    data, seed = seen[0]
    assert seed == 11
    assert type(data).__module__.startswith("torch_geometric")
    assert (data.num_nodes, data.num_features, data.num_classes) == (80, 3, 2)
    np.testing.assert_allclose(data.x.numpy(), network.features, rtol=1e-6)
    known = (data.train_mask | data.val_mask).numpy()
    assert np.flatnonzero(known).tolist() == TRAIN.tolist()
    assert int(data.val_mask.sum()) == 8
    assert not (data.train_mask & data.val_mask).any()
    assert (data.test_mask.numpy() == ~known).all()
    assert (data.y.numpy() == np.where(known, network.labels, -1)).all()
    links = network.adjacency().tocoo()
    assert data.edge_index.tolist() == [links.row.tolist(), links.col.tolist()]
    if weighted:
        assert data.edge_attr.tolist() == data.edge_weight.tolist() == links.data.tolist()
    else:
        assert data.edge_attr is data.edge_weight is None


@pytest.mark.parametrize("logits", [None, True])
def test_logits_log_probabilities_and_probabilities_give_the_same(logits: bool | None) -> None:
    rows = np.random.default_rng(3).normal(size=(80, 2)) * 3
    wanted = np.exp(rows) / np.exp(rows).sum(axis=1, keepdims=True)
    returned = [rows, torch.tensor(rows, requires_grad=True), np.log(wanted), rows.tolist()]
    if logits is None:
        returned += [wanted, torch.tensor(wanted, dtype=torch.float32)]
    for scores in returned:
        model = TrainingFunction(lambda data, scores=scores: scores, logits=logits)
        found = model.fit(NETWORK, TRAIN).predict_proba(NETWORK, np.arange(80))
        np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_logits_between_0_and_1_must_be_called_so(words) -> None:
    rows = np.tile([0.2, 0.3], (80, 1))
    with words.raises(InputError):
        TrainingFunction(lambda data: rows).fit(NETWORK, TRAIN)
    model = TrainingFunction(lambda data: rows, logits=True).fit(NETWORK, TRAIN)
    assert model.predict_proba(NETWORK, np.array([0]))[0, 0] == pytest.approx(1 / (1 + np.exp(0.1)))


@pytest.mark.parametrize("logits", [None, False])
def test_probabilities_of_one_class_alone_are_no_logits(logits: bool | None) -> None:
    rows = np.tile([0.0, 1.0], (80, 1))
    model = TrainingFunction(lambda data: rows, logits=logits).fit(NETWORK, TRAIN)
    assert model.predict_proba(NETWORK, np.array([0])).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    "returned",
    [
        None,
        "scores",
        np.zeros(80),
        np.zeros((80, 3)),
        np.zeros((32, 2)),
        np.zeros((1, 80, 2)),
        np.where(np.arange(160).reshape(80, 2) == 9, np.nan, 1),
        np.where(np.arange(160).reshape(80, 2) == 9, np.inf, 1),
        np.full((80, 2), -np.inf),
    ],
)
def test_other_returns_are_refused_in_one_line(returned: object, words) -> None:
    with words.raises(InputError) as caught:
        TrainingFunction(lambda data: returned, name="mine").fit(NETWORK, TRAIN)
    assert str(caught.value).startswith("mine: ")
    assert "\n" not in str(caught.value)


def test_numbers_of_a_numeric_target(words) -> None:
    network = made(numeric=True)

    def mean(data: object) -> object:
        known = data.train_mask | data.val_mask
        assert torch.isnan(data.y[~known]).all()
        return data.y[known].mean().expand(data.num_nodes, 1)

    found = TrainingFunction(mean).fit(network, TRAIN).predict(network, np.array([0, 1]))
    np.testing.assert_allclose(found, network.targets[TRAIN].mean(), rtol=1e-6)
    with words.raises(InputError):
        TrainingFunction(lambda data: np.zeros((80, 2))).fit(network, TRAIN)


def test_hidden_labels_do_not_reach_a_training_function() -> None:
    split = RandomResampling(n_splits=2, labeled=0.3, seed=4).split_network(NETWORK)[0]
    labels = NETWORK.labels.copy()
    labels[split.test] = np.roll(labels[split.test], 7)
    one, two = (
        run_models(network, {"m": as_model(linear)}, [split]).probabilities["m"][0].tobytes()
        for network in (NETWORK, NETWORK._with_labels(labels))
    )
    assert one == two
    assert (labels != NETWORK.labels).any()


def test_a_seed_gives_the_same_bits_and_leaves_the_global_state_alone() -> None:
    before = torch.get_rng_state()
    nodes = np.arange(80)
    one, same, other = (
        as_model(linear).fit(NETWORK, TRAIN, seed=seed).predict_proba(NETWORK, nodes).tobytes()
        for seed in (1, 1, 2)
    )
    assert one == same != other
    assert torch.equal(before, torch.get_rng_state())


def test_predicting_needs_a_fit_on_the_same_network(words) -> None:
    with words.raises(InputError):
        as_model(linear).predict_proba(NETWORK, TRAIN)
    fitted = as_model(linear).fit(NETWORK, TRAIN)
    with words.raises(InputError):
        fitted.predict_proba(nettrial.latent_group_network(80, seed=2), TRAIN)


def test_a_training_function_is_compared_like_any_model(words) -> None:
    found = nettrial.compare(
        NETWORK, linear, "wvrn", n_splits=3, test="network_hac", measure="log_loss", seed=1
    )
    assert found.predictions.models == ("linear", "wvrn")
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", score)


def score(network: Network, pairs: object) -> object:
    """A function of two arguments, which is taken for a link predictor."""
    return pairs


def test_without_pytorch_geometric_it_says_what_to_install(monkeypatch: object, words) -> None:
    monkeypatch.setitem(sys.modules, "torch_geometric.data", None)
    with words.raises(InputError):
        as_model(linear).fit(NETWORK, TRAIN)


SCRIPT = """
import torch


class Net(torch.nn.Module):
    def __init__(self, n_features, n_classes):
        super().__init__()


def run(data, seed):
    known = torch.nn.functional.one_hot(data.y.clamp(min=0), data.num_classes)
    return known[data.train_mask].double().mean(dim=0).expand(data.num_nodes, -1)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"), [("run", "run minus wvrn"), ("Net", "takes n_features, n_classes")]
)
def test_on_the_command_line(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "train_it.py").write_text(SCRIPT)
    command = ["compare", "--example", "--splits", "3", "--test", "network_hac", "--b", "wvrn"]
    done = subprocess.run(
        [sys.executable, "-m", "nettrial", *command, "--a", f"{tmp_path}/train_it.py:{name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    shown = done.stdout if name == "run" else done.stderr
    assert words in " ".join(shown.split())
    assert "Traceback" not in done.stderr
