"""`nettrial warm`: compile everything at once, for images and test machines.

Small jobs between them compile every loop that a run of the product needs. Loops are compiled for
the types that they meet: links with weights or without, two classes, three or more, and networks
whose lines fit into this cache or that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import tell

if TYPE_CHECKING:
    from ..network.network import Network

MODELS = (
    "wvrn",
    "nbc",
    "nlb",
    "cdrn",
    "wvrn+ica",
    "nbc+ica",
    "nlb+gibbs",
    "cdrn+gibbs",
    "gcn",
    "appnp",
)
CLASSES = (2, 3, 4)
RING = 12  # nodes of a community
LARGE = 20_000  # nodes whose lines of 64 bytes do not fit into the cache of a core
SORTED = 280_000  # nodes of a network that is put into an order of its own


@click.command("warm")
def command() -> None:
    """Compile all numerical kernels now, ahead of any run.

    The compiled code stands beside the package if that folder can be written, which makes an image
    ready for users who cannot write there. Otherwise it stands in the user's cache, or in the
    folder that NUMBA_CACHE_DIR names. It serves processors of the same kind.
    """
    import warnings

    from ..core.progress import Progress
    from ..kernels import places
    from ..kernels.compile_notices import watch
    from ..synth.latent_groups import latent_group_network

    small = [(k, weighted) for k in CLASSES for weighted in (False, True)]
    large = [(LARGE, k, weighted) for k in (2, 3) for weighted in (False, True)]
    large.append((SORTED, 2, False))
    with Progress("compiling", total=len(small) + len(large) + 1) as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing is to be learned from networks like these
        for n_classes, weighted in small:
            compare_on(rings(n_classes, weighted))
            bar.advance()
        for kind in large:
            predict_on(large_ring(*kind))
            bar.advance()
        plan_on(latent_group_network(300, seed=0))
        bar.advance()
    place = places.folder()
    found = "compiled all loops" if watch().seconds else "all loops were compiled before"
    tell(f"{found}; they are kept {f'in {place}' if place else 'nowhere'}")


def rings(n_classes: int, weighted: bool) -> Network:
    """Make a network of rings, one class per ring."""
    import numpy as np

    from ..network.network import Network

    nodes = np.arange(RING * 4 * n_classes)
    n, ring = nodes.size, nodes // RING
    target = np.concatenate([ring * RING + (nodes + 1) % RING, (nodes + RING) % n])
    weight = np.linspace(1, 2, target.size) if weighted else None
    labels = (ring % n_classes).tolist()
    return Network(
        np.tile(nodes, 2),
        target,
        n_nodes=n,
        labels=labels,
        weight=weight,
        directed=False,
        attributes={"ring": ring},
    )


def large_ring(n: int, n_classes: int, weighted: bool) -> Network:
    """Make one ring of nodes."""
    import numpy as np

    from ..network.network import Network

    nodes = np.arange(n)
    return Network(
        nodes,
        (nodes + 1) % n,
        n_nodes=n,
        labels=(nodes % n_classes).tolist(),
        weight=np.linspace(1, 2, n) if weighted else None,
    )


def compare_on(network: Network) -> None:
    """Run all models, and two of them through all tests."""
    from ..comparison.compare import compare
    from ..models.names import by_name
    from ..splits.resampling import EqualResampling
    from ..study.node_study import run

    splits = EqualResampling(n_splits=2, labeled=0.5, seed=0).split_network(network)
    run(network, {name: by_name(name) for name in MODELS}, splits, seed=0, progress=False)
    compare(
        network,
        "wvrn",
        "nbc",
        communities="ring",
        n_splits=2,
        n_replicates=10,
        labeled=0.5,
        test="bootstrap",
        progress=False,
    )


def predict_on(network: Network) -> None:
    """Run the sweeps once on a network of another size, and look for its parts."""
    from ..kernels.components import connected
    from ..models import CDRN, NBC, NLB, WVRN, RelaxationLabeling
    from ..network.communities import louvain

    shown = network.labels[None].copy()
    shown[0, ::2] = -1
    for model in (WVRN, NBC, NLB, CDRN):
        once = model(inference=RelaxationLabeling(iterations=1))
        once.predict_proba_batch(network, shown, [0])
    louvain(network)
    connected(*network.neighbors("both")[:2])


def plan_on(network: Network) -> None:
    """Turn predictions, as plans do to make a difference true."""
    from ..auditing.plan import plan

    plan(network, "wvrn", "nbc", n_replicates=20, progress=False)
