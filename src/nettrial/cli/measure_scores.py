"""What `nettrial measure` finds in a table of scores and predictions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import metrics
from ..core.errors import InputError
from ..core.results import jsonable, show
from ..metrics._drawing import save_picture

Floats = NDArray[np.float64]
RATE_WORDS = {"f_beta": "F{beta:g}", "mcc": "MCC"}
INTERVALS = {
    "newcombe": "Newcombe's score interval",
    "normal": "DeLong's",
    "clipped": "DeLong's, cut to 0 and 1",
    "logit": "DeLong's, on the logit",
}
RATES = ("error", "precision", "recall", "f_beta", "specificity", "mcc")


@dataclass(frozen=True, slots=True)
class Cases:
    """The truth of each case, its weight, and the query that it belongs to."""

    truth: list[Any]
    positive: Any
    weights: Floats | None = None
    queries: list[str] | None = None

    def is_positive(self) -> NDArray[np.bool_]:
        """Return which cases are of the positive class."""
        return np.array([label == self.positive for label in self.truth], dtype=bool)

    def labels(self) -> list[int]:
        """Return 1 for the positive class and 0 for the others."""
        return [int(label) for label in self.is_positive()]


@dataclass(frozen=True, slots=True)
class ScoreMeasures:
    """All measures of one column of scores; the rates are None without a threshold."""

    name: str
    threshold: float | None
    matrix: list[list[float]] | None
    rates: dict[str, float] | None
    average_precision: float
    auc: metrics.AreaUnderCurve
    best_threshold: float
    best_f: float
    beta: float
    mean_average_precision: float | None = None
    n_queries: int | None = None
    column: str = ""
    notes: tuple[str, ...] = ()
    curves: dict[str, Any] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the curves as plain values."""
        return {
            name: jsonable(getattr(self, name))
            for name in self.__dataclass_fields__
            if name not in ("curves", "name", "column")
        }


def measure_scores(
    name: str,
    scores: Floats,
    cases: Cases,
    *,
    threshold: float | None,
    beta: float,
    confidence: float,
    column: str = "",
) -> ScoreMeasures:
    """Measure one column of scores; `name` is what it is called in texts and pictures."""
    y, w = cases.labels(), cases.weights
    best = metrics.threshold_curve(y, scores, weights=w, beta=beta)
    matrix, rates, notes = None, None, []
    if threshold is None and (scores < 0).any() | (scores > 1).any():
        notes.append("scores lie outside [0, 1]: give --threshold for the confusion matrix")
    else:
        threshold = 0.5 if threshold is None else threshold
        counted = metrics.confusion_matrix(
            y, (scores >= threshold).astype(int), classes=[1, 0], weights=w
        )
        matrix = counted.counts.tolist()
        found = metrics.binary_rates(*(part[0] for part in counted.one_vs_rest()), beta=beta)
        rates = {rate: float(getattr(found, rate)) for rate in RATES}
    by_query = None if cases.queries is None else _by_query(cases, scores)
    return ScoreMeasures(
        name=name,
        threshold=threshold,
        matrix=matrix,
        rates=rates,
        average_precision=metrics.average_precision(y, scores, weights=w),
        auc=metrics.auc(y, scores, weights=w, confidence=confidence),
        best_threshold=best.best_threshold,
        best_f=best.best_f,
        beta=beta,
        mean_average_precision=(
            None if by_query is None else metrics.mean_average_precision(by_query)
        ),
        n_queries=None if by_query is None else sum(any(labels) for labels, _ in by_query),
        column=column or name,
        notes=tuple(notes),
        curves={
            "roc": metrics.roc_curve(y, scores, weights=w),
            "precision-recall": metrics.precision_recall_curve(y, scores, weights=w),
            "f-threshold": best,
        },
    )


def _by_query(cases: Cases, scores: Floats) -> list[tuple[list[int], list[float]]]:
    assert cases.queries is not None  # noqa: S101 - asked for by the caller
    found: dict[str, tuple[list[int], list[float]]] = {}
    for query, label, score in zip(cases.queries, cases.labels(), scores.tolist()):
        labels, own = found.setdefault(query, ([], []))
        labels.append(label)
        own.append(score)
    return list(found.values())


def measure_predictions(predicted: Sequence[Any], cases: Cases, *, beta: float) -> dict[str, Any]:
    """Measure one column of predicted classes: the confusion matrix and each class's rates."""
    counted = metrics.confusion_matrix(cases.truth, predicted, weights=cases.weights)
    rates = counted.rates(beta=beta)
    by_class = {
        show(name): {
            rate: float(getattr(rates, rate)[i]) for rate in ("precision", "recall", "f_beta")
        }
        for i, name in enumerate(counted.classes)
    }
    total = counted.counts.sum()
    return {
        "classes": list(counted.classes),
        "matrix": counted.counts.tolist(),
        "error": float(1 - np.trace(counted.counts) / total),
        "by_class": by_class,
    }


def score_lines(found: ScoreMeasures, positive: Any) -> list[str]:
    """Write the measures of one column of scores for people."""
    f = f"F{found.beta:g}"
    lines = [f"{found.name}"]
    if found.matrix is not None and found.rates is not None:
        lines.append(f"  at a threshold of {show(found.threshold)}:")
        names = [f"{positive}", "other"]
        lines += matrix_lines(names, found.matrix)
        rates = [f"{RATE_WORDS.get(k, k)} {show(v)}" for k, v in found.rates.items()]
        lines.append(f"  {', '.join(rates).format(beta=found.beta)}")
    auc = found.auc
    kind = f"{100 * auc.confidence:g}% interval ({INTERVALS[auc.interval]})"
    ends = f", {kind} {show(auc.ci_low)} to {show(auc.ci_high)}"
    lines += [
        f"  AUC {show(auc.auc)}{'' if np.isnan(auc.ci_low) else ends}",
        f"  average precision {show(found.average_precision)}",
        f"  largest {f} {show(found.best_f)} at a threshold of {show(found.best_threshold)}",
    ]
    if found.mean_average_precision is not None:
        lines.append(
            f"  mean average precision {show(found.mean_average_precision)} over "
            f"{found.n_queries:,} queries with positives"
        )
    return lines + [f"  note: {note}" for note in (*found.notes, *auc.notes)]


def prediction_lines(name: str, found: dict[str, Any], beta: float) -> list[str]:
    """Write the measures of one column of predicted classes for people."""
    lines = [name, *matrix_lines(list(map(show, found["classes"])), found["matrix"])]
    for label, rates in found["by_class"].items():
        words = [f"{RATE_WORDS.get(k, k)} {show(v)}" for k, v in rates.items()]
        lines.append(f"  {label}: {', '.join(words).format(beta=beta)}")
    return [*lines, f"  error {show(found['error'])}"]


def matrix_lines(names: Sequence[str], matrix: Sequence[Sequence[float]]) -> list[str]:
    """Write a confusion matrix: one row per true class, one column per predicted one."""
    head = ["", *(f"predicted {name}" for name in names)]
    rows = [[f"true {name}", *map(show, row)] for name, row in zip(names, matrix)]
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    return [
        "    "
        + "  ".join([line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])])
        for line in (head, *rows)
    ]


def draw(found: Sequence[ScoreMeasures], folder: Path) -> list[Path]:
    """Draw ROC and precision-recall curves of all scores, and F against the threshold of each."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror or error})") from error
    written = []
    for kind, corner in (("roc", "lower right"), ("precision-recall", "best")):
        axes = None
        for i, one in enumerate(found):
            axes = one.curves[kind].plot(axes, name=_legend_entry(kind, one), number=i)
        if axes is None:
            continue
        axes.set_title(TITLES[kind], fontsize=10)
        axes.legend(frameon=False, loc=corner)
        written.append(folder / f"{kind}.png")
        save_picture(axes, written[-1])
    for i, one in enumerate(found):
        ending = "" if len(found) == 1 else f"-{i + 1}-{_slug(one.name)}"
        axes = one.curves["f-threshold"].plot()
        axes.set_title(_plain(one.name), fontsize=10)
        written.append(folder / f"f-threshold{ending}.png")
        save_picture(axes, written[-1])
    return written


TITLES = {
    "roc": "ROC curves (gray: a random ranking)",
    "precision-recall": "Precision and recall (gray: the share of positives)",
}


def _legend_entry(kind: str, one: ScoreMeasures) -> str:
    """Return a name with the area under its curve."""
    if kind == "roc":
        low, high = one.auc.ci_low, one.auc.ci_high
        ends = "" if np.isnan(low) else f" ({low:.3f} to {high:.3f})"
        return f"{_plain(one.name)}: AUC {one.auc.auc:.3f}{ends}"
    return f"{_plain(one.name)}: average precision {one.average_precision:.3f}"


def _plain(name: str) -> str:
    """Return a name that the drawing takes for text, without formulas."""
    return name.replace("$", r"\$") if not name.startswith("_") else f" {name}"


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name)[:40].strip("-.") or "scores"
