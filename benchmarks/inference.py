"""Speed of collective inference, as ratios taken in one run.

    python benchmarks/inference.py [--quick] [--nodes N ...] [--json]

One-thread ratios are medians of process CPU time with the competitors taking turns in one
process, so that other work on the machine falls on all alike. ``--quick`` leaves out graphs of
more than 100,000 nodes, and the goals that need them. Torch and PyG take part where installed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

import numba
import numpy as np
from competitors import others
from probe import gather_lines
from scipy_baseline import Bayes, OneColumn, Votes

from nettrial.models import by_name, predict_labels
from nettrial.models.evidence import Evidence
from nettrial.models.nbc import NBC
from nettrial.models.relaxation import RelaxationLabeling
from nettrial.models.relaxation_blocks import BLOCKS, Block
from nettrial.models.wvrn import WVRN
from nettrial.network.network import Network

BASELINE_SPLITS, LINE_SPLITS = 10, 16
Goal = dict[str, object]
FULL, QUICK = (10_000, 100_000, 1_000_000, 5_000_000), (10_000, 100_000)
TURN = 0.1  # seconds
BETA = np.full(LINE_SPLITS, 0.9, dtype=np.float32)
VOTE_GOALS = {10_000: 70, 100_000: 45, 1_000_000: 33}
BAYES_GOALS = {10_000: 100, 100_000: 70, 1_000_000: 35}
CLASSES = (3, 7)


def power_law(n: int, seed: int = 0, n_classes: int = 2) -> Network:
    """A shuffled power-law network with about 16 stored links a node."""
    rng = np.random.default_rng(seed)
    reach = np.cumsum(rng.permutation((np.arange(n) + 1.0) ** -0.4))
    ends = [np.searchsorted(reach, rng.random(8 * n) * reach[-1]) for _ in range(2)]
    return Network(*ends, n_nodes=n, classes=range(n_classes))


def grouped(n: int, seed: int = 0) -> Network:
    """A shuffled network of groups of 1,000 nodes with about 16 stored links a node."""
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(n), 8)
    near = source // 1000 * 1000 + rng.integers(0, 1000, source.size)
    target = np.where(rng.random(source.size) < 0.7, near, rng.integers(0, n, source.size)) % n
    shuffled = rng.permutation(n)
    return Network(shuffled[source], shuffled[target], n_nodes=n, classes=["a", "b"])


def label_sets(network: Network, n_sets: int) -> np.ndarray:
    """Return labels that agree with most neighbors, a tenth of them shown in each set."""
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


def take_turns(work: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Return the median process CPU seconds of one call, the competitors taking turns.

    A turn repeats short calls for a tenth of a second, after one that is not timed, since an
    inference makes a hundred sweeps in a row: each finds the caches as the sweep before left them.
    """
    repeats = {}
    for name, call in work.items():
        call()
        start = time.process_time()
        call()
        repeats[name] = max(1, int(TURN / max(time.process_time() - start, 1e-6)))
    times: dict[str, list[float]] = {name: [] for name in work}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[name]) < 3:
        for name, call in work.items():
            call()  # what the caches hold is another's
            start = time.process_time()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.process_time() - start) / repeats[name])
    return {name: float(np.median(values)) for name, values in times.items()}


def sweeps(
    network: Network, evidence: Evidence, seconds: float
) -> tuple[dict[str, float], list[str]]:
    """Return CPU seconds of one sweep per split: ours, the baseline, the line probe and others."""
    n = network.n_nodes
    vote, _ = block_of(WVRN(), evidence)
    scipy_vote = Votes(evidence, BASELINE_SPLITS)
    flat = scipy_vote.proba.reshape(n, -1)
    out = np.zeros(LINE_SPLITS, dtype=np.float32)
    work: dict[str, tuple[Callable[[], object], int]] = {
        "vote": (lambda: vote.sweep(BETA, 0, n), LINE_SPLITS),
        "probe": (
            lambda: gather_lines(vote.old, vote.links, vote.ahead, out), LINE_SPLITS
        ),
        "scipy vote": (lambda: scipy_vote.step(0.9), BASELINE_SPLITS),
        "scipy product": (lambda: scipy_vote.matrix @ flat, BASELINE_SPLITS),
    }  # fmt: skip
    missing: list[str] = []
    if n in BAYES_GOALS:
        bayes, tables = block_of(NBC(), evidence)
        scipy_bayes = Bayes(evidence, BASELINE_SPLITS, tables)
        one_column = OneColumn(scipy_vote)
        single, narrow = scipy_vote.matrix.astype(np.float32), one_column.proba.astype(np.float32)
        work |= {
            "bayes": (lambda: (bayes.sweep(BETA, 0, n), bayes.advance([(0, n)])), LINE_SPLITS),
            "scipy bayes": (lambda: scipy_bayes.step(0.9), BASELINE_SPLITS),
            "scipy one column": (lambda: one_column.step(0.9), BASELINE_SPLITS),
            "scipy f32 product, one column": (lambda: single @ narrow, BASELINE_SPLITS),
        }
    if n <= 100_000:
        more, missing = others(network.adjacency(), evidence.labels[0], LINE_SPLITS)
        work |= more
    found = take_turns({name: call for name, (call, _) in work.items()}, seconds)
    return {name: value / work[name][1] for name, value in found.items()}, missing


def several_classes(n: int, probe: float) -> dict[str, float]:
    """Return the lines of neighbors a second, over the probe's, with more than two classes.

    A node has a line for each class but the last.
    """
    ratios = {}
    for n_classes in CLASSES:
        rng = np.random.default_rng(n_classes)
        labels = rng.integers(0, n_classes, (LINE_SPLITS, n), dtype=np.int32)
        labels[rng.random(labels.shape) < 0.9] = -1
        evidence = Evidence(power_law(n, n_classes=n_classes), labels, "both", "benchmark")
        blocks = {"wvRN": block_of(WVRN(), evidence)[0], "nBC": block_of(NBC(), evidence)[0]}
        found = take_turns(
            {
                "wvRN": lambda block=blocks["wvRN"]: block.sweep(BETA, 0, n),
                "nBC": lambda block=blocks["nBC"]: (
                    block.sweep(BETA, 0, n),
                    block.advance([(0, n)]),
                ),
            },
            2.0,
        )
        for name, seconds in found.items():
            title = f"lines a second / probe, {name}, {n_classes} classes, {n:,} nodes"
            ratios[title] = probe * LINE_SPLITS * (n_classes - 1) / seconds
    return ratios


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
    found = take_turns(
        {
            "networkx": lambda: nx.algorithms.node_classification.harmonic_function(graph, 30),
            "vote": lambda: block.sweep(BETA, 0, network.n_nodes),
        },
        2.0,
    )
    return found["networkx"] / 30 / (found["vote"] / LINE_SPLITS)


def flips(network: Network) -> int:
    """Count labels in which 99 sweeps of nBC differ from float64 in log space."""
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


def threads_ratio(evidence: Evidence) -> float:
    """Return the wall seconds of one thread over those of two, medians of runs in turn."""
    block, _ = block_of(WVRN(), evidence)
    schedule = np.full(5, 0.9, dtype=np.float32)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(4):
        for threads, values in times.items():
            start = time.perf_counter()
            block.run(schedule, 0.0, threads)
            values.append(time.perf_counter() - start)
    return float(np.median(times[1]) / np.median(times[2]))


def memory(evidence: Evidence, model: WVRN | NBC) -> float | None:
    """Return the peak memory of the sweeps, over that of two arrays of lines and the graph.

    Counted are the pages of the process from the point at which network and label sets are there;
    None where the system does not tell.
    """
    links = evidence.links
    graph = links.indptr.nbytes + links.indices.nbytes
    del links  # they are kept once, and turned into the order of the sweeps
    try:
        before = resident("VmRSS")
        with open("/proc/self/clear_refs", "w") as control:
            control.write("5")
        block, _ = block_of(model, evidence)
        block.run(np.full(2, 0.9, dtype=np.float32), 0.0, numba.config.NUMBA_NUM_THREADS)
        peak = resident("VmHWM")
    except OSError:
        return None
    return (peak - before + graph) / (2 * block.old.nbytes + graph)


def resident(what: str) -> int:
    with open("/proc/self/status") as lines:
        (line,) = (line for line in lines if line.startswith(what))
    return int(line.split()[1]) * 1024


def hashes(network: Network) -> int:
    """Count the different results of wvRN, nBC and Gibbs sampling over numbers of threads."""
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


def goal(name: str, value: float, target: float, *, most: bool = False) -> Goal:
    met = value <= target if most else value >= target
    return {"name": name, "value": round(float(value), 3), "target": target, "met": bool(met)}


def goals_of(network: Network, evidence: Evidence, found: dict[str, float]) -> list[Goal]:
    """Return the goals for one size of network."""
    n = network.n_nodes
    size = f"{n:,} nodes"
    goals = []
    if n in VOTE_GOALS:
        vote, bayes = (found[f"scipy {x}"] / found[x] for x in ("vote", "bayes"))
        goals.append(goal(f"wvRN / scipy, {size}", vote, VOTE_GOALS[n]))
        goals.append(goal(f"nBC / scipy, {size}", bayes, BAYES_GOALS[n]))
        share = found["bayes"] / found["vote"]
        goals.append(goal(f"nBC time / wvRN time, {size}", share, 1.5, most=True))
    if n <= 100_000:
        goals.append(goal(f"nBC label flips, {size}", flips(network), 0, most=True))
    if n == 10_000:
        goals.append(goal("different results over threads", hashes(network), 1, most=True))
    goals.append(goal(f"lines a second / probe, {size}", found["probe"] / found["vote"], 0.9))
    if n >= 1_000_000:
        if numba.config.NUMBA_NUM_THREADS > 1:
            goals.append(goal(f"two threads / one, {size}", threads_ratio(evidence), 1.9))
        goals += memory_goals(evidence, size)
    return goals


def memory_goals(evidence: Evidence, size: str) -> list[Goal]:
    """Return the memory of both classifiers; none where the system does not tell."""
    goals = []
    for name, model in (("wvRN", WVRN()), ("nBC", NBC())):
        used = memory(evidence, model)
        if used is not None:
            title = f"{name} memory / two arrays and graph, {size}"
            goals.append(goal(title, used, 1.2, most=True))
    return goals


def ratios_of(network: Network, found: dict[str, float]) -> dict[str, float]:
    """Return what else is reported for one size of network."""
    size = f"{network.n_nodes:,} nodes"
    lines = network.links.indices.size / (found["vote"] * LINE_SPLITS) / 1e6
    ratios = {
        f"lines a second, {size} (1e6)": lines,
        f"scipy with full step / its product alone, {size}": (
            found["scipy vote"] / found["scipy product"]
        ),
    }
    if "scipy f32 product, one column" in found:
        title = f"scipy with full step / float32 product, one column, {size}"
        ratios[title] = found["scipy vote"] / found["scipy f32 product, one column"]
    for name, value in found.items():
        if name not in ("vote", "bayes", "probe", "scipy bayes"):
            ratios[f"{name} / wvRN, {size}"] = value / found["vote"]
    return ratios


def run(sizes: Sequence[int], seconds: float) -> dict[str, object]:
    """Run all parts; return goals, other ratios, the machine and what was left out."""
    goals: list[Goal] = []
    ratios: dict[str, float] = {}
    left_out: list[str] = []
    for n in sizes:
        network = power_law(n)
        evidence = evidence_of(network)
        found, missing = sweeps(network, evidence, seconds)
        goals += goals_of(network, evidence, found)
        ratios |= ratios_of(network, found)
        if n in BAYES_GOALS:
            ratios |= several_classes(n, found["probe"])
        left_out += [word for word in missing if word not in left_out]
        if n == 1_000_000:
            evidence = evidence_of(grouped(n))
            goals += memory_goals(evidence, f"{n:,} nodes in groups")
    try:
        ratios["networkx harmonic_function / wvRN, 2,000 nodes"] = networkx_ratio()
    except ImportError:
        left_out.append("networkx is not installed: left out")
    machine = {
        "processor": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0],
        "python": platform.python_version(), "numba": numba.__version__,
    }  # fmt: skip
    for name in ("numpy", "scipy", "networkx", "scikit-network", "torch", "torch-geometric"):
        with contextlib.suppress(PackageNotFoundError):
            machine[name] = version(name)
    return {"goals": goals, "ratios": ratios, "machine": machine, "left out": left_out}


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
    parser.add_argument("--nodes", type=int, nargs="+", help="sizes of graphs, in place of all")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    result = run(options.nodes or (QUICK if options.quick else FULL), 2.0 if options.quick else 8.0)
    if options.json:
        print(json.dumps(result, indent=1))
        return
    for item in result["goals"]:
        mark = "met" if item["met"] else "MISSED"
        print(f"{item['name']:<45} {item['value']:>10} target {item['target']:>6}  {mark}")
    for name, value in result["ratios"].items():
        print(f"{name:<60} {value:>12.3g}")
    print(", ".join(f"{key} {value}" for key, value in result["machine"].items()))
    print(*result["left out"], sep="\n")


if __name__ == "__main__":
    main()
