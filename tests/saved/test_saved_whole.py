"""What is written is whole or not there, and no flipped bit in it goes unnoticed."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import nettrial
from nettrial.core import atomic
from nettrial.core.atomic import own_folder, whole_file, whole_folder
from nettrial.core.errors import InputError
from nettrial.core.processes import machine
from nettrial.io.folder import open_folder, write_folder
from nettrial.io.write import write
from nettrial.metrics._drawing import save_picture
from nettrial.network.network import Network
from nettrial.report import write_paper
from nettrial.report.describe import describe
from nettrial.splits import NetworkCrossValidation, Split
from nettrial.splits.files import read_splits, write_splits


@pytest.fixture
def network() -> Network:
    made = nettrial.latent_group_network(12, seed=3)
    source, target = made.simple_links()
    return Network(
        source,
        target,
        n_nodes=12,
        weight=np.arange(1.0, source.size + 1),
        labels=[None if i == 3 else made.classes[c] for i, c in enumerate(made.labels)],
        ids=[f"n{i}" for i in range(12)],
        attributes={"place": list("abcabcabcabc")},
        features=sp.csr_array(np.eye(12)[:, :3]),
    )


@pytest.fixture
def splits(network: Network) -> list[Split]:
    return NetworkCrossValidation(n_splits=3, labeled=0.3, seed=1).split_network(network)


def flipped(file: Path, bits: Iterator[int] | range) -> Iterator[int]:
    """Write the file with one bit flipped, for each bit in turn."""
    data = bytearray(file.read_bytes())
    for bit in bits:
        data[bit // 8] ^= 1 << bit % 8
        file.write_bytes(data)
        yield bit
        data[bit // 8] ^= 1 << bit % 8
    file.write_bytes(data)


def no_silent_change(file: Path, look: Callable[[], Any], step: int = 1) -> int:
    """Count the flipped bits that are refused; all others must change nothing."""
    expected, refused = look(), 0
    for bit in flipped(file, range(0, 8 * file.stat().st_size, step)):
        try:
            found = look()
        except InputError:
            refused += 1
            continue
        assert found == expected, f"bit {bit} of {file.name}"
    return refused


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "format", "step"),
    [("s.csv", None, 29), ("s.json", None, 19), ("s.npz", None, 61), ("s.npz", "masks", 41)],
)
@pytest.mark.parametrize("validation", [0.0, 0.4])
def test_no_flipped_bit_changes_splits(
    network: Network,
    splits: list[Split],
    tmp_path: Path,
    name: str,
    format: str | None,
    step: int,
    validation: float,
) -> None:
    file = tmp_path / name
    write_splits(network, splits, file, format=format, validation=validation)

    def look() -> list[bytes]:
        found = read_splits(file, network)
        return [part.tobytes() for s in found for part in (s.train, s.inference, s.test)]

    assert no_silent_change(file, look, step) > 0


def facts(network: Network) -> tuple[Any, ...]:
    columns = {name: values.tolist() for name, values in network.attributes.items()}
    return network.fingerprint(), columns, network.directed, network.tally.self_loops


@pytest.mark.slow
def test_no_flipped_bit_changes_a_saved_network(network: Network, tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    write(network, file)
    assert no_silent_change(file, lambda: facts(nettrial.read(file)), 97) > 0


@pytest.mark.slow
def test_no_flipped_bit_changes_a_saved_folder(network: Network, tmp_path: Path) -> None:
    folder = tmp_path / "net.nettrial-graph"
    write_folder(network, folder)
    for file in sorted(folder.iterdir()):
        assert no_silent_change(file, lambda: facts(open_folder(folder)), 37) > 0


@pytest.mark.parametrize("name", ["nodes.csv", "meta.json", "network.npz"])
def test_splits_replace_splits_and_nothing_else(
    network: Network, splits: list[Split], tmp_path: Path, name: str
) -> None:
    write(network, tmp_path / "network.npz")
    write(network, tmp_path / "net")
    for file in ("nodes.csv", "meta.json"):
        (tmp_path / "net" / file).rename(tmp_path / file)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(InputError, match="holds no splits of this network; name another file"):
        write_splits(network, splits, tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    (tmp_path / name).unlink()
    for some in (splits[:1], splits):
        write_splits(network, some, tmp_path / name)
    assert len(read_splits(tmp_path / name, network)) == len(splits)


def test_splits_of_other_programs_need_no_checksum(
    network: Network, splits: list[Split], tmp_path: Path
) -> None:
    file = tmp_path / "s.json"
    write_splits(network, splits, file)
    found = json.loads(file.read_text())
    del found["digest"]
    file.write_text(json.dumps(found))
    assert len(read_splits(file, network)) == len(splits)


def test_a_node_that_is_both_inferred_and_trained_on_is_refused(
    network: Network, splits: list[Split], tmp_path: Path, words
) -> None:
    file = tmp_path / "s.csv"
    write_splits(network, splits, file)
    node = network.ids[splits[0].train[0]]
    file.write_text(file.read_text() + f"0,{node},inference\n")
    with words.raises(InputError):
        read_splits(file, network)


# whole or not at all -----------------------------------------------------------------------------


def test_a_draft_takes_its_place_only_when_all_went_well(tmp_path: Path, words) -> None:
    file = tmp_path / "a.txt"

    def fail() -> None:
        with whole_file(file) as draft:
            draft.write_text("half")
            assert not file.exists()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []
    for text in ("one", "two"):
        with whole_file(file) as draft:
            draft.write_text(text)
        assert file.read_text() == text
    file.chmod(0o640)
    with whole_file(file) as draft:
        draft.write_text("three")
    assert file.stat().st_mode & 0o777 == 0o640
    with words.raises(InputError), whole_file(file, replace=False):
        pass
    with words.raises(InputError), whole_file(os.devnull):
        pass
    with whole_folder(tmp_path / "f") as draft:
        (draft / "x").write_text("x")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a.txt", "f"]


def test_links_are_followed_and_stay(tmp_path: Path) -> None:
    (tmp_path / "to").write_text("old")
    (tmp_path / "link").symlink_to("to")
    with whole_file(tmp_path / "link") as draft:
        draft.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "to").read_text() == "new"


KILLED = """
import os, sys
from pathlib import Path
from nettrial.core.atomic import whole_file
with whole_file(sys.argv[1]) as draft:
    draft.write_text("half")
    os.kill(os.getpid(), 9)
"""


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False)
    left = list(tmp_path.iterdir())
    assert len(left) == 1
    assert left[0].name.startswith(".nettrial-")
    other = tmp_path / left[0].name.replace("-", "-f", 1)  # of another machine, just begun
    other = other.with_name(".nettrial-00000000-1-2-abc")
    other.mkdir()
    with own_folder(tmp_path) as mine, own_folder(tmp_path):
        assert sorted(tmp_path.iterdir()) == sorted(
            path for path in tmp_path.iterdir() if path != left[0]
        )
        assert mine.exists()
        assert other.exists()
    os.utime(other, (0, 0))
    with own_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
    assert machine()


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from nettrial.cli import main
main(sys.argv[2:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s.npz", "s.csv", "s.csv.gz", "s.json"])
def test_a_full_disk_leaves_no_cut_splits(tmp_path: Path, name: str) -> None:
    pytest.importorskip("resource")
    folder = tmp_path / "net"
    write(nettrial.latent_group_network(300, seed=1), folder)
    out = tmp_path / "out"
    out.mkdir()
    found = subprocess.run(
        [sys.executable, "-c", LIMITED, "2000", "split", str(folder), "--out", str(out / name)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert found.returncode == 2, found.stderr
    assert "cannot be written (File too large)" in found.stderr
    assert "Traceback" not in found.stderr
    assert list(out.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words
) -> None:
    found = nettrial.compare_grouped([1, 0, 1, 1], [0, 0, 1, 1], list("ppqr"))
    curve = nettrial.metrics.roc_curve([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3])
    picture = describe(found).figure().display
    outputs = {
        "page.html": found.to_html, "figure.svg": picture.save,
        "paper": lambda path: write_paper(found, path),
        "roc.png": lambda path: save_picture(curve.plot(), path),
    }  # fmt: skip

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic, "_sync", full)
    for name, write_to in outputs.items():
        place = tmp_path / name
        if place.suffix:
            place.write_text("before")
        with words.raises(InputError):
            write_to(place)
        assert not place.suffix or place.read_text() == "before"
    left = sorted(file.name for file in tmp_path.rglob("*"))
    assert left == sorted(outputs.keys() - {"paper"})


def test_a_picture_that_does_not_fit_on_the_disk_is_told_and_leaves_nothing(
    tmp_path: Path, words
) -> None:
    resource = pytest.importorskip("resource")
    found = nettrial.compare_grouped([1, 0, 1, 1], [0, 0, 1, 1], list("ppqr"))
    picture = describe(found).figure().display
    curve = nettrial.metrics.roc_curve([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, before[1]))
    try:
        for write_to in (
            lambda: picture.save(tmp_path / "figure.pdf"),
            lambda: write_paper(found, tmp_path / "paper"),
            lambda: save_picture(curve.plot(), tmp_path / "roc.pdf"),
        ):
            with words.raises(InputError):
                write_to()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
