"""The sources that the project rests on: one table, for docstrings, reports and BibTeX.

The table is `references.bib`, one entry per source; its field `supports` says what was taken from
it, and stays inside the project. Docstrings name a source by its authors and year.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from .errors import unknown_choice

WHERE = ("journal", "booktitle", "publisher", "school", "howpublished", "note")
ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308",
           "v": "\u030c", "r": "\u030a", "c": "\u0327"}  # fmt: skip
ENTRY = re.compile(r"@(\w+)\{([^,]+),\n(.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """One work."""

    key: str  # its name in BibTeX
    kind: str  # its BibTeX type
    fields: Mapping[str, str]  # BibTeX fields, with accents as LaTeX writes them
    supports: str  # what was taken from it

    @property
    def year(self) -> int:
        return int(self.fields["year"])

    @property
    def surnames(self) -> tuple[str, ...]:
        """The last names of its authors."""
        authors = self.fields["author"].split(" and ")
        return tuple(unicode_text(author).split(", ")[0] for author in authors)

    @property
    def short(self) -> str:
        """Authors and year, as text cites it."""
        names = self.surnames
        if len(names) > 2:
            return f"{names[0]} et al. {self.year}"
        return f"{' and '.join(names)} {self.year}"

    @property
    def text(self) -> str:
        """The whole reference in a line."""
        names = ", ".join(_initials(author) for author in self.fields["author"].split(" and "))
        title = unicode_text(self.fields["title"])
        number = f"({self.fields['number']})" if "number" in self.fields else ""
        volume = f" {self.fields['volume']}{number}" if "volume" in self.fields else ""
        place = next(self.fields[name] for name in WHERE if name in self.fields)
        pages = f", {self.fields['pages']}" if "pages" in self.fields else ""
        doi = f" doi:{self.fields['doi']}" if "doi" in self.fields else ""
        end = "" if title.endswith("?") else "."
        return unicode_text(f"{names} ({self.year}). {title}{end} {place}{volume}{pages}.{doi}")

    def bibtex(self) -> str:
        """Return the entry for a .bib file."""
        lines = [f"  {name} = {{{value}}}," for name, value in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def unicode_text(latex: str) -> str:
    r"""Return a BibTeX field as plain text.

    Examples
    --------
    >>> unicode_text(r"Dem{\v{s}}ar, K{\"u}nsch, pages 1--30, {Bayes}")
    'Demšar, Künsch, pages 1–30, Bayes'
    """

    def accented(match: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", match[2] + ACCENTS[match[1]])

    text = latex.replace(r"{\i}", "ı").replace("--", "–").replace("``", "“").replace("''", "”")
    text = re.sub(r"\{\\([`'^~\"vrc])\{?(\w)\}?\}", accented, text)
    return re.sub(r"[{}$]|(?<=T)_0", "", text).replace("`", "‘")


def _initials(author: str) -> str:
    """Return the initials of the first names before the last name."""
    last, _, first = unicode_text(author).partition(", ")
    letters = [
        "-".join(f"{part[0]}." for part in name.split("-") if part) for name in first.split()
    ]
    return " ".join([*letters, last])


@cache
def sources() -> Mapping[str, Source]:
    """Return the table of sources by key, in the order of the file.

    Examples
    --------
    >>> sources()["holm1979"].short
    'Holm 1979'
    """
    file = resources.files(__package__) / "references.bib"
    found = {}
    for kind, key, body in ENTRY.findall(file.read_text(encoding="utf-8")):
        fields = dict(FIELD.findall(body))
        supports = fields.pop("supports")
        found[key] = Source(key, kind, fields, supports)
    return found


def bibtex(keys: Iterable[str]) -> str:
    """Return the BibTeX entries of these sources, in the order of the keys, each once.

    Examples
    --------
    >>> print(bibtex(["holm1979"]).splitlines()[0])
    @article{holm1979,
    """
    table = sources()
    entries = []
    for key in dict.fromkeys(keys):
        if key not in table:
            raise unknown_choice("reference", key, table)
        entries.append(table[key].bibtex())
    return "\n\n".join(entries) + "\n"
