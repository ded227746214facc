"""Help within the width of the terminal: examples too wide for it go on in a second line."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from ..core.errors import InputError

FIXED_HYPHEN = "\u2011"


class Formatter(click.HelpFormatter):
    """Writes help as click does, and breaks what click leaves as it is written."""

    def write(self, string: str) -> None:
        """Write text, in which a hyphen at which no line is broken is a hyphen."""
        super().write(string.replace(FIXED_HYPHEN, "-"))

    def write_text(self, text: str) -> None:
        """Write paragraphs; a command that is too wide goes on after a backslash."""
        begin = len(self.buffer)
        super().write_text(text)
        written = "".join(self.buffer[begin:])
        del self.buffer[begin:]
        self.write("\n".join(self._fitted(line) for line in written.split("\n")))

    def _fitted(self, line: str) -> str:
        if len(line) <= self.width:
            return line
        indent = " " * (len(line) - len(line.lstrip()))
        command, _, comment = line.strip().partition(" # ")
        lines = textwrap.wrap(
            command.strip(),
            self.width - len(indent) - len(" \\"),
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        note = [f"# {comment.strip()}"] if comment else []
        return "\n".join(indent + each for each in [*note, " \\\n".join(lines)])


class Context(click.Context):
    """What help is written in, and a command runs in."""

    formatter_class = Formatter

    def invoke(self, callback: Any, /, *args: Any, **given: Any) -> Any:
        """Run a command; an empty argument would be the current folder."""
        for parameter in self.command.params:
            value = given.get(str(parameter.name))
            empty = value == "" or (isinstance(value, tuple) and "" in value)
            if isinstance(parameter, click.Argument) and empty:
                word = (parameter.metavar or str(parameter.name).upper()).strip("[].")
                raise InputError(expected=word, got="'', which is empty", where=str(self.info_name))
        return super().invoke(callback, *args, **given)

    def make_formatter(self) -> click.HelpFormatter:
        """Return what writes help as wide as the terminal."""
        from ..report.lines import width

        return Formatter(width=width())
