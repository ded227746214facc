"""Relaxation labeling: all nodes at once move toward what their neighbors say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import ConvergenceWarning, InputError, shown, unknown_choice, warn_user
from .convergence import Convergence
from .evidence import Evidence
from .rule import Rule

Mixing: TypeAlias = Literal["paper", "netkit"]
UNSETTLED = 0.25  # a node that would still move as far as this may change its class


@check_arguments
@dataclass(frozen=True, slots=True)
class RelaxationLabeling:
    """Relaxation labeling: all nodes at once move toward what their neighbors say.

    Starting from the class prior of the labeled nodes, with labeled nodes clamped,

        P(t+1) = beta(t+1) F(P(t)) + (1 - beta(t+1)) P(t),   beta(t+1) = decay beta(t),

    F being the classifier. A `ConvergenceWarning` tells of label sets in which the last sweep
    would still have moved some probability by 0.25 or more, or, where a tolerance was asked for,
    by that tolerance or more.

    Parameters
    ----------
    beta : float
        beta(0), in (0, 1].
    decay : float
        In (0, 1].
    iterations : int
        Greatest number of sweeps.
    tolerance : float, optional
        A label set stops after the first sweep in which max \\|F(P) - P\\| over nodes and classes
        is below it. Without it all sweeps are run, as in the paper.
    mixing : {"paper", "netkit"}
        ``"netkit"`` mixes as the program NetKit-SRL 1.4 does, the other way round: the first
        sweep takes F(P) where beta is 1, and sweep t = 1, 2, ... weighs the old probabilities
        with beta decay^t and F(P) with the rest.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.4.2.

    Examples
    --------
    >>> RelaxationLabeling(iterations=2).weights().round(4).tolist()
    [0.99, 0.9801]
    >>> RelaxationLabeling(iterations=3, mixing="netkit").weights().round(4).tolist()
    [1.0, 0.01, 0.0199]
    """

    beta: float = 1.0
    decay: float = 0.99
    iterations: int = 99
    tolerance: float | None = None
    mixing: Mixing = "paper"

    def weights(self) -> NDArray[np.float64]:
        """Return the weight of F(P) in each sweep.

        Raises
        ------
        InputError
            Where a parameter is out of its range.
        """
        for name, value in (("beta", self.beta), ("decay", self.decay)):
            if not 0 < value <= 1:
                raise InputError(
                    parameter=name,
                    expected=f"a number in (0, 1], got {shown(value)}",
                    where="RelaxationLabeling",
                )
        whole = isinstance(self.iterations, (int, np.integer))
        if isinstance(self.iterations, bool) or not whole or self.iterations < 1:
            raise InputError(
                parameter="iterations",
                expected="an integer >= 1",
                got=shown(self.iterations),
                where="RelaxationLabeling",
            )
        if self.tolerance is not None and not self.tolerance > 0:
            raise InputError(
                parameter="tolerance",
                expected="a number > 0",
                got=shown(self.tolerance),
                hint="leave it out to run all sweeps",
                where="RelaxationLabeling",
            )
        if self.mixing not in ("paper", "netkit"):
            raise unknown_choice("mixing", self.mixing, ("paper", "netkit"))
        sweep = np.arange(1.0, self.iterations + 1)
        if self.mixing == "paper":
            return self.beta * self.decay**sweep
        weights = 1 - self.beta * self.decay ** (sweep - 1)
        if self.beta == 1:
            weights[0] = 1.0
        return weights

    @check_arguments
    def run(
        self, evidence: Evidence, rule: Rule, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        """Infer all label sets; no random numbers are drawn, so `seeds` does not matter."""
        from .relaxation_blocks import relax

        proba, end = relax(evidence, rule, self.weights(), self.tolerance or 0.0)
        self._warn(end)
        return proba, end

    def _warn(self, end: Convergence) -> None:
        limit = UNSETTLED if self.tolerance is None else self.tolerance
        moving = np.flatnonzero(end.residual >= limit)
        if moving.size:
            last = f"the last of {self.iterations} sweeps would still have moved a probability by"
            advice = "run more iterations, or another inference"
            warn_user(
                ConvergenceWarning(
                    f"RelaxationLabeling: in {moving.size} of {end.residual.size} label sets "
                    f"{last} up to {end.residual.max():.2g} (limit {limit:g}); {advice}",
                    f"RelaxationLabeling: {last} {limit:g} or more; {advice}",
                    tuple(moving.tolist()),
                )
            )
