"""compare(): from networks and models to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, overload

import numpy as np

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from .judge import run_and_judge
from .options import Asked, Options, takes_options
from .pair import comparison_of
from .result import Comparison
from .setup import Setup

if TYPE_CHECKING:
    from .across import AcrossNetworks
    from .multiple import MultipleComparison
    from .sweep import Sweep

Networks: TypeAlias = Network | Mapping[str, Network] | list[Network] | tuple[Network, ...]
OneModel: TypeAlias = str | AnyModel | LinkModel


@overload
def compare(
    network: Network,
    a: OneModel,
    b: OneModel,
    *,
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> Comparison: ...
@overload
def compare(
    network: Network,
    a: Sequence[OneModel] | Mapping[str, OneModel],
    b: None = None,
    *,
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> MultipleComparison: ...
@overload
def compare(
    network: Network,
    a: OneModel | Sequence[OneModel] | Mapping[str, OneModel],
    b: OneModel | None = None,
    *,
    labeled: Sequence[float],
    **options: Unpack[Asked],
) -> Sweep: ...
@overload
def compare(
    network: Mapping[str, Network] | list[Network] | tuple[Network, ...],
    a: OneModel | Sequence[OneModel] | Mapping[str, OneModel],
    b: OneModel | None = None,
    *,
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> AcrossNetworks: ...
@takes_options
def compare(
    network: Networks,
    a: OneModel | Sequence[OneModel] | Mapping[str, OneModel],
    b: OneModel | None = None,
    *,
    labeled: float | Sequence[float] | None = None,
    **options: Unpack[Asked],
) -> Comparison | MultipleComparison | Sweep | AcrossNetworks:
    """Compare classifiers, regressors or link predictors: does one beat the other on such networks?

    All models run on the same splits. The verdict on their difference in error rate (or another
    measure) comes from a test that answers for other networks. The usual tests stand beside it as
    a contrast. A question has the same answer whether it is asked alone or among others.

    Parameters
    ----------
    network : Network, mapping of str to Network, or sequence of Network
        With labels of at least two classes, or numeric targets, on at least some nodes. Several
        networks are compared as by `compare_across`.
    a, b : str, Model or scikit-learn classifier
        Names of built-in models, or anything with ``fit(network, train)`` and
        ``predict_proba(network, nodes)``, or for numeric targets ``predict(network, nodes)``. A
        scikit-learn estimator sees the node features; for more of the network, wrap it as
        ``FeatureClassifier(classifier, use=...)`` or ``FeatureRegressor``. Or a function that
        trains on PyTorch Geometric's data and returns scores of all nodes, ``run(data, seed)``,
        see `nettrial.models.TrainingFunction`. Instead of two models, `a` may be a list, or a
        mapping of names to models; they are compared as by `compare_models`.
        Or link predictors: names such as "adamic_adar" and "katz", anything with
        ``fit(network)`` and ``score(pairs)``, a function of the network and the pairs; the
        network then needs no labels. See `nettrial.models.as_link_predictor`.
    labeled : float or sequence of float, optional
        Proportion of the labeled nodes that the models are trained on, by default 0.3. Several
        proportions are compared as by `sweep`. For link predictors, the proportion of the links
        that they see, by default 0.9.

    Returns
    -------
    Comparison, MultipleComparison, Sweep or AcrossNetworks
        Verdict, tests, estimates and predictions; for two models, two link predictors, several
        models, several proportions of labels, several networks.

    Raises
    ------
    InputError
        Where the network has no links or fewer than two classes, or a setting cannot be used;
        where the measure needs probabilities and a model gives labels alone, or is not defined
        on some test set.
    ModelError
        Where a model fails and there is no study file.
    IncompleteStudyError
        Where runs failed and are recorded in the study file, when all others have ended.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> found = nettrial.compare(net, "wvrn", "nbc", labeled=0.3, n_splits=5, seed=1)
    >>> found.recommended, len(found.tests)
    ('bootstrap', 10)
    """
    models = _models(a, b)
    if isinstance(network, (Mapping, list, tuple)):
        from .across import compare_across

        if isinstance(labeled, (Sequence, np.ndarray)):
            raise InputError(
                expected=f"one {option('labeled')} for several networks",
                got="several",
                where="compare",
            )
        return compare_across(_named(network), models, labeled=labeled, **options)
    if isinstance(labeled, (Sequence, np.ndarray)):
        from .sweep import sweep

        return sweep(network, models, labeled=list(labeled), **options)
    if b is None:
        from .multiple import compare_models

        return compare_models(network, models, labeled=labeled, **options)
    asked = Options(labeled=labeled, **options)
    asked.refuse("two models", "control", "measures")
    return comparison_of(run_and_judge([Setup.of(network, models, asked)])[0])


def _models(a: Any, b: Any) -> Any:
    if isinstance(a, (list, tuple, Mapping)):
        if b is not None:
            raise InputError(
                expected="two models or one list of models", got="both", where="compare"
            )
        return a if isinstance(a, Mapping) else list(a)
    if b is None:
        raise InputError(
            expected="two models, or a list of them",
            got=f"{shown(a)} alone",
            hint="name another one",
            where="compare",
        )
    return [a, b]


def _named(networks: Mapping[str, Network] | Sequence[Network]) -> Mapping[str, Network]:
    """Return networks of a list their own names, or their places."""
    if isinstance(networks, Mapping):
        return networks
    names = [getattr(each, "name", "") for each in networks]
    if not all(names) or len(set(names)) < len(names):
        names = [f"network {place}" for place in range(1, len(names) + 1)]
    return dict(zip(names, networks))
