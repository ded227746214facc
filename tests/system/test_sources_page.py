"""The page that leads from the papers and slides to nettrial: its commands run, its names exist."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import nettrial.stats
from nettrial.cli import main
from nettrial.cli.test_options import options_of
from nettrial.core.errors import InputError
from nettrial.experiments import experiment
from nettrial.experiments.statements import LOW, Measured, Statement
from nettrial.metrics.measures import measure_named
from nettrial.models.names import by_name as model_by_name
from nettrial.models.names import listed_name
from nettrial.splits.link_designs import listed_link_design
from nettrial.splits.names import DESIGNS, listed_design
from nettrial.splits.names import WORDS as DESIGN_WORDS
from nettrial.stats.catalog import CATALOG, NEARBY, specification
from words import Words

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "lab" / "sources.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`nettrial ((?:test|theory|experiment|measure) [^`]+)`", PAGE)))
WORDS = (
    "recipe", "sample error", "true error", "simple random resampling", "equal-instance",
    "independent set size", "dependent set size", "collective classification", "f-measure",
    "credibility interval", "approximate normal test", "hypergeometric", "overfitting",
    "validation set", "maximum a posteriori", "effective sample size", "null hypothesis", "bias",
    "type ii error", "latent group model", "learning curve", "optimistic",
)  # fmt: skip


def write_tables(words: list[str]) -> None:
    """Write what a printed command reads: the columns that it names, else of two models."""
    named = [after for option, after in pairwise(words) if option in ("--a", "--b")]
    models = named or (["a"] if {"one-sample-t", "--mu"} & {*words} else ["a", "b"])
    values = np.random.default_rng(0).normal(0.3, 0.1, (12, len(models)))
    table = pd.DataFrame(values, columns=models).iloc[: 10 if "5x2cv-t" in words else 12]
    if "--groups" in words:
        table[words[words.index("--groups") + 1]] = [f"g{i // 3}" for i in range(len(table))]
    table.to_csv("table.csv", index=False)
    scores = {"label": [1, 0, 1, 0], "score": [0.9, 0.8, 0.7, 0.1], "query": ["x", "x", "y", "y"]}
    pd.DataFrame(scores).to_csv("scores.csv", index=False)


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_run(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, name, *rest = whole = shlex.split(words)
    if command == "experiment":
        chosen = experiment(name)
        given = dict(text.split("=") for text in rest if text != "--option")
        assert chosen.read_options(given).items() >= given.items()
        return
    if not rest:  # only named: that the test is there
        whole.append("--list")
    monkeypatch.chdir(tmp_path)
    write_tables(whole)
    with pytest.raises(SystemExit) as stop:
        main(whole)
    assert stop.value.code == 0, capsys.readouterr().err


def test_functions_are_there() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and "nettrial test" in line]
    named = re.findall(r"`([a-z0-9_]+_(?:test|interval|posterior|anova|quantiles))`", str(rows))
    assert len(named) > 20
    assert [name for name in named if not hasattr(nettrial.stats, name)] == []


@pytest.mark.parametrize("word", WORDS)
def test_the_documents_words_are_in_the_glossary(word: str) -> None:
    assert word in (DOCS / "user" / "glossary.md").read_text(encoding="utf-8").lower()


def said(words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run a command; return its exit status and what it printed, in one line."""
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(words))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), " ".join((out + err).split())


WITH_NULL = [
    name
    for name in nettrial.stats.__all__
    if inspect.isfunction(getattr(nettrial.stats, name))
    and "null_value" in inspect.signature(getattr(nettrial.stats, name)).parameters
]


@pytest.mark.parametrize("name", WITH_NULL)
def test_p0_and_null_value_are_one_parameter(name: str) -> None:
    function = getattr(nettrial.stats, name)
    arguments = {
        "binomial_test": (12, 40),
        "beta_posterior": (12, 40),
        "proportion_z_test": (12, 40),
        "cluster_mean_test": ([0, 1, 1, 0, 0, 1, 0], list("aaabbbb")),
        "one_sample_t_test": ([0.1, 0.4, 0.2, 0.3],),
        "conservative_z_test": (np.arange(12.0) / 40, np.arange(24.0).reshape(12, 2) / 80),
        "nested_cv_test": (
            np.arange(12.0).reshape(2, 3, 2) / 20,
            np.eye(24)[0].reshape(2, 3, 2, 2),
        ),
    }[name]
    with pytest.raises(InputError, match="p0 and null_value are one parameter"):
        function(*arguments, p0=0.3, null_value=0.4)
    named = function(*arguments, null_value=0.35)
    assert repr(function(*arguments, p0=0.35).to_dict()) == repr(named.to_dict())
    assert repr(function(*arguments, p0=0.3).to_dict()) != repr(named.to_dict())


@pytest.mark.parametrize(
    "options",
    ["--set null-value=.35 --p0 .4", "--null-value .35 --p0 .4", "--set p0=.3 --set null_value=.4",
     "--confidence .9 --set confidence=.8", "--set p0=.3 --set p0=.3"],
)  # fmt: skip
def test_the_command_takes_a_value_once(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = said(f"test binomial 12 40 {options}", capsys)
    assert status == 2
    assert "is given twice" in text


R_NAMES = {
    "kruskal.test": "kruskal-wallis", "wilcox.test": "wilcoxon", "prop.test": "proportion-z",
    "friedman.test": "friedman", "mcnemar.test": "mcnemar", "aov": "oneway-anova",
    "TukeyHSD": "tukey-hsd", "oneway.test": "oneway-anova", "quade.test": "quade",
    "binom.test": "binomial", "t.test": "paired-t", "pairwise.t.test": "paired-comparisons",
    "p.adjust": "adjust", "MANOVA": "manova", "RS-C paired": "rsc-paired",
}  # fmt: skip


@pytest.mark.parametrize("name", R_NAMES)
def test_names_as_r_writes_them(name: str) -> None:
    assert specification(name).name == R_NAMES[name]


@pytest.mark.parametrize("name", [f"{each}.test" for each in NEARBY])
def test_what_is_no_test_leads_to_the_nearest(name: str) -> None:
    with pytest.raises(InputError) as refused:
        specification(name)
    assert refused.value.hint in NEARBY.values()


def test_every_test_that_a_hint_names_is_there() -> None:
    for hint in NEARBY.values():
        for name in re.findall(r"\b[a-z]+(?:-[a-z]+)+\b|mcnemar", hint):
            assert specification(name).name == name


@pytest.mark.parametrize("name", ["F-measure", "precision", "macro-F1"])
def test_a_measure_leads_to_its_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = said(f"test {name} table.csv", capsys)
    assert status == 2
    assert "is a measure, not a test; nettrial measure" in text


def test_counts_for_another_test_lead_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "two-proportions" in said("test prop.test 12 40 14 40", capsys)[1]


@pytest.mark.parametrize("word", ["recipe 1", "recipe 2", "recipe 3", "recipe 4", "sample error",
                                  "true error", "MAP", "credibility interval",
                                  "approximate normal test"])  # fmt: skip
def test_the_documents_words_are_in_the_list_of_tests(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert word in said("test --list", capsys)[1]


def test_designs_by_their_long_names() -> None:
    for name, design in DESIGNS.items():
        words = DESIGN_WORDS[name].partition(" (")[0]
        for each in (words, words.title(), words.replace(" ", "-"), design.__name__):
            assert listed_design(each) == name
    for each, name in {
        "simple random resampling": "rrs", "Equal-instance random resampling": "ers", "RS": "rrs",
        "5x2cv": "5x2", "k-fold cross-validation": "kfold", "Equal instance resampling": "ers",
        "cross-validation": "kfold", "controlled random": "ers", "temporal sampling": "temporal",
        "snowball sampling": "snowball", "cross-validation sampling": "kfold",
    }.items():  # fmt: skip
        assert listed_design(each) == name
    assert listed_link_design("Simple random resampling+degree") == "rrs+degree"


MODEL_NAMES = {
    "relational neighbor": "wvrn", "link-based classifier": "nlb", "wvRN + none": "wvrn+none",
    "nBC+relaxation labeling": "nbc+relaxation", "cdRN + Gibbs sampling": "cdrn+gibbs",
    "nLB+iterative classification": "nlb+ica",
}  # fmt: skip


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_models_as_the_papers_write_them(name: str) -> None:
    assert listed_name(name) == MODEL_NAMES[name]
    model_by_name(name)


MEASURE_NAMES = {
    "classification error": "error", "0-1 loss": "error", "error rate": "error",
    "AP": "average_precision", "avgP": "average_precision", "average precision":
    "average_precision", "F-measure": "f1", "MAP": "mean_average_precision",
}  # fmt: skip


@pytest.mark.parametrize("name", MEASURE_NAMES)
def test_measures_as_the_slides_write_them(name: str) -> None:
    assert measure_named(name).name == MEASURE_NAMES[name]


def test_log_likelihood_leads_to_its_loss(words: Words) -> None:
    with words.raises(InputError) as refused:
        measure_named("log likelihood")
    assert "'log_loss'" in refused.value.hint


TEST_NAMES = {
    "K-fold CV Paired t-test": "kfold-t", "recipe 1": "interval", "Recipe-2": "interval",
    "recipe 3": "two-proportions", "recipe 4": "paired-t", "sample error": "interval",
    "true error": "interval",
}  # fmt: skip


@pytest.mark.parametrize("name", TEST_NAMES)
def test_tests_as_the_slides_name_them(name: str) -> None:
    assert specification(name).name == TEST_NAMES[name]


@pytest.mark.parametrize(
    "name", ["Multivariate test", "cross-validation", "Theorem 1", "theorem-4", "zzz"]
)
def test_what_leads_elsewhere(name: str, capsys: pytest.CaptureFixture[str], words: Words) -> None:
    status, text = said(f"test '{name}' 12 40", capsys)
    assert status == 2
    words.note(text)


def test_names_of_recipes_give_what_the_recipe_computes(capsys: pytest.CaptureFixture[str]) -> None:
    wald = said("test interval 12 40 --set method=wald", capsys)[1]
    assert said("test 'Recipe 1' 12 40", capsys)[1].startswith(wald)
    status, text = said("test 'recipe 3' 12 40 14 40", capsys)
    assert status == 0
    assert text.startswith(said("test two-proportions 12 40 14 40", capsys)[1])


# what R's functions compute, by hand: (|20 - 5| - 1)^2 / 25 and (|60 - 50| - 1/2)^2 / 25
BY_R = {
    "mcnemar.test 10 20 5 65": 2 * norm.sf(14 / 5),
    "prop.test 60 100": 2 * norm.sf(9.5 / 5),
}


@pytest.mark.parametrize("call", BY_R)
def test_names_of_r_give_the_method_of_r(
    call: str, capsys: pytest.CaptureFixture[str], words: Words
) -> None:
    with pytest.raises(SystemExit):
        main(["test", *call.split(), "--json"])
    out, err = capsys.readouterr()
    assert json.loads(out)["pvalue"] == pytest.approx(BY_R[call], rel=1e-9)
    words.note(err)


def test_oneway_as_r_does_it_is_of_any_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b,c\n.1,.2,.4\n.2,.25,.1\n.3,.28,.2\n.15,.3,.6\n")
    welch = said("test oneway-anova t.csv --set method=welch", capsys)[1]
    assert said("test oneway.test t.csv", capsys)[1].startswith(welch)
    assert not said("test anova t.csv", capsys)[1].startswith(welch)


@pytest.mark.parametrize(
    ("name", "unpaired"), [("t.test", "welch-t"), ("wilcox.test", "mann-whitney")]
)
def test_r_is_followed_where_samples_are_not_paired(
    name: str, unpaired: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], words: Words,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b\n.1,.2\n.21,.25\n.3,.28\n.15,.33\n")
    status, text = said(f"test {name} t.csv", capsys)
    assert status == 0
    assert "unless paired" in text
    of_two = said(f"test {unpaired} t.csv", capsys)[1]
    status, text = said(f"test {name} t.csv --set paired=false", capsys)
    assert (status, text.startswith(of_two)) == (0, True)
    words.note(text.removeprefix(of_two))
    assert said(f"test {name} t.csv --set paired=true", capsys)[0] == 0


def test_every_alias_stands_in_the_plain_list(capsys: pytest.CaptureFixture[str]) -> None:
    text = said("test --list", capsys)[1]
    assert [a for spec in CATALOG.values() for a in spec.aliases if f"{a}" not in text] == []


@pytest.mark.parametrize("call", ["one-sample-t t.csv", "cluster-mean t.csv --groups g",
                                  "binomial 12 40", "credible 12 40"])  # fmt: skip
def test_a_comparison_with_a_default_number_says_so(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("e,g\n.1,x\n.2,x\n.3,y\n.15,z\n")
    assert "the default; --p0 gives another number" in said(f"test {call}", capsys)[1]
    assert "the default" not in said(f"test {call} --p0 0.25", capsys)[1]


def test_zero_is_no_truth_value_in_the_list_of_options(capsys: pytest.CaptureFixture[str]) -> None:
    for name, spec in CATALOG.items():
        text = said(f"test {name} --list", capsys)[1]
        for option in options_of(spec):
            if option["default"] is not None and not isinstance(option["default"], (bool, tuple)):
                assert f"{option['option']} default false" not in text
                assert f"{option['option']} default true" not in text
    assert "--null-value default 0;" in said("test one-sample-t --list", capsys)[1]


def test_an_option_that_a_test_lacks_is_named_as_typed(
    capsys: pytest.CaptureFixture[str], words: Words
) -> None:
    status, text = said("test mcnemar 10 20 5 65 --p0 .35", capsys)
    assert status == 2
    words.note(text)


THEORY = "theory --p 0.1 --q 0.9 --rho 0.2 --n 210 --m 300 --links 1260"
RSC = ("test rsc t.csv --set n=210 --set m=300 --set links=1260 --set q_a=.9 --set q_b=.85 "
       "--set rho_a=.2 --set rho_b=.25")  # fmt: skip
IMPOSSIBLE = {
    f"{THEORY} --n 0": "--n: expected",
    f"{THEORY} --n 210.5": "--n: expected whole numbers",
    f"{THEORY} --m 300.5": "--m: expected whole numbers",
    f"{THEORY} --n 301": "--n: expected test sets no larger",
    f"{THEORY} --p 1.1": "--p: expected finite numbers from 0 to 1",
    f"{THEORY} --q -0.1": "--q: expected finite numbers from 0 to 1",
    f"{THEORY} --rho 1.2": "--rho: expected finite numbers from -1 to 1",
    f"{THEORY} --rho -0.5": "no such model exists, because rho L / n < -1",
    f"{THEORY} --p 0.6 --q 0.1": "no such model exists, because 1 - 2p + pq < 0",
    f"{THEORY} --links -1": "--links: expected",
    f"{THEORY} --links 50000": "--links: expected at most n (n - 1)",
    f"{THEORY} --links 90000": "--links: expected at most n (n - 1)",
    "theory set.csv": "row 2: no such model exists",
    f"{RSC} --where a=.1": "at least 2 values",
    RSC.replace("n=210", "n=0"): "--set n: expected",
    RSC.replace("n=210", "n=310"): "--set n: expected test sets no larger",
    RSC.replace("q_a=.9", "q_a=1.9"): "--set q_a: expected numbers in [0, 1]",
    RSC.replace("rho_b=.25", "rho_b=-1.1"): "--set rho_b: expected numbers in [-1, 1]",
    RSC.replace("rho_a=.2", "rho_a=-.5"): "no model has the values",
    RSC.replace("links=1260", "links=-2"): "--set links: expected",
    RSC.replace("links=1260", "links=99999"): "--set links: expected at most n (n - 1)",
    f"{RSC} --set p_a=1.2": "--set p_a: expected numbers in [0, 1]",
    RSC.replace("t.csv", "out.csv"): "--a: expected numbers in [0, 1]",
}


@pytest.mark.parametrize("words", IMPOSSIBLE)
def test_impossible_values_of_the_theory_are_refused(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,b\n.1,.12\n.11,.13\n.09,.12\n.12,.14\n")
    Path("out.csv").write_text("a,b\n1.1,.12\n.11,.13\n.09,.12\n")
    Path("set.csv").write_text("p,q,rho,n,m,links\n.1,.9,.2,210,300,1260\n.1,.9,-.5,210,300,1260\n")
    status, text = said(words, capsys)
    assert status == 2
    assert IMPOSSIBLE[words] in text
    assert text.count("nettrial:") == 1


def test_manova_names_the_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"model": list("xxxxxyyyyyzzzzz")})
    for name in ("f1", "auc"):  # names of measures: the table is not a long one for that
        table[name] = rng.normal(0.5, 0.1, 15)
    table.to_csv("table.csv", index=False)
    status, text = said("test manova table.csv --groups model", capsys)
    assert status == 0
    assert "x, y and z differ in means of the criteria" in text
    assert "criteria: f1 and auc" in text
    assert "A: " not in text


def test_bare_section_numbers_lead_to_the_page() -> None:
    docutils = pytest.importorskip("docutils.nodes")
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        found = importlib.import_module("search_pages").sections
    finally:
        sys.path.remove(str(DOCS / "_ext"))
    tree = docutils.container()
    for line in PAGE.splitlines():
        if line.startswith("| "):
            first = docutils.entry("", docutils.paragraph(text=line.split("|")[1].strip()))
            tree += docutils.row("", first)
    assert {"5.1", "19.11", "19.11.3", "section 3.3", "19.14.2", "4.1"} <= found(tree)


def test_a_missing_folder_of_networks_takes_one_line(tmp_path: Path) -> None:
    script = DOCS.parent / "benchmarks" / "experiments_page.py"
    done = subprocess.run(
        [sys.executable, script, "--data", tmp_path, "--folders", tmp_path / "no"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--folders: no folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_list_of_what_was_not_replicated_follows_its_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(DOCS.parent / "benchmarks"))
    page = importlib.import_module("experiments_page")
    verdicts = {  # claim -> reading -> numbers, of which up to 0.05 is allowed
        "gone": {"a": [0.2], "b": [0.3]},
        "kept": {"a": [0.2], "b": [0.01]},
        "open": {"a": [0.2], "b": [0.05]},
        "half": {"a": [0.01, 0.2], "b": [0.2, 0.01]},
        "never": {"a": [0.05], "b": [0.05]},
        "elsewhere": {"a": [0.2], "b": [0.2]},
    }
    statements = tuple(
        Statement(
            claim, lambda _, x=x: Measured(x, x - 0.005, x + 0.005), "y", **LOW, reading=reading,
            mark="other data" if claim == "elsewhere" else "",
        )
        for claim, readings in verdicts.items() for reading, some in readings.items() for x in some
    )  # fmt: skip
    result = SimpleNamespace(experiment=SimpleNamespace(statements=statements), table=None)
    lines = list(page.not_replicated([(page.Run("x"), result)]))
    listed = [line.split(" | ")[1].partition(" (")[0] for line in lines if "](#x)" in line]
    assert listed == ["gone"] * 2 + ["open"] * 2 + ["half"] * 4


def test_every_page_of_the_notes_says_how_it_was_made() -> None:
    table = (DOCS / "lab" / "index.md").read_text(encoding="utf-8")
    measured = {page.name for page in (DOCS / "lab").glob("*.md")} - {
        "index.md", "architecture.md", "errata.md", "releasing.md", "sources.md"
    }  # fmt: skip
    # of notes that the site leaves out the file is named, and not linked
    assert set(re.findall(r"^\| (?:\[[^]]+\]\(|`)(\w+\.md)", table, re.M)) == measured


def test_every_experiment_of_the_page_names_its_commit() -> None:
    page = (DOCS / "lab" / "experiments.md").read_text(encoding="utf-8")
    commands = page.count("```sh\nnettrial experiment ")
    assert commands > 20
    named = r"^At commit [0-9a-f]{12}:\n\n```sh\nnettrial experiment "
    assert len(re.findall(named, page, re.M)) == commands
