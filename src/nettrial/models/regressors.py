"""Models of numeric targets: the mean, and the mean of the neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..network.network import Direction, Network
from .node_tables import averaging
from .nodes import check_nodes
from .relaxation import RelaxationLabeling
from .targets import training_targets

Floats = NDArray[np.float64]


class Mean:
    """Every node gets the mean target of the training nodes; links are not looked at.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=3, targets=[1.0, 2.0, None])
    >>> Mean().fit(net, np.array([0, 1])).predict(net, np.array([2])).tolist()
    [1.5]
    """

    name = "mean"

    def __repr__(self) -> str:
        return "Mean()"

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Learn the mean target of the nodes `train`."""
        self.mean_ = float(training_targets(self.name, network, train).mean())
        return self

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> Floats:
        """Return the mean for each of `nodes`."""
        if not hasattr(self, "mean_"):
            raise InputError(f"{self.name}: call fit before predict")
        check_nodes(self.name, network, nodes)
        return np.full(len(nodes), self.mean_)


class RelationalMean:
    """Relational mean: the neighbors' targets, averaged by link weight; the twin of `WVRN`.

        y_i = sum_j w_ij y_j / sum_j w_ij

    Nodes without target start at the mean of the training nodes, and all move at once toward the
    mean of their neighbors, by the same weights as in relaxation labeling; training nodes keep
    their targets. With targets 0 and 1 these are the probabilities of `WVRN`. A node without
    neighbors keeps the mean. There is nothing to learn.

    Parameters
    ----------
    inference : RelaxationLabeling, optional
        How many sweeps, and how fast they slow down; by default as `WVRN` does.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbor.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, sections 3.3.1 and
    3.4.2, with numbers in the place of probabilities.

    Examples
    --------
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, targets=[0.0, None, None, 3.0])
    >>> model = RelationalMean().fit(net, np.array([0, 3]))
    >>> model.predict(net, np.array([1, 2])).round(2).tolist()
    [1.0, 2.0]
    """

    name = "relational_mean"

    @check_arguments
    def __init__(
        self, *, inference: RelaxationLabeling | None = None, direction: Direction = "both"
    ) -> None:
        self.inference = RelaxationLabeling() if inference is None else inference
        if self.inference.tolerance is not None:
            raise InputError(
                parameter="tolerance",
                expected="none, since it is one of probabilities",
                hint="set the number of iterations",
                where="RelationalMean",
            )
        self.direction: Direction = direction

    def __repr__(self) -> str:
        return f"RelationalMean(inference={self.inference!r}, direction={self.direction!r})"

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Take the targets of the nodes `train`; all other targets stay unseen.

        Raises
        ------
        InputError
            Where there is no training node, or one has no target.
        """
        self.known_ = training_targets(self.name, network, train)
        self.train_ = np.array(train)
        return self

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> Floats:
        """Return a number for each of `nodes`, inferred together with all other nodes."""
        if not hasattr(self, "known_"):
            raise InputError(f"{self.name}: call fit before predict")
        check_nodes(self.name, network, nodes)
        targets = np.full((1, network.n_nodes), np.nan)
        targets[0, self.train_] = self.known_
        return np.asarray(self.predict_batch(network, targets, [0])[0, nodes])

    @check_arguments
    def predict_batch(
        self, network: Network, targets: NDArray[np.float64], seeds: Sequence[int]
    ) -> Floats:
        """Predict for every row of `targets`, as `BatchRegressor` describes."""
        given = np.asarray(targets, dtype=np.float64)
        known = ~np.isnan(given)
        if not known.any(axis=1).all():
            raise InputError(
                expected="at least one training node in each set", where=f"{self.name}"
            )
        # sweeps of what is left lose no digits to a large mean
        center = np.nanmean(given, axis=1, keepdims=True)
        start = np.where(known, given - center, 0.0)
        # a single set goes along twice, so that it is added up as among others
        start = np.repeat(start, 2, axis=0) if len(start) == 1 else start
        values = np.ascontiguousarray(start.T)
        fixed, keep = values.copy(), np.ascontiguousarray(np.resize(known, start.shape).T)
        pull = network.cached(
            ("averaging", self.direction), lambda: averaging(network.adjacency(self.direction))
        )
        for weight in self.inference.weights():
            # a node without neighbors is pulled to the mean, where it began
            values += weight * (pull @ values - values)
            np.copyto(values, fixed, where=keep)
        return np.asarray(values.T[: len(given)] + center)
