"""Every public name leads to an object, and no module hides a function of the same name."""

from __future__ import annotations

import importlib
import types
from pathlib import Path

import pytest

import nettrial

PACKAGES = (
    "nettrial",
    "nettrial.report",
    "nettrial.stats",
    "nettrial.models",
    "nettrial.splits",
    "nettrial.synth",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
    # only now, when all their modules are loaded, would a module of the same name show
    for name in module.__all__:
        assert not isinstance(getattr(module, name), types.ModuleType), name


def test_nothing_lies_loose_at_the_root() -> None:
    root = Path(nettrial.__file__).parent
    assert {path.name for path in root.iterdir() if path.is_file()} == {
        "__init__.py",
        "__main__.py",
        "py.typed",
    }
