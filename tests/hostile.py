"""How long and how much memory the refusal of a hostile file may take."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nettrial.core.errors import InputError
from nettrial.io import read

SECONDS = 20  # of the processor, many times what is needed
MEGABYTES = 300


@contextmanager
def bounded() -> Iterator[None]:
    """Fail where the body takes long or much memory beyond what was taken before."""
    start = time.process_time()
    tracemalloc.start()
    try:
        yield
        assert time.process_time() - start < SECONDS
        assert tracemalloc.get_traced_memory()[1] < MEGABYTES * 2**20
    finally:
        tracemalloc.stop()


def refused(path: Path, match: str = "", **options: object) -> str:
    with bounded(), pytest.raises(InputError, match=match or ".") as caught:
        read(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert path.name in message or str(path.parent) in message
    assert "\n" not in message
    return message


def put(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
