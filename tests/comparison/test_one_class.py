"""One class of three and more against the others: its prediction is the decided class."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

import nettrial
from nettrial.core.errors import AssumptionWarning
from nettrial.network.network import Network
from nettrial.saved import read_predictions

CODES = np.arange(120) % 3
NETWORK = Network(
    *np.random.default_rng(1).integers(120, size=(2, 400)),
    n_nodes=120,
    labels=np.array(["x", "y", "z"])[CODES].tolist(),
)
# the true class is the most probable one mostly, but seldom with more than one half
TABLES = {
    name: np.random.default_rng(seed).dirichlet([3, 3, 3], size=120) + 0.2 * np.eye(3)[CODES]
    for name, seed in (("m", 2), ("n", 3))
}
TABLE = {"node": np.tile(np.arange(120), 2), "model": np.repeat(["m", "n"], 120)} | {
    f"p_{name}": np.concatenate([t[:, c] / t.sum(axis=1) for t in TABLES.values()])
    for c, name in enumerate("xyz")
}
FULL = read_predictions(TABLE, NETWORK)[0]


def scores(measure: str, **given: object) -> list[float]:
    found = nettrial.compare_predictions(FULL, measure=measure, test="cluster_robust_t", **given)
    return [found.scores[name] for name in ("m", "n")]


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
def test_it_is_scikit_learns_of_the_decided_classes(name: str) -> None:
    by = {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score}[name]
    decided = {model: np.argmax(table, axis=1) for model, table in TABLES.items()}
    expected = [by(CODES, said, labels=[2], average=None)[0] for said in decided.values()]
    assert scores(name, positive="z") == pytest.approx(expected)
    without = {"node": TABLE["node"], "model": TABLE["model"]} | {
        "prediction": np.array(["x", "y", "z"])[np.concatenate(list(decided.values()))]
    }
    found = nettrial.compare_predictions(
        without, NETWORK, positive="z", measure=name, test="cluster_robust_t"
    )
    assert [found.scores[m] for m in ("m", "n")] == pytest.approx(expected)


def test_the_f1_of_all_classes_have_macro_f1_for_their_mean() -> None:
    means = np.mean([scores("f1", positive=name) for name in "xyz"], axis=0)
    assert means == pytest.approx(scores("macro_f1"))


def test_errors_and_frames_tell_the_decided_class_and_two_classes_stay() -> None:
    one = FULL.one_against_rest("z")
    said = np.argmax(TABLES["m"], axis=1) == 2
    assert one.predicted("m", 0).tolist() == said.tolist()
    assert (one.errors("m")[0] == (said != (CODES == 2))).all()
    frame = one.to_frame()
    assert (frame.loc[frame.model == "m", "prediction"] == "z").tolist() == said.tolist()
    assert not one.one_against_rest("not z").predicted("m", 0)[said].any()
    assert read_predictions(one, one.network, models=["n"])[0].decided.keys() == {"n"}
    two = nettrial.latent_group_network(60, seed=1)
    run = nettrial.compare(two, "wvrn", "nbc", n_splits=2, test="cluster_robust_t", progress=False)
    assert not run.predictions.one_against_rest("+").decided


def test_of_flags_that_are_set_or_blank_the_blanks_are_the_others(words) -> None:
    links = np.arange(10), (np.arange(10) + 1) % 10
    flags = nettrial.Network(*links, n_nodes=10, labels=[1, None, None, 1, *[None] * 6])
    with words.warns(AssumptionWarning):
        found = flags.one_against_rest(1)
    assert found.labels.tolist() == [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    some = nettrial.Network(*links, n_nodes=10, labels=["a", "b", *[None] * 8])
    assert some.one_against_rest("a").labels.tolist() == [1, 0, *[-1] * 8]
