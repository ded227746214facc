"""Notebooks are kept with their outputs, which hosts of code show: they must be those of today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging


def note(notebook: Path) -> list[Any]:
    """Return what the cells of a notebook print and give, as text; pictures by their size."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [each for cell in cells for each in cell.get("outputs", ())]
    return [each.get("data", {}).get("text/plain", each.get("text")) for each in outputs]


def compare(app: Sphinx, failure: Exception | None) -> None:
    """Warn where kept outputs are not what the notebooks give when they run."""
    made = Path(app.outdir).parent / "jupyter_execute"
    for run in sorted(made.rglob("*.ipynb")) if failure is None else ():
        kept = Path(app.srcdir, run.relative_to(made))
        if kept.exists() and note(kept) != note(run):
            logging.getLogger(__name__).warning(
                "%s does not hold what its cells give now; look at it and keep it: cp %s %s",
                *(kept.name, run, kept),
            )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", compare)
    return {"parallel_read_safe": True}
