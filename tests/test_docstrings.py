"""What every public function of the tests and measures must tell its user."""

from __future__ import annotations

import inspect
import re

import pytest

from nettrial import metrics, stats

FUNCTIONS = {
    name: getattr(module, name)
    for module in (stats, metrics)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name)) and name not in ("specification", "recommend")
}
# a function may refer to its sibling by name instead of repeating it
SIBLING = r"(those\s+of|see|as|of)\s+`[a-z0-9_]+`"
MUST_TELL = {
    "when to use it": r"(When to use|\bUse)\b",
    "assumptions": r"[Aa]ssum",
    "what it does not answer": r"\b(not|cannot)\b",
    "source": rf"\b(19|20)\d\d\b|{SIBLING}",
    "runnable example": r"Examples\n-+\n+>>> ",
}


@pytest.mark.parametrize("what", MUST_TELL)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_tells(name, what):
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    assert re.search(MUST_TELL[what], text), f"{name} does not tell: {what}"
