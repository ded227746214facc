"""Which column of a table of predictions says what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import not_found, shown
from ..core.option_names import option
from ..io.columns import is_index_name, is_number
from ..io.guards import fail
from ..io.vocabulary import (
    CONFIDENCE,
    EXPERIMENT,
    ID,
    LOGIT,
    MODEL,
    OF_TRUE,
    POSITION,
    PREDICTION,
    PROBABILITY,
    SET,
    SET_NAMES,
    SPLIT,
    TRUTH,
    all_usual,
    plain,
    set_of,
    usual,
)
from ..network.network import Network
from .names import FLAGS, before_export, text, whole
from .sources import Columns, Part

LISTED = 8
NODES = (*ID, *POSITION)


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of one table by what they say; None where there is none."""

    node: str  # its nodes
    split: tuple[str, ...]  # columns that may number the splits, the usual one first
    model: str | None
    label: str | None
    prediction: str | None
    probabilities: Mapping[str, str]  # the column of each class by the name of the class
    # of_true, confidence: the probability of the true class, and of the predicted class or of one
    # of two classes
    of_true: str | None
    confidence: str | None
    # the column of each model, in a table without columns for model and prediction
    wide: Mapping[str, str]


def roles_of(
    part: Part, classes: Sequence[str], notes: list[str], *, numeric: bool = False
) -> Roles:
    """Recognize the columns of a table by their names.

    What was assumed is added to `notes`; `numeric` says that numbers are predicted, and no classes.
    """
    names = list(part.columns)
    bare = _bare_classes(names, classes)
    others = [name for name in names if name not in bare.values()]
    node = usual(others, NODES) or _ids(others) or _row_numbers(others, notes)
    if node is None:
        what = (
            "it holds the ids of the nodes (row numbers are taken for it beside a column of "
            "true labels; scores of whole splits are compared by nettrial test)"
        )
        raise not_found("column", "node", map(_shown, names), part.name, hint=what)
    prefixed = {} if numeric else _prefixed(others, classes)
    found = Roles(
        node=node,
        split=tuple(
            name for name in all_usual(others, SPLIT) if not _holds_sets(part.columns[name])
        ),
        model=usual(others, MODEL),
        label=usual(others, TRUTH),
        prediction=usual(others, PREDICTION),
        probabilities=prefixed or bare,
        of_true=None if prefixed or numeric else usual(others, OF_TRUE),
        confidence=None if prefixed or numeric else usual(others, CONFIDENCE),
        wide={},
    )
    logits = [name for name in names if plain(name).startswith(LOGIT) and not numeric]
    if found.prediction is None and not found.probabilities:
        found = _wide_or_single(part, found, None if numeric else classes, logits, notes)
    elif logits:
        notes.append(
            f"logits are not used ({', '.join(logits[:LISTED])}): for measures of probabilities "
            "apply softmax to each row and call the columns p_CLASS"
        )
    _check_experiments(part, found)
    return found


def _ids(names: Sequence[str]) -> str | None:
    """Return the only column whose name ends in id, as user_id, and says nothing else."""
    known = {*SPLIT, *MODEL, *TRUTH, *PREDICTION, *EXPERIMENT}
    found = [
        name
        for name in names
        if plain(name).endswith("_id") and not {plain(name), plain(name)[:-3]} & known
    ]
    return found[0] if len(found) == 1 else None


def _row_numbers(names: Sequence[str], notes: list[str]) -> str | None:
    """Return the column of row numbers, as pandas writes it, where labels can prove its order."""
    found = [name for name in names if is_index_name(name)]
    if len(found) != 1 or usual(names, TRUTH) is None:
        return None
    notes.append("no column names the nodes: row numbers are taken for them, which the labels fit")
    return found[0]


def _bare_classes(names: Sequence[str], classes: Sequence[str]) -> dict[str, str]:
    """Find columns that are called as classes; words for other columns count if all are there."""
    words = {*SPLIT, *NODES, *MODEL, *TRUTH, *PREDICTION}
    found = {name: name for name in names if name in classes}
    if len(found) == len(classes) and not {"prediction", "label"} & set(found):
        return found
    return {name: name for name in found if plain(name) not in words}


def _prefixed(names: Sequence[str], classes: Sequence[str]) -> dict[str, str]:
    """Find columns called p_CLASS; words such as p_true stand for a class only if it is one."""
    found = {}
    for name in names:
        for prefix in PROBABILITY:
            rest = name[len(prefix) :]
            special = plain(name) in (*OF_TRUE, *CONFIDENCE) and rest not in classes
            if name.lower().startswith(prefix) and rest and not special:
                found[rest] = name
                break
    return found


def _wide_or_single(
    part: Part,
    found: Roles,
    classes: Sequence[str] | None,
    logits: Sequence[str],
    notes: list[str],
) -> Roles:
    """Take columns of classes, or numbers, for one model each where none is a prediction."""
    names = list(part.columns)
    if logits:
        fail(
            part.name,
            f"expected predictions or probabilities, got logits ({', '.join(logits[:LISTED])}); "
            "apply softmax to each row and call the columns p_CLASS",
        )
    if found.of_true is not None and classes is not None and len(classes) == 2:
        return found
    roles = {found.node, *found.split, found.label, found.of_true, *all_usual(names, NODES)}
    roles |= {*all_usual(names, SET), *all_usual(names, EXPERIMENT)}
    wide, unused = _models_by_column(part, roles, classes) if found.model is None else ({}, [])
    if not wide:
        hint = "expected 'prediction', or a column of numbers for each model"
        if classes is not None:
            wanted = ", ".join(f"p_{name}" for name in classes[:3])
            hint = (
                f"expected 'prediction', a probability column for each class ({wanted}, ...), or a "
                "column of classes for each model"
            )
            if found.confidence is not None:
                unclear = f"{found.confidence!r} does not say of which class it is the probability"
                hint = f"{unclear}; {hint}"
        raise not_found("column", "prediction", map(_shown, names), part.name, hint=hint)
    notes.append(
        f"no column is called model and prediction: {', '.join(wide.values())} "
        f"{'are' if len(wide) > 1 else 'is'} taken for the predictions of one model each"
        + (f"; not used: {', '.join(unused[:LISTED])}" if unused else "")
    )
    return replace(found, model=None, of_true=None, confidence=None, wide=wide)


def _models_by_column(
    part: Part, roles: Collection[str | None], classes: Sequence[str] | None
) -> tuple[dict[str, str], list[str]]:
    """Find the columns that hold classes (or numbers) alone, and those of anything else."""
    allowed = set() if classes is None else {*classes, *map(str, range(len(classes)))}
    if classes is not None and len(classes) == 2:
        allowed |= set(FLAGS)
    wide: dict[str, str] = {}
    unused: list[str] = []
    for name, values in part.columns.items():
        if name in roles or not name.strip() or name.startswith("Unnamed"):
            continue
        words = {whole(word) for word in set(text(values).tolist()) - {""}}
        if words and (words <= allowed if classes is not None else all(map(is_number, words))):
            wide[name] = _model_name(name)
        else:
            unused.append(name)
    called = {name for name, model in wide.items() if name != model}
    unused += [name for name in wide if called and name not in called]
    models = {model: name for name, model in wide.items() if not called or name in called}
    return models, unused


def _model_name(column: str) -> str:
    """Remove the words for predictions from the name of a model's column.

    Examples
    --------
    >>> _model_name("pred_gcn"), _model_name("gcn prediction"), _model_name("gcn")
    ('gcn', 'gcn', 'gcn')
    """
    for word in sorted(PREDICTION, key=len, reverse=True):
        size = len(word) + 1
        if plain(column).startswith(f"{word}_"):
            return column[size:]
        if plain(column).endswith(f"_{word}"):
            return column[:-size]
    return column


def _holds_sets(values: NDArray[Any]) -> bool:
    words = {word and set_of(word) for word in set(text(values).tolist())}
    return "test" in words and words <= {*SET_NAMES}


def tested_rows(part: Part, notes: list[str]) -> Part:
    """Keep the test rows of a table that says which set a row belongs to."""
    for name in all_usual(part.columns, SET):
        if not _holds_sets(part.columns[name]):
            continue
        keep = np.array([set_of(word) == "test" for word in text(part.columns[name])])
        if not keep.all():
            notes.append(f"{(~keep).sum()} rows are of other sets than test ({name!r}); left out")
        columns = {key: values[keep] for key, values in part.columns.items() if key != name}
        return replace(part, columns=columns)
    return part


def chosen_rows(part: Part, where: Mapping[str, object], network: Network | None = None) -> Part:
    """Keep the rows that have the wanted values, in which exported text is as it was."""
    known: list[Any] = []
    if network is not None:
        known = [*network.ids.tolist(), *network.classes, *(f"p_{c}" for c in network.classes)]
    columns = before_export(part.columns, [name for name in known if isinstance(name, str)])
    for name, wanted in where.items():
        if name not in columns:
            raise not_found("column", name, map(_shown, columns), part.name)
        words = np.array([whole(word) for word in text(columns[name]).tolist()], dtype=object)
        keep = words == whole(str(wanted))
        if not keep.any():
            raise not_found("value", str(wanted), dict.fromkeys(words), f"{part.name}, {name}")
        columns = {key: values[keep] for key, values in columns.items() if key != name}
    return replace(part, columns=columns)


def _check_experiments(part: Part, roles: Roles) -> None:
    """Refuse several experiments in one table: rows of two designs are not splits of one."""
    taken = {roles.node, roles.model, roles.label, roles.prediction, *roles.split,
             *roles.probabilities.values(), *roles.wide.values()}  # fmt: skip
    for name in all_usual(part.columns, EXPERIMENT):
        words = list(dict.fromkeys(text(part.columns[name]).tolist()))
        if name not in taken and len(words) > 1:
            fail(
                part.name,
                f"column {shown(name)} has {len(words):,} values ({', '.join(words[:LISTED])}); "
                f"choose one by {option('where', f'{name}={words[0]}')}",
            )


def differing(columns: Columns, used: Sequence[str], rows: NDArray[np.intp]) -> str:
    """Return the names of the columns in which some rows differ, for an error."""
    found = []
    for name, values in columns.items():
        words = list(dict.fromkeys(text(values[rows]).tolist()))
        if name not in used and len(words) > 1:
            found.append(f"{name!r} ({', '.join(words[:4])})")
    return ", ".join(found)


def _shown(name: str) -> str:
    return name if name.strip() else "(no name)"
