"""Every code block of the documentation runs and prints what it says.

Blocks of `pycon` and `console` are run and their output is compared. Those of `python`, which show
no output, are run after them (slow: they train models), on small networks and with few splits. Of
`sh` and plain blocks every `nettrial` command is parsed, so that all its options are there.

    python tests/system/test_documentation.py --rewrite README.md docs/user/results.md

puts what is printed now in place of outputs that differ, of all pages where none is named. Long
outputs that are shown in part are listed instead.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pytest
import scipy.io

import nettrial
from nettrial import cli
from nettrial.splits import DESIGNS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(page for part in ("tours", "howto", "user", "lab", "project")
      for page in sorted((ROOT / "docs" / part).glob("*.md"))),
]  # fmt: skip
PAGES = [page for page in PAGES if page.exists()]
BLOCK = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return language and text of every code block of a page."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


OF_R = ROOT / "docs" / "howto" / "r.md"
RUN = [
    page
    for page in PAGES
    if any(kind in ("pycon", "console") for kind, _ in blocks(page)) and page != OF_R
]
FILES = ROOT / "docs" / "tours" / "follow_along.py"
WHOLE = {"train_elsewhere"}  # pages of which blocks of Python are run between the others
# whose blocks belong into the package: tests/io/test_io_registry.py runs them
MODULES = {"reading"}
PYTHON = [
    page
    for page in PAGES
    if any(kind == "python" for kind, _ in blocks(page)) and page.stem not in WHOLE | MODULES
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the files that the pages speak of."""
    return make_files(tmp_path_factory.mktemp("documentation"))


def make_files(folder: Path) -> Path:
    here = Path.cwd()
    os.chdir(folder)
    try:
        exec(FILES.read_text(encoding="utf-8"), {})  # noqa: S102 - our own file
    finally:
        os.chdir(here)
    network, rng = nettrial.read(folder / "my_network"), np.random.default_rng(1)
    labels = (rng.random((300, 3)) < 0.4).astype(float)
    graph = {"network": network.adjacency().astype(float), "group": labels}
    scipy.io.savemat(folder / "blogcatalog.mat", graph)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.AssumptionWarning")
def test_blocks_print_what_they_say(
    page: Path,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(files)
    write = request.config.getoption("--write-blocks")
    names: dict[str, Any] = {}
    for kind, text in blocks(page):
        if kind == "pycon":
            python(text, names, page.name)
        elif kind == "console":
            made = terminal(text, capsys, write=write)
            if made != text:
                whole = page.read_text(encoding="utf-8")
                page.write_text(whole.replace(text, made), encoding="utf-8")
        elif kind == "python" and (file := re.match(r"# (\w+\.py)\n", text)):
            Path(file[1]).write_text(text, encoding="utf-8")  # a file that commands name
        elif kind == "python" and page.stem in WHOLE:
            pytest.importorskip("torch_geometric", reason="needs nettrial[pyg]")
            exec(compile(text, page.name, "exec"), names)  # noqa: S102 - our own pages


def python(text: str, names: dict[str, Any], name: str) -> None:
    """Run a block of Python with prompts."""
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    note: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=note.append, clear_globs=False)
    names.update(test.globs)
    assert not note, "".join(note)


def terminal(text: str, capsys: pytest.CaptureFixture[str], *, write: bool = False) -> str:
    """Run a block of a terminal, and return it with what is printed now if that is to be kept."""
    kept = ""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, wanted = part.partition("\n")
        capsys.readouterr()
        got = output(line, capsys)
        holds = doctest.OutputChecker().check_output(wanted, got, FLAGS)
        assert holds or write, f"$ {line}\n{got}"
        kept += f"$ {line}\n{wanted if holds else got}"
    return kept


def output(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command prints."""
    program, *words = shlex.split(line)
    target = None
    if ">" in words:
        words, target = words[: words.index(">")], words[-1]
    if program == "head":
        lines = Path(words[1]).read_text(encoding="utf-8").splitlines()
        return "\n".join(lines[: int(words[0][1:])]) + "\n"
    if program == "ls":
        return "".join(f"{each.name}\n" for each in sorted(Path(words[0]).iterdir()))
    assert program == "nettrial"
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    said = capsys.readouterr()
    assert not end.value.code, said.err
    if target is None:
        return said.out
    Path(target).write_text(said.out, encoding="utf-8")
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_printed_is_as_wide_as_a_terminal(page: Path) -> None:
    if page.parent.name == "lab":
        pytest.skip("its tables are as wide as they are")
    asked = ("$ ", ">>> ", "... ", "- [")  # a checklist is a file in Markdown
    shown = [text for kind, text in blocks(page) if kind in ("pycon", "console", "text")]
    lines = [line for text in shown for line in text.splitlines() if not line.startswith(asked)]
    assert [line for line in lines if len(line) > 80] == []


def commands() -> Iterator[tuple[str, str]]:
    """Find every nettrial command that is only shown."""
    for page in PAGES:
        for kind, text in blocks(page):
            if kind in ("", "sh"):
                for line in text.replace("\\\n", " ").splitlines():
                    if line.startswith(("nettrial ", ".venv/bin/nettrial ")):
                        yield page.name, line


def test_commands_have_the_options_that_are_shown() -> None:
    found = list(commands())
    assert len(found) > 50
    for page, line in found:
        _, *words = shlex.split(line.split(" > ")[0].split(" | ")[0], comments=True)
        command = cli.cli.get_command(None, words[0])  # type: ignore[arg-type]
        if words[0].startswith("-"):
            continue
        assert command is not None, (page, line)
        with click.Context(command, info_name=words[0], resilient_parsing=True) as context:
            try:
                command.make_parser(context).parse_args(list(words[1:]))
            except click.UsageError as error:
                raise AssertionError(f"{page}: {line}: {error.format_message()}") from error


@pytest.mark.slow
def test_blocks_of_r_run(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    probe = ["Rscript", "-e", "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"]
    if shutil.which("Rscript") is None or subprocess.run(probe, check=False).returncode:
        pytest.skip("needs R with jsonlite: apt-get install r-cran-jsonlite")
    monkeypatch.chdir(files)
    said = ""
    for kind, text in blocks(OF_R):
        if kind == "r":
            run = subprocess.run(
                ["Rscript", "-e", text], capture_output=True, text=True, check=False
            )
            assert run.returncode == 0, run.stderr
            said = run.stdout
        elif kind == "text":
            assert said == text
        else:
            terminal(text, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.stem)
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.AssumptionWarning")
def test_blocks_of_python_run(page: Path, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    names = surroundings(page.stem, monkeypatch)
    for kind, text in blocks(page):
        if kind == "pycon":
            python(text, names, page.name)
        elif kind == "python":
            exec(compile(text, page.name, "exec"), names)  # noqa: S102 - our own pages


def surroundings(page: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what a block of Python takes for granted, in small."""
    network = nettrial.latent_group_network(120, seed=0)
    features = np.eye(2)[network.labels] + np.random.default_rng(0).normal(size=(120, 2))
    network = nettrial.from_adjacency(
        network.adjacency(), network.labels.tolist(), features=features.astype(np.float32)
    )
    names: dict[str, Any] = {"__name__": page, "nettrial": nettrial, "network": network}
    if page in ("graph_neural_networks", "distributed"):
        whole = nettrial.compare

        def compare(*data: Any, **options: Any) -> Any:
            return whole(*data, **options | {"n_splits": 3, "test": "network_hac"})

        monkeypatch.setattr(nettrial, "compare", compare)
    if page == "graph_neural_networks":
        pytest.importorskip("torch_geometric", reason="needs nettrial[pyg]")
    if page == "distributed":
        distributed = pytest.importorskip("distributed", reason="needs nettrial[dask]")
        local = partial(
            distributed.Client, n_workers=1, threads_per_worker=1, dashboard_address=None
        )
        monkeypatch.setattr(distributed, "Client", lambda address: local())
    if page == "trackers":
        names["found"] = nettrial.compare(network, "wvrn", "nbc", n_splits=3, test="network_hac")
        logged = [names.setdefault(each, SimpleNamespace()) for each in ("mlflow", "wandb")]
        for each in logged:  # trackers take what JSON can hold
            for word in ("log", "log_dict", "log_metrics", "log_params", "log_param", "set_tags"):
                setattr(each, word, lambda values, *_: json.dumps(values))
            each.log_artifact = lambda path: Path(path).read_bytes()
            each.Html = lambda text: str(text)
    return names


def test_notebooks_show_their_figures() -> None:
    for page in (ROOT / "docs" / "tutorials").glob("*.ipynb"):
        kept = json.loads(page.read_text(encoding="utf-8"))
        outputs = [each for cell in kept["cells"] for each in cell.get("outputs", ())]
        assert outputs, page.name
        shown = [each["data"] for each in outputs if "data" in each]
        pictures = [data for data in shown if "<Figure" in "".join(data.get("text/plain", ""))]
        assert all("image/png" in data for data in pictures), page.name


def test_every_design_has_a_section() -> None:
    page = (ROOT / "docs" / "user" / "splits.md").read_text(encoding="utf-8")
    titled = re.findall(r"^## .*`([a-z0-9-]+)(?::COLUMN)?`$", page, flags=re.MULTILINE)
    assert titled == list(DESIGNS)


def test_what_sentences_name_is_there() -> None:
    commands = [cli.cli.get_command(None, name) for name in cli.COMMANDS]  # type: ignore[arg-type]
    options = {o for each in commands if each for p in each.params for o in p.opts}
    options |= {o for each in commands if each for p in each.params for o in p.secondary_opts}
    # of Python's programs, pytest, benchmarks and lm-evaluation-harness
    options |= {"--help", "--pyargs", "--full", "--quick", "--check", "--kills", "--bits"}
    options |= {"--bootstrap", "--array", "--log_samples", "--version"}
    folders = ("src", "tests", "benchmarks", "examples", "docs", ".ci")
    places = [*(ROOT / folder for folder in folders), Path(nettrial.__file__).parent]
    files = [each.as_posix() for place in places for each in place.rglob("*.py")]
    for page in sorted({*PAGES, ROOT / "SECURITY.md"}):
        for said in re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text(encoding="utf-8"))):
            if said.startswith(("-", "nettrial ")):
                unknown = set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", said)) - options
                assert not unknown, (page.name, said)
            for name in re.findall(r"^nettrial(?:\.\w+)+", said):
                assert pkgutil.resolve_name(name), (page.name, name)
            for file in re.findall(r"^(?!my_|FILE)[\w/]+\.py\b", said):
                named = f"/{file.removeprefix('src/')}"  # installed, the package is not under src
                assert any(place.endswith(named) for place in files), (page.name, file)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("_made/", "../_made/", "api/", "../api/")):
                assert (page.parent / target).exists(), (page.name, target)


def test_the_glossary_explains_what_reports_print() -> None:
    page = (ROOT / "docs/user/glossary.md").read_text(encoding="utf-8")
    lines = page.partition(":::{glossary}\n")[2].partition("\n:::")[0].split("\n")
    terms = [line for line in lines if line and line[0] not in " #:"]
    assert terms == sorted(terms, key=str.lower)
    printed = {"RS-C", "Lemma 1", "Error-prone nodes, q", "Replicate", "Halving", "Look", "ROPE",
               "Simultaneous interval", "RRS", "ERS", "NCV", "wvRN", "nBC", "nLB", "cdRN", "HAC",
               "Louvain", "Standard error (s.e.)", "Degrees of freedom (df)", "Type I error",
               "Unadjusted p-value", "Percentage points", "Power"}  # fmt: skip
    assert printed <= set(terms)


SHORT = 40  # lines of an output that is shown whole


def note(text: str) -> None:
    sys.__stderr__.write(f"{text}\n")  # type: ignore[union-attr]


class Captured:
    """What commands print, as pytest's capsys gives it."""

    def __init__(self) -> None:
        self.out, self.err = io.StringIO(), io.StringIO()

    def readouterr(self) -> SimpleNamespace:
        said = SimpleNamespace(out=self.out.getvalue(), err=self.err.getvalue())
        for each in (self.out, self.err):
            each.seek(0)
            each.truncate()
        return said


class Rewriting(doctest.DocTestRunner):
    """Runs examples, and keeps what those print that say otherwise."""

    def __init__(self) -> None:
        super().__init__(optionflags=FLAGS, verbose=False)
        self.changed: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.changed.append((example, got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, error: Any) -> None:
        note(f"by hand: {test.name}: {example.source.strip()} raises {error[1]!r}")


def shown(wanted: str, got: str, what: str) -> str:
    """Return the output for a page; the old one where only part of a long one was shown."""
    if "..." in wanted and got.count("\n") > SHORT:
        note(f"by hand: {what}")
        return wanted
    return "".join(f"{line.rstrip()}\n" for line in got.rstrip().splitlines())


def rewritten_python(text: str, names: dict[str, Any], page: str) -> str:
    """Return a block of Python with prompts as it prints now."""
    test, runner = doctest.DocTestParser().get_doctest(text, names, page, None, 0), Rewriting()
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    lines = text.splitlines(keepends=True)
    for example, got in reversed(runner.changed):
        first = example.lineno + example.source.count("\n")
        said = got.replace("\n\n", "\n<BLANKLINE>\n")
        lines[first : first + example.want.count("\n")] = [
            shown(example.want, said, f"{page}: {example.source.strip()}")
        ]
    return "".join(lines)


def rewritten_terminal(text: str, said: Captured, page: str) -> str:
    """Return a block of a terminal as it prints now."""
    start, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    for part in parts:
        line, _, wanted = part.partition("\n")
        said.readouterr()
        got = output(line, said)  # type: ignore[arg-type]
        alike = doctest.OutputChecker().check_output(wanted, got, FLAGS)
        start += f"$ {line}\n{wanted if alike else shown(wanted, got, f'{page}: {line}')}"
    return start


def rewrite(page: Path) -> None:
    """Put what is printed now in place of the outputs of a page that differ."""
    names: dict[str, Any] = {}
    said = Captured()

    def block(found: re.Match[str]) -> str:
        kind, text = found[1], found[2]
        if kind == "pycon":
            text = rewritten_python(text, names, page.name)
        elif kind == "console":
            with contextlib.redirect_stdout(said.out), contextlib.redirect_stderr(said.err):
                text = rewritten_terminal(text, said, page.name)
        elif kind == "python" and (file := re.match(r"# (\w+\.py)\n", text)):
            Path(file[1]).write_text(text, encoding="utf-8")
        elif kind == "python" and page.stem in WHOLE:
            exec(compile(text, page.name, "exec"), names)  # noqa: S102 - our own pages
        return f"```{kind}\n{text}```"

    old = page.read_text(encoding="utf-8")
    new = BLOCK.sub(block, old)
    if new != old:
        page.write_text(new, encoding="utf-8")
        note(f"rewritten: {page}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Rewrite the outputs that pages show.")
    parser.add_argument("--rewrite", nargs="*", type=Path, metavar="PAGE", required=True)
    pages = [each.resolve() for each in parser.parse_args().rewrite] or RUN
    warnings.simplefilter("ignore", nettrial.core.errors.AssumptionWarning)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(make_files(Path(folder)))
        for page in pages:
            rewrite(page)


if __name__ == "__main__":
    main()
