"""Every kind of file that is read, made from two known networks, and what is refused instead.

The table, `kind`, is in `file_kinds.py` and `file_formats.py`: what a kind is called, the case of
it in the folder of cases, where there is one, and the function that writes it. Each is written
from two random networks, and every node, link, weight and class must come back. That a format is
what other programs take it for is held in the tests of the formats, against networkx, scipy,
pandas, rdata, igraph, OGB and PyTorch Geometric. Predictions, splits and published tables have
their forms in `test_saved_forms.py`, `test_splits_given.py` and `test_leaderboard_forms.py`.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from conftest import SHARED
from file_kinds import N, Truth, all_kinds
from nettrial.core.errors import InputError, ReadWarning
from nettrial.io import read
from nettrial.io.guards import read_head
from nettrial.io.registry import BY_NAME, recognize
from nettrial.network.network import Network

CASES = SHARED / "cases" / "files"
SEEDS = (1, 2)
kind = all_kinds()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", kind.writers)
def test_every_kind_comes_back_whole(tmp_path: Path, name: str, seed: int) -> None:
    truth = Truth(seed)
    made = kind.writers[name](truth, tmp_path)
    if isinstance(made.place, Network):
        network = made.place
    elif made.note:
        with pytest.warns(ReadWarning, match=made.note):
            network = read(made.place, **made.options)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # pyarrow 14 to pandas 2.2, about what they do with each other
            warnings.filterwarnings("ignore", "Passing a BlockManager", DeprecationWarning)
            network = read(made.place, **made.options)
    place = {str(name): k for k, name in enumerate(network.ids.tolist())}
    order = [place[str(name)] for name in made.names]
    assert len(place) == N
    graph = truth.directed if made.directed else truth.graph
    want = nx.to_numpy_array(graph, nodelist=range(N), weight="weight" if made.weight else None)
    np.testing.assert_array_equal(network.adjacency("out").toarray()[np.ix_(order, order)], want)
    assert network.directed == made.directed
    labels = [network.labels[k] for k in order]
    found = [None if c < 0 else network.classes[c] for c in labels]
    assert found == (list(made.classes) if made.classes is not None else [None] * N)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", kind.refused)
def test_what_is_refused_says_why(tmp_path: Path, name: str, seed: int) -> None:
    message, writer = kind.refused[name]
    place = writer(Truth(seed), tmp_path)
    with pytest.raises(InputError, match=message):
        read(place)


@pytest.mark.skipif(not CASES.is_dir(), reason=f"needs {CASES}")
def test_every_case_has_a_kind() -> None:
    tables = {  # in published/test_leaderboard_forms.py
        "leaderboard_corner_dataset", "leaderboard_mae", "leaderboard_models_in_rows",
        "tables_in_readme",
    }  # fmt: skip
    roles = {"twomode_as_class", "wrong_labels_suggested"}  # in test_folder_roles.py
    assert {*kind.cases, *tables, *roles} == {folder.name for folder in CASES.iterdir()}


def test_every_format_has_a_kind(tmp_path: Path) -> None:
    found = set()
    for k, writer in enumerate(kind.writers.values()):
        folder = tmp_path / str(k)
        folder.mkdir()
        try:
            writer(Truth(1), folder)
        except pytest.skip.Exception:
            pytest.skip("an extra is not installed")
        for file in folder.rglob("*"):
            if file.is_file():
                chosen = recognize(file, read_head(file))
                found.add(chosen.name if chosen else "")
    assert set(BY_NAME) <= found
