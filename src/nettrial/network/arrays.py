"""Arrays that cannot be written into, and arrays of what users name things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

if TYPE_CHECKING:
    pass


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = array.view()
    array.flags.writeable = False
    return array


def frozen_matrix(matrix: Any) -> Any:
    """Return an array, or a sparse array in compressed rows, that cannot be written into."""
    if not sp.issparse(matrix):
        return frozen(matrix)
    parts = (frozen(part) for part in (matrix.data, matrix.indices, matrix.indptr))
    return sp.csr_array(tuple(parts), shape=matrix.shape)


def object_array(values: Iterable[Any]) -> NDArray[np.object_]:
    # np.array would turn a list of tuples into a matrix
    # and numpy's own scalars are not what went in
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def native_array(values: Any) -> NDArray[Any]:
    """Copy integers into an integer array, all else into an array of objects."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.ndim == 1:
        return values.copy()
    return object_array(values)
