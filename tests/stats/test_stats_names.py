"""Names of columns, of an index and of dictionaries stay with the numbers they belong to."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest

from nettrial import stats
from nettrial.core.errors import InputError
from public_functions import PUBLIC, call, example

NAMES = ["gcn", "wvrn", "nbc"]
SEVERAL = ("values", "groups", "outcomes", "scores")
# several values of one thing, or names that are given in another way
NOT_SEVERAL = {
    "stats.cluster_contributions", "stats.cluster_mean_test", "stats.manova_test",
    "stats.network_hac_test",
}  # fmt: skip


def held(name: str) -> str | None:
    """Return the parameter of a function that holds several columns or groups."""
    parameters = inspect.signature(PUBLIC[name]).parameters
    return next((key for key in SEVERAL if key in parameters), None)


def has_columns(name: str) -> bool:
    key = held(name)
    return name.startswith("stats.") and name not in NOT_SEVERAL and (
        key == "groups" or (key is not None and np.ndim(example(name)[key]) == 2)
    )  # fmt: skip


TAKES_SEVERAL = [name for name in PUBLIC if has_columns(name)]


def forms(key: str, value: Any) -> list[Any]:
    """Return the value with names, in every form that has them."""
    if key == "groups":
        series = [pd.Series(part, name=name) for part, name in zip(value, NAMES)]
        return [dict(zip(NAMES, value)), pd.DataFrame(dict(zip(NAMES, value))), series]
    table = np.asarray(value)
    return [dict(zip(NAMES, table.T)), pd.DataFrame(table, columns=NAMES)]


def names_in(result: Any) -> list[str]:
    if hasattr(result, "first"):
        return list(dict.fromkeys([*result.first, *result.second]))
    details = result.details
    return list(details["names"] if "names" in details else details["auc"])


def test_the_functions_that_take_several_are_found():
    assert len(TAKES_SEVERAL) >= 17


@pytest.mark.parametrize("name", TAKES_SEVERAL)
def test_names_are_kept_and_change_no_number(name):
    arguments, key = example(name), held(name)
    arguments.pop("names", None)
    wanted = call(name, arguments)
    for named in forms(key, arguments[key]):
        found = call(name, arguments | {key: named})
        assert names_in(found) == NAMES
        # the order of a frame's values in memory changes that of sums
        np.testing.assert_allclose(found.pvalue, wanted.pvalue, rtol=1e-12)
        if "names" in inspect.signature(PUBLIC[name]).parameters:
            other = call(name, arguments | {key: named, "names": ["x", "y", "z"]})
            assert names_in(other) == ["x", "y", "z"]


def test_a_control_is_found_by_the_name_of_its_column(words):
    frame = pd.DataFrame(np.random.default_rng(0).random((9, 3)), columns=NAMES)
    assert stats.control_comparisons(frame, control="nbc").first == ("nbc", "nbc")
    with words.raises(InputError):
        stats.control_comparisons(frame, control="gnc")


def test_a_control_is_found_by_a_name_that_is_a_number(words):
    frame = pd.DataFrame(np.random.default_rng(0).random((9, 3)), columns=[2, 0, 64])
    for control in (0, 64, "0", np.int64(64)):
        found = stats.control_comparisons(frame, control=control)
        assert found.first == (str(control),) * 2
    assert stats.control_comparisons(frame, control=1).first == ("0", "0")  # a place
    with words.raises(InputError):
        stats.control_comparisons(frame, control=3)


@pytest.mark.parametrize("name", TAKES_SEVERAL)
def test_a_name_that_stands_twice_is_refused(name):
    arguments, key = example(name), held(name)
    arguments.pop("names", None)
    value = arguments[key]
    columns = np.stack(value, axis=1) if key == "groups" else np.asarray(value)
    twice = pd.DataFrame(columns, columns=["gcn", "nbc", "gcn"])
    with pytest.raises(InputError, match=f"{key}: expected each name once, got 2 called 'gcn'"):
        call(name, arguments | {key: twice})
    if key != "groups" and "names" in inspect.signature(PUBLIC[name]).parameters:
        assert names_in(call(name, arguments | {key: twice, "names": NAMES})) == NAMES


def test_a_name_of_pvalues_that_stands_twice_is_refused(words):
    with words.raises(InputError):
        stats.adjusted_pvalues(pd.Series([0.1, 0.2, 0.3], index=["a", "b", "a"]))
    with words.raises(InputError):
        stats.friedman_test({1: [1, 2, 3], "1": [3, 4, 5]})


def test_the_index_of_pvalues_is_kept():
    pvalues = {"a": 0.01, "b": 0.2}
    for given in (pvalues, pd.Series(pvalues)):
        assert stats.adjusted_pvalues(given).names == ("a", "b")


def test_columns_of_two_lengths_and_other_indexes_are_refused(words):
    with words.raises(InputError):
        stats.friedman_test({"a": [1, 2, 3], "b": [1, 2]})
    moved = {"a": pd.Series([1, 2, 3]), "b": pd.Series([1, 2, 3], index=[2, 1, 0])}
    with words.raises(InputError):
        stats.friedman_test(moved)
    assert stats.oneway_anova(moved).details["names"] == ("a", "b")  # groups have no pairs


TAKES_GROUPS = [name for name in TAKES_SEVERAL if held(name) == "groups"]


@pytest.mark.parametrize("name", TAKES_GROUPS)
def test_groups_of_an_array_are_refused_and_those_of_pandas_are_taken_by_name(name):
    arguments = example(name)
    groups = [list(part)[:3] for part in arguments["groups"]]
    with pytest.raises(InputError, match=r"whether a group is a row or a column; pass list\(array"):
        call(name, arguments | {"groups": np.array(groups)})
    wanted = call(name, arguments | {"groups": dict(zip(NAMES, groups))})
    found = call(name, arguments | {"groups": pd.Series(groups, index=NAMES[: len(groups)])})
    assert names_in(found) == names_in(wanted)
    np.testing.assert_array_equal(found.pvalue, wanted.pvalue)
    frame = pd.DataFrame({"g": np.repeat(NAMES[: len(groups)], 3), "v": np.ravel(groups)})
    with pytest.raises(InputError, match=r"\A[^\n]*got a groupby of pandas; pass {name: part"):
        call(name, arguments | {"groups": frame.groupby("g").v})


def test_a_column_without_a_name_has_none():
    frame = pd.DataFrame({None: [1.0, 2, 3], "b": [2.0, 1, 5]})
    assert "names" not in stats.friedman_test(frame).details


def test_adjusted_pvalues_of_a_series_keep_its_index(words):
    found = stats.adjust(pd.Series([0.01, 0.03], index=["a", "b"]))
    assert found.to_dict() == {"a": 0.02, "b": 0.03}
    with words.raises(InputError):
        stats.adjust({"a": 0.01, "b": 0.03})


def test_counts_whose_rows_and_columns_are_in_two_orders_are_refused(words):
    counts = pd.DataFrame([[5, 9], [2, 30]], index=["wrong", "right"], columns=["wrong", "right"])
    assert stats.mcnemar_test(counts).estimate == stats.mcnemar_test(counts.to_numpy()).estimate
    with words.raises(InputError):
        stats.mcnemar_test(counts[["right", "wrong"]])


def test_adjusted_pvalues_keep_the_labels_of_their_table():
    p = pd.Series([0.01, 0.04, 0.03], index=["ab", "ac", "bc"], name="p")
    for found in (stats.adjust(p), stats.adjust_pairs(p), stats.adjust_pairs(p, method="shaffer")):
        assert list(found.index) == ["ab", "ac", "bc"]
        assert found.name == "p"
    table = pd.DataFrame([[0.01, 0.2], [0.03, 0.4]], index=["cora", "dblp"], columns=["t", "z"])
    found = stats.adjust(table, axis=0)
    assert found.loc["cora", "t"] == pytest.approx(0.02)
    assert (found.index.tolist(), found.columns.tolist()) == (["cora", "dblp"], ["t", "z"])
    assert isinstance(stats.adjust([0.1, 0.2]), np.ndarray)


def test_a_label_that_occurs_twice_is_refused_by_every_adjustment(words):
    p = pd.Series([0.01, 0.04, 0.03], index=["h1", "h1", "h2"])
    for adjust in (stats.adjust, stats.adjust_pairs, stats.adjusted_pvalues):
        with words.raises(InputError):
            adjust(p)
    with words.raises(InputError):
        stats.adjust(pd.DataFrame([[0.1, 0.2]], columns=["t", "t"]))


def test_what_no_adjustment_takes_is_said(words):
    for given in ({"a": 0.01}, (x for x in [0.1])):
        with words.raises(InputError):
            stats.adjust(given)


def test_a_group_without_a_name_leaves_the_others_theirs():
    a, b = pd.Series([1.0, 2, 4], name="gcn"), pd.Series([2.0, 3, 3])
    found = stats.tukey_hsd([a, b])
    assert (found.first, found.second) == (("gcn",), ("1",))
    found = stats.tukey_hsd([b, b])
    assert (found.first, found.second) == (("0",), ("1",))
