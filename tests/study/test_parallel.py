"""The same bits for any number of workers, any order, any backend; workers that die."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from joblib import parallel_config

import nettrial
from nettrial.core.errors import InputError
from nettrial.models import NBC, WVRN
from nettrial.network.network import Network
from nettrial.splits import RandomResampling, Split
from nettrial.store import study_status
from nettrial.study import parallel
from nettrial.study.fitting import attempt
from nettrial.study.node_study import ModelError, Plan, Predictions, run
from nettrial.study.shared_network import Files, Parts, share, take_apart
from study_models import Deadly, Guessing


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(120, seed=3)


@pytest.fixture(scope="module")
def splits(network: Network) -> list[Split]:
    return RandomResampling(n_splits=20, seed=1).split_network(network)


def digest(predictions: Predictions) -> str:
    state = hashlib.sha256()
    for name in predictions.models:
        for proba in predictions.probabilities[name]:
            state.update(proba.tobytes())
    return state.hexdigest()


MODELS = {"guessing": Guessing(), "wvRN": WVRN(), "nBC": NBC()}


@pytest.fixture(scope="module")
def expected(network: Network, splits: list[Split]) -> str:
    return digest(run(network, MODELS, splits, seed=2))


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_any_number_of_workers(
    network: Network, splits: list[Split], expected: str, n_jobs: int
) -> None:
    assert digest(run(network, MODELS, splits, seed=2, n_jobs=n_jobs)) == expected


@pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
def test_other_backends_of_joblib(
    network: Network, splits: list[Split], expected: str, backend: str
) -> None:
    with parallel_config(backend=backend, n_jobs=2):
        assert digest(run(network, MODELS, splits, seed=2)) == expected


class Seen:
    """Notes the threads that it runs in."""

    threads: ClassVar[set[int]] = set()

    def fit(self, network: Network, train: np.ndarray) -> Seen:
        self.threads.add(threading.get_ident())
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        return np.full((nodes.size, network.n_classes), 1 / network.n_classes)


@pytest.mark.parametrize(
    "compare",
    [
        lambda one, other: nettrial.compare(one, Seen(), "prior", n_splits=8, test="network_hac"),
        lambda one, other: nettrial.compare_models(
            one, [Seen(), "prior"], n_splits=8, test="network_hac"
        ),
        lambda one, other: nettrial.sweep(
            one, [Seen(), "prior"], labeled=[0.3, 0.5], test="network_hac"
        ),
        lambda one, other: nettrial.compare_across(
            {"a": one, "b": other}, [Seen(), "prior"], test="network_hac"
        ),
        lambda one, other: nettrial.compare_transfer(one, other, [Seen(), "prior"]),
    ],
    ids=["compare", "compare_models", "sweep", "compare_across", "compare_transfer"],
)
def test_every_comparison_runs_where_joblib_is_told_to(
    network: Network, compare: Callable[[Network, Network], object]
) -> None:
    other = nettrial.latent_group_network(120, seed=4)
    Seen.threads.clear()
    with parallel_config(backend="threading", n_jobs=2):
        compare(network, other)
    assert Seen.threads - {threading.get_ident()}


def test_any_order(
    network: Network, splits: list[Split], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered = parallel.tasks

    def shuffled(plan: object, blocks: list[object], *rest: object) -> Iterator[object]:
        order = np.random.default_rng(1).permutation(len(blocks))
        return ordered(plan, [blocks[i] for i in order], *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(parallel, "tasks", shuffled)
    assert digest(run(network, MODELS, splits, seed=2)) == expected


def test_what_else_is_in_a_batch_does_not_matter(network: Network, splits: list[Split]) -> None:
    plan = Plan(network, {"wvRN": WVRN(), "nBC": NBC()}, tuple(splits), 2, "keep")
    for block in plan.blocks:
        together = attempt(network, plan.work(block))
        for found in together:
            (alone,) = attempt(network, plan.work([found.unit]))
            assert alone.result is not None
            assert found.result is not None
            assert alone.result.tobytes() == found.result.tobytes()


def test_a_short_job_of_built_in_models_starts_no_workers(
    network: Network, splits: list[Split], monkeypatch: pytest.MonkeyPatch, words
) -> None:
    def refuse() -> None:
        raise AssertionError("workers were started")

    monkeypatch.setattr("nettrial.study.parallel._workers_started", lambda: False)
    monkeypatch.setattr("nettrial.study.parallel.own_workers", refuse)
    ours = {"wvRN": WVRN(), "nBC": NBC()}
    here = digest(run(network, ours, splits, seed=2))
    assert digest(run(network, ours, splits, seed=2, n_jobs=2)) == here
    with words.raises(AssertionError):
        run(network, ours | {"other": Guessing()}, splits, seed=2, n_jobs=2)


@pytest.mark.parametrize("n_jobs", [0, True])
def test_impossible_numbers_of_workers_are_refused(
    network: Network, splits: list[Split], n_jobs: int
) -> None:
    with pytest.raises(InputError, match="n_jobs"):
        run(network, MODELS, splits, n_jobs=n_jobs)


def test_a_failing_model_in_a_worker_is_named_with_its_traceback(
    network: Network, splits: list[Split]
) -> None:
    with pytest.raises(ModelError, match="'bad' failed on split") as error:
        run(network, {"bad": Guessing(sharpness="x")}, splits, n_jobs=2)  # type: ignore[arg-type]
    assert "in predict_proba" in "".join(error.value.__notes__)


# the network in the workers ------------------------------------------------------------------

ODD = Network(
    [0, 1, 2, 3], [1, 2, 3, 0], n_nodes=6, weight=[1, 2.5, 1, 1], directed=True,
    labels=["x", 3, None, "x", 3, "x"], ids=[(1, 2), "b", 7, "d", "e", None],
    attributes={"place": ["n", None, "s", "n", 4, "s"]}, features=np.eye(6), name="odd",
)  # fmt: skip


@pytest.mark.parametrize("kind", [Files, Parts])
def test_workers_get_every_part_of_the_network(kind: type[Parts], tmp_path: Path) -> None:
    arrays, rest = take_apart(ODD)
    if kind is Files:
        for name, array in arrays.items():
            np.save(tmp_path / f"{name}.npy", array, allow_pickle=False)
        arrays = {name: tmp_path / f"{name}.npy" for name in arrays}  # type: ignore[misc]
    back = kind(arrays, rest).open()
    assert back.fingerprint() == ODD.fingerprint()
    assert back.ids.tolist() == ODD.ids.tolist()
    assert back.classes == ODD.classes
    assert back.attributes["place"].tolist() == ODD.attributes["place"].tolist()
    assert np.array_equal(back.features, ODD.features)
    if kind is Files:
        assert isinstance(back.links.indices.base, np.memmap)


def test_a_network_that_is_mapped_from_files_is_not_written_again(tmp_path: Path) -> None:
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    with share(nettrial.latent_group_network(60, seed=1), backend) as first:
        assert isinstance(first, Files)
        with share(first.open(), backend) as second:
            assert isinstance(second, Files)
            assert second.arrays["indices"] == first.arrays["indices"]


# workers that die ----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_unit_runs_again(
    network: Network, splits: list[Split], tmp_path: Path
) -> None:
    file = tmp_path / "deaths"
    file.write_bytes(b"")
    expected = digest(run(network, {"d": Deadly("d", str(file))}, splits, seed=2))
    file.write_bytes(b"1")
    store = tmp_path / "study.nettrial"
    found = run(network, {"d": Deadly("d", str(file))}, splits, seed=2, n_jobs=2, store=store)
    assert digest(found) == expected
    assert study_status(store).done == len(splits)


@pytest.mark.slow
def test_a_unit_that_kills_its_worker_alone_has_failed(
    network: Network, splits: list[Split], tmp_path: Path, words
) -> None:
    file = tmp_path / "deaths"
    file.write_bytes(b"1" * 100)
    with words.raises(ModelError):
        run(network, {"d": Deadly("d", str(file))}, splits[:3], seed=2, n_jobs=2)
