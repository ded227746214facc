"""Gates: what passes, what fails and what the data cannot decide, on results of every kind."""

from __future__ import annotations

import numpy as np
import pytest

import nettrial
from nettrial.core.finding import Finding
from nettrial.report.gate import gate
from nettrial.report.pytest_plugin import ModelGate

pytest_plugins = ["pytester"]
GROUPS = np.repeat(np.arange(40), 5).tolist()


def grouped(new: float, old: float, *, errors: bool = False) -> Finding:
    """Compare answers whose shares right by group vary little around two means."""
    generator = np.random.default_rng(0)
    noise = generator.normal(0, 0.02, (2, len(GROUPS)))
    return nettrial.compare_grouped(
        new + noise[0], old + noise[1], GROUPS, names=("new", "old"), errors=errors
    )


WORSE, EQUAL, BETTER = grouped(0.5, 0.6), grouped(0.6, 0.6), grouped(0.7, 0.6)
TINY = nettrial.compare_grouped([1, 0, 1, 1], [1, 1, 0, 1], list("ppqq"), names=("new", "old"))


@pytest.mark.parametrize(
    ("found", "condition", "passed", "settled"),
    [
        (WORSE, "worse", False, True),
        (WORSE, "not-better", False, True),
        (WORSE, "worse-by=0.02", False, True),
        (WORSE, "worse-by=0.2", True, True),
        (EQUAL, "worse", False, False),
        (EQUAL, "not-better", False, True),
        (EQUAL, "worse-by=0.02", True, True),
        (BETTER, "worse", True, True),
        (BETTER, "not-better", True, True),
        (BETTER, "worse-by=0.001", True, True),
        (TINY, "worse", False, False),
        (TINY, "worse-by=0.02", False, False),
    ],
)
def test_conditions(found: Finding, condition: str, passed: bool, settled: bool) -> None:
    reached = gate(found, [condition])
    assert (reached.passed, reached.settled) == (passed, settled)
    assert ("cannot tell" in reached.sentence) is not settled
    assert gate(found, [condition], on_unsettled="pass").passed is (passed or not settled)


def test_scores_and_errors_have_opposite_directions() -> None:
    assert not gate(grouped(0.5, 0.6), ["not-better"]).passed
    assert gate(grouped(0.5, 0.6, errors=True), ["not-better"]).passed


def test_the_first_failure_is_named() -> None:
    reached = gate(WORSE, ["worse-by=0.2", "worse"])
    assert not reached.passed
    assert reached.sentence.startswith("failed: new is worse than old (mean difference -0.0979")


def test_several_models_are_held_against_the_control(words) -> None:
    network = nettrial.latent_group_network(300, seed=0)
    options = {"n_splits": 4, "test": "network_hac", "seed": 1}
    found = nettrial.compare_models(network, ["wvrn", "prior", "nbc"], control="wvrn", **options)
    reached = gate(found, ["worse"])
    assert not reached.passed
    assert "prior is worse than wvrn" in reached.sentence
    found = nettrial.compare_models(network, ["wvrn", "prior"], control="prior", **options)
    assert gate(found, ["not-better"]).passed
    with words.raises(nettrial.InputError):
        gate(nettrial.compare_models(network, ["wvrn", "prior"], **options), ["worse"])


def test_predictions_do_not_say_which_model_is_new(words) -> None:
    """The order of a file does not: the same gate holds whichever model stands first."""
    network = nettrial.latent_group_network(300, seed=0)
    options = {"n_splits": 8, "test": "cluster_robust_t", "seed": 1}
    made = nettrial.compare(network, "prior", "wvrn", **options).predictions
    orders = [nettrial.compare_predictions(made, a=a, test=options["test"], seed=1)
              for a in ("prior", "wvrn")]  # fmt: skip
    assert [found.a for found in orders] == ["prior", "wvrn"]
    for found in orders:
        with words.raises(nettrial.InputError):
            gate(found, ["worse"])
        with words.raises(nettrial.InputError):
            gate(found, ["worse"], new="nbc")
        assert gate(found, ["check"]).settled
        worse = gate(found, ["worse"], new="prior")
        assert not worse.passed
        assert worse.sentence.startswith("failed: prior is worse than wvrn (error rate difference ")
        assert gate(found, ["not-better"], new="wvrn").passed
    sentences = {gate(found, ["worse-by=0.01"], new="prior").sentence for found in orders}
    assert len(sentences) == 1


def test_a_better_model_is_not_called_worse() -> None:
    said = gate(BETTER, ["worse-by=0.001"]).sentence
    assert said.startswith("passed: new is not worse than old by 0.001 or more (")


def test_a_margin_of_the_whole_range_is_refused(words) -> None:
    """One hundred percentage points are no loss that any model could exceed."""
    network = nettrial.latent_group_network(150, seed=1)
    found = nettrial.compare(network, "prior", "wvrn", n_splits=4, test="network_hac", seed=1)
    for each in (found, TINY):
        with words.raises(nettrial.InputError):
            gate(each, ["worse-by=1"])
    assert gate(EQUAL, ["worse-by=1"]).passed  # of numbers, which have no range


def test_what_cannot_be_said_has_a_cause() -> None:
    assert (
        "4 items in 2 groups are too few for this margin" in gate(TINY, ["worse-by=0.02"]).sentence
    )
    assert "are too few for a difference of this size" in gate(EQUAL, ["worse"]).sentence
    network = nettrial.latent_group_network(150, seed=1)
    found = nettrial.compare(network, "prior", "wvrn", n_splits=4, test="network_hac", seed=1)
    said = gate(found, ["worse"]).sentence
    assert "too few degrees of freedom, as the network HAC test has " in said
    assert "and a verdict takes 4" in said


def test_too_few_degrees_of_freedom_decide_nothing() -> None:
    network = nettrial.latent_group_network(150, seed=1)
    found = nettrial.compare(network, "prior", "wvrn", n_splits=4, test="network_hac", seed=1)
    assert not found.settled
    for condition in ("worse", "not-better", "worse-by=0.01"):
        assert gate(found, [condition])[:2] == (False, False)


def test_other_results_are_refused(words) -> None:
    table = {"dataset": ["c", "d"], "gcn": ["81.5 ± 0.5"] * 2, "gat": ["83.0 ± 0.7"] * 2}
    found = nettrial.leaderboard(table, n_splits=9, test_share=0.3)
    with words.raises(nettrial.InputError):
        gate(found, ["worse"])


@pytest.mark.parametrize("condition", ["wors", "worse-by", "worse-by=0", "worse-by=x"])
def test_conditions_that_do_not_exist(condition: str) -> None:
    with pytest.raises(nettrial.InputError, match=r"^fail_if: "):
        gate(EQUAL, [condition])


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import nettrial

        network = nettrial.latent_group_network(300, seed=0)
        fast = {"n_splits": 4, "test": "network_hac", "seed": 1}

        def test_equal(nettrial_gate):
            found = nettrial_gate.not_worse(network, "prior", "prior", margin=0.01, **fast)
            assert found.difference == 0
            nettrial_gate.passes(found, "worse")

        def test_worse(nettrial_gate):
            nettrial_gate.not_worse(network, "prior", "wvrn", margin=0.01, **fast)

        def test_better(nettrial_gate):
            nettrial_gate.better(network, "wvrn", "prior", **fast)
        """
    )
    ended = pytester.runpytest_inprocess(
        "-p", "no:nettrial",  # where it is installed, it is loaded by its entry point
        "-p", "nettrial.report.pytest_plugin", "-p", "no:randomly", "-p", "no:cacheprovider",
    )  # fmt: skip
    ended.assert_outcomes(passed=2, failed=1)
    ended.stdout.fnmatch_lines(["*failed: prior is worse than wvrn by more than 1.0 percentage*"])


def test_the_plugin_loads_nothing_before_it_is_used(pytester: pytest.Pytester) -> None:
    ended = pytester.runpython_c(
        "import sys, nettrial.report.pytest_plugin; "
        "print(sorted(sys.modules.keys() & {'numpy', 'scipy', 'numba', 'pandas', 'click'}))"
    )
    ended.stdout.fnmatch_lines(["[[]]"])


def same_errors() -> Finding:
    """Two models with other probabilities, and the same answers."""
    network = nettrial.latent_group_network(300, seed=0)
    splits = nettrial.compare(network, "prior", "wvrn", n_splits=4, test="network_hac").predictions
    first = np.where(np.arange(300) % 3 > 0, 0.6, 0.3)
    given = {}
    for name, sharper in (("new", 1.0), ("old", 1.2)):
        share = 0.5 + sharper * (first - 0.5)
        values = np.full((4, 300, 2), np.nan)
        for k, split in enumerate(splits.splits):
            values[k, split.test] = np.stack([share, 1 - share], axis=-1)[split.test]
        given[name] = values
    return nettrial.compare_predictions(given, network, splits=list(splits.splits))


def test_models_that_never_differ_are_neither_worse_nor_better() -> None:
    answers = nettrial.compare_grouped([1, 0, 1, 1], [1, 0, 1, 1], list("ppqq"))
    for found, new, says in ((same_errors(), "new", "new makes the same errors as old"),
                             (answers, None, "A has the same scores as B")):  # fmt: skip
        for condition in ("worse", "worse-by=0.01"):
            assert gate(found, [condition], new=new) == (True, True, f"passed: {says}")
        assert gate(found, ["not-better"], new=new) == (False, True, f"failed: {says}")
    crossed = nettrial.compare_grouped([1, 0, 1, 0], [0, 1, 0, 1], list("ppqq"))
    assert not gate(crossed, ["worse"]).settled


def test_a_settled_failure_comes_first_and_a_pass_names_all() -> None:
    assert "cannot tell" in gate(EQUAL, ["worse"]).sentence
    reached = gate(EQUAL, ["worse", "not-better"])
    assert reached.settled
    assert reached.sentence.startswith("failed: new is not shown to be better than old")
    network = nettrial.latent_group_network(300, seed=0)
    found = nettrial.compare_models(
        network, ["prior", "wvrn", "nbc"], control="prior", n_splits=4, test="network_hac", seed=1
    )
    said = gate(found, ["not-better"]).sentence
    assert said.startswith("passed: wvrn is better than prior (")
    assert "; nbc is better than prior (" in said


def test_no_condition_is_refused(words) -> None:
    with words.raises(nettrial.InputError):
        gate(EQUAL, [])


def test_a_margin_is_refused_before_models_run(words) -> None:
    def model(*_: object) -> None:
        raise AssertionError("a model ran")

    network = nettrial.latent_group_network(60, seed=1)
    with words.raises(nettrial.InputError):
        ModelGate().not_worse(network, model, "wvrn", margin=1.0, measure="auc")


def test_the_fixture_takes_numbers_of_numpy_and_what_follows_undecided(words) -> None:
    network = nettrial.latent_group_network(150, seed=1)
    options = {"n_splits": 4, "test": "network_hac", "seed": 1, "on_unsettled": "pass"}
    ModelGate().not_worse(network, "prior", "wvrn", margin=np.float64(0.01), **options)
    ModelGate().better(network, "prior", "wvrn", **options)
    with words.raises(nettrial.InputError):
        ModelGate().passes(EQUAL)
