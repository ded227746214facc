"""Every design gets a test of the catalog or a refusal, and the known cases the right one."""

from __future__ import annotations

import inspect
import itertools

import pytest

from nettrial.core.errors import InputError
from nettrial.stats.catalog import CATALOG, SHAPES, specification
from nettrial.stats.recommendation import recommend

yes_no = (False, True)


def designs():
    for values in itertools.product((1, 2, 3), (1, 10, 40), yes_no, (1, 3, 12), yes_no, yes_no):
        names = ("classifiers", "test_sets", "overlapping", "data_sets", "grouped", "predictions")
        for criteria in (1, 2):
            yield dict(zip(names, values)) | {"criteria": criteria}


def test_every_design_has_an_answer_with_reason_and_source(words):
    refused = answered = 0
    for design in designs():
        scores_of_one = design["grouped"] and not design["predictions"]
        no_test = scores_of_one and design["data_sets"] == design["criteria"] == 1
        if design["test_sets"] == 1 and (design["overlapping"] or no_test):
            with words.raises(InputError):
                recommend(**design)
            refused += 1
            continue
        got = recommend(**design)
        answered += 1
        assert got.function == CATALOG[got.test].target
        assert got.why
        assert got.source
        assert got.answers
        assert got.test not in got.wrong
        assert not set(got.also_valid) & set(got.wrong)
        text = str(got)
        assert got.function in text
        assert all(f"not {name}: " in text for name in got.wrong)
    assert answered > 2 * refused > 0


@pytest.mark.parametrize(
    ("design", "test", "wrong"),
    [
        ({}, "mcnemar", "two-proportions"),
        ({"classifiers": 1}, "binomial", "one-sample-t"),
        ({"classifiers": 4}, "cochran-q", "mcnemar"),
        ({"predictions": False}, "two-proportions", "paired-t"),
        ({"test_sets": 10}, "corrected-resampled-t", "paired-t"),
        ({"test_sets": 100, "overlapping": True}, "corrected-resampled-t", "paired-z"),
        ({"test_sets": 10, "shared_training": False}, "paired-t", "welch-t"),
        ({"test_sets": 40, "shared_training": False}, "paired-z", "welch-t"),
        ({"grouped": True}, "cluster-robust-t", "mcnemar"),
        ({"grouped": True, "classifiers": 1}, "cluster-mean", "binomial"),
        ({"grouped": True, "test_sets": 10, "overlapping": True}, "cluster-robust-t", "paired-t"),
        ({"grouped": True, "classifiers": 3}, "cluster-robust-t", "cochran-q"),
        ({"data_sets": 10}, "wilcoxon", "corrected-resampled-t"),
        ({"data_sets": 10, "grouped": True}, "wilcoxon", "mcnemar"),
        ({"data_sets": 10, "classifiers": 5}, "iman-davenport", "wilcoxon"),
        ({"data_sets": 10, "classifiers": 5, "gaps": True}, "skillings-mack", "iman-davenport"),
        ({"criteria": 2, "data_sets": 10}, "hotelling-paired", "paired-t"),
        ({"criteria": 2, "data_sets": 10, "classifiers": 3}, "manova", "paired-t"),
    ],
)
def test_known_designs(design, test, wrong):
    got = recommend(**design)
    assert got.test == test
    assert wrong in got.wrong


def test_gaps_of_two_classifiers_leave_pairs_out():
    got = recommend(data_sets=10, gaps=True)
    assert got.test == "wilcoxon"
    assert any("that one of the two lacks" in note for note in got.notes)
    assert got.notes[:1] == recommend(data_sets=10).notes


def test_too_few_data_sets_are_told():
    assert any("cannot reject" in note for note in recommend(data_sets=5).notes)
    assert not any("cannot reject" in note for note in recommend(data_sets=6).notes)


@pytest.mark.parametrize(
    "design",
    [
        {"classifiers": 0},
        {"test_sets": 2.5},
        {"overlapping": True},
        {"test_sets": 5, "overlapping": True, "shared_training": False},
        {"classifiers": 3, "gaps": True},
        {"data_sets": 5, "classifiers": 1, "gaps": True},
        {"grouped": True, "predictions": False},
    ],
)
def test_designs_that_contradict_themselves_are_refused(design, words):
    with words.raises(InputError):
        recommend(**design)


@pytest.mark.parametrize("name", CATALOG)
def test_every_entry_leads_to_a_function_that_says_when_to_use_it(name):
    spec = specification(name)
    function = spec.load()
    assert spec.shape in SHAPES
    assert len(spec.use) < 100
    assert "\n" not in spec.use
    assert len(inspect.getdoc(function) or "") > 300


def test_unknown_names_suggest_the_nearest(words):
    with words.raises(InputError):
        specification("mcnemra")


def test_the_slides_k_fold_t_is_named_and_why_it_is_wrong():
    for design in ({"test_sets": 10}, {"test_sets": 10, "overlapping": True}):
        assert "rejects somewhat too often" in recommend(**design).wrong["kfold-t"]
