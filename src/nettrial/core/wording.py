"""Names and numbers as text: what every message, table and page needs."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

JOINERS = "\u200c\u200d"  # not printable by themselves, but part of words in several scripts
# before a number, or between a symbol or number and one: never within a name with a hyphen
MINUS = re.compile(r"(?<![^\s(\[])-(?=\d|inf\b)|(?:(?<=\b\w )|(?<=[\d)] ))-(?= \d)")


def listed(names: Sequence[str], before_last: str = "and") -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a', 'a, b and c', 'a or b')
    """
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {before_last} {names[-1]}"


def capitalized(text: str) -> str:
    """Return text as the beginning of a sentence.

    Examples
    --------
    >>> capitalized("the test"), capitalized("AUC")
    ('The test', 'AUC')
    """
    return text[:1].upper() + text[1:]


def plural(number: int, word: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "split"), plural(12_000, "node")
    ('1 split', '12,000 nodes')
    """
    return f"{number:,} {word}{'s' * (number != 1)}"


def clean(text: object) -> str:
    """Write any value on one line; what cannot be printed becomes a replacement character.

    Examples
    --------
    >>> clean("a\\nb"), clean(7), clean("x\\x00") == "x\\ufffd"
    ('a b', '7', True)
    """
    line = " ".join(str(text).split())
    return "".join(c if c.isprintable() or c in JOINERS else "\ufffd" for c in line)


def shorten(text: object, width: int) -> str:
    """Cut a name that is wider than `width` letters and end it with an ellipsis.

    Letters of East Asian scripts count as two.

    Examples
    --------
    >>> shorten("relational", 6), shorten("short", 6), shorten("日本語", 5)
    ('relat…', 'short', '日本…')
    """
    line = clean(text)
    widths = [2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line]
    if sum(widths) <= width:
        return line
    used, kept = 1, ""
    for letter, wide in zip(line, widths):
        used += wide
        if used > width:
            break
        kept += letter
    return kept.rstrip() + "…"


def shorten_name(text: object, width: int) -> str:
    """Cut the middle of a name that is too wide: names of one kind often begin alike.

    Examples
    --------
    >>> shorten_name("http://example.org/people/ann", 12), shorten_name("ann", 12)
    ('http:…le/ann', 'ann')
    """
    line = clean(text)
    if shorten(line, width) == line:
        return line
    front = shorten(line, width // 2)
    back = shorten(line[::-1], width - width // 2 + 1)[::-1]
    return front.removesuffix("…") + back


def shorten_apart(names: Iterable[object], width: int) -> list[str]:
    """Shorten names such that those that differ still do: by their ends, or by a number.

    Examples
    --------
    >>> shorten_apart(["boosting", "boosting+graph"], 8)
    ['boosting', 'boostin…']
    >>> shorten_apart(["a" * 9 + "b" + "a" * 9, "a" * 19, "a" * 19], 6)
    ['a…aa 1', 'a…aa 2', 'a…aa 2']
    """
    names = [clean(name) for name in names]
    found = {name: shorten(name, width) for name in names}
    if len(set(found.values())) < len(found):
        found = {name: shorten_name(name, width) for name in found}
    if len(set(found.values())) < len(found):
        room = width - len(str(len(found))) - 1
        found = {
            name: f"{shorten_name(name, room)} {number}" for number, name in enumerate(found, 1)
        }
    return [found[name] for name in names]


def points(value: float) -> str:
    """Write a difference of rates in percentage points.

    Examples
    --------
    >>> points(-0.0123), points(float("inf"))
    ('-1.2', 'inf')
    """
    if not math.isfinite(value):
        return "-" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    rounded = round(100 * value, 1)
    return f"{rounded + 0.0:.1f}"


def level(confidence: float) -> str:
    """Write the level of an interval so that none is rounded to 0% or 100%.

    Examples
    --------
    >>> level(0.95), level(0.999), level(0.975)
    ('95%', '99.9%', '97.5%')
    """
    return f"{100 * confidence:.10g}%"


def pvalue_text(p: float) -> str:
    """Write a p-value so that it is never shown as zero, nor as the level that it just misses.

    Two digits are significant, zeros at the end too; from 0.095 on there are two decimals.

    Examples
    --------
    >>> pvalue_text(0.0312), pvalue_text(1e-9), pvalue_text(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'no p-value')
    >>> pvalue_text(0.0498), pvalue_text(0.0503)
    ('p = 0.0498', 'p = 0.0503')
    >>> pvalue_text(0.00198), pvalue_text(0.0203), pvalue_text(1.0)
    ('p = 0.0020', 'p = 0.020', 'p = 1.00')
    """
    if math.isnan(p):
        return "no p-value"
    if p < 1e-4:
        return "p < 0.0001"
    if p >= 0.095:
        return f"p = {p:.2f}"
    short = f"{p:#.2g}"
    return f"p = {p:#.3g}" if short == "0.050" else f"p = {short}"


def bare_p(p: float) -> str:
    """Write a p-value for a column that is headed p.

    Examples
    --------
    >>> bare_p(0.0312), bare_p(1e-9), bare_p(float("nan"))
    ('0.031', '< 0.0001', '-')
    """
    return "-" if math.isnan(p) else pvalue_text(p).removeprefix("p ").removeprefix("= ")


def df_text(df: float | None) -> str:
    """Write degrees of freedom: two decimals, or none where they are a whole number.

    Examples
    --------
    >>> df_text(9.764), df_text(3.9), df_text(9.0), df_text(1234.5), df_text(float("inf"))
    ('9.76', '3.90', '9', '1,234.50', 'inf')
    >>> df_text(None), df_text(float("nan"))
    ('-', '-')
    """
    if df is None or math.isnan(df):
        return "-"
    whole = math.isfinite(df) and abs(df - round(df)) < 1e-9
    return f"{df:,.0f}" if whole else f"{df:,.2f}"


def minus(text: str) -> str:
    """Write the minus signs of numbers and formulas in a sentence as such.

    Examples
    --------
    >>> minus("a-1 minus b: -1.2, interval -2.0 to 0.1 (-3)")
    'a-1 minus b: −1.2, interval −2.0 to 0.1 (−3)'
    >>> minus("over n - 1 of 2^12 - 1 for gcn - 1")
    'over n − 1 of 2^12 − 1 for gcn - 1'
    """
    return MINUS.sub("−", text)


def duration(seconds: float) -> str:
    """Write a duration.

    Examples
    --------
    >>> duration(40), duration(600), duration(9000), duration(400000)
    ('40 seconds', '10 minutes', '2.5 hours', '4.6 days')
    """
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds:.0f} seconds"
