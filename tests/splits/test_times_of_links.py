"""Splits by the times of links: nobody is judged by links after the cut."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial import InputError, Network
from nettrial.replicates import replicate_network
from nettrial.splits import Temporal

BASE = nettrial.latent_group_network(120, seed=3)
ENDS = BASE.simple_links()
TIMES = np.random.default_rng(3).permutation(ENDS[0].size) - 50.0
SEEN: list[tuple[float, int]] = []


def timed(directed: bool = False) -> Network:
    labels = BASE.labels.tolist()
    return Network(*ENDS, n_nodes=120, times=TIMES, labels=labels, directed=directed)


class Spy:
    """Notes the last time that it is shown, and how many links."""

    name = "spy"

    def fit(self, network: Network, train: np.ndarray) -> Spy:
        SEEN.append((float(network.times.max()), network.n_links))
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        assert (float(network.times.max()), network.n_links) == SEEN[-1]
        return np.full((len(nodes), network.n_classes), 1 / network.n_classes)


@pytest.mark.parametrize("directed", [False, True])
def test_no_model_sees_a_link_after_the_last_node_that_is_tested(directed: bool) -> None:
    network, first = timed(directed), np.full(120, np.inf)
    for source, target, time in zip(*ENDS, TIMES):
        first[[source, target]] = np.minimum(first[[source, target]], time)
    SEEN.clear()
    found = nettrial.run(network, {"spy": Spy()}, Temporal(n_splits=3).split_network(network))
    assert len(SEEN) == 3
    for split, (last, number) in zip(found.splits, SEEN):
        cut = first[split.test].max()
        assert last == TIMES[cut >= TIMES].max() == cut
        assert number == (cut >= TIMES).sum()
        assert first[split.train].max() < first[split.test].min()
    assert SEEN[0][1] < SEEN[-1][1]


def test_the_first_row_of_a_pair_counts() -> None:
    network = Network([0, 1, 2, 0], [1, 0, 0, 0], n_nodes=3, times=[5.0, 3.0, 9.0, 1.0])
    assert network.times.tolist() == [3.0, 9.0, 3.0, 9.0]
    assert network.first_links().tolist() == [3.0, 3.0, 9.0]
    assert network.until(4).n_links == 1
    both = Network([0, 1], [1, 0], n_nodes=2, times=[5.0, 3.0], directed=True)
    assert both.until(4).links.indices.tolist() == [0]


@pytest.mark.slow
def test_times_stay_where_a_network_is_taken_apart() -> None:
    network = timed()
    drawn = replicate_network(network, network.labels, seed=1).network
    assert set(drawn.times) <= set(TIMES)
    assert network.fingerprint() != Network(*ENDS, n_nodes=120, labels=BASE.labels).fingerprint()
    one = nettrial.compare(
        network, "wvrn", "nbc", design="temporal", n_splits=2, n_replicates=10, test="halves"
    )
    other = nettrial.compare(
        network, "wvrn", "nbc", design="temporal", n_splits=2, n_replicates=10, test="halves",
        n_jobs=2,
    )  # fmt: skip
    assert one.test("halves").pvalue == other.test("halves").pvalue
    assert one.settings["links_shown"] == "before the cut"
    part = network.among(np.arange(60))
    assert part.times.size == part.links.indices.size


def test_nodes_without_links_have_no_time(words) -> None:
    network = Network([0, 1, 2], [1, 2, 3], n_nodes=5, times=[1, 2, 3], labels=list("ababa"))
    with words.warns(UserWarning):
        splits = Temporal(n_splits=2).split_network(network)
    assert all(4 in split.inference and 4 not in split.test for split in splits)


def test_times_that_are_not_there_are_refused(words) -> None:
    with words.raises(InputError):
        nettrial.compare(BASE, "wvrn", "nbc", design="temporal")
    with words.raises(InputError):
        Temporal(column="group").split_network(timed())
    with words.raises(InputError):
        Network([0], [1], n_nodes=2, times=[1], weight=[1])
    with words.raises(InputError):
        Network([0], [1], n_nodes=2, times=[np.nan])
    with words.raises(InputError):
        BASE.until(3)


def test_dates_of_a_table(tmp_path: Path, words) -> None:
    frame = pd.DataFrame({"source": [1, 2, 1], "target": [2, 3, 2],
                          "date": ["1970-01-05", "1970-01-03", "1970-01-02"]})  # fmt: skip
    frame.to_csv(tmp_path / "links.csv", index=False)
    read = nettrial.read(tmp_path / "links.csv", columns={"time": "date"})
    held = nettrial.from_frames(frame, columns={"time": "date"})
    assert read.times.tolist() == held.times.tolist() == [1.0, 1.0, 2.0, 2.0]
    frame.assign(date=["", "x", "y"]).to_csv(tmp_path / "links.csv", index=False)
    with words.raises(InputError):
        nettrial.read(tmp_path / "links.csv", columns={"time": "date"})
    frame.assign(date=["x", "y", "z"]).to_csv(tmp_path / "links.csv", index=False)
    with words.raises(InputError):
        nettrial.read(tmp_path / "links.csv", columns={"time": "date"})


def test_links_without_weight(tmp_path: Path, words) -> None:
    path = tmp_path / "links.csv"
    path.write_text("source,target,amount\na,b,\nb,c,2.5\nc,d,NA\n")
    with words.warns(UserWarning):
        assert not nettrial.read(path).weighted
    assert nettrial.read(path, missing_weight="drop").links.weights.tolist() == [2.5, 2.5]
    counted = nettrial.read(path, missing_weight=1)
    assert sorted(counted.links.weights.tolist()) == [1, 1, 1, 1, 2.5, 2.5]
    assert "2 links without weight counted as 1" in counted.reading.notes
    frame = pd.DataFrame({"source": list("abc"), "target": list("bcd"), "amount": [None, 2.5, 3]})
    assert nettrial.from_frames(frame, missing_weight="drop").n_links == 2
    with words.raises(InputError):
        nettrial.read(path, missing_weight=2)
    (tmp_path / "network.toml").write_text('links = "links.csv"\nmissing_weight = "drop"\n')
    assert nettrial.read(tmp_path).n_links == 1
