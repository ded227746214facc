"""Models, and forms of rows, as the compiled loops know them; nothing here is compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

WVRN, NBC = 0, 1


class ModelPair(NamedTuple):
    """Two models that are run on the same splits.

    Attributes
    ----------
    kinds : ndarray of int, shape (2,)
        WVRN or NBC.
    smoothing : ndarray of float, shape (2,)
        Above 0 for NBC.
    betas : ndarray of float32, shape (2, iterations)
        Weight of the new probabilities in each sweep; a zero ends the sweeps.
    """

    kinds: NDArray[Any]
    smoothing: NDArray[Any]
    betas: NDArray[Any]


class RowForm(NamedTuple):
    """How links become rows: with weights or not, under their sources, their targets, or both."""

    weighted: bool
    forward: bool
    backward: bool
