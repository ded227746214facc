"""How often a test rejected where there was no difference, as a warning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import AssumptionWarning
from ..metrics.measures import Predicted
from ..wording import listed

# Largest Type I error at the 0.05 level over five domains and four numbers of splits, by the
# proportion of labeled nodes: docs/lab/calibration.csv
TYPE_1_ERRORS = {
    "cluster_robust_t": {0.1: 0.289, 0.2: 0.207, 0.3: 0.177, 0.4: 0.145},
    "network_hac": {0.1: 0.123, 0.2: 0.09, 0.3: 0.109, 0.4: 0.08},
    "cluster_sign_flip": {0.1: 0.307, 0.2: 0.228, 0.3: 0.213, 0.4: 0.161},
}
# the same of numeric targets, over three domains and two pairs of models: docs/lab/regression.csv
OF_NUMBERS = {
    "cluster_robust_t": {0.3: 0.13},
    "network_hac": {0.3: 0.11},
    "cluster_sign_flip": {0.3: 0.155},
}


def false_alarms(labeled: Sequence[float], predicted: Predicted = "classes") -> tuple[Warning, ...]:
    """Return the measured Type I errors of the tests on predictions as one warning.

    All of them are named in one sentence, so that it is read once beside several tests.

    Parameters
    ----------
    labeled : sequence of float
        Proportions of labeled nodes.
    predicted : {"classes", "numbers"}
        What the models predict.

    Examples
    --------
    >>> print(*false_alarms([0.3]))
    a test on predictions cannot detect dependence that collective inference spreads across the
    network: on generated networks its Type I error was up to 18% (cluster_robust_t), 11%
    (network_hac) and 22% (cluster_sign_flip) with 30% labeled, instead of 5%
    """
    table = OF_NUMBERS if predicted == "numbers" else TYPE_1_ERRORS
    known = sorted(table["network_hac"])
    near = sorted({min(known, key=lambda each: abs(each - share)) for share in labeled})
    measured = []
    for share in near:
        # rounded up, since they are bounds
        rates = [f"{_percent_up(rates[share])}% ({name})" for name, rates in table.items()]
        measured.append(f"{listed(rates)} with {share:.0%} labeled")
    beyond = not all(known[0] <= share <= known[-1] for share in labeled)
    nearest = " (the nearest that was measured)" if beyond else ""
    of = " with numeric targets" if predicted == "numbers" else ""
    return (
        AssumptionWarning(
            "a test on predictions cannot detect dependence that collective inference spreads "
            f"across the network: on generated networks{of} its Type I error was up to "
            f"{listed(measured)}{nearest}, instead of 5%"
        ),
    )


def _percent_up(share: float) -> int:
    return int(np.ceil(round(100 * share, 6)))
