"""Every option works in every sibling, or is refused by its name."""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
import warnings
from dataclasses import dataclass, fields
from inspect import get_annotations
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import nettrial
from nettrial.cli.options import declared_options
from nettrial.comparison.options import (
    Asked,
    Judged,
    Options,
    declared,
    kinds,
    offered,
    takes_options,
)
from nettrial.comparison.setup import Setup
from nettrial.core.declared import declare
from nettrial.core.errors import InputError
from nettrial.core.progress import Progress
from nettrial.store import IncompleteStudyError
from timeless import timeless

NETWORK, OTHER = (nettrial.latent_group_network(60, seed=seed) for seed in (1, 2))
PAIR, THREE = ["wvrn", "nbc"], ["wvrn", "nbc", "prior"]
QUICK: dict[str, Any] = {"test": "cluster_robust_t", "n_splits": 2, "progress": False}
PREDICTIONS = nettrial.compare(NETWORK, *PAIR, **QUICK).predictions
LABELS = np.column_stack([NETWORK.labels, np.arange(60) % 3 == 0]).astype(int)


class Telling:
    """Warns of the process that it runs in, and fails as long as a file is there."""

    def __init__(self, obstacle: Path) -> None:
        self.obstacle = obstacle

    def fit(self, network: nettrial.Network, train: Any) -> Telling:
        if self.obstacle.exists():
            raise ValueError("in the way")
        warnings.warn(f"process {os.getpid()}", stacklevel=2)
        return self

    def predict_proba(self, network: nettrial.Network, nodes: Any) -> Any:
        return np.tile([0.4, 0.6], (len(nodes), 1))


def across(models: list[Any], **given: Any) -> Any:
    return nettrial.compare_across({"x": NETWORK, "y": OTHER}, models, **given)


def of_predictions(models: list[Any], **given: Any) -> Any:
    asked = {k: v for k, v in given.items() if k == "test" or v != QUICK.get(k)}
    return nettrial.compare_predictions(PREDICTIONS, **asked)


SIBLINGS: dict[str, Any] = {
    "compare": lambda models, **given: nettrial.compare(NETWORK, *models[:2], **given),
    "compare_models": lambda models, **given: nettrial.compare_models(
        NETWORK, [*models, "prior"], **given
    ),
    "sweep": lambda models, **given: nettrial.sweep(
        NETWORK, models, **{"labeled": [0.2, 0.4], **given}
    ),
    "compare_across": across,
    "compare_across(train=)": lambda models, **given: across(
        models, train=nettrial.latent_group_network(60, seed=3), known=0.2, **given
    ),
    "compare_transfer": lambda models, **given: nettrial.compare_transfer(
        NETWORK, OTHER, models, known=0.2, **given
    ),
    "compare_labels": lambda models, **given: nettrial.compare_labels(
        NETWORK, LABELS, models, **given
    ),
    "compare_predictions": of_predictions,
}
# option -> a value that is not the default, and what the result on one network then says;
# of those without it a test of their own sees what they do
OPTIONS: dict[str, tuple[Any, Any]] = {
    "control": ("nbc", lambda found: found.control == "nbc"),
    "labeled": (0.4, lambda found: found.labeled == 0.4),
    "n_splits": (3, lambda found: len(found.predictions.splits) == 3),
    "design": ("ers", lambda found: found.design == "ers"),
    "positive": (
        NETWORK.classes[1],
        lambda found: found.settings["positive"] == str(NETWORK.classes[1]),
    ),
    "communities": ([0, 1, 2] * 20, lambda found: found.settings["n_communities"] == 3),
    "measure": ("log_loss", lambda found: found.measure.name == "log_loss"),
    "measures": (
        ("error", "squared_loss"),
        lambda found: found.settings["measures"] == ["error", "squared_loss"],
    ),
    "cross_links": ("drop", lambda found: found.settings["cross_links"] == "drop"),
    "setting": ("inductive", lambda found: found.settings["cross_links"] == "inductive"),
    "q": ("mean_of_failing", None),
    "confidence": (0.9, lambda found: found.confidence == 0.9),
    "margin": (0.03, lambda found: found.to_dict()["margin"] == 0.03),
    "test": ("cluster_sign_flip", lambda found: found.recommended == "cluster_sign_flip"),
    "n_replicates": (11, lambda found: found.settings["n_replicates"] == 11),
    "budget": ("0.001s", lambda found: found.settings["n_replicates"] == 6),
    "n_seeds": (2, lambda found: found.settings["n_seeds"] == 2),
    "n_prior_tests": (6, lambda found: found.prior_tests.number == 6),
    "seed": (5, lambda found: found.seed == 5),
    "n_jobs": (2, None),
    "store": ("study", None),
    "retry": (True, None),
    "progress": (True, None),
}
REFUSED = {
    "compare": {"control", "measures"},
    "sweep": {"control", "measures", "n_prior_tests"},
    "compare_across": {"control", "measures", "n_prior_tests"},
    "compare_across(train=)": {
        *("control", "measures", "design", "n_replicates", "budget", "n_seeds", "store", "retry"),
        *("n_prior_tests", "setting"),
    },
    "compare_transfer": {
        "setting",
        "n_prior_tests",
        "design",
        "n_replicates",
        "budget",
        "n_seeds",
        "store",
        "retry",
    },
    "compare_labels": {
        *("positive", "measures", "q", "n_replicates", "budget", "n_seeds", "store", "retry"),
    },
    "compare_predictions": {
        *("n_replicates", "budget", "n_seeds", "store", "retry", "n_splits", "progress"),
        *("cross_links", "setting", "n_jobs"),
    },
}


def test_the_table_holds_every_option() -> None:
    assert set(OPTIONS) == set(declared())


def having(option: str) -> list[str]:
    """Return the siblings that have an option."""
    return [name for name in SIBLINGS if option not in REFUSED.get(name, ())]


def on_one_network(found: Any, name: str = "x") -> Any:
    return found.networks[name] if hasattr(found, "networks") else found


@pytest.mark.parametrize(
    ("sibling", "option"),
    [(name, each) for name, those in REFUSED.items() for each in sorted(those)],
)
def test_what_a_sibling_does_not_have_it_refuses_by_name(sibling: str, option: str) -> None:
    given = QUICK | {option: OPTIONS[option][0]}
    with pytest.raises(InputError, match=f"^compare: {option}: cannot be used with") as refused:
        SIBLINGS[sibling](PAIR, **given)
    assert refused.value.parameter == option


@pytest.mark.filterwarnings("ignore:.* are expected to leave")
@pytest.mark.parametrize("option", [name for name, (_, holds) in OPTIONS.items() if holds])
@pytest.mark.parametrize("sibling", SIBLINGS)
def test_what_a_sibling_has_is_seen_in_its_result(sibling: str, option: str) -> None:
    if sibling not in having(option):
        return
    value, holds = OPTIONS[option]
    tests = {"n_replicates": "bootstrap", "budget": "halves"}
    given = QUICK | {"test": tests.get(option, QUICK["test"]), option: value}
    if (sibling, option) == ("sweep", "labeled"):
        given[option] = [0.4, 0.2]
    found = on_one_network(SIBLINGS[sibling](PAIR, **given))
    if sibling == "sweep" and option in ("labeled", "n_splits"):
        assert (found.labeled, found.n_splits) == ((0.2, 0.4), given["n_splits"])
    elif option == "labeled" and "learned_on" in found.settings:
        assert found.settings["learned_on"]["labeled"] == 0.4
    else:
        assert holds(found)


@pytest.mark.parametrize("sibling", having("q"))
def test_the_estimator_of_q_changes_the_variance_that_rests_on_it(sibling: str) -> None:
    given = QUICK | {"test": "rsc_paired"}
    frames = [
        on_one_network(SIBLINGS[sibling](PAIR, **given, q=q), "y").to_frame()
        for q in ("moment", "mean_of_failing")
    ]
    one, two = (frame["standard_error"].dropna().tolist() for frame in frames)
    assert one != two


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
@pytest.mark.parametrize("sibling", having("n_jobs"))
def test_several_workers_are_other_processes(sibling: str, tmp_path: Path) -> None:
    models = ["wvrn", Telling(tmp_path / "none")]
    said = [
        " ".join(map(str, on_one_network(SIBLINGS[sibling](models, **QUICK, n_jobs=n)).warnings))
        for n in (None, 2)
    ]
    assert f"process {os.getpid()}" in said[0]
    assert "process " in said[1]
    assert f"process {os.getpid()}" not in said[1]


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
@pytest.mark.parametrize("sibling", having("store"))
def test_a_study_file_is_kept_and_what_failed_is_run_again_if_asked(
    sibling: str, tmp_path: Path
) -> None:
    store, obstacle = tmp_path / "study", tmp_path / "obstacle"
    models = ["wvrn", Telling(obstacle)]
    obstacle.touch()
    for _ in range(2):
        with pytest.raises(IncompleteStudyError):
            SIBLINGS[sibling](models, **QUICK, store=store)
        assert store.is_file() if sibling in ("compare", "compare_models") else any(store.iterdir())
        obstacle.unlink(missing_ok=True)
    SIBLINGS[sibling](models, **QUICK, store=store, retry=True)


@pytest.mark.parametrize("sibling", having("progress"))
def test_progress_shows_a_bar_or_none(sibling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[bool] = []
    begin = Progress.__enter__

    def enter(bar: Progress) -> Progress:
        bars.append(bar._enabled)
        return begin(bar)

    monkeypatch.setattr(Progress, "__enter__", enter)
    for shown in (True, False):
        bars.clear()
        SIBLINGS[sibling](PAIR, **QUICK | {"progress": shown})
        assert set(bars) == {shown}


FACES = {
    name: getattr(nettrial, name)
    for name in (
        "compare", "compare_models", "sweep", "compare_across", "compare_transfer",
        "compare_labels", "compare_predictions", "compare_shard",
    )
}  # fmt: skip


@pytest.mark.parametrize("face", FACES)
def test_help_and_signature_show_every_option_once(face: str) -> None:
    signature, text = inspect.signature(FACES[face]), inspect.getdoc(FACES[face]) or ""
    for name in offered(face):
        assert name in signature.parameters, name
        assert len(re.findall(rf"^(?:\w+, )*{name}(?:, \w+)* :", text, re.M)) == 1, name
    assert not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())


def test_editors_and_type_checkers_see_the_same_options() -> None:
    static = get_annotations(Judged) | get_annotations(Asked)
    own = {field.name: field.type for field in fields(Options)}
    assert own.pop("labeled") == "float | None"  # its type is that of each function
    assert {name: text.__forward_arg__ for name, text in static.items()} == own
    assert set(get_annotations(Judged)) == set(offered("compare_predictions")) - {
        "labeled", "design",
    }  # fmt: skip


class ArrivedError(Exception):
    """What was asked for has come where comparisons are set up."""


def test_an_option_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A toy option, declared once, is in every signature, help, check and command."""

    @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
    class Toyed(Options):
        toy: int | None = declare(
            None, "int, optional", "How much to play. Not too long.", flag="--toy",
            without=("compare_labels",),
        )  # fmt: skip

    def arrive(*given: Any, **_: Any) -> None:
        options = next(each for each in given if isinstance(each, Options))
        raise ArrivedError(options.toy)  # type: ignore[attr-defined]

    monkeypatch.setattr(Setup, "of", arrive)
    monkeypatch.setattr(nettrial.comparison.predictions, "analysis_of", arrive)
    for module in [m for name, m in sys.modules.items() if name.startswith("nettrial.comparison")]:
        if hasattr(module, "Options"):
            monkeypatch.setattr(module, "Options", Toyed)
    caches = declared, kinds
    for each in caches:
        each.cache_clear()
    try:
        for name, face in FACES.items():
            again = takes_options(inspect.unwrap(face))
            words = [part for option in declared_options(name) for part in option_words(option)]
            taken = inspect.signature(again).parameters
            given: dict[str, Any] = {"store": "x", "shard": "1/1"} if "shard" in taken else {}
            first = {
                "compare_across": [{"x": NETWORK, "y": OTHER}, PAIR],
                "compare": [NETWORK, *PAIR],
                "compare_transfer": [NETWORK, OTHER, PAIR],
                "compare_predictions": [PREDICTIONS],
                "compare_labels": [NETWORK, LABELS, PAIR],
            }.get(name, [NETWORK, PAIR])
            if name == "compare_labels":
                assert "toy" not in taken
                assert "--toy" not in words
                with pytest.raises(InputError, match="toy: cannot be used with several labels"):
                    again(*first, toy=3)
                continue
            assert taken["toy"].default is None
            assert "toy : int, optional\n    How much to play." in (again.__doc__ or "")
            assert "--toy" in words
            with pytest.raises(InputError, match=f"{name}: toy: expected an integer or None"):
                again(*first, **given, toy="x")
            with pytest.raises(ArrivedError, match="3"):
                again(*first, **given, toy=3)
    finally:
        monkeypatch.undo()
        for each in caches:
            each.cache_clear()


def option_words(option: Any) -> list[str]:
    command = option(click.Command("x", callback=lambda **_: None))
    return [word for parameter in command.params for word in parameter.opts]


def test_an_unknown_option_is_refused_with_the_nearest(words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, n_split=3)  # type: ignore[call-overload]


def test_numbers_of_numpy_are_as_good_as_those_of_python() -> None:
    plain: dict[str, Any] = {
        "labeled": 0.25, "n_splits": 3, "confidence": 0.9, "n_replicates": 11, "n_seeds": 2,
        "margin": 0.05, "n_prior_tests": 2, "seed": 5, "n_jobs": 1, "retry": False,
        "progress": False,
    }  # fmt: skip
    kinds = {int: np.int64, float: np.float64, bool: np.bool_}
    given = {name: kinds[type(value)](value) for name, value in plain.items()}
    one, two = (nettrial.compare(NETWORK, *PAIR, **options) for options in (plain, given))
    assert (one.verdict, timeless(one)) == (two.verdict, timeless(two))
    by_hand = {"n_prior_tests": np.uint8(2), "confidence": np.float32(0.5), "seed": np.int32(1)}
    found = nettrial.compare_predictions(PREDICTIONS, **by_hand)
    assert "one of 3 comparisons" in str(found)
    swept = nettrial.sweep(NETWORK, PAIR, labeled=[np.float64(0.2), np.float64(0.4)], **QUICK)
    assert json.loads(swept.to_json())
