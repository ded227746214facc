"""A comparison as one self-contained HTML page."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..comparison.text import USUAL, headline, level, mean_of, numbers
from ..errors import InputError
from ..version import __version__
from . import content
from .disagreement import GROUPINGS, Grouping, NodeGroup, disagreement
from .plots import draw_groups, plot_intervals, plot_splits
from .references import used_references
from .svg import inline_svg
from .wording import bare_p, clean, shorten, shorten_name, signed

if TYPE_CHECKING:
    from jinja2 import Environment

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
    write_made(lambda: render(comparison), path)


def write_made(make: Callable[[], str], path: str | os.PathLike[str]) -> None:
    """Make a page and write it; a file that is there is replaced as a whole, or stays as it was.

    Raises
    ------
    InputError
        Where `path` cannot be written.
    """
    target = check_writable(path)  # before any work is done
    page = make()
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
        _check_present(path, target)
        probe = _beside(target)
        probe.touch(exist_ok=False)
        probe.unlink()
    except InputError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # in turn: refused, a NUL, a loop of links
        told = getattr(error, "strerror", None) or str(error)
        raise _unwritable(path, f"{told}; name a file in a folder that you may write") from error
    return target


def _check_present(path: str | os.PathLike[str], target: Path) -> None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise _unwritable(path, "that is a folder; name a file in it")
    if not stat.S_ISREG(mode):
        raise _unwritable(path, "that is not an ordinary file; name one")
    if target.suffix.lower() not in (".html", ".htm"):
        raise _unwritable(path, "that file is there already and is no .html file; name another")
    if not os.access(target, os.W_OK):
        raise _unwritable(path, "the file is protected; name another or make it writable")


def environment() -> Environment:
    """Give what renders a page: everything is escaped that is not marked as safe."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # names from files must not bring control characters into the page either
        finalize=lambda value: value if isinstance(value, Markup) else clean(value),
    )
    made.filters |= {
        "signed": signed,
        "mean_of": mean_of,
        "p": bare_p,
        "shorten": shorten,
        "shorten_name": shorten_name,
        "level": level,
    }
    return made


def render(comparison: Comparison) -> str:
    """Give the page as text."""
    from markupsafe import Markup

    template = environment().from_string(resource("page.html"))
    groups = {by: disagreement(comparison, by) for by in GROUPINGS}
    figures = _figures(comparison, groups)
    safe = {name: Markup(svg) for name, svg in figures.items()}  # noqa: S704 - names are escaped
    style = Markup(resource("page.css"))  # noqa: S704 - a file of this package
    return template.render(style=style, figures=safe, groups=groups, **_context(comparison))


def _figures(
    comparison: Comparison, groups: Mapping[Grouping, Sequence[NodeGroup]]
) -> dict[str, str]:
    a, b = shorten(comparison.a, 40), shorten(comparison.b, 40)
    title = comparison.measure.title
    drawn = {
        "intervals": (
            plot_intervals(comparison),
            f"Difference in {title} of {a} and {b} with its interval under each test; the "
            "numbers are in the table of tests.",
        ),
        "splits": (
            plot_splits(comparison),
            f"{title[:1].upper()}{title[1:]} of {a} and {b} on every split.",
        ),
    }
    for by, found in groups.items():
        drawn[by] = (
            draw_groups(comparison, found),
            f"How often only one of {a} and {b} is wrong, by {by}; the numbers are in the table.",
        )
    return {
        name: inline_svg(ax, prefix=f"{name}-", label=label) for name, (ax, label) in drawn.items()
    }


def _context(comparison: Comparison) -> dict[str, Any]:
    tests, notes = content.tests_table(comparison)
    network, classes = content.network_rows(comparison.predictions.network)
    return {
        "comparison": comparison,
        "measure": comparison.measure,
        "headline": headline(comparison),
        "numbers": numbers(comparison),
        "contrast": content.contrast(comparison),
        "best": comparison.test(comparison.recommended),
        "usual": comparison.test(USUAL),
        "cautions": content.cautions(comparison),
        "tests": tests,
        "notes": notes,
        "estimates": content.estimate_rows(comparison),
        "network": network,
        "classes": classes,
        "settings": content.setting_rows(comparison),
        "sentence": content.methods_sentence(comparison),
        "references": used_references(
            (test.name for test in comparison.tests), comparison.measure.name
        ),
        "version": __version__,
    }


def resource(name: str) -> str:
    """Read a file of this package."""
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
