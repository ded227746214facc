"""Every file format that can be read: what the modules of this package list as `FILE_FORMATS`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

from .. import io
from .format import Format, Request

__all__ = ["BY_NAME", "FORMATS", "Format", "Request", "recognize"]


def found_formats() -> tuple[Format, ...]:
    """Return the formats of all modules, those first that are asked first."""
    names = [each.name for each in pkgutil.iter_modules(io.__path__) if each.name != "registry"]
    modules = [import_module(f"{io.__name__}.{name}") for name in names]
    formats = [each for module in modules for each in getattr(module, "FILE_FORMATS", ())]
    return tuple(sorted(formats, key=lambda each: each.order))


FORMATS = found_formats()
BY_NAME = {each.name: each for each in FORMATS}


def recognize(path: Path, head: bytes) -> Format | None:
    """Find the format of a file by its content; None where no format fits."""
    return next((format for format in FORMATS if format.recognize(path, head)), None)
