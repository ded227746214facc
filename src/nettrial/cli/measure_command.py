"""`nettrial measure`: all measures of a file of scores or predictions, and their pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..core.errors import InputError, unknown_choice
from ..core.option_names import option
from ..core.results import jsonable
from ..io.vocabulary import MODEL, PREDICTION, TRUE_CLASS, plain, usual
from ..published.table_files import read_rows
from . import say, tell
from .measure_scores import (
    Cases,
    ScoreMeasures,
    draw,
    measure_predictions,
    measure_scores,
    prediction_lines,
    score_lines,
)
from .tables import ROW_NAMES, Table

INDEPENDENT = (
    "Intervals count the cases as independent; nodes of one network are not, and nothing here "
    "says whether another classifier is better: see nettrial compare --predictions."
)


@click.command("measure")
@click.argument("path", metavar="TABLE", type=click.Path())
@click.option("--truth", metavar="COLUMN", help="The true class of each case.")
@click.option(
    "--scores",
    metavar="COLUMN,...",
    help="Columns of scores; by default all others that hold numbers.",
)
@click.option(
    "--predictions",
    metavar="COLUMN,...",
    help="Columns of predicted classes; by default all others of text.",
)
@click.option("--positive", metavar="CLASS", help="The positive class of the scores, such as 1.")
@click.option(
    "--threshold",
    type=float,
    help="Scores from this on count as positive; 0.5 for those in [0, 1].",
)
@click.option(
    "--beta",
    type=float,
    default=1.0,
    show_default=True,
    help="F weighs recall so many times as much as precision.",
)
@click.option("--weights", metavar="COLUMN", help="The weight of each case.")
@click.option(
    "--queries", metavar="COLUMN", help="The query of each case, for the mean average precision."
)
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option(
    "--pictures",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Draw ROC, precision-recall and F against the threshold.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    path: str,
    truth: str | None,
    scores: str | None,
    predictions: str | None,
    positive: str | None,
    threshold: float | None,
    beta: float,
    weights: str | None,
    queries: str | None,
    confidence: float,
    pictures: str | None,
    as_json: bool,
) -> None:
    """Measure the scores or predicted classes of a table, one row per case.

    Confusion matrix, precision, recall, F, average precision and AUC, each from its definition;
    TABLE is a CSV, Markdown or LaTeX file. In a long table, each model of its column called model
    is measured by itself.

    \b
    nettrial measure scores.csv --truth label --pictures curves/
    nettrial measure predictions.csv --truth class --predictions gcn,wvrn
    """
    header, rows = read_rows(path)
    table = Table({name: [row[i] for row in rows] for i, name in enumerate(header)}, ())
    truth = truth or _truth(header)
    taken = {name for name in (truth, weights, queries) if name is not None}
    model = _model(header, taken, scores, predictions)
    beside = taken if model is None else taken | {model}
    columns = _columns(table, beside, scores, predictions)
    (labels,) = table.labels([truth])
    one = _positive(labels, positive) if columns[0] else None
    by_model = {
        name: _measured(
            part, columns, truth, one, weights, queries, threshold=threshold, beta=beta,
            confidence=confidence, model=name,
        )
        for name, part in _by_model(table, model).items()
    }  # fmt: skip
    found = [score for measured in by_model.values() for score in measured.scores]
    for file in draw(found, Path(pictures)) if pictures is not None and found else []:
        say(f"nettrial measure: {file} written", err=True)
    if as_json:
        note: dict[str, Any] = {"truth": truth}
        if model is None:
            note |= by_model[""].to_dict()
        else:
            note["models"] = {name: measured.to_dict() for name, measured in by_model.items()}
        say(json.dumps(jsonable(note), allow_nan=False, indent=2))
        return
    lines: list[str] = []
    for name, measured in by_model.items():
        lines += [*([] if model is None else [f"{model} {name}"]), *measured.lines(beta), ""]
    tell("\n".join([*lines, INDEPENDENT]))


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found for one model, or in a table without models."""

    cases: Cases
    scores: list[ScoreMeasures]
    predictions: dict[str, dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        note: dict[str, Any] = {"n_cases": len(self.cases.truth)}
        if self.scores:
            positives = int(self.cases.is_positive().sum())
            note |= {"positive": self.cases.positive, "n_positive": positives}
        note["scores"] = {one.column: one.to_dict() for one in self.scores}
        return note | {"predictions": self.predictions}

    def lines(self, beta: float) -> list[str]:
        """Write it for people."""
        lines = [f"{len(self.cases.truth):,} cases"]
        if self.scores:
            positives = int(self.cases.is_positive().sum())
            lines[0] += f", {positives} of the positive class {self.cases.positive}"
        for one in self.scores:
            lines += ["", *score_lines(one, self.cases.positive)]
        for name, measures in self.predictions.items():
            lines += ["", *prediction_lines(name, measures, beta)]
        return lines


def _measured(
    table: Table,
    columns: tuple[list[str], list[str]],
    truth: str,
    positive: Any,
    weights: str | None,
    queries: str | None,
    *,
    model: str,
    threshold: float | None,
    beta: float,
    confidence: float,
) -> Measured:
    scored, predicted = columns
    labels, *classes = table.labels([truth, *predicted])
    cases = Cases(
        labels,
        positive,
        None if weights is None else table.complete(weights),
        None if queries is None else table.text(queries),
    )
    measured = [
        measure_scores(
            " ".join(filter(None, (model, name if len(scored) > 1 or not model else ""))),
            table.complete(name), cases, threshold=threshold, beta=beta, confidence=confidence,
            column=name,
        )
        for name in scored
    ]  # fmt: skip
    by_class = {
        name: measure_predictions(column, cases, beta=beta)
        for name, column in zip(predicted, classes)
    }
    return Measured(cases, measured, by_class)


def _model(
    header: list[str], taken: set[str], scores: str | None, predictions: str | None
) -> str | None:
    """Return the column of the models of a long table, None where no column is called so."""
    named = {part.strip() for text in (scores, predictions) if text for part in text.split(",")}
    return usual([name for name in header if name not in taken | named], MODEL)


def _by_model(table: Table, model: str | None) -> dict[str, Table]:
    """Divide a long table, whose models must not be pooled, by its models."""
    if model is None:
        return {"": table}
    own = table.text(model)
    return {
        name: Table(
            {
                column: [cell for cell, other in zip(cells, own) if other == name]
                for column, cells in table.columns.items()
            },
            (),
        )
        for name in dict.fromkeys(own)
    }


def _truth(header: list[str]) -> str:
    found = usual(header, TRUE_CLASS)
    if found is None:
        raise InputError(
            parameter="truth",
            expected=f"a column called {', '.join(TRUE_CLASS[:4])} or the like",
            got=f"{', '.join(header[:8])}",
            hint=f"name it with {option('truth')}",
        )
    return found


def _columns(
    table: Table, taken: set[str], scores: str | None, predictions: str | None
) -> tuple[list[str], list[str]]:
    """Return the columns of scores and of predicted classes, as named or by what they hold."""
    named = [
        None if given is None else [part.strip() for part in given.split(",")]
        for given in (scores, predictions)
    ]
    for name in [*taken, *(n for part in named if part for n in part)]:
        table.text(name)
    if named[0] is not None or named[1] is not None:
        return named[0] or [], named[1] or []
    free = [c for c in table.columns if c not in taken and plain(c) not in ROW_NAMES]
    # a class may be a number too
    numeric = [c for c in free if plain(c) not in PREDICTION and _is_numeric(table, c)]
    if not free:
        raise InputError(
            expected="a column of scores or predicted classes beside the truth", got="none"
        )
    return numeric, [name for name in free if name not in numeric]


def _is_numeric(table: Table, name: str) -> bool:
    try:
        return bool(np.isfinite(table.numbers(name)).all())
    except InputError:
        return False


def _positive(labels: list[Any], positive: str | None) -> Any:
    """Return the positive class: as named, or 1 of 0 and 1."""
    classes = sorted(set(labels), key=str)
    if positive is None:
        if set(labels) <= {0.0, 1.0}:
            return 1
        raise InputError(
            parameter="positive",
            expected="the class that high scores stand for",
            got="none",
            hint=f"the classes are {', '.join(map(str, classes[:8]))}",
        )
    by_text = {
        str(int(c)) if isinstance(c, float) and c.is_integer() else str(c): c for c in classes
    }
    if positive not in by_text:
        raise unknown_choice("positive", positive, by_text)
    chosen = by_text[positive]
    return int(chosen) if isinstance(chosen, float) and chosen.is_integer() else chosen
