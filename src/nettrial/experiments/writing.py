"""Write an experiment's results: table, figure, summary."""

from __future__ import annotations

from pathlib import Path

from ..core.atomic import whole_file
from ..core.plain_text import harmless
from .figures import save
from .result import ExperimentResult, summary


def write(result: ExperimentResult, out: Path) -> None:
    """Write results.csv, figure.png, figure.svg and summary.md."""
    out.mkdir(parents=True, exist_ok=True)
    with whole_file(out / "results.csv") as draft:
        result.table.map(harmless).to_csv(draft, index=False)
    save(result, out)
    with whole_file(out / "summary.md") as draft:
        draft.write_text(summary(result), encoding="utf-8")
