"""compare(): from networks and models to a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.seeds import Seed
from ..inference.estimates import QEstimator
from ..metrics.measures import MeasureLike
from ..models.base import AnyModel
from ..models.link_predictors import LinkModel
from ..network.network import Network
from ..study.node_study import CrossLinks
from .joint_measures import Loss
from .judge import run_and_judge
from .links import LinkSetup, are_links, link_comparison_of
from .pair import comparison_of
from .result import Comparison, LinkComparison
from .setup import BUDGET, Setup

if TYPE_CHECKING:
    from .across import AcrossNetworks
    from .multiple import MultipleComparison
    from .sweep import Sweep

Networks = Network | Mapping[str, Network] | list[Network] | tuple[Network, ...]


@check_arguments
def compare(
    network: Networks,
    a: str | AnyModel | LinkModel | Sequence[str | AnyModel | LinkModel],
    b: str | AnyModel | LinkModel | None = None,
    *,
    labeled: float | Sequence[float] | None = None,
    n_splits: int | None = None,
    design: Any = "rrs",
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    measure: MeasureLike = "error",
    measures: Sequence[Loss] | None = None,
    control: str | None = None,
    cross_links: CrossLinks = "keep",
    q: QEstimator = "moment",
    confidence: float = 0.95,
    test: str = "auto",
    n_replicates: int | None = None,
    budget: str | float = BUDGET,
    n_seeds: int = 1,
    looks: int | None = None,
    seed: Seed = 0,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    retry: bool = False,
    progress: bool | None = None,
) -> Comparison | LinkComparison | MultipleComparison | Sweep | AcrossNetworks:
    """Compare classifiers, regressors or link predictors: does one beat the other on such networks?

    Splits the network, runs all models on the same splits, tests the difference of their error
    rates (or of another measure) in every way that the predictions allow, and takes the verdict
    from the test that answers for other networks; the usual tests stay beside it as a contrast.
    The answer to one question is the same whether it is asked alone or among others.

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
        see `nettrial.models.TrainingFunction`. Instead of two models, `a` may be a list; more
        than two are compared as by `compare_models`.
        Or link predictors: names such as "adamic_adar" and "katz", anything with
        ``fit(network)`` and ``score(pairs)``, a function of the network and the pairs; the
        network then needs no labels. See `nettrial.models.as_link_predictor`.
    labeled : float or sequence of float, optional
        Proportion of the labeled nodes that the models are trained on, by default 0.3. Several
        proportions are compared as by `sweep`. For link predictors, the proportion of the links
        that they see, by default 0.9.
    n_splits : int, optional
        Number of splits, by default 10.
    design : {"rrs", "ers", "ncv", ...}, Design or sequence of Split
        How the network is split. `labeled` and `n_splits` go with a name whose design has them;
        a Design or splits that are given bring their own. For link predictors "rrs", "kfold" or
        "temporal", with "+uniform", "+degree", "+ends" or "+all" for the pairs without link, see
        `nettrial.splits.link_design`.
    positive : hashable, optional
        Take this class against all others together.
    communities : str or array_like of int, shape (n_nodes,)
        "louvain", a node column, or a partition: the groups within which errors depend. Where
        models that may learn from features are run again on halves, "louvain" means
        "links_and_features": links between nodes of similar features count beside the network's.
    measure : str or Measure
        What is compared. Means over nodes: ``error``, ``accuracy``, ``squared_loss``,
        ``log_loss`` (probabilities are moved into [eps, 1 - eps] with eps = 2**-23 as
        scikit-learn does), ``mrr``, ``hits@K``. Means over classes: ``auc`` (each class against
        the rest), ``macro_f1``, ``weighted_f1``, ``micro_f1`` (the accuracy, as each node has
        one class), ``macro_precision``, ``balanced_accuracy``, ``mean_average_precision``. Of
        one class, named by `positive`: ``precision``, ``recall``, ``f1``,
        ``average_precision``, ``precision@K``, ``recall@SHARE``. ``mcc``; ``ece``, the
        calibration error. Of numeric targets: ``squared_error``, which "error" stands for there,
        ``absolute_error``, ``r2`` and ``spearman``. Of link predictors: ``auc``, which "error"
        stands for there, ``average_precision``, ``hits@K``, ``mrr``, ``precision@K``,
        ``recall@SHARE``. A function of your own by `nettrial.metrics.custom_measure`.
    measures : sequence of str, optional
        With more than two models: test several measures at once, see `compare_models`.
    control : str, optional
        With more than two models: compare only each other one with this one.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    q : {"moment", "mean_of_failing", "mean_of_erring"}
        Estimator of q, see `estimate_q`.
    confidence : float
        Level of the intervals.
    test : str
        Which test gives the verdict: "auto", "bootstrap", "halves", or another that answers for
        other networks. "auto" runs all models again: on networks drawn from the communities of
        this one ("bootstrap") where no model can notice copies of a node and that is quick, and
        elsewhere on halves of the communities ("halves"). Where that cannot be, a test on the
        predictions takes its place ("network_hac", or "cluster_robust_t" where that one could
        detect nothing); the result says why. "bootstrap" with a model that may notice copies,
        or with splits that were given, means "halves".
    n_replicates : int, optional
        Networks that the bootstrap draws, of either of its two kinds, by default 200; or halvings
        of the communities, by default as many as the budget allows, up to 40.
    budget : str or float
        Minutes that running the models, and running them again on halves of the communities, may
        take together, or a text such as "90s" or "2h". With less time there are fewer halvings and
        wider intervals, never another question. The number of halvings depends on the time that
        one split took, so that results repeat exactly only where all 40 fit in, or
        `n_replicates` is given; the result holds what was planned. A study file keeps the plan of
        the first process that made one, and all others follow it.
    n_seeds : int
        Training seeds for each split. With two or more the result tells how much of the variance
        is between networks, between splits, and between training seeds, what more of each would
        bring, and which models the seed alone moves by more than they differ. A model's measure
        on a split is the mean over its seeds. Not with a study file.
    looks : int, optional
        How often models were compared on the labels of this network, with this time. The result
        then holds (`looks`) p-value and interval as one of so many comparisons that were fixed
        beforehand, and as one of the 2^looks - 1 that yes or no at every look could lead to; the
        verdict claims a difference only if the first of these is significant. One network, and
        no several proportions of labels.
    seed : int, SeedSequence or Generator
        Everything random derives from it.
    n_jobs : int, optional
        Worker processes, -1 for one a core; by default one process, or what an enclosing
        ``joblib.parallel_config`` says. The result does not depend on it.
    store : path, optional
        Study file in which every model's run on every split, and on every network that the
        bootstrap draws, is kept as it ends. Where the file exists, only what is missing in it is
        run. For several networks or proportions of labels a folder, with a study file for each.
    retry : bool
        Whether runs that failed before, and are recorded in the study file, are run again.
    progress : bool, optional
        By default a bar is shown on a terminal.

    Returns
    -------
    Comparison, LinkComparison, MultipleComparison, Sweep or AcrossNetworks
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
    options: dict[str, Any] = {
        "n_splits": n_splits, "design": design, "positive": positive, "communities": communities,
        "measure": measure, "cross_links": cross_links, "q": q, "confidence": confidence,
        "test": test, "n_replicates": n_replicates, "budget": budget, "n_seeds": n_seeds,
        "seed": seed, "n_jobs": n_jobs, "progress": progress,
    }  # fmt: skip
    asked = {"measures": measures, "control": control}
    once = asked | {"looks": looks}
    options |= {"store": store, "retry": retry}
    if isinstance(network, (Mapping, list, tuple)):
        from .across import compare_across

        _refuse(once, "several networks")
        if _is_list(labeled):
            raise InputError(
                expected=f"one {option('labeled')} for several networks",
                got="several",
                where="compare",
            )
        return compare_across(_named(network), models, labeled=labeled, **options)  # type: ignore[arg-type]
    if _is_list(labeled):
        from .sweep import sweep

        _refuse(once, "several proportions of labels")
        return sweep(network, models, labeled=list(labeled), **options)  # type: ignore[arg-type]
    options |= {"labeled": labeled, "looks": looks}
    if len(models) != 2:
        from .multiple import compare_models

        options |= {name: value for name, value in asked.items() if value is not None}
        return compare_models(network, models, **options)
    _refuse(asked, "two models")
    if are_links(models):
        return link_comparison_of(LinkSetup.of(network, models, **options).judge())
    return comparison_of(run_and_judge([Setup.of(network, models, **options)])[0])


def _is_list(labeled: Any) -> bool:
    return isinstance(labeled, (list, tuple, np.ndarray))


def _models(a: Any, b: Any) -> list[Any]:
    if isinstance(a, (list, tuple)):
        if b is not None:
            raise InputError(
                expected="two models or one list of models", got="both", where="compare"
            )
        return list(a)
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


def _refuse(asked: Mapping[str, Any], what: str) -> None:
    """Refuse options that would be ignored."""
    for name, value in asked.items():
        if value is not None:
            raise InputError(f"compare: {name}= cannot be used with {what}; leave it out")
