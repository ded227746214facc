"""Scores that were made elsewhere and are of other scales: a share against a percentage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning

Floats = NDArray[np.float64]
FAR = 20  # times: far from 1, where models are alike in kind, and from 100, a percentage


def other_scales(names: tuple[str, str], values: tuple[Floats, Floats]) -> tuple[Warning, ...]:
    """Warn where the values of one model lie in 0 to 1 and those of the other cannot be meant so.

    These are below 0 as well, as logits are, or typically `FAR` times as large, as percentages.
    Zeros, which are the same in both, do not count.

    Examples
    --------
    >>> share = np.array([0.0, 1, 1, 0.5])
    >>> print(*other_scales(("new", "old"), (share, 100 * share)))
    the values of new lie in 0 to 1, those of old in 0 to 100: if these are percentages, divide
    them by 100; their difference means nothing otherwise
    >>> other_scales(("new", "old"), (share, share[::-1]))
    ()
    """
    found = []
    for place, other in ((0, 1), (1, 0)):
        own, far = values[place], values[other]
        if own.min() < 0 or own.max() > 1 or (far.min() >= 0 and far.max() <= 1):
            continue
        sizes = [np.median(np.abs(x[x != 0])) if x.any() else np.nan for x in (own, far)]
        if far.min() >= 0 and not sizes[1] > FAR * sizes[0]:
            continue
        fix = (
            "if these are percentages, divide them by 100"
            if far.min() >= 0
            else "if these are logits, or logarithms of probabilities, turn them into probabilities"
        )
        found.append(
            AssumptionWarning(
                f"the values of {names[place]} lie in 0 to 1, those of {names[other]} in "
                f"{far.min():.4g} to {far.max():.4g}: {fix}; their difference means nothing "
                "otherwise"
            )
        )
    return tuple(found)
