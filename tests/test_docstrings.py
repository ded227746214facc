"""What every public function of the tests and measures must tell its user."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import nettrial
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


UNUSUAL_BEGINNING = re.compile(r"(Gives?|Says?|Tells?|Whether|What|How|The|A|An) ")


def _returning_functions(file):
    """The functions with an annotated value; properties are named by nouns."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            if ast.unparse(node.returns) != "None" and not decorators & {
                "property",
                "cached_property",
            }:
                yield node


def test_docstrings_say_what_is_done_or_returned():
    root = Path(nettrial.__file__).parent
    unusual = [
        f"{file.relative_to(root)}:{node.lineno} {text.splitlines()[0]}"
        for file in sorted(root.rglob("*.py"))
        for node in _returning_functions(file)
        if UNUSUAL_BEGINNING.match(text := ast.get_docstring(node) or "")
    ]
    assert not unusual, "begin with 'Return' or another verb:\n" + "\n".join(unusual)
