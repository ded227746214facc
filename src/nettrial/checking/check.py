"""check(): is this comparison fair?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..comparison.notes import network_facts, versions
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.finding import Finding
from ..io import read
from ..io.frames import Frame
from ..network.network import Network
from ..splits.names import DESIGNS, listed_design
from ..study.node_study import NOT_TESTED, Predictions
from .inputs import Checkable, Parts, Reader, gathered
from .kinds import Kind, chosen
from .leaks import WEIGHT, times_of
from .near import text_columns
from .problem import Problem
from .runs import CLAIMS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Checked:
    """One kind that was checked.

    Attributes
    ----------
    code, title, advice : str
    problem : Problem or None
        None where nothing was found.
    effect : str
        What the nodes concerned do to the error rates of the models, where there are predictions.
    """

    code: str
    title: str
    advice: str
    problem: Problem | None
    effect: str = ""


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
        "sure": None if problem is None else problem.sure,
        "effect": each.effect or None,
        "instead": (problem.instead or None) if problem else None,
        "advice": None if problem is None else each.advice,
    }


@check_arguments
def check(
    given: Checkable | None = None,
    *,
    splits: Any = None,
    predictions: Any = None,
    table: str | PathLike[str] | Mapping[str, Any] | Frame | None = None,
    runs: str | PathLike[str] | None = None,
    labeled: float | None = None,
    design: str | None = None,
    times: str | None = None,
    test_share: float | None = None,
    n_splits: int | None = None,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    reader: Reader = read,
) -> Check:
    """Check whether a comparison is fair: nodes, features, splits, models and the test.

    Parameters
    ----------
    given : Network, Predictions, result of a comparison, Leaderboard, or path, optional
        What is checked, where it is not a table or runs alone. A comparison brings its network,
        splits and predictions. A path names a network, a study file, the JSON of a result, or a
        folder: files called splits or masks, predictions, results and runs are then read beside
        the network, unless they are named.
    splits : object, optional
        With a network, whatever `compare` takes as splits, or a path to a file of them. They are
        checked as they are, overlapping sets and all.
    predictions : object, optional
        With a network, whatever `compare_predictions` takes. Models may predict different nodes.
    table : path, DataFrame or mapping of columns, optional
        A table of results, as `leaderboard` takes it, or of single runs.
    runs : path, optional
        A folder of runs: JSON objects or tables with model, score, seed, split and settings.
    labeled : float, optional
        The proportion of labeled nodes that is claimed to be in the training sets.
    design : str, optional
        The design that is claimed: one of `compare`, "stratified" or "balanced".
    times : str, optional
        The node column with times; "weight" where the weights of links are their times.
    test_share, n_splits : optional
        Of the table, as for `leaderboard`; the share by default that of the splits.
    select, ignore : sequence of str
        Codes, or what they begin with: "NT101", "NT4". By default all are checked.
    reader : callable
        Reads the network of a path; `nettrial.read` by default.

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
    if design is not None:
        design = listed_design(design)
        if design.partition(":")[0] not in (*DESIGNS, *CLAIMS):
            raise unknown_choice("design", design, (*DESIGNS, *CLAIMS))
    if labeled is not None and not 0 < labeled <= 1:
        raise InputError(
            parameter="labeled", expected="a proportion above 0, up to 1", got=shown(labeled)
        )
    parts = gathered(
        given,
        reader,
        splits=splits,
        predictions=predictions,
        table=table,
        runs=runs,
        test_share=test_share,
        n_splits=n_splits,
    )
    if times not in (None, WEIGHT) and parts.network is not None:
        times_of(parts.network, times)  # refuses a column that is not there
    have = parts._asdict() | {"labeled": labeled, "design": design, "times": times}
    able = [kind for kind in kinds if all(_there(have, need) for need in kind.needs)]
    if not able:
        codes = shown(", ".join(kind.code for kind in kinds))
        raise InputError(
            f"nothing of {codes} can be checked of {type(given).__name__}", where="check"
        )
    return Check(
        network=parts.network,
        n_splits=len(parts.link_splits),
        models=_models(parts),
        checked=tuple(_checked(kind, have) for kind in able),
        left_out=tuple(kind.code for kind in kinds if kind not in able),
        settings={"versions": versions()},
    )


def _models(parts: Parts) -> tuple[str, ...]:
    """Return the names of all models, each once."""
    of_table = [each.model for each in (parts.board.entries if parts.board else parts.runs)]
    return tuple(dict.fromkeys([*(parts.predictions.models if parts.predictions else ()),
                                *of_table]))  # fmt: skip


def _there(have: Mapping[str, Any], need: str) -> bool:
    network = have["network"]
    if need == "classes":
        return network is not None and network.n_classes > 1
    if need == "features":
        return network is not None and network.features is not None
    if need == "texts":
        return network is not None and bool(text_columns(network))
    if need == "valid":
        return any(each.size for each in have[need])
    return have[need] is not None and have[need] not in ((), {})


def _checked(kind: Kind, have: Mapping[str, Any]) -> Checked:
    problem = kind.check(*(have[name] for name in kind.takes))
    effect = ""
    if problem is not None and problem.nodes and have["predictions"] is not None:
        effect = _effect(have["predictions"], problem)
    return Checked(kind.code, kind.title, kind.advice, problem, effect)


def _effect(found: Predictions, problem: Problem) -> str:
    """Return the error rate without the nodes concerned, of the model that it changes most."""
    gains = {}
    for model in found.models:
        errors = found.errors(model)[: len(found.splits)]
        kept = errors != NOT_TESTED
        before = float(errors[kept].mean())
        for row, nodes in zip(kept, problem.nodes):
            row[nodes] = False
        if kept.any():
            gains[model] = (float(errors[kept].mean()) - before, before)
    if not gains:
        return ""
    model = max(gains, key=lambda name: abs(gains[name][0]))
    gain, before = gains[model]
    return f"without them the error rate of {model} is {before + gain:.1%}, not {before:.1%}"
