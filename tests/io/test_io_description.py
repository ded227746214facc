"""network.toml: what describe writes is what read reads, and every option is a key."""

from __future__ import annotations

import inspect
import tomllib
from inspect import get_annotations
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hostile import put
from nettrial.cli import cli
from nettrial.cli.networks import reading_options
from nettrial.core.errors import InputError
from nettrial.io import convert, describe, read, read_with_report
from nettrial.io.description import KEYS
from nettrial.io.options import Reading

LINKS = "from,to\nann,bob\nbob,eve\neve,joe\njoe,ann\n"
NODES = "id,sex,team\nann,f,x\nbob,m,x\neve,f,y\njoe,m,y\n"


def folder(path: Path) -> Path:
    put(path / "edges.csv", LINKS)
    put(path / "nodes.csv", NODES)
    return path


def test_every_option_of_reading_is_a_key_and_the_reverse() -> None:
    for function in (read, read_with_report, convert):
        options = set(inspect.signature(function).parameters) - {"path", "source", "out"}
        assert options == set(KEYS) - {"links"}
    assert set(get_annotations(Reading)) == set(KEYS) - {"links"}
    command = click.command("x")(reading_options(lambda **_: None))
    assert {option.name for option in command.params} == set(KEYS) - {"links"}


def test_a_description_is_read_as_it_is_written(tmp_path: Path) -> None:
    folder(tmp_path)
    before = read(tmp_path, label="team", directed=True)
    text = describe(tmp_path, label="team", directed=True)
    values = tomllib.loads(text)
    assert values["links"] == "edges.csv"
    assert values["nodes"] == ["nodes.csv"]
    assert values["columns"] == {"source": "from", "target": "to", "weight": "none", "id": "id"}
    put(tmp_path / "network.toml", text)
    for place in (tmp_path, tmp_path / "network.toml"):
        network = read(place)
        assert (network.directed, network.classes) == (True, before.classes)
        assert network.ids.tolist() == before.ids.tolist()
    assert read(tmp_path, label="sex").classes == ("f", "m")  # what is given counts more
    put(tmp_path / "network.toml", text.replace("directed = true", "directed = false"))
    assert not read(tmp_path).directed


def test_a_question_about_the_class_is_a_comment(tmp_path: Path) -> None:
    text = describe(folder(tmp_path))
    assert "which column holds the class? It can be sex (2 values), team (2 values)" in text
    assert "label" not in tomllib.loads(text)


def test_missing_codes_and_strange_names(tmp_path: Path) -> None:
    put(tmp_path / "edges.csv", LINKS)
    put(tmp_path / "nodes.csv", NODES.replace("team", 'the "team"').replace("y\n", "U\n"))
    options = {"label": 'the "team"', "missing": {None: ["U"]}}
    put(tmp_path / "network.toml", describe(tmp_path, **options))
    assert read(tmp_path).classes == ("x",)


@pytest.mark.parametrize(
    "text",
    [
        "label = ",
        "lable = 'team'",
        "directed = 'yes'",
        "nodes = [1]",
        "links = 'nothing.csv'",
    ],
)
def test_what_is_wrong_in_a_description(tmp_path: Path, text: str, words) -> None:
    put(folder(tmp_path) / "network.toml", text)
    with words.raises(InputError):
        read(tmp_path)


def test_the_command_writes_once(tmp_path: Path) -> None:
    folder(tmp_path)
    run = CliRunner().invoke
    first = run(cli, ["describe", str(tmp_path), "--label", "team"])
    assert first.exit_code == 0, first.output
    assert read(tmp_path).classes == ("x", "y")
    again = run(cli, ["describe", str(tmp_path)])
    assert again.exit_code == 2
    assert "network.toml: is there already" in again.output
    shown = run(cli, ["describe", str(tmp_path), "--out", "-"])
    assert tomllib.loads(shown.output)["label"] == "team"


def test_info_describes_what_is_sure_where_the_class_is_open(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["info", str(folder(tmp_path))])
    assert result.exit_code == 0
    assert "which column holds the class?" in result.output
    assert "4 nodes" in result.output
