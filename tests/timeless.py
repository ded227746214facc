"""Results without the one key that differs from run to run: how many seconds models took."""

from __future__ import annotations

import json
from typing import Any

from nettrial.core.finding import Finding


def timeless(found: Finding | str) -> str:
    """Return a result, or its JSON, as JSON without "seconds"."""

    def without(values: Any) -> Any:
        if isinstance(values, list):
            return [without(each) for each in values]
        if not isinstance(values, dict):
            return values
        return {key: without(each) for key, each in values.items() if key != "seconds"}

    text = found if isinstance(found, str) else found.to_json()
    return json.dumps(without(json.loads(text)), indent=1)
