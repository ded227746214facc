"""What a file holds that is no table, by its first bytes: so that it is never read as one."""

from __future__ import annotations

import re
from pathlib import Path

from ..core.option_names import option
from .guards import fail

UTF16 = (b"\xff\xfe", b"\xfe\xff")
STARTS: tuple[tuple[bytes, str], ...] = (
    (rb"[{\[]", "JSON"),
    (rb"\$FL[23]@", "an SPSS file; pandas.read_spss(FILE).to_csv makes CSV of it"),
    (rb"<stata_dta>", "a Stata file; pandas.read_stata(FILE).to_csv makes CSV of it"),
    (rb"(?i)<\?xml|<!doctype|<[a-z][\w:.-]*[\s>/]", "XML or HTML"),
    (rb">>(graph6|sparse6|digraph6)<<", "graph6 or sparse6"),
    (
        rb"(?s)PK\x03\x04.{26,90}?data\.pkl",
        "a PyTorch file, which can run code; load it yourself, hand its Data to "
        "nettrial.io.from_pyg and the network to nettrial.io.write",
    ),
    (
        rb"\x80[\x02-\x05]",
        "a Python pickle, which can run code; load it yourself and write a table as CSV, a graph "
        "by nettrial.io.from_object and nettrial.io.write",
    ),
    (rb"PK\x03\x04", "a zip archive; if it holds files of links and nodes, unpack it first"),
    (rb"(?s).{257}ustar", "a tar archive; unpack it first"),
    (
        rb"\x28\xb5\x2f\xfd|7z\xbc\xaf|Rar!",
        "a packed file of a kind that is not read; unpack it first",
    ),
    (rb"version https://git-lfs", "a pointer of Git LFS; fetch the file itself with git lfs pull"),
    (rb"%PDF-", "PDF"),
    (
        rb"(?i)(strict\s+)?(di)?graph\b[^\n,;]*\{",
        "a graph of Graphviz (DOT); its own gv2gml makes GML of it: gv2gml FILE > graph.gml",
    ),
    (rb"(?i)graph\s*\[", "GML"),
    (rb"(?i)\*(vertices|network|arcs|edges|partition|vector|matrix)\b", "Pajek"),
    (rb"(?i)dl\s+n\s*=|dl\s*\n", "UCINET DL"),
    (rb"%%MatrixMarket", "Matrix Market"),
    (rb"(c\b[^\n]*\n\s*)*p\s+(edges?|col|sp)\s+\d", "DIMACS"),
    (
        rb"(c\b[^\n]*\n\s*)*p\s+(max|min|asn|cnf)\s+\d",
        "a DIMACS problem of flows or logic, which is no network to classify",
    ),
    (
        rb"#[ \t]*\S+\s*\n(?:[^#\s]+(?:[ \t]+[^#\s]+)?[ \t]*\n)+#[ \t]*\S+[ \t]*\n",
        "LGL, which igraph turns into GML: igraph.Graph.Read_Lgl(FILE).write_gml('graph.gml')",
    ),
    (
        rb"LEDA\.GRAPH",
        "LEDA, which networkx turns into GML: "
        "networkx.write_gml(networkx.read_leda(FILE), 'graph.gml')",
    ),
    (
        rb"ARROW1|FEA1",
        "an Arrow or Feather file; pandas.read_feather(FILE).to_parquet makes Parquet of it",
    ),
    (rb"\xd0\xcf\x11\xe0", "an old Excel or Office file; save it as .xlsx or CSV"),
    (rb"\x89(PNG|HDF)", "an image or HDF5"),
    (
        rb"\x93NUMPY",
        "a numpy array; numpy.savetxt('array.csv', numpy.load(FILE), fmt='%s', delimiter=',') "
        "makes CSV of it",
    ),
    (rb"SQLite format 3", "an SQLite database; write its tables of links and nodes as CSV"),
)
LONELY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")

LOOKED_AT = 4096  # bytes
STRANGE = 0.03  # share of control characters from which on bytes are no text
ROWS = 200  # that are looked at
FEW = 3  # control characters that any text may hold


def seen_instead(head: bytes) -> str:
    """Return what the first bytes of a file are where they are no table; empty otherwise.

    Examples
    --------
    >>> seen_instead(b'{"nodes": []}'), seen_instead(b"a,b"), seen_instead(bytes(8))
    ('JSON', '', 'binary data')
    """
    if head.startswith(UTF16):
        return ""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    for pattern, what in STARTS:
        if re.match(pattern, start):
            return what
    if lists_by_count(start):
        return (
            "a multi-line adjacency list, which networkx turns into GML: networkx.write_gml("
            "networkx.read_multiline_adjlist(FILE), 'graph.gml')"
        )
    strange = len(LONELY.findall(head[:LOOKED_AT]))
    few = max(FEW, STRANGE * len(head[:LOOKED_AT]))
    return "binary data" if strange > few else ""


def lists_by_count(text: bytes) -> bool:
    """Return whether rows are nodes with a count, each above so many rows of one neighbor.

    Examples
    --------
    >>> [lists_by_count(text) for text in (b"a 1\\nb\\nb 0\\n", b"0 1\\n1 {}\\n1 0", b"0 1\\n1 2")]
    [True, True, False]
    """
    lines = [line for line in text.split(b"\n", ROWS)[:ROWS] if line.strip()]
    rows = [line.split(None, 1) for line in lines if not line.lstrip().startswith(b"#")]
    place, lists = 0, 0
    while place < len(rows):
        if len(rows[place]) != 2 or not rows[place][1].strip().isdigit():
            return False
        count = int(rows[place][1])
        below = rows[place + 1 : place + 1 + count]
        if any(len(row) > 1 and not row[1].startswith(b"{") for row in below):
            return False
        place += 1 + count
        lists += bool(count)
    return lists > 0


def refuse_other_content(path: Path, head: bytes) -> None:
    """Refuse to read as a table what is none."""
    seen = seen_instead(head)
    if seen:
        how = f"name its format with {option('format')}, or write links and nodes as CSV"
        note = seen if ";" in seen else f"{seen}, not like a table of links; {how}"
        fail(path, f"looks like {note}", 1)
