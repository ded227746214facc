"""`nettrial test`: which columns take part, and what of a table is refused or reported."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from test_test_command import A, B, call, read

from nettrial.cli import cli
from nettrial.cli.test_options import offered
from nettrial.core.errors import InputError
from nettrial.published.table_files import read_rows
from nettrial.stats.catalog import CATALOG


def test_a_column_of_spoiled_numbers_is_refused_and_one_of_text_is_reported(write):
    scores = {"dataset": list("abcd"), "gcn": ["0.805x", "0.9x", "0.8x", "0.7x"], "mlp": A[:4],
              "nbc": B[:4]}  # fmt: skip
    done = call("friedman", write(scores))
    assert done.exit_code
    assert "column 'gcn', row 1: expected a number" in done.stderr
    assert "'0.805x'" in done.stderr
    commas = scores | {"gcn": ["0,8", "0,9", "0,85", "0,7"]}
    done = call("friedman", write(commas, separator=";"))
    assert done.exit_code
    assert "row 1: expected a number with a decimal point, got '0,8'" in done.stderr
    noted = read("friedman", write(scores | {"gcn": list("pqrs")}))
    assert "column 'gcn' left out, which holds text" in noted["notes"]
    named = {"dataset": list("abcd"), "A": A[:4], "B": B[:4]}
    assert "dataset" not in " ".join(read("friedman", write(named))["notes"])


def test_numbers_beyond_doubles_are_refused_in_a_table(write):
    done = call("friedman", write({"A": ["1e400", 1, 2], "B": [1, 2, 3]}))
    assert done.exit_code
    assert "column 'A', row 1: expected a number" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nemenyi", "--a", "A", "--b", "B"), "nemenyi compares several columns at once"),
        (("friedman", "--a", "A"), "friedman compares several columns at once"),
        (("wilcoxon", "--a", "A", "--b", "B", "--columns", "A,C"), "both name the classifiers"),
        (
            ("corrected-resampled-t", "--a", "A", "--b", "B", "--n-train", "3"),
            "give --n-test VALUE",
        ),
    ],
)
def test_options_that_would_be_left_aside_are_refused(write, words, message):
    name, *options = words
    done = call(name, write({"A": A[:4], "B": B[:4], "C": A[4:8]}), *options)
    assert done.exit_code
    assert message in done.stderr


def test_a_long_table_may_have_a_group_of_any_name(write):
    path = write({"group": list("yyyxxx"), "value": [1, 2, 3, 2, 5, 4]})
    assert read("kruskal-wallis", path)["compared"] == ["y", "x"]


def test_an_exported_index_is_no_classifier(write):
    path = write({"Unnamed: 0": range(4), "A": A[:4], "B": B[:4], "C": A[4:8]})
    assert read("friedman", path)["compared"] == ["A", "B", "C"]


def test_a_model_that_is_listed_twice_is_refused():
    done = CliRunner().invoke(cli, ["compare", "--example", "--models", "wvrn,wvrn"])
    assert done.exit_code
    assert "--models: expected different models, got 'wvrn' twice" in done.stderr


@pytest.mark.parametrize(
    ("test", "text"),
    [
        ("adjust", "0.01\n0.04\n0.03\n"),
        ("welch-t", "0.81,0.79\n0.82,0.80\n0.83,0.79\n"),
        ("cochran-q", "1,0,1\n0,0,1\n1,1,0\n"),
        ("friedman", "cora,81%,0.5 ± 0.1\ncora,82%,0.6 ± 0.1\n"),
        ("friedman", "0,1\n0.81,0.79\n0.82,0.80\n"),
    ],
)
def test_a_first_row_of_data_is_no_header(tmp_path, words, test, text):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    done = call(test, tmp_path / "t.csv")
    assert done.exit_code
    words.note(done.stderr)


@pytest.mark.parametrize("first", ["", "model", "Unnamed: 0", "fold"])
def test_numbers_name_columns_beside_a_usual_name(tmp_path, first):
    (tmp_path / "t.csv").write_text(f"{first},0.1,0.5\n1,0.7,0.8\n2,0.6,0.9\n")
    header, rows = read_rows(tmp_path / "t.csv")
    assert header == [first, "0.1", "0.5"]
    assert len(rows) == 2


def test_keys_of_records_are_names(tmp_path):
    (tmp_path / "t.json").write_text('[{"0": 0.1, "1": 0.2}, {"0": 0.3, "1": 0.1}]')
    assert read_rows(tmp_path / "t.json")[0] == ["0", "1"]


ADJUSTED = [name for name, test in CATALOG.items() if "adjustment" in offered(test.load())]


@pytest.mark.parametrize("adjustment", ["none", "holm", "bonferroni", "BH", "benjamini-yekutieli"])
@pytest.mark.parametrize("test", ADJUSTED)
def test_a_verdict_on_pairs_says_what_its_adjustment_holds(write, test, adjustment):
    values = np.random.default_rng(2).normal([0, 1, 2], size=(30, 3))
    columns = dict(zip("pqr", values.T))
    given = ["--set", "control=p"] if test == "bonferroni-dunn" else []
    done = call(test, write(columns), "--json", "--set", f"adjustment={adjustment}", *given)
    if done.exit_code:
        assert "adjustment" in done.stderr
        return
    found = json.loads(done.stdout)
    held = {"none": ", each at the 5% level", "BH": ", at a false discovery rate of 5%"}
    held["benjamini-yekutieli"] = held["BH"]
    assert held.get(adjustment, ", at the joint 5% level") in found["verdict"]
    assert ("adjusted p" in found["verdict"]) is (adjustment != "none")
    if not given:  # whose critical difference holds for all pairs
        assert (found["interval"] == "one pair") is (adjustment == "none")


def test_a_family_says_what_its_adjustment_holds(write, words):
    for adjustment in ("none", "holm", "BH"):
        for values in ([0.01, 0.04, 0.03], [0.3, 0.4, 0.5]):
            answer = read("adjust", write({"p": values}), "--set", f"method={adjustment}")
            words.note(answer["verdict"])


def test_one_pair_is_named(write, words):
    for values in ({"gcn": A, "mlp": B}, {"gcn": [x + 1 for x in A], "mlp": B}):
        words.note(read("nemenyi", write(values))["verdict"])
        words.note(read("siegel", write(values), "--set", "adjustment=none")["verdict"])


@pytest.mark.parametrize(
    "numbers",
    [
        ("binomial", "3.5", "20"), ("binomial", "--", "-1", "20"), ("credible", "1e1", "20"),
        ("mcnemar", "1", "2.5", "3", "4"),
    ],
)  # fmt: skip
def test_counts_that_are_none_are_refused_as_counts(words, numbers):
    done = call(*numbers)
    assert done.exit_code
    words.note(done.stderr)


def test_comments_above_a_header_are_left_out(tmp_path):
    path = tmp_path / "t.csv"
    for comment in ("# made by a script\n", "# one, two, and three\n#\n", "#\n"):
        path.write_text(f"{comment}gcn,mlp\n0.1,0.2\n")
        assert read_rows(path) == (["gcn", "mlp"], [["0.1", "0.2"]])
    path.write_text("# p-values\np\n0.1\n")
    assert read_rows(path) == (["p"], [["0.1"]])
    path.write_text("#,gcn,mlp\n1,0.1,0.2\n")
    assert read_rows(path)[0] == ["#", "gcn", "mlp"]


def test_text_of_two_bytes_a_letter_is_read_with_its_mark_and_refused_without(tmp_path, words):
    path = tmp_path / "t.csv"
    path.write_text("gcn,mlp\n0.1,0.2\n", encoding="utf-16")
    assert read_rows(path) == (["gcn", "mlp"], [["0.1", "0.2"]])
    path.write_text("gcn,mlp\n0.1,0.2\n", encoding="utf-16-le")
    with words.raises(InputError):
        read_rows(path)


@pytest.mark.parametrize("test", ["tukey-hsd", "welch-t", "kruskal-wallis", "games-howell"])
def test_cells_without_a_value_are_counted(write, test):
    columns = {"gcn": [0.1, "", 0.3, 0.2], "mlp": [0.4, 0.5, "nan", 0.6]}
    notes = read(test, write(columns))["notes"]
    for name in columns:
        assert f"column {name!r}: 1 of 4 cells without a value left out" in notes
