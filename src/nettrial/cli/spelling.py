"""Parameters in messages, as the command line spells them.

Errors and warnings come from Python code and name Python's parameters: ``labeled=0.95``,
``n_splits: expected ...``. This turns the ones that a command has into its options; all messages
that the command line prints pass through here.
"""

from __future__ import annotations

import re

import click

# a parameter is meant where a value or the verdict on it follows, or where a message begins with
# it, perhaps after the name of a function; nothing in quotation marks or within a path is one
FORM = (
    r"(?<![\w./'\"-])(?<!--set )(?<!--column )(?<!--where )(?<!--missing )"
    r"({0})(?:=('[^']*'|[^\s,;)']*)|(?=: (?:expected|got) )|(?= (?:<=|>=|<|>) ))"
    r"|^(?:\w+: )?({0})(?=: )"
)


def lacking(error: click.MissingParameter) -> str:
    """Return what a command was not given, what that is, and a call that gives it.

    Examples
    --------
    >>> share = click.Option(["--share"], metavar="SHARE", help="What is tested.")
    >>> command = click.Command("read", help="Read.\\n\\nnettrial read t.csv --share 0.2  # all")
    >>> told = click.MissingParameter(ctx=click.Context(command), param=share)
    >>> lacking(told)
    'read: expected --share SHARE (what is tested), got none; as in nettrial read t.csv --share 0.2'
    """
    parameter = error.param
    if error.ctx is None or parameter is None:
        return error.format_message()
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
    return f"{command.name}: expected {what}{meaning}, got none; as in {fitting[0]}"


def spelled(message: str, command: click.Command) -> str:
    """Write the parameters in a message as options of a command.

    Parameters
    ----------
    message : str
        With parameters as ``name=value``, ``name=``, ``name <= value`` or ``name: expected``, or
        ``name: `` at the beginning.
    command : click.Command
        Names that it has no option for stay as they are.

    Examples
    --------
    >>> words = (["--splits", "n_splits"], ["--directed/--undirected"])
    >>> command = click.Command("x", params=[click.Option(word) for word in words])
    >>> spelled("n_splits=1 is not allowed; use n_splits >= 2", command)
    '--splits 1 is not allowed; use --splits >= 2'
    >>> spelled("n_splits: too many to keep", command)
    '--splits: too many to keep'
    >>> spelled("split: n_splits: expected an integer, got 2.5", command)
    '--splits: expected an integer, got 2.5'
    >>> spelled("n_splits and directed: expected one of them", command)
    '--splits and --directed: expected one of them'
    >>> spelled("give --set n_splits=VALUE", command)
    'give --set n_splits=VALUE'
    >>> spelled("give directed=False", command)
    'give --undirected'
    >>> spelled("give n_splits= (--splits), at least 2", command)
    'give --splits, at least 2'
    >>> command.params.append(click.Option(["--column", "columns"]))
    >>> command.params.append(click.Option(["--target"]))
    >>> spelled("columns={'source': NAME, 'target': NAME} names the ends", command)
    '--column source=NAME --column target=NAME names the ends'
    """
    options = {
        str(option.name): option
        for option in command.params
        if isinstance(option, click.Option) and option.opts[0].startswith("--")
    }
    if not options:
        return message

    def written(match: re.Match[str]) -> str:
        option, value = options[match.group(1) or match.group(3)], match.group(2)
        if option.is_flag:
            off = value == "False" and option.secondary_opts
            return option.secondary_opts[0] if off else option.opts[0]
        return " ".join([option.opts[0], value.strip("'")] if value else option.opts[:1])

    def items(match: re.Match[str]) -> str:
        option = options[match.group(1)].opts[0]
        pairs = re.findall(r"'([^']+)':\s+([^\s,}]+)", match.group(2))
        return " ".join(f"{option} {key}={value}".replace("'", "") for key, value in pairs)

    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    message = re.sub(
        rf"^((?:\w+: )?)({names}) and ({names})(?=: )",
        lambda m: f"{m[1]}{options[m[2]].opts[0]} and {options[m[3]].opts[0]}",
        message,
    )
    message = re.sub(rf"(?<![\w./'\"-])({names})=\{{([^{{}}]*)\}}", items, message)
    # a message that names both spellings has the one for each reader
    message = re.sub(rf"(?<![\w./'\"-])(?:{names})= \((--[\w-]+)\)", r"\1", message)
    return re.sub(FORM.format(names), written, message)
