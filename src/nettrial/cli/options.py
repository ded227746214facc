"""The options that commands share, and lists in one word."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..core.errors import InputError, shown
from . import say

MODELS = "Models, separated by commas: built-in names, MODULE:OBJECT or FILE.py:OBJECT."


def measure_word(text: str) -> str:
    """Return the name of a measure that may be written with hyphens.

    Examples
    --------
    >>> measure_word("macro-f1"), measure_word("macro-f2")
    ('macro_f1', 'macro-f2')
    """
    from ..metrics.measures import MEASURES

    name = text.replace("-", "_").lower()
    return name if name in MEASURES else text  # what is refused is told as it was written


MEASURE = click.option(
    "--measure",
    metavar="NAME",
    default="error",
    show_default=True,
    callback=lambda _context, _option, text: measure_word(text),
    help="What is compared: error, accuracy, auc, macro_f1, mcc, average_precision, "
    "precision@50, ...; the word list names all.",
)
DESIGN = click.option(
    "--design",
    metavar="NAME",
    show_default="rrs",
    help="How to split: rrs (random resampling), ers (equal resampling), ncv (network "
    "cross-validation), ...",
)
REPLICATES = click.option(
    "--replicates",
    "n_replicates",
    type=int,
    show_default="200",
    help="Networks that the bootstrap draws, of either of its two kinds; or halvings of the "
    "communities, by default up to 40 within the budget.",
)
BUDGET = click.option(
    "--budget",
    metavar="TIME",
    show_default="5min",
    help="Time for running models, and running them again on halves of the communities: 90s, "
    "10min, 2h.",
)
SEEDS = click.option(
    "--seeds",
    "n_seeds",
    metavar="N",
    type=int,
    show_default="1",
    help="Training seeds for each split; several tell the luck of the seed from that of splits "
    "and networks.",
)
POSITIVE = click.option("--positive", metavar="VALUE", help="Take one class against all others.")
SPLITS = click.option("--splits", "n_splits", type=int, help="Number of splits.  [default: 10]")
COMMUNITIES = click.option(
    "--communities",
    metavar="NAME",
    default="louvain",
    show_default=True,
    help="Groups of dependent nodes: louvain, links_and_features, or a node column.",
)
TEST = click.option(
    "--test",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Which test gives the verdict, by its name in the table of all tests.",
)
CROSS_LINKS = click.option(
    "--drop-cross-links", is_flag=True, help="Leave out links between training nodes and others."
)
CONFIDENCE = click.option(
    "--confidence", type=float, default=0.95, show_default=True, help="Level of the intervals."
)
SEED = click.option("--seed", type=int, default=0, show_default=True)
JOBS = click.option(
    "--jobs",
    "n_jobs",
    type=int,
    default=1,
    show_default=True,
    help="Worker processes; -1 is one a core.",
)
STORE = click.option(
    "--store",
    metavar="FILE",
    help="Keep every finished run in a study file (a folder of them for several networks or "
    "proportions of labels); the same command again runs only what is missing.",
)
RETRY = click.option("--retry", is_flag=True, help="Run again what failed, as the study file says.")
# the options of every command that runs models on splits
RUN = (POSITIVE, SPLITS, COMMUNITIES, MEASURE, TEST, CROSS_LINKS, CONFIDENCE, SEED, JOBS)


def with_options(
    *options: Callable[[Any], Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command, in the order of its help."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def words(text: str, what: str) -> list[str]:
    """Split a list at commas.

    Examples
    --------
    >>> words("wvrn, nbc", "models")
    ['wvrn', 'nbc']
    """
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise InputError(parameter=what, expected="a list such as a,b,c", got=shown(text))
    return found


def numbers(text: str, what: str, such_as: str) -> list[float]:
    """Split a list of numbers at commas.

    Examples
    --------
    >>> numbers("0.1, 0.3", "--labeled", "proportions such as 0.1,0.3")
    [0.1, 0.3]
    """
    try:
        return [float(word) for word in words(text, what)]
    except ValueError as error:
        raise InputError(parameter=what, expected=such_as, got=shown(text)) from error


def models_of(text: str) -> list[Any]:
    """Return the models of a list, the user's own ones built."""
    from .user_models import user_model

    return [user_model(word) for word in words(text, "--models")]


def running(options: dict[str, Any]) -> dict[str, Any]:
    """Turn the options of the command line into those of the functions.

    What was not given is left to the functions' own defaults.
    """
    names = ("n_splits", "design", "n_replicates", "budget", "n_seeds", "positive", "communities",
             "measure", "test", "confidence", "seed", "n_jobs", "control", "looks",
             "store")  # fmt: skip
    found = {name: options[name] for name in names if options.get(name) is not None}
    if options.get("retry"):
        if options["store"] is None:
            raise InputError("--retry needs --store FILE, the study file whose runs failed")
        found["retry"] = True
    return found | {"cross_links": "drop" if options["drop_cross_links"] else "keep"}


@contextmanager
def warnings_told() -> Iterator[None]:
    """Show every warning once, as it comes, in one line on stderr."""
    seen: set[str] = set()

    def show(message: Warning | str, *_where: Any, **_more: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            say(f"nettrial: warning: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
