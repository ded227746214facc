"""Real files of every format, cut off after every 1,000th byte: read, or refused in one line.

Files of up to `SMALL` bytes are cut in every run, the larger ones with ``--full``, which takes
half an hour: ``pytest -n 0 --full --junit-xml cuts.xml tests/io/test_cut_originals.py`` leaves the
number of cuts and the longest time of each network in ``cuts.xml``.
"""

from __future__ import annotations

import re
import resource
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from test_io_original import NAMES, OPTIONS

from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read, read_with_report
from nettrial.network.network import Network

STEP = 1000
SMALL = 40_000
SECONDS = 5  # of the processor, which a busy machine does not change; most need 0.1
MEMORY = 4 * 2**20  # of the whole process, in KB
NETKIT = ("cora_linqs", "glasgow_w2", "imdb_movies_gds", "polbooks", "webkb_cornell_linqs")
FOLDERS = [
    *(f"original/{name}" for name in NAMES if isinstance(name, str)),
    "original/email_eu_core/crlf_variant",
    *(f"netkit_converted/{name}" for name in NETKIT),
]


def is_text(file: Path) -> bool:
    try:
        return "\0" not in file.read_text("utf-8")
    except UnicodeDecodeError:
        return False


def copied(source: Path, folder: Path) -> tuple[dict[str, Any], list[Path]]:
    """Copy the files that a network is read from; give what reads the copies, and their paths."""
    options = dict(OPTIONS.get(source.name, {})) if source.parent.name == "original" else {}
    if not source.is_dir():
        source = source.with_name("karate")
    path = source / options.pop("file", "")
    nodes = [source / file for file in options.pop("nodes", [])]
    _, report = read_with_report(path, nodes=nodes or None, **options)
    for file in report.files:
        shutil.copyfile(file, folder / Path(file).name)
    options["path"] = folder / path.name if path != source else folder
    options["nodes"] = [folder / node.name for node in nodes] or None
    return options, sorted({folder / Path(file).name for file in report.files})


def outcome(file: Path, options: dict[str, Any], text: bool) -> str:
    """Read a network of which one file is cut off; return what is wrong with the outcome."""
    try:
        with warnings.catch_warnings():
            # where a node table is cut off, links to its other nodes dangle
            warnings.simplefilter("ignore", ReadWarning)
            found: object = read(**options, drop_dangling=True)
    except InputError as error:
        found = str(error)
    except Exception as error:  # noqa: BLE001 # all kinds are collected
        return repr(error)
    if isinstance(found, Network):
        return ""
    line = ", line \\d+" if text else "(, line 1)?"  # an empty file may be of either kind
    if "as labels in node order they do not fit" in str(found):
        line = ""  # what is missing has no line
    place = f"{re.escape(str(file))}({line}: |: label: )"  # the choice of a column has no line
    sound = re.match(place, str(found)) is not None and "\n" not in str(found)
    return "" if sound else str(found)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("place", FOLDERS)
def test_cut_originals(
    data: Path, tmp_path: Path, place: str, full: bool, request: pytest.FixtureRequest
) -> None:
    options, files = copied(data / place, tmp_path)
    assert read(**options).n_nodes > 0
    wrong: dict[str, str] = {}
    cuts, longest = 0, 0.0
    for file in files:
        whole, text = file.read_bytes(), is_text(file)
        if len(whole) > SMALL and not full:
            continue
        for end in range(0, len(whole), STEP):
            file.write_bytes(whole[:end])
            start = time.process_time()
            message = outcome(file, options, text and end > 0)
            longest = max(longest, time.process_time() - start)
            cuts += 1
            if message:
                wrong.setdefault(re.sub(r"\d+", "0", message), f"{file.name} at {end}: {message}")
        file.write_bytes(whole)
    request.node.user_properties += [("cuts", cuts), ("longest", f"{longest:.2f}")]
    assert not wrong, "\n".join(wrong.values())
    assert longest < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MEMORY
