"""Training on samples of neighbors, and prediction part by part, for networks too large for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from .torch_adapter import Forward, keep_best, loss_for
from .torch_data import TorchData, load, moved
from .torch_devices import precision

Nodes = NDArray[np.int64]


@check_arguments
@dataclass(frozen=True, slots=True)
class NeighborBatches:
    """Train on batches of nodes with samples of their neighbors; predict part by part.

    For a batch of training nodes some of the links to each are drawn, then some of the links to
    the nodes reached, and so on, as GraphSAGE does and PyTorch Geometric's ``NeighborLoader``
    (Hamilton et al. 2017). The module is called on these nodes and links as it would be on the
    whole network. Prediction draws nothing: for a batch of nodes it takes all links within one
    step more than there are samples, so that it is exact for modules of that many layers, also
    where they divide by degrees. It needs neither pyg-lib nor torch-sparse. Features and links
    stay in main memory; only batches are moved to the device.

    Parameters
    ----------
    neighbors : sequence of int
        Links that are drawn to each node, layer by layer of the module; -1 for all.
    batch_size : int
        Nodes of a batch, in training and in prediction.
    epochs, patience, learning_rate, weight_decay, mixed_precision
        As for `FullBatch`.

    References
    ----------
    W. Hamilton, R. Ying, J. Leskovec (2017), Inductive representation learning on large graphs,
    NeurIPS.

    Examples
    --------
    >>> from nettrial.models import TorchModel
    >>> def sage(n_features, n_classes):
    ...     from torch_geometric.nn.models import GraphSAGE
    ...     return GraphSAGE(n_features, 16, 2, n_classes)
    >>> TorchModel(sage, train=NeighborBatches([10, 10], batch_size=256))
    TorchModel('sage')
    """

    neighbors: Sequence[int] = (10, 10)
    batch_size: int = 512
    epochs: int = 30
    patience: int = 10
    learning_rate: float = 0.01
    weight_decay: float = 5e-4
    mixed_precision: bool = False

    def __call__(self, module: Any, data: TorchData, forward: Forward) -> None:
        """Train `module` in place; keep the weights of the best epoch, as `FullBatch` does."""
        self._check()
        torch, links = load("torch", "NeighborBatches"), Links.of(data)
        rng = np.random.default_rng(int(torch.randint(2**31, (1,))))
        optimizer = torch.optim.Adam(
            module.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay
        )
        fitted = np.flatnonzero(data.train_mask.cpu().numpy())
        stopping = np.flatnonzero(data.val_mask.cpu().numpy())

        def epoch() -> None:
            for batch in self._batches(rng.permutation(fitted)):
                optimizer.zero_grad()
                self._loss(module, links.sampled(batch, self.neighbors, rng), forward).backward()
                optimizer.step()

        def loss() -> float:
            parts = [
                float(self._loss(module, links.whole(batch, self._depth), forward)) * len(batch)
                for batch in self._batches(stopping)
            ]
            return sum(parts) / stopping.size

        keep_best(module, epoch, loss if stopping.size else None, self.epochs, self.patience)

    def scores(self, module: Any, data: TorchData, forward: Forward) -> Any:
        """Return the scores of all nodes, part by part."""
        torch, links = load("torch", "NeighborBatches"), Links.of(data)
        found = []
        for batch in self._batches(np.arange(data.x.shape[0])):
            part = links.whole(batch, self._depth)
            with precision(torch, module, self.mixed_precision):
                out = forward(module, part.data_on(module))[: len(batch)]
            found.append(out.float().cpu())
        return torch.cat(found)

    @property
    def _depth(self) -> int:
        """Steps within which prediction takes links: one more, for the degrees of the last."""
        return len(self.neighbors) + 1

    def _loss(self, module: Any, part: Sampled, forward: Forward) -> Any:
        torch, here = load("torch", "NeighborBatches"), part.data_on(module)
        with precision(torch, module, self.mixed_precision):
            out = forward(module, here)[: part.size]
        return loss_for(here)(out.float(), here.y[: part.size])

    def _batches(self, nodes: Nodes) -> Iterator[Nodes]:
        for begin in range(0, nodes.size, self.batch_size):
            yield nodes[begin : begin + self.batch_size]

    def _check(self) -> None:
        if not self.neighbors or any(each < 1 and each != -1 for each in self.neighbors):
            raise InputError(
                parameter="neighbors", expected="numbers of links, one for each layer, or -1 for "
                "all", got=shown(list(self.neighbors)), where="NeighborBatches",
            )  # fmt: skip
        if self.batch_size < 1:
            raise InputError(
                parameter="batch_size", expected="at least 1", got=str(self.batch_size),
                where="NeighborBatches",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sampled:
    """Some nodes and links of a network; the nodes of the batch come first."""

    data: TorchData  # of these alone
    size: int  # nodes of the batch

    def data_on(self, module: Any) -> TorchData:
        weights = next(iter(module.parameters()), None)
        return self.data if weights is None else moved(self.data, weights.device)


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a network by the node that they lead to."""

    data: TorchData
    # row v holds, for every link into v, one more than its place among all links
    into: sp.csr_array = field(repr=False)

    @classmethod
    def of(cls, data: TorchData) -> Links:
        """Sort the links of a network."""
        if data.x.is_sparse:
            raise InputError("NeighborBatches: takes dense features; leave sparse= out")
        source, target = data.edge_index.cpu().numpy()
        n, places = data.x.shape[0], np.arange(1, source.size + 1)
        return cls(data, sp.csr_array((places, (target, source)), shape=(n, n)))

    def sampled(self, batch: Nodes, neighbors: Sequence[int], rng: np.random.Generator) -> Sampled:
        """Return a batch with some of the links to its nodes, step by step."""
        return self._around(batch, [(each, rng) for each in neighbors])

    def whole(self, batch: Nodes, depth: int) -> Sampled:
        """Return a batch with all links to the nodes that are reached in so many steps less one."""
        return self._around(batch, [(-1, None)] * depth)

    def _around(self, batch: Nodes, steps: Sequence[tuple[int, Any]]) -> Sampled:
        seen = np.zeros(self.into.shape[0], dtype=bool)
        seen[batch] = True
        nodes, front, links = [batch], batch, []
        for number, rng in steps:
            found = self._into(front, number, rng)
            links.append(found)
            source = self.data.edge_index[0].cpu().numpy()[found]
            front = np.unique(source[~seen[source]])
            seen[front] = True
            nodes.append(front)
            if not front.size:
                break
        return self._part(np.concatenate(nodes), np.concatenate(links), batch.size)

    def _into(self, front: Nodes, number: int, rng: Any) -> Nodes:
        """Return the places of links into some nodes: all, or up to `number` of each at random."""
        begin, end = self.into.indptr[front], self.into.indptr[front + 1]
        counts = (end - begin).astype(np.int64)
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        places = np.repeat(begin, counts) + offset
        if number >= 0:
            of = np.repeat(np.arange(front.size), counts)
            order = np.lexsort((rng.random(places.size), of))
            places = places[order[offset < number]]
        return np.sort(self.into.data[places].astype(np.int64) - 1)

    def _part(self, nodes: Nodes, links: Nodes, size: int) -> Sampled:
        torch, data = load("torch", "NeighborBatches"), self.data
        place = np.full(self.into.shape[0], -1, dtype=np.int64)
        place[nodes] = np.arange(nodes.size)
        ends = place[data.edge_index.cpu().numpy()[:, links]]
        chosen, of = torch.from_numpy(nodes), torch.from_numpy(links)
        return Sampled(
            TorchData(
                x=data.x[chosen],
                edge_index=torch.from_numpy(ends),
                edge_weight=data.edge_weight[of],
                y=data.y[chosen],
                train_mask=data.train_mask[chosen],
                val_mask=data.val_mask[chosen],
                n_classes=data.n_classes,
            ),
            size,
        )
