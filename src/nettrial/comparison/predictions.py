"""compare_predictions(): from predictions that were made before to a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from ..core.errors import AssumptionWarning, InputError
from ..core.option_names import option
from ..network.canonical_order import canonical_order
from ..network.communities import communities_in_order
from ..network.network import Network
from ..saved import conditions, read_predictions
from ..saved.links import link_table, read_link_predictions
from ..splits.given import given_splits
from ..study.in_order import predictions_in_order
from ..study.node_study import Predictions
from ..study.tasks import LINKS, task_of
from .halves import Halves
from .halves_files import manifest_in, read_halves
from .halves_tables import compare_on_halves
from .joint_measures import are_several
from .judge import Cell, judge
from .multiple import MultipleComparison, multiple_of
from .options import Judged, Options, not_used, takes_options
from .pair import comparison_of, named_pair
from .result import Comparison
from .setup import analysis_of, positive_note


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
    source : Predictions, or whatever `read_predictions` takes
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
        As for `read_predictions`. Or the `Halves` on which models were trained elsewhere, or the
        folder that `nettrial split --halves` wrote; predictions in that folder need not name it.
        Tables then have the columns ``halving`` and ``part`` as well, blank for the network itself,
        and the verdict is that by halves.
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
    halves = _halves(source, network, splits)
    if halves is not None:
        return compare_on_halves(
            source, halves, asked, named=(a, b), where=conditions(where), settings=settings
        )
    predictions, notes = _read(source, network, a, b, splits, where, asked.positive)
    settings = settings | positive_note(asked.positive)
    asked.refuse_for(predictions.task)
    if labeled is None and splits is not None:
        trained = float(np.mean([split.train.size for split in predictions.splits]))
        asked = asked.but(labeled=trained / predictions.network.labeled.size)
    order = canonical_order(predictions.network)
    asked = asked.but(communities=communities_in_order(asked.communities, order))
    judged = predictions_in_order(predictions, order)
    analysis = analysis_of(judged, asked, design=design, settings=settings, order=order)
    judgment = judge([Cell(judged, analysis)])[0]
    several = len(predictions.models) > 2 or asked.control or are_several(asked.measures)
    found = multiple_of(judgment) if several else comparison_of(judgment)
    scales = predictions.task.other_units(predictions, analysis.measure)
    return replace(found, warnings=notes + scales + found.warnings)


def _halves(source: Any, network: Network | None, splits: Any) -> Halves | None:
    """Return the halves that predictions are on: given as splits, or in their own folder."""
    if isinstance(splits, Halves):
        return splits
    path = manifest_in(source) if splits is None else manifest_in(splits)
    if path is None:
        return None
    if network is None:
        raise InputError(
            expected=f"{option('network')} beside predictions on halves of one",
            where="compare_predictions",
        )
    return read_halves(path, network)


def _read(
    source: Any,
    network: Network | None,
    a: str | None,
    b: str | None,
    splits: Any,
    where: Mapping[str, object] | str | None,
    positive: Hashable | None,
) -> tuple[Predictions, tuple[Warning, ...]]:
    both = None if a is None or b is None else (a, b)
    table = None if isinstance(source, Predictions) else link_table(source)
    if table is not None:
        if splits is not None:
            raise not_used("splits", LINKS.models)
        if positive is not None:
            raise not_used("positive", LINKS.models)
        notes: Sequence[str]
        found, notes = read_link_predictions(table, network, models=both, where=conditions(where))
    else:
        found, notes = _read_nodes(source, network, both, splits, where, positive)
    if both is None and (a, b) != (None, None):
        found, _ = read_predictions(found, found.network, models=named_pair(found.models, a, b))
    return found, tuple(AssumptionWarning(note) for note in notes)


def _read_nodes(
    source: Any,
    network: Network | None,
    both: tuple[str, str] | None,
    splits: Any,
    where: Mapping[str, object] | str | None,
    positive: Hashable | None,
) -> tuple[Predictions, Sequence[str]]:
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
    task_of(network, source.splits if isinstance(source, Predictions) else ()).check(network)

    def read(of: Network) -> tuple[Predictions, Sequence[str]]:
        return read_predictions(source, of, models=both, splits=splits, where=where)

    if positive is None or isinstance(source, Predictions):
        return read(network)
    against = network.one_against_rest(positive)
    if splits is not None:  # which may be a generator, and are read by twice
        splits = given_splits(splits, network, called="splits")
    try:
        found, notes = read(network)
    except InputError as refused:  # predictions of two classes, as `compare` makes them too
        try:
            return read(against)
        except InputError:
            raise refused from None
    return found.one_against_rest(positive), notes
