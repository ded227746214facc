"""Designs that split a network into training, inference and test sets."""

from .base import Design, Split
from .cross_validation import FiveByTwo, NetworkCrossValidation, RepeatedKFold
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
    "NetworkCrossValidation",
    "RandomResampling",
    "RepeatedKFold",
    "Snowball",
    "Split",
    "Temporal",
    "by_name",
]
