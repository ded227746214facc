"""The settings of a process that models change by accident, in one table.

A setting is put back where its module is imported. Where a model was the first to import it, that
is to the default.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

CUDNN = "torch.backends.cudnn"
UNREAD = object()  # in place of what cannot be read
SIGNALS = ("SIGALRM", "SIGHUP", "SIGINT", "SIGTERM")


class Setting(NamedTuple):
    """How one setting is read and made."""

    module: str
    read: Callable[[Any], Any]  # called with the module, returns the setting
    make: Callable[[Any, Any], Any]  # called with the module and what was read
    # what holds when the module is imported; or a function of the module that returns it
    default: Any = UNREAD  # such a setting is always there to be read


def _functions(module: str, read: str, make: str, default: Any) -> Setting:
    return Setting(
        module, lambda m: getattr(m, read)(), lambda m, value: getattr(m, make)(value), default
    )


def _attribute(module: str, name: str, default: Any) -> Setting:
    return Setting(
        module, lambda m: getattr(m, name), lambda m, value: setattr(m, name, value), default
    )


def _list(name: str) -> Setting:
    return Setting(
        "sys",
        lambda m: list(getattr(m, name)),
        lambda m, value: getattr(m, name).__setitem__(slice(None), value),
    )


def _scikit_default(sklearn: Any) -> Any:
    """Return the configuration with which scikit-learn begins in every thread."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(sklearn.get_config()))
    thread.start()
    thread.join()
    return found[0]


@cache
def _first_threads(torch: Any) -> int:
    return int(torch.get_num_threads())


def _first_start_method(multiprocessing: Any) -> str:
    return str(multiprocessing.get_all_start_methods()[0])


def _parameters(found: dict[str, Any]) -> dict[str, Any]:
    """Return matplotlib's parameters, but for the backend, which is chosen when it is needed."""
    plain = dict(dict.items(found))  # its own methods look at every value
    plain.pop("backend", None)
    return plain


def _folder(module: Any) -> str | None:
    with contextlib.suppress(OSError):  # it is gone
        return str(module.getcwd())
    return None


def _set_environment(module: Any, wanted: Mapping[Any, Any]) -> None:
    # only what was changed: setting a variable is not safe beside threads that read it
    now = module.environ
    decoded = {now.decodekey(name): now.decodevalue(value) for name, value in wanted.items()}
    for name in now.keys() - decoded.keys():
        del now[name]
    now.update({name: value for name, value in decoded.items() if now.get(name) != value})


def _handlers(module: Any) -> dict[int, Any]:
    numbers = [getattr(module, name) for name in SIGNALS if hasattr(module, name)]
    return {number: module.getsignal(number) for number in numbers}


def _set_handlers(module: Any, handlers: Mapping[int, Any]) -> None:
    for number, handler in handlers.items():
        if handler is not None:  # else it was not set by Python
            module.signal(number, handler)


# what models compute depends on these; worker processes get them from the program
COMPUTING = {
    "numpy.seterr": Setting(
        "numpy",
        lambda m: m.geterr(),
        lambda m, value: m.seterr(**value),
        {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"},
    ),
    "sklearn.set_config": Setting(
        "sklearn", lambda m: m.get_config(), lambda m, value: m.set_config(**value), _scikit_default
    ),
    "torch.set_grad_enabled": _functions("torch", "is_grad_enabled", "set_grad_enabled", True),
    "torch.set_default_dtype": Setting(
        "torch",
        lambda m: str(m.get_default_dtype()),
        lambda m, value: m.set_default_dtype(getattr(m, value.removeprefix("torch."))),
        "torch.float32",
    ),
    "torch.set_default_device": Setting(
        "torch",
        lambda m: str(m.empty(0).device),
        # None rather than the processor, for which PyTorch would look at every call
        lambda m, value: m.set_default_device(None if value == "cpu" else value),
        "cpu",
    ),
    "torch.use_deterministic_algorithms": _functions(
        "torch", "get_deterministic_debug_mode", "set_deterministic_debug_mode", 0
    ),
    "torch.set_float32_matmul_precision": _functions(
        "torch", "get_float32_matmul_precision", "set_float32_matmul_precision", "highest"
    ),
    "torch.autograd.set_detect_anomaly": Setting(
        "torch",
        lambda m: m.is_anomaly_enabled(),
        lambda m, value: m.autograd.set_detect_anomaly(value),
        False,
    ),
    "torch.backends.cudnn.enabled": _attribute(CUDNN, "enabled", True),
    "torch.backends.cudnn.benchmark": _attribute(CUDNN, "benchmark", False),
    "torch.backends.cudnn.deterministic": _attribute(CUDNN, "deterministic", False),
    "torch.backends.cudnn.allow_tf32": _attribute(CUDNN, "allow_tf32", True),
    "multiprocessing.set_start_method": Setting(
        "multiprocessing",
        # before it is first used there is none, which then is the first of all
        lambda m: m.get_start_method(allow_none=True) or _first_start_method(m),
        lambda m, value: m.set_start_method(value, force=True),
        _first_start_method,
    ),
}
# these are each process's own
PROCESS = {
    "torch.set_num_threads": _functions(
        "torch", "get_num_threads", "set_num_threads", _first_threads
    ),
    "matplotlib.rcParams": Setting(
        "matplotlib",
        lambda m: _parameters(m.rcParams),
        lambda m, value: dict.update(m.rcParams, value),
        lambda m: _parameters(m.rcParamsOrig),
    ),
    "sys.stdout": Setting(
        "sys",
        lambda m: {name: getattr(m, name) for name in ("stdin", "stdout", "stderr")},
        lambda m, value: vars(m).update(value),
    ),
    "signal.alarm": Setting(
        "signal",
        lambda m: hasattr(m, "getitimer") and m.getitimer(m.ITIMER_REAL)[0] > 0,
        lambda m, on: on or m.setitimer(m.ITIMER_REAL, 0),
    ),
    "signal.signal": Setting("signal", _handlers, _set_handlers),
}
# these may be changed for good by a module that is imported
PLACE = {
    "sys.argv": _list("argv"),
    "sys.path": _list("path"),
    # as it is kept inside: to decode all variables takes as long as all else here
    "os.environ": Setting("os", lambda m: m.environ._data.copy(), _set_environment),
    "os.chdir": Setting("os", _folder, lambda m, value: value and m.chdir(value)),
}
SETTINGS = COMPUTING | PROCESS | PLACE


def current_settings(table: Mapping[str, Setting] = SETTINGS) -> dict[str, Any]:
    """Return the settings in a table whose modules are imported.

    Examples
    --------
    >>> current_settings()["numpy.seterr"]["under"]
    'ignore'
    """
    found = {name: _read(setting) for name, setting in table.items()}
    return {name: value for name, value in found.items() if value is not UNREAD}


def _read(setting: Setting) -> Any:
    module = sys.modules.get(setting.module)
    if module is not None:
        # half imported in another thread; or, in PyTorch, set in two ways that contradict
        with contextlib.suppress(AttributeError, RuntimeError):
            return setting.read(module)
    return UNREAD


def put_back(before: Mapping[str, Any], table: Mapping[str, Setting] = SETTINGS) -> list[str]:
    """Make the settings in a table what they were, and return the names of those that differed.

    Examples
    --------
    >>> import numpy as np
    >>> before = current_settings()
    >>> _ = np.seterr(all="raise")
    >>> put_back(before)
    ['numpy.seterr']
    """
    changed = []
    for name, setting in table.items():
        module = sys.modules.get(setting.module)
        if module is None:
            continue
        wanted = before[name] if name in before else _default(setting)
        if wanted is not UNREAD and _read(setting) != wanted:
            with contextlib.suppress(AttributeError, RuntimeError, ValueError, OSError):
                setting.make(module, wanted)
                changed.append(name)
    return changed


def _default(setting: Setting) -> Any:
    default = setting.default
    return default(sys.modules[setting.module]) if callable(default) else default


def settings_to_send() -> dict[str, Any]:
    """Return the settings for computing that differ from the defaults.

    Examples
    --------
    >>> settings_to_send()
    {}
    """
    now = current_settings(COMPUTING)
    return {name: value for name, value in now.items() if value != _default(COMPUTING[name])}


def receive_settings(sent: Mapping[str, Any]) -> None:
    """Let this process, a worker, compute as the process that sent its settings does.

    Examples
    --------
    >>> receive_settings({})
    """
    for name in sent:
        importlib.import_module(COMPUTING[name].module)
    put_back(sent, COMPUTING)
