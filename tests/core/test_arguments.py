"""Arguments of the wrong kind: every public function refuses them in one clear line."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import matplotlib.pyplot
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from numpy.typing import ArrayLike, NDArray
from sklearn.naive_bayes import GaussianNB

import nettrial
import public_functions as examples
from nettrial import metrics, stats
from nettrial.core.arguments import check_arguments, kinds_of
from nettrial.core.errors import InputError, NettrialError, shown
from nettrial.core.kinds import described, matches
from nettrial.io.objects import NetworkxGraph
from nettrial.models import WVRN, FeatureClassifier, Prior
from nettrial.splits import DESIGNS, RandomResampling


class Unspeakable:
    """An object that cannot be written down."""

    def __repr__(self) -> str:
        raise RuntimeError("no text for this")


WRONG = (
    None, True, -1, 10**30, 0.5, float("nan"), float("inf"), "", "zzz", b"x", [], {}, object(),
    np.array([]), np.array([[1.5]]), [[], [1]], lambda: 0, int, 3 + 4j,
    "\ud800", "a\0b", "1" * 5000, 10**400, range(10**12), np.array(3), np.ma.masked,
    sp.dia_array(np.eye(2)), pd.DataFrame(), pd.Series(["a", "b"]), Unspeakable(), [1, 2, 3, 4, 5],
)  # fmt: skip
MODULES = (
    "nettrial", "nettrial.replicates", "nettrial.experiments", "nettrial.io", "nettrial.metrics",
    "nettrial.models", "nettrial.report", "nettrial.saved", "nettrial.splits", "nettrial.stats",
    "nettrial.store", "nettrial.synth", "nettrial.stats.theory",
)  # fmt: skip


def public() -> dict[str, Callable[..., Any]]:
    """Return every public function, and every public class as what makes an object of it."""
    found: dict[str, Callable[..., Any]] = {}
    for place in MODULES:
        module = importlib.import_module(place)
        own = [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", "") == place and not name.startswith("_")
        ]
        for name in getattr(module, "__all__", own):
            value = getattr(module, name)
            made = not getattr(value, "_is_protocol", False) and not inspect.isabstract(value)
            wrong = isinstance(value, type) and issubclass(value, Exception)
            if callable(value) and made and not wrong:
                found.setdefault(f"{value.__module__}.{name}", value)
    return found


PUBLIC = public()


class Stopped:
    """A model that ends every comparison before it takes time."""

    def fit(self, network: Any, train: Any) -> None:
        raise InputError("expected to be checked before, got to the fit")

    def predict_proba(self, network: Any, nodes: Any) -> Any:
        raise AssertionError


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return values that fit, by the name of the parameter."""
    folder = tmp_path_factory.mktemp("good")
    network = nettrial.latent_group_network(40, seed=1)
    splits = RandomResampling(n_splits=3, seed=1).split_network(network)
    links = folder / "links.csv"
    links.write_text("source,target\na,b\nb,c\n")
    return {
        "network": network, "networks": {"x": network, "y": network}, "test_network": network,
        "splits": splits, "models": {"a": Stopped(), "b": Stopped()}, "a": Stopped(),
        "b": Stopped(), "path": links, "source": links, "n_nodes": 40, "design": "rrs",
        "name": "rrs", "train": np.arange(20), "nodes": np.arange(20, 40),
    }  # fmt: skip


def given_of(name: str, function: Callable[..., Any], good: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with which a function can be called, as far as there are any."""
    short = f"{name.split('.')[1]}.{name.rpartition('.')[2]}"
    if short in examples.PUBLIC:
        return examples.example(short)
    given = {
        p.name: good[p.name]
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.name in good
    }
    if isinstance(given.get("models"), dict) and short != "study.run":
        given["models"] = list(given["models"].values())
    if short == "comparison.compare_transfer":
        given["train"] = good["network"]
    return given


def deep_errors(
    function: Callable[..., Any], given: dict[str, Any], *, checked: bool = True
) -> list[str]:
    """Call a function with every wrong value in every place; return what went wrong."""
    bad = []
    named = [
        p
        for p in inspect.signature(function).parameters.values()
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self"
    ]
    kinds = kinds_of(inspect.unwrap(function)) if checked else {}
    for parameter in named:
        for wrong in WRONG:
            every = {p.name: wrong for p in named if p.default is p.empty}
            error = outcome(function, every | given | {parameter.name: wrong})
            refused = isinstance(error, NettrialError)
            kind = kinds.get(parameter.name, Any)
            # a network is also made of a sparse matrix
            made = isinstance(wrong, sp.dia_array) and matches(NETWORK, kind)
            fits = matches(wrong, kind) or made
            if error is not None and not refused:
                bad.append(f"{parameter.name}={shown(wrong)}: {type(error).__name__}: {error}")
            elif not fits and not (refused and SAID.search(str(error))):
                bad.append(f"{parameter.name}={shown(wrong)}: not refused as another kind: {error}")
            elif refused and ("\n" in str(error) or len(str(error)) > LONGEST):
                bad.append(f"{parameter.name}={shown(wrong)}: a long message: {error!s:.300}")
    return bad


NETWORK = nettrial.Network([0], [1], n_nodes=2)
LONGEST = 2000  # letters of a message, where many names are listed
SAID = re.compile(
    r"expected .*, got |received .*, allowed are |there is no such file|of no known format", re.S
)


def outcome(function: Callable[..., Any], given: dict[str, Any]) -> Exception | None:
    # models run here, whatever number of workers is asked for
    with warnings.catch_warnings(), parallel_config("sequential"):
        warnings.simplefilter("ignore")
        try:
            function(**given)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return error
    return None


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_wrong_arguments_are_refused_in_one_line(
    name: str, good: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function = PUBLIC[name]
    # objects that nettrial makes itself, results above all, take what they are given
    checked = inspect.isfunction(function)
    bad = deep_errors(function, given_of(name, function, good), checked=checked)
    assert not bad, f"{len(bad)}:\n" + "\n".join(bad[:20])


def objects() -> dict[str, Any]:
    """Return an object of every class whose methods take arguments."""
    network = nettrial.latent_group_network(40, seed=1)
    quick: dict[str, Any] = {"n_splits": 3, "progress": False, "test": "cluster_robust_t"}
    splits = RandomResampling(n_splits=2).split_network(network)
    classes = [0, 0, 1, 1]
    made = [
        network,
        nettrial.compare(network, "wvrn", "prior", **quick),
        nettrial.compare_models(network, ["wvrn", "nbc", "prior"], **quick),
        nettrial.run(network, {"prior": Prior()}, splits),
        nettrial.compare_grouped([0, 1, 1, 0], [1, 1, 0, 0], [1, 1, 2, 2]),
        metrics.confusion_matrix(classes, classes),
        metrics.roc_curve(classes, [0.1, 0.2, 0.3, 0.4]),
        metrics.threshold_curve(classes, [0.1, 0.2, 0.3, 0.4]),
        metrics.precision_recall_curve(classes, [0.1, 0.2, 0.3, 0.4]),
        stats.normal_quantiles([0.1, 0.2, 0.4, 0.3, 0.6]),
        examples.EXAMPLES["contributions"],
        *(design() for name, design in DESIGNS.items() if name != "temporal"),
        WVRN().fit(network, np.arange(20)),
        FeatureClassifier(GaussianNB()).fit(featured(network), np.arange(20)),
    ]  # fmt: skip
    return {type(value).__name__: value for value in made}


def featured(network: nettrial.Network) -> nettrial.Network:
    source, target = network.simple_links()
    return nettrial.Network(
        source, target, n_nodes=40, labels=network.labels.tolist(), features=np.eye(40)
    )


@pytest.mark.slow
def test_wrong_arguments_of_methods_are_refused_in_one_line(
    good: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = []
    for kind, value in objects().items():
        for name in dir(type(value)):
            static = inspect.getattr_static(type(value), name)
            if name.startswith("_") or not inspect.isfunction(static):
                continue
            if static.__module__.startswith("sklearn"):
                continue  # get_params and set_params, which are as scikit-learn has them
            method = getattr(value, name)
            names = inspect.signature(method).parameters
            given = {key: found for key, found in good.items() if key in names}
            bad += [f"{kind}.{name}: {said}" for said in deep_errors(method, given)]
        matplotlib.pyplot.close("all")
    assert not bad, f"{len(bad)}:\n" + "\n".join(bad[:40])


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (3, int, True), (np.int64(3), int, True), (True, int, False), (3.0, int, False),
        (3, float, True), (np.float32(3), float, True), (True, float, False), ("3", float, False),
        (np.bool_(1), bool, True), (1, bool, False),
        ("a", Literal["a", "b"], True), ("c", Literal["a", "b"], False), ([], Literal["a"], False),
        (None, int | None, True), ("x", int | None, False),
        ([1, 2], list[int], True), ([1, "2"], list[int], False), ("ab", list[str], False),
        ({"a": 1}, dict[str, int], True), ({1: 1}, dict[str, int], False),
        (np.arange(3), np.ndarray, True), ({}, np.ndarray, False),
        ([0, 2], NDArray[np.intp], True), ([0.5], NDArray[np.intp], False),
        (7, NDArray[np.intp], False), ([0.5], NDArray[np.float64], True),
        (nx.path_graph(2), NetworkxGraph, True), (nx.Graph, NetworkxGraph, False),
        ([0], ArrayLike | None, True), ({}, ArrayLike | None, False),
        (print, Callable[..., Any], True),
        (object(), Any, True),
    ],
)  # fmt: skip
def test_kinds(value: object, kind: Any, fits: bool) -> None:
    assert matches(value, kind) is fits
    assert described(kind)


def test_messages_name_function_parameter_and_what_came() -> None:
    network = nettrial.latent_group_network(24, seed=1)
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: nettrial.run(network, {"wvrn": WVRN()}, [0.1]),  # type: ignore[list-item]
         "run: splits: expected a sequence of Split or a LinkSplit, got [0.1]"),
        (lambda: nettrial.read("x.csv", label=0),  # type: ignore[arg-type]
         "read: label: expected text or None, got 0"),
        (lambda: nettrial.Network([0], [1], n_nodes=float("inf")),  # type: ignore[arg-type]
         "Network: n_nodes: expected an integer, got inf"),
        (lambda: nettrial.run(network, {"wvrn": WVRN()}, [], cross_links="kep"),  # type: ignore[arg-type]
         "run: cross_links: unknown 'kep'; did you mean 'keep'? (one of keep, drop, inductive)"),
        (lambda: nettrial.read(""), "read: path: expected a path, got '', which is empty"),
        (lambda: nettrial.read("a\0b"),
         "read: path: expected a path, got 'a\\x00b', which no file can be called"),
    ]  # fmt: skip
    for call, note in cases:
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value) == note


def test_what_is_missing_is_told_by_python_and_signatures_stay(words) -> None:
    @check_arguments
    def double(size: int) -> int:
        return 2 * size

    assert str(inspect.signature(double)) == "(size: 'int') -> 'int'"
    with words.raises(TypeError):
        double()  # type: ignore[call-arg]
    with words.raises(InputError):
        double("x")  # type: ignore[arg-type]


def odd_calls() -> dict[str, Callable[[], Any]]:
    """Return calls that no single wrong argument of a public function makes."""
    network = nettrial.latent_group_network(40, seed=1)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    found = nettrial.study.node_study.run(network, {"prior": Prior()}, splits)
    return {
        "inference": lambda: nettrial.models.NoInference().run(network, 2, True),  # type: ignore[arg-type]
        "learn": lambda: nettrial.models.GCN().learn(None, None, 1, 2, None),  # type: ignore[arg-type]
        "train": lambda: nettrial.models.WVRN().fit(network, np.array([10**9])),
        "nodes": lambda: Prior().fit(network, np.arange(9)).predict_proba(network, np.array([-1])),
        "learned": lambda: (
            FeatureClassifier(GaussianNB(), use="neighbors")
            .fit(network, np.arange(9))
            .predict_proba(network, np.array([99]))
        ),
        "mask": lambda: nettrial.models.CDRN().fit(network, np.array([True, False])),
        "positive": lambda: network.one_against_rest(pd.NA),
        "split": lambda: found.predicted("prior", 2**63),
        "labels": lambda: metrics.roc_curve(splits, [0.1, 0.2]),
        "groups": lambda: nettrial.latent_group_network(60, mean_group_size=1e-320),
        "result": lambda: nettrial.report.write_paper(Unspeakable(), "folder"),  # type: ignore[arg-type]
        "lines": lambda: nettrial.report.write_report(sp.csr_array(np.eye(2)), "x.html"),  # type: ignore[arg-type]
        "protocol": lambda: nettrial.compare(network, nettrial.models.Model, "prior", n_splits=2),
    }


@pytest.mark.parametrize("name", odd_calls())
def test_odd_calls_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(InputError, match="expected") as note:
        odd_calls()[name]()
    assert "\n" not in str(note.value)


def test_too_many_arguments_by_position_are_refused_in_one_line(words) -> None:
    x = [0.1, 0.2, 0.3]
    for refused in (
        lambda: nettrial.stats.friedman_test(x, x, x),
        lambda: nettrial.stats.paired_t_test(x, x, 0.9),
    ):
        with words.raises(InputError) as found:
            refused()
        assert isinstance(found.value, TypeError)
