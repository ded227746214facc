"""How a network reaches worker processes: mapped from files of this machine, or sent once."""

from __future__ import annotations

import contextlib
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import own_folder
from ..core.errors import InputError
from ..core.option_names import option
from ..io.arrays import from_arrays, to_arrays
from ..network.network import Network

_last: dict[str, Network] = {}  # the network that this process worked on last, by its key


class Source(Protocol):
    """Give a worker its network."""

    def open(self) -> Network:
        """Return the network; cheap from the second call on."""
        ...


class InProcess:
    """The network itself, for threads."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def open(self) -> Network:
        return self._network


class Parts:
    """A network as arrays, and what arrays cannot hold as it is."""

    def __init__(self, arrays: Mapping[str, Any], rest: Mapping[str, Any]) -> None:
        self.key = uuid.uuid4().hex
        self.arrays, self.rest = dict(arrays), dict(rest)

    def __sizeof__(self) -> int:
        # Dask sends arguments that are large once, and for that asks how large they are
        return sum(getattr(array, "nbytes", 200) for array in self.arrays.values())

    def load(self) -> dict[str, NDArray[Any]]:
        return self.arrays

    def open(self) -> Network:
        """Build the network, once a process."""
        network = _last.get(self.key)
        if network is None:
            network = from_arrays(self.load(), trusted=True)
            network._set(**self.rest)
            _last.clear()
            _last[self.key] = network
        return network


class Files(Parts):
    """A network of which the arrays lie in files that the worker can map into memory."""

    def load(self) -> dict[str, NDArray[Any]]:
        """Map the arrays."""
        return {
            name: np.load(path, mmap_mode="r", allow_pickle=False)
            for name, path in self.arrays.items()
        }


class Reference:
    """A network in Ray's object store."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    def open(self) -> Network:
        """Get the parts, shared by all workers of a machine, and build the network."""
        import ray

        parts: Parts = ray.get(self._reference)
        return parts.open()


@contextlib.contextmanager
def share(network: Network, backend: Any) -> Iterator[Source]:
    """Make a network ready for the workers of a joblib backend.

    Parameters
    ----------
    backend : joblib backend
        Workers of this machine map files; Dask and Ray get the network once where some of their
        workers are on other machines.
    """
    if getattr(backend, "supports_sharedmem", False):
        yield InProcess(network)
        return
    arrays, rest = take_apart(network)
    if elsewhere(backend):
        yield send(Parts(arrays, rest), backend)
        return
    with own_folder(temporary_folder()) as folder:
        paths = {name: file_of(array, folder / f"{name}.npy") for name, array in arrays.items()}
        yield Files(paths, rest)
        _last.clear()


def temporary_folder() -> Path:
    """Return the folder for what workers read and write."""
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise InputError(
            "workers read the network from a temporary folder, and there is none that can be "
            f"written; set TMPDIR to one that can, or work in one process ({option('n_jobs', 1)})"
        ) from error


def take_apart(network: Network) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return a network's arrays, and those of its parts that hold Python objects."""
    try:
        return to_arrays(network), {}
    except TypeError:
        rest = {field: getattr(network, field) for field in ("classes", "ids", "features")}
        plain = network._with_labels(network.labels, tuple(range(network.n_classes)))
        plain._set(ids=np.arange(network.n_nodes), attributes=MappingProxyType({}), features=None)
        return to_arrays(plain), rest | {"attributes": dict(network.attributes)}


def file_of(array: NDArray[Any], path: Path) -> str:
    """Return the file that holds an array: the one it is mapped from, else a new one."""
    source = getattr(array, "filename", None)
    if isinstance(array, np.memmap) and source is not None and Path(source).suffix == ".npy":
        same = np.load(source, mmap_mode="r", allow_pickle=False)
        if same.shape == array.shape and same.dtype == array.dtype:
            return str(source)
    np.save(path, array, allow_pickle=False)
    return str(path)


def elsewhere(backend: Any) -> bool:
    """Return whether some workers of a backend may be on other machines."""
    client = getattr(backend, "client", None)  # of Dask
    if client is not None:
        import socket

        here = socket.gethostname()
        return any(host != here for host in client.run(socket.gethostname).values())
    if type(backend).__name__ == "RayBackend":
        import ray

        return sum(bool(node["Alive"]) for node in ray.nodes()) > 1
    return False


def send(parts: Parts, backend: Any) -> Source:
    """Move the parts to Ray's store; Dask handles large arguments itself."""
    if type(backend).__name__ == "RayBackend":
        import ray

        return Reference(ray.put(parts))
    return parts
