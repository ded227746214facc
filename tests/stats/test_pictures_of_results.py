"""Pictures of the results of tests hold their estimates, intervals and null values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nettrial import stats

A = np.array([0.1, 0.2, 0.3, 0.25, 0.4, 0.2])
B = np.array([0.2, 0.25, 0.28, 0.4, 0.5, 0.3])


@pytest.mark.parametrize(
    ("found", "null", "filled"),
    [
        (stats.paired_t_test(A, B), 0.0, True),
        (stats.one_sample_t_test(A, null_value=0.2), 0.2, False),
        (stats.sign_test(A, B), 0.5, False),
        (stats.cohens_dz(A, B), 0.0, True),
        (stats.odds_ratio(12, 40, 9, 40), 1.0, False),
        (stats.proportion_interval(3, 10), None, False),
    ],
    ids=lambda each: getattr(each, "method", getattr(each, "measure", None)),
)
def test_an_estimate_stands_on_its_interval(found: Any, null: float | None, filled: bool) -> None:
    *line, interval, mark = found.plot().lines
    assert [each.get_xdata()[0] for each in line] == [null] * (null is not None)
    assert list(interval.get_xdata()) == [found.ci_low, found.ci_high]
    assert list(mark.get_xdata()) == [found.estimate]
    assert (mark.get_markerfacecolor() != "white") is filled


def test_an_arrow_stands_for_an_infinite_end_and_no_line_for_no_interval() -> None:
    found = stats.paired_t_test(A, B, alternative="less")
    _, interval, arrow, mark = found.plot().lines
    left, right = interval.get_xdata()
    assert right == found.ci_high
    assert left < found.estimate
    assert (arrow.get_marker(), list(arrow.get_xdata())) == ("<", [left])
    assert list(mark.get_xdata()) == [found.estimate]
    _, alone = stats.two_sample_permutation_test(A, B).plot().lines
    assert alone.get_markerfacecolor() == "white"


def test_several_tests_have_a_row_each() -> None:
    found = stats.paired_t_test(np.stack([A, B, A]), np.stack([B, A, A + B]), axis=1)
    axes = found.plot()
    assert [each.get_text() for each in axes.get_yticklabels()] == ["0", "1", "2"]
    marks = axes.lines[2::2]
    assert [float(mark.get_xdata()[0]) for mark in marks] == pytest.approx(found.estimate)
