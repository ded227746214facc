"""One fit at a time on a graphics card, and its memory given back: with stand-ins for cards.

Only a card itself can show that its numbers are those of the CPU (`test_models_torch.py` does where
one is there), and how much memory is free again.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.models import TorchModel, TrainingFunction, torch_devices

torch = pytest.importorskip("torch")
FIT = """
import sys, time
import numpy as np, torch, nettrial
from nettrial.models import TorchModel, torch_devices

torch_devices.cards = lambda torch, device: sys.argv[2:]  # stand-ins: both names are the CPU's


def train(module, data, forward):
    begin = time.monotonic()
    time.sleep(0.5)
    print(begin, time.monotonic(), data.x.device, file=open(sys.argv[1], "a"))


def factory(n_features, n_classes):
    return torch.nn.Linear(n_features, n_classes)


model = TorchModel(factory, train=train, forward=lambda module, data: module(data.x))
network = nettrial.latent_group_network(20, seed=1)
for _ in range(2):
    model.fit(network, np.arange(10)).predict_proba(network, np.arange(20))
"""


def fits(tmp_path: Path, *names: str) -> list[tuple[float, float]]:
    """Return when two processes trained, sorted by their beginning."""
    (tmp_path / "fit.py").write_text(FIT)
    said = tmp_path / "said"
    there = os.environ | {
        "PYTHONPATH": str(Path(nettrial.__file__).parents[1]), "TMPDIR": str(tmp_path)
    }  # fmt: skip
    command = [sys.executable, "-W", "ignore", "fit.py", str(said), *names]
    started = [subprocess.Popen(command, cwd=tmp_path, env=there) for _ in range(2)]
    assert [process.wait(timeout=300) for process in started] == [0, 0]
    rows = [line.split()[:2] for line in said.read_text().splitlines()]
    return sorted((float(begin), float(end)) for begin, end in rows)


@pytest.mark.slow
def test_a_card_serves_one_fit_at_a_time(tmp_path: Path) -> None:
    found = fits(tmp_path, "cpu")
    assert len(found) == 4
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(found))


def test_a_fit_takes_a_card_that_is_free_and_a_name_by_number_only_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[str] = []
    names = ["card-a", "card-b"]
    with torch_devices.first_free(names) as one, torch_devices.first_free(names) as other:
        waits = threading.Thread(target=lambda: taken.append(hold("card-a")))
        waits.start()
        waits.join(0.2)
        assert (one, other, taken) == ("card-a", "card-b", [])
    waits.join(10)
    assert taken == ["card-a"]

    class Several:
        @staticmethod
        def device_count() -> int:
            return 2

    monkeypatch.setattr(torch, "cuda", Several)
    named = [torch_devices.cards(torch, torch.device(name)) for name in ("cuda", "cuda:1", "cpu")]
    assert named == [["cuda:0", "cuda:1"], ["cuda:1"], []]


def hold(name: str) -> str:
    with torch_devices.first_free([name]) as found:
        return found


@pytest.mark.parametrize("kind", ["module", "function"])
def test_memory_of_cards_is_given_back_after_every_fit(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: given.append("back"))

    def factory(n_features: int, n_classes: int) -> object:
        return torch.nn.Linear(n_features, n_classes)

    def run(data: object) -> object:
        return -torch.ones(data.num_nodes, data.num_classes)

    module = TorchModel(
        factory, train=lambda *_: None, forward=lambda module, data: module(data.x),
        substitute="degrees",
    )  # fmt: skip
    model = module if kind == "module" else TrainingFunction(run, substitute="degrees")
    if kind == "function":
        pytest.importorskip("torch_geometric")
    with pytest.warns(nettrial.NettrialWarning, match="no features"):
        model.fit(nettrial.latent_group_network(20, seed=1), np.arange(10))
    assert given == ["back"]
