"""Replay all recorded calls, and write the page on which they are counted.

python -m peer_calls.page CALLS PAGE COUNTS
"""

from __future__ import annotations

import ast
import importlib.metadata
import pickle
import sys
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import of_others, of_pingouin, of_scipy, of_sklearn, of_statsmodels  # noqa: F401
from .cases import ASK, Case, replayed

# package, title, and where the questions come from where it is not its tests
PEERS = {
    "scipy": ("SciPy", ""),
    "statsmodels": ("statsmodels", ""),
    "sklearn": ("scikit-learn", ""),
    "pingouin": ("pingouin", ""),
    "MLstatkit": ("MLstatkit", ""),
    "scikit_posthocs": ("scikit-posthocs", "drawn tables"),
    "mlxtend": ("mlxtend", "drawn tables"),
    "ogb": ("OGB", "drawn scores"),
    "torch_geometric": ("PyTorch Geometric", "drawn scores"),
}
DISTRIBUTIONS = {"sklearn": "scikit-learn", "scikit_posthocs": "scikit-posthocs",
                 "torch_geometric": "torch-geometric", "MLstatkit": "mlstatkit"}  # fmt: skip
HEAD = """\
# Held against the peers

Use this page to see whether nettrial's numbers are those of other libraries, and where they are not.
`python benchmarks/peers.py` makes it anew: it installs the peers, runs their own test suites, writes
down what these ask of {functions} functions, and puts each question to nettrial. Numbers count as equal
within 1e-8 of their size (2e-5 for answers in single precision). The command fails where a case
differs without a reason; where a reason can be computed, it is computed for each case.

"""
FOOT = """
## What cannot be asked in Python

| peer | how it is held |
|---|---|
| R 4.2.2 with coin, pROC, sandwich, clubSandwich, car | {r} |
| Values printed by Demsar (2006), Newcombe (1998), Cohen (1988), DeLong, Hollander and Wolfe and mlxtend's pages, and certified by NIST | {printed} |
| scmamp | what its vignette prints: ranks, p of all pairs, Shaffer's and Bergmann and Hommel's adjustments (`tests/stats/test_printed_by_peers.py`). Its Friedman and Iman-Davenport statistics take the variance of ranks without ties, and are smaller |
| DescTools | what its tests print of the differences of proportions, Wald's, Mee's and Newcombe's (`tests/stats/test_printed_by_peers.py`). Three of Mee's ends differ by 0.0001; the printed source has ours |
| tidyposterior | cannot be repeated without R and Stan. It draws from its own priors, so that no two runs agree; `bayesian_hierarchical_test` is held to direct integration |
| mlr3inferr (nested cross-validation, conservative z) | its formulas in loops (`tests/stats/test_generalization.py`) |
| Nadeau and Bengio (2003), Bouckaert and Frank (2004) | what they claim, on data of the same kind: the next table |

## Tests of one data set where nothing differs

Both papers print no draws, and Bouckaert and Frank's classifiers are Weka's. So no cell of their tables can be repeated. `python benchmarks/resampled_tests.py` puts what they claim to two problems with
a true null hypothesis, 150 data sets each. The bounds stand in that file and were written first.

{claims}

**Next:** [the statistical functions](../user/statistics.md)
"""


def not_kept(folder: Path) -> list[str]:
    """Return a row for each peer of whose calls some were not kept, and why."""
    rows = []
    for path in sorted(folder.glob("*.calls")):
        _, lost = pickle.loads(path.read_bytes())
        for (peer, why), count in sorted(lost.items()):
            rows.append(_row(PEERS[peer][0], why, count))
    return rows


def recorded(folder: Path) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any], Any]]:
    """Return the calls that the suites made, and those of peers without tests."""
    for path in sorted(folder.glob("*.calls")):
        calls, _ = pickle.loads(path.read_bytes())
        for whole in calls:
            name, asked, answer = pickle.loads(whole)
            if name in ASK:
                yield name, *pickle.loads(asked), pickle.loads(answer)
    yield from of_others.drawn()


def replay(folder: Path) -> list[Case]:
    """Put all calls to nettrial; one that breaks has no reason, and says how."""
    cases = []
    for name, args, options, answer in recorded(folder):
        try:
            cases.append(replayed(name, args, options, answer))
        except Exception:
            last = traceback.format_exc().strip().splitlines()[-1]
            cases.append(Case(name, args, options, "broken", refusal=last))
    return cases


def _row(*cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def page(
    cases: list[Case], lost: list[str], tests: dict[str, str], r: Any, printed: Any, claims: str
) -> str:
    """Write the page."""
    by_peer: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_peer[case.name.partition(".")[0]].append(case)
    functions = len({case.name for case in cases})
    lines = [_row("peer", "version", "suite", "cases", "equal", "different", "refused",
                  "asks something else"), "|---|---|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    sums: Counter[str] = Counter()
    for peer, (title, suite) in PEERS.items():
        counts = Counter(case.outcome for case in by_peer[peer])
        sums += counts
        package = DISTRIBUTIONS.get(peer, peer)
        version = importlib.metadata.version(package)
        suite = suite or f"its tests ({tests[package]})"
        lines.append(_row(title, version, suite, *_numbers(counts)))
    lines.append(_row("**all**", "", "", *_numbers(sums)))
    lines += ["", "## Why cases differ or are refused", "", _row("peer", "reason", "cases"),
              "|---|---|---:|"]  # fmt: skip
    for peer, (title, _) in PEERS.items():
        found = [c for c in by_peer[peer] if c.outcome in ("different", "refused")]
        for why, count in Counter(case.why for case in found).most_common():
            lines.append(_row(title, why, count))
    lines += ["", "## What the suites ask beside", "",
              "These calls ask for what nettrial does not answer.", "",
              _row("peer", "question", "calls"), "|---|---|---:|"]  # fmt: skip
    for peer, (title, _) in PEERS.items():
        asked = [c for c in by_peer[peer] if c.outcome == "other"]
        for why, count in Counter(case.why for case in asked).most_common():
            lines.append(_row(title, why, count))
    if lost:
        lines += ["", "## Calls that are not put to nettrial", "",
                  _row("peer", "why", "calls"), "|---|---|---:|", *lost]  # fmt: skip
    foot = FOOT.format(r=_ours(r, "cases", "`tests/system/test_golden.py`"),
                       printed=_ours(printed, "tests", "`tests/stats`"), claims=claims)  # fmt: skip
    return HEAD.format(functions=functions) + "\n".join(lines) + "\n" + foot


def _numbers(counts: Counter[str]) -> list[int]:
    own = [counts[word] for word in ("equal", "different", "refused")]
    return [sum(own), *own, counts["other"]]


def _ours(counts: tuple[int, int] | None, what: str, where: str) -> str:
    if counts is None:
        return f"{what} of {where}; not at hand in this run"
    passed, failed = counts
    return f"{passed} of {passed + failed} {what} hold, by {where}"


def main() -> int:
    """Replay, write, and say what has no reason."""
    warnings.simplefilter("ignore")
    folder, path, counts = Path(sys.argv[1]), Path(sys.argv[2]), ast.literal_eval(sys.argv[3])
    cases = replay(folder)
    lost = not_kept(folder)
    path.write_text(page(cases, lost, *counts), encoding="utf-8")
    without = [c for c in cases if c.outcome != "equal" and not c.why]
    for case in without[:20]:
        what = {key: case.pairs[key] for key in case.wrong} or case.refusal
        print(f"peers: {case.name} {case.outcome}: {what}"[:400], file=sys.stderr)
    print(*(f"peers: not kept: {row}" for row in lost), sep="\n", file=sys.stderr)
    print(f"peers: {len(cases)} calls, {len(without)} without a reason; {path}")
    return bool(without)


if __name__ == "__main__":
    raise SystemExit(main())
