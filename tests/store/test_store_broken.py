"""Study files that are cut short, damaged, hostile or out of room; processes that are killed."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.comparison.stored_runs import stored_comparison, stored_predictions
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.store import StoredStudy, study_status
from nettrial.store.database import row_digest
from study_files import changing
from study_models import Guessing
from timeless import timeless

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(60, seed=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "study.nettrial"


def compare(network: Network, store: Path) -> None:
    nettrial.compare(
        network, Guessing("a"), "wvrn", n_splits=4, seed=5, test="cluster_robust_t", store=store
    )


@pytest.mark.slow
def test_kill_9_loses_nothing_and_repeats_nothing() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    found = subprocess.run(
        [sys.executable, str(BENCHMARKS / "crash_loop.py"), "--kills", "5"],
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert found.returncode == 0, found.stderr
    assert "nothing lost" in found.stdout


@pytest.fixture
def finished(network: Network, file: Path) -> Path:
    compare(network, file)
    return file


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99])
def test_a_file_cut_short_is_refused_and_kept(
    network: Network, finished: Path, share: float
) -> None:
    data = finished.read_bytes()
    finished.write_bytes(data[: int(share * len(data))])
    before = finished.read_bytes()
    with pytest.raises(InputError, match=r"cut short|is empty|no study file"):
        compare(network, finished)
    assert finished.read_bytes() == before
    with pytest.raises(InputError):
        study_status(finished)


def test_other_files_are_refused_and_kept(network: Network, tmp_path: Path, words) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are my notes\n" * 200)
    other = tmp_path / "other.db"
    with changing(other) as made:
        made.execute("CREATE TABLE mine (x)")
    for path, message in (
        (text, "no study file"),
        (other, "another program"),
        (tmp_path, "folder"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(InputError, match=message):
            compare(network, path)
        assert not path.is_file() or path.read_bytes() == before
    with words.raises(InputError):
        compare(network, tmp_path / "no" / "such.nettrial")
    with words.raises(InputError):
        study_status(tmp_path / "nothing.nettrial")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE units SET result = x'789c0300000001'",
        "UPDATE units SET result = substr(result, 1, 20)",
        "UPDATE units SET result = (SELECT data FROM arrays WHERE name = 'network labels')",
        "UPDATE facts SET value = '[' WHERE name = 'models'",
        "DELETE FROM facts WHERE name = 'inputs'",
        "DELETE FROM arrays WHERE name = 'test 1'",
        "UPDATE arrays SET data = (SELECT data FROM arrays WHERE name = 'network indptr') "
         "WHERE name = 'network indices'",
        "UPDATE facts SET value = '{\"no\": 1}' WHERE name = 'analysis'",
        "PRAGMA user_version = 2",
        "PRAGMA user_version = 7",
    ],
)  # fmt: skip
def test_damaged_contents_are_refused(finished: Path, statement: str, words) -> None:
    with changing(finished) as change:
        change.execute(statement)
    change.close()
    seal(finished)
    with words.raises(InputError):
        stored_comparison(finished)


def seal(file: Path) -> None:
    """Put the right digest on every row, as an attacker would."""
    with changing(file) as change:
        for table in ("facts", "arrays", "units"):
            columns = [row[1] for row in change.execute(f"PRAGMA table_info({table})")]
            columns = [name for name in columns if name not in ("owner", "digest")]
            rows = change.execute(f"SELECT rowid, {', '.join(columns)} FROM {table}").fetchall()  # noqa: S608
            change.executemany(
                f"UPDATE {table} SET digest = ? WHERE rowid = ?",  # noqa: S608
                [(row_digest(*row[1:]), row[0]) for row in rows],
            )
    change.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE facts SET value = replace(value, '0.95', '1.95')",
        "UPDATE facts SET value = value || ' ' WHERE name = 'begun'",
        "UPDATE units SET seconds = seconds + 1 WHERE split = 2",
        "UPDATE units SET warnings = '[\"x\"]' WHERE split = 3",
        "UPDATE units SET split = 9 WHERE split = 3",
        "UPDATE units SET result = (SELECT result FROM units WHERE split = 1)",
        "UPDATE arrays SET data = (SELECT data FROM arrays WHERE name = 'test 1') "
         "WHERE name = 'test 2'",
    ],
)  # fmt: skip
def test_a_row_that_was_changed_is_refused(finished: Path, statement: str, words) -> None:
    with changing(finished) as change:
        change.execute(statement)
    change.close()
    with words.raises(InputError):
        stored_comparison(finished)


def contents(file: Path) -> tuple[object, ...]:
    """Read all that a report of a study rests on."""
    study = StoredStudy(file)
    network, splits = study.network(), study.splits()
    wanted = [(unit, (splits[unit.split].test.size, network.n_classes)) for unit in study.units()]
    return (
        network.fingerprint(), network.name, [network.attributes[k].tolist() for k in
                                              network.attributes],
        [part.tobytes() for s in splits for part in (s.train, s.inference, s.test)],
        study.inputs, study.analysis, study.models, study.begun, study.records(), study.warned(),
        [result.tobytes() for result in study.results(wanted)],
    )  # fmt: skip


@pytest.mark.slow
def test_no_flipped_bit_changes_a_result_in_silence(finished: Path) -> None:
    data = bytearray(finished.read_bytes())
    expected = contents(finished)
    rng = np.random.default_rng(1)
    # all bits of the facts, which have no other protection, and some of everything else
    settings = data.index(b'"confidence": 0.95')
    bits = [8 * settings + bit for bit in range(8 * 18)]
    bits += rng.integers(8 * len(data), size=300).tolist()
    refused = 0
    for bit in bits:
        data[bit // 8] ^= 1 << bit % 8
        finished.write_bytes(data)
        try:
            assert contents(finished) == expected, f"bit {bit}"
        except InputError:
            refused += 1
        data[bit // 8] ^= 1 << bit % 8
        for rest in ("-wal", "-shm"):
            finished.with_name(finished.name + rest).unlink(missing_ok=True)
    assert refused >= 8 * 18


def test_no_pickle_is_loaded(finished: Path, words) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, (f"touch {finished}.owned",)

    stream = io.BytesIO()
    np.save(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
    with changing(finished) as change:
        change.execute("UPDATE units SET result = ?", (zlib.compress(stream.getvalue()),))
    change.close()
    seal(finished)
    with words.raises(InputError):
        stored_predictions(finished)
    assert not Path(f"{finished}.owned").exists()


def test_a_result_that_expands_without_end_is_refused(finished: Path, words) -> None:
    with changing(finished) as change:
        change.execute("UPDATE units SET result = ?", (zlib.compress(bytes(2**26)),))
    change.close()
    seal(finished)
    with words.raises(InputError):
        stored_predictions(finished)


@contextlib.contextmanager
def nobody() -> Iterator[None]:
    """Act without root's right to write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions work otherwise there")
@pytest.mark.parametrize("folder_too", [False, True])
def test_a_read_only_file_can_be_read_but_not_worked_on(
    network: Network, finished: Path, folder_too: bool
) -> None:
    with changing(finished) as change:
        change.execute("UPDATE units SET state = 'open', result = NULL WHERE split = 1")
    change.close()
    with tempfile.TemporaryDirectory() as name:  # others may not enter the folder of the test
        folder = Path(name)
        file = folder / "study.nettrial"
        file.write_bytes(finished.read_bytes())
        file.chmod(0o444)
        folder.chmod(0o555 if folder_too else 0o777)
        with nobody():
            assert study_status(file).open == 2
            with pytest.raises(InputError, match="may be read but not written"):
                compare(network, file)
        folder.chmod(0o777)
        assert file.read_bytes() == finished.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="permissions work otherwise there")
@pytest.mark.parametrize("folder_too", [False, True])
def test_a_finished_study_that_is_read_only_can_be_compared_again(
    network: Network, finished: Path, folder_too: bool
) -> None:
    def again(store: Path, **changed: object) -> str:
        options: dict[str, object] = {"n_splits": 4, "seed": 5, "test": "cluster_robust_t"}
        options |= changed
        return timeless(nettrial.compare(network, Guessing("a"), "wvrn", store=store, **options))

    expected = again(finished)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "study.nettrial"
        file.write_bytes(finished.read_bytes())
        file.chmod(0o444)
        folder.chmod(0o555 if folder_too else 0o777)
        try:
            with nobody():
                assert again(file) == expected
                with pytest.raises(InputError, match=r"made with other inputs.*seed was"):
                    again(file, seed=6)
                assert os.listdir(folder) == ["study.nettrial"]
        finally:
            folder.chmod(0o777)
        assert file.read_bytes() == finished.read_bytes()


def test_reading_leaves_nothing_beside_the_file(finished: Path) -> None:
    before = finished.read_bytes()
    stored_comparison(finished)
    study_status(finished)
    assert os.listdir(finished.parent) == [finished.name]
    assert finished.read_bytes() == before


FULL = """
import resource, sys
sys.path.insert(0, sys.argv[1])
import nettrial
from nettrial.core.errors import InputError
from study_files import changing
from study_models import Guessing
network = nettrial.latent_group_network(60, seed=3)
if sys.argv[3] != "0":
    limit = int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    found = nettrial.compare(network, Guessing("a"), Guessing("b"), n_splits=60, seed=5,
                             test="cluster_robust_t", store=sys.argv[2], progress=False)
    print(found.to_json())
except InputError as error:
    sys.exit(f"refused: {error}")
"""


@pytest.mark.slow
def test_where_the_disk_is_full_what_was_finished_is_kept(network: Network, file: Path) -> None:
    pytest.importorskip("resource")

    def call(limit: int) -> subprocess.CompletedProcess[str]:
        arguments = [str(Path(__file__).parents[1]), str(file), str(limit)]
        return subprocess.run(
            [sys.executable, "-c", FULL, *arguments], capture_output=True, text=True, timeout=60
        )

    first = call(150_000)  # bytes that one file may have: room for the inputs and some units
    assert first.returncode == 1
    assert "refused: " in first.stderr
    assert "every unit that was finished before is kept" in first.stderr
    kept = study_status(file).done
    assert 0 < kept < 120
    second = call(0)
    assert second.returncode == 0, second.stderr
    whole = nettrial.compare(
        network, Guessing("a"), Guessing("b"), n_splits=60, seed=5, test="cluster_robust_t"
    )
    assert timeless(second.stdout) == timeless(whole)
