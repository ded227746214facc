"""Public names of a package whose modules are loaded when they are used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def load(package: str, home: Mapping[str, str], name: str) -> Any:
    """Return a public name of a package, for its ``__getattr__``.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    home : mapping of str to str
        Public name -> the module below the package that holds it.
    name : str

    Raises
    ------
    AttributeError
        For a name that is none of these.
    """
    if name not in home:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{home[name]}", package), name)
