"""PyTorch modules as models: what reaches them, what they compute, and that seeds hold."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import nettrial
from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.models import (
    FullBatch,
    PyGCorrectAndSmooth,
    PyGLabelPropagation,
    TorchData,
    TorchModel,
    by_name,
)
from nettrial.network.network import Network
from nettrial.splits import NetworkCrossValidation, RandomResampling
from nettrial.study.node_study import run

NAMES = ("torch", "pyg-lp", "pyg-cs")
QUICK = FullBatch(epochs=15)


def featured(n: int = 90, seed: int = 1, *, sparse: bool = False) -> Network:
    made = nettrial.latent_group_network(n, seed=seed)
    source, target = made.simple_links()
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 5)) + made.labels[:, None]
    if sparse:
        features = sp.csr_array(np.where(features > 0.5, 1.0, 0.0))
    return Network(
        source,
        target,
        n_nodes=n,
        weight=rng.integers(1, 4, size=source.size).astype(float),
        features=features,
        labels=[made.classes[c] for c in made.labels],
    )


@pytest.fixture(scope="module")
def network() -> Network:
    return featured()


class Convolution:
    """Makes a module of two layers, in which features go along the links twice."""

    def __call__(self, n_features: int, n_classes: int) -> object:
        from torch import nn

        hidden = nn.Linear(n_features, 16)
        return nn.Sequential(
            nn.Dropout(), hidden, nn.ReLU(), nn.Dropout(), nn.Linear(16, n_classes)
        )


def convolve(module: object, data: TorchData) -> object:
    import torch

    rows = data.x
    for layer in module:
        rows = layer(rows)
        if isinstance(layer, torch.nn.Linear):
            start, end = data.edge_index
            rows = rows.index_add(0, start, data.edge_weight[:, None] * rows[end])
    return rows


def convolution(**options: object) -> TorchModel:
    """A model of the user's own."""
    options = {"train": QUICK, "scale": True, "forward": convolve, "name": "torch"} | options
    return TorchModel(Convolution(), **options)


def built(name: str) -> object:
    """Make a model of that name, or skip where its library is missing."""
    pytest.importorskip("torch")
    if name.startswith("pyg"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pytest.importorskip("torch_geometric")
    return convolution() if name == "torch" else by_name(name)


def permuted(network: Network, split: object) -> Network:
    """The same network with the labels of the test nodes in another order."""
    labels = network.labels.copy()
    labels[split.test] = np.roll(labels[split.test], 7)
    assert (labels != network.labels).any()
    return network._with_labels(labels)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("design", [NetworkCrossValidation, RandomResampling])
def test_hidden_labels_do_not_reach_a_model(network: Network, name: str, design: type) -> None:
    model = built(name)
    splits = design(n_splits=2, labeled=0.3, seed=4).split_network(network)
    for split in splits:
        one, two = (
            run(net, {"m": model}, [split]).probabilities["m"][0]
            for net in (network, permuted(network, split))
        )
        assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_unmasked_labels_outside_the_training_set_are_not_used(network: Network, name: str) -> None:
    model = built(name)
    split = RandomResampling(n_splits=2, labeled=0.3, seed=4).split_network(network)[0]
    given = [network, permuted(network, split), network.mask_labels(split.train)]
    found = [model.fit(net, split.train).predict_proba(net, split.test) for net in given]
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_probabilities_are_better_than_chance(network: Network, name: str) -> None:
    found = nettrial.compare(network, built(name), "prior", n_splits=3, n_replicates=10)
    assert found.estimates["p"][found.a] < found.estimates["p"][found.b]


@pytest.mark.parametrize("name", ["torch", "pyg-cs"])
def test_seeds_are_local_and_results_do_not_depend_on_threads(network: Network, name: str) -> None:
    torch = pytest.importorskip("torch")
    model, train, test = built(name), np.arange(30), np.arange(30, 90)

    def fitted(seed: int) -> bytes:
        return model.fit(network, train, seed=seed).predict_proba(network, test).tobytes()

    torch.manual_seed(1)
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    first = fitted(3)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    torch.manual_seed(2)
    torch.set_num_threads(1)
    try:
        assert fitted(3) == first != fitted(4)
    finally:
        torch.set_num_threads(threads)


@pytest.mark.slow
def test_workers_do_not_change_the_bits(network: Network) -> None:
    splits = RandomResampling(n_splits=2, labeled=0.3).split_network(network)
    model = built("torch")
    one, two = (run(network, {"m": model}, splits, n_jobs=n).probabilities["m"] for n in (1, 2))
    assert [p.tobytes() for p in one] == [p.tobytes() for p in two]


class Watch:
    """A training function that keeps what it was given."""

    def __init__(self) -> None:
        self.data: TorchData | None = None

    def __call__(self, module: object, data: TorchData, forward: object) -> None:
        self.data = data


@pytest.mark.parametrize("validation", [0.0, 0.2, 0.9])
def test_masks_divide_the_training_nodes_and_labels_stop_there(
    network: Network, validation: float
) -> None:
    torch = pytest.importorskip("torch")
    watch, train = Watch(), np.arange(3, 60, 2)
    model = TorchModel(
        torch.nn.Linear, train=watch, validation=validation, forward=lambda m, d: m(d.x)
    )
    model.fit(network, train, seed=1)
    data = watch.data
    assert data is not None
    fitted, stopping = (mask.numpy().nonzero()[0] for mask in (data.train_mask, data.val_mask))
    assert sorted([*fitted, *stopping]) == train.tolist()
    wanted = round(validation * train.size)
    assert len(stopping) == min(wanted, train.size - 2)
    # each class that is there at all stays in training
    assert set(network.labels[fitted]) == set(network.labels[train])
    labels = data.y.numpy()
    assert (labels[train] == network.labels[train]).all()
    assert (np.delete(labels, train) == -1).all()
    adjacency = np.zeros((90, 90))
    adjacency[data.edge_index[0], data.edge_index[1]] = data.edge_weight
    assert (adjacency == network.adjacency().toarray()).all()


def test_early_stopping_keeps_the_best_epoch(network: Network) -> None:
    torch = pytest.importorskip("torch")
    losses = []

    def forward(module: object, data: TorchData) -> object:
        out = module(data.x)
        if not module.training:
            part = torch.nn.functional.cross_entropy(out[data.val_mask], data.y[data.val_mask])
            losses.append(float(part))
        return out

    training = FullBatch(epochs=300, patience=5, learning_rate=0.5, weight_decay=0.0)
    watch = []

    def train(module: object, data: TorchData, forward: object) -> None:
        training(module, data, forward)
        watch.append(data)

    model = TorchModel(torch.nn.Linear, train=train, forward=forward, validation=0.3)
    model.fit(network, np.arange(60), seed=1)
    assert len(losses) < 300
    assert int(np.argmin(losses)) == len(losses) - 6
    model.module_.eval()
    with torch.no_grad():
        forward(model.module_, watch[0])
    assert losses[-1] == min(losses[:-1])


@pytest.mark.parametrize("substitute", ["one-hot", "degrees"])
def test_what_stands_for_features_is_told(substitute: str, words) -> None:
    pytest.importorskip("torch")
    model = convolution(substitute=substitute)
    network = nettrial.latent_group_network(60, seed=1)
    with words.warns(AssumptionWarning):
        model.fit(network, np.arange(30))
    assert np.isfinite(model.predict_proba(network, np.arange(60))).all()


def test_correct_and_smooth_needs_features(words) -> None:
    built("pyg-cs")
    network = nettrial.latent_group_network(60, seed=1)
    with words.raises(InputError):
        by_name("pyg-cs").fit(network, np.arange(30))


def test_label_propagation_is_its_formula(network: Network) -> None:
    built("pyg-lp")
    train = np.arange(0, 90, 3)
    a = network.adjacency().toarray()
    d = np.maximum(a.sum(axis=1), 1e-300)
    s = a / np.sqrt(d[:, None] * d[None, :])
    known = np.zeros((90, network.n_classes))
    known[train, network.labels[train]] = 1
    y = known.copy()
    for _ in range(50):
        y = np.clip(0.9 * s @ y + 0.1 * known, 0, 1)
    want = y / y.sum(axis=1, keepdims=True)
    found = PyGLabelPropagation().fit(network, train).predict_proba(network, np.arange(90))
    np.testing.assert_allclose(found, want, atol=1e-5)


def test_nodes_out_of_reach_get_the_shares_of_the_training_nodes() -> None:
    built("pyg-lp")
    network = Network([0, 1], [1, 2], n_nodes=6, labels=list("aabbbb"))
    found = (
        PyGLabelPropagation()
        .fit(network, np.array([0, 3, 4]))
        .predict_proba(network, np.array([1, 5]))
    )
    np.testing.assert_allclose(found, [[1, 0], [1 / 3, 2 / 3]], rtol=1e-6)


def test_isolates_and_absent_classes_are_handled() -> None:
    network = Network(
        [0, 1], [1, 2], n_nodes=6, labels=list("aabbcc"), features=np.eye(6)
    )  # no training node is a c, and 3 to 5 have no links
    for name in NAMES:
        model = built(name).fit(network, np.array([0, 2]))
        proba = model.predict_proba(network, np.array([1, 3, 4, 5]))
        assert proba.shape == (4, 3)
        np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.slow
def test_models_of_pytorch_geometric_fit_in(network: Network) -> None:
    built("pyg-lp")
    from torch_geometric.nn import GAT

    model = TorchModel(lambda f, c: GAT(f, 8, 2, c), train=QUICK, name="GAT")
    found = nettrial.compare(network, model, "prior", n_splits=2, n_replicates=10)
    assert found.a == "GAT"


def test_a_forward_function_may_build_a_graph_of_its_own_once(network: Network) -> None:
    # as for DGL, whose modules are called with a graph and features
    torch = pytest.importorskip("torch")
    made = []

    def graph_of(data: TorchData) -> object:
        if "graph" not in data.kept:
            made.append(data)
            shape = (network.n_nodes, network.n_nodes)
            data.kept["graph"] = torch.sparse_coo_tensor(
                data.edge_index, data.edge_weight, shape, check_invariants=False
            )
        return data.kept["graph"]

    model = TorchModel(
        torch.nn.Linear, train=QUICK, forward=lambda m, d: torch.sparse.mm(graph_of(d), m(d.x))
    )
    model.fit(network, np.arange(30)).predict_proba(network, np.arange(30, 90))
    assert len(made) == 2  # one to train, one to predict


@pytest.mark.parametrize(
    ("make", "train"),
    [
        (
            lambda: convolution(validation=1.0),
            [0, 1],
        ),
        (lambda: convolution(validation=-0.1), [0, 1]),
        (convolution, []),
        (PyGLabelPropagation, []),
        (PyGCorrectAndSmooth, []),
    ],
)
def test_what_cannot_be_trained_is_refused(
    network: Network, make: object, train: list[int], words
) -> None:
    pytest.importorskip("torch")
    with words.raises(InputError):
        make().fit(network, np.array(train, dtype=int))


@pytest.mark.parametrize("sparse", [False, True])
def test_features_that_are_not_finite_are_counted(sparse: bool) -> None:
    pytest.importorskip("torch")
    features = np.ones((4, 2))
    features[1, 0], features[2, 1] = np.nan, np.inf
    given = sp.csr_array(features) if sparse else features
    network = Network([0, 1], [1, 2], n_nodes=4, labels=list("abab"), features=given)
    with pytest.raises(InputError, match="2 feature values are missing or not finite"):
        convolution().fit(network, np.array([0, 1]))


@pytest.mark.parametrize("name", NAMES)
def test_without_the_library_the_extra_is_named(
    network: Network, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = convolution() if name == "torch" else name
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    monkeypatch.setitem(sys.modules, "torch_geometric.nn", None)
    with pytest.raises(InputError, match=r"pip install 'nettrial\[pyg\]'"):
        nettrial.compare(network, model, "wvrn", n_splits=2)


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_where_a_module_runs(network: Network, device: str) -> None:
    torch = pytest.importorskip("torch")
    if device == "auto" and (torch.cuda.is_available() or torch.backends.mps.is_available()):
        pytest.skip("auto is another device here")
    train, nodes = np.arange(0, 90, 3), np.arange(90)
    found, wanted = (
        convolution(**options).fit(network, train, seed=1).predict_proba(network, nodes)
        for options in ({"device": device}, {})
    )
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("kind", ["cuda", "mps"])
def test_a_graphics_card_gives_what_the_cpu_does(network: Network, kind: str) -> None:
    torch = pytest.importorskip("torch")
    if not {"cuda": torch.cuda, "mps": torch.backends.mps}[kind].is_available():
        pytest.skip(f"needs {kind}")
    train, nodes = np.arange(0, 90, 3), np.arange(90)
    made = [convolution(device=device).fit(network, train, seed=1) for device in (kind, "auto")]
    assert all(next(each.module_.parameters()).device.type == kind for each in made)
    one, other = (each.predict_proba(network, nodes) for each in made)
    np.testing.assert_allclose(one, other, atol=1e-4)
    np.testing.assert_allclose(one.sum(axis=1), 1, atol=1e-5)
    before = getattr(torch, kind).get_rng_state()
    convolution(device=kind).fit(network, train, seed=2)
    assert torch.equal(before, getattr(torch, kind).get_rng_state())


@pytest.mark.parametrize("device", ["cuda:99", "gpu", "mps"])
def test_a_device_that_is_not_there_is_named(network: Network, device: str) -> None:
    torch = pytest.importorskip("torch")
    if device == "mps" and torch.backends.mps.is_available():
        pytest.skip("mps is here")
    with pytest.raises(InputError, match=rf"torch: device: expected auto or .*got '{device}'"):
        convolution(device=device).fit(network, np.arange(0, 90, 3))
