"""One document for every kind of result: all renderers hold it, and every result has one face."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.core.finding import SCHEMA, Finding
from nettrial.core.plain_text import printable
from nettrial.core.references import bibtex, sources
from nettrial.core.wording import minus, pvalue_text
from nettrial.inference.data_sets import over_data_sets
from nettrial.inference.registry import PROCEDURES
from nettrial.report import (
    cells,
    html,
    latex,
    markdown,
    text,
    typst,
    write_docx,
    write_latex,
    write_markdown,
    write_paper,
    write_report,
    write_typst,
)
from nettrial.report import lines as text_lines
from nettrial.report.canvas import drawn_for_phones
from nettrial.report.describe import describe
from nettrial.report.display import Display
from nettrial.report.document import (
    Caution,
    Document,
    Figure,
    Paragraph,
    Row,
    Table,
    Verdict,
    nothing,
    rows,
)
from nettrial.report.files import IN_PAPER
from nettrial.report.methods import cited, in_latex, in_words, rests_on
from nettrial.report.references import of_test
from nettrial.report.word import shown as word_cell
from nettrial.splits.resampling import RandomResampling

HOSTILE = "\\input{/etc/passwd} <script>|*`_\x1b[31m $x$ 50% & #1"
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def of_groups(measure: str = "shares", names: tuple[str, str] = ("new", "old")) -> Any:
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 125)) < np.array([[0.7], [0.5]])
    if measure == "scores":
        a, b = rng.normal(size=(2, 125)) + np.array([[250.0], [0.0]])
    return nettrial.compare_grouped(a, b, np.repeat(np.arange(25), 5), names=names)


QUICK: Any = {"n_splits": 3, "test": "cluster_robust_t"}
RATES: Any = {"labeled": [0.2, 0.5], "n_splits": 3, "test": "cluster_robust_t"}
THREE = ["wvrn", "nbc", "prior"]
BOARD = {"dataset": ["cora", "seer"], "gcn": ["81 ± 1", "70 ± 1"], "gat": ["83 ± 1", "72 ± 1"],
         "sage": ["79 ± 2", "68 ± 1"]}  # fmt: skip


@cache
def network(seed: int = 1) -> nettrial.Network:
    return nettrial.latent_group_network(100, seed=seed)


def networks() -> dict[str, nettrial.Network]:
    return {f"net {i}": network(i) for i in range(3)}


MAKE: dict[str, Callable[[], Any]] = {
    "two": lambda: nettrial.compare(network(), "wvrn", "nbc", **QUICK),
    "two by AUC": lambda: nettrial.compare(network(), "wvrn", "nbc", measure="auc", **QUICK),
    "two by log loss": lambda: nettrial.compare(
        network(), "wvrn", "nbc", measure="log_loss", **QUICK
    ),
    "many": lambda: nettrial.compare_models(network(), THREE, **QUICK),
    "control": lambda: nettrial.compare_models(
        network(), THREE, control="wvrn", measures=("error", "squared_loss"), **QUICK
    ),
    "bootstrap": lambda: nettrial.compare_models(
        network(), THREE[:2], n_splits=3, test="bootstrap", n_replicates=10
    ),
    "sweep": lambda: nettrial.sweep(network(), THREE, **RATES),
    "sweep by AUC": lambda: nettrial.sweep(network(), THREE, measure="auc", **RATES),
    "across": lambda: nettrial.compare_across(networks(), THREE, **QUICK),
    "across two": lambda: nettrial.compare_across(networks(), THREE[:2], **QUICK),
    "over data sets": lambda: over_data_sets(
        [[0.1, 0.2, 0.3], [0.25, 0.2, 0.4], [0.1, 0.3, 0.2], [0.05, 0.1, 0.3]],
        models=THREE,
        data_sets=["u", "v", "w", "x"],
    ),
    "transfer": lambda: nettrial.compare_transfer(
        network(), network(2), THREE[:2], n_splits=3, known=0.2
    ),
    "check": lambda: nettrial.check(
        network(), splits=RandomResampling(labeled=0.3, n_splits=3).split_network(network())
    ),
    "leaderboard": lambda: nettrial.leaderboard(BOARD, n_splits=10, test_share=0.1),
    "groups": of_groups,
    "groups of scores": lambda: of_groups("scores"),
    "audit": lambda: nettrial.audit(
        network(), "wvrn", "nbc", n_splits=3, n_replicates=20, n_inner=0, differences=[0.05]
    ),
    "plan": lambda: nettrial.plan(network(), "wvrn", "nbc", n_splits=3, n_replicates=20),
}
KINDS = tuple(MAKE)


@cache
def result(kind: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return MAKE[kind]()


def short(document: Document) -> Document:
    """The document without what only pages show, so that all renderers show the same."""
    return replace(document, details=nothing)


class Tables(HTMLParser):
    """The cells of all tables of a page; explanations, tags and footnote marks aside."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.inside.append("tag" if dict(attrs).get("class") == "tag" else tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag in ("br", "meta"):
            self.inside.pop()

    def handle_endtag(self, tag: str) -> None:
        self.inside.pop()

    def handle_data(self, data: str) -> None:
        cell = {"td", "th"} & set(self.inside)
        if cell and not {"small", "sup", "tag"} & set(self.inside):
            self.rows[-1][-1] += data


def of_page(document: Document) -> list[str]:
    return [" | ".join(row) for row in Tables(html.render(short(document))).rows]


def of_markdown(document: Document) -> list[str]:
    lines = [line for line in markdown.render(document).split("\n") if line.startswith("|")]
    return [re.sub(r" \\\[[\d, ]+\\\]", "", line) for line in lines if "---" not in line]


def of_latex(document: Document) -> list[str]:
    lines = [line for line in latex.render(document).split("\n") if line.endswith("\\\\")]
    return [re.sub(r"\\textsuperscript\{[\d, ]+\}", "", line) for line in lines]


def of_text(document: Document) -> list[str]:
    lines = []
    for table in document.of(Table):
        below = "\n".join(text.wrapped(line) for line in table.below)
        body = text.table(table).removesuffix(below).rstrip("\n").split("\n")[1:]
        lines += [re.sub(r" \[[\d, ]+\]", "", line) for line in body]
    return lines


def numbers(lines: list[str]) -> list[list[str]]:
    plain = (line.replace("−", "-").replace("\\%", "%").replace("$", "") for line in lines)
    return [NUMBER.findall(line) for line in plain]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_all_renderers_hold_the_same_numbers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = describe(result(kind))
    narrow = text.render(document)
    for module in (text, text_lines):
        monkeypatch.setattr(module, "width", lambda: 1000)  # nothing is broken
    assert set(text.render(document).split()) <= set(narrow.split())
    made = [numbers(lines(document)) for lines in (of_text, of_page, of_markdown, of_latex)]
    assert sum(map(len, made[0])) > 5
    heads = sum(bool(table.head) for table in document.of(Table))
    assert len(made[0]) == heads + sum(len(table.rows) for table in document.of(Table))
    for one, what in zip(made[1:], ("page", "Markdown", "LaTeX")):
        assert one == made[0], what


def test_the_numbers_are_those_of_the_result() -> None:
    found = result("two")
    (table, *_) = describe(found).of(Table)
    for row, test in zip(table.rows, found.tests):
        name, _, estimate, _, interval, _, p = (cell.text for cell in row.cells)
        assert name == test.name
        assert float(estimate) == pytest.approx(100 * test.estimate, abs=0.0501)
        if np.isfinite(test.ci_low) and interval != "no usable interval":
            low, high = map(float, interval.split(" to "))
            assert (low, high) == pytest.approx((100 * test.ci_low, 100 * test.ci_high), abs=0.0501)
        if np.isfinite(test.pvalue):
            assert float(p.removeprefix("< ")) == pytest.approx(test.pvalue, rel=0.06, abs=1e-4)
    curves = describe(result("sweep")).of(Table)[0]
    models = result("sweep").models
    shown = [float(r.cells[2].text) for r in curves.rows if r.cells[1].text in models]
    assert shown == pytest.approx(100 * result("sweep").scores.ravel(), abs=0.0501)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_result_has_the_same_face(kind: str, tmp_path: Path) -> None:
    from matplotlib.axes import Axes

    found = result(kind)
    assert isinstance(found, Finding)
    assert str(found).split("\n")[0] == text.wrapped(found.verdict).split("\n")[0]
    assert repr(found).startswith(f"<{type(found).__name__}: ")
    assert "\n" not in repr(found)
    assert len(repr(found)) < 200
    table = found.to_dict()
    assert list(table)[:3] == ["schema", "kind", "verdict"]
    assert (table["schema"], table["kind"]) == (SCHEMA, type(found).__name__)
    assert json.loads(found.to_json()) == table
    assert isinstance(found.to_frame(), pd.DataFrame)
    assert len(found.to_frame()) > 0
    assert isinstance(found.plot(), Axes)
    headline = printable(describe(found).verdict.headline)
    assert " ".join(found.summary().split()).startswith(" ".join(headline.split()))
    assert len(found.summary()) < len(str(found))
    cell = found._repr_html_()
    assert "<pre" not in cell
    assert cell.count("<svg") == 1
    assert cell.count("<table") == 1
    found.to_html(tmp_path / "a.html")
    write_report(found, tmp_path / "b.html")
    assert (tmp_path / "a.html").read_text("utf-8") == found.to_html()
    assert (tmp_path / "b.html").read_text("utf-8") == found.to_html()
    write_latex(found, tmp_path / "a.tex")
    assert (tmp_path / "a.tex").read_text("utf-8") == found.to_latex() + "\n"
    write_markdown(found, tmp_path / "a.md")
    assert (tmp_path / "a.md").read_text("utf-8") == found.to_markdown()
    with pytest.raises(InputError, match=r"that file is there already and is no \.tex file"):
        write_latex(found, tmp_path / "a.md")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_result_has_a_paper_folder(kind: str, tmp_path: Path) -> None:
    found, document = result(kind), describe(result(kind))
    write_paper(found, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(IN_PAPER)
    keys = cited(document)
    assert keys
    assert (tmp_path / "references.bib").read_text() == bibtex(keys)
    marked = re.findall(r"\\cite\{([\w,]+)\}", in_latex(document))
    assert set(",".join(marked).split(",")) == set(keys)
    for key in keys:
        assert sources()[key].short in in_words(document)
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


def numbered(seed: int = 1) -> nettrial.Network:
    made = network(seed)
    targets = 20 * made.labels + np.random.default_rng(0).normal(size=made.n_nodes)
    features = np.random.default_rng(1).normal(size=(made.n_nodes, 2))
    return nettrial.from_adjacency(made.adjacency(), targets=targets, features=features)


NUMBERS = ["mean", "relational_mean", "ridge"]


def labels() -> Any:
    several = np.random.default_rng(0).random((100, 3)) < 0.4
    return nettrial.compare_labels(network(), several, ["wvrn", "nbc"], **QUICK)


# those of which other tests need no example
FURTHER: dict[str, Callable[[], Any]] = {
    "links": lambda: nettrial.compare(network(), "adamic_adar", "jaccard", n_splits=3),
    "links of several": lambda: nettrial.compare(
        network(), ["adamic_adar", "jaccard", "katz"], n_splits=3
    ),
    "regression": lambda: nettrial.compare(numbered(), *NUMBERS[:2], **QUICK),
    "regression of several": lambda: nettrial.compare(numbered(), NUMBERS, **QUICK),
    "regression sweep": lambda: nettrial.sweep(numbered(), NUMBERS, **RATES),
    "regression across": lambda: nettrial.compare_across(
        {f"net {i}": numbered(i) for i in range(3)}, NUMBERS[:2], **QUICK
    ),
    "labels": labels,
    "five models": lambda: nettrial.compare_models(
        network(), ["wvrn", "nbc", "nlb", "cdrn", "prior"], **QUICK
    ),
}


@cache
def any_result(kind: str) -> Any:
    if kind in MAKE:
        return result(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return FURTHER[kind]()


def page_text(document: Document, found: Any) -> str:
    """Return all that a page says and draws, without its code."""
    code = r"<(script|style).*?</\1>|data:[^\"']*"
    page = re.sub(code, "", html.render(document, found), flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", page)).replace("−", "-")


# what a page must not print, and why
RAW = {
    r"\bnan\b|\bTrue\b(?! diff)|\bFalse\b|\bkeep\b|control -|: None\b": "a raw value",
    r"\b(\w+) \(\1\w*\)": "a word and its code",
    r"\b\d+(?:\.\d+)?e-?\d{2}\b": "an exponent",
    r"(?<![\d.,-])1 (?:links|nodes|networks|splits|groups|items|pairs|fits)\b": "a plural of 1",
    r"\bdifference of \d+ percentage points": "no decimal",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_a_page_prints_no_raw_value(kind: str) -> None:
    found = any_result(kind)
    printed = page_text(describe(found), found)
    wrong = [
        f"{why}: {printed[max(0, match.start() - 40) : match.end() + 20]!r}"
        for pattern, why in RAW.items()
        for match in re.finditer(pattern, printed)
    ]
    assert not wrong
    sentences = [describe(found).verdict.text, *(each.note for each in describe(found).cautions)]
    codes = re.compile(rf"\b(?:{'|'.join(name for name in PROCEDURES if '_' in name)})\b")
    assert not [each for each in sentences if codes.search(each)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_the_cells_of_a_column_have_as_many_decimals(kind: str) -> None:
    document = describe(any_result(kind))
    wrong = []
    for table in [*document.of(Table), *(b for b in document.details() if isinstance(b, Table))]:
        if table.head[:1] in (("quantity",), ()):  # each row is a quantity of its own
            continue
        for number, head in enumerate(table.head):
            column = [row.cells[number] for row in table.rows if row.cells[0].text != "mean rank"]
            found = {
                len(value.partition(".")[2])
                for cell in column
                if cell.kind in ("measure", "interval", "share", "number") and "(" not in cell.text
                for value in NUMBER.findall(cell.text)
            }
            if len(found) > 1 and "p" not in {cell.kind for cell in column}:
                wrong.append((table.title, head, [cell.text for cell in column]))
    assert not wrong


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


def known_numbers(document: Document) -> dict[str, float]:
    """Return the numbers with decimals that tables print, with their values as the page counts."""
    found: dict[str, float] = {}
    for row in (row for table in document.of(Table) for row in table.rows):
        for cell in row.cells:
            values = cell.value if isinstance(cell.value, tuple) else (cell.value,)
            texts = NUMBER.findall(cell.text.replace("−", "-"))
            if cell.is_number and len(texts) == len(values):
                for text, value in zip(texts, values):
                    if "." in text and value and not float(value).is_integer():
                        near = abs(100 * value - float(text.replace(",", ""))) < 0.06
                        found[text] = (100 if near else 1) * value
    return found


def other_digits(said: str, known: dict[str, float]) -> list[tuple[str, str]]:
    """Return numbers of a text that are those of a table, but with other digits."""
    texts = {each for each in NUMBER.findall(said.replace("−", "-")) if "." in each}
    return [
        (text, printed)
        for text in texts - set(known)
        for printed, value in known.items()
        if float(text.replace(",", ""))  # 0 is as good as any small number
        and f"{value:,.{decimals(text)}f}" == text
        and decimals(text) != decimals(printed)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_headline_table_and_figure_have_the_same_digits(kind: str) -> None:
    document = describe(any_result(kind))
    known = known_numbers(document)
    assert known or kind == "audit"  # whose shares have no decimals
    said = [document.verdict.text, *(figure.display.alt() for figure in document.of(Figure))]
    said += [text for text, _ in document.verdict.facts]
    assert not [(each, text) for text in said for each in other_digits(text, known)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_rates_are_percentages_in_every_table(kind: str) -> None:
    document = describe(any_result(kind))
    for table in [*document.of(Table), *(b for b in document.details() if isinstance(b, Table))]:
        for row in table.rows:
            if re.match(r"error rate|share", row.cells[0].text) and len(row.cells) > 1:
                assert all("%" in cell.text or cell.text == cells.NONE for cell in row.cells[1:])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_warnings_are_merged_and_those_on_the_verdict_say_what_to_do(kind: str) -> None:
    cautions = describe(any_result(kind)).cautions
    touching = [each.touches_verdict for each in cautions]
    assert touching == sorted(touching, reverse=True)  # the heaviest first
    alike = [re.sub(r"[\d.,%]+", "#", each.text.partition(". ")[0]) for each in cautions]
    assert len(set(alike)) == len(alike)
    do = r"\b(?:let|hand in|compare|use|quote|add|report|name|take|trust|read|counts all)\b"
    assert not [
        each.text for each in cautions if each.touches_verdict and not re.search(do, each.text)
    ]


SCREEN = 16  # lines of a terminal, with what a command says below: an empty line, and where more is


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_a_result_of_any_kind_is_short(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = any_result(kind)
    said = found.summary()
    assert len(said.splitlines()) + 2 <= SCREEN, said
    on_the_verdict = any(caution.touches_verdict for caution in describe(found).cautions)
    assert ("\n! " in said) == on_the_verdict
    assert not re.search(r"\b(?:None|nan|keep|control -)\b", said.partition("\n! ")[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pages_have_true_minus_signs(kind: str) -> None:
    page = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", result(kind).to_html(), flags=re.DOTALL)
    shown = re.sub(r"<[^>]*>", " ", page)
    assert not re.search(r"(?<=[\s(\[])-\d", shown)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_asked_of_the_wording_holds_everywhere(kind: str) -> None:
    found = result(kind)
    own = replace(
        describe(found),
        blocks=tuple(
            block for block in describe(found).blocks if type(block).__name__ != "Caution"
        ),
    )
    for written in (text.render(own), html.render(own), in_words(own)):
        shown = " ".join(written.split())
        for word in (
            "distinguished",
            "one at a time",
            "p alone",
            "worth",
            "labelled",
            "neighbour",
            "false alarms",
            "hold together",
            "splits without end",
        ):
            assert word not in shown, word
        assert not re.search(r"(?<!percentage )\bpoints?\b", shown)


# source -> what of it a page that lists it must show
SHOWN = {
    "wang2011": "RS-C|error-prone",
    "macskassy2007": "wvrn|nbc",
    "neville2009": "random resampling|network cross-validation|labeled",
    "newman2003": "autocorrelation",
    "blondel2008": "[Ll]ouvain",
    "delong1988": "AUC",
}
MORE: dict[str, Callable[[], Any]] = {
    "links": lambda: nettrial.compare(network(), "adamic_adar", "jaccard", n_splits=2),
    "numbers": lambda: nettrial.compare(with_targets(), "mean", "relational_mean", **QUICK),
    "given communities": lambda: nettrial.compare(
        network(), "wvrn", "nbc", communities=np.arange(100) % 10, **QUICK
    ),
}


def with_targets() -> nettrial.Network:
    values = np.random.default_rng(0).normal(size=100)
    return nettrial.Network(*network().simple_links(), n_nodes=100, targets=values)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_pages_list_only_sources_of_what_they_show(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = MORE[kind]() if kind in MORE else result(kind)
    document, page = describe(found), found.to_html()
    above = re.sub(r"<style>.*?</style>", "", page).partition("What the numbers rest on")[0]
    keys, tests = rests_on(document), getattr(found, "tests", ())
    answered = [test.name for test in tests if not np.isnan(getattr(test, "pvalue", np.nan))]
    known = {*cited(document), *(key for name in answered for key in of_test(name)), "hampel1974"}
    for key in keys:
        assert re.search(SHOWN[key], above) if key in SHOWN else key in known, key
    if kind == "two":
        assert set(SHOWN) - {"delong1988"} <= set(keys)
    if kind in ("links", "numbers"):
        assert not {"wang2011", "macskassy2007"} & set(keys)
        assert "estimator of q" not in above
    assert ("blondel2008" in keys) == bool(re.search(SHOWN["blondel2008"], above))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_says_its_title_again(kind: str) -> None:
    document = describe(result(kind))
    page = html.render(document)
    shown = re.search(r'<p class="numbers">\n?(.*?)</p>', page, re.DOTALL)
    assert page.count(f"<h1>{document.verdict.headline}") <= 1
    if shown is not None:
        assert not shown[1].strip().startswith(document.verdict.headline[:30])


def test_two_models_are_told_alike_however_they_are_compared() -> None:
    alone = nettrial.compare(network(), "wvrn", "nbc", **QUICK).verdict
    among = nettrial.compare_models(network(), THREE[:2], **QUICK).verdict
    assert among == alone
    for found in (result("transfer"), *result("across two").networks.values()):
        assert re.match(
            r"(No evidence that |These predictions cannot settle whether )?\w+ beats \w+ on "
            r"networks like this one: error rate difference ",
            found.verdict,
        )
    heads = over_table(result("across two")).head
    assert len(set(heads)) == len(heads)


def over_table(found: Any) -> Table:
    return describe(found).of(Table)[1]


def settings_of(found: Any) -> dict[str, str]:
    (table,) = (block for block in describe(found).details() if isinstance(block, Table))
    return {row.cells[0].text: row.cells[1].text for row in table.rows}


def test_settings_are_called_by_what_they_are() -> None:
    shown = settings_of(result("transfer"))
    assert {"learned on: number of labels", "learned on: share of the labels"} <= set(shown)
    assert not any(re.search(r"\bn ", name) for name in shown)


def test_settings_are_told_in_words_and_numbers_with_separators() -> None:
    own = {"year": 2012, "q": [1]}
    small = settings_of(replace(result("many"), settings=result("many").settings | own))
    assert small["design"] == "random resampling (RRS)"
    assert small["test"] == "the cluster-robust t-test over communities"
    assert small["links between training nodes and others"] == "kept"
    assert small["communities"] == "Louvain method"
    assert (small["year"], small["estimator of q"]) == ("2012", "1")
    settings = {"links_hidden": 1065.0, "communities": "school", "cross_links": "drop"}
    large = settings_of(replace(result("many"), settings=settings, seed=12345, design="kfold"))
    assert large["links hidden, mean"] == "1,065"
    assert large["communities"] == "node column school"
    assert large["links between training nodes and others"] == "left out"
    assert large["seed"] == "12345"
    assert large["design"] == "repeated k-fold cross-validation"


def test_every_renderer_parts_a_warning_from_what_it_concerns() -> None:
    found = replace(describe(of_groups()), blocks=(Caution("few groups", ("one", "two")),))
    for written in (text.render(found), markdown.render(found), typst.render(found)):
        assert "few groups (one, two)" in written
    assert "<p>None of these affects the verdict.</p>" in html.render(found)
    assert "<p>None.</p>" in html.render(replace(found, blocks=()))


def test_typst_has_true_minus_signs_in_prose() -> None:
    found = describe(of_groups())
    below = replace(found, verdict=Verdict("a beats b-1", "a beats b-1: by -7.3"))
    assert "a beats b-1: by −7.3" in typst.render(below)


def test_digits_of_a_column_do_not_vary() -> None:
    values = {"df": (9.7604, 3.9, 4.0, None), "p": (0.0199, 0.002, 0.0315, 1.0),
              "q": (0.04997, 0.0503, 0.000104, 0.0949)}  # fmt: skip
    made = [[cells.df(df), cells.pvalue(p), cells.pvalue(q)] for df, p, q in zip(*values.values())]
    table = Table("Digits", tuple(values), rows(made))
    found = Document("Digits", Verdict("So", "So."), (table,), lambda _: "")
    written = ["9.76", "3.90", "4", "0.020", "0.0020", "0.032", "1.00", "0.0500", "0.0503",
               "0.00010", "0.095"]  # fmt: skip
    for form in (text, html, latex, markdown, typst):
        note = form.render(found)
        for each in written:
            assert re.search(rf"(?<![\d.]){re.escape(each)}(?![\d.])", note), (form, each)


def test_every_p_value_has_two_digits() -> None:
    for p in np.geomspace(1e-4, 0.0949, 2000):
        note = pvalue_text(p).removeprefix("p = 0.")
        at_level = 0.0495 <= p < 0.0505  # where two digits would tell the level itself
        assert len(note.lstrip("0")) == (3 if at_level else 2), (p, note)
        assert abs(float(f"0.{note}") - p) <= 0.051 * p


def test_latex_marks_the_verdict_and_tells_the_warnings(tmp_path: Path) -> None:
    found = result("two")
    document = describe(found)
    marked = [line for line in latex.render(document).split("\n") if "(verdict)" in line]
    assert len(marked) == 1
    assert marked[0].startswith(r"\textbf{cluster-robust t-test of a mean\textsuperscript")
    toy = (Caution("few of a_b", ("verdict", "one")), Caution("of another.", ("two",)))
    table = Table("", ("a", "b"), (Row((cells.code("[x]", notes=(1, 2)), cells.number(1)), True),))
    toys = replace(document, blocks=(table, *toy))
    lines = latex.render(toys)
    assert r"\textbf{\texttt{[x]}\textsuperscript{1, 2}} & $1$ \\" in lines
    assert r"\textsuperscript{1}few of a\_b (verdict, one)\par" in lines
    assert r"\textsuperscript{2}of another (two)\par" in lines
    assert "\n{}[a] & b" in latex.booktabs(["", ""], [["[a]", "b"]], "lr")
    verdict, warning = latex.verdict(toys).split("\n\n")
    assert verdict == latex.prose(minus(document.verdict.text))
    assert warning == r"Warning: few of a\_b."


@pytest.mark.slow
def test_a_table_that_is_added_stands_in_every_renderer() -> None:
    document = describe(result("two"))
    toy = Table("A toy", ("what", "value"), rows([[cells.words("a_b"), cells.number(-41.125)]]))
    more = replace(document, blocks=(*document.blocks, toy))
    for shown, name, number in (
        (text.render(more), "a_b", "-41.12"),
        (html.render(more), "a_b", "−41.12"),
        (markdown.render(more), r"a\_b", "-41.12"),
        (latex.render(more), r"a\_b", "$-41.12$"),
        (typst.render(more), '"a_b"', "−41.12"),
    ):
        assert "A toy" in shown
        assert name in shown
        assert number in shown


@pytest.mark.parametrize("kind", ["two", "many", "leaderboard"])
def test_word_files_hold_the_tables(kind: str, tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="needs nettrial[docx]")
    write_docx(result(kind), tmp_path / "a.docx")
    read = docx.Document(str(tmp_path / "a.docx"))
    document = describe(result(kind))
    assert read.paragraphs[0].text == document.verdict.headline
    for table, block in zip(read.tables, document.of(Table), strict=True):
        cells_read = [[cell.text for cell in row.cells] for row in table.rows]
        texts = [[word_cell(c, "" if i else row.tag) for i, c in enumerate(row.cells)]
                 for row in block.rows]  # fmt: skip
        assert cells_read == [list(block.head)] * bool(block.head) + texts


def test_typst_and_word_hold_names_as_they_are(tmp_path: Path) -> None:
    found = of_groups(names=(f"{HOSTILE} a", 'b" #read("/etc/passwd") \\'))
    page = found.to_typst()
    tables = {"table", "table.hline", "table.header"}
    # outside of strings stand only calls of ours
    calls = re.findall(r"[a-z.]+(?=\()", re.sub(r'"(?:\\.|[^"\\])*"', "", page))
    assert set(calls) <= {"strong", "heading", "list", "enum", *tables}
    write_typst(found, tmp_path / "a.typ")
    assert (tmp_path / "a.typ").read_text("utf-8") == page
    compiler = pytest.importorskip("typst", reason="needs the compiler: pip install typst")
    assert compiler.compile(str(tmp_path / "a.typ")).startswith(b"%PDF")


@dataclass(frozen=True, slots=True)
class ToyDisplay(Display):
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({"x": [1.0]})

    def plot(self, ax: Any = None) -> Any:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure()
        FigureCanvasAgg(figure)
        return figure.add_subplot() if ax is None else ax


@dataclass(frozen=True, slots=True, repr=False)
class Toy(Finding):
    value: float
    warnings: tuple[Warning, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        return pd.DataFrame({"value": [self.value]})

    def _values(self) -> dict[str, Any]:
        return {"value": self.value}


def test_a_kind_of_result_that_is_added_has_the_whole_face(tmp_path: Path) -> None:
    @describe.register
    def _toy(found: Toy) -> Document:
        table = Table("Values", ("value",), (Row((cells.number(found.value),), best=True),))
        blocks = (Figure("A toy.", ToyDisplay()), table)
        return Document("toy", Verdict("It is so", "It is so: -7.5."), blocks, lambda _: "We did.")

    found = Toy(-7.5)
    assert repr(found) == "<Toy: It is so>"
    assert found.to_dict() == {
        "schema": SCHEMA, "kind": "Toy", "verdict": "It is so: -7.5.", "value": -7.5, "limits": [],
        "warnings": [],
    }  # fmt: skip
    assert "> -7.500" in str(found)
    assert "−7.5" in found.to_html()
    assert "−7.5" in found._repr_html_()
    assert "$-7.500$" in found.to_latex()
    assert "**-7.500**" in found.to_markdown()
    write_paper(found, tmp_path / "paper")
    assert (tmp_path / "paper" / "methods.tex").read_text() == "We did.\n"
    assert (tmp_path / "paper" / "verdict.tex").read_text() == "It is so: $-$7.5.\n"


def test_names_do_nothing_in_any_renderer() -> None:
    found = of_groups(names=(HOSTILE, "old"))
    assert "\x1b" not in str(found) + repr(found) + found.summary() + found.to_markdown()
    assert "\\x1b[31m" in str(found)
    page, cell, tables = found.to_html(), found._repr_html_(), found.to_latex()
    for shown in (page, cell):
        assert "<script" not in shown
        assert "&lt;script&gt;" in shown
        assert "\x1b" not in shown
    note = found.to_markdown()
    assert r"\<script\>\|\*\`\_" in note
    assert not re.search(r"(?<!\\)[<|*`_$](?=script)", note)
    assert "\\input" not in tables
    document = describe(replace(found, tests=found.tests))
    assert "\\input" not in in_latex(document)
    assert "input\\{/etc/passwd\\}" in in_latex(document)
    listed = cells.words(HOSTILE)
    table = latex.table(
        Table(HOSTILE, (HOSTILE,), (Row((listed,)),)), latex.prose(HOSTILE), "tab:a"
    )
    assert "\\input" not in table
    assert "\n%" not in table
    assert table.count("\n") == 9  # no line but those of a table with one row


def test_a_name_is_no_reference() -> None:
    found = of_groups(names=("\ue000holm1979\ue001", "[@holm1979]"))
    assert "holm1979" not in cited(describe(found))
    assert "\\cite{holm1979}" not in in_latex(describe(found))


def test_a_grouped_comparison_is_a_table_of_tests() -> None:
    from nettrial.stats.clustered import cluster_paired_test

    rng = np.random.default_rng(1)
    a, b, groups = *rng.random((2, 60)), np.repeat(np.arange(12), 5)
    found = nettrial.compare_grouped(a, b, groups)
    frame = found.to_frame().set_index("name")
    assert list(frame.index) == ["cluster_robust_t", "cluster_sign_flip", "paired_t"]
    expected = cluster_paired_test(a, b, groups, df="joint")
    assert frame.loc["cluster_robust_t", "statistic"] == expected.statistic
    assert frame.loc["cluster_robust_t", "pvalue"] == expected.pvalue


def test_tests_have_their_t_statistics() -> None:
    frame = result("two").to_frame()
    known = frame[np.isfinite(frame["standard_error"].astype(float)) & frame["df"].notna()]
    assert {"cluster_robust_t", "paired_t"} <= set(known["name"])
    paired = known[known["name"].isin(["cluster_robust_t", "paired_t"])]
    t = (paired["estimate"] / paired["standard_error"]).astype(float)
    assert paired["statistic"].astype(float).tolist() == pytest.approx(t.tolist())
    for kind in ("many", "sweep"):
        assert "statistic" in result(kind).to_frame()


@pytest.mark.parametrize(("one", "other"), [("two", "two by AUC"), ("sweep", "sweep by AUC")])
def test_the_keys_do_not_change_with_the_measure(one: str, other: str) -> None:
    def keys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: keys(item) for key, item in value.items() if key != "details"}
        return [keys(item) for item in value[:1]] if isinstance(value, list) else None

    first, second = (json.loads(result(kind).to_json()) for kind in (one, other))
    for table in (first, second):
        table["warnings"] = table["changes"] = []  # as many as there are
        if "tests" in table:
            table["tests"] = [{**test, "warnings": []} for test in table["tests"]]
    assert keys(first) == keys(second)


@pytest.mark.slow
def test_results_do_not_load_what_shows_them() -> None:
    code = (
        "import sys, nettrial.comparison.sweep, nettrial.published.leaderboard, "
        "nettrial.comparison.multiple, nettrial.auditing.plan;"
        "assert not [m for m in sys.modules if m.startswith('nettrial.report')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from nettrial.io.write import write

    folder = tmp_path_factory.mktemp("commands")
    write(nettrial.latent_group_network(60, seed=3), folder / "net")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"document": np.repeat(np.arange(12), 5)})
    frame["new"], frame["old"] = rng.integers(0, 2, size=(2, 60))
    frame.to_csv(folder / "groups.csv", index=False)
    board = "dataset,gcn,gat\ncora,81.5 ± 0.5,83.0 ± 0.7\n"
    (folder / "board.csv").write_text(board, "utf-8")
    nettrial.compare(network(), "wvrn", "nbc", store=folder / "study", **QUICK)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "compare net --test cluster_robust_t --splits 2",
        "compare net --models wvrn,nbc --test cluster_robust_t --splits 2",
        "compare groups.csv --groups document",
        "sweep net --models wvrn,nbc --labeled 0.2,0.5 --splits 2 --test cluster_robust_t",
        "report study",
        "audit net --differences 0.05 --inner 0 --replicates 20 --jobs 1 --splits 2",
        "plan net --difference 0.05 --replicates 20 --splits 2",
        "leaderboard board.csv --splits 10 --test-share 0.1",
    ],
)
def test_every_command_writes_every_form(
    command: str,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    names = {"report": "r.html", "paper": "p", "latex": "t.tex", "markdown": "n.md",
             "typst": "n.typ", "figure": "f.svg"}  # fmt: skip
    outputs = [word for name, file in names.items() for word in (f"--{name}", str(tmp_path / file))]
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), *outputs])
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    assert printed.err.count("written to") == len(names)
    assert "tabular" in (tmp_path / "t.tex").read_text("utf-8")
    assert (tmp_path / "n.md").read_text("utf-8").startswith("**")
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "n.typ").read_text("utf-8").startswith("#strong(")
    assert len(list((tmp_path / "p").iterdir())) == 8
    assert (tmp_path / "f.svg").stat().st_size > 0


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("--latex no/t.tex", "there is no such folder"),
        ("--markdown groups.csv", "is no .md file"),
        ("--paper groups.csv", "that is a file; name a folder"),
        ("--figure f.png", "expected a file name ending in"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused_before_any_work(
    output: str,
    words: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(nettrial, "compare", lambda *_, **__: pytest.fail("worked first"))
    monkeypatch.setattr("nettrial.comparison.compare.compare", nettrial.compare)
    with pytest.raises(SystemExit) as ended:
        main(["compare", "net", *output.split()])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("narrow", [False, True], ids=["desk", "phone"])
def test_nothing_of_a_figure_lies_outside_of_it(kind: str, narrow: bool) -> None:
    document = describe(result(kind))
    details = [block for block in document.details() if isinstance(block, Figure)]
    for each in [*document.of(Figure), *details]:
        with drawn_for_phones(narrow):
            ax = each.display.plot()
        drawn = ax.figure
        with np.errstate(all="ignore"):
            drawn.draw_without_rendering()
            box, (width, height) = drawn.get_tightbbox(), drawn.get_size_inches()
        assert box.x0 > -0.01, each.caption
        assert box.y0 > -0.01, each.caption
        assert box.x1 < width + 0.01, each.caption
        assert box.y1 < height + 0.01, each.caption
        legend = ax.get_legend()
        if legend is not None:
            seen = legend.get_window_extent()
            assert 0 <= seen.x0 < seen.x1 <= drawn.bbox.width, each.caption
            assert seen.y0 >= ax.bbox.y1, each.caption  # above what is drawn


def test_what_is_brief_has_the_first_sentences_of_what_touches_the_verdict() -> None:
    cautions = (
        Caution("no test of others. It is left out.", ("paired_t",)),
        Caution("p is 0.5 of 1. Take more.", ("verdict", "paired_t")),
        *(Caution(f"warning {number}. More.") for number in range(4)),
    )
    tables = (Table("one", (), ()), Table("two", (), ()))
    whole = Document("", Verdict("a", "a"), (*tables, *cautions), str)
    texts = ("p is 0.5 of 1.", "warning 0 (and 3 more like it).")
    assert whole.short().blocks == (tables[0], *map(Caution, texts))
    line = Paragraph("Read: all.")
    assert replace(whole, brief=(line,)).short().blocks == (line, *map(Caution, texts))


def test_a_short_text_shows_the_warnings_that_fit_and_the_ends_of_a_table() -> None:
    cautions = [Caution(f"{letter} {'word ' * 20}") for letter in "abcdefgh"]
    body = rows([[cells.words(f"model {number}")] for number in range(20)])
    whole = Document("", Verdict("a", "a"), (Table("", ("model",), body), *cautions), str)
    shown = text.brief(whole).splitlines()
    assert len(shown) <= text.LINES
    assert [line.strip() for line in shown[3:10]] == [
        *(f"model {number}" for number in range(5)), "... 14 more", "model 19"
    ]  # fmt: skip
    assert shown[-1] == "! 7 further warnings on the verdict."
