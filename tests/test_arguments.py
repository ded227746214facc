"""Arguments of the wrong kind: every public function refuses them in one clear line."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import nettrial
from nettrial.arguments import check_arguments, described, matches
from nettrial.errors import InputError, NettrialError
from nettrial.models import WVRN
from nettrial.splits import RandomResampling

WRONG = (
    None, True, -1, 10**30, 0.5, float("nan"), float("inf"), "", "zzz", b"x", [], {}, object(),
    np.array([]), np.array([[1.5]]), [[], [1]], lambda: 0, int, 3 + 4j,
)  # fmt: skip

# those whose arguments are not check_arguments in one place yet; to be emptied
LATER = {
    "nettrial.stats", "nettrial.metrics", "nettrial.bootstrap", "nettrial.report",
    "nettrial.experiments", "nettrial.theory", "nettrial.models", "nettrial.splits",
}  # fmt: skip
LATER_NAMES = {
    "audit", "plan", "compare", "compare_across", "compare_grouped", "compare_models",
    "compare_predictions", "compare_transfer", "leaderboard", "sweep",
    "from_adjacency", "from_dgl", "from_frames", "from_igraph", "from_networkx", "from_ogb",
    "from_pyg", "project", "what_was_read",
}  # fmt: skip
MODULES = ("nettrial", "nettrial.io", "nettrial.store", "nettrial.synth", *sorted(LATER))


def public(names: tuple[str, ...]) -> Iterator[tuple[str, Callable[..., Any]]]:
    for place in names:
        module = importlib.import_module(place)
        for name in getattr(module, "__all__", ()):
            found = getattr(module, name)
            if inspect.isfunction(found) and name not in LATER_NAMES:
                yield f"{place}.{name}", found


CHECKED = dict(public(tuple(place for place in MODULES if place not in LATER)))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return values that fit, by the name of the parameter."""
    folder = tmp_path_factory.mktemp("good")
    network = nettrial.latent_group_network(24, seed=1)
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    links = folder / "links.csv"
    links.write_text("source,target\na,b\nb,c\n")
    return {
        "network": network, "splits": splits, "models": {"wvrn": WVRN()}, "path": links,
        "source": links, "n_nodes": 24, "design": "rrs", "name": "rrs",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_wrong_arguments_are_refused_in_one_line(
    name: str, good: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, bad = CHECKED[name], []
    parameters = inspect.signature(function).parameters.values()
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p.name for p in named if p.default is p.empty]
    for parameter in named:
        for wrong in WRONG:
            given = {key: good.get(key, wrong) for key in required} | {parameter.name: wrong}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    function(**given)
                except NettrialError:
                    continue
                except Exception as error:  # noqa: BLE001 - that is what is looked for
                    bad.append(f"{parameter.name}={wrong!r}: {type(error).__name__}: {error}")
    assert not bad, f"{len(bad)} of {len(named) * len(WRONG)}:\n" + "\n".join(bad[:20])


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
         "run: splits: expected a sequence of Split, got [0.1]"),
        (lambda: nettrial.read("x.csv", label=0),  # type: ignore[arg-type]
         "read: label: expected text or None, got 0"),
        (lambda: nettrial.Network([0], [1], n_nodes=float("inf")),  # type: ignore[arg-type]
         "Network: n_nodes: expected an integer, got inf"),
        (lambda: nettrial.run(network, {"wvrn": WVRN()}, [], cross_links="kep"),  # type: ignore[arg-type]
         "run: cross_links: expected one of keep, drop, got 'kep'; did you mean 'keep'?"),
    ]  # fmt: skip
    for call, told in cases:
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value) == told


def test_what_is_missing_is_told_by_python_and_signatures_stay() -> None:
    @check_arguments
    def double(size: int) -> int:
        return 2 * size

    assert str(inspect.signature(double)) == "(size: 'int') -> 'int'"
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        double()  # type: ignore[call-arg]
    with pytest.raises(InputError, match="double: size: expected an integer, got 'x'"):
        double("x")  # type: ignore[arg-type]
