"""Every kind of result fits its JSON Schema, made today and in the files that are kept."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.finding import SCHEMA
from nettrial.core.results import Result
from nettrial.report.describe.base import KINDS
from nettrial.report.schema import COMMANDS, FINDINGS, RESULTS, schema

GOLDEN = Path(__file__).parent / "golden"
NET = nettrial.latent_group_network(200, seed=1)
QUICK: dict[str, Any] = {"n_splits": 3, "test": "network_hac", "seed": 1}
TABLE = {"dataset": ["cora", "citeseer"], "gcn": ["81.5 ± 0.9", "70.3 ± 0.7"],
         "gat": ["82.0 ± 0.7", "72.5 ± 2.0"]}  # fmt: skip


def board() -> Any:
    return nettrial.leaderboard(TABLE, n_splits=10, test_share=0.35)


MADE: dict[str, Callable[[], Any]] = {
    "AcrossNetworks": lambda: nettrial.compare_across(
        {f"net{k}": nettrial.latent_group_network(150, seed=k) for k in range(3)},
        ["wvrn", "nbc"], **QUICK),
    "Audit": lambda: nettrial.audit(
        NET, "wvrn", "nbc", n_splits=3, n_replicates=20, n_inner=10, seed=1),
    "Check": lambda: nettrial.check(NET, splits=[nettrial.splits.Split(*[np.arange(200)] * 3)]),
    "Comparison": lambda: nettrial.compare(NET, "wvrn", "nbc", margin=0.02, n_prior_tests=2,
                                           **QUICK),
    "GroupedComparison": lambda: nettrial.compare_grouped(
        [1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1], list("ppqqrr")),
    "Leaderboard": board,
    "Comparison_links": lambda: nettrial.compare(NET, "adamic_adar", "jaccard", n_splits=3, seed=1),
    "MultipleComparison": lambda: nettrial.compare(NET, ["wvrn", "nbc", "prior"], **QUICK),
    "MultipleGroupedComparison": lambda: nettrial.compare_grouped(
        {"a": [1, 0, 1, 1, 0, 1], "b": [0, 0, 1, 1, 0, 1], "c": [0, 0, 1, 0, 0, 1]},
        groups=list("ppqqrr"), margin=0.2, n_prior_tests=1),
    "OverDataSets": lambda: board().over,
    "Plan": lambda: nettrial.plan(NET, "wvrn", "nbc", n_replicates=20, seed=1),
    "Sweep": lambda: nettrial.sweep(NET, ["wvrn", "nbc"], labeled=(0.2, 0.4), **QUICK),
}  # fmt: skip
PLAIN: dict[str, Callable[[], Any]] = {
    "TestResult": lambda: nettrial.stats.paired_t_test([1, 2, 3, 4.0], [2, 2, 3, 5.0]),
    "OmnibusResult": lambda: nettrial.stats.friedman_test(np.arange(12.0).reshape(4, 3) % 5),
    "Comparisons": lambda: nettrial.stats.nemenyi_test(np.arange(12.0).reshape(4, 3) % 5),
    "Recommendation": lambda: nettrial.stats.recommend(classifiers=3, data_sets=10),
    "Summary": lambda: importlib.import_module("nettrial.network.summary").summarize(NET),
    "Tally": lambda: NET.tally,
    "NetworkTest": lambda: nettrial.compare(NET, "wvrn", "nbc", **QUICK).tests[0],
}


def subclasses(base: type) -> set[type]:
    return {base}.union(*(subclasses(each) for each in base.__subclasses__()))


def kind_of(name: str) -> str:
    """Return the kind that a name such as Comparison_links is an example of."""
    return name.split("_")[0]


def test_every_kind_has_a_schema() -> None:
    for module in pkgutil.walk_packages(nettrial.__path__, "nettrial."):
        if "__main__" not in module.name and "pytest_plugin" not in module.name:
            importlib.import_module(module.name)
    here = {each.__name__ for each in subclasses(Result) if each.__module__.startswith("nettrial")}
    assert here - {"Result", "Estimate"} == set(RESULTS)  # the bases aside
    assert set(KINDS) - {"Network"} == set(FINDINGS) == {*map(kind_of, MADE)}
    for name in (*FINDINGS, *RESULTS, *COMMANDS, "error"):
        jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_a_finding_fits_and_lists_all_of_its_keys(name: str) -> None:
    made = MADE[name]().to_dict()
    found = schema(kind_of(name))
    jsonschema.validate(made, found)
    assert set(made) <= set(found["properties"])
    assert set(found["required"]) <= set(made)
    for key in found["required"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in made.items() if k != key}, found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(made | {"schema": SCHEMA + 1}, found)


@pytest.mark.parametrize("name", PLAIN)
def test_a_result_fits(name: str) -> None:
    made = PLAIN[name]().to_dict()
    jsonschema.validate(made, schema(name))
    assert set(made) == set(schema(name)["properties"])


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_what_was_written_before_still_fits(path: Path) -> None:
    """A key that changed or went makes this fail: raise SCHEMA, and write the file anew.

    python tests/report/test_schema.py
    """
    made = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(made, schema(kind_of(path.stem)))


def test_every_kind_is_kept() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(MADE) | set(PLAIN)


def test_the_command_and_its_errors(capsys: pytest.CaptureFixture[str]) -> None:
    def ended(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return end.value.code, *capsys.readouterr()

    code, out, _ = ended("schema", "compare")
    assert (code, json.loads(out)) == (0, schema("compare"))
    code, out, err = ended("schema", "comparee")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "did you mean 'compare'" in err
    _, _, err = ended("compare", "--example", "--a", "nope", "--json")
    jsonschema.validate(json.loads(err.splitlines()[-1]), schema("error"))
    _, out, _ = ended("recommend", "--json")
    jsonschema.validate(json.loads(out), schema("recommend"))


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    GOLDEN.mkdir(exist_ok=True)
    for kind, make in (MADE | PLAIN).items():
        text = json.dumps(make().to_dict(), indent=1, ensure_ascii=False)
        (GOLDEN / f"{kind}.json").write_text(text + "\n", encoding="utf-8")
