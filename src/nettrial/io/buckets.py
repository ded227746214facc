"""Links on disk on their way into sorted rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

PIECE = 2**22  # links that are read from disk in one go


class DiskBuffer:
    """Numbered links in the order of the table, in a file that is appended to."""

    def __init__(self, path: Path, *, weighted: bool) -> None:
        self._path = path
        self.weighted = weighted
        self.size = 0
        self._loops: set[int] = set()
        self._streams: list[IO[bytes]] = []

    def __enter__(self) -> Self:
        self._streams = [self._file(".pairs").open("wb")]
        if self.weighted:
            self._streams.append(self._file(".weights").open("wb"))
        return self

    def __exit__(self, *error: object) -> None:
        for stream in self._streams:
            stream.close()

    def _file(self, ending: str) -> Path:
        return self._path.with_name(self._path.name + ending)

    def append(
        self,
        pairs: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        loops: NDArray[np.int32],
    ) -> None:
        """Add links of shape (n, 2), their weights, and nodes that have self loops."""
        self._streams[0].write(np.ascontiguousarray(pairs).data)
        if weights is not None:
            self._streams[1].write(np.ascontiguousarray(weights).data)
        self.size += len(pairs)
        self._loops.update(np.unique(loops).tolist())

    def looped(self, n: int) -> NDArray[np.bool_]:
        """Mark the nodes that have self loops."""
        mask = np.zeros(n, dtype=bool)
        mask[list(self._loops)] = True
        return mask

    def pieces(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float64] | None]]:
        """Read the links again."""
        for start in range(0, self.size, PIECE):
            count = min(PIECE, self.size - start)
            pairs = read(self._file(".pairs"), np.int32, 2 * start, 2 * count).reshape(-1, 2)
            yield (
                pairs,
                (read(self._file(".weights"), np.float64, start, count) if self.weighted else None),
            )

    def remove(self) -> None:
        """Free the disk."""
        self._file(".pairs").unlink()
        self._file(".weights").unlink(missing_ok=True)


def read(path: Path, dtype: Any, start: int, count: int) -> NDArray[Any]:
    size = np.dtype(dtype).itemsize
    return np.fromfile(path, dtype=dtype, count=count, offset=start * size)


class Buckets:
    """Links by ranges of rows, each range small enough to be sorted in memory."""

    def __init__(self, spool: DiskBuffer, folder: Path, n: int, directed: bool, links: int) -> None:
        self._spool, self._folder, self._n, self._directed = spool, folder, n, directed
        ends = np.zeros(n, dtype=np.int64)
        for pairs, _ in spool.pieces():
            ends += np.bincount(pairs[:, 0] if directed else pairs.ravel(), minlength=n)
        filled = np.cumsum(ends) // max(links, 1)
        self._starts = np.flatnonzero(np.diff(filled, prepend=-1)) if n else np.zeros(1, np.int64)
        self._distribute()

    def _path(self, bucket: int, what: str) -> Path:
        return self._folder / f"bucket-{bucket}.{what}"

    def _distribute(self) -> None:
        for pairs, weights in self._spool.pieces():
            rows, columns = pairs[:, 0], pairs[:, 1]
            if not self._directed:  # both ends in the order of the table: sums agree to the bit
                rows, columns = pairs.ravel(), pairs[:, ::-1].ravel()
                weights = None if weights is None else np.repeat(weights, 2)
            bucket = np.searchsorted(self._starts, rows, side="right") - 1
            counts = np.bincount(bucket, minlength=self._starts.size)
            bounds = np.concatenate([[0], np.cumsum(counts)])
            # numbers of 16 bits are sorted without comparisons
            order = np.argsort(bucket.astype(np.min_scalar_type(counts.size)), kind="stable")
            for number in np.flatnonzero(counts).tolist():
                chosen = order[bounds[number] : bounds[number + 1]]
                parts: list[tuple[str, NDArray[Any]]] = [
                    ("rows", rows[chosen]), ("columns", columns[chosen])
                ]  # fmt: skip
                if weights is not None:
                    parts.append(("weights", weights[chosen]))
                for what, part in parts:
                    with self._path(number, what).open("ab") as stream:
                        stream.write(np.ascontiguousarray(part).data)
        self._spool.remove()

    def sorted_rows(
        self,
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64] | None]]:
        """Return the links of each bucket, sorted, repeats merged: rows, columns, weights."""
        for number in range(self._starts.size):
            if not self._path(number, "rows").exists():
                continue
            rows = np.fromfile(self._path(number, "rows"), dtype=np.int32)
            columns = np.fromfile(self._path(number, "columns"), dtype=np.int32)
            key = rows.astype(np.int64) << 32 | columns
            del rows, columns
            weights = None
            if self._spool.weighted:
                weights = np.fromfile(self._path(number, "weights"), dtype=np.float64)
                order = np.argsort(key, kind="stable")
                key, weights = key[order], weights[order]
            else:
                key.sort()
            first = np.flatnonzero(np.diff(key, prepend=-1))
            if weights is not None:
                weights = np.add.reduceat(weights, first)
            key = key[first]
            yield key >> 32, (key & 0x7FFFFFFF).astype(np.int32), weights
            for what in ("rows", "columns", "weights"):
                self._path(number, what).unlink(missing_ok=True)
