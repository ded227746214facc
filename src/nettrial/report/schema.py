"""JSON Schema of every kind of result: types from the classes themselves, words where they differ.

The number `schema` in a result rises by one where a key changes its meaning or type, or goes. A new
key leaves it as it is, so schemas allow keys that they do not list.
"""

from __future__ import annotations

import dataclasses
import importlib
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import unknown_choice
from ..core.finding import SCHEMA

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": ["number", "null"]}  # NaN and infinities are null
COUNT: Json = {"type": "integer"}
OBJECT: Json = {"type": "object"}
ROWS: Json = {"type": "array", "items": OBJECT}
TEXTS: Json = {"type": "array", "items": TEXT}

# findings: module, and the keys of `to_dict` beside schema, kind, verdict, limits and warnings;
# those after a bar are not in every result
FACTS = "network n_nodes n_links n_classes"
PAIR = f"a b {FACTS} design labeled n_splits seed confidence measure better scores difference"
FINDINGS = {
    "AcrossNetworks": ("comparison.across", "claim seed measure better over_networks networks | "
                       "traits directions margin moderator moderated moderations"),
    "Audit": ("auditing.audit_result", f"{FACTS} models labeled n_splits seed errors differences "
              "handicaps measured measured_error n_replicates n_inner recommended rivals tests "
              "settings"),
    "Check": ("checking.check", f"n_splits models problems notes checked not_checked | {FACTS}"),
    "Comparison": ("comparison.result", f"{PAIR} baseline recommended settled reason tests "
                   "settings | next_network estimates sources margin ending margin_interval "
                   "prior_tests seconds megabytes"),
    "GroupedComparison": ("comparison.grouped", "a b mean_a mean_b difference errors n_items "
                          "n_groups effective_groups confidence seed recommended reason tests "
                          "| margin ending margin_interval prior_tests"),
    "Leaderboard": ("published.leaderboard", "entries claims over_data_sets left_out correlation "
                    "paired errors confidence | margin"),
    "MultipleComparison": ("comparison.multiple", f"{FACTS} design labeled n_splits seed "
                           "confidence control recommended reason measure better models baseline "
                           "may_be_best pairs multivariate sources settings | margin prior_tests "
                           "seconds megabytes"),
    "MultipleGroupedComparison": ("comparison.grouped_models", "n_items n_groups effective_groups "
                                  "confidence seed control recommended reason measure better "
                                  "models may_be_best pairs | margin prior_tests"),
    "OverDataSets": ("inference.data_sets", "data_sets models scores confidence measure better "
                     "mean_ranks friedman iman_davenport nemenyi pairs | margin"),
    "Plan": ("auditing.plan_result", f"test {FACTS} models difference wanted labeled n_splits "
             "n_seeds seed nodes rate splits seeds ceiling detectable n_replicates settings "
             "sources together spots"),
    "Sweep": ("comparison.sweep", f"{FACTS} models labeled design n_splits seed confidence measure "
              "better recommended reason curves letters baselines pairs changes settings "
              "| margin"),
}  # fmt: skip
# values that are no attribute of the result, or another form of one
WORDS: dict[str, Json] = {
    "network": TEXT, "n_nodes": COUNT, "n_links": COUNT, "n_classes": COUNT, "n_splits": COUNT,
    "measure": TEXT, "better": {"enum": ["lower", "higher"]}, "difference": NUMBER,
    "scores": {"type": "object", "additionalProperties": NUMBER}, "settled": {"type": "boolean"},
    "baseline": {"type": ["object", "null"], "required": ["words", "score"]},
    "next_network": {"type": ["object", "null"], "required": ["a_better", "low", "high"]},
    "sources": ROWS, "margin": NUMBER, "ending": TEXT, "prior_tests": OBJECT,
    "margin_interval": {"type": "object", "required": ["ci_low", "ci_high", "confidence"]},
    "together": {"type": ["object", "null"]}, "multivariate": {"type": ["object", "null"]},
    "over_data_sets": {"type": ["object", "null"]}, "over_networks": OBJECT,
    "networks": {"type": "object", "additionalProperties": OBJECT}, "spots": ROWS, "curves": ROWS,
    "seconds": {"type": "object", "additionalProperties": NUMBER},
    "megabytes": {"type": "object", "additionalProperties": NUMBER},
    "traits": OBJECT, "directions": ROWS, "moderated": OBJECT, "moderations": ROWS,
    "problems": ROWS, "notes": ROWS, "checked": TEXTS, "not_checked": TEXTS,
    "entries": ROWS, "claims": ROWS, "may_be_best": TEXTS, "letters": {"type": "array"},
    "baselines": {"type": "array"}, "changes": {"type": "array"}, "settings": OBJECT,
    "estimates": OBJECT, "mean_ranks": {"type": ["array", "object"]},
}  # fmt: skip
OWN: dict[tuple[str, str], Json] = {
    ("MultipleComparison", "models"): ROWS, ("MultipleComparison", "pairs"): ROWS,
    ("MultipleGroupedComparison", "models"): ROWS, ("MultipleGroupedComparison", "pairs"): ROWS,
    ("Sweep", "pairs"): ROWS, ("Audit", "tests"): ROWS, ("OverDataSets", "scores"): {},
    ("Leaderboard", "left_out"): TEXTS,
}  # fmt: skip
# results that are their fields
RESULTS = {
    "AdjustedPvalues": "stats.adjusted", "AreaUnderCurve": "metrics.roc",
    "BayesianComparison": "stats.bayes_correlated", "BetaPosterior": "stats.beta",
    "BinaryRates": "metrics.rates", "Calibration": "metrics.calibration",
    "Comparisons": "stats.comparisons", "ConfusionMatrix": "metrics.confusion",
    "Convergence": "models.convergence", "EffectSize": "stats._effects",
    "ErrorEstimates": "inference.estimates", "GroupTrials": "synth.simulated_classifiers",
    "HierarchicalPosterior": "stats.bayes_hierarchical",
    "LossGroup": "report.disagreement", "NetworkTest": "inference.outcome",
    "NodeGroup": "report.disagreement", "NormalQuantiles": "stats.quantiles",
    "OmnibusResult": "stats.omnibus", "Power": "stats._power",
    "PrecisionRecallCurve": "metrics.curves", "ProportionInterval": "stats.intervals",
    "ReadReport": "io.report", "Recommendation": "stats._advice", "RocCurve": "metrics.curves",
    "RopePosterior": "stats.bayes_signed_rank", "SeedVariance": "auditing.seed_variance",
    "StudyStatus": "store.status", "Summary": "network.summary", "Tally": "network.link_arrays",
    "TestResult": "stats.result", "TestSpecification": "stats.catalog",
    "ThresholdCurve": "metrics.curves", "VarianceTerms": "stats.theory",
    "WhatWasRead": "io.report", "WriteReport": "io.write",
}  # fmt: skip
OF_TESTS = ("AdjustedPvalues", "BayesianComparison", "BetaPosterior", "Comparisons", "EffectSize",
            "HierarchicalPosterior", "OmnibusResult", "ProportionInterval", "RopePosterior",
            "TestResult")  # fmt: skip
COMMANDS: dict[str, tuple[str, ...]] = {
    "across": ("AcrossNetworks",), "audit": ("Audit",), "check": ("Check",),
    "compare": ("Comparison", "MultipleComparison", "GroupedComparison",
                "MultipleGroupedComparison", "OverDataSets"),
    "info": ("Summary",), "leaderboard": ("Leaderboard",), "plan": ("Plan",), "power": ("Power",),
    "recommend": ("Recommendation",), "report": ("Comparison", "MultipleComparison"),
    "status": ("StudyStatus",), "sweep": ("Sweep",), "test": OF_TESTS,
    "transfer": ("Comparison", "MultipleComparison"),
}  # fmt: skip
ERROR: Json = {
    "type": "object",
    "required": ["type", "message", "where", "parameter", "expected", "got", "hint", "exit_status"],
    "properties": {"type": TEXT, "message": TEXT, "exit_status": COUNT},
}


@check_arguments
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of result, of what a command prints, or of an error.

    Parameters
    ----------
    name : str
        A kind such as "Comparison" or "TestResult", a command such as "compare", or "error": the
        last line on stderr with ``--json``.

    Returns
    -------
    dict
        Draft 2020-12. Keys that it does not list are allowed; numbers may be null.

    Examples
    --------
    >>> schema("Comparison")["properties"]["n_nodes"]
    {'type': 'integer'}
    >>> [each["title"] for each in schema("check")["anyOf"]]
    ['Check']
    """
    if name in COMMANDS:
        found: Json = {"title": f"nettrial {name}", "anyOf": [_of(kind) for kind in COMMANDS[name]]}
    elif name == "error":
        found = {"title": "error"} | ERROR
    elif name in FINDINGS or name in RESULTS:
        found = _of(name)
    else:
        raise unknown_choice("schema", name, [*COMMANDS, "error", *FINDINGS, *RESULTS])
    return {"$schema": DRAFT} | found


def _of(name: str) -> Json:
    if name in RESULTS:
        return {"title": name} | of_type(_class(RESULTS[name], name))
    module, keys = FINDINGS[name]
    always, _, sometimes = keys.partition("|")
    hints = _hints(_class(module, name))
    keys_of = [*always.split(), *sometimes.split()]
    own = {key: OWN.get((name, key), WORDS.get(key)) for key in keys_of}
    own = {key: of_type(hints[key]) if found is None else found for key, found in own.items()}
    common = {"schema": {"const": SCHEMA}, "kind": {"const": name}, "verdict": TEXT,
              "limits": TEXTS, "warnings": TEXTS}  # fmt: skip
    return {
        "title": name,
        "type": "object",
        "required": [*common, *always.split()],
        "properties": common | own,
    }


def _class(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"nettrial.{module}"), name)


def _hints(cls: Any) -> dict[str, Any]:
    """Return the types of fields and properties; names that only a type checker loads are any."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        names = {"np": np, "NDArray": NDArray} | vars(importlib.import_module(base.__module__))
        given = dict(getattr(base, "__annotations__", {}))
        given |= {
            key: value.fget.__annotations__.get("return", Any)
            for key, value in vars(base).items()
            if isinstance(value, property) and value.fget is not None
        }
        for key, text in given.items():
            try:
                found[key] = eval(text, names) if isinstance(text, str) else text  # noqa: S307 - ours
            except NameError:
                found[key] = Any
    return found


def of_type(annotation: Any) -> Json:
    """Return the schema of what `jsonable` makes of a value of this type.

    Examples
    --------
    >>> of_type(tuple[float, ...])
    {'type': 'array', 'items': {'type': ['number', 'null']}}
    >>> of_type(str | None)
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """
    plain: dict[Any, Json] = {float: NUMBER, int: COUNT, bool: {"type": "boolean"}, str: TEXT}
    plain |= {None: {"type": "null"}, types.NoneType: {"type": "null"}}
    if annotation in plain:
        return plain[annotation]
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [of_type(each) for each in inner]}
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if dataclasses.is_dataclass(annotation):
        hints = _hints(annotation)
        fields = {
            field.name: of_type(hints[field.name]) for field in dataclasses.fields(annotation)
        }
        return {"type": "object", "required": list(fields), "properties": fields}
    kind = origin or annotation
    if not isinstance(kind, type):
        return {}
    if issubclass(kind, Warning):
        return TEXT
    if issubclass(kind, np.ndarray):
        return {"type": ["array", "number", "integer", "string", "boolean", "null"]}
    if issubclass(kind, Mapping):
        return OBJECT
    if issubclass(kind, tuple) and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": of_type(inner[0])}
    if issubclass(kind, (tuple, list)) or kind.__name__ == "Sequence":
        return {"type": "array"}
    return {}
