"""Predicted numbers in tables, and the targets that stand beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..io.guards import fail
from ..metrics.regression import LARGEST
from .classes import numbers
from .names import text
from .roles import Roles
from .sources import Part

Floats = NDArray[np.float64]
TOLERANCE = 1e-6  # relative: tables hold rounded numbers


def check_targets(part: Part, roles: Roles, own: Floats, ids: NDArray[Any]) -> None:
    """Refuse targets that are not the network's, beyond a rounding of one in a million."""
    if roles.label is None:
        return
    given = part.columns[roles.label]
    note = text(given) != ""
    values = np.full(own.size, np.nan)
    values[note] = numbers(part.name, roles.label, given[note])
    wrong = np.abs(values - own) > TOLERANCE * np.abs(own)  # never where one is missing
    if wrong.any():
        row = int(np.argmax(wrong))
        fail(
            part.name,
            f"the target of {wrong.sum():,} rows is not the network's, first row {row + 1}: node "
            f"{ids[row]} has {own[row]:g}, column {shown(roles.label)} says {values[row]:g}",
        )


def predicted_numbers(name: str, column: str, values: NDArray[Any]) -> Floats:
    """Return a column of predictions."""
    found = numbers(name, column, values)
    bad = ~(np.abs(found) <= LARGEST)
    if bad.any():
        fail(
            name,
            f"column {shown(column)} has {bad.sum()} predictions that are missing or infinite, or "
            f"beyond {LARGEST:g}, first row {int(np.argmax(bad)) + 1}",
        )
    return found
