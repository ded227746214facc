"""A plugin of pytest that writes which public functions each test calls (see test_oracles.py).

Loaded before the tests (`-p called_functions`), it wraps what every public function is decorated
with, and so records calls however a test came by the function.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from nettrial.core import arguments

PLACE = "NETTRIAL_CALLED"  # environment: the file that is written
called: set[str] = set()
by_test: dict[str, list[str]] = {}
_check = arguments.check_arguments


def recorded(function: Any) -> Any:
    checked: Callable[..., Any] = _check(function)
    if isinstance(function, type):
        return checked

    @wraps(checked)
    def call(*args: Any, **kwargs: Any) -> Any:
        called.add(f"{function.__module__}.{function.__name__}")
        return checked(*args, **kwargs)

    return call


if PLACE in os.environ:  # doctests of the folder import this file too
    arguments.check_arguments = recorded


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    called.clear()
    yield
    # of a test with parameters all together; only those that pass come here
    name = item.nodeid.rpartition("tests/")[2].partition("[")[0]
    by_test[name] = sorted({*by_test.get(name, ()), *called})


def pytest_sessionfinish() -> None:
    if PLACE in os.environ:
        Path(os.environ[PLACE]).write_text(json.dumps(by_test), encoding="utf-8")
