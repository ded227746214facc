"""What goes into papers: figures, LaTeX tables, methods paragraphs, references, commands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.core.references import bibtex, sources
from nettrial.core.wording import clean
from nettrial.inference.registry import PROCEDURES
from nettrial.metrics.measures import LINK_MEASURES, MEASURES, measure_named
from nettrial.models.link_predictors import LINK_PREDICTORS
from nettrial.models.names import CLASSIFIERS, REGRESSORS
from nettrial.report import write_paper, write_report
from nettrial.report.describe import describe
from nettrial.report.latex import escape, prose
from nettrial.report.methods import cited, in_latex, in_words
from nettrial.report.typst import string

HOSTILE = "\\input{/etc/passwd} 50% $x$ a_b & #1 ~^ <|>\"'` é 日"


class Named:
    """A model with a hostile name."""

    name = HOSTILE

    def fit(self, network: nettrial.Network, train: Any) -> Named:
        return self

    def predict_proba(self, network: nettrial.Network, nodes: Any) -> Any:

        return np.full((len(nodes), network.n_classes), 1 / network.n_classes)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    network = nettrial.latent_group_network(120, seed=1)
    networks = {HOSTILE: network, "other": nettrial.latent_group_network(120, seed=2)}
    models = ["wvrn", "nbc", Named()]
    table = {"dataset": [HOSTILE, "y"], HOSTILE: ["80 ± 1", "79 ± 1"], "b": ["70 ± 1", "79 ± 2"]}
    return {
        "models": nettrial.compare_models(network, models, n_splits=4),
        "control": nettrial.compare_models(
            network, models, n_splits=4, control="wvrn", measures=("error", "squared_loss")
        ),
        "sweep": nettrial.sweep(network, models, labeled=[0.2, 0.5], n_splits=4, design="ncv"),
        "across": nettrial.compare_across(networks, models, n_splits=4),
        "leaderboard": nettrial.leaderboard(table, n_splits=10, test_share=0.1),
    }


KINDS = ("models", "control", "sweep", "across", "leaderboard")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_tables_hold_no_command_from_a_name(results: dict[str, Any], kind: str) -> None:
    table = results[kind].to_latex()
    assert "\\input" not in table
    # a command around a name in a table of results is taken off when the table is read
    assert ("/etc/passwd" if kind == "leaderboard" else "input\\{/etc/passwd\\}") in table
    own = {"begin", "end", "toprule", "midrule", "bottomrule", "addlinespace", "boldmath", "par",
           "medskip", "smallskip", "footnotesize", "rho", "infty", "textbackslash",
           "textasciitilde", "textasciicircum",
           "textless", "textgreater", "textbar", "char", "textquotesingle",
           "caption", "label", "centering", "small",
           "textasciigrave", "texttt", "textsuperscript", "pm",
           "resizebox", "ifdim", "width", "linewidth",
           "ifdefined", "Umathcode", "else", "fi"}  # fmt: skip
    assert set(re.findall(r"\\([a-zA-Z]+)", table)) <= own


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_methods_paragraph_names_numbers_and_references(
    results: dict[str, Any], kind: str
) -> None:
    document = describe(results[kind])
    text, source = in_words(document), in_latex(document)
    keys = cited(document)
    assert keys
    assert all(sources()[key].short in text for key in keys)
    assert set(keys) <= {
        key for one in re.findall(r"\\cite\{(.*?)\}", source) for key in one.split(",")
    }
    assert "\\input" not in source
    assert all(character.isprintable() for character in text)
    assert "{" not in text.replace(HOSTILE, "").replace("\\input{", "")
    entries = bibtex(keys)
    assert entries.count("@") == len(keys)
    assert entries.count("{") == entries.count("}")
    if kind != "leaderboard":
        assert "4 splits" in text
        assert nettrial.__version__ in text


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_whole_and_hold_no_code_from_a_name(
    results: dict[str, Any], kind: str, tmp_path: Path
) -> None:
    found = results[kind]
    page = found.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert page == found.to_html()
    assert "<|>" not in page
    assert "&lt;|&gt;" in page
    assert not re.search(r"<script|javascript:|https?://", page)
    ElementTree.fromstring(page[page.index("<body>") : page.index("</html>")])  # noqa: S314
    write_report(found, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    with pytest.raises(InputError, match="no such folder"):
        write_report(found, tmp_path / "none" / "page.html")


def test_what_is_no_result_is_refused(tmp_path: Path, words) -> None:
    for write in (write_report, write_paper):
        with words.raises(InputError):
            write("text", tmp_path / "page.html")  # type: ignore[arg-type]
    with words.raises(InputError):
        bibtex(["nobody1900"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_vector_files_that_do_not_change(
    results: dict[str, Any], kind: str, tmp_path: Path
) -> None:
    display = describe(results[kind]).figure().display
    assert len(display.frame()) > 0
    for ending, head in ((".pdf", b"%PDF"), (".svg", b"<?xml")):
        one, two = (tmp_path / f"{n}{ending}" for n in "ab")
        display.save(one)
        display.save(two)
        assert one.read_bytes().startswith(head)
        assert one.read_bytes() == two.read_bytes()
    with pytest.raises(InputError, match="ending in"):
        display.save(tmp_path / "figure.png")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_paper_takes_is_captioned_and_short(
    results: dict[str, Any], kind: str, tmp_path: Path
) -> None:
    write_paper(results[kind], tmp_path)
    table, supplement, verdict, methods, caption = (
        (tmp_path / f"{name}.tex").read_text(encoding="utf-8")
        for name in ("table", "supplement", "verdict", "methods", "caption")
    )
    for text in (table, supplement):
        number = text.count(r"\begin{table}")
        labels = re.findall(r"\\label\{(tab:[a-z0-9-]+)\}", text)
        assert number == text.count(r"\end{table}") == text.count(r"\caption{") == len(set(labels))
    tables = table.split(r"\begin{table}")[1:]
    assert 1 <= len(tables) <= 2
    assert all(each.count(r"\footnotesize") <= 2 for each in tables)
    assert verdict.count("Warning:") <= 2
    assert kind == "sweep" or r"\pm" in tables[0]
    assert r"\texttt" not in table  # tests are printed by their names
    assert r"\cite{nettrial}" in methods
    assert nettrial.__version__ in methods
    assert "@misc{nettrial," in (tmp_path / "references.bib").read_text(encoding="utf-8")
    assert caption.startswith(r"\caption{")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", KINDS)
def test_the_paper_compiles(results: dict[str, Any], kind: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None or shutil.which("bibtex") is None:
        pytest.skip("needs a LaTeX installation (pdflatex, bibtex, booktabs)")
    write_paper(results[kind], tmp_path / "paper")
    steps = [
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper"]
    ] * 2
    for step in (steps[0], ["bibtex", "paper"], *steps):
        done = subprocess.run(step, cwd=tmp_path / "paper", capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    log = (tmp_path / "paper" / "paper.log").read_text(errors="replace")
    assert "undefined" not in log
    assert "Overfull" not in log  # no table is wider than its page
    assert (tmp_path / "paper" / "paper.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_the_lines_of_a_sweep_cross_where_the_text_says() -> None:
    network = nettrial.latent_group_network(120, seed=1)
    models = ["wvrn", "nbc", "prior", "wvrn", "nbc"]
    for rates in ([0.3], [0.2, 0.6], [0.1, 0.15, 0.6]):
        found = nettrial.sweep(network, models, labeled=rates, n_splits=3)
        ax = found.plot()
        lines = [line for line in ax.lines if line.get_marker() not in ("None", None, "")]
        assert len(lines) == len(models)
        for line, errors in zip(lines, found.scores.T):
            assert list(line.get_xdata()) == pytest.approx([100 * rate for rate in rates])
            assert list(line.get_ydata()) == pytest.approx(100 * errors)


def test_ribbons_of_a_sweep_hold_the_lines_of_their_models() -> None:
    network = nettrial.latent_group_network(200, seed=1)
    found = nettrial.sweep(
        network, ["wvrn", "nbc"], labeled=[0.2, 0.6], n_splits=3, test="cluster_robust_t"
    )
    ribbons = [each.get_paths()[0].vertices for each in found.plot().collections]
    assert len(ribbons) == 2
    for corners, errors in zip(ribbons, 100 * found.scores.T):
        for rate, error in zip((20, 60), errors):
            ends = corners[np.isclose(corners[:, 0], rate), 1]
            assert ends.min() < error < ends.max()
        assert set(corners[:, 0].round(6)) == {20, 60}


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["auc", "log_loss"])
def test_equal_looking_best_numbers_of_a_sweep_are_all_bold_and_starred(measure: Any) -> None:
    network = nettrial.latent_group_network(120, seed=1)
    found = nettrial.sweep(
        network, ["wvrn", "wvrn", "prior"], labeled=[0.3, 0.5], n_splits=3, measure=measure
    )
    says = {
        "auc": "wvrn and wvrn (2) beat prior at every proportion",
        "log_loss": "No significant differences among the models at any proportion",
    }
    assert found.verdict.startswith(f"{says[measure]} of labeled nodes. ")
    assert str(found).count(" *\n") + str(found).count(" * ") >= 4
    assert found.to_latex().count("boldmath") == 4


def test_escaped_text_has_no_active_character() -> None:
    own = r"\\(text\w+|char34|fi)\{\}|\\[{}$&#%_]|\{-\}|\\ifdefined\\Umathcode |\\else "
    plain = re.sub(own, "", escape(HOSTILE))
    assert not set("\\{}$&#%_~^<>|\"'`") & set(plain)


def test_no_sign_in_a_measure_test_or_model_is_lost() -> None:
    measures = [*MEASURES.values(), *LINK_MEASURES.values()]
    measures += map(measure_named, ("precision@50", "recall@0.2", "hits@3"))
    said = [text for each in measures for text in (each.title, each.words, each.unit)]
    said += [text for each in PROCEDURES.values() for text in (each.words, each.label)]
    said += [*CLASSIFIERS, *REGRESSORS, *LINK_PREDICTORS, "−5 to −1", "αβμρσΔΣΩ", "x₁ x⁻¹ R²", "χ²"]
    for text in said:
        assert "U+" not in escape(text) + prose(text), text
        assert string(text) == f'"{text}"'  # Typst, whose strings hold any sign
        assert clean(text) == text  # as Word and pages have it
    assert escape("R² −1 ρ x₁ Σ") == r"R$^{2}$ $-$1 $\rho$ x$_{1}$ $\Sigma$"


def test_letters_of_all_scripts_reach_latex() -> None:
    """What is expected here was compiled by pdfLaTeX, and looked at."""
    t1 = r"{\fontencoding{T1}\selectfont%s}"
    for letters, written in {
        "Łódź": t1 % r"\L{}" + r"ód\'{z}",
        "Čeština, ů": r"\v{C}e\v{s}tina, \r{u}",
        "Erdo\u0308s ő": r"Erdös \H{o}",  # a mark of its own is one with its letter
        "ạ ș ī ĭ İ": r"\d{a} \textcommabelow{s} \={\i} \u{\i} \.{I}",
        "ąđ": t1 % r"\k{a}" + t1 % r"\dj{}",
        "æß éÅ": "æß éÅ",
        "ế": r"\ifdefined\Umathcode ế\else U+1EBF\fi{}",  # two marks come side by side
        "日本 x": r"\ifdefined\Umathcode 日本\else U+65E5 U+672C\fi{} x",
        "да": r"\ifdefined\Umathcode да\else U+0434 U+0430\fi{}",
    }.items():
        assert escape(letters) == prose(letters) == written


# commands


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code == code, err
    return out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        edges = ["source,target"]
        edges += [f"n{i},n{(i + step) % 40}" for i in range(40) for step in (1, 2)]
        nodes = ["node,label"] + [f"n{i},{'x' if i < 20 else 'y'}" for i in range(40)]
        (tmp_path / place / "edges.csv").write_text("\n".join(edges) + "\n")
        (tmp_path / place / "nodes.csv").write_text("\n".join(nodes) + "\n")
    return tmp_path


@pytest.mark.slow
def test_compare_with_several_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(
        capsys,
        "compare",
        str(folder / "one"),
        "--models",
        "wvrn,nbc,prior",
        "--replicates",
        "10",
        "--paper",
        str(folder / "paper"),
        "--report",
        str(folder / "page.html"),
    )
    assert "letters" in out
    assert "references written" in err
    assert "report written" in err
    assert "community bootstrap" in (folder / "page.html").read_text(encoding="utf-8")
    assert {path.name for path in (folder / "paper").iterdir()} == {
        "figure.pdf",
        "caption.tex",
        "table.tex",
        "methods.tex",
        "verdict.tex",
        "supplement.tex",
        "references.bib",
        "paper.tex",
    }
    _, err = call(
        capsys, "compare", str(folder / "one"), "--models", "wvrn,nbc", "--a", "nlb", code=2
    )
    assert "--a cannot be combined with --models" in err
    kept = str(folder / "study.nettrial")
    quick = ["--models", "wvrn,nbc,prior", "--splits", "3", "--replicates", "10", "--json"]
    out, _ = call(capsys, "compare", str(folder / "one"), *quick, "--store", kept)
    again, _ = call(capsys, "report", kept, "--json")
    assert json.loads(again)["pairs"] == json.loads(out)["pairs"]
    _, err = call(capsys, "compare", str(folder / "one"), "--control", "nbc", code=2)
    assert "--control" in err


@pytest.mark.slow
def test_sweep_and_across(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(
        capsys,
        "sweep",
        str(folder / "one"),
        "--models",
        "wvrn,nbc",
        "--labeled",
        "0.2,0.5",
        "--splits",
        "4",
        "--design",
        "ncv",
        "--json",
    )
    assert json.loads(out)["labeled"] == [0.2, 0.5]
    out, _ = call(
        capsys,
        "across",
        str(folder / "one"),
        str(folder / "two"),
        "--models",
        "wvrn,nbc",
        "--splits",
        "4",
        "--test",
        "cluster_robust_t",
        "--full",
    )
    assert "A claim about the domain needs" in out
    _, err = call(
        capsys, "across", str(folder / "one"), str(folder / "one"), "--models", "wvrn,nbc", code=2
    )
    assert "twice" in err
    _, err = call(
        capsys, "sweep", str(folder / "one"), "--models", "wvrn,nbc", "--labeled", "0.2,x", code=2
    )
    assert "expected proportions" in err
    _, err = call(capsys, "sweep", str(folder / "one"), "--models", "wvrn,,nbc", code=2)
    assert "--models" in err


@pytest.mark.slow
def test_measures_may_be_written_with_hyphens(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = str(folder / "one"), str(folder / "two")
    quick = ["--splits", "3", "--json"]
    several = ["--models", "wvrn,prior", *quick]
    for arguments in (
        ["compare", one, "--a", "wvrn", "--b", "prior", "--test", "cluster_robust_t", *quick],
        ["compare", one, "--test", "cluster_robust_t", *several],
        ["sweep", one, "--labeled", "0.3,0.5", *several],
        ["across", one, two, "--test", "cluster_robust_t", *several],
    ):
        out, _ = call(capsys, *arguments, "--measure", "macro-f1")
        assert json.loads(out)["measure"] == "macro_f1"
        _, err = call(capsys, *arguments, "--measure", "macro-f2", code=2)
        assert "'macro-f2'" in json.loads(err.splitlines()[-1])["message"]
    out, _ = call(capsys, "compare", one, *several, "--measures", "error,squared-loss")
    assert json.loads(out)["settings"]["measures"] == ["error", "squared_loss"]


def test_leaderboard(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = folder / "table.csv"
    table.write_text("dataset,gcn,gat\ncora,81.5 ± 0.5,83.0 ± 0.7\n", encoding="utf-8")
    out, _ = call(capsys, "leaderboard", str(table), "--splits", "100", "--test-share", "0.35")
    assert "1 of 1 best entries are supported" in out
