"""Node columns as features: what each becomes, what is refused, and gaps filled in by training."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import nettrial
import nettrial.cli
from nettrial.core.errors import InputError
from nettrial.io.report import what_was_read
from nettrial.network.feature_columns import encode_columns
from nettrial.network.network import Network
from nettrial.splits.base import Split
from nettrial.study.node_study import run

N = 60
RNG = np.random.default_rng(5)
LABELS = np.arange(N) % 2
TOWNS = ["a"] * 20 + ["b"] * 15 + ["c"] * 10 + ["d"] * 5 + ["e"] * 4 + ["f"] * 4 + [None] * 2
COLUMNS: dict[str, Any] = {
    "age": [str(20 + node % 30) for node in range(N)],
    "balance": [None if node % 10 == 3 else node * 1.5 for node in range(N)],
    "opened": [f"2020-01-{1 + node % 28:02d}" for node in range(N)],
    "active": [node % 3 == 0 for node in range(N)],
    "town": TOWNS,
    "sex": ["f" if node % 4 < 2 else "m" for node in range(N)],
    "flagged": ["yes" if label else "no" for label in LABELS],
    "account_id": [1000 + node for node in range(N)],
    "bio": [f"text {node}" for node in range(N)],
    "bank": ["one"] * N,
    "note": [None] * N,
    "train_mask": [node % 5 == 0 for node in range(N)],
}


def encode(asked: Any, columns: Any = COLUMNS, labels: Any = LABELS) -> Any:
    return encode_columns(columns, asked, np.asarray(labels, dtype=np.int32))


def made(columns: Any = COLUMNS, **options: Any) -> Network:
    source, target = np.arange(N), (np.arange(N) * 7 + 1) % N
    return Network(source, target, n_nodes=N, labels=LABELS.tolist(), attributes=columns, **options)


def test_all_takes_numbers_dates_and_categories_and_says_what_it_left_out() -> None:
    table, taken = encode("all")
    towns = [f"town={level}" for level in ("a", "b", "c", "d", "(other)", "(missing)")]
    assert taken.names == ("age", "balance", "opened", "active", *towns, "sex=f", "sex=m")
    by = dict(zip(taken.names, table.T))
    assert by["age"].tolist() == [20.0 + node % 30 for node in range(N)]
    assert np.isnan(by["balance"]).nonzero()[0].tolist() == [3, 13, 23, 33, 43, 53]
    first = (datetime.date(2020, 1, 1) - datetime.date(1970, 1, 1)).days
    assert by["opened"].tolist() == [float(first + node % 28) for node in range(N)]
    assert by["active"].tolist() == [float(node % 3 == 0) for node in range(N)]
    assert by["town=a"].sum() == 20
    assert by["town=(other)"].nonzero()[0].tolist() == list(range(50, 58))
    assert by["town=(missing)"].nonzero()[0].tolist() == [58, 59]
    for words in (
        "balance (6 missing, filled in from training nodes and flagged)",
        "opened (dates as days)",
        "town (6 categories, the 2 rare ones together, 2 missing as one more)",
        "flagged (equals the class)",
        "account_id (by its name an id)",
        "bio (is text (60 different values for 60 nodes))",
        "bank (has one value only)",
        "note (is empty)",
        "train_mask (a split)",
    ):
        assert words in taken.note


@pytest.mark.parametrize(
    "asked",
    [
        "ages",
        ["age", "Age"],
        "flagged",
        "bio",
        "bank",
        "note",
    ],
)
def test_what_cannot_be_a_feature_is_refused_in_one_line(asked: Any, words) -> None:
    with words.raises(InputError) as caught:
        encode(asked)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        [f"{1 + k % 28}.1.{2000 + k}" for k in range(N)],
        [float("inf"), *range(1, N)],
        [["a"]] * N,
    ],
)
def test_values_without_a_meaning_are_refused(values: Any, words) -> None:
    with words.raises(InputError):
        encode("x", {"x": values})


def test_dates_of_programs_are_dates() -> None:
    days = [datetime.date(2021, 3, 1 + k % 20) for k in range(N)]
    stamps = [pd.Timestamp(day) + pd.Timedelta(hours=12) for day in days]
    one, other = (encode("x", {"x": values})[0][:, 0] for values in (days, stamps))
    assert (other - one == 0.5).all()


def test_a_column_named_by_an_id_is_taken_when_asked_for() -> None:
    assert encode("account_id")[1].names == ("account_id",)


def test_nothing_is_left(words) -> None:
    with words.raises(InputError):
        encode("all", {"bank": ["one"] * N})
    with words.raises(InputError):
        encode("all", {})


def test_a_column_that_equals_the_target_is_refused() -> None:
    network = Network([0], [1], n_nodes=4, targets=[1.0, 2.0, None, 5.0],
                      attributes={"copy": [1, 2, 3, 5], "other": [1, 2, 3, 4]})  # fmt: skip
    assert network.derive(features="all").feature_columns.names == ("other",)


def test_labels_decide_nothing_but_that_equality() -> None:
    rng = np.random.default_rng(0)
    one = encode(["age", "balance", "town", "sex"])[0]
    other = encode(["age", "balance", "town", "sex"], labels=rng.permutation(LABELS))[0]
    np.testing.assert_array_equal(one, other)


class Look:
    """Keeps the features that it is handed."""

    def fit(self, network: Network, train: Any) -> Look:
        SEEN.append(network.features)
        return self

    def predict_proba(self, network: Network, nodes: Any) -> Any:
        SEEN.append(network.features)
        return np.full((len(nodes), network.n_classes), 1 / network.n_classes)


SEEN: list[Any] = []


def test_gaps_are_filled_in_from_the_training_nodes_alone() -> None:
    network = made().derive(features=["balance", "sex"])
    train, test = np.array([0, 1, 3, 10, 21]), np.array([13, 40, 50])
    SEEN.clear()
    run(network, {"look": Look()}, [Split(train, test, test)])
    assert len(SEEN) == 2
    np.testing.assert_array_equal(*SEEN)
    known = [0.0, 1.5, 15.0, 31.5]  # node 3 of the training nodes has none
    gaps = np.isnan(network.features[:, 0])
    assert (SEEN[0][gaps, 0] == np.median(known)).all()
    assert (SEEN[0][~gaps, 0] == network.features[~gaps, 0]).all()
    assert SEEN[0].shape == (N, 4)
    assert (SEEN[0][:, 3] == gaps).all()
    # what test nodes have has no say
    changed = np.array(network.features)
    changed[test[1:], 0] *= 1000
    SEEN.clear()
    run(network.derive(features=changed), {"look": Look()}, [Split(train, test, test)])
    assert (SEEN[0][gaps, 0] == np.median(known)).all()


def test_whole_features_stay_as_they_are() -> None:
    network = made().derive(features=["age", "sex"])
    assert network.imputed(np.arange(3)) is network


def test_derive_takes_a_matrix_and_forgets_what_was_made_of_other_features(words) -> None:
    from nettrial.models.node_tables import node_table

    network = made(features=np.ones((N, 2)))
    before = node_table(network, "both")
    other = network.derive(features=np.zeros((N, 3)))
    assert node_table(other, "both").shape[1] == before.shape[1] + 2
    assert network.features.shape == (N, 2)
    assert other.feature_columns is None
    with words.raises(InputError):
        network.derive(features=np.zeros((3, 3)))


def school(folder: Path) -> Path:
    """A small GraphML as a social scientist has it."""
    base = nettrial.latent_group_network(N, seed=3)
    graph = nx.Graph()
    rng = np.random.default_rng(3)
    for node, code in enumerate(base.labels.tolist()):
        graph.add_node(
            node,
            sex="fm"[rng.integers(2)],
            age=int(13 + rng.integers(4) + 2 * code),
            smokes="yes" if code else "no",
        )
    graph.add_edges_from(zip(*(ends.tolist() for ends in base.simple_links())))
    path = folder / "school.graphml"
    nx.write_graphml(graph, path)
    return path


def test_every_reader_takes_columns(tmp_path: Path) -> None:
    path = school(tmp_path)
    wanted = ("age", "sex=f", "sex=m")
    read = nettrial.read(path, label="smokes", features="all")
    assert read.feature_columns.names == wanted
    assert "features from the columns age, sex (2 categories)" in what_was_read(read).notes
    given = nettrial.from_networkx(nx.read_graphml(path), label="smokes", features=["age", "sex"])
    assert given.feature_columns.names == wanted
    np.testing.assert_array_equal(given.features, read.features)
    nodes = pd.DataFrame({"id": read.ids, "smokes": read.labels, **read.attributes})
    source, target = read.simple_links()
    links = pd.DataFrame({"source": read.ids[source], "target": read.ids[target]})
    framed = nettrial.from_frames(links, nodes, label="smokes", features=["age", "sex"])
    np.testing.assert_array_equal(framed.features, read.features)
    matrix = nettrial.from_frames(links, nodes, label="smokes", features=read.features)
    assert matrix.feature_columns is None
    with pytest.raises(InputError, match=re.escape(str(path)) + ".*features: .*'smoke'"):
        nettrial.read(path, label="smokes", features=["smoke"])


def test_a_model_without_features_names_the_option(tmp_path: Path, words) -> None:
    network = nettrial.read(school(tmp_path), label="smokes")
    with words.raises(InputError):
        nettrial.compare(network, "mlp", "wvrn", n_splits=3, test="network_hac")


def test_transfer_needs_the_same_columns(words) -> None:
    columns = COLUMNS | {"town": ["a", "b"] * 30}
    one = made(COLUMNS).derive(features=["age", "sex"])
    other = made(columns, directed=False).derive(features=["sex", "age"])
    links = nettrial.latent_group_network(N, seed=1).simple_links()
    with words.raises(InputError):
        nettrial.compare_transfer(one, other.with_links(*links), ["wvrn", "nbc"])


def test_the_command_line_takes_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = school(tmp_path)
    with pytest.raises(SystemExit) as end:
        nettrial.cli.main(["info", str(path), "--label", "smokes", "--features", "age,sex"])
    assert end.value.code == 0
    assert "features from the columns age, sex (2 categories)" in " ".join(
        capsys.readouterr().out.split()
    )
    command = ["compare", str(path), "--label", "smokes", "--a", "mlp", "--test", "network_hac"]
    with pytest.raises(SystemExit):
        nettrial.cli.main(command)
    assert "--features all, or names of some" in capsys.readouterr().err


def test_a_running_number_is_no_feature_unless_asked_for() -> None:
    columns = {"customer": range(5000, 5030), "age": [31, 28, 40, 31, 52, 60] * 5}
    labels = np.array([0, 1, 0, 1, 1, 0] * 5)
    _, taken = encode_columns(columns, "all", labels)
    assert taken.names == ("age",)
    assert "customer (a running number)" in taken.note
    assert encode_columns(columns, ["customer"], labels)[1].names == ("customer",)
