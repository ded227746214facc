"""Every option works in every sibling, or is refused by its name."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.comparison.setup import Setup
from nettrial.core.errors import InputError

NETWORK, OTHER = (nettrial.latent_group_network(60, seed=seed) for seed in (1, 2))
PAIR, THREE = ["wvrn", "nbc"], ["wvrn", "nbc", "prior"]
QUICK: dict[str, Any] = {"test": "cluster_robust_t", "n_splits": 2, "progress": False}
PREDICTIONS = nettrial.compare(NETWORK, *PAIR, **QUICK).predictions
SIBLINGS: dict[str, Any] = {
    "compare": lambda **given: nettrial.compare(NETWORK, *PAIR, **given),
    "compare_models": lambda **given: nettrial.compare_models(NETWORK, THREE, **given),
    "sweep": lambda **given: nettrial.sweep(NETWORK, PAIR, **{"labeled": [0.2, 0.4], **given}),
    "compare_across": lambda **given: nettrial.compare_across(
        {"x": NETWORK, "y": OTHER}, PAIR, **given
    ),
    "compare_across(train=)": lambda **given: nettrial.compare_across(
        {"x": NETWORK, "y": OTHER},
        PAIR,
        train=nettrial.latent_group_network(60, seed=3),
        known=0.2,
        **given,
    ),
    "compare_transfer": lambda **given: nettrial.compare_transfer(
        NETWORK, OTHER, PAIR, known=0.2, **given
    ),
    "compare_predictions": lambda **given: nettrial.compare_predictions(
        PREDICTIONS, **{k: v for k, v in given.items() if k not in ("n_splits", "progress")}
    ),
}
# option -> a value that is not the default, and what the result on one network then says
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
    "q": ("mean_of_failing", lambda found: found.settings.get("q", "") in ("", "mean_of_failing")),
    "confidence": (0.9, lambda found: found.confidence == 0.9),
    "test": ("cluster_sign_flip", lambda found: name_of_test(found) == "cluster_sign_flip"),
    "n_replicates": (11, lambda found: found.settings["n_replicates"] == 11),
    "budget": ("2min", lambda _: True),
    "n_seeds": (2, lambda found: found.settings["n_seeds"] == 2),
    "looks": (7, lambda found: found.looks.number == 7),
    "seed": (5, lambda found: found.seed == 5),
    "n_jobs": (1, lambda _: True),
    "store": ("study", lambda _: True),
    "retry": (True, lambda _: True),
    "progress": (False, lambda _: True),
}
REFUSED = {
    "compare": {"control", "measures"},
    "sweep": {"control", "measures", "looks"},
    "compare_across": {"control", "measures", "looks"},
    "compare_across(train=)": {
        *("control", "measures", "design", "n_replicates", "budget", "n_seeds", "store", "retry"),
        "looks",
    },
    "compare_transfer": {"looks", "design", "n_replicates", "budget", "n_seeds", "store", "retry"},
    "compare_predictions": {
        *("n_replicates", "budget", "n_seeds", "store", "retry"),
        *("cross_links", "n_jobs"),
    },
}
# what predictions that were made before cannot be asked any more is no option there
NOT_ASKED = {("compare_predictions", "n_splits"), ("compare_predictions", "progress")}


def name_of_test(found: Any) -> str:
    return str(found.recommended if hasattr(found, "recommended") else found.test)


def test_the_table_holds_every_option() -> None:
    named = inspect.signature(Setup.of).parameters
    assert set(OPTIONS) == set(named) - {"network", "models"}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("sibling", SIBLINGS)
def test_an_option_works_or_is_refused_by_name(sibling: str, option: str, tmp_path: Path) -> None:
    if (sibling, option) in NOT_ASKED:
        return
    value, holds = OPTIONS[option]
    given = dict(QUICK)
    if option == "n_replicates":
        given["test"] = "bootstrap"
    refused = option in REFUSED.get(sibling, ())
    if option == "store" or (option == "retry" and not refused):
        given["store"] = tmp_path / "study"
    given[option] = given["store"] if option == "store" else value
    if sibling == "sweep" and option == "labeled":
        given[option] = [0.4, 0.2]
    if refused:
        with pytest.raises((InputError, TypeError), match=option):
            SIBLINGS[sibling](**given)
        return
    found = SIBLINGS[sibling](**given)
    if hasattr(found, "networks"):
        found = found.networks["x"]
    if sibling == "sweep":
        says = {"labeled": found.labeled == (0.2, 0.4), "n_splits": found.n_splits == 3}
        assert says[option] if option in says else holds(found)
    elif (sibling, option) == ("compare_transfer", "labeled") or (
        sibling == "compare_across(train=)" and option == "labeled"
    ):
        assert found.settings["learned_on"]["labeled"] == 0.4
    else:
        assert holds(found)
    if option in ("store", "retry"):
        place = Path(given["store"])
        assert (
            place.is_file() if sibling in ("compare", "compare_models") else list(place.iterdir())
        )


def test_numbers_of_numpy_are_as_good_as_those_of_python() -> None:
    plain: dict[str, Any] = {
        "labeled": 0.25, "n_splits": 3, "confidence": 0.9, "n_replicates": 11, "n_seeds": 2,
        "looks": 3, "seed": 5, "n_jobs": 1, "retry": False, "progress": False,
    }  # fmt: skip
    kinds = {int: np.int64, float: np.float64, bool: np.bool_}
    given = {name: kinds[type(value)](value) for name, value in plain.items()}
    one, two = (nettrial.compare(NETWORK, *PAIR, **options) for options in (plain, given))
    assert (one.verdict, one.to_json()) == (two.verdict, two.to_json())
    by_hand = {"looks": np.uint8(3), "confidence": np.float32(0.5), "seed": np.int32(1)}
    found = nettrial.compare_predictions(PREDICTIONS, **by_hand)
    assert "one of 3 looks" in str(found)
    swept = nettrial.sweep(NETWORK, PAIR, labeled=[np.float64(0.2), np.float64(0.4)], **QUICK)
    assert json.loads(swept.to_json())
