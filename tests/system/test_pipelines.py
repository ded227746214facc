"""The GitHub action and the GitLab job of the guide, run by a shell as their servers run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
PAGE = ROOT / "docs" / "howto" / "ci.md"
pytestmark = pytest.mark.skipif(not ACTION.is_file(), reason="the sdist has no action")
PIP = '#!/bin/bash\necho "$0 $*" >> "$PIPPED"\n'
NETTRIAL = f'#!/bin/bash\nexec {sys.executable} -m nettrial "$@"\n'


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A machine where pip writes down what it should install, and nettrial is this one."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in (("pip", PIP), ("python", PIP), ("nettrial", NETTRIAL)):
        (tools / name).write_text(script)
        (tools / name).chmod(0o755)
    own = {"PATH": f"{tools}:{os.environ['PATH']}", "PIPPED": str(tmp_path / "pipped"),
           "GITHUB_OUTPUT": str(tmp_path / "output"), "PYTHONPATH": str(ROOT / "src")}  # fmt: skip
    return os.environ | own


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Twenty groups of fifteen nodes, linked within, of two classes."""
    folder, rng = tmp_path / "my_network", np.random.default_rng(0)
    folder.mkdir()
    links = [(15 * g + k, 15 * g + (k + step) % 15)
             for g in range(20) for k in range(15) for step in (1, 2, 4)]  # fmt: skip
    links += [(15 * g, (15 * g + 15) % 300) for g in range(20)]
    (folder / "edges.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in links))
    odd = rng.random(300) < 0.05
    labels = "".join(f"{k},{'ab'[(k // 15 + odd[k]) % 2]}\n" for k in range(300))
    (folder / "nodes.csv").write_text(f"node,label\n{labels}")
    return folder


def acted(inputs: dict[str, str], environment: dict[str, str], where: Path) -> tuple[int, str]:
    """Run the steps of the action as GitHub's runner does; return the last status and stderr."""
    action = yaml.safe_load(ACTION.read_text())
    given = {name: str(about.get("default", "")) for name, about in action["inputs"].items()}
    assert set(inputs) <= set(given)
    given |= inputs
    known = {"github.action_path": str(ROOT), "runner.temp": str(where)}
    known |= {f"inputs.{name}": value for name, value in given.items()}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: known[match[1]], text)

    code, err = 0, ""
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # an input in a script would run as code
        if step.get("if") == "inputs.install != ''" and not given["install"]:
            continue
        own = {name: filled(value) for name, value in step.get("env", {}).items()}
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            shell, cwd=where, env=environment | own, capture_output=True, text=True
        )
        code, err = done.returncode, done.stderr
        if code:
            break
    return code, err


COMPARE = "compare my_network --splits 4 --test network_hac --budget 1min"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "gate", "status", "says"),
    [
        ("--a prior --b wvrn", "worse", 3, "failed: prior is worse than wvrn"),
        ("--a new.py:Model --b wvrn", "worse-by=0.01", 0, "predicts the same as wvrn"),
        ("--a wvrn --b prior", "worse", 0, "passed: wvrn is better than prior"),
        ("--a wvrn --b nope", "worse", 2, "got 'nope'"),
    ],
)
def test_the_action_ends_as_nettrial_does(
    models: str, gate: str, status: int, says: str,
    environment: dict[str, str], network: Path, tmp_path: Path,
) -> None:  # fmt: skip
    (tmp_path / "new.py").write_text("from nettrial.models import WVRN as Model\n")
    inputs = {"arguments": f"{COMPARE} {models}\n  --fail-if {gate}\n"}
    code, err = acted(inputs, environment, tmp_path)
    assert code == status, err
    assert says in err
    assert Path(environment["PIPPED"]).read_text().split()[1:] == [
        "-m", "pip", "install", "--quiet", str(ROOT),
    ]  # fmt: skip
    output = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert output["status"] == str(status)
    assert says in output["reason"]


@pytest.mark.slow
def test_the_action_cannot_tell_for_a_tiny_test_set(
    environment: dict[str, str], tmp_path: Path
) -> None:
    rows = "document,new,old\np,1,1\np,0,1\nq,1,0\nq,1,1\n"
    (tmp_path / "answers.csv").write_text(rows)
    text = "compare answers.csv --groups document --a new --b old --fail-if worse-by=0.01"
    code, err = acted({"arguments": text, "install": ""}, environment, tmp_path)
    assert code == 3
    assert "cannot tell whether new is worse than old" in err
    more = f"{text} --on-unsettled pass"
    assert acted({"arguments": more, "install": ""}, environment, tmp_path)[0] == 0
    assert not Path(environment["PIPPED"]).exists()


COLD = f"""#!/bin/bash
{sys.executable} -m nettrial "$@"
status=$?
echo "nettrial: compiled 2 loops in 1.8 s: sweep 1.2 s, draw 0.5 s; kept in x" >&2
exit $status
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        ("compare answers.csv --groups document --a new --b old --fail-if worse", 3, "cannot tell"),
        ("check --table results.csv --test-share 0.3 --splits 10", 3, "1 problem found in"),
        ("check --table results.csv --splits 10", 0, "passed: Nothing unfair found in"),
        ("check --table nothing.csv", 2, "nothing.csv"),
    ],
)
def test_the_reason_is_there_on_a_cold_cache(
    arguments: str, status: int, says: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """What compiling reports comes after the reason."""
    (tmp_path / "tools" / "nettrial").write_text(COLD)
    rows = "document,new,old\np,1,1\np,0,1\nq,1,0\nq,1,1\n"
    (tmp_path / "answers.csv").write_text(rows)
    table = "dataset,gcn,gat\ncora,81.5 ± 0.9,82.0 ± 0.7\n"
    (tmp_path / "results.csv").write_text(table, encoding="utf-8")
    code, err = acted({"arguments": arguments, "install": ""}, environment, tmp_path)
    assert code == status, err
    output = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert says in output["reason"]


def test_what_is_given_to_the_action_stays_data(
    environment: dict[str, str], tmp_path: Path
) -> None:
    text = "info '$(touch stolen)/`touch stolen`; touch stolen'"
    code, _ = acted({"arguments": text, "constraints": "c; touch stolen"}, environment, tmp_path)
    assert code == 2
    assert not (tmp_path / "stolen").exists()


def test_an_open_quote_is_an_error(environment: dict[str, str], tmp_path: Path) -> None:
    """What stands before it would run without what stands after it."""
    text = "info 'x y"
    code, err = acted({"arguments": text, "install": ""}, environment, tmp_path)
    assert (code, "a quote is not closed" in err) == (2, True)
    output = (tmp_path / "output").read_text()
    assert "status=2\nreason=nettrial: arguments: a quote is not closed" in output


def blocks() -> list[Any]:
    page = PAGE.read_text(encoding="utf-8")
    return [yaml.safe_load(b) for b in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]


def test_the_github_job_uses_the_action_as_it_is() -> None:
    action = yaml.safe_load(ACTION.read_text())
    steps = [step for step in blocks()[0]["jobs"]["model"]["steps"] if "nettrial" in step["uses"]]
    assert len(steps) == 2
    for step in steps:
        assert set(step["with"]) <= set(action["inputs"])


@pytest.mark.slow
@pytest.mark.parametrize(("leak", "status"), [(False, 0), (True, 3)])
def test_the_gitlab_job_runs(
    leak: bool, status: int, environment: dict[str, str], network: Path, tmp_path: Path
) -> None:
    model = "from nettrial.models import WVRN as Model\n"
    (tmp_path / "new.py").write_text(model)
    (tmp_path / "old.py").write_text(model)
    paper = network.rename(tmp_path / "my_paper")
    (tmp_path / "my_network").symlink_to(paper)
    masks = np.arange(300)[:, None] % 3 == np.arange(3)
    np.savez(paper / "masks.npz", train_mask=~masks | leak, test_mask=masks)
    job = blocks()[1]["model"]
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    script = script.replace("--budget 10min", "--budget 1min --splits 4 --test network_hac")
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == status, done.stderr
    assert "install nettrial/" in Path(environment["PIPPED"]).read_text()
    assert (tmp_path / job["artifacts"]["reports"]["junit"]).is_file()
    assert (tmp_path / "report.html").is_file() is not leak
