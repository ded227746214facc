"""All measures of classes on fresh networks: Type I error of the verdict, and of the usual t."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..comparison.judge import Cell, judge, run_and_judge
from ..comparison.options import Options
from ..comparison.setup import Setup, analysis_of
from ..core import seeds
from ..core.errors import InputError
from ..core.seeds import Stream
from ..inference.choice import BOOTSTRAP
from ..inference.registry import PROCEDURES
from ..metrics.measures import Measure, custom_measure, measure_named
from ..models.base import Model
from ..models.nbc import NBC
from ..models.wvrn import WVRN
from ..network.network import Network
from ..study.node_study import Predictions
from ..synth.planted import heterophilous_network, planted_network
from .base import BY_MODELS, Experiment, Option, Unit
from .domains import WORLDS
from .featured import DOMAINS as FEATURED
from .records import DIFFERENCE, Record, Settings, measured, rejections_at

Floats = NDArray[np.float64]
LABELED = 0.3
N_SPLITS = 5
CONFIDENCE = 0.95
COMPARED = "compared by"
VARIANCE = "variance of the mean difference"
SAVED, RERUN = "verdict on saved predictions", "community bootstrap"
BESIDE = ("network_hac", "cluster_robust_t", "nadeau_bengio", "paired_t")


def kappa(labels: NDArray[np.int32], said: NDArray[np.int32]) -> float:
    """Return Cohen's kappa, which stands for a user's own measure."""
    k = int(max(labels.max(), said.max())) + 1
    truth, guess = (np.bincount(x, minlength=k) / labels.size for x in (labels, said))
    chance = float(truth @ guess)
    return (float((labels == said).mean()) - chance) / (1 - chance)


# error and micro_f1 have the p-values of accuracy
OF_ALL_CLASSES = (
    "accuracy", "balanced_accuracy", "mcc", "weighted_f1", "macro_f1", "macro_precision", "auc",
    "log_loss", "squared_loss", "mean_average_precision", "mrr", "hits", "ece", "kappa",
)  # fmt: skip
OF_ONE_CLASS = (
    "precision", "recall", "f1", "average_precision", "precision@20", "recall@0.2",
)  # fmt: skip
AGAIN = ("macro_f1", "auc", "recall")  # compared by networks drawn again too


class BayesOnHalf:
    """Normal features of one variance in each class, of the first or second half of them."""

    def __init__(self, side: int) -> None:
        self.side, self.name = side, f"naive Bayes on half {side + 1}"

    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Estimate the classes' shares, means and the common variance of every feature."""
        half, labels = self._half(network), network.labels[train]
        member = labels[:, None] == np.arange(network.n_classes)
        count = member.sum(axis=0)
        self._share = (count + 1) / (count + 1).sum()
        self._mean = member.T @ half[train] / np.maximum(count, 1)[:, None]
        self._variance = ((half[train] - self._mean[labels]) ** 2).mean(axis=0)
        return self

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> Floats:
        """Return the classes' probabilities by Bayes' rule."""
        half = self._half(network)[nodes]
        away = ((half[:, None] - self._mean) ** 2 / self._variance).sum(axis=2)
        score = np.log(self._share) - away / 2
        odds = np.exp(score - score.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _half(self, network: Network) -> Floats:
        return np.split(np.asarray(network.features, dtype=float), 2, axis=1)[self.side]


class OnHalfOfLinks:
    """A relational classifier that sees one half of the links, drawn once a network."""

    def __init__(self, name: str, model: Model, half: NDArray[np.bool_]) -> None:
        self.name = name
        self._model, self._half = model, half  # by the two nodes of a link

    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Learn from its own half of the links."""
        self._model = self._model.fit(self._seen(network), train)
        return self

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[Any]:
        """Return the classes' probabilities by its own half of the links."""
        return self._model.predict_proba(self._seen(network), nodes)

    def _seen(self, network: Network) -> Network:
        source, target = network.simple_links()
        own = self._half[source, target]
        return network.with_links(source[own], target[own])


BAYES = "naive Bayes"
RELATIONAL: dict[str, Callable[[], Model]] = {"wvRN": WVRN, "nBC": NBC}
COINS: dict[str, Callable[[str], Model]] = {
    "wvRN": lambda way: WVRN(direction=way),  # type: ignore[arg-type]
    "nBC": lambda way: NBC(direction=way),  # type: ignore[arg-type]
}
DOMAINS: dict[str, Callable[..., Network]] = {
    "lgm300": WORLDS["lgm300"],
    "blocks300": partial(planted_network, 300),
    "hetero300": partial(heterophilous_network, 300),
    "weak300": partial(planted_network, 300, inside=0.6, purity=0.75),
}
# networks to measure on, and others, on which changes that the first led to are judged
NETWORKS: dict[str, dict[str, tuple[str, ...]]] = {
    "first": {
        "nBC": ("lgm300", "blocks300", "hetero300"),
        BAYES: ("two classes", "three classes", "mixed groups"),
        "wvRN": ("lgm300", "blocks300", "hetero300"),
    },
    "others": {
        "nBC": ("weak300",),
        BAYES: ("four classes", "weak communities"),
        "wvRN": ("weak300",),
    },
}


def with_coins(draw: Callable[..., Network], *, seed: int) -> Network:
    """Draw a network and the direction of each of its links, by a fair coin."""
    network = draw(seed=seed)
    source, target = network.simple_links()
    turned = seeds.generator(seed, 1).random(source.size) < 0.5
    return Network(
        np.where(turned, target, source),
        np.where(turned, source, target),
        n_nodes=network.n_nodes,
        directed=True,
        labels=[network.classes[code] for code in network.labels],
        classes=network.classes,
        name=network.name,
    )


def trial_of(models: str, domain: str, entropy: int) -> tuple[Network, list[Model]]:
    """Draw a network and two models that are equally good by symmetry."""
    if models == BAYES:
        return FEATURED[domain](seed=entropy), [BayesOnHalf(0), BayesOnHalf(1)]
    network, made = DOMAINS[domain](seed=entropy), RELATIONAL[models]
    half = np.triu(seeds.generator(entropy, 1).random((network.n_nodes,) * 2) < 0.5, 1)
    return network, [
        OnHalfOfLinks("first", made(), half),
        OnHalfOfLinks("second", made(), ~half),
    ]


def measure_for(name: str, network: Network) -> Measure:
    """Return a measure; hits are those among all classes but one."""
    if name == "hits":
        return measure_named(f"hits@{network.n_classes - 1}")
    if name == "kappa":
        return custom_measure(kappa, better="higher", bounds=(-1, 1))
    return measure_named(name)


def of_one_class(predictions: Predictions) -> Predictions:
    """Return the same predictions of the rarest class against all others."""
    network = predictions.network
    rarest = np.bincount(network.labels, minlength=network.n_classes).argmin()
    return predictions.one_against_rest(network.classes[rarest])


def on_predictions(predictions: Predictions, entropy: int) -> Iterator[tuple[str, Any]]:
    """Yield each measure's name and its judgment by the saved predictions; None if undefined."""
    analysis = analysis_of(predictions, Options(labeled=LABELED, seed=entropy))
    one = of_one_class(predictions)
    for names, given in ((OF_ALL_CLASSES, predictions), (OF_ONE_CLASS, one)):
        for name in names:
            how = replace(analysis, measure=measure_for(name, given.network))
            try:
                yield name, judge([Cell(given, how)])[0]
            except InputError:  # a model that predicts no node to be positive has no precision
                yield name, None


def run_saved(unit: Unit) -> list[Record]:
    """Compare saved predictions by all measures, and count what the tests reject."""
    cell = unit.cell
    found: dict[str, list[Any]] = {name: [] for name in (*OF_ALL_CLASSES, *OF_ONE_CLASS)}
    for entropy in _entropies(unit):
        network, models = trial_of(str(cell["models"]), str(cell["domain"]), entropy)
        setup = Setup.of(
            network, models,
            Options(labeled=LABELED, n_splits=N_SPLITS, test="cluster_robust_t", seed=entropy,
                    progress=False),
        )  # fmt: skip
        for name, judgment in on_predictions(setup.predictions(), entropy):
            if judgment is None:
                found[name].append(None)
                continue
            chosen, verdict = judgment.procedure.name, judgment.tests[0]
            made = {chosen: verdict, SAVED: verdict}
            made |= {
                each: PROCEDURES[each].run(judgment.evidence[0])
                for each in BESIDE
                if each != chosen
            }
            found[name].append(made)
    return _counted(cell, found, (SAVED, *BESIDE))


def run_again(unit: Unit) -> list[Record]:
    """Compare by the community bootstrap, which `compare` takes for small networks.

    The built-in models themselves run, along the links out of and into a node.
    """
    cell = unit.cell
    found: dict[str, list[Any]] = {name: [] for name in AGAIN}
    for entropy in _entropies(unit):
        network = with_coins(DOMAINS[str(cell["domain"])], seed=entropy)
        rarest = np.bincount(network.labels, minlength=network.n_classes).argmin()
        for name in AGAIN:
            setup = Setup.of(
                network,
                [COINS[str(cell["models"])](way) for way in ("out", "in")],
                Options(
                    positive=network.classes[rarest] if name in OF_ONE_CLASS else None,
                    labeled=LABELED, n_splits=N_SPLITS, measure=measure_for(name, network),
                    test=BOOTSTRAP, n_replicates=unit.options["replicates"], seed=entropy,
                    progress=False,
                ),
            )  # fmt: skip
            found[name].append({RERUN: run_and_judge([setup])[0].tests[0]})
    return _counted(cell, found, (RERUN,))


def run(unit: Unit) -> list[Record]:
    """Run some trials of one cell."""
    return run_again(unit) if unit.cell["judged by"] == RERUN else run_saved(unit)


def _entropies(unit: Unit) -> Iterator[int]:
    for trial in range(unit.first, unit.first + unit.trials):
        yield seeds.derive(unit.seed, Stream.MEASURED_TRIAL, trial)


def _counted(
    cell: Settings, found: Mapping[str, list[Any]], tests: tuple[str, ...]
) -> list[Record]:
    records = []
    for name, trials in found.items():
        where: Settings = {**cell, COMPARED: name}
        estimates = [np.nan if each is None else each[tests[0]].estimate for each in trials]
        records.append(measured(where, DIFFERENCE, estimates))
        for test in tests:
            p = [np.nan if each is None else each[test].pvalue for each in trials]
            records.append(rejections_at(1 - CONFIDENCE, where, test, p))
            squares = [
                np.nan if each is None else each[test].standard_error ** 2 for each in trials
            ]
            records.append(measured(where, VARIANCE, squares, test))
    return records


def _cells(options: Mapping[str, Any]) -> Iterable[Settings]:
    for judged_by in (RERUN,) if options["judged"] == "again" else (SAVED,):
        for models, domains in NETWORKS[options["networks"]].items():
            if judged_by == SAVED or models != BAYES:
                for domain in domains:
                    yield {
                        "domain": domain, "models": models, "judged by": judged_by,
                        "labeled": LABELED,
                    }  # fmt: skip


EXPERIMENTS = {
    "measures": Experiment(
        name="measures",
        title="Every measure of classes: Type I error of the verdict, and of the usual t",
        source="our own",
        about="Networks of 300 nodes (four classes: 400), drawn anew for each trial. Two models are"
        " equally good by symmetry, whatever the measure: wvRN, or nBC, each on one half of the "
        "links, drawn once a network, or naive Bayes on either half of exchangeable features. "
        "Their predictions on 5 random resamples with 30% labeled are made once and compared by "
        "every measure, as `compare_predictions` does it by default; those of one class take the "
        "rarest against all others. Every rejection is a Type I error. The mean of the estimated "
        "variances, over that of the differences, says how far a standard error is right.",
        trials=200,
        chunk=10,
        cells=_cells,
        run=run,
        tests=(SAVED, *BESIDE),
        lacks="only these are made in this experiment",
        options={
            "networks": Option(
                "first", "domains to measure on, or others to judge changes on", tuple(NETWORKS)
            ),
            "judged": Option(
                "saved",
                "by saved predictions, or by running the models again on drawn networks",
                ("saved", "again"),
            ),
            "replicates": Option(20, "networks of either kind that the bootstrap draws"),
        },
        figure=replace(BY_MODELS, only=(COMPARED, "macro_f1")),
    )
}
