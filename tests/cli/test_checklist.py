"""The reporting checklist says what a result tells, and leaves open what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nettrial
from comparison_factory import make_comparison
from nettrial import cli
from nettrial.core.errors import InputError
from nettrial.report import checklist
from nettrial.report.describe import describe
from nettrial.report.methods import in_words

LINKS = {"keep": "were kept", "drop": "were cut"}


@pytest.mark.parametrize("links", LINKS)
def test_links_between_training_nodes_and_others_are_told(links: str) -> None:
    found = make_comparison()
    note = checklist(replace(found, settings={**found.settings, "cross_links": links}))
    assert f"- [x] **Links**: Links between training nodes and others {LINKS[links]}." in note


def test_every_kind_of_result_tells_its_task() -> None:
    one, other = (nettrial.latent_group_network(100, seed=seed) for seed in (0, 1))
    models, options = ["wvrn", "prior"], {"test": "cluster_robust_t", "n_splits": 3}
    tasks = {
        "within one partly labeled network.": nettrial.compare_models(one, models, **options),
        "across networks": nettrial.compare_transfer(one, other, models, known=0.2, **options),
        "several proportions": nettrial.sweep(one, models, labeled=[0.3, 0.5], **options),
        "are the observations": nettrial.compare_across({"a": one, "b": other}, models, **options),
    }
    for task, found in tasks.items():
        note = checklist(found)
        assert task in note.splitlines()[1]
        # where the network is from no result knows
        assert [line.split("**")[1] for line in note.splitlines() if "- [ ]" in line] == ["Data"]
        assert "nodes" in note.splitlines()[0]
        assert "over other networks" in note


def test_what_a_result_does_not_know_stays_open() -> None:
    found = nettrial.compare_grouped([1, 0, 1, 1], [0, 0, 1, 1], list("ppqr"))
    note = checklist(found)
    assert "- [ ] **Links**: say whether" in note
    assert "over groups; it answers: Does the difference hold on other groups like these?" in note
    assert "**Spread**: 95% intervals of the difference over other groups." in note


@pytest.mark.parametrize("values", [[], {"a": 1}, {"kind": "Comparison", "labeled": "many"}, 3])
def test_what_is_no_result_is_refused(values: object) -> None:
    with pytest.raises(InputError, match="checklist: "):
        checklist(values)  # type: ignore[arg-type]


def test_a_file_that_holds_no_result_is_refused_in_one_line(
    tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "result.json"
    place.write_text("[" * 100_000)
    with pytest.raises(SystemExit) as end:
        cli.main(["checklist", str(place)])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_the_author_must_add_is_not_ticked() -> None:
    found = make_comparison()
    known = {line.split("**")[1]: line for line in checklist(found).splitlines()}
    assert known["Data"].startswith("- [ ]")
    assert known["Data"].endswith("Add where it is from.")
    assert known["Share labeled"].endswith("of the labeled nodes, not varied.")
    assert known["Spread"].endswith("95% intervals of the difference over other networks.")
    before = nettrial.compare_predictions(found.predictions)
    note = checklist(before)
    assert "- [ ] **Splits**: as given; test sets overlap. Say how nodes were drawn." in note
    assert "- [ ] **Reproduction**: seed 0 of communities and tests; nettrial" in note
    methods = in_words(describe(before))
    assert "as given (test sets overlap)" in methods
    assert "were made before; the seed of communities and tests was 0." in methods
    assert before.reason.startswith("there are predictions only, and no models to run again; of")
    given = checklist(replace(found, design="given"))
    assert "- [ ] **Splits**: as given. Say how nodes were drawn" in given
    unknown = checklist(found.to_dict() | {"recommended": "mine", "labeled": [0.1, 0.3]})
    assert "- [ ] **Spread**: 95% intervals of the difference. Say of what" in unknown
    assert "- [x] **Share labeled**: varied: 10% and 30% of the labeled nodes." in unknown
