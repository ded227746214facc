"""Graph neural networks against wvRN: the built-in GCN, and a module of your own."""

import numpy as np
import torch

import nettrial
from nettrial.models import FullBatch, TorchModel

# a network of 200 nodes with eight noisy features of the class
made = nettrial.latent_group_network(200, seed=1)
source, target = made.simple_links()
rng = np.random.default_rng(1)
features = rng.normal(size=(200, 8)) + 0.4 * made.labels[:, None]
network = nettrial.Network(
    source, target, n_nodes=200, labels=[made.classes[c] for c in made.labels], features=features
)

print(nettrial.compare(network, "gcn", "wvrn", labeled=0.3, n_splits=5, design="ncv"))


class MeanOfNeighbors(torch.nn.Module):
    """One layer on a node's own features and the mean of its neighbors' features."""

    def __init__(self, n_features, n_classes):
        super().__init__()
        self.layer = torch.nn.Linear(2 * n_features, n_classes)

    def forward(self, x, edge_index):
        total = torch.zeros_like(x).index_add(0, edge_index[0], x[edge_index[1]])
        degree = torch.bincount(edge_index[0], minlength=len(x)).clamp(min=1)
        return self.layer(torch.cat([x, total / degree[:, None]], dim=1))


own = TorchModel(MeanOfNeighbors, train=FullBatch(epochs=100), validation=0.2)
print(nettrial.compare(network, own, "wvrn", labeled=0.3, n_splits=5, design="ncv").verdict)

try:
    from torch_geometric.nn import GraphSAGE
except ImportError:
    print("PyTorch Geometric is not installed; its models are used in the same way")
else:
    sage = TorchModel(lambda n_in, n_out: GraphSAGE(n_in, 16, 2, n_out), name="GraphSAGE")
    found = nettrial.compare(network, sage, "wvrn", labeled=0.3, n_splits=5, design="ncv")
    print(found.verdict)
