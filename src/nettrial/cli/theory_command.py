"""`nettrial theory`: the variance of a mean error rate over test sets of one network."""

from __future__ import annotations

import json
from typing import Any

import click
import numpy as np

from ..core.errors import InputError
from . import say, tell
from .tables import read_table

NAMES = ("p", "q", "rho", "n", "m", "links")
THEOREMS = {
    "variance_correlated": "Theorem 1: a test set of another network, with correlated errors",
    "variance_resampled": "Theorem 2: test sets of one network, errors not correlated",
    "variance_observed": "Theorem 3: test sets of one network, with correlated errors",
    "variance_correction": "Theorem 4: what splits of one network hide, 1 less 3",
}


@click.command("theory")
@click.argument("table", required=False)
@click.option("--p", type=float, help="Mean error rate.")
@click.option("--q", type=float, help="Error rate of the error-prone nodes.")
@click.option("--rho", type=float, help="Correlation of the errors of linked nodes.")
@click.option("--n", type=float, help="Nodes in a test set.")
@click.option("--m", type=float, help="Labeled nodes of the network.")
@click.option("--links", type=float, help="Linked pairs in a test set, both orders counted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str | None, as_json: bool, **given: float | None) -> None:
    """Work out Theorems 1 to 4 of Wang et al. (2011).

    TABLE has the columns p, q, rho, n, m and links; an option stands for a column.

    \b
    nettrial theory --p 0.1 --q 0.9 --rho 0.2 --n 210 --m 300 --links 1260
    nettrial theory settings.csv --m 300 --json
    """
    from ..stats.theory import variance_terms

    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if table is not None:
        columns = read_table(table)
        values = {name: columns.complete(name) for name in NAMES if name not in values} | values
    missing = [name for name in NAMES if name not in values]
    if missing:
        raise InputError(
            expected=", ".join(NAMES), got=f"no {' and no '.join(missing)}", where="theory"
        )
    p, q, rho, n, m, links = (values[name] for name in NAMES)
    terms = variance_terms(p, q, rho, n=n, m=m, links=links)
    for name in ("n", "m"):
        _refuse(np.mod(values[name], 1) != 0, f"--{name}: expected whole numbers of nodes")
    most = np.multiply(n, np.subtract(n, 1))
    _refuse(np.greater(links, most), "--links: expected at most n (n - 1) ordered pairs")
    if not np.all(terms.valid):
        _refuse(np.logical_not(terms.valid), f"no such model exists, because {terms.problem}")
    found = terms.to_dict()
    with np.errstate(divide="ignore"):
        size = np.asarray(n) / np.maximum(1 + np.asarray(rho) * links / np.asarray(n), 0)
    effective = np.where(np.isfinite(size), size, np.nan)
    if as_json:
        numbers = [None if x != x else x for x in np.ravel(effective).tolist()]
        found["effective_n"] = numbers if np.ndim(effective) else numbers[0]
        say(json.dumps(found, indent=2))
        return
    rows = np.broadcast_arrays(*(np.ravel(found[name]).astype(float) for name in THEOREMS))
    sizes = np.broadcast_arrays(np.ravel(effective), rows[0])[0]
    if np.ndim(terms.valid) == 0:
        lines = [f"{values[0]:.6g}  {text}" for values, text in zip(rows, THEOREMS.values())]
        lines.append(f"{sizes[0]:.4g}  effective test set size, n / (1 + rho links / n)")
        lines += _notes(float(p), float(q))
        tell("\n".join(lines))
        return
    lines = ["row  Theorem 1  Theorem 2  Theorem 3  Theorem 4  effective n"]
    for i, (row, each) in enumerate(zip(zip(*rows), sizes), 1):
        numbers_shown = "  ".join(f"{value:9.4g}" for value in row)
        lines.append(f"{i:3}  {numbers_shown}  {each:11.4g}")
    tell("\n".join(lines))


def _refuse(wrong: Any, message: str) -> None:
    """Raise an error that names the first row where something is wrong, if there is one."""
    if np.any(wrong):
        row = f"row {int(np.argmax(wrong)) + 1}: " if np.ndim(wrong) else ""
        raise InputError(row + message)


def _notes(p: float, q: float) -> list[str]:
    notes = []
    if q == 1:
        notes.append("q = 1: Theorem 2 is the variance of a hypergeometric distribution")
    if q == p:
        notes.append("q = p: errors are drawn anew for every test set, and Theorem 4 is 0")
    return notes
