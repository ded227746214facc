"""What models warn of while they run reaches the result: once each, whoever runs them and how."""

from __future__ import annotations

import html
import threading
import warnings

import numpy as np
import pytest

import nettrial
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import ModelWarning, SlowWarning
from nettrial.core.model_warnings import capture_warnings
from nettrial.models import WVRN, RelaxationLabeling
from nettrial.store import StudyFile
from timeless import timeless

HASTY = RelaxationLabeling(iterations=3, tolerance=1e-3)


class Talker:
    """Warns in every fit of a number that differs, and in some of something else."""

    name = "talker"

    def fit(self, network, train):
        self.classes = network.n_classes
        warnings.warn(f"left after {train[0]}.5 steps\n  of many", UserWarning, stacklevel=1)
        warnings.warn("old name", DeprecationWarning, stacklevel=1)
        if train[0] == 0:
            warnings.warn("<b>node 0</b> is known", RuntimeWarning, stacklevel=1)
        return self

    def predict_proba(self, network, nodes):
        return np.full((nodes.size, self.classes), 1 / self.classes)


@pytest.fixture(scope="module")
def network():
    return nettrial.latent_group_network(90, seed=2)


def compared(network, **options):
    models = WVRN(inference=HASTY), Talker()
    options = {"n_splits": 20, "test": "cluster_robust_t", "progress": False} | options
    with pytest.warns(ModelWarning):
        return nettrial.compare(network, *models, **options)


@pytest.fixture(scope="module")
def found(network):
    return compared(network)


def note(found):
    return [str(w) for w in found.warnings if isinstance(w, ModelWarning)]


def test_each_warning_is_told_once_with_model_and_splits(found):
    texts = note(found)
    known = sum(0 in split.train for split in found.predictions.splits)
    assert 0 < known < 20
    first = found.predictions.splits[0].train[0]
    assert texts[0].startswith("WVRN warned on ")
    assert " of 20 splits: RelaxationLabeling: the last of 3 sweeps would still" in texts[0]
    assert texts[1:] == [
        "talker warned on 20 of 20 splits (here as on the first of them): UserWarning: left after "
        f"{first}.5 steps of many",
        f"talker warned on {known} of 20 splits: RuntimeWarning: <b>node 0</b> is known",
    ]


@pytest.mark.slow
def test_text_json_and_page_have_them(found):
    spaceless = "".join(str(found).split())
    page = found.to_html()
    for text in note(found):
        assert "".join(text.split()) in spaceless
        assert text in found.to_dict()["warnings"]
    assert "&lt;b&gt;node 0&lt;/b&gt; is known" in page
    assert "<b>node 0" not in page


@pytest.mark.slow
def test_they_do_not_depend_on_the_workers_or_a_study_file(network, found, tmp_path):
    for options in ({"n_jobs": 2}, {"store": tmp_path / "study"}, {"store": tmp_path / "study"}):
        assert timeless(compared(network, **options)) == timeless(found)
    assert timeless(stored_comparison(tmp_path / "study")) == timeless(found)


def test_nor_on_where_a_study_was_interrupted(network, found, tmp_path, monkeypatch):
    keep, kept = StudyFile.keep, []

    def until_some(self, outcomes):
        some = list(outcomes)[:5]
        kept.extend(some)
        keep(self, some)
        raise KeyboardInterrupt

    monkeypatch.setattr(StudyFile, "keep", until_some)
    options = {
        "n_splits": 20,
        "test": "cluster_robust_t",
        "progress": False,
        "store": tmp_path / "s",
    }
    with pytest.raises(KeyboardInterrupt):
        nettrial.compare(network, WVRN(inference=HASTY), Talker(), **options)
    monkeypatch.undo()
    assert len(kept) == 5
    assert timeless(compared(network, store=tmp_path / "s")) == timeless(found)


def test_threads_hear_their_own_warnings_and_leave_all_as_it_was():
    before = warnings.showwarning, list(warnings.filters)
    both, lists = threading.Barrier(2), {}

    def work(name):
        with capture_warnings() as given:
            both.wait()
            warnings.warn(name, UserWarning, stacklevel=1)
            both.wait()
        lists[name] = [str(warning) for warning in given]

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lists == {"a": ["a"], "b": ["b"]}
    assert (warnings.showwarning, list(warnings.filters)) == before


def test_that_work_is_slow_is_said_at_once_unless_silenced():
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with capture_warnings() as given:
            warnings.warn("hours", SlowWarning, stacklevel=1)
            assert [str(w.message) for w in shown] == ["hours"]
    assert given == []
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("ignore", SlowWarning)
        with capture_warnings():
            warnings.warn("hours", SlowWarning, stacklevel=1)
    assert shown == []


def of_models(network, *models):
    return nettrial.compare_models(network, models, n_splits=6, test="cluster_robust_t")


def of_sweep(network, *models):
    return nettrial.sweep(network, models, labeled=[0.2, 0.4], n_splits=6)


def of_transfer(network, *models):
    other = nettrial.latent_group_network(90, seed=3)
    return nettrial.compare_transfer(other, network, models, labeled=0.8, known=0.2, n_splits=6)


def of_across(network, *models):
    networks = {"one": network, "other": nettrial.latent_group_network(90, seed=3)}
    return nettrial.compare_across(networks, models, n_splits=6, test="cluster_robust_t")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
@pytest.mark.parametrize(
    ("make", "before", "n"),
    [
        (of_models, "", 6),
        (of_sweep, "with 20% and 40% labeled, ", 12),
        (of_transfer, "", 6),
        (of_across, "one, other: ", 12),
    ],
)
def test_results_on_several_models_tell_each_once(network, make, before, n):
    found = make(network, WVRN(inference=HASTY), Talker())
    texts, whole = note(found), f"{before}talker warned on {n} of {n} splits"
    assert len(texts) == 3
    assert texts[0].startswith(f"{before}WVRN warned on ")
    assert texts[1].startswith(f"{whole} (here as on the first of them): UserWarning: left after ")
    assert texts[2].endswith(f" of {n} splits: RuntimeWarning: <b>node 0</b> is known")
    spaceless, page = "".join(str(found).replace("! ", "").split()), found.to_html()
    for text in texts:
        assert "".join(text.split()) in spaceless
        assert found.to_dict()["warnings"].count(text) == 1
        assert page.count(html.escape(text)) == 1


class Late(Talker):
    """Warns only where there are many training nodes."""

    def fit(self, network, train):
        self.classes = network.n_classes
        if train.size > 30:
            warnings.warn("many nodes", UserWarning, stacklevel=1)
        return self


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
def test_places_without_a_warning_are_not_named(network):
    (text,) = note(of_sweep(network, WVRN(), Late()))
    assert text == "with 40% labeled, talker warned on 6 of 6 splits: UserWarning: many nodes"
    networks = {f"n{size}": nettrial.latent_group_network(size, seed=1) for size in (80, 150, 160)}
    found = nettrial.compare_across(networks, [WVRN(), Late()], n_splits=4, test="cluster_robust_t")
    (text,) = note(found)
    assert text == "n150, n160: talker warned on 8 of 8 splits: UserWarning: many nodes"
