"""The HTML report: whole, self-contained, safe, the same bytes for the same comparison."""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from comparison_factory import NAN, make_comparison, make_test
from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.core.wording import clean, pvalue_text, shorten, shorten_name
from nettrial.metrics._drawing import COLORS
from nettrial.metrics.amounts import signed
from nettrial.report import html as report
from nettrial.report import plots, write_report
from nettrial.report.files import check_writable
from nettrial.report.svg import LIVE


def render(comparison: Any) -> str:
    page = comparison.to_html()
    assert isinstance(page, str)
    return page


VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "source", "col", "base", "area", "embed"}
HOSTILE = [
    "</style></svg></title><script>alert(1)</script><img src=x onerror=alert(1)>",
    '"\' onload="alert(1)" x=\' ]]> --> <!-- &lt; &amp; &#60; <![CDATA[',
    "{{ 7 * 7 }} {% raw %} {# #} $\\frac{1}{$ \\input{x} =1+1",
    "url(http://example.org/y) javascript:alert(1)\nbreak\x00\x1b[31m\x7f\u202e\ud800",
]


class Page(HTMLParser):
    """Refuses tags that do not close in order, and keeps what the page holds."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        assert len({name for name, _ in attrs}) == len(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> closes itself outside of SVG"
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.open:
            self.inside.append((self.open[-1], data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"comment in the page: {data[:80]}")

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for _, n, value in self.attributes if n == name]


@pytest.fixture(scope="module")
def source() -> str:
    return render(make_comparison())


@pytest.fixture(scope="module")
def benign(source: str) -> Page:
    return Page(source)


def test_page_is_one_well_formed_document(benign: Page) -> None:
    assert benign.tags[:2] == ["html", "head"]
    assert benign.tags.count("svg") == 11  # five figures for a desk and a phone, and the network
    ids = benign.values("id")
    assert len(ids) == len(set(ids))
    assert {"title", "h1", "table", "figcaption"} <= set(benign.tags)


def test_no_line_is_broken_within_a_p_value(source: str) -> None:
    note = re.sub(r'aria-label="[^"]*"', "", source.partition("</head>")[2])
    assert re.findall(r"\bp (?:=|&lt;) \d", note)
    for found in re.finditer(r"\bp (?:=|&lt;) \d", note):
        assert note[: found.start()].endswith('<span class="p">'), note[found.start() - 40 :][:80]


@pytest.mark.slow
def test_an_interval_that_is_cut_off_says_so() -> None:
    for low, said, useless in ((-1.0, False, True), (0.1, True, False), (None, False, False)):
        ends = {} if low is None else {"ci_low": low, "ci_high": 1.0}
        tests = [make_test("cluster_robust_t", **ends), make_test("paired_t")]
        note = render(make_comparison(tests=tests, n_splits=2))
        assert ("Intervals are cut off at −100.0 and 100.0" in note) is said
        assert ("no usable interval" in note) is useless


@pytest.mark.slow
def test_page_refers_to_nothing_outside(benign: Page, source: str) -> None:
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & set(benign.tags)
    assert benign.values("src") == []
    ids = set(benign.values("id"))
    for target in benign.values("href"):
        if target.startswith("data:"):
            continue
        assert target[0] == "#"
        assert target[1:] in ids
    for link in re.findall(r"url\(([^)]*)\)", source):
        assert link[0] == "#"
        assert link[1:] in ids
    for outside in ("@import", "http:", "https:", "//"):
        assert outside not in source


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_text_and_nothing_else(name: str, benign: Page) -> None:
    # half characters are refused within a network, and may stand in all else
    own = name.encode(errors="replace").decode()
    comparison = make_comparison(
        a=f"{name} a",
        b=f"{name} b",
        classes=(f"{own} no", f"{own} yes"),
        ids=[f"{own} {i}" for i in range(120)],
        name=name,
        attributes={own: [f"{own} {i % 8}" for i in range(120)]},
        settings={"communities": name, name: name, "versions": {name: name}},
        tests=[
            make_test("cluster_robust_t", warnings=(AssumptionWarning(name),), method=name),
            make_test("paired_t", warnings=(AssumptionWarning(name),)),
            make_test(name, question=name),
        ],
        warnings=(AssumptionWarning(name),),
    )
    page = Page(render(comparison))
    assert set(page.tags) <= set(benign.tags) | {"ul", "li", "a", "ol", "sup"}
    assert not [n for _, n, _ in page.attributes if n.startswith("on")]
    shown = ("aria-label", "data-head")  # text, in the style too
    links = [v for _, n, v in page.attributes if "url(" in v and n not in shown]
    assert all(re.fullmatch(r"[^(]*url\(#[\w-]+\)[^(]*", value) for value in links)
    assert page.values("src") == []
    assert all(target.startswith(("#", "data:")) for target in page.values("href"))
    for word in (f"{name} a against", f"that {name}", f"{name} b has", f"{own} no", name):
        assert shorten(word, 22).rstrip("…") in page.text
    for row in (f"{name} a", f"{name} b"):
        assert ("td", clean(row)) in page.inside
    assert all(c.isprintable() or c.isspace() for c in page.text)


def test_page_says_what_the_comparison_says(benign: Page) -> None:
    comparison = make_comparison()
    sentences = comparison.verdict.split(": ", 1)
    assert ("h1", sentences[0]) in benign.inside
    for number in (
        comparison.estimates["p"][comparison.a],
        comparison.estimates["p"][comparison.b],
    ):
        assert f"{100 * number:.1f}%" in benign.text
    usual = comparison.test("paired_t")
    assert f"most papers use gives {pvalue_text(usual.pvalue)}" in benign.text
    for test in comparison.tests:
        assert ("code", test.name) in benign.inside
        assert test.method in benign.text
        assert signed(test.estimate) in benign.text
        for warning in test.warnings:
            assert benign.text.count(str(warning)) == 1  # tests share the footnote
    assert benign.text.count(comparison.predictions.network.fingerprint()) == 1


def test_sections_come_in_order(benign: Page) -> None:
    assert [text for tag, text in benign.inside if tag == "h2"] == [
        "What this answers",
        "What the usual test would have said",
        "The difference",
        "What was compared",
        "All tests",
        "Estimates for the models",
        "Estimates for the network",
        "Warnings",
        "Split by split",
        "Where on the network they disagree",
        "Where on the network they disagree: by community",
        "Where on the network they disagree: by number of neighbors",
        "The network",
        "Settings and versions",
        "How to cite",
        "The data of this page",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recommended", "usual", "words"),
    [
        (0.2, 0.001, "would have claimed a difference that is not shown"),
        (0.001, 0.2, "would have missed the difference"),
        (0.001, 0.002, "Here it comes to the same answer"),
        (NAN, 0.002, "No verdict on"),
        (0.2, NAN, "has no answer on these predictions"),
    ],
)
def test_contrast_with_the_usual_test(recommended: float, usual: float, words: str) -> None:
    tests = [make_test("cluster_robust_t", recommended), make_test("paired_t", usual)]
    assert words in Page(render(make_comparison(tests=tests, n_splits=2))).text


@pytest.mark.slow
def test_what_weakens_the_verdict_is_told_beside_it() -> None:
    note = AssumptionWarning("few communities")
    tests = [
        make_test("cluster_robust_t", warnings=(note, AssumptionWarning("few clusters"))),
        make_test("paired_t"),
    ]
    rare = AssumptionWarning("rare class")
    page = Page(render(make_comparison(tests=tests, warnings=(note, rare), n_splits=2)))
    assert "3 warnings apply." in page.text
    items = [text.strip() for tag, text in page.inside if tag == "li"]
    assert {"few communities", "rare class", "few clusters"} <= set(items)
    assert "None of these affects the verdict" not in page.text


@pytest.mark.slow
def test_many_classes_are_summed_up() -> None:
    classes = tuple(f"class {i:03}" for i in range(300))
    page = Page(render(make_comparison(classes=classes, n_splits=2, n_nodes=400)))
    assert "the other 280 classes" in page.text
    assert len([1 for tag, text in page.inside if tag == "th" and text.startswith("class ")]) == 20


@pytest.mark.slow
def test_same_comparison_gives_the_same_bytes_in_any_process(source: str) -> None:
    code = (
        "import hashlib; from comparison_factory import make_comparison;"
        "import sys;"
        "print(hashlib.sha256(make_comparison().to_html().encode()).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, env=environment, check=True, capture_output=True, timeout=100)
    assert done.stdout.decode().strip() == hashlib.sha256(source.encode()).hexdigest()


@pytest.mark.slow
def test_rendering_leaves_matplotlib_settings_alone() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    render(make_comparison(n_splits=2))
    assert dict(mpl.rcParams) == before


@pytest.mark.slow
def test_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")
    path.chmod(0o640)
    link = tmp_path / "link.html"
    link.symlink_to(path)
    comparison = make_comparison(n_splits=2)
    write_report(comparison, link)
    assert path.read_text(encoding="utf-8") == render(comparison)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]


@pytest.mark.slow
@pytest.mark.parametrize("step", ["render", "fsync"])
def test_failure_leaves_the_old_file_and_nothing_else(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((report, step) if step == "render" else (os, step)), fail)
    with pytest.raises(OSError if step == "render" else InputError, match="No space left"):
        write_report(make_comparison(n_splits=2), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("no/such/r.html", "no such folder"),
        ("", "is a folder"),
        ("file/r.html", "no such folder"),
        ("pipe", "not an ordinary file"),
        ("x" * 300, "too long"),
        ("nul\0.html", "no file can be called"),
        ("loop/r.html", "r.html"),
    ],
)
def test_paths_that_cannot_be_written_are_refused_before_any_work(
    name: str, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(report, "render", lambda _: pytest.fail("worked before the check"))
    with pytest.raises(InputError, match=note) as error:
        write_report(make_comparison(n_splits=2), os.path.join(tmp_path, name))
    assert "\n" not in str(error.value)
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("source,target\n")
    with pytest.raises(InputError, match=r"there already and is no \.html file"):
        write_report(make_comparison(n_splits=2), path)
    assert path.read_text() == "source,target\n"


@pytest.mark.parametrize("width", range(4, 30))
def test_a_shortened_name_keeps_both_ends(width: int) -> None:
    name = "http://example.org/people/ann"
    cut = shorten_name(name, width)
    assert len(cut) == width or cut == name
    front, _, back = cut.partition("…")
    assert (name.startswith(front) and name.endswith(back) and front and back) or cut == name


@pytest.mark.slow
@pytest.mark.parametrize(("confidence", "words"), [(0.999, "99.9%"), (0.975, "97.5%")])
def test_levels_are_not_rounded(confidence: float, words: str) -> None:
    page = Page(render(replace(make_comparison(n_splits=2), confidence=confidence)))
    assert f"{words} interval" in page.text
    assert "100% interval" not in page.text


def test_protected_files_and_folders_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write anything
    with pytest.raises(InputError, match="protected"):
        check_writable(path)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(InputError, match="Permission denied; name a file in a folder"):
        check_writable(tmp_path / "new.html")


def test_a_path_that_can_be_written_is_left_untouched(tmp_path: Path) -> None:
    assert check_writable(tmp_path / "new.html") == (tmp_path / "new.html").resolve()
    assert list(tmp_path.iterdir()) == []


def held(page: Page) -> dict[str, bytes]:
    """Return the files that a page holds, by name."""
    links = [
        target.partition(";base64,") for target in page.values("href") if target.startswith("data:")
    ]
    assert [kind for kind, _, _ in links] == ["data:text/csv", "data:application/json"]
    return {
        name: base64.b64decode(encoded)
        for name, (_, _, encoded) in zip(page.values("download"), links)
    }


@pytest.mark.slow
def test_a_page_holds_its_data() -> None:
    comparison = make_comparison()
    files = held(Page(render(comparison)))
    assert json.loads(files["nettrial.json"]) == comparison.to_dict()
    table = pd.read_csv(io.BytesIO(files["nettrial.csv"]))
    assert table["name"].tolist() == [test.name for test in comparison.tests]
    assert table["pvalue"].tolist() == pytest.approx([t.pvalue for t in comparison.tests])
    frame = comparison.to_frame()  # pandas is not needed for it, and writes the same
    assert files["nettrial.csv"] == frame.to_csv(index=False).encode()


@pytest.mark.slow
def test_data_for_spreadsheets_are_no_formulas() -> None:
    comparison = make_comparison(
        tests=[make_test("cluster_robust_t"), make_test("paired_t"), make_test("=1+1")]
    )
    assert b"\n'=1+1," in held(Page(render(comparison)))["nettrial.csv"]


def luminance(color: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_contrast_of_text_and_marks_is_enough(mode: int) -> None:
    style = report.resource("page.css")
    palette = dict(
        re.findall(
            r"--([a-z]+): (#[0-9a-f]{6});", re.findall(r":root \{(.*?)\}", style, re.S)[mode]
        )
    )
    for ground in ("paper", "band"):
        for text in ("ink", "soft", "mind", "splits"):
            assert contrast(palette[ground], palette[text]) >= 4.5, (ground, text)
    for color in (*COLORS, plots.NETWORKS, plots.SPLITS):
        shown = palette[LIVE[color.lower()]]
        assert contrast(palette["paper"], shown) >= 3, color
        assert mode or shown in (color.lower(), palette["ink"])  # by day as in files


def test_marks_tell_their_numbers(source: str) -> None:
    comparison = make_comparison()
    rates = comparison.scores_by_split[comparison.a]
    note = re.findall(r"<use[^>]*><title>split (\d+): (\S+) (.*?)%</title>", source)
    mine = [float(value) for _, name, value in note if name == comparison.a]
    assert len(note) == 2 * 2 * len(rates)  # for a desk and for a phone
    assert mine == 2 * [float(f"{100 * rate:.1f}") for rate in rates]


def test_colors_of_figures_follow_the_page(source: str) -> None:
    for figure in re.findall(r"<svg.*?</svg>", source, flags=re.DOTALL):
        assert "var(--ink, #222222)" in figure
        assert not re.search(r"(?<!, )#(222222|ffffff)", figure)
