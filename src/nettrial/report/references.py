"""The sources behind the numbers of a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..references import sources


@dataclass(frozen=True, slots=True)
class Reference:
    """A source as a report names it.

    Attributes
    ----------
    text : str
        Authors, year, title, place.
    role : str
        What was taken from it.
    """

    text: str
    role: str


class Use(NamedTuple):
    """Which tests or measures rest on a source; where both are empty, every comparison does."""

    key: str
    tests: frozenset[str] = frozenset()
    measures: frozenset[str] = frozenset()


USES = (
    Use("wang2011"),
    Use("neville2009"),
    Use("macskassy2007"),
    Use("newman2003"),
    Use("blondel2008", frozenset({"bootstrap", "cluster_robust_t", "cluster_sign_flip"})),
    Use("kunsch1989", frozenset({"bootstrap"})),
    Use("efron1981", frozenset({"bootstrap"})),
    Use("satterthwaite1946", frozenset({"bootstrap"})),
    Use("kojevnikov2021", frozenset({"network_hac"})),
    Use("politis2003", frozenset({"network_hac"})),
    Use("imbens2016", frozenset({"network_hac"})),
    Use("liang1986", frozenset({"cluster_robust_t"})),
    Use("canay2017", frozenset({"cluster_sign_flip"})),
    Use("nadeau2003", frozenset({"nadeau_bengio"})),
    Use("dietterich1998", frozenset({"paired_t", "pooled_t"})),
    Use("wilcoxon1945", frozenset({"wilcoxon"})),
    Use("hampel1974", measures=frozenset({"auc", "macro_f1"})),
    Use("delong1988", measures=frozenset({"auc"})),
    Use("brier1950", measures=frozenset({"squared_loss"})),
)


def used_references(tests: Iterable[str], measure: str = "error") -> list[Reference]:
    """Return the references that a report with these tests and this measure rests on.

    Examples
    --------
    >>> [r.role for r in used_references(["wilcoxon"])][-1]
    'signed rank test'
    """
    made, table = set(tests), sources()
    return [
        Reference(table[use.key].text, table[use.key].supports)
        for use in USES
        if use.tests & made or measure in use.measures or not (use.tests or use.measures)
    ]
