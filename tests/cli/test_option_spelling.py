"""Errors on the command line: options by their own names, and JSON where it was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from nettrial.cli import COMMANDS, cli, main

TAKE_JSON = [
    name
    for name in COMMANDS
    if any(
        option.name == "as_json"
        for option in cli.get_command(click.Context(cli), name).params  # type: ignore[union-attr]
    )
]
FACTS = {"type", "message", "where", "parameter", "expected", "got", "hint", "exit_status"}


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (2, "")
    return err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    err = refused(capsys, *arguments, "--json")
    assert err.count("\n") == 1
    found = json.loads(err)
    assert isinstance(found, dict)
    assert set(found) == FACTS
    assert found["exit_status"] == 2
    return found


@pytest.mark.parametrize("name", TAKE_JSON)
def test_an_error_is_one_json_object(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    # power asks for the test first
    assert as_json(capsys, name, "--no-such-option")["type"] in ("NoSuchOption", "InputError")


def test_json_has_the_facts(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "compare", "--example", "--splits", 1)
    assert found["type"] == "InputError"
    assert found["parameter"] == "n_splits"
    assert found["expected"] == "an integer of at least 2"
    assert found["got"] == "1"
    assert found["hint"] is None
    assert "--splits: expected an integer of at least 2, got 1" in str(found["message"])


def test_json_of_a_missing_file_and_a_missing_argument(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.csv"
    assert str(path) in str(as_json(capsys, "compare", path)["message"])
    found = as_json(capsys, "power")
    assert (found["expected"], found["got"]) == ("TEST", "none")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "--example", "--seeds", 2, "--store", "s"), "leave --store or --seeds out"),
        (("compare", "--example", "--measure", "f1"), "expected --positive as one of"),
        (("compare", "--example", "--retry"), "--retry needs --store FILE"),
        (("test", "credible", 1, 9, "--set", "prior=0"), "nettrial: --set prior: expected 2"),
        (("test", "sgn", "1"), "unknown 'sgn'; did you mean 'sign'?"),
    ],
)
def test_options_are_named_as_they_are_given(
    arguments: tuple[object, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused(capsys, *arguments)


def test_python_names_its_own_parameters_after_a_command(
    capsys: pytest.CaptureFixture[str],
    words,
) -> None:
    import nettrial

    refused(capsys, "compare", "--example", "--splits", 1)
    network = nettrial.latent_group_network(40, seed=1)
    with words.raises(nettrial.InputError):
        nettrial.compare(network, "wvrn", "nbc", n_splits=1)
