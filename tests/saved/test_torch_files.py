"""Predictions as torch.save writes them: tensors and dicts of them, and nothing that runs."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from nettrial.io.torch_file import read_tensors

torch = pytest.importorskip("torch")


def saved(value: Any, folder: Path) -> Path:
    path = folder / "gcn.pt"
    torch.save(value, path)
    return path


@pytest.mark.parametrize(
    "kind",
    ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"],
)
def test_tensors_of_every_kind_are_read_as_pytorch_reads_them(kind: str, tmp_path: Path) -> None:
    whole = (torch.arange(24).reshape(2, 3, 4) % 2).to(getattr(torch, kind))
    given = {
        "whole": whole,
        "turned": whole.transpose(0, 2),
        "part": whole[1, 1:, ::2],
        "one": torch.tensor(1).to(getattr(torch, kind)),
        "none": whole[:0],
        "listed": [whole, whole + whole],
        "shared": whole,
    }
    found = read_tensors(saved({**given, "epoch": 12, "name": "gcn"}, tmp_path))
    assert set(found) == set(given)
    for name, value in given.items():
        wanted = torch.stack(value).numpy() if name == "listed" else value.numpy()
        assert found[name].dtype == wanted.dtype
        np.testing.assert_array_equal(found[name], wanted)


def test_a_single_tensor_has_the_name_of_its_file(tmp_path: Path) -> None:
    logits = torch.randn(5, 2, requires_grad=True)
    found = read_tensors(saved(logits, tmp_path))
    np.testing.assert_array_equal(found["gcn"], logits.detach().numpy())


class Evil:
    """Runs a command where a pickle of it is loaded."""

    def __init__(self, folder: Path) -> None:
        self.mark = str(folder / "ran")

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.mark}",)


def archive(program: bytes, folder: Path, values: bytes = b"\0" * 8) -> Path:
    path = folder / "evil.pt"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("evil/data.pkl", program)
        file.writestr("evil/data/0", values)
    return path


def test_nothing_in_a_file_runs(tmp_path: Path, words) -> None:
    for value in (Evil(tmp_path), {"a": Evil(tmp_path)}):
        with words.raises(InputError):
            read_tensors(archive(pickle.dumps(value, 2), tmp_path))
        with words.raises(InputError):
            read_tensors(saved(value, tmp_path))
    assert not (tmp_path / "ran").exists()


def rebuilt(offset: Any, size: Any, stride: Any) -> bytes:
    """A program that puts together a tensor of two floats by other numbers."""

    class Storage:
        pass

    class Writer(pickle._Pickler):  # type: ignore[name-defined]
        def persistent_id(self, value: Any) -> Any:
            named = ("storage", torch.FloatStorage, "0", "cpu", 2)
            return named if isinstance(value, Storage) else None

    class Tensor:
        def __reduce__(self) -> Any:
            return torch._utils._rebuild_tensor_v2, (Storage(), offset, size, stride, False, {})

    stream = io.BytesIO()
    Writer(stream, 2).dump(Tensor())
    return stream.getvalue()


@pytest.mark.parametrize(
    ("offset", "size", "stride"),
    [
        (0, (2**40, 2**40), (0, 0)),
        (0, (3,), (1,)),
        (1, (2,), (1,)),
        (0, (2,), (5,)),
        (-1, (1,), (1,)),
        (0, (-1,), (1,)),
        (0, (2,), (-1,)),
        (0, (2,), (1, 1)),
        ("a", (2,), (1,)),
        (0, 2, 1),
    ],
)
def test_tensors_beyond_their_values_are_refused(
    offset: Any, size: Any, stride: Any, tmp_path: Path
) -> None:
    whole = read_tensors(archive(rebuilt(0, (2,), (1,)), tmp_path))
    assert whole["evil"].tolist() == [0.0, 0.0]
    with pytest.raises(InputError, match="is refused as a file of tensors: "):
        read_tensors(archive(rebuilt(offset, size, stride), tmp_path))


def test_weights_of_a_module_say_what_to_save(tmp_path: Path, words) -> None:
    with words.raises(InputError):
        read_tensors(saved(torch.nn.Linear(2, 2), tmp_path))


def test_scores_of_two_models_are_compared_as_they_were_saved(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(80, seed=1)
    rng = np.random.default_rng(1)
    truth = np.eye(2)[network.labels] * 3
    scores = {name: truth + rng.normal(size=(4, 80, 2)) * s for name, s in (("gcn", 1), ("mlp", 3))}
    masks = np.arange(80) % 4 != np.arange(4)[:, None]
    scores = {name: np.where(masks[..., None], np.nan, s) for name, s in scores.items()}
    path = saved({name: torch.tensor(each) for name, each in scores.items()}, tmp_path)
    found = nettrial.compare_predictions(path, network)
    wanted = nettrial.compare_predictions(scores, network)
    assert found.predictions.models == ("gcn", "mlp")
    assert found.verdict == wanted.verdict
    assert "logits were turned into probabilities" in str(found.to_dict())
