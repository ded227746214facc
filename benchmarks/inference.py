"""Speed of collective inference, as ratios taken in one run.

    python benchmarks/inference.py [--quick] [--json]

One-thread ratios are medians of process CPU time with the competitors taking turns in one
process, so that other work on the machine falls on all alike. ``--quick`` leaves out graphs of
more than 100,000 nodes, and the goals that need them. Torch and PyG take part where installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version

import numba
import numpy as np
import scipy
import scipy.sparse as sp
from probe import gather_lines
from scipy_baseline import Bayes, OneColumn, Votes

from nettrial.models import by_name, predict_labels
from nettrial.models.evidence import Evidence
from nettrial.models.nbc import NBC
from nettrial.models.relaxation import RelaxationLabeling
from nettrial.models.relaxation_blocks import BLOCKS, Block
from nettrial.models.wvrn import WVRN
from nettrial.network import Network

BASELINE_SPLITS, LINE_SPLITS = 10, 16
FULL, QUICK = (10_000, 100_000, 1_000_000, 5_000_000), (10_000, 100_000)
VOTE_GOALS = {10_000: 70, 100_000: 45, 1_000_000: 33}
BAYES_GOALS = {10_000: 100, 100_000: 70, 1_000_000: 35}


def power_law(n: int, seed: int = 0) -> Network:
    """A shuffled power-law network with about 16 stored links a node."""
    rng = np.random.default_rng(seed)
    reach = np.cumsum(rng.permutation((np.arange(n) + 1.0) ** -0.4))
    ends = [np.searchsorted(reach, rng.random(8 * n) * reach[-1]) for _ in range(2)]
    return Network(*ends, n_nodes=n, classes=["a", "b"])


def label_sets(network: Network, n_sets: int) -> np.ndarray:
    """Labels that agree with most neighbours, a tenth of them shown in each set."""
    rng = np.random.default_rng(1)
    mood = rng.normal(size=network.n_nodes)
    for _ in range(3):
        mood = network.adjacency() @ mood
        mood = (mood - mood.mean()) / mood.std() + rng.normal(size=mood.size)
    truth = (mood > 0).astype(np.int32)
    labels = np.full((n_sets, network.n_nodes), -1, dtype=np.int32)
    for row in labels:
        shown = rng.choice(network.n_nodes, network.n_nodes // 10, replace=False)
        row[shown] = truth[shown]
    return labels


def block_of(model: WVRN | NBC, evidence: Evidence) -> tuple[Block, np.ndarray]:
    rule = model._learn(evidence)
    return BLOCKS[rule.kind](evidence, rule, slice(0, LINE_SPLITS)), rule.table


def evidence_of(network: Network, n_sets: int = LINE_SPLITS) -> Evidence:
    return Evidence(network, label_sets(network, n_sets), "both", "benchmark")


def take_turns(work: dict[str, Callable[[], None]], seconds: float) -> dict[str, float]:
    """Median process CPU seconds of one call, the competitors taking turns."""
    repeats = {}
    for name, call in work.items():
        call()
        start = time.process_time()
        call()
        repeats[name] = max(1, int(0.005 / max(time.process_time() - start, 1e-6)))
    times: dict[str, list[float]] = {name: [] for name in work}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[name]) < 3:
        for name, call in work.items():
            start = time.process_time()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.process_time() - start) / repeats[name])
    return {name: float(np.median(values)) for name, values in times.items()}


def sweeps(network: Network, seconds: float) -> dict[str, float]:
    """CPU seconds of one sweep per split: ours, the baseline and the line probe."""
    evidence = evidence_of(network)
    vote, _ = block_of(WVRN(), evidence)
    bayes, tables = block_of(NBC(), evidence)
    scipy_vote = Votes(evidence, BASELINE_SPLITS)
    scipy_bayes = Bayes(evidence, BASELINE_SPLITS, tables)
    one_column = OneColumn(scipy_vote)
    beta = np.full(16, 0.9, dtype=np.float32)
    n, indices = network.n_nodes, vote.indices
    out = np.zeros(16, dtype=np.float32)
    work: dict[str, Callable[[], None]] = {
        "vote": lambda: vote.sweep(beta, 0, n),
        "bayes": lambda: (bayes.sweep(beta, 0, n), bayes.advance([(0, n)])),
        "probe": lambda: gather_lines(vote.old, indices, vote.far, out),
        "scipy vote": lambda: scipy_vote.step(0.9),
        "scipy bayes": lambda: scipy_bayes.step(0.9),
        "scipy one column": lambda: one_column.step(0.9),
    }
    for name, call in others(network.adjacency(), evidence.labels[0]).items():
        if n <= 100_000:
            work[name] = call
    found = take_turns(work, seconds)
    for name in ("scipy vote", "scipy bayes", "scipy one column"):
        found[name] /= BASELINE_SPLITS
    found["vote"] /= LINE_SPLITS
    found["bayes"] /= LINE_SPLITS
    found["probe"] /= LINE_SPLITS
    return found


def others(matrix: sp.csr_array, labels: np.ndarray) -> dict[str, Callable[[], None]]:
    """One sweep of one split in other libraries, where they are installed."""
    work: dict[str, Callable[[], None]] = {}
    try:
        from sknetwork.classification import DiffusionClassifier
    except ImportError:
        pass
    else:
        square = sp.csr_matrix(matrix)
        known = {int(i): int(labels[i]) for i in np.flatnonzero(labels >= 0)}
        ten = DiffusionClassifier(n_iter=10)
        work["scikit-network Diffusion"] = lambda: ten.fit(square, known)
    try:
        import torch
    except ImportError:
        return work
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message="Sparse")
    graph = torch.sparse_csr_tensor(
        torch.from_numpy(matrix.indptr), torch.from_numpy(matrix.indices),
        torch.from_numpy(matrix.data).float(), size=matrix.shape,
    )  # fmt: skip
    proba = torch.rand(matrix.shape[0], LINE_SPLITS)
    work["torch"] = lambda: graph @ proba
    return work


def per_sweep(name: str, seconds: float) -> float:
    """What one sweep of one split costs in another library."""
    return seconds / {"scikit-network Diffusion": 10, "torch": LINE_SPLITS}[name]


def networkx_ratio(seed: int = 0) -> float:
    """networkx.harmonic_function, 30 iterations of one split, against ours, at 2,000 nodes."""
    import networkx as nx

    network = power_law(2_000, seed)
    evidence = evidence_of(network)
    labels = evidence.labels
    graph = nx.from_scipy_sparse_array(network.adjacency())
    for i in np.flatnonzero(labels[0] >= 0):
        graph.nodes[int(i)]["label"] = int(labels[0, i])
    graph.remove_nodes_from(list(nx.isolates(graph)))
    block, _ = block_of(WVRN(), evidence)
    beta = np.full(16, 0.9, dtype=np.float32)
    found = take_turns(
        {
            "networkx": lambda: nx.algorithms.node_classification.harmonic_function(graph, 30),
            "vote": lambda: block.sweep(beta, 0, network.n_nodes),
        },
        2.0,
    )
    return found["networkx"] / 30 / (found["vote"] / LINE_SPLITS)


def flips(network: Network) -> int:
    """Labels in which 99 sweeps of nBC differ from float64 in log space."""
    evidence = evidence_of(network, BASELINE_SPLITS)
    model = NBC()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        proba = model.predict_proba_batch(network, evidence.labels, range(BASELINE_SPLITS))
    exact = Bayes(evidence, BASELINE_SPLITS, model._learn(evidence).table)
    for beta in RelaxationLabeling().weights():
        exact.step(beta)
    differ = predict_labels(proba) != predict_labels(exact.proba).T
    return int(np.count_nonzero(differ))


def threads_ratio(network: Network) -> float:
    """Wall seconds of one thread over those of two, medians of runs in turn."""
    block, _ = block_of(WVRN(), evidence_of(network))
    schedule = np.full(5, 0.9, dtype=np.float32)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(4):
        for threads, values in times.items():
            numba.set_num_threads(threads)
            start = time.perf_counter()
            block.run_shared(schedule, 0.0)
            values.append(time.perf_counter() - start)
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    return float(np.median(times[1]) / np.median(times[2]))


def hashes(network: Network) -> int:
    """Number of different results of wvRN, nBC and Gibbs sampling over numbers of threads."""
    labels = label_sets(network, 80)
    found = set()
    for threads in range(1, numba.config.NUMBA_NUM_THREADS + 1):
        numba.set_num_threads(threads)
        digest = hashlib.blake2b()
        for name in ("wvrn", "nbc", "wvrn+gibbs"):
            model = by_name(name)
            if name.endswith("gibbs"):
                model.inference = type(model.inference)(burn_in=5, samples=10)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                digest.update(model.predict_proba_batch(network, labels, range(80)).tobytes())
        found.add(digest.hexdigest())
    return len(found)


def goal(name: str, value: float, target: float, *, most: bool = False) -> dict[str, object]:
    met = value <= target if most else value >= target
    return {"name": name, "value": round(float(value), 3), "target": target, "met": bool(met)}


def run(quick: bool) -> dict[str, object]:
    """Run all parts; gives goals, other ratios and the machine."""
    goals, ratios = [], {}
    for n in QUICK if quick else FULL:
        network = power_law(n)
        found = sweeps(network, 3.0 if quick else 8.0)
        ratios[f"lines a second, {n:,} nodes (1e6)"] = (
            network.links.indices.size / (found["vote"] * LINE_SPLITS) / 1e6
        )
        if n in VOTE_GOALS:
            vote, bayes = (found[f"scipy {x}"] / found[x] for x in ("vote", "bayes"))
            goals.append(goal(f"wvRN / scipy, {n:,} nodes", vote, VOTE_GOALS[n]))
            goals.append(goal(f"nBC / scipy, {n:,} nodes", bayes, BAYES_GOALS[n]))
            share = found["bayes"] / found["vote"]
            goals.append(goal(f"nBC time / wvRN time, {n:,} nodes", share, 1.5, most=True))
        for name in found:
            if name == "scipy one column":
                ratios[f"{name} / wvRN, {n:,} nodes"] = found[name] / found["vote"]
            if name.startswith(("scikit", "torch")):
                ratios[f"{name} / wvRN, {n:,} nodes"] = per_sweep(name, found[name]) / found["vote"]
        if n <= 100_000:
            goals.append(goal(f"nBC label flips, {n:,} nodes", flips(network), 0, most=True))
        if n == 10_000:
            goals.append(goal("different results over threads", hashes(network), 1, most=True))
        if n == 5_000_000:
            reach = found["probe"] / found["vote"]
            goals.append(goal("lines a second / probe, 5,000,000 nodes", reach, 0.9))
        elif n == 1_000_000 and numba.config.NUMBA_NUM_THREADS > 1:
            goals.append(goal("two threads / one, 1e6 nodes", threads_ratio(network), 1.9))
        if n != 5_000_000:
            ratios[f"lines a second / probe, {n:,} nodes"] = found["probe"] / found["vote"]
    ratios["networkx harmonic_function / wvRN, 2,000 nodes"] = networkx_ratio()
    machine = {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
        "networkx": version("networkx"),
        "scikit-network": version("scikit-network"),
    }
    return {"goals": goals, "ratios": ratios, "machine": machine}


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small graphs only, within 50 s")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    result = run(options.quick)
    if options.json:
        print(json.dumps(result, indent=1))
        return
    for item in result["goals"]:
        mark = "met" if item["met"] else "MISSED"
        print(f"{item['name']:<45} {item['value']:>10} target {item['target']:>6}  {mark}")
    for name, value in result["ratios"].items():
        print(f"{name:<60} {value:>12.3g}")
    print(", ".join(f"{key} {value}" for key, value in result["machine"].items()))


if __name__ == "__main__":
    main()
