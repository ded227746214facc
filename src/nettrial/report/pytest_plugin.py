"""The fixture `nettrial_gate`: tests that fail where a new model is worse than the old one.

pytest loads this module in every project beside which nettrial is installed, so it imports nothing
of nettrial before the fixture is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..core.finding import Finding
    from ..network.network import Network
    from .gate import Unsettled


class ModelGate:
    """Conditions on models, each a test that fails with one sentence."""

    def not_worse(
        self,
        network: Network,
        new: Any,
        old: Any,
        *,
        margin: float | None = None,
        on_unsettled: Unsettled = "fail",
        **options: Any,
    ) -> Finding:
        """Fail where the new model is worse than the old one, by the margin if there is one.

        Parameters
        ----------
        new, old : str, Model or scikit-learn classifier
            As for `nettrial.compare`.
        margin : float, optional
            The loss that may be, in the units of the measure. Without a margin two equally good
            models are unsettled.
        on_unsettled : {"fail", "pass"}
            What follows where the data cannot decide.
        **options
            Those of `nettrial.compare`.
        """
        condition = "worse" if margin is None else f"worse-by={margin}"
        return self._compared(network, new, old, condition, on_unsettled, options)

    def better(
        self,
        network: Network,
        new: Any,
        old: Any,
        *,
        on_unsettled: Unsettled = "fail",
        **options: Any,
    ) -> Finding:
        """Fail unless the new model is better than the old one; options as `not_worse` takes."""
        return self._compared(network, new, old, "not-better", on_unsettled, options)

    def passes(
        self,
        found: Finding,
        *conditions: str,
        new: str | None = None,
        on_unsettled: Unsettled = "fail",
    ) -> None:
        """Fail where a result meets a condition, see `nettrial.report.gate`."""
        from .gate import gate

        reached = gate(found, list(conditions), new=new, on_unsettled=on_unsettled)
        if not reached.passed:
            pytest.fail(reached.sentence, pytrace=False)

    def _compared(
        self,
        network: Network,
        new: Any,
        old: Any,
        condition: str,
        on_unsettled: Unsettled,
        options: dict[str, Any],
    ) -> Finding:
        from ..comparison.compare import compare
        from .gate import check_conditions, known_measure

        check_conditions([condition], known_measure(options.get("measure")))
        found: Finding = compare(network, new, old, **options)
        self.passes(found, condition, on_unsettled=on_unsettled)
        return found


@pytest.fixture(scope="session")
def nettrial_gate() -> ModelGate:
    """Return what fails a test where a new model is worse than an old one."""
    return ModelGate()
