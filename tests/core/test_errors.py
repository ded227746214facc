"""Errors carry facts, and are formatted in one place."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import error_about, not_found, shown, unknown_choice
from nettrial.core.option_names import ALONE, COLUMN, option, spelled_by


def test_facts_make_one_sentence() -> None:
    error = nettrial.InputError(
        parameter=("a", "b", "c"), expected="one", got="two", hint="choose", where="p.csv"
    )
    assert str(error) == "p.csv: a, b and c: expected one, got two; choose"
    assert (error.parameter, error.expected, error.got) == (("a", "b", "c"), "one", "two")
    assert isinstance(error, ValueError)


def test_a_sentence_takes_the_place_of_facts() -> None:
    assert str(nettrial.InputError("no rows")) == "no rows"
    error = nettrial.InputError("no rows", parameter="table", hint="add some")
    assert str(error) == "table: no rows; add some"
    assert repr(error) == "InputError('table: no rows; add some')"


def test_errors_come_back_whole_from_other_processes() -> None:
    error = nettrial.InputError("no rows", parameter="table", got="x", hint="add some", where="w")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_naming_keeps_the_facts() -> None:
    with (
        pytest.raises(nettrial.InputError) as note,
        error_about("network 'a'"),
        error_about("label 'b'"),
    ):
        raise nettrial.InputError(parameter="seed", expected="an integer", got="'x'")
    assert str(note.value) == "network 'a': label 'b': seed: expected an integer, got 'x'"
    assert note.value.parameter == "seed"


def test_options_are_spelled_when_the_message_is_written() -> None:
    error = nettrial.InputError(parameter=("seed", "label"), expected="one", got="both")
    with spelled_by(lambda name, _value: "--seed" if name == "seed" else None):
        assert str(error) == "--seed and label: expected one, got both"
        assert option("seed", 3) == "--seed"
    assert str(error) == "seed and label: expected one, got both"
    assert option("label", COLUMN) == "label=COLUMN"
    assert option("seed", ALONE) == "seed="


def test_the_near_name_stands_before_the_list() -> None:
    error = unknown_choice("design", "rss", ["rrs", "ers"])
    assert str(error).index("rrs") < str(error).index("one of")
    assert (error.parameter, error.expected, error.got) == ("design", "one of rrs, ers", "'rss'")
    error = not_found("column", "nod", ["node", "label"], "p.csv")
    assert str(error).index("'node'") < str(error).index("the columns are")
    assert (error.where, error.got) == ("p.csv", "'nod'")


def test_long_lists_are_cut_to_the_nearest_and_given_on_request() -> None:
    names = [f"model_{k}" for k in range(50)] + ["zebra"]
    assert "zebra" in str(unknown_choice("model", "bra", names))
    assert "model_30" not in str(unknown_choice("model", "bra", names))
    assert all(name in str(unknown_choice("model", "list", names)) for name in names)
    assert str(not_found("column", "x", [])).endswith("the columns are none")
    assert "the column is a" in str(not_found("column", "xyz", ["a"]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.str_("a"), "'a'"),
        (np.float32(0.1), "0.1"),
        (np.bool_(True), "True"),
        ([np.float64(0.5), np.int64(3)], "[0.5, 3]"),
        ({np.str_("a"): (np.float64(1.0),)}, "{'a': (1.0,)}"),
    ],
)
def test_scalars_of_numpy_are_written_as_those_of_python(value: object, text: str) -> None:
    assert shown(value) == text
    assert "numpy" in sys.modules
    assert option("x", value) == f"x={text}"


def unnamed() -> None:
    """Stand for any function."""


@pytest.mark.parametrize(
    "value",
    [
        unnamed, lambda: None, (x for x in "ab"), map(float, [1]), object(), [object()],
        np.array([unnamed]), {"a": unnamed}, "".join, nettrial.compare, type("Own", (), {})(),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_no_message_holds_an_address_of_memory(value: object) -> None:
    assert "0x" not in shown(value)
    for call in (nettrial.stats.adjust, nettrial.stats.friedman_test):
        with pytest.raises(nettrial.InputError) as note:
            call(value)  # type: ignore[arg-type]
        assert "0x" not in str(note.value)


def test_functions_are_named_in_messages_and_text_is_kept() -> None:
    assert shown(unnamed) == "the function unnamed"
    assert shown(lambda: None) == "a function"
    assert shown("at 0x1f") == "'at 0x1f'"


def test_labels_of_numpy_do_not_show_their_type() -> None:
    with pytest.raises(nettrial.InputError) as note:
        nettrial.metrics.auc(np.array(["a", "b"]), [0.1, 0.2])
    assert note.value.got == "'a', 'b'"
