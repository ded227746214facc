"""Classes as a matrix of zeros and ones, one column per class.

Several classes a node are refused, but where the whole matrix is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .guards import fail

_taken: ContextVar[list[sp.csr_array] | None] = ContextVar("taken", default=None)


def refuse_several_classes(
    path: Path,
    what: str,
    several: int,
    n: int,
    how: str = "give the links and a table of zeros and ones",
) -> NoReturn:
    """Refuse labels of which a node has several at once (multi-label)."""
    fail(
        path,
        f"{what} gives {several:,} of {n:,} nodes several classes each (multi-label); expected one "
        f"class a node. nettrial.compare_labels compares on all of them: {how}. Or write the links "
        "as a link table and one class as a node table of yes and no, and read these",
    )


def class_codes(path: Path, matrix: Any, what: str) -> NDArray[np.int64]:
    """Turn a matrix of zeros and ones into class codes; -1 for a row without a one.

    Examples
    --------
    >>> class_codes(Path("x.npz"), np.array([[0, 1], [0, 0], [1, 0]]), "labels").tolist()
    [1, -1, 0]
    """
    if not matrix.shape[1]:
        fail(path, f"{what} has no columns; expected one for each class")
    rows = sp.csr_array(matrix)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if not (rows.data == 1).all():
        other = rows.data[rows.data != 1][0]
        fail(path, f"expected zeros and ones in {what}, a column for each class, got {other}")
    counts = np.diff(rows.indptr)
    taken = _taken.get()
    if taken is not None:
        taken.append(rows)
        codes = np.full(rows.shape[0], -1, dtype=np.int64)
        rows.sort_indices()
        codes[counts > 0] = rows.indices[rows.indptr[:-1][counts > 0]]  # the first one
        return codes
    if (counts > 1).any():
        several, how = (
            int(np.count_nonzero(counts > 1)),
            "nettrial.io.read_several_labels reads both",
        )
        refuse_several_classes(path, what, several, rows.shape[0], how)
    codes = np.full(rows.shape[0], -1, dtype=np.int64)
    codes[counts == 1] = rows.indices
    return codes


@contextmanager
def taking_matrices() -> Iterator[list[sp.csr_array]]:
    """Collect the matrices that files hold; a node then has its first class alone."""
    found: list[sp.csr_array] = []
    before = _taken.set(found)
    try:
        yield found
    finally:
        _taken.reset(before)
