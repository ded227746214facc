"""Designs by name."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import Any

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import letters, listed
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
WORDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "rrs": "random resampling (RRS)",
        "ers": "equal resampling (ERS)",
        "ncv": "network cross-validation (NCV)",
        "kfold": "repeated k-fold cross-validation",
        "5x2": "five repetitions of two-fold cross-validation (5x2)",
        "temporal": "time",
        "snowball": "snowball sampling",
        "community-stratified": "resampling within each community",
        "community-biased": "resampling of whole communities",
    }
)

# as papers and sentences write them, without capitals and separators
ALIASES: MappingProxyType[str, str] = MappingProxyType(
    {letters(words.partition(" (")[0]): name for name, words in WORDS.items()}
    | {letters(design.__name__): name for name, design in DESIGNS.items()}
    | {
        "rs": "rrs",
        "simplerandom": "rrs",
        "simplerandomresampling": "rrs",
        "simplerandomsampling": "rrs",
        "equalinstance": "ers",
        "equalinstanceresampling": "ers",
        "equalinstancerandomresampling": "ers",
        "controlledrandom": "ers",
        "controlledrandomsampling": "ers",
        "kfoldcrossvalidation": "kfold",
        "crossvalidation": "kfold",
        "crossvalidationsampling": "kfold",
        "temporalsampling": "temporal",
        "5x2cv": "5x2",
        "stratifiedbycommunity": "community-stratified",
        "biasedbycommunity": "community-biased",
    }
)


def listed_design(name: str) -> str:
    """Return a design's name as it is listed, whatever its capitals, hyphens and dots.

    Examples
    --------
    >>> listed_design("RS"), listed_design("Temporal:Year"), listed_design("mine")
    ('rrs', 'temporal:Year', 'mine')
    >>> listed_design("Simple random resampling"), listed_design("Network Cross-Validation")
    ('rrs', 'ncv')
    """
    short, colon, column = name.partition(":")
    return f"{listed(short, DESIGNS, ALIASES)}{colon}{column}"


def described(name: str) -> str:
    """Describe a design, for people who do not know its short name.

    Parameters
    ----------
    name : str
        A key of ``DESIGNS``, a node column after a colon or not; or the name of a design's class.
        Any other text stays as it is.

    Examples
    --------
    >>> described("rrs"), described("RandomResampling"), described("temporal:year")
    ('random resampling (RRS)', 'random resampling (RRS)', 'time (column year)')
    """
    short, _, column = listed_design(name).partition(":")
    classes = {design.__name__: key for key, design in DESIGNS.items()}
    words = WORDS.get(classes.get(short, short))
    if words is None:
        return name
    return f"{words} (column {column})" if column else words


def describe_splits(number: int, design: str) -> str:
    """Describe how many splits there are and how they were drawn.

    Examples
    --------
    >>> describe_splits(10, "ncv"), describe_splits(5, "given")
    ('10 splits by network cross-validation (NCV)', '5 splits as given')
    """
    by = "as given" if design == "given" else f"by {described(design)}"
    return f"{number} split{'s' * (number != 1)} {by}"


@check_arguments
def by_name(name: str, **given: Any) -> SplitDesign:
    """Make the design with a short name.

    Parameters
    ----------
    name : str
        A key of ``DESIGNS``, with any capitals and separators; a node column may follow a colon,
        as in "temporal:year".
    **given
        The design's own options.

    Raises
    ------
    InputError
        For an unknown name, an option that the design does not have, or a column that it needs
        and did not get.

    Examples
    --------
    >>> by_name("ncv", labeled=0.2)
    NetworkCrossValidation(n_splits=10, labeled=0.2, stratify=None, seed=0)
    >>> by_name("temporal:year")
    Temporal(column='year', n_splits=5)
    """
    short, _, column = listed_design(str(name)).partition(":")
    allowed = options(name)
    if column:
        given["column"] = column
    for option in given:
        if option not in allowed:
            raise unknown_choice(f"option of the design {shown(short)}", option, allowed)
    design = DESIGNS[short]
    needed = [
        key for key, p in inspect.signature(design).parameters.items() if p.default is p.empty
    ]
    if set(needed) - set(given):
        raise InputError(f"design {shown(short)} needs a node column; write {short}:COLUMN")
    return design(**given)


def options(name: str) -> tuple[str, ...]:
    """Return the options that the design with a short name has.

    Examples
    --------
    >>> options("5x2")
    ('stratify', 'seed')
    """
    design = DESIGNS.get(listed_design(str(name)).partition(":")[0])
    if design is None:
        raise unknown_choice("design", name, DESIGNS)
    return tuple(inspect.signature(design).parameters)
