"""Class names, class codes and probabilities in columns, checked against the network's classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown, unknown_choice
from ..core.wording import listed
from ..io.columns import is_number
from ..io.guards import fail
from ..models.decide import TIED
from ..network.network import Network
from ..network.node_values import MISSING
from .names import FLAGS, text, whole
from .roles import Roles
from .sources import Part

SUM_TOLERANCE = 1e-3  # as for the probabilities of a model that is run
Codes = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decoder:
    """How the classes of one table are written."""

    name: str  # what errors call the table
    classes: tuple[str, ...]  # names of the network's classes
    codes: Mapping[str, int]  # the class of each word that may stand for one

    def code(self, word: str) -> int:
        """Return the code of a class, or -1 for a word that is none."""
        return self.codes.get(word, self.codes.get(whole(word), MISSING))

    def codes_of(self, words: NDArray[Any]) -> Codes:
        """Return the codes of words, -1 for those that are no class."""
        import pandas as pd

        places, names = pd.factorize(words)
        return np.array([self.code(name) for name in names], dtype=np.intp)[places]

    def read(self, values: NDArray[Any], column: str) -> Codes:
        """Return the codes of a column of classes."""
        words = text(values)
        found = self.codes_of(words)
        bad = found == MISSING
        if bad.any():
            # numbers in range are not what is wrong where others are out of it
            numbers = {str(place) for place in range(len(self.classes))}
            odd = next((word for word in words[bad] if whole(word) not in numbers), words[bad][0])
            raise unknown_choice(
                f"{self.name}: class in the column {shown(column)}, {bad.sum()} rows",
                odd,
                self.codes,
            )
        return found


def decoder(part: Part, roles: Roles, network: Network, nodes: Codes, notes: list[str]) -> Decoder:
    """Return whether a table writes classes by name or by number.

    Numbers from 0 stand for the classes in the network's order, unless a column of true labels
    shows that they stand for them in another.
    """
    names = tuple(map(str, network.classes))
    by_name = {name: code for code, name in enumerate(names)}
    columns = [roles.prediction, *roles.wide.values()]
    predicted = {
        word
        for name in columns
        if name is not None
        for word in set(text(part.columns[name]).tolist())
    }
    words = {whole(word) for word in predicted | set(roles.probabilities)} - {""}
    labels = None if roles.label is None else text(part.columns[roles.label])
    true = set() if labels is None else {whole(word) for word in labels.tolist()} - {""}
    flags, numbers = words | true, {str(code): code for code in range(len(names))}
    # one cell that is neither, among flags or numbers, is wrong by itself: not all others are
    if len(names) == 2 and flags & set(FLAGS) and not flags & {*names, *numbers}:
        flags &= set(FLAGS)
        words, true = ({FLAGS.get(word, word) for word in found} for found in (words, true))
        if labels is not None:
            labels = np.array([FLAGS.get(word, word) for word in labels.tolist()], dtype=object)
    else:
        flags = set()
    called = predicted | set(roles.probabilities) - {""} <= set(names) or words <= set(names)
    used = words | true
    other = not used <= set(numbers) and (used & set(names) or not used & set(numbers))
    if (called and true <= set(names)) or other:
        return Decoder(part.name, names, by_name)
    if labels is not None:
        numbers = _shown_by_labels(labels, network, nodes) or numbers
    note = ", ".join(f"{word} is {names[code]}" for word, code in list(numbers.items())[:5])
    more = ", ..." if len(numbers) > 5 else ""
    shown = "as the column of labels shows" if labels is not None else "in the network's order"
    notes.append(f"numbers are taken for classes {shown}: {note}{more}")
    return Decoder(part.name, names, numbers | {word: numbers[FLAGS[word]] for word in flags})


def _shown_by_labels(labels: NDArray[Any], network: Network, nodes: Codes) -> dict[str, int] | None:
    """Return the class that each number stands for in a column of labels, None if none is clear."""
    own = network.labels[nodes]
    words = np.array([whole(word) for word in labels.tolist()], dtype=object)
    found: dict[str, int] = {}
    for word in sorted(set(words.tolist()) & {str(k) for k in range(network.n_classes)}, key=int):
        seen = np.unique(own[(words == word) & (own != MISSING)])
        if seen.size != 1 or int(seen[0]) in found.values():
            return None
        found[word] = int(seen[0])
    rest = [str(k) for k in range(network.n_classes) if str(k) not in found]
    left = [k for k in range(network.n_classes) if k not in found.values()]
    # one number that no label shows can only be the one class that is left
    return found | dict(zip(rest, left)) if len(rest) <= 1 else None


def check_labels(part: Part, roles: Roles, code: Decoder, network: Network, nodes: Codes) -> None:
    """Refuse labels that are not the network's."""
    if roles.label is None:
        return
    words = text(part.columns[roles.label])
    own = network.labels[nodes]
    given = code.codes_of(words)
    wrong = (given != own) & (own != MISSING)
    if wrong.any():
        row = int(np.argmax(wrong))
        fail(
            part.name,
            f"the label of {wrong.sum():,} rows is not the network's, first row {row + 1}: node "
            f"{network.ids[nodes[row]]} has {shown(code.classes[own[row]])}, column "
            f"{shown(roles.label)} says {shown(words[row])}",
        )


def probabilities(
    part: Part, roles: Roles, code: Decoder, own: Codes, notes: list[str], *, raw: bool = False
) -> NDArray[np.float32]:
    """Return the class probabilities of each row; a bare prediction has the probability 1.

    `own` is the true class of the node of each row. With `raw` numbers stay as they are, logits
    too.
    """
    predicted = None
    if roles.prediction is not None:
        predicted = code.read(part.columns[roles.prediction], roles.prediction)
    if roles.probabilities:
        proba = _of_columns(part, roles, code, notes, raw)
        if predicted is not None:
            _check_agreement(part.name, predicted, proba)
        return proba.astype(np.float32)
    single = _of_one_column(part, roles, code, predicted, own, notes)
    if single is not None:
        return single.astype(np.float32)
    return np.eye(len(code.classes), dtype=np.float32)[predicted]


def _of_columns(part: Part, roles: Roles, code: Decoder, notes: list[str], raw: bool) -> Floats:
    names = {}
    for name, column in roles.probabilities.items():
        names[column] = code.code(name)
        if names[column] == MISSING:
            raise unknown_choice(
                f"{part.name}: class of the column {shown(column)}", name, code.classes
            )
    if len(set(names.values())) != len(names):
        fail(part.name, f"two of the columns {', '.join(names)} are of the same class")
    proba = np.zeros((len(part.columns[roles.node]), len(code.classes)))
    for column, place in names.items():
        proba[:, place] = numbers(part.name, column, part.columns[column])
    if len(code.classes) == 2 and len(names) == 1:
        place = next(iter(names.values()))
        proba[:, 1 - place] = 1 - proba[:, place]
        notes.append(
            f"{next(iter(names))!r} is the probability of one of two classes; the other "
            "has the rest"
        )
    elif len(names) < len(code.classes):
        absent = [c for place, c in enumerate(code.classes) if place not in names.values()]
        notes.append(f"classes without a column have the probability 0: {', '.join(absent)}")
    if raw and np.isfinite(proba).all():
        return proba
    if len(names) == len(code.classes):
        _normalize(proba, part, roles, notes)
    _check_probabilities(part.name, proba)
    return proba


def _normalize(proba: Floats, part: Part, roles: Roles, notes: list[str]) -> None:
    """Turn the logits of each model into probabilities; those of other models stay."""
    models = np.zeros(len(proba)) if roles.model is None else text(part.columns[roles.model])
    found: dict[str, list[str]] = {}
    names = dict.fromkeys(models.tolist())
    for model in names:
        rows = models == model
        if what := unnormalized(proba[rows]):
            found.setdefault(what, []).append(str(model))
            powers = np.exp(proba[rows] - proba[rows].max(axis=1, keepdims=True))
            proba[rows] = powers / powers.sum(axis=1, keepdims=True)
    for what, several in found.items():
        of = f" of {listed(several)}" if len(several) < len(names) else ""
        notes.append(f"{what}{of} were turned into probabilities: the softmax of each row")


def _of_one_column(
    part: Part,
    roles: Roles,
    code: Decoder,
    predicted: Codes | None,
    own: Codes,
    notes: list[str],
) -> Floats | None:
    """Use one probability per row where it says what both of two classes have."""
    column = roles.of_true if roles.of_true is not None else roles.confidence
    if column is None:
        return None
    if len(code.classes) > 2:
        notes.append(
            f"{column!r} holds one probability per row, but {len(code.classes)} classes need one "
            "each: it is set aside, and measures of probabilities are not available"
        )
        return None
    values = numbers(part.name, column, part.columns[column])
    if not ((values >= 0) & (values <= 1)).all():
        if predicted is None:
            fail(part.name, f"column {shown(column)} holds values that are no probabilities")
        notes.append(f"{column!r} holds values that are no probabilities; it is set aside")
        return None
    rows = np.arange(values.size)
    for of, what in _meanings(roles, code, predicted, own):
        proba = np.empty((values.size, 2))
        proba[rows, of], proba[rows, 1 - of] = values, 1 - values
        if predicted is None or (proba[rows, predicted] >= proba.max(axis=1) - TIED).all():
            notes.append(f"{column!r} is taken for the probability of {what}")
            return proba
    notes.append(f"{column!r} does not go with the predictions in all rows; it is set aside")
    return None


def _meanings(
    roles: Roles, code: Decoder, predicted: Codes | None, own: Codes
) -> list[tuple[Codes, str]]:
    """Return the classes that one probability per row may be of, the likeliest first."""
    if roles.of_true is not None:
        return [(np.maximum(own, 0), "the true class")]
    if predicted is None:
        return []
    classes = [(np.full_like(predicted, c), f"the class {code.classes[c]}") for c in (1, 0)]
    return [(predicted, "the predicted class"), *classes]


def numbers(name: str, column: str, values: NDArray[Any]) -> Floats:
    """Return a column as numbers."""
    import pandas as pd

    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    words = text(values)
    found = pd.to_numeric(pd.Series(words), errors="coerce").to_numpy(np.float64)
    bad = words[np.isnan(found)].tolist()
    if bad:
        # one such value leaves the decimal commas of all others as they are
        bad = [word for word in bad if not is_number(word)] or bad
        fail(
            name,
            f"column {shown(column)} has {len(bad)} values that are no numbers, such as "
            f"{shown(bad[0])}",
        )
    return np.asarray(found)


def unnormalized(values: Floats) -> str:
    """Return what scores are that are no probabilities, but clearly logits or logarithms of these.

    They have values outside [0, 1], and most of their rows add up to neither 1 nor 100.
    """
    if not values.size or not np.isfinite(values).all() or (0 <= values.min() <= values.max() <= 1):
        return ""
    total = values.sum(axis=1)
    usual = (np.abs(total - 1) <= SUM_TOLERANCE) | (np.abs(total - 100) <= 100 * SUM_TOLERANCE)
    if 2 * np.count_nonzero(usual) >= total.size:
        return ""
    with np.errstate(over="ignore"):
        logarithms = (np.abs(np.exp(values).sum(axis=1) - 1) <= SUM_TOLERANCE).all()
    return "logarithms of probabilities" if logarithms else "logits"


def _check_probabilities(name: str, proba: Floats) -> None:
    odd = ~np.isfinite(proba).all(axis=1) | (proba < 0).any(axis=1) | (proba > 1 + TIED).any(axis=1)
    if odd.any():
        first = int(np.argmax(odd))
        fail(
            name,
            f"{odd.sum()} rows hold values that are no probabilities, first row "
            f"{first + 1}: {proba[first].tolist()}{_remedy(proba)}",
        )
    gap = np.abs(proba.sum(axis=1) - 1)
    bad = gap > SUM_TOLERANCE
    if bad.any():
        worst = int(np.argmax(gap))
        fail(
            name,
            f"the probabilities of {bad.sum()} rows do not add up to 1, worst in row {worst + 1}: "
            f"{proba[worst].sum():.6g}; write more digits, divide each row by its sum, or apply "
            "softmax if these are logits",
        )


def _remedy(values: Floats) -> str:
    """Return a hint what turns values into probabilities, where that can be seen."""
    if not np.isfinite(values).all():
        return ""
    with np.errstate(over="ignore"):
        total = np.exp(values).sum(axis=1)
    if (np.abs(total - 1) <= SUM_TOLERANCE).all():
        return "; these are logarithms of probabilities, take exp of each"
    if (np.abs(values.sum(axis=1) - 100) <= 100 * SUM_TOLERANCE).all():
        return "; these are percentages, divide them by 100"
    return "; if these are logits, apply softmax to each row"


def _check_agreement(name: str, predicted: Codes, proba: Floats) -> None:
    chosen = proba[np.arange(len(proba)), predicted]
    other = chosen < proba.max(axis=1) - TIED
    if other.any():
        fail(
            name,
            f"in {other.sum()} rows the prediction is not the most probable class, first row "
            f"{int(np.argmax(other)) + 1}; leave out the column of predictions or the "
            "probabilities",
        )
