"""compare_predictions(): from predictions that were made before to a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from ..core.errors import AssumptionWarning, InputError, not_found, shown
from ..core.option_names import option
from ..network.network import Network
from ..saved import read_predictions
from ..saved.links import link_table
from ..splits.given import given_splits
from ..study.link_study import LinkPredictions
from ..study.node_study import Predictions
from .joint_measures import are_several
from .judge import Cell, judge
from .link_predictions import compare_link_predictions
from .multiple import MultipleComparison, multiple_of
from .options import Judged, Options, takes_options
from .pair import comparison_of
from .result import Comparison
from .setup import analysis_of, check_comparable, positive_note
from .unit_mismatch import other_units


@takes_options
def compare_predictions(
    source: Any,
    network: Network | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    splits: Any = None,
    where: Mapping[str, object] | str | None = None,
    design: str = "given",
    labeled: float | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Unpack[Judged],
) -> Comparison | MultipleComparison:
    """Compare models by predictions that were made before: every test that needs no re-run.

    Parameters
    ----------
    source : Predictions, LinkPredictions, or whatever `read_predictions` takes
        Of at least two models on the same splits. A table (file, frame, dict of columns) with
        columns ``source``, ``target`` and ``label`` (1 for a link, 0 for a pair without), maybe
        ``split``, and a column of scores per model, or ``model`` and ``score``, is one of links
        that were predicted.
    network : Network, optional
        The network of the predictions; needed where they do not bring it. A table of links is
        read without it too: its links of all splits are then the network.
    a, b : str, optional
        The two models to compare, of several, or which comes first; by default all models.
    splits, where
        As for `read_predictions`.
    design : str
        How the splits were drawn, for the report.
    labeled : float, optional
        Proportion of labeled nodes in training, for the report; by default that of `splits`.
    positive : hashable, optional
        Judge one class against all others together: a class of the network. The predictions are
        of all its classes, among which the predicted one is decided (see
        `Predictions.one_against_rest`), or of these two.
    test : str
        Which test gives the verdict: "auto", or one that answers for other networks and needs
        the predictions alone ("network_hac", "cluster_robust_t", "cluster_sign_flip", ...).
    settings : mapping, optional
        Further settings, kept in the result.

    Returns
    -------
    Comparison or MultipleComparison
        For two models, two link predictors, or more. What was left out or assumed in reading
        stands first among the warnings.

    Raises
    ------
    InputError
        Where there are fewer than two models, the predictions do not allow the measure, or
        the test is not one of these; and as `read_predictions`.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> run = nettrial.compare(net, "wvrn", "nbc", n_splits=5, seed=1)
    >>> found = compare_predictions(run.predictions, test="cluster_robust_t", seed=1)
    >>> found.recommended
    'cluster_robust_t'
    >>> found.test("cluster_robust_t").pvalue == run.test("cluster_robust_t").pvalue
    True
    """
    settings = dict(settings or {}) | {"predictions": "made before"}
    asked = Options(labeled=labeled, **options)
    table = None if isinstance(source, (Predictions, LinkPredictions)) else link_table(source)
    if table is not None or isinstance(source, LinkPredictions):
        return compare_link_predictions(
            source if table is None else table, network, a, b, asked,
            splits=splits, where=where, design=design, settings=settings,
        )  # fmt: skip
    settings = settings | positive_note(asked.positive)
    predictions, notes = _read(source, network, a, b, splits, where, asked.positive)
    if labeled is None and splits is not None:
        trained = float(np.mean([split.train.size for split in predictions.splits]))
        asked = asked.but(labeled=trained / predictions.network.labeled.size)
    analysis = analysis_of(predictions, asked, design=design, settings=settings)
    judgment = judge([Cell(predictions, analysis)])[0]
    several = len(predictions.models) > 2 or asked.control or are_several(asked.measures)
    found = multiple_of(judgment) if several else comparison_of(judgment)
    scales = other_units(predictions, analysis.measure)
    return replace(found, warnings=notes + scales + found.warnings)


def _read(
    source: Any,
    network: Network | None,
    a: str | None,
    b: str | None,
    splits: Any,
    where: Mapping[str, object] | str | None,
    positive: Hashable | None,
) -> tuple[Predictions, tuple[Warning, ...]]:
    if isinstance(source, Predictions):
        if positive is not None:
            source = source.one_against_rest(positive)
            network = network if network is None else network.one_against_rest(positive)
        network = source.network if network is None else network
    if network is None:
        raise InputError(
            expected=f"{option('network')} beside predictions that do not bring theirs",
            where="compare_predictions",
        )
    check_comparable(network)
    both = None if a is None or b is None else (a, b)

    def read(of: Network) -> tuple[Predictions, Sequence[str]]:
        return read_predictions(source, of, models=both, splits=splits, where=where)

    if positive is None or isinstance(source, Predictions):
        found, notes = read(network)
    else:
        against = network.one_against_rest(positive)
        if splits is not None:  # which may be a generator, and are read by twice
            splits = given_splits(splits, network, called="splits")
        try:
            found, notes = read(network)
        except InputError as refused:  # predictions of two classes, as `compare` makes them too
            try:
                found, notes = read(against)
            except InputError:
                raise refused from None
        else:
            found = found.one_against_rest(positive)
    if both is None and (a, b) != (None, None):
        found, _ = read_predictions(found, found.network, models=_pair(found, a, b))
    return found, tuple(AssumptionWarning(note) for note in notes)


def _pair(found: Predictions, a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two models of the predictions, the one that is named in its place."""
    named = a if a is not None else b
    if named is not None and named not in found.models:
        raise not_found("model", named, found.models)
    rest = [name for name in found.models if name != named]
    if len(rest) != 1:
        raise InputError(
            expected="two models",
            got=f"{shown(named)} of {len(found.models)} ({', '.join(found.models[:8])})",
            hint=f"name both by {option('a')} and {option('b')}",
            where="compare",
        )
    return (str(a), rest[0]) if a is not None else (rest[0], str(b))
