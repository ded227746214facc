"""What a report on a check says."""

from __future__ import annotations

from ...checking.check import Check, Checked
from ...core.wording import listed, plural
from .. import cells
from ..bars import CheckDisplay
from ..document import Blocks, Document, Figure, Items, Name, Row, Table, Verdict, cautions
from ..references import cite
from .base import describe
from .common import describe_network, software
from .settings import network_settings, settings_table


@describe.register
def _check(found: Check) -> Document:
    about = found.network.name if found.network is not None else "a table of results"
    items = [*found.problems, *found.notes]
    advice = (Items("What to do", tuple(map(_advice, items))),) if items else ()
    return Document(
        kind=f"check of {about or 'a network'}",
        verdict=_verdict(found),
        brief=advice,
        blocks=(
            *advice,
            Figure("Which share each kind of problem concerns.", CheckDisplay(found), "Shares"),
            _table(found),
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
    )


def _verdict(found: Check) -> Verdict:
    problems, notes = found.problems, found.notes
    counted = plural(len(found.checked), "check")
    if not problems:
        headline = f"Nothing unfair found in {counted}"
        more = f"; {plural(len(notes), 'note')}: {_codes(notes)}" if notes else ""
        said = f"{_codes(notes)}." if notes else ""
        return Verdict(headline, f"{headline}{more}.", said, _facts(found))
    headline = f"{plural(len(problems), 'problem')} found in {counted}"
    rest = f" (and {plural(len(notes), 'note')})" if notes else ""
    said = f"{_codes(problems)}{rest}."
    return Verdict(headline, f"{headline}: {said}", said, _facts(found))


def _facts(found: Check) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    return (
        (f"{len(found.problems):,}", "problems: unfair as it is"),
        (f"{len(found.notes):,}", "notes: to be known"),
        (f"{len(found.checked):,}", "kinds of problems checked"),
        (f"{len(found.left_out):,}", "kinds not checked, for lack of input"),
    )


def _codes(several: tuple[Checked, ...]) -> str:
    return listed([f"{each.code} {each.title}" for each in several])


def _advice(each: Checked) -> str:
    likely = " (likely)" if each.problem is not None and each.problem.sure == "likely" else ""
    return f"{each.code}{likely}: {each.sentences}"


def _table(found: Check) -> Table:
    left_out = (
        (f"Not checked for lack of input: {', '.join(found.left_out)}.",) if found.left_out else ()
    )
    return Table(
        "What was checked",
        ("code", "kind", "found", "concerned", "of", "share"),
        tuple(map(_row, found.checked)),
        below=("A fair comparison must not have a problem; a note is to be known.", *left_out),
        fold=True,
    )


def _row(each: Checked) -> Row:
    problem = each.problem
    if problem is None:
        none = cells.numbers(cells.NONE)
        return Row((cells.code(each.code), cells.words(each.title), cells.words("nothing"), none,
                    cells.words(""), none))  # fmt: skip
    return Row(
        (
            cells.code(each.code),
            cells.words(each.title),
            cells.words("problem" if problem.serious else "note"),
            cells.number(problem.size, ",.0f"),
            cells.words(f"{problem.of:,.0f} {problem.unit}"),
            cells.share(problem.share, 1),
        ),
        problem.serious,
    )


def _methods(found: Check, name: Name) -> str:
    about = "a table of results" if found.network is None else describe_network(found.network, name)
    return (
        f"We checked {about} for {plural(len(found.checked), 'kind')} of problems that make a "
        f"comparison unfair {cite('kapoor2023', 'platonov2023')}. {_verdict(found).text} "
        f"{software(found.settings, name)}"
    )


def _details(found: Check) -> Blocks:
    own = {} if found.network is None else network_settings(found.network)
    own |= {"splits": found.n_splits, "models": ", ".join(found.models) or "-"}
    return (settings_table(own, found.settings),)
