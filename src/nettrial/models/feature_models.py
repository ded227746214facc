"""Models on node features by name, and classifiers with what is known of a node's neighbors."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Self

import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from .node_tables import Use
from .sklearn_adapter import FeatureClassifier, FeatureRegressor

K = 5  # nearest neighbors
MANY_ROWS = 10_000  # from which on several threads help


class Standardized(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns divided by their standard deviation; dense ones have the mean 0 besides."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn means and standard deviations of the training rows."""
        self.scaler_ = StandardScaler(with_mean=not sp.issparse(X)).fit(X)
        return self

    def transform(self, X: Any) -> Any:
        return self.scaler_.transform(X)


class NearestNeighbors(KNeighborsClassifier):  # type: ignore[misc]
    """K nearest neighbors, of which a small training set has fewer."""

    def fit(self, X: Any, y: Any) -> Self:
        """Keep the training rows."""
        self.n_neighbors = min(K, X.shape[0])
        return super().fit(X, y)  # type: ignore[no-any-return]


class Boosting(HistGradientBoostingClassifier):  # type: ignore[misc]
    """Gradient boosting, of small tables on one thread.

    Its threads wait for each other by spinning, which takes many times the work of a small table.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the trees."""
        with threads_for(X):
            return super().fit(X, y)  # type: ignore[no-any-return]

    def predict_proba(self, X: Any) -> Any:
        """Return class probabilities."""
        with threads_for(X):
            return super().predict_proba(X)


def threads_for(table: Any) -> AbstractContextManager[Any]:
    """Return what limits threads to one while a small table is worked on."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1) if table.shape[0] < MANY_ROWS else nullcontext()


def dense(table: Any) -> Any:
    """Return a table that is not sparse."""
    return table.toarray() if sp.issparse(table) else table


def logistic(use: Use = "features") -> FeatureClassifier:
    """Return scikit-learn's logistic regression on standardized columns.

    Examples
    --------
    >>> logistic("graph").name
    'logistic+graph'
    """
    return _named("logistic", make_pipeline(Standardized(), LogisticRegression(max_iter=1000)), use)


def boosting(use: Use = "features") -> FeatureClassifier:
    """Return scikit-learn's gradient boosting on histograms, with leaves of 5 nodes or more.

    Scikit-learn's own 20 would leave a small training set without any division.

    Examples
    --------
    >>> boosting().name
    'boosting'
    """
    trees = Boosting(min_samples_leaf=5)
    return _named("boosting", make_pipeline(FunctionTransformer(dense), trees), use)


def random_forest(use: Use = "features") -> FeatureClassifier:
    """Return scikit-learn's random forest of 100 trees.

    Examples
    --------
    >>> random_forest().name
    'random_forest'
    """
    return _named("random_forest", RandomForestClassifier(), use)


def knn(use: Use = "features") -> FeatureClassifier:
    """Return the 5 nearest neighbors by standardized columns.

    Examples
    --------
    >>> knn("graph").name
    'knn+graph'
    """
    return _named("knn", make_pipeline(Standardized(), NearestNeighbors(K)), use)


def ridge() -> FeatureRegressor:
    """Return least squares with a penalty of 1 on standardized columns.

    Examples
    --------
    >>> ridge().name
    'Ridge'
    """
    # a sparse table keeps its zeros
    return FeatureRegressor(make_pipeline(StandardScaler(with_mean=False), Ridge()))


def forest() -> FeatureRegressor:
    """Return scikit-learn's random forest of 100 trees.

    Examples
    --------
    >>> forest().name
    'RandomForestRegressor'
    """
    return FeatureRegressor(RandomForestRegressor())


def _named(name: str, estimator: Any, use: Use) -> FeatureClassifier:
    return FeatureClassifier(estimator, use=use, name=name + "+graph" * (use == "graph"))


logistic_graph = partial(logistic, "graph")
boosting_graph = partial(boosting, "graph")
random_forest_graph = partial(random_forest, "graph")
knn_graph = partial(knn, "graph")
