"""The table of formats in the docs, and the registry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nettrial.io.registry import BY_NAME

DOCS = Path(__file__).parents[2] / "docs" / "user" / "formats.md"


@pytest.mark.skipif(not DOCS.is_file(), reason="docs are not distributed with the tests")
def test_the_table_of_formats_names_every_format_once() -> None:
    table = DOCS.read_text(encoding="utf-8").partition("| name | which files")[2]
    cells = [line.split("|")[1] for line in table.split("\n\n")[0].split("\n")[2:]]
    assert sorted(name for cell in cells for name in re.findall("`([^`]+)`", cell)) == sorted(
        BY_NAME
    )
