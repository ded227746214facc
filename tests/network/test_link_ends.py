"""Ids become indices and come back as they went in; rows are counted by one rule."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.network.ids import link_ends
from nettrial.network.network import Network

IDS = st.one_of(st.integers(-5, 5), st.text("ab", max_size=2), st.tuples(st.integers(0, 2)))


@given(st.lists(st.tuples(IDS, IDS), max_size=12), st.none() | st.lists(IDS, unique=True))
def test_ends_equal_a_plain_loop(
    rows: list[tuple[Hashable, Hashable]], nodes: list[Hashable] | None
) -> None:
    s, t, ids = link_ends([row[0] for row in rows], [row[1] for row in rows], nodes)
    order = list(dict.fromkeys(end for row in rows for end in row)) if nodes is None else nodes
    assert ids.tolist() == order
    assert s.tolist() == [order.index(row[0]) if row[0] in order else -1 for row in rows]
    assert t.tolist() == [order.index(row[1]) if row[1] in order else -1 for row in rows]


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pd.Categorical, pd.Index])
@pytest.mark.parametrize("values", [([3, 1, 3], [1, 2, 3]), (["c", "a", "c"], ["a", "b", "c"])])
def test_any_kind_of_column_gives_the_same(make: object, values: tuple[list, list]) -> None:  # type: ignore[type-arg]
    s, t, ids = link_ends(*map(make, values))  # type: ignore[call-overload]
    assert (s.tolist(), t.tolist()) == ([0, 1, 0], [1, 2, 0])
    assert ids.tolist() == ([3, 1, 2] if values[0][0] == 3 else ["c", "a", "b"])


def test_missing_ids_are_dangling() -> None:
    net = Network.from_links(["a", None, "b"], ["b", "a", float("nan")])
    assert net.ids.tolist() == ["a", "b"]
    assert (net.n_links, net.tally.dangling_rows, net.tally.rows) == (1, 2, 3)


def test_lengths_must_agree(words) -> None:
    with words.raises(InputError):
        Network.from_links(["a", "b"], ["b"])
    with words.raises(InputError):
        Network.from_links(["a", "b"], ["b", "c"], weight=[1, 2, 3])


def test_integer_ids_stay_integers_and_equal_networks_have_equal_digests() -> None:
    listed = Network([0], [1], n_nodes=3, ids=[0, 1, 2], labels=["x", "y", None])
    default = Network([0], [1], n_nodes=3, labels=np.array(["x", "y", None], dtype=object))
    coded = Network([0], [1], n_nodes=3, labels=pd.Categorical(["x", "y", None]))
    assert default.ids.dtype.kind == "i"
    assert listed.fingerprint() == default.fingerprint() == coded.fingerprint()
    assert listed.classes == coded.classes == ("x", "y")


def test_classes_are_plain_python_values() -> None:
    net = Network([0], [1], n_nodes=3, labels=np.array([2, 10, 2]), attributes={"a": np.arange(3)})
    assert [type(name) for name in net.classes] == [int, int]
    assert net.classes == (2, 10)
    assert [type(name) for name in net.groups("a")[1]] == [int, int, int]


def test_categorical_labels_keep_only_classes_that_occur_in_their_order() -> None:
    labels = pd.Categorical(["10", "9", None, "9"], categories=["b", "10", "9"])
    net = Network([0], [1], n_nodes=4, labels=labels)
    assert net.classes == ("9", "10")
    assert net.labels.tolist() == [1, 0, -1, 0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=20), st.booleans())
def test_tally_adds_up(rows: list[tuple[int, int]], directed: bool) -> None:
    net = Network([r[0] for r in rows], [r[1] for r in rows], n_nodes=4, directed=directed)
    distinct = {row if directed else tuple(sorted(row)) for row in rows}
    assert net.tally.rows == len(rows)
    assert net.tally.duplicate_rows == len(rows) - len(distinct)
    assert net.tally.self_loops == sum(s == t for s, t in rows)
    assert net.n_links == sum(s != t for s, t in distinct)


def test_weights_that_are_given_are_kept() -> None:
    assert Network([0], [1], n_nodes=2, weight=[1]).weighted
    assert not Network([0], [1], n_nodes=2).weighted
    ones, none = Network([0], [1], n_nodes=2, weight=[1]), Network([0], [1], n_nodes=2)
    assert ones.fingerprint() == none.fingerprint()
