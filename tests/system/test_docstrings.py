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
# "expected ..., got ..." says the same in every message
UNUSUAL_MESSAGE = re.compile(r"\b(allowed|needed) (is|are)\b|\breceived\b")
ROOT = Path(nettrial.__file__).parent


@pytest.fixture(scope="module")
def sources():
    return {
        str(file.relative_to(ROOT)): ast.parse(file.read_text())
        for file in sorted(ROOT.rglob("*.py"))
    }


def _returning_functions(tree):
    """The functions with an annotated value; properties are named by nouns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            if ast.unparse(node.returns) != "None" and not decorators & {
                "property",
                "cached_property",
            }:
                yield node


def test_docstrings_say_what_is_done_or_returned(sources):
    unusual = [
        f"{file}:{node.lineno} {text.splitlines()[0]}"
        for file, tree in sources.items()
        for node in _returning_functions(tree)
        if UNUSUAL_BEGINNING.match(text := ast.get_docstring(node) or "")
    ]
    assert not unusual, "begin with 'Return' or another verb:\n" + "\n".join(unusual)


@pytest.mark.slow
def test_messages_say_what_was_expected_and_what_was_got(sources):
    unusual = [
        f"{file}:{node.lineno} {node.value}"
        for file, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and UNUSUAL_MESSAGE.search(node.value)
    ]
    assert not unusual, "say 'expected ..., got ...':\n" + "\n".join(unusual)
