"""Designs as scikit-learn splitters, and a Network on its way through scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB

from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.splits import DESIGNS, by_name

ARRAYS = sorted(set(DESIGNS) - {"snowball"})


def make(name):
    options = {"column": "groups"} if name == "temporal" or name.startswith("comm") else {}
    return by_name(name, **options)


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] + rng.normal(size=120) > 0, "b", "a")
    return X, y, np.arange(120) // 12


@pytest.mark.parametrize("name", ARRAYS)
def test_cross_validate_with_ordinary_arrays(name, arrays):
    X, y, groups = arrays
    cv = make(name)
    scores = cross_validate(GaussianNB(), X, y, groups=groups, cv=cv, return_indices=True)
    assert scores["test_score"].size == cv.get_n_splits(X, y, groups)
    assert scores["test_score"].mean() > 0.5
    indices = scores["indices"]
    again = list(cv.split(X, y, groups))
    for train, test, (train2, test2) in zip(indices["train"], indices["test"], again):
        assert np.array_equal(train, train2)
        assert np.array_equal(test, test2)
        assert not np.intersect1d(train, test).size


@pytest.mark.parametrize("name", ["rrs", "ers", "ncv", "kfold", "5x2"])
def test_arrays_and_networks_give_the_same_splits(name):
    labels = [None if i % 7 == 0 else "ab"[i % 2] for i in range(50)]
    network = Network([0], [1], n_nodes=50, labels=labels)
    X = np.zeros((50, 2))
    for options in ({}, {"stratify": "label"}):
        cv = by_name(name, **options)
        for split, one, two in zip(
            cv.split_network(network),
            cv.split(X, np.array(labels, dtype=object)),
            cv.split(network),
        ):
            for train, test in (one, two):
                assert np.array_equal(split.train, train)
                assert np.array_equal(split.test, test)


def test_missing_labels_of_every_kind_are_left_out():
    cv = by_name("rrs", labeled=0.5)
    for y in (
        np.array([1.0, np.nan, 0.0, 1.0]),
        np.array(["a", None, "b", "b"], dtype=object),
        ["a", None, "b", "b"],
        pd.Series(["a", None, "b", "b"]),
        pd.Series([1, None, 2, 1], dtype="Int64"),
    ):
        for train, test in cv.split(np.zeros((4, 1)), y):
            assert 1 not in np.union1d(train, test)
    for train, test in cv.split(np.zeros((4, 1))):
        assert np.union1d(train, test).size == 4


def test_what_arrays_cannot_do(words):
    X = np.zeros((20, 1))
    with words.raises(InputError):
        next(by_name("snowball").split(X))
    with words.raises(InputError):
        next(by_name("temporal", column="year").split(X))
    with words.raises(InputError):
        next(by_name("rrs", stratify="label").split(X))
    with words.raises(InputError):
        next(by_name("community-biased").split(X))
    with words.raises(InputError):
        next(by_name("rrs").split(None))
    with words.raises(InputError):
        by_name("rrs").split_network(X)


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps what it was handed."""

    seen: list = []  # noqa: RUF012 - shared by all clones on purpose

    def fit(self, X, y, network=None):
        self.seen.append((network, X))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_network_arrives_whole():
    network = Network([0, 1, 2], [1, 2, 3], n_nodes=40, labels=["a", "b"] * 20)
    nodes = np.arange(40)[:, None]
    y = np.array(["a", "b"] * 20)
    Recorder.seen.clear()
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = Recorder().set_fit_request(network=True)
        cross_validate(
            estimator, nodes, y, cv=by_name("ncv", labeled=0.2), params={"network": network}
        )
    assert len(Recorder.seen) == 10
    for received, X in Recorder.seen:
        assert received is network
        assert X.shape == (8, 1)


def test_a_network_in_the_place_of_x_is_refused_not_sliced():
    network = Network([0], [1], n_nodes=40, labels=["a", "b"] * 20)
    with pytest.raises((TypeError, ValueError)):
        cross_val_score(Recorder(), network, np.array(["a", "b"] * 20), cv=by_name("rrs"))
