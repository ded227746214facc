"""`nettrial experiment`: the papers' experiments by name."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..core.errors import InputError, shown
from . import tell


def _complete(
    context: click.Context, parameter: click.Parameter, text: str
) -> list[CompletionItem]:
    """Complete the names of experiments, and the tests and options of the one that was named."""
    from ..experiments import experiment, names

    found: list[str] = []
    given = next((word for word in (context.params.get("name"), *context.args) if word), "")
    if parameter.name == "name":
        found = list(names())
    elif given in names() and parameter.name == "tests":
        found = list(experiment(given).allowed_tests)
    elif given in names():
        options = experiment(given).options.items()
        found = [f"{name}={value}" for name, one in options for value in one.choices or ("",)]
    done, comma, begun = text.rpartition(",")
    return [CompletionItem(f"{done}{comma}{word}") for word in found if word.startswith(begun)]


@click.command("experiment")
@click.argument("name", required=False, shell_complete=_complete)
@click.option("--list", "listed", is_flag=True, help="List the experiments and their options.")
@click.option("--trials", type=int, help="Trials of each cell; by default the full size.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--tests",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete,
    help="Also apply wilcoxon, nadeau_bengio, ...; see --list.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=_complete,
    help="A reading of a doubtful point; see --list; may be repeated.",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Write results.csv, figure.png, figure.svg and summary.md; go on from what is there.",
)
@click.option(
    "--jobs",
    "n_jobs",
    type=int,
    default=1,
    show_default=True,
    help="Workers; the result does not depend on it.",
)
def command(
    name: str | None,
    listed: bool,
    trials: int | None,
    seed: int,
    tests: tuple[str, ...],
    options: tuple[str, ...],
    out: str | None,
    n_jobs: int,
) -> None:
    """Run an experiment in which the truth is known.

    \b
    nettrial experiment --list
    nettrial experiment icdm09-fig1a --trials 1000 --out fig1a
    nettrial experiment folds --tests cluster_robust_t --option redraw=fold
    """
    if listed:
        tell(_catalog())
        return
    if name is None:
        raise InputError(
            "no name given", parameter="experiment", hint="see nettrial experiment --list"
        )
    from ..experiments import run_experiment

    given = dict(_pair(text) for text in options)
    applied = [test for text in tests for test in text.split(",")]
    found = run_experiment(
        name, trials=trials, seed=seed, tests=applied, options=given, out=out, n_jobs=n_jobs
    )
    tell(str(found))


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(parameter="options", expected="NAME=VALUE", got=shown(text))
    return name, value


def _catalog() -> str:
    from ..experiments import experiment, names

    lines = []
    for name in names():
        found = experiment(name)
        lines += [f"{name:<15}{found.title}", f"{'':<15}{found.trials} trials a cell"]
        for option, known in found.options.items():
            choices = f" ({', '.join(known.choices)})" if known.choices else ""
            lines.append(f"{'':<15}{option}={known.default}: {known.meaning}{choices}")
        added = [test for test in found.allowed_tests if test not in found.own_tests]
        if added:
            lines.append(f"{'':<15}--tests {', '.join(added)}")
    return "\n".join(lines)
