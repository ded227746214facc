"""Texts that users read keep to plain English: each pattern below has a better form.

The laboratory's notes are not held to it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from words import kept

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(
        page
        for part in ("tours", "howto", "user")
        for page in sorted((ROOT / "docs" / part).glob("*.md"))
    ),
]
PAGES = [page for page in PAGES if page.exists()]
THINGS = "row|column|level|line|unit|fit|split|node|class|machine|worker|cell|task|file|module"
# pattern -> what to write instead
BETTER = {
    rf"\b(?:one|an?) (?:{THINGS}) an? [a-z]+": "'one row per node', not 'a row a node'",
    r"\b(?:is|are|was|were) told\b(?! apart)": "name who says it: a page shows, warns, reports",
    r"\bhas no use\b|\bof no use\b": "'does not help', 'is not used'",
    r"\bdrawn anew\b": "'resampled', 'redrawn'",
    r"\bclaims too much\b": "'is overconfident'",
    r"\bcolumn of its own\b": "'one-hot id'",
    r"\b[Ww]hoever\b": "begin with the subject",
    r"\btells? the luck\b|\bby luck\b": "'reflects the random seed', 'by chance'",
}
SHOWN = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)  # code and its output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_words(page: Path) -> None:
    text = SHOWN.sub("", page.read_text(encoding="utf-8"))
    found = [
        f"{page.name}: {match.group()!r}: write {better}"
        for pattern, better in BETTER.items()
        for match in re.finditer(pattern, text)
    ]
    assert not found, "\n".join(found)


def test_pages_are_short_together() -> None:
    """Words of README and site without code, its output and the laboratory's notes."""
    texts = [SHOWN.sub("", page.read_text(encoding="utf-8")) for page in PAGES]
    assert sum(len(text.split()) for text in texts) <= 22_500


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_say_when_to_use_them_and_where_to_go_next(page: Path) -> None:
    if page.name in {"README.md", "index.md", "changes.md"}:
        pytest.skip("where readers arrive, and a list")
    text = page.read_text(encoding="utf-8")
    assert re.match(r"# .*\n\nUse this page", text), "begin with 'Use this page when ...'"
    assert "**Next:**" in text, "end with '**Next:** [a page](...)'"


def test_texts_are_of_tests_that_there_are() -> None:
    gone = []
    for test in kept():
        file, _, rest = test.partition("::")
        path, name = ROOT / file, rest.partition("[")[0]
        if not path.is_file() or f"def {name}(" not in path.read_text(encoding="utf-8"):
            gone.append(test)
    assert not gone, f"leave these out of tests/words.json: {', '.join(gone)}"
