"""The errors and warnings that nettrial raises, so that callers can catch them by kind."""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

LISTED = 30  # names that an error lists
LONGEST = 80  # letters of a value that a message shows
FULL = 1800  # letters of a message: who names more than fits is told the beginning and the end
PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
# other words for what is chosen among, in which no letter need be the same
KNOWN_AS = {
    "bh": "benjamini-hochberg",
    "fdr": "benjamini-hochberg",
    "fdr-bh": "benjamini-hochberg",
    "by": "benjamini-yekutieli",
    "fdr-by": "benjamini-yekutieli",
    "clopper-pearson": "exact",
    "beta": "exact",
    "normal": "wald",
    "score": "wilson",
    "ac": "agresti-coull",
    "anova": "oneway-anova",
    "f": "oneway-anova",
    "bayes": "bayesian-signed-rank",
    "bayesian": "bayesian-signed-rank",
    "ci": "interval",
    "chi2": "mcnemar",
    "chi-square": "mcnemar",
    "chisq": "mcnemar",
    "fisher": "two-proportions-score",
    "hotelling": "hotelling-paired",
    "ttest": "paired-t",
    "t": "paired-t",
    "t-test": "paired-t",
    "student": "paired-t",
    "ttest-rel": "paired-t",
    "ttest-ind": "welch-t",
    "unpaired": "welch-t",
    "welch": "welch-t",
    "u": "mann-whitney",
    "rank-sum": "mann-whitney",
    "ranksums": "mann-whitney",
    "wilcoxon-rank-sum": "mann-whitney",
    "signed-rank": "wilcoxon",
    "5x2cv": "5x2cv-t",
    "dietterich": "5x2cv-t",
    "alpaydin": "5x2cv-f",
    "tost": "equivalence",
    "aso": "stochastic-order",
    "tukey": "tukey-hsd",
    "posthoc": "nemenyi",
    "cv": "kfold-t",
    "holm": "adjust",
    "bonferroni": "adjust",
    "roc": "delong",
    "auc": "delong",
}


class NettrialError(Exception):
    """Base class of every error that nettrial raises on purpose."""

    def __str__(self) -> str:
        return brief(super().__str__())


class InputError(NettrialError, ValueError):
    """What was given cannot be used; the message says what is allowed and what to do next."""


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Begin the message of an `InputError` that is raised within with what it is about.

    Examples
    --------
    >>> with naming("network 'a'"):
    ...     raise InputError("labels: expected two classes, got one")
    Traceback (most recent call last):
    nettrial.core.errors.InputError: network 'a': labels: expected two classes, got one
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"{what}: {error}") from error


class NettrialWarning(UserWarning):
    """Base class of every warning that nettrial gives."""


class ReadWarning(NettrialWarning):
    """Something that was decided while a network was read may be wrong."""


class OverlappingTestSetsWarning(NettrialWarning):
    """A test that assumes disjoint test sets was applied to overlapping ones."""


class AssumptionWarning(NettrialWarning):
    """Another assumption of a test does not hold for the data that it was given."""


class SlowWarning(NettrialWarning):
    """What was asked for takes minutes or more."""


class ConvergenceWarning(NettrialWarning):
    """An iteration ended before it settled.

    Attributes
    ----------
    general : str
        The message without what depends on the label sets that were inferred together.
    places : tuple of int or None
        Which of these label sets it is about; None where it is about all.
    """

    def __init__(
        self, message: str, general: str = "", places: tuple[int, ...] | None = None
    ) -> None:
        super().__init__(message)
        self.general, self.places = general or message, places


class ModelWarning(NettrialWarning):
    """A model warned while it was trained or made predictions."""


class TuningNote(NettrialWarning):
    """What a tuned model chose; nothing to worry about, and so in results only."""


def warn_user(warning: Warning) -> None:
    """Give a warning at the line that called nettrial, from however deep inside."""
    frame: FrameType | None = sys._getframe()
    depth = level = 2
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            level = depth  # of the caller of this frame
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=level)


def shown(value: object) -> str:
    """Write a value for a message; where it is too long for one, what is left out is told.

    Examples
    --------
    >>> shown(10**18), shown("a" * 100 + "/b.csv")[-10:]
    ('1000000000000000000', "aaa/b.csv'")
    """
    if isinstance(value, str) and len(value) > LONGEST:  # of a path the end says the most
        value = f"{value[: LONGEST // 2]}...{value[5 - LONGEST // 2 :]}"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - any object may come here
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())  # tables and arrays are written in several lines
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def brief(message: str) -> str:
    """Write a message on one line, without the middle of one that is longer than anybody reads.

    Examples
    --------
    >>> brief("the header is too large;\\n  to read it")
    'the header is too large; to read it'
    >>> len(brief("x" * 10**6)) < 1900
    True
    """
    if len(message.splitlines()) > 1:  # what libraries say, and tables and arrays
        message = " ".join(line.strip() for line in message.splitlines())
    if len(message) <= FULL:
        return message
    ends = f"{message[: FULL * 2 // 3]} ... {message[-FULL // 3 :]}"
    return f"{ends} ({len(message):,} letters)"


def unknown_choice(what: str, given: object, allowed: Iterable[object]) -> InputError:
    """Build the error for a name that is not one of `allowed`, with the nearest one suggested.

    Examples
    --------
    >>> print(unknown_choice("design", "rss", ["rrs", "ers", "ncv"]))
    design: expected one of rrs, ers, ncv, got 'rss'; did you mean 'rrs'?
    """
    names = list(allowed)
    listed, hint = _listed(given, names)
    one = "one of " * (len(names) > 1)
    return InputError(f"{what}: expected {one}{listed}, got {shown(given)}{hint}")


def not_found(what: str, name: object, present: Iterable[object], where: str = "") -> InputError:
    """Build the error for something that should be there and is not, listing what is there.

    Examples
    --------
    >>> print(not_found("column", "node", ["fold", "node_id"], "p.csv"))
    p.csv: column 'node' not found; the columns are fold, node_id; did you mean 'node_id'?
    """
    listed, hint = _listed(name, present)
    return InputError(
        f"{where}{': ' * bool(where)}{what} {shown(name)} not found; the {what}s are {listed}{hint}"
    )


def _listed(given: object, names: Iterable[object]) -> tuple[str, str]:
    """List names, the first of them if there are many, and suggest the nearest."""
    texts = [str(name) for name in names]
    more = f", ... ({len(texts)} in all)" if len(texts) > LISTED else ""
    near = _nearest(given if isinstance(given, str) else shown(given), texts)
    return ", ".join(texts[:LISTED]) + more, f"; did you mean {near!r}?" if near else ""


def _nearest(given: str, texts: list[str]) -> str | None:
    """Return the name that was meant, whatever its case, hyphens and a "test" at its end.

    Examples
    --------
    >>> _nearest("bh", ["holm", "benjamini-hochberg"])
    'benjamini-hochberg'
    >>> _nearest("Wilcoxon_Test", ["welch-t", "wilcoxon"])
    'wilcoxon'
    """
    plain = {_plain(text): text for text in reversed(texts)}
    word = _plain(given)
    if KNOWN_AS.get(word) in texts:
        return KNOWN_AS[word]
    if len(given) > LONGEST:  # no name is as long, and to compare them takes long
        return None
    near = difflib.get_close_matches(given, texts, n=1, cutoff=0.6)
    near = near or [plain[each] for each in difflib.get_close_matches(word, plain, n=1, cutoff=0.6)]
    return near[0] if near else None


def _plain(name: str) -> str:
    word = name.lower().replace("_", "-").replace(" ", "-")
    return word.removesuffix("-test").removesuffix("-tests")
