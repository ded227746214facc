"""What tests of several commands begin with."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    def to_file(columns, name="table.csv", separator=","):
        path = tmp_path / name
        rows = [list(columns), *zip(*columns.values())]
        text = "\n".join(separator.join(map(str, row)) for row in rows)
        path.write_text(text + "\n", encoding="utf-8")
        return path

    return to_file
