"""What is planted is found, by its code; clean networks have no problem."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nettrial
from nettrial.checking.check import Check, Checkable
from nettrial.checking.kinds import KINDS
from nettrial.cli import main
from nettrial.network.network import Network
from nettrial.report.gate import gate
from nettrial.splits.base import Split
from nettrial.splits.resampling import RandomResampling

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
QUICK: dict[str, Any] = {"n_splits": 4, "test": "network_hac", "seed": 1}
TWINS = 30
RNG = np.random.default_rng(0)


def net(features: NDArray[np.float64] | None = None, *, seed: int = 1) -> Network:
    made = nettrial.latent_group_network(200, seed=seed)
    return rebuilt(made, features=features)


def rebuilt(made: Network, **changed: Any) -> Network:
    first, second = made.simple_links()
    names = [None if code < 0 else made.classes[code] for code in made.labels]
    given = {"source": first, "target": second, "n_nodes": made.n_nodes, "labels": names}
    return Network(**(given | changed))


def splits(network: Network) -> list[Split]:
    return RandomResampling(labeled=0.3, n_splits=4, seed=0).split_network(network)


def with_twins() -> Network:
    """Copy the first nodes with their links, features and classes."""
    made = net()
    first, second = made.simple_links()
    features = RNG.normal(size=(200, 5))
    copied = np.concatenate([first, second]), np.concatenate([second, first])
    theirs = copied[0] < TWINS
    away = theirs & (copied[1] >= TWINS)
    inside = (first < TWINS) | (second < TWINS)
    both = (first < TWINS) & (second < TWINS)  # links among them would need copies of copies
    keep = ~both
    source = np.concatenate([first[keep], copied[0][away] + 200])
    target = np.concatenate([second[keep], copied[1][away]])
    assert inside.any()
    labels = [made.classes[code] for code in np.concatenate([made.labels, made.labels[:TWINS]])]
    return Network(
        source,
        target,
        n_nodes=200 + TWINS,
        labels=labels,
        features=np.concatenate([features, features[:TWINS]]),
    )


def with_copies() -> Network:
    """Nodes in groups that have the same neighbors and the same class, which neighbors have not."""
    groups, hubs = 30, 60
    rng = np.random.default_rng(1)
    source, target = [], []
    for group in range(groups):
        around = rng.choice(hubs, 4, replace=False)
        for copy in range(3):
            source += [hubs + 3 * group + copy] * 4
            target += around.tolist()
    classes = np.concatenate([rng.integers(0, 3, hubs), np.repeat(rng.integers(0, 3, groups), 3)])
    return Network(source, target, n_nodes=classes.size, labels=classes.tolist())


def predictions(**changed: Any) -> Any:
    found = nettrial.compare(net(), "wvrn", "nbc", **QUICK).predictions
    return replace(found, probabilities=dict(found.probabilities) | changed.pop("more", {}))


def constant(code: int, noise: float = 0.0) -> tuple[NDArray[np.float64], ...]:
    network = net()
    return tuple(
        np.tile(np.eye(network.n_classes)[code], (split.test.size, 1)) * (1 + noise)
        for split in nettrial.compare(network, "wvrn", "nbc", **QUICK).predictions.splits
    )


def right() -> tuple[NDArray[np.float64], ...]:
    found = predictions()
    return tuple(
        np.eye(found.network.n_classes)[found.network.labels[split.test]] for split in found.splits
    )


def wrong(shift: int) -> tuple[NDArray[np.float64], ...]:
    """Right but for two in three nodes, and of more than one class."""
    return tuple(
        np.where(((np.arange(p.shape[0]) + shift) % 3 > 0)[:, None], np.roll(p, 1, axis=1), p)
        for p in right()
    )


def a_class_left_out() -> dict[str, Any]:
    network = net()
    without = np.flatnonzero(network.labels != 0)
    train, rest = without[:60], np.setdiff1d(np.arange(200), without[:60])
    return {"given": network, "splits": [Split(train, rest, rest)]}


def on_both_sides() -> dict[str, Any]:
    network = net()
    made = splits(network)
    leaked = [replace(s, test=np.union1d(s.test, s.train[:5])) for s in made]
    return {"given": network, "splits": leaked}


def unlabeled() -> dict[str, Any]:
    network = net().mask_labels(np.arange(150))
    rest = np.arange(60, 200)
    return {"given": network, "splits": [Split(np.arange(60), rest, rest)]}


def recoded(network: Network) -> NDArray[np.float64]:
    """A column of other numbers for the classes, among columns of noise."""
    codes = np.array([7.5, -2.0, 3.0, 11.0])[network.labels]
    return np.column_stack([RNG.normal(size=(200, 3)), codes])


def one_hot(network: Network) -> NDArray[np.float64]:
    noise = RNG.random((200, 600)) < 0.1
    return np.column_stack([noise, np.eye(network.n_classes)[network.labels]]).astype(float)


def by_class() -> Network:
    made = net()
    order = np.argsort(made.labels, kind="stable")
    place = np.argsort(order)
    first, second = made.simple_links()
    names = [made.classes[code] for code in made.labels[order]]
    return Network(place[first], place[second], n_nodes=200, labels=names)


def columns() -> dict[str, list[Any]]:
    """Two words for each class; ids; and one value for all."""
    names = [f"{'abcd'[code]}{i % 2}" for i, code in enumerate(net().labels)]
    return {"team": names, "id2": [f"n{i}" for i in range(200)], "country": ["x"] * 200}


def within_classes() -> Network:
    made = net()
    first, second = made.simple_links()
    alike = made.labels[first] == made.labels[second]
    return rebuilt(made, source=first[alike], target=second[alike])


def board(**changed: str) -> Any:
    table = {"dataset": ["cora", "citeseer"], "gcn": ["81.5 ± 0.9", "70.3 ± 0.7"],
             "gat": ["82.0 ± 0.7", "72.5 ± 2.0"]} | changed  # fmt: skip
    return nettrial.leaderboard(table, n_splits=10, test_share=0.35)


def different_numbers() -> Any:
    table = {"dataset": ["cora"] * 2, "model": ["gcn", "gat"], "mean": [0.7, 0.9],
             "sd": [0.01, 0.01], "n_splits": [10, 3]}  # fmt: skip
    return nettrial.leaderboard(table, test_share=0.1)


PLANTED: dict[str, Callable[[], dict[str, Any]]] = {
    "NT101": lambda: {"given": (made := with_twins()), "splits": splits(made)},
    "NT102": on_both_sides,
    "NT103": lambda: {"given": net(), "splits": splits(net())},
    "NT104": a_class_left_out,
    "NT105": unlabeled,
    "NT106": lambda: {"given": (made := with_copies()), "splits": splits(made)},
    "NT201": lambda: {"given": net(recoded(net()))},
    "NT202": lambda: {"given": by_class()},
    "NT203": lambda: {"given": within_classes()},
    "NT204": lambda: {"given": rebuilt(net(), attributes=columns())},
    "NT301": lambda: {"given": net(), "splits": splits(net()), "labeled": 0.5},
    "NT302": lambda: {"given": different_numbers()},
    "NT401": lambda: {"given": predictions(more={"wvrn": constant(0)})},
    "NT402": lambda: {"given": predictions(more={"wvrn": wrong(1), "nbc": wrong(2)})},
    "NT403": lambda: {"given": nettrial.compare(net(), "wvrn", "wvrn", **QUICK)},
    "NT404": lambda: {"given": predictions(more={"wvrn": constant(0, 0.5)})},
    "NT405": lambda: {"given": predictions(more={"wvrn": right()})},
    "NT406": lambda: {"given": nettrial.compare(net(), "wvrn", "nbc", n_seeds=2, **QUICK)},
    "NT501": lambda: {"given": board()},
}
NOTES = {"NT103", "NT202", "NT204", "NT406"}


def made(what: dict[str, Any]) -> Check:
    given: Checkable = what["given"]
    return nettrial.check(given, **{name: v for name, v in what.items() if name != "given"})


def found(check: Check) -> set[str]:
    return {each.code for each in check.problems} | {each.code for each in check.notes}


def test_every_kind_is_planted() -> None:
    assert set(PLANTED) == set(KINDS)


@pytest.mark.parametrize("code", PLANTED)
def test_what_is_planted_is_found(code: str) -> None:
    check = made(PLANTED[code]())
    assert code in found(check), check
    (each,) = (each for each in check.checked if each.code == code)
    assert each.problem is not None
    assert each.problem.serious is (code not in NOTES)
    assert 0 < each.problem.size <= each.problem.of


def test_the_sizes_are_those_of_what_was_planted() -> None:
    check = made(PLANTED["NT101"]())
    (twins,) = (each.problem for each in check.problems if each.code == "NT101")
    assert twins is not None
    # a twin is tested in 0.7 of the splits, with its copy in training in 0.3 of these
    assert twins.size == pytest.approx(2 * TWINS * 0.7 * 0.3, rel=0.4)
    assert "100% of them one of their class" in twins.text
    without = nettrial.check(with_twins(), select=["NT101"])
    assert without.problems[0].problem.size == 2 * TWINS  # type: ignore[union-attr]
    assert found(nettrial.check(net(one_hot(net())))) == {"NT201"}


def test_of_node_columns_only_the_recoded_one_is_named() -> None:
    (note,) = nettrial.check(rebuilt(net(), attributes=columns())).notes
    assert note.problem is not None
    assert note.problem.text == "each value of team goes with one class"


def test_a_model_below_the_baseline_is_a_note_while_another_is_above() -> None:
    check = nettrial.check(predictions(more={"wvrn": wrong(1)}), select=["NT402"])
    assert (check.problems, len(check.notes)) == ((), 1)


def test_columns_are_found_in_sparse_features_too() -> None:
    from scipy import sparse

    network = net()
    wide = rebuilt(network, features=sparse.csr_array(one_hot(network)))
    (problem,) = nettrial.check(wide).problems
    assert problem.problem is not None
    assert problem.problem.size == network.n_classes
    assert "separates class" in problem.problem.text


@pytest.mark.parametrize("seed", range(5))
def test_clean_networks_have_no_problem(seed: int) -> None:
    network = net(np.random.default_rng(seed).normal(size=(200, 40)), seed=seed)
    compared = nettrial.compare(network, "wvrn", "nbc", **QUICK)
    check = nettrial.check(compared)
    assert found(check) <= {"NT103"}
    assert check.verdict.startswith("Nothing unfair found in 16 checks")


@pytest.mark.skipif(not DATA.is_dir(), reason="the real networks are not here")
@pytest.mark.parametrize(
    "name",
    ["karate", "football", "polbooks", "cora_planetoid", "chameleon_filtered", "geomgcn_texas",
     "airports_europe", "faux_mesa_high", "s50_w1", "webkb_cornell_linqs"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ReadWarning")
def test_real_networks_have_no_problem(name: str) -> None:
    network = nettrial.read(DATA / "neutral" / name)
    assert nettrial.check(network, splits=splits(network)).problems == ()


def test_codes_are_selected_and_ignored() -> None:
    network = net()
    given = {"given": network, "splits": splits(network)}
    assert [each.code for each in made(given | {"select": ["NT10"]}).checked] == [
        "NT102", "NT103", "NT104", "NT105", "NT106",
    ]  # fmt: skip
    assert found(made(given | {"ignore": ["NT103"]})) == set()
    with pytest.raises(nettrial.InputError, match=r"select: expected one of .*got 'NT999'"):
        made(given | {"select": ["NT999"]})
    with pytest.raises(nettrial.InputError, match="nothing of 'NT401' can be checked of Network"):
        nettrial.check(network, select=["NT401"])
    with pytest.raises(nettrial.InputError, match="splits: Leaderboard brings its own"):
        nettrial.check(board(), splits=[])


def test_links_and_labels_are_checked_as_far_as_they_go() -> None:
    links = nettrial.compare(net(), "adamic_adar", "jaccard", n_splits=3, seed=1)
    assert {each.code for each in nettrial.check(links).checked} >= {"NT106", "NT202", "NT203"}
    assert nettrial.check(links).problems == ()


def test_of_numbers_the_splits_are_checked() -> None:
    made_up = net()
    first, second = made_up.simple_links()
    targets = np.arange(200.0)
    network = Network(first, second, n_nodes=200, targets=targets)
    compared = nettrial.compare(network, "mean", "relational_mean", **QUICK)
    assert [each.code for each in nettrial.check(compared).checked] == ["NT102", "NT103"]


def test_a_gate_can_check() -> None:
    same = nettrial.compare(net(), "wvrn", "wvrn", **QUICK)
    reached = gate(same, ["worse-by=0.1", "check"])
    assert not reached.passed
    assert reached.sentence.startswith("failed: 1 problem found in 14 checks: NT403 identical")
    assert gate(nettrial.compare(net(), "wvrn", "nbc", **QUICK), ["check"]).passed
    answers = nettrial.compare_grouped([1, 0, 1, 1], [1, 1, 0, 1], list("ppqq"))
    with pytest.raises(nettrial.InputError, match="no network to check"):
        gate(answers, ["check"])


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def ended(*arguments: object) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["check", *map(str, arguments)])
        return end.value.code, *capsys.readouterr()

    code, out, _ = ended("--example")
    assert (code, out[:22]) == (0, "Nothing unfair found i")
    network = nettrial.latent_group_network(300, seed=0)  # the example
    nettrial.write_splits(network, splits(network), tmp_path / "splits.npz")
    with_splits = ("--example", "--split-file", tmp_path / "splits.npz")
    assert ended(*with_splits, "--labeled", 0.3)[0] == 0
    code, out, _ = ended(*with_splits, "--labeled", 0.6)
    assert code == 3
    assert "training sets hold 30% of the labeled nodes, not 60%" in " ".join(out.split())
    table = tmp_path / "table.csv"
    table.write_text("dataset,gcn,gat\ncora,81.5 ± 0.9,82.0 ± 0.7\n", encoding="utf-8")
    code, out, _ = ended("--table", table, "--test-share", 0.3, "--splits", 10, "--json")
    assert code == 3
    assert [each["code"] for each in json.loads(out)["problems"]] == ["NT501"]
    board = ("--table", table, "--test-share", 0.3, "--splits", 10)
    assert ended(*board, "--ignore", "NT501")[0] == 0
    for arguments, says in (
        ((), "no"),
        (("--example", "--table", table), "give one of a network, --table and --study"),
        (("--example", "--test-share", 0.3), "--test-share needs --table"),
        (("--table", table, "--labeled", 0.3, "--test-share", 0.3), "--labeled needs a network"),
        (("--table", table), "--table needs --test-share"),
        (("--example", "--select", "NT9"), "--select: "),
    ):
        code, out, err = ended(*arguments)
        assert (code, out) == (2, "")
        assert says in err
