"""A comparison as one self-contained HTML page."""

from __future__ import annotations

import os
import secrets
import shutil
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import InputError
from . import content
from .disagreement import disagreement
from .plots import draw_groups, plot_intervals, plot_splits
from .references import used_references
from .svg import inline_svg
from .wording import bare_p, clean, shorten, signed

if TYPE_CHECKING:
    from ..comparison.result import Comparison


def write_report(comparison: Comparison, path: str | os.PathLike[str]) -> None:
    """Write a comparison as one HTML page that needs neither network nor scripts.

    Equal comparisons give equal bytes. A file that is there already is replaced as a whole, or
    stays as it was where writing fails.

    Parameters
    ----------
    comparison : Comparison
        What to report.
    path : str or path
        The file to write.

    Raises
    ------
    InputError
        Where `path` cannot be written.
    """
    target = check_writable(path)
    page = render(comparison)
    try:
        _replace(target, page.encode("utf-8"))
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error


def check_writable(path: str | os.PathLike[str]) -> Path:
    """Refuse a path that `write_report` could not write, before any work is done.

    Parameters
    ----------
    path : str or path
        The file to write.

    Returns
    -------
    Path
        Where the file will be, links resolved.

    Raises
    ------
    InputError
        Where the folder does not exist or takes no new file, or where something is there that
        is no file or is protected.

    Examples
    --------
    >>> check_writable("no/such/folder/report.html")
    Traceback (most recent call last):
    nettrial.errors.InputError: report 'no/such/folder/report.html': there is no such folder; ...
    """
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise _unwritable(path, "there is no such folder; create it first")
        if target.is_dir():
            raise _unwritable(path, "that is a folder; name a file in it")
        if target.exists() and not target.is_file():
            raise _unwritable(path, "that is not an ordinary file; name one")
        if target.exists() and not os.access(target, os.W_OK):
            raise _unwritable(path, "the file is protected; name another or make it writable")
        probe = _beside(target)
        probe.touch(exist_ok=False)
        probe.unlink()
    except (OSError, ValueError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        told = getattr(error, "strerror", None) or str(error)
        raise _unwritable(path, f"{told}; name a file in a folder that you may write") from error
    return target


def render(comparison: Comparison) -> str:
    """Give the page as text."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # names from files must not bring control characters into the page either
        finalize=lambda value: value if isinstance(value, Markup) else clean(value),
    )
    environment.filters |= {"signed": signed, "p": bare_p, "shorten": shorten}
    template = environment.from_string(_resource("page.html"))
    figures = {name: Markup(svg) for name, svg in _figures(comparison).items()}  # noqa: S704
    style = Markup(_resource("page.css"))  # noqa: S704 - both are written here, names escaped
    return template.render(style=style, figures=figures, **_context(comparison))


def _figures(comparison: Comparison) -> dict[str, str]:
    a, b = shorten(comparison.a, 40), shorten(comparison.b, 40)
    drawn = {
        "intervals": (
            plot_intervals(comparison),
            f"Difference in error rate of {a} and {b} with its interval under each test; the "
            "numbers are in the table of tests.",
        ),
        "splits": (plot_splits(comparison), f"Error rates of {a} and {b} on every split."),
    }
    for by, groups in _groups(comparison).items():
        drawn[by] = (
            draw_groups(comparison, groups),
            f"How often only one of {a} and {b} is wrong, by {by}; the numbers are in the table.",
        )
    return {
        name: inline_svg(ax, prefix=f"{name}-", label=label) for name, (ax, label) in drawn.items()
    }


def _context(comparison: Comparison) -> dict[str, Any]:
    from ..comparison.text import headline, numbers

    tests, notes = content.tests_table(comparison)
    network, classes = content.network_rows(comparison.predictions.network)
    return {
        "comparison": comparison,
        "headline": headline(comparison),
        "numbers": numbers(comparison),
        "contrast": content.contrast(comparison),
        "best": comparison.test(comparison.recommended),
        "usual": comparison.test(content.USUAL),
        "tests": tests,
        "notes": notes,
        "groups": _groups(comparison),
        "estimates": content.estimate_rows(comparison),
        "network": network,
        "classes": classes,
        "settings": content.setting_rows(comparison),
        "sentence": content.methods_sentence(comparison),
        "references": used_references(test.name for test in comparison.tests),
        "version": __version__,
    }


def _groups(comparison: Comparison) -> dict[str, Any]:
    return {by: disagreement(comparison, by) for by in ("community", "degree")}


def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _replace(target: Path, data: bytes) -> None:
    """Write beside the target, then rename: a reader sees the old file or the new one."""
    new = _beside(target)
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, new)
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _beside(target: Path) -> Path:
    return target.with_name(f".nettrial-{secrets.token_hex(8)}.tmp")


def _unwritable(path: str | os.PathLike[str], told: str) -> InputError:
    return InputError(f"report {os.fspath(path)!r}: {told}")
