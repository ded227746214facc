"""Whatever can stand for a model: a name, a model, a classifier of scikit-learn."""

from __future__ import annotations

from typing import Any

from ..arguments import check_arguments
from ..errors import InputError
from .base import Model
from .names import by_name


@check_arguments
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
