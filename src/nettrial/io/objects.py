"""Networks from objects that other libraries hold in memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Annotated, Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.kinds import HasMembers
from ..core.option_names import option
from ..network.network import Network
from ..numeric.checks import to_floats
from .attributes import attribute_names
from .label_choice import choose_label, take_targets

NetworkxGraph: TypeAlias = Annotated[
    Any, HasMembers("a networkx graph", ("nodes", "edges", "is_directed"))
]


@check_arguments
def from_adjacency(
    matrix: Any,
    labels: Iterable[Hashable] | None = None,
    *,
    directed: bool | None = None,
    **options: Any,
) -> Network:
    """Build a network from an adjacency matrix.

    Parameters
    ----------
    matrix : scipy sparse array or ndarray, shape (n_nodes, n_nodes)
        Entry (i, j) is the weight of the link from i to j.
    labels : sequence, optional
        As for `Network`.
    directed : bool, optional
        By default True where the matrix is not symmetric. False with a matrix that is not
        symmetric is refused, since either direction's weight would be lost.
    **options
        As for `Network`.

    Raises
    ------
    InputError
        Where the matrix is not square, or not symmetric with ``directed=False``.

    Examples
    --------
    >>> from_adjacency(np.array([[0, 1], [1, 0]]), ["x", "y"])
    <Network: 2 nodes, 1 undirected links, 2 classes>
    """
    if not sp.issparse(matrix):
        matrix = to_floats("adjacency", matrix, exact=False)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(
            parameter="adjacency", expected="a square matrix", got=f"the shape {matrix.shape}"
        )
    csr = sp.csr_array(matrix, dtype=float)
    symmetric = (abs(csr - csr.T) > 0).nnz == 0
    if directed is False and not symmetric:
        raise InputError(
            "the matrix is not symmetric",
            parameter="adjacency",
            hint=f"give {option('directed', True)}, or add it to its transpose first",
        )
    directed = not symmetric if directed is None else directed
    if not directed:
        csr = sp.csr_array(sp.triu(csr))
    coo = csr.tocoo()
    weight = None if np.all(coo.data == 1) else coo.data
    return Network(
        coo.row,
        coo.col,
        n_nodes=csr.shape[0],
        weight=weight,
        directed=directed,
        labels=labels,
        **options,
    )


@check_arguments
def from_networkx(
    graph: NetworkxGraph,
    *,
    label: str | None = None,
    target: str | None = None,
    weight: str = "weight",
    features: Any = None,
    **options: Any,
) -> Network:
    """Build a network from a networkx graph (or multigraph, or directed graph).

    Parameters
    ----------
    graph : networkx.Graph
        Its node attributes become node columns.
    label : str, optional
        The node attribute that holds the class; a node without it has no label. By default
        chosen as `read` does.
    target : str, optional
        In place of a class, the node attribute with the number to predict.
    weight : str
        The link attribute that holds the weight, 1 where it is missing.
    features : str, sequence of str, or array, optional
        Node attributes that become features, "all", or a matrix, see `Network.derive`.
    **options
        As for `Network`.

    Raises
    ------
    InputError
        Where no node has the attribute `label`, or without one none or several can be the class.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.path_graph(3)
    >>> nx.set_node_attributes(graph, {0: "a", 2: "b"}, "label")
    >>> from_networkx(graph)
    <Network: 3 nodes, 2 undirected links, 2 classes, 1 node without label>
    """
    nodes = list(graph.nodes)
    columns = attribute_names("graph", [row for _, row in graph.nodes(data=True)])
    table = {key: [graph.nodes[node].get(key) for node in nodes] for key in columns}
    if target is not None:
        if label is not None:
            raise InputError(
                expected=f"{option('label')} or {option('target')}",
                got="both",
                where="from_networkx",
            )
        options["targets"] = take_targets(table, target, "graph")[1]
    else:
        label = choose_label(table, label, where="graph")[0] if columns else None
    rows = list(graph.edges(data=weight))
    weighted = any(row[2] is not None for row in rows)
    weights = [1.0 if row[2] is None else row[2] for row in rows]
    made = Network.from_links(
        [row[0] for row in rows],
        [row[1] for row in rows],
        nodes=nodes,
        weight=weights if weighted else None,
        directed=graph.is_directed(),
        labels=None if label is None else table.pop(label),
        attributes=table,
        **options,
    )
    return made if features is None else made.derive(features=features)
