"""A model on the command line: a built-in name, or the user's own object in a module or file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from inspect import isroutine
from pathlib import Path
from types import ModuleType
from typing import Any

from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import error_text
from ..models.adapted import as_model
from ..models.training_function import is_training_function
from ..study.guards import import_isolated, noted_interrupts
from ..study.tasks import LINKS, model_of
from .process import abort_on_exit


def user_model(text: str) -> Any:  # a name, a model of nodes or a link predictor
    """Return a built-in model's name as it is, and make the model that ``PLACE:OBJECT`` names.

    PLACE is a module or a path to a .py file; either is the user's code and is run. OBJECT is a
    model or a scikit-learn classifier, or a class or function that gives one without arguments; a
    function of the data, and perhaps a seed, that trains and returns scores of all nodes; or a
    link predictor, or a function of the network and the pairs.

    Examples
    --------
    >>> user_model("wvrn")
    'wvrn'
    >>> user_model("sklearn.naive_bayes:BernoulliNB")
    FeatureClassifier(BernoulliNB(), use='features')
    """
    place, colon, name = text.rpartition(":")
    if not colon and text.endswith(".py"):
        raise InputError(
            expected=f"FILE.py:OBJECT, such as {text}:MyModel", where=f"model {shown(text)}"
        )
    if not colon:
        return text
    if not place or not name:
        raise InputError(
            expected="a name, MODULE:OBJECT or FILE.py:OBJECT", where=f"model {shown(text)}"
        )
    found: Any = _run_file(Path(place)) if place.endswith(".py") else _import(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise unknown_choice(f"model {shown(text)}: object", part, _public(found))
        found = getattr(found, part)
    if is_training_function(found):
        return as_model(found)
    if isroutine(found) and _takes_two(found):
        return LINKS.model(found)
    if isinstance(found, type) and _required(found):
        raise InputError(
            f"model {shown(text)}: the class takes {', '.join(_required(found))}, and one without "
            "arguments is expected; write a function that makes it, or of a PyTorch module a "
            "TorchModel(factory)"
        )
    if isinstance(found, type) or (callable(found) and not hasattr(found, "fit")):
        found = _guarded(text, found)
    return model_of(found)


def _takes_two(function: Any) -> bool:
    """Return whether a function takes the network and the pairs, rather than making a model."""
    return len(_required(function)) == 2


def _required(function: Any) -> list[str]:
    """Return the parameters that a call must give."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # compiled, without a signature
        return []
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in several]


def _public(module: Any) -> list[str]:
    return [name for name in dir(module) if not name.startswith("_")] or ["(none)"]


def _import(name: str) -> ModuleType:
    # a module beside the user comes before an installed one, as with python -m
    _look_in(Path.cwd())
    found = _guarded(name, lambda: importlib.import_module(name))
    assert isinstance(found, ModuleType)  # noqa: S101 - import_module gives nothing else
    return found


def _run_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"model {path}: there is no such file")
    _look_in(path.resolve().parent)
    loaded = sys.modules.get(path.stem)
    if loaded is not None:
        if Path(str(getattr(loaded, "__file__", ""))).resolve() != path.resolve():
            raise InputError(f"model {path}: another module is called {path.stem}; rename the file")
        return loaded
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"model {path}: cannot be run as Python code")
    module, loader = importlib.util.module_from_spec(spec), spec.loader
    # imported under its own name, as other processes will find it too
    sys.modules[path.stem] = module
    try:
        _guarded(str(path), lambda: loader.exec_module(module))
    except InputError:
        del sys.modules[path.stem]
        raise
    return module


def _look_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _guarded(what: str, make: Any) -> Any:
    """Run the user's code; whatever it raises becomes one line that names it."""
    abort_on_exit()
    with noted_interrupts() as noted:
        try:
            return import_isolated(what, make)
        except BaseException as error:
            if noted:
                raise
            raise InputError(
                f"model {shown(what)}: {type(error).__name__}: {error_text(error)}"
            ) from error
