"""Kill, stop, starve and damage studies for up to half an hour, and check that nothing is lost.

    python benchmarks/torture.py                      # everything, about 30 minutes
    python benchmarks/torture.py --kills 10 --bits 200

A study of 80 units (two models on 40 splits) is run by the command line with one or two workers
and one or two writers on the same file. It is ended at random moments by SIGKILL and by SIGTERM and
started again until it is finished, and then checked: every unit that was ever seen as done stays
done, no process and no temporary file is left behind, and the final JSON has the bytes of a run
that was never disturbed. Then disks are full, files are read-only, bits are flipped, models are
dangerous and files are hostile.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import nettrial
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.store import StoredStudy

HERE = Path(__file__).resolve()
TESTS = HERE.parents[1] / "tests"
MAIN = "from nettrial.cli import main; main()"
SPLITS = 40
COMPARE = (
    "compare", "--example", "--test", "clustered_t", "--splits", str(SPLITS), "--json",
    "--a", f"{HERE}:First", "--b", f"{HERE}:Second",
)  # fmt: skip


class First:
    """Guesses from its seed, and takes a twentieth of a second."""

    name = "first"

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> First:
        """Keep the seed."""
        time.sleep(0.05)
        self.seed = seed
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        """Guess."""
        guess = np.random.default_rng(self.seed).random(nodes.size)
        return np.column_stack([guess, 1 - guess])


class Second(First):
    """The same by another name."""

    name = "second"


def start(store: Path | None, jobs: int, folder: Path, limit: int = 0) -> subprocess.Popen[str]:
    """Start the study by the command line; `limit` is the most bytes that a file may have."""
    words = [*COMPARE, "--jobs", str(jobs)] + ([] if store is None else ["--store", str(store)])
    code = MAIN
    if limit:
        code = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({limit}, -1)); {MAIN}"
    settings = os.environ | {"TMPDIR": str(folder), "JOBLIB_TEMP_FOLDER": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=settings,
    )


def done(store: Path) -> set[object]:
    """Return the units that are done."""
    if not store.exists():
        return set()
    return {record.unit for record in StoredStudy(store).records() if record.state == "done"}


def below(pid: int) -> set[int]:
    """Return all processes below one."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found: set[int] = set()
    above = {pid}
    while above:
        above = {child for child, parent in parents.items() if parent in above} - found
        found |= above
    return found


def gone(pids: set[int], seconds: float = 20.0) -> bool:
    """Wait until processes have ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        states = []
        for pid in pids:
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{pid}/stat").read_text()
                states.append(text.rpartition(")")[2].split()[0] not in "ZX")
        if not any(states):
            return True
        time.sleep(0.1)
    return False


def interrupted(
    times: int, number: signal.Signals, jobs: int, writers: int, rng: random.Random, expected: str
) -> str:
    """End a study again and again, and run it to its end; a finished one is begun anew."""
    ended = studies = 0
    while ended < times or studies == 0:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            temporary, store = folder / "tmp", folder / "study.nettrial"
            temporary.mkdir()
            while ended < times and len(done(store)) < 2 * SPLITS - 10:
                before = done(store)
                running = [start(store, jobs, temporary) for _ in range(writers)]
                goal = len(before) + rng.randint(1, 12)
                while len(done(store)) < goal and all(p.poll() is None for p in running):
                    time.sleep(0.05)
                time.sleep(rng.uniform(0, 0.1))
                children = set().union(*(below(process.pid) for process in running))
                for process in running:
                    process.send_signal(number)
                for process in running:
                    _, err = process.communicate(timeout=60)
                    wanted = -9 if number == signal.SIGKILL else 128 + number
                    assert process.returncode in (wanted, 0), (process.returncode, err)
                    assert "Traceback" not in err, err
                assert gone(children), "processes are left behind"
                assert before <= done(store), "finished units were lost"
                ended += writers
            last = start(store, jobs, temporary)
            out, err = last.communicate(timeout=300)
            assert last.returncode == 0, err
            assert out == expected, "the JSON differs"
            left = [path.name for path in temporary.iterdir()]
            assert not left or number == signal.SIGKILL, left
            assert sorted(os.listdir(folder)) == ["study.nettrial", "tmp"], os.listdir(folder)
            studies += 1
    return f"{ended} commands in {studies} studies; nothing lost, nothing left, same JSON"


def full_disk(rng: random.Random, expected: str) -> str:
    """Let files grow to a random size only; then go on without that limit."""
    rounds = 6
    with tempfile.TemporaryDirectory() as name:
        for place in range(rounds):
            store = Path(name, f"{place}.nettrial")
            process = start(store, 1, Path(name), limit=rng.randint(20_000, 250_000))
            out, err = process.communicate(timeout=300)
            assert process.returncode in (0, 2), err
            assert "Traceback" not in err, err
            kept = done(store)
            again = start(store, 1, Path(name))
            out, err = again.communicate(timeout=300)
            assert (again.returncode, out) == (0, expected), err
            assert kept <= done(store)
    return f"{rounds} disks; every finished unit kept, same JSON afterwards"


def flipped_bits(number: int, rng: random.Random) -> str:
    """Flip single bits of a study file; each is refused or changes nothing."""
    sys.path.insert(0, str(TESTS))
    from test_store_broken import contents

    refused = 0
    with tempfile.TemporaryDirectory() as name:
        store = Path(name, "study.nettrial")
        network = nettrial.latent_group_network(60, seed=3)
        nettrial.compare(network, First(), "wvrn", n_splits=4, seed=5, store=store)
        data, expected = bytearray(store.read_bytes()), contents(store)
        for _ in range(number):
            bit = rng.randrange(8 * len(data))
            data[bit // 8] ^= 1 << bit % 8
            store.write_bytes(data)
            try:
                assert contents(store) == expected, f"bit {bit} changes the study in silence"
            except InputError:
                refused += 1
            data[bit // 8] ^= 1 << bit % 8
            for rest in ("-wal", "-shm"):
                store.with_name(store.name + rest).unlink(missing_ok=True)
    return f"{number} bits; {refused} refused, the others change nothing"


def by_tests(*words: str) -> str:
    """Run some of the tests."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *words],
        capture_output=True, text=True, cwd=TESTS.parent, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
    return found.stdout.strip().splitlines()[-1]


def trials(options: argparse.Namespace) -> Iterator[tuple[str, Callable[[], str]]]:
    """Return every part by name, with what runs it."""
    rng = random.Random(options.seed)  # noqa: S311 - no secrets here
    out, err = start(None, 1, Path(tempfile.gettempdir())).communicate(timeout=300)
    assert out, err
    share = max(options.kills // 4, 1)
    for number, times in ((signal.SIGKILL, share), (signal.SIGTERM, max(share // 5, 1))):
        for jobs, writers in ((1, 1), (2, 1), (1, 2), (2, 2)):
            yield (
                f"{number.name}, {jobs} workers, {writers} writers",
                lambda n=number, t=times, j=jobs, w=writers: interrupted(t, n, j, w, rng, out),
            )
    yield "full disk", lambda: full_disk(rng, out)
    yield "flipped bits", lambda: flipped_bits(options.bits, rng)
    yield "read-only", lambda: by_tests("tests/store/test_store_broken.py", "-k", "read_only")
    yield "saved files", lambda: by_tests("tests/saved/test_saved_whole.py")
    yield "dangerous models", lambda: by_tests("tests/study/test_endings.py")
    yield (
        "hostile files",
        lambda: by_tests(*(str(path) for path in TESTS.glob("test_*hostile*.py"))),
    )


def main() -> None:
    """Run all parts and print what was found; a check that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--bits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    first = time.monotonic()
    for what, run in trials(parser.parse_args()):
        begin = time.monotonic()
        print(f"{what}: {run()} ({time.monotonic() - begin:.0f} s)", flush=True)
    print(f"all passed in {(time.monotonic() - first) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
