"""What is checked, and what a check reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

Sure: TypeAlias = Literal["certain", "likely"]


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
    sure : {"certain", "likely"}
        Certain where it was counted, likely where it follows from a rule that chance can meet.
    instead : str
        What `compare`, `leaderboard` or `recommend` says instead; empty where they say nothing.
    nodes : tuple of ndarray of int
        The test nodes concerned, for each split; empty where they are no nodes.
    """

    serious: bool
    size: float
    of: float
    unit: str
    text: str
    sure: Sure = "certain"
    instead: str = ""
    nodes: tuple[NDArray[Any], ...] = ()

    @property
    def share(self) -> float:
        """The share that is concerned."""
        return self.size / self.of if self.of else 0.0
