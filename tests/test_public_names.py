"""Every public name leads to an object, and no module hides a function of the same name."""

from __future__ import annotations

import importlib
import importlib.util
import types
from pathlib import Path

import pytest

FACE = Path(__file__).parents[1] / ".ci" / "public_face.py"

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


def test_no_name_and_no_option_is_lost() -> None:
    """What the page shows of an earlier commit is still there, or the script says where it went."""
    given = importlib.util.spec_from_file_location("public_face", FACE)
    assert given is not None
    assert given.loader is not None
    script = importlib.util.module_from_spec(given)
    given.loader.exec_module(script)
    before, now = script.kept(), script.face()
    assert len(before) > 200
    for name, options in before.items():
        missing = script.told(name, options, now.get(name))[1]
        assert not missing, f"say in {FACE.name} what stands in the place of {missing}"
