"""A plugin of pytest that writes down every call which a test makes of a peer's function.

    pytest -p peer_calls.recording --pyargs scipy.stats.tests.test_morestats

Functions are replaced in every module of their package that holds them, before the tests are
imported, so that `from scipy.stats import wilcoxon` in a test binds the replacement. Only calls of
the tests themselves are kept, not those that one function makes of another. What cannot be pickled,
holds more than 2 MB or makes the peer raise is counted and left out. Where to and which functions is in the environment: PEER_CALLS (a file)
and PEER_FUNCTIONS (names between commas, `package.function` or `package.Class.method`).
"""

from __future__ import annotations

import functools
import importlib
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import cloudpickle

MOST = 2_000_000  # bytes of a call that is kept
depth = 0
kept: list[bytes] = []
seen: set[bytes] = set()
lost: dict[tuple[str, str], int] = {}  # by peer and reason


def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which writes down what it is asked and what it answers."""

    @functools.wraps(function)
    def ask(*args: Any, **options: Any) -> Any:
        global depth
        try:
            # before the call, since a function may change its arguments
            asked = cloudpickle.dumps((args, options)) if depth == 0 else b""
        except Exception:
            asked = b""
            leave(name, "cannot be pickled")
        depth += 1
        try:
            answer = function(*args, **options)
        except BaseException:
            if depth == 1:
                leave(name, "the peer refuses it, or fails")
            raise
        finally:
            depth -= 1
        if len(asked) > MOST:
            leave(name, "more than 2 MB of data")
        elif asked:
            keep(name, asked, answer)
        return answer

    return ask


def leave(name: str, why: str) -> None:
    """Count a call that is not kept."""
    key = name.partition(".")[0], why
    lost[key] = lost.get(key, 0) + 1


def keep(name: str, asked: bytes, answer: Any) -> None:
    """Write down a call that was not made before."""
    try:
        whole = cloudpickle.dumps((name, asked, cloudpickle.dumps(answer)))
    except Exception:
        leave(name, "cannot be pickled")
        return
    if whole not in seen:
        seen.add(whole)
        kept.append(whole)


def replace(name: str) -> None:
    """Put the recorded function wherever its package holds the plain one."""
    path, own = name.rsplit(".", 1)
    try:
        home: Any = importlib.import_module(path)
    except ImportError:  # a method
        module, kind = path.rsplit(".", 1)
        home = getattr(importlib.import_module(module), kind)
    plain = getattr(home, own)
    asked = recorded(name, plain)
    setattr(home, own, asked)
    top = name.partition(".")[0]
    for module in [m for key, m in sys.modules.items() if key.partition(".")[0] == top]:
        for word, value in list(vars(module).items()):
            if value is plain:
                with suppress(AttributeError, TypeError):
                    setattr(module, word, asked)
            if isinstance(value, dict) and plain in value:  # a registry of functions
                value[asked] = value[plain]


def pytest_configure(config: Any) -> None:
    """Replace the functions before any test is imported."""
    for name in os.environ["PEER_FUNCTIONS"].split(","):
        replace(name)


def pytest_sessionfinish(session: Any) -> None:
    """Write the calls."""
    with open(os.environ["PEER_CALLS"], "wb") as file:
        pickle.dump((kept, lost), file)
