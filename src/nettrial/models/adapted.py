"""Whatever can stand for a model: a name, a model, a classifier of scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import NAME, option
from ..network.network import Network
from .base import AnyModel, Model, Regressor
from .link_predictors import is_link_predictor
from .names import REGRESSORS, by_name
from .training_function import TrainingFunction, is_training_function


@check_arguments
def as_model(given: Any) -> AnyModel:
    """Make a model of a name, a model, a scikit-learn estimator, or a function that trains one.

    An estimator sees the node features. A function takes PyTorch Geometric's data and perhaps a
    seed, and returns scores of all nodes, see `TrainingFunction`.

    Raises
    ------
    InputError
        For an unknown name, a link predictor, or an object without the methods of a model.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> as_model(DecisionTreeClassifier())
    FeatureClassifier(DecisionTreeClassifier(), use='features')
    """
    if is_link_predictor(given):
        name = given if isinstance(given, str) else type(given).__name__
        raise InputError(
            f"{name} predicts links, and a model of nodes is expected here",
            parameter="model",
            hint="link predictors are compared by compare and compare_across (nettrial compare, "
            "nettrial across), and docs/user/link_prediction.md says what else is not for "
            "them, and why",
        )
    if isinstance(given, str):
        return by_name(given)
    if is_estimator(given):
        from sklearn.base import is_regressor

        from .sklearn_adapter import FeatureClassifier, FeatureRegressor

        return FeatureRegressor(given) if is_regressor(given) else FeatureClassifier(given)
    if is_training_function(given):
        return TrainingFunction(given)
    if isinstance(given, (Model, Regressor)) and not isinstance(given, type):
        return given
    raise InputError(
        parameter="model",
        expected="the name of a built-in model, an object with fit(network, train) and "
        "predict_proba(network, nodes), or predict for numbers, a scikit-learn estimator, or a "
        "function of (data, seed) that trains and returns scores of all nodes",
        got=shown(given),
    )


def check_predicts(network: Network, models: Mapping[str, AnyModel]) -> None:
    """Refuse a model of classes where the network has a numeric target, and the other way round.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=2, labels=["a", "b"])
    >>> check_predicts(net, {"ridge": by_name("ridge")})
    Traceback (most recent call last):
    nettrial.InputError: model 'ridge' predicts numbers, and the network has ...
    """
    for name, model in models.items():
        if network.targets is None and not isinstance(model, Model):
            raise InputError(
                f"model {shown(name)} predicts numbers, and the network has classes; take a "
                "classifier (wvrn, nbc, ...; an object with predict_proba), or read a numeric "
                f"column with {option('target', NAME)}"
            )
        if network.targets is not None and not isinstance(model, Regressor):
            raise InputError(
                f"model {shown(name)} predicts classes, and the network has a numeric target; take "
                f"one of {', '.join(REGRESSORS)}, a scikit-learn regressor or an object with "
                f"predict, or read the column as classes with {option('label', NAME)}"
            )


def check_inductive(network: Network, models: Mapping[str, AnyModel]) -> None:
    """Refuse models that know nodes by a column of their own where they must predict new nodes."""
    if network.features is not None:
        return
    for name, model in models.items():
        if getattr(model, "substitute", "") == "one-hot" or knows_nodes(model):
            raise InputError(
                f"inductive: without node features {name} has one column for each node, and new "
                f"nodes have none; add features ({option('features', NAME)})"
            )


def learned_from(model: AnyModel, inductive: bool) -> str:
    """Describe what a model learns from: a whole network, a part, or features alone.

    Examples
    --------
    >>> learned_from(by_name("wvrn"), inductive=True)
    'training nodes and the links among them (inductive)'
    """
    if getattr(model, "use", "") == "features":
        return "features of training nodes alone"
    if inductive:
        return "training nodes and the links among them (inductive)"
    return "all nodes and links, and labels of training nodes (transductive)"


def knows_nodes(model: AnyModel) -> bool:
    """Return whether a built-in network learns a column for each node that has no features."""
    from .neural import NeuralNetwork

    inner = getattr(model, "model", model)  # of a tuned one, or of a NeuralRegressor
    return isinstance(inner, NeuralNetwork) and not inner.needs_features


def is_estimator(given: Any) -> bool:
    """Return whether an object is fitted to tables as scikit-learn's are, and not to a network.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_estimator(DecisionTreeClassifier()), is_estimator(as_model(DecisionTreeClassifier()))
    (True, False)
    """
    names = ("get_params", "set_params", "fit")
    if isinstance(given, type) or not all(callable(getattr(given, name, None)) for name in names):
        return False
    return "network" not in inspect.signature(given.fit).parameters
