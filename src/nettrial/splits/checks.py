"""Checks of the options that designs share."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from ..core.errors import InputError, shown
from ..core.option_names import option

MOST = 10**7  # replicates, trials or seeds: what is done for each is listed
LARGEST = 10**9  # splits times labeled nodes; each takes some 8 bytes


def round_half_up(value: float) -> int:
    """Round to the nearest integer, halves up, forgiving the last digits of a product.

    ``(1 - 0.9) * 5`` is 0.4999999999999999 in floating point and counts as a half.

    Examples
    --------
    >>> round_half_up((1 - 0.9) * 5), round_half_up(2.4)
    (1, 2)
    """
    return math.floor(value + 0.5 + 1e-9)


def check_labeled(design: str, labeled: Any, of: str = "labeled nodes") -> float:
    """Refuse a proportion outside (0, 1)."""
    is_number = isinstance(labeled, Real) and not isinstance(labeled, bool)
    share = float(labeled) if is_number else math.nan
    if not 0 < share < 1:
        raise InputError(
            parameter="labeled",
            expected=f"a proportion of the {of} above 0 and below 1, for example "
            f"{0.9 if of == 'links' else 0.3}",
            got=shown(labeled),
            where=design,
        )
    return share


def check_count(design: str, name: str, value: int, least: int, most: int | None = None) -> int:
    """Refuse anything but an integer of at least `least`, and beyond `most`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(
            parameter=name,
            expected=f"an integer of at least {least}",
            got=shown(value),
            where=design,
        )
    if most is not None and value > most:
        raise InputError(
            parameter=name, expected=f"at most {most:,}", got=shown(value), where=design
        )
    return int(value)


def check_extent(design: str, n_splits: int, size: int) -> None:
    """Refuse splits that no memory would hold."""
    if n_splits * size > LARGEST:
        raise InputError(
            f"{design}: {n_splits:,} splits of {size:,} labeled nodes are too many to keep; "
            f"use at most {LARGEST // size:,}"
        )


def training_size(design: str, labeled: float, size: int) -> int:
    """Return the number of training nodes, size - round((1 - labeled) size); both sets need one."""
    n_train = size - round_half_up((1 - check_labeled(design, labeled)) * size)
    if not 0 < n_train < size:
        raise InputError(
            expected="at least one training and one test node",
            got=f"{n_train} and {size - n_train:,} by {option('labeled', labeled)} of {size:,} "
            "labeled nodes",
            hint=f"change {option('labeled')} or use a network with more labeled nodes",
            where=design,
        )
    return n_train
