"""What can be drawn, tabled and saved."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..core.atomic import whole_file
from ..core.errors import InputError, shown

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MARKS = "osD^vP*X"
VECTOR = (".pdf", ".svg", ".eps")


def check_ending(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file name, and refuse one that is not a vector file's."""
    ending = Path(path).suffix.lower()
    if ending not in VECTOR:
        raise InputError(
            expected=f"a file name ending in {', '.join(VECTOR)}",
            got=f"{ending or 'none'}",
            where=f"figure {shown(str(path))}",
        )
    return ending


class Display(ABC):
    """Something that can be drawn, tabled and saved."""

    __slots__ = ()
    differs: ClassVar[bool] = True  # whether it is drawn otherwise for a phone

    def alt(self) -> str:
        """Describe what the picture shows; empty where its caption does."""
        return ""

    @abstractmethod
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw on `ax`, by default on a new figure without pyplot."""

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the figure as a vector file; equal displays give equal bytes."""
        ending = check_ending(path)
        with whole_file(path) as draft:
            draft.write_bytes(self.drawn(ending))

    def drawn(self, ending: str) -> bytes:
        """Return the bytes of the vector file with this ending."""
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        dated: dict[str, Any] = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
        # type 42 keeps text as text, which journals ask for
        with rc_context({"svg.hashsalt": "nettrial", "pdf.fonttype": 42, "ps.fonttype": 42}):
            figure = self.plot().figure
            assert isinstance(figure, Figure)  # noqa: S101 - `plot` made it
            # in memory: on a full disk the writer of PDF hides what the system said
            file = BytesIO()
            figure.savefig(file, format=ending[1:], metadata=dated.get(ending))
        return file.getvalue()
