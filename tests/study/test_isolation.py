"""A model cannot touch its rival: the same inputs whatever ran before, wherever it runs."""

from __future__ import annotations

import csv
import decimal
import gc
import locale
import logging
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas
import pytest
import scipy.sparse as sp
import sklearn
from joblib import parallel_config
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import nettrial
from nettrial.core.errors import RandomStateWarning
from nettrial.models import FeatureClassifier
from nettrial.network.network import Network
from nettrial.splits import RandomResampling, Split
from nettrial.study.fitting import InputsChangedError
from nettrial.study.isolation import isolated, seeded
from nettrial.study.node_study import Predictions, run
from nettrial.study.process_settings import SETTINGS, _mathematics
from nettrial.study.process_state import kept_surroundings
from vandals import (
    GlobalBatch,
    GlobalRandom,
    Imprecise,
    Observer,
    Overwriting,
    Precise,
    Reusing,
    Shuffling,
    Stirring,
    TorchWriting,
    Uniform,
    Zeroing,
)

N = 80


def network_with(features: object) -> Network:
    made = nettrial.latent_group_network(N, seed=3)
    source, target = made.simple_links()
    return Network(
        source,
        target,
        n_nodes=N,
        weight=np.arange(1.0, source.size + 1),
        features=features,
        labels=[made.classes[c] for c in made.labels],
        attributes={"place": np.arange(N) % 7},
    )


def dense() -> np.ndarray:
    return np.random.default_rng(1).normal(size=(N, 4))


@pytest.fixture(params=["dense", "sparse"])
def network(request: pytest.FixtureRequest) -> Network:
    table = dense()
    return network_with(table if request.param == "dense" else sp.csr_array(np.maximum(table, 0)))


@pytest.fixture
def splits(network: Network) -> list[Split]:
    return RandomResampling(n_splits=4, seed=1).split_network(network)


def in_place(rows: object) -> object:
    """Spoil a table of rows, as preprocessing with copy=False does."""
    (rows.data if sp.issparse(rows) else rows)[:] = 1
    return rows


SPOILING = FeatureClassifier(
    make_pipeline(FunctionTransformer(in_place, accept_sparse=True), DecisionTreeClassifier())
)
VANDALS = {
    "zeroing": Zeroing(),
    "shuffling": Shuffling(),
    "overwriting": Overwriting(),
    "stirring": Stirring(),
    "scikit-learn": SPOILING,
    "neighbors": FeatureClassifier(SPOILING.estimator, use="neighbors"),
    "wvrn": "wvrn",
    "nbc": "nbc",
}


def observed(network: Network, splits: list[Split], log: Path, before: object, jobs: int) -> set:
    from nettrial.models.adapted import as_model

    models = {} if before is None else {"before": as_model(before)}
    run(network, {"x": Uniform(), **models, "observer": Observer(str(log))}, splits, n_jobs=jobs)
    return set(log.read_text().split("\n")[:-1])


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", VANDALS)
def test_a_model_gets_the_same_inputs_whatever_ran_before(
    network: Network, splits: list[Split], tmp_path: Path, name: str, jobs: int
) -> None:
    # the observer's place decides its seeds, so another harmless model stands there instead
    expected = observed(network, splits, tmp_path / "alone", Uniform(), 1)
    assert len(expected) == len(splits)
    assert observed(network, splits, tmp_path / "after", VANDALS[name], jobs) == expected


@pytest.mark.parametrize("scale", [True, False])
def test_torch_models_leave_their_inputs_alone(tmp_path: Path, scale: bool) -> None:
    torch = pytest.importorskip("torch")
    from nettrial.models import FullBatch, TorchModel

    made = TorchModel(
        torch.nn.Linear, train=FullBatch(epochs=2), forward=lambda m, d: m(d.x), scale=scale
    )
    network = network_with(dense().astype(np.float32))
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    expected = observed(network, splits, tmp_path / "alone", Uniform(), 1)
    train = made.train

    def spoil(module: object, data: object, forward: object) -> None:
        train(module, data, forward)
        for tensor in (data.x, data.edge_index, data.edge_weight, data.y, data.train_mask):
            tensor.zero_()

    made.train = spoil
    assert observed(network, splits, tmp_path / "after", made, 1) == expected


def test_what_a_model_was_handed_does_not_change_its_rival(network: Network) -> None:
    estimates = {
        jobs: nettrial.compare(
            network, Zeroing(), "wvrn", n_splits=4, seed=5, test="cluster_robust_t", n_jobs=jobs
        ).difference
        for jobs in (1, 2)
    }
    plain = nettrial.compare(
        network, Uniform(), "wvrn", n_splits=4, seed=5, test="cluster_robust_t"
    )
    assert estimates == {1: plain.difference, 2: plain.difference}


def same(one: Predictions, two: Predictions) -> bool:
    return all(
        a.tobytes() == b.tobytes()
        for name in one.models
        for a, b in zip(one.probabilities[name], two.probabilities[name], strict=True)
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_buffer_that_a_model_uses_again_is_copied(
    network: Network, splits: list[Split], jobs: int
) -> None:
    found = run(network, {"m": Reusing()}, splits, n_jobs=jobs).probabilities["m"]
    expected = [np.float32(split.test.sum() % 97 / 97) for split in splits]
    assert [float(table[0, 0]) for table in found] == expected


@pytest.mark.parametrize("model", [GlobalRandom(), GlobalBatch()])
def test_global_random_states_are_seeded_for_each_unit(
    network: Network, splits: list[Split], model: GlobalRandom
) -> None:
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = np.random.get_state(), random.getstate()  # noqa: NPY002
    first = run(network, {"m": model}, splits, seed=9)
    assert random.getstate() == before[1]
    assert (np.random.get_state()[1] == before[0][1]).all()  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    assert same(first, run(network, {"m": model}, splits, seed=9))
    assert same(first, run(network, {"m": model}, splits, seed=9, n_jobs=2))
    few = run(network, {"m": model}, splits[:2], seed=9)
    assert few.probabilities["m"][1].tobytes() == first.probabilities["m"][1].tobytes()
    tables = [table.tobytes() for table in first.probabilities["m"]]
    assert len(set(tables)) == len(splits)
    assert not same(first, run(network, {"m": model}, splits, seed=10))


LAZY = """
import sys
sys.path.insert(0, sys.argv[1])
import nettrial, hashlib
from nettrial.splits import RandomResampling
from nettrial import run
from vandals import GlobalRandom
network = nettrial.latent_group_network(80, seed=3)
splits = RandomResampling(n_splits=3, seed=1).split_network(network)
if sys.argv[2] == "first":
    import torch
assert ("torch" in sys.modules) == (sys.argv[2] == "first")
found = run(network, {"m": GlobalRandom(torch=True)}, splits, n_jobs=int(sys.argv[3]))
print(hashlib.sha256(b"".join(t.tobytes() for t in found.probabilities["m"])).hexdigest())
"""


@pytest.mark.slow
def test_torch_is_seeded_for_each_unit_even_if_a_model_imports_it() -> None:
    pytest.importorskip("torch")
    found = {
        subprocess.run(
            [sys.executable, "-c", LAZY, str(Path(__file__).parents[1]), when, jobs],
            capture_output=True, text=True, timeout=100, check=True,
        ).stdout
        for when, jobs in (("first", "1"), ("late", "1"), ("late", "2"))
    }  # fmt: skip
    assert len(found) == 1


def test_threads_that_share_a_random_state_are_warned_of(
    network: Network, splits: list[Split]
) -> None:
    class Slow(GlobalRandom):
        def fit(self, network: Network, train: np.ndarray) -> Slow:
            import time

            time.sleep(0.05)
            return self

    with (
        parallel_config(backend="threading", n_jobs=2),
        pytest.warns(RandomStateWarning, match="global random state"),
    ):
        run(network, {"m": Slow()}, splits)


def test_a_model_that_writes_into_the_network_by_torch_ends_the_run(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    store = tmp_path / "study.nettrial"
    network = network_with(dense())
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    models = {"good": Uniform(), "bad": TorchWriting("bad")}
    with pytest.raises(InputsChangedError, match="'bad' wrote into the network's own arrays"):
        run(network, models, splits, store=store)
    assert nettrial.store.study_status(store).done == len(splits)


def test_isolation_leaves_the_process_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    out, leave = sys.stdout, os._exit
    with isolated():
        print("chatter")  # noqa: T201
        with isolated(), pytest.raises(SystemExit, match=r"os\._exit\(3\)"):
            os._exit(3)
    assert (sys.stdout, os._exit) == (out, leave)
    print("result")  # noqa: T201
    assert capsys.readouterr() == ("result\n", "chatter\n")


def test_work_that_draws_nothing_is_told_from_work_that_does() -> None:
    assert seeded(1, lambda: 5) == (5, False)
    assert seeded(1, lambda: np.random.random())[1]  # noqa: NPY002
    assert seeded(1, random.random) == seeded(1, random.random)
    assert seeded(1, random.random) != seeded(2, random.random)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_a_model_forks_ends_as_it_likes() -> None:
    with isolated():
        child = os.fork()
        if not child:
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_what_a_model_sets_in_torch_holds_for_no_other() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with kept_surroundings():
        torch.set_default_dtype(torch.float64)
        torch.set_default_device("meta")
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(True)
        torch.set_float32_matmul_precision("medium")
        torch.set_num_threads(before + 1)
        torch.set_flush_denormal(True)
    made = torch.ones(1) / 3
    assert made.dtype == torch.float32
    assert made.device.type == "cpu"
    assert torch.is_grad_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.get_float32_matmul_precision() == "highest"
    assert torch.get_num_threads() == before
    assert (np.array([1e-310]) * 1 > 0).all()


def _vandalize() -> None:
    """Change every setting that is kept, and that can be changed here."""
    np.seterr(all="raise")
    np.setbufsize(1024)
    np.set_printoptions(precision=2, suppress=True)
    decimal.getcontext().prec = 1
    sklearn.set_config(transform_output="pandas", assume_finite=True)
    pandas.set_option("display.precision", 1)
    locale.setlocale(locale.LC_ALL, "C")
    csv.field_size_limit(7)
    sys.set_int_max_str_digits(700)
    sys.setrecursionlimit(sys.getrecursionlimit() + 7)
    sys.setswitchinterval(0.5)
    sys.excepthook = sys.displayhook = print
    socket.setdefaulttimeout(7)
    tempfile.tempdir = "/nowhere"
    gc.disable()
    logging.disable(logging.CRITICAL)
    logging.root.setLevel(1)
    os.environ["TZ"] = "Asia/Tokyo"
    if hasattr(time, "tzset"):
        time.tzset()
        resource = pytest.importorskip("resource")
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])
    if _mathematics() is not None:
        _mathematics().fesetround(0x400)  # down, on most processors; elsewhere it is refused


def _told() -> dict[str, object]:
    """Return all that `_vandalize` changes."""
    files = cores = None
    if hasattr(os, "sched_getaffinity"):
        import resource

        files, cores = resource.getrlimit(resource.RLIMIT_NOFILE), os.sched_getaffinity(0)
    settings = {
        f"{each.module} {i}": each.read(sys.modules[each.module])
        for i, each in enumerate(SETTINGS)
        if each.module in sys.modules
    }
    return settings | {
        "decimal": decimal.getcontext().prec,
        "rounding": 0.1 + 0.2,
        "gc": gc.isenabled(),
        "log": (logging.root.manager.disable, logging.root.level),
        "zone": (os.environ.get("TZ"), time.tzname),
        "cores": (files, cores),
    }


def test_what_a_model_sets_in_python_and_libraries_holds_for_no_other() -> None:
    before = _told()
    with kept_surroundings():
        _vandalize()
        within = _told()
    assert _told() == before
    same = {name for name in before if within[name] == before[name]}
    # profilers and numpy's callback have nothing to be set to; one core and other processors
    # leave no choice
    assert len(same) <= 5, same


def test_a_model_that_replaces_the_global_bit_generator_fails_alone() -> None:
    bits = np.random.get_bit_generator()

    def replaced() -> float:
        np.random.set_bit_generator(np.random.PCG64(1))
        return np.random.random()  # noqa: NPY002

    assert seeded(1, replaced)[1]
    assert np.random.get_bit_generator() is bits
    assert seeded(1, np.random.random) == seeded(1, np.random.random)


@pytest.mark.filterwarnings("ignore:b warned on 4 of 4 splits:nettrial.core.errors.ModelWarning")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("first", [True, False])
def test_a_rival_computes_as_precisely_and_fails_as_little_whoever_runs_first(
    network: Network, splits: list[Split], jobs: int, first: bool
) -> None:
    models = {"a": Imprecise(), "b": Precise()}
    alone = run(network, {"b": Precise()}, splits, seed=0, n_jobs=jobs, progress=False)
    order = models if first else dict(reversed(models.items()))
    together = run(network, order, splits, seed=0, n_jobs=jobs, progress=False)
    for one, two in zip(alone.probabilities["b"], together.probabilities["b"], strict=True):
        assert one.tobytes() == two.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_drawn_when_a_model_is_imported_or_made_is_the_same_in_every_run(
    tmp_path: Path, jobs: str
) -> None:
    (tmp_path / "drawing.py").write_text(
        "import random\nimport numpy as np\nIMPORTED = random.random()\n"
        "class Drawing:\n"
        "    def __init__(self):\n        self.made = np.random.random()\n"
        "    def fit(self, network, train):\n        return self\n"
        "    def predict_proba(self, network, nodes):\n"
        "        share = (nodes / 300 + self.made + IMPORTED) % 1\n"
        "        return np.column_stack([share, 1 - share])\n"
    )
    args = [
        "compare",
        "--example",
        "--a",
        "drawing.py:Drawing",
        "--b",
        "wvrn",
        "--splits",
        "2",
        "--test",
        "cluster_robust_t",
    ]
    runs = {
        subprocess.run(
            [sys.executable, "-m", "nettrial", *args, "--json", "--jobs", count],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        ).stdout
        for count in ("1", jobs)
    }
    assert len(runs) == 1
