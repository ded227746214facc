"""Neural networks: fits of nettrial, of PyTorch Geometric and of batched PyTorch, taking turns.

python benchmarks/neural.py NETWORK [--fits 16] [--rounds 3] [--labeled 0.1]

NETWORK is a folder or file with features, such as Planetoid's Cora. Everyone fits a model of two
layers with 16 hidden units, dropout of one half and 200 epochs of Adam, looks at the validation
nodes after every epoch, and uses one thread. Times are processor time of this process, for one fit.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

import nettrial
from nettrial.models import APPNP, GCN, MLP, SAGE, SGC
from nettrial.models.node_tables import scaled
from nettrial.models.validation import set_aside

EPOCHS = 200
GOAL = 50  # times as fast as PyTorch Geometric's GCNConv
KINDS = {"gcn": GCN, "sgc": SGC, "appnp": APPNP, "sage": SAGE, "mlp": MLP}
Fit = Callable[[list[np.ndarray], int], list[np.ndarray]]  # labels of each split found


def ours(network: nettrial.Network, name: str) -> Fit:
    """Fit a built-in model split by split."""

    def fit(trains: list[np.ndarray], seed: int) -> list[np.ndarray]:
        found = []
        for number, train in enumerate(trains):
            seen = network.mask_labels(train)
            model = KINDS[name](epochs=EPOCHS, patience=EPOCHS)
            model.fit(seen, train, seed=seed + number)
            found.append(model.predict_proba(seen, np.arange(network.n_nodes)).argmax(axis=1))
        return found

    return fit


def geometric(network: nettrial.Network, name: str) -> Fit:
    """Fit PyTorch Geometric's layers split by split, as its examples do."""
    import torch
    from torch_geometric import nn

    class Two(torch.nn.Module):
        def __init__(self, first: object, second: object, last: object = None) -> None:
            super().__init__()
            self.first, self.second, self.last = first, second, last

        def forward(self, x: object) -> object:
            links = () if name in ("mlp", "appnp") else (edges,)
            drop = torch.nn.functional.dropout
            x = self.first(drop(x, training=self.training), *links).relu()
            x = self.second(drop(x, training=self.training), *links)
            return x if self.last is None else self.last(x, edges)

    class One(torch.nn.Module):
        def __init__(self, n_in: int, n_out: int) -> None:
            super().__init__()
            self.first = nn.SGConv(n_in, n_out, K=2, cached=True)

        def forward(self, x: object) -> object:
            return self.first(x, edges)

    def module(n_in: int, n_out: int) -> torch.nn.Module:
        if name == "gcn":
            return Two(nn.GCNConv(n_in, 16, cached=True), nn.GCNConv(16, n_out, cached=True))
        if name == "sage":
            return Two(nn.SAGEConv(n_in, 16), nn.SAGEConv(16, n_out))
        if name == "sgc":
            return One(n_in, n_out)
        width, last = (64, nn.APPNP(10, 0.1, cached=True)) if name == "appnp" else (16, None)
        return Two(torch.nn.Linear(n_in, width), torch.nn.Linear(width, n_out), last)

    torch.set_num_threads(1)
    links = network.adjacency().tocoo()
    edges = torch.from_numpy(np.stack([links.row, links.col]).astype(np.int64))
    x = scaled(network.features)
    x = torch.from_numpy(np.asarray(x.toarray() if sp.issparse(x) else x, dtype=np.float32))
    rate, decay = (0.2, 5e-6) if name == "sgc" else (0.01, 5e-4)

    def fit(trains: list[np.ndarray], seed: int) -> list[np.ndarray]:
        found = []
        for number, train in enumerate(trains):
            torch.manual_seed(seed + number)
            model = module(x.shape[1], network.n_classes)
            rest = [p for key, p in model.named_parameters() if not key.startswith("first")]
            groups = [{"params": model.first.parameters(), "weight_decay": decay}]
            adam = torch.optim.Adam([*groups, {"params": rest}], lr=rate)
            fitted, stopping = set_aside("PyG", network, train, 0.2, seed + number)
            y = torch.from_numpy(network.labels.astype(np.int64))
            best, kept = np.inf, None
            for _ in range(EPOCHS):
                model.train()
                adam.zero_grad()
                torch.nn.functional.cross_entropy(model(x)[fitted], y[fitted]).backward()
                adam.step()
                model.eval()
                with torch.no_grad():
                    out = model(x)
                loss = float(torch.nn.functional.cross_entropy(out[stopping], y[stopping]))
                if loss < best:
                    best, kept = loss, out.argmax(dim=1).numpy()
            found.append(kept)
        return found

    return fit


def batched(network: nettrial.Network, device: str) -> Fit:
    """Fit GCNs of all splits at once: features of all splits in one block-diagonal matrix."""
    import torch

    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message="Sparse")
    n, k = network.n_nodes, network.n_classes
    adjacency = network.adjacency() + sp.eye_array(n)
    scale = sp.diags_array(1 / np.sqrt(adjacency.sum(axis=1)))
    x = sp.csr_array(scaled(network.features))

    def tensor(matrix: sp.csr_array) -> torch.Tensor:
        rows = sp.csr_array(matrix)
        parts = (rows.indptr, rows.indices, rows.data.astype(np.float32))
        tensors = (torch.from_numpy(part).to(device) for part in parts)
        return torch.sparse_csr_tensor(*tensors, size=rows.shape)

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(context: object, matrix: object, turned: object, rows: object) -> object:
            context.turned = turned
            return matrix @ rows

        @staticmethod
        def backward(context: object, gradient: object) -> object:
            return None, None, context.turned @ gradient.contiguous()

    links, plain = tensor(scale @ adjacency @ scale), tensor(x)

    def fit(trains: list[np.ndarray], seed: int) -> list[np.ndarray]:
        torch.manual_seed(seed)
        b = len(trains)
        blocks = sp.block_diag([x] * b, format="csr")
        numbers = sp.csr_array((np.arange(blocks.nnz) + 1.0, blocks.indices, blocks.indptr))
        turned = sp.csr_array(numbers.T)
        order = torch.from_numpy(turned.data.astype(np.int64) - 1).to(device)
        values = tensor(blocks).values()
        shape = (tensor(blocks).crow_indices(), tensor(blocks).col_indices())
        back = (tensor(turned).crow_indices(), tensor(turned).col_indices())

        def start(*size: int) -> torch.Tensor:
            bound = (6 / (size[1] + size[2])) ** 0.5
            return ((2 * torch.rand(size, device=device) - 1) * bound).requires_grad_()

        w0, w1 = start(b, x.shape[1], 16), start(b, 16, k)
        b0, b1 = (torch.zeros(b, 1, width, device=device).requires_grad_() for width in (16, k))
        adam = torch.optim.Adam([{"params": [w0, b0], "weight_decay": 5e-4}, {"params": [w1, b1]}])
        for group in adam.param_groups:
            group["lr"] = 0.01
        parts = [set_aside("batched", network, t, 0.2, seed + i) for i, t in enumerate(trains)]
        fitted, stopping = (
            torch.cat([torch.from_numpy(p[i]) + j * n for j, p in enumerate(parts)]).to(device)
            for i in (0, 1)
        )
        y = torch.from_numpy(network.labels.astype(np.int64)).repeat(b).to(device)
        sizes = [torch.tensor([p[i].size for p in parts]) for i in (0, 1)]
        share = torch.repeat_interleave(1 / sizes[0], sizes[0]).to(device)
        owner = torch.repeat_interleave(torch.arange(b), sizes[1]).to(device)

        def spread(rows: torch.Tensor) -> torch.Tensor:
            wide = rows.transpose(0, 1).reshape(n, -1)
            return Product.apply(links, links, wide).reshape(n, b, -1).transpose(0, 1)

        def scores(rows: torch.Tensor, training: bool) -> torch.Tensor:
            h = torch.relu(spread(rows) + b0)
            h = torch.nn.functional.dropout(h, training=training)
            return (spread(h @ w1) + b1).reshape(b * n, k)

        loss_of = torch.nn.functional.cross_entropy
        best = torch.full((b,), torch.inf, device=device)
        kept = torch.zeros((b, n), dtype=torch.int64, device=device)
        for _ in range(EPOCHS):
            adam.zero_grad()
            some = torch.nn.functional.dropout(values)
            matrix = torch.sparse_csr_tensor(*shape, some, size=(b * n, b * x.shape[1]))
            other = torch.sparse_csr_tensor(*back, some[order], size=(b * x.shape[1], b * n))
            rows = Product.apply(matrix, other, w0.reshape(-1, 16)).reshape(b, n, 16)
            out = scores(rows, True)[fitted]
            (loss_of(out, y[fitted], reduction="none") * share).sum().backward()
            adam.step()
            with torch.no_grad():
                wide = w0.transpose(0, 1).reshape(x.shape[1], -1)
                out = scores((plain @ wide).reshape(n, b, 16).transpose(0, 1), False)
                each = loss_of(out[stopping], y[stopping], reduction="none")
                loss = torch.zeros(b, device=device).index_add(0, owner, each)
                better = loss < best
                best = torch.where(better, loss, best)
                kept = torch.where(better[:, None], out.argmax(dim=1).reshape(b, n), kept)
        return list(kept.cpu().numpy())

    return fit


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("network")
    options.add_argument("--fits", type=int, default=16)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--labeled", type=float, default=0.1)
    options.add_argument("--all", action="store_true", help="PyG's other models, too")
    given = options.parse_args()
    network = nettrial.read(given.network)
    print(network)
    rng = np.random.default_rng(0)
    count = round(given.labeled * network.labeled.size)
    trains = [np.sort(rng.permutation(network.labeled)[:count]) for _ in range(given.fits)]
    work: dict[str, tuple[Fit, int]] = {
        f"nettrial {name}": (ours(network, name), given.fits) for name in KINDS
    }
    try:
        import torch

        for name in KINDS if given.all else ("gcn",):
            work[f"PyG {name}"] = geometric(network, name), 1
        work["batched torch gcn"] = batched(network, "cpu"), given.fits
        if torch.cuda.is_available():
            work["batched torch gcn, GPU (wall)"] = batched(network, "cuda"), given.fits
    except ImportError:
        print("PyTorch Geometric is not installed: left out")
    seconds: dict[str, list[float]] = {name: [] for name in work}
    right: dict[str, list[float]] = {name: [] for name in work}
    for name in KINDS:
        work[f"nettrial {name}"][0](trains[:1], 0)  # compile
    for number in range(given.rounds):
        for name, (fit, n_fits) in work.items():
            clock = time.perf_counter if "wall" in name else time.process_time
            chosen = [trains[(number + i) % len(trains)] for i in range(n_fits)]
            begin = clock()
            found = fit(chosen, 100 * number)
            seconds[name].append((clock() - begin) / n_fits)
            for train, labels in zip(chosen, found):
                test = np.setdiff1d(network.labeled, train)
                right[name].append((labels[test] == network.labels[test]).mean())
    print(f"{EPOCHS} epochs, {count} training nodes; median of {given.rounds} rounds")
    for name in work:
        print(
            f"{name:30} {np.median(seconds[name]):8.3f} s a fit   accuracy "
            f"{np.mean(right[name]):.3f} (of {len(right[name])} fits)"
        )
    for name in KINDS:
        if f"PyG {name}" in work:
            ratio = np.median(seconds[f"PyG {name}"]) / np.median(seconds[f"nettrial {name}"])
            goal = f" (goal {GOAL}: {'met' if ratio >= GOAL else 'missed'})"
            print(f"{name}: {ratio:.0f} times as fast as PyTorch Geometric{goal}")


if __name__ == "__main__":
    main()
