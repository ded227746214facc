"""Names that would steer a terminal or a spreadsheet are harmless wherever they are shown."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.core.plain_text import harmless, printable
from nettrial.core.results import Result, Shown
from nettrial.saved.export import _cell, export_predictions
from nettrial.store import study_status
from vandals import Uniform

ESCAPES = "evil\x1b]0;owned\x07\x1b[2J\r\x9b31m"


def is_harmless(text: str) -> bool:
    return not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in text)


@pytest.mark.slow
def test_the_text_of_results_holds_no_escapes(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(60, seed=1)
    store = tmp_path / "study.nettrial"
    evil = Uniform(ESCAPES)
    one = nettrial.compare(network, evil, "prior", n_splits=3, test="clustered_t", store=store)
    many = nettrial.compare_models(network, [evil, "prior", "wvrn"], n_splits=3)
    swept = nettrial.sweep(network, [evil, "prior"], labeled=[0.2, 0.5], n_splits=3)
    for found in (one, many, swept, study_status(store)):
        text = str(found)
        assert "evil\\x1b]0;owned\\x07" in text
        assert is_harmless(text)
    for found in (one, many, swept):
        assert is_harmless(found.verdict)
        assert found.to_dict()["verdict"] == found.verdict
    assert "evil\\x1b]0;owned\\x07" in one.verdict
    assert one.a == ESCAPES  # the name itself stays as it is


def test_every_result_with_a_text_of_its_own_is_covered() -> None:
    import importlib
    import pkgutil

    for module in pkgutil.walk_packages(nettrial.__path__, "nettrial."):
        importlib.import_module(module.name)

    def below(kind: type) -> set[type]:
        return {kind} | {deep for sub in kind.__subclasses__() for deep in below(sub)}

    kinds = below(Shown)
    assert len(kinds) > 20
    for kind in kinds:
        assert (
            kind.__str__ is object.__str__
            or hasattr(kind.__str__, "__wrapped__")
            or (kind.__str__ is Result.__str__)
        ), kind


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff201", "'\uff201"),
        ("\t=1", "\\t=1"),
        ("\r=1", "\\r=1"),
        ("a\x1b[31m\n", "a\\x1b[31m\\n"),
        ("'=1", "''=1"),
        ("'-1.5", "'-1.5"),
        ("'tis", "'tis"),
        ("-1.5", "-1.5"),
        ("+1e3", "+1e3"),
        ("plain", "plain"),
        (-2, -2),
        (None, None),
    ],
)
def test_formulas_are_marked(cell: object, shown: object) -> None:
    assert harmless(cell) == shown


def test_an_exported_table_runs_nothing_in_a_spreadsheet(tmp_path: Path) -> None:
    store, out = tmp_path / "study.nettrial", tmp_path / "out.csv"
    made = nettrial.latent_group_network(20, seed=1)
    source, target = made.simple_links()
    network = nettrial.Network(
        source,
        target,
        n_nodes=20,
        ids=[f"=cmd|{i}" for i in range(20)],
        labels=["@a" if c else "+b" for c in made.labels],
    )
    nettrial.compare(network, Uniform("=1+1"), "prior", n_splits=2, test="clustered_t", store=store)
    export_predictions(store, out)
    with out.open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]


ODD = [
    "=5",
    "'=5",
    "''@a",
    "-x",
    "a\x1b[31m",
    "\t+1",
    "b\nc",
    "-3",
    "'-3",
    "'",
    "+",
    "\u200b=1",
    "d\u2028e",
]


def odd_network() -> nettrial.Network:
    made = nettrial.latent_group_network(24, seed=1)
    ids = [*ODD, *(f"n{i}" for i in range(24 - len(ODD)))]
    labels = ["=a\x07" if c else "'+b" for c in made.labels]
    return nettrial.Network(*made.simple_links(), n_nodes=24, ids=ids, labels=labels)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_exported_table_is_read_back_as_it_was(ending: str, tmp_path: Path) -> None:
    store, out, network = tmp_path / "s.nettrial", tmp_path / f"out.{ending}", odd_network()
    names = ["=1+1\x07", "'=m", "prior"]
    models = [*map(Uniform, names[:2]), "prior"]
    wanted = nettrial.compare_models(network, models, n_splits=3, store=store)
    export_predictions(store, out)
    if ending == "csv":
        assert is_harmless(out.read_text())
    found = nettrial.read_predictions(out, network)[0]
    # what a model is called has no network to be compared with
    assert [name.replace("\\x07", "\x07") for name in found.models] == names
    own = wanted.predictions
    for one, other in zip(found.models, own.models):
        for number in range(3):
            assert found.splits[number].test.tolist() == own.splits[number].test.tolist()
            np.testing.assert_allclose(
                found.probabilities[one][number], own.probabilities[other][number], atol=1e-6
            )


def test_scores_of_pairs_are_read_back_as_they_were(tmp_path: Path) -> None:
    store, out, network = tmp_path / "s.nettrial", tmp_path / "out.csv", odd_network()
    models = ["common_neighbors", "adamic_adar"]
    wanted = nettrial.compare(network, *models, n_splits=2, store=store)
    export_predictions(store, out)
    assert is_harmless(out.read_text())
    assert nettrial.compare_predictions(out, network).difference == pytest.approx(wanted.difference)


def test_ids_that_begin_with_a_quote_elsewhere_stay(tmp_path: Path) -> None:
    made = nettrial.latent_group_network(20, seed=1)
    ids = [f"'=cmd|{i}" for i in range(20)]
    network = nettrial.Network(*made.simple_links(), n_nodes=20, ids=ids, labels=made.labels)
    rows = [{"node": i, "model": m, "prediction": k % 2, "split": s}
            for k, i in enumerate(ids[:10]) for m in ("a", "b") for s in (0, 1)]  # fmt: skip
    pd.DataFrame(rows).to_csv(tmp_path / "p.csv", index=False)
    found = nettrial.compare_predictions(tmp_path / "p.csv", network)
    assert (found.a, found.b) == ("a", "b")


def test_line_ends_stay() -> None:
    assert printable("a\nb\x00\u202e") == "a\nb\\x00\\u202e"


SPACED = [" a", "b ", "\xa0c", "d\u2028", "e\u2003"]


@pytest.mark.parametrize("place", ["id", "class"])
def test_text_that_csv_would_cut_is_refused_and_parquet_keeps_it(
    place: str, tmp_path: Path
) -> None:
    made = nettrial.latent_group_network(24, seed=1)
    ids = [*(SPACED if place == "id" else "abcde"), *(f"n{i}" for i in range(19))]
    labels = [f"{' ' * (place == 'class')}c{c}" for c in made.labels]
    network = nettrial.Network(*made.simple_links(), n_nodes=24, ids=ids, labels=labels)
    store = tmp_path / "s.nettrial"
    options = {"n_splits": 4, "test": "clustered_t"}
    wanted = nettrial.compare(network, "wvrn", "prior", store=store, **options)
    with pytest.raises(nettrial.InputError, match=r"CSV: expected ids, classes .* got ' "):
        export_predictions(store, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    export_predictions(store, tmp_path / "out.parquet")
    found = nettrial.compare_predictions(tmp_path / "out.parquet", network, test="clustered_t")
    assert found.difference == pytest.approx(wanted.difference)


@pytest.mark.parametrize("text", SPACED)
def test_text_with_a_space_at_an_end_is_no_cell_of_csv(text: str) -> None:
    with pytest.raises(nettrial.InputError, match="at an end"):
        _cell(text)
    assert _cell(f"x{text}y") == f"x{text}y"
