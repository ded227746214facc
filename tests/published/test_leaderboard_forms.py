"""Tables as papers print them, and training logs: what they say is what is read."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from click.testing import CliRunner, Result

import nettrial
from nettrial.cli import cli
from nettrial.core.errors import InputError
from nettrial.published.cells import read_cell
from nettrial.published.leaderboard import leaderboard
from nettrial.published.logs import read_logs
from nettrial.published.table import read_entries
from nettrial.published.table_files import read_rows

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "files"
MODELS = ("GCN", "GAT", "H2GCN")
DATA_SETS = ("Cora", "CiteSeer", "PubMed", "Texas")
MEANS = np.array([[81.5, 70.3, 79.0, 55.14], [83.0, 72.5, np.nan, 52.16], [82.1, 71.0, 78.4, 84.9]])
SDS = np.array([[0.5, 0.7, 0.3, 5.16], [0.7, 0.75, np.nan, 6.63], [0.4, 0.25, 0.6, 7.23]])


def shown(write: Callable[[str, str], str]) -> np.ndarray:
    """The cells of the table as a paper would print them, models in rows."""
    cells = np.empty(MEANS.shape, dtype=object)
    for place in np.ndindex(MEANS.shape):
        known = np.isfinite(MEANS[place])
        cells[place] = write(f"{MEANS[place]:g}", f"{SDS[place]:g}") if known else "OOM"
    return cells


CELLS: dict[str, Callable[[str, str], str]] = {
    "plus-minus": lambda m, s: f"{m} ± {s}",
    "tight": lambda m, s: f"{m}±{s}",
    "brackets": lambda m, s: f"{m} ({s})",
    "both": lambda m, s: f"{m} (±{s})",
    "typed": lambda m, s: f"{m} +/- {s}",
    "math": lambda m, s: rf"${m} \pm {s}$",
    "bold math": lambda m, s: rf"$\mathbf{{{m}}} \pm {s}$",
    "textbf": lambda m, s: rf"\textbf{{{m} $\pm$ {s}}}",
    "small": lambda m, s: rf"\underline{{{m}}} {{\scriptsize $\pm$ {s}}}",
    "subscript": lambda m, s: rf"{m}$_{{\pm {s}}}$",
    "bold subscript": lambda m, s: rf"$\mathbf{{{m}}}_{{\pm \mathbf{{{s}}}}}$",
    "color": lambda m, s: rf"\cellcolor{{gray!20}}\textcolor{{red}}{{{m} $\pm$ {s}}}",
    "best mark": lambda m, s: f"{m} ± {s}*",
    "dagger": lambda m, s: rf"{m}$^{{\dagger}}$ $\pm$ {s}",
    "markdown": lambda m, s: f"**{m} ± {s}**",
    "html": lambda m, s: f"<b>{m}</b> ± {s}<sup>1</sup>",
    "percent": lambda m, s: f"{m}% ± {s}%",
    "escaped percent": lambda m, s: rf"{m}\% $\pm$ {s}\%",
    "narrow spaces": lambda m, s: f"{m}\u2009±\u00a0{s}",
}


def in_rows(cells: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"Model": MODELS} | dict(zip(DATA_SETS, cells.T)))


def in_columns(cells: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"Dataset": DATA_SETS} | dict(zip(MODELS, cells)))


def check(source: Any, **options: Any) -> tuple[str, ...]:
    entries, notes, _ = read_entries(source, n_splits=10, **options)
    found = {(e.model, e.data_set): (e.mean, e.sd) for e in entries}
    known = [place for place in np.ndindex(MEANS.shape) if np.isfinite(MEANS[place])]
    assert set(found) == {(MODELS[i], DATA_SETS[j]) for i, j in known}
    for i, j in known:
        want = (MEANS[i, j] / 100, SDS[i, j] / 100)
        assert found[MODELS[i], DATA_SETS[j]] == pytest.approx(want, rel=1e-12)
    return notes


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("layout", [in_rows, in_columns])
def test_cells_are_read_as_printed(cell: str, layout: Callable[..., pd.DataFrame]) -> None:
    assert check(layout(shown(CELLS[cell]))) == ()


def csv(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False)


def with_row_numbers(frame: pd.DataFrame) -> str:
    return frame.to_csv()


def records(frame: pd.DataFrame) -> str:
    return frame.to_json(orient="records")


def semicolons(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False, sep=";")


def markdown(frame: pd.DataFrame) -> str:
    lines = [list(frame), ["---", *[":---:"] * (frame.shape[1] - 1)], *frame.to_numpy().tolist()]
    table = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
    return f"# Results\n\nAccuracy | test.\n\n{table}\n\nText below.\n"


def bare_markdown(frame: pd.DataFrame) -> str:
    lines = [list(frame), ["-" * 4] * frame.shape[1], *frame.to_numpy().tolist()]
    return "\n".join(" | ".join(map(str, line)) for line in lines)


def latex(frame: pd.DataFrame) -> str:
    body = "\n".join(f"{' & '.join(map(str, row))} \\\\" for row in frame.to_numpy().tolist())
    body = body.replace("±", r"$\pm$")
    head = " & ".join(rf"\textbf{{{name}}}" for name in frame)
    return (
        "\\begin{table}[t]\\caption{Accuracy (\\%) \\& more.} % a & comment \\\\\n\\centering\n"
        f"\\begin{{tabular}}{{l|*{{3}}{{c}}}}\n\\toprule\n{head} \\\\ \\midrule\n{body}\n"
        "\\bottomrule\n\\end{tabular}\\end{table}\n"
    )


def grouped_latex(frame: pd.DataFrame) -> str:
    first, *others = list(frame)
    rows = []
    for row in frame.to_numpy().tolist():
        cells = [str(cell).replace("±", r"$\pm$") for cell in row]
        name = rf"\makecell{{{cells[0]}}}~\citep{{x2020}}"
        rows.append(rf"\rowcolor{{gray!10}} {name} & {' & '.join(cells[1:])} \\[2pt]")
    rows.insert(1, rf"\multicolumn{{{frame.shape[1]}}}{{l}}{{\emph{{Ours}}}} \\ \hline")
    width = len(others) - 1
    return "\n".join([
        r"\begin{tabularx}{\linewidth}{l|" + "c" * len(others) + "}", r"\toprule",
        rf"\multirow{{2}}{{*}}{{{first}}} & \multicolumn{{{width}}}{{c|}}{{Some}} & Others \\",
        r"\cmidrule(lr){2-3}", rf" & {' & '.join(others)} \\", r"\midrule", *rows,
        r"\bottomrule", r"\end{tabularx}",
    ])  # fmt: skip


def decimal_commas(frame: pd.DataFrame) -> str:
    return frame.map(lambda cell: str(cell).replace(".", ",")).to_csv(index=False, sep=";")


def under_each_other(frame: pd.DataFrame) -> str:
    rows = [list(frame), *frame.to_numpy().tolist()]
    return "\n".join("  ".join(f"{cell:>14}" for cell in row) for row in rows)


@pytest.mark.parametrize(
    "write",
    [csv, with_row_numbers, records, semicolons, decimal_commas, under_each_other, markdown,
     bare_markdown, latex, grouped_latex],
)  # fmt: skip
@pytest.mark.parametrize("layout", [in_rows, in_columns])
def test_files_of_every_kind(
    tmp_path: Path, write: Callable[..., str], layout: Callable[..., pd.DataFrame]
) -> None:
    path = tmp_path / "table.txt"
    path.write_text(write(layout(shown(CELLS["plus-minus"]))), encoding="utf-8")
    notes = check(path)
    assert notes == (
        ("rows and columns without scores are set aside: Ours",) if write is grouped_latex else ()
    )


def test_latex_with_several_rows_of_one_model(tmp_path: Path, words) -> None:
    path = tmp_path / "t.tex"
    path.write_text(
        r"""Model & Variant & Cora & PubMed \\ \hline
        \multirow{2}{*}{GCN} & small & 81.5 & 79.0 \\ & large & 82.5 & \textbf{79.5} \\
        GAT & small & 83.0 & -- \\ """
    )
    header, _ = read_rows(path)
    assert header == ["Model", "Variant", "Cora", "PubMed"]
    entries, *_ = read_entries(path, model=["Model", "Variant"])
    found = {(e.model, e.data_set): e.mean for e in entries}
    assert found["GCN / large", "PubMed"] == pytest.approx(0.795)
    assert len(found) == 5
    with words.raises(InputError):
        read_entries(path, model="Model")


@pytest.mark.parametrize("kind", ["pandas", "index", "unnamed index", "NA", "arrow", "dict"])
@pytest.mark.parametrize("layout", [in_rows, in_columns])
def test_tables_of_other_libraries(kind: str, layout: Callable[..., pd.DataFrame]) -> None:
    frame = layout(shown(CELLS["plus-minus"]))
    missing = frame.replace("OOM", np.nan).convert_dtypes()
    if kind == "arrow":
        pa = pytest.importorskip("pyarrow")
        check(pa.Table.from_pandas(frame))
        check(pa.Table.from_pandas(missing))
        return
    first = frame.columns[0]
    source: dict[str, Any] = {
        "pandas": frame, "index": frame.set_index(first), "NA": missing,
        "unnamed index": frame.set_index(first).rename_axis(None), "dict": frame.to_dict("list"),
    }  # fmt: skip
    check(source[kind])
    assert "<NA>" not in str(read_entries(missing)[0])


def test_a_sheet_of_excel(tmp_path: Path, words) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "table.xlsx"
    in_rows(shown(CELLS["plus-minus"])).to_excel(path, index=False)
    assert check(path) == ()
    with pd.ExcelWriter(path) as book:
        for name in ("a", "b"):
            in_rows(shown(CELLS["plus-minus"])).to_excel(book, sheet_name=name)
    with words.raises(InputError):
        read_entries(path)
    page = tmp_path / "table.html"
    in_rows(shown(CELLS["plus-minus"])).to_html(page)
    with words.raises(InputError):
        read_entries(page)


@pytest.mark.parametrize(
    ("mean", "sd"),
    [("acc_mean", "acc_std"), ("test_acc", "std"), ("Mean", "SD"), ("test_acc", "test_acc_std"),
     ("mean_f1", "mean_f1_sd")],
)  # fmt: skip
def test_long_tables_by_what_their_columns_end_in(mean: str, sd: str) -> None:
    table = {"dataset": ["Cora"] * 2, "model": ["a", "b"], mean: ["0.81", "0.83"],
             sd: ["0.01", "0.02"], "runs": ["10", "5"]}  # fmt: skip
    if mean == "test_acc":
        table |= {"val_acc": ["0.5", "0.6"]}
    found = [(e.mean, e.sd, e.n_splits) for e in read_entries(table)[0]]
    assert found == [(0.81, 0.01, 10), (0.83, 0.02, 5)]


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    check(polars.DataFrame(in_rows(shown(CELLS["math"])).to_dict("list")))


def test_the_case_of_models_in_rows() -> None:
    path = CASES / "leaderboard_models_in_rows" / "table.csv"
    if not path.is_file():
        pytest.skip(f"small inputs that went wrong are not distributed; expected in {path.parent}")
    found = nettrial.leaderboard(path, n_splits=100, test_share=0.35)
    assert {(e.model, e.data_set, round(e.mean, 4), round(e.sd, 4)) for e in found.entries} == {
        ("GCN", "cora", 0.815, 0.004), ("GCN", "citeseer", 0.703, 0.005),
        ("GCN", "pubmed", 0.79, 0.003), ("GAT", "cora", 0.83, 0.007),
        ("GAT", "citeseer", 0.725, 0.007),
    }  # fmt: skip
    assert [(claim.data_set, claim.best) for claim in found.claims] == [
        ("cora", "GAT"), ("citeseer", "GAT"),
    ]  # fmt: skip


def test_where_models_are_is_seen_by_known_names_or_told(words) -> None:
    cells = shown(CELLS["tight"])
    rows, columns = in_rows(cells), in_columns(cells)
    for frame, place in ((rows, "rows"), (columns, "columns")):
        unnamed = frame.rename(columns={frame.columns[0]: ""})
        assert check(unnamed) == (f"models are taken to be in {place}, as the names say",)
        assert check(unnamed, models_in=place) == ()
    strange = {"": ["alpha", "beta"], "one": ["81", "82"], "two": ["70", "71"]}
    with words.raises(InputError):
        read_entries(strange)
    by = {place: read_entries(strange, models_in=place)[0] for place in ("rows", "columns")}
    assert {entry.model for entry in by["rows"]} == {"alpha", "beta"}
    assert {entry.model for entry in by["columns"]} == {"one", "two"}
    contradictory = {"": ["GCN", "Cora"], "GAT": ["81", "82"], "PubMed": ["70", "71"]}
    with words.raises(InputError):
        read_entries(contradictory)
    with words.raises(InputError):
        read_entries(strange, models_in="row")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Avg.", "Average", "avg rank", "Mean", "Rank", "Δ", "Avg. Score"])
def test_averages_and_ranks_are_set_aside_with_a_word(name: str) -> None:
    cells = shown(CELLS["tight"])
    rows = in_rows(cells).assign(**{name: ["71.2", "70.1", "79.0"], "Venue": "ICLR [3]"})
    assert check(rows) == (f"rows and columns without scores are set aside: {name}, Venue",)
    columns = in_columns(cells)
    below = pd.DataFrame([[name, "71.2", "70.1", "79.0"], ["#Nodes", "2708", "3327", "19717"]],
                         columns=columns.columns)  # fmt: skip
    notes = check(pd.concat([columns, below]))
    assert notes == (f"rows and columns without scores are set aside: {name}, #Nodes",)


def test_spreads_may_have_columns_of_their_own() -> None:
    for forms in (
        ("{}", "{}_std"),
        ("{}_mean", "{}_std"),
        ("{} mean", "{} sd"),
        ("{}", "{} (std)"),
    ):
        frame = pd.DataFrame({"Model": MODELS})
        for j, name in enumerate(DATA_SETS):
            frame[forms[0].format(name)] = MEANS[:, j]
            frame[forms[1].format(name)] = SDS[:, j]
        check(frame)


def test_one_data_set_alone() -> None:
    for mean, sd in (("accuracy", "std"), ("Acc", "SD"), ("mean", "stdev")):
        table = {"method": ["GCN", "GAT"], mean: ["81.5", "83.0"], sd: ["0.5", "0.7"]}
        entries, notes, _ = read_entries(table, n_splits=10)
        assert [(e.data_set, e.model, e.sd) for e in entries] == [
            ("this data set", "GCN", pytest.approx(0.005)),
            ("this data set", "GAT", pytest.approx(0.007)),
        ]
        assert notes == ("no column is called dataset: all rows are taken for one data set",)


RUNS = {"GCN": [0.81, 0.82, 0.80], "GAT": [0.83, 0.82, 0.85]}


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"seed": [7, 8, 9]} | RUNS).to_csv(),  # as pandas writes its index
        pd.DataFrame(RUNS).to_csv(),
        pd.DataFrame(RUNS).to_csv(index=False),
        "Run;GCN;GAT\n" + "\n".join(f"{k};{a};{b}" for k, (a, b) in enumerate(zip(*RUNS.values()))),
        "model,seed,accuracy\n"
        + "\n".join(f"{m},{k},{s}" for m, row in RUNS.items() for k, s in enumerate(row)),
        "model,seed 1,seed 2,seed 3\n"
        + "\n".join(f"{m},{','.join(map(str, row))}" for m, row in RUNS.items()),
    ],
)
def test_single_runs_are_no_data_sets(tmp_path: Path, table: str) -> None:
    path = tmp_path / "runs.csv"
    path.write_text(table)
    entries, notes, _ = read_entries(path)
    assert {(e.data_set, e.model): e.mean for e in entries} == pytest.approx(
        {("this data set", model): np.mean(row) for model, row in RUNS.items()}
    )
    assert [e.sd for e in entries] == pytest.approx([np.std(r, ddof=1) for r in RUNS.values()])
    assert "are taken for single runs" in notes[0]
    found = nettrial.leaderboard(path, test_share=0.2, paired=True)
    d = np.subtract(RUNS["GAT"], RUNS["GCN"])
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 3 + 0.2 / 0.8))
    assert found.claims[0].pvalue == pytest.approx(2 * scipy.stats.t.sf(t, 2), rel=1e-9)


def test_single_runs_over_several_data_sets(words) -> None:
    runs = {"seed": [0, 1, 0, 1], "GCN": [0.8, 0.9, 0.5, "-"], "GAT": [0.7, 0.8, 0.6, 0.8]}
    entries, *_ = read_entries({"dataset": ["cora", "cora", "texas", "texas"]} | runs)
    assert [(e.data_set, e.model, e.n_splits) for e in entries] == [
        ("cora", "GCN", 2), ("cora", "GAT", 2), ("texas", "GCN", 1), ("texas", "GAT", 2)
    ]  # fmt: skip
    nameless = {"seed": [0, 1], "cora": [0.8, 0.9], "texas": [0.5, 0.6]}
    with words.raises(InputError):
        read_entries(nameless)
    means = {"Model": ["GCN", "GAT"], "seed": [1, 1], "cora": ["81.0 ± 0.5", "82.0 ± 0.4"]}
    assert {e.data_set for e in read_entries(means)[0]} == {"cora"}


def test_what_stands_beside_scores_on_pages_of_leaderboards(words) -> None:
    page = {
        "Rank": ["1", "2"],
        "Method": ["SAGE", "GCN"],
        "Test Accuracy": ["0.7174 ± 0.0029", "0.7149 ± 0.0027"],
        "Validation Accuracy": ["0.7300 ± 0.0017", "0.7277 ± 0.0016"],
        "#Params": ["142,888", "218,664"],
        "Hardware": ["V100", "1080"],
    }
    entries, *_ = read_entries(page, n_splits=10)
    assert {(e.data_set, e.mean) for e in entries} == {
        ("Test Accuracy", 0.7174),
        ("Test Accuracy", 0.7149),
    }
    with words.raises(InputError):
        read_entries(page | {"Machine": ["V100", "1080"]})


def test_ranks_in_brackets_are_no_standard_deviations(words) -> None:
    means = np.array([[0.763, 0.768, 0.771, 0.771], [0.599, 0.591, 0.5, 0.563]])
    for sign in (1, -1):
        ranks = scipy.stats.rankdata(sign * means, axis=1)
        table = {"dataset": ["adult", "breast"]} | {
            f"m{k}": [f"{means[d, k]} ({ranks[d, k]:g})" for d in range(2)] for k in range(4)
        }
        entries, notes, _ = read_entries(table)
        assert notes == ("numbers in brackets are the ranks of the models and are set aside",)
        assert all(np.isnan(entry.sd) for entry in entries)
    odd = {"dataset": ["d"], "a": ["81.53 (12)"], "b": ["80.11 (9)"]}
    with words.raises(InputError):
        read_entries(odd)


def test_percent_signs_say_what_is_a_percentage(words) -> None:
    small = {"dataset": ["d"], "a": ["0.9% ± 0.1%"], "b": ["0.8%"]}
    entries, *_ = read_entries(small)
    assert (entries[0].mean, entries[0].sd) == pytest.approx((0.009, 0.001))
    mixed = {"dataset": ["d"], "a": ["81.5%"], "b": ["79.0"]}
    assert [e.mean for e in read_entries(mixed)[0]] == pytest.approx([0.815, 0.79])
    with words.raises(InputError):
        read_entries(mixed | {"b": ["0.79"]})


@pytest.mark.parametrize(
    "blank",
    ["", "-", "–", "—", "--", "---", "OOM", "oom", "OOM (24GB)", "OOT", "N/A", "n.a.", "NA", "nan",
     "None", "TLE", "timeout", "> 24h", "×", "✗", "?", r"\textemdash", "$-$", "Out of memory"],
)  # fmt: skip
def test_signs_for_no_score(blank: str) -> None:
    cell = read_cell(blank)
    assert cell is not None
    assert np.isnan(cell.mean)
    frame = in_rows(np.where(shown(CELLS["math"]) == "OOM", blank, shown(CELLS["math"])))
    check(frame)


@pytest.mark.parametrize("cell", ["0,5", "1_0", "81.5 0.5", "81.5 [80, 83]", "high", "1.2.3", "5e"])
def test_other_cells_are_no_numbers(cell: str) -> None:
    assert read_cell(cell) is None
    for layout in (in_rows, in_columns):
        frame = layout(np.where(shown(CELLS["math"]) == "OOM", cell, shown(CELLS["math"])))
        with pytest.raises(InputError, match="expected a number with a decimal point") as note:
            read_entries(frame)
        assert repr(cell) in str(note.value)


@pytest.mark.parametrize(
    ("cell", "mean", "sd"),
    [
        (r"81.5\pm{0.5}", 81.5, 0.5),
        (r"\makecell{81.5\\$\pm$0.5}", 81.5, 0.5),
        (r"81.5\textsubscript{$\pm$0.5}", 81.5, 0.5),
        (r"$81.5_{0.5}$", 81.5, 0.5),
        (r"81.50$\pm$\textbf{0.5}", 81.5, 0.5),
        (r"81.5$^{12}$", 81.5, np.nan),
        (r"81.5$^1$", 81.5, np.nan),
        (r"81.5\textsuperscript{2}", 81.5, np.nan),
        (r"\textcolor[HTML]{FF0000}{81.5}", 81.5, np.nan),
        (r"\phantom{0}8.5", 8.5, np.nan),
        # digits that stand apart never come together, and powers are no footnotes
        (r"\pms{81}{5}", None, None),
        (r"{81}{5}", None, None),
        (r"8\textbf{1}5", None, None),
        ("81*5", None, None),
        ("<b>8</b>1.5", None, None),
        (r"$10^{-3}$", None, None),
        (r"$10^{2}$", None, None),
        (r"$1.2 \times 10^{-3}$", None, None),
    ],
)
def test_cells_of_latex_with_more_in_them(cell: str, mean: float | None, sd: float) -> None:
    found = read_cell(cell)
    if mean is None:
        assert found is None
    else:
        assert found is not None
        assert (found.mean, found.sd) == pytest.approx((mean, sd), nan_ok=True)


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|---|---|\n| c | 1 |\n\n| a | b |\n|---|---|\n| c | 2 |\n",
        r"\begin{tabular}{cc} a & b \\ \end{tabular}",
        r"\begin{tabular}{cc}a&1\\\end{tabular}\begin{tabular}{cc}a&1\\\end{tabular}",
        "| a | a |\n|---|---|\n| c | 1 |\n",
        "Model,Cora\n",
        "GCN,81.5 ± 0.5\nGAT,83.0 ± 0.7\n",
        "Run 1\nEpoch: 1, Loss: 0.5, Test: 0.8\n",
        '{"GCN": 0.8}',
        'Model,Cora\nGCN,"81',
    ],
)
def test_files_that_are_no_table_are_refused(tmp_path: Path, text: str, words) -> None:
    (tmp_path / "t.txt").write_text(text)
    with words.raises(InputError):
        read_entries(tmp_path / "t.txt")


HOSTILE = (
    r"\hline[", r"\cmidrule(", "{", "[", "[x](", "<sup>", r"\multicolumn{2}{", r"\\", "&", "$",
    "$_", "| ", "|-", "- ", "*", r"\begin{tabular}{", r"\textbf{", "^{", "%", " ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_text_takes_no_time(tmp_path: Path, part: str) -> None:
    size = 100_000
    path = tmp_path / "t.txt"
    for text in (
        part * (size // len(part)),
        "Model & Cora \\\\\n GCN & 1 \\\\ " + part * (size // len(part)),
        "| a | b |\n|---|---|\n| c | 1 |\n" + part * (size // len(part)),
        "\n".join([part * 20] * (size // (20 * len(part)))),
    ):
        path.write_text(text)
        start = time.process_time()
        with contextlib.suppress(InputError):
            read_entries(path)
        assert time.process_time() - start < 2


# training logs

LOG = """device: cpu
Model: GCN, seed 0
Epoch: 001, Loss: 1.94, Train: 0.30, Val: 0.25, Test: 0.31
Epoch: 010, Loss: 1.20, Train: 0.90, Val: 0.70, Test: 0.81
saved
Model: GCN, seed 1
Epoch: 001, Loss: 1.95, Train: 0.31, Val: 0.26, Test: 0.32
Epoch: 010, Loss: 1.22, Train: 0.92, Val: 0.72, Test: 0.83
Model: GAT, seed 0
Epoch: 005, Loss: 1.10, Train: 0.95, Val: 0.74, Test: 0.84
Model: GAT, seed 1
Epoch: 005, Loss: 1.11, Train: 0.96, Val: 0.75, Test: 0.85
"""
RESULT = "Epoch: {epoch}, Loss: ..., Test: {value}"


def test_the_last_epoch_of_each_run_counts(tmp_path: Path) -> None:
    path = tmp_path / "all.log"
    path.write_text(LOG)
    columns, note = read_logs([path], ["Model: {model}, seed {seed}", RESULT])
    assert columns == {
        "model": ["GCN", "GCN", "GAT", "GAT"],
        "seed": ["0", "1", "0", "1"],
        "value": ["0.81", "0.83", "0.84", "0.85"],
    }
    assert note == "4 runs read, 6 lines without results left out"
    columns, _ = read_logs([path], ["Model: {model},", RESULT])
    assert columns["run"] == ["0", "1", "0", "1"]
    columns, _ = read_logs([path], ["Epoch: {epoch}, Loss: {loss}, ... Val: {val}, Test: {test}"])
    assert columns["test"] == ["0.81", "0.83", "0.84", "0.85"]
    assert columns["loss"] == ["1.20", "1.22", "1.10", "1.11"]
    assert columns["model"] == ["all"] * 4


@pytest.mark.parametrize(
    "form",
    ["Epoch {e:03d}/200 | loss {l} | test acc {t}", "[{e}] loss={l} test={t}", "{e},{l},{t},"],
)
def test_logs_of_any_form_one_a_model(tmp_path: Path, form: str) -> None:
    rng = np.random.default_rng(1)
    want: dict[str, list[str]] = {}
    for model in ("gcn", "gat"):
        lines = []
        for _ in range(5):
            scores = rng.random(4).round(4)
            lines += [form.format(e=k, l=0.5, t=t) for k, t in enumerate(scores)]
            want.setdefault(model, []).append(str(scores[-1]))
        (tmp_path / f"{model}.log").write_text("\n".join(lines))
    pattern = form.replace("{e:03d}/200", "{epoch}/200").replace("{e}", "{epoch}")
    pattern = pattern.replace("{l}", "...").replace("{t}", "{value}")
    paths = [tmp_path / "gcn.log", tmp_path / "gat.log"]
    columns, _ = read_logs(paths, [pattern])
    assert columns["value"] == want["gcn"] + want["gat"]
    assert columns["model"] == ["gcn"] * 5 + ["gat"] * 5
    assert columns["run"] == [*"01234"] * 2


@pytest.mark.parametrize(
    "patterns",
    [
        ["Epoch"],
        ["Epok: {epoch}, Test: {value}"],
        ["Model {model}", RESULT],
        ["Epoch: {epoch}, Loss: {epoch}"],
        ["Model: {epoch}, seed {value}"],
        ["Epoch: {1}, Test: {value}"],
    ],
)
def test_patterns_that_do_not_fit(tmp_path: Path, patterns: list[str], words) -> None:
    (tmp_path / "a.log").write_text(LOG)
    with words.raises(InputError):
        read_logs([tmp_path / "a.log"], patterns)
    with pytest.raises(InputError, match="cannot be read"):
        read_logs([tmp_path / "none.log"], [RESULT])


# on the command line


def run(command: str, *arguments: object) -> Result:
    return CliRunner().invoke(cli, [command, *map(str, arguments)])


def answer(*arguments: object) -> dict[str, Any]:
    done = run("test", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_leaderboard_of_logs(tmp_path: Path) -> None:
    path = tmp_path / "all.log"
    path.write_text(LOG)
    common = (path, "--pattern", "Model: {model}, seed {seed}", "--pattern", RESULT)
    done = run("leaderboard", *common, "--test-share", 0.2, "--paired", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {(e["model"], round(e["mean"], 4)) for e in found["entries"]} == {
        ("GCN", 0.82), ("GAT", 0.845),
    }  # fmt: skip
    assert "4 runs read" in done.stderr
    two = run("leaderboard", path, path, "--test-share", 0.2)
    assert two.exit_code == 2
    assert "expected one table, got 2" in two.stderr


def test_a_test_of_logs(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    values = {}
    for model in ("gcn", "gat"):
        values[model] = rng.random(6).round(4)
        lines = [f"Run: {k:02d}, Epoch: 200, Test: {v}" for k, v in enumerate(values[model])]
        (tmp_path / f"{model}.log").write_text("\n".join(lines))
    found = answer(
        "paired-t",
        tmp_path / "gcn.log",
        tmp_path / "gat.log",
        "--pattern",
        "Run: {run}, ..., Test: {value}",
    )
    want = scipy.stats.ttest_rel(values["gcn"], values["gat"])
    assert found["compared"] == ["gcn", "gat"]
    assert found["pvalue"] == pytest.approx(want.pvalue, rel=1e-9)


@pytest.mark.parametrize("write", [csv, markdown, latex])
@pytest.mark.parametrize("layout", [in_rows, in_columns])
def test_ranks_of_a_printed_table(
    tmp_path: Path, write: Callable[..., str], layout: Callable[..., pd.DataFrame]
) -> None:
    means = np.nan_to_num(MEANS, nan=77.7)
    cells = np.array([[f"{m:g} ± 0.5" for m in row] for row in means], dtype=object)
    path = tmp_path / "t.txt"
    path.write_text(write(layout(cells)), encoding="utf-8")
    found = answer("friedman", path)
    want = scipy.stats.friedmanchisquare(*means)
    assert found["compared"] == list(MODELS)
    assert found["pvalue"] == pytest.approx(want.pvalue, rel=1e-9)
    ranks = scipy.stats.rankdata(means, axis=0).mean(axis=1)
    assert found["details"]["mean_ranks"] == pytest.approx(ranks)


def test_rows_or_columns_can_be_told(tmp_path: Path) -> None:
    frame = in_rows(np.array([[f"{m:g}" for m in row] for row in np.nan_to_num(MEANS, nan=77.7)]))
    path = tmp_path / "t.csv"
    frame.rename(columns={"Model": "who"}).to_csv(path, index=False)
    assert answer("friedman", path)["compared"] == list(DATA_SETS)
    assert answer("friedman", path, "--models-in", "rows")["compared"] == list(MODELS)
    frame.assign(Avg="70.1").to_csv(path, index=False)
    done = run("test", "friedman", path)
    assert "set aside: Avg" in done.stderr
    pair = ("paired-t", path, "--a", "GCN", "--b", "GAT")
    want = scipy.stats.ttest_rel(*np.nan_to_num(MEANS, nan=77.7)[:2])
    assert answer(*pair)["pvalue"] == pytest.approx(want.pvalue, rel=1e-9)
    in_rows(shown(CELLS["math"])).to_csv(path, index=False)
    note = run("test", "friedman", path).stderr
    assert "column 'GAT', row 3 (dataset PubMed): no value" in note
    # a column of groups names no classifiers
    groups = ("manova", path, "--groups", "Model", "--columns", "Cora,Texas")
    assert "got 0 from 3 rows" in run("test", *groups).stderr


@pytest.mark.parametrize("name", ["network", "name", "country", "notes"])
def test_a_column_of_names_is_no_classifier(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.random((6, 3)).round(3), columns=["A", "B", "C"])
    frame.insert(0, name, [f"net {k}" for k in range(6)])
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    found = answer("friedman", path)
    assert found["compared"] == ["A", "B", "C"]
    assert found["pvalue"] == pytest.approx(
        scipy.stats.friedmanchisquare(frame.A, frame.B, frame.C).pvalue, rel=1e-9
    )
    frame.drop(columns="C").to_csv(path, index=False)
    want = scipy.stats.wilcoxon(frame.A, frame.B).pvalue
    assert answer("wilcoxon", path)["pvalue"] == pytest.approx(want, rel=1e-9)
    frame["A"] = [*frame.A[:-1].astype(str), "oops"]
    frame.to_csv(path, index=False)
    note = run("test", "friedman", path)
    assert note.exit_code == 2
    assert "column 'A', row 6: expected a number with a decimal point, got 'oops'" in note.stderr


def test_classes_in_words_are_still_predictions(tmp_path: Path) -> None:
    frame = pd.DataFrame({"truth": [*"aabbab" * 4], "A": [*"aabbaa" * 4], "B": [*"ababbb" * 4]})
    frame.insert(0, "id", [f"n{k}" for k in range(24)])
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = answer("mcnemar", tmp_path / "t.csv", "--truth", "truth")
    assert found["compared"] == ["A", "B"]
    wrong = [(frame[m] != frame.truth).to_numpy() for m in "AB"]
    b, c = (wrong[0] & ~wrong[1]).sum(), (wrong[1] & ~wrong[0]).sum()
    assert found["pvalue"] == pytest.approx(scipy.stats.binomtest(b, b + c).pvalue, rel=1e-9)


def test_counts_in_place_of_a_table() -> None:
    for wrong, cases, p0 in ((12, 40, 0.5), (3, 40, 0.2), (0, 7, 0.1)):
        found = answer("binomial", wrong, cases, "--p0", p0)
        want = scipy.stats.binomtest(wrong, cases, p0)
        assert found["pvalue"] == pytest.approx(want.pvalue, rel=1e-9)
        assert found["estimate"] == pytest.approx(wrong / cases)
    found = answer("two-proportions", 12, 40, 9, 50)
    assert found["estimate"] == pytest.approx(12 / 40 - 9 / 50)
    assert "The error rate of the classifier" in run("test", "binomial", 12, 40).stdout
    for arguments, words in (
        (("binomial", 12), "expected ERRORS CASES, got 12"),
        (("two-proportions", 12, 40), "expected ERRORS_A CASES_A ERRORS_B CASES_B"),
        (("binomial", 41, 40), "41"),
        (("paired-t", 12, 40), "expected one table, got 2"),
    ):
        note = run("test", *arguments)
        assert note.exit_code == 2
        assert words in note.stderr


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("friedman", (), "Rank 1 is the lowest value of a row: a low mean rank is good where"),
        ("friedman", ("--set", "higher_is_better=true"), "Rank 1 is the highest value of a row"),
        ("iman-davenport", (), "for accuracies add --set higher_is_better=true"),
        ("nemenyi", ("--set", "higher_is_better=yes"), "a low mean rank is good."),
        ("kruskal-wallis", (), "Rank 1 is the lowest of all values"),
        ("dunn", (), "a high one where they are accuracies"),
    ],
)
def test_a_test_of_ranks_says_which_end_is_good(
    tmp_path: Path, name: str, options: tuple[str, ...], words: str
) -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(rng.random((12, 3)) + np.array([0, 0.2, 0.4]), columns=["A", "B", "C"])
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert words in " ".join(run("test", name, path, *options).stdout.split())
    assert words in answer(name, path, *options)["ranks"]
    # what is said is true: the mean rank of the highest values is at that end
    ranks = answer(name, path, *options)["details"]["mean_ranks"]
    ranks = list(ranks.values()) if isinstance(ranks, dict) else ranks
    assert (ranks[2] < ranks[0]) == ("highest" in words or "higher_is_better=yes" in options)
    assert "ranks" not in answer("rm-anova", path)


# --- which score is best, and what is no score of a model


def test_of_errors_the_lowest_is_the_best(tmp_path: Path, words) -> None:
    path = tmp_path / "table.md"
    path.write_text(
        "| Model | Test MAE |\n|---|---|\n| Small | 0.0937 ± 0.0005 |\n| Deep | 0.0852 ± 0.0006 |\n"
    )
    found = leaderboard(path, n_splits=10, test_share=0.2)
    assert (found.errors, found.claims[0].best) == (True, "Deep")
    assert "lower scores are taken to be better, as Test MAE says" in found.notes
    assert leaderboard(path, n_splits=10, test_share=0.2, errors=False).claims[0].best == "Small"
    long = {"dataset": ["a", "a"], "model": ["x", "y"], "rmse": ["0.2", "0.1"]}
    assert leaderboard(long, n_splits=5, test_share=0.2).claims[0].best == "y"
    mixed = {"Model": ["x", "y"], "RMSE": ["0.2", "0.1"], "R2": ["0.6", "0.8"]}
    with words.raises(InputError):
        leaderboard(mixed, n_splits=5, test_share=0.2)


def test_data_sets_beside_a_corner_called_dataset_are_no_models() -> None:
    table = {"Dataset": ["Paper", "Ours"], "Cora": ["82.4±0.6", "81.3±0.5"],
             "Citeseer": ["71.5±0.4", "70.1±1.1"]}  # fmt: skip
    found = leaderboard(table, n_splits=10, test_share=0.2)
    assert [claim.data_set for claim in found.claims] == ["Cora", "Citeseer"]
    assert {claim.best for claim in found.claims} == {"Paper"}
    turned = {"Dataset": ["Cora", "Citeseer"], "Paper": ["82.4", "71.5"], "Ours": ["81.3", "70.1"]}
    assert {e.model for e in read_entries(turned, n_splits=10)[0]} == {"Paper", "Ours"}


def test_validation_averages_and_best_rows_are_set_aside() -> None:
    table = {
        "Model": ["A", "B", "Average", "Best baseline", "SOTA", "Mean Teacher", "Best-of-N"],
        "Cora": ["81.2", "80.1", "80.6", "82.0", "83.0", "79.0", "78.0"],
        "Cora (val)": ["91.2", "90.1", "90.6", "92.0", "93.0", "89.0", "88.0"],
        "Cora dev acc": ["91.2", "90.1", "90.6", "92.0", "93.0", "89.0", "88.0"],
    }
    entries, notes, _ = read_entries(table, n_splits=10)
    assert [(e.data_set, e.model) for e in entries] == [
        ("Cora", model) for model in ("A", "B", "Mean Teacher", "Best-of-N")
    ]
    assert "Cora (val), Cora dev acc, Average, Best baseline, SOTA" in notes[0]


def test_one_of_several_tables_in_a_file(tmp_path: Path, words) -> None:
    parts = [f"| Model | {name} |\n|---|---|\n| A | 81.2 |\n| B | 80.2 |\n" for name in ("x", "y")]
    path = tmp_path / "README.md"
    path.write_text("# Results\n\n" + "\nand\n\n".join(parts))
    with words.raises(InputError):
        read_entries(path)
    found = read_entries(f"{path}#2", n_splits=10)[0]
    assert {(e.data_set, e.model) for e in found} == {("y", "A"), ("y", "B")}
    with words.raises(InputError):
        read_entries(f"{path}#3")
