"""One table of sources: whole entries, named by every public function, read by the reports."""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import nettrial
from nettrial import metrics, stats
from nettrial.core import references
from nettrial.core.errors import InputError
from nettrial.core.references import Source, bibtex, sources, unicode_text
from nettrial.inference.registry import PROCEDURES
from nettrial.report import write_paper
from nettrial.report.references import OF_LINK_PREDICTORS, OF_MEASURES

FUNCTIONS = {
    name: getattr(module, name)
    for module in (stats, metrics)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name)) and name != "specification"
}
SECTION = re.compile(r"References\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+|\Z)", re.DOTALL)
NEEDED = {
    "article": {"journal", "author", "title", "year"},
    "inproceedings": {"booktitle", "author", "title", "year", "pages"},
    "incollection": {"booktitle", "author", "title", "year", "pages"},
    "book": {"publisher", "author", "title", "year"},
    "phdthesis": {"school", "author", "title", "year"},
    "unpublished": {"note", "author", "title", "year"},
    "misc": {"howpublished", "author", "title", "year"},
}
YEAR = re.compile(r"\((\d{4})[,)]")
ALLOWED = {"volume", "number", "pages", "doi"}


def cited_in(text: str) -> tuple[Source, ...]:
    """Return the sources that a text names by authors and year, such as "Holm (1979)"."""
    found = list(_found(text))
    return tuple(source for i, source in enumerate(found) if source not in found[:i])


def _found(text: str) -> Iterator[Source]:
    before = 0
    for match in YEAR.finditer(text):
        segment = _plain(text[before : match.start()])
        words = set(re.findall(r"[\w-]+", segment))
        named = [
            (sum(_plain(name).split()[-1] in words for name in source.surnames), source)
            for source in sources().values()
            if source.year == int(match[1]) and _plain(source.surnames[0]).split()[-1] in words
        ]
        # of the sources of one year and first author, the one whose authors are all there
        fits = [
            source
            for count, source in named
            if count == len(source.surnames) or " et al" in segment
        ]
        if not fits:
            raise InputError(
                expected="a source of the table", got=text[before : match.end()].strip()
            )
        yield max(fits, key=lambda source: len(source.surnames))
        before = match.end()


def _plain(name: str) -> str:
    """Fold accents and case, so that Demsar is Demšar."""
    letters = unicodedata.normalize("NFD", name.replace("ı", "i"))
    return "".join(c for c in letters if not unicodedata.combining(c)).lower()


def section(name):
    """The References section of a function, or that of the sibling that it points to."""
    found = SECTION.search(inspect.getdoc(FUNCTIONS[name]) or "")
    text = " ".join(found[1].split()) if found else ""
    sibling = re.match(r"As `(\w+)`\.", text)
    return section(sibling[1]) if sibling else text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_names_its_sources_and_the_table_has_them(name):
    text = section(name)
    assert text, f"{name} has no References section"
    found = cited_in(text)
    assert found, f"{name}: no source with its year in parentheses in {text!r}"
    # every year that is a source's, and no page or volume, was found
    assert len(re.findall(r"\(\d{4}[,)]", text)) >= len(found)


@pytest.mark.parametrize("key", sources())
def test_entries_are_whole(key):
    source = sources()[key]
    assert NEEDED[source.kind] <= set(source.fields) <= NEEDED[source.kind] | ALLOWED
    assert source.supports
    # keys are the first author's last name and the year
    if key == "nettrial":  # the package itself
        return
    folded = unicodedata.normalize("NFD", source.surnames[0].replace("ı", "i")).lower()
    assert key == re.sub(r"[^a-z]", "", folded) + str(source.year)
    assert 1900 < source.year < 2027
    if "pages" in source.fields:
        pages = source.fields["pages"]
        assert re.fullmatch(r"[A-Z]?\d+(--\d+)?", pages), pages
        ends = [int(p) for p in re.findall(r"\d+", pages)]
        assert ends[0] <= ends[-1] < ends[0] + 60
    if "doi" in source.fields:
        assert re.fullmatch(r"10\.\d{4,5}/\S+", source.fields["doi"])
    for author in source.fields["author"].split(" and "):
        assert author == "Student" or re.fullmatch(r"[^,]+, [^,]+", author)


def test_no_work_stands_there_twice():
    table = sources().values()
    titles = [unicode_text(source.fields["title"]).lower() for source in table]
    assert len(set(titles)) == len(titles)
    dois = [source.fields["doi"] for source in table if "doi" in source.fields]
    assert len(set(dois)) == len(dois)
    # ours is the whole file: no entry that the parser left aside
    file = Path(references.__file__).with_suffix(".bib").read_text(encoding="utf-8")
    assert file.count("@") == len(sources())
    assert file.count(" = {") == sum(len(s.fields) + 1 for s in table)


def test_every_source_is_used():
    named = {source.key for name in FUNCTIONS for source in cited_in(section(name))}
    reported = {
        key
        for keys in (
            *(each.references for each in PROCEDURES.values()),
            *OF_MEASURES.values(),
            *OF_LINK_PREDICTORS.values(),
        )
        for key in keys
    }
    # cited by methods paragraphs of several models, leaderboards, plans and several looks
    methods = {"blum2015", "dwork2015", "blondel2008", "hung2019", "efron1981", "kunsch1989"}
    # of models, designs, and what is estimated
    methods |= {"macskassy2007", "neville2009", "newman2003", "nettrial"}
    docs = Path(__file__).parents[2] / "docs"
    pages = [*(docs / "user").glob("*.md"), *(docs / "lab").glob("*.md")]
    text = " ".join(page.read_text(encoding="utf-8") for page in pages)
    words = " ".join(text.replace("(", "").split())
    note = {key for key, source in sources().items() if source.short in words}
    assert set(sources()) <= named | reported | methods | note
    assert reported <= set(sources())


def test_bibtex_holds_what_the_table_holds(words):
    text = bibtex(["demsar2006", "liang1986", "demsar2006"])
    assert text.count("@article") == 2
    assert r"author = {Dem{\v{s}}ar, Janez}" in text
    assert "supports" not in text
    with words.raises(InputError):
        bibtex(["holm1997"])


def test_text_names_authors_title_and_place():
    assert sources()["liang1986"].text == (
        "K.-Y. Liang, S. L. Zeger (1986). Longitudinal data analysis using generalized linear "
        "models. Biometrika 73(1), 13–22. doi:10.1093/biomet/73.1.13"
    )
    assert sources()["blondel2008"].short == "Blondel et al. 2008"


@pytest.mark.parametrize("text", ["Nobody (1950).", "Holm (1978).", "Student (1979)."])
def test_sources_that_the_table_lacks_are_refused(text):
    with pytest.raises(InputError, match="source of the table"):
        cited_in(text)
    assert cited_in("Holm 1979, without parentheses") == ()


def test_link_studies_cite_their_predictors(tmp_path):
    network = nettrial.latent_group_network(80, seed=0)
    found = nettrial.compare(network, "adamic_adar", "katz", n_splits=2, seed=0)
    write_paper(found, tmp_path)
    bib = (tmp_path / "references.bib").read_text(encoding="utf-8")
    assert "@article{adamic2003," in bib
    assert "@article{katz1953," in bib
