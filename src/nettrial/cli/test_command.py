"""`nettrial test`: any test of the catalog on a table of results."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import ALONE, SYNONYMS, Speller, option_name, spelled_by
from ..core.plain_text import listed, printable
from ..io.vocabulary import VALUE
from ..stats.catalog import CATALOG, SHAPES, SPLITS, TestSpecification, plain
from ..stats.theory import refuse_more_links
from . import say, tell
from .outputs import refuse_shared
from .tables import (
    PATTERN,
    Layout,
    equation,
    of_logs,
    one_path,
    read_table,
)
from .test_columns import (
    PREPARE,
    UNPAIRED,
    USUAL,
    Columns,
    Prepared,
    counts_given,
    reads_one_as_wrong,
)
from .test_options import OWN, meant, offered, options_of, options_text

if TYPE_CHECKING:
    from .test_text import Answer


def parsed(text: str) -> Any:
    """Read an option's value: a number or several between commas, yes or no, else text.

    Examples
    --------
    >>> parsed("0.5"), parsed("3"), parsed("true"), parsed("exact"), parsed(".5,1")
    (0.5, 3, True, 'exact', (0.5, 1))
    """
    if "," in text:
        several = tuple(map(parsed, text.split(",")))
        return several if all(isinstance(x, (int, float)) for x in several) else text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)


def keywords(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check options against the function's keyword parameters; required ones must be there."""
    known = offered(function)
    for name in given:
        if name not in known:
            typed = " or ".join([option_name(name), *(o for o, n in SYNONYMS.items() if n == name)])
            raise unknown_choice("option of this test", typed, known or ["none"])
    missing = [name for name, default in known.items() if default is inspect.Parameter.empty]
    for name in missing:
        if name not in given:
            way = f"--{name.replace('_', '-')} " if name in OWN else f"--set {name}="
            raise InputError(f"this test needs {name}: give {way}VALUE")
    return meant(function, given)


def run(spec: TestSpecification, prepared: Prepared, given: Mapping[str, Any]) -> Any:
    """Apply a test to what it compares; return its result and the names."""
    function = spec.load()
    options = keywords(function, given)
    values, names = prepared
    if "links" in options:
        refuse_more_links(options["n"], options["links"])
    if "names" in inspect.signature(function).parameters:
        options["names"] = [printable(name) for name in names]
    try:
        return function(*values, **options), names
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"an option has a value that cannot be used ({error})") from error


def speller_of(spec: TestSpecification, command: click.Command) -> Speller:
    """Return what writes the parameters of a test as this command takes them.

    Some have the name of an option of another meaning; others are given by ``--set``.
    """
    renamed = {"groups": {"groups": "--columns"}, "pairs by data set": {"data_sets": "--groups"}}
    here = {"za": "--a", "zb": "--b"} | renamed.get(spec.shape, {})
    settings = set(offered(spec.load())) - {option.name for option in command.params}

    def spell(name: str, value: Any) -> str | None:
        if name in here:
            return here[name]
        if name not in settings:
            return None
        return f"--set {name}" if value is ALONE else f"--set {name}={value}"

    return spell


TABLES = (".csv", ".tsv", ".md", ".tex", ".xlsx", ".parquet")
SCORES_ALONE = (
    "If the rows are splits of one network: scores do not say which nodes are predicted wrong, "
    "nor how errors of linked nodes and of overlapping test sets go together. So they cannot say "
    "whether the difference would show on other networks; that needs the predictions "
    "(nettrial compare --predictions)."
)


def report(
    spec: TestSpecification,
    result: Answer,
    names: list[str],
    as_json: bool,
    given: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """Write a result for people, the verdict first, or as JSON."""
    from ..report.lines import wrapped
    from ..stats.rsc import INCREASING
    from .test_notes import rank_note, spelled_here
    from .test_text import verdict

    shown = [printable(name) for name in names]
    answer = verdict(result, spec, shown)
    if INCREASING in result.notes:  # an answer that is never alone
        answer = f"{answer} {INCREASING}."
    notes = (spelled_here(n) for n in result.notes if n != INCREASING)
    result = replace(result, notes=tuple(notes))
    if as_json:
        limits = {"limits": SCORES_ALONE} if spec.rows == SPLITS else {}
        found = {"test": spec.name, "compared": names, "verdict": answer}
        ranks = rank_note(spec, given)
        found |= {**result.to_dict(), **limits, **({"ranks": ranks} if ranks else {})}
        return json.dumps(found, allow_nan=False, indent=2)
    head = f"A: {shown[0]}, B: {shown[1]}" if len(shown) == 2 else ", ".join(shown)
    if shown == ["A", "B"]:
        head = ""
    if spec.shape == "p-values":
        head = f"{len(shown):,} p-values"
    note = [rank_note(spec, given)] if rank_note(spec, given) else []
    note += [SCORES_ALONE] if spec.rows == SPLITS else []
    return "\n".join(
        map(
            printable, [wrapped(answer), "", *filter(None, [head]), *str(result).split("\n"), *note]
        )
    )


def catalog(as_json: bool) -> str:
    """List every test with when to use it."""
    from ..inference.registry import on_tables

    tests = on_tables()
    if as_json:
        return json.dumps(
            [{**spec.to_dict(), "input": SHAPES[spec.shape]} for spec in tests.values()], indent=2
        )
    width = max(map(len, tests))
    also = {
        name: f"; also {', '.join(spec.aliases)}" for name, spec in tests.items() if spec.aliases
    }
    return "\n".join(
        f"{name:<{width}}  {spec.use}{also.get(name, '')}" for name, spec in tests.items()
    )


def chosen_test(name: str) -> TestSpecification:
    """Return a test by its name; the registry, which takes a second to load, knows all others."""
    if name in CATALOG:
        return CATALOG[name]
    from ..inference.registry import on_table
    from ..metrics.measures import ALIASES, MEASURES

    try:
        return on_table(name)
    except InputError as error:
        if Path(name).is_file() or Path(name).suffix.lower() in TABLES:
            raise InputError(
                f"{shown(name)} is a table, not a test",
                parameter="test",
                hint=f"name the test before it, as in nettrial test wilcoxon {name}; nettrial test "
                "--list names all, nettrial recommend the one for a design",
            ) from error
        measure = listed(name, MEASURES, ALIASES)
        if error.hint or measure not in MEASURES:
            raise
        raise InputError(
            f"{shown(name)} is a measure, not a test",
            parameter="test",
            hint="nettrial measure TABLE.csv works it out, nettrial compare "
            f"--measure {measure} compares two models by it",
        ) from error


def taken(name: str, spec: TestSpecification) -> str:
    """Describe which test another name stands for, and which measure it might."""
    from ..metrics.measures import ALIASES, MEASURES

    measure = listed(name, MEASURES, ALIASES)
    other = f"; as a measure it is {measure} (nettrial measure)" if measure in MEASURES else ""
    settings, remark = spec.by_name(name)
    brought = f" with {', '.join(f'{k}={v}' for k, v in settings.items())}" if settings else ""
    remark = remark and f"; {remark}"
    return f"{name} is taken as {spec.name}{brought}: {spec.use}{remark}{other}"


@click.command("test", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", required=False)
@click.argument("table", nargs=-1)
@click.option(
    "--list", "listing", is_flag=True, help="List all tests; with NAME, the options of one."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--a", multiple=True, metavar="COLUMN", help="The first classifier.")
@click.option("--b", multiple=True, metavar="COLUMN", help="The second classifier.")
@click.option("--columns", metavar="COLUMN,...", help="The classifiers, if not all columns.")
@click.option("--truth", metavar="COLUMN", help="The true class of each row.")
@click.option("--groups", metavar="COLUMN", help="The cluster or group of each row.")
@click.option(
    "--classifier", metavar="COLUMN,...", help="Long table: the columns that name the classifier."
)
@click.option("--value", metavar="COLUMN", help="Long table: the column of the values.")
@click.option(
    "--rows",
    metavar="COLUMN,...",
    help="Long table: the columns that say which values belong together.",
)
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Read only these rows.")
@click.option(
    "--data-sets",
    metavar="COLUMN",
    help="The data set of each row, if not recognized; none: rows are independent.",
)
@click.option(
    "--models-in", metavar="PLACE", help="Wide table: rows or columns, where the classifiers are."
)
@PATTERN
@click.option("--folds", type=int, help="Folds of each replicate of a cross-validation.")
@click.option("--alternative", help="two-sided, less or greater.")
@click.option(
    "--confidence",
    "--conf-level",
    "--conf.level",
    type=float,
    help="Level of the interval, such as 0.95.",
)
@click.option(
    "--null-value",
    "--p0",
    "--mu",
    type=float,
    multiple=True,
    help="What the mean or error rate of one is compared with.",
)
@click.option("--n-train", type=float, help="Size of the training sets.")
@click.option("--n-test", type=float, help="Size of the test sets.")
@click.option(
    "--equivalence",
    type=float,
    metavar="MARGIN",
    help="Test instead whether the difference is smaller than this.",
)
@click.option(
    "--noninferiority",
    type=float,
    metavar="MARGIN",
    help="Test instead whether A is worse than B by less than this.",
)
@click.option(
    "--qq",
    metavar="PICTURE",
    help="Draw the differences against normal quantiles (.png, .svg, .pdf).",
)
@click.option(
    "--figure",
    metavar="PICTURE",
    help="Draw the estimate with its interval; of several classifiers mean ranks with the critical "
    "difference, or each difference with its interval (.png, .svg, .pdf).",
)
@click.option("--seed", type=int, help="Seed of tests that draw at random.")
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Any other option.")
@click.pass_context
def command(
    context: click.Context,
    /,
    name: str | None,
    table: tuple[str, ...],
    listing: bool,
    as_json: bool,
    a: tuple[str, ...],
    b: tuple[str, ...],
    columns: str | None,
    truth: str | None,
    groups: str | None,
    classifier: str | None,
    value: str | None,
    rows: str | None,
    where: tuple[str, ...],
    data_sets: str | None,
    models_in: str | None,
    pattern: tuple[str, ...],
    folds: int | None,
    settings: tuple[str, ...],
    equivalence: float | None,
    noninferiority: float | None,
    qq: str | None,
    figure: str | None,
    **options: Any,
) -> None:
    """Apply the test NAME to the results in TABLE, a CSV, Markdown or LaTeX file.

    TABLE has one column per classifier (wide; or one row, where its first column is called model),
    or a column of classifiers, one of values and at least one other, such as dataset or split
    (long). A long table is recognized by columns such as classifier or model and value or
    accuracy. With --pattern it is one or several training logs. Differences are A minus B. Tests
    of counts take these too: nettrial test credible 12 40.

    For scores by split, NAME states the design: corrected-resampled-t (random splits),
    corrected-repeated-kfold-t, kfold-t, 5x2cv-t. What scores alone cannot say is reported.
    """
    if listing and name is None:
        (say if as_json else tell)(catalog(as_json))
        return
    if name is None:
        raise InputError("give NAME and TABLE.csv, or --list to see the tests")
    from .test_margin import PROPORTIONS, Margin, against_margin
    from .test_notes import rsc_doubts
    from .test_pictures import draw_quantiles, draw_result

    spec = chosen_test(name)
    context.find_root().with_resource(spelled_by(speller_of(spec, context.command)))
    if listing:
        entry = {**spec.to_dict(), "input": SHAPES[spec.shape], "options": options_of(spec)}
        text = json.dumps(entry, indent=2) if as_json else options_text(spec)
        (say if as_json else tell)(text)
        return
    if not table:
        named = ", ".join(offered(spec.load())) or "none"
        raise InputError(
            f"{name} needs TABLE.csv with {SHAPES[spec.shape]}; its options are {named} "
            f"(nettrial test {spec.name} --list)"
        )
    refuse_shared({"qq": qq, "figure": figure})
    given = spec.by_name(name)[0] | once(options, map(setting, settings))
    null = None
    if spec.name in WITHOUT_PAIRS and not given.pop("paired", True):
        spec = CATALOG[WITHOUT_PAIRS[spec.name]]
    if spec.name == "paired-t" and "null_value" in given:
        spec = CATALOG["one-sample-t"]
    elif spec.name == "wilcoxon":
        null = given.pop("null_value", None)
    margin = Margin(equivalence, noninferiority)
    if noninferiority is not None and "higher_is_better" not in offered(spec.load()):
        if equivalence is None and not {spec.name, *given} & {"higher_is_better", *PROPORTIONS}:
            raise InputError(
                parameter="higher_is_better",
                expected="true (accuracies) or false (errors) beside a margin of non-inferiority",
                got="neither",
                hint="add --set higher_is_better=true or --set higher_is_better=false",
            )
        margin = replace(margin, higher_is_better=bool(given.pop("higher_is_better", False)))
    prepared = counts_given(spec, table)
    describe_rows: list[str] = []
    from_table = prepared is None
    if prepared is None:
        if spec.shape in UNPAIRED and groups is not None and classifier is None:
            classifier, groups = groups, None  # what names the group of a row names a sample
        layout = Layout(
            parts(classifier),
            value,
            parts(rows),
            tuple(equation(text, "where", "COLUMN") for text in where),
            models_in,
            groups,
            USUAL.get(spec.shape, VALUE),
            unpaired=spec.shape in UNPAIRED,
        )
        chosen = parts(columns)
        source = of_logs(table, pattern) if pattern else one_path(table)
        found = read_table(source, layout).about((*a, *b, *chosen))
        columns_of = Columns(
            found, spec, a, b, truth, groups, chosen, folds, data_sets, list(found.note)
        )
        columns_of.check()
        prepared = PREPARE["sample" if null is not None else spec.shape](columns_of)
        if null is not None:  # one column against a number
            prepared = [*prepared[0], null], [*prepared[1], f"{null:g}"]
        describe_rows = columns_of.note
    with warnings.catch_warnings(record=True) as note:
        warnings.simplefilter("always")
        result, names = run(spec, prepared, given)
        level = given.get("confidence", 0.95)
        result = against_margin(spec.name, result, prepared[0], margin, confidence=level)
        result = replace(result, notes=(*result.notes, *describe_rows))
        if qq is not None:
            draw_quantiles(spec, prepared, qq)
        if figure is not None:
            draw_result(spec, result, figure)
    if plain(name) != plain(spec.name) or any(spec.by_name(name)):
        say(f"nettrial test: {taken(name, spec)}", err=True)
    default = offered(spec.load()).get("null_value")
    if default is not None and "null_value" not in given:
        say(
            f"nettrial test: compared with {default:g}, the default; --p0 gives another number",
            err=True,
        )
    if from_table and reads_one_as_wrong(spec, truth):
        say("nettrial test: 1 is read as wrong and 0 as right", err=True)
    text = report(spec, result, names, as_json, given)
    doubts = rsc_doubts(*prepared, given) if spec.name.startswith("rsc") else ()
    for each in (*doubts, *(warning.message for warning in note)):
        say(f"nettrial: warning: {each}", err=True)
    (say if as_json else tell)(text)


# what R's option paired=FALSE makes of a test of pairs
WITHOUT_PAIRS = {"paired-t": "welch-t", "wilcoxon": "mann-whitney"}


def parts(text: str | None) -> tuple[str, ...]:
    """Split a list of columns at commas."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def setting(text: str) -> tuple[str, Any]:
    """Return an option of a test and its value."""
    key, value = equation(text, "settings", "OPTION")
    name = key.replace("-", "_").replace(".", "_")
    return SYNONYMS.get(name, name), parsed(value)


def once(options: Mapping[str, Any], settings: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Join the command's own options and those of ``--set``, each of them given once."""
    given: dict[str, Any] = {}
    several = ((key, value) for key, value in options.items() if value is not None)
    each = ((k, one) for k, v in several for one in (v if isinstance(v, tuple) else (v,)))
    for key, value in chain(each, settings):
        if key in given:
            names = "".join(f" or {other}" for other, name in SYNONYMS.items() if name == key)
            raise InputError(
                f"{key}{names} is given twice: {shown(given[key])} and {shown(value)}",
                hint="give it once",
            )
        given[key] = value
    return given
