"""Names come from files and models: here they are made harmless where they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

# what a spreadsheet takes for the start of one, in either width
FORMULA = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20")
# what it leaves out before it looks: spaces, and marks without width
IGNORED = " \xa0\u200b\u2060\ufeff"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SUSPECT = re.compile(rf"^['{IGNORED}]*[{re.escape(''.join(FORMULA))}]|{CONTROL.pattern}")


def letters(name: str) -> str:
    """Return what is left of a name however it is written: without capitals and separators.

    Examples
    --------
    >>> letters("RS-C") == letters("rsc"), letters("McNemar's test"), letters("precision@50")
    (True, 'mcnemartest', 'precision@50')
    """
    return re.sub(r"['’]s\b|[\s._-]", "", name.lower())


def listed(name: str, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> str:
    """Return a name as it is listed, however it is written; any other comes back as it is.

    The keys of `aliases` have no capitals and no separators.

    Examples
    --------
    >>> listed("K-Fold", ["kfold", "rrs"]), listed("RS", ["rrs"], {"rs": "rrs"}), listed("x", ["y"])
    ('kfold', 'rrs', 'x')
    """
    word = letters(name)
    known = {letters(one): one for one in names}
    return known.get(word, (aliases or {}).get(word, name))


def printable(text: str) -> str:
    """Escape control characters, line ends aside, so that no name can steer a terminal.

    Examples
    --------
    >>> printable("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def error_text(error: object, longest: int = 2000) -> str:
    """Return what an error says, whatever it is: no class of a model's own can break a message.

    Examples
    --------
    >>> error_text(ValueError("bad \\ud800")), error_text(ValueError("x" * 5000), 3)
    ('bad \\\\ud800', 'xxx ... (5,000 characters)')
    """
    try:
        text = str(error)
    except BaseException as second:  # noqa: BLE001 - a model may define it as it likes
        return f"(its text cannot be made: {type(second).__name__})"
    if len(text) > longest:
        text = f"{text[:longest]} ... ({len(text):,} characters)"
    return encodable(text)


def encodable(text: str) -> str:
    """Escape lone surrogates, which no file and no terminal takes.

    Examples
    --------
    >>> encodable("a\\ud800")
    'a\\\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def harmless(cell: Any) -> Any:
    """Return text that no spreadsheet runs as a formula, without control characters.

    A quote before it keeps a formula from running; text that begins with a quote before one gets
    another, so that no two texts become one. Control characters are escaped.

    Examples
    --------
    >>> harmless("=1+1"), harmless("＝1+1"), harmless("-1.5"), harmless("+"), harmless(-2)
    ("'=1+1", "'＝1+1", '-1.5', '+', -2)
    >>> harmless("'=1+1"), harmless("\\x01=1+1"), harmless(" a"), harmless("it's")
    ("''=1+1", '\\\\x01=1+1', ' a', "it's")
    """
    if not isinstance(cell, str) or not SUSPECT.search(cell):
        return cell
    text = CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), cell)
    core = text.lstrip("'")
    if len(core) < 2 or not core.lstrip(IGNORED).startswith(FORMULA):
        return text
    try:
        float(core)
    except ValueError:
        return f"'{text}"
    return text


def unguarded(text: str) -> str:
    """Return text without the quote that `harmless` puts before a formula.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("''=1+1"), unguarded("'-1.5"), unguarded("'a'")
    ('=1+1', "'=1+1", "'-1.5", "'a'")
    """
    return text[1:] if text[:1] == "'" and harmless(text[1:]) == text else text


def function_name(function: object) -> str:
    """Return how a function calls itself; one that is written in place is "lambda"."""
    return str(getattr(function, "__name__", type(function).__name__)).strip("<>")
