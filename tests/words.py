"""Texts of errors and warnings, held against one file that one command makes anew.

``pytest --write-words`` writes what the tests that it runs read now; review the change of
``words.json`` as you review text. Tests say which error it is, and the file says its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parent / "words.json"
SHARED = Path(__file__).resolve().parents[2] / "shared"
# what is another thing on another machine, or in code that was edited -> what stands for it
VARYING = {
    re.compile(r"\b[0-9a-f]{24}\b"): "<digest>",
    re.compile(r"about [\d.]+ (?:seconds?|minutes?|hours?)"): "about <time>",
    re.compile(r"\([\d,]+ letters\)"): "(<number> letters)",
}


class Words:
    """The texts that one test reads, in their order."""

    def __init__(self, folder: Path) -> None:
        self.read: list[str] = []
        self._folder = str(folder)

    def note(self, text: object) -> None:
        """Read a text; what varies from run to run is left out of it."""
        said = str(text).replace(self._folder, "<folder>").replace(str(SHARED), "<shared>")
        for pattern, mark in VARYING.items():
            said = pattern.sub(mark, said)
        self.read.append(said)

    @contextmanager
    def raises(self, kind: type[Exception]) -> Iterator[pytest.ExceptionInfo[Any]]:
        """Expect an error, and read what it says."""
        with pytest.raises(kind) as caught:
            yield caught
        self.note(caught.value)

    @contextmanager
    def warns(self, kind: type[Warning]) -> Iterator[pytest.WarningsRecorder]:
        """Expect warnings of a kind, and read what each of them says, once."""
        with pytest.warns(kind) as caught:
            yield caught
        for text in dict.fromkeys(
            str(one.message) for one in caught if issubclass(one.category, kind)
        ):
            self.note(text)


def kept() -> dict[str, list[str]]:
    """Return the texts of all tests."""
    found: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write(read: dict[str, list[str]]) -> None:
    """Write the texts that tests read now beside those of the tests that were not run."""
    texts = (kept() if FILE.exists() else {}) | read
    FILE.write_text(
        json.dumps(texts, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
    )
