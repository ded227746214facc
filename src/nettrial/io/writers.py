"""The neutral CSV folder and GraphML, as `write` makes them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.network import Network
from ..network.node_values import MISSING
from ..numeric.checks import is_missing
from .vocabulary import LABEL

TYPES = {bool: "boolean", int: "long", float: "double"}


def link_rows(network: Network) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None]:
    """Return every link once: source and target indices, and weights where there are any."""
    indptr, indices, weights = network.links
    source = np.repeat(np.arange(network.n_nodes), np.diff(indptr))
    keep = slice(None) if network.directed else source < indices
    return source[keep], indices[keep], None if weights is None else weights[keep]


def free_name(network: Network, names: Sequence[str]) -> str:
    """Return the first of some names that no node column has, or the first of all."""
    taken = {name.lower() for name in network.attributes} | {"node"}
    return next((name for name in names if name.lower() not in taken), names[0])


def target_column(network: Network) -> str:
    """Return the name under which numeric targets are written: that of the file, if it is known."""
    read: str | None = getattr(network.reading, "label", None)
    return free_name(network, [*([read] if read else []), "target", "y", "number"])


def node_columns(network: Network, label: str = "label") -> dict[str, list[Any]]:
    """Return the label or target and all other node columns; missing values are None."""
    if network.targets is None:
        known = [None if c == MISSING else network.classes[c] for c in network.labels.tolist()]
    else:
        label = target_column(network)
        known = [None if is_missing(value) else value for value in network.targets.tolist()]
    columns: dict[str, list[Any]] = {label: known}
    for name, values in network.attributes.items():
        if name.lower() in (label.lower(), "node"):
            raise InputError(f"node column {shown(name)}: the name is taken; rename the column")
        columns[name] = [None if is_missing(value) else value for value in values.tolist()]
    return columns


def write_csv(network: Network, folder: Path) -> None:
    """Write edges.csv, nodes.csv and meta.json into an empty folder."""
    import pandas as pd

    ids = network.ids if network.ids.dtype != object else texts(network.ids.tolist())
    source, target, weights = link_rows(network)
    links = {"source": ids[source], "target": ids[target]}
    if weights is not None:
        links["weight"] = weights
    label = free_name(network, LABEL)
    columns = {name: texts(values) for name, values in node_columns(network, label).items()}
    for name, table in (("edges.csv", links), ("nodes.csv", {"node": ids} | columns)):
        # text in quotes cannot be taken for a comment or for several fields
        pd.DataFrame(table).to_csv(
            folder / name,
            index=False,
            quoting=csv.QUOTE_NONNUMERIC if odd(ids) else csv.QUOTE_MINIMAL,
        )
    meta = {
        "name": network.name, "directed": network.directed, "weighted": network.weighted,
        "nodes": network.n_nodes, "links": network.n_links,
    }  # fmt: skip
    if network.targets is None:
        meta |= {"label": label, "classes": [str(name) for name in network.classes]}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n")


def texts(values: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = [
        "" if value is None else value if type(value) is int else str(value) for value in values
    ]
    return array


def odd(ids: NDArray[Any]) -> bool:
    return ids.dtype == object and any(str(i).lstrip()[:1] in ("#", "%", "") for i in ids)


def write_graphml(network: Network, path: Path) -> None:
    """Write a GraphML file with the keys label, weight and one for each node column."""
    from xml.sax.saxutils import quoteattr  # loads urllib and ssl

    columns = node_columns(network)
    kinds = {name: kind(values) for name, values in columns.items()}
    keys = {name: f"d{k}" for k, name in enumerate(columns)}
    source, target, weights = link_rows(network)
    ids = [quoteattr(str(value)) for value in network.ids.tolist()]
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for name, key in keys.items():
            file.write(
                f'<key id="{key}" for="node" attr.name={quoteattr(name)} '
                f'attr.type="{kinds[name]}"/>\n'
            )
        if weights is not None:
            file.write('<key id="w" for="edge" attr.name="weight" attr.type="double"/>\n')
        direction = "directed" if network.directed else "undirected"
        file.write(f'<graph edgedefault="{direction}">\n')
        write_nodes(file, ids, columns, keys)
        for k, (s, t) in enumerate(zip(source.tolist(), target.tolist())):
            file.write(f"<edge source={ids[s]} target={ids[t]}")
            weight = "" if weights is None else f'<data key="w">{float(weights[k])!r}</data>'
            file.write(f">{weight}</edge>\n" if weight else "/>\n")
        file.write("</graph>\n</graphml>\n")


def write_nodes(
    file: IO[str], ids: list[str], columns: dict[str, list[Any]], keys: dict[str, str]
) -> None:
    for k, node in enumerate(ids):
        data = "".join(
            f'<data key="{keys[name]}">{xml_text(values[k])}</data>'
            for name, values in columns.items()
            if values[k] is not None
        )
        file.write(f"<node id={node}>{data}</node>\n")


def xml_text(value: Any) -> str:
    from xml.sax.saxutils import escape

    text = str(value).lower() if isinstance(value, bool) else str(value)
    return escape(text, {"\r": "&#13;"})


def kind(values: list[Any]) -> str:
    found = {type(value) for value in values if value is not None}
    return TYPES.get(found.pop(), "string") if len(found) == 1 else "string"
