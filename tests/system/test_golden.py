"""Every reference case, computed by R, against the library."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import golden_adapters

ADAPTERS: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {}
# (method, expected key) -> why the library has no such value
NOT_OFFERED: dict[tuple[str, str], str] = {}
# (method, expected key) -> (relative, absolute) tolerance, where the reference README allows more
TOLERANCES: dict[tuple[str, str], tuple[float, float]] = {}
for info in pkgutil.iter_modules(golden_adapters.__path__):
    module = importlib.import_module(f"golden_adapters.{info.name}")
    ADAPTERS.update(module.ADAPTERS)
    NOT_OFFERED.update(getattr(module, "NOT_OFFERED", {}))
    TOLERANCES.update(getattr(module, "TOLERANCES", {}))

RELATIVE, ABSOLUTE = 1e-9, 1e-12


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = Path(metafunc.config.getoption("--golden"))
    cases = [
        case
        for path in sorted(folder.glob("*.json"))
        for case in json.loads(path.read_text())["cases"]
    ]
    if not cases:
        reason = f"reference values are not distributed with the package; expected in {folder}"
        metafunc.parametrize("case", [pytest.param(None, marks=pytest.mark.skip(reason))])
        return
    metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


def number(value: Any) -> Any:
    return (
        {"NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}.get(value, value)
        if isinstance(value, str)
        else value
    )


def differences(expected: Any, got: Any, path: str, tolerance: tuple[float, float]) -> list[str]:
    expected = number(expected)
    if path.rpartition(".")[2] in ("error", "undefined"):  # the text is R's and need not be copied
        refused = got is True if expected is True else isinstance(got, str) and bool(got)
        return [] if refused else [f"{path}: expected a refusal, got {got!r}"]
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            return [f"{path}: expected a table, got {got!r}"]
        return [
            line
            for key, value in expected.items()
            for line in (
                differences(value, got[key], f"{path}.{key}", tolerance)
                if key in got
                else [f"{path}.{key}: missing"]
            )
        ]
    if isinstance(expected, list):
        items = list(got)
        if len(items) != len(expected):
            return [f"{path}: expected {len(expected)} values, got {len(items)}"]
        return [
            line
            for i, (e, g) in enumerate(zip(expected, items))
            for line in differences(e, g, f"{path}[{i}]", tolerance)
        ]
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return [] if expected == got else [f"{path}: expected {expected!r}, got {got!r}"]
    if math.isnan(expected):
        return [] if math.isnan(got) else [f"{path}: expected nan, got {got!r}"]
    relative, absolute = tolerance
    if math.isclose(expected, got, rel_tol=relative, abs_tol=absolute):
        return []
    return [f"{path}: expected {expected!r}, got {got!r}"]


def test_case_equals_r(case: dict[str, Any]) -> None:
    method = case["method"]
    inputs = {k: number(v) for k, v in case["inputs"].items()}
    got = ADAPTERS[method](inputs)
    wrong = [
        line
        for key, value in case["expected"].items()
        if (method, key) not in NOT_OFFERED
        for line in (
            differences(value, got[key], key, TOLERANCES.get((method, key), (RELATIVE, ABSOLUTE)))
            if key in got
            else [f"{key}: missing"]
        )
    ]
    assert not wrong, "\n".join(wrong)
