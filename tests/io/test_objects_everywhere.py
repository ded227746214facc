"""Graphs of other libraries, and paths, are taken wherever a Network is."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial import InputError, Network
from nettrial.core.arguments import kinds_of
from nettrial.core.kinds import matches

BASE = nettrial.latent_group_network(60, seed=1)
QUICK = {"n_splits": 2, "test": "network_hac"}
SOURCE, TARGET = BASE.simple_links()
CODES = BASE.labels.tolist()


def of_networkx() -> Any:
    nx = pytest.importorskip("networkx")
    graph = nx.Graph(zip(SOURCE.tolist(), TARGET.tolist()))
    nx.set_node_attributes(graph, dict(enumerate(CODES)), "label")
    return graph


def of_igraph() -> Any:
    igraph = pytest.importorskip("igraph")
    pairs = list(zip(SOURCE.tolist(), TARGET.tolist()))
    return igraph.Graph(60, pairs, vertex_attrs={"label": CODES})


def of_pyg() -> Any:
    data, torch = pytest.importorskip("torch_geometric.data"), pytest.importorskip("torch")
    both = np.concatenate([np.stack([SOURCE, TARGET]), np.stack([TARGET, SOURCE])], axis=1)
    return data.Data(
        edge_index=torch.from_numpy(both.astype(np.int64)), y=torch.tensor(CODES), num_nodes=60
    )


def of_pyg_data_set() -> Any:
    data = of_pyg()
    kinds = importlib.import_module("torch_geometric.data")

    class Planetoid(kinds.InMemoryDataset):
        def __init__(self) -> None:
            super().__init__()
            self.data, self.slices = self.collate([data])

    return Planetoid()


def of_ogb() -> Any:
    graph = {"edge_index": np.stack([SOURCE, TARGET]), "num_nodes": 60, "node_feat": None}
    return graph, np.array(CODES)[:, None]


def of_scikit_network() -> Any:
    return SimpleNamespace(adjacency=BASE.adjacency(), labels=np.array(CODES), names=None)


GRAPHS = [of_networkx, of_igraph, of_pyg, of_pyg_data_set, of_ogb, of_scikit_network]


@pytest.mark.parametrize("make", GRAPHS, ids=lambda make: make.__name__)
def test_a_graph_of_another_library_is_compared_as_its_network(make: Any) -> None:
    graph = make()
    given = nettrial.compare(graph, "wvrn", "nbc", **QUICK)
    held = nettrial.compare(nettrial.io.from_object(graph), "wvrn", "nbc", **QUICK)
    assert given.verdict == held.verdict
    assert given.predictions.network.n_links == BASE.n_links
    assert nettrial.summarize(graph) == nettrial.summarize(given.predictions.network)


def test_lists_and_mappings_of_graphs() -> None:
    named = {"one": of_networkx(), "two": BASE}
    found = nettrial.compare(named, "wvrn", "nbc", **QUICK)
    assert tuple(found.networks) == ("one", "two")
    assert len(nettrial.compare([of_igraph(), BASE], "wvrn", "nbc", **QUICK).networks) == 2


def test_a_path_is_read(tmp_path: Path, words) -> None:
    nettrial.io.write(BASE, tmp_path / "net")
    for path in (tmp_path / "net", str(tmp_path / "net")):
        found = nettrial.compare(path, "wvrn", "nbc", **QUICK)
        assert found.predictions.network.n_links == BASE.n_links
    with words.raises(InputError):
        nettrial.compare(tmp_path / "nte", "wvrn", "nbc")


def test_matrices_of_scipy_have_no_labels(words) -> None:
    plain = nettrial.from_adjacency(BASE.adjacency())
    assert nettrial.summarize(BASE.adjacency()) == nettrial.summarize(plain)
    with words.raises(InputError):
        nettrial.compare(BASE.adjacency(), "wvrn", "nbc")
    for wrong in (np.eye(3), 3, None, {"a": 1}):
        with words.raises(InputError):
            nettrial.summarize(wrong)


def public_functions() -> dict[str, Any]:
    """Find every public function with a parameter that is a network."""
    packages = [nettrial, *(importlib.import_module(f"nettrial.{m.name}") for m in
                            pkgutil.iter_modules(nettrial.__path__) if m.ispkg)]  # fmt: skip
    found = {}
    for package in packages:
        for name in getattr(package, "__all__", ()):
            function = getattr(package, name)
            if not inspect.isfunction(function):
                continue
            kinds = kinds_of(inspect.unwrap(function))
            takes = [key for key, kind in kinds.items() if key != "return" and takes_network(kind)]
            if takes:
                found[f"{package.__name__}.{name}"] = function, takes[0]
    return found


def takes_network(kind: Any) -> bool:
    return matches(BASE, kind) and not matches(3, kind) and not matches(object(), kind)


@pytest.mark.parametrize("name", sorted(public_functions()))
def test_every_public_function_takes_graphs(name: str) -> None:
    """What it is handed is no graph of a kind that it does not know, but a network."""
    function, parameter = public_functions()[name]
    seen: list[Any] = []

    class StopError(Exception):
        pass

    real = Network._made_of.__func__  # type: ignore[attr-defined]

    def noting(cls: type, value: Any) -> Any:
        seen.append(real(cls, value))
        raise StopError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Network, "_made_of", classmethod(noting))
        with pytest.raises(StopError):
            function(**{parameter: of_networkx()})
    assert isinstance(seen[0], Network)
