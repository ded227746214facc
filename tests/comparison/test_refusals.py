"""Values of the wrong kind are refused with a message, whatever command they are given to."""

from __future__ import annotations

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.stats.network_hac import network_hac_test

MODELS = ("nbc", "wvrn")


@pytest.fixture(scope="module")
def networks():
    return tuple(nettrial.latent_group_network(60, seed=seed) for seed in (1, 2))


@pytest.mark.parametrize(
    "options",
    [
        *({"known": value} for value in (None, "0.1", float("nan"), True, 1.0)),
        *({"labeled": value} for value in (None, "0.1", float("nan"), True, 0)),
        *({"n_splits": value} for value in ("3", 2.5, float("nan"), True, 1, 10**9)),
    ],
)
def test_transfer_refuses_options(networks, options):
    with pytest.raises(InputError, match=next(iter(options)) + "|too many to keep"):
        nettrial.compare_transfer(*networks, MODELS, **options)


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (call, options)
        for call in (nettrial.audit, nettrial.plan)
        for options in (
            {"labeled": None},
            {"labeled": "x"},
            {"labeled": 1e-9},
            {"labeled": 0.9999},
            {"n_splits": 10**9},
        )
    ],
)
def test_audit_and_plan_refuse_options(networks, call, options):
    with pytest.raises(InputError, match=next(iter(options)) + "|too many to keep"):
        call(networks[0], *MODELS, progress=False, **options)


@pytest.mark.parametrize("what", [None, "links.csv", []])
def test_only_networks_are_taken(networks, what, words):
    calls = (
        lambda: nettrial.compare(what, *MODELS, positive="a"),
        lambda: nettrial.compare_models(what, MODELS),
        lambda: nettrial.sweep(what, MODELS),
        lambda: nettrial.audit(what, *MODELS),
        lambda: nettrial.plan(what, *MODELS),
        lambda: nettrial.compare_transfer(what, networks[0], MODELS),
        lambda: nettrial.compare_transfer(networks[0], what, MODELS),
    )
    for call in calls:
        with words.raises(InputError):
            call()


def test_one_string_is_no_list_of_models(networks, words):
    with words.raises(InputError):
        nettrial.compare_models(networks[0], "nbc")


@pytest.mark.parametrize("number", ["30", 30.5, True, 9])
def test_numbers_of_replicates_are_whole(networks, number):
    with pytest.raises(InputError, match="n_replicates"):
        nettrial.compare(networks[0], *MODELS, n_splits=2, n_replicates=number, progress=False)


def test_network_hac_refuses(networks, words):
    values = np.arange(3.0)
    for graph in (None, "x", networks[0]):
        with words.raises(InputError):
            network_hac_test(values, graph)
    with words.raises(InputError):
        network_hac_test(values, np.zeros((3, 3)), weights=[1e-300, 1, 1e300])
