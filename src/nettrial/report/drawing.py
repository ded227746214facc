"""Networks drawn: nodes in the circles of their communities, or communities alone.

Communities are packed as circles, the largest first, each where it touches others and is nearest to
those that it is linked with. Within a circle nodes are placed by forces (Fruchterman and Reingold
1991). All of it is determined by the network: no random number is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.wording import shorten, shorten_apart
from ..metrics._drawing import COLORS, open_axes
from ..network.network import Network
from ..network.node_values import MISSING
from .canvas import BAND, COLOR_A, COLOR_B, GRID, INK, NAME, PALE, legend
from .display import Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..comparison.result import Comparison

Points = NDArray[np.float64]
MOST_NODES, MOST_LINKS = 2_000, 10_000  # beyond which communities stand for their nodes
MOST_CIRCLES = 120  # communities with a circle of their own; the others share one
ANGLES = 24  # places that are tried around a circle
HUES = 7  # colors of classes, the last of which several share where there are more
SIZE = 4.2  # inches, on a desk and on a phone


@dataclass(frozen=True, slots=True)
class Picture:
    """Where everything is."""

    group: NDArray[np.intp]  # shape (n_nodes,): the circle of each node
    centers: Points  # shape (n_circles, 2)
    radii: Points  # shape (n_circles,)
    # shape (n_nodes, 2), or None: None where communities stand for their nodes
    nodes: Points | None


def arranged(network: Network, communities: NDArray[np.integer]) -> Picture:
    """Return where a network's communities, and nodes if they are not too many, are drawn."""
    _, codes = np.unique(communities, return_inverse=True)
    sizes = np.bincount(codes)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    group = np.minimum(rank[codes], MOST_CIRCLES)
    source, target = network.simple_links()
    k = int(group.max(initial=0)) + 1
    between = np.bincount(group[source] * k + group[target], minlength=k * k).reshape(k, k)
    radii = np.sqrt(np.bincount(group, minlength=k).astype(float))
    centers = _packed(between + between.T, radii)
    if network.n_nodes > MOST_NODES or source.size > MOST_LINKS:
        return Picture(group, centers, radii, None)
    place = np.empty((network.n_nodes, 2))
    inside = group[source] == group[target]
    for circle in range(k):
        members = np.flatnonzero(group == circle)
        row = np.full(network.n_nodes, -1)
        row[members] = np.arange(members.size)
        own = inside & (group[source] == circle)
        spread = _spring(members.size, row[source[own]], row[target[own]])
        place[members] = centers[circle] + 0.86 * radii[circle] * spread
    return Picture(group, centers, radii, place)


def _packed(links: NDArray[np.integer], radii: Points) -> Points:
    """Place circles side by side: each touches another and is near to those it is linked with."""
    centers = np.zeros((radii.size, 2))
    around = 2 * np.pi * np.arange(ANGLES) / ANGLES
    ring = np.stack([np.cos(around), np.sin(around)], axis=1)
    for i in range(1, radii.size):
        reach = 1.06 * (radii[:i] + radii[i]) + 0.3
        tried = (centers[:i, None] + reach[:, None, None] * ring).reshape(-1, 2)
        apart = np.linalg.norm(tried[:, None] - centers[:i], axis=2)
        free = (apart >= reach - 1e-9).all(axis=1)
        pull = np.linalg.norm(tried, axis=1) / radii.sum()
        pull += apart @ links[i, :i] / max(float(links[i, :i].sum()), 1.0)
        centers[i] = tried[np.argmin(np.where(free, pull, np.inf))]
    return centers


def _spring(n: int, source: NDArray[np.intp], target: NDArray[np.intp]) -> Points:
    """Place nodes in the unit circle by the forces of their links."""
    number = np.arange(n)
    angle, distance = number * np.pi * (3 - np.sqrt(5)), np.sqrt((number + 0.5) / max(n, 1))
    place = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)  # a sunflower
    if n < 3 or not source.size:
        return place * (n > 1)
    ideal, rounds = 1 / np.sqrt(n), 60 if n <= 500 else 20
    for step in np.linspace(0.15, 0.01, rounds):
        gap = place[:, None] - place
        far = np.maximum((gap**2).sum(axis=2), 1e-4)
        force = (gap * (ideal**2 / far)[:, :, None]).sum(axis=1)
        along = place[source] - place[target]
        drawn = along * (np.linalg.norm(along, axis=1) / ideal)[:, None]
        for axis in range(2):
            force[:, axis] -= np.bincount(source, drawn[:, axis], n)
            force[:, axis] += np.bincount(target, drawn[:, axis], n)
        force -= place  # to the middle
        size = np.maximum(np.linalg.norm(force, axis=1), 1e-9)
        place = place + force * (np.minimum(size, step) / size)[:, None]
    place -= place.mean(axis=0)
    return np.asarray(place / max(float(np.linalg.norm(place, axis=1).max()), 1e-9))


@dataclass(frozen=True, slots=True)
class NetworkDisplay(Display):
    """A network with its communities; nodes by their class, or by which of two models errs."""

    differs: ClassVar[bool] = False
    network: Network
    communities: NDArray[np.integer]  # shape (n_nodes,)
    found: Comparison | None = None  # whose errors are shown in place of classes

    def frame(self) -> pd.DataFrame:
        """Return one row per node: its id, and what it is drawn as."""
        import pandas as pd

        kinds, kind = self._kinds()
        drawn = [kinds[i][0] for i in kind]
        return pd.DataFrame({"node": list(self.network.ids), "drawn_as": drawn})

    def alt(self) -> str:
        """Describe how many nodes are drawn as what."""
        kinds, kind = self._kinds()
        count = np.bincount(kind, minlength=len(kinds))
        named = ", ".join(f"{n:,} {name}" for (name, *_), n in zip(kinds, count.tolist()) if n)
        return f"{self.network.n_nodes:,} nodes: {named}"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw links, the circles of communities, and nodes."""
        from matplotlib.patches import Circle

        ax = open_axes(ax, width=SIZE, height=SIZE)
        picture = arranged(self.network, self.communities)
        kinds, kind = self._kinds()
        if picture.nodes is None:
            self._communities(ax, picture, kinds, kind)
        else:
            for center, radius in zip(picture.centers, picture.radii):
                ax.add_patch(Circle((center[0], center[1]), 1.02 * radius, facecolor=BAND,
                                    edgecolor=GRID, linewidth=0.8, zorder=0))  # fmt: skip
            ends = picture.nodes[np.stack(self.network.simple_links())]  # (2, n_links, 2)
            path = np.full((ends.shape[1], 3, 2), np.nan)  # gaps between lines make one path
            path[:, :2] = ends.transpose(1, 0, 2)
            x, y = path.reshape(-1, 2).T
            ax.plot(x, y, color=PALE, linewidth=0.35, alpha=0.5, zorder=1)
            size = float(np.clip(50 / np.sqrt(max(self.network.n_nodes, 1)), 1.6, 6))
            for number, (_, color, mark) in enumerate(kinds):
                x, y = picture.nodes[kind == number].T
                quiet = color == PALE and self.found is not None
                ax.plot(x, y, mark, color=color, markersize=size * (0.6 if quiet else 1),
                        markeredgewidth=0, zorder=2 + (not quiet))  # fmt: skip
        shown = [
            (ax.plot([], [], mark, color=color, markersize=6, markeredgewidth=0)[0], name)
            for number, (name, color, mark) in enumerate(kinds)
            if (kind == number).any()
        ]
        legend(ax, "", shown)
        ax.set_aspect("equal", adjustable="datalim")
        ax.autoscale_view()
        ax.set_axis_off()
        return ax

    def _communities(
        self, ax: Axes, picture: Picture, kinds: list[tuple[str, str, str]], kind: NDArray[np.intp]
    ) -> None:
        """Draw communities as circles in parts, as many of each kind as its nodes."""
        from matplotlib.patches import Wedge

        k = picture.radii.size
        source, target = (picture.group[end] for end in self.network.simple_links())
        counts = np.bincount(source * k + target, minlength=k * k).reshape(k, k)
        counts += counts.T
        for i, j in zip(*np.nonzero(np.triu(counts, 1))):
            x, y = picture.centers[[i, j]].T
            width = 0.3 + 2.5 * counts[i, j] / counts.max()
            ax.plot(x, y, color=PALE, linewidth=width, alpha=0.5, zorder=0)
        parts = np.zeros((k, len(kinds)))
        np.add.at(parts, (picture.group, kind), 1)
        ends = 360 * np.cumsum(parts / parts.sum(axis=1, keepdims=True), axis=1)
        for circle in range(k):
            begin = 0.0
            for (_, color, _), end in zip(kinds, ends[circle]):
                if end > begin:
                    x, y = picture.centers[circle]
                    ax.add_patch(Wedge((x, y), picture.radii[circle], 90 - end, 90 - begin,
                                       facecolor=color, linewidth=0, zorder=1))  # fmt: skip
                begin = end

    def _kinds(self) -> tuple[list[tuple[str, str, str]], NDArray[np.intp]]:
        """Return the name, color and mark of each kind of node, and the kind of each node."""
        if self.found is not None:
            return _errors(self.found)
        network = self.network
        if network.targets is not None or not network.n_classes:
            kinds = [("with a target" if network.targets is not None else "nodes", COLORS[0], "o")]
            return kinds, np.zeros(network.n_nodes, dtype=np.intp)
        counts = np.bincount(network.labels[network.labels != MISSING], minlength=network.n_classes)
        order = np.argsort(-counts, kind="stable")
        shown = order[: HUES - (order.size > HUES)]
        kinds = [
            (shorten(str(network.classes[i]), NAME), COLORS[n], "o") for n, i in enumerate(shown)
        ]
        place = np.full(network.n_classes + 1, len(kinds))
        place[shown] = np.arange(shown.size)
        place[-1] = len(kinds) + 1
        kinds += [("of other classes", INK, "o"), ("without class", PALE, "o")]
        codes = np.where(network.labels == MISSING, network.n_classes, network.labels)
        return kinds, place[codes]


def caption(display: NetworkDisplay) -> str:
    """Return what a picture of a network is made of."""
    network = display.network
    circles = "Each circle is a community"
    if network.n_nodes > MOST_NODES or network.simple_links()[0].size > MOST_LINKS:
        return f"{circles}, in parts as its nodes are; lines are wider where there are more links."
    return f"{circles}, each line a link."


def _errors(found: Comparison) -> tuple[list[tuple[str, str, str]], NDArray[np.intp]]:
    """Return which nodes only one of two models gets wrong, counted over all their tests."""
    a, b = (found.predictions.errors(model) for model in (found.a, found.b))
    wrong_a, wrong_b = ((each == 1).sum(axis=0) for each in (a, b))
    tested = (a >= 0).any(axis=0)
    first, second = shorten_apart((found.a, found.b), NAME)
    kinds = [
        (f"{first} errs more often", COLOR_A, "s"),
        (f"{second} errs more often", COLOR_B, "^"),
        ("both err", INK, "D"),
        ("neither errs, or not tested", PALE, "o"),
    ]
    kind = np.select(
        [~tested, wrong_a > wrong_b, wrong_b > wrong_a, wrong_a > 0], [3, 0, 1, 2], default=3
    )
    return kinds, kind.astype(np.intp)
