"""Compiled code is kept where it can be, and the numbers do not depend on where that is."""

from __future__ import annotations

import ast
import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import nettrial
from nettrial import io
from nettrial.kernels import places
from nettrial.kernels.compile_notices import summary
from nettrial.synth.latent_groups import latent_group_network
from timeless import timeless

SOURCE = Path(nettrial.__file__).parent
LOOPS = 3  # that the job compiles
JOB = """
import hashlib, sys
import numpy as np
from nettrial.kernels import compile_notices
from nettrial.kernels.replicates import draw_poisson
from nettrial.kernels.rings import RingLimits, ring_sums
from nettrial.kernels.streams import stream
numbers = np.zeros(50, np.int64)
draw_poisson(np.linspace(0, 60, 50), stream(np.uint64(7), 1, 0), numbers)
ring = np.stack([(np.arange(20) - 1) % 20, (np.arange(20) + 1) % 20], 1).ravel()
most = RingLimits(9999, 9999)
sums = ring_sums(np.arange(0, 41, 2), ring, np.arange(20), np.sin(np.arange(20.0)), 3, most)
digest = hashlib.sha256(numbers.tobytes() + sums[0].tobytes() + sums[1].tobytes()).hexdigest()
print(digest, len(compile_notices.watch().seconds))
"""


def run(where: Path, job: str = JOB, **env: str | None) -> tuple[str, int, str]:
    """Run the job with a copy of the package; digest, number of loops compiled, stderr."""
    other = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", places.TOLD)
    clean = {k: v for k, v in os.environ.items() if k not in other}
    clean |= {"PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}
    clean = {k: v for k, v in (clean | env).items() if v is not None}
    done = subprocess.run(
        [sys.executable, "-c", job], env=clean, cwd=where, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    digest, compiled = done.stdout.split()
    return digest, int(compiled), done.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package without compiled code."""
    shutil.copytree(SOURCE, tmp_path / "nettrial", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def close(package: Path) -> None:
    """Make the package's folder for compiled code one that not even root can write to."""
    (package / "nettrial/kernels/__pycache__").write_text("")


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    where = tmp_path_factory.mktemp("cache")
    return run(SOURCE.parent, NUMBA_CACHE_DIR=str(where))[0]


@pytest.mark.slow
def test_the_second_process_compiles_nothing_and_gives_the_same_bits(package, digest):
    first, second = run(package, HOME="/dev/null"), run(package, HOME="/dev/null")
    assert first[0] == second[0] == digest
    assert first[1] == LOOPS
    assert second[1] == 0
    assert list((package / "nettrial/kernels/__pycache__").glob("draw_poisson-*.nbc"))


@pytest.mark.slow
def test_a_read_only_package_uses_the_home_folder(package, digest):
    close(package)
    home = package / "home"
    assert run(package, HOME=str(home)) == (digest, LOOPS, "")
    assert run(package, HOME=str(home)) == (digest, 0, "")
    assert list((home / ".cache/nettrial").glob("*.nbc"))


@pytest.mark.slow
def test_without_a_home_a_private_temporary_folder_serves_and_one_line_says_so(package, digest):
    close(package)
    (package / "tmp").mkdir()
    env = {"HOME": "/dev/null", "TMPDIR": str(package / "tmp")}
    found, compiled, said = run(package, **env)
    assert (found, compiled) == (digest, LOOPS)
    assert said.count("\n") == 1
    assert "compiled code is kept in" in said
    (folder,) = (package / "tmp").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert run(package, **env)[:2] == (digest, 0)


@pytest.mark.slow
def test_code_in_a_temporary_folder_that_others_can_write_is_not_run(package, digest):
    close(package)
    (package / "tmp").mkdir()
    env = {"HOME": "/dev/null", "TMPDIR": str(package / "tmp")}
    run(package, **env)
    (folder,) = (package / "tmp").iterdir()
    folder.chmod(0o777)
    found, compiled, said = run(package, **env)
    assert (found, compiled) == (digest, LOOPS)
    assert "set NUMBA_CACHE_DIR" in said


@pytest.mark.slow
def test_what_an_image_was_warmed_with_is_read_where_nothing_can_be_written(package, digest):
    run(package, HOME="/dev/null")
    for file in [*package.rglob("*"), package]:
        file.chmod(0o555 if file.is_dir() else 0o444)
    try:
        assert run(package, HOME="/dev/null") == (digest, 0, "")
    finally:
        for file in [package, *package.rglob("*")]:
            file.chmod(0o755)


@pytest.mark.slow
@pytest.mark.timeout(400)  # compiles everything anew
def test_warm_compiles_every_loop_but_those_of_experiments(tmp_path):
    code = """
import importlib, pkgutil
from nettrial import kernels
from nettrial.cli.warm_command import command
from nettrial.kernels.compiled import KernelCache
command.main([], standalone_mode=False)
for module in pkgutil.iter_modules(kernels.__path__):
    held = vars(importlib.import_module(f"nettrial.kernels.{module.name}"))
    for name, loop in held.items():
        if isinstance(getattr(loop, "_cache", None), KernelCache) and not loop.overloads:
            print("lacks", module.name, name)
"""
    env = os.environ | {"PYTHONPATH": str(SOURCE.parent), "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lacking = {line[6:] for line in done.stdout.splitlines() if line.startswith("lacks ")}
    assert lacking == {
        "designs shuffle_all",  # part of others
        "group_simulation group_trials",
        "group_simulation paired_t_rejections",
        "independent_trials independent_trials",
        "split_counts count_links",
        "variance_trials sample_means",
    }


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["cut", "changed", "emptied", "replaced"])
def test_a_broken_file_is_compiled_anew(package, digest, harm):
    cache = {"NUMBA_CACHE_DIR": str(package / "cache")}
    run(package, **cache)
    files = list((package / "cache").rglob("*.nbc"))
    contents = [file.read_bytes() for file in files]
    for file, content, other in zip(files, contents, [*contents[1:], contents[0]]):
        middle = len(content) // 2
        file.write_bytes({
            "cut": content[:middle],
            "changed": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "emptied": b"",
            "replaced": bytes(32) + other[32:],
        }[harm])  # fmt: skip
    assert run(package, **cache)[:2] == (digest, len(files))
    assert run(package, **cache)[:2] == (digest, 0)


@pytest.mark.slow
def test_a_change_in_any_loop_makes_all_be_compiled_anew(package):
    run(package, HOME="/dev/null")
    with (package / "nettrial/kernels/philox.py").open("a") as file:
        file.write("# changed\n")
    assert run(package, HOME="/dev/null")[1] == LOOPS


@pytest.mark.slow
def test_processes_that_start_together_do_not_disturb_each_other(package, digest):
    env = os.environ | {"PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(package / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", JOB], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert {process.communicate()[0].split()[0] for process in started} == {digest}
    names = [file.name for file in (package / "cache").rglob("*") if file.is_file()]
    assert len(names) == LOOPS
    assert all(name.endswith(".nbc") for name in names)
    assert run(package, NUMBA_CACHE_DIR=str(package / "cache"))[:2] == (digest, 0)


def test_where_nothing_can_be_written_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(places, "candidates", lambda: (Path("/dev/null/a"), Path("/dev/null/b")))
    monkeypatch.setattr(places, "_state", {})
    monkeypatch.setenv(places.TOLD, "")
    monkeypatch.delenv(places.TOLD)  # and again in the end
    places.write("a.nbc", b"1")
    places.write("b.nbc", b"2")
    assert capsys.readouterr().err.count("\n") == 1
    assert places.read("a.nbc") is None
    assert summary({"sweep": 1.0}).endswith("kept nowhere")


@pytest.mark.slow
def test_without_a_temporary_folder_the_numbers_come_all_the_same(package, digest):
    """As in a container in which nothing at all can be written."""
    close(package)
    start = (
        "import tempfile\n"
        "def nowhere(): raise FileNotFoundError('No usable temporary directory found')\n"
        "tempfile.gettempdir = nowhere\n"
    )
    done = run(package, start + JOB, HOME="/dev/null")
    assert done[0] == digest
    assert done[2].count("compiled code cannot be kept") == 1


def other_user() -> str | None:
    """A user without rights here, where there is one that can run this interpreter."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    with_rights = ["setpriv", "--reuid", "nobody", "--clear-groups"]
    done = subprocess.run([*with_rights, sys.executable, "-c", "import numba"], capture_output=True)
    return "nobody" if done.returncode == 0 and pwd.getpwnam("nobody") else None


@pytest.mark.slow
@pytest.mark.timeout(600)  # compiles everything anew
def test_the_readme_command_runs_in_a_container_like_place(package):
    """No home, nothing of the package can be written, and another user where there is one.

    A second run, warm and with another number of threads, gives the same result to the last bit.
    """
    close(package)
    work = package / "work"
    work.mkdir(mode=0o777)
    work.chmod(0o777)
    for parent in (package, *package.parents):
        if parent == Path(tempfile.gettempdir()):
            break
        parent.chmod(parent.stat().st_mode | 0o555)
    for file in (package / "nettrial").rglob("*"):
        file.chmod(0o555 if file.is_dir() else 0o444)
    user = other_user()
    command = [sys.executable, "-c", "from nettrial.cli import main; main()", "compare"]
    command += ["--example", "--replicates", "20", "--report", "r.html", "--json"]
    if user:
        command = ["setpriv", "--reuid", user, "--clear-groups", *command]
    env = {"PYTHONPATH": str(package), "TMPDIR": str(work), "PATH": os.environ["PATH"]}
    env |= {} if user else {"HOME": "/dev/null"}

    def run_with(threads: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=work,
            env=env | {"NUMBA_NUM_THREADS": threads},
            capture_output=True,
            text=True,
        )

    cold, warm = run_with("2"), run_with("1")
    assert cold.returncode == warm.returncode == 0, cold.stderr + warm.stderr
    assert json.loads(cold.stdout)["verdict"]
    assert (work / "r.html").stat().st_size > 10_000
    assert cold.stderr.count("can be written; compiled code is kept in") == 1
    assert re.search(r"compiled \d+ loops in [\d.]+ s: \w+ [\d.]+ s", cold.stderr)
    assert "compiled" not in warm.stderr
    assert "atplotlib" not in cold.stderr + warm.stderr
    assert timeless(warm.stdout) == timeless(cold.stdout)


@pytest.mark.slow
def test_importing_compare_takes_nothing_that_is_slow():
    code = "import sys; from nettrial import compare; print(*sys.modules)"
    env = os.environ | {"PYTHONPATH": str(SOURCE.parent)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    slow = {"numba", "scipy.stats", "scipy.optimize", "scipy.integrate", "pandas", "sklearn",
            "matplotlib", "joblib", "networkx", "rich", "sknetwork", "jinja2"}  # fmt: skip
    assert "numpy" in loaded, done.stderr
    assert not slow & loaded


LATE = {"scipy.stats", "scipy.integrate", "sklearn", "matplotlib", "networkx", "jinja2"}
NET = {"asyncio", "http.client", "urllib.request", "ssl", "pyarrow", "torch", "joblib"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "late"),
    [
        ("info network/edges.csv", {"numba", "scipy.sparse.csgraph", "scipy.linalg", "joblib",
                                    "nettrial.metrics", "urllib.request"}),
        ("test paired-t results.csv", {"numba", "joblib", "sknetwork", "urllib.request"}),
        ("compare network --predictions said.csv", {"joblib"}),
        ("compare --example --splits 3 --report page.html", {"pandas", "scipy.optimize", *NET}),
    ],
)  # fmt: skip
def test_commands_take_nothing_slow_that_they_do_not_need(command, late, tmp_path):
    network = latent_group_network(60, seed=0)
    io.write(network, tmp_path / "network")
    said = [f"{split},{node},{model},{network.classes[model > 'p']}"
            for split in (0, 1) for model in "pq" for node in network.ids[:40]]  # fmt: skip
    (tmp_path / "said.csv").write_text("\n".join(["split,node,model,prediction", *said]))
    (tmp_path / "results.csv").write_text("a,b\n0.1,0.2\n0.2,0.4\n0.3,0.1\n")
    code = (
        # earlier versions of scipy load more of themselves for scipy.sparse
        "import scipy.sparse, sys; needed = set(sys.modules); from nettrial.cli import main\n"
        f"try: main({command.split()})\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules.keys() - needed)"
    )
    env = os.environ | {"PYTHONPATH": str(SOURCE.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "nettrial.cli" in loaded
    drawn = {"jinja2", "matplotlib"} if "--report" in command else set()
    assert not (LATE - drawn | late) & loaded


@pytest.mark.slow
def test_only_the_reader_of_graph6_needs_networkx_and_nothing_needs_rich():
    for file in set(SOURCE.rglob("*.py")) - {SOURCE / "io/graph6.py"}:
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert not {name.split(".")[0] for name in names} & {"networkx", "rich"}, file
