"""The command line: `nettrial COMMAND ...`."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from .. import kernels
from ..core.errors import InputError, NettrialError, brief, shown, unknown_choice
from ..core.option_names import spelled_by
from ..core.plain_text import printable
from ..core.version import __version__
from .help import Context
from .process import (
    RUNNING,
    Stopped,
    add_limits,
    finish_output,
    keep_font_list,
    leave_threads,
    lose_output,
    open_closed_streams,
    own_output,
    show_crashes,
    stopped_by_signals,
    uncollected,
)
from .refusals import Refused, as_json, lacking, no_option, speller

# command -> (module, what it does); a module is loaded only when its command is called
COMMANDS = {
    "across": ("across_command", "Compare classifiers on several networks of one kind."),
    "audit": ("audit_command", "Say which test to trust on networks like yours."),
    "check": ("check_command", "Say whether a comparison is fair: leaks, splits, models, test."),
    "checklist": ("checklist_command", "Fill in a reporting checklist for papers from a result."),
    "compare": ("compare_command", "Say whether one classifier really beats another."),
    "convert": ("convert_command", "Write a network in another form."),
    "describe": ("describe_command", "Write down how a network is read, to check and change."),
    "experiment": ("experiment_command", "Run an experiment of the papers by name."),
    "export": ("export_command", "Write the predictions of a study file to CSV or Parquet."),
    "info": ("info_command", "Describe a network: sizes, classes, autocorrelation."),
    "leaderboard": ("leaderboard_command", "Say which best entries of a table are supported."),
    "measure": ("measure_command", "Measure a file of scores or predictions, and draw the curves."),
    "merge": ("merge_command", "Join the shards of a study to a study file."),
    "plan": ("plan_command", "Say what it takes to see a difference: nodes, labels, splits."),
    "power": ("power_command", "Say how large a sample a classical test needs."),
    "recommend": ("recommend_command", "Say which classical test fits a design."),
    "report": ("report_command", "Give the verdict, or a page, from a study file."),
    "schema": ("schema_command", "Print the JSON Schema of what a command prints by --json."),
    "split": ("split_command", "Write splits to a file, to train models elsewhere."),
    "status": ("status_command", "Say how far a study file has come, and what failed."),
    "sweep": ("sweep_command", "Compare classifiers at several proportions of labels."),
    "theory": ("theory_command", "Work out the variance of error rates over resampled test sets."),
    "transfer": ("transfer_command", "Learn on one network and test on others."),
    "test": ("test_command", "Run a classical test on a table of results."),
    "warm": ("warm_command", "Compile all numerical kernels now, ahead of any run."),
}


GROUPS = {
    "Compare": ("compare", "sweep", "across", "transfer", "leaderboard"),
    "Before a study": ("info", "describe", "check", "audit", "plan", "split", "convert", "warm"),
    "Long studies": ("status", "merge", "report", "export"),
    "Measures, tests, papers": (
        "measure",
        "recommend",
        "power",
        "test",
        "theory",
        "checklist",
        "experiment",
        "schema",
    ),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        with uncollected():
            module = importlib.import_module(f".{COMMANDS[cmd_name][0]}", __name__)
        command: click.Command = module.command
        command.context_class = Context
        if cmd_name in RUNNING and not any(option.name == "timeout" for option in command.params):
            add_limits(command)
        if "_NETTRIAL_COMPLETE" in os.environ:
            from .completion import complete_options

            complete_options(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named first in `args`; messages name its options from here on."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown_choice("command", args[0], COMMANDS)
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            ctx.with_resource(spelled_by(speller(command)))
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; its errors are written while its options are known."""
        try:
            return super().invoke(ctx)
        except click.MissingParameter as error:
            raise Refused(lacking(error)) from error
        except click.NoSuchOption as error:
            raise Refused(no_option(error)) from error
        except InputError as error:
            raise Refused(error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what they are for, without importing them."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name][1]) for name in names])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="nettrial")
def cli() -> None:
    """Fair trials for network classifiers.

    \b
    nettrial compare --example                        # try it on a generated network
    nettrial info my_network/                         # what is read from your files
    nettrial compare my_network/ --a wvrn --b nbc --report report.html
    nettrial COMMAND --help                           # options and more examples

    Completion for bash (zsh, fish likewise): eval "$(_NETTRIAL_COMPLETE=bash_source nettrial)"
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input is one clear line on stderr and exit code 2."""
    open_closed_streams()
    show_crashes()
    keep_font_list()
    with own_output(), stopped_by_signals():
        code = _run(sys.argv[1:] if arguments is None else arguments)
    leave_threads(code)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """Return the exit code."""
    kernels.announce = True
    try:
        try:
            _call(arguments)
        finally:
            finish_output()
    except click.exceptions.Exit as end:
        return end.exit_code
    except BrokenPipeError:  # the reader of a pipe has what it wanted
        return 0
    except ENDINGS as error:
        message, code = _said(error, arguments)
        said = as_json(message, error, code) if "--json" in arguments else f"nettrial: {message}"
        say(said, err=True)
        return code
    return 0


def _call(arguments: list[str]) -> None:
    complete = os.environ.get("_NETTRIAL_COMPLETE")
    if complete:
        from click.shell_completion import shell_complete

        code = shell_complete(cli, {}, "nettrial", "_NETTRIAL_COMPLETE", complete)
        raise click.exceptions.Exit(code)
    try:
        with cli.make_context("nettrial", list(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.NoArgsIsHelpError as help_text:
        say(help_text.format_message())


ENDINGS = (click.ClickException, click.Abort, NettrialError, OSError, MemoryError, SystemExit,
           KeyboardInterrupt)  # fmt: skip


def _said(error: BaseException, arguments: list[str]) -> tuple[str, int]:
    """Return what is said of an error that ends the program, and the exit code."""
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        how, code = "interrupted", 130
        if isinstance(error, Stopped):
            how, code = f"ended by {signal.Signals(error.number).name}", 128 + error.number
        kept = "; what is finished is kept, and the same command goes on from there"
        return how + kept * ("--store" in arguments), code
    message = str(error)
    if isinstance(error, click.ClickException):
        message = error.format_message()
    elif isinstance(error, OSError):
        message = error.strerror or str(error)
        if error.filename is not None:
            message = f"{error.filename}: {message}"
        elif error.errno == errno.ENOSPC:  # files name themselves
            message = f"the output cannot be written ({message})"
    elif isinstance(error, MemoryError):
        message = f"there is not enough memory ({' '.join(message.split()) or 'none left'})"
    elif isinstance(error, SystemExit):
        message = f"a model or a library asked to end the program (sys.exit({shown(error.code)}))"
    return brief(message), 2


def tell(text: str, *, look: Callable[[str], str] = str) -> None:
    """Print text for people, within the width of the terminal; there also as `look` paints it."""
    from ..report.lines import fitted

    say(fitted(printable(text)), look=look)


def say(text: str, *, err: bool = False, look: Callable[[str], str] = str) -> None:
    """Print text with control characters escaped: names from files must not steer a terminal."""
    text = printable(text)
    try:
        click.echo(text if os.environ.get("NO_COLOR") else look(text), err=err)
    except OSError as error:
        if not err:  # a terminal that is gone needs no message
            lose_output(error)
