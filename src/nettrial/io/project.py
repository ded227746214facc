"""One-mode projections: link nodes of one kind by the neighbors of another that they share."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import scipy.sparse as sp

from ..core.arguments import check_arguments
from ..core.errors import shown, unknown_choice
from ..network.network import Network
from ..network.node_values import MISSING


@check_arguments
def project(
    network: Network, column: str, keep: Hashable, *, through: Hashable | None = None
) -> Network:
    """Link nodes of one kind that have neighbors of another kind in common.

    Parameters
    ----------
    network : Network
        With nodes of at least two kinds.
    column : str
        The node column that says of which kind a node is.
    keep : hashable
        The kind of node to keep.
    through : hashable, optional
        The kind of node that the neighbors must be of; by default any but `keep`.

    Returns
    -------
    Network
        Undirected; a link weighs as much as its ends have neighbors in common, whatever the
        weights and directions before.

    Raises
    ------
    InputError
        Where there is no such column or kind.

    Examples
    --------
    >>> kinds = ["film", "film", "film", "actor", "actor"]
    >>> net = Network([0, 1, 1], [3, 3, 4], n_nodes=5, attributes={"kind": kinds})
    >>> project(net, "kind", "film").adjacency().toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    codes, kinds = network.groups(column)
    for kind in [keep] if through is None else [keep, through]:
        if kind not in kinds:
            raise unknown_choice(f"kind in column {shown(column)}", kind, kinds)
    kept = codes == kinds.index(keep)
    between = ~kept & (codes != MISSING) if through is None else codes == kinds.index(through)
    indptr, indices, _ = network.neighbors("both")
    shape = (network.n_nodes, network.n_nodes)
    links = sp.csr_array((np.ones(indices.size), indices, indptr), shape=shape)
    incidence = links[np.flatnonzero(kept)][:, np.flatnonzero(between)]
    shared = sp.triu(incidence @ incidence.T, k=1).tocoo()
    labels = None
    if network.targets is None:
        codes = network.labels[kept].tolist()
        labels = [None if c == MISSING else network.classes[c] for c in codes]
    return Network(
        shared.row,
        shared.col,
        n_nodes=int(np.count_nonzero(kept)),
        weight=shared.data,
        labels=labels,
        targets=None if network.targets is None else network.targets[kept],
        ids=network.ids[kept],
        features=None if network.features is None else network.features[np.flatnonzero(kept)],
        attributes={
            name: values[kept] for name, values in network.attributes.items() if name != column
        },
        name=network.name,
    )
