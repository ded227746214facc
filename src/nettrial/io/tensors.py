"""Networks from graph-learning libraries, by what their objects offer and not by their type."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from ..core.arguments import check_arguments
from ..core.errors import InputError, ReadWarning, warn_user
from ..core.kinds import HasMembers
from ..network.link_arrays import SortedLinks
from ..network.network import Network
from ..numeric.checks import from_tensor
from .build import one_direction
from .column_looks import Column
from .evidence import CONSTANT, EMPTY, why_not
from .label_choice import choose_label

PygData: TypeAlias = Annotated[
    Any, HasMembers("PyTorch Geometric data of one graph", ("edge_index", "num_nodes"))
]
DGLGraph: TypeAlias = Annotated[
    Any, HasMembers("a DGL graph", ("edges", "num_nodes", "ndata", "edata"))
]
IGraph: TypeAlias = Annotated[
    Any, HasMembers("an igraph graph", ("get_edgelist", "vcount", "is_directed", "vs", "es"))
]


def label_codes(labels: Any, n: int) -> list[Hashable]:
    """Return one class per node; None for NaN and for negative codes."""
    codes = from_tensor(labels)
    if codes.ndim == 2 and codes.shape[1] == 1:
        codes = codes[:, 0]
    if codes.ndim == 2 and codes.shape[0] == n:
        raise InputError(
            parameter="labels",
            expected=f"one class for each of {n} nodes",
            got=f"the shape {codes.shape}",
            hint="of several labels a node, choose one column, such as y[:, 0]",
        )
    if codes.ndim != 1 or codes.size != n:
        raise InputError(
            parameter="labels",
            expected=f"one class for each of {n} nodes",
            got=f"the shape {codes.shape} for {n} nodes",
        )
    found = [
        None
        if v is None or v != v or (isinstance(v, (int, float)) and v < 0)
        else int(v)
        if isinstance(v, float) and v.is_integer()
        else v
        for v in codes.tolist()
    ]
    if codes.dtype.kind == "f":
        kept = [float(v) for v in codes.tolist() if v == v and not float(v).is_integer()]
        if kept:
            raise InputError(
                parameter="labels",
                expected="class codes",
                got=f"numbers such as {kept[0]:g}, as the target of a regression",
                hint="make classes of them first, such as y > y.median()",
            )
    why = why_not(Column(found, "label"), "label")
    if why and why not in (EMPTY, CONSTANT):
        warn_user(
            ReadWarning(f"the labels {why} ({len(set(found))} values), so they may be no classes")
        )
    return found


def from_arrays(
    ends: Any, n: int, *, weight: Any = None, directed: bool | None = None, **options: Any
) -> Network:
    """Build a network from an array of link ends that may list undirected links both ways."""
    pair = from_tensor(ends)
    if pair.ndim != 2 or pair.shape[0] != 2:
        raise InputError(
            parameter="links", expected="two rows of indices", got=f"shape {pair.shape}"
        )
    s, t = pair[0].astype(np.int64), pair[1].astype(np.int64)
    w = None if weight is None else from_tensor(weight).astype(np.float64).ravel()
    inside = s.size == 0 or (min(s.min(), t.min()) >= 0 and max(s.max(), t.max()) < n)
    if directed is None:
        pairs, both = SortedLinks.of(s, t, n).mutual if inside else (0, 0)
        directed = 0 < both < pairs or (both > 0 and one_direction(s, t, w, n) is None)
    keep = one_direction(s, t, w, n) if inside and not directed else None
    if keep is not None:
        s, t, w = s[keep], t[keep], None if w is None else w[keep]
    return Network(s, t, n_nodes=n, weight=w, directed=directed, **options)


@check_arguments
def from_pyg(data: PygData, **options: Any) -> Network:
    """Build a network from PyTorch Geometric data.

    Parameters
    ----------
    data : torch_geometric.data.Data
        Anything with ``edge_index`` (2, n_links), ``num_nodes``, and optionally ``y`` (labels,
        negative for missing), ``x`` (features), ``edge_weight`` and masks of one bool a node,
        which become node columns.
    **options
        As for `Network`. Links that are all listed both ways are undirected by default.

    Raises
    ------
    InputError
        Where shapes do not fit.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> data = SimpleNamespace(edge_index=[[0, 1, 1, 2], [1, 0, 2, 1]], num_nodes=3, y=[0, 1, -1])
    >>> from_pyg(data)
    <Network: 3 nodes, 2 undirected links, 2 classes, 1 node without label>
    """
    n = int(data.num_nodes)
    x, y = getattr(data, "x", None), getattr(data, "y", None)
    masks = {}
    for name in ("train_mask", "val_mask", "test_mask"):
        mask = getattr(data, name, None)
        if mask is not None:
            columns = from_tensor(mask)
            for k, column in enumerate(columns.T if columns.ndim == 2 else [columns]):
                masks[name if columns.ndim == 1 else f"{name}_{k}"] = column.astype(bool).tolist()
    return from_arrays(
        data.edge_index,
        n,
        weight=getattr(data, "edge_weight", None),
        **{
            "labels": None if y is None else label_codes(y, n),
            "features": None if x is None else from_tensor(x),
            "attributes": masks,
        }
        | options,
    )


@check_arguments
def from_dgl(graph: DGLGraph, *, label: str | None = None, **options: Any) -> Network:
    """Build a network from a DGL graph.

    Parameters
    ----------
    graph : dgl.DGLGraph
        Anything with ``edges()``, ``num_nodes()``, ``ndata`` and ``edata``; ``feat`` holds the
        features, ``weight`` or ``w`` the link weights, other columns of one number per node
        become node columns.
    label : str, optional
        Key of the labels in ``ndata``; by default chosen as `read` does.
    **options
        As for `Network`. Links that are all listed both ways are undirected by default.

    Raises
    ------
    InputError
        Where there is no node data called `label`, none or several can be the class, or there
        are several types of nodes or links.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> graph = SimpleNamespace(edges=lambda: ([0, 1], [1, 2]), num_nodes=lambda: 3,
    ...                         ndata={"label": [0, 1, 1]}, edata={})
    >>> from_dgl(graph)
    <Network: 3 nodes, 2 undirected links, 2 classes>
    """
    if len(getattr(graph, "canonical_etypes", "1")) > 1 or len(getattr(graph, "ntypes", "1")) > 1:
        raise InputError(
            "has several types of nodes or links",
            parameter="graph",
            hint="make it one of one type first, with dgl.to_homogeneous",
        )
    n = int(graph.num_nodes())
    data = {str(key): from_tensor(value) for key, value in dict(graph.ndata).items()}
    flat = {key: values for key, values in data.items() if values.size == n}
    label = choose_label(flat if label is None else data, label, where="graph")[0] if data else None
    labels = None if label is None else data.pop(label)
    features = data.pop("feat", None)
    source, target = graph.edges()
    weights = dict(graph.edata)
    return from_arrays(
        np.stack([from_tensor(source), from_tensor(target)]), n,
        weight=next((weights[key] for key in ("weight", "w") if key in weights), None),
        **{
            "labels": None if labels is None else label_codes(labels, n), "features": features,
            "attributes": {key: v.tolist() for key, v in data.items() if v.shape == (n,)},
        } | options,
    )  # fmt: skip


@check_arguments
def from_igraph(
    graph: IGraph, *, label: str | None = None, weight: str = "weight", **options: Any
) -> Network:
    """Build a network from an igraph graph.

    Parameters
    ----------
    graph : igraph.Graph
        Anything with ``get_edgelist()``, ``vcount()``, ``is_directed()``, ``vs`` and ``es``.
        The vertex attribute ``name`` becomes the id where it differs from node to node.
    label : str, optional
        Vertex attribute with the class; by default chosen as `read` does.
    weight : str
        Edge attribute with the weight.
    **options
        As for `Network`.

    Raises
    ------
    InputError
        Where no vertex attribute is called `label`, or none or several can be the class.
    """
    n = int(graph.vcount())
    columns = {name: list(graph.vs[name]) for name in graph.vs.attributes()}
    names = columns.get("name")
    ids = columns.pop("name") if names and len(set(names)) == n else None
    label = choose_label(columns, label, where="graph")[0] if columns else None
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = list(graph.es[weight]) if weight in graph.es.attributes() else None
    return Network(
        ends[:, 0], ends[:, 1], n_nodes=n, weight=weights,
        **{
            "directed": bool(graph.is_directed()), "ids": ids,
            "labels": None if label is None else columns.pop(label), "attributes": columns,
        } | options,
    )  # fmt: skip


@check_arguments
def from_ogb(graph: Mapping[str, Any], labels: Iterable[Any], **options: Any) -> Network:
    """Build a network from one element of an OGB node property dataset.

    Parameters
    ----------
    graph : mapping
        With ``edge_index`` (2, n_links), ``num_nodes``, and optionally ``node_feat``; other
        entries ``node_...`` with one number per node, such as ``node_year``, become node columns.
    labels : array_like, shape (n_nodes,) or (n_nodes, 1)
        NaN or negative where missing.
    **options
        As for `Network`. Links that are all listed both ways are undirected by default.

    Raises
    ------
    InputError
        Where shapes do not fit, or the graph has several node types.

    Examples
    --------
    >>> graph = {"edge_index": np.array([[0, 1], [1, 2]]), "num_nodes": 3, "node_feat": None}
    >>> from_ogb(graph, np.array([[0.0], [np.nan], [1.0]]))
    <Network: 3 nodes, 2 undirected links, 2 classes, 1 node without label>
    """
    if "edge_index" not in graph or "num_nodes" not in graph:
        raise InputError(
            parameter="graph",
            expected="a mapping with edge_index and num_nodes",
            got=f"one with {', '.join(map(str, graph))}",
            hint="convert a graph of several node types into one of one type first",
        )
    n, features = int(graph["num_nodes"]), graph.get("node_feat")
    columns = {
        str(key): from_tensor(value).ravel().tolist()
        for key, value in graph.items()
        if str(key).startswith("node_") and key != "node_feat" and np.size(value) == n
    }
    return from_arrays(
        graph["edge_index"],
        n,
        **{
            "labels": label_codes(labels, n),
            "attributes": columns,
            "features": None if features is None else from_tensor(features),
        }
        | options,
    )


def is_data_set(value: Any) -> bool:
    """Return whether a value is a data set of OGB or PyTorch Geometric that holds one graph."""
    of_graphs = hasattr(value, "get_idx_split") or hasattr(value, "num_node_features")
    return of_graphs and not hasattr(value, "edge_index") and hasattr(value, "__getitem__")


def is_graph(value: Any) -> bool:
    """Return whether a value is a graph, or a data set of one, of a library known here.

    Tables and dense matrices may be anything else, and are left to `from_object`.

    Examples
    --------
    >>> is_graph(sp.eye_array(2)), is_graph(np.eye(2)), is_graph("my_network/")
    (True, False, False)
    """
    if isinstance(value, type):
        return False
    if isinstance(value, tuple):
        return len(value) == 2 and isinstance(value[0], Mapping) and "edge_index" in value[0]
    kinds = ("edge_index", "get_edgelist", "ndata", "is_multigraph")
    return (
        any(hasattr(value, name) for name in kinds)
        or is_data_set(value)
        or sp.issparse(value)
        or sp.issparse(getattr(value, "adjacency", None))
    )


def from_scikit_network(graph: Any, **options: Any) -> Network:
    """Build a network from a data set of scikit-network: ``adjacency``, and maybe ``labels``."""
    from .objects import from_adjacency

    names, labels = getattr(graph, "names", None), getattr(graph, "labels", None)
    n = graph.adjacency.shape[0]
    if labels is not None and not isinstance(labels, Mapping):
        labels = label_codes(labels, n)
    else:  # by the number of the node
        labels = None if labels is None else [labels.get(i) for i in range(n)]
    ids = None if names is None or len(names) != n or len(set(names)) != n else list(names)
    return from_adjacency(graph.adjacency, **{"labels": labels, "ids": ids} | options)


@check_arguments
def from_object(value: Any, **options: Any) -> Network:
    """Build a network from an object of any library known here, found by what it offers.

    Parameters
    ----------
    value : Network, networkx, igraph or DGL graph, PyTorch Geometric data or data set of one, OGB
        node data set or its (graph, labels) pair, data set of scikit-network, scipy sparse array
        or square matrix, pandas or polars table of links
    **options
        As for the function of that library.

    Raises
    ------
    InputError
        For an object of none of these libraries, and as the function of that library.

    Examples
    --------
    >>> import networkx as nx
    >>> from_object(nx.path_graph(3)).n_links
    2
    """
    from .frames import from_frames
    from .objects import from_adjacency, from_networkx

    if isinstance(value, Network):
        return value
    if is_data_set(value):
        value = value[0]
    if sp.issparse(getattr(value, "adjacency", None)):
        return from_scikit_network(value, **options)
    if hasattr(value, "edge_index"):
        return from_pyg(value, **options)
    if hasattr(value, "get_edgelist"):
        return from_igraph(value, **options)
    if hasattr(value, "ndata"):
        return from_dgl(value, **options)
    if hasattr(value, "is_multigraph"):
        return from_networkx(value, **options)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Mapping):
        return from_ogb(*value, **options)
    if hasattr(value, "columns"):
        return from_frames(value, **options)
    if hasattr(value, "shape"):
        return from_adjacency(value, **options)
    raise InputError(
        parameter="network",
        expected="a graph of networkx, igraph, DGL, PyTorch Geometric or OGB, a sparse "
        "matrix, or a table of links",
        got=f"{type(value).__name__}",
    )
