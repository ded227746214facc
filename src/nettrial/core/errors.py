"""The errors and warnings that nettrial raises, so that callers can catch them by kind."""

from __future__ import annotations

import difflib
import inspect
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from types import FrameType

from .option_names import option_name, written

LISTED = 12  # names that an error lists; of more, the nearest few
FEW = 6
LONGEST = 80  # letters of a value that a message shows
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")  # of memory, which tells a reader nothing
FULL = 1800  # letters of a message: of a longer one the beginning and the end are left
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
    "log-likelihood": "log_loss",
}


class NettrialError(Exception):
    """Base class of every error that nettrial raises on purpose."""

    def __str__(self) -> str:
        return brief(super().__str__())


class InputError(NettrialError, ValueError):
    """What was given cannot be used; the message says what is allowed and what to do next.

    Parameters
    ----------
    message : str, optional
        What is wrong, where "expected ..., got ..." does not say it.
    parameter : str or tuple of str
        Which parameter, or which of them together.
    expected : str
        What can be given, in words.
    got : str
        What was given, as `shown` writes it, or in words.
    hint : str
        What to do next.
    where : str
        What the error is about: a file, a network, a function.

    Attributes
    ----------
    parameter, expected, got, hint, where
        As given; empty where the message does not have that part.

    Notes
    -----
    ``str()`` makes one line of them: ``where: parameter: expected ..., got ...; hint``. It names
    parameters as Python does, and on the command line as the options of the command.

    Examples
    --------
    >>> error = InputError(parameter="n_jobs", expected="a positive integer", got="0")
    >>> print(error)
    n_jobs: expected a positive integer, got 0
    >>> error.parameter, error.got
    ('n_jobs', '0')
    """

    __module__ = "nettrial"

    def __init__(
        self,
        message: str = "",
        *,
        parameter: str | tuple[str, ...] = "",
        expected: str = "",
        got: str = "",
        hint: str = "",
        where: str = "",
    ) -> None:
        super().__init__(message)
        self.parameter, self.expected, self.got = parameter, expected, got
        self.hint, self.where = hint, where

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        given = (self.parameter,) if isinstance(self.parameter, str) else self.parameter
        named = tuple(option_name(each) for each in given)
        # the command line does not name the functions that it calls
        where = "" if named != given and self.where.isidentifier() else self.where
        about = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
        facts = [f"expected {self.expected}"] * bool(self.expected)
        facts += [f"got {self.got}"] * bool(self.got)
        said = self.args[0] or ", ".join(facts)
        hint = f"; {self.hint}" if self.hint else ""
        return brief(": ".join(filter(None, [where, about, said])) + hint)


class CallError(InputError, TypeError):
    """A call that Python itself would refuse by a `TypeError`."""


@contextmanager
def error_about(what: str) -> Iterator[None]:
    """Begin the message of an `InputError` that is raised within with what it is about.

    Examples
    --------
    >>> with error_about("network 'a'"):
    ...     raise InputError(parameter="labels", expected="two classes", got="one")
    Traceback (most recent call last):
    nettrial.InputError: network 'a': labels: expected two classes, got one
    """
    try:
        yield
    except InputError as error:
        error.where = ": ".join(filter(None, [what, error.where]))
        raise


class NettrialWarning(UserWarning):
    """Base class of every warning that nettrial gives."""

    __module__ = "nettrial"


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
    """Write a value for a message, shortened where it is long; numpy's scalars as Python's.

    Examples
    --------
    >>> shown(10**18), shown("a" * 100 + "/b.csv")[-10:]
    ('1000000000000000000', "aaa/b.csv'")
    >>> import numpy as np
    >>> shown(np.str_("a")), shown([np.float64(0.5), np.int64(3)])
    ("'a'", '[0.5, 3]')
    >>> shown(Path("a/b.csv")), shown(object())
    ("'a/b.csv'", 'an object of the class object')
    """
    if isinstance(value, PurePath):
        value = str(value)
    if isinstance(value, str) and len(value) > LONGEST:  # of a path the end says the most
        value = f"{value[: LONGEST // 2]}...{value[5 - LONGEST // 2 :]}"
    text = ""
    with suppress(Exception):  # any object may come here
        text = " ".join(written(value).split())  # tables and arrays are written in several lines
    if not text or (ADDRESS.search(text) and not isinstance(value, str)):
        named = getattr(value, "__name__", "")
        text = f"an object of the class {type(value).__name__}"
        if inspect.isroutine(value):
            text = f"the function {named}" if str(named).isidentifier() else "a function"
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


def unknown_choice(
    what: str, given: object, allowed: Iterable[object], *, where: str = "", listing: str = ""
) -> InputError:
    """Build the error for a name that is not one of `allowed`, with the nearest one suggested.

    Of many names it gives the nearest few; the name "list" asks for all, or on the command line the
    option for the parameter `listing`.

    Examples
    --------
    >>> print(unknown_choice("design", "rss", ["rrs", "ers", "ncv"]))
    design: unknown 'rss'; did you mean 'rrs'? (one of rrs, ers, ncv)
    >>> print(unknown_choice("design", "x", ["rrs", "ers", "ncv"]))
    design: expected one of rrs, ers, ncv, got 'x'
    >>> print(unknown_choice("class", "c71", [f"c{i}" for i in range(70)]))
    class: unknown 'c71'; did you mean 'c7'? (the name 'list' gives all 70)
    """
    names = list(dict.fromkeys(str(name) for name in allowed))
    word = given if isinstance(given, str) else shown(given)
    near, few = _nearest(word, names), len(names) <= LISTED or word == "list"
    way = "the name 'list'" if option_name(listing) == listing else option_name(listing)
    every = f"{way} gives all {len(names):,}"
    some = ", ".join(names if few else [*_alike(word, names), f"... ({every})"])
    expected = "one of " * (len(names) > 1) + some
    return InputError(
        f"unknown {shown(given)}" if near else "",
        parameter=what,
        expected=expected,
        got=shown(given),
        hint=f"did you mean {near!r}? ({expected if few else every})" if near else "",
        where=where,
    )


def not_found(
    what: str,
    name: object,
    present: Iterable[object],
    where: str = "",
    *,
    parameter: str = "",
    hint: str = "",
) -> InputError:
    """Build the error for something that should be there and is not, naming what is there.

    A hint says what it is for, where nobody asked for it by name; else the nearest name is given.

    Examples
    --------
    >>> print(not_found("column", "node", ["fold", "node_id"], "p.csv"))
    p.csv: column 'node' not found; did you mean 'node_id'? (the columns are fold, node_id)
    """
    names = [str(each) for each in present]
    word = name if isinstance(name, str) else shown(name)
    near, few = "" if hint else _nearest(word, names), len(names) <= LISTED
    some = names if few else [*_alike(word, names), f"... (all {len(names):,})"]
    listed = ", ".join(some) or "none"
    there = f"the {what}{'s are' if len(names) != 1 else ' is'} {listed}"
    return InputError(
        f"{what} {shown(name)} not found",
        parameter=parameter,
        expected=listed,
        got=shown(name),
        hint=f"did you mean {near!r}? ({there})"
        if near
        else "; ".join(filter(None, [there, hint])),
        where=where,
    )


def _alike(word: str, names: list[str]) -> list[str]:
    """Return the few names that are most like a word, the first ones where none is."""
    alike = difflib.get_close_matches(word[:LONGEST], names, n=FEW, cutoff=0.4)
    return list(dict.fromkeys([*alike, *names]))[:FEW]


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
