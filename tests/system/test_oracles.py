"""Every public function of stats and metrics has an independent oracle, as the docs say."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial import stats
from public_functions import FUNCTIONS

HERE = Path(__file__).parents[1]
PAGE = HERE.parent / "docs" / "lab" / "oracles.md"
ROW = re.compile(r"^\| `((?:stats|metrics)\.\w+)` \| (.+?) \| `([\w/]+\.py)(?:::(\w+))?` \|$", re.M)
ROWS = {name: (oracle, path, test) for name, oracle, path, test in ROW.findall(PAGE.read_text())}


def test_the_table_holds_every_public_function_once():
    listed = [name for name, *_ in ROW.findall(PAGE.read_text())]
    missing = set(FUNCTIONS) - set(listed)
    assert not missing, f"{PAGE.name}: add a row with an independent oracle for {missing}"
    assert sorted(listed) == sorted(FUNCTIONS)


# what an oracle is called in the table, and how tests import it
LIBRARIES = {
    "SciPy": "scipy",
    "statsmodels": "statsmodels",
    "scikit-learn": "sklearn",
}


class Module:
    """A file of tests: what each of its names leads to, by its syntax tree."""

    def __init__(self, path: Path) -> None:
        self.imported: dict[str, str] = {}
        self.defined: dict[str, ast.AST] = {}
        for item in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(item, (ast.Import, ast.ImportFrom)):
                package = f"{item.module}." if isinstance(item, ast.ImportFrom) else ""
                for alias in item.names:
                    # "import scipy.stats" binds scipy
                    bound = alias.asname or alias.name.partition(".")[0]
                    self.imported[bound] = package + alias.name
            elif isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                self.defined[item.name] = item
            elif isinstance(item, (ast.Assign, ast.AnnAssign)):
                targets = item.targets if isinstance(item, ast.Assign) else [item.target]
                names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
                self.defined |= dict.fromkeys(names, item)

    def reached(self, start: str) -> set[str]:
        """Return what a test comes to: imported names in full, and attributes, also by helpers."""
        found: set[str] = set()
        waiting, seen = [start], set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.defined:
                continue
            seen.add(name)
            for node in ast.walk(self.defined[name]):
                word = node.id if isinstance(node, ast.Name) else getattr(node, "arg", None)
                if isinstance(node, ast.Attribute):
                    found.add(node.attr)
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
                    found.add(str(ast.literal_eval(node.args[0])))
                if isinstance(node, ast.ImportFrom):
                    found |= {f"{node.module}.{alias.name}" for alias in node.names}
                if word in self.imported:
                    found.add(self.imported[word])
                elif isinstance(word, str):
                    waiting.append(word)
        return found


@functools.cache
def module(path: str) -> Module:
    return Module(HERE / path)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_test_exists_and_leads_to_the_function_and_its_oracle(name):
    oracle, path, test = ROWS[name]
    # a test by its own name, or the file that calls R's reference cases
    start = test or "ADAPTERS"
    assert start in module(path).defined, f"{path} has no {start}"
    reached = module(path).reached(start)
    own = name.partition(".")[2]
    called = {word for word in reached if word == own or word.endswith(f".{own}")}
    assert any(word == own or word.startswith("nettrial.") for word in called), (
        f"{path}::{start} does not come to {name}"
    )
    named = [library for word, library in LIBRARIES.items() if word in oracle]
    if test and named and oracle.startswith(tuple(LIBRARIES)):
        assert any(word.startswith(tuple(named)) for word in reached), (
            f"{path}::{start} does not use {' or '.join(named)}, the oracle of {name}"
        )


@pytest.mark.slow
def test_the_tests_call_the_functions_and_pass(tmp_path):
    nodes = sorted({f"{HERE / path}::{test}" for _, path, test in ROWS.values() if test})
    golden = pytest.importorskip("golden_adapters").__path__
    cases = [f"{HERE / 'system' / 'test_golden.py'}::test_case_equals_r"] if golden else []
    place = tmp_path / "called.json"
    paths = os.pathsep.join([str(HERE), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "called_functions",
         "-o", "addopts=", *nodes, *cases],
        env=os.environ | {"NETTRIAL_CALLED": str(place), "PYTHONPATH": paths},
        cwd=HERE.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    called = json.loads(place.read_text())
    by_r = called.get("system/test_golden.py::test_case_equals_r", [])
    for name, (_, path, test) in ROWS.items():
        function = inspect.unwrap(FUNCTIONS[name])
        full = f"{function.__module__}.{function.__name__}"
        if test:
            assert full in called[f"{path}::{test}"], f"{path}::{test} never calls {name}"
        elif by_r:  # the cases are not distributed with the package
            assert full in by_r, f"no case of R calls {name}"


def test_bootstrap_by_all_samples():
    a, b = np.array([0.3, 0.5, 0.2, 0.7]), np.array([0.2, 0.1, 0.4, 0.3])
    d = a - b
    means = np.array([d[list(picks)].mean() for picks in product(range(4), repeat=4)])
    result = stats.bootstrap_test(a, b)
    far = np.abs(means - d.mean()) >= abs(d.mean()) - 1e-12
    assert result.details["exact"]
    assert result.pvalue == pytest.approx((1 + far.sum()) / (1 + 4**4), rel=1e-12)
    ends = np.quantile(means, [0.025, 0.975])
    assert (result.ci_low, result.ci_high) == pytest.approx(tuple(ends), rel=1e-12)


def test_dz_is_t_and_its_interval_inverts_the_test():
    random = np.random.default_rng(3)
    a, b = random.random(12), random.random(12)
    found = stats.cohens_dz(a, b)
    t = scipy_stats.ttest_rel(a, b).statistic
    assert found.estimate == pytest.approx(t / np.sqrt(12), rel=1e-12)
    for end, tail in ((found.ci_low, 0.975), (found.ci_high, 0.025)):
        below = scipy_stats.nct.cdf(t, 11, end * np.sqrt(12))
        assert below == pytest.approx(tail, abs=1e-8)


def test_kfold_is_the_paired_t_test_of_scipy():
    random = np.random.default_rng(4)
    a, b = random.random(10), random.random(10)
    for side in ("two-sided", "less", "greater"):
        found = stats.kfold_t_test(a, b, alternative=side)
        expected = scipy_stats.ttest_rel(a, b, alternative=side)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_adjusted_pvalues_of_a_column():
    p = np.array([0.01, 0.04, 0.03, 0.2])
    # Holm (1979): 4, 3, 2 and 1 times the ordered p-values, none below the one before
    expected = [0.04, 0.09, 0.09, 0.2]
    found = stats.adjusted_pvalues(p, names=["a", "b", "c", "d"])
    np.testing.assert_allclose(found.adjusted_pvalue, expected, rtol=1e-12)
