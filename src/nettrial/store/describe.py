"""What a model is, in words that can be compared: class, parameters, code.

Code is followed from the methods of the class through every function and constant of the user's
own modules that they name; installed packages count by name and version. Comments and layout do
not matter, since the compiled form is compared; another Python version makes another form.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..core.errors import InputError

OWN = ("models", "kernels")  # our packages that decide what a built-in model predicts
INSTALLED = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


def digest(*parts: Any) -> str:
    """Return a short digest of arrays, bytes and texts."""
    state = hashlib.blake2b(digest_size=12)
    for part in parts:
        if isinstance(part, np.ndarray):
            state.update(f"{part.dtype.str}{part.shape}".encode())
            if part.dtype.hasobject:
                state.update("\0".join(map(repr, part.ravel().tolist())).encode())
            else:
                state.update(np.ascontiguousarray(part).data)
        else:
            state.update(part if isinstance(part, bytes) else str(part).encode())
        state.update(b"\0")
    return state.hexdigest()


def describe_model(model: Any) -> dict[str, Any]:
    """Describe a model.

    Returns
    -------
    dict
        ``class``, ``code`` (a digest) and ``parameters`` (a nested dict of texts).

    Examples
    --------
    >>> from nettrial.models import NBC
    >>> describe_model(NBC(smoothing=0.5))["parameters"]["smoothing"]
    '0.5'
    """
    kind = type(model)
    parameters = described(model, (), set())
    return {
        "class": full_name(kind),
        "code": digest("\n".join(sorted(code_of(kind, set())))),
        "parameters": parameters["parameters"] if isinstance(parameters, dict) else parameters,
    }


def full_name(kind: Any) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def described(value: Any, path: tuple[str, ...], above: set[int]) -> Any:
    """Describe a parameter: a text, or a dict of the descriptions of its parts."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        return repr(value)
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return f"array {value.shape} {digest(value)}"
    if sp.issparse(value):
        rows = sp.csr_array(value)
        return f"sparse array {rows.shape} {digest(rows.indptr, rows.indices, rows.data)}"
    if id(value) in above:
        return "(itself)"
    above = above | {id(value)}
    if isinstance(value, Mapping):
        return {str(key): described(item, (*path, str(key)), above) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        items = value.tolist() if isinstance(value, np.ndarray) else value
        return [described(item, path, above) for item in items]
    if isinstance(value, (set, frozenset)):
        return sorted(str(described(item, path, above)) for item in value)
    if isinstance(value, (FunctionType, MethodType, type, ModuleType)):
        return f"{getattr(value, '__name__', value)} {digest(*sorted(code_of(value, set())))}"
    return described_object(value, path, above)


def described_object(value: Any, path: tuple[str, ...], above: set[int]) -> Any:
    kind = type(value)
    if hasattr(value, "fingerprint") and callable(value.fingerprint):
        return f"{full_name(kind)} {value.fingerprint()}"
    if hasattr(value, "get_params") and not isinstance(value, type):
        state: Any = value.get_params(deep=False)
    elif hasattr(value, "__array__"):
        return described(np.asarray(value), path, above)
    else:
        state = state_of(value, path)
    if isinstance(state, Mapping):  # names that end in _ hold what fitting found
        state = {key: item for key, item in state.items() if not str(key).endswith("_")}
    code = digest(*sorted(code_of(kind, set())))
    return {"class": full_name(kind), "code": code, "parameters": described(state, path, above)}


def state_of(value: Any, path: tuple[str, ...]) -> Any:
    """Return what makes up an object: its attributes, else what copying it would take."""
    try:
        state = value.__getstate__()
        if isinstance(state, tuple) and len(state) == 2:  # attributes and slots
            state = {key: item for part in state for key, item in (part or {}).items()}
        if state is not None:
            return state
        parts = value.__reduce_ex__(2)
    except Exception as error:  # noqa: BLE001 - copying an object may raise anything
        where = ".".join(path) or "the model"
        raise InputError(
            f"study file: {where} is a {full_name(type(value))}, of which it cannot be seen "
            f"whether it changed ({error}); give its class a method __getstate__ that returns its "
            "parameters"
        ) from None
    return parts if isinstance(parts, str) else list(parts[1:3])


def code_of(thing: Any, seen: set[int]) -> Iterator[str]:
    """Return one text for each piece of code that decides what `thing` does."""
    thing = inspect.unwrap(getattr(thing, "__func__", thing))
    thing = getattr(thing, "py_func", thing)  # compiled by numba
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, ModuleType):
        yield module_code(thing.__name__) or thing.__name__
        return
    module = getattr(thing, "__module__", None)
    installed = module_code(module) if isinstance(module, str) else None
    if installed is not None:
        yield f"{getattr(thing, '__qualname__', '')} of {installed}"
    elif isinstance(thing, FunctionType):
        yield f"{thing.__qualname__}: {code_text(thing.__code__)}"
        yield from named_by(thing, seen)
    elif isinstance(thing, type):
        for base in thing.__mro__[1:]:
            yield from code_of(base, seen)
        for name, member in sorted(vars(thing).items()):
            yield from member_code(thing, name, member, seen)


def member_code(owner: type, name: str, member: Any, seen: set[int]) -> Iterator[str]:
    if isinstance(member, property):
        for function in (member.fget, member.fset):
            if function is not None:
                yield from code_of(function, seen)
    elif callable(member) or hasattr(member, "__func__"):
        yield from code_of(member, seen)
    elif not name.startswith("_"):
        yield f"{owner.__qualname__}.{name} = {constant(member)}"


def named_by(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """Follow what a function refers to: defaults, enclosing variables, globals."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if not is_empty(cell)]
    values = [function.__defaults__, function.__kwdefaults__, *cells]
    for name in sorted(names_of(function.__code__)):
        if name in function.__globals__:
            values.append(function.__globals__[name])
    for value in values:
        if isinstance(value, (FunctionType, type, ModuleType)) or hasattr(value, "py_func"):
            yield from code_of(value, seen)
        else:
            yield constant(value)


def is_empty(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - an empty cell raises
    except ValueError:
        return True
    return False


def names_of(code: CodeType) -> set[str]:
    inner = (names_of(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


def code_text(code: CodeType) -> str:
    constants = [
        code_text(part) if isinstance(part, CodeType) else constant(part) for part in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def constant(value: Any) -> str:
    """Write a constant; other objects count by their kind alone."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        return repr(value)
    if isinstance(value, np.ndarray):
        return digest(value)
    if isinstance(value, Mapping):
        return str([(constant(key), constant(item)) for key, item in value.items()])
    if isinstance(value, (list, tuple)):
        return str([constant(item) for item in value])
    if isinstance(value, (set, frozenset)):
        return str(sorted(constant(item) for item in value))
    return full_name(type(value))


@lru_cache(maxsize=1024)
def module_code(name: str) -> str | None:
    """Return an installed module's package and version, our own by content; None for others."""
    top = name.partition(".")[0]
    if top == __name__.partition(".")[0]:
        return own_code()
    if top == "__main__" or name not in sys.modules:
        return None
    file = getattr(sys.modules[name], "__file__", None)
    if file is None or any(map(Path(file).is_relative_to, INSTALLED)):
        version = getattr(sys.modules.get(top), "__version__", None)
        return top if version is None else f"{top} {version}"
    return None


@lru_cache
def own_code(packages: tuple[str, ...] = OWN) -> str:
    """Return the version of some of our own packages, by content."""
    root = Path(__file__).resolve().parents[1]
    files = sorted(path for package in packages for path in (root / package).rglob("*.py"))
    parts = (part for path in files for part in (path.name, path.read_bytes()))
    return f"nettrial {digest(*parts)}"
