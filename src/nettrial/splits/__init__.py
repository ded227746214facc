"""Designs that split a network into training, inference and test sets."""

from .base import Design, Split
from .cross_validation import FiveByTwo, NetworkCrossValidation, RepeatedKFold
from .link_designs import LinkFolds, LinkSplit, RandomLinks, TemporalLinks, link_design
from .names import DESIGNS, by_name
from .resampling import EqualResampling, RandomResampling
from .structure import CommunityBiased, CommunityStratified, Snowball, Temporal

__all__ = [
    "DESIGNS",
    "CommunityBiased",
    "CommunityStratified",
    "Design",
    "EqualResampling",
    "FiveByTwo",
    "LinkFolds",
    "LinkSplit",
    "NetworkCrossValidation",
    "RandomLinks",
    "RandomResampling",
    "RepeatedKFold",
    "Snowball",
    "Split",
    "Temporal",
    "TemporalLinks",
    "by_name",
    "link_design",
]
