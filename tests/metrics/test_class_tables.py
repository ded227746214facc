"""Tables of one column per class: columns that have names are paired with the classes by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from nettrial import metrics, stats
from nettrial.core.errors import InputError

CLASSES = ["ham", "egg", "jam"]
RANDOM = np.random.default_rng(3)
LABELS = [CLASSES[k] for k in RANDOM.integers(3, size=40)]
A, B = (RANDOM.dirichlet([1, 1, 1], size=40) for _ in range(2))

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "log_loss": lambda labels, a, **o: metrics.log_loss(labels, a, **o),
    "log_losses": lambda labels, a, **o: metrics.log_losses(labels, a, **o).sum(),
    "squared_loss": lambda labels, a, **o: metrics.squared_loss(labels, a, **o),
    "squared_losses": lambda labels, a, **o: metrics.squared_losses(labels, a, **o).sum(),
    "calibration": lambda labels, a, **o: metrics.calibration(labels, a, n_resamples=9, **o).ece,
    "first of two": lambda labels, a, **o: stats.delong_multiclass_test(labels, a, B, **o).estimate,
    "second of two": lambda labels, a, **o: (
        stats.delong_multiclass_test(labels, B, a, **o).estimate
    ),
}
anyone = pytest.mark.parametrize("name", FUNCTIONS)


def named(order: list[str], form: str) -> Any:
    frame = pd.DataFrame(A, columns=sorted(CLASSES))[order]
    return frame if form == "frame" else {key: frame[key].tolist() for key in order}


@anyone
@pytest.mark.parametrize("form", ["frame", "dict"])
@pytest.mark.parametrize("order", [["jam", "ham", "egg"], ["egg", "ham", "jam"]])
def test_columns_called_as_the_classes_stand_in_any_order(name, form, order):
    expected = FUNCTIONS[name](LABELS, A)
    assert FUNCTIONS[name](LABELS, named(order, form)) == expected
    by_place = A[:, [sorted(CLASSES).index(each) for each in CLASSES]]
    if "of two" not in name:
        assert FUNCTIONS[name](LABELS, by_place, classes=CLASSES) == pytest.approx(expected)
        found = FUNCTIONS[name](LABELS, named(order, form), classes=CLASSES)
        assert found == pytest.approx(expected)


@anyone
def test_other_names_are_refused_and_positions_are_none(name, words):
    with words.raises(InputError):
        FUNCTIONS[name](LABELS, pd.DataFrame(A, columns=["p_egg", "p_ham", "p_jam"]))
    with words.raises(InputError):
        FUNCTIONS[name](LABELS, pd.DataFrame(A, columns=["egg", "egg", "jam"]))
    with words.raises(InputError):
        FUNCTIONS[name](LABELS, named(["egg", "ham", "jam"], "frame"), classes=["egg", "ham", "x"])
    assert FUNCTIONS[name](LABELS, pd.DataFrame(A)) == FUNCTIONS[name](LABELS, A)


@anyone
def test_rows_of_another_index_are_refused(name, words):
    labels = pd.Series(LABELS, index=range(1, 41))
    for table in (named(CLASSES, "frame"), dict(named(CLASSES, "frame").items())):
        with words.raises(InputError):
            FUNCTIONS[name](labels, table)


def test_numbers_that_are_classes_name_columns_too():
    codes = [CLASSES.index(label) + 1 for label in LABELS]
    frame = pd.DataFrame(A, columns=[1, 2, 3])
    assert metrics.log_loss(codes, frame[[3, 1, 2]]) == metrics.log_loss(codes, A)


def test_a_class_without_cases_has_its_column():
    few = [label for label in LABELS if label != "jam"]
    rows = [label != "jam" for label in LABELS]
    frame = named(["jam", "egg", "ham"], "frame")[rows].reset_index(drop=True)
    expected = metrics.log_loss(few, A[rows], classes=sorted(CLASSES))
    assert metrics.log_loss(few, frame) == expected
