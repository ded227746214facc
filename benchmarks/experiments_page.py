"""Run all experiments and write docs/experiments.md with its figures.

    python benchmarks/experiments_page.py --results DIR [--data DIR] [--jobs 2]

What is done is kept in the results folder, so that an interrupted run goes on. Real networks are
run where --data names a folder of networks, each in a folder with edges.csv and nodes.csv;
without it, their sections are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nettrial.experiments import ExperimentResult, experiment, run_experiment
from nettrial.experiments.statements import READING
from nettrial.experiments.writing import command, figure_alt, interval, measured_table, statements
from nettrial.io import read, write

DOCS = Path(__file__).resolve().parent.parent / "docs"
TWITCH = ("ENGB", "ES", "FR", "PTBR", "RU", "TW")
# name of a task of table 1 -> network, label column, positive class (None: the classes as they are)
TASKS = {
    "Cora, neural networks": ("cora_linqs", None, "Neural_Networks"),
    "Political books, neutral": ("polbooks", None, "n"),
    "Pupils, smokers": ("s50_w1", None, None),
    "Lawyers, partners": ("lawfirm_friends", None, None),
    "Twitch PTBR, mature": ("twitch_PTBR", None, None),
}
MANY = {"calibration": "1000"}  # networks, so that the handicap's own error is small


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
        """For file names."""
        parts = [f"{k}-{v}" for k, v in self.options.items() if k != "calibration"]
        return "-".join([self.name, *parts])


RUNS = (
    Run("icdm09-table1"),
    Run("icdm09-table1", options={"folder": "tasks"}, needs="tasks"),
    Run("icdm09-fig1a"),
    Run("icdm09-fig1a", options={"redraw": "trial"}),
    Run("icdm09-fig1b"),
    Run("icdm09-fig1c", trials=2000, options=MANY, tests=("nadeau_bengio", "clustered_t")),
    Run("icdm09-fig1c", trials=2000, options={"networks": "four", **MANY}),
    Run("icdm09-fig1c", options={"between": "geometric", **MANY}),
    Run("icdm09-fig1c", options={"between": "smaller", **MANY}),
    Run("icdm09-fig1d", trials=2000, options=MANY),
    Run("icdm09-fig1e", trials=2000, options=MANY),
    Run("icdm09-fig1f", trials=1200),
    Run("icdm09-fig1f", options={"folder": "twitch"}, needs="twitch"),
    Run("ecml11-fig1a"),
    Run("ecml11-fig1b"),
    Run("ecml11-fig2a", trials=2000, options=MANY),
    Run("ecml11-fig2b", trials=2000, options=MANY),
    Run("ecml11-fig3a", trials=1200),
    Run("ecml11-fig3b", trials=1200),
    Run("theory"),
    Run("dietterich"),
    Run("folds", tests=("clustered_t",)),
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


def page(results: list[tuple[Run, ExperimentResult]]) -> Iterator[str]:
    """Write the lines of the page."""
    yield from (
        "# Experiments", "",
        "The experiments of the two papers that this project starts from, run anew, and some "
        "that they mention. This page is written by `benchmarks/experiments_page.py`; no number "
        "in it is typed by hand.", "",
        "Bands and intervals are Monte Carlo error at 95% (Wilson for rates). One rule says "
        "whether a published statement *agrees*: the 95% interval of the measured number must "
        "reach into what the statement allows; a number that was printed as a figure or given "
        f"in words counts as that number ± {READING}. No run is tuned to match. The handicap that "
        "makes two models equal is found on networks of its own; the column *mean difference* "
        "shows what is left of it on the evaluated ones.", "",
        "## All statements", "",
        "| experiment | published | measured number | measured (95% interval) | |",
        "|---|---|---|---|---|",
    )  # fmt: skip
    for run, result in results:
        for statement in result.experiment.statements:
            found, verdict = statement.judge(result.table)
            link = f"[{run.short}](#{run.short})"
            yield (f"| {link} | {statement.text} | {statement.what} | {interval(found)} | "
                   f"{verdict} |")  # fmt: skip
    yield ""
    for run, result in results:
        chosen = result.experiment
        yield from (
            f'<a id="{run.short}"></a>', "", f"## {chosen.name}: {chosen.title}", "",
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
                run.name, trials=run.trials, options=run.options, tests=run.tests, out=run.short,
                n_jobs=given.jobs,
            )  # fmt: skip
            print(run.short, experiment(run.name).title, flush=True)
            (DOCS / "figures").mkdir(exist_ok=True)
            shutil.copy(Path(run.short, "figure.png"), DOCS / "figures" / f"{run.short}.png")
            results.append((run, result))
    (DOCS / "experiments.md").write_text("\n".join(page(results)), encoding="utf-8")


if __name__ == "__main__":
    main()
