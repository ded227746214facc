"""Objects of other libraries, the real ones where they are installed, else alike ones."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from nettrial.core.errors import InputError
from nettrial.io import (
    from_adjacency,
    from_dgl,
    from_frames,
    from_igraph,
    from_networkx,
    from_object,
    from_ogb,
    from_pyg,
)
from nettrial.network.network import Network
from nettrial.splits.files import read_splits

WEIGHTS = np.array([[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]], dtype=float)
BOTH_WAYS = np.array(WEIGHTS.nonzero())
LABELS = ["x", "y", None, "x"]


def same(network: Network, weights: np.ndarray = WEIGHTS) -> None:
    assert network.adjacency("out").toarray().tolist() == weights.tolist()


class Tensor:
    """Behaves like a torch tensor as far as reading goes; refuses to be read before it is down."""

    def __init__(self, values: Any, place: str = "graph") -> None:
        self.values, self.place = values, place

    def detach(self) -> Tensor:
        return Tensor(self.values, "device")

    def cpu(self) -> Tensor:
        assert self.place == "device"
        return Tensor(self.values, "cpu")

    def numpy(self) -> np.ndarray:
        assert self.place == "cpu"
        return np.asarray(self.values)


def test_networkx_multigraph_and_direction(words) -> None:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(
        [(node, {"label": label} if label else {}) for node, label in zip("abcd", LABELS)]
    )
    graph.add_edge("a", "b", weight=1)
    graph.add_edge("a", "b", weight=1)
    graph.add_edge("b", "c")
    network = from_networkx(graph)
    assert network.directed
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert network.adjacency("out").toarray()[0].tolist() == [0, 2, 0, 0]
    with words.raises(InputError):
        from_networkx(graph, label="labels")


def test_adjacency(words) -> None:
    same(from_adjacency(sp.csc_matrix(WEIGHTS), LABELS))
    assert from_adjacency(np.triu(WEIGHTS)).directed
    with words.raises(InputError):
        from_adjacency(np.triu(WEIGHTS), directed=False)
    with words.raises(InputError):
        from_adjacency(WEIGHTS[:2])


LINKS = {"from": ["a", "b"], "to": ["b", "c"], "weight": [2.0, 1.0]}
NODES = {"name": ["a", "b", "c", "d"], "group": LABELS, "age": [1, 2, 3, 4]}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame
    network = from_frames(frame(LINKS), frame(NODES), label="group")
    same(network)
    assert network.ids.tolist() == ["a", "b", "c", "d"]
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert network.attributes["age"].tolist() == [1, 2, 3, 4]
    assert from_object(frame(LINKS)).n_nodes == 3
    with pytest.raises(InputError, match="did you mean 'group'"):
        from_frames(frame(LINKS), frame(NODES), label="grup")
    with pytest.raises(InputError, match="two columns"):
        from_frames(frame({"from": [1]}))


def test_frame_columns_of_one_name() -> None:
    frame = pd.DataFrame([[1, 2], [2, 3]], columns=["id", "to"])
    assert from_frames(frame).n_links == 2


def pyg(**more: Any) -> SimpleNamespace:
    return SimpleNamespace(
        edge_index=Tensor(BOTH_WAYS), num_nodes=4, y=Tensor([[0], [1], [-1], [0]]),
        x=Tensor(np.eye(4)), edge_weight=Tensor(WEIGHTS[tuple(BOTH_WAYS)]),
        train_mask=Tensor([True, False, False, False]),
        test_mask=Tensor(np.eye(4, 2, dtype=bool)), **more,
    )  # fmt: skip


def test_pyg_like_data() -> None:
    network = from_pyg(pyg())
    same(network)
    assert not network.directed
    assert network.classes == (0, 1)
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert network.features.shape == (4, 4)
    assert network.attributes["train_mask"].tolist() == [True, False, False, False]
    assert list(network.attributes) == ["train_mask", "test_mask_0", "test_mask_1"]


def test_real_pyg_data() -> None:
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    graph = data.Data(edge_index=torch.tensor(BOTH_WAYS), y=torch.tensor([0, 1, 0, 1]), num_nodes=4)
    same(from_object(graph), (WEIGHTS > 0).astype(float))


def test_links_in_one_direction_only_stay_so(words) -> None:
    data = SimpleNamespace(edge_index=[[0, 1, 1], [1, 0, 2]], num_nodes=3)
    assert from_pyg(data).directed
    assert from_pyg(data, directed=False).n_links == 2
    uneven = SimpleNamespace(edge_index=[[0, 1], [1, 0]], num_nodes=2, edge_weight=[1.0, 2.0])
    assert from_pyg(uneven).directed
    with words.raises(InputError):
        from_pyg(SimpleNamespace(edge_index=[[0, 1]], num_nodes=2))
    with words.raises(InputError):
        from_pyg(SimpleNamespace(edge_index=[[0], [5]], num_nodes=2))
    with words.raises(InputError):
        from_pyg(SimpleNamespace(edge_index=[[0], [1]], num_nodes=2, y=[1, 2, 3]))


def test_dgl_like_graph(words) -> None:
    graph = SimpleNamespace(
        edges=lambda: tuple(map(Tensor, BOTH_WAYS)),
        num_nodes=lambda: 4,
        ndata={
            "feat": Tensor(np.eye(4)),
            "label": Tensor([0, 1, -1, 0]),
            "age": Tensor([1, 2, 3, 4]),
        },
        edata={"w": Tensor(WEIGHTS[tuple(BOTH_WAYS)])},
    )
    network = from_dgl(graph)
    same(network)
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert network.attributes["age"].tolist() == [1, 2, 3, 4]
    with words.raises(InputError):
        from_object(graph, label="club")


class Sequence(dict):  # type: ignore[type-arg]
    def attributes(self) -> list[str]:
        return list(self)


def test_igraph_like_graph() -> None:
    graph = SimpleNamespace(
        get_edgelist=lambda: [(0, 1), (1, 2)], vcount=lambda: 4, is_directed=lambda: False,
        vs=Sequence(name=["a", "b", "c", "d"], label=LABELS), es=Sequence(weight=[2, 1]),
    )  # fmt: skip
    network = from_igraph(graph)
    same(network)
    assert network.ids.tolist() == ["a", "b", "c", "d"]
    assert network.labels.tolist() == [0, 1, -1, 0]
    graph.vs["name"] = ["a"] * 4
    assert from_object(graph).ids.tolist() == [0, 1, 2, 3]
    assert from_igraph(graph).attributes["name"].tolist() == ["a"] * 4


@pytest.fixture
def igraph() -> Any:
    return pytest.importorskip("igraph", reason="igraph is no dependency; pip install igraph")


@pytest.mark.parametrize("directed", [False, True])
def test_real_igraph(igraph: Any, directed: bool) -> None:
    graph = igraph.Graph(n=4, edges=[(0, 1), (1, 2)], directed=directed)
    graph.vs["name"], graph.vs["label"] = ["a", "b", "c", "d"], LABELS
    graph.vs["age"], graph.es["weight"] = [1, 2, 3, 4], [2, 1]
    network = from_object(graph)
    same(network, np.triu(WEIGHTS) if directed else WEIGHTS)
    assert network.directed == directed
    assert network.ids.tolist() == ["a", "b", "c", "d"]
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert network.attributes["age"].tolist() == [1, 2, 3, 4]
    with pytest.raises(InputError, match="did you mean 'label'"):
        from_igraph(graph, label="labels")


def test_real_igraph_with_nothing_and_with_repeats(igraph: Any) -> None:
    assert from_igraph(igraph.Graph(n=3)).n_links == 0
    graph = igraph.Graph(edges=[(0, 1), (1, 0), (1, 1)])
    network = from_igraph(graph)
    assert (network.n_nodes, network.n_links) == (2, 1)
    assert from_igraph(igraph.Graph.Famous("Zachary")).n_links == 78


def test_real_ogb_data_set(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing ogb deprecates parts of torch
        package = pytest.importorskip(
            "ogb.nodeproppred", reason="OGB is no dependency; pip install ogb"
        )
    folder = tmp_path / "small"
    for part in ("raw", "split/random", "processed"):
        (folder / part).mkdir(parents=True)
    tables = {
        "raw/edge": BOTH_WAYS.T, "raw/num-node-list": [[4]], "raw/num-edge-list": [[4]],
        "raw/node-feat": np.eye(4), "raw/node-label": [[0.0], [1.0], [np.nan], [0.0]],
        "raw/node_year": [[1], [2], [3], [4]], "split/random/train": [[0]],
        "split/random/valid": [[1]], "split/random/test": [[3]],
    }  # fmt: skip
    for name, rows in tables.items():
        pd.DataFrame(rows).to_csv(folder / f"{name}.csv.gz", header=False, index=False)
    (folder / "RELEASE_v1.txt").touch()
    meta = {
        "dir_path": str(folder), "version": 1, "download_name": "small", "num tasks": 1,
        "task type": "multiclass classification", "eval metric": "acc", "num classes": 2,
        "is hetero": "False", "binary": "False", "add_inverse_edge": "False", "split": "random",
        "additional node files": "node_year", "additional edge files": "None",
    }  # fmt: skip
    found = package.NodePropPredDataset("small", meta_dict=meta)
    for network in (from_object(found), from_ogb(*found[0])):
        same(network, (WEIGHTS > 0).astype(float))
        assert network.labels.tolist() == [0, 1, -1, 0]
        assert network.features.shape == (4, 4)
        assert network.attributes["node_year"].tolist() == [1, 2, 3, 4]
    split = {part: nodes.tolist() for part, nodes in found.get_idx_split().items()}
    (tmp_path / "split.json").write_text(json.dumps(split))
    (read,) = read_splits(tmp_path / "split.json", network)
    assert (read.train.tolist(), read.test.tolist()) == ([0, 1], [3])


def test_graphs_of_several_types_are_refused(words) -> None:
    graph = SimpleNamespace(
        ntypes=["a", "b"], canonical_etypes=[("a", "to", "b")], ndata={}, edata={}, edges=list,
        num_nodes=int,
    )  # fmt: skip
    with words.raises(InputError):
        from_dgl(graph)
    with words.raises(InputError):
        from_ogb({"edge_index_dict": {}, "num_nodes_dict": {}}, [])


def test_ogb_pair() -> None:
    graph = {"edge_index": BOTH_WAYS, "edge_feat": None, "node_feat": np.ones((4, 2)),
             "num_nodes": 4}  # fmt: skip
    network = from_ogb(graph, np.array([[0.0], [1.0], [np.nan], [0.0]]))
    same(network, (WEIGHTS > 0).astype(float))
    assert network.classes == (0, 1)
    assert network.labels.tolist() == [0, 1, -1, 0]
    assert from_object((graph, [0, 1, 0, 1])).n_links == 2


def test_any_object_finds_its_reader(words) -> None:
    assert from_object(nx.path_graph(3)).n_links == 2
    assert from_object(pyg()).n_links == 2
    assert from_object(sp.csr_array(WEIGHTS)).n_links == 2
    network = Network([0], [1], n_nodes=2)
    assert from_object(network) is network
    with words.raises(InputError):
        from_object(5)
