"""What a report on each kind of result says: one module a kind, `describe` for all."""

from . import across, audit, grouped, leaderboard, many, plan, sweep, two  # noqa: F401 - register
from .base import describe

__all__ = ["describe"]
