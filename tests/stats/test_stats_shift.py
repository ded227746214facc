"""Values far from zero: NIST's certified data sets, and every function of stats moved and scaled.

The data sets are of the Statistical Reference Datasets of the US National Institute of Standards
and Technology (https://www.itl.nist.gov/div898/strd/): analysis of variance and univariate
summary statistics, with their certified values. nettrial.stats fits no linear regression, so that
NIST's sets of that kind apply to nothing here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from itertools import cycle, islice
from typing import Any

import numpy as np
import pytest

from nettrial import stats
from nettrial.numeric.rounding import exact_range
from public_functions import PUBLIC, call, example, measured_of, over_arrays

FAR = 2.0**40  # whole numbers keep all their digits, and rounding noise stays below a hundredth


def decimals(texts: str, base: str = "0") -> list[float]:
    return [float(Fraction(base) + Fraction(text)) for text in texts.split()]


def simon_lesage(size: int, base: str) -> list[list[float]]:
    """Nine treatments about 0.4 or its neighbors, of which each value but the first is 0.1 off."""
    centers = ["0.4", *islice(cycle(["0.3", "0.5"]), 8)]
    groups = []
    for center in centers:
        mean = Fraction(base) + Fraction(center)
        off = [Fraction(0), *islice(cycle([Fraction(-1, 10), Fraction(1, 10)]), size - 1)]
        groups.append([float(mean + by) for by in off])
    return groups


def exact_f(groups: list[list[float]]) -> float:
    """Compute F of the doubles themselves, by fractions."""
    values = [[Fraction(x) for x in group] for group in groups]
    sizes = [len(group) for group in values]
    means = [sum(group) / len(group) for group in values]
    total = sum(sizes)
    grand = sum(n * mean for n, mean in zip(sizes, means)) / total
    between = sum(n * (mean - grand) ** 2 for n, mean in zip(sizes, means))
    within = sum((x - mean) ** 2 for group, mean in zip(values, means) for x in group)
    return float(between / (len(sizes) - 1) / (within / (total - len(sizes))))


@pytest.mark.parametrize("size", [21, 201, 2001])
@pytest.mark.parametrize("base", ["1", "1000000", "1000000000000"])
def test_simon_and_lesages_sets_are_as_exact_as_doubles(base, size):
    groups = simon_lesage(size, base)
    found = stats.oneway_anova(groups)
    assert found.df == (8.0, 9.0 * (size - 1))
    assert found.statistic == pytest.approx(exact_f(groups), rel=1e-12)
    # the certified value is that of decimals, which doubles hold to 1, 1e-9 and 1e-3 of 0.1
    certified = {"1": 1e-13, "1000000": 1e-9, "1000000000000": 1e-3}[base]
    assert found.statistic == pytest.approx(size, rel=certified)
    assert found.details["ss_between"] == pytest.approx(0.08 * size, rel=certified)
    assert found.details["ss_within"] == pytest.approx(0.09 * (size - 1), rel=certified)


SILVER = (
    "1568 1465 1572 1785 1446 1903 1526 1494 1616 1587 1519 1486 1419 1569 1508 1672 1385 1518 "
    "1662 1424 1360 1333 1610 1477",
    "1079 1344 1513 1197 1604 1385 1642 1365 1151 1082 1517 1448 1198 1482 1334 1609 1101 1512 "
    "1469 1360 1254 1261 1450 1368",
)
RESISTIVITY = (
    "196.3052 196.1240 196.1890 196.2569 196.3403",
    "196.3042 196.3825 196.1669 196.3257 196.0422",
    "196.1303 196.2005 196.2889 196.0343 196.1811",
    "196.2795 196.1748 196.1494 196.1485 195.9885",
    "196.2119 196.1051 196.1850 196.0052 196.2090",
)


def test_the_atomic_weight_of_silver():
    groups = [[float(Fraction(f"107.868{x}")) for x in row.split()] for row in SILVER]
    found = stats.oneway_anova(groups)
    assert found.df == (1.0, 46.0)
    assert found.statistic == pytest.approx(exact_f(groups), rel=1e-11)
    # 107.868... has 14 digits behind the point in a double, and the values differ in the 5th
    assert found.statistic == pytest.approx(1.59467335677930e01, rel=1e-9)
    assert found.details["ss_between"] == pytest.approx(3.63834187500000e-09, rel=1e-9)
    assert found.details["ss_within"] == pytest.approx(1.04951729166667e-08, rel=1e-9)
    assert found.effect_size == pytest.approx(2.57426544538321e-01, rel=1e-9)
    t = stats.pooled_t_test(*groups)
    assert t.statistic**2 == pytest.approx(exact_f(groups), rel=1e-11)


def test_the_resistivity_of_silicon():
    groups = [decimals(row) for row in RESISTIVITY]
    found = stats.oneway_anova(groups)
    assert found.df == (4.0, 20.0)
    assert found.statistic == pytest.approx(1.18046237440255e00, rel=1e-11)
    assert found.details["ss_between"] == pytest.approx(5.11462616000000e-02, rel=1e-11)
    assert found.details["ss_within"] == pytest.approx(2.16636560000000e-01, rel=1e-11)
    assert found.effect_size == pytest.approx(1.90999039051129e-01, rel=1e-11)


MICHELSON = (
    "850 740 900 1070 930 850 950 980 980 880 1000 980 930 650 760 810 1000 1000 960 960 960 940 "
    "960 940 880 800 850 880 900 840 830 790 810 880 880 830 800 790 760 800 880 880 880 860 720 "
    "720 620 860 970 950 880 910 850 870 840 840 850 840 840 840 890 810 810 820 800 770 760 740 "
    "750 760 910 920 890 860 880 720 840 850 850 780 890 840 780 810 760 810 790 810 820 850 870 "
    "870 810 740 810 940 950 800 810 870"
)


def alternating(first: str, low: str, high: str) -> list[float]:
    return [float(first), *(float(x) for x in islice(cycle([low, high]), 1000))]


UNIVARIATE = {
    "NumAcc1": ([10000001.0, 10000003.0, 10000002.0], 10000002.0, 1.0, 1e-14),
    "NumAcc2": (alternating("1.2", "1.1", "1.3"), 1.2, 0.1, 1e-13),
    "NumAcc3": (alternating("1000000.2", "1000000.1", "1000000.3"), 1000000.2, 0.1, 1e-9),
    "NumAcc4": (alternating("10000000.2", "10000000.1", "10000000.3"), 10000000.2, 0.1, 1e-8),
    "Michelso": (
        [float(299 + Fraction(int(x), 1000)) for x in MICHELSON.split()],
        299.852400000000, 0.0790105478190518, 1e-12,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNIVARIATE)
def test_univariate_sets(name):
    values, mean, sd, exact = UNIVARIATE[name]
    null = mean - sd
    found = stats.one_sample_t_test(values, null_value=null)
    assert found.estimate == pytest.approx(mean, rel=1e-15)
    assert found.details["sd"] == pytest.approx(sd, rel=exact)
    assert found.statistic == pytest.approx(np.sqrt(len(values)), rel=10 * exact)
    pairs = stats.paired_t_test(values, [null] * len(values))
    assert pairs.details["sd"] == pytest.approx(sd, rel=10 * exact)
    of_mean = stats.cluster_mean_test(values, range(len(values)), null_value=null)
    assert of_mean.statistic == pytest.approx(found.statistic, rel=1e-13)


# moving all values alike changes these by their meaning: they ask whether the values are 0, or
# take proportions
MOVED = {
    "stats.adjust", "stats.adjust_pairs", "stats.adjusted_pvalues", "stats.max_t_comparisons",
    "stats.network_hac_test",
    "stats.random_effects", "stats.replicate_comparisons", "stats.rsc_paired_t_test",
    "stats.rsc_unpaired_t_test",
}  # fmt: skip
# of these, what measures spread is the same wherever the values are
SPREAD = ("stats.network_hac_test", "stats.random_effects", "stats.replicate_comparisons")
SCALELESS = ("pvalue", "adjusted_pvalue", "effect_size", "effect_size_low", "effect_size_high",
             "df", "degenerate", "prob_less")  # fmt: skip


def whole(name: str, by: float, times: float = 1.0) -> dict[str, Any]:
    """Return the example of a function with whole numbers for its values, moved and scaled."""
    arguments, random = example(name), np.random.default_rng(3)

    def change(values: np.ndarray) -> np.ndarray:
        return (np.rint(100 * values) + random.integers(0, 9, values.shape)) * times + by

    for key in measured_of(name, arguments):
        if key != "standard_errors":
            arguments[key] = over_arrays(change, arguments[key])
    if "null_value" in inspect.signature(PUBLIC[name]).parameters:
        arguments["null_value"] = 20.0 * times + by
    return arguments


VALUED = [
    name
    for name in PUBLIC
    if name.startswith("stats.") and name not in MOVED and measured_of(name, example(name))
]


def numbers_in(found: Any, name: str = "") -> dict[str, float]:
    """Return every number of a result, by where it stands."""
    if hasattr(found, "__dataclass_fields__"):
        found = {field: getattr(found, field) for field in found.__dataclass_fields__}
    if isinstance(found, Mapping):
        parts = [numbers_in(value, f"{name}.{key}") for key, value in found.items()]
    elif isinstance(found, (list, tuple)) or getattr(found, "shape", ()):
        parts = [numbers_in(value, f"{name}[{k}]") for k, value in enumerate(found)]
    else:
        return {name: float(found)} if isinstance(found, (int, float, np.number)) else {}
    return {key: value for part in parts for key, value in part.items()}


@pytest.mark.parametrize("name", VALUED)
@pytest.mark.parametrize("by", [FAR, -FAR])
def test_a_number_added_to_all_values_costs_no_digit(name, by):
    wanted = numbers_in(call(name, whole(name, 0.0)))
    found = numbers_in(call(name, whole(name, by)))
    assert found.keys() == wanted.keys()
    for key, value in wanted.items():
        if name == "stats.cluster_contributions" and key.startswith(".scale"):
            continue  # the size of the values, against which rounding is judged
        moved = found[key] == pytest.approx(value + by, rel=0, abs=1e-3)  # as a mean is
        assert moved or found[key] == pytest.approx(value, rel=1e-11, abs=1e-300, nan_ok=True), key


@pytest.mark.parametrize("name", SPREAD)
def test_a_number_added_to_all_values_leaves_their_spread(name):
    asked = [whole(name, by) for by in (0.0, FAR)]
    for arguments in asked:  # a mean that no double holds
        if "values" in arguments:
            arguments["values"][0] += 1
    wanted, found = (call(name, arguments) for arguments in asked)
    np.testing.assert_allclose(found.standard_error, wanted.standard_error, rtol=1e-12)


@pytest.mark.parametrize("name", VALUED)
def test_values_far_from_zero_in_another_unit_give_the_same_verdict(name):
    if name == "stats.bayesian_hierarchical_test" or name.endswith("correlated_t_test"):
        return  # whose ropes and priors have the unit of the values
    unit = 2.0**-30
    wanted, found = (
        numbers_in(call(name, whole(name, *moved))) for moved in ((0.0,), (FAR * unit, unit))
    )
    compared = [key for key in wanted if key.rpartition(".")[2].partition("[")[0] in SCALELESS]
    assert compared or name == "stats.cluster_contributions"  # which makes no test
    for key in compared:
        assert found[key] == pytest.approx(wanted[key], rel=1e-12, abs=1e-300, nan_ok=True), key


# beside the values these have a unit: of an interval, of a prior, of what does not count
UNITS = ("stats.cluster_contributions",)


@pytest.mark.parametrize("name", [name for name in VALUED if name not in UNITS])
def test_exact_values_far_from_zero_are_not_taken_for_rounding_noise(name):
    unit = 2.0**-10  # 2.4e-3 is ten epsilons of the values
    near, far = (numbers_in(call(name, whole(name, by, unit))) for by in (0.0, FAR))
    compared = [key for key in near if key.rpartition(".")[2].partition("[")[0] in SCALELESS]
    assert compared
    for key in compared:
        assert far[key] == pytest.approx(near[key], rel=1e-11, abs=1e-300, nan_ok=True), key


FLIPPED = {
    "permutation_test": lambda a, b: stats.permutation_test(a, b, n_resamples=20_000),
    "permutation_test of random flips": lambda a, b: stats.permutation_test(a, b, n_resamples=999),
    "bootstrap_test": lambda a, b: stats.bootstrap_test(a, b, n_resamples=999),
    "sign_flip_test": lambda a, b: stats.sign_flip_test(a, b, range(14), n_resamples=20_000),
    "two_sample_permutation_test": lambda a, b: stats.two_sample_permutation_test(
        a, b, n_resamples=999
    ),
    "wilcoxon_test": stats.wilcoxon_test,
}


@pytest.mark.parametrize("name", FLIPPED)
def test_what_exact_values_have_in_common_ties_no_differences(name):
    a, b = np.random.default_rng(8).integers(0, 60, (2, 14)) / 1024
    wanted = FLIPPED[name](a, b)
    assert 0.01 < wanted.pvalue < 1
    for by in (2.0**30, 2.0**36, 2.0**38, FAR):
        assert FLIPPED[name](a + by, b + by).pvalue == wanted.pvalue


def test_all_flips_are_those_of_whole_numbers():
    a, b = np.random.default_rng(8).integers(0, 60, (2, 14))
    signs = 1 - 2 * (np.arange(2**14)[:, np.newaxis] >> np.arange(14) & 1)
    extreme = np.abs(signs @ (a - b)) >= abs((a - b).sum())
    found = stats.permutation_test(a / 1024 + FAR, b / 1024 + FAR, n_resamples=20_000)
    assert found.pvalue == extreme.mean()


def test_decimals_still_tie_by_the_numbers_behind_them():
    a, b = [0.3, 0.2, 0.9, 0.8], [0.2, 0.1, 0.8, 0.9]  # a difference of 0.1 each
    assert stats.permutation_test(a, b).pvalue == stats.permutation_test([1, 1, 1, -1]).pvalue
    assert stats.sign_test([0.1 + 0.2, 0.5], [0.3, 0.4]).details["n_ties"] == 1


@pytest.mark.parametrize("largest", [0.0, 2.0**-1000, 1.0, 2.0**1023, np.inf])
def test_the_range_of_exact_numbers_is_found_for_any_double(largest):
    assert exact_range(np.array([0.0, largest])) == largest
    assert exact_range(np.array([0.1, largest, 0.3])) == np.inf
    assert exact_range(np.array([])) == np.inf
