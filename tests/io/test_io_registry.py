"""The table of formats in the docs, and the registry; a new format is two files."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import file_kinds
import nettrial.io
from file_kinds import Table, Truth
from nettrial.core.errors import InputError
from nettrial.io import read, registry

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="docs are not distributed with the tests")


def test_the_table_of_formats_names_every_format_once() -> None:
    page = (DOCS / "user" / "formats.md").read_text(encoding="utf-8")
    rows = page.partition("| name | which files")[2].split("\n\n")[0].split("\n")[2:]
    wanted = [each.row for each in registry.FORMATS]
    assert sorted(rows) == sorted(wanted), "add: " + "\n".join({*wanted} - {*rows})


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Put the two files of the template in their places, and load them."""
    page = (DOCS / "lab" / "reading.md").read_text(encoding="utf-8")
    reader, kinds = re.findall(r"```python\n(\"\"\"TOY.*?)```", page, re.DOTALL)
    home = tmp_path / "readers"
    home.mkdir()
    (home / "toy.py").write_text(reader)
    (tmp_path / "format_toy.py").write_text(kinds)
    monkeypatch.setattr(nettrial.io, "__path__", [*nettrial.io.__path__, str(home)])
    monkeypatch.setattr(file_kinds, "kind", Table())
    monkeypatch.syspath_prepend(tmp_path)
    importlib.reload(registry)
    yield importlib.import_module("format_toy")
    for name in ("nettrial.io.toy", "format_toy"):
        del sys.modules[name]
    monkeypatch.undo()
    importlib.reload(registry)


@pytest.mark.usefixtures("template")
def test_a_toy_format_is_two_files_after_the_template(tmp_path: Path) -> None:
    from test_io_limits import repeated

    assert registry.BY_NAME["toy"].row == "| `toy` | `.toy` | nodes, links |"
    truth, kind = Truth(1), file_kinds.kind
    network = read(kind.writers["TOY"](truth, tmp_path).place)
    assert (network.n_nodes, network.n_links) == (16, truth.graph.number_of_edges())
    with pytest.raises(InputError, match=r"unknown 'toi'; did you mean 'toy'"):
        read(tmp_path / "x.toy", format="toi")
    with pytest.raises(InputError, match=r"\btoy\b"):
        read(tmp_path / "x.toy", format="list")
    for path in repeated(tmp_path, "toy", kind.hostile):
        with pytest.raises(InputError, match=f"{path.name}.*toy|{path.name}.*times its size"):
            raise_or_read(path)
    (tmp_path / "cut.toy").write_text("TOY a~b c")
    with pytest.raises(InputError, match=r"cut\.toy: is damaged, or no file of the format toy"):
        read(tmp_path / "cut.toy")


def raise_or_read(path: Path) -> None:
    """Read a file that may be whole: then say so."""
    read(path)
    raise InputError(f"{path.name}, a toy, is read")
