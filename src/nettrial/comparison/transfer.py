"""compare_transfer(): learn on one network and test on another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..core.option_names import option, written
from ..core.seeds import Stream, derive, freeze
from ..inference.choice import RERUNS, on_predictions
from ..inference.registry import canonical
from ..models.base import AnyModel
from ..network.canonical_order import canonical_order
from ..network.network import Network
from ..numeric.checks import scalar
from ..splits.base import Split
from ..splits.checks import check_count, check_extent
from ..splits.resampling import RandomResampling
from ..study.node_study import Predictions, run
from ..study.tasks import task_of
from .judge import Cell, judge
from .multiple import MultipleComparison, multiple_of
from .options import Asked, Options, takes_options
from .setup import Setup, positive_note
from .setup_checks import check_comparable, check_question

Nodes = NDArray[np.intp]


@takes_options
def compare_transfer(
    train: Network,
    test_network: Network,
    models: Sequence[str | AnyModel] | Mapping[str, str | AnyModel],
    *,
    labeled: float = 1.0,
    known: float = 0.0,
    **options: Unpack[Asked],
) -> MultipleComparison:
    """Compare several models that learn on one network and are tested on another.

    The models see both networks side by side, without a link between them: the labels of a
    sample of the training network's nodes, and those of a sample of the test network's nodes if
    some are known there. They are tested on the other labeled nodes of the test network.

    Parameters
    ----------
    train : Network
        Where the models learn.
    test_network : Network
        Where they are tested; its classes occur in `train`.
    models : sequence of str, Model or scikit-learn classifier, or mapping of names to them
        At least two.
    labeled : float
        Proportion of the training network's labeled nodes that is learned from, up to 1.
    known : float
        Proportion of the test network's labeled nodes whose labels are known; 0 for none.
    n_splits : int, optional
        Number of times that both samples are drawn, by default 10.
    test : str
        Which test the intervals and p-values come from: "auto", or one on predictions.
    communities : str or array_like of int, shape (n_nodes,)
        Of the test network: "louvain", a node column, or a partition.
    cross_links : {"keep", "drop"}
        Whether links between nodes with known labels and others stay.

    Returns
    -------
    MultipleComparison
        On the test network. The communities of the test network are the units: intervals and
        p-values answer for other networks like it, to which the models as learned on `train`
        are applied. They do not tell what learning on another network would change.

    Raises
    ------
    InputError
        Where the networks do not fit together: classes that `train` lacks, features, direction
        or weights of one alone; and as `compare_models`.
    ModelError
        Where a model fails.

    Examples
    --------
    >>> import nettrial
    >>> one, other = (nettrial.latent_group_network(120, seed=i) for i in (1, 2))
    >>> found = nettrial.compare_transfer(one, other, ["nbc", "wvrn"], known=0.1, n_splits=4)
    >>> found.predictions.network.n_nodes, found.predictions.splits[0].train.size
    (120, 12)
    """
    asked = Options(labeled=labeled, **options)
    return ready_to_transfer(train, test_network, models, known, asked)()


def ready_to_transfer(
    train: Network,
    test_network: Network,
    models: Sequence[Any] | Mapping[str, Any],
    known: float,
    options: Options,
) -> Callable[[], MultipleComparison]:
    """Check all that `compare_transfer` is given, and return what then runs the models."""
    check_question(test_network, models, "transfer")
    test, positive = canonical(options.test), options.positive
    labeled = 1.0 if options.labeled is None else options.labeled
    n_splits = options.n_splits if isinstance(options.n_splits, int) else 10
    if test in RERUNS:
        raise InputError(
            f"{test} cannot be used with models that learn on another network",
            parameter="test",
            hint="use auto or a test on predictions",
        )
    if positive is not None:
        train, test_network = (net.one_against_rest(positive) for net in (train, test_network))
    check_comparable(train)
    entropy = freeze(options.seed)
    joined = side_by_side(train, test_network)
    recoded = test_network._with_labels(joined.labels[train.n_nodes :], joined.classes)
    splits = transfer_splits(train, recoded, labeled, known, n_splits, entropy)
    here = options.but(
        design=[split for split, _ in splits],
        labeled=None,
        n_splits=None,
        positive=None,
        seed=entropy,
    )
    setup = Setup.of(recoded, models, here)
    source = canonical_order(train)
    learning = train if source is None else source.network
    learned_from = [part if source is None else source.ascending(part) for _, part in splits]
    choice = setup.analysis.choice
    if not choice.forced:
        because = "no model was run again, since the models learn on another network"
        choice = on_predictions(setup.task, setup.network, setup.analysis.groups, because)
    analysis = replace(
        setup.analysis,
        design="transfer",
        labeled=known or None,
        choice=choice,
        settings=dict(setup.analysis.settings) | positive_note(positive),
    )
    learned = {
        "network": train.name or "the training network", "labeled": labeled,
        "n_labels": int(splits[0][1].size), "known": known,
    }  # fmt: skip

    def compared() -> MultipleComparison:
        # joined anew: comparisons that wait for others need not hold both networks as one
        predictions = run(
            side_by_side(learning, setup.network),
            setup.models,
            [_joint(split, part, train.n_nodes) for split, part in zip(setup.splits, learned_from)],
            seed=derive(entropy, Stream.MODELS),
            n_jobs=options.n_jobs,
            cross_links=options.cross_links,
            progress=options.progress,
        )
        own = Predictions(
            setup.network,
            tuple(setup.splits),
            predictions.models,
            predictions.probabilities,
            predictions.warnings,
            seconds=predictions.seconds,
            megabytes=predictions.megabytes,
        )
        found = multiple_of(judge([Cell(own, analysis)])[0], learned_on=learned)
        return replace(found, warnings=found.warnings + _unreached(own))

    return compared


def side_by_side(train: Network, test: Network) -> Network:
    """Join two networks side by side as one, `train` first; ids are positions.

    Examples
    --------
    >>> one = Network([0], [1], n_nodes=2, labels=["a", "b"])
    >>> both = side_by_side(one, Network([0, 1], [1, 2], n_nodes=3, labels=["b", None, "a"]))
    >>> both.n_nodes, both.n_links, both.labels.tolist()
    (5, 3, [0, 1, 1, -1, 0])
    """
    _check_fit(train, test)
    parts = [network.adjacency("out").tocoo() for network in (train, test)]
    source, target = (
        np.concatenate([getattr(parts[0], end), getattr(parts[1], end) + train.n_nodes])
        for end in ("row", "col")
    )
    once = np.ones(source.size, dtype=bool) if train.directed else source < target
    weight = np.concatenate([part.data for part in parts])
    shared = [name for name in train.attributes if name in test.attributes]
    task = task_of(train)
    known, more = (task.known(each, np.arange(each.n_nodes)) for each in (train, test))
    what = next(iter(known))  # the classes are those of the first
    known[what] = np.concatenate([known[what], more[what]])
    return Network(
        source[once],
        target[once],
        n_nodes=train.n_nodes + test.n_nodes,
        weight=weight[once] if train.weighted else None,
        directed=train.directed,
        **known,
        features=_stacked(train.features, test.features),
        attributes={
            name: np.concatenate([train.attributes[name], test.attributes[name]]) for name in shared
        },
        name=f"{train.name} and {test.name}",
    )


def _check_fit(train: Network, test: Network) -> None:
    if train.fingerprint() == test.fingerprint():
        raise InputError(
            "transfer: both networks are the same one; compare_models splits a network in itself"
        )
    on_train, on_test = task_of(train), task_of(test)
    if on_train is not on_test:
        raise InputError(
            f"transfer: the training network has {on_train.name} to predict and the test network "
            f"{on_test.name}; read both with {option('label')} or both with {option('target')}"
        )
    if not test.labeled.size:
        raise InputError(
            f"transfer: no node of the test network has a {on_test.label} to be tested by"
        )
    learned, tested = (
        [each.classes[c] for c in np.unique(each.labels[each.labeled]) if each.n_classes]
        for each in (train, test)
    )
    foreign = [name for name in tested if name not in learned]
    if foreign:
        raise InputError(
            f"transfer: the test network has the classes {', '.join(map(written, foreign))}, "
            f"which no node of the training network has ({', '.join(map(written, learned))}); no "
            "model can learn them there. Rename the classes, or leave these labels out"
        )
    for what, one, other in (
        ("directed", train.directed, test.directed),
        ("weighted", train.weighted, test.weighted),
    ):
        if one != other:
            raise InputError(
                f"transfer: the {'training' if one else 'test'} network is {what} and the other "
                f"one is not; read both as {what} or neither"
            )
    names = [() if n.feature_columns is None else n.feature_columns.names for n in (train, test)]
    if all(names) and names[0] != names[1]:
        alone = sorted({*names[0]} ^ {*names[1]})
        raise InputError(
            "transfer: expected the same features in the same order in both networks, got "
            f"{', '.join(alone[:5])}{', ...' * (len(alone) > 5)} in one alone; name the "
            "columns with features=, and give categories that both networks have"
        )
    widths = [0 if n.features is None else n.features.shape[1] for n in (train, test)]
    if widths[0] != widths[1]:
        raise InputError(
            expected="the same features in the same order in both networks, or none",
            got=f"{widths[0]} for training and {widths[1]} for testing",
            where="transfer",
        )


def _stacked(one: Any, other: Any) -> Any:
    if one is None:
        return None
    if sp.issparse(one) or sp.issparse(other):
        return sp.csr_array(sp.vstack([one, other]))
    return np.vstack([one, other])


def transfer_splits(
    train: Network, test: Network, labeled: float, known: float, n_splits: int, entropy: int
) -> list[tuple[Split, Nodes]]:
    """Draw the labels that are known: splits of the test network, and nodes of the other one."""
    if not 0 < scalar("labeled", labeled) <= 1:
        raise InputError(
            parameter="labeled", expected="a proportion above 0 and up to 1", got=shown(labeled)
        )
    if not 0 <= scalar("known", known) < 1:
        raise InputError(
            parameter="known", expected="a proportion from 0 and below 1", got=shown(known)
        )
    check_count("transfer", "n_splits", n_splits, 2)
    check_extent("transfer", n_splits, train.n_nodes + test.n_nodes)

    def drawn(network: Network, share: float, purpose: Stream) -> list[Split]:
        seed = derive(entropy, purpose)
        return RandomResampling(n_splits=n_splits, labeled=share, seed=seed).split_network(network)

    every, none = np.arange(test.n_nodes), np.empty(0, dtype=np.intp)
    whole = Split(none, every, test.labeled)
    splits = drawn(test, known, Stream.KNOWN) if known > 0 else [whole] * n_splits
    learned = [train.labeled] * n_splits
    if labeled < 1:
        learned = [split.train for split in drawn(train, labeled, Stream.TRAINING)]
    return list(zip(splits, learned))


def _joint(split: Split, learned: Nodes, start: int) -> Split:
    """Return a split of the two networks side by side."""
    unseen = np.setdiff1d(np.arange(start), learned)
    return Split(
        np.concatenate([learned, split.train + start]),
        np.concatenate([unseen, split.inference + start]),
        split.test + start,
    )


def _unreached(predictions: Predictions) -> tuple[Warning, ...]:
    """Warn of models that predict the same for all nodes, as where only labels separate them."""
    blind = [
        name
        for name in predictions.models
        if all((np.ptp(table, axis=0) < 1e-6).all() for table in predictions.probabilities[name])
    ]
    if not blind:
        return ()
    return (
        AssumptionWarning(
            f"{', '.join(blind)}: every tested node gets the same probabilities; what was learned "
            "tells the nodes of the test network apart only where some labels are known there "
            f"({option('known')})"
        ),
    )
