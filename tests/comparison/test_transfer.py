"""Learning on one network and testing on another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import nettrial
from nettrial.cli import main
from nettrial.comparison.transfer import side_by_side, transfer_splits
from nettrial.core.errors import InputError
from nettrial.io.write import write
from nettrial.network.network import Network

pytestmark = pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")


def featured(seed: int, **options: object) -> Network:
    """A latent group network with one feature that tells the classes apart, but not fully."""
    plain = nettrial.latent_group_network(90, seed=seed)
    rng = np.random.default_rng(seed)
    settings: dict[str, object] = {
        "n_nodes": 90,
        "labels": [plain.classes[c] for c in plain.labels],
        "features": plain.labels[:, None] + rng.normal(0, 0.4, (90, 1)),
    }
    return Network(*plain.simple_links(), **settings | options)  # type: ignore[arg-type]


class Copycat:
    """Gives the mean label code it was shown; says which labels it saw."""

    seen: list[np.ndarray]

    def __init__(self) -> None:
        self.name = "copycat"

    def fit(self, network: Network, train: np.ndarray) -> Copycat:
        assert (network.labels >= 0).sum() == train.size
        self.share = float((network.labels[train] == 0).mean())
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        return np.tile([self.share, 1 - self.share], (nodes.size, 1))


def test_networks_side_by_side_are_both_whole() -> None:
    one = Network(
        [0, 1],
        [1, 2],
        n_nodes=3,
        labels=["b", "a", None],
        weight=[2.0, 3.0],
        attributes={"x": [1, 2, 3], "only": [0, 0, 0]},
    )
    other = Network([1], [0], n_nodes=2, labels=["a", "b"], weight=[5.0], attributes={"x": [4, 5]})
    both = side_by_side(one, other)
    dense = both.adjacency("out").toarray()
    np.testing.assert_array_equal(dense[:3, :3], one.adjacency("out").toarray())
    np.testing.assert_array_equal(dense[3:, 3:], other.adjacency("out").toarray())
    assert not dense[:3, 3:].any()
    assert [both.classes[c] if c >= 0 else None for c in both.labels] == ["b", "a", None, "a", "b"]
    assert list(both.attributes) == ["x"]
    assert both.attributes["x"].tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("labeled", "known"), [(1.0, 0.0), (0.4, 0.0), (1.0, 0.2), (0.5, 0.1)])
def test_set_sizes_are_independent_and_no_tested_label_is_seen(
    labeled: float, known: float
) -> None:
    train, test = featured(1), featured(2)
    for split, learned in transfer_splits(train, test, labeled, known, 3, 0):
        assert learned.size == round(labeled * 90)
        assert split.train.size == round(known * 90)
        assert split.test.size == 90 - split.train.size
        assert not np.intersect1d(split.test, split.train).size
    found = nettrial.compare_transfer(
        train, test, [Copycat(), "nbc"], labeled=labeled, known=known, n_splits=3
    )
    turned = test._with_labels(1 - test.labels, test.classes)
    if known == 0:  # labels of the test network change no prediction
        again = nettrial.compare_transfer(
            train, turned, [Copycat(), "nbc"], labeled=labeled, n_splits=3
        )
        for name in ("copycat", "nbc"):
            for a, b in zip(
                found.predictions.probabilities[name], again.predictions.probabilities[name]
            ):
                np.testing.assert_array_equal(a, b)
            assert again.scores[name] == pytest.approx(1 - found.scores[name])


def test_models_of_every_kind_learn_there_and_predict_here() -> None:
    train, test = featured(1), featured(2)
    found = nettrial.compare_transfer(
        train, test, ["wvrn", "nbc", "nlb", LogisticRegression()], known=0.3, n_splits=2
    )
    here = test.features
    fitted = LogisticRegression().fit(train.features, train.labels)
    split = found.predictions.splits[0]
    # the scikit-learn model sees the known labels of the test network too
    rows = np.vstack([train.features, here[split.train]])
    codes = np.concatenate([train.labels, test.labels[split.train]])
    wanted = LogisticRegression().fit(rows, codes).predict_proba(here[split.test])
    np.testing.assert_allclose(
        found.predictions.probabilities["LogisticRegression"][0], wanted, atol=1e-5
    )
    assert fitted.score(here, test.labels) > 0.6
    assert max(found.scores.values()) < 0.5
    assert "Learned from 90 labels" in str(found)


def test_neural_networks_learn_there_and_predict_here() -> None:
    train, test = featured(1), featured(2)
    found = nettrial.compare_transfer(train, test, ["gcn", "wvrn"], n_splits=2)
    assert found.scores["gcn"] < 0.45
    assert any("wvrn: every tested node gets the same" in str(w) for w in found.warnings)


def test_classes_are_matched_by_name_not_by_place() -> None:
    train, test = featured(1), featured(2)
    labels = [test.classes[c] for c in test.labels]
    turned = featured(2, labels=labels, classes=test.classes[::-1])
    one, other = (
        nettrial.compare_transfer(train, each, ["nbc", "wvrn"], known=0.1, n_splits=2)
        for each in (test, turned)
    )
    assert one.scores == other.scores


@pytest.mark.parametrize(
    "options",
    [
        {"labels": ["x", "y", "new"] * 30},
        {"features": None},
        {"features": np.ones((90, 2))},
        {"directed": True},
        {"weight": 2.0},
        {"labels": [None] * 90, "classes": ["a", "b"]},
    ],
)
def test_networks_that_do_not_fit_are_refused(options: dict[str, object], words) -> None:
    if "weight" in options:
        ends = nettrial.latent_group_network(90, seed=2).simple_links()
        options = {"weight": np.full(ends[0].size, 2.0)}
    with words.raises(InputError):
        nettrial.compare_transfer(featured(1), featured(2, **options), ["wvrn", "nbc"])


@pytest.mark.parametrize(
    "options",
    [{"labeled": 0.0}, {"known": 1.0}, {"n_splits": 1},
     {"models": ["wvrn"]}],
)  # fmt: skip
def test_impossible_settings_are_refused(options: dict[str, object], words) -> None:
    given: dict[str, object] = {"models": ["wvrn", "nbc"]}
    with words.raises(InputError):
        nettrial.compare_transfer(featured(1), featured(2), **given | options)  # type: ignore[arg-type]


def test_any_measure_ranks_what_was_learned_elsewhere(words) -> None:
    options: dict[str, Any] = {"known": 0.2, "n_splits": 3}
    auc = nettrial.compare_transfer(
        featured(1), featured(2), ["wvrn", "nbc", "prior"], measure="auc", **options
    )
    assert list(auc.scores.values()) == sorted(auc.scores.values(), reverse=True)
    predictions = auc.predictions
    wanted = np.mean(
        [
            roc_auc_score(predictions.network.labels[split.test], table[:, 1])
            for split, table in zip(predictions.splits, predictions.probabilities["nbc"])
        ]
    )
    assert auc.scores["nbc"] == pytest.approx(wanted, abs=1e-6)
    assert "higher is better" in str(auc)
    with words.raises(InputError):
        nettrial.compare_transfer(featured(1), featured(2), ["wvrn", "nbc"], measure="acc")  # type: ignore[arg-type]


def test_one_network_twice_is_refused(words) -> None:
    with words.raises(InputError):
        nettrial.compare_transfer(featured(1), featured(1), ["wvrn", "nbc"])


def test_several_test_networks_are_the_observations(words) -> None:
    nets = {f"n{i}": featured(i) for i in (2, 3, 4)}
    found = nettrial.compare_across(nets, ["wvrn", "nbc"], train=featured(1), known=0.1, n_splits=2)
    alone = nettrial.compare_transfer(
        featured(1),
        nets["n3"],
        ["wvrn", "nbc"],
        known=0.1,
        n_splits=2,
        seed=found.networks["n3"].seed,
    )
    assert found.networks["n3"].scores == alone.scores
    assert "learned on one and the same network" in found.claim
    with words.raises(InputError):
        nettrial.compare_across(nets, ["wvrn", "nbc"], known=0.1)


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code == code, err
    return out, err


@pytest.mark.slow
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i in (1, 2, 3):
        write(featured(i), tmp_path / f"n{i}")
    paths = [str(tmp_path / f"n{i}") for i in (1, 2, 3)]
    options = ["--models", "wvrn,nbc", "--known", "0.1", "--splits", "2"]
    out, _ = call(
        capsys,
        "transfer",
        *paths[:2],
        *options,
        "--paper",
        str(tmp_path / "paper"),
        "--report",
        str(tmp_path / "page.html"),
    )
    assert "; learned from 90 labels of n1 " in " ".join(out.split())
    assert "90 labels of n1" in (tmp_path / "paper" / "methods.tex").read_text()
    assert "90 labels of n1" in (tmp_path / "page.html").read_text()
    out, _ = call(capsys, "transfer", *paths[:2], *options, "--measure", "macro-f1", "--json")
    assert json.loads(out)["measure"] == "macro_f1"
    out, _ = call(capsys, "transfer", *paths, *options, "--measure", "auc", "--json")
    assert json.loads(out)["over_networks"]["better"] == "higher"
    _, err = call(capsys, "transfer", *paths, *options, "--measure", "macro-f2", code=2)
    assert "--measure: unknown 'macro-f2'; did you mean 'macro_f1'" in err
    out, _ = call(capsys, "transfer", *paths, *options, "--json")
    assert list(json.loads(out)["networks"]) == ["n2", "n3"]
    _, err = call(capsys, "transfer", paths[0], paths[0], *options, code=2)
    assert "twice" in err
