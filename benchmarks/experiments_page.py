"""Run all experiments and write docs/lab/experiments.md with its figures.

    python benchmarks/simulation.py --json > speed.json
    python benchmarks/experiments_page.py --results DIR [--data DIR] [--jobs 2] [--speed FILE]
    python benchmarks/experiments_page.py --data DIR --folders DIR

Without --speed the section about speed stays as it stands. What is done is kept in the results
folder with the commit that it was made at: an interrupted run goes on, and with a section's folder
removed only that one is made anew. Each section names its commit. Real networks are run where
--data names a folder of networks, each in a folder with edges.csv and nodes.csv; without it, their
sections are left out. --folders only makes the folders of networks that the page's commands name.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from nettrial.experiments import ExperimentResult, experiment, run_experiment
from nettrial.experiments.result import (
    STATEMENT_HEAD,
    command,
    figure_alt,
    interval,
    judged,
    measured_table,
    statement_rows,
    statements,
)
from nettrial.experiments.simulated import (
    LABELED,
    NCV,
    READINGS_OF_Q,
    READINGS_OF_REDRAW,
    READINGS_OF_RHO,
    RSC,
)
from nettrial.experiments.statements import (
    AGREES,
    DIFFERS,
    LOWER,
    WORDS,
    Statement,
    about,
    at_difference,
    cell,
    ratio,
)
from nettrial.io import read, write

PIPELINE = "split, learn, infer, evaluate"  # as benchmarks/simulation.py names it
DOCS = Path(__file__).resolve().parent.parent / "docs" / "lab"
SOURCES = (
    "`twitch` holds the six networks of Twitch users of Rozemberczki et al. (2021, Journal of "
    "Complex Networks 9); `tasks` Cora (Sen et al. 2008), the political books of V. Krebs, 50 "
    "pupils (Teenage Friends and Lifestyle Study, on the Siena site), the lawyers of Lazega (2001) "
    "and one of the Twitch networks; `schools` the four simulated schools that come with R's "
    "package ergm (Mesa, Dixon, Desert and Magnolia High, made after schools of Add Health; the "
    "class is the most frequent race against the others) and the first wave of the Glasgow pupils "
    "(smokers). With these networks in DATA, each in a folder of the name in "
    "`benchmarks/experiments_page.py` with edges.csv and nodes.csv, the folders are made by"
)
# folder -> name of a network -> source, label column, positive class (None: the classes there are)
FOLDERS: dict[str, dict[str, tuple[str, str | None, str | None]]] = {
    "tasks": {
        "Cora, neural networks": ("cora_linqs", None, "Neural_Networks"),
        "Political books, neutral": ("polbooks", None, "n"),
        "Pupils, smokers": ("s50_w1", None, None),
        "Lawyers, partners": ("lawfirm_friends", None, None),
        "Twitch PTBR, mature": ("twitch_PTBR", None, None),
    },
    "twitch": {
        name: (f"twitch_{name}", None, None) for name in ("ENGB", "ES", "FR", "PTBR", "RU", "TW")
    },
    "schools": {
        "Mesa": ("faux_mesa_high", "race", "Hisp"),
        "Dixon": ("faux_dixon_high", "race", "W"),
        "Desert": ("faux_desert_high", "race", "W"),
        "Magnolia": ("faux_magnolia_high", "race", "White"),
        "Glasgow": ("glasgow_w1", None, None),
    },
}


@dataclass(frozen=True)
class Run:
    """One section of the page."""

    name: str
    trials: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    tests: tuple[str, ...] = ()
    needs: str = ""

    @property
    def short(self) -> str:
        """Return a text without spaces, for file names."""
        parts = [f"{k}-{v}" for k, v in self.options.items()]
        return "-".join([self.name, *parts])


# moderate numbers, so that the page can be made anew within an hour on one core
RUNS = (
    Run("ecml11-fig1a"),
    Run("ecml11-fig1b"),
    Run("icdm09-fig1a"),
    Run("icdm09-fig1a", options={"redraw": "trial"}),
    Run("icdm09-fig1b"),
    Run("icdm09-fig1c", tests=("nadeau_bengio", "cluster_robust_t")),
    Run("icdm09-fig1c", options={"networks": "four"}),
    Run("icdm09-fig1c", trials=200, options={"between": "geometric"}),
    Run("icdm09-fig1c", trials=200, options={"between": "smaller"}),
    Run("icdm09-fig1d"),
    Run("icdm09-fig1e"),
    Run("icdm09-fig1f"),
    Run("icdm09-fig1f", trials=100, options={"folder": "schools", "repeats": "5"}, needs="schools"),
    Run("icdm09-fig1f", trials=12, options={"folder": "twitch", "repeats": "2"}, needs="twitch"),
    Run("icdm09-table1", trials=4),
    Run("icdm09-table1", trials=4, options={"folder": "tasks"}, needs="tasks"),
    Run("ecml11-fig2a", trials=400),
    Run("ecml11-fig2b", trials=400),
    Run("ecml11-fig3a"),
    Run("ecml11-fig3b"),
    Run("theory"),
    Run("dietterich"),
    Run("folds", tests=("cluster_robust_t",)),
    Run("labels"),
)


def prepare(data: Path, names: Iterable[str] = FOLDERS) -> None:
    """Put the real networks into folders as experiments want them, in the current folder."""
    for folder in names:
        if Path(folder).exists():
            continue
        made = Path(f"{folder}.part")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for name, (source, label, positive) in FOLDERS[folder].items():
            network = read(data / source, label=label)
            if positive is not None:
                network = network.one_against_rest(positive)
            write(network, made / name)
        made.rename(folder)


def commit() -> str:
    """Return the commit of the code that ran, and whether files were changed since."""
    here = Path(__file__).resolve().parent

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=here, capture_output=True, text=True, check=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--", "../src", "experiments_page.py")
    return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")


def readings(type_one: ExperimentResult, power: ExperimentResult) -> Iterator[str]:
    """Set the readings of ECML'11 figure 1 beside each other: Type I error, power, both halves."""
    yield from (
        "## ECML'11 figure 1: which reading gives both halves of the claim", "",
        "The claim has two halves: RS-C errs less than NCV (figure 1a), and it detects a "
        "difference of 4% in 80% of the trials (figure 1b). A reading says when the failing "
        "groups are drawn (redraw) and how rho and q are estimated. *Type I* is RS-C's at "
        f"{', '.join(map(str, LABELED))} labeled; *over NCV* its mean over that of NCV.", "",
        "| redraw | rho | q | Type I of RS-C | over NCV | Type I below NCV's | power at 4% | "
        "near 0.8 | power at 5% |",
        "|---" * 9 + "|",
    )  # fmt: skip
    both, first = [], []
    for redraw, rho, q in product(READINGS_OF_REDRAW, READINGS_OF_RHO, READINGS_OF_Q):
        rsc: dict[str, Any] = {"design": "RRS", "test": RSC, "redraw": redraw, "rho": rho, "q": q}
        rates = [cell(**rsc, labeled=labeled)(type_one.table).number for labeled in LABELED]
        size = Statement("", ratio(rsc, {**NCV, "redraw": redraw}), "", **LOWER)
        found, below = size.judge(type_one.table)
        detected, near = Statement("", at_difference(0.04, **rsc), "", **about(0.8)).judge(
            power.table
        )
        more = at_difference(0.05, **rsc)(power.table)
        name = f"redraw={redraw}, rho={rho}, q={q}"
        both += [name] if below == near == AGREES else []
        first += [(detected.number, more.number, name)] if below == AGREES else []
        shown = " ".join(f"{rate:.3f}" for rate in rates)
        yield (
            f"| {redraw} | {rho} | {q} | {shown} | {interval(found)} | {below} | "
            f"{interval(detected)} | {near} | {more.number:.3g} |"
        )
    best, at_five, name = max(first)
    yield from (
        "",
        ("Both halves: " + "; ".join(both) + "." if both else "No reading gives both halves.")
        + f" Of those with a Type I error below NCV's, {name} has the most power: {best:.2f} at 4% "
        f"and {at_five:.2f} at 5%.", "",
    )  # fmt: skip


def not_replicated(results: list[tuple[Run, ExperimentResult]]) -> Iterator[str]:
    """List the statements that differ in some reading and agree in none."""
    claims: dict[tuple[str, str], dict[tuple[str, str], list[tuple[str, ...]]]] = {}
    for run, result in results:
        for statement, cells in judged(result):
            readings = claims.setdefault((run.name, statement.text), {})
            readings.setdefault((run.short, statement.reading), []).append(cells)
    yield from (
        "## Not replicated", "",
        "By one rule, from the table above: a statement stands here if it differs in at least one "
        "of the readings that were run and agrees in none. A reading in which a statement has "
        "several numbers agrees if all of them do, and differs if one does. These are no "
        "misprints: the paper's simulation, as nettrial reads it, does not give them.", "",
        f"| experiment | {STATEMENT_HEAD} |",
        "|---" * 6 + "|",
    )  # fmt: skip
    for readings in claims.values():
        found = [{cells[-1] for cells in numbers} for numbers in readings.values()]
        if any(DIFFERS in each for each in found) and {AGREES} not in found:
            for (short, _), numbers in readings.items():
                for cells in numbers:
                    yield f"| [{short}](#{short}) | {' | '.join(cells)} |"
    yield ""


def speed(file: Path) -> Iterator[str]:
    """Write the section about speed from what `benchmarks/simulation.py --json` printed."""
    found: dict[str, dict[str, float]] = json.loads(file.read_text())
    yield from (
        "## Speed", "",
        "Measured on its own, not with the results of this page. At full size on a machine of two "
        "cores, compilation apart, the best of three runs, as "
        "`benchmarks/simulation.py` measures it. *Times the script* is processor time of "
        "a script with numpy and scipy, which is kept there, over that of this package.", "",
        "| | seconds, two threads | goal | times the script, a core | goal |",
        "|---|---|---|---|---|",
    )  # fmt: skip
    for name, row in found.items():
        cells = [name]
        for measured, goal, form in (
            ("wall_two_threads", "goal_seconds", ".1f"),
            ("ratio", "goal_ratio", ".0f"),
        ):
            there = measured in row
            cells += [f"{row[measured]:{form}}", f"{row[goal]:g}"] if there else ["", ""]
        yield "| " + " | ".join(cells) + " |"
    networks = found[PIPELINE]
    yield from (
        "",
        f"*{PIPELINE[0].upper()}{PIPELINE[1:]}* is a split of a latent group network of 300 nodes "
        "for both models, 99 sweeps of relaxation labeling each, with the proportions and "
        f"designs of figure 1(c): {1e6 * networks['cpu']:.0f} microseconds against "
        f"{1e6 * networks['script_cpu']:.0f}. Sixteen splits share a vector, so that at one "
        "proportion alone, whose 20 splits leave vectors half empty, it is "
        f"{1e6 * networks['cpu_one_proportion']:.0f}. Mean errors are "
        f"{networks['error_wvrn']:.3f} (wvRN) and {networks['error_nbc']:.3f} (nBC), in the "
        "script, which draws splits of its own, "
        f"{networks['script_error_wvrn']:.3f} and {networks['script_error_nbc']:.3f}.",
        "",
    )


def kept_speed() -> Iterator[str]:
    """Give the section about speed as it stands: it needs a quiet machine."""
    inside = False
    for line in (DOCS / "experiments.md").read_text(encoding="utf-8").splitlines():
        inside = line == "## Speed" if line.startswith("## ") else inside
        if inside:
            yield line


def made_at(run: Run) -> str:
    """Return the commit at which the results of a section were begun, kept beside them."""
    file = Path(run.short, "commit.txt")
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(commit(), encoding="utf-8")
    return file.read_text(encoding="utf-8").strip()


def page(
    results: list[tuple[Run, ExperimentResult]], commits: dict[str, str], timed: Path | None
) -> Iterator[str]:
    """Write the lines of the page."""
    today = datetime.datetime.now(datetime.UTC).date()
    apart = sorted(set(commits.values()))
    made = f"at commit {apart[0]}" if len(apart) == 1 else "at the commit that it names"
    yield from (
        "# Experiments", "",
        "The experiments of the two papers that this project starts from, run anew, and some "
        "that they mention. `benchmarks/experiments_page.py` writes this page with all its "
        "figures in one run; no number in it is typed by hand.", "",
        f"Each section was made {made}, the page on {today}.", "",
        "Bands and intervals are Monte Carlo error at 95%: Wilson's for a rate, Student's for a "
        "mean. Where a run evaluates a few networks again and again, they are between these "
        "networks, because what is stated is stated of networks. Rates on the same networks "
        "go together: their ratios have intervals between batches of trials. One rule judges a "
        "published statement by the 95% interval of the measured number:", "",
        "| mark | meaning |", "|---|---|",
        "| agrees | the whole interval lies in what the statement allows |",
        "| not contradicted | a part of the interval does |",
        "| differs | no part of it does |",
        "| other data | published about other data or another simulation: no verdict |",
        "| own result | nothing was published: no verdict |",
        "| not run | the run has no such number |", "",
        "What words allow is one table, with the same factor for *higher* and *lower*:", "",
        "| word | allows |", "|---|---|", *(f"| {word} | {allows} |" for word, allows, _ in WORDS),
        "",
        "Four numbers have no interval and go by the number alone: a rank correlation over a "
        "handful of tasks, the largest distance from a theorem, the difference that a handicap "
        "leaves on the calibration networks, and a property of one network. No run is tuned to "
        "match. The handicap that makes two models equal is found "
        "on networks of its own; the column *mean difference* shows what is left of it on the "
        "evaluated ones.", "",
        "`--tests` adds tests to any experiment in which two models are compared: `wilcoxon`, "
        "`nadeau_bengio`, and where there are communities `cluster_robust_t`, "
        "`cluster_sign_flip` and, on networks, `bootstrap`; `nettrial experiment --list` says "
        "which. How these tests hold their level is measured in [calibration](calibration.md).",
        "",
        "## All statements", "",
        f"| experiment | {STATEMENT_HEAD} |",
        "|---" * 6 + "|",
    )  # fmt: skip
    for run, result in results:
        for row in statement_rows(result):
            yield f"| [{run.short}](#{run.short}) | {' | '.join(row)} |"
    yield ""
    yield from not_replicated(results)
    found = {run.name: result for run, result in results if not run.options}
    yield from readings(found["ecml11-fig1a"], found["ecml11-fig1b"])
    yield from (
        "## Real networks", "", SOURCES, "", "```sh",
        "python benchmarks/experiments_page.py --data DATA --folders .", "```", "",
        "and the commands below are called where they lie.", "",
    )  # fmt: skip
    yield from kept_speed() if timed is None else speed(timed)
    for run, result in results:
        chosen = result.experiment
        yield from (
            f"## {run.short}", "", f"**{chosen.title}**", "",
            f"Source: {chosen.source}.", "", chosen.about, "",
            f"At commit {commits[run.short]}:", "", "```sh", command(result), "```", "",
            f"![{figure_alt(result)}](figures/{run.short}.png)", "",
        )  # fmt: skip
        if chosen.statements:
            yield from (*statements(result), "")
        yield from (
            "<details><summary>All measured numbers</summary>", "", *measured_table(result.table),
            "", "</details>", "",
        )  # fmt: skip


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, help="folder for all results")
    parser.add_argument("--data", type=Path, help="folder of real networks")
    parser.add_argument("--folders", type=Path, help="only make the folders of networks, here")
    parser.add_argument("--speed", type=Path, help="what benchmarks/simulation.py --json printed")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    data = None if given.data is None else given.data.resolve()
    if data is not None and not data.is_dir():
        parser.error(f"--data: no folder {data}")
    if given.folders is not None:
        if data is None:
            parser.error("--folders needs --data")
        if not given.folders.is_dir():
            parser.error(f"--folders: no folder {given.folders}")
        with contextlib.chdir(given.folders):
            prepare(data)
        return
    if given.results is None:
        parser.error("give --results DIR, or --folders DIR")
    given.results.mkdir(parents=True, exist_ok=True)
    results, commits = [], {}
    with contextlib.chdir(given.results):
        if data is not None:
            prepare(data)
        for run in RUNS:
            if run.needs and data is None:
                continue
            commits[run.short] = made_at(run)
            result = run_experiment(
                run.name,
                trials=run.trials,
                options=run.options,
                tests=run.tests,
                out=run.short,
                n_jobs=given.jobs,
            )
            print(run.short, experiment(run.name).title, flush=True)
            (DOCS / "figures").mkdir(exist_ok=True)
            shutil.copy(Path(run.short, "figure.png"), DOCS / "figures" / f"{run.short}.png")
            results.append((run, result))
    (DOCS / "experiments.md").write_text(
        "\n".join(page(results, commits, given.speed)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
