"""Facebook100: MATLAB files with the friendship matrix A and the columns local_info."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from .found import Found
from .guards import fail

COLUMNS = ("status", "gender", "major", "minor", "dorm", "year", "high_school")


def from_school(path: Path, matrix: sp.csr_array, local_info: Any) -> Found:
    """Build one school's network; a 0 in a column means that it is not known."""
    info = np.asarray(local_info)
    n = matrix.shape[0]
    if info.ndim != 2 or info.shape[0] != n or info.dtype.kind not in "iuf":
        fail(path, f"local_info has the shape {info.shape}, expected a row for each of {n} nodes")
    names = [*COLUMNS, *(f"column {k}" for k in range(8, info.shape[1] + 1))]
    coo = matrix.tocoo()
    return Found(
        "Facebook100",
        [path],
        coo.row,
        coo.col,
        nodes=np.arange(1, n + 1),
        columns={
            name: [None if value == 0 or value != value else int(value) for value in column]
            for name, column in zip(names, info.T.tolist())
        },
        directed=False,
        indexed=True,
        notes=["0 in local_info is read as missing"],
    )
