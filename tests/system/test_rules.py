"""The rules of docs/user/statistics.md, over every public function of stats and metrics."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import math
import re
import warnings
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from nettrial import metrics, stats
from nettrial.core.errors import InputError
from nettrial.core.results import jsonable
from nettrial.stats._effects import EffectSize
from nettrial.stats.catalog import CATALOG
from nettrial.stats.result import ALTERNATIVES
from public_functions import (
    CLUSTERS,
    EXAMPLES,
    LABEL_NAMES,
    MEASURED,
    NEITHER,
    PUBLIC,
    TABLE,
    UNIT_COUNTS,
    WITHOUT_DEGENERATE,
    A,
    call,
    example,
    labels_of,
    measured_of,
    over_arrays,
)

EPS = float(np.finfo(float).eps)


def numbers(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every number of a result, however deep."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from numbers(item, f"{path}[{i}]")
    else:
        yield path, value


def plain(result: Any) -> dict[str, Any]:
    return dict(numbers(jsonable(result), "result"))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_function_has_an_example_and_json_can_hold_its_result(name):
    json.dumps(jsonable(call(name, example(name))), allow_nan=False)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", PUBLIC)
def test_rounding_noise_changes_nothing(name, seed):
    random = np.random.default_rng(seed)

    def noisy(values: np.ndarray) -> np.ndarray:
        # up to two units in the last place, as 0.1 + 0.2 or 1 - 0.7 have them
        return values * (1 + EPS * random.integers(-2, 3, size=values.shape))

    arguments = example(name)
    before = plain(call(name, arguments))
    for key in measured_of(name, arguments):
        if key == "covariance":
            continue  # which has to stay symmetric
        arguments[key] = over_arrays(noisy, arguments[key])
    after = plain(call(name, arguments))
    assert before.keys() == after.keys()
    for path, value in before.items():
        if isinstance(value, float) and not isinstance(value, bool):
            assert after[path] == pytest.approx(value, rel=1e-7, abs=1e-11), path
        else:
            assert after[path] == value, path


def same(name: str) -> dict[str, Any]:
    """Return arguments in which nothing differs but for rounding noise."""
    arguments, random = example(name), np.random.default_rng(0)

    def level(values: np.ndarray) -> np.ndarray:
        return random.choice([0.3, 0.1 + 0.2], size=values.shape)

    for key in measured_of(name, arguments):
        if key in ("standard_errors", "covariance", "replicates", "pvalues"):
            continue
        arguments[key] = over_arrays(level, arguments[key])
    zero = {"estimate": np.zeros(3), "estimates": np.zeros(10), "replicates": np.zeros((10, 3))}
    arguments |= {key: value for key, value in zero.items() if key in arguments}
    if "covariance" in arguments:
        arguments["covariance"] = np.zeros((3, 3))
    if "outcomes" in arguments:
        arguments["outcomes"] = np.ones((10, 3))
    if "truth" in arguments:
        arguments |= {"a": arguments["truth"], "b": arguments["truth"]}
    if name == "stats.network_hac_test":
        arguments["values"] = np.zeros(10)
    elif "null_value" in inspect.signature(PUBLIC[name]).parameters:
        arguments["null_value"] = 0.3
    if name == "stats.contribution_comparisons":
        from nettrial.stats import cluster_contributions

        arguments["contributions"] = cluster_contributions(np.zeros((3, 10)), list("aabbccddee"))
    counts = {
        "table": [[5, 0], [0, 30]], "errors_a": 0, "errors_b": 0, "larger": 0, "smaller": 0,
        "x_a": 0, "x_b": 0,
    }  # fmt: skip
    arguments |= {key: value for key, value in counts.items() if key in arguments}
    return arguments


def apart(name: str) -> dict[str, Any]:
    """Return arguments that differ from each other without varying in themselves."""
    arguments = same(name)
    shift = {"b": 0.2, "zb": 0.2, "values": 0.2, "scores_b": 0.2}
    for key, by in shift.items():
        if key in measured_of(name, arguments) and key in arguments:
            arguments[key] = over_arrays(lambda x, by=by: x + by, arguments[key])
    if isinstance(arguments.get("groups"), list) and "groups" in measured_of(name, arguments):
        arguments["groups"] = [g + 0.1 * i for i, g in enumerate(arguments["groups"])]
    if np.ndim(arguments.get("values")) == 2:
        arguments["values"] = arguments["values"] + np.linspace(
            0, 0.3, np.shape(arguments["values"])[1]
        )
    if name == "stats.manova_test":
        arguments["values"] = np.repeat(np.arange(5.0), 2)[:, None] * [0.1, 0.2]
    counts = {
        "table": [[5, 12], [0, 30]], "errors_a": 10, "n_a": 10, "errors_b": 0, "n_b": 10,
        "larger": 9, "smaller": 0,
    }  # fmt: skip
    arguments |= {key: value for key, value in counts.items() if key in arguments}
    if "outcomes" in arguments:
        arguments["outcomes"] = np.tile([0, 1, 1], (10, 1))
    arguments.pop("null_value", None)
    return arguments


def sides(name: str) -> list[dict[str, str]]:
    """Return the alternatives of a test, as arguments."""
    if "alternative" not in inspect.signature(PUBLIC[name]).parameters:
        return [{}]
    some = ("less", "greater") if name == "stats.almost_stochastic_order" else ALTERNATIVES
    return [{"alternative": side} for side in some]


def cut(name: str, arguments: dict[str, Any], rows: int) -> dict[str, Any]:
    """Return arguments of which every sample or table has so many rows."""

    def shorter(value: Any) -> Any:
        if isinstance(value, list) and value and np.ndim(value[0]):
            return [shorter(item) for item in value]
        listed = isinstance(value, (list, np.ndarray)) and np.ndim(value) and len(value) > 7
        return value[:rows] if listed else value

    keep = {"table", "graph", "covariance"}
    return {k: v if k in keep else shorter(v) for k, v in arguments.items()}


def ends(result: Any) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield every interval of a result with the value that it is for, details included."""
    found = {"estimate": getattr(result, "estimate", getattr(result, "effect_size", math.nan))}
    found |= {"estimate_low": getattr(result, "ci_low", None)}
    found |= {"estimate_high": getattr(result, "ci_high", None)}
    for holds in (found, getattr(result, "details", {})):
        for key in [k for k in holds if k.endswith("_low") and holds[k] is not None]:
            three = key, key[:-4] + "_high", key[:-4]
            low, high, value = (np.asarray(holds.get(k, math.nan), dtype=float) for k in three)
            yield low, high, value


def pvalues(result: Any) -> np.ndarray | None:
    found = [getattr(result, key, None) for key in ("pvalue", "adjusted_pvalue")]
    arrays = [np.ravel(np.asarray(x, dtype=float)) for x in found if x is not None]
    return np.concatenate(arrays) if arrays else None


def tells(name: str) -> bool:
    """Return whether the result of a function says if it is degenerate; else there is a reason."""
    found = hasattr(call(name, example(name)), "degenerate")
    assert found != (name in WITHOUT_DEGENERATE), (
        f"{name}: expected a result with `degenerate`, or a reason in WITHOUT_DEGENERATE of "
        "tests/public_functions.py, and not both"
    )
    return found


TESTS = [name for name in PUBLIC if tells(name)]


def test_every_function_of_the_packages_is_found():
    for package in (stats, metrics):
        folder = Path(package.__file__).parent
        checked = {
            item.name
            for path in folder.glob("*.py")
            if path.name != "theory.py"  # formulas of the sources, public as a module
            for item in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(item, ast.FunctionDef) and item.decorator_list
            if "check_arguments" in map(ast.unparse, item.decorator_list)
        }
        assert checked <= set(package.__all__)
        # all are functions or classes, so that no other callable escapes the rules
        kinds = {name: getattr(package, name) for name in package.__all__}
        assert all(inspect.isfunction(x) or inspect.isclass(x) for x in kinds.values())
    assert {test.target.rpartition(".")[2] for test in CATALOG.values()} <= set(stats.__all__)


def test_every_parameter_is_measured_or_a_label_or_neither():
    assert set(EXAMPLES) == MEASURED | set(LABEL_NAMES) | NEITHER
    for name in PUBLIC:
        arguments = example(name)
        for key in set(arguments) & NEITHER - {"queries", "graph", "contributions"}:
            holds = np.asarray(arguments[key])
            assert not (holds.ndim and holds.dtype.kind == "f"), f"{name}: {key} holds measurements"
    assert set(WITHOUT_DEGENERATE) <= set(PUBLIC)


def test_a_new_function_that_forgets_a_rule_is_caught(monkeypatch, words):
    def careless(a, b):
        return SimpleNamespace(pvalue=0.0, statistic=np.inf, notes=())

    def forgetful(a, b):
        return stats.paired_t_test([0.1, 0.3], [0.2, 0.2])

    monkeypatch.setitem(PUBLIC, "stats.careless", careless)
    monkeypatch.setitem(PUBLIC, "stats.forgetful", forgetful)
    with words.raises(AssertionError):
        tells("stats.careless")
    with pytest.raises(AssertionError):
        test_where_nothing_differs_p_is_one_and_a_note_says_so("stats.forgetful")
    monkeypatch.setitem(PUBLIC, "stats.unknown", lambda weights_of_a: weights_of_a)
    with words.raises(AssertionError):
        tells("stats.unknown")


def exact_signs(a, b):
    """Forget that 0.1 + 0.2 is 0.3."""
    d = np.subtract(a, b)
    return stats.sign_test_counts((d > 0).sum(), (d < 0).sum(), (d == 0).sum())


def trusting_error(truth, predictions):
    """Forget that "1" is not 1."""
    return float(np.mean([one != two for one, two in zip(truth, predictions)]))


def trusting_recall(labels, scores, positive=None):
    """Forget that no label may be `positive`."""
    chosen = np.asarray(labels) == (1 if positive is None else positive)
    return float(np.sum(np.asarray(scores)[chosen] > 0.5) / max(chosen.sum(), 1))


def own_t(a, b):
    """Forget that a spread may be 0."""
    found = stats.paired_t_test(a, b)
    with np.errstate(all="ignore"):
        t = np.divide(found.estimate, found.standard_error)
    p = 2 * stats.paired_t_test([-1, 1, 2]).pvalue * (not np.isinf(t))
    return dataclasses.replace(found, statistic=float(t), pvalue=p, degenerate=False, notes=())


def point_interval(a, b):
    """Forget that no spread is no certainty."""
    found = stats.paired_t_test(a, b)
    here = found.estimate
    return dataclasses.replace(found, ci_low=here, ci_high=here) if found.degenerate else found


@pytest.mark.parametrize(
    ("careless", "rule"),
    [
        (exact_signs, lambda name: test_rounding_noise_changes_nothing(name, 0)),
        (exact_signs, lambda name: test_where_nothing_differs_p_is_one_and_a_note_says_so(name)),
        (trusting_error, lambda name: test_labels_of_different_types_are_refused(name)),
        (trusting_recall, lambda name: test_a_positive_that_never_occurs_is_refused(name, 7)),
        (own_t, lambda name: test_where_nothing_differs_p_is_one_and_a_note_says_so(name)),
        (own_t, lambda name: test_without_variation_there_is_never_a_p_of_zero(name)),
        (point_interval, lambda name: test_no_interval_has_width_zero(name)),
    ],
)
def test_a_careless_function_breaks_its_rule(careless, rule, monkeypatch):
    monkeypatch.setitem(PUBLIC, "stats.toy", careless)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        rule("stats.toy")


# these compare with a given value, or have their spread from elsewhere: a model, what was
# measured before
NEVER_DEGENERATE = {
    # their null hypothesis is a difference as large as the margin
    "stats.equivalence_test",
    "stats.noninferiority_test",
    "stats.proportion_equivalence_test",
    "stats.binomial_test",
    "stats.proportion_z_test",
    "stats.random_effects",
    "stats.rsc_unpaired_t_test",
    # intervals of counts
    "stats.odds_ratio",
    "stats.risk_difference",
}


# a ratio to the spread of the data is 0/0 where nothing differs; a statistic that counts, adds or
# has its standard error from the number of cases alone is what it is
STATISTIC = {
    "stats.mann_whitney_test": 40,  # half of 10 * 8 pairs
    **dict.fromkeys(
        (
            "stats.sign_test",
            "stats.sign_test_counts",
            "stats.wilcoxon_test",
            "stats.mcnemar_test",
            "stats.mcnemar_test_predictions",
            "stats.permutation_test",
            "stats.two_sample_permutation_test",
            "stats.bootstrap_test",
            "stats.sign_flip_test",
            "stats.nemenyi_test",
            "stats.siegel_test",
            "stats.control_comparisons",
        ),
        0,
    ),
}


@pytest.mark.parametrize("name", TESTS)
def test_where_nothing_differs_p_is_one_and_a_note_says_so(name):
    if name in NEVER_DEGENERATE:
        return
    for side in sides(name):
        result = call(name, same(name) | side)
        p = pvalues(result)
        assert np.all(result.degenerate)
        assert result.notes
        if p is not None:
            assert (p == 1).all()
            statistic = np.ravel(np.asarray(result.statistic, dtype=float))
            np.testing.assert_array_equal(statistic, STATISTIC.get(name, math.nan))
        elif isinstance(result, EffectSize):
            assert result.estimate == 0


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("rows", [1, 2])
def test_one_or_two_rows_without_difference_are_refused_or_have_p_one(name, rows):
    if name in NEVER_DEGENERATE:
        return
    try:
        result = call(name, cut(name, same(name), rows))
    except InputError:
        return
    if name.startswith("stats.delong"):  # which need two of each class
        return
    p = pvalues(result)
    assert np.all(result.degenerate)
    assert p is None or (p == 1).all()


def is_unpaired(name: str) -> bool:
    arguments = example(name)
    a, b = np.shape(arguments.get("a", ())), np.shape(arguments.get("b", ()))
    return isinstance(arguments.get("groups"), list) or "n_a" in arguments or (bool(b) and a != b)


@pytest.mark.parametrize("name", [name for name in TESTS if is_unpaired(name)])
def test_notes_of_independent_samples_speak_of_no_pairs(name):
    for data in (example, same, apart):
        for rows in (10, 2, 1):
            try:
                notes = call(name, cut(name, data(name), rows)).notes
            except InputError:
                continue
            assert not [note for note in notes if re.search(r"\bpair", note)]


@pytest.mark.parametrize("name", TESTS)
def test_no_interval_has_width_zero(name):
    if name in POINTS:
        return
    for data in (same, apart):
        for side in sides(name):
            arguments = data(name) | side
            for given in (arguments, cut(name, arguments, 1), cut(name, arguments, 2)):
                try:
                    result = call(name, given)
                except InputError:
                    continue
                for low, high, estimate in ends(result):
                    assert not (low == high).any()
                    assert not (np.isinf(low) & (high == estimate)).any()
                    assert not (np.isinf(high) & (low == estimate)).any()


@pytest.mark.parametrize("name", WITHOUT_DEGENERATE)
def test_what_has_no_word_for_degenerate_claims_nothing_where_nothing_differs(name):
    if name == "stats.bayesian_hierarchical_test":
        with pytest.raises(InputError, match="nothing to estimate"):
            call(name, same(name))
        return
    result = call(name, same(name))
    if hasattr(result, "prob_less"):
        assert result.prob_less == pytest.approx(result.prob_greater, abs=1e-12)
        assert result.share_less == pytest.approx(result.share_greater, abs=1e-12)
    if name == "stats.normal_quantiles":
        assert math.isnan(result.pvalue)
        assert result.notes


@pytest.mark.parametrize("name", PUBLIC)
def test_no_number_of_a_result_is_rounding_noise(name):
    if name == "stats.bayesian_hierarchical_test":
        return  # which is refused
    for path, value in plain(call(name, same(name))).items():
        if isinstance(value, float):
            assert not 0 < abs(value) < 1e-12, path


@pytest.mark.parametrize("name", TESTS)
def test_without_variation_there_is_never_a_p_of_zero(name):
    if name == "stats.rsc_unpaired_t_test":
        return  # its spread is that of a model
    if name in CRITERIA:
        with pytest.raises(InputError, match="do not vary"):
            call(name, apart(name))
        return
    result = call(name, apart(name))
    p = pvalues(result)
    if p is None:  # effects: of ranks and counts they have a distribution
        assert np.all(result.degenerate) or result.ci_low < result.ci_high
        return
    # ranks, signs and counts have a distribution without variation: ten pairs, 20 cases
    assert (np.isnan(p) | (p > 1e-9)).all()
    if np.isnan(p).any():
        assert np.any(result.degenerate)
        assert result.notes


@pytest.mark.parametrize("only", [0, 1])
@pytest.mark.parametrize("name", [name for name in PUBLIC if name.startswith("metrics.")])
def test_measures_of_one_class_are_those_of_cases_or_nan(name, only):
    arguments = example(name)
    alike = [only] * len(A)
    arguments |= dict.fromkeys(labels_of(name, arguments), alike)
    arguments |= {key: [(alike, A)] for key in ("queries",) if key in arguments}
    counts = {"tp": 10 * only, "fp": 0, "fn": 0, "tn": 10 - 10 * only}
    arguments |= {key: value for key, value in counts.items() if key in arguments}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = call(name, arguments)
    kind = WITHOUT_DEGENERATE[name].partition(",")[0]
    value = getattr(found, "auc", found)
    if kind == "a measure that compares classes":
        assert math.isnan(value)
    elif kind == "a measure of cases":
        held = [v for v in plain(found).values() if v is None or isinstance(v, float)]
        assert None not in held
    elif isinstance(value, float):  # precision where there is nothing to find is 0/0, else 1
        assert math.isnan(value) if only == 0 else value == 1


# intervals that are points by the published form, which a note says
POINTS = ("stats.bayesian_correlated_t_test", "stats.almost_stochastic_order")
CRITERIA = ("stats.hotelling_paired_test", "stats.hotelling_two_sample_test", "stats.manova_test")
LABELED = [name for name in PUBLIC if labels_of(name, example(name))]


@pytest.mark.parametrize("name", LABELED)
def test_labels_of_different_types_are_refused(name):
    arguments = example(name)
    named = labels_of(name, arguments)
    for key in named:
        text = arguments | {key: [str(label) for label in arguments[key]]}
        mixed = arguments | {key: [str(arguments[key][0]), *arguments[key][1:]]}
        for wrong in (text, mixed) if len(named) > 1 else (mixed,):
            with pytest.raises(InputError, match="of one type"):
                call(name, wrong)


@pytest.mark.parametrize(
    "name", [n for n in PUBLIC if "positive" in inspect.signature(PUBLIC[n]).parameters]
)
@pytest.mark.parametrize("positive", ["never", "1", 7])
def test_a_positive_that_never_occurs_is_refused(name, positive):
    with pytest.raises(InputError, match="a class that occurs"):
        call(name, example(name) | {"positive": positive})


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.filterwarnings("ignore")
def test_refusals_show_values_as_their_user_wrote_them(name):
    arguments, refused = example(name), {}
    for key in inspect.signature(PUBLIC[name]).parameters:
        for wrong in (np.str_("zz"), [np.str_("q")], {np.str_("a"): np.float64(7.5)}, np.int64(-3)):
            try:
                call(name, arguments | {key: wrong})
            except (InputError, TypeError) as error:
                refused[key] = refused.get(key, "") + str(error)
    assert refused
    assert not [key for key, text in refused.items() if "np." in text]


OBSERVED = {
    "weights": np.arange(1.0, 11.0),
    "blocks": list("ababababab"),
    "null_value": 0.3,
    "null": 0.1,
    "equal": 3,
}
UNPAIRED = ("names", "first", "second", "different", "graph", "queries", "groups", "result")


def vectors(name: str) -> dict[str, Any]:
    """Return the arguments of a function that hold, or may hold, one entry per case or a test."""
    arguments, offered = example(name), inspect.signature(PUBLIC[name]).parameters
    found: dict[str, Any] = {}
    for key, value in (
        arguments | {k: v for k, v in OBSERVED.items() if k in offered and k not in arguments}
    ).items():
        if key in UNPAIRED and name != "stats.manova_test":
            continue
        if isinstance(value, (int, float)):
            try:
                call(name, arguments | {key: np.full(4, value)})
            except InputError:
                continue
            found[key] = np.full(4, value)
        elif isinstance(value, (list, np.ndarray)) and 0 < np.ndim(value) < 3:  # as of pandas
            found[key] = np.asarray(value)
    return found


def indexed(values: np.ndarray, index: range) -> Any:
    return (pd.Series if values.ndim == 1 else pd.DataFrame)(values, index=index)


@pytest.mark.parametrize("name", PUBLIC)
def test_pandas_objects_are_not_paired_by_position(name):
    arguments = example(name)
    for (key, one), (other, two) in combinations(vectors(name).items(), 2):
        rows = range(len(one))
        if len(two) != len(one) or (key, other) == ("estimate", "covariance"):
            continue
        same = {key: indexed(one, rows), other: indexed(two, rows)}
        call(name, arguments | same)
        with pytest.raises(InputError, match="one index"):
            call(name, arguments | same | {other: indexed(two, rows[::-1])})
        if one.ndim == 2 == two.ndim:
            swapped = pd.DataFrame(two).iloc[:, ::-1]
            if name == "stats.delong_multiclass_test":  # the columns are called by the classes
                found = call(name, arguments | {key: pd.DataFrame(one), other: swapped})
                assert found.pvalue == call(name, arguments).pvalue
                continue
            with pytest.raises(InputError, match="same columns"):
                call(name, arguments | {key: pd.DataFrame(one), other: swapped})


def test_pandas_objects_whose_columns_are_the_entries(words):
    estimate = pd.Series([0.1, 0.2], index=["p", "q"])
    covariance = pd.DataFrame(np.diag([0.1, 0.2]), index=["p", "q"], columns=["p", "q"])
    draws = pd.DataFrame(TABLE[:, :2], columns=["p", "q"])
    clusters = pd.Series(CLUSTERS, index=range(10, 20))
    values = pd.DataFrame(TABLE.T, columns=range(10, 20))
    pair = {"first": ["a", "b"], "second": ["c", "c"]}
    stats.max_t_comparisons(estimate, covariance, **pair)
    stats.replicate_comparisons(estimate, draws, **pair)
    stats.cluster_contributions(values, clusters)
    for wrong in (
        lambda: stats.max_t_comparisons(estimate, covariance.iloc[::-1, ::-1], **pair),
        lambda: stats.max_t_comparisons(estimate, covariance.iloc[:, ::-1], **pair),
        lambda: stats.replicate_comparisons(estimate, draws.iloc[:, ::-1], **pair),
        lambda: stats.cluster_contributions(values, clusters.iloc[::-1]),
    ):
        with words.raises(InputError):
            wrong()
    two = pd.DataFrame(TABLE[:8, :2], columns=["q", "p"])
    with words.raises(InputError):
        stats.hotelling_two_sample_test(draws, two)
    # columns with a name of their own classifier's have no order to be wrong
    own = draws.rename(columns={"p": "p of B", "q": "q of B"})
    assert stats.hotelling_paired_test(draws, own).degenerate


@pytest.mark.parametrize("name", PUBLIC)
def test_single_precision_is_not_compared_with_double(name):
    arguments = example(name)
    samples = [key for key in ("a", "b", "groups") if key in measured_of(name, arguments)]
    if samples == ["a", "b"] and np.ndim(arguments["b"]):
        call(name, arguments | {key: np.float32(arguments[key]) for key in samples})
        wrong = arguments | {"a": np.float32(arguments["a"])}
    elif samples == ["groups"]:
        wrong = arguments | {"groups": [np.float32(A), *arguments["groups"][1:]]}
    else:
        return
    with pytest.raises(InputError, match="one precision"):
        call(name, wrong)


def masked(value: Any) -> Any:
    """Return the first array in an argument with its first entry masked."""
    if isinstance(value, (list, tuple)) and value and np.ndim(value[0]):
        return type(value)([masked(value[0]), *value[1:]])
    array = np.asarray(value)
    mask = np.zeros(array.shape, dtype=bool)
    mask.flat[0] = True
    return np.ma.masked_array(array, mask=mask)


@pytest.mark.parametrize("name", PUBLIC)
def test_masked_entries_are_refused_wherever_they_stand(name):
    arguments, offered = example(name), inspect.signature(PUBLIC[name]).parameters
    options = OBSERVED | {"names": ["A", "B", "C"]}
    arguments |= {k: v for k, v in options.items() if k in offered and k not in arguments}
    for key, value in arguments.items():
        if isinstance(value, (str, type(None))) or key in ("graph", "result", "contributions"):
            continue
        with pytest.raises(InputError):
            call(name, arguments | {key: masked(value)})


@pytest.mark.parametrize("name", PUBLIC)
def test_whole_numbers_are_compared_exactly_or_refused(name):
    arguments = example(name)
    for key in measured_of(name, arguments):

        def whole(values: np.ndarray, start: int) -> np.ndarray:
            # neighbors differ by 1, where doubles from 2^53 on have no place for all
            return np.arange(values.size).reshape(values.shape) + start

        large = arguments | {key: over_arrays(lambda x: whole(x, 2**60), arguments[key])}
        with pytest.raises(InputError):
            call(name, large)
    keys = [key for key in ("a", "b", "groups") if key in measured_of(name, arguments)]
    if not keys or "digits" not in inspect.signature(PUBLIC[name]).parameters:
        return
    small, shifted = dict(arguments), dict(arguments)
    for key in keys:
        small[key] = over_arrays(lambda x: np.rint(100 * x).astype(int), arguments[key])
        shifted[key] = over_arrays(
            lambda x: np.rint(100 * x).astype(int) + 2**47 - 99, arguments[key]
        )
    for field in ("pvalue", "statistic", "estimate"):
        if hasattr(call(name, small), field):
            np.testing.assert_array_equal(
                getattr(call(name, shifted), field), getattr(call(name, small), field)
            )


UNITLESS = ("pvalue", "adjusted_pvalue", "effect_size", "df", "degenerate", "auc", "prob_less")


@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in UNIT_COUNTS])
def test_the_unit_of_values_does_not_count(name):
    arguments = example(name)
    keys = measured_of(name, arguments)
    wanted = call(name, arguments)
    for unit in (2.0**-70, 2.0**70):
        other = arguments | {
            key: over_arrays(
                lambda x, by=unit ** (1 + (key == "covariance")): x * by, arguments[key]
            )
            for key in keys
        }
        found = call(name, other)
        for field in UNITLESS:
            if getattr(wanted, field, None) is not None:
                np.testing.assert_allclose(
                    np.asarray(getattr(found, field), dtype=float),
                    np.asarray(getattr(wanted, field), dtype=float),
                    rtol=1e-9,
                    err_msg=field,
                )


@pytest.mark.parametrize(
    "name", [n for n in PUBLIC if "weights" in inspect.signature(PUBLIC[n]).parameters]
)
def test_the_unit_of_weights_does_not_count(name):
    arguments, weights = example(name), np.array([5, 3, 8, 1, 2, 7, 7, 4, 3, 6.0])
    wanted = plain(call(name, arguments | {"weights": weights}))
    for unit in (2.0**-490, 2.0**490):
        found = plain(call(name, arguments | {"weights": unit * weights}))
        for path, value in wanted.items():
            if "u_statistic" in path or "counts" in path:
                continue  # which are in the unit
            assert found[path] == (pytest.approx(value) if isinstance(value, float) else value)


def hostile() -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    return {
        "text": ["1", "2"],
        "text in an object array": np.array(["1", 2.0], dtype=object),
        "masked": np.ma.masked_array([0.1, 0.2, 0.3], mask=[True, False, False]),
        "complex": np.array([1 + 2j, 2.0]),
        "ragged": [[1, 2], [3]],
        "none": None,
        "huge": np.full(10, 1e200),
        "tiny": np.full(10, 1e-200),
        "tensor with gradient": torch.ones(10, requires_grad=True),
        "date": np.array(["2020-01-01"], dtype="M8[D]"),
        "object": object(),
        "empty": [],
    }


OPTIONS = ("weights", "axis", "confidence", "digits", "null_value", "prior", "rope",
           "prior_strength", "n_resamples", "n_samples", "names", "positive", "standard_errors",
           "alpha", "power", "ratio", "bins", "clip", "beta", "control", "blocks", "equal", "seed",
           "nodes")  # fmt: skip


@pytest.mark.slow
def test_hostile_values_are_used_or_refused_but_nothing_else_happens():
    wrong = []
    for name in PUBLIC:
        arguments = example(name)
        offered = inspect.signature(PUBLIC[name]).parameters
        for key in dict.fromkeys([*arguments, *(key for key in OPTIONS if key in offered)]):
            if key in offered and isinstance(offered[key].default, bool):
                continue
            for kind, value in hostile().items():
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        call(name, arguments | {key: value})
                except InputError:
                    continue
                except Exception as error:  # noqa: BLE001
                    wrong.append(f"{name}({key}={kind}): {type(error).__name__} {error}"[:160])
                    continue
                if kind in ("text", "text in an object array", "masked", "complex") and key in (
                    measured_of(name, arguments)
                ):
                    wrong.append(f"{name}({key}={kind}): taken")
    assert not wrong, "\n".join(wrong)


def test_noise_of_an_outlier_is_not_that_of_all():
    # one run that diverged must not make ties of the others
    from nettrial.stats import friedman_test, wilcoxon_test

    a, b = [0.12, 0.15, 0.11, 1e16], [0.13, 0.17, 0.14, 0.2]
    assert wilcoxon_test(a, b).details["n_zero"] == 0
    table = [[0.12, 0.13, 0.2, 1e16]] * 4
    assert friedman_test(table).details["mean_ranks"] == (1, 2, 3, 4)
    assert math.isnan(friedman_test([[0.3, 0.1 + 0.2]] * 4).statistic)


def is_numpys(value: object) -> bool:
    """Whether a single number is one of NumPy's."""
    return isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim)


@pytest.mark.parametrize("name", PUBLIC)
def test_single_numbers_of_results_are_pythons_own(name):
    found = call(name, example(name))
    assert not is_numpys(found)
    values = {}
    if dataclasses.is_dataclass(found):
        values = {f.name: getattr(found, f.name) for f in dataclasses.fields(found)}
        values |= values.get("details") or {}
    assert [key for key, value in values.items() if is_numpys(value)] == []
