"""Models that end their process, signals that end ours: nothing is lost, nothing is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from joblib import parallel_config

import nettrial
from dangerous_models import Dangerous, Guess, Speaking
from nettrial.core.errors import InputError
from nettrial.kernels import threads
from nettrial.splits import RandomResampling
from nettrial.store import IncompleteStudyError, study_status
from nettrial.store.unit_pool import UnitPool
from nettrial.store.units import Outcome, Unit
from nettrial.study import parallel
from nettrial.study.limits import current_limits, unit_limits
from nettrial.study.node_study import run

TESTS = Path(__file__).parents[1]
MAIN = "from nettrial.cli import main; main()"
# a shell may have started us with the interrupt ignored
HEARD = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "


def environment(**more: str) -> dict[str, str]:
    paths = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {"PYTHONPATH": paths} | more


def nettrial_command(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, *words],
        capture_output=True,
        text=True,
        timeout=100,
        env=environment(),
        **options,
    )


def said(found: subprocess.CompletedProcess[str]) -> str:
    """Return what a command said on standard error, but of loops that it compiled."""
    return "".join(line for line in found.stderr.splitlines(True) if "compil" not in line)


COMPARE = ("compare", "--example", "--test", "clustered_t", "--splits", "3")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("what", "note"),
    [
        ("sys.exit", "SystemExit: 0"),
        ("interrupt", "KeyboardInterrupt"),
        ("segfault", "worker ended twice"),
        ("kill", "worker ended twice"),
        ("hang", "longer than the 1 seconds"),
        ("busy", "longer than the 1 seconds that it may take, did not react|was not run"),
        ("memory", "Unable to allocate"),
    ],
)
def test_a_dangerous_model_fails_alone(tmp_path: Path, what: str, note: str, jobs: int) -> None:
    if what == "memory" and not Path("/proc/self/status").exists():
        pytest.skip("only Linux limits memory")
    if what in ("segfault", "kill") and jobs == 1:
        pytest.skip("ends this process; see the next tests")
    network = nettrial.latent_group_network(40, seed=3)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    store = tmp_path / "study.nettrial"
    limits = {"hang": {"timeout": 1}, "busy": {"timeout": 1}, "memory": {"memory": 1}}
    models = {"good": Guess(), "bad": Dangerous(what)}
    with (
        unit_limits(**limits.get(what, {})),  # type: ignore[arg-type]
        pytest.raises(IncompleteStudyError, match="2 of 4 units failed"),
    ):
        run(network, models, splits, store=store, n_jobs=jobs)
    status = study_status(store)
    assert (status.done, status.failed) == (2, 2)
    for failure in status.failures:
        assert "model 'bad', split" in failure
        assert what != "segfault" or "\n" not in failure
        assert re.search(note, failure), failure


def test_whatever_a_model_raises_is_told_in_a_few_words(tmp_path: Path, words) -> None:
    network = nettrial.latent_group_network(40, seed=3)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    models = {name: Speaking(name) for name in ("mute", "surrogate", "endless")}
    store = tmp_path / "study.nettrial"
    with pytest.raises(IncompleteStudyError, match="6 of 8 units failed") as note:
        run(network, models | {"good": Guess()}, splits, store=store)
    assert len(str(note.value).encode()) < 10_000
    status = study_status(store)
    assert (status.done, status.failed) == (2, 6)
    text = " ".join(status.failures)
    assert "Mute: (its text cannot be made: ZeroDivisionError)" in text
    assert "odd \\ud800" in text
    assert "... (1,000,000 characters)" in text
    with words.raises(InputError):
        nettrial.compare(network, Guess("odd \ud800"), "prior", n_splits=2, test="clustered_t")


@pytest.mark.slow
def test_what_a_model_does_to_its_process_is_put_back(tmp_path: Path) -> None:
    words = ["--a", "dangerous_models:Leaving", "--b", "dangerous_models:Guess"]
    begin = time.monotonic()
    found = nettrial_command(*COMPARE, *words, "--json", "--store", "st.db", cwd=tmp_path)
    assert time.monotonic() - begin < 25  # it does not wait for the threads
    assert found.returncode == 0
    assert json.loads(found.stdout)["a"] == "leaving"
    assert "threads that were left running by leaving are ended" in found.stderr
    assert study_status(tmp_path / "st.db").done == 6


def test_a_system_without_room_for_threads_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, words
) -> None:
    monkeypatch.setattr(threads, "n_threads", lambda: 4)
    done: list[int] = []
    threads.each(done.append, range(8))
    assert sorted(done) == list(range(8))
    start = threading.Thread.start

    def only_the_first(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", only_the_first)
    started: list[threading.Thread] = []
    for _ in range(2):  # one thread can be started, then none
        with words.raises(MemoryError):
            threads.each(lambda _: time.sleep(0.01), range(8))


class Losing:
    """Workers that are lost whenever the model with number 0 runs."""

    def __init__(self, overdue: bool) -> None:
        self.count, self.overdue = 0, overdue

    def __call__(self, queue: Iterator[parallel.Task]) -> Iterator[list[Outcome]]:
        for task in queue:
            if task.units[0].model == 0:
                self.count += 1
                late = dict.fromkeys(task.units, "trace") if self.overdue else {}
                raise parallel.WorkersLostError("killed", late)
            yield [Outcome(unit, 0.1, np.zeros(1)) for unit in task.units]


@pytest.mark.parametrize(("overdue", "tried"), [(False, 20), (True, 1)])
def test_a_model_that_always_kills_its_worker_does_not_keep_its_rival_from_running(
    monkeypatch: pytest.MonkeyPatch, overdue: bool, tried: int
) -> None:
    network = nettrial.latent_group_network(40, seed=3)
    units = [Unit(model, split) for model in range(2) for split in range(10)]
    record = UnitPool(units)
    plan = lambda some: SimpleNamespace(units=some, name="killer")  # noqa: E731
    losing = Losing(overdue)
    monkeypatch.setattr(parallel, "pool", lambda *_: contextlib.nullcontext(losing))
    with (
        unit_limits(timeout=1),
        contextlib.closing(
            parallel.work(network, plan, [[unit] for unit in units], record, 2)
        ) as found,
    ):
        ended = []
        for outcomes in found:
            record._taken -= {outcome.unit for outcome in outcomes}
            ended += outcomes
    assert {outcome.unit for outcome in ended if outcome.error} == set(units[:10])
    assert {outcome.unit for outcome in ended if not outcome.error} == set(units[10:])
    assert losing.count == tried


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_model_that_exits_never_looks_like_success(jobs: str) -> None:
    words = [*COMPARE, "--a", "dangerous_models:Exiting", "--b", "prior", "--json", "--jobs", jobs]
    found = nettrial_command(*words)
    assert found.returncode == 2
    assert found.stdout == ""
    assert "model 'sys.exit' failed on split" in found.stderr


@pytest.mark.slow
def test_what_was_done_is_kept_where_a_model_crashes_the_only_process(tmp_path: Path) -> None:
    store = tmp_path / "study.nettrial"
    words = ["--a", "dangerous_models:Guess", "--b", "dangerous_models:Crashing"]
    found = nettrial_command(*COMPARE, *words, "--store", str(store))
    assert found.returncode == -signal.SIGSEGV
    assert found.stderr.startswith("Fatal Python error: Segmentation fault")
    assert "dangerous_models.py" in found.stderr
    status = study_status(store)
    assert (status.done, status.running, status.open) == (3, 0, 3)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the C library of Linux")
def test_a_library_that_ends_the_program_never_looks_like_success() -> None:
    words = ["--a", "dangerous_models:Leaping", "--b", "prior", "--json"]
    found = nettrial_command(*COMPARE, *words)
    assert (found.returncode, found.stdout) == (-signal.SIGABRT, "")
    assert "dangerous_models.py" in found.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")
def test_a_model_that_does_not_hear_that_its_time_is_over_is_ended_in_one_line() -> None:
    words = ["--a", "dangerous_models:Looping", "--b", "prior", "--timeout", "1"]
    found = nettrial_command(*COMPARE, *words)
    assert (found.returncode, found.stdout) == (2, "")
    assert said(found) == (
        "nettrial: model 'looping': it took longer than the 1 seconds that it may take, did not "
        "react, and was ended with its worker\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["Pooling", "Loading"])
def test_a_model_may_have_processes_of_its_own(name: str, jobs: str) -> None:
    if name == "Loading":
        pytest.importorskip("torch")
    words = ["--a", f"dangerous_models:{name}", "--b", "prior", "--json", "--jobs", jobs]
    found = nettrial_command(*COMPARE, *words)
    assert (found.returncode, said(found)) == (0, "")
    assert json.loads(found.stdout)["a"] == name.lower()


@pytest.mark.slow
def test_a_figure_setting_of_a_module_does_not_lose_the_report(tmp_path: Path) -> None:
    (tmp_path / "styled.py").write_text(
        "import matplotlib\nmatplotlib.rcParams['text.usetex'] = True\n"
        "matplotlib.rcParams['text.latex.preamble'] = 'no such \\\\command'\n"
        "from dangerous_models import Guess\n"
    )
    words = ["--a", "styled.py:Guess", "--b", "prior", "--report", "page.html"]
    found = nettrial_command(*COMPARE, *words, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "<svg" in (tmp_path / "page.html").read_text()


@pytest.mark.slow
def test_a_limit_is_an_option_too() -> None:
    words = ["--a", "dangerous_models:Hanging", "--b", "prior", "--timeout", "1"]
    found = nettrial_command(*COMPARE, *words)
    assert found.returncode == 2
    assert "took longer than the 1 seconds that it may take" in found.stderr
    refused = nettrial_command(*COMPARE, "--timeout", "-1")
    assert "--timeout: expected a positive number up to 1,000,000,000, got -1.0" in refused.stderr


@pytest.mark.parametrize("value", [0, -1, np.inf, np.nan, True, "1"])
def test_impossible_limits_are_refused(value: object) -> None:
    for name in ("timeout", "memory"):
        limits = unit_limits(**{name: value})  # type: ignore[arg-type]
        with pytest.raises(InputError, match=f"{name}: expected a positive number"):
            limits.__enter__()


def test_limits_enclose_each_other_and_need_processes(words) -> None:
    network = nettrial.latent_group_network(40, seed=3)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    with unit_limits(timeout=5):
        with unit_limits(memory=2):
            assert (current_limits().seconds, current_limits().gigabytes) == (5, 2)
        assert current_limits().gigabytes is None
        with (
            parallel_config(backend="threading", n_jobs=2),
            words.raises(InputError),
        ):
            run(network, {"m": Guess()}, splits)
    assert not current_limits()


def test_limits_do_not_change_results() -> None:
    network = nettrial.latent_group_network(40, seed=3)
    splits = RandomResampling(n_splits=3, seed=1).split_network(network)
    plain = run(network, {"m": Guess()}, splits, seed=4)
    with unit_limits(timeout=60, memory=4):
        held = run(network, {"m": Guess()}, splits, seed=4)
    for one, two in zip(plain.probabilities["m"], held.probabilities["m"], strict=True):
        assert one.tobytes() == two.tobytes()


# signals -----------------------------------------------------------------------------------------


def lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def family(pid: int) -> set[int]:
    """Return all processes below one."""
    found, above = set(), {pid}
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    while above:
        above = {child for child, parent in parents.items() if parent in above} - found
        found |= above
    return found


def left_in(folders: Sequence[Path]) -> set[str]:
    return {str(path) for folder in folders if folder.is_dir() for path in folder.iterdir()}


TRACKER = """
import os, signal, time
from joblib.externals.loky.backend.resource_tracker import _resource_tracker as tracker
from nettrial.core.processes import start_tracker
start_tracker()
tracker.register("kept", "file")
signal.signal(signal.SIGHUP, lambda *_: None)
os.killpg(0, signal.SIGHUP)
time.sleep(0.5)
tracker.unregister("kept", "file")  # told to standard error where it is another process by now
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_what_clears_away_after_workers_outlives_the_terminal() -> None:
    found = subprocess.run(
        [sys.executable, "-c", TRACKER],
        capture_output=True,
        text=True,
        timeout=100,
        start_new_session=True,
    )
    assert (found.returncode, found.stderr) == (0, "")


class Interrupted(Guess):
    """Works while the user presses Ctrl-C."""

    def act(self) -> None:
        signal.raise_signal(signal.SIGINT)


class EndingEarly(Guess):
    """Takes Ctrl-C for the end of its training, as many loops over epochs do."""

    def act(self) -> None:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("interrupted", [Interrupted, EndingEarly])
def test_a_signal_interrupts_and_a_model_that_raises_the_same_fails(
    tmp_path: Path, interrupted: type[Guess]
) -> None:
    network = nettrial.latent_group_network(40, seed=3)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        store = tmp_path / "raised"
        with pytest.raises(IncompleteStudyError, match=r"model 'bad' failed.* KeyboardInterrupt"):
            run(network, {"good": Guess(), "bad": Dangerous("interrupt")}, splits, store=store)
        assert (study_status(store).done, study_status(store).failed) == (2, 2)
        store = tmp_path / "signaled"
        with pytest.raises(KeyboardInterrupt):
            run(network, {"good": Guess(), "bad": interrupted()}, splits, store=store)
        assert (study_status(store).done, study_status(store).failed) == (2, 0)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize(("jobs", "send"), [("1", os.kill), ("2", os.kill), ("2", os.killpg)])
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
def test_a_signal_ends_all_processes_and_keeps_the_work(
    tmp_path: Path, name: str, code: int, jobs: str, send: Callable[[int, int], None]
) -> None:
    store, log, temporary = tmp_path / "study.nettrial", tmp_path / "log", tmp_path / "tmp"
    temporary.mkdir()
    words = [*COMPARE[:-1], "40", "--a", "dangerous_models:Slow", "--b", "dangerous_models:AsSlow"]
    words += ["--store", str(store), "--jobs", jobs, "--json"]
    settings = environment(
        NETTRIAL_TEST_LOG=str(log), TMPDIR=str(temporary), JOBLIB_TEMP_FOLDER=str(temporary)
    )
    shared = [Path("/dev/shm")]  # noqa: S108 - only looked at
    process = subprocess.Popen(
        [sys.executable, "-c", HEARD + MAIN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=settings,
        start_new_session=True,
    )
    deadline = time.monotonic() + 90
    while not log.exists() or len(log.read_text().splitlines()) < 8:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    below = family(process.pid)
    send(process.pid, getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert out == ""
    how = "interrupted" if name == "SIGINT" else f"ended by {name}"
    said = json.loads(err.splitlines()[-1])["message"] if err.splitlines()[-1][:1] == "{" else err
    assert said.strip().endswith(
        f"{how}; what is finished is kept, and the same command goes on from there"
    )
    assert "Traceback" not in err
    for _ in range(100):
        if not any(map(lives, below)):
            break
        time.sleep(0.1)
    assert not [pid for pid in below if lives(pid)]
    status = study_status(store)
    assert 0 < status.done < 80
    assert status.running == 0
    assert left_in([temporary]) == set()
    assert not [path for path in left_in(shared) if f"_{process.pid}_" in path]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "study.nettrial", "tmp"]


# what goes where ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_model_prints_is_not_in_the_output(jobs: str) -> None:
    words = ["--a", "dangerous_models:Printing", "--b", "prior", "--json", "--jobs", jobs]
    found = nettrial_command(*COMPARE, *words)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["a"] == "print"
    assert "chatter of Python" in found.stderr
    assert "chatter of a library" in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("reader", ["true", "head -1"])
@pytest.mark.parametrize("words", ["--help", "compare --help", "compare --example --splits 3"])
def test_a_reader_that_stops_is_no_error(words: str, reader: str) -> None:
    line = f"set -o pipefail; '{sys.executable}' -c '{MAIN}' {words} | {reader}"
    found = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env=environment(), timeout=100
    )
    assert (found.returncode, said(found)) == (0, "")


FULL = Path("/dev/full")


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["", "--help", "--version", "compare --help", "split --help"])
def test_an_output_that_is_full_is_told_in_one_line(words: str) -> None:
    with FULL.open("w") as full:
        found = subprocess.run(
            [sys.executable, "-c", MAIN, *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=100,
        )
    assert found.returncode == 2
    assert found.stderr == "nettrial: the output cannot be written (No space left on device)\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", ["1", "012"])
def test_streams_that_are_closed_from_the_start_do_no_harm(tmp_path: Path, closed: str) -> None:
    network = tmp_path / "links.csv"
    network.write_text("source,target\na,b\nb,c\n")
    redirected = " ".join(f"{n}{'<' if n == '0' else '>'}&-" for n in closed)
    shell = f"'{sys.executable}' -c '{MAIN}' info links.csv {redirected}; echo $? > code"
    found = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, env=environment()
    )
    lost = "1" in closed
    assert (tmp_path / "code").read_text() == f"{2 * lost}\n"
    assert bool(found.stdout) != lost
    note = "nettrial: the output cannot be written (Bad file descriptor)\n"
    assert found.stderr == (note if lost and "2" not in closed else "")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_what_is_asked_for_is_written_also_where_nobody_listens(tmp_path: Path) -> None:
    words = " ".join([*COMPARE, "--jobs", "2", "--report", "page.html", "--store", "study"])
    shell = f"'{sys.executable}' -c '{MAIN}' {words} 0<&- 1>&- 2>&-"
    assert subprocess.run(["sh", "-c", shell], cwd=tmp_path, env=environment()).returncode == 2
    assert "</html>" in (tmp_path / "page.html").read_text()
    assert study_status(tmp_path / "study").done == 6


LONG = "x" * 300


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["compare", LONG],
        ["compare", "--example", "--store", LONG],
        ["compare", "--example", "--report", f"{LONG}.html"],
        ["split", "LINKS", "--out", f"{LONG}.npz"],
        ["convert", "LINKS", f"{LONG}.npz"],
        ["export", LONG, "x.csv"],
        ["report", LONG],
        ["status", LONG],
        ["experiment", "icdm09-fig1a", "--trials", "1", "--out", LONG],
        ["leaderboard", LONG],
        ["test", LONG],
    ],
    ids=" ".join,
)
def test_a_name_that_is_too_long_is_refused_in_one_line(tmp_path: Path, words: list[str]) -> None:
    links = tmp_path / "links.csv"
    links.write_text("source,target\na,b\nb,c\n")
    found = nettrial_command(*(str(links) if w == "LINKS" else w for w in words), cwd=tmp_path)
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1, found.stderr
    assert found.stderr.startswith("nettrial")


OUT_OF_MEMORY = """
import sys
import nettrial.comparison.stored_runs as stored
def fail(path): raise {}
stored.stored_comparison = fail
from nettrial.cli import main
main(["report", "x"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "note"),
    [
        ("MemoryError('Unable to allocate 75 GiB')", "not enough memory (Unable to allocate 75"),
        ("OSError(30, 'Read-only file system', 'out.csv')", "out.csv: Read-only file system"),
        ("SystemExit(0)", "asked to end the program (sys.exit(0))"),
    ],
)
def test_the_last_handler_says_it_in_one_line(error: str, note: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", OUT_OF_MEMORY.format(error)],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=100,
    )
    assert found.returncode == 2
    assert note in found.stderr
    assert found.stderr.count("\n") == 1
