"""What users of SciPy try: its parameters, and results that unpack into statistic and p-value."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
from scipy.stats import PermutationMethod

from nettrial import stats
from nettrial.core.errors import InputError
from nettrial.core.option_names import SYNONYMS
from nettrial.core.results import Result
from public_functions import PUBLIC, call, example

OTHERS = {
    "nan_policy": ("omit", "leave out what is missing"),
    "keepdims": (True, "expand_dims"),
    "rng": (0, "seed= takes an integer"),
    "random_state": (0, "seed= takes an integer"),
    "equal_var": (False, "welch_t_test does not"),
    "paired": (True, "functions of their own"),
    "popmean": (0.0, "null_value= is the same"),
    "mu": (0.0, "null_value= is the same"),
    "p_adjust": ("holm", "adjustment="),
    "use_continuity": (True, "method= chooses the form"),
    "correction": (True, "method= chooses the form"),
    "zero_method": ("pratt", "zeros= is the same"),
    "alpha": (0.05, "confidence= takes 1 - alpha"),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_parameters_of_other_libraries_are_refused_with_what_stands_for_them(name):
    for other, (value, hint) in OTHERS.items():
        parameters = inspect.signature(PUBLIC[name]).parameters
        if {other, SYNONYMS.get(other)} & parameters.keys():
            continue
        with pytest.raises(InputError, match=f"{other}: is no parameter here; .*{hint}") as error:
            call(name, example(name) | {other: value})
        assert isinstance(error.value, TypeError)  # as Python's own refusal is


def test_a_parameter_that_is_misspelled_is_refused_with_the_nearest(words):
    with words.raises(InputError):
        stats.paired_t_test([1, 2, 3], [2, 3, 5], axs=0)


@pytest.mark.parametrize("name", PUBLIC)
def test_results_unpack_into_statistic_and_pvalue_or_say_why_not(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = call(name, example(name))
    if not isinstance(found, Result):
        return
    if hasattr(found, "statistic") and not hasattr(found, "adjusted_pvalue"):
        statistic, p = found
        np.testing.assert_array_equal(statistic, found.statistic)
        np.testing.assert_array_equal(p, found.pvalue)
        return
    with pytest.raises(InputError, match=f"{type(found).__name__}: does not unpack.* by its name"):
        list(found)
    assert not np.iterable(found)


@pytest.mark.parametrize("wrong", [3, "ab", None, ["a", 1, None], [["a"], ["b", "c"]]])
@pytest.mark.parametrize("parameter", ["contributions", "first", "confidence", "seed"])
def test_comparisons_by_contributions_refuse_what_they_cannot_use(parameter, wrong):
    if (parameter, wrong) in (("confidence", 3), ("seed", 3)):
        wrong = -1
    with pytest.raises(InputError, match=r"\A[^\n]+\Z"):
        call("stats.contribution_comparisons", example("stats.contribution_comparisons")
             | {parameter: wrong})  # fmt: skip


def test_the_method_of_scipy_for_an_interval_names_the_fields(words):
    with words.raises(AttributeError):
        stats.paired_t_test([1, 2, 4], [2, 3, 7]).confidence_interval()
    with words.raises(AttributeError):
        _ = stats.paired_t_test([1, 2, 4], [2, 3, 7]).p_value


def test_values_of_scipy_are_refused_with_what_stands_for_them_here(words):
    with words.raises(InputError):
        stats.paired_t_test([1, 2, 4], [2, 3, 7], axis=None)
    with words.raises(InputError):
        stats.wilcoxon_test([1, 2, 4], [2, 3, 7], method=PermutationMethod())


SEEDED = [
    name for name in PUBLIC
    if name.startswith("stats.") and "seed" in inspect.signature(PUBLIC[name]).parameters
]  # fmt: skip


@pytest.mark.parametrize("name", SEEDED)
def test_no_function_takes_a_negative_seed_whether_it_draws_or_not(name):
    assert len(SEEDED) > 5
    with pytest.raises(InputError, match="seed: expected a non-negative integer"):
        call(name, example(name) | {"seed": -1})


def test_exact_flips_take_no_negative_seed_either():
    with pytest.raises(InputError, match="seed"):
        stats.permutation_test([1.0, 2.0], seed=-1)
    with pytest.raises(InputError, match="seed"):
        stats.max_t_comparisons([1.0], [[0.0]], first=["a"], second=["b"], seed=-1)
