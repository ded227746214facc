"""What the displays of a comparison show."""

from __future__ import annotations

import io
import subprocess
import sys
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison_factory import NAN, make_comparison, make_test
from nettrial.comparison.result import Comparison
from nettrial.core.errors import InputError
from nettrial.core.wording import clean, shorten
from nettrial.inference.registry import PROCEDURES
from nettrial.metrics.measures import MEASURES
from nettrial.report.canvas import COLOR_A, COLOR_B, NETWORKS, SPLITS
from nettrial.report.disagreement import LARGEST, disagreement
from nettrial.report.pair_displays import GroupsDisplay, IntervalsDisplay
from nettrial.report.plots import plot_splits

INF = float("inf")


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def points_with(ax: Any, marker: str) -> list[float]:
    """Horizontal places of all single points drawn with a marker."""
    return [
        float(line.get_xdata()[0])
        for line in ax.lines
        if line.get_marker() == marker and len(line.get_xdata()) == 1
    ]


def draw(ax: Any) -> None:
    ax.figure.savefig(io.BytesIO(), format="png", dpi=50)


def brute_force_groups(comparison: Comparison, key: Any) -> dict[Any, list[float]]:
    """Nodes, tests, wrong by A, by B, by A only, by B only for each value of `key(node)`."""
    predictions = comparison.predictions
    network = predictions.network
    counts: dict[Any, list[float]] = {}
    seen: dict[Any, set[int]] = {}
    for number, split in enumerate(predictions.splits):
        for row, node in enumerate(split.test):
            wrong = [
                int(predictions.probabilities[m][number][row].argmax() != network.labels[node])
                for m in (comparison.a, comparison.b)
            ]
            a, b = wrong
            group = key(int(node))
            total = counts.setdefault(group, [0, 0, 0, 0, 0])
            for place, value in enumerate((1, a, b, a * (1 - b), b * (1 - a))):
                total[place] += value
            seen.setdefault(group, set()).add(int(node))
    return {group: [len(seen[group]), *total] for group, total in counts.items()}


def neighbors_of(comparison: Comparison) -> list[set[int]]:
    network = comparison.predictions.network
    found: list[set[int]] = [set() for _ in range(network.n_nodes)]
    for s, t in zip(*network.simple_links()):
        found[s].add(int(t))
        found[t].add(int(s))
    return found


def degree_word(degree: int) -> str:
    if degree == 0:
        return "no neighbors"
    if degree == 1:
        return "1 neighbor"
    if degree <= 4:
        return "2–4 neighbors"  # fewer than 20 nodes have two
    top = 4
    while top < degree:
        top *= 2
    return "129 neighbors or more" if degree > 128 else f"{top // 2 + 1}–{top} neighbors"


@pytest.mark.parametrize("by", ["community", "degree"])
def test_groups_equal_a_count_by_hand(by: Any) -> None:
    comparison = make_comparison(n_nodes=90, n_communities=7, n_splits=4)
    near = neighbors_of(comparison)
    key = {
        "community": lambda node: f"community {comparison.communities[node]}",
        "degree": lambda node: degree_word(len(near[node])),
    }[by]
    expected = brute_force_groups(comparison, key)
    found = disagreement(comparison, by)
    assert {group.name for group in found} == set(expected)
    for group in found:
        nodes, tests, a, b, only_a, only_b = expected[group.name]
        assert (group.nodes, group.tests) == (nodes, tests)
        rates = (group.error_a, group.error_b, group.only_a, group.only_b)
        assert rates == pytest.approx(tuple(v / tests for v in (a, b, only_a, only_b)))
        assert group.difference == pytest.approx(group.error_a - group.error_b)


def test_groups_add_up_to_the_whole_difference() -> None:
    comparison = make_comparison(n_communities=40)
    for by in ("community", "degree"):
        groups = disagreement(comparison, by)  # type: ignore[arg-type]
        weights = [group.tests for group in groups]
        mean = np.average([group.difference for group in groups], weights=weights)
        assert mean == pytest.approx(comparison.difference)  # test sets are of equal size
        tested = np.unique(np.concatenate([s.test for s in comparison.predictions.splits]))
        assert sum(group.nodes for group in groups) == tested.size


def test_many_communities_become_the_largest_and_the_rest() -> None:
    comparison = make_comparison(n_nodes=3000, n_communities=1000, n_splits=2)
    groups = disagreement(comparison, "community")
    assert len(groups) == LARGEST + 1
    tested = np.unique(np.concatenate([s.test for s in comparison.predictions.splits]))
    sizes = np.sort(np.unique(comparison.communities[tested], return_counts=True)[1])[::-1]
    assert [g.nodes for g in groups[:LARGEST]] == sizes[:LARGEST].tolist()
    assert groups[-1].name == f"the other {sizes.size - LARGEST:,} communities"
    assert groups[-1].nodes == sizes[LARGEST:].sum()


def test_examples_are_the_nodes_with_most_neighbors() -> None:
    comparison = make_comparison(n_nodes=60, n_communities=3, n_splits=6)
    near = neighbors_of(comparison)
    tested = np.unique(np.concatenate([s.test for s in comparison.predictions.splits]))
    for group in disagreement(comparison, "community"):
        code = int(group.name.split()[1])
        members = [int(i) for i in tested if comparison.communities[i] == code]
        members.sort(key=lambda i: (-len(near[i]), i))
        assert list(group.examples) == members[:3]


def test_communities_of_a_node_column_have_its_names() -> None:
    column = [None if i % 10 == 0 else f"<{'xy'[i % 2]}>" for i in range(120)]
    comparison = make_comparison(
        attributes={"house": column}, settings={"communities": "house"}, n_communities=3
    )
    values = comparison.predictions.network.attributes["house"]
    codes = np.array([{None: 0, "<x>": 1, "<y>": 2}[v] for v in values], dtype=np.int32)
    object.__setattr__(comparison, "communities", codes)
    names = {group.name for group in disagreement(comparison, "community")}
    assert names == {"no house", "house <x>", "house <y>"}


def test_unknown_grouping_is_refused_with_a_suggestion(words) -> None:
    with words.raises(InputError):
        disagreement(make_comparison(), "degrees")  # type: ignore[arg-type]


def test_interval_marks_stand_at_the_estimates() -> None:
    comparison = make_comparison()
    ax = IntervalsDisplay(comparison).plot()
    for marker, question in (("o", "other networks"), ("s", "other splits")):
        expected = [100 * t.estimate for t in comparison.tests if question in t.question]
        assert points_with(ax, marker) == pytest.approx(expected)
    bars = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    ends = {tuple(np.round(bar, 9)) for bar in bars}
    for test in comparison.tests:
        if np.isfinite(test.ci_low):
            assert tuple(np.round([100 * test.ci_low, 100 * test.ci_high], 9)) in ends
    bold = [t.get_text() for t in ax.texts if t.get_fontweight() == "bold"]
    assert bold[0] == PROCEDURES[comparison.recommended].label


def test_tests_without_interval_or_answer_are_told() -> None:
    tests = [
        make_test("cluster_robust_t", NAN, estimate=0.01, ci_low=NAN, ci_high=NAN),
        make_test("paired_t", 0.03, ci_low=NAN, ci_high=NAN),
    ]
    ax = IntervalsDisplay(make_comparison(tests=tests)).plot()
    assert texts(ax).count("no interval") == texts(ax).count("no answer") == 1
    assert points_with(ax, "x") == [1.0]
    assert points_with(ax, "o") == []
    assert points_with(ax, "s") == [2.0]
    draw(ax)


@pytest.mark.parametrize(
    ("low", "high", "arrows"),
    [(-INF, INF, 0), (0.0, INF, 0), (-0.99, 0.99, 0), (0.01, 0.96, 1), (-0.4, 0.55, 2)],
)
def test_wide_intervals_end_in_arrows_and_unusable_ones_are_not_drawn(
    low: float, high: float, arrows: int
) -> None:
    """An interval as wide as the measure's range has no arrows and sets no axis."""
    others = [make_test(f"test {i}", ci_low=0.01, ci_high=0.03) for i in range(3)]
    tests = [
        make_test("cluster_robust_t", ci_low=low, ci_high=high),
        make_test("paired_t"),
        *others,
    ]
    ax = IntervalsDisplay(make_comparison(tests=tests)).plot()
    left, right = ax.get_xlim()
    assert -20 < left < 0 < right < 20
    assert len(points_with(ax, "<")) + len(points_with(ax, ">")) == arrows
    assert texts(ax).count("no usable interval") == (arrows == 0)
    draw(ax)


@pytest.mark.parametrize(
    ("size", "words"), [(1e6, ", in units of 10⁶"), (1e-6, ", in units of 10⁻⁶")]
)
def test_very_large_and_small_values_count_in_units_that_the_axis_names(
    size: float, words: str
) -> None:
    tests = [make_test("network_hac", estimate=2 * size, ci_low=-size, ci_high=5 * size)]
    found = make_comparison(tests=tests)
    measure = MEASURES["squared_error"]
    scores = {model: size * np.arange(10) for model in found.scores}
    found = replace(found, recommended="network_hac", measure=measure, scores_by_split=scores)
    ax = IntervalsDisplay(found).plot()
    draw(ax)
    assert ax.get_xlabel() == f"difference in squared error{words}"
    assert {"2.000", "−1.000 to 5.000"} <= set(texts(ax))
    assert points_with(ax, "o") == pytest.approx([2])
    assert ax.get_xlim() == pytest.approx((-5.5, 5.5))
    assert ax.xaxis.get_offset_text().get_text() == ""
    ax = plot_splits(found)
    draw(ax)
    legend = ax.get_legend()
    assert (
        legend.get_title().get_text() == f"squared error on the test sets{words} (lower is better)"
    )
    assert [text.get_text() for text in legend.get_texts()] == ["wvRN, mean 4.5", "nBC, mean 4.5"]
    assert ax.yaxis.get_offset_text().get_text() == ""


def test_dots_are_the_error_rates_of_the_splits() -> None:
    comparison = make_comparison(n_splits=5)
    ax = plot_splits(comparison)
    drawn = {
        line.get_marker(): line.get_ydata()
        for line in ax.lines
        if line.get_marker() in ("o", "s") and len(line.get_ydata()) == 5
    }
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    for marker, model in (("o", comparison.a), ("s", comparison.b)):
        predictions = comparison.predictions
        rates = [
            100 * np.mean(proba.argmax(axis=1) != predictions.network.labels[split.test])
            for proba, split in zip(predictions.probabilities[model], predictions.splits)
        ]
        assert drawn[marker] == pytest.approx(rates)
        assert f"{model}, mean {np.mean(rates):.1f}%" in named


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape",
    [
        {"n_communities": 1, "n_splits": 1},
        {"n_nodes": 12_000, "n_communities": 10_000, "n_splits": 2},
        {"n_splits": 300, "n_nodes": 30},
        {"edge": 2.0},  # one model is always wrong, the other never
        {"a": "$\\frac{1$" * 20, "b": "日本語\x00\ud800" * 20},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Glyph")
def test_every_display_can_be_drawn(shape: dict[str, Any]) -> None:
    comparison = make_comparison(**shape)
    draw(IntervalsDisplay(comparison).plot())
    draw(plot_splits(comparison))
    for by in ("community", "degree"):
        draw(GroupsDisplay(comparison, disagreement(comparison, by)).plot())


@pytest.mark.slow
def test_displays_take_axes_and_leave_pyplot_alone() -> None:
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert plot_splits(make_comparison(), ax) is ax
    code = (
        "import sys; import nettrial.report.html, nettrial.report.canvas as p;"
        "assert not {'matplotlib', 'jinja2'} & set(sys.modules);"
        "p.new_axes(None, 2.0).figure.canvas.draw();"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def lightness(color: str) -> float:
    """CIE L* of an sRGB color, 0 to 100."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    y = float(np.dot([0.2126, 0.7152, 0.0722], linear))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def test_colors_stay_apart_in_gray() -> None:
    assert lightness("#FFFFFF") == pytest.approx(100)
    assert abs(lightness(COLOR_A) - lightness(COLOR_B)) > 20
    assert abs(lightness(NETWORKS) - lightness(SPLITS)) > 20


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@settings(max_examples=200)
@given(text=st.text(st.characters(), max_size=40), limit=st.integers(1, 30))
def test_names_are_cut_to_the_width_and_hold_nothing_unprintable(text: str, limit: int) -> None:
    cut = shorten(text, limit)
    assert width(cut) <= limit
    assert all(c.isprintable() or c in "\u200c\u200d" for c in cut)
    assert cut == clean(text) or cut.endswith("…")
    assert clean(clean(text)) == clean(text)
    cut.encode("utf-8")
