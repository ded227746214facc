"""The image of the guide: its steps in an empty folder, its constraints, its list of licences.

Where there is no builder of images, its steps are run by a shell in an empty folder that stands
for the root, and the command by a user without rights, without network and on a read-only file
system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "howto" / "containers.md"
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
pytestmark = pytest.mark.skipif(not CONSTRAINTS.is_file(), reason="the sdist has no constraints")
NOBODY = "65534"
JOBS = """
timeout 120 nettrial compare --example --a wvrn --b nbc --splits 4 --fail-if worse-by=0.5
cd ../tmp
for k in 1 2; do
    nettrial compare --example --splits 4 --test network_hac --store shards/ --shard $k/2 &
    jobs="$jobs $!"
done
for job in $jobs; do wait $job; done
nettrial merge shards/ study.nettrial
nettrial check study.nettrial --json
cat > greedy.py <<EOF
import time
import numpy as np
class Slow:
    def fit(self, network, train): time.sleep(60)
    def predict_proba(self, network, nodes): return np.full((len(nodes), 2), 0.5)
class Large(Slow):
    def fit(self, network, train): self.kept = np.ones(250_000_000)
EOF
for limited in "Slow --timeout 2" "Large --memory 1"; do
    nettrial compare --example --splits 2 --b prior --a greedy.py:$limited && exit 1
done
true
"""


def needed() -> dict[str, Requirement]:
    """Return what nettrial needs, and what that needs, without extras."""
    found: dict[str, Requirement] = {}
    todo = ["nettrial"]
    while todo:
        for text in requires(todo.pop()) or []:
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            name = canonicalize_name(requirement.name)
            if name not in found:
                todo.append(name)
                found[name] = requirement
    return found


def test_constraints_fix_every_package_within_what_is_declared() -> None:
    lines = CONSTRAINTS.read_text().splitlines()
    fixed = dict(line.split("==") for line in lines if not line.startswith("#"))
    for name, requirement in needed().items():
        assert name in fixed
        assert requirement.specifier.contains(fixed[name]), requirement


def test_the_licence_of_every_package_is_listed() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| package | licence |")[2]
    listed = set(re.findall(r"^\| ([\w-]+) \|", table, re.MULTILINE))
    assert set(needed()) <= listed


def steps() -> list[tuple[str, str]]:
    page = PAGE.read_text(encoding="utf-8")
    text = re.search(r"```dockerfile\n(.*?)```", page, re.DOTALL)
    assert text is not None
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in text[1].splitlines()]


def unprivileged(script: str, environment: dict[str, str], where: Path) -> Any:
    """Run a script as a user without rights."""
    user = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--no-new-privs"]
    return subprocess.run([*user, "bash", "-ec", script], cwd=where, env=environment,
                          capture_output=True, text=True, timeout=1200)  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not shutil.which("setpriv") or os.getuid() != 0, reason="needs to change user")
def test_the_steps_of_the_image_run() -> None:
    with tempfile.TemporaryDirectory() as made:
        box = Path(made)
        box.chmod(0o755)
        for folder in ("opt", "work", "tmp", "bin"):
            (box / folder).mkdir()
            os.chown(box / folder, int(NOBODY), int(NOBODY))
        of_all = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
        assert of_all is not None
        (box / "bin" / "python").symlink_to(of_all)
        environment = {"PATH": f"{box}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}
        build(box, environment)
        run = " && ".join([
            f"mount -o bind {box} {box}",
            f"mount -o remount,bind,ro {box}",
            f"mount -t tmpfs -o mode=1777 none {box / 'tmp'}",
            f"cd {box}/work",
            "! touch x 2>/dev/null",
            "ulimit -v 8000000",
            f"exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups --no-new-privs "
            f"bash -ec '{JOBS}'",
        ])  # fmt: skip
        done = subprocess.run(["unshare", "--net", "--mount", "bash", "-c", run], env=environment,
                              capture_output=True, text=True, timeout=300)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "passed" in done.stderr
        assert "model 'Slow' failed on split 0: TimeoutError" in done.stderr
        assert "model 'Large' failed on split 0: MemoryError" in done.stderr
        assert "ompil" not in done.stderr  # all loops were compiled when the image was made


def build(box: Path, environment: dict[str, str]) -> None:
    """Run the steps of the page in a folder that stands for the root."""

    def placed(text: str) -> str:
        return re.sub(r"(?<![\w.$])/(opt|work|tmp)\b", rf"{box}/\1", text)

    for word, rest in steps():
        if word == "COPY":
            source, target = placed(rest).split()
            assert source == "nettrial/"
            names = shutil.ignore_patterns(".git", ".venv", "*cache*", "shared", "site")
            shutil.copytree(ROOT, target, dirs_exist_ok=True, ignore=names)
            unowned = subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", target])
            assert unowned.returncode == 0
        elif word == "ENV":
            for pair in placed(rest).split():
                name, value = pair.split("=", 1)
                environment[name] = value.replace("$PATH", environment["PATH"])
        elif word == "RUN":
            done = unprivileged(placed(rest), environment, box / "work")
            assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
