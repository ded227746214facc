"""check(): is this comparison fair?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..comparison.multiple import MultipleComparison
from ..comparison.notes import network_facts, versions
from ..comparison.result import Comparison
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.finding import Finding
from ..network.network import Network
from ..published.leaderboard import Leaderboard
from ..splits.base import Split
from ..splits.files import read_splits
from ..splits.given import given_splits
from ..study.node_study import Predictions
from .kinds import Kind, chosen
from .problem import Problem

if TYPE_CHECKING:
    import pandas as pd

Checkable = Network | Predictions | Comparison | MultipleComparison | Leaderboard


@dataclass(frozen=True, slots=True)
class Checked:
    """One kind that was checked.

    Attributes
    ----------
    code, title, advice : str
    problem : Problem or None
        None where nothing was found.
    """

    code: str
    title: str
    advice: str
    problem: Problem | None


@dataclass(frozen=True, slots=True, repr=False)
class Check(Finding):
    """What was checked about a comparison, and what was found.

    Attributes
    ----------
    network : Network or None
        None for a table of results.
    n_splits : int
    models : tuple of str
    checked : tuple of Checked
        By code.
    left_out : tuple of str
        Codes of kinds for which something was missing.
    settings : mapping
        Versions.
    warnings : tuple of Warning
    """

    network: Network | None
    n_splits: int
    models: tuple[str, ...]
    checked: tuple[Checked, ...]
    left_out: tuple[str, ...]
    settings: Mapping[str, Any]
    warnings: tuple[Warning, ...] = ()

    @property
    def problems(self) -> tuple[Checked, ...]:
        """What a fair comparison must not have."""
        return tuple(each for each in self.checked if each.problem and each.problem.serious)

    @property
    def notes(self) -> tuple[Checked, ...]:
        """What a reader should know."""
        return tuple(each for each in self.checked if each.problem and not each.problem.serious)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each kind that was checked."""
        import pandas as pd

        return pd.DataFrame(list(map(_row, self.checked)))

    def _values(self) -> dict[str, Any]:
        facts = {} if self.network is None else network_facts(self.network)
        return facts | {
            "n_splits": self.n_splits,
            "models": self.models,
            "problems": [_row(each) for each in self.problems],
            "notes": [_row(each) for each in self.notes],
            "checked": [each.code for each in self.checked],
            "not_checked": self.left_out,
        }


def _row(each: Checked) -> dict[str, Any]:
    problem = each.problem
    return {
        "code": each.code,
        "title": each.title,
        "found": "nothing" if problem is None else "problem" if problem.serious else "note",
        "size": 0.0 if problem is None else problem.size,
        "of": None if problem is None else problem.of,
        "unit": None if problem is None else problem.unit,
        "text": None if problem is None else problem.text,
        "advice": None if problem is None else each.advice,
    }


@check_arguments
def check(
    given: Checkable,
    *,
    splits: Any = None,
    predictions: Any = None,
    labeled: float | None = None,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
) -> Check:
    """Check whether a comparison is fair: nodes, features, splits, models and the test.

    Parameters
    ----------
    given : Network, Predictions, Comparison, MultipleComparison or Leaderboard
        What is checked; a comparison brings its network, splits and predictions.
    splits : object, optional
        With a network, whatever `compare` takes as splits, or a path to a file of them. Splits of
        your own making (`nettrial.splits.Split`) are checked as they are.
    predictions : object, optional
        With a network, whatever `compare_predictions` takes.
    labeled : float, optional
        The proportion of labeled nodes that is claimed to be in the training sets.
    select, ignore : sequence of str
        Codes, or what they begin with: "NT101", "NT4". By default all are checked.

    Returns
    -------
    Check
        Problems make a comparison unfair; notes are to be known.

    Raises
    ------
    InputError
        For what cannot be checked or read, or an unknown code.

    References
    ----------
    S. Kapoor, A. Narayanan (2023), Patterns 4: kinds of leakage. O. Platonov et al. (2023), ICLR:
    duplicate nodes in benchmarks.

    Examples
    --------
    >>> import nettrial
    >>> found = check(nettrial.latent_group_network(200, seed=1))
    >>> found.problems, [each.code for each in found.checked]
    ((), ['NT106', 'NT202', 'NT203', 'NT204'])
    """
    kinds = chosen(select, ignore)
    have = _gathered(given, splits, predictions) | {"labeled": labeled}
    checked = []
    left_out = []
    for kind in kinds:
        if any(not _there(have, need) for need in kind.needs):
            left_out.append(kind.code)
        else:
            checked.append(_checked(kind, have))
    if not checked:
        raise InputError(
            f"nothing of {shown(', '.join(left_out))} can be checked of {type(given).__name__}",
            where="check",
        )
    network, found = have["network"], have["predictions"]
    models: Sequence[str] = () if found is None else found.models
    if isinstance(given, Leaderboard):
        models = tuple(dict.fromkeys(entry.model for entry in given.entries))
    return Check(
        network=network,
        n_splits=len(have["splits"]),
        models=tuple(models),
        checked=tuple(checked),
        left_out=tuple(left_out),
        settings={"versions": versions()},
    )


def _gathered(given: Checkable, splits: Any, predictions: Any) -> dict[str, Any]:
    """Return the parts of what is given, by the names that kinds take."""
    parts: dict[str, Any] = {"network": None, "predictions": None, "board": None, "splits": ()}
    if isinstance(given, Network):
        parts["network"] = given
        if splits is not None:
            parts["splits"] = _splits(splits, given)
        if predictions is not None:
            from ..saved import read_predictions

            found, _ = read_predictions(predictions, given, splits=parts["splits"] or None)
            parts |= {"predictions": found, "splits": found.splits}
        return parts
    if splits is not None or predictions is not None:
        raise InputError(
            f"{type(given).__name__} brings its own",
            parameter="splits" if splits is not None else "predictions",
            hint="leave it out",
        )
    if isinstance(given, Leaderboard):
        return parts | {"board": given}
    predicted = given if isinstance(given, Predictions) else given.predictions
    parts["network"] = predicted.network
    # of links and several labels the network alone
    if isinstance(predicted, Predictions) and predicted.task.items == "nodes":
        parts["splits"] = predicted.splits
        parts["predictions"] = predicted if predicted.network.n_classes else None
    return parts


def _splits(given: Any, network: Network) -> tuple[Split, ...]:
    if isinstance(given, (list, tuple)) and given and all(isinstance(s, Split) for s in given):
        return tuple(given)  # as they are: reading would refuse some of what is looked for
    if isinstance(given, (str, PathLike)):
        return tuple(read_splits(given, network))
    return tuple(given_splits(given, network, called="splits"))


def _there(have: Mapping[str, Any], need: str) -> bool:
    network = have["network"]
    if need == "classes":
        return network is not None and network.n_classes > 1
    if need == "features":
        return network is not None and network.features is not None
    return have[need] is not None and have[need] != ()


def _checked(kind: Kind, have: Mapping[str, Any]) -> Checked:
    problem = kind.check(*(have[name] for name in kind.takes))
    return Checked(kind.code, kind.title, kind.advice, problem)
