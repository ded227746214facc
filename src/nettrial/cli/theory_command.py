"""`nettrial theory`: the variance of a mean error rate over test sets of one network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click
import numpy as np

from ..core.errors import InputError, shown
from ..published.table_files import read_rows
from . import say, tell
from .tables import number

NAMES = ("p", "q", "rho", "n", "m", "links")
THEOREMS = {  # what each takes, and what it is
    "variance_correlated": (
        {"p", "rho", "n", "links"},
        "Theorem 1: a test set of another network, with correlated errors",
    ),
    "variance_resampled": (
        {"p", "q", "n", "m"},
        "Theorem 2: test sets of one network, errors not correlated",
    ),
    "variance_observed": (
        set(NAMES),
        "Theorem 3: test sets of one network, with correlated errors",
    ),
    "variance_correction": (
        set(NAMES),
        "Theorem 4: what splits of one network hide, 1 less 3",
    ),
}


@click.command("theory")
@click.argument("table", required=False)
@click.option("--p", type=float, help="Mean error rate.")
@click.option("--q", type=float, help="Error rate of the error-prone nodes.")
@click.option("--rho", type=float, help="Correlation of the errors of linked nodes.")
@click.option("--n", type=float, help="Nodes in a test set.")
@click.option("--m", type=float, help="Nodes of the network whose class is known.")
@click.option("--links", type=float, help="Linked pairs in a test set, both orders counted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str | None, as_json: bool, **given: float | None) -> None:
    """Work out Theorems 1 to 4 of Wang et al. (2011).

    Theorem 1 takes p, rho, n and links, Theorem 2 p, q, n and m, the others all. TABLE has a column
    for each; an option stands for a column.

    \b
    nettrial theory --p 0.1 --q 0.9 --rho 0.2 --n 210 --m 300 --links 1260
    nettrial theory settings.csv --m 300 --json
    """
    from ..stats.theory import refuse_more_links, variance_terms

    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if table is not None:
        values = _columns(table) | values
    known = {key: text for key, (needs, text) in THEOREMS.items() if needs <= values.keys()}
    missing = [name for name in NAMES if name not in values]
    if not known:
        raise InputError(
            expected=", ".join(NAMES),
            got=f"no {' and no '.join(missing)}",
            hint="Theorem 1 takes p, rho, n and links alone, Theorem 2 p, q, n and m",
            where="theory",
        )
    for name in {"n", "m"} & values.keys():
        _refuse(np.mod(values[name], 1) != 0, f"--{name}: expected whole numbers of nodes")
    # what a theorem that is shown does not take
    values = {"q": values["p"], "rho": 0.0, "links": 0.0} | values
    refuse_more_links(values["n"], values["links"])
    values = {"m": 1 + np.maximum(values["n"], values["links"])} | values
    p, q, rho, n, m, links = (values[name] for name in NAMES)
    terms = variance_terms(p, q, rho, n=n, m=m, links=links)
    if not np.all(terms.valid):
        _refuse(np.logical_not(terms.valid), f"no such model exists, because {terms.problem}")
    found = {key: value for key, value in terms.to_dict().items() if not missing or key in known}
    effective = np.full(np.shape(terms.valid), np.nan)
    if "variance_correlated" in known:
        with np.errstate(divide="ignore"):
            size = np.asarray(n) / np.maximum(1 + np.asarray(rho) * links / np.asarray(n), 0)
        effective = np.where(np.isfinite(size), size, np.nan)
    for note in _notes(np.asarray(p), np.asarray(q), found, missing):
        say(f"nettrial theory: {note}", err=True)
    if as_json:
        numbers = [None if x != x else x for x in np.ravel(effective).tolist()]
        found["effective_n"] = numbers if np.ndim(effective) else numbers[0]
        say(json.dumps(found, indent=2))
        return
    rows = np.broadcast_arrays(*(np.ravel(found[name]).astype(float) for name in known))
    sizes = np.broadcast_arrays(np.ravel(effective), rows[0])[0]
    if np.ndim(terms.valid) == 0:
        lines = [f"{values[0]:.6g}  {text}" for values, text in zip(rows, known.values())]
        if "variance_correlated" in known:
            lines.append(f"{sizes[0]:.4g}  effective test set size, n / (1 + rho links / n)")
        tell("\n".join(lines))
        return
    heads = [text.partition(":")[0] for text in known.values()]
    lines = [f"row  {'  '.join(heads)}  effective n"]
    for i, (row, each) in enumerate(zip(zip(*rows), sizes), 1):
        numbers_shown = "  ".join(f"{value:9.4g}" for value in row)
        lines.append(f"{i:3}  {numbers_shown}  {each:11.4g}")
    tell("\n".join(lines))


def _columns(table: str) -> dict[str, Any]:
    """Return the columns of a table that the theorems take, as numbers."""
    header, rows = read_rows(table)
    found: dict[str, Any] = {}
    for name in {*NAMES} & {*header}:
        cells = [row[header.index(name)] for row in rows]
        for i, cell in enumerate(cells, 1):
            try:
                number(cell)
            except ValueError:
                raise InputError(
                    expected="a number", got=shown(cell), where=f"column {name!r}, row {i}"
                ) from None
        found[name] = np.array([number(cell) for cell in cells])
    return found


def _refuse(wrong: Any, message: str) -> None:
    """Raise an error that names the first row where something is wrong, if there is one."""
    if np.any(wrong):
        row = f"row {int(np.argmax(wrong)) + 1}: " if np.ndim(wrong) else ""
        raise InputError(row + message)


def _notes(p: Any, q: Any, found: Mapping[str, Any], missing: list[str]) -> list[str]:
    """Return what is particular to the values that were given."""
    notes = []
    if missing:
        left = ", ".join(
            text.partition(":")[0] for key, (_, text) in THEOREMS.items() if key not in found
        )
        notes.append(f"left out without {' and '.join(missing)}: {left}")
    if "q" in missing:
        return notes
    if np.any(q == 1):
        notes.append("q = 1: Theorem 2 is the variance of a hypergeometric distribution")
    if np.any(q == p):
        notes.append("q = p: errors are drawn anew for every test set, and Theorem 4 is 0")
    if np.any(q < p):
        notes.append("q is below p, but q is the error rate of the error-prone nodes")
    if np.any(np.less(found.get("variance_correction", 0), 0)):
        notes.append(
            "Theorem 4 is negative: with such a negative rho, splits of one network vary more than "
            "test sets of other networks"
        )
    return notes
