"""Networks drawn: where nodes stand, what they are drawn as, and the page on a network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nettrial
from comparison_factory import make_comparison
from nettrial.cli import main
from nettrial.network.communities import communities
from nettrial.report import drawing, html
from nettrial.report.describe import describe
from nettrial.report.drawing import NetworkDisplay, arranged


@pytest.mark.parametrize("seed", range(5))
def test_communities_do_not_overlap_and_nodes_stand_in_them(seed: int) -> None:
    network = nettrial.latent_group_network(120 + 60 * seed, seed=seed)
    codes = communities(network)
    picture = arranged(network, codes)
    gaps = np.linalg.norm(picture.centers[:, None] - picture.centers, axis=2)
    np.fill_diagonal(gaps, np.inf)
    assert (gaps >= picture.radii[:, None] + picture.radii).all()
    assert picture.nodes is not None
    off = np.linalg.norm(picture.nodes - picture.centers[picture.group], axis=1)
    assert (off <= picture.radii[picture.group]).all()
    assert np.unique(np.round(picture.nodes, 9), axis=0).shape[0] == network.n_nodes
    for circle in range(picture.radii.size):  # a circle is a community
        assert np.unique(codes[picture.group == circle]).size == 1


def test_linked_nodes_stand_nearer_than_others_of_their_community() -> None:
    ring = np.arange(40)
    network = nettrial.Network(ring, (ring + 1) % 40, n_nodes=40)
    place = arranged(network, np.zeros(40, dtype=np.int32)).nodes
    assert place is not None
    far = np.linalg.norm(place[:, None] - place, axis=2)
    linked = far[ring, (ring + 1) % 40].mean()
    assert linked < 0.5 * far[~np.eye(40, dtype=bool)].mean()


def test_marks_are_the_errors_of_either_model() -> None:
    found = make_comparison(n_nodes=90, n_communities=7, n_splits=4)
    network = found.predictions.network
    display = NetworkDisplay(network, found.communities, found)
    drawn = display.frame()["drawn_as"].tolist()
    for node in range(network.n_nodes):
        wrong = [0, 0]
        for number, split in enumerate(found.predictions.splits):
            for row in np.flatnonzero(split.test == node):
                for side, model in enumerate((found.a, found.b)):
                    guess = found.predictions.probabilities[model][number][row].argmax()
                    wrong[side] += int(guess != network.labels[node])
        if wrong[0] == wrong[1]:
            expected = "both err" if wrong[0] else "neither errs, or not tested"
        else:
            expected = f"{found.a if wrong[0] > wrong[1] else found.b} errs more often"
        assert drawn[node] == expected
    assert f"{drawn.count('both err'):,} both err" in display.alt()


def test_large_networks_are_drawn_by_communities(monkeypatch: pytest.MonkeyPatch) -> None:
    network = nettrial.latent_group_network(200, seed=1)
    codes = communities(network)
    monkeypatch.setattr(drawing, "MOST_NODES", 100)
    display = NetworkDisplay(network, codes)
    ax = display.plot()
    angles: dict[tuple[float, float], float] = {}
    for wedge in ax.patches:
        angles[wedge.center] = angles.get(wedge.center, 0.0) + wedge.theta2 - wedge.theta1
    assert len(angles) == np.unique(codes).size
    assert list(angles.values()) == pytest.approx([360] * len(angles))
    assert "in parts" in drawing.caption(display)


def test_the_page_on_a_network_holds_its_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,a\nd,e\n")
    (tmp_path / "nodes.csv").write_text("node,label\na,x\nb,x\nc,y\nd,y\ne,y\nf,\n")
    page = tmp_path / "page.html"
    with pytest.raises(SystemExit) as end:
        main(["info", str(tmp_path), "--report", str(page)])
    assert end.value.code == 0
    assert "report written" in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 3  # the network, and degrees for a desk and a phone
    network = nettrial.read(tmp_path)
    tables = {table.title: table for table in describe(network).blocks if hasattr(table, "rows")}
    mixing = [[cell.text for cell in row.cells] for row in tables["Links between classes"].rows]
    assert mixing == [["y", "50.0%", "50.0%"], ["x", "50.0%", "50.0%"]]
    sizes = [row.cells[1].value for row in tables["Components"].rows]
    assert sizes == [3, 2, 1]
    assert "1 node without label and 1 node without links" in text
    assert html.render(describe(network)) == html.render(describe(nettrial.read(tmp_path)))
