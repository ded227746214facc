"""Which network of a file that holds several: named as ``file#name``, never merged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..core.errors import unknown_choice
from .guards import fail
from .numerals import whole_number


def split_member(path: Path) -> tuple[Path, str | None]:
    """Split ``file#name`` unless a file has that very name."""
    if "#" not in path.name or path.exists():
        return path, None
    name, _, member = path.name.rpartition("#")
    return path.with_name(name) if name else path, member


def choose_member(path: Path, names: Iterable[str], member: str | None) -> str:
    """Return the name of the network to read of a file that may hold several.

    `member` is what was asked for after ``#``. A name that itself is a number wins over the
    position; otherwise ``#2`` is the second network. Repeated names are distinguished by the
    caller.

    Examples
    --------
    >>> choose_member(Path("x.paj"), ["friends", "work"], "work")
    'work'
    >>> choose_member(Path("x.paj"), ["friends", "work"], None)
    Traceback (most recent call last):
    nettrial.InputError: x.paj: holds 2 networks (friends, work), which are ...
    """
    found = list(names)
    if member is None:
        if len(found) > 1:
            shown = ", ".join(found[:20]) + (", ..." if len(found) > 20 else "")
            fail(
                path,
                f"holds {len(found):,} networks ({shown}), which are not merged; choose one as "
                f"{path.name}#NAME",
            )
        return found[0]
    if member in found:
        return member
    place = whole_number(member)
    if place is not None and 1 <= place <= len(found):
        return found[place - 1]
    raise unknown_choice(f"{path}: network", member, found)
