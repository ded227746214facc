"""A function that trains and returns scores of all nodes, as scripts have it, as a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from inspect import isroutine
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.plain_text import function_name
from ..network.network import Network
from .torch_data import Substitute, TorchData, load
from .torch_devices import own_random_state
from .torch_scores import ScoresOfNodes, checked_scores
from .validation import set_aside

ROUNDING = 1e-3  # by which rows of probabilities may miss 1


class TrainingFunction(ScoresOfNodes):
    """A function that trains a model on PyTorch Geometric's data and returns scores of all nodes.

    The function runs anew for every split. It sees the labels of the training nodes only: ``y``
    is -1 (of a numeric target NaN) for every node outside ``train_mask`` and ``val_mask``.
    A function that stands among the models of a comparison becomes one of these by itself.

    Parameters
    ----------
    function : callable
        ``function(data)`` or ``function(data, seed)``. `data` is a ``torch_geometric.data.Data``
        with ``x`` (n_nodes, n_features), ``edge_index`` (2, n_edges), ``edge_attr`` and
        ``edge_weight`` (n_edges,) or None where links have no weights, ``y`` (n_nodes,),
        ``train_mask``, ``val_mask`` and ``test_mask`` (n_nodes,), and ``num_classes``.
        ``test_mask`` holds all nodes whose label is hidden. It returns a tensor or an array:
        logits, log-probabilities or probabilities, shape (n_nodes, n_classes). For a numeric
        target it returns numbers, shape (n_nodes,). Or it returns its module, or a function of
        `data`, which gives them: that can also predict nodes that it did not learn from
        (``setting="inductive"``).
    logits : bool, optional
        Whether the function returns logits, of which the softmax is taken. By default rows that
        are probabilities are taken as they are, and other numbers as logits.
    validation : float
        Share of the training nodes, in [0, 1), that makes ``val_mask``. One node of each class
        stays in ``train_mask``.
    substitute : {"one-hot", "degrees"}
        What stands for features on a network without any, as for `TorchModel`.
    name : str, optional
        Shown in results; by default the function's name.

    Examples
    --------
    >>> def run(data, seed):
    ...     import torch
    ...     known = torch.nn.functional.one_hot(data.y.clamp(min=0), data.num_classes)
    ...     return known[data.train_mask].float().mean(dim=0).expand(data.num_nodes, -1)
    >>> TrainingFunction(run)
    TrainingFunction('run')
    """

    @check_arguments
    def __init__(
        self,
        function: Callable[..., Any],
        *,
        logits: bool | None = None,
        validation: float = 0.2,
        substitute: Substitute = "one-hot",
        name: str | None = None,
    ) -> None:
        self.function = function
        self.logits = logits
        self.validation = validation
        self.substitute: Substitute = substitute
        inner = function.func if isinstance(function, partial) else function
        self.name = name or function_name(inner)

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Run the function on the labels or targets of the nodes `train`.

        Raises
        ------
        InputError
            Where PyTorch Geometric is missing, or the function returns other than finite scores
            of all nodes.
        """
        torch = load("torch", self.name)
        sets = set_aside(self.name, network, train, self.validation, seed)
        data = self._geometric(network, self._data(network, *sets))
        options = {"seed": seed} if "seed" in inspect.signature(self.function).parameters else {}
        with own_random_state(torch, seed):
            returned = self.function(data, **options)
        self.predict_ = returned if callable(returned) else None
        if self.predict_ is None:
            self.scores_ = self._scores(returned, network)
            self.links_ = network.links.indices
        return self

    def _scores(self, returned: Any, network: Network) -> NDArray[np.float64]:
        numbers = checked_scores(returned, network, self.name)
        return numbers if network.targets is not None else self._probabilities(numbers)

    def _predictions(self, network: Network) -> NDArray[np.float64]:
        if not hasattr(self, "predict_"):
            raise InputError(f"{self.name}: call fit before it predicts")
        if self.predict_ is not None:
            torch = load("torch", self.name)
            none = np.empty(0, dtype=np.intp)
            data = self._geometric(network, self._data(network, none, none, warn=False))
            with own_random_state(torch, 0), torch.no_grad():
                if isinstance(self.predict_, torch.nn.Module):
                    returned = self.predict_.eval()(data.x, data.edge_index)
                else:
                    returned = self.predict_(data)
            return self._scores(returned, network)
        if not np.array_equal(network.links.indices, self.links_):
            raise InputError(
                f"{self.name}: a training function scores the nodes of the network that it was "
                "trained on, and this is another one; return the module, or a function of data, in "
                "place of scores"
            )
        return self.scores_

    def _geometric(self, network: Network, made: TorchData) -> Any:
        """Return tensors as PyTorch Geometric's data."""
        weight = made.edge_weight if network.weighted else None
        return load("torch_geometric.data", self.name).Data(
            x=made.x,
            edge_index=made.edge_index,
            edge_attr=weight,
            edge_weight=weight,
            y=made.y,
            train_mask=made.train_mask,
            val_mask=made.val_mask,
            test_mask=~(made.train_mask | made.val_mask),
            num_classes=made.n_classes,
        )

    def _probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return class probabilities of scores of either kind."""
        low, high, total = scores.min(), scores.max(), scores.sum(axis=1)
        inside = low >= 0 and high <= 1 + ROUNDING
        if not self.logits and inside and (np.abs(total - 1) < ROUNDING).all():
            return np.asarray(scores / total[:, None])
        if self.logits is False or (self.logits is None and inside):
            raise InputError(
                expected="class probabilities that add up to 1 for each node",
                got=f"values from {low:.3g} to {high:.3g} and sums from {total.min():.3g} to "
                f"{total.max():.3g}",
                hint="of logits, say so by TrainingFunction(function, logits=True)",
                where=f"{self.name}",
            )
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def is_training_function(given: Any) -> bool:
    """Return whether a function takes the data of a network, and at most a seed beside it.

    Examples
    --------
    >>> is_training_function(lambda data, seed: None), is_training_function(lambda data: None)
    (True, True)
    >>> is_training_function(lambda network, pairs: None), is_training_function(lambda: None)
    (False, False)
    """
    if not (isroutine(given) or isinstance(given, partial)):
        return False
    try:
        parameters = inspect.signature(given).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return False
    single = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        name
        for name, each in parameters.items()
        if each.default is each.empty and each.kind in single and name != "seed"
    ]
    return len(needed) == 1
