"""Networks as folders of arrays that are mapped into memory: NAME.nettrial-graph.

Each array of `to_arrays` is one .npy file: links as compressed rows with 64-bit row starts and
32-bit node numbers. Opened, a network takes memory for what is looked at, and the system may
take it back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import whole_folder
from ..core.errors import InputError
from ..network.network import Network
from .archive import BROKEN
from .arrays import from_arrays, to_arrays
from .guards import fail
from .seals import check_folder, seal_folder

ENDING = ".nettrial-graph"


def is_graph_folder(path: Path) -> bool:
    """Return whether a path names such a folder, there already or not."""
    return path.name.lower().endswith(ENDING)


def open_folder(path: str | os.PathLike[str]) -> Network:
    """Open a folder of arrays as a network that lies on disk.

    Parameters
    ----------
    path : path
        As `convert` made it. The arrays are read once, to check them.
    """
    folder = Path(path)
    if not folder.is_dir():
        fail(folder, "there is no such folder")
    arrays: dict[str, NDArray[Any]] = {}
    for file in sorted(folder.glob("*.npy")):
        try:
            arrays[file.stem] = np.load(file, mmap_mode="r", allow_pickle=False)
        except BROKEN as error:
            fail(file, f"is damaged or cut short ({error})")
    check_folder(folder, arrays)
    try:
        return from_arrays(arrays)
    except InputError as error:
        fail(folder, str(error))


def write_folder(network: Network, path: Path) -> None:
    """Write a network of memory as a folder of arrays."""
    try:
        arrays = to_arrays(network)
    except TypeError as error:
        raise InputError(
            f"{path}: cannot hold ids, classes or columns of the type {error}"
        ) from None
    with whole_folder(path) as draft:
        save(draft, arrays)
        seal_folder(draft)


def save(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


class NpyWriter:
    """Write an .npy file of one dimension piece by piece; its length is put in at the end."""

    def __init__(self, path: Path, dtype: Any) -> None:
        self._stream = path.open("wb")
        self._dtype = np.dtype(dtype)
        self.size = 0
        self._write_header()

    def _write_header(self) -> None:
        # numpy pads the header so that the length can grow in place
        about = {"shape": (self.size,), "fortran_order": False, "descr": self._dtype.str}
        np.lib.format.write_array_header_1_0(self._stream, about)

    def append(self, array: NDArray[Any]) -> None:
        """Write one more piece."""
        self._stream.write(np.ascontiguousarray(array, dtype=self._dtype).data)
        self.size += array.size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self._stream.seek(0)
            self._write_header()
        self._stream.close()
