"""`nettrial info --debug` tells what a report of a bug needs, and nothing private."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from nettrial import cli


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as end:
        cli.main(["info", *words])
    assert not end.value.code
    return capsys.readouterr().out


def test_versions_of_what_numbers_depend_on(capsys: pytest.CaptureFixture[str]) -> None:
    note = json.loads(printed(capsys, "--debug", "--json"))
    for package in ("numpy", "scipy", "numba", "scikit-learn"):
        assert note[package] == metadata.version(package)
    assert "sphinx" not in note


def test_nothing_private(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setenv("NETTRIAL_SOMETHING", "a secret")
    text = printed(capsys, "--debug")
    assert "NETTRIAL_SOMETHING" in text
    assert "a secret" not in text
    assert str(Path.home()) not in text


def test_a_network_or_debug_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["info"])
    assert end.value.code == 2
    assert "--debug" in capsys.readouterr().err
