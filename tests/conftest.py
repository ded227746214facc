"""Where the tests find reference values and real networks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from words import Words, kept
from words import write as write_words

# an example's first call may compile, and a busy machine is no fault
settings.register_profile("nettrial", deadline=None)
settings.load_profile("nettrial")

PASSED = pytest.StashKey[bool]()
SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden",
        default=str(SHARED / "golden" / "shared"),
        help="folder with reference values of the golden schema",
    )
    parser.addoption(
        "--write-blocks",
        action="store_true",
        help="write what commands print now into the pages of the documentation",
    )
    parser.addoption(
        "--write-words",
        action="store_true",
        help="write what errors and warnings say now into tests/words.json (with -n 0)",
    )
    parser.addoption(
        "--full",
        action="store_true",
        help="the long form of tests that have one: every cut of every file, a line of 1 GB",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def words(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Words]:
    """Read texts, which must be those of ``words.json``; see `words`."""
    found = Words(tmp_path)
    yield found
    test = request.node.nodeid
    if not request.node.stash.get(PASSED, False):  # skipped half way, it has not read them all
        return
    if request.config.getoption("--write-words"):
        write_words({test: found.read})
    else:
        assert found.read == kept().get(test), "pytest --write-words writes what is said now"


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long form of a test was asked for."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real networks; tests that need it skip where it is not there."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip(f"real networks are not distributed with the package; expected in {folder}")
    return folder


@pytest.fixture
def write(tmp_path: Path):
    """Write columns as a table into a file of the test's folder."""

    def to_file(columns, name="table.csv", separator=","):
        path = tmp_path / name
        rows = [list(columns), *zip(*columns.values())]
        text = "\n".join(separator.join(map(str, row)) for row in rows)
        path.write_text(text + "\n", encoding="utf-8")
        return path

    return to_file
