"""The works that methods paragraphs cite, for text and for BibTeX: the project's one table."""

from __future__ import annotations

from ..references import Source, bibtex, sources

Work = Source
WORKS = sources()

__all__ = ["WORKS", "Work", "bibtex"]
