"""What a report on each kind of result says: one module per kind, `describe` for all."""

from __future__ import annotations

from .base import describe

__all__ = ["describe"]
