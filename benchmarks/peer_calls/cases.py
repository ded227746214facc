"""One recorded call, what nettrial answers to it, and why the two differ where they do."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nettrial.core.errors import InputError

RELATIVE, ABSOLUTE = 1e-8, 1e-12
SINGLE = 2e-5  # for answers in single precision
Pairs = dict[str, tuple[Any, Any]]  # what is compared: the peer's number and ours


class Other(Exception):  # noqa: N818
    """The call asks what nettrial does not answer, and says what that is."""


@dataclass
class Case:
    """A call of a peer's function with its outcome here."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    outcome: str = ""  # equal, different, refused or other
    pairs: Pairs = field(default_factory=dict)
    wrong: tuple[str, ...] = ()
    refusal: str = ""
    why: str = ""

    def numbers(self) -> Iterable[np.ndarray]:
        """Return every argument that is numbers, one after the other."""
        for value in (*self.args, *self.options.values()):
            for part in value if isinstance(value, (tuple, list)) else (value,):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        yield np.asarray(part, dtype=float)
                    except (TypeError, ValueError):
                        continue

    @property
    def has_nan(self) -> bool:
        """Whether some number is missing."""
        return any(np.isnan(x).any() for x in self.numbers())


ASK: dict[str, Callable[..., Pairs]] = {}
# functions (by how their names begin), the reason, and when it is the reason
WHY: list[tuple[tuple[str, ...], str, Callable[[Case], bool]]] = []


def asks(*names: str) -> Callable[[Callable[..., Pairs]], Callable[..., Pairs]]:
    """Register how the calls of these functions are put to nettrial."""

    def register(function: Callable[..., Pairs]) -> Callable[..., Pairs]:
        ASK.update(dict.fromkeys(names, function))
        return function

    return register


def because(*names: str, text: str) -> Callable[[Callable[[Case], bool]], Callable[[Case], bool]]:
    """Register why some calls of these functions differ or are refused."""

    def register(applies: Callable[[Case], bool]) -> Callable[[Case], bool]:
        WHY.append((names, text, applies))
        return applies

    return register


def same(theirs: Any, ours: Any) -> bool:
    """Whether two numbers, or arrays of them, are equal up to rounding."""
    relative = SINGLE if getattr(theirs, "dtype", None) == np.float32 else RELATIVE
    a, b = (np.squeeze(np.asarray(x, dtype=float)) for x in (theirs, ours))
    alike = a.shape == b.shape or not b.ndim
    return alike and np.allclose(a, b, relative, ABSOLUTE, equal_nan=True)


def replayed(name: str, args: tuple[Any, ...], options: dict[str, Any], answer: Any) -> Case:
    """Put a recorded call to nettrial."""
    case = Case(name, args, options)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            case.pairs = ASK[name](answer, *args, **options)
    except Other as other:
        case.outcome, case.why = "other", str(other)
        return case
    except InputError as refusal:
        case.outcome, case.refusal = "refused", str(refusal)
    else:
        case.wrong = tuple(key for key, pair in case.pairs.items() if not same(*pair))
        case.outcome = "different" if case.wrong else "equal"
    if case.outcome != "equal":
        case.why = next((text for names, text, applies in WHY if name.startswith(names)
                         and applies(case)), "")  # fmt: skip
    return case


ALTERNATIVE = {"two-sided": "two-sided", "two_sided": "two-sided", "2-sided": "two-sided",
               "2s": "two-sided", "less": "less", "greater": "greater", "smaller": "less",
               "larger": "greater", "l": "greater", "s": "less"}  # fmt: skip


def alternative(word: str) -> Any:
    """Return nettrial's name of an alternative."""
    if word not in ALTERNATIVE:
        raise Other("an unknown alternative")
    return ALTERNATIVE[word]


def plain(name: str, wanted: bool) -> None:
    """Go on only where an option is left as it is."""
    if not wanted:
        raise Other(name)


def refused(*words: str) -> Callable[[Case], bool]:
    """Return whether nettrial refused a case in words like these."""
    return lambda case: case.outcome == "refused" and any(w in case.refusal for w in words)


def by_p(first: Callable[[float, float], bool]) -> Callable[[Case], bool]:
    """Return whether somewhere the peer's p and ours are a pair like this."""

    def applies(case: Case) -> bool:
        if case.outcome != "different" or "p" not in case.pairs:
            return False
        theirs, ours = np.broadcast_arrays(*(np.asarray(x, float) for x in case.pairs["p"]))
        return any(first(a, b) for a, b in zip(theirs.ravel(), ours.ravel()))

    return applies


def by_ours(applies: Callable[[Any], Any]) -> Callable[[Case], bool]:
    """Return whether some number of ours that differs is like this."""
    return lambda case: any(
        bool(np.any(applies(np.asarray(case.pairs[key][1], float)))) for key in case.wrong
    )


because("", text="a value is missing or infinite: nettrial refuses it")(
    refused("finite", "missing", "NaN", "nan")
)
because("", text="empty, a single number, or too few values for the test: refused by name")(
    refused(
        "at least",
        "expected an axis",
        "got none in group",
        "expected two or more",
        "one value",
        "got one number",
    )
)
because("", text="samples of other shapes are stretched to each other there; here each trial "
                 "brings its own")(refused("equal shapes", "shapes that are equal"))  # fmt: skip
because("", text="nothing differs: p is 1 here and missing there (0/0)")(
    by_p(lambda a, b: np.isnan(a) and b == 1)
)
because("", text="no variation to judge a difference by: infinite statistic and p = 0 there, "
                 "no p here")(by_p(lambda a, b: not np.isnan(a) and np.isnan(b)))  # fmt: skip
