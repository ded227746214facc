"""Decisions in many trials at once against the tests one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial.core.errors import InputError
from nettrial.experiments import run_experiment
from nettrial.experiments.decisions import decide, made_from
from nettrial.experiments.group_decisions import group_trials
from nettrial.experiments.records import Record, measured, of_network, rejections
from nettrial.experiments.result import interval
from nettrial.experiments.simulated import (
    NCV,
    READINGS_OF_Q,
    READINGS_OF_REDRAW,
    READINGS_OF_RHO,
    RSC,
)
from nettrial.experiments.statements import (
    LOWER,
    Measured,
    Statement,
    about,
    at_difference,
    cell,
    extreme,
    ratio,
    rows,
)
from nettrial.experiments.tables import beside, merge, tabulate
from nettrial.inference.trials import Trials
from nettrial.stats import (
    cluster_mean_test,
    corrected_resampled_t_test,
    rsc_paired_t_test,
    rsc_unpaired_t_test,
    sign_flip_test,
    wilcoxon_test,
)
from nettrial.synth.simulated_classifiers import GroupClassifiers, simulate_groups


@pytest.fixture
def trials():
    rng = np.random.default_rng(5)
    count, k, groups = 60, 10, 8
    rates = rng.beta(8, 40, (count, 2, k)) + 0.3 * rng.random((count, 1, 1)) * [[[0], [1]]]
    parameters = np.stack(
        [rates.mean(axis=2), rng.uniform(0.5, 1, (count, 2)), rng.uniform(0, 0.1, (count, 2)),
         np.full((count, 2), 300.0)], axis=2,
    )  # fmt: skip
    sizes = rng.integers(0, 40, (count, groups)).astype(float)
    sums = np.minimum(np.round(rng.normal(0.5, 3, (count, groups))), sizes)
    return Trials(
        rates,
        210.0,
        300.0,
        90.0,
        parameters,
        np.where(sizes > 0, sums, 0),
        sizes,
        {"bootstrap": rng.random(count) ** 2},
    )


def one_by_one(test, t, i):
    a, b = t.rates[i]
    if test == "paired_t":
        return scipy_stats.ttest_rel(a, b).pvalue
    if test == "pooled_t":
        return scipy_stats.ttest_ind(a, b).pvalue
    if test == "wilcoxon":
        return wilcoxon_test(a, b).pvalue
    if test == "nadeau_bengio":
        return corrected_resampled_t_test(a, b, n_train=90, n_test=210).pvalue
    if test in ("cluster_robust_t", "cluster_sign_flip"):
        there = t.sizes[i] > 0
        rates = t.sums[i, there] / t.sizes[i, there]
        groups, weights = range(there.sum()), t.sizes[i, there]
        if test == "cluster_sign_flip":
            return sign_flip_test(rates, 0.0, groups, weights=weights).pvalue
        return cluster_mean_test(rates, groups, weights=weights, df="joint").pvalue
    if test == "bootstrap":
        return t.pvalues[test][i]
    (pa, qa, ra, links), (pb, qb, rb, _) = t.parameters[i]
    apply = rsc_paired_t_test if test == "rsc_paired" else rsc_unpaired_t_test
    return apply(
        a, b, n=210, m=300, links=links, p_a=pa, p_b=pb, q_a=qa, q_b=qb, rho_a=ra, rho_b=rb
    ).pvalue


@pytest.mark.parametrize("test", ["bootstrap", *made_from("rates", "parameters", "sums", "sizes")])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_decisions_are_those_of_each_test(test, alpha, trials):
    rejected, undefined = decide(test, trials, alpha=alpha)
    expected = [one_by_one(test, trials, i) < alpha for i in range(len(rejected))]
    assert rejected.tolist() == expected
    assert not undefined.any()
    assert 0 < rejected.sum() < rejected.size


def test_estimates_outside_the_model_leave_rsc_undefined(trials):
    trials.parameters[3, 1, 2] = -0.9  # rho L / n < -1
    rejected, undefined = decide("rsc_paired", trials)
    assert undefined.nonzero()[0].tolist() == [3]
    assert not rejected[3]


def test_one_community_leaves_the_clustered_test_undefined(trials):
    trials.sizes[2, 1:] = 0
    trials.sums[2, 1:] = 0
    trials.sizes[2, 0] = 5
    _, undefined = decide("cluster_robust_t", trials)
    assert undefined.nonzero()[0].tolist() == [2]


def test_unknown_test(trials, words):
    with words.raises(InputError):
        decide("wilcoxn", trials)


def test_records_add_up_and_become_rows():
    where = {"labeled": 0.1}
    parts = [
        rejections(where, "paired t", [True, False, True], [False, False, False]),
        measured(where, "difference", [0.1, np.nan, 0.3]),
        rejections(where, "paired t", [False], [True]),
        measured(where, "difference", [0.5]),
    ]
    first, second = merge(parts)
    assert first == Record(where, "paired t", "rejections", 4, 2.0, 2.0, 1)
    assert (second.trials, second.undefined) == (3, 1)
    table = tabulate("x", parts)
    rate, mean = table.to_dict("records")
    wilson = scipy_stats.binomtest(2, 4).proportion_ci(method="wilson")
    assert rate["rejections"] == 2
    assert (rate["rate"], rate["low"], rate["high"]) == pytest.approx((0.5, *wilson))
    half = scipy_stats.t.ppf(0.975, 2) * np.std([0.1, 0.3, 0.5], ddof=1) / np.sqrt(3)
    assert (mean["mean"], mean["low"], mean["high"]) == pytest.approx((0.3, 0.3 - half, 0.3 + half))


@pytest.fixture
def table():
    records = []
    for design, counts in (("RRS", (40, 80)), ("NCV", (10, 30))):
        for x, count in zip((0.02, 0.06), counts):
            where = {"design": design, "turned": x}
            flags = np.arange(100) < count
            records.append(rejections(where, "paired t", flags, np.zeros(100, bool)))
    for x in (0.02, 0.06):
        records.append(measured({"turned": x}, "mean difference", np.full(5, x + 0.01)))
    return tabulate("x", records)


def test_selecting_and_measuring(table):
    assert len(rows(table, design="RRS")) == 2
    assert len(rows(table, turned=(0.02, 0.06))) == 4
    assert rows(table, unknown=1).empty
    assert extreme("max", design="NCV")(table).number == 0.3
    assert extreme("min", design="NCV")(table).number == 0.1
    assert ratio({"design": "NCV"}, {"design": "RRS"})(table).number == pytest.approx(1 / 3)
    assert np.isnan(extreme("max", design="ERS")(table).number)


@pytest.fixture
def on_four_networks():
    """Return records of 100 trials on each of four networks: a rate and a property of these."""
    where, records = {"design": "RRS"}, []
    for network, (count, share) in enumerate(zip((10, 20, 30, 40), (0.6, 0.7, 0.8, 0.7))):
        flags = np.arange(100) < count
        both = (
            rejections(where, "t", flags, np.zeros(100, bool)),
            measured(where, "share", np.full(100, share)),
        )
        records += of_network(network, both)
    return records


def test_the_interval_of_few_networks_is_between_them(on_four_networks):
    rate, share = tabulate("x", on_four_networks).to_dict("records")
    reach = scipy_stats.t.ppf(0.975, 3) / 2  # of the mean of four
    half = reach * np.std([0.1, 0.2, 0.3, 0.4], ddof=1)
    assert (rate["rate"], rate["low"], rate["high"]) == pytest.approx(
        (0.25, 0.25 - half, 0.25 + half)
    )
    half = reach * np.std([0.6, 0.7, 0.8, 0.7], ddof=1)
    assert (share["mean"], share["low"], share["high"]) == pytest.approx(
        (0.7, 0.7 - half, 0.7 + half)
    )
    # the same trials, taken for independent
    free = tabulate("x", [replace(record, network=None) for record in on_four_networks])
    assert (free["high"] - free["low"]).max() < 0.1


def test_more_trials_on_few_networks_add_nothing_to_what_is_said_of_networks(on_four_networks):
    once, twice = (tabulate("x", on_four_networks * n) for n in (1, 2))
    assert once[["low", "high"]].to_numpy() == pytest.approx(twice[["low", "high"]].to_numpy())


def test_one_network_says_nothing_of_others(on_four_networks):
    table = tabulate("x", on_four_networks[:2])
    assert table[["low", "high"]].isna().all(axis=None)
    statement = Statement("x", cell(design="RRS"), "y", at_most=0.01)
    found, verdict = statement.judge(table)
    assert (interval(found), verdict) == ("0.1", "not contradicted")


def test_networks_that_all_reject_alike_leave_the_interval_of_the_trials():
    records = [
        record
        for network in range(4)
        for record in of_network(network, [rejections({}, "t", np.zeros(10), np.zeros(10))])
    ]
    (row,) = tabulate("x", records).to_dict("records")
    wilson = scipy_stats.binomtest(0, 40).proportion_ci(method="wilson")
    assert (row["low"], row["high"]) == pytest.approx(tuple(wilson))


@pytest.mark.slow
@pytest.mark.parametrize("alike", [True, False])
def test_cells_on_the_same_networks_go_together(alike):
    rng = np.random.default_rng(0)
    covered, said = [], []
    for _ in range(400):
        # how hard a batch is moves all cells, or each of its own
        hard = rng.uniform(0.1, 0.7, (16, 1 if alike else 4)) * np.ones((16, 4))
        counts = rng.binomial(25, hard)
        records, batches = [], []
        for batch, row in enumerate(counts):
            for cell_, count in enumerate(row):
                where = {"design": "AB"[cell_ // 2], "labeled": cell_ % 2}
                records.append(rejections(where, "t", np.arange(25) < count, np.zeros(25, bool)))
                batches.append(batch)
        found = ratio({"design": "A"}, {"design": "B"})(tabulate("x", records, batches))
        covered.append(found.low <= 1 <= found.high)
        said.append(found.high - found.low)
    assert 0.91 < np.mean(covered) < 0.985
    # what moves both sides alike cancels in their ratio
    assert np.mean(said) < 0.25 if alike else np.mean(said) > 0.25


def test_another_measure_of_the_same_cell(table):
    found = beside(table, "mean difference")
    assert found.tolist() == pytest.approx([0.03, 0.07, 0.03, 0.07, 0.03, 0.07])
    # 0.05 lies halfway between the measured differences
    assert at_difference(0.05, design="RRS")(table).number == pytest.approx(0.6)
    assert np.isnan(at_difference(0.5, design="RRS")(table).number)


def test_trials_without_a_pvalue_count_as_no_rejection():
    where = {"design": "RRS"}
    flags, none = np.arange(100) < 40, np.arange(100) >= 80
    records = [
        rejections(where | {"turned": x}, "rsc", flags, none if x else np.ones(100, bool))
        for x in (0.0, 0.02, 0.06)
    ]
    records += [measured({"turned": x}, "mean difference", [x, x]) for x in (0.0, 0.02, 0.06)]
    table = tabulate("x", records)
    assert at_difference(0.04, design="RRS")(table).number == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"at_most": 0.2}, "differs"), ({"at_most": 0.25}, "not contradicted"),
        ({"at_most": 0.4}, "agrees"), ({"at_least": 0.3}, "not contradicted"),
        ({"at_least": 0.22}, "agrees"), ({"at_least": 0.5}, "differs"),
        (about(0.35), "not contradicted"), (about(0.46), "differs"),
        ({"at_least": 0.2, "at_most": 0.41}, "agrees"),
    ],
)  # fmt: skip
def test_a_statement_agrees_if_the_whole_interval_lies_in_what_it_allows(bounds, verdict, table):
    statement = Statement("x", lambda _: Measured(0.3, 0.22, 0.4), "y", **bounds)
    assert statement.judge(table)[1] == verdict


def test_a_statement_without_a_number_is_not_run(table):
    statement = Statement("x", extreme("max", design="ERS"), "y", at_most=1)
    assert statement.judge(table)[1] == "not run"


def test_the_cases_that_only_did_not_contradict():
    # the ratio 1.07 beside "slightly below", the correlation -0.02 beside "some correlation"
    below = Statement("slightly below NCV", cell(), "ratio", at_most=1.0)
    assert below.verdict(Measured(1.07, 0.968, 1.16)) == "not contradicted"
    some = Statement("some correlation", cell(), "smallest", at_least=0.0)
    assert some.verdict(Measured(-0.0213, -0.0493, 0.00659)) == "not contradicted"


def test_readings_of_rho_and_q():
    world = GroupClassifiers(redraw="trial")
    trials = simulate_groups("rrs", labeled=0.3, n_folds=10, n_trials=50, world=world, seed=1)
    known = {
        reading: group_trials(trials, world, rho=reading).parameters
        for reading in ("pooled", "zero", "within")
    }
    n, links = trials.sizes.mean(), known["zero"][:, :, 3]
    assert (known["zero"][:, :, 2] == 0).all()
    np.testing.assert_allclose(known["within"][:, :, 2], -n / links)
    assert known["pooled"][:, :, 2].mean() > 0.3
    by_q = {
        reading: group_trials(trials, world, q=reading).parameters[:, :, 1]
        for reading in ("moment", "known", "p")
    }
    np.testing.assert_allclose(by_q["known"], 0.91)
    np.testing.assert_allclose(by_q["p"], trials.rates.mean(axis=2))
    assert abs(by_q["moment"].mean() - 0.91) < 0.05


def test_phi_within_one_group_of_one_test_set_is_the_lowest_there_is():
    rng = np.random.default_rng(0)
    for size in (2, 5, 20):
        wrong = rng.random(size) < 0.5
        wrong[:2] = [True, False]
        first, second = np.where(~np.eye(size, dtype=bool))
        phi = np.corrcoef(wrong[first], wrong[second])[0, 1]
        assert phi == pytest.approx(-1 / (size - 1))


@pytest.mark.slow
def test_no_reading_gives_both_published_halves():
    """A Type I error below that of NCV and a power of 80% at 4%."""
    type_one, power = (
        run_experiment(name, trials=2000, seed=3).table for name in ("ecml11-fig1a", "ecml11-fig1b")
    )
    for redraw, rho, q in product(READINGS_OF_REDRAW, READINGS_OF_RHO, READINGS_OF_Q):
        rsc = {"design": "RRS", "test": RSC, "redraw": redraw, "rho": rho, "q": q}
        below = Statement("", ratio(rsc, {**NCV, "redraw": redraw}), "", **LOWER)
        near = Statement("", at_difference(0.04, **rsc), "", **about(0.8))
        assert "differs" in (below.judge(type_one)[1], near.judge(power)[1]), rsc
