"""Arrays as compressed bytes in the npy format; pickles are neither written nor read."""

from __future__ import annotations

import io
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError

FASTEST = 1  # probabilities hardly compress; more effort gains nothing
HEADER = 2**12  # bytes that the npy header can take here
LARGEST = 2**33  # bytes of one array


def pack(array: NDArray[Any]) -> bytes:
    """Compress an array.

    Examples
    --------
    >>> unpack(pack(np.arange(3))).tolist()
    [0, 1, 2]
    """
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
    return zlib.compress(stream.getbuffer(), FASTEST)


def unpack(blob: bytes, *, largest: int = LARGEST) -> NDArray[Any]:
    """Expand an array; nothing beyond `largest` bytes is expanded."""
    try:
        engine = zlib.decompressobj()
        data = engine.decompress(blob, largest + HEADER)
        if not engine.eof:
            raise ValueError("cut short, or larger than it may be")
        return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except (zlib.error, ValueError, TypeError, EOFError, MemoryError) as error:
        raise InputError(f"an array in the study file is damaged ({error})") from None


def pack_indices(indices: NDArray[np.intp]) -> bytes:
    """Compress node indices: ascending ones as a bit mask, others as they are.

    Examples
    --------
    >>> unpack_indices(pack_indices(np.array([4, 1]))).tolist()
    [4, 1]
    """
    if indices.size and indices[0] >= 0 and (np.diff(indices) > 0).all():
        mask = np.zeros(int(indices[-1]) + 1, dtype=np.uint8)
        mask[indices] = 1
        return pack(np.packbits(mask))
    return pack(indices.astype(np.int64))


def unpack_indices(blob: bytes) -> NDArray[np.intp]:
    """Expand what `pack_indices` gave."""
    array = unpack(blob)
    if array.dtype == np.uint8:
        return np.flatnonzero(np.unpackbits(array))
    return array.astype(np.intp)
