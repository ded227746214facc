"""Pages of the API reference, one a public name: what `__all__` holds, and nothing else."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# package -> what its page says first
PACKAGES = {
    "nettrial": "The questions and their results, and networks from files and objects.",
    "nettrial.models": "Models by name, models of one's own, and how predictions spread.",
    "nettrial.splits": "Designs that split a network; see also :doc:`/user/splits`.",
    "nettrial.stats": "Classical tests as plain functions on arrays, each held to an oracle.",
    "nettrial.metrics": "Measures of predictions and scores, and their curves.",
    "nettrial.replicates": "The community bootstrap; see :doc:`/user/bootstrap`.",
    "nettrial.io": "Readers and writers; see also :doc:`/user/formats`.",
    "nettrial.report": "What writes a result to a file.",
    "nettrial.store": "Study files, which survive interruption.",
    "nettrial.synth": "Generated networks.",
    "nettrial.experiments": "The experiments of the source papers, by name.",
}

TITLES = {"class": "Classes", "function": "Functions", "data": "Data"}


def public(package: str) -> list[str]:
    """Return the public names of a package that hold documentation of their own."""
    module = importlib.import_module(package)
    return [name for name in module.__all__ if name != "__version__"]


def undocumented() -> list[str]:
    """Return the public names without a docstring."""
    found = []
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in public(package):
            value = getattr(module, name)
            if (inspect.isclass(value) or callable(value)) and not own_doc(value):
                found.append(f"{package}.{name}")
    return found


def own_doc(value: Any) -> str:
    """Return the docstring of an object, not one that it inherits."""
    return (value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__) or ""


def page(package: str, text: str) -> tuple[str, dict[str, str]]:
    """Return the page of one package, and the pages of its names by their places."""
    module = importlib.import_module(package)
    kinds: dict[str, list[str]] = {"class": [], "function": [], "data": []}
    for name in public(package):
        value = getattr(module, name)
        kind = "class" if inspect.isclass(value) else "function" if callable(value) else "data"
        kinds[kind].append(name)
    parts, pages = [heading(package, "="), text, f".. currentmodule:: {package}"], {}
    for kind, names in kinds.items():
        if not names:
            continue
        parts += [
            heading(TITLES[kind], "-"),
            directive("autosummary", names, ":nosignatures:"),
        ]
        for name in names:
            # Plan and plan would be one file where upper case does not count; in no toctree, since
            # every page shows the whole of it
            pages[f"made/{kind}.{package}.{name}"] = (
                f":orphan:\n\n:doc:`{package} </api/{package}>`\n\n{heading(name, '=')}\n\n"
                f".. currentmodule:: {package}\n\n"
                + directive(f"auto{kind}:: {name}", (), *members(getattr(module, name)))
                + see_also(package, name)
            )
    return "\n\n".join(parts) + "\n", pages


def home(package: str, name: str) -> str:
    """Return the module that a public name is from; at the top the folder of the module."""
    module = str(getattr(getattr(importlib.import_module(package), name), "__module__", ""))
    return ".".join(module.split(".")[:2]) if package == "nettrial" else module


def see_also(package: str, name: str) -> str:
    """Return what else a reader may look for: names from the same module, pages that use it."""
    value = getattr(importlib.import_module(package), name)
    alike = [
        f":py:obj:`{package}.{other}`"
        for other in public(package)
        if other != name and home(package, other) == home(package, name) != ""
        if inspect.isclass(there := getattr(importlib.import_module(package), other))
        == inspect.isclass(value)
        if callable(there)
    ]
    lines = []
    if alike and "See Also" not in own_doc(value):
        lines.append(f"{', '.join(alike[:8])}.")
    if pages := guides(package, name):
        lines.append(f"In the guide: {', '.join(f':doc:`/{page}`' for page in pages[:4])}.")
    return "\n\n" + directive("seealso", "\n\n".join(lines).splitlines()) if lines else ""


@cache
def guide_texts() -> dict[str, str]:
    """Return the text of every page of the guide."""
    docs = Path(__file__).parents[1]
    return {
        path.relative_to(docs).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for folder in ("user", "howto", "tours")
        for path in sorted((docs / folder).glob("*.md"))
    }


def guides(package: str, name: str) -> list[str]:
    """Return the pages of the guide that name a public name, most often first."""
    short = f"{package.rsplit('.', 1)[-1]}.{name}"
    pattern = re.compile(rf"(?<![\w.])(?:{re.escape(package)}\.{name}|{re.escape(short)})\b")
    counts = {page: len(pattern.findall(text)) for page, text in guide_texts().items()}
    return sorted((page for page, n in counts.items() if n), key=lambda page: -counts[page])


def members(value: Any) -> tuple[str, ...]:
    """Return the options that show the members of a class, those of its own bases among them."""
    if not inspect.isclass(value):
        return ()
    options = (":members:", ":member-order: bysource")
    if any(base.__module__.startswith("sklearn.") for base in value.__mro__):
        routed = ", ".join(name for name in dir(value) if re.fullmatch(r"set_\w+_request", name))
        return (*options, f":exclude-members: {routed}")
    return (*options, ":inherited-members: Sequence, Mapping, dict, tuple, Exception, Warning")


def index() -> str:
    """Return the page that leads to all packages."""
    said = "Every public function and class, with its source. What is not listed may change."
    rows = [f"   * - :doc:`{package}`\n     - {text}" for package, text in PACKAGES.items()]
    tree = ["   :hidden:", "", *(f"   {package}" for package in PACKAGES)]
    table = ".. list-table::\n\n" + "\n".join(rows)
    return (
        "\n\n".join([heading("API", "="), said, table, ".. toctree::\n" + "\n".join(tree)]) + "\n"
    )


def without_reprs(*event: Any) -> tuple[str, Any] | None:
    """Return a signature without what Python prints of objects that have no name."""
    signature, returns = event[5:]
    if signature is None or "<" not in signature:
        return None
    return re.sub(r"=\s*(?:\w+\([^()]*<[^>]*>[^()]*\)|<[^>]*>)", "=...", signature), returns


def heading(text: str, line: str) -> str:
    """Return a heading in reStructuredText."""
    return f"{text}\n{line * len(text)}"


def directive(name: str, lines: Iterable[str], *options: str) -> str:
    """Return a directive in reStructuredText."""
    head = f".. {name}" if "::" in name else f".. {name}::"
    return "\n".join(
        [head, *(f"   {option}" for option in options), "", *(f"   {line}" for line in lines)]
    )


def write_pages(app: Sphinx) -> None:
    """Write all pages before they are read; those that are as they were keep their times."""
    missing = undocumented()
    if missing:
        raise ExtensionError(f"public names without a docstring: {', '.join(missing)}")
    folder = Path(app.srcdir, "api")
    pages = {"index": index()}
    for package, text in PACKAGES.items():
        pages[package], own = page(package, text)
        pages |= own
    for old in folder.rglob("*.rst"):
        if old.relative_to(folder).with_suffix("").as_posix() not in pages:
            old.unlink()
    for place, text in pages.items():
        target = folder / f"{place}.rst"
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-signature", without_reprs)
    return {"parallel_read_safe": True}
