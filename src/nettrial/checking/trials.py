"""Single runs, from a table or a folder of them: budgets of tuning, splits, seeds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from os.path import isdir
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.errors import InputError
from ..core.wording import listed, plural
from ..io.guards import fail, read_text
from ..io.vocabulary import DATA_SET, MODEL_HEADS, plain, usual
from ..published.cells import read_cell
from ..published.layout import LOWER, Columns, columns_of
from ..published.table import Entry
from ..saved.sources import numbers_in
from ..stats.recommendation import recommend
from ..study.node_study import NOT_TESTED, Predictions
from .problem import Problem

FILES = (".json", ".jsonl", ".csv", ".tsv")
MOST_FILES = 20_000
SEED = re.compile(r"(.*[^a-z])?(seed|random[ _.-]?state|rng|init)s?", re.IGNORECASE)
SPLIT = re.compile(r"(.*[^a-z])?(split|fold)s?([ _.-]?(id|idx|number))?", re.IGNORECASE)
# a number of these; without the first word where it is the same in all rows of a model
NUMBER = re.compile(
    r"(n|no|num|number|count|#)?[ _.-]*(?:of[ _.-]*)?(?:splits|folds|seeds|runs|repeats)",
    re.IGNORECASE,
)
TRIALS = re.compile(r"(n|num|number of)?[ _.-]*(trials|configs|configurations|settings|budget)",
                    re.IGNORECASE)  # fmt: skip
SCORES = tuple(
    re.compile(rf"(.*[^a-z])?{word}([^a-z].*)?", re.IGNORECASE)
    for word in ("test[ _.-]?(acc|accuracy|f1|auc|score|error|mae|rmse)?", "accuracy|acc", "score",
                 "f1|auc", "error|err|mae|rmse", "value|mean")
)  # fmt: skip
NO_SETTING = re.compile(
    r"(.*[^a-z])?(acc|accuracy|f1|auc|score|loss|error|err|mae|rmse|time|seconds|duration|date|epochs?"
    r"|step|path|file|name|id|uuid|run|trial|host|device|gpu|memory|params|test|val|valid|train"
    r"|best|mean|sd|std|repeat|rep|iteration|runtime|walltime|elapsed|hours|minutes|ms|secs?|git|sha"
    r"|hash|commit|version|job|pid|user|tags?|notes?|status|flops|mem|ram|cpu|machine|started"
    r"|finished|created|precision|recall|auroc|mrr|nmi|ari|mcc|kappa|brier|ece)([^a-z].*)?",
    re.IGNORECASE,
)
# what is tuned, whatever its values are
SETTING = re.compile(
    r"(.*[^a-z])?(lr|learning[ _.-]?rate|weight[ _.-]?decay|wd|dropout|hidden|width|layers|depth"
    r"|heads|alpha|beta|gamma|lambda|temperature|k|hops|batch|optimizer|activation|norm|l1|l2|reg"
    r"|momentum|patience|embedding|channels|dim|smoothing)([^a-z].*)?",
    re.IGNORECASE,
)
# files and folders that are called after what they hold, and not after a model
UNNAMED = re.compile(
    r"(test[ _.-]?)?(metrics?|results?|summary|scores?|history|logs?|stats|eval|output|all|runs?"
    r"|final|config|args|params)|\d+", re.IGNORECASE
)  # fmt: skip
FEWEST_SEEDS = 3  # with one score, from which a seed seems to change nothing
LIKELY = 0.975  # quantile of t that a lead over seeds must pass
UNEQUAL = 2.0  # times the trials of another model, from which budgets are unequal
NAMED = 4
HUNDREDTH, CLOSE = 20.0, 1.5  # times: far apart, and the same but for a factor of 100


class Run(NamedTuple):
    """One run of a model."""

    model: str
    data_set: str
    # split, seed: empty where nothing says which
    split: str
    seed: str
    settings: tuple[str, ...]  # what else stands in its row, scores and times aside
    score: float
    better: int  # {1, -1}: whether more or less of the score is better
    trials: float  # how many settings were tried for it; NaN where nothing says


def runs_of(columns: Columns) -> tuple[Run, ...]:
    """Return the runs of a table with one row each; none where it is another table.

    Examples
    --------
    >>> table = {"model": ["gcn", "gcn"], "seed": ["1", "2"], "test_acc": ["0.8", "0.9"]}
    >>> [(run.model, run.seed, run.score) for run in runs_of(table)]
    [('gcn', '1', 0.8), ('gcn', '2', 0.9)]
    """
    model, data_set = usual(columns, MODEL_HEADS), usual(columns, DATA_SET)
    left = [n for n in columns if n not in (model, data_set) and not _counts(n, columns)]
    seed = next((name for name in left if SEED.fullmatch(name)), None)
    split = next((name for name in left if name != seed and SPLIT.fullmatch(name)), None)
    trials = next((name for name in left if TRIALS.fullmatch(name)), None)
    left = [name for name in left if name not in (seed, split, trials)]
    score = next((n for form in SCORES for n in left if form.fullmatch(n)), None)
    if model is not None and score is None and trials is not None:
        return _of_data_sets(columns, model, data_set, trials, left)
    if model is None or score is None:
        return ()
    others = [name for name in left if name != score and _is_setting(name, columns[name])]
    if seed is None and split is None and trials is None and not others:
        return ()
    better = -1 if LOWER.search(score) else 1
    found = []
    for row in range(len(columns[model])):
        cell = read_cell(columns[score][row])
        if cell is None or math.isnan(cell.mean):
            continue
        of = {name: "" if name is None else columns[name][row] for name in (data_set, split, seed)}
        tried = None if trials is None else read_cell(columns[trials][row])
        settings = tuple(f"{name}={columns[name][row]}" for name in others)
        mean = cell.mean / 100 if cell.percent else cell.mean
        found.append(Run(columns[model][row], of[data_set], of[split], of[seed], settings,
                         mean, better, math.nan if tried is None else tried.mean))  # fmt: skip
    return tuple(found)


def _of_data_sets(
    columns: Columns, model: str, data_set: str | None, trials: str, scores: Sequence[str]
) -> tuple[Run, ...]:
    """Return a run for each model and column of scores, of a table that counts trials."""
    found = []
    for row, name in enumerate(columns[model]):
        tried = read_cell(columns[trials][row])
        for column in scores:
            cell = read_cell(columns[column][row])
            if cell is not None and tried is not None and not math.isnan(cell.mean):
                of = column if data_set is None else columns[data_set][row]
                found.append(Run(name, of, "", "", (), cell.mean, 1, tried.mean))
    return tuple(found)


def _is_setting(name: str, cells: Sequence[str]) -> bool:
    """Return whether a column can hold settings: what is measured differs from run to run.

    Examples
    --------
    >>> _is_setting("lr", ["0.01", "0.1"]), _is_setting("energy", ["20.1", "19.7"])
    (True, False)
    """
    if NO_SETTING.fullmatch(name):
        return False
    return SETTING.fullmatch(name) is not None or 2 * len(set(cells)) <= len(cells)


def _counts(name: str, columns: Columns) -> bool:
    """Return whether a column says how many splits, seeds or runs are behind a mean.

    Examples
    --------
    >>> table = {"model": ["gcn", "gat"], "splits": ["10", "3"], "mean": ["0.8", "0.9"]}
    >>> _counts("splits", table), _counts("splits", table | {"model": ["gcn", "gcn"]})
    (True, False)
    """
    called, cells = NUMBER.fullmatch(name), map(read_cell, columns[name])
    if called is None or not all(c and (math.isnan(c.mean) or c.mean % 1 == 0) for c in cells):
        return False
    if called[1]:
        return True
    keys = [columns[key] for key in (usual(columns, MODEL_HEADS), usual(columns, DATA_SET)) if key]
    of_rows = {(*row, n) for *row, n in zip(*keys, columns[name])}
    return len(of_rows) == len(set(zip(*keys)))


def read_runs(folder: Path) -> Columns:
    """Read the runs of a folder: JSON objects, JSON lines, or tables, in any subfolder.

    What a file does not say, its name and those of its folders do: ``gcn_seed0.json`` and
    ``gcn/seed-0/metrics.json`` are of the model gcn and the seed 0.
    """
    rows: list[dict[str, str]] = []
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in FILES and p.is_file())
    if len(paths) > MOST_FILES:
        fail(folder, f"holds {len(paths):,} files of runs; expected at most {MOST_FILES:,}")
    for path in paths:
        for row in _rows(path):
            rows.append(_called(path.relative_to(folder), row))
    if not rows:
        fail(folder, f"holds no runs ({', '.join(FILES)})")
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name, "") for row in rows] for name in names}


def _called(path: Path, row: dict[str, str]) -> dict[str, str]:
    """Return a run with its model, seed and split, from the names of its file and folders."""
    parts = [*path.parts[:-1], path.stem]
    named = [numbers_in(part) for part in parts]
    heads = {*map(plain, row)}
    for numbers, _ in named:
        row |= {
            word: str(n) for word, n in numbers.items() if word not in ("part", "trial", *heads)
        }
    if usual(row, MODEL_HEADS) is None:
        models = [rest for _, rest in named if rest and not UNNAMED.fullmatch(rest)]
        row["model"] = models[0] if models else parts[0]
    return row


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.suffix.lower() in (".csv", ".tsv"):
        columns = columns_of(path)
        size = len(next(iter(columns.values())))
        yield from ({name: cells[k] for name, cells in columns.items()} for k in range(size))
        return
    text = read_text(path).decode("utf-8", "replace")
    try:
        found = ([json.loads(line) for line in text.splitlines() if line.strip()]
                 if path.suffix.lower() == ".jsonl" else json.loads(text))  # fmt: skip
    except (ValueError, RecursionError) as error:
        fail(path, f"is no JSON ({error})")
    for each in found if isinstance(found, list) else [found]:
        if isinstance(each, dict):
            yield dict(_flat(each))


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the entries of nested objects by their last name, lists left out."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value)
        elif isinstance(value, (str, int, float, bool)):
            yield str(name), str(value)


def seeded(found: Predictions) -> tuple[Run, ...]:
    """Return the accuracy of each model with each training seed as runs."""
    runs = []
    for seed, of in enumerate(found.runs if found.reseeded else ()):
        for model in of.models:
            errors = of.errors(model)
            for split, row in enumerate(errors):
                rate = float(row[row != NOT_TESTED].mean())
                runs.append(Run(model, "", str(split), str(seed), (), 1 - rate, 1, math.nan))
    return tuple(runs)


def _named(names: Sequence[str]) -> str:
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return listed([*names[:NAMED], *more])


def _by_model(runs: Sequence[Run]) -> dict[str, dict[str, list[Run]]]:
    """Return the runs of each data set by model."""
    found: dict[str, dict[str, list[Run]]] = {}
    for run in runs:
        found.setdefault(run.data_set, {}).setdefault(run.model, []).append(run)
    return found


def check_same_runs(runs: Sequence[Run]) -> Problem | None:
    """Find models that ran on other splits, or on fewer seeds, than their rivals."""
    wrong, seen = [], 0
    for data_set, models in _by_model(runs).items():
        splits = {name: {run.split for run in of} for name, of in models.items()}
        seeds = {name: len({run.seed for run in of}) for name, of in models.items()}
        everywhere = set.union(*splits.values())
        short = [name for name, of in splits.items() if of != everywhere]
        short += [m for m, n in seeds.items() if n < max(seeds.values()) and m not in short]
        seen += len(models)
        where = f" on {data_set}" if data_set else ""
        wrong += [
            f"{m}{where} ({plural(len(splits[m]), 'split')}, {plural(seeds[m], 'seed')})"
            for m in short
        ]
    if not wrong:
        return None
    text = f"other splits or fewer seeds than the others: {_named(wrong)}"
    return Problem(True, float(len(wrong)), float(seen), "models", text)


def check_scales(runs: Sequence[Run], entries: Sequence[Entry]) -> Problem | None:
    """Find scores that are proportions beside percentages: like the others when times 100."""
    scores: dict[str, list[tuple[str, float]]] = {}
    for run in runs:
        scores.setdefault(run.data_set, []).append((run.model, run.score))
    for entry in entries:
        scores.setdefault(entry.data_set, []).append((entry.model, entry.mean))
    wrong, size = [], 0
    for data_set, of in scores.items():
        values = np.array([score for _, score in of])
        upper = values[values > values.max() / HUNDREDTH]
        usual_one = float(np.median(upper)) if values.max() > 0 else 0.0
        small = (100 * values > usual_one / CLOSE) & (100 * values < usual_one * CLOSE)
        if not small.any() or values.max() > 100:
            continue
        fewer = small if 2 * small.sum() <= values.size else ~small
        models = dict.fromkeys(name for (name, _), odd in zip(of, fewer) if odd)
        size += int(fewer.sum())
        where = f" on {data_set}" if data_set else ""
        wrong.append(f"{_named(list(models))}{where} ({values[fewer][0]:.4g} beside "
                     f"{np.median(values[~fewer]):.4g})")  # fmt: skip
    if not wrong:
        return None
    total = float(sum(map(len, scores.values())))
    text = f"proportions beside percentages: {'; '.join(wrong[:NAMED])}"
    return Problem(True, float(size), total, "scores", text, "likely")


def check_budgets(runs: Sequence[Run]) -> Problem | None:
    """Find models of which far more settings were tried than of others."""
    tried: dict[str, float] = {}
    for models in _by_model(runs).values():
        for model, of in models.items():
            known = [run.trials for run in of if not math.isnan(run.trials)]
            number = max(known) if known else float(len({run.settings for run in of}))
            tried[model] = max(number, tried.get(model, 0.0))
    if len(tried) < 2 or max(tried.values()) < UNEQUAL * min(tried.values()):
        return None
    fewer = [model for model, n in tried.items() if UNEQUAL * n <= max(tried.values())]
    numbers = [f"{name} {tried[name]:,.0f}" for name in sorted(tried, key=tried.__getitem__)]
    text = f"settings that were tried: {_named(numbers)}"
    return Problem(True, float(len(fewer)), float(len(tried)), "models", text)


def check_tuned(found: Predictions) -> Problem | None:
    """Note that some models chose settings inside their training sets and others did not."""
    tuned = [model for model in found.models if found.chosen(model)]
    if not tuned or len(tuned) == len(found.models):
        return None
    rest = [model for model in found.models if model not in tuned]
    text = f"settings were chosen for {_named(tuned)}, and none for {_named(rest)}"
    return Problem(False, float(len(rest)), float(len(found.models)), "models", text)


def check_only_seeds(runs: Sequence[Run]) -> Problem | None:
    """Note runs that differ in nothing but the training seed."""
    concerned = []
    for data_set, models in _by_model(runs).items():
        splits = {run.split for of in models.values() for run in of}
        seeds = {run.seed for of in models.values() for run in of}
        if len(splits) == 1 and len(seeds) > 1:
            concerned.append(data_set or "the data set")
    if not concerned:
        return None
    number = len({run.model for run in runs})
    text = (
        f"on {_named(concerned)} the runs of a model differ in the training seed alone; their "
        "spread says nothing of other splits, nor of other networks"
    )
    advised = recommend(classifiers=max(2, number), test_sets=1, grouped=True)
    instead = f"`recommend` for one test set of a network: {advised.test}"
    total = float(len(_by_model(runs)))
    return Problem(False, float(len(concerned)), total, "data sets", text, instead=instead)


def check_moved_by_seeds(runs: Sequence[Run]) -> Problem | None:
    """Find winners whose lead other seeds may turn: not significant by a t-test over seeds.

    Of several settings of a model the best one that ran with two seeds or more counts.
    """
    wrong, seen = [], 0
    for data_set, first, second, leads in seed_leads(runs):
        seen += 1
        moved, lead = float(leads.std(ddof=1)), float(leads.mean())
        if lead * math.sqrt(leads.size) < moved * special.stdtrit(leads.size - 1, LIKELY):
            where = f" on {data_set}" if data_set else ""
            wrong.append(
                f"{first} over {second}{where} by {lead:.3g}, SD {moved:.2g} over seeds, ahead "
                f"with {int((leads > 0).sum())} of {leads.size}"
            )
    if not wrong:
        return None
    text = f"leads that a seed moves: {'; '.join(wrong[:NAMED])}"
    instead = "`compare` with n_seeds counts seeds as a source of variance"
    return Problem(True, float(len(wrong)), float(seen), "winners", text, "likely", instead)


def seed_leads(runs: Sequence[Run]) -> Iterator[tuple[str, str, str, NDArray[np.float64]]]:
    """Yield each data set with its two best models and the lead of the first with each seed."""
    for data_set, models in _by_model(runs).items():
        by_seed = {model: _best(of) for model, of in models.items()}
        if len(by_seed) < 2 or min(map(len, by_seed.values())) < 2:
            continue
        means = {model: float(np.mean(list(of.values()))) for model, of in by_seed.items()}
        first, second = sorted(means, key=means.__getitem__, reverse=True)[:2]
        common = sorted(by_seed[first].keys() & by_seed[second].keys())
        if len(common) > 1:
            leads = [by_seed[first][seed] - by_seed[second][seed] for seed in common]
            yield data_set, first, second, np.array(leads)


def _best(runs: Sequence[Run]) -> dict[str, float]:
    """Return the mean score with each seed of the best settings; empty without two seeds."""
    by_settings: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        by_settings.setdefault(run.settings, []).append(run)
    means = [of for of in map(_means, by_settings.values()) if len(of) > 1]
    return max(means, key=lambda of: float(np.mean(list(of.values()))), default={})


def unmoved_by_seeds(runs: Sequence[Run]) -> dict[str, int]:
    """Return how many seeds gave each model, of which every score is the same, that score."""
    found: dict[str, int] = {}
    moved: set[str] = set()
    groups: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        if run.seed:
            key = run.model, run.data_set, run.split, run.settings
            groups.setdefault(key, []).append(run)
    for (model, *_), of in groups.items():
        if len({run.score for run in of}) > 1:
            moved.add(model)
        found[model] = max(found.get(model, 0), len({run.seed for run in of}))
    return {m: n for m, n in found.items() if n >= FEWEST_SEEDS and m not in moved}


def _means(runs: Sequence[Run]) -> dict[str, float]:
    """Return the mean score with each seed, more being better."""
    by_seed: dict[str, list[float]] = {}
    for run in runs:
        if run.seed:
            by_seed.setdefault(run.seed, []).append(run.better * run.score)
    return {seed: float(np.mean(scores)) for seed, scores in by_seed.items()}


def table_runs(given: Any) -> tuple[Run, ...]:
    """Return the runs that a table, or the tables and JSON of a folder, hold."""
    if isinstance(given, (str, PathLike)) and isdir(given):
        found = runs_of(read_runs(Path(given)))
        if not found:
            raise InputError(
                f"{given}: the runs have no column of models with a score, a seed, a split or a "
                "setting beside it"
            )
        return found
    return runs_of(columns_of(given))
