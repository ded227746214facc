"""Results without the keys that differ from run to run: what models took of time and memory."""

from __future__ import annotations

import json
from typing import Any

from nettrial.core.finding import Finding

COST = ("seconds", "megabytes")


def timeless(found: Finding | str) -> str:
    """Return a result, or its JSON, as JSON without what was taken."""

    def without(values: Any) -> Any:
        if isinstance(values, list):
            return [without(each) for each in values]
        if not isinstance(values, dict):
            return values
        return {key: without(each) for key, each in values.items() if key not in COST}

    text = found if isinstance(found, str) else found.to_json()
    return json.dumps(without(json.loads(text)), indent=1)
