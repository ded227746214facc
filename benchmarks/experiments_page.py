"""Run all experiments and write docs/lab/experiments.md with its figures.

    python benchmarks/simulation.py --json > speed.json
    python benchmarks/experiments_page.py --results DIR [--data DIR] [--jobs 2] [--speed FILE]

What is done is kept in the results folder, so that an interrupted run goes on. Real networks are
run where --data names a folder of networks, each in a folder with edges.csv and nodes.csv;
without it, their sections are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nettrial.experiments import ExperimentResult, experiment, run_experiment
from nettrial.experiments.decisions import made_from
from nettrial.experiments.result import command, figure_alt, interval, measured_table, statements
from nettrial.experiments.statements import READING
from nettrial.io import read, write

COMMUNITY_TESTS = (*made_from("sums", "sizes"), "bootstrap")
PIPELINE = "split, learn, infer, evaluate"  # as benchmarks/simulation.py names it
DOCS = Path(__file__).resolve().parent.parent / "docs" / "lab"
TWITCH = ("ENGB", "ES", "FR", "PTBR", "RU", "TW")
# name of a task of table 1 -> network, label column, positive class (None: the classes as they are)
TASKS = {
    "Cora, neural networks": ("cora_linqs", None, "Neural_Networks"),
    "Political books, neutral": ("polbooks", None, "n"),
    "Pupils, smokers": ("s50_w1", None, None),
    "Lawyers, partners": ("lawfirm_friends", None, None),
    "Twitch PTBR, mature": ("twitch_PTBR", None, None),
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


RUNS = (
    Run("icdm09-table1"),
    Run("icdm09-table1", options={"folder": "tasks"}, needs="tasks"),
    Run("icdm09-fig1a"),
    Run("icdm09-fig1a", options={"redraw": "trial"}),
    Run("icdm09-fig1b"),
    Run("icdm09-fig1c", trials=2000, tests=("nadeau_bengio", "cluster_robust_t")),
    Run(
        "icdm09-fig1c",
        options={"replicates": "100"},
        tests=(*made_from("sums", "sizes"), "bootstrap"),
    ),
    Run("icdm09-fig1c", trials=2000, options={"networks": "four"}),
    Run("icdm09-fig1c", options={"between": "geometric"}),
    Run("icdm09-fig1c", options={"between": "smaller"}),
    Run("icdm09-fig1d", trials=2000),
    Run("icdm09-fig1e", trials=2000),
    Run("icdm09-fig1f", trials=1200),
    Run("icdm09-fig1f", options={"folder": "twitch"}, needs="twitch"),
    Run("ecml11-fig1a"),
    *(Run("ecml11-fig1a", options={"rho": rho}) for rho in ("zero", "within")),
    Run("ecml11-fig1b"),
    *(Run("ecml11-fig1b", options={"rho": rho}) for rho in ("zero", "within")),
    Run("ecml11-fig2a", trials=2000),
    Run("ecml11-fig2b", trials=2000),
    Run("ecml11-fig3a", trials=1200),
    Run("ecml11-fig3b", trials=1200),
    Run("theory"),
    Run("dietterich"),
    Run("folds", tests=("cluster_robust_t",)),
)


def prepare(data: Path) -> None:
    """Put the real networks into folders as experiments want them."""
    if not Path("twitch").exists():
        for name in TWITCH:
            shutil.copytree(
                data / f"twitch_{name}", Path("twitch", name), copy_function=shutil.copy
            )
    if not Path("tasks").exists():
        made = Path("tasks.part")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for name, (source, label, positive) in TASKS.items():
            network = read(data / source, label=label)
            if positive is not None:
                network = network.one_against_rest(positive)
            write(network, made / name)
        made.rename("tasks")


def speed(file: Path) -> Iterator[str]:
    """Write the section about speed from what `benchmarks/simulation.py --json` printed."""
    found: dict[str, dict[str, float]] = json.loads(file.read_text())
    yield from (
        "## Speed", "",
        "At full size on a machine of two cores, compilation apart, the best of three runs, as "
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


def page(results: list[tuple[Run, ExperimentResult]], timed: Path | None) -> Iterator[str]:
    """Write the lines of the page."""
    yield from (
        "# Experiments", "",
        "The experiments of the two papers that this project starts from, run anew, and some "
        "that they mention. This page is written by `benchmarks/experiments_page.py`; no number "
        "in it is typed by hand.", "",
        "Bands and intervals are Monte Carlo error at 95% (Wilson for rates). One rule, by the "
        "95% interval of the measured number, says what it makes of a published statement: it "
        "*agrees* where the whole interval lies in what the statement allows, the statement is "
        "*not contradicted* where only a part of it does, and it *differs* where nothing does. A "
        "rank correlation over a handful of tasks has no interval; it goes by the number alone. A "
        "number that was printed as a figure or given in words counts as that number "
        f"± {READING}. No run is tuned to match. The handicap that makes two models equal is found "
        "on networks of its own; the column *mean difference* shows what is left of it on the "
        "evaluated ones.", "",
        "`--tests` adds tests to any experiment in which two models are compared: `wilcoxon`, "
        "`nadeau_bengio`, and where there are communities `cluster_robust_t`, "
        "`cluster_sign_flip` and, on networks, `bootstrap`; `nettrial experiment --list` says "
        "which.", "",
        "## All statements", "",
        "| experiment | published | measured number | measured (95% interval) | |",
        "|---|---|---|---|---|",
    )  # fmt: skip
    for run, result in results:
        for statement in result.experiment.statements:
            found, verdict = statement.judge(result.table)
            link = f"[{run.short}](#{run.short})"
            yield (
                f"| {link} | {statement.text} | {statement.what} | {interval(found)} | {verdict} |"
            )
    yield ""
    if timed is not None:
        yield from speed(timed)
    for run, result in results:
        chosen = result.experiment
        yield from (
            f"## {run.short}", "", f"**{chosen.title}**", "",
            f"Source: {chosen.source}.", "", chosen.about, "", "```sh", command(result), "```", "",
            f"![{figure_alt(result)}](figures/{run.short}.png)", "", *statements(result), "",
            "<details><summary>All measured numbers</summary>", "", *measured_table(result.table),
            "", "</details>", "",
        )  # fmt: skip


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, required=True, help="folder for all results")
    parser.add_argument("--data", type=Path, help="folder of real networks")
    parser.add_argument("--speed", type=Path, help="what benchmarks/simulation.py --json printed")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    data = None if given.data is None else given.data.resolve()
    given.results.mkdir(parents=True, exist_ok=True)
    results = []
    with contextlib.chdir(given.results):
        if data is not None:
            prepare(data)
        for run in RUNS:
            if run.needs and data is None:
                continue
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
    (DOCS / "experiments.md").write_text("\n".join(page(results, given.speed)), encoding="utf-8")


if __name__ == "__main__":
    main()
