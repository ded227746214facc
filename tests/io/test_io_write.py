"""What is written comes back; what a form cannot hold is refused or told."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.io import convert, read, write
from nettrial.network.network import Network

FORMS = {"csv": "folder", "graphml": "x.graphml", "npz": "x.npz"}
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z"]), min_size=1)
settings.register_profile(
    "io",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def networks(draw: Any) -> Network:
    ids = draw(st.lists(TEXT, min_size=1, max_size=8, unique_by=str.casefold))
    n = len(ids)
    node = st.integers(0, n - 1)
    rows = draw(st.lists(st.tuples(node, node, st.floats(1e-9, 1e9)), max_size=15))
    labels = draw(
        st.lists(st.none() | st.sampled_from(["a", "b c", "ü,\"'<&>"]), min_size=n, max_size=n)
    )
    return Network(
        [row[0] for row in rows],
        [row[1] for row in rows],
        n_nodes=n,
        weight=draw(st.sampled_from([None, [row[2] for row in rows]])),
        directed=draw(st.booleans()),
        labels=labels,
        ids=ids,
        attributes={"shade": draw(st.lists(st.none() | st.just("gray"), min_size=n, max_size=n))},
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@settings(settings.get_profile("io"))
@given(network=networks())
def test_networks_come_back(
    tmp_path_factory: pytest.TempPathFactory, form: str, network: Network
) -> None:
    path = tmp_path_factory.mktemp("out") / FORMS[form]
    try:
        report = write(network, path)
    except InputError:
        if form == "npz":
            raise
        # ids that these forms spell like a missing value, a number or in other spaces
        assert not path.exists()
        return
    back = read(path)
    values = [int(i) if isinstance(i, int) else i for i in back.ids.tolist()]
    assert list(map(str, values)) == network.ids.tolist()
    assert np.array_equal(back.adjacency("out").toarray(), network.adjacency("out").toarray())
    assert back.directed == network.directed
    assert back.labels.tolist() == network.labels.tolist()
    assert back.classes == network.classes
    assert back.attributes["shade"].tolist() == network.attributes["shade"].tolist()
    if not any("ids" in note for note in report.notes):
        assert back.fingerprint() == network.fingerprint()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["cora_linqs", "glasgow_w2", "faux_mesa_high", "twitch_PTBR"])
def test_real_networks_come_back(data: Path, tmp_path: Path, form: str, name: str) -> None:
    path = tmp_path / FORMS[form]
    report = convert(data / "neutral" / name, path)
    before, after = read(data / "neutral" / name), read(path)
    assert after.ids.tolist() == (
        before.ids.tolist() if form != "graphml" else list(map(str, before.ids.tolist()))
    )
    assert np.array_equal(after.links.indices, before.links.indices)
    assert np.array_equal(after.labels, before.labels)
    assert list(after.attributes) == list(before.attributes)
    assert report.links == before.n_links
    if form == "npz":
        assert after.fingerprint() == before.fingerprint()
        assert after.classes == before.classes


def test_npz_keeps_everything(tmp_path: Path) -> None:
    labels: list[Hashable] = [True, 2.5, None, "x", 10**20]
    for features in (sp.csr_array(np.eye(5)), np.eye(5, 2, dtype=np.float32)):
        network = Network(
            [0, 1],
            [1, 2],
            n_nodes=5,
            weight=[0.1, 2],
            labels=labels,
            ids=[1, "1", 2.5, None, -1],
            classes=["never", True, 2.5, "x", 10**20],
            features=features,
            attributes={"label": ["a", None, 3, 4.5, "e"]},
        )
        path = tmp_path / f"{type(features).__name__}.npz"
        assert write(network, path).notes == ()
        back = read(path)
        assert back.fingerprint() == network.fingerprint()
        assert back.classes == network.classes
        assert [type(i) for i in back.ids] == [int, str, float, type(None), int]
        assert back.attributes["label"].tolist() == network.attributes["label"].tolist()
        assert sp.issparse(back.features) == sp.issparse(features)


def test_losses_are_told(tmp_path: Path) -> None:
    network = Network(
        [0, 1],
        [1, 2],
        n_nodes=3,
        ids=["1", "2", "3"],
        labels=["7", "8", None],
        classes=["6", "7", "8"],
        features=np.eye(3),
        attributes={"pay": [1.5, None, 2.5]},
    )
    notes = write(network, tmp_path / "folder").notes
    assert notes == (
        "ids: str values come back as int",
        "labels: str values come back as int",
        "classes without nodes are lost: 6",
        "column 'pay': float values come back as str",
        "node features are lost; npz holds them",
    )
    assert write(network, tmp_path / "x.graphml").notes == (
        "classes without nodes are lost: 6",
        "node features are lost; npz holds them",
    )


@pytest.mark.parametrize(
    ("form", "change", "message"),
    [
        ("csv", {"ids": [("a", 1), ("a", 2), "x"]}, None),
        ("csv", {"ids": ["", "b", "c"]}, "csv cannot hold this network: column 'source' is empty"),
        ("graphml", {"labels": ["NA", "b", "b"]}, "labels hold 'NA', which comes back as None"),
        ("csv", {"attributes": {"Node": [1, 2, 3]}}, "the name is taken"),
        ("graphml", {"ids": ["a\0", "b", "c"]}, "graphml cannot hold this network: holds a NUL"),
        ("graphml", {"attributes": {"label": [1, 2, 3]}}, "the name is taken"),
        ("npz", {"ids": [("a", 1), ("a", 2), "x"]}, "npz cannot hold ids of the type str, tuple"),
        ("npz", {"labels": [("a", 1), "b", "b"]}, "npz cannot hold classes of the type str, tuple"),
    ],
)
def test_what_a_form_cannot_hold_is_refused(
    tmp_path: Path, form: str, change: dict[str, Any], message: str | None
) -> None:
    options = {"n_nodes": 3, "labels": ["a", "b", "b"]} | change
    network = Network([0, 1], [1, 2], **options)
    if message is None:
        assert write(network, tmp_path / FORMS[form]).notes == (
            "ids: tuple values come back as str",
        )
        return
    with pytest.raises(InputError, match=message):
        write(network, tmp_path / FORMS[form])
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_or_left_behind(tmp_path: Path, words) -> None:
    network = Network([0], [1], n_nodes=2)
    write(network, tmp_path / "x.npz")
    with words.raises(InputError):
        write(network, tmp_path / "x.npz")
    with words.raises(InputError):
        write(network, tmp_path / "no" / "x.npz")
    with words.raises(InputError):
        write(network, tmp_path / "x.grapml")
    with words.raises(InputError):
        convert(tmp_path / "none.csv", tmp_path / "y.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["x.npz"]


def test_convert_tells_what_was_merged(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\na,b\nb,b\n")
    report = convert(tmp_path / "x.csv", tmp_path / "x.npz")
    assert report.notes == ("1 self loops are left out", "1 repeated rows are merged")
