"""Every command that the documentation shows runs on the files that its page says are there.

In small: fewer splits, trials and drawn networks, and a test on predictions where a page leaves the
choice of the test to `compare`. Blocks that print are run as they stand in `test_documentation.py`.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from test_documentation import FILES, PAGES, ROOT, blocks

from documented_files import MADE
from nettrial import cli

pytestmark = pytest.mark.slow

# a command or what it begins with -> who runs it, or why nobody can
ELSEWHERE = {
    "python3 -m venv": ".ci/run, in an empty folder",
    ".venv/bin/pip install": ".ci/run, in an empty folder",
    "sphinx-build": ".ci/run",
    "pytest": "these are the tests",
    "python benchmarks/experiments_page.py": "makes folders of networks that are not kept here",
    "python benchmarks/check_cases.py": "takes networks that are not kept here",
    "nettrial check": "tests/checking/, on all that it takes",
    "nettrial compare my_network/ --predictions halves_csv": "after a script of R",
    "nettrial experiment": "only parsed: some take hours; test_experiments.py runs a part of them",
}
SMALLER = {"--trials": "2", "--splits": "3", "--replicates": "10"}
CHOOSES = ("compare", "sweep", "transfer", "across")


def place(page: Path) -> str:
    """Return a page's name within the documentation."""
    return page.relative_to(ROOT).as_posix().removeprefix("docs/")


def shown(page: Path) -> list[str]:
    """Return the commands of the blocks that print nothing, in order."""
    text = "".join(body for kind, body in blocks(page) if kind in ("sh", ""))
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    programs = ("nettrial", "python", "pip", ".venv", "sphinx", "pytest", "pre-commit", "git", "$")
    return [line for line in lines if line.startswith(programs)]


def smaller(words: list[str]) -> list[str]:
    """Return a command that takes less time."""
    made = [SMALLER.get(before, word) for before, word in zip(["", *words], words)]
    of_links = any(word.startswith(("adamic", "common", "scores.csv")) for word in words)
    plain = made[0] in CHOOSES and not {"--test", "--groups", "--seeds"} & set(made)
    if made[0] in ("audit", "plan"):
        of_audit = ["--inner", "0"] * (made[0] == "audit")
        return [*made, "--replicates", "20", "--splits", "3", *of_audit]
    return [*made, "--test", "network_hac"] if plain and not of_links else made


COMMANDS = {place(page): shown(page) for page in PAGES if shown(page)}


@pytest.mark.parametrize("page", COMMANDS)
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.AssumptionWarning")
def test_commands_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(FILES.read_text(encoding="utf-8"), {})  # noqa: S102 - our own file
    path = ROOT / page if (ROOT / page).exists() else ROOT / "docs" / page
    MADE.get(page, lambda text: None)(path.read_text(encoding="utf-8"))
    for line in COMMANDS[page]:
        if line.startswith(tuple(ELSEWHERE)):
            continue
        program, *words = shlex.split(line, comments=True)
        assert program == "nettrial", f"{line}: runs nowhere"
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            cli.main(smaller(words))
        said = capsys.readouterr()
        assert end.value.code == 0, f"$ {line}\n{said.err}"
        assert said.out or words[0] in ("export", "split", "report"), f"$ {line}: prints nothing"


def test_what_runs_elsewhere_is_shown_somewhere() -> None:
    lines = [line for page in PAGES for line in shown(page)]
    for start in ELSEWHERE:
        assert any(line.startswith(start) for line in lines), start
