"""The command line: `nettrial COMMAND ...`."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from ..errors import InputError, NettrialError
from ..version import __version__

# command -> (module, what it does); a module is loaded only when its command is called
COMMANDS = {
    "across": ("across_command", "Compare classifiers on several networks of one kind."),
    "audit": ("audit_command", "Say which test to trust on networks like yours."),
    "compare": ("compare_command", "Say whether one classifier really beats another."),
    "convert": ("convert_command", "Write a network in another form."),
    "experiment": ("experiment_command", "Run an experiment of the papers by name."),
    "export": ("export_command", "Write the predictions of a study file to CSV or Parquet."),
    "info": ("info_command", "Describe a network: sizes, classes, autocorrelation."),
    "leaderboard": ("leaderboard_command", "Say which best entries of a table are supported."),
    "measure": ("measure_command", "Measure a file of scores or predictions, and draw the curves."),
    "plan": ("plan_command", "Say what it takes to see a difference: nodes, labels, splits."),
    "report": ("report_command", "Give the verdict, or a page, from a study file."),
    "split": ("split_command", "Write splits to a file, to train models elsewhere."),
    "status": ("status_command", "Say how far a study file has come, and what failed."),
    "sweep": ("sweep_command", "Compare classifiers at several proportions of labels."),
    "transfer": ("transfer_command", "Learn on one network and test on others."),
    "test": ("test_command", "Run a classical test on a table of results."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[cmd_name][0]}", __name__)
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named first in `args`; suggest the nearest name if there is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from ..errors import unknown_choice

            raise unknown_choice("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what its errors name are options then."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            from .spelling import spelled

            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if command is None:
                raise
            raise InputError(spelled(str(error), command)) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="nettrial")
def cli() -> None:
    """Fair trials for network classifiers."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input is one clear line on stderr and exit code 2."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> Any:
    try:
        code = cli.main(args=arguments, prog_name="nettrial", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        return 0
    except click.Abort:
        return 130
    except click.ClickException as error:
        return _refuse(error.format_message())
    except NettrialError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # the reader of a pipe has what it wanted
        sys.stderr.close()
        return 0
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    say("nettrial: " + " ".join(message.splitlines()), err=True)
    return 2


def say(text: str, *, err: bool = False) -> None:
    """Print text with control characters escaped: names from files must not steer a terminal."""
    try:
        click.echo(printable(text), err=err)
    except BrokenPipeError:
        raise
    except OSError as error:
        # what is left in the buffer must not fail again when the program ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"the output cannot be written ({error.strerror})") from error


def printable(text: str) -> str:
    """Escape control characters, line ends aside.

    Examples
    --------
    >>> printable("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )
