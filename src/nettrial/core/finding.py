"""The face of every result: verdict, text, table, dict, figure, page, LaTeX, Markdown, Typst.

This is the one place where the code reaches upward: what is said about a result, and how it is
rendered, lives in `nettrial.report`, which knows the results; a result asks it only when it is
shown. `_report` loads the modules by name then, so that results stay free of wording and a
comparison that nobody prints never loads a page.
"""

from __future__ import annotations

import importlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .arguments import check_arguments
from .plain_text import printable
from .results import Shown, plain_table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SCHEMA = 1  # of `to_dict`: a higher number where a key changes its meaning or goes


def _report(module: str) -> Any:
    return importlib.import_module(f"nettrial.report.{module}")


class Finding(Shown, ABC):
    """Base of the frozen dataclasses that answer a question."""

    __slots__ = ()

    if TYPE_CHECKING:  # a field of most results, made from others in some

        @property
        def warnings(self) -> tuple[Warning, ...]:
            """Warnings that bear on the verdict."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table."""

    def _rows(self) -> list[dict[str, Any]] | None:
        """Return the rows of `to_frame`, where they are made without pandas."""
        return None

    @abstractmethod
    def _values(self) -> Mapping[str, Any]:
        """Return what `to_dict` holds beside schema, kind, verdict, limits and warnings."""

    def _document(self) -> Any:
        return _report("describe").describe(self)

    @property
    def verdict(self) -> str:
        """The answer in plain words, with control characters in names escaped."""
        return printable(self._document().verdict.text)

    def summary(self) -> str:
        """Return the verdict, the main table and the warnings as text."""
        return str(_report("text").brief(self._document()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values that JSON can hold."""
        document = self._document()
        return {"schema": SCHEMA, "kind": type(self).__name__} | plain_table(
            {"verdict": printable(document.verdict.text)}
            | dict(self._values())
            | {
                "limits": document.limits,
                "warnings": [str(warning) for warning in self.warnings],
            }
        )

    def to_json(self) -> str:
        """Return `to_dict` as one JSON object."""
        return json.dumps(self.to_dict(), indent=1)

    @check_arguments
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the main figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure, without pyplot.

        Returns
        -------
        matplotlib Axes
        """
        drawn: Axes = self._document().figure().display.plot(ax)
        return drawn

    @check_arguments
    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return one self-contained HTML page, or write it to a file.

        Parameters
        ----------
        path : str or path, optional
            The file to write; a file that is there already is replaced as a whole.

        Returns
        -------
        str or None
            The page; None where it was written.

        Raises
        ------
        InputError
            Where `path` cannot be written.
        """
        if path is None:
            return str(_report("html").render(self._document(), self))
        _report("writing").write_report(self, path)
        return None

    def to_latex(self) -> str:
        """Return the tables in LaTeX, for a document that loads booktabs and graphicx."""
        return str(_report("latex").render(self._document()))

    def to_markdown(self) -> str:
        """Return verdict, tables and warnings as Markdown."""
        return str(_report("markdown").render(self._document()))

    def to_typst(self) -> str:
        """Return verdict, tables and warnings as Typst."""
        return str(_report("typst").render(self._document()))

    def __str__(self) -> str:
        return str(_report("text").render(self._document()))

    def __repr__(self) -> str:
        return str(
            _report("text").printable(
                f"<{type(self).__name__}: {self._document().verdict.headline}>"
            )
        )

    def _repr_html_(self) -> str:
        return str(_report("html").notebook(self._document()))
