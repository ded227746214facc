"""The methods paragraph of a document, in words and in LaTeX, and the sources that it cites."""

from __future__ import annotations

import re

from ..core.references import sources
from ..core.wording import clean
from . import latex
from .document import Document
from .references import CITED


def in_words(document: Document) -> str:
    """Return what was done, so that a reviewer can check it; sources by authors and year."""

    def short(match: re.Match[str]) -> str:
        return f"({'; '.join(sources()[key].short for key in match[1].split(','))})"

    return CITED.sub(short, document.methods(clean))


def in_latex(document: Document) -> str:
    r"""Return the same with \cite commands for the keys of `bibtex`, and names escaped."""
    # the paragraph itself holds no other special characters than percent signs and rho
    text = re.sub(r"(?<!\\)%", r"\\%", document.methods(latex.escape))
    return CITED.sub(r"\\cite{\1}", text)


def cited(document: Document) -> list[str]:
    """Return the keys of the sources that the methods paragraph cites, each once."""
    marked = CITED.findall(document.methods(clean))
    return list(dict.fromkeys(key for keys in marked for key in keys.split(",")))


def rests_on(document: Document) -> list[str]:
    """Return the keys of all that a result rests on, each once."""
    return list(dict.fromkeys([*cited(document), *document.sources]))
