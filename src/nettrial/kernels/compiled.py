"""Compile a loop at its first call, and keep the machine code for every process after it.

numba's own cache fails in three places that matter here: it refuses to start where neither the
package nor the home folder can be written, two processes that start together can store one
signature under the number of another, and a change in a function that was inlined from another
file goes unnoticed. So each compiled signature is one file here, written whole and named after all
that it depends on: function, types, processor, versions and the source of all loops.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import njit
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ..core.version import __version__
from . import places
from .compile_notices import watch

DIGEST = hashlib.sha256().digest_size


@cache
def _surroundings() -> str:
    """Return what all compiled code depends on: versions, and the source of every loop."""
    source = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        source.update(file.name.encode() + file.read_bytes())
    versions = (__version__, numba.__version__, llvmlite.__version__, sys.version)
    return repr((*versions, numba.config.OPT, source.hexdigest()))


class KernelCache:
    """Files of compiled code in the place of numba's own cache of one function."""

    def __init__(self, function: Callable[..., Any], variant: str) -> None:
        self._function = function
        self._variant = variant

    @property
    def cache_path(self) -> str:
        """The folder that compiled code is written to."""
        return str(places.folder() or "")

    def _name(self, signature: Any, codegen: Any) -> str:
        function, code = self._function, self._function.__code__
        cells = [repr(cell.cell_contents) for cell in function.__closure__ or ()]
        key = (
            _surroundings(), self._variant, function.__module__, function.__qualname__,
            code.co_firstlineno, cells, str(signature), codegen.magic_tuple(),
        )  # fmt: skip
        digest = hashlib.sha256(repr(key).encode()).hexdigest()
        return f"{function.__name__}-{digest[:32]}.nbc"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load one signature, or return None where no sound file holds it."""
        target.refresh()
        content = places.read(self._name(signature, target.codegen()))
        if content is None or hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
            return None
        try:
            # as trusted as the package: `places` reads only folders that nobody else can write
            return CompileResult._rebuild(target, *pickle.loads(content[DIGEST:]))  # noqa: S301
        except Exception:  # noqa: BLE001 - whatever is wrong with a file, compiling mends it
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep one signature, in the first folder that can be written."""
        if result.lifted or result.objectmode or result.library.has_dynamic_globals:
            return
        content = dumps(result._reduce())
        places.write(
            self._name(signature, result.codegen), hashlib.sha256(content).digest() + content
        )

    def flush(self) -> None:
        """Forget nothing: files of older sources are never looked at."""


def kernel(function: Callable[..., Any] | None = None, *, variant: str = "", **options: Any) -> Any:
    """Decorate a loop: numba's `njit` without the interpreter lock, its machine code kept on disk.

    Parameters
    ----------
    function : callable
    variant : str
        Which of several definitions of the functions that it calls is in force.
    **options
        Of `numba.njit`.
    """
    if function is None:
        return partial(kernel, variant=variant, **options)
    watch()
    dispatcher = njit(nogil=True, **options)(function)
    dispatcher._cache = KernelCache(function, variant)
    return dispatcher
