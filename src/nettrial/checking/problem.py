"""What is checked, and what a check reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, or that a reader should know.

    Attributes
    ----------
    serious : bool
        Whether a fair comparison must not have it; else it is a note.
    size, of : float
        How many are concerned, of how many.
    unit : str
        What they are, such as "test nodes".
    text : str
        What was found, in a sentence without its end.
    """

    serious: bool
    size: float
    of: float
    unit: str
    text: str

    @property
    def share(self) -> float:
        """The share that is concerned."""
        return self.size / self.of if self.of else 0.0
