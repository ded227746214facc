"""The labeled nodes that a design divides, from a network or from ordinary arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.arrays import object_array
from ..network.network import Network
from ..network.node_values import encode

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Pool:
    """The labeled nodes, and what is known of them."""

    nodes: NDArray[np.intp]  # shape (size,): indices of the labeled nodes, ascending
    n_nodes: int  # number of all nodes, those without label included
    network: Network | None = None  # None where the pool comes from arrays
    # y, groups: what scikit-learn passed to ``split``
    y: Any = None
    groups: Any = None

    @property
    def size(self) -> int:
        """Number of labeled nodes."""
        return int(self.nodes.size)

    def column(self, name: str) -> tuple[Codes, tuple[Any, ...]]:
        """Return the codes of the labeled nodes in the column `name`, and the codes' meanings.

        "label" is the class. With arrays, any other name stands for ``groups``.
        """
        if self.network is not None:
            if name == "label" and self.network.targets is not None:
                raise InputError(
                    parameter="stratify",
                    expected="a node column",
                    got="'label', which a network with a numeric target does not have",
                    hint="leave it out, or name a column",
                )
            if name == "label":
                codes, names = self.network.labels, self.network.classes
            else:
                codes, names = self.network.groups(name)
            return codes[self.nodes], names
        values, what = (self.y, "y") if name == "label" else (self.groups, "groups")
        if values is None:
            raise InputError(
                f"split: the column {shown(name)} is taken from {what}, but {what} is None; "
                f"give {what}, or use split_network with a network"
            )
        codes, names = encode(as_objects(values), None, self.n_nodes)
        return codes[self.nodes], names


def as_objects(values: Any) -> NDArray[np.object_]:
    return object_array(np.asarray(values).ravel().tolist())


def pool_of_arrays(X: Any, y: Any, groups: Any) -> Pool:
    """Return the samples of scikit-learn's ``X`` and ``y`` whose label is known."""
    if X is None and y is None:
        raise InputError(expected="X, y or both", got="neither", where="split")
    sized = y if y is not None else X
    n = int(sized.shape[0]) if hasattr(sized, "shape") else len(sized)
    nodes = np.arange(n)
    values = None if y is None else np.asarray(y)
    # a matrix of several outputs has no missing labels in this sense
    if values is not None and values.ndim == 1 and values.dtype.kind in "fO":
        codes, _ = encode(as_objects(values), None, n)
        nodes = np.flatnonzero(codes >= 0)
    return Pool(nodes, n, y=y, groups=groups)
