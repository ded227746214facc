"""A model whose settings are chosen anew inside every training set."""

from __future__ import annotations

import copy
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.model_warnings import note
from ..network.network import Network
from .adapted import as_model
from .base import AnyModel, Model, Regressor
from .decide import predict_labels
from .validation import set_aside

By: TypeAlias = Literal["validation"]
CHOSE = "chose "  # begins the note on each choice, by which choices are counted
LEAST = 1e-12  # probability in a logarithm


@check_arguments
def tuned(
    model: Any,
    grid: Mapping[str, Sequence[Any]],
    *,
    by: By = "validation",
    validation: float = 0.2,
) -> Tuned | TunedRegressor:
    """Make a model whose settings are chosen inside every training set, replicates included.

    A share of the training nodes is set aside. Every combination of settings learns from the
    others; the one with the least error rate on those set aside (of equal ones that with the least
    cross-entropy, of these the first), of numbers the least squared error, learns again from all
    training nodes and predicts. Test nodes have no say: the model never sees their labels. What
    was chosen on how many splits is among the notes of a result, and in `Predictions.chosen`.

    Parameters
    ----------
    model : str, model or scikit-learn estimator
        Of classes or of numbers.
    grid : mapping of str to sequence
        Values to try by the name of a setting, which is a parameter of the model, or of the
        scikit-learn estimator. All combinations are tried.
    by : {"validation"}
        What chooses: nodes of the training set that are set aside.
    validation : float
        Their share, in (0, 1).

    Returns
    -------
    Tuned or TunedRegressor
        Its attribute ``chosen_`` holds what the last fit chose.

    Raises
    ------
    InputError
        For an empty grid, a setting that the model does not have, or another `by`.

    Examples
    --------
    >>> from nettrial.synth import latent_group_network
    >>> net = latent_group_network(100, seed=1)
    >>> model = tuned("nbc", {"smoothing": [0.1, 1.0], "direction": ["both"]})
    >>> sorted(model.fit(net, np.arange(50), seed=3).chosen_)
    ['direction', 'smoothing']
    """
    given = as_model(model)
    kinds = (Tuned, isinstance(given, Model)), (TunedRegressor, isinstance(given, Regressor))
    able = [kind for kind, fits in kinds if fits]
    made = (TunedEither if len(able) > 1 else able[0])(
        given, dict(grid), by=by, validation=validation
    )
    made.check()
    return made


class Chooser:
    """Settings that are chosen on nodes set aside, whatever the model predicts."""

    def __init__(
        self,
        model: AnyModel,
        grid: Mapping[str, Sequence[Any]],
        *,
        by: By = "validation",
        validation: float = 0.2,
    ) -> None:
        self.model = model
        self.grid = grid
        self.by: By = by
        self.validation = validation

    def __repr__(self) -> str:
        return f"tuned({self.model!r}, {dict(self.grid)!r}, validation={self.validation!r})"

    @property
    def name(self) -> str:
        """Name of the model, and that it is tuned."""
        return f"tuned {getattr(self.model, 'name', type(self.model).__name__)}"

    def check(self) -> None:
        """Refuse what cannot be tuned, as `tuned` describes."""
        if self.by != "validation":
            raise unknown_choice("by", self.by, ("validation",))
        if not 0 < self.validation < 1:
            raise InputError(
                parameter="validation",
                expected="a share in (0, 1)",
                got=shown(self.validation),
                where=f"{self.name}",
            )
        if not self.grid:
            raise InputError(
                parameter="grid", expected="at least one setting", got="none", where=f"{self.name}"
            )
        known = settings_of(self.model)
        for setting, values in self.grid.items():
            if setting not in known:
                raise unknown_choice(f"setting of {shown(self.model)}", setting, known)
            if isinstance(values, str) or not isinstance(values, Sequence) or not values:
                raise InputError(
                    parameter=setting,
                    expected="a list of values to try",
                    got=shown(values),
                    where=f"{self.name}",
                )

    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Choose the settings inside the nodes `train`, then learn from all of these.

        Raises
        ------
        InputError
            As `tuned`, and where no training node is left to choose by.
        """
        self.check()
        fitted, choosing = set_aside(self.name, network, train, self.validation, seed)
        if choosing.size == 0:
            raise InputError(
                f"{self.name}: none of {len(train)} training nodes can be set aside to choose by, "
                "since one of each class stays; label more nodes, or do without tuning"
            )
        seen = network.mask_labels(fitted)
        best, losses = None, (math.inf, math.inf)
        for settings in self._combinations():
            model = learned(self._with(settings), seen, fitted, seed)
            found = self._losses(model, seen, choosing, network)
            if best is None or found < losses:
                best, losses = settings, found
        assert best is not None  # noqa: S101 - as check found
        self.chosen_ = best
        note(CHOSE + ", ".join(f"{key}={value!r}" for key, value in best.items()))
        self.fitted_ = learned(self._with(best), network.mask_labels(train), train, seed)
        return self

    def _losses(
        self, model: Any, seen: Network, nodes: NDArray[np.intp], network: Network
    ) -> tuple[float, float]:
        """Return by what settings are chosen, and by what between equal ones: the less the better.

        The model sees `seen`; `network` has the answers.
        """
        if network.targets is None:
            return losses_of(np.asarray(model.predict_proba(seen, nodes)), network.labels[nodes])
        apart = np.asarray(model.predict(seen, nodes)) - network.targets[nodes]
        return float(np.mean(apart**2)), 0.0

    def _fitted(self) -> Any:
        if not hasattr(self, "fitted_"):
            raise InputError(f"{self.name}: call fit before it predicts")
        return self.fitted_

    def _combinations(self) -> Iterator[dict[str, Any]]:
        for values in itertools.product(*self.grid.values()):
            yield dict(zip(self.grid, values))

    def _with(self, settings: Mapping[str, Any]) -> AnyModel:
        made = copy.deepcopy(self.model)
        inner = getattr(made, "estimator", None)
        for key, value in settings.items():
            if hasattr(made, key):
                setattr(made, key, copy.deepcopy(value))
            elif inner is not None:
                inner.set_params(**{key: copy.deepcopy(value)})
        return made


class Tuned(Chooser):
    """What `tuned` makes of a classifier."""

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.floating]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes).

        Raises
        ------
        InputError
            Before `fit`.
        """
        found: NDArray[np.floating] = self._fitted().predict_proba(network, nodes)
        return found


class TunedRegressor(Chooser):
    """What `tuned` makes of a model of numbers."""

    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.floating]:
        """Return a number for each of `nodes`, shape (len(nodes),).

        Raises
        ------
        InputError
            Before `fit`.
        """
        found: NDArray[np.floating] = self._fitted().predict(network, nodes)
        return found


class TunedEither(Tuned, TunedRegressor):
    """What `tuned` makes of a model that predicts classes or numbers, as the network has them."""


def settings_of(model: AnyModel) -> list[str]:
    own = [name for name in vars(model) if not name.startswith("_") and not name.endswith("_")]
    inner = getattr(model, "estimator", None)
    return own if inner is None else [*own, *inner.get_params()]


def learned(model: AnyModel, network: Network, train: NDArray[np.intp], seed: int) -> AnyModel:
    """Fit a model, with the seed if it takes one."""
    fit: Callable[..., AnyModel] = model.fit
    options = {"seed": seed} if "seed" in inspect.signature(fit).parameters else {}
    return fit(network, train.copy(), **options)


def losses_of(proba: NDArray[np.floating], codes: NDArray[np.int32]) -> tuple[float, float]:
    """Return error rate and mean cross-entropy.

    Examples
    --------
    >>> losses_of(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([0, 1], dtype=np.int32))[0]
    0.5
    """
    right = np.maximum(proba[np.arange(codes.size), codes], LEAST)
    return float((predict_labels(proba) != codes).mean()), float(-np.log(right).mean())
