"""Models that were trained elsewhere on halves: the verdict as if they had run here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial import InputError, cli
from nettrial.comparison.halves_files import write_halves
from nettrial.models import by_name

BASE = nettrial.latent_group_network(150, seed=6)
FEATURES = np.random.default_rng(6).normal(size=(150, 4)) + BASE.labels[:, None]
NETWORK = nettrial.Network(
    *BASE.simple_links(), n_nodes=150, labels=BASE.labels.tolist(), features=FEATURES,
    ids=[f"n{i}" for i in range(150)], classes=[0, 1],
)  # fmt: skip
MODELS = ("logistic", "wvrn", "knn+graph")
ASKED = {"n_splits": 4, "labeled": 0.4, "seed": 3}


def fitted(halves: nettrial.Halves, names: tuple[str, ...] = MODELS) -> dict[str, list[Any]]:
    """Run models by name as somebody elsewhere would: on what they are handed, and nothing more."""
    made: dict[str, list[Any]] = {name: [] for name in names}
    for network, train, val, test in halves:
        assert set(np.flatnonzero(network.labels >= 0)) == {*train, *val}
        assert not {*train, *val} & {*test}
        learned = np.union1d(train, val)
        for name, rows in made.items():
            rows.append(by_name(name).fit(network, learned).predict_proba(network, test))
    return made


@pytest.fixture(scope="module")
def halves() -> nettrial.Halves:
    return nettrial.halves(NETWORK, n_halvings=10, **ASKED)


@pytest.fixture(scope="module")
def made(halves: nettrial.Halves) -> dict[str, list[Any]]:
    return fitted(halves)


@pytest.fixture(scope="module")
def inside() -> Any:
    return nettrial.compare(NETWORK, list(MODELS), test="halves", n_replicates=10, **ASKED)


def same(one: Any, other: Any) -> bool:
    """Return whether two comparisons of several models say the same, number by number."""
    pairs = [
        np.allclose(getattr(one.pairs, name), getattr(other.pairs, name), rtol=0, atol=1e-12)
        for name in ("estimate", "ci_low", "ci_high", "pvalue", "adjusted_pvalue")
    ]
    return all(pairs) and one.verdict == other.verdict and one.scores == other.scores


@pytest.mark.slow
def test_same_predictions_give_the_same_numbers_as_models_that_run_here(
    halves: nettrial.Halves, made: dict[str, list[Any]], inside: Any
) -> None:
    found = halves.collect(made)
    assert found.recommended == inside.recommended == "halves"
    assert same(found, inside)
    assert halves.fits_per_model == 4 + 2 * 10 * 4


@pytest.mark.slow
def test_two_models_another_measure_and_one_class(
    halves: nettrial.Halves, made: dict[str, list[Any]]
) -> None:
    two = {name: made[name] for name in MODELS[:2]}
    for options in ({"measure": "auc"}, {"measure": "macro_f1", "confidence": 0.9}):
        here = nettrial.compare(
            NETWORK, *MODELS[:2], test="halves", n_replicates=10, **ASKED, **options
        )
        test = halves.collect(two, **options).test("halves")
        assert test.pvalue == pytest.approx(here.test("halves").pvalue, abs=1e-12)
        assert test.ci_low == pytest.approx(here.test("halves").ci_low, abs=1e-12)
    one = halves.collect(two, positive=1, measure="average_precision")
    assert one.recommended == "halves"
    assert halves.collect(two, test="network_hac").recommended == "network_hac"


def rows(halves: nettrial.Halves, made: dict[str, list[Any]]) -> pd.DataFrame:
    frames = []
    for place, (key, fit) in enumerate(zip(halves.keys, halves)):
        for name, tables in made.items():
            table = tables[place]
            frame = {"halving": key.halving, "part": key.part, "split": key.split, "model": name,
                     "node": fit.network.ids[fit.test]}  # fmt: skip
            frames.append(pd.DataFrame(frame | {f"p_{c}": table[:, c] for c in (0, 1)}))
    return pd.concat(frames, ignore_index=True)


@pytest.mark.slow
def test_a_table_of_all_parts(
    halves: nettrial.Halves, made: dict[str, list[Any]], tmp_path: Path
) -> None:
    table, wanted = rows(halves, made), halves.collect(made)
    assert same(nettrial.compare_predictions(table, NETWORK, splits=halves), wanted)
    folder = tmp_path / "halves"
    write_halves(halves, folder)
    blank = table.assign(halving=[None if h < 0 else h for h in table.halving])
    blank = blank.sample(frac=1, random_state=0)  # models stay in their order
    blank.sort_values("model", key=lambda names: names.map(MODELS.index), kind="stable").to_csv(
        folder / "mine.csv", index=False
    )
    assert same(nettrial.compare_predictions(folder, NETWORK), wanted)
    table.to_csv(tmp_path / "apart.csv", index=False)
    apart = nettrial.compare_predictions(tmp_path / "apart.csv", NETWORK, splits=folder)
    assert same(apart, wanted)


@pytest.mark.slow
def test_one_name_says_which_model_comes_first(
    halves: nettrial.Halves, made: dict[str, list[Any]], words
) -> None:
    table = rows(halves, {name: made[name] for name in MODELS[:2]})
    for named in ({"a": MODELS[1]}, {"b": MODELS[0]}):
        found = nettrial.compare_predictions(table, NETWORK, splits=halves, **named)
        assert (found.a, found.b) == (MODELS[1], MODELS[0])
    with words.raises(InputError):
        nettrial.compare_predictions(table, NETWORK, splits=halves, a="nothing")


@pytest.mark.slow
def test_a_file_for_each_part(
    halves: nettrial.Halves, made: dict[str, list[Any]], tmp_path: Path
) -> None:
    write_halves(halves, tmp_path / "halves", format="csv")
    columns = ["split", "node", "p_0", "p_1"]
    for (halving, part, model), table in rows(halves, made).groupby(["halving", "part", "model"]):
        name = model if halving < 0 else f"{model}_halving{halving}_part{part}"
        table[columns].to_csv(tmp_path / "halves" / f"{name}.csv", index=False)
    found = nettrial.compare_predictions(tmp_path / "halves", NETWORK)
    wanted = halves.collect({name: made[name] for name in sorted(MODELS)})
    assert found.pairs.pvalue.tolist() == wanted.pairs.pvalue.tolist()


def whole_tables(halves: nettrial.Halves, made: dict[str, list[Any]]) -> dict[Any, Any]:
    """Probabilities of all nodes of each part, by part and model, NaN where a split tests none."""
    found: dict[Any, Any] = {}
    for place, (key, fit) in enumerate(zip(halves.keys, halves)):
        for name, tables in made.items():
            table = np.full((fit.network.n_nodes, 2), np.nan)
            table[fit.test] = tables[place]
            found.setdefault((*key[:2], name), {})[key.split] = table
    return found


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pt", "by part", "npz", "a split"])
def test_arrays_of_the_nodes_of_a_part(
    form: str, halves: nettrial.Halves, made: dict[str, list[Any]], tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch")
    some = nettrial.halves(NETWORK, n_halvings=10, per_halving=2, **ASKED)
    wanted = {key: number for number, key in enumerate(halves.keys)}
    known = {name: [made[name][wanted[key]] for key in some.keys] for name in sorted(MODELS)}
    write_halves(some, tmp_path / "h")
    by_model: dict[str, Any] = {name: {} for name in known}
    for (halving, part, model), splits in whole_tables(some, known).items():
        name = "network" if halving < 0 else f"halving{halving}_part{part}"
        stacked = np.stack([splits[number] for number in sorted(splits)])
        by_model[model][name] = torch.from_numpy(stacked)
        path = tmp_path / "h" / f"{model}_{name}"
        if form == "pt":
            torch.save(torch.from_numpy(stacked), path.with_suffix(".pt"))
        elif form == "npz":
            np.savez(path.with_suffix(".npz"), stacked)
        elif form == "a split":
            for number, table in splits.items():
                torch.save(torch.from_numpy(table), f"{path}_split{number}.pt")
    if form == "by part":
        for name, tensors in by_model.items():
            torch.save(tensors, tmp_path / "h" / f"{name}.pt")
    found = nettrial.compare_predictions(tmp_path / "h", NETWORK)
    assert same(found, some.collect(known))
    if form == "by part":
        torch.save(dict(list(by_model["wvrn"].items())[:-1]), tmp_path / "h" / "wvrn.pt")
        with pytest.raises(InputError, match=r"wvrn lacks 2 of 44 fits: halving 9 part 1"):
            nettrial.compare_predictions(tmp_path / "h", NETWORK)
        torch.save({"halving10_part0": tensors["network"]}, tmp_path / "h" / "wvrn.pt")
        with pytest.raises(InputError, match="has halving10_part0, and there are halvings 0 to 9"):
            nettrial.compare_predictions(tmp_path / "h", NETWORK)


def parts(folder: Path, form: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Read all parts as a training script elsewhere does, without nettrial."""
    for fit in json.loads((folder / "manifest.json").read_text())["fits"]:
        path = folder / "parts" / fit["name"]
        if form == "pyg":
            torch = pytest.importorskip("torch")
            found = torch.load(path.with_suffix(".pt"), weights_only=True)
            yield fit["halving"], fit["part"], {k: v.numpy() for k, v in found.items()}
        else:
            yield fit["halving"], fit["part"], dict(np.load(path.with_suffix(".npz")))


@pytest.mark.parametrize("form", ["npz", "pyg", "csv"])
def test_what_is_written_is_what_is_gone_through(
    form: str, halves: nettrial.Halves, tmp_path: Path
) -> None:
    some = nettrial.halves(NETWORK, n_halvings=6, per_halving=1, validation=0.25, **ASKED)
    if form == "pyg":
        pytest.importorskip("torch")
    write_halves(some, tmp_path / "h", format=form)
    fits = list(some)
    if form == "csv":
        for key, fit in zip(some.keys, fits):
            name = "network" if key.halving < 0 else f"halving{key.halving}_part{key.part}"
            folder = tmp_path / "h" / "parts" / name
            table = pd.read_csv(folder / "splits.csv").query("split == @key.split")
            for word, nodes in (("train", fit.train), ("valid", fit.val), ("test", fit.test)):
                assert set(table.node[table.set == word]) == set(fit.network.ids[nodes])
            shown = table.label.notna()
            assert set(table.node[shown]) == set(fit.network.ids[np.union1d(fit.train, fit.val)])
            assert len(pd.read_csv(folder / "edges.csv")) == fit.network.n_links
            assert pd.read_csv(folder / "nodes.csv").node.tolist() == fit.network.ids.tolist()
        return
    place = 0
    for _, _, part in parts(tmp_path / "h", form):
        for row in range(len(part["splits"])):
            fit = fits[place]
            for word, nodes in (("train", fit.train), ("val", fit.val), ("test", fit.test)):
                assert np.flatnonzero(part[f"{word}_mask"][row]).tolist() == nodes.tolist()
            assert (part["y"][row] == fit.network.labels).all()
            assert (NETWORK.features[part["nodes"]] == fit.network.features).all()
            assert part["edge_index"].shape[1] == fit.network.links.indices.size
            place += 1
    assert place == len(fits) == some.fits_per_model
    assert all(fit.val.size for fit in fits[:4])


def test_missing_fits_are_counted_and_named(
    halves: nettrial.Halves, made: dict[str, list[Any]], tmp_path: Path, words
) -> None:
    table = rows(halves, made)
    lost = (table.model == "wvrn") & (table.halving == 3) & (table.part == 1)
    with words.raises(InputError):  # fmt: skip
        nettrial.compare_predictions(table[~lost], NETWORK, splits=halves)
    few = {name: values[:-1] for name, values in made.items()}
    with words.raises(InputError):
        halves.collect(few)
    some = table[~((table.halving == 2) & (table.node == table.node[table.halving == 2].iloc[0]))]
    with words.raises(InputError):
        nettrial.compare_predictions(some, NETWORK, splits=halves)
    other = table.assign(halving=table.halving.replace(3, 33))
    with words.raises(InputError):
        nettrial.compare_predictions(other, NETWORK, splits=halves)


def test_halves_of_another_network_or_changed_ones_are_refused(
    halves: nettrial.Halves, made: dict[str, list[Any]], tmp_path: Path, words
) -> None:
    write_halves(halves, tmp_path / "h")
    with words.raises(InputError):
        nettrial.read_halves(tmp_path / "h", BASE)
    assert nettrial.read_halves(tmp_path / "h", NETWORK).keys == halves.keys
    path = tmp_path / "h" / "manifest.json"
    path.write_text(path.read_text().replace('"seed": 3', '"seed": 4'))
    with words.raises(InputError):
        nettrial.compare_predictions(tmp_path / "h", NETWORK)
    with words.raises(InputError):
        nettrial.read_halves(tmp_path, NETWORK)
    with words.raises(InputError):
        write_halves(halves, tmp_path / "h")


@pytest.mark.slow
def test_fewer_splits_and_what_cannot_be(words) -> None:
    some = nettrial.halves(NETWORK, n_halvings=10, per_halving=2, **ASKED)
    more = nettrial.halves(NETWORK, n_halvings=12, per_halving=2, **ASKED)
    assert more.keys[: len(some.keys)] == some.keys
    assert some.expected_df() < nettrial.halves(NETWORK, n_halvings=10, **ASKED).expected_df()
    found = some.collect(fitted(some, ("logistic", "wvrn")))
    assert found.recommended == "halves"
    assert "10 halvings with 2 splits each" in found.to_html()
    for options, note in (
        ({"per_halving": 9}, "per_halving"),
        ({"n_halvings": 3}, "n_halvings"),
        ({"design": "ncv", "per_halving": 1}, "not independent"),
        ({"validation": 1.0}, "validation"),
    ):
        with pytest.raises(InputError, match=note):
            nettrial.halves(NETWORK, **({"n_splits": 4} | options))
    with words.raises(InputError):
        some.collect({}, n_jobs=2)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nettrial.io.write(BASE, tmp_path / "net")
    words = ["split", str(tmp_path / "net"), "--halves", "6", "--per-halving", "1", "--splits", "3",
             "--out", str(tmp_path / "h")]  # fmt: skip
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    output = " ".join(capsys.readouterr().out.split())
    assert not end.value.code
    assert "each model takes 15 fits: 3 on the network, and up to 12 on parts" in output
    assert "expected degrees of freedom" in output
    network = nettrial.read(tmp_path / "net")
    some = nettrial.read_halves(tmp_path / "h", network)
    made = fitted(some, ("wvrn", "prior"))
    frame = []
    for key, fit, one, two in zip(some.keys, some, made["wvrn"], made["prior"]):
        for name, table in (("wvrn", one), ("prior", two)):
            frame.append(pd.DataFrame({
                "halving": key.halving, "part": key.part, "split": key.split, "model": name,
                "node": fit.network.ids[fit.test],
                "prediction": np.array(network.classes)[table.argmax(axis=1)],
            }))  # fmt: skip
    pd.concat(frame).to_csv(tmp_path / "all.csv", index=False)
    for more in (["--split-file", str(tmp_path / "h")], []):
        if not more:
            (tmp_path / "all.csv").rename(tmp_path / "h" / "all.csv")
        place = tmp_path / "h" if not more else tmp_path / "all.csv"
        with pytest.raises(SystemExit) as end:
            cli.main(["compare", str(tmp_path / "net"), "--predictions", str(place), *more,
                      "--json"])  # fmt: skip
        said = capsys.readouterr()
        assert not end.value.code, said.err
        assert json.loads(said.out)["recommended"] == "halves"


def test_features_made_of_columns_go_with_the_parts(tmp_path: Path) -> None:
    network = nettrial.latent_group_network(200, seed=2)
    ages = [None if i % 9 == 0 else float(i) for i in range(200)]
    network = nettrial.Network(
        *network.simple_links(), n_nodes=200, labels=network.labels, attributes={"age": ages}
    ).derive(features=["age"])
    write_halves(nettrial.halves(network, n_splits=3, n_halvings=6, seed=1), tmp_path / "h")
    table = pd.read_csv(tmp_path / "h" / "parts" / "features.csv")
    ids = json.loads((tmp_path / "h" / "manifest.json").read_text())["ids"]
    assert table["node"].tolist() == ids
    assert table["age"].fillna(-1).tolist() == [-1 if ages[i] is None else ages[i] for i in ids]
