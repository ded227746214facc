"""Text in other encodings than UTF-8 is read with a word, and binary data is refused."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pandas as pd
import pytest

from hostile import put, refused
from nettrial.io import read_with_report

NODES = "id,label\nMüller,süd\nJosé,nord\nØrsted,nord\n"
LINKS = "source,target\nMüller,José\nJosé,Ørsted\n"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8-sig"])
def test_tables_as_pandas_decodes_them(tmp_path: Path, encoding: str) -> None:
    links = put(tmp_path / "edges.csv", LINKS.encode(encoding))
    nodes = put(tmp_path / "nodes.csv", NODES.encode(encoding))
    network, report = read_with_report(tmp_path)
    want = pd.read_csv(nodes, encoding=encoding)
    assert network.ids.tolist() == want["id"].tolist()
    assert [network.classes[c] for c in network.labels] == want["label"].tolist()
    assert network.n_links == len(pd.read_csv(links, encoding=encoding))
    wording = [note for note in report.notes if "edges.csv" in note]
    word = {"utf-16": "UTF-16", "utf-8-sig": ""}.get(encoding, "Windows-1252 (Latin-1)")
    assert word in "".join(wording)
    assert bool(wording) == (encoding != "utf-8-sig")


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
@pytest.mark.parametrize("ending", ["gml", "net"])
def test_other_formats(tmp_path: Path, encoding: str, ending: str) -> None:
    graph = nx.Graph([("Müller", "José"), ("José", "Ørsted")])
    if ending == "gml":
        for node in graph:
            graph.nodes[node]["name"] = node
        text = "\n".join(nx.generate_gml(nx.convert_node_labels_to_integers(graph)))
        text = text.replace("&#252;", "ü").replace("&#233;", "é").replace("&#216;", "Ø")
    else:
        text = "\n".join(nx.generate_pajek(graph))
    path = put(tmp_path / f"x.{ending}", text.encode(encoding))
    network, report = read_with_report(path)
    assert (network.n_nodes, network.n_links) == (3, 2)
    names = network.attributes["name"] if ending == "gml" else network.ids
    assert list(names) == list(graph)
    assert any(path.name in note for note in report.notes)


@pytest.mark.parametrize(
    "content",
    [
        LINKS.encode("utf-16-le"),  # without its mark
        b"a,b\nb,c\nc,\xe4\x01\n",  # a control character
        b"a,b\nb,\x81\n",  # in no code page
        "имя,друг\nимя,брат\n".encode("koi8-r"),  # not Latin
        LINKS.encode("utf-16")[:-1],  # half a character at the end
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    refused(put(tmp_path / "x.csv", content))


def test_xml_that_declares_latin(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<graphml><graph edgedefault="undirected">'
        '<node id="Müller"/><node id="José"/><edge source="Müller" target="José"/>'
        "</graph></graphml>"
    )
    network, report = read_with_report(put(tmp_path / "x.graphml", text.encode("latin-1")))
    assert network.ids.tolist() == ["Müller", "José"]
    assert any("Windows-1252" in note for note in report.notes)
