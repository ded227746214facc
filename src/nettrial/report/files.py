"""Files that are written: checked before any work is done, and replaced as a whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.atomic import own_folder, whole_file
from ..core.errors import InputError, shown

PAGE, LATEX, MARKDOWN = (".html", ".htm"), (".tex",), (".md", ".markdown")
TYPST, WORD = (".typ",), (".docx",)
IN_PAPER = (
    "figure.pdf", "caption.tex", "table.tex", "methods.tex", "verdict.tex", "supplement.tex",
    "references.bib", "paper.tex",
)  # fmt: skip


def write_whole(
    make: Callable[[], str | bytes],
    path: str | os.PathLike[str],
    *,
    what: str = "report",
    endings: Sequence[str] = PAGE,
) -> None:
    """Write what is made; a file that is there is replaced as a whole, or stays as it was.

    Parameters
    ----------
    make : callable
        Makes a text or bytes, once the path is known to be writable.
    path : str or path
        The file to write.
    what : str
        What the file is, for errors.
    endings : sequence of str
        A file that is there already is only replaced if its name ends in one of these.
    """
    check_writable(path, what=what, endings=endings)
    made = make()
    with whole_file(path) as draft:
        draft.write_bytes(made.encode("utf-8") if isinstance(made, str) else made)


def check_writable(
    path: str | os.PathLike[str], *, what: str = "report", endings: Sequence[str] = PAGE
) -> Path:
    """Refuse a path that `write_whole` could not write, before any work is done.

    Parameters
    ----------
    path, what, endings
        As for `write_whole`.

    Returns
    -------
    Path
        Where the file will be, links resolved.

    Examples
    --------
    >>> check_writable("no/such/folder/report.html")
    Traceback (most recent call last):
    nettrial.InputError: report 'no/such/folder/report.html': there is ...
    """
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise _unwritable(what, path, "there is no such folder; create it first")
        _check_present(what, path, target, endings)
        with own_folder(target.parent):
            pass
    except InputError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # in turn: refused, a NUL, a loop of links
        note = getattr(error, "strerror", None) or str(error)
        raise _unwritable(
            what, path, f"{note}; name a file in a folder that you may write"
        ) from error
    return target


def _check_present(
    what: str, path: str | os.PathLike[str], target: Path, endings: Sequence[str]
) -> None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise _unwritable(what, path, "that is a folder; name a file in it")
    if not stat.S_ISREG(mode):
        raise _unwritable(what, path, "that is not an ordinary file; name one")
    if target.suffix.lower() not in endings:
        raise _unwritable(
            what, path, f"that file is there already and is no {endings[0]} file; name another"
        )
    if not os.access(target, os.W_OK):
        raise _unwritable(what, path, "the file is protected; name another or make it writable")


def _unwritable(what: str, path: str | os.PathLike[str], note: str) -> InputError:
    return InputError(f"{what} {shown(os.fspath(path))}: {note}")
