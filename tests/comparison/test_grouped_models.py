"""Several models on grouped items: one family of pairs, standard errors by groups."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from test_one_answer import FIELDS, check_row, same

import nettrial
from nettrial.core.errors import InputError
from nettrial.report.gate import gate
from nettrial.stats import adjust
from nettrial.stats.clustered import cluster_mean_test


def answers(shares: list[float], *, groups: int = 40, seed: int = 0) -> pd.DataFrame:
    """Right answers of models on items whose groups are hard or easy for each of them."""
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(groups), rng.integers(3, 8, size=groups))
    of_group, of_item = rng.normal(size=(len(shares), groups)), rng.normal(size=document.size)
    own = rng.normal(size=(len(shares), document.size))
    latent = 0.6 * of_group[:, document] + 0.5 * of_item + own
    cut = norm.isf(shares, scale=(0.6**2 + 0.5**2 + 1) ** 0.5)
    right = {f"m{i}": (row > at).astype(int) for i, (row, at) in enumerate(zip(latent, cut))}
    return pd.DataFrame(right).assign(document=[f"d{each}" for each in document])


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return answers([0.8, 0.78, 0.5, 0.2], groups=80)


@pytest.fixture(scope="module")
def found(table: pd.DataFrame) -> nettrial.MultipleGroupedComparison:
    return nettrial.compare_grouped(table, groups="document", margin=0.2)


def test_a_pair_has_the_numbers_of_the_two_alone(table, found) -> None:
    for row, (a, b) in enumerate(zip(found.pairs.first, found.pairs.second)):
        two = nettrial.compare_grouped(table[a], table[b], table.document, names=(a, b))
        check_row(found.pairs, row, two.test("cluster_robust_t"))
        assert found.pairs.details["usual_pvalue"][row] == two.test("paired_t").pvalue
        assert found.scores[a] == two.mean_a
    assert found.recommended == two.recommended
    assert (found.n_groups, found.n_items) == (two.n_groups, two.n_items)
    alone = nettrial.compare_grouped(table, groups="document", models=["m1", "m0"])
    two = nettrial.compare_grouped(table.m1, table.m0, table.document, names=("m1", "m0"))
    test = two.test("cluster_robust_t")
    for name in (*FIELDS, "ci_low", "ci_high"):
        assert same(getattr(alone.pairs, name)[0], getattr(test, name)), name
    head = two.verdict.split(":")[0]
    assert alone.verdict.split(":")[0] == head


def test_the_family_ranks_letters_and_the_best_follow_from_the_pairs(table, found) -> None:
    pairs = found.pairs
    np.testing.assert_array_equal(pairs.details["holm_pvalue"], adjust(pairs.pvalue))
    assert (pairs.adjusted_pvalue >= pairs.pvalue).all()
    assert (pairs.adjusted_pvalue <= len(pairs.first) * pairs.pvalue + 0.001).all()
    for a, b, p in zip(pairs.first, pairs.second, pairs.adjusted_pvalue):
        assert bool(set(found.letters[a]) & set(found.letters[b])) == (p >= 0.05)
    assert set(found.may_be_best) == set(found.scores) - {loser for _, loser in found.wins}
    assert found.may_be_best == ("m0", "m1")
    assert found.ranks["m3"] == (4, 4)
    alone = cluster_mean_test(table.m2, table.document, df="joint")
    assert found.score_intervals["m2"] == pytest.approx((alone.ci_low, alone.ci_high))


def test_a_control_is_compared_with_each_other_model(table, found) -> None:
    one = nettrial.compare_grouped(table, groups="document", control="m1")
    assert one.pairs.second == ("m1",) * 3
    assert one.letters == one.ranks == {}
    row = list(zip(found.pairs.first, found.pairs.second)).index(("m1", "m2"))
    assert one.pairs.pvalue[1] == pytest.approx(found.pairs.pvalue[row])
    assert one.pairs.adjusted_pvalue[1] < found.pairs.adjusted_pvalue[row]


def test_the_gate_holds_every_model_against_the_control(table, found, words) -> None:
    one = nettrial.compare_grouped(table, groups="document", control="m1")
    assert not gate(one, ["worse"]).passed  # of m0 it cannot tell
    reached = gate(one, ["worse"], on_unsettled="pass")
    assert not reached.passed
    assert reached.sentence.startswith("failed: m2 is worse than m1 (mean difference")
    assert gate(one, ["check"]).settled
    better = nettrial.compare_grouped(table, groups="document", models=["m0", "m3"], control="m3")
    assert gate(better, ["not-better"]).passed
    with words.raises(InputError):
        gate(found, ["worse"])
    same = nettrial.compare_grouped(
        {"new": table.m0, "old": table.m0}, groups=table.document, control="old"
    )
    assert gate(same, ["worse"]).sentence.startswith("passed: new scores the same in every group")


def test_margin_and_earlier_comparisons_go_pair_by_pair(table, found) -> None:
    names = {each.name for each in found.endings}
    assert {"equivalent", "better_by_more"} <= names
    assert "Against the margin of 20 percentage points" in found.verdict
    later = nettrial.compare_grouped(table, groups="document", n_prior_tests=4)
    np.testing.assert_allclose(
        later.pairs.adjusted_pvalue, np.minimum(5 * found.pairs.adjusted_pvalue, 1)
    )
    assert (
        later.pairs.ci_high - later.pairs.ci_low > found.pairs.ci_high - found.pairs.ci_low
    ).all()


def test_lower_values_may_be_better(table, found) -> None:
    models = ["m0", "m1", "m2", "m3"]
    wrong = nettrial.compare_grouped(
        {name: 1 - table[name] for name in models}, groups=table.document, errors=True
    )
    assert wrong.may_be_best == found.may_be_best
    assert wrong.ranks == found.ranks


def test_the_order_of_the_models_only_turns_signs(table, found) -> None:
    other = nettrial.compare_grouped(table, groups="document", models=["m3", "m2", "m1", "m0"])
    assert other.letters == found.letters
    assert list(other.scores) == list(found.scores)
    np.testing.assert_allclose(np.sort(other.pairs.pvalue), np.sort(found.pairs.pvalue))


def test_every_form_of_the_report_shows_it(found) -> None:
    assert found.verdict.startswith("m0 and m1 beat m2 and m3; m2 beats m3 on groups like these")
    assert len(found.summary().splitlines()) <= 16
    for text in (str(found), found.to_html(), found.to_latex(), found.to_markdown()):
        assert "m3" in text
    assert "network" not in str(found)
    read = json.loads(found.to_json())
    assert read["may_be_best"] == ["m0", "m1"]
    assert len(read["pairs"]) == 6
    assert "equivalent" in {pair["ending"] for pair in read["pairs"]}


def test_equal_models_and_one_group_have_no_difference_or_no_verdict(table) -> None:
    twice = nettrial.compare_grouped(
        {"a": table.m0, "b": table.m0, "c": table.m0}, groups=table.document
    )
    assert (twice.pairs.adjusted_pvalue == 1).all()
    assert set(twice.may_be_best) == {"a", "b", "c"}
    one = nettrial.compare_grouped(table.assign(document="d"), groups="document")
    assert one.verdict.startswith("No verdict on the models")
    assert one.may_be_best == tuple(one.scores)


def test_many_models_keep_text_and_page_short() -> None:
    table = answers(np.linspace(0.75, 0.3, 14).tolist(), groups=30)
    found = nettrial.compare_grouped(table, groups="document")
    assert len(found.pairs.first) == 91
    assert len(found.summary().splitlines()) <= 16
    assert "for the other 78 as well" in " ".join(str(found).split())
    assert len(found.to_frame()) == 91
    assert len(found.verdict) < 700


def test_data_sets_are_the_observations(table, words) -> None:
    more = pd.concat(
        answers([0.8, 0.7, 0.5], seed=k).assign(task=f"t{k}") for k in range(6)
    ).reset_index(drop=True)
    over = nettrial.compare_grouped(more, groups="document", data_sets="task")
    assert over.data_sets == tuple(f"t{k}" for k in range(6))
    assert over.models == ("m0", "m1", "m2")
    part = more[more.task == "t3"]
    here = nettrial.compare_grouped(part.drop(columns="task"), groups="document")
    assert over.scores[3].tolist() == pytest.approx([here.scores[m] for m in over.models])
    assert over.pairs[1].hierarchical is not None
    assert over.pairs[1].wins == 6
    with words.raises(InputError):
        nettrial.compare_grouped(part, groups="document", data_sets="task")
    with words.raises(InputError):
        nettrial.compare_grouped(more, groups="document", data_sets="task", control="m0")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"models": ["m0"]}, "at least two different models"),
        ({"models": ["m0", "m0"]}, "at least two different models"),
        ({"models": ["m0", "m9"]}, "'m9'"),
        ({"groups": "documen"}, "document"),
        ({"groups": None}, "group of each item"),
        ({"control": "m9"}, "m9"),
        ({"models": ["m0", "document"], "groups": list("ab") * 200}, "must hold numbers"),
        ({"margin": -1}, "margin"),
        ({"names": ("a", "b")}, "names: cannot be used with several models"),
    ],
)
def test_what_cannot_be_compared_is_refused(table, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        nettrial.compare_grouped(table, **{"groups": "document", **given})


def test_columns_may_be_called_by_numbers_and_a_matrix_is_no_table(table, found, words) -> None:
    numbered = table.set_axis([*range(4), "document"], axis=1)
    again = nettrial.compare_grouped(numbered, groups="document")
    assert again.may_be_best == ("0", "1")
    np.testing.assert_array_equal(again.pairs.pvalue, found.pairs.pvalue)
    with words.raises(InputError):
        nettrial.compare_grouped(np.ones((3, 4)), groups=list("abcd"))


def test_two_models_have_no_control(table, words) -> None:
    with words.raises(InputError):
        nettrial.compare_grouped(table.m0, table.m1, table.document, control="A")


@pytest.mark.slow
def test_the_family_holds_its_level_and_the_best_is_in_its_set() -> None:
    """Five equal models in 40 groups: 400 tables, seeds fixed beforehand."""
    wrong, missed = 0, 0
    for seed in range(400):
        found = nettrial.compare_grouped(answers([0.6] * 5, seed=seed), groups="document")
        wrong += bool(found.wins)
        missed += "m0" not in found.may_be_best
    assert 0.02 <= wrong / 400 <= 0.08  # 0.05 and three standard errors
    assert missed / 400 <= 0.05
