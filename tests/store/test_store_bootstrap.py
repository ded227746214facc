"""The bootstrap in a study file: kept network by network, resumed, the same as without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.metrics.measures import MEASURES
from nettrial.network.network import Network
from nettrial.store import IncompleteStudyError, Unit, study_status
from nettrial.store.units import ALL
from study_files import changing
from study_models import Failing, Guessing
from timeless import timeless

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
OF_CLASSES = [name for name, measure in MEASURES.items() if measure.of == "classes"]


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(60, seed=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "study.nettrial"


@pytest.fixture(autouse=True)
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the models of these tests see copies: they learn nothing from any node."""
    monkeypatch.setattr("nettrial.inference.choice.may_see_copies", lambda _model: True)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def compare(network: Network, store: Path | None, a: object = None, **options: object) -> str:
    """Compare on 3 splits and 2 x 10 drawn networks."""
    options = {"test": "bootstrap", "n_replicates": 10, "n_jobs": None} | options
    a = Guessing("a") if a is None else a
    found = nettrial.compare(network, a, "wvrn", n_splits=3, seed=5, store=store, **options)
    return timeless(found)


def change(file: Path, statement: str) -> None:
    with changing(file) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("model", ["guessing", "nbc"])
def test_the_verdict_is_the_same_with_and_without_a_study_file(
    network: Network, file: Path, model: str
) -> None:
    a: object = Guessing("a") if model == "guessing" else model
    expected = compare(network, None, a)
    assert json.loads(expected)["recommended"] == "bootstrap"
    details = next(t for t in json.loads(expected)["tests"] if t["name"] == "bootstrap")["details"]
    assert details["compiled"] == (model == "nbc")
    assert compare(network, file, a) == expected
    assert timeless(stored_comparison(file)) == expected
    assert study_status(file).done == 6 + 20


def test_with_auto_the_rule_does_not_ask_for_the_file(
    network: Network, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for a, chosen in (("nbc", "bootstrap"), (Guessing("a"), "halves")):
        store = file.with_name(f"{chosen}.nettrial")
        expected = compare(network, None, a, test="auto")
        assert json.loads(expected)["recommended"] == chosen
        assert compare(network, store, a, test="auto") == expected
        assert timeless(stored_comparison(store)) == expected


def test_only_the_networks_that_are_missing_are_drawn_again(
    network: Network, file: Path, words
) -> None:
    log = file.with_name("log")
    model = Guessing("a", log=str(log))
    expected = compare(network, file, model)
    assert len(lines(log)) == len(set(lines(log))) == 3 + 20 * 3
    change(
        file,
        "UPDATE units SET state = 'open', result = NULL "
        "WHERE model = -1 AND split = 1 AND replicate = 4",
    )
    assert study_status(file).open == 1
    with words.raises(IncompleteStudyError) as error:
        stored_comparison(file)
    assert error.value.missing == (Unit(ALL, 1, 4),)
    assert compare(network, file, model) == expected
    first = 3 + 10 * 3 + 4 * 3
    assert lines(log)[63:] == lines(log)[first : first + 3]


def test_another_number_of_networks_is_refused(network: Network, file: Path, words) -> None:
    # the second set is drawn by what came of the first, so that both would be others
    compare(network, file)
    with words.raises(InputError):
        compare(network, file, n_replicates=12)


@pytest.mark.slow
@pytest.mark.parametrize("first", OF_CLASSES)
def test_networks_drawn_for_one_measure_never_serve_another(file: Path, first: str) -> None:
    network = nettrial.latent_group_network(150, seed=3).one_against_rest("+")
    expected = compare(network, file, "nbc", measure=first)
    before = file.read_bytes()
    for other in OF_CLASSES:
        if other != first:
            with pytest.raises(InputError, match="measure"):
                compare(network, file, "nbc", measure=other)
    assert file.read_bytes() == before
    assert compare(network, file, "nbc", measure=first) == expected


def test_another_measure_is_refused(network: Network, file: Path, words) -> None:
    # what a file holds of a drawn network is measured, not predicted
    compare(network, file, measure="squared_loss")
    with words.raises(InputError):
        compare(network, file, measure="log_loss")
    found = compare(network, file, measure="log_loss", test="cluster_robust_t")
    assert found == compare(network, None, measure="log_loss", test="cluster_robust_t")


@pytest.mark.slow
def test_workers_and_files_change_no_bit(network: Network, file: Path) -> None:
    assert compare(network, file, n_jobs=2) == compare(network, None)


def test_other_communities_are_refused_for_the_bootstrap_alone(
    network: Network, file: Path, words
) -> None:
    compare(network, file)
    apart = np.arange(60) // 6
    with words.raises(InputError):
        compare(network, file, communities=apart)
    found = compare(network, file, communities=apart, test="cluster_robust_t")
    assert found == compare(network, None, communities=apart, test="cluster_robust_t")
    assert timeless(stored_comparison(file)) == found


def test_a_drawn_network_on_which_a_model_fails_is_told_and_run_again(
    network: Network, file: Path, words
) -> None:
    bad, log = file.with_name("bad"), file.with_name("log")
    model = Failing("f", str(bad), log=str(log))
    expected = compare(network, None, model)
    seeds = [int(line.split()[1]) % 3 for line in lines(log)]
    # fails on some drawn network, but not on the network itself
    rest = next(k for k in range(3) if k not in seeds[:3])
    bad.write_text(str(rest))
    failing = [k for k in range(10) if rest in seeds[3 + 3 * k : 6 + 3 * k]]
    assert failing
    with words.raises(IncompleteStudyError) as error:
        compare(network, file, model)
    assert error.value.failed == tuple(Unit(ALL, 0, k) for k in failing)
    bad.unlink()
    with pytest.raises(IncompleteStudyError):
        compare(network, file, model)
    assert compare(network, file, model, retry=True) == expected


@pytest.mark.slow
def test_kill_9_loses_no_drawn_network_and_repeats_none() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    found = subprocess.run(
        [sys.executable, str(BENCHMARKS / "crash_loop.py"), "--kills", "3", "--bootstrap"],
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert found.returncode == 0, found.stderr
    assert "nothing lost" in found.stdout
