"""What a recommendation says, and the sources that several of them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..core.results import Result
from .catalog import specification

DEMSAR = "J. Demsar (2006), Journal of Machine Learning Research 7"
DIETTERICH = "T. G. Dietterich (1998), Neural Computation 10"
NADEAU = "C. Nadeau, Y. Bengio (2003), Machine Learning 52"
NEVILLE = "J. Neville, B. Gallagher, T. Eliassi-Rad (2009), ICDM"
CLUSTERS = (
    "R. M. Bell, D. F. McCaffrey (2002), Survey Methodology 28; "
    "C. Cameron, D. Miller (2015), Journal of Human Resources 50"
)
HOLM = "S. Holm (1979), Scandinavian Journal of Statistics 6"


@dataclass(frozen=True, slots=True)
class Recommendation(Result):
    """The test that fits a design.

    Attributes
    ----------
    test : str
        Its name in the catalog.
    function : str
        Its function below `nettrial.stats`.
    why : str
        Why it is valid for this design.
    answers : str
        The question that its p-value answers.
    source : str
        Where this is shown.
    also_valid : tuple of str
        Other tests for the same design, by catalog name.
    wrong : mapping
        Common tests that would be wrong here, and why.
    notes : tuple of str
        Conditions and further steps.
    """

    test: str
    function: str
    why: str
    answers: str
    source: str
    also_valid: tuple[str, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"use {self.test}  (nettrial.stats.{self.function})",
            f"because {self.why}",
            f"it answers: {self.answers}",
            f"source: {self.source}",
        ]
        if self.also_valid:
            lines.append(f"also valid: {', '.join(self.also_valid)}")
        lines += [f"not {name}: {reason}" for name, reason in self.wrong.items()]
        lines += [f"note: {text}" for text in self.notes]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Design:
    classifiers: int
    test_sets: int
    overlapping: bool
    shared_training: bool
    data_sets: int
    grouped: bool
    predictions: bool
    criteria: int
    gaps: bool = False


def advice(
    test: str,
    why: str,
    answers: str,
    source: str,
    *,
    also: tuple[str, ...] = (),
    wrong: Mapping[str, str] | None = None,
    notes: tuple[str, ...] = (),
) -> Recommendation:
    for name in (*also, *(wrong or {})):
        specification(name)
    target = specification(test).target
    return Recommendation(
        test, target, why, answers, source, also, MappingProxyType(dict(wrong or {})), notes
    )
