"""The figure of all tests as a specification of Vega-Lite, for Altair, Observable or its editor."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import nettrial

network = nettrial.latent_group_network(200, seed=0)
found = nettrial.compare(network, "wvrn", "nbc", test="network_hac", seed=0)

columns = ["name", "question", "estimate", "ci_low", "ci_high"]
rows = json.loads(found.to_frame()[columns].to_json(orient="records"))
where = {"type": "quantitative", "title": "difference"}
chart = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": rows},
    "encoding": {"y": {"field": "name", "type": "nominal", "sort": None, "title": None}},
    "layer": [
        {
            "mark": "rule",
            "encoding": {"x": {"field": "ci_low", **where}, "x2": {"field": "ci_high"}},
        },
        {
            "mark": {"type": "point", "filled": True},
            "encoding": {
                "x": {"field": "estimate", **where},
                "shape": {"field": "question", "type": "nominal", "legend": {"labelLimit": 400}},
            },
        },
    ],
}
with TemporaryDirectory() as folder:  # yours is a folder that stays
    Path(folder, "figure.vl.json").write_text(json.dumps(chart), encoding="utf-8")
print(found.verdict)
