"""Audit and plan: handicaps hit their mark, counts are counts, sizes grow as they say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nettrial
from nettrial.auditing.audit import _recommended, audit
from nettrial.auditing.audit_result import Rate
from nettrial.auditing.components import Components, t_power
from nettrial.auditing.handicaps import chances_for, turned
from nettrial.auditing.plan import plan
from nettrial.auditing.source import Source
from nettrial.auditing.trial import Key, run_trial
from nettrial.cli import main
from nettrial.core.errors import AssumptionWarning, InputError, SlowWarning
from nettrial.inference.registry import PROCEDURES
from nettrial.kernels.streams import key_of
from nettrial.models import WVRN
from nettrial.models.decide import predict_labels
from nettrial.network.network import Network
from nettrial.replicates.blocks import take_apart
from nettrial.replicates.bootstrap_variance import size_correction
from nettrial.replicates.by_community import values_of
from nettrial.replicates.handicaps import enlarged
from nettrial.replicates.replicate import assemble
from nettrial.report.audit_displays import AuditDisplay, PlanDisplay
from nettrial.report.describe import describe
from nettrial.report.document import Table
from nettrial.synth.latent_groups import latent_group_network

QUICK = {"n_splits": 4, "n_replicates": 20, "seed": 3}


class Plain(WVRN):
    """The same classifier under another name, so that it takes the general path."""


@pytest.fixture(scope="module")
def network():
    return latent_group_network(120, seed=3)


@pytest.fixture(scope="module")
def audited(network):
    return audit(network, "wvrn", "nbc", differences=[0.04], n_inner=10, n_jobs=1, **QUICK)


@pytest.fixture(scope="module")
def planned(network):
    return plan(network, "wvrn", "nbc", difference=0.04, **QUICK)


def predictions_on(network, seed=0):
    splits = nettrial.splits.RandomResampling(n_splits=40, labeled=0.3, seed=seed)
    models = {"a": nettrial.models.WVRN(), "b": nettrial.models.NBC()}
    return nettrial.run(network, models, splits.split_network(network), progress=False)


def test_the_worse_model_stays_the_worse_one():
    for errors in ((0.2, 0.3), (0.3, 0.2), (0.25, 0.25)):
        wanted = (0.0, 0.05, 0.1, 0.2)
        chances = chances_for(np.array(errors), 3, wanted)
        after = np.array(errors) + chances * (1 - 1.5 * np.array(errors))
        sign = 1 if errors[0] >= errors[1] else -1
        np.testing.assert_allclose(sign * (after[:, 0] - after[:, 1]), wanted, atol=1e-12)
        assert (chances >= -1e-12).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_turned_predictions_make_the_errors_that_they_should(classes):
    rng = np.random.default_rng(classes)
    n = 400
    labels = rng.integers(classes, size=n)
    ends = rng.integers(n, size=(2, 1500))
    net = Network(*ends, n_nodes=n, labels=labels.tolist(), classes=range(classes))
    found = predictions_on(net)
    chances = np.array([[0.0, 0.1], [0.3, 0.0], [1.0, 1.0]])
    before = values_of(found).mean(axis=1)
    tests = sum(split.test.size for split in found.splits)
    for row, one in zip(chances, turned(found, chances, 5)):
        expected = before + row * (1 - before - before / (classes - 1))
        # each test is turned by itself: five deviations of a share
        assert (abs(values_of(one).mean(axis=1) - expected) < 2.5 / tests**0.5).all()
    for model in found.models:  # a chance of 0 changes nothing, and 1 changes everything
        first, last = turned(found, chances[[1, 2]], 5)
        if model == "b":
            assert (first.errors(model) == found.errors(model)).all()
        for old, new in zip(found.probabilities[model], last.probabilities[model]):
            assert (predict_labels(old) != predict_labels(new)).all()


def test_larger_replicates_keep_links_a_node_and_add_communities(network):
    groups = network.groups("group")[0]
    blocks = take_apart(network, groups)
    degree, nodes, draws = [], [], []
    for multiple in (1, 4):
        drawn = [
            assemble(network, enlarged(blocks, multiple), key_of(multiple), i) for i in range(40)
        ]
        sizes = np.array([one.network.n_nodes for one in drawn])
        nodes.append(sizes.mean())
        degree.append(np.mean([2 * one.network.n_links / one.network.n_nodes for one in drawn]))
        draws.append(np.mean([one.community.max() + 1 for one in drawn]))
    assert abs(nodes[1] / nodes[0] - 4) < 0.1
    assert abs(draws[1] / draws[0] - 4) < 0.4
    assert abs(degree[1] / degree[0] - 1) < 0.1  # fewer links meet twice in a larger network


def test_every_test_of_the_registry_is_audited(audited, words):
    found = {(test.design, test.name) for test in audited.tests}
    # halves are for models that may notice copies of a node
    assert found == {
        ("rrs", name)
        for name, each in PROCEDURES.items()
        if "nodes" in each.items and name != "halves"
    } | {
        ("ncv", "paired_t"),
        ("ncv", "pooled_t"),
        ("ncv", "wilcoxon"),
    }
    assert audited.test("paired_t (ncv)").design == "ncv"
    with words.raises(InputError):
        audited.test("t")


@pytest.mark.slow
def test_shares_are_counts_of_replicates(audited):
    for test in audited.tests:
        assert [rate.difference for rate in test.rates] == [0.0, 0.04]
        for rate in test.rates:
            assert (rate.rejected * 20) == pytest.approx(round(rate.rejected * 20))
            assert rate.low <= rate.rejected <= rate.high
    assert (abs(np.abs(audited.measured) - [0, 0.04]) < 5 * audited.measured_error).all()


def test_a_replicate_is_tested_as_compare_tests_a_network(network):
    """The drawn network, split and compared by hand, gives the same p-values."""
    source = Source.of(network, "wvrn", "nbc", "louvain", 3)
    trial = run_trial(source, 2, np.zeros((1, 2)), labeled=0.3, n_splits=4, n_inner=0)
    drawn = source.draw(2)
    assert drawn.network.fingerprint() != network.fingerprint()
    found = nettrial.compare_predictions(
        source.predict(drawn.network, source.splits("rrs", 0.3, 4, 2), 2),
        communities=source.groups(drawn),
    )
    for test in found.tests:
        if test.name != "cluster_sign_flip":  # its flips are drawn from another seed
            np.testing.assert_allclose(
                trial.pvalues[Key("rrs", test.name)], test.pvalue, equal_nan=True
            )
    assert trial.differences == pytest.approx(found.difference)


@pytest.mark.slow
def test_the_audited_bootstrap_is_that_of_compare(network):
    """Given many replicates, it finds the standard error that `community_bootstrap_test` finds."""
    source = Source.of(network, "wvrn", "nbc", "louvain", 3)
    trial = run_trial(source, 1, np.zeros((1, 2)), labeled=0.3, n_splits=4, n_inner=400)
    drawn = source.draw(1)
    from nettrial.replicates.bootstrap_test import community_bootstrap_test

    design = source.splits("rrs", 0.3, 4, 1)
    test = community_bootstrap_test(
        drawn.network,
        "wvrn",
        "nbc",
        design=design,
        communities=source.groups(drawn),
        n_replicates=400,
        predictions=source.predict(drawn.network, design, 1),
        progress=False,
    )
    t = stats.t.isf(trial.pvalues[Key("rrs", "bootstrap")][0] / 2, test.df)
    # two standard errors from 400 replicates each differ by 5% at one deviation
    assert t == pytest.approx(abs(test.statistic), rel=0.25)


@pytest.mark.slow
def test_results_do_not_depend_on_the_workers(network, audited):
    again = audit(network, "wvrn", "nbc", differences=[0.04], n_inner=10, n_jobs=2, **QUICK)
    assert again.to_json() == audited.to_json()


@pytest.mark.slow
def test_other_models_take_the_general_path():
    options = QUICK | {"n_splits": 2}
    small = latent_group_network(60, seed=3)
    found = audit(
        small, Plain(), "nbc", communities="group", differences=[0.05], n_jobs=1, **options
    )
    assert found.n_inner == 0
    assert "bootstrap" not in {test.name for test in found.tests}
    assert "The bootstrap was not tried" in str(found)
    assert found.settings["n_calibration"] == 20
    assert found.settings["halves"]
    assert "a half of the communities" in str(found)
    few = plan(small, "wvrn", "nbc-netkit", difference=0.02, minutes=600, **options)
    assert not few.settings["compiled"]
    assert few.test == "bootstrap"


def test_an_audit_draws_no_copies_for_a_model_that_may_notice_them():
    small = latent_group_network(60, seed=3)
    source = Source.of(small, Plain(), "nbc", "group", 3)
    for number in range(5):
        origin = source.draw(number).origin
        assert np.unique(origin).size == origin.size


def test_what_takes_too_long_is_refused_with_an_estimate(network, words):
    with words.raises(InputError):
        audit(network, Plain(), "nbc", minutes=0.001, n_jobs=1, **QUICK)
    with words.raises(InputError):
        plan(network, "wvrn", "nbc", minutes=0.0001)


@pytest.mark.parametrize(
    "options",
    [
        {"differences": []},
        {"differences": [0.02, 0.01]},
        {"differences": [0.0]},
        {"differences": [0.45]},
        {"n_replicates": 5},
        {"n_inner": 5},
        {"minutes": 0},
        {"labeled": 1.2},
        {"communities": np.zeros(120, dtype=int)},
    ],
)
def test_what_an_audit_refuses(network, options, words):
    with words.raises(InputError):
        audit(network, "wvrn", "nbc", **({"n_jobs": 1, "n_inner": 0, "n_replicates": 20} | options))


@pytest.mark.parametrize("options", [{"difference": 0}, {"power": 1}, {"n_splits": 1}])
def test_what_a_plan_refuses(network, options):
    with pytest.raises(InputError, match="expected"):
        plan(network, "wvrn", "nbc", **options)


@pytest.mark.parametrize("other", ["nbc", "cdrn"])
def test_a_plan_refuses_a_network_of_which_no_tenth_can_be_taken(other):
    path = Network(np.arange(3), np.arange(3) + 1, n_nodes=4, labels=["a", "b", "a", "b"])
    options = {"communities": [0, 0, 1, 1], "n_replicates": 20, "minutes": 600}
    with pytest.raises(InputError, match=r"has 4 labeled nodes, and 10% of them leave no train"):
        plan(path, "wvrn", other, **options)


def test_a_drawn_network_that_cannot_be_split_is_laid_to_the_communities(words):
    # one community holds nearly all labels: a network drawn without it has too few
    labels = ["a", "b"] * 4 + ["a", *[None] * 7]
    path = Network(np.arange(15), np.arange(15) + 1, n_nodes=16, labels=labels)
    with words.raises(InputError):
        audit(
            path,
            "wvrn",
            "cdrn",
            communities=np.repeat([0, 1], 8),
            labeled=0.2,
            n_splits=2,
            differences=[0.01],
            n_replicates=20,
            minutes=600,
            n_jobs=1,
        )


def made(test, level, power, wide=0.01):
    rates = [Rate(0.0, level, level - wide, level + wide, 0), Rate(0.1, power, power, power, 0)]
    return replace(test, rates=tuple(rates))


def test_the_recommended_test_is_valid_and_has_the_most_power(audited):
    by_name = {test.title: test for test in audited.tests}

    def recommended(**given):
        tests = [made(by_name[name], *given[name]) for name in given]
        return _recommended(tests, 500)

    # the greatest power loses if it is bought by false alarms
    assert recommended(bootstrap=(0.05, 0.5), rsc_paired=(0.1, 0.9)) == "bootstrap"
    assert recommended(bootstrap=(0.05, 0.5), rsc_paired=(0.05, 0.9)) == "rsc_paired"
    # within Monte Carlo error the first one is taken
    assert recommended(bootstrap=(0.05, 0.5), rsc_paired=(0.05, 0.51)) == "bootstrap"
    # a test for other splits is no verdict, however well it looks
    assert recommended(paired_t=(0.05, 0.9), cluster_robust_t=(0.05, 0.2)) == "cluster_robust_t"
    assert recommended(bootstrap=(0.2, 0.9)) == ""
    # not shown to be above 5%, nor shown to be below 10%
    assert recommended(bootstrap=(0.05, 0.5), rsc_paired=(0.055, 0.9, 0.05)) == "bootstrap"


@pytest.mark.slow
def test_no_valid_test_is_said_plainly(audited):
    tests = tuple(made(test, 0.3, 0.5) for test in audited.tests)
    found = replace(audited, tests=tests, recommended="", n_replicates=500)
    assert found.verdict.startswith("No test for other networks is known to hold its level")
    assert "No test for other networks is known to hold its level" in found.to_html()
    assert "The bold line" not in found.to_html()
    few = replace(found, n_replicates=34)
    assert few.verdict.startswith("Too few networks to recommend a test")
    assert "Too few networks to recommend a test" in few.to_html()
    assert "too few" not in replace(found, n_replicates=35).verdict


def test_closed_form_power_agrees_with_the_simulated_bootstrap():
    """The calibration table gives power, spread of the difference, and true difference."""
    path = Path(__file__).parents[2] / "docs" / "lab" / "calibration.csv"
    table = pd.read_csv(path)
    table = table[(table["test"] == "bootstrap") & (table["difference"] > 0)]
    assert len(table) >= 20
    communities = {"lgm300": 16.7, "blocks600": 15.2, "hetero600": 21.0}  # effective, Louvain
    table = table[table["world"].isin(communities.keys())]
    off = []
    for row in table.itertuples():
        df = 1 / (1 / (communities[row.world] - 1) + 1 / (row.n_replicates - 1))
        off.append(t_power(row.measured, row.sd, df) - row.rejected)
    # the table's own error is 0.03
    assert np.mean(np.abs(off)) < 0.06
    assert np.max(np.abs(off)) < 0.15
    assert abs(np.mean(off)) < 0.04


def test_components_of_made_up_replicates():
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, 0.03, (4000, 1)) + rng.normal(0, 0.08, (4000, 16))
    found = Components.of(drawn, np.full(1000, 1.0), 2)
    assert found.networks == pytest.approx(0.03**2, rel=0.15)
    assert found.splits == pytest.approx(0.08**2, rel=0.03)
    assert found.effective == pytest.approx(2000)
    assert found.error(4) == pytest.approx((found.networks + found.splits / 4) ** 0.5)
    # splits without end leave the variance between networks
    assert found.power(0.05, np.inf) > found.power(0.05, 10)
    low, high = found.interval(0.05, 10)
    assert low < found.power(0.05, 10) < high


@pytest.mark.parametrize("df", [3.0, 14.2, 200.0])
def test_power_is_the_level_at_zero_and_rises(df):
    assert t_power(0.0, 0.01, df) == pytest.approx(0.05)
    values = [t_power(d, 0.01, df) for d in np.linspace(0, 0.6, 40)]
    assert (np.diff(values) > -1e-9).all()
    assert values[-1] == pytest.approx(1.0)


def test_a_plan_holds_together(planned, words):
    frame = planned.to_frame()
    assert planned.test == "bootstrap"
    assert len(frame) == len(planned.spots) == 4 * 4 * 5
    assert ((frame["low"] <= frame["power"]) & (frame["power"] <= frame["high"])).all()
    assert set(frame["n_nodes"]) == {120, 240, 480, 960}
    assert planned.now.multiple == 1
    # the smallest difference that is seen has the power wanted
    parts = planned.now
    assert t_power(planned.detectable, parts.standard_error, parts.df) == pytest.approx(0.8)
    with words.raises(InputError):
        planned.spot(3, 0.3, 4)


def with_power(planned, power):
    spots = tuple(
        spot._replace(power=power(spot), low=power(spot), high=power(spot))
        for spot in planned.spots
    )
    return replace(planned, spots=spots)


def test_power_that_falls_with_size_or_labels_is_told(planned):
    rising = with_power(planned, lambda s: 0.2 + s.multiple / 100 + s.labeled / 10)
    assert "do not always bring more power" not in str(rising)
    for what, falling in (
        ("More nodes", lambda s: 0.9 - s.multiple / 100 + s.labeled / 10),
        ("More labels", lambda s: 0.2 + s.multiple / 100 - s.labeled / 10),
    ):
        note = " ".join(str(with_power(planned, falling)).split())
        assert f"{what} do not always bring more power here." in note


@pytest.mark.slow
def test_the_answer_is_honest_where_nothing_suffices(planned):
    none = with_power(planned, lambda _: 0.2)
    none = replace(none, nodes=None, rate=None, splits=None, ceiling=0.3)
    assert "Nothing that was tried suffices, alone or together" in none.verdict
    both = with_power(
        none, lambda s: 0.9 if s.multiple >= 2 and s.labeled == 0.5 and s.n_splits >= 30 else 0.2
    )
    assert "No change that was tried suffices alone" in both.verdict
    assert "Together 240 nodes, 50% labeled and 30 splits have 90%" in both.verdict
    enough = with_power(planned, lambda _: 0.9)
    assert enough.verdict.startswith("Your network is large enough")
    # a power above what is wanted does not suffice while its interval reaches below
    spots = tuple(spot._replace(power=0.85, low=0.7, high=0.95) for spot in planned.spots)
    unsure = replace(planned, spots=spots)
    assert unsure.verdict.startswith("Your network may be too small")
    assert "85% (70 to 95)" in unsure.verdict
    # nor does what goes together with it
    near = with_power(none, lambda _: 0.2)
    spots = tuple(
        s._replace(power=0.85, low=0.85 if s.n_splits == 100 else 0.75, high=0.95)
        if s.multiple == 4 and s.labeled == 0.5 and s.n_splits >= 30
        else s
        for s in near.spots
    )
    near = replace(near, spots=spots)
    assert near.together.n_splits == 100
    assert "Together 480 nodes, 50% labeled and 100 splits have 85%" in near.verdict
    spots = tuple(s._replace(low=min(s.low, 0.79)) for s in spots)
    near = replace(near, spots=spots)
    assert near.together is None
    assert "more drawn networks narrow it" in near.verdict
    # the answer names 100 splits, and says why not the 30 that the table has above 80%
    spots = tuple(
        s._replace(power=0.95, low=0.85 if s.n_splits == 100 else 0.74, high=1.0)
        if s.n_splits >= 30
        else s
        for s in none.spots
    )
    splits = replace(none, spots=spots, splits=100, nodes=512.0, rate=0.5)
    assert "It takes" in splits.verdict
    assert (
        "A plan suffices where the lower end of its power's interval reaches 80%" in splits.verdict
    )
    shown = {
        head: cell.best
        for table in describe(splits).of(Table)[:1]
        for head, cell in zip(table.head, table.rows[0].cells)
    }
    assert shown["100 splits"]
    assert not shown["30 splits"]
    some = replace(none, nodes=512.0)
    assert "about 510 nodes (4.3 times as many)" in some.verdict
    assert "More splits are not enough: even infinitely many reach only" in some.verdict


def test_sizes_are_interpolated():
    from nettrial.auditing.plan import _nodes
    from nettrial.auditing.plan_result import PlanPoint

    spots = [
        PlanPoint(m, 100 * m, 0.3, 10, 0.1, 9.0, 1, p, 1, 0.1)
        for m, p in ((1, 0.4), (2, 0.6), (4, 1))
    ]
    assert _nodes(spots, 0.8) == pytest.approx(100 * 2 * 2**0.5)
    assert _nodes(spots, 0.3) == 100
    assert _nodes(spots[:2], 0.8) is None


class Tossed:
    """A model of no use, which its training seed moves by far."""

    name = "tossed"

    def fit(self, network, train, *, seed):
        self.share = 0.5 + 0.4 * np.random.default_rng(seed).random()
        return self

    def predict_proba(self, network, nodes):
        first = np.arange(len(nodes)) < self.share * len(nodes)
        return np.stack([first, ~first], axis=1).astype(float)


@pytest.mark.slow
def test_a_plan_by_halves_begins_with_what_compare_finds(network):
    options = {"n_splits": 3, "n_replicates": 10, "seed": 3, "communities": "group"}
    found = plan(network, Plain(), "nbc", difference=0.05, **options)
    compared = nettrial.compare(network, Plain(), "nbc", labeled=0.3, test="halves", **options)
    verdict = compared.tests[0]
    assert found.test == compared.recommended == "halves"
    now = found.now
    assert (now.standard_error, now.df) == pytest.approx((verdict.standard_error, verdict.df))
    # twice the communities of the kind: half the variance, more degrees of freedom
    twice = found.spot(2, 0.3, 3)
    assert twice.standard_error == pytest.approx(now.standard_error / 2**0.5)
    communities = verdict.details["effective_communities"]
    assert 1 / now.df - 1 / twice.df == pytest.approx(
        1 / (communities - 1) - 1 / (2 * communities - 1)
    )
    assert now.low < now.power < now.high < found.spot(8, 0.3, 3).power
    assert now.detectable > found.spot(1, 0.3, 100).detectable > found.spot(8, 0.3, 100).detectable
    assert {spot.labeled for spot in found.spots} == {0.3}
    assert "Proportions of labels other than 30% were not tried" in str(found)
    table = str(found).partition("Smallest difference detected with 80% power, 30% labeled\n")[2]
    note = [line.split() for line in table.splitlines()[1:5]]
    assert [float(line[1]) for line in note] == [
        round(100 * found.spot(m, 0.3, 3).detectable, 1) for m in (1, 2, 4, 8)
    ]
    assert "labels on" not in found.verdict
    assert found.sources == ()
    assert found.to_html().count("<svg") == 2


@pytest.mark.slow
def test_a_plan_says_what_more_seeds_bring(network):
    found = plan(
        network, Tossed(), "prior", n_splits=3, n_seeds=2, n_replicates=10, communities="group"
    )
    assert {spot.n_seeds for spot in found.spots} == {1, 2, 5, 10}
    source = found.sources[-1]
    for multiple, k, s in ((1, 3, 2), (1, 30, 10), (8, 5, 1)):
        # what a seed moves may move all nodes alike, and stays
        rest = (source.network + source.split / k) / multiple
        expected = (rest + source.seed / (k * s)) ** 0.5
        assert found.spot(multiple, 0.3, k, s).standard_error == pytest.approx(expected)
    assert source.seed > 0
    for text in (str(found), found.to_markdown()):
        text = " ".join(text.split())
        assert "2 training seeds each" in text
        assert "Three sources of variance" in text
    assert found.to_html().count("<svg") == 6
    assert r"\begin{tabular}" in found.to_latex()
    note = json.loads(found.to_json())
    assert note["sources"][-1]["seed"] == source.seed
    assert note["seeds"] == found.seeds


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* are expected to leave")
def test_a_plan_by_halves_keeps_within_a_budget(network):
    found = plan(network, Plain(), "nbc", n_splits=2, budget="0.001s", communities="group")
    assert found.n_replicates == 6  # the fewest
    assert "planned for a budget of" in str(found)
    assert beyond_budget(found).startswith("6 halvings, the fewest that are run, take longer than")


def beyond_budget(found):
    """Return the one warning that the budget does not suffice, which the text has too."""
    (said,) = (str(each) for each in found.warnings if "the budget of" in str(each))
    assert said in " ".join(str(found).split())
    return said


@pytest.mark.slow
def test_a_plan_by_drawn_networks_says_that_the_fewest_pass_the_budget(network):
    with pytest.warns(SlowWarning, match="20 networks of each size and proportion, the fewest"):
        short = plan(network, "wvrn", "nbc", n_splits=2, budget="0.001s")
    assert short.n_replicates == 20
    assert "take longer than the budget" in beyond_budget(short)
    given = plan(network, "wvrn", "nbc", n_splits=2, budget="0.001s", n_replicates=21)
    assert not any("the budget of" in str(each) for each in given.warnings)
    assert given.n_replicates == 21


@pytest.mark.slow
def test_pages_and_figures(audited, planned, tmp_path):
    for found, displays in (
        (audited, [AuditDisplay(audited), AuditDisplay(audited, power=True)]),
        (planned, [PlanDisplay(planned), PlanDisplay(planned, "labels")]),
    ):
        page = found.to_html()
        assert found.to_html() == page
        assert describe(found).verdict.headline in page
        assert "<script" not in page
        assert page.count("<svg") == 2 * len(displays)  # for a desk and for a phone
        for display in displays:
            assert len(display.plot().texts) > 2
            assert len(display.frame()) > 2
            display.save(tmp_path / "figure.svg")
        assert json.loads(found.to_json())["verdict"] == found.verdict
        assert found.verdict[:20] in str(found)
        assert "<pre>" not in found._repr_html_()


@pytest.mark.slow
def test_text_page_and_json_warn_alike(audited, planned):
    for found in (audited, planned):
        warned = replace(found, warnings=(AssumptionWarning("a word of caution"),))
        assert json.loads(warned.to_json())["warnings"] == ["a word of caution"]
        assert "! a word of caution" in str(warned)
        assert '<li id="warning-1" class="touches">a word of caution</li>' in warned.to_html()


def test_names_are_escaped(audited):
    page = replace(audited, models=("<script>a", "b&c")).to_html()
    assert "<script" not in page
    assert "&lt;script&gt;a" in page


@pytest.mark.slow
def test_commands(tmp_path, capsys):
    from nettrial.io.write import write

    write(latent_group_network(60, seed=3), tmp_path / "net")
    common = [str(tmp_path / "net"), "--replicates", "20", "--splits", "2", "--json"]
    page, figure = tmp_path / "page.html", tmp_path / "figure.svg"
    out = ["--report", str(page), "--figure", str(figure)]
    for words in (
        ["audit", "--differences", "0.05", "--inner", "0", "--jobs", "1"],
        ["plan", "--difference", "0.05"],
    ):
        with pytest.raises(SystemExit) as ended:
            main([*words, *common, *out])
        assert ended.value.code == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["verdict"]
        assert printed["limits"]
        assert page.read_text().startswith("<!DOCTYPE html>")
        assert figure.stat().st_size > 0
    for words, note in (
        (["audit"], "expected a folder or a file of links, got none"),
        (["audit", "--example", "x"], "got both"),
        (["audit", "--example", "--differences", "a"], "expected numbers such as"),
        (["plan", "--example", "--seeds", "0"], "expected an integer of at least 1"),
        (["plan", "--example", "--figure", "x.png"], "expected a file name ending in"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2
        assert note in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("between", "least"), [(0.0, 0.8), (0.2, 0.9), (3.0, 0.9)])
@pytest.mark.parametrize("n_splits", [5, 30])
def test_the_interval_of_a_plan_holds_the_true_power(
    between: float, least: float, n_splits: int
) -> None:
    rng, trials, r = np.random.default_rng(5), 120, 16
    sizes = np.full(20, 15.0)
    spread = between / 10 / size_correction(sizes)  # of a unit variance between splits
    truth = Components(between / 10, 1.0, 20.0, np.empty((0, 2))).power(0.8, n_splits)
    held = 0
    for _ in range(trials):
        drawn = rng.normal(0, np.sqrt(spread), (40, 1)) + rng.normal(0, 1, (40, r))
        low, high = Components.of(drawn, sizes, 1).interval(0.8, n_splits)
        held += low - 1e-3 <= truth <= high + 1e-3
    assert held >= least * trials
