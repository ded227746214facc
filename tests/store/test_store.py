"""Study files: nothing lost, nothing reused wrongly, nothing dropped in silence."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.core.processes import machine
from nettrial.models import NBC, WVRN
from nettrial.network.network import Network
from nettrial.saved.export import export_predictions
from nettrial.splits import RandomResampling
from nettrial.store import IncompleteStudyError, StoredStudy, Unit, study_status
from nettrial.store.database import PATIENCE
from nettrial.store.describe import OWN
from nettrial.store.file import StudyFile
from nettrial.store.inputs import DRAWING
from nettrial.study.node_study import run
from study_files import changing
from study_models import Failing, Guessing, HalfBatch
from timeless import timeless


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(60, seed=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "study.nettrial"


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def compare(network: Network, store: Path | None, a: object = None, **options: object) -> str:
    a = Guessing("a") if a is None else a
    options.setdefault("test", "cluster_robust_t")
    found = nettrial.compare(
        network, a, options.pop("b", "wvrn"), n_splits=4, seed=5, store=store, **options
    )
    return timeless(found)


def test_a_study_file_changes_no_result_and_is_read_back_to_the_same_bytes(
    network: Network, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = compare(network, None)
    assert compare(network, file) == expected
    with pytest.raises(SystemExit) as stop:
        main(["report", str(file), "--json"])
    assert stop.value.code == 0
    assert timeless(capsys.readouterr().out) == expected


def test_units_that_are_done_are_not_run_again(network: Network, file: Path) -> None:
    log = file.with_name("log")
    model = Guessing("a", log=str(log))
    first = compare(network, file, model)
    assert len(lines(log)) == 4
    assert compare(network, file, model) == first
    assert len(lines(log)) == 4


def test_only_what_is_missing_is_run(network: Network, file: Path) -> None:
    log = file.with_name("log")
    model = Guessing("a", log=str(log))
    first = compare(network, file, model)
    with changing(file) as change:
        change.execute("UPDATE units SET state = 'open', result = NULL WHERE split = 2")
    change.close()
    assert compare(network, file, model) == first
    assert len(lines(log)) == 5
    assert lines(log)[4] == sorted(set(lines(log)), key=lines(log).index)[2]


# changed inputs ------------------------------------------------------------------------------


def relabeled(network: Network) -> Network:
    labels = network.labels.copy()
    labels[0] = 1 - labels[0]
    return network._with_labels(labels)


def one_link_less(network: Network) -> Network:
    source, target = network.simple_links()
    return Network(
        source[1:],
        target[1:],
        n_nodes=network.n_nodes,
        classes=network.classes,
        labels=[network.classes[c] for c in network.labels],
        attributes=network.attributes,
    )


CHANGES = {
    "labels": (lambda n: relabeled(n), {}, "network labels was"),
    "links": (lambda n: one_link_less(n), {}, "network links was"),
    "labeled": (lambda n: n, {"labeled": 0.4}, "splits nodes was"),
    "cross links": (lambda n: n, {"cross_links": "drop"}, "cross_links was keep, is drop"),
    "parameter": (
        lambda n: n,
        {"a": Guessing("a", 2.0)},
        "models 'a' parameters sharpness was 1.0",
    ),
    "other model": (lambda n: n, {"b": "nbc"}, "models 'wvrn' name was wvrn, is nbc"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_changed_inputs_are_refused_by_name_and_the_file_stays(
    case: str, network: Network, file: Path
) -> None:
    change, options, message = CHANGES[case]
    compare(network, file)
    before = file.read_bytes()
    with pytest.raises(InputError, match="made with other inputs") as error:
        compare(change(network), file, **options)
    assert message in str(error.value)
    assert file.read_bytes() == before


def test_another_seed_is_refused(network: Network, file: Path, words) -> None:
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    run(network, {"a": Guessing()}, splits, seed=1, store=file)
    with words.raises(InputError):
        run(network, {"a": Guessing()}, splits, seed=2, store=file)


SOURCE = """
import numpy as np
STEP = 1
def helper(x):
    return x + STEP
class Mine:
    name = "mine"
    def fit(self, network, train):
        return self
    def predict_proba(self, network, nodes):
        # a comment
        proba = np.ones((nodes.size, network.n_classes)) * helper(1)
        return proba / proba.sum(axis=1, keepdims=True)
"""


def mine(source: str) -> object:
    space: dict[str, object] = {"__name__": "a_users_module"}
    exec(compile(source, "mine.py", "exec"), space)  # noqa: S102 - the test's own text
    return space["Mine"]()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("# a comment", "# another comment", True),
        ("x + STEP", "x + STEP + 0 * x", False),
        ("STEP = 1", "STEP = 2", False),
        ("return self", "self.n = 1; return self", False),
        ('name = "mine"', 'name = "mine"; extra = 3', False),
    ],
)
def test_a_models_code_counts_with_all_that_it_refers_to(
    old: str, new: str, same: bool, network: Network, file: Path
) -> None:
    splits = RandomResampling(n_splits=2, seed=1).split_network(network)
    run(network, {"m": mine(SOURCE)}, splits, store=file)
    changed = mine(SOURCE.replace(old, new))
    if same:
        run(network, {"m": changed}, splits, store=file)
    else:
        with pytest.raises(InputError, match="models 'm' code was"):
            run(network, {"m": changed}, splits, store=file)


def test_another_level_of_confidence_needs_no_new_run(network: Network, file: Path) -> None:
    log = file.with_name("log")
    compare(network, file, Guessing("a", log=str(log)))
    other = compare(network, file, Guessing("a", log=str(log)), confidence=0.5)
    assert json.loads(other)["confidence"] == 0.5
    assert len(lines(log)) == 4


# failures ------------------------------------------------------------------------------------


def test_a_failing_unit_is_recorded_the_others_go_on_and_nothing_is_compared(
    network: Network, file: Path, capsys: pytest.CaptureFixture[str], words
) -> None:
    bad, log = file.with_name("bad"), file.with_name("log")
    model = Failing("f", str(bad), log=str(log))
    expected = compare(network, None, model)
    seeds = [int(line.split()[1]) % 3 for line in lines(log)]
    bad.write_text(str(seeds[0]))
    log.unlink()
    failing = [split for split, rest in enumerate(seeds) if rest == seeds[0]]
    with words.raises(IncompleteStudyError) as error:
        compare(network, file, model)
    assert error.value.failed == tuple(Unit(0, split) for split in failing)
    assert len(lines(log)) == 4
    status = study_status(file)
    assert (status.done, status.failed, status.open) == (8 - len(failing), len(failing), 0)
    assert "in predict_proba" in status.tracebacks[0]

    # not run again unless told to
    bad.unlink()
    with pytest.raises(IncompleteStudyError):
        compare(network, file, model)
    assert len(lines(log)) == 4
    for arguments in (["report", str(file)], ["export", str(file), str(file.with_name("x.csv"))]):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 2
    assert "--retry" in capsys.readouterr().err
    assert compare(network, file, model, retry=True) == expected
    assert len(lines(log)) == 4 + len(failing)


def test_in_a_batch_only_the_failing_label_sets_fail(network: Network, file: Path) -> None:
    splits = RandomResampling(n_splits=20, seed=1).split_network(network)
    with pytest.raises(IncompleteStudyError) as error:
        run(network, {"h": HalfBatch()}, splits, store=file)
    assert 0 < len(error.value.failed) < 20
    assert study_status(file).done == 20 - len(error.value.failed)


def test_retry_needs_a_file(network: Network, words) -> None:
    with words.raises(InputError):
        compare(network, None, retry=True)


# several processes ---------------------------------------------------------------------------

TOGETHER = """
import sys
sys.path.insert(0, sys.argv[1])
import nettrial
from study_models import Guessing
found = nettrial.compare(
    nettrial.latent_group_network(60, seed=3), Guessing("a", log=sys.argv[3]),
    Guessing("b", log=sys.argv[3]), n_splits=30, seed=5, store=sys.argv[2],
    test="cluster_robust_t", progress=False)
print(found.to_json())
"""


def test_an_interrupt_between_a_transaction_and_its_end_makes_nobody_wait(
    network: Network, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = compare(network, None)

    def interrupted(study: StudyFile, _: object) -> None:
        study._safe.execute("BEGIN IMMEDIATE")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(StudyFile, "take", interrupted)
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            compare(network, file)
        assert time.monotonic() - begin < PATIENCE / 2
    assert compare(network, file) == expected


@pytest.mark.slow
def test_two_processes_share_one_file(network: Network, file: Path) -> None:
    log = file.with_name("log")
    arguments = [
        sys.executable,
        "-c",
        TOGETHER,
        str(Path(__file__).parents[1]),
        str(file),
        str(log),
    ]
    both = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=100)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0] == outputs[1]
    assert len(lines(log)) == len(set(lines(log))) == 60


def leave_taken(file: Path, where: str, pid: int, seen: float) -> None:
    with changing(file) as change:
        change.execute("INSERT INTO owners VALUES ('o', ?, ?, '0', ?)", (where, pid, seen))
        change.execute(
            "UPDATE units SET state = 'taken', owner = 'o', result = NULL WHERE split = 1"
        )
    change.close()


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_units_of_dead_processes_are_taken_over(network: Network, file: Path, where: str) -> None:
    expected = compare(network, file)
    leave_taken(file, machine() if where == "here" else "another machine", 2**22 + 1, 0.0)
    assert compare(network, file) == expected


# what the file holds -------------------------------------------------------------------------


@pytest.fixture
def finished(network: Network, file: Path) -> Path:
    compare(network, file)
    return file


def test_export_gives_the_predictions(
    network: Network, finished: Path, capsys: pytest.CaptureFixture[str], words
) -> None:
    import pandas as pd

    expected = nettrial.compare(
        network, Guessing("a"), "wvrn", n_splits=4, seed=5, test="cluster_robust_t"
    )
    frame = expected.predictions.to_frame().sort_values(["split", "model", "node"])
    for name in ("table.csv", "table.parquet"):
        if name.endswith("parquet"):
            pytest.importorskip("pyarrow")
        out = finished.with_name(name)
        with pytest.raises(SystemExit) as stop:
            main(["export", str(finished), str(out)])
        assert stop.value.code == 0, capsys.readouterr().err
        found = pd.read_csv(out) if name.endswith("csv") else pd.read_parquet(out)
        found = found.sort_values(["split", "model", "node"])
        pd.testing.assert_frame_equal(
            found.reset_index(drop=True), frame.reset_index(drop=True), check_dtype=False, rtol=1e-6
        )
    with words.raises(InputError):
        export_predictions(finished, finished.with_name("table.csv"))


def test_status_is_told_while_units_are_left(finished: Path, words) -> None:
    with changing(finished) as change:
        change.execute("UPDATE units SET state = 'open', result = NULL WHERE split = 1")
    change.close()
    text = str(study_status(finished))
    assert "8 units: 6 done, 2 open" in text
    assert study_status(finished).seed == 5  # that of `compare`, not one that it derives
    with words.raises(IncompleteStudyError):
        StoredStudy(finished).check_complete(StoredStudy(finished).units())


def test_networks_of_any_kind_come_back(tmp_path: Path) -> None:
    net = Network(
        [0, 1, 2, 3], [1, 2, 3, 0], n_nodes=6, weight=[1, 2.5, 1, 1], directed=True,
        labels=["x", 3, None, "x", 3, "x"], ids=["a", "b", 7, "d", "e", None],
        attributes={"place": ["n", None, "s", "n", 4, "s"]}, name="odd",
    )  # fmt: skip
    splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    run(net, {"w": WVRN(), "n": NBC()}, splits, store=tmp_path / "s")
    back = StoredStudy(tmp_path / "s").network()
    assert back.fingerprint() == net.fingerprint()
    assert (back.classes, back.name, back.tally) == (net.classes, net.name, net.tally)
    assert back.attributes["place"].tolist() == net.attributes["place"].tolist()


def test_a_network_that_only_a_pickle_could_hold_is_not_kept(tmp_path: Path, words) -> None:
    net = Network([0], [1], n_nodes=3, labels=["x", "y", "x"], ids=[(1, 2), (3, 4), (5, 6)])
    splits = RandomResampling(n_splits=2, labeled=0.5).split_network(net)
    run(net, {"w": WVRN()}, splits, store=tmp_path / "s")
    with words.raises(InputError):
        StoredStudy(tmp_path / "s").network()


def test_the_code_on_which_results_depend_is_where_a_study_file_looks_for_it() -> None:
    root = Path(nettrial.__file__).parent
    assert all(any((root / name).glob("*.py")) for name in (*OWN, *DRAWING))
