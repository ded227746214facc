"""What a page on a network says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.results import show
from ...core.wording import listed, plural, shorten
from ...network.communities import communities, effective_number
from ...network.network import Network
from ...network.node_values import MISSING
from ...network.summary import WORDS, components, summarize
from ...study.tasks import task_of
from .. import cells
from ..bars import DegreeDisplay
from ..document import Blocks, Document, Figure, Items, Name, Table, Verdict, rows
from ..drawing import NetworkDisplay, caption
from ..references import cite, of_communities
from .base import describe
from .common import describe_network, size_of
from .settings import network_settings, settings_table

LISTED_CLASSES = 20
MIXED = 10  # classes in the table of links between them
ALIKE = 0.05  # autocorrelation from which on linked nodes are alike, or unlike


@describe.register
def _network(network: Network) -> Document:
    summary = summarize(network)
    codes = communities(network)
    sizes = np.unique(codes, return_counts=True)[1]
    headline = f"{network.name or 'The network'}: {size_of(network)}"
    display = NetworkDisplay(network, codes)
    alike = summary.autocorrelation
    facts = (
        (f"{plural(summary.components, 'component').split()[0]}", "connected components"),
        (f"{2 * summary.links_simple_undirected / max(network.n_nodes, 1):.1f}", "links per node"),
        (
            "–" if alike is None else f"{alike:.2f}".replace("-", "−"),
            "autocorrelation of linked nodes",
        ),
        (f"{effective_number(sizes):.1f}", f"effective number of {sizes.size:,} communities"),
    )
    text = f"{_alike(network, alike)} {_missing(summary.unlabeled, summary.isolates)}"
    return Document(
        kind=f"the network {network.name}".rstrip(),
        verdict=Verdict(headline, f"{headline}. {text}", text, facts),
        blocks=(
            Figure(caption(display), display, "The network"),
            Figure(
                "Nodes by their number of neighbors, without direction or weight.",
                DegreeDisplay(network),
                "Neighbors",
            ),
            *_mixing(network),
            _components(network),
            *_read(network),
            *network_tables(network),
        ),
        methods=lambda name: _methods(network, name, sizes.size),
        details=lambda: (settings_table(network_settings(network), {}),),
        sources=(*of_communities("louvain"), "newman2003"),
    )


def _alike(network: Network, value: float | None) -> str:
    if value is None:
        return "No link joins two labeled nodes of different classes."
    what = "target" if network.targets is not None else "class"
    if abs(value) < ALIKE:
        return f"Linked nodes share their {what} hardly more often than by chance."
    how = "more" if value > 0 else "less"
    return f"Linked nodes share their {what} {how} often than by chance."


def _missing(unlabeled: int, isolates: int) -> str:
    said = [
        f"{plural(number, 'node')} without {what}"
        for number, what in ((unlabeled, "label"), (isolates, "links"))
        if number
    ]
    return f"Not counted in it: {listed(said)}." if said else "Every node has a label and links."


def _mixing(network: Network) -> Blocks:
    """Return with which classes the nodes of each class are linked."""
    if network.targets is not None or network.n_classes < 2:
        return ()
    labels, k = network.labels, network.n_classes
    ends = np.stack([labels[end] for end in network.simple_links()])
    ends = ends[:, (ends != MISSING).all(axis=0)]
    counts = np.bincount(ends[0].astype(np.int64) * k + ends[1], minlength=k * k).reshape(k, k)
    counts = counts + counts.T
    order = np.argsort(-np.bincount(labels[labels != MISSING], minlength=k), kind="stable")[:MIXED]
    names = [shorten(str(network.classes[i]), 20) for i in order]
    totals = np.maximum(counts.sum(axis=1), 1)
    body = [
        [
            cells.words(name),
            *(cells.share(counts[i, j] / totals[i], 1) for j in order),
        ]
        for name, i in zip(names, order)
    ]
    more = f" The {k - MIXED:,} smallest classes are left out." if k > MIXED else ""
    return (
        Table(
            "Links between classes",
            ("links of", *(f"to {name}" for name in names)),
            rows(body),
            below=(
                f"Share of a class's links that lead to each class; rows add up to 100%.{more}",
            ),
        ),
    )


def _components(network: Network) -> Table:
    sizes = np.sort(np.bincount(components(network)))[::-1]
    named = [(str(i + 1), int(size)) for i, size in enumerate(sizes[:5])]
    if sizes.size > 5:
        named.append((f"the other {sizes.size - 5:,}", int(sizes[5:].sum())))
    body = [
        [cells.words(name), cells.count(size), cells.share(size / network.n_nodes, 1)]
        for name, size in named
    ]
    return Table("Components", ("component", "nodes", "share"), rows(body), fold=sizes.size == 1)


def _read(network: Network) -> Blocks:
    from ...io import what_was_read

    read = what_was_read(network)
    return (Items("What was read", (read.line(), *read.notes)),)


def _methods(network: Network, name: Name, number: int) -> str:
    return (
        f"We describe {describe_network(network, name)}. Autocorrelation is the assortativity "
        f"coefficient of linked nodes {cite('newman2003')}; the {number:,} communities are those "
        f"of the Louvain method {cite(*of_communities('louvain'))}."
    )


def network_tables(network: Network) -> Blocks:
    """Return the counts of a network and of its classes, on request."""
    summary, task = summarize(network), task_of(network)
    body = []
    for field, text in WORDS.items():
        value = getattr(summary, field)
        text = text.replace("label", task.label)
        if not network.n_classes:
            if field == "classes":
                continue
            text = text.replace("the classes", f"the {task.label}")
        if isinstance(value, int) and not isinstance(value, bool):
            body.append([cells.words(text), cells.count(value)])
        else:
            form = f"{value:.2f}" if isinstance(value, float) else show(value)
            body.append([cells.words(text), cells.numbers(form)])
    counts = list(summary.class_counts.items())
    if len(counts) > LISTED_CLASSES:
        counts.sort(key=lambda item: -item[1])
        others = counts[LISTED_CLASSES:]
        counts = counts[:LISTED_CLASSES]
        counts.append((f"the other {len(others):,} classes", sum(n for _, n in others)))
    total = max(1, sum(n for _, n in counts))
    if task.name in TARGETS:
        body += TARGETS[task.name](network)
    table = Table("The network", (), rows(body), fold=True)
    if not counts:
        return (table,)
    return (
        table,
        Table(
            "",
            ("class", "nodes", "share"),
            rows(
                [
                    [cells.words(shorten(name, 60)), cells.count(n), cells.share(n / total, 1)]
                    for name, n in counts
                ]
            ),
        ),
    )


def _target(network: Network) -> list[list[cells.Cell]]:
    assert network.targets is not None  # noqa: S101 - it is of them that numbers are predicted
    known = network.targets[~np.isnan(network.targets)]
    values = {"mean": known.mean(), "standard deviation": known.std(ddof=1),
              "smallest": known.min(), "largest": known.max()}  # fmt: skip
    return [
        [cells.words(f"target, {what}"), cells.number(float(value))]
        for what, value in values.items()
    ]


# rows of the table of the network on what is predicted
TARGETS: dict[str, Callable[[Network], list[list[cells.Cell]]]] = {"numbers": _target}
