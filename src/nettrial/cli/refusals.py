"""What a command says when it is refused: with its own options named, as a line or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from shlex import quote
from typing import Any

import click

from ..core.errors import InputError, brief
from ..core.option_names import ALONE, Speller
from ..core.plain_text import printable

FACTS = ("where", "parameter", "expected", "got", "hint")


class Refused(click.ClickException):
    """An `InputError` of a command that ran, written while its options were known."""

    exit_code = 2

    def __init__(self, error: InputError) -> None:
        super().__init__(printable(str(error)))
        self.error = error


def speller(command: click.Command) -> Speller:
    """Return what writes parameters as the options of a command, by its own declarations.

    Examples
    --------
    >>> words = (["--splits", "n_splits"], ["--directed/--undirected"], ["--column", "columns"])
    >>> spell = speller(click.Command("x", params=[click.Option(word) for word in words]))
    >>> spell("n_splits", ALONE), spell("n_splits", 2), spell("directed", False)
    ('--splits', '--splits 2', '--undirected')
    >>> spell("columns", {"source": "a b"}), spell("n_jobs", 2)
    ("--column source='a b'", None)
    """
    options = {
        str(option.name): option
        for option in command.params
        if isinstance(option, click.Option) and option.opts[0].startswith("--")
    }

    def spell(name: str, value: Any) -> str | None:
        if name not in options:
            return None
        option = options[name]
        word = option.opts[0]
        if option.is_flag:
            return option.secondary_opts[0] if value is False and option.secondary_opts else word
        if isinstance(value, Mapping):
            return " ".join(f"{word} {key}={_word(item)}" for key, item in value.items())
        return word if value is ALONE else f"{word} {_word(value)}"

    return spell


def _word(value: Any) -> str:
    return str(value) if not isinstance(value, str) or repr(value) == value else quote(value)


def lacking(error: click.MissingParameter) -> InputError:
    """Return what a command was not given, what that is, and a call that gives it.

    Examples
    --------
    >>> share = click.Option(["--share"], metavar="SHARE", help="What is tested.")
    >>> command = click.Command("read", help="Read.\\n\\nnettrial read t.csv --share 0.2  # all")
    >>> print(lacking(click.MissingParameter(ctx=click.Context(command), param=share)))
    read: expected --share SHARE (what is tested), got none; as in nettrial read t.csv --share 0.2
    """
    parameter = error.param
    if error.ctx is None or parameter is None:
        return InputError(error.format_message())
    command = error.ctx.command
    what, meaning, word = parameter.make_metavar(error.ctx), "", ""
    if isinstance(parameter, click.Option):
        word = parameter.opts[0]
        text = (parameter.help or "").rstrip(".")
        what, meaning = f"{word} {what}", f" ({text[:1].lower()}{text[1:]})" if text else ""
    calls = [
        line.strip().split("  # ")[0].rstrip()
        for line in (command.help or "").splitlines()
        if line.strip().startswith(f"nettrial {command.name} ")
    ]
    fitting = [call for call in calls if word in call] or [f"nettrial {command.name} --help"]
    return InputError(
        expected=f"{what}{meaning}",
        got="none",
        hint=f"as in {fitting[0]}",
        where=str(command.name),
    )


def no_option(error: click.NoSuchOption) -> InputError:
    """Return that there is no such option, and the one that was meant.

    Examples
    --------
    >>> command = click.Command("read", params=[click.Option(["--labels"]), click.Option(["-o"])])
    >>> context = click.Context(command)
    >>> print(no_option(click.NoSuchOption("--lables", ctx=context)))
    there is no option --lables; did you mean --labels? (all: nettrial read --help)
    >>> print(no_option(click.NoSuchOption("--bogus", ctx=context)))
    there is no option --bogus; all: nettrial read --help
    """
    given = error.option_name
    if error.ctx is None:
        return InputError(error.format_message())
    command = error.ctx.command
    words = [word for option in command.params for word in (*option.opts, *option.secondary_opts)]
    named = {word.lstrip("-"): word for word in words if word.startswith("--")}
    near = get_close_matches(given.lstrip("-"), named, n=1)
    every = f"all: nettrial {command.name} --help"
    hint = f"did you mean {named[near[0]]}? ({every})" if near else every
    return InputError(f"there is no option {given}", hint=hint)


def as_json(message: str, error: BaseException, code: int) -> str:
    """Write an error as one JSON object on one line.

    Examples
    --------
    >>> error = InputError(parameter="seed", expected="an integer", got="'x'")
    >>> print(as_json(str(error), error, 2)[:72])
    {"type": "InputError", "message": "seed: expected an integer, got 'x'",
    """
    cause = error.error if isinstance(error, Refused) else error
    found: dict[str, Any] = {"type": type(cause).__name__, "message": brief(message)}
    found |= {fact: getattr(cause, fact, "") or None for fact in FACTS}
    parameter = getattr(cause, "param", None)  # of click's own errors
    if isinstance(parameter, click.Parameter):
        found["parameter"] = parameter.name
    return json.dumps(found | {"exit_status": code})
