"""Numbers as data files write them: ASCII decimals, nothing that only Python would accept."""

from __future__ import annotations

import re

WHOLE = re.compile(r"[+-]?[0-9]+")
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
MAX_DIGITS = 19  # of what fits into 64 bits
MAX_LONG = 4000  # digits; Python refuses more than 4,300


def whole_number(text: str) -> int | None:
    """Read an integer that 64 bits hold; None for anything else.

    Examples
    --------
    >>> whole_number("12"), whole_number("²"), whole_number("1_0"), whole_number("--1")
    (12, None, None, None)
    >>> whole_number("9223372036854775807"), whole_number("9223372036854775808")
    (9223372036854775807, None)
    """
    if len(text) > MAX_DIGITS + 1 or WHOLE.fullmatch(text) is None:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


def long_number(text: str) -> int | None:
    """Read an integer of any length that Python turns into a number in no time.

    Examples
    --------
    >>> long_number("123456789012345678901"), long_number("1" * 5000)
    (123456789012345678901, None)
    """
    return int(text) if len(text) <= MAX_LONG and WHOLE.fullmatch(text) else None


def decimal_number(text: str) -> float | None:
    """Read a finite decimal number; None for anything else.

    Examples
    --------
    >>> decimal_number("-1.5e2"), decimal_number("nan"), decimal_number("1e999")
    (-150.0, None, None)
    """
    # the length is checked first, since no number that a program writes is longer
    if len(text) > 400 or DECIMAL.fullmatch(text) is None:
        return None
    number = float(text)
    return None if number in (float("inf"), float("-inf")) else number
