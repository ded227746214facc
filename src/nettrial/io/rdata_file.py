"""Objects of an R file (.RData, .rda), read without running any of it.

R's binary format 2 and 3 (R Internals, section 1.8) is a tree of tagged items. Arrays are views
of the file, and of text only the places are noted, so that an attribute costs next to nothing
until it is asked for.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = (b"RDX2\nX\n", b"RDX3\nX\n")
OBJECTS = 400_000  # that any file may hold, beyond one for each byte of the packed file
NUMBERS = 2_000_000  # that all sequences together may stand for, beyond 50 for each byte
TEXT_COST = 10  # numbers, for which a number that is reported as text counts
NA_INTEGER = -(2**31)

NIL, GLOBAL, UNBOUND, MISSING, BASE, NAMESPACE, PACKAGE, PERSIST = range(254, 246, -1)
REFERENCE, ALTREP, ATTRLIST, ATTRLANG, BASE_ENV, EMPTY_ENV = 255, 238, 239, 240, 241, 242
BC_REF, BC_DEF = 243, 244
SYMBOL, PAIRLIST, CLOSURE, ENVIRONMENT, PROMISE, LANGUAGE, SPECIAL, BUILTIN, CHARS = range(1, 10)
LOGICAL, INTEGER, REAL, COMPLEX, TEXTS, DOTS = 10, 13, 14, 15, 16, 17
VECTOR, EXPRESSION, BYTECODE, POINTER, WEAK, RAW, S4 = 19, 20, 21, 22, 23, 24, 25
EMPTY = frozenset((0, NIL, GLOBAL, UNBOUND, MISSING, BASE, BASE_ENV, EMPTY_ENV))
PAIRS = frozenset((PAIRLIST, LANGUAGE, CLOSURE, PROMISE, DOTS, ATTRLIST, ATTRLANG))
ARRAYS = {LOGICAL: ">i4", INTEGER: ">i4", REAL: ">f8", COMPLEX: ">c16", RAW: "u1"}


class Texts:
    """A vector of text, of which the file's bytes are decoded when they are asked for."""

    def __init__(self, data: bytes, starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
        self._data, self._starts, self._sizes = data, starts, sizes

    def __len__(self) -> int:
        return self._starts.size

    def tolist(self) -> list[str | None]:
        """Return all texts; None for NA."""
        data = self._data
        return [
            None if size < 0 else decoded(data[start : start + size])
            for start, size in zip(self._starts.tolist(), self._sizes.tolist())
        ]


def decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


@dataclass(slots=True)
class RObject:
    """One vector, list or other object, and its attributes by name.

    `value` is an array, `Texts`, a list of objects (None for NULL), for pairlists a list of
    (name, object), and None for what is not looked at, such as functions.
    """

    kind: int
    value: Any = None
    attributes: dict[str, RObject | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.value) if self.value is not None else 0

    def names(self) -> list[str | None]:
        """Return the names of the elements, or nothing where they have none."""
        if self.kind in PAIRS:
            return [name for name, _ in self.value]
        names = self.attributes.get("names")
        return names.value.tolist() if names is not None and isinstance(names.value, Texts) else []

    def items(self) -> list[tuple[str, RObject | None]]:
        """Return name and element of a list; elements without a name are called by their place."""
        if self.kind in PAIRS:
            return [(name or str(k), item) for k, (name, item) in enumerate(self.value, 1)]
        names = self.names() or [None] * len(self)
        return [(name or str(k), item) for k, (name, item) in enumerate(zip(names, self.value), 1)]


class Reader:
    """Walks through the bytes of one file."""

    def __init__(self, data: bytes, packed: int) -> None:
        self.data, self.at = data, 0
        self.references: list[RObject] = []
        self.left = OBJECTS + packed
        self.numbers = NUMBERS + 50 * packed

    def integer(self) -> int:
        value: int = struct.unpack_from(">i", self.data, self.at)[0]
        self.at += 4
        return value

    def length(self, size: int) -> int:
        """Read the number of elements, each of which takes `size` bytes at least."""
        count = self.integer()
        if count == -1:
            high, low = self.integer(), self.integer() & 0xFFFFFFFF
            count = (high << 32) + low
        if not 0 <= count * size <= len(self.data) - self.at:
            raise ValueError(f"it declares {count} elements, more than it holds")
        return count

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.data) - self.at:
            raise ValueError("it ends in the middle of an object")
        self.at += size
        return self.data[self.at - size : self.at]

    def top(self) -> dict[str, RObject | None]:
        """Read the whole file: its objects by name."""
        self.at = len(MAGIC[0])
        version = self.integer()
        self.at += 8
        if version == 3:
            self.take(self.integer())
        elif version != 2:
            raise ValueError(f"it is of version {version} of the format")
        whole = self.item()
        if whole is None or whole.kind != PAIRLIST:
            raise ValueError("it holds no named objects")
        return dict(whole.items())

    def item(self, flags: int | None = None) -> RObject | None:
        """Read one object."""
        self.left -= 1
        if self.left < 0:
            raise ValueError("it holds far more objects than its size warrants")
        flags = self.integer() if flags is None else flags
        kind = flags & 0xFF
        if kind in EMPTY:
            return None
        if kind == REFERENCE:
            number = flags >> 8 or self.integer()
            return self.references[number - 1]
        if kind in PAIRS:
            return self.pairs(flags)
        if kind in (SYMBOL, ENVIRONMENT, POINTER, WEAK, NAMESPACE, PACKAGE, PERSIST):
            return self.referenced(kind, flags)
        if kind == ALTREP:
            return self.compact()
        found = RObject(kind, self.content(kind))
        if flags & 0x200 and kind != CHARS:
            self.attributes(found)
        return found

    def attributes(self, found: RObject) -> None:
        item = self.item()
        if item is not None and item.kind in PAIRS:
            found.attributes = {name: part for name, part in item.value if name is not None}

    def content(self, kind: int) -> Any:
        """Read the value of an object that is no pairlist and is never referred to."""
        if kind in ARRAYS:
            dtype = np.dtype(ARRAYS[kind])
            count = self.length(dtype.itemsize)
            return np.frombuffer(self.take(count * dtype.itemsize), dtype=dtype)
        if kind == TEXTS:
            return self.texts()
        if kind in (VECTOR, EXPRESSION):
            return [self.item() for _ in range(self.length(4))]
        if kind == CHARS:
            size = self.integer()
            return None if size == -1 else decoded(self.take(size))
        if kind in (SPECIAL, BUILTIN):
            self.take(self.integer())
        elif kind == BYTECODE:
            self.integer()  # the number of repeated parts, which are not kept
            self.bytecode()
        elif kind != S4:
            raise ValueError(f"it holds an object of the unknown type {kind}")
        return None

    def texts(self) -> Texts:
        """Note the places of a vector of text."""
        count = self.length(8)
        starts, sizes = np.empty(count, np.int64), np.empty(count, np.int64)
        data, at, head = self.data, self.at, struct.Struct(">ii").unpack_from
        for k in range(count):
            flags, size = head(data, at)
            if flags & 0xFF != CHARS or size < -1:
                raise ValueError("a vector of text holds something else")
            at += 8
            starts[k], sizes[k] = at, size
            at += max(size, 0)
        if at > len(data):
            raise ValueError("it ends in the middle of a vector of text")
        self.at = at
        return Texts(data, starts, sizes)

    def pairs(self, flags: int) -> RObject | None:
        """Read a pairlist; its tail is followed in a loop, as it can be long."""
        found = RObject(flags & 0xFF, [])
        first = True
        while True:
            kind = flags & 0xFF
            if kind not in PAIRS:
                rest = self.item(flags)
                if rest is not None:
                    found.value.append((None, rest))
                return found
            if flags & 0x200 or kind in (ATTRLIST, ATTRLANG):
                if first:
                    self.attributes(found)
                else:
                    self.item()
            tag = self.item() if flags & 0x400 else None
            found.value.append((tag.value if tag and tag.kind == SYMBOL else None, self.item()))
            first = False
            self.left -= 1
            flags = self.integer()

    def referenced(self, kind: int, flags: int) -> RObject:
        """Read an object that later ones can refer to by its number."""
        found = RObject(kind)
        if kind == SYMBOL:
            name = self.item()
            found.value = name.value if name is not None else None
            self.references.append(found)
        elif kind in (NAMESPACE, PACKAGE, PERSIST):
            self.integer()
            for _ in range(self.length(4)):
                self.item()
            self.references.append(found)
        else:
            self.references.append(found)
            if kind == ENVIRONMENT:
                self.integer()
            for _ in range({ENVIRONMENT: 4, POINTER: 2}.get(kind, 0)):
                self.item()
            if kind != ENVIRONMENT and flags & 0x200:
                self.item()
        return found

    def compact(self) -> RObject | None:
        """Read an object in R's alternative representation, such as 1:n without its numbers."""
        info, state, attributes = self.item(), self.item(), self.item()
        name = info.value[0][1].value if info is not None else ""
        found = self.expanded(name, state)
        if found is not None and attributes is not None and attributes.kind in PAIRS:
            found.attributes = {key: part for key, part in attributes.value if key is not None}
        return found

    def expanded(self, name: str, state: RObject | None) -> RObject | None:
        """Return the plain object for an alternative representation."""
        if state is None:
            return None
        if name in ("compact_intseq", "compact_realseq"):
            count, start, step = (float(x) for x in state.value[:3])
            self.charge(count)
            numbers = start + step * np.arange(int(count))
            kind = INTEGER if name == "compact_intseq" else REAL
            return RObject(kind, numbers.astype(ARRAYS[kind]))
        parts = [part for _, part in state.items()]
        if name.startswith("wrap_") and parts and parts[0] is not None:
            return RObject(parts[0].kind, parts[0].value)
        if name == "deferred_string" and parts and parts[0] is not None:
            values = np.ravel(parts[0].value)
            self.charge(TEXT_COST * values.size)
            texts = [None if v == NA_INTEGER or v != v else f"{v:.15g}" for v in values.tolist()]
            return RObject(TEXTS, from_list(texts))
        raise ValueError(f"it holds an object in the unknown form {name}")

    def charge(self, count: float) -> None:
        """Count numbers that the file does not hold, but stand for."""
        if not 0 <= count <= self.numbers:
            raise ValueError(f"it declares a sequence of {count:.0f} numbers")
        self.numbers -= int(count)

    def bytecode(self) -> None:
        """Walk over compiled code."""
        self.item()
        for _ in range(self.length(4)):
            self.constant(self.integer())

    def constant(self, kind: int) -> None:
        if kind == BYTECODE:
            self.bytecode()
        elif kind == BC_REF:
            self.integer()
        elif kind in (BC_DEF, LANGUAGE, PAIRLIST, ATTRLANG, ATTRLIST):
            if kind == BC_DEF:
                self.integer()
                kind = self.integer()
            if kind in (ATTRLANG, ATTRLIST):
                self.item()
            self.item()
            self.constant(self.integer())
            self.constant(self.integer())
        else:
            self.item()


def from_list(texts: list[str | None]) -> Texts:
    """Make a vector of text from its elements."""
    parts = [b"" if text is None else text.encode() for text in texts]
    sizes = np.array([-1 if text is None else len(part) for text, part in zip(texts, parts)])
    ends = np.cumsum([len(part) for part in parts])
    starts = ends - np.array([len(part) for part in parts]) if parts else np.zeros(0, np.int64)
    return Texts(b"".join(parts), starts.astype(np.int64), sizes.astype(np.int64))
