"""Tests of link predictors on fresh networks: level, and size of the variance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..comparison.judge import Cell, judge, run_and_judge
from ..comparison.options import Options
from ..comparison.setup import Setup
from ..core import seeds
from ..core.seeds import Stream
from ..inference.on_pairs import CLUSTER_ENDS_T, DYADIC_ROBUST_T, NODE_BOOTSTRAP, NODE_JACKKNIFE
from ..inference.registry import on_predictions
from ..metrics.measures import measure_of
from ..models.link_predictors import LinkPredictor, as_link_predictor
from ..network.network import Network
from .base import Experiment, Figure, Option, Unit
from .records import DIFFERENCE, Record, Settings, measured, rejections_at

Floats = NDArray[np.float64]
N_NODES, FEWER_NODES = 300, 150  # in the first four domains; in the fresh ones
NOISE = 0.7  # standard deviation of what a model sees of a node's place, about the place
VARIANCE = "variance of the mean difference"
CONFIDENCE = 0.95
N_GROUPS, GROUPED = 20, "communities with errors of their own"
UNEQUAL = "unequal communities with errors of their own"
# measure -> design; those of one design are measured on the same scores
MEASURES = {
    "auc": "rrs", "average_precision": "rrs", "hits@10": "rrs", "mrr": "rrs+ends:20",
}  # fmt: skip


def latent_space(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Place nodes in a plane and link near ones (Hoff, Raftery and Handcock 2002)."""
    place = rng.normal(size=(N_NODES, 2))
    return _drawn(rng, np.exp(-2 * _squared_distances(place)), degree), np.asarray(place)


def degree_blocks(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Draw six blocks with heavy-tailed degrees (Karrer and Newman 2011)."""
    block = rng.integers(6, size=N_NODES)
    size = np.minimum(1 + rng.pareto(2.5, size=N_NODES), 8)
    rate = np.outer(size, size) * np.where(block[:, None] == block, 1, 0.08)
    return _drawn(rng, rate, degree), 1.5 * np.eye(6)[block]


def near_attachment(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Let nodes come one by one and link to near ones that have many links."""
    place = rng.normal(size=(N_NODES, 2))
    near = np.exp(-2 * _squared_distances(place)) + 1e-9
    degrees, links = np.ones(N_NODES), np.zeros((N_NODES, N_NODES))
    for node in range(1, N_NODES):
        chance = degrees[:node] * near[node, :node]
        size = min(round(degree / 2), node)
        chosen = rng.choice(node, size=size, replace=False, p=chance / chance.sum())
        links[chosen, node] = 1
        degrees[chosen] += 1
        degrees[node] += size
    return links, place


def _squared_distances(place: Floats) -> Floats:
    return np.asarray(((place[:, None] - place) ** 2).sum(axis=2), dtype=np.float64)


def _drawn(rng: np.random.Generator, rate: Floats, degree: float) -> Floats:
    """Draw links with chances in proportion to a rate, for a mean degree."""
    rate = np.triu(rate, 1)
    chance = np.minimum(rate * (len(rate) * degree / 2 / rate.sum()), 1.0)
    return np.asarray(rng.random(rate.shape) < chance, dtype=np.float64)


def communities(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Draw twenty groups with places of their own; models err by whole groups, see `trial_of`."""
    group = rng.integers(N_GROUPS, size=N_NODES)
    place = 1.5 * rng.normal(size=(N_GROUPS, 2))[group] + 0.5 * rng.normal(size=(N_NODES, 2))
    rate = np.where(group[:, None] == group, 1.0, 0.02)
    return _drawn(rng, rate, degree), np.column_stack([place, group])


def unequal_communities(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Draw twelve groups whose sizes fall as one over the rank; models err by whole groups."""
    chance = 1 / np.arange(1, 13)
    group = rng.choice(12, size=FEWER_NODES, p=chance / chance.sum())
    place = 1.5 * rng.normal(size=(12, 2))[group] + 0.5 * rng.normal(size=(FEWER_NODES, 2))
    rate = np.where(group[:, None] == group, 1.0, 0.05)
    return _drawn(rng, rate, degree), np.column_stack([place, group])


def ring(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Link near nodes of a ring, and a tenth of the links anywhere (Watts and Strogatz 1998)."""
    angle = np.linspace(0, 2 * np.pi, FEWER_NODES, endpoint=False)
    steps = np.abs(np.subtract.outer(np.arange(FEWER_NODES), np.arange(FEWER_NODES)))
    near = np.minimum(steps, FEWER_NODES - steps) <= degree / 2
    share = 0.1 * near.sum() / (FEWER_NODES * (FEWER_NODES - 1))
    rate = np.where(near, 0.9, 0.0) + share
    return _drawn(rng, rate, degree), 3 * np.column_stack([np.cos(angle), np.sin(angle)])


def teams(rng: np.random.Generator, degree: float) -> tuple[Floats, Floats]:
    """Put every node into two of thirty teams, and link those that share one."""
    member = np.array([rng.choice(30, size=2, replace=False) for _ in range(FEWER_NODES)])
    belongs = np.zeros((FEWER_NODES, 30))
    np.put_along_axis(belongs, member, 1.0, axis=1)
    places = 1.5 * rng.normal(size=(30, 2))
    return _drawn(rng, belongs @ belongs.T + 0.02, degree), np.asarray(belongs @ places / 2)


def few_communities(
    sizes: tuple[int, ...], rng: np.random.Generator, degree: float
) -> tuple[Floats, Floats]:
    """Draw communities of given sizes, too few to be tested by, which the user names."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    place = 1.5 * rng.normal(size=(len(sizes), 2))[group] + rng.normal(size=(group.size, 2))
    near = np.exp(-_squared_distances(place) / 2)
    rate = near * np.where(group[:, None] == group, 1, 0.3)
    return _drawn(rng, rate, degree), np.column_stack([place, group])


Domain: TypeAlias = tuple[Callable[..., tuple[Floats, Floats]], float]
DOMAINS: dict[str, Domain] = {
    "latent space": (latent_space, 8.0),
    "degree-corrected blocks": (degree_blocks, 10.0),
    "attachment to near hubs": (near_attachment, 8.0),
    GROUPED: (communities, 8.0),
}
# on which no test was chosen
FRESH: dict[str, Domain] = {
    "ring with shortcuts": (ring, 8.0),
    "overlapping teams": (teams, 8.0),
    UNEQUAL: (unequal_communities, 8.0),
}
# communities that weigh as fewer than three of equal size
FEW: dict[str, Domain] = {
    "two communities": (partial(few_communities, (50, 50)), 8.0),
    "three unequal communities": (partial(few_communities, (60, 25, 15)), 8.0),
    "two small, dense communities": (partial(few_communities, (15, 15)), 11.6),
}
SETS = {"first": DOMAINS, "fresh": FRESH, "few": FEW}


class _OnHalfOfLinks:
    """A link predictor that sees one half of the links, drawn once a network."""

    def __init__(self, name: str, of: str, half: NDArray[np.bool_]) -> None:
        self.name = name
        self._of, self._half = of, half  # by the numbers of pairs

    def fit(self, network: Network) -> Self:
        source, target = network.simple_links()
        own = self._half[source, target]
        self._fitted = as_link_predictor(self._of).fit(network.with_links(source[own], target[own]))
        return self

    def score(self, pairs: NDArray[np.intp]) -> NDArray[Any]:
        return self._fitted.score(pairs)


class _Nearness:
    """Minus the squared distance of the places that a model sees."""

    def __init__(self, name: str, columns: slice) -> None:
        self.name = name
        self._columns = columns

    def fit(self, network: Network) -> Self:
        self._place = np.asarray(network.features)[:, self._columns]
        return self

    def score(self, pairs: NDArray[np.intp]) -> NDArray[Any]:
        first, second = pairs.T
        return np.asarray(-((self._place[first] - self._place[second]) ** 2).sum(axis=1))


HALVES, PLACES = "common neighbors, half of the links each", "places seen with noise"
SHARED = "places seen with noise of whole communities"
# what both models of a pair are -> the link predictor that sees half of the links
MODELS = {HALVES: "common_neighbors", PLACES: "", SHARED: ""}
SPLITS = (10,)


def trial_of(domain: str, models: str, entropy: int) -> tuple[Network, list[LinkPredictor]]:
    """Draw a network and two models that are as good as each other, by symmetry."""
    rng = seeds.generator(entropy, 0)
    draw, degree = (DOMAINS | FRESH | FEW)[domain]
    links, place = draw(rng, degree)
    n = len(links)
    group = errs = np.arange(n)
    if domain in (GROUPED, UNEQUAL, *FEW):
        place, group = place[:, :2], place[:, 2].astype(np.intp)
    if models == SHARED or domain in (GROUPED, UNEQUAL):
        errs = group
    seen = [place + NOISE * rng.normal(size=place.shape)[errs] for _ in "ab"]
    network = Network(
        *np.nonzero(links), n_nodes=n, features=np.hstack(seen), name=domain,
        attributes={"community": group} if domain in FEW else None,
    )  # fmt: skip
    half = np.triu(rng.random(links.shape) < 0.5, 1)
    width = place.shape[1]
    if not (of := MODELS[models]):
        return network, [
            _Nearness("first", slice(0, width)), _Nearness("second", slice(width, None))
        ]  # fmt: skip
    return network, [
        _OnHalfOfLinks("first", of, half),
        _OnHalfOfLinks("second", of, ~half),
    ]


def run(unit: Unit) -> list[Record]:
    """Run trials of one cell by the road of `compare`, and count what every test rejects."""
    cell, tests = unit.cell, on_predictions("pairs")
    found: dict[str, list[list[Any]]] = {name: [] for name in MEASURES}
    for number in range(unit.first, unit.first + unit.trials):
        entropy = seeds.derive(unit.seed, Stream.LINK_TRIAL, number)
        network, models = trial_of(str(cell["domain"]), str(cell["models"]), entropy)
        for design in dict.fromkeys(MEASURES.values()):
            wanted = [name for name, its in MEASURES.items() if its == design]
            setup = Setup.of(
                network, models,
                Options(
                    design=design, n_splits=int(cell["splits"]),
                    communities="community" if network.attributes else "louvain",
                    measure=wanted[0], seed=entropy, progress=False,
                ),
            )  # fmt: skip
            first = run_and_judge([setup])[0]
            found[wanted[0]].append(list(first.all_tests()))
            for name in wanted[1:]:
                analysis = replace(setup.analysis, measure=measure_of(name, "links"))
                again = judge([Cell(first.scores.predictions, analysis)])[0]
                found[name].append(list(again.all_tests()))
    records = []
    for name, trials in found.items():
        where: Settings = {**cell, "compared by": name}
        records.append(measured(where, DIFFERENCE, [each[0].estimate for each in trials]))
        for place, test in enumerate(tests):
            p = [each[place].pvalue for each in trials]
            records.append(rejections_at(1 - CONFIDENCE, where, test.name, p))
            if test in (CLUSTER_ENDS_T, NODE_JACKKNIFE, DYADIC_ROBUST_T, NODE_BOOTSTRAP):
                squares = [each[place].standard_error ** 2 for each in trials]
                records.append(measured(where, VARIANCE, squares, test.name))
    return records


def _cells(options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"domain": domain, "models": models, "splits": splits}
        for models in ((PLACES, SHARED) if options["domains"] == "few" else (HALVES, PLACES))
        for domain in SETS[options["domains"]]
        for splits in SPLITS
    ]


EXPERIMENTS = {
    "links": Experiment(
        name="links",
        title="Link prediction: Type I error of the tests of pairs",
        source="our own",
        about="Networks of 300 nodes, drawn anew for each trial: a latent space, degree-corrected "
        "blocks, attachment to near hubs, and twenty communities. Two link predictors are as good "
        "as each other by symmetry: each sees one half of the links, drawn once a network, and "
        "counts common neighbors; or each sees the nodes' places with noise of its own, which in "
        "the fourth domain all nodes of a community share. A tenth of the links is hidden, with as "
        "many pairs without link (twenty at the ends of each for mrr). The mean of the estimated "
        "variances, over that of the differences, says how far a standard error is right.",
        trials=200,
        chunk=10,
        cells=_cells,
        run=run,
        tests=lambda: tuple(each.name for each in on_predictions("pairs")),
        lacks="it is no test of pairs of nodes",
        options={
            "domains": Option(
                "first",
                "networks: the four on which the tests were chosen; three others, of 150 nodes: "
                "a ring with shortcuts, overlapping teams, and twelve unequal communities; or "
                "three with too few communities to test by",
                tuple(SETS),
            )
        },
        figure=Figure(
            "splits",
            "number of splits",
            "Type I error",
            lines=("models", "test"),
            panels="domain",
            only=("compared by", "auc"),
        ),
    )
}
