"""Networks of which a node may have several labels, from files that hold a matrix of them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..core.arguments import check_arguments
from ..network.network import Network
from ..network.node_values import MISSING
from .guards import fail
from .multilabel import taking_matrices
from .read import read


@check_arguments
def read_several_labels(path: str | PathLike[str], **options: Any) -> tuple[Network, sp.csr_array]:
    """Read a network and which node has which label, for `compare_labels`.

    Parameters
    ----------
    path : path
        A file or folder with a matrix of zeros and ones, one row per node and one column per label:
        ``.mat`` with network and group, ``.npz``, GraphSAGE's ``ppi-G.json`` beside
        ``ppi-class_map.json``, or a folder as the Open Graph Benchmark has it.
    **options
        As for `read`.

    Returns
    -------
    network : Network
        Without classes.
    labels : sparse array of 0 and 1, shape (n_nodes, n_labels)

    Raises
    ------
    InputError
        As `read`; where there is no such matrix, or labels come in several parts.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "groups.npz")
    ...     np.savez(file, edges=[[0, 1], [1, 2]], node_labels=[[1, 1], [0, 1], [0, 0]])
    ...     network, labels = read_several_labels(file)
    >>> network.n_links, labels.toarray().tolist()
    (2, [[1, 1], [0, 1], [0, 0]])
    """
    with taking_matrices() as found:
        network = read(path, **options)
    if len(found) != 1 or found[0].shape[0] != network.n_nodes:
        fail(
            Path(path),
            f"expected one matrix of labels with a row for each of {network.n_nodes:,} nodes, got "
            f"{len(found) or 'none'}; read the links and the labels by themselves, and give both "
            "to nettrial.compare_labels",
        )
    none = np.full(network.n_nodes, MISSING, dtype=np.int32)
    return network._with_labels(none, ()), found[0]
