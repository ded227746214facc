"""Tensors out of a file that ``torch.save`` wrote, without PyTorch; nothing in it can run.

Such a file is a zip archive: a pickle says which tensors there are and how they are put together,
and their values lie beside it as plain bytes. The pickle is read through the allow-list of
`unpickle`, with stand-ins for tensors in place of PyTorch's classes.
"""

from __future__ import annotations

import math
import pickle
import zipfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .archive import Archive
from .guards import DAMAGE, fail
from .unpickle import NAMES, Lists, Unpickler, check_program

PICKLE = "/data.pkl"
TYPES = {
    "DoubleStorage": "<f8", "FloatStorage": "<f4", "HalfStorage": "<f2", "LongStorage": "<i8",
    "IntStorage": "<i4", "ShortStorage": "<i2", "CharStorage": "<i1", "ByteStorage": "<u1",
    "BoolStorage": "?",
}  # fmt: skip
PLAIN = (str, int, float, bool, type(None))  # what stands beside tensors and is left out
HOW = "save tensors, or a dict of them by model: torch.save({'gcn': logits}, path)"


class Tensor:
    """Stands for a tensor: which values of a storage it holds, and in what shape."""

    def __init__(self, storage: object, offset: object, size: object, stride: object, *_: object):
        if not isinstance(storage, Storage):
            raise pickle.UnpicklingError("a tensor has no storage")
        numbers = (offset, *_numbers(size), *_numbers(stride))
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise pickle.UnpicklingError("a tensor has no shape")
        self.storage, self.offset = storage, int(str(offset))
        self.size, self.stride = _numbers(size), _numbers(stride)


class Storage:
    """Stands for the values of a tensor, by the name of the member that holds them."""

    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key


def _numbers(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (None,)


class TorchUnpickler(Unpickler):
    """Unpickles tensors, dicts, lists and tuples of them, text and numbers."""

    known: ClassVar[dict[tuple[str, str], Any]] = {
        ("torch._utils", "_rebuild_tensor_v2"): Tensor,
        ("collections", "OrderedDict"): Lists,
        **{("torch", name): name for name in TYPES},
    }

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in of a name, or refuse it."""
        if (module, name) in self.known:
            return self.known[module, name]
        if (module, name) in NAMES:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"it names {module}.{name}; {HOW}")

    def persistent_load(self, pid: object) -> Storage:
        """Return the stand-in of a storage."""
        if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] != "storage":
            raise pickle.UnpicklingError("it refers to what is no storage")
        _, kind, key, _, _ = pid
        if kind not in TYPES or not isinstance(key, str):
            raise pickle.UnpicklingError("it holds numbers of a kind that is not read")
        return Storage(kind, key)


def is_torch_file(archive: Archive) -> bool:
    """Return whether an archive is one that ``torch.save`` wrote."""
    return any(name.endswith(PICKLE) for name in archive.members)


def read_tensors(path: Path) -> dict[str, Any]:
    """Read the tensors of a file by their names; a single one by the file's.

    A list of tensors of one shape, as of one for each split, is stacked. Dicts of tensors in a
    dict or list, as of the sets of each split, stay dicts.
    """
    archive = Archive(path)
    name = next(each for each in archive.members if each.endswith(PICKLE))
    prefix = name.removesuffix(PICKLE)
    try:
        with zipfile.ZipFile(path) as file:
            program = file.read(archive.members[name])
            check_program(program, more=("BINPERSID",))
            found = TorchUnpickler(program).load()
            if (
                isinstance(found, (list, tuple))
                and found
                and all(isinstance(v, dict) for v in found)
            ):
                found = dict(enumerate(found))
            named = found if isinstance(found, dict) else {path.name.partition(".")[0]: found}
            return {
                str(key): _arrays(file, archive, prefix, value)
                for key, value in named.items()
                if not isinstance(value, PLAIN)
            }
    except (pickle.UnpicklingError, *DAMAGE) as error:
        fail(path, f"is refused as a file of tensors: {error}")


def _arrays(file: zipfile.ZipFile, archive: Archive, prefix: str, value: Any) -> Any:
    """Return the values of a tensor, or of the tensors of a dict by name."""
    if not isinstance(value, dict):
        return _array(file, archive, prefix, value)
    return {
        str(key): _array(file, archive, prefix, each)
        for key, each in value.items()
        if not isinstance(each, PLAIN)
    }


def _array(file: zipfile.ZipFile, archive: Archive, prefix: str, value: Any) -> NDArray[Any]:
    """Return the values of a tensor, or of several of one shape side by side."""
    if isinstance(value, (list, tuple)) and value:
        parts = [_array(file, archive, prefix, each) for each in value]
        if len({part.shape for part in parts}) > 1:
            shapes = ", ".join(sorted({str(part.shape) for part in parts}))
            raise pickle.UnpicklingError(f"tensors of one list have the shapes {shapes}")
        return np.stack(parts)
    if not isinstance(value, Tensor):
        raise pickle.UnpicklingError(f"it holds a {type(value).__name__}; {HOW}")
    kind = np.dtype(TYPES[value.storage.kind])
    data = file.read(archive.members[f"{prefix}/data/{value.storage.key}"])
    held = np.frombuffer(data, dtype=kind)
    last = sum((n - 1) * step for n, step in zip(value.size, value.stride))
    full = math.prod(value.size)
    if len(value.size) != len(value.stride) or full > held.size:
        raise pickle.UnpicklingError("a tensor is larger than its values")
    if full and value.offset + last >= held.size:
        raise pickle.UnpicklingError("a tensor reaches beyond its values")
    if not full:
        return np.empty(value.size, dtype=kind)
    steps = [step * kind.itemsize for step in value.stride]
    return np.lib.stride_tricks.as_strided(held[value.offset :], value.size, steps).copy()
