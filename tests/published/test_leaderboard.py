"""Tables of published results: forms, readings, and the four shared ones."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.published.table import read_entries
from nettrial.stats import corrected_resampled_t_test


def test_a_pair_with_single_scores_is_the_corrected_resampled_t_test() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.80, 0.02, 12), rng.normal(0.76, 0.02, 12)
    table = {
        "dataset": ["d"] * 24,
        "model": ["a"] * 12 + ["b"] * 12,
        "split": list(range(12)) * 2,
        "score": [*a, *b],
    }
    found = nettrial.leaderboard(table, value="score", paired=True, test_share=0.25)
    wanted = corrected_resampled_t_test(a, b, n_train=75, n_test=25)
    claim = found.claims[0]
    assert claim.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)
    assert claim.pvalue_independent == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)
    assert claim.lead == pytest.approx(np.mean(a - b))


def test_a_claim_stands_exactly_up_to_its_break_even() -> None:
    table = {"dataset": ["d"], "a": ["82.0 ± 1.0"], "b": ["79.0 ± 1.2"]}
    claim = nettrial.leaderboard(table, n_splits=10, test_share=0.2).claims[0]
    assert 0 < claim.break_even < 1
    for correlation, reading in (
        (claim.break_even - 1e-6, "supported"),
        (claim.break_even + 1e-6, "only if splits were independent"),
    ):
        again = nettrial.leaderboard(table, n_splits=10, test_share=correlation).claims[0]
        assert again.reading == reading
    assert claim.break_even_worst < claim.break_even


def test_the_hardest_rival_decides_and_more_data_sets_cost_more() -> None:
    table = {"dataset": ["d"], "a": ["90 ± 1"], "b": ["80 ± 1"], "c": ["89.9 ± 1"]}
    claim = nettrial.leaderboard(table, n_splits=20, test_share=0.1).claims[0]
    assert claim.rival == "c"
    assert claim.reading == "not supported"
    assert claim.not_distinguished == ("c",)
    two = {name: cells * 2 for name, cells in table.items()} | {"dataset": ["d", "e"]}
    more = nettrial.leaderboard(two, n_splits=20, test_share=0.1).claims[0]
    assert more.adjusted_pvalue == pytest.approx(min(1, 2 * claim.pvalue))


def test_errors_turn_the_table_round() -> None:
    scores = {"dataset": ["d"], "a": ["90 ± 1"], "b": ["80 ± 1"]}
    errors = {"dataset": ["d"], "a": ["10 ± 1"], "b": ["20 ± 1"]}
    one = nettrial.leaderboard(scores, n_splits=5, test_share=0.1).claims[0]
    two = nettrial.leaderboard(errors, n_splits=5, test_share=0.1, errors=True).claims[0]
    assert one.best == two.best == "a"
    assert one.pvalue == pytest.approx(two.pvalue)


def test_wide_long_and_single_scores_read_alike() -> None:
    rng = np.random.default_rng(1)
    runs = pd.DataFrame(
        [(d, m, k, rng.random()) for d in "xy" for m in "ab" for k in range(4)],
        columns=["dataset", "model", "split", "score"],
    )
    long = runs.groupby(["dataset", "model"]).score.agg(["mean", "std"]).reset_index()
    cells = long["mean"].map("{:.15f}".format) + " +/- " + long["std"].map("{:.15f}".format)
    wide = long.assign(cell=cells).pivot(index="dataset", columns="model", values="cell")
    forms = [
        read_entries(runs, value="score")[0],
        read_entries(long.assign(n_splits=4))[0],
        read_entries(wide.reset_index(), n_splits=4)[0],
        read_entries(wide, n_splits=4)[0],
        read_entries(wide.T.rename_axis("model"), n_splits=4)[0],
    ]
    for entries in forms:
        assert len(entries) == 4
        by_place = {(e.data_set, e.model): e for e in entries}
        for _, row in long.iterrows():
            entry = by_place[row.dataset, row.model]
            assert (entry.mean, entry.sd) == pytest.approx((row["mean"], row["std"]), abs=1e-12)
            assert entry.n_splits == 4


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"dataset": ["d", "e"], "a": ["0.4", "high"]}, {}),
        ({"dataset": ["d"], "a": ["0.5"]}, {}),
        ({"a": ["0.5"], "b": ["0.5"]}, {}),
        ({"dataset": ["d", "d"], "a": ["1", "0"], "b": ["1", "0"]}, {}),
        ({"dataset": ["d"], "a": ["123"], "b": ["99"]}, {}),
        ({"dataset": ["d"], "a": ["1 ± -1"], "b": ["1 ± 1"]}, {}),
        ({"dataset": ["d"], "a": ["0.5"], "b": ["0.6"]}, {"paired": True}),
        ({"dataset": ["d"], "a": ["0.5"], "b": ["0.6"]}, {"test_share": 1.0}),
        (
            {"dataset": ["d"] * 2, "model": ["a", "b"], "k": [0, 1], "v": [0.1, 0.2]},
            {"value": "v", "paired": True},
        ),
    ],
)  # fmt: skip
def test_tables_that_cannot_be_read_are_refused(
    table: dict[str, list[object]], options: dict[str, object], words
) -> None:
    with words.raises(InputError):
        nettrial.leaderboard(table, **{"test_share": 0.2} | options)  # type: ignore[arg-type]


def test_a_model_that_is_not_everywhere_is_named() -> None:
    table = {"dataset": ["d", "e"], "a": ["0.5", "0.6"], "b": ["0.6", "0.7"], "c": ["0.1", "-"]}
    found = nettrial.leaderboard(table, test_share=0.1)
    assert found.left_out == ("c",)
    assert "left out of the ranks: c" in str(found)
    assert all(claim.reading == "cannot be judged" for claim in found.claims)


def test_a_model_without_a_standard_deviation_leaves_the_others_judged() -> None:
    table = {"Model": ["GCN", "GAT", "MLP"], "Cora": ["81.5 ± 0.5", "75.0 ± 0.7", "81.4"],
             "Citeseer": ["70.3 ± 0.7", "72.5 ± 2.0", "80.0"]}  # fmt: skip
    found = nettrial.leaderboard(table, n_splits=10, test_share=0.2)
    cora, citeseer = found.claims
    two = nettrial.leaderboard({"Model": table["Model"][:2], "Cora": table["Cora"][:2]},
                               n_splits=10, test_share=0.2).claims[0]  # fmt: skip
    assert (cora.rival, cora.reading, cora.not_judged) == ("GAT", "supported", ("MLP",))
    assert cora.pvalue == two.pvalue
    assert (citeseer.best, citeseer.reading) == ("MLP", "cannot be judged")  # it has no spread
    assert "Cora: MLP" in str(found.warnings[0])
    assert "1 is judged against" in found.verdict


def test_geom_gcn_no_best_entry_is_supported(data: Path) -> None:
    table = pd.read_csv(data / "tables" / "geomgcn_summary" / "ExperimentTwoPairs_results.csv")
    found = nettrial.leaderboard(
        table,
        model=["dataset_embedding_graph", "dataset_embedding_space"],
        mean="avg_test_acc",
        sd="std_dev_test_acc",
        n_splits=10,
        test_share=0.2,
    )
    assert len(found.claims) == 6
    assert {claim.reading for claim in found.claims} == {"not supported"}
    cite = next(claim for claim in found.claims if claim.data_set == "citeseer")
    lead, error = 0.79413991 - 0.778288442, np.hypot(0.012701327, 0.013321028)
    wanted = 2 * stats.t.sf(lead / (error / np.sqrt(10)), 9)
    assert cite.pvalue_independent == pytest.approx(wanted, rel=1e-9)


def test_demsars_table_goes_through_by_ranks(data: Path) -> None:
    folder = data / "tables" / "demsar2006_table6"
    found = nettrial.leaderboard(pd.read_csv(folder / "demsar2006_table6.csv"), test_share=0.2)
    assert found.over is not None
    expected = pd.read_json(folder / "expected.json", typ="series")["from_rounded_table"]
    chi2, p = expected["scipy_friedmanchisquare_tie_corrected"]
    assert found.over.friedman.statistic == pytest.approx(chi2, rel=1e-9)
    assert found.over.friedman.pvalue == pytest.approx(p, rel=1e-9)
    ranks = [found.over.mean_ranks[model] for model in found.over.models]
    assert ranks == pytest.approx(expected["avg_ranks"], abs=1e-3)
    assert {claim.reading for claim in found.claims} == {"cannot be judged"}


def test_gcn_and_baselines_single_scores(data: Path) -> None:
    table = pd.read_csv(data / "tables" / "gcn_vs_baselines_10splits" / "long.csv")
    table = table[table.file != "nth_expansion"]
    found = nettrial.leaderboard(
        table, model=["file", "model", "variant"], value="accuracy", test_share=0.45
    )
    assert len(found.claims) == 4
    assert all(claim.reading != "supported" for claim in found.claims)
    entry = next(e for e in found.entries if e.data_set == "cora" and "logreg" in e.model)
    assert entry.mean == pytest.approx(0.7472905)
    assert entry.n_splits == 10


def test_five_classifiers_on_54_data_sets(data: Path, words) -> None:
    folder = data / "tables" / "uci_10x10cv_5classifiers"
    table = pd.read_csv(folder / "long.csv")
    # two different data sets are both called credit
    with words.raises(InputError):
        nettrial.leaderboard(table, value="percent_correct", test_share=0.1)
    number = pd.read_csv(folder / "DatasetID.dat", header=None)[0]
    table = table.assign(dataset=number.astype(str) + " " + table.dataset)
    found = nettrial.leaderboard(table, value="percent_correct", test_share=0.1, paired=True)
    assert len(found.claims) == 54
    assert found.over is not None
    assert found.over.scores.shape == (54, 5)
    readings = [claim.reading for claim in found.claims]
    assert 0 < readings.count("supported") < 27
    assert readings.count("only if splits were independent") > 0


def test_the_documented_example_is_what_the_command_prints(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "user" / "leaderboard.md").read_text(
        encoding="utf-8"
    )
    command = page.split("```sh\n")[1].split("```")[0].replace("\\\n", " ").split()
    folder = data / "tables" / "geomgcn_summary"
    with pytest.raises(SystemExit) as stop:
        main([str(folder / word) if word.endswith(".csv") else word for word in command[1:]])
    assert stop.value.code == 0
    shown, said = page.split("```text\n")[1].split("```")[0], capsys.readouterr().out
    assert doctest.OutputChecker().check_output(shown, said, doctest.ELLIPSIS), said
