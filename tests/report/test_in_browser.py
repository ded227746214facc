"""Pages in a real browser: axe-core finds no fault, and none is wider than a phone.

Needs `nettrial[browser]` and Chromium, of the system (`apt-get install chromium`) or playwright's
own (`playwright install chromium`); the pages of the site also need a built site
(`sphinx-build docs site`). Skips without them.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_document import KINDS, result

from nettrial.report.describe import describe
from nettrial.report.html import render

pytestmark = pytest.mark.slow
SITE = Path(__file__).parents[2] / "site"
LEFT_OUT = ("_static", "_modules", "lab", "genindex.html", "search.html")
REFERENCE = {"nettrial", "nettrial.stats", "nettrial.compare", "nettrial.Network"}
PAGES = [
    path.relative_to(SITE).as_posix()
    for path in sorted(SITE.rglob("*.html"))
    # of the reference a few, for the others are like them; laboratory notes are long tables
    if path.relative_to(SITE).parts[0]
    not in ("_static", "_modules", "lab", "genindex.html", "search.html")
    and ("api" not in path.relative_to(SITE).parts or path.stem in REFERENCE)
]
FAULTS = r"""async () => {
  const told = node =>
    node.target + ": " + [...node.any, ...node.all].map(check => check.message).join("; ");
  return (await axe.run()).violations.map(fault =>
    [fault.id + ": " + fault.help, ...fault.nodes.slice(0, 5).map(told)].join("\n  "));
}"""
DRAWN = """() => new Promise(done =>
  requestAnimationFrame(() => requestAnimationFrame(done)))"""
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("*")]
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map(each => each.outerHTML.slice(0, 100))"""

CUT = """() => [...document.querySelectorAll(".scroll:has(> table)")]
  .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.ariaLabel)"""


OPEN = "() => document.querySelectorAll('details').forEach(each => { each.open = true; })"
SEEN = """kind => [...document.querySelectorAll("." + kind)].map(each => each.clientWidth > 0)"""


def browser_of(own: str) -> str | None:
    """Return the Chromium of the system, else playwright's own, where there is one."""
    names = ("chromium", "chromium-browser", "google-chrome", own)
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """Open a page of a browser with axe-core on board."""
    api = pytest.importorskip("playwright.sync_api", reason="needs nettrial[browser]")
    axe = pytest.importorskip("axe_playwright_python", reason="needs nettrial[browser]")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    with api.sync_playwright() as playwright:
        chromium = browser_of(playwright.chromium.executable_path)
        if chromium is None:
            pytest.skip("needs Chromium: apt-get install chromium, or playwright install chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened = browser.new_page(reduced_motion="reduce")
        opened.add_init_script(script)
        yield opened
        browser.close()


def faults(page: Any, address: str) -> list[str]:
    """Return what is wrong with a page on a desk and on a phone, by day and at night."""
    loud: list[str] = []
    page.on("pageerror", lambda error: loud.append(str(error)))
    page.goto(address)
    page.evaluate(OPEN)
    found = []
    for width, height in ((1280, 900), (400, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)  # the page's own answer to the new size
        found += [f"{width} pixels: too wide: {each}" for each in page.evaluate(WIDER)]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{width} pixels, {scheme}: {each}" for each in page.evaluate(FAULTS)]
    return [*loud, *found]


@pytest.mark.parametrize("kind", KINDS)
def test_reports(page: Any, kind: str, tmp_path: Path) -> None:
    result(kind).to_html(tmp_path / "report.html")
    assert not faults(page, (tmp_path / "report.html").as_uri())
    assert not page.evaluate(CUT)  # on the phone, whose size is the last one


def test_a_page_on_a_network(page: Any, tmp_path: Path) -> None:
    network = result("two").predictions.network
    (tmp_path / "network.html").write_text(render(describe(network)), encoding="utf-8")
    assert not faults(page, (tmp_path / "network.html").as_uri())
    assert not page.evaluate(CUT)


def test_a_desk_and_a_phone_see_their_own_figures(page: Any, tmp_path: Path) -> None:
    result("two").to_html(tmp_path / "report.html")
    page.goto((tmp_path / "report.html").as_uri())
    page.evaluate(OPEN)
    for width, shown, hidden in ((1280, "desk", "phone"), (400, "phone", "desk")):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(DRAWN)
        assert all(page.evaluate(SEEN, shown))
        assert not any(page.evaluate(SEEN, hidden))
        assert len(page.evaluate(SEEN, shown)) == len(page.evaluate(SEEN, hidden)) > 2


@pytest.mark.parametrize("name", PAGES or [""])
def test_the_site(page: Any, name: str) -> None:
    if not name:
        pytest.skip("needs the site: sphinx-build docs site")
    assert not faults(page, (SITE / name).as_uri())


@pytest.mark.skipif(not PAGES, reason="needs the site: sphinx-build docs site")
def test_search_from_a_folder_has_excerpts_and_every_name_once(page: Any) -> None:
    address = (SITE / "search.html").as_uri()
    assert not faults(page, f"{address}?q=mcnemar_test")
    hits = page.locator("ul.search > li")
    links = hits.evaluate_all("all => all.map(li => li.querySelector('a').href.split(/[?#]/)[0])")
    assert len(links) == len(set(links)) > 1
    page.goto(f"{address}?q=bandwidth")
    page.wait_for_selector("ul.search > li p.context")
    # all excerpts follow their titles
    page.wait_for_function("document.querySelector('.search-summary').textContent !== ''")
    page.evaluate(DRAWN)
    note = page.locator("ul.search > li.kind-text").all_inner_texts()
    assert note
    assert all("bandwidth" in each.lower() for each in note)


@pytest.mark.skipif(not PAGES, reason="needs the site: sphinx-build docs site")
@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("leaderboard", ["Reading a leaderboard", "nettrial.leaderboard", "nettrial.Leaderboard"]),
        ("heterophily", ["Glossary: Heterophily"]),
        ("RS-C", ["Glossary: RS-C"]),
        ("standard error", ["Glossary: Standard error"]),
        ("table 4", ["From the papers and slides"]),
        ("P-value", ["Which test?"]),
        ("confidence interval", ["What the verdict says"]),
        ("nodes.csv", ["Read your files"]),
        ("paired t-test", ["nettrial.stats.paired_t_test"]),
        ("split", ["nettrial.splits.Split", "nettrial split", "Split designs"]),  # designs follow
        ("read files", ["Read your files"]),
    ],
)
def test_hits_stand_in_the_order_of_how_well_they_match(
    page: Any, asked: str, first: list[str]
) -> None:
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={asked}")
    page.wait_for_function("document.querySelector('.search-summary').textContent !== ''")
    hits = page.locator("ul.search > li > a").all_inner_texts()
    assert all(hit.startswith(want) for hit, want in zip(hits, first, strict=False)), hits[:5]


@pytest.mark.skipif(not PAGES, reason="needs the site: sphinx-build docs site")
def test_words_that_readers_look_for_lead_to_their_page_first(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(SITE.parent / "docs" / "_ext")
    first = importlib.import_module("search_pages").FIRST
    assert len(first) >= 40
    for asked, wanted in first.items():
        page.goto(f"{(SITE / 'search.html').as_uri()}?q={asked}")
        page.wait_for_function("document.querySelector('.search-summary').textContent !== ''")
        found = page.locator("ul.search > li > a").first.get_attribute("href") or ""
        assert found.split("?")[0].split("#")[0].endswith(f"{wanted}.html"), (asked, found)


@pytest.mark.parametrize("own", [True, False])
def test_playwrights_own_chromium_serves_where_the_system_has_none(
    own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    place = tmp_path / "chrome"
    if own:
        place.touch(mode=0o755)
    assert browser_of(str(place)) == (str(place) if own else None)


def test_a_fault_is_found(page: Any, tmp_path: Path) -> None:
    bad = '<html lang="en"><title>x</title><p style="color:#999;width:500px">pale and wide</p>'
    (tmp_path / "bad.html").write_text(bad, encoding="utf-8")
    found = " ".join(faults(page, (tmp_path / "bad.html").as_uri()))
    assert "color-contrast" in found
    assert "400 pixels: too wide" in found
