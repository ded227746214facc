"""check(): is this comparison fair?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..comparison.notes import network_facts, versions
from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.finding import Finding
from ..core.option_names import option
from ..core.wording import capitalized, listed
from ..io import read
from ..io.frames import Frame
from ..network.network import Network
from ..splits.names import DESIGNS, listed_design
from ..study.node_study import NOT_TESTED, Predictions
from .inputs import Checkable, Parts, Reader, gathered
from .kinds import SIDES, Kind, chosen
from .leaks import WEIGHT, are_dated, are_links_dated, times_of
from .near import text_columns
from .problem import Problem
from .runs import CLAIMS, NAMED
from .trials import FEWEST_SEEDS, seed_leads

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
    file : str
        The file that holds what was checked; empty where it came from none.
    """

    code: str
    title: str
    advice: str
    problem: Problem | None
    effect: str = ""
    file: str = ""

    @property
    def sentences(self) -> str:
        """What was found, what it does to scores, and what to do; empty if nothing was."""
        if self.problem is None:
            return ""
        said = (self.problem.text, self.effect, self.problem.instead, f"to do: {self.advice}")
        return "".join(f"{capitalized(each)}. " for each in said if each).rstrip()


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
        Of the table, as for `leaderboard`; the share by default that of the splits. Without a
        share best entries are not judged.
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
    select = None if select is None else [code.upper() for code in select]
    kinds = chosen(select, [code.upper() for code in ignore])
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
    _refuse_idle(have)
    able = [kind for kind in kinds if all(_there(have, need) for need in kind.needs)]
    if not able and len(kinds) > NAMED:
        raise InputError(
            "nothing here can be checked",
            where="check",
            hint="give a network with classes, splits, predictions, a table of results, or runs",
        )
    if not able:
        raise _lacking(kinds, have)
    wanted = [kind for kind in kinds if kind not in able and kind.code in (select or ())]
    if wanted:
        raise _lacking(wanted, have)
    return Check(
        network=parts.network,
        n_splits=len(parts.link_splits),
        models=_models(parts),
        checked=tuple(_checked(kind, have, _file(kind, parts)) for kind in able),
        left_out=tuple(kind.code for kind in kinds if kind not in able),
        settings={"versions": versions()},
        warnings=parts.warnings,
    )


LEAST_GAIN = 0.0005  # that a percentage with one digit shows
WORDS = {  # what kinds need
    "classes": "a network with classes", "features": "features", "texts": "node columns of text",
    "predictions": "predictions of all models for the same nodes", "scores": "runs or a table",
    "link_splits": "splits", "tested": "predictions",
    "entries": "a table of results", "board": "a table of results with its test share",
    "labeled": "the claimed training share", "design": "the claimed design",
    "dated": "times of training and test nodes", "dated_links": "times and splits",
    "seeds": "several training seeds", "settings": "runs with settings or numbers of trials",
    "own": "models that nettrial ran", "leads": "two models that ran with the same seeds",
}  # fmt: skip
HELD = {
    "link_splits": "splits", "tested": "predictions", "dated": "splits",
    "dated_links": "splits", "settings": "runs", "scores": "runs", "leads": "runs",
    "own": "predictions",
}  # fmt: skip
OF_LINKS = ("NT106", "NT203")


def _refuse_idle(have: Mapping[str, Any]) -> None:
    """Refuse claims that nothing given can be held against."""
    for name in ("labeled", "design", "times"):
        if have[name] is not None and not have["link_splits"]:
            raise InputError(
                f"{option(name)} needs a network with splits; name them by {option('splits')}, "
                "or leave it out",
                where="check",
            )
    if have["times"] is None or _there(have, "dated") or _there(have, "dated_links"):
        return
    where = "the links have no split" if have["times"] == WEIGHT else "no split has times in it"
    raise InputError(
        parameter="times", expected="times of training and test nodes", got=shown(have["times"]),
        hint=f"nothing can be checked, since {where}",
    )  # fmt: skip


def _lacking(kinds: Sequence[Kind], have: Mapping[str, Any]) -> InputError:
    """Return the error for kinds that were selected by name and cannot be checked."""
    needs = dict.fromkeys(need for kind in kinds for need in kind.needs if not _there(have, need))
    lacking = dict.fromkeys(WORDS.get(need, need) for need in needs)
    network = have["network"]
    able = "features" in needs and network is not None and network.attributes
    return InputError(
        f"nothing of {_codes(kinds)} can be checked without {' or '.join(lacking)}",
        where="check",
        hint=f"{option('features')} makes features of node columns" if able else "",
    )


def _codes(kinds: Sequence[Kind]) -> str:
    codes = [kind.code for kind in kinds]
    return listed(codes) if len(codes) <= NAMED else f"{codes[0]} to {codes[-1]}"


def _file(kind: Kind, parts: Parts) -> str:
    """Return the file that a finding is about: of the last of what its kind needs."""
    held = [HELD.get(need, need) for need in kind.needs]
    place = next((parts.files[name] for name in reversed(held) if name in parts.files), None)
    if place is None and parts.network is not None:
        of_nodes = getattr(parts.network.reading, "node_files", ())
        files = [*getattr(parts.network.reading, "files", ()), parts.files.get("network")]
        place = files[0] if kind.code in OF_LINKS or not of_nodes else of_nodes[0]
    return "" if place is None else Path(place).as_posix()


def _models(parts: Parts) -> tuple[str, ...]:
    """Return the names of all models, each once."""
    of_table = [each.model for each in parts.entries or parts.runs]
    predicted = parts.predictions.models if parts.predictions else parts.tested
    return tuple(dict.fromkeys([*predicted, *of_table]))


def _there(have: Mapping[str, Any], need: str) -> bool:
    network, runs, predictions = have["network"], have["runs"], have["predictions"]
    if need == "dated":
        return are_dated(network, have["splits"], have["times"])
    if need == "dated_links":
        return are_links_dated(network, have["link_splits"], have["times"])
    if need == "seeds":
        seeds = {(run.model, run.seed) for run in runs}
        most = max(Counter(model for model, _ in seeds).values(), default=0)
        return most >= FEWEST_SEEDS or bool(predictions and predictions.reseeded)
    if need == "scores":
        return bool(runs or have["entries"])
    if need == "settings":
        return any(run.settings or not isnan(run.trials) for run in runs)
    if need == "leads":
        return next(seed_leads(runs), None) is not None
    if need == "own":
        return predictions is not None and not have["tested"]
    if need == "classes":
        return network is not None and network.n_classes > 1
    if need == "features":
        return network is not None and network.features is not None
    if need == "texts":
        return network is not None and bool(text_columns(network))
    return have[need] is not None and have[need] not in ((), {})


def _checked(kind: Kind, have: Mapping[str, Any], file: str) -> Checked:
    problem = kind.check(*(have[name] for name in kind.takes))
    effect = ""
    if problem is not None and problem.nodes and have["predictions"] is not None:
        nodes = [problem.nodes[k] for k in have["common"]] or problem.nodes
        effect = _effect(have["predictions"], nodes)
    title = kind.title if have["splits"] else kind.title.removesuffix(SIDES)
    return Checked(kind.code, title, kind.advice, problem, effect, file)


def _effect(found: Predictions, nodes: Sequence[NDArray[np.intp]]) -> str:
    """Return the error rate without the nodes concerned, of the model that it changes most."""
    gains = {}
    for model in found.models:
        errors = found.errors(model)[: len(found.splits)]
        kept = errors != NOT_TESTED
        before = float(errors[kept].mean())
        for row, concerned in zip(kept, nodes):
            row[concerned] = False
        if kept.any():
            gains[model] = (float(errors[kept].mean()) - before, before)
    if not gains:
        return ""
    model = max(gains, key=lambda name: abs(gains[name][0]))
    gain, before = gains[model]
    if abs(gain) < LEAST_GAIN:
        return "without them no error rate changes by 0.1 percentage points"
    return f"without them the error rate of {model} is {before + gain:.1%}, not {before:.1%}"
