"""Whatever a result warns of stands in its text, its page and its JSON form alike."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import NettrialWarning
from nettrial.inference.false_alarms import TYPE_1_ERRORS
from nettrial.models import WVRN, RelaxationLabeling
from nettrial.splits.given import given_splits


def one_line(text: str) -> str:
    return " ".join(text.split())


def on_page(found: Any) -> str:
    page = found.to_html()
    return one_line(html.unescape(re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)))


def network(seed: int) -> nettrial.Network:
    """Two classes of which one is rare, in few communities."""
    plain = nettrial.latent_group_network(80, seed=seed)
    labels = np.where(np.arange(80) < 4, "rare", np.where(plain.labels == 0, "a", "b"))
    return nettrial.Network(*plain.simple_links(), n_nodes=80, labels=labels.tolist())


def of_compare() -> Any:
    return nettrial.compare(
        network(1), "wvrn", "nbc", labeled=0.1, n_splits=3, test="cluster_robust_t"
    )


def of_models() -> Any:
    return nettrial.compare_models(
        network(1),
        ["wvrn", "nbc", "prior"],
        labeled=0.1,
        n_splits=3,
        test="cluster_robust_t",
        measures=("error", "squared_loss"),
    )


def of_the_bootstrap() -> Any:
    return nettrial.compare_models(
        network(1), ["wvrn", "nbc", "nbc"], n_splits=3, test="bootstrap", n_replicates=10
    )


def of_sweep() -> Any:
    return nettrial.sweep(
        network(1), ["wvrn", "nbc"], labeled=[0.1, 0.15, 0.5], n_splits=3, test="cluster_robust_t"
    )


def of_across() -> Any:
    networks = {f"n{i}": network(i) for i in (1, 2, 3)}
    return nettrial.compare_across(
        networks, ["wvrn", "nbc", "prior"], labeled=0.1, n_splits=3, test="cluster_robust_t"
    )


def of_transfer() -> Any:
    return nettrial.compare_transfer(network(1), network(2), ["wvrn", "nbc"], n_splits=3)


def of_transfer_to_several() -> Any:
    networks = {f"n{i}": network(i) for i in (2, 3)}
    return nettrial.compare_across(networks, ["wvrn", "nbc"], train=network(1), n_splits=3)


def of_leaderboard() -> Any:
    table = {"dataset": ["u", "v"], "a": ["0.8", "0.7"], "b": ["0.7", "0.8"], "c": ["0.6", "0.6"],
             "d": ["0.9", ""]}  # fmt: skip
    return nettrial.leaderboard(table, n_splits=10, test_share=0.1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            of_compare,
            [
                "(network HAC) and {}% (sign flips) with 10% labeled".format(
                    math.ceil(100 * TYPE_1_ERRORS["cluster_sign_flip"][0.1] - 1e-6)
                ),
                "fewer than 5 nodes",
            ],
        ),
        (of_models, ["10% labeled", "fewer than 5 nodes", "equally heavy"]),
        (of_the_bootstrap, ["1 pair does not vary", "fewer than 5 nodes"]),
        (of_sweep, ["with 10% labeled", "fewer than 5 nodes"]),
        (
            of_across,
            [
                "n1, n2, n3: a test on predictions",
                "is rough for N = 3",
                "random-effects mean: 3 net",
            ],
        ),
        (of_transfer, ["every tested node gets the same"]),
        (of_transfer_to_several, ["n2, n3: wvrn, nbc: every tested node gets the same"]),
        (of_leaderboard, ["left out of the ranks: d", "is rough for N = 2"]),
    ],
)
def test_text_page_and_json_warn_alike(make: Callable[[], Any], words: list[str]) -> None:
    found = make()
    note = json.loads(found.to_json())["warnings"]
    if isinstance(found, nettrial.Comparison):  # each test has its own beside those of the verdict
        note += [one for test in json.loads(found.to_json())["tests"] for one in test["warnings"]]
    text, page = one_line(str(found)), on_page(found)
    for warning in note:
        # with other numbers of the same kind it is named alone
        alike = f"Likewise, with numbers of their own, {warning.split(':')[0]}"
        assert one_line(warning) in text or alike in text
        assert one_line(warning) in page or alike in page
    for word in words:
        assert any(word in warning for warning in note), note


@pytest.mark.parametrize("labeled", [0.1, 0.3])
def test_the_test_over_communities_warns_alike_in_every_comparison(labeled: float) -> None:
    options: dict[str, Any] = {"n_splits": 3, "labeled": labeled, "test": "cluster_robust_t"}
    two = nettrial.compare(network(1), "wvrn", "nbc", **options)
    several = nettrial.compare_models(network(1), ["wvrn", "nbc"], **options)
    swept = nettrial.sweep(
        network(1), ["wvrn", "nbc"], labeled=[labeled], n_splits=3, test="cluster_robust_t"
    )
    wanted = [str(warning) for warning in two.warnings]
    assert f" with {labeled:.0%} labeled, instead of 5%" in wanted[0]
    assert [str(warning) for warning in several.warnings] == wanted
    assert [str(w) for w in swept.warnings if "from split to split" not in str(w)] == wanted


def test_the_bootstrap_does_not_warn_of_what_only_predictions_cannot_see() -> None:
    found = nettrial.compare_models(
        network(1), ["wvrn", "nbc"], n_splits=3, labeled=0.1, test="bootstrap", n_replicates=10
    )
    two = nettrial.compare(
        network(1), "wvrn", "nbc", n_splits=3, labeled=0.1, test="bootstrap", n_replicates=10
    )
    assert [str(warning) for warning in found.warnings] == [str(w) for w in two.warnings]
    assert not any("labeled, instead of" in str(warning) for warning in found.warnings)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "whose"),
    [
        ("network_hac", "verdict, clustered t, network HAC and sign flips"),
        ("bootstrap", "clustered t, network HAC and sign flips"),
    ],
)
def test_the_false_alarms_of_three_tests_are_one_warning(test: str, whose: str) -> None:
    found = nettrial.compare(
        nettrial.latent_group_network(120, seed=3),
        "wvrn",
        "nbc",
        n_splits=3,
        test=test,
        n_replicates=10,
    )
    texts = {str(w) for each in found.tests for w in each.warnings if "cannot detect" in str(w)}
    (text,) = texts
    assert f"] {text} ({whose})" in one_line(str(found))
    assert one_line(str(found)).count("cannot detect dependence") == 1
    page = on_page(found)
    assert page.count(text) == 1
    assert ('class="touches">' + text in page) == (test == "network_hac")
    note = json.loads(found.to_json())["warnings"]
    assert note.count(text) == (test == "network_hac")


# where they point --------------------------------------------------------------------------------


def of_pvalues(_folder: Path) -> Any:
    return nettrial.stats.adjust([0.1, math.nan], method="holm")


def of_a_file(folder: Path) -> Any:
    (folder / "nodes.csv").write_text("node,label\na,x\nb,y\nc,x\nd,y\n")
    (folder / "edges.csv").write_text("source,target\na,b\nb,c\na,other\nd,another\n")
    return nettrial.read(folder)


def of_a_model(_folder: Path) -> Any:
    hasty = WVRN(inference=RelaxationLabeling(iterations=2, tolerance=1e-3))
    return nettrial.compare(network(1), hasty, "prior", n_splits=2, test="cluster_robust_t")


def of_given_splits(_folder: Path) -> Any:
    named = nettrial.Network(
        [0, 1], [1, 2], n_nodes=4, labels=["a", "b", "a", "b"], ids=[2, 0, 3, 1]
    )
    return given_splits({"train": [0, 1], "test": [2, 3]}, named)


@pytest.mark.parametrize(
    "call", [of_pvalues, of_a_file, of_a_model, of_given_splits], ids=lambda call: call.__name__
)
def test_a_warning_points_at_the_line_that_called(
    tmp_path: Path, call: Callable[[Path], Any]
) -> None:
    with pytest.warns(NettrialWarning) as caught:
        call(tmp_path)
    assert {warning.filename for warning in caught} == {__file__}


def test_every_warning_is_given_so() -> None:
    source = Path(nettrial.__file__).parent
    for path in source.rglob("*.py"):
        assert "stacklevel" not in path.read_text() or path.name == "errors.py", path
