"""What a report of a bug needs to tell of the machine, and nothing that is private."""

from __future__ import annotations

import os
import platform
from importlib import metadata

from ..core.version import __version__
from ..kernels import places

NAME = "nettrial"


def surroundings() -> dict[str, str]:
    """Return the versions of nettrial, Python and all packages that nettrial may use, and more.

    Paths are reported without the user's home folder.
    """
    import numba

    found = {
        NAME: __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": str(os.cpu_count()),
        "threads of numba": str(numba.config.NUMBA_NUM_THREADS),
        "compiled code": _without_home(str(places.folder() or "kept nowhere")),
        "settings": ", ".join(sorted(key for key in os.environ if key.startswith("NETTRIAL_")))
        or "none",
    }
    return found | {name: _version(name) for name in packages()}


def packages() -> list[str]:
    """Return the packages that nettrial requires, and those of its extras."""
    names = set()
    for text in metadata.requires(NAME) or ():
        requirement, _, marker = text.partition(";")
        if not any(f"extra == {quote}{name}{quote}" in marker for name in SKIP for quote in "'\""):
            names.add(requirement.partition("[")[0].split(">")[0].split("=")[0].strip())
    return sorted(names - {NAME})


SKIP = ("dev", "docs", "test")  # extras that users do not run


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _without_home(path: str) -> str:
    home = os.path.expanduser("~")
    return path.replace(home, "~", 1) if path.startswith(home) else path
