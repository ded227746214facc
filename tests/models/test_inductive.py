"""Models that learn from training nodes and the links among them alone, and predict all others."""

from __future__ import annotations

import numpy as np
import pytest

import nettrial
from nettrial import InputError, Network
from nettrial.models import FeatureClassifier, NeuralRegressor, TorchModel, TrainingFunction
from nettrial.models.adapted import as_model
from nettrial.splits import RandomResampling

BASE = nettrial.latent_group_network(120, seed=5)
FEATURES = (np.random.default_rng(5).random((120, 6)) < 0.2 + 0.3 * BASE.labels[:, None]) * 1.0


def featured(**known: object) -> Network:
    known = known or {"labels": BASE.labels.tolist()}
    return nettrial.from_adjacency(BASE.adjacency(), features=FEATURES, **known)


class Spy:
    """Notes what it is shown."""

    name = "spy"

    def fit(self, network: Network, train: np.ndarray) -> Spy:
        self.learned = network
        assert train.tolist() == list(range(network.n_nodes))
        assert (network.labels >= 0).all()
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        whole, n = featured(), self.learned.n_nodes
        assert network.n_nodes == whole.n_nodes
        assert (network.n_links, self.learned.n_links < whole.n_links) == (whole.n_links, True)
        assert network.ids[:n].tolist() == self.learned.ids.tolist()
        assert (network.labels[n:] == -1).all()
        inside = whole.adjacency()[self.learned.ids][:, self.learned.ids]
        assert (inside != self.learned.adjacency()).nnz == 0
        assert (network.features == whole.features[network.ids]).all()
        # the class of a node, read off its id: the engine must hand back the right rows
        return np.eye(2)[whole.labels[network.ids[nodes]]]


def test_a_model_learns_from_the_training_nodes_and_predicts_the_right_ones() -> None:
    network = featured()
    splits = RandomResampling(n_splits=3).split_network(network)
    found = nettrial.run(network, {"spy": Spy()}, splits, cross_links="inductive")
    assert found.errors("spy").max() == 0


@pytest.mark.parametrize(
    "name",
    ["wvrn", "nbc", "nlb", "cdrn", "prior", "gcn", "sage", "mlp", "logistic", "boosting+graph",
     "knn+graph"],
)  # fmt: skip
def test_models_by_name_can_be_inductive(name: str) -> None:
    network = featured()
    splits = RandomResampling(n_splits=2, labeled=0.4).split_network(network)
    both = [
        nettrial.run(network, {name: as_model(name)}, splits, cross_links=how)
        for how in ("keep", "inductive")
    ]
    rates = [found.errors(name)[found.errors(name) >= 0].mean() for found in both]
    assert abs(rates[0] - rates[1]) < 0.2
    assert rates[1] < 0.45 + 0.1 * (name == "prior")
    if name == "logistic":  # it sees features of training nodes alone in either setting
        for one, other in zip(*(found.probabilities[name] for found in both)):
            assert np.allclose(one, other, atol=1e-6)
    if name in ("gcn", "sage"):
        one, other = (found.probabilities[name][0] for found in both)
        assert not np.allclose(one, other, atol=1e-3)


def test_models_of_numbers_can_be_inductive() -> None:
    network = featured(targets=BASE.labels + FEATURES.mean(axis=1))
    models = ["relational_mean", "ridge", "mean"]
    found = nettrial.compare(network, models, setting="inductive", n_splits=3, test="network_hac")
    assert min(found.scores.values()) < 0.3
    assert isinstance(as_model("gcn_regression"), NeuralRegressor)


def test_functions_and_modules_can_be_inductive(words) -> None:
    pytest.importorskip("torch_geometric")

    def module(data, seed):
        import torch

        class Linear(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = torch.nn.Linear(data.num_features, data.num_classes)

            def forward(self, x, edge_index):
                return self.inner(x)

        made = Linear()
        step = torch.optim.Adam(made.parameters(), lr=0.1)
        mask = data.train_mask | data.val_mask
        assert mask.all()  # no other nodes are there
        for _ in range(60):
            step.zero_grad()
            out = made(data.x, data.edge_index)
            torch.nn.functional.cross_entropy(out, data.y).backward()
            step.step()
        return made

    def function(data):
        made = module(data, 0)
        return lambda other: made(other.x, other.edge_index).softmax(dim=1)

    def scores(data):
        return data.x[:, :2] * 9

    network = featured()
    found = nettrial.compare(
        network, [module, function, TrainingFunction(module, name="twin")], setting="inductive",
        n_splits=2, test="network_hac",
    )  # fmt: skip
    assert max(found.scores.values()) < 0.4
    usual = nettrial.compare(network, "logistic", "wvrn", n_splits=2, test="network_hac")
    assert abs(found.scores["module"] - usual.scores["logistic"]) < 0.2
    with words.raises(InputError):
        nettrial.compare(network, scores, "wvrn", setting="inductive", n_splits=2)


@pytest.mark.slow
def test_the_report_says_what_every_model_learned_from() -> None:
    found = nettrial.compare(
        featured(), "logistic", "wvrn", setting="inductive", n_splits=2, test="network_hac"
    )
    assert found.settings["learned_from"] == {
        "logistic": "features of training nodes alone",
        "wvrn": "training nodes and the links among them (inductive)",
    }
    page = found.to_html()
    assert "training nodes and the links among them (inductive)" in page
    usual = nettrial.compare(featured(), "logistic", "wvrn", n_splits=2, test="network_hac")
    assert "(transductive)" in usual.to_html()


def test_what_cannot_be_inductive_is_refused_in_one_line(words) -> None:
    options = {"setting": "inductive", "n_splits": 2, "test": "network_hac"}
    for model in ("gcn", TorchModel(lambda f, c: None, name="mine")):
        with words.raises(InputError):
            nettrial.compare(BASE, model, "wvrn", **options)
    with words.raises(InputError):
        nettrial.compare(BASE, "nbc", "wvrn", cross_links="drop", **options)
    with words.raises(InputError):
        nettrial.compare(BASE, "nbc", "wvrn", setting="inductiv")
    with words.raises(InputError):
        nettrial.compare(BASE, "katz", "jaccard", setting="inductive")
    assert isinstance(as_model("logistic"), FeatureClassifier)
