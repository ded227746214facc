"""One sweep of one split in other libraries, where they are installed."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

SWEEPS = 10  # of one call, where a library has no single sweep
Work = dict[str, tuple[Callable[[], object], int]]  # what to call, and the sweeps of a split in it


def others(matrix: sp.csr_array, labels: np.ndarray, columns: int) -> tuple[Work, list[str]]:
    """Return the competitors, and a word on those that are missing."""
    work: Work = {}
    missing = []
    for name, make in (
        ("scikit-network", scikit_network),
        ("torch", torch_product),
        ("PyG", pyg_propagation),
    ):
        try:
            work |= make(matrix, labels, columns)
        except ImportError:
            missing.append(f"{name} is not installed: left out")
    return work, missing


def scikit_network(matrix: sp.csr_array, labels: np.ndarray, _columns: int) -> Work:
    from sknetwork.classification import DiffusionClassifier

    square = sp.csr_matrix(matrix)
    known = {int(i): int(labels[i]) for i in np.flatnonzero(labels >= 0)}
    model = DiffusionClassifier(n_iter=SWEEPS)
    return {"scikit-network Diffusion": (lambda: model.fit(square, known), SWEEPS)}


def torch_product(matrix: sp.csr_array, _labels: np.ndarray, columns: int) -> Work:
    import torch

    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message="Sparse")
    graph = torch.sparse_csr_tensor(
        torch.from_numpy(matrix.indptr),
        torch.from_numpy(matrix.indices),
        torch.from_numpy(matrix.data).float(),
        size=matrix.shape,
    )
    proba = torch.rand(matrix.shape[0], columns)
    return {f"torch CSR product of {columns} columns": (lambda: graph @ proba, columns)}


def pyg_propagation(matrix: sp.csr_array, labels: np.ndarray, _columns: int) -> Work:
    import torch
    from torch_geometric.nn.models import LabelPropagation

    torch.set_num_threads(1)
    ends = np.stack([matrix.indices, np.repeat(np.arange(labels.size), np.diff(matrix.indptr))])
    links = torch.from_numpy(ends.astype(np.int64))
    known, codes = torch.from_numpy(labels >= 0), torch.from_numpy(np.maximum(labels, 0)).long()
    model = LabelPropagation(num_layers=SWEEPS, alpha=0.9)
    return {"PyG LabelPropagation (edge index)": (lambda: model(codes, links, known), SWEEPS)}
