"""Designs by name."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import Any

from ..errors import unknown_choice
from .cross_validation import FiveByTwo, NetworkCrossValidation, RepeatedKFold
from .design import SplitDesign
from .resampling import EqualResampling, RandomResampling
from .structure import CommunityBiased, CommunityStratified, Snowball, Temporal

DESIGNS: MappingProxyType[str, type[SplitDesign]] = MappingProxyType(
    {
        "rrs": RandomResampling,
        "ers": EqualResampling,
        "ncv": NetworkCrossValidation,
        "kfold": RepeatedKFold,
        "5x2": FiveByTwo,
        "temporal": Temporal,
        "snowball": Snowball,
        "community-stratified": CommunityStratified,
        "community-biased": CommunityBiased,
    }
)


def by_name(name: str, **options: Any) -> SplitDesign:
    """Make the design with a short name.

    Parameters
    ----------
    name : str
        A key of ``DESIGNS``, in any case.
    **options
        The design's own options.

    Raises
    ------
    InputError
        For an unknown name, or an option that the design does not have.

    Examples
    --------
    >>> by_name("ncv", labeled=0.2)
    NetworkCrossValidation(n_splits=10, labeled=0.2, stratify=None, seed=0)
    """
    design = DESIGNS.get(str(name).lower())
    if design is None:
        raise unknown_choice("design", name, DESIGNS)
    allowed = inspect.signature(design).parameters
    for option in options:
        if option not in allowed:
            raise unknown_choice(f"option of the design {name!r}", option, allowed)
    return design(**options)
