"""Models of other libraries by name, and whatever else can stand for a model."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import InputError
from .base import Model

# name -> (module, what makes the model); a module is loaded when its model is asked for
ADAPTED: dict[str, tuple[str, str]] = {
    "gcn": ("torch_networks", "gcn"),
    "mlp": ("torch_networks", "mlp"),
    "pyg-lp": ("pyg_baselines", "PyGLabelPropagation"),
    "pyg-cs": ("pyg_baselines", "PyGCorrectAndSmooth"),
}


def adapted(name: str) -> Any:
    """Make the model of that name, with its default settings.

    Examples
    --------
    >>> adapted("gcn")
    TorchModel('gcn')
    """
    module, maker = ADAPTED[name]
    return getattr(importlib.import_module(f".{module}", __package__), maker)()


def as_model(given: Any) -> Model:
    """Make a model of a name, a model, or a scikit-learn classifier (which then sees features).

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> as_model(DecisionTreeClassifier())
    FeatureClassifier(DecisionTreeClassifier(), use='features')
    """
    if isinstance(given, str):
        from .names import by_name

        return by_name(given)
    if is_estimator(given):
        from .sklearn_adapter import FeatureClassifier

        return FeatureClassifier(given)
    if isinstance(given, Model) and not isinstance(given, type):
        return given
    raise InputError(
        f"model: expected the name of a built-in model, an object with fit(network, train) and "
        f"predict_proba(network, nodes), or a scikit-learn classifier, got {given!r}"
    )


def is_estimator(given: Any) -> bool:
    """Return whether an object follows scikit-learn's conventions: it lists its parameters."""
    return not isinstance(given, type) and all(
        callable(getattr(given, name, None)) for name in ("get_params", "set_params", "fit")
    )
