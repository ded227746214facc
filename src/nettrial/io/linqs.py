"""LINQS networks: NAME.content (id, features, class) and NAME.cites (cited, citing)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import fail, is_there
from .ids import is_text, same_kind
from .missing import plain_column
from .node_tables import refuse_empty
from .tables import Table, read_table

ENDING = re.compile(r"\.(cites|content)(\.gz|\.bz2|\.xz)?$", re.I)
MIN_FIELDS = 4


def stem(path: Path) -> str:
    return ENDING.sub("", path.name)


def partner(path: Path, ending: str) -> Path | None:
    """Find the file of the pair with the other ending, plain or compressed."""
    names = (f"{stem(path)}.{ending}{packed}" for packed in ("", ".gz", ".bz2", ".xz"))
    return next((p for p in map(path.with_name, names) if is_there(p)), None)


def is_linqs(path: Path) -> bool:
    """Return whether the file is one of a pair; alone it would be a table like others."""
    return ENDING.search(path.name) is not None and all(
        partner(path, ending) is not None for ending in ("cites", "content")
    )


def read_linqs(path: Path) -> Found:
    """Read a pair of files; links lead from the citing to the cited one."""
    cites, content = partner(path, "cites"), partner(path, "content")
    if cites is None or content is None:
        fail(path, "needs NAME.cites and NAME.content side by side")
    links, nodes = read_table(cites, header=False), read_table(content, header=False)
    if len(links.columns) != 2:
        fail(
            cites,
            f"has {len(links.columns)} columns, expected the cited and the citing id",
            links.line(0),
        )
    for name in links.names:
        refuse_empty(links, name)
    cited, citing, ids = same_kind(*links.columns, nodes.columns[0])
    return Found(
        "LINQS",
        [cites, content],
        citing,
        cited,
        nodes=ids,
        columns={"label": plain_column(nodes.columns[-1])},
        label="label",
        directed=True,
        features=features(nodes),
        notes=["links lead from the second id of a row, the citing one, to the first"],
    )


def features(nodes: Table) -> sp.csr_array | None:
    """Take the columns between id and class as a sparse matrix, shape (n_nodes, n_features)."""
    middle = nodes.columns[1:-1]
    if not middle:
        return None
    for k, column in enumerate(middle, 2):
        if is_text(column):
            bad = np.flatnonzero([not number(value) for value in column])
            if bad.size:
                row = int(bad[0])
                fail(
                    nodes.path,
                    f"feature {shown(column[row])} in column {k} is no number",
                    nodes.line(row),
                )
    return sp.csr_array(np.stack([np.asarray(c, dtype=np.float32) for c in middle], axis=1))


def number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


FILE_FORMATS = (
    Format("linqs", lambda path, _: is_linqs(path), lambda r: read_linqs(r.path), order=280,
           files="`.content` and `.cites`",
           holds="ids, features, class, links from the citing paper", anchor=stem),
)  # fmt: skip
