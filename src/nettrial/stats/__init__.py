"""Classical and clustered tests on arrays; nothing here knows a network or a model."""

from __future__ import annotations
