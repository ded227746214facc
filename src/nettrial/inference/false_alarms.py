"""How often a test rejected where there was no difference, as a warning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import AssumptionWarning
from ..wording import listed


def false_alarms(
    labeled: Sequence[float], tests: Mapping[str, Mapping[float, float]]
) -> tuple[Warning, ...]:
    """Return the measured Type I error of tests on predictions as one warning.

    Several tests are named in one sentence, so that what holds for all of them is read once.

    Parameters
    ----------
    labeled : sequence of float
        Proportions of labeled nodes.
    tests : mapping of str to mapping of float to float
        The measured rates of each test by the proportion of labeled nodes.

    Examples
    --------
    >>> print(*false_alarms([0.3], {"x": {0.3: 0.177}, "y": {0.3: 0.109}}))
    a test on predictions cannot detect dependence that collective inference spreads across the
    network: on generated networks its Type I error was up to 18% (x) and 11% (y) with 30%
    labeled, instead of 5%
    """
    known = sorted({share for rates in tests.values() for share in rates})
    near = sorted({min(known, key=lambda each: abs(each - share)) for share in labeled})
    measured = []
    for share in near:
        # rounded up, since they are bounds
        rates = [
            f"{_percent_up(by_share[share])}%" + f" ({name})" * (len(tests) > 1)
            for name, by_share in tests.items()
        ]
        measured.append(f"{listed(rates)} with {share:.0%} labeled")
    beyond = not all(known[0] <= share <= known[-1] for share in labeled)
    nearest = " (the nearest that was measured)" if beyond else ""
    return (
        AssumptionWarning(
            "a test on predictions cannot detect dependence that collective inference spreads "
            "across the network: on generated networks its Type I error was up to "
            f"{listed(measured)}{nearest}, instead of 5%"
        ),
    )


def _percent_up(share: float) -> int:
    return int(np.ceil(round(100 * share, 6)))
