"""What an audit found: how often every test rejects on networks like the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..comparison.notes import network_facts
from ..core.errors import InputError, shown
from ..core.finding import Finding
from ..inference.outcome import OTHER_NETWORKS
from ..network.network import Network
from .trial import RRS

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
LEVEL, TOO_HIGH = 0.05, 0.1


class Rate(NamedTuple):
    """How often a test rejects at one true difference.

    Attributes
    ----------
    difference : float
        The true difference, 0 and above.
    rejected : float
        Share of the replicates with p < 0.05.
    low, high : float
        95% interval of the share (Wilson): the Monte Carlo error.
    undefined : int
        Replicates on which the test has no p-value; they count as not rejected.
    """

    difference: float
    rejected: float
    low: float
    high: float
    undefined: int


@dataclass(frozen=True, slots=True)
class AuditedTest:
    """One test on one design.

    Attributes
    ----------
    name, design : str
        "paired_t", ...; "rrs" or "ncv".
    question : str
        What its p-value answers.
    rates : tuple of Rate
        The first at difference 0.
    """

    name: str
    design: str
    question: str
    rates: tuple[Rate, ...]

    @property
    def type_1_error(self) -> Rate:
        """Type I error rate: how often it rejects where the models are equally good."""
        return self.rates[0]

    @property
    def power(self) -> float:
        """How often it rejects a true difference, the mean over those tried."""
        return float(np.mean([rate.rejected for rate in self.rates[1:]]))

    @property
    def holds(self) -> bool:
        """Whether its Type I error is 0.05 at most, as far as the replicates can tell."""
        return self.rates[0].low <= LEVEL

    @property
    def is_safe(self) -> bool:
        """Whether the replicates show besides that its Type I error is not above 0.1."""
        return self.holds and self.rates[0].high <= TOO_HIGH

    @property
    def for_networks(self) -> bool:
        """Whether its p-value answers for other networks, and not for other splits of one."""
        return self.question == OTHER_NETWORKS

    @property
    def title(self) -> str:
        """Name, with the design where that is not the usual one."""
        return self.name if self.design == RRS else f"{self.name} ({self.design})"


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Finding):
    """How every test performs on networks like the user's own.

    Attributes
    ----------
    network : Network
        The user's own.
    models : tuple of str
        Names of A and B.
    labeled : float
        Proportion of labeled nodes.
    n_splits : int
        Number of splits.
    seed : int
        The frozen seed.
    errors : tuple of float
        Error rates (of numbers: squared errors) of A and B on networks like this one, without
        handicap.
    differences : tuple of float
        True differences that were made, the first is 0; of numbers shares of the larger squared
        error.
    handicaps : ndarray, shape (n_differences, 2)
        Probability with which a prediction of A or B was turned to make them; of numbers the
        variance of the noise that was added.
    measured, measured_error : ndarray, shape (n_differences,)
        Mean difference found on the replicates, and its Monte Carlo standard error.
    tests : tuple of AuditedTest
        Every test that the design allows.
    recommended : str
        Title of the test to use; "" where none is known well enough to hold its level.
    n_replicates : int
        Drawn networks on which each test was made.
    n_inner : int
        Replicates, of either kind, that the bootstrap drew from each; 0 where it was not made.
    warnings : tuple of Warning
        Caveats: what makes the audit uncertain.
    settings : mapping
        Further settings, and versions.
    """

    network: Network
    models: tuple[str, str]
    labeled: float
    n_splits: int
    seed: int
    errors: tuple[float, float]
    differences: tuple[float, ...]
    handicaps: Floats
    measured: Floats
    measured_error: Floats
    tests: tuple[AuditedTest, ...]
    recommended: str
    n_replicates: int
    n_inner: int
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]

    @property
    def rivals(self) -> tuple[str, ...]:
        """Titles of the tests that another run might recommend instead.

        They hold their level as far as the replicates can show, and their power is that of the
        recommended test but for the Monte Carlo error of two shares, or above it.
        """
        if not self.recommended:
            return ()
        best = self.test(self.recommended)
        error = 1.96 * float(np.sqrt(2 * best.power * (1 - best.power) / self.n_replicates))
        return tuple(
            test.title
            for test in self.tests
            if test.for_networks and test.holds and test is not best
            and test.power >= best.power - error
        )  # fmt: skip

    def test(self, title: str) -> AuditedTest:
        """Return the test of that title.

        Raises
        ------
        InputError
            For an unknown one.
        """
        for found in self.tests:
            if found.title == title:
                return found
        known = ", ".join(test.title for test in self.tests)
        raise InputError(parameter="test", expected=f"one of {known}", got=shown(title))

    def to_frame(self) -> pd.DataFrame:
        """Return one row a test and true difference."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"test": test.name, "design": test.design, "question": test.question}
                | rate._asdict()
                | {
                    "n_replicates": self.n_replicates,
                    "holds": test.holds,
                    "recommended": test.title == self.recommended,
                }
                for test in self.tests
                for rate in test.rates
            ]
        )

    def _values(self) -> dict[str, Any]:
        return {
            **network_facts(self.network),
            "models": self.models,
            "labeled": self.labeled,
            "n_splits": self.n_splits,
            "seed": self.seed,
            "errors": self.errors,
            "differences": self.differences,
            "handicaps": self.handicaps,
            "measured": self.measured,
            "measured_error": self.measured_error,
            "n_replicates": self.n_replicates,
            "n_inner": self.n_inner,
            "recommended": self.recommended,
            "rivals": self.rivals,
            "tests": self.to_frame().to_dict("records"),
            "settings": self.settings,
        }
