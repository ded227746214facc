"""A model cannot touch its rival: the same inputs whatever ran before, wherever it runs."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from joblib import parallel_config
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import nettrial
from nettrial.core.errors import NettrialWarning
from nettrial.models import FeatureClassifier
from nettrial.network.network import Network
from nettrial.splits import RandomResampling, Split
from nettrial.study.fitting import InputsChangedError
from nettrial.study.guards import import_isolated, isolated, left_behind
from nettrial.study.node_study import Predictions, run
from nettrial.study.settings import PLACE, SETTINGS, current_settings, put_back
from timeless import timeless
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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_models_in_threads_take_turns(network: Network, splits: list[Split]) -> None:
    class Slow(GlobalRandom):
        def fit(self, network: Network, train: np.ndarray) -> Slow:
            time.sleep(0.02)
            return self

    plain = run(network, {"m": GlobalRandom()}, splits)
    with parallel_config(backend="threading", n_jobs=2):
        assert same(plain, run(network, {"m": Slow()}, splits))


def test_a_model_that_writes_into_the_network_by_torch_ends_the_run(tmp_path: Path, words) -> None:
    pytest.importorskip("torch")
    store = tmp_path / "study.nettrial"
    network = network_with(dense())
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    models = {"good": Uniform(), "bad": TorchWriting("bad")}
    with words.raises(InputsChangedError):
        run(network, models, splits, store=store)
    assert nettrial.store.study_status(store).done == len(splits)


def test_isolation_keeps_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    out = sys.stdout
    with isolated("m"):
        print("chatter")  # noqa: T201
    assert sys.stdout is out
    print("result")  # noqa: T201
    assert capsys.readouterr() == ("result\n", "chatter\n")


@pytest.mark.parametrize(
    ("draws", "work"),
    [(False, lambda: 5), (True, np.random.random), (True, random.random)],
)
def test_work_is_seeded_and_watched(draws: bool, work: Callable[[], float]) -> None:
    with isolated("m") as isolation:
        one = isolation.run(1, work, watch=True)
        assert isolation.drew == draws
        assert isolation.run(1, work) == one
        assert (isolation.run(2, work) != one) == draws


def test_torch_is_seeded_as_it_seeds_itself() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_rng_state()
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.set_rng_state(before)
    with isolated("m") as isolation:
        assert (isolation.run(7, lambda: torch.rand(3)) == expected).all()
    assert (torch.get_rng_state() == before).all()


def _vandalize() -> None:
    """Change every setting that is kept."""
    import matplotlib
    import torch

    np.seterr(all="raise")
    sklearn.set_config(transform_output="pandas", assume_finite=True)
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.autograd.set_detect_anomaly(True)
    torch.set_num_threads(torch.get_num_threads() + 1)
    for name in ("enabled", "benchmark", "deterministic", "allow_tf32"):
        setattr(torch.backends.cudnn, name, not getattr(torch.backends.cudnn, name))
    start = "fork" if multiprocessing.get_start_method(allow_none=True) == "spawn" else "spawn"
    multiprocessing.set_start_method(start, force=True)
    matplotlib.rcParams["text.usetex"] = True
    sys.stdout = sys.stderr = None
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 100)
    sys.argv.clear()
    sys.path.clear()
    os.environ["NETTRIAL_VANDAL"] = "was here"
    del os.environ["PATH"]
    os.chdir("/")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")
def test_what_a_model_sets_holds_for_no_other() -> None:
    pytest.importorskip("torch")
    import matplotlib  # noqa: F401 - so that it has settings

    before, place = current_settings(), (os.getcwd(), dict(os.environ))
    try:
        _vandalize()
        within = current_settings()
    finally:
        changed = put_back(before)
    assert before.keys() == within.keys() == SETTINGS.keys()
    # pytest may have set an alarm of its own, which is left
    same = {"signal.alarm"} if before["signal.alarm"] else set()
    assert {name for name in before if within[name] == before[name]} == same
    assert set(changed) == SETTINGS.keys() - same
    assert current_settings() == before
    assert (os.getcwd(), dict(os.environ)) == place


def test_precision_that_pytorch_cannot_name_is_put_back() -> None:
    torch = pytest.importorskip("torch")
    if not hasattr(torch.backends.cuda.matmul, "fp32_precision"):
        pytest.skip("this PyTorch has one way to say it")
    before = current_settings()
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    put_back(before)
    assert torch.get_float32_matmul_precision() == "highest"


FIRST = """
import nettrial.study.settings as settings, sys, json
before = settings.current_settings()
assert not {"torch", "sklearn", "matplotlib"} & sys.modules.keys()
import torch, sklearn, matplotlib
torch.set_default_dtype(torch.float64)
torch.backends.cudnn.benchmark = True
sklearn.set_config(assume_finite=True)
matplotlib.rcParams["text.usetex"] = True
settings.put_back(before)
print(json.dumps([str(torch.get_default_dtype()), torch.backends.cudnn.benchmark,
                  sklearn.get_config()["assume_finite"], matplotlib.rcParams["text.usetex"]]))
"""


@pytest.mark.slow
def test_what_a_model_was_the_first_to_import_gets_its_defaults() -> None:
    pytest.importorskip("torch")
    found = subprocess.run(
        [sys.executable, "-c", FIRST], capture_output=True, text=True, timeout=100, check=True
    )
    assert json.loads(found.stdout) == ["torch.float32", False, False, False]


def test_what_a_module_sets_on_import_is_put_back_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words
) -> None:
    import matplotlib

    before = current_settings()
    monkeypatch.chdir(tmp_path)

    def module() -> None:
        matplotlib.rcParams["text.usetex"] = True
        np.seterr(all="raise")
        sys.path.append("mine")
        os.chdir("/")

    try:
        with words.warns(NettrialWarning) as all:
            import_isolated("mine.py", module)
        assert len(all) == 1
        assert sys.path[-1] == "mine"
        assert os.getcwd() == "/"
    finally:
        put_back(before, PLACE)
    assert current_settings() == before | {"os.chdir": os.getcwd()}


class Precisely(Uniform):
    """Predicts by the settings for computing that it finds."""

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        import torch

        share = torch.ones(nodes.size, dtype=torch.get_default_dtype()) / 3
        careful = np.geterr()["divide"] == "raise"
        first = share.numpy().astype(float) * (1 - careful / 2)
        return np.column_stack([first, 1 - first])


@pytest.mark.slow
def test_workers_compute_by_the_settings_of_the_program(
    network: Network, splits: list[Split]
) -> None:
    torch = pytest.importorskip("torch")
    plain = run(network, {"m": Precisely()}, splits)
    torch.set_default_dtype(torch.float64)
    try:
        with np.errstate(all="raise"):
            here, there = (run(network, {"m": Precisely()}, splits, n_jobs=j) for j in (1, 2))
    finally:
        torch.set_default_dtype(torch.float32)
    assert same(here, there)
    assert not same(here, plain)
    assert same(plain, run(network, {"m": Precisely()}, splits, n_jobs=2))


def test_threads_that_a_model_leaves_behind_are_known() -> None:
    ended = threading.Event()
    with isolated("lazy"):
        thread = threading.Thread(target=ended.wait)
        thread.start()
    assert left_behind() == ["lazy"]
    ended.set()
    thread.join()
    assert left_behind() == []


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
        timeless(
            subprocess.run(
                [sys.executable, "-m", "nettrial", *args, "--json", "--jobs", count],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for count in ("1", jobs)
    }
    assert len(runs) == 1
