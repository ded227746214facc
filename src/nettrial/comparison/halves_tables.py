"""Predictions on halves of the communities, from tables with the columns halving and part."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError
from ..io.guards import fail
from ..io.vocabulary import plain
from ..network.network import Network
from ..saved import read_predictions
from ..saved.names import text, whole
from ..saved.roles import chosen_rows
from ..saved.sources import Part, numbered, parts_of, renamed
from ..splits.base import Split
from .halves import WHOLE, Halves, Key
from .halves_files import name_of
from .multiple import MultipleComparison
from .options import Options
from .pair import named_pair
from .result import Comparison

NO_SPLIT = "there is no column 'split'"  # which was taken for the part
NETWORK_WORDS = {"", "-1", "network", "whole", "nan"}  # in the column halving: no half


def compare_on_halves(
    source: Any,
    halves: Halves,
    asked: Options,
    *,
    named: tuple[str | None, str | None],
    where: Mapping[str, object],
    settings: Mapping[str, Any],
) -> Comparison | MultipleComparison:
    """Judge models, by default all, by tables of predictions with the columns halving and part."""
    a, b = named
    models = None if a is None or b is None else (a, b)
    notes: list[str] = []
    tables = [
        chosen_rows(_without_network(numbered(part, notes)), where)
        for part in parts_of(source, partial(_part_named, halves), notes)
    ]
    found: dict[Key, dict[str, NDArray[np.floating]]] = {}
    sorted_rows: dict[tuple[int, int], list[Part]] = {}
    for part in tables:
        for key, rows in _by_part(part).items():
            sorted_rows.setdefault(key, []).append(rows)
    names: dict[str, None] = {}
    unknown = set(sorted_rows)
    for key, network, splits in _grouped(halves):
        unknown.discard(key)
        for name, made in _read(sorted_rows.get(key, []), key, network, splits, models, notes):
            names[name] = None
            for number, proba in made.items():
                found.setdefault(Key(*key, number), {})[name] = proba
    if unknown:
        raise _no_such_part(halves, name_of(*min(unknown)))
    order = models or tuple(names)
    if models is None and named != (None, None):
        order = named_pair(order, *named)
    if len(order) < 2:
        raise InputError(parameter="models", expected="at least two", got=f"{len(order)}")
    result = halves.judged(found, order, asked, settings)
    assumed = tuple(map(AssumptionWarning, dict.fromkeys(notes)))
    return replace(result, warnings=assumed + result.warnings)


def _without_network(part: Part) -> Part:
    """Return a table that is called as that of a model on the network, by the model's name."""
    return renamed(part, re.sub(r"[_\-. ]network$", "", part.stem))


def _part_named(halves: Halves, name: str) -> Network | None:
    """Return a part by its name, None for what is not called as one."""
    if name == name_of(WHOLE, 0):
        return halves.network
    found = re.fullmatch(r"halving(\d+)_part(\d+)", name)
    if found is None:
        return None
    halving, part = map(int, found.groups())
    if halving >= halves.plan.n_halvings or part > 1:
        raise _no_such_part(halves, name)
    return halves._part(2 * halving + part)[0]


def _no_such_part(halves: Halves, name: str) -> InputError:
    if name.endswith("_part-1"):
        return InputError(
            parameter="predictions", expected="a column 'part' (0 or 1) beside 'halving'",
            got="rows of a halving without one",
        )  # fmt: skip
    return InputError(
        f"predictions: has {name}, and there are halvings 0 to {halves.plan.n_halvings - 1} with "
        "the parts 0 and 1"
    )


def _grouped(
    halves: Halves,
) -> Iterator[tuple[tuple[int, int], Network, dict[int, Split]]]:
    """Yield every network with its splits by number."""
    for key, group in itertools.groupby(halves._divided(), lambda each: each[0][:2]):
        fits = list(group)
        yield key, fits[0][1], {fit.split: split for fit, _, split in fits}


def _by_part(part: Part) -> dict[tuple[int, int], Part]:
    """Divide a table by halving and part; rows without are of the network itself."""
    named = {plain(name): name for name in part.columns}
    size = len(next(iter(part.columns.values()), ()))
    codes = np.full((2, size), WHOLE)
    for row, name in zip(codes, ("halving", "part")):
        if name not in named:
            continue
        words = [whole(word).lower() for word in text(part.columns[named[name]]).tolist()]
        bad = [word for word in words if word not in NETWORK_WORDS and not word.isdecimal()]
        if bad:
            fail(
                part.name, f"column {named[name]!r}: expected a number, or network, got {bad[0]!r}"
            )
        row[:] = [WHOLE if word in NETWORK_WORDS else int(word) for word in words]
    codes[1][codes[0] == WHOLE] = 0
    others = {k: v for k, v in part.columns.items() if plain(k) not in ("halving", "part")}
    return {
        (int(pair[0]), int(pair[1])): replace(
            part,
            columns={k: np.asarray(v)[(pair == codes.T).all(axis=1)] for k, v in others.items()},
        )
        for pair in np.unique(codes, axis=1).T
    }


def _read(
    tables: Sequence[Part],
    key: tuple[int, int],
    network: Network,
    splits: Mapping[int, Split],
    models: tuple[str, ...] | None,
    notes: list[str],
) -> list[tuple[str, dict[int, NDArray[np.floating]]]]:
    """Read the predictions of a part, one model and split at a time."""
    found: dict[str, dict[int, NDArray[np.floating]]] = {}
    for table in tables:
        split_name = next((name for name in table.columns if plain(name) == "split"), None)
        size = len(next(iter(table.columns.values())))
        words = ["0"] * size if split_name is None else [
            whole(word) for word in text(table.columns[split_name]).tolist()
        ]  # fmt: skip
        if split_name is None and len(splits) > 1:
            what = "no number of a split in its name" if table.from_arrays else "no column 'split'"
            fail(table.name, f"has {what}, and {name_of(*key)} has {len(splits)} of them")
        if table.from_arrays and split_name is not None:  # by place: a part may use some splits
            numbers = dict(zip(map(str, range(len(splits))), map(str, splits)))
            words = [numbers.get(word, word) for word in words]
        for word in dict.fromkeys(words):
            number = next(iter(splits)) if split_name is None else _number(word)
            if number not in splits:
                fail(table.name, f"has the split {word} of {name_of(*key)}, which has "
                     f"{', '.join(map(str, splits))}")  # fmt: skip
            keep = np.array(words, dtype=object) == word
            columns = {k: np.asarray(v)[keep] for k, v in table.columns.items() if k != split_name}
            model = table.model or table.stem
            own = "model" in map(plain, columns) and not table.model
            source = columns if own or not model else {model: columns}
            try:
                read, more = read_predictions(source, network, splits=[splits[number]])
                more = tuple(note for note in more if not note.startswith(NO_SPLIT))
            except InputError as error:
                raise InputError(f"{Key(*key, number)}: {error}") from None
            notes += more
            for name in read.models:
                if models is None or name in models:
                    found.setdefault(name, {})[number] = read.probabilities[name][0]
    return list(found.items())


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else -1
