"""Every file format that can be read: how its content is recognized and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import (
    adjacencycsv,
    adjlist,
    dglcsv,
    dimacs,
    edgelist,
    excel,
    excel_file,
    geomgcn,
    gexf,
    gml,
    graph6,
    graphml,
    graphsage,
    json_records,
    jsongraph,
    konect,
    linqs,
    linqs_tab,
    matlab,
    matrixmarket,
    metis,
    neo4j,
    netkit,
    npz,
    ogb,
    pajek,
    planetoid,
    rfiles,
    scipy_npz,
    sif,
    sociopatterns,
    tudataset,
    ucinet,
    ucinet_file,
)
from .build import Found


@dataclass(frozen=True, slots=True)
class Request:
    """What to read: the file, node tables beside it, and which network where it holds several.

    `columns` and `header` say of a table which columns have which role, and whether the first
    row names them, `two_modes` that its links join two kinds of nodes, `kept` which texts are
    values although they look missing.
    """

    path: Path
    nodes: tuple[Path, ...] = ()
    member: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    header: bool | None = None
    two_modes: bool = False
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes
    ----------
    name : str
        What users call it with ``format=``.
    recognize : callable
        Whether a file is of the format, from its path and its first bytes, decompressed.
    read : callable
        Reads the file.
    takes_nodes : bool
        Whether node tables can be given beside the file.
    takes_columns : bool
        Whether roles of columns and a header can be given.
    members : bool
        Whether a file can hold several networks, of which ``file#name`` chooses one.
    anchor : callable
        What files of one network have in common.
    """

    name: str
    recognize: Callable[[Path, bytes], bool]
    read: Callable[[Request], Found]
    takes_nodes: bool = False
    takes_columns: bool = False
    members: bool = False
    anchor: Callable[[Path], str] = str


FORMATS: tuple[Format, ...] = (
    Format("excel", lambda path, head: excel_file.is_excel(head, path),
           lambda r: excel.read_excel(r.path, r.nodes, r.member, r.columns, r.header),
           takes_nodes=True, takes_columns=True, members=True),
    Format("scipy-npz", lambda path, head: scipy_npz.is_scipy_npz(head, path),
           lambda r: scipy_npz.read_scipy_npz(r.path, r.nodes), takes_nodes=True),
    Format("npz", lambda path, head: npz.is_npz(head, path), lambda r: npz.read_npz(r.path)),
    Format("r", lambda _, head: rfiles.is_r(head),
           lambda r: rfiles.read_r(r.path, r.nodes, r.member), takes_nodes=True, members=True),
    Format("matlab", lambda _, head: matlab.is_matlab(head), lambda r: matlab.read_matlab(r.path)),
    Format("planetoid", planetoid.is_planetoid, lambda r: planetoid.read_planetoid(r.path),
           anchor=planetoid.stem),
    Format("graphml", lambda _, head: graphml.is_graphml(head),
           lambda r: graphml.read_graphml(r.path)),
    Format("gexf", lambda _, head: gexf.is_gexf(head), lambda r: gexf.read_gexf(r.path)),
    Format("gml", lambda _, head: gml.is_gml(head), lambda r: gml.read_gml(r.path)),
    Format("graphsage", graphsage.is_graphsage, lambda r: graphsage.read_graphsage(r.path)),
    Format("json", lambda _, head: jsongraph.is_json(head) and not json_records.is_records(head),
           lambda r: jsongraph.read_json(r.path)),
    Format("matrixmarket", lambda _, head: matrixmarket.is_matrix_market(head),
           lambda r: matrixmarket.read_matrix_market(r.path, r.nodes), takes_nodes=True),
    Format("netkit", lambda _, head: netkit.is_schema(head),
           lambda r: netkit.read_netkit(r.path)),
    Format("netkit-adj", lambda _, head: netkit.is_adjacency(head),
           lambda r: netkit.read_adjacency(r.path, r.nodes), takes_nodes=True),
    Format("pajek", lambda _, head: pajek.is_pajek(head),
           lambda r: pajek.read_pajek(r.path, r.nodes, r.member), takes_nodes=True, members=True),
    Format("ucinet", lambda _, head: ucinet_file.is_dl(head),
           lambda r: ucinet.read_dl(r.path, r.nodes, r.member), takes_nodes=True, members=True),
    Format("konect", lambda _, head: konect.is_konect(head), lambda r: konect.read_konect(r.path)),
    Format("ogb", ogb.is_ogb, lambda r: ogb.read_ogb(r.path), anchor=lambda _: ""),
    Format("tudataset", tudataset.is_tudataset,
           lambda r: tudataset.read_tudataset(r.path, r.member), members=True,
           anchor=tudataset.stem),
    Format("sociopatterns", lambda _, head: sociopatterns.is_contacts(head),
           lambda r: sociopatterns.read_contacts(r.path, r.nodes), takes_nodes=True),
    Format("dimacs", lambda _, head: dimacs.is_dimacs(head),
           lambda r: dimacs.read_dimacs(r.path, r.nodes), takes_nodes=True),
    Format("metis", metis.is_metis, lambda r: metis.read_metis(r.path, r.nodes),
           takes_nodes=True),
    Format("graph6", graph6.is_graph6, lambda r: graph6.read_graph6(r.path, r.nodes, r.member),
           takes_nodes=True, members=True),
    Format("sif", sif.is_sif, lambda r: sif.read_sif(r.path, r.nodes, r.member),
           takes_nodes=True, members=True),
    Format("adjlist", adjlist.is_adjlist, lambda r: adjlist.read_adjlist(r.path, r.nodes),
           takes_nodes=True),
    Format("dgl-csv", dglcsv.is_dgl, lambda r: dglcsv.read_dgl(r.path), anchor=lambda _: ""),
    Format("neo4j", lambda _, head: neo4j.is_neo4j(head),
           lambda r: neo4j.read_neo4j(r.path, r.nodes, r.member), takes_nodes=True, members=True,
           anchor=lambda _: ""),
    Format("linqs", lambda path, _: linqs.is_linqs(path), lambda r: linqs.read_linqs(r.path),
           anchor=linqs.stem),
    Format("linqs-tab", linqs_tab.is_linqs_tab, lambda r: linqs_tab.read_linqs_tab(r.path),
           anchor=linqs_tab.stem),
    Format("geomgcn", geomgcn.is_geomgcn, lambda r: geomgcn.read_geomgcn(r.path),
           anchor=lambda _: ""),
    Format("adjacency", lambda _, head: adjacencycsv.is_adjacency_table(head),
           lambda r: adjacencycsv.read_adjacency_table(r.path, r.nodes), takes_nodes=True),
    Format("table", edgelist.is_table,
           lambda r: edgelist.read_edge_list(
               r.path, r.nodes, r.columns, r.header, two_modes=r.two_modes, kept=r.kept),
           takes_nodes=True, takes_columns=True),
)  # fmt: skip
BY_NAME = {format.name: format for format in FORMATS}


def recognize(path: Path, head: bytes) -> Format | None:
    """Find the format of a file by its content; None where no format fits."""
    return next((format for format in FORMATS if format.recognize(path, head)), None)
