"""Pictures of `nettrial test`: a result, or the differences of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import InputError
from ..core.plain_text import printable

if TYPE_CHECKING:
    from ..stats.catalog import TestSpecification
    from .test_columns import Prepared


def draw_result(spec: TestSpecification, result: Any, path: str) -> None:
    """Draw a result that has a figure."""
    from ..metrics._drawing import save_picture

    if not hasattr(result, "plot"):
        raise InputError(
            parameter="figure",
            expected="a test with an interval, or of several classifiers, such as nemenyi",
            got=spec.name,
            hint="leave it out; --qq draws the differences of one pair",
        )
    save_picture(result.plot(), path)


PAIRED = ("pairs", "pairs by replicate", "five by two")


def draw_quantiles(spec: TestSpecification, prepared: Prepared, path: str) -> None:
    """Draw the differences of the pairs, or one sample, against normal quantiles."""
    from ..metrics._drawing import save_picture
    from ..stats.quantiles import normal_quantiles

    values, names = prepared
    if spec.shape not in (*PAIRED, "sample"):
        raise InputError(
            parameter="qq", expected="a test of pairs or of one sample", got=f"{spec.name}"
        )
    found = normal_quantiles(*(np.ravel(value) for value in values))
    save_picture(found.plot(name=" minus ".join(map(printable, names))), path)
