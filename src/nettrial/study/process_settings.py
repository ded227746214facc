"""Settings of Python and of numeric libraries that hold for all that runs in a process.

A model that changes one would change what its rival computes, or what is shown in the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import decimal
import functools
import gc
import logging
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """How one setting is read and made.

    Attributes
    ----------
    module : str
        It is kept where this module is imported.
    read : callable
        Called with the module, returns the setting.
    make : callable
        Called with the module and what was read.
    """

    module: str
    read: Callable[[Any], Any]
    make: Callable[[Any, Any], Any]


def _attribute(module: str, name: str) -> Setting:
    return Setting(module, lambda m: getattr(m, name), lambda m, value: setattr(m, name, value))


def _functions(module: str, read: str, make: str) -> Setting:
    return Setting(module, lambda m: getattr(m, read)(), lambda m, value: getattr(m, make)(value))


def _options(pandas: Any) -> dict[str, Any]:
    """Return the options of pandas by their full names."""

    def leaves(found: dict[str, Any], before: str) -> Iterator[tuple[str, Any]]:
        for name, value in found.items():
            if isinstance(value, dict):
                yield from leaves(value, f"{before}{name}.")
            else:
                yield f"{before}{name}", value

    return dict(leaves(pandas.options.d, ""))


def _set_options(pandas: Any, wanted: dict[str, Any]) -> None:
    present = _options(pandas)
    for name, value in wanted.items():
        if present.get(name) != value:
            with warnings.catch_warnings():  # some are deprecated
                warnings.simplefilter("ignore")
                pandas.set_option(name, value)


SETTINGS = (
    # numbers
    Setting("numpy", lambda m: m.geterr(), lambda m, value: m.seterr(**value)),
    _functions("numpy", "geterrcall", "seterrcall"),
    _functions("numpy", "getbufsize", "setbufsize"),
    Setting("numpy", lambda m: m.get_printoptions(), lambda m, value: m.set_printoptions(**value)),
    Setting("sklearn", lambda m: m.get_config(), lambda m, value: m.set_config(**value)),
    Setting("pandas", _options, _set_options),
    # how text and times are read and written
    Setting(
        "locale", lambda m: m.setlocale(m.LC_ALL), lambda m, value: m.setlocale(m.LC_ALL, value)
    ),
    _functions("csv", "field_size_limit", "field_size_limit"),
    _functions("sys", "get_int_max_str_digits", "set_int_max_str_digits"),
    # the interpreter
    _functions("sys", "getrecursionlimit", "setrecursionlimit"),
    _functions("sys", "getswitchinterval", "setswitchinterval"),
    _functions("sys", "getprofile", "setprofile"),
    _attribute("sys", "excepthook"),
    _attribute("sys", "displayhook"),
    _functions("socket", "getdefaulttimeout", "setdefaulttimeout"),
    _attribute("tempfile", "tempdir"),
)  # fmt: skip


def kept_settings() -> Callable[[], None]:
    """Return what puts all settings back as they are now.

    Examples
    --------
    >>> import numpy as np
    >>> back = kept_settings()
    >>> before = np.seterr(all="raise")
    >>> decimal.getcontext().prec = 1
    >>> back()
    >>> np.geterr() == before, decimal.getcontext().prec > 1
    (True, True)
    """
    before = list(_present())
    back = [_context(), _rounding(), _collector(), _log(), _zone(), _cores()]
    scikit = "sklearn" in sys.modules

    def put() -> None:
        for setting, value in before:
            module = sys.modules.get(setting.module)
            if module is not None and setting.read(module) != value:
                setting.make(module, value)
        if not scikit:
            _scikit_as_imported()
        for each in back:
            each()

    return put


def _present() -> Iterator[tuple[Setting, Any]]:
    """Yield the settings of modules that are imported, and not only half so, in another thread."""
    for setting in SETTINGS:
        module = sys.modules.get(setting.module)
        if module is not None:
            with contextlib.suppress(AttributeError):
                yield setting, setting.read(module)


def _scikit_as_imported() -> None:
    """Set scikit-learn, which a model was the first to import, as it begins in every thread."""
    module = sys.modules.get("sklearn")
    if module is None or not hasattr(module, "set_config"):
        return
    found: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: found.append(module.get_config()))
    thread.start()
    thread.join()
    module.set_config(**found[0])


def _context() -> Callable[[], None]:
    context = decimal.getcontext().copy()
    return lambda: decimal.setcontext(context)


@functools.cache
def _mathematics() -> Any:
    """Return the C library's functions for rounding; None where it has none by these names."""
    try:
        library = ctypes.CDLL(None)
        library.fegetround, library.fesetround  # noqa: B018 - whether they are there
    except (OSError, TypeError, AttributeError):
        return None
    return library


def _rounding() -> Callable[[], None]:
    library = _mathematics()
    if library is None:
        return lambda: None
    mode = library.fegetround()
    return lambda: library.fesetround(mode)


def _collector() -> Callable[[], None]:
    enabled = gc.isenabled()
    return lambda: (gc.enable if enabled else gc.disable)()


def _log() -> Callable[[], None]:
    disabled, level = logging.root.manager.disable, logging.root.level

    def back() -> None:
        logging.disable(disabled)
        logging.root.setLevel(level)

    return back


def _zone() -> Callable[[], None]:
    """Keep the time zone, which follows the variable TZ only when it is asked to."""
    zone = (time.timezone, time.tzname)

    def back() -> None:
        if (time.timezone, time.tzname) != zone and hasattr(time, "tzset"):
            time.tzset()

    return back


def _cores() -> Callable[[], None]:
    """Keep the cores that this process may use, and how many files it may open."""
    if not hasattr(os, "sched_setaffinity"):
        return lambda: None
    import resource

    cores = os.sched_getaffinity(0)
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]

    def back() -> None:
        with contextlib.suppress(OSError, ValueError):  # a limit that was lowered for good
            if os.sched_getaffinity(0) != cores:
                os.sched_setaffinity(0, cores)
            now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            if now != soft:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))

    return back
