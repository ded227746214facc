"""Reports on results: what they say (`describe.describe`), and how that is written and drawn.

`write_report`, `write_latex`, `write_markdown`, `write_typst`, `write_docx`, `write_paper` and
`checklist` take any result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy_names import lazily

if TYPE_CHECKING:
    from .survey import checklist
    from .writing import (
        write_docx,
        write_latex,
        write_markdown,
        write_paper,
        write_report,
        write_typst,
    )

_HOME = {
    "checklist": "survey",
    "write_docx": "writing",
    "write_latex": "writing",
    "write_markdown": "writing",
    "write_paper": "writing",
    "write_report": "writing",
    "write_typst": "writing",
}
__all__ = [
    "checklist",
    "write_docx",
    "write_latex",
    "write_markdown",
    "write_paper",
    "write_report",
    "write_typst",
]
__getattr__, __dir__ = lazily(__name__, _HOME)
