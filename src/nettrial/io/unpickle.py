"""Arrays and plain containers out of a pickle, through an allow-list; nothing in it can run.

A pickle is a program. Only the instructions that build numbers, text, lists, dicts and numpy
or scipy arrays are let through, and the classes that they name are replaced by passive
stand-ins, so that neither the file's choice of class nor its sizes reach numpy unchecked.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .guards import DAMAGE, fail, read_bytes

ALLOWED = frozenset(
    (
        *("PROTO", "FRAME", "STOP", "MARK", "POP", "POP_MARK", "NONE", "NEWTRUE", "NEWFALSE"),
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "FLOAT", "BINFLOAT"),
        *("STRING", "SHORT_BINSTRING", "BINSTRING", "SHORT_BINBYTES", "BINBYTES"),
        *("UNICODE", "SHORT_BINUNICODE", "BINUNICODE"),
        *("EMPTY_LIST", "LIST", "APPEND", "APPENDS", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS"),
        *("EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"),
        *("PUT", "BINPUT", "LONG_BINPUT", "GET", "BINGET", "LONG_BINGET", "MEMOIZE"),
        *("GLOBAL", "STACK_GLOBAL", "REDUCE", "NEWOBJ", "BUILD"),
    )
)
MEMO = ("PUT", "BINPUT", "LONG_BINPUT")


def text_of(value: object) -> str:
    # writing out a nested list could take for ever
    if not isinstance(value, (str, bytes)) or len(value) > 10:
        raise ValueError(f"a type of array is given as {type(value).__name__}")
    return value if isinstance(value, str) else value.decode("latin1")


class Type:
    """Stands for numpy.dtype."""

    def __init__(self, code: object = "", *_: object) -> None:
        self.code, self.order = text_of(code), "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.order = text_of(state[1])

    def dtype(self) -> np.dtype[Any]:
        if not re.fullmatch(r"[biuf][1248]", self.code) or self.order not in ("<", ">", "=", "|"):
            raise ValueError(f"arrays of the type {self.order}{self.code}")
        return np.dtype(self.order + self.code)


class Array:
    """Stands for numpy.ndarray."""

    state: tuple[Any, ...] = ()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.state = state

    def array(self) -> NDArray[Any]:
        _, shape, kind, fortran, data = self.state
        dtype = kind.dtype()
        if not isinstance(data, (str, bytes)):  # bytes(INT) would take that many bytes
            raise ValueError(f"the content of an array is given as {type(data).__name__}")
        data = data.encode("latin1") if isinstance(data, str) else data
        array = np.frombuffer(data, dtype=dtype)
        return array.reshape(shape, order="F" if fortran else "C")


class Matrix:
    """Stands for scipy.sparse.csr_matrix."""

    state: dict[str, Any]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.state = state

    def matrix(self) -> sp.csr_array:
        parts = tuple(self.state[key].array() for key in ("data", "indices", "indptr"))
        matrix = sp.csr_array(parts, shape=tuple(map(int, self.state["_shape"])))
        matrix.check_format(full_check=True)
        return matrix


class Lists(dict[Any, Any]):
    """Stands for collections.defaultdict."""

    def __init__(self, *_: object) -> None:
        super().__init__()


class Word:
    """Stands for names that the pickle only mentions."""


def reconstruct(*_: object) -> Array:
    return Array()


NAMES: dict[tuple[str, str], Any] = {
    **{(f"numpy.{core}.multiarray", "_reconstruct"): reconstruct for core in ("core", "_core")},
    ("numpy", "ndarray"): Word,
    ("numpy", "dtype"): Type,
    **{(f"scipy.sparse.{m}", "csr_matrix"): Matrix for m in ("csr", "_csr")},
    ("collections", "defaultdict"): Lists,
    ("__builtin__", "list"): Word,
    ("builtins", "list"): Word,
}


STEPWISE: Any = pickle._Unpickler  # the one in Python, whose steps can be replaced


class Unpickler(STEPWISE):  # type: ignore[misc]
    """Unpickles with keys that are plain, and sets the state of stand-ins only."""

    dispatch: ClassVar[dict[int, Any]] = dict(STEPWISE.dispatch)

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="latin1")
        self.budget = 2 * len(data)

    def encode(self, text: str, *_: object) -> bytes:
        # each call makes a copy; together they must not be larger than the file warrants
        self.budget -= len(text)
        if self.budget < 0:
            raise pickle.UnpicklingError("it converts more text than it holds")
        return text.encode("latin1")

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):
            return self.encode
        if (module, name) not in NAMES:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return NAMES[module, name]

    def check_keys(self, count: int) -> None:
        # hashing a tuple of tuples that are one and the same takes time without bound
        items = self.stack[-2 * count :] if count else self.stack
        if not all(type(key) in (int, str, bytes) for key in items[::2]):
            raise pickle.UnpicklingError("a key is neither a number nor text")

    def setitem(self) -> None:
        self.check_keys(1)
        super().load_setitem()

    def setitems(self) -> None:
        self.check_keys(0)
        super().load_setitems()

    def dict_(self) -> None:
        self.check_keys(0)
        super().load_dict()

    def build(self) -> None:
        if not isinstance(self.stack[-2], (Type, Array, Matrix)):
            raise pickle.UnpicklingError("it sets the state of what has none")
        super().load_build()

    for code, step in ((b"s", setitem), (b"u", setitems), (b"d", dict_), (b"b", build)):
        dispatch[code[0]] = step


def check_program(data: bytes, more: tuple[str, ...] = ()) -> None:
    """Refuse instructions outside the allow-list and sizes that the file cannot back.

    Instructions of `more` are let through besides, for a caller that answers them itself.
    """
    for code, argument, _ in pickletools.genops(data):
        if code.name not in ALLOWED and code.name not in more:
            raise pickle.UnpicklingError(f"it uses the instruction {code.name}")
        if code.name in MEMO and not 0 <= int(str(argument)) <= len(data):
            raise pickle.UnpicklingError("it numbers an object beyond its size")


def load(path: Path) -> Any:
    """Load a pickle of arrays and plain containers."""
    data = read_bytes(path)
    try:
        check_program(data)
        found = real(Unpickler(data).load())
        if isinstance(found, dict) and listed(found) > len(data):
            raise pickle.UnpicklingError("its lists hold more together than its bytes can list")
        return found
    except (pickle.UnpicklingError, *DAMAGE) as error:
        fail(path, f"is refused as a pickle of plain arrays: {error}")


def listed(table: dict[Any, Any]) -> int:
    """Count the entries of all lists, of which several can be one and the same."""
    return sum(len(row) for row in table.values() if isinstance(row, (list, tuple, str)))


def real(value: Any) -> Any:
    if isinstance(value, Array):
        return value.array()
    if isinstance(value, Matrix):
        return value.matrix()
    if isinstance(value, dict):
        return dict(value)
    raise pickle.UnpicklingError(f"it holds a {type(value).__name__}")
