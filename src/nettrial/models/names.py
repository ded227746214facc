"""Models by name: a classifier, and after a plus sign an inference."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ..core.arguments import check_arguments
from ..core.errors import shown, unknown_choice
from ..core.plain_text import listed
from .base import AnyModel
from .cdrn import CDRN
from .gibbs import GibbsSampling
from .iterative import IterativeClassification, NoInference
from .link_based import NLB
from .nbc import NBC
from .prior import Prior
from .relational import Inference, RelationalClassifier
from .relaxation import RelaxationLabeling
from .wvrn import WVRN


def _netkit() -> RelaxationLabeling:
    return RelaxationLabeling(mixing="netkit")


CLASSIFIERS: dict[str, Callable[[Inference | None], RelationalClassifier]] = {
    "wvrn": lambda inference: WVRN(inference=inference),
    "nbc": lambda inference: NBC(inference=inference),
    "nlb": lambda inference: NLB(inference=inference),
    "cdrn": lambda inference: CDRN(inference=inference),
    "prior": lambda inference: Prior(inference=inference),
    "wvrn-netkit": lambda inference: WVRN(inference=inference or _netkit()),
    "nbc-netkit": lambda inference: NBC(counts="netkit", inference=inference or _netkit()),
}
# as the papers write them in full, by `letters`
LONG_NAMES = {
    f"{words}{classifier}": name
    for words, name in {
        "weightedvoterelationalneighbor": "wvrn", "relationalneighbor": "wvrn",
        "networkonlybayes": "nbc",
        "classdistributionrelationalneighbor": "cdrn", "networkonlylinkbased": "nlb",
        "linkbased": "nlb",
    }.items()
    for classifier in ("", "classifier")
}  # fmt: skip
INFERENCES: dict[str, Callable[[], Inference]] = {
    "relaxation": RelaxationLabeling,
    "ica": IterativeClassification,
    "gibbs": GibbsSampling,
    "none": NoInference,
}
LONG_INFERENCES = {
    "relaxationlabeling": "relaxation", "relaxationlabelling": "relaxation",
    "iterativeclassification": "ica", "gibbssampling": "gibbs", "noinference": "none",
}  # fmt: skip


# models of numeric targets
REGRESSORS: dict[str, tuple[str, str]] = {
    "mean": ("regressors", "Mean"),
    "relational_mean": ("regressors", "RelationalMean"),
    "ridge": ("feature_models", "ridge"),
    "forest": ("feature_models", "forest"),
    "gcn_regression": ("neural_regression", "gcn_regression"),
}
# name -> (module, what makes the model); a module is loaded when its model is asked for
ADAPTED: dict[str, tuple[str, str]] = {
    "gcn": ("graph_networks", "GCN"),
    "sgc": ("graph_networks", "SGC"),
    "appnp": ("graph_networks", "APPNP"),
    "sage": ("graph_networks", "SAGE"),
    "mlp": ("graph_networks", "MLP"),
    "logistic": ("feature_models", "logistic"),
    "logistic+graph": ("feature_models", "logistic_graph"),
    "boosting": ("feature_models", "boosting"),
    "boosting+graph": ("feature_models", "boosting_graph"),
    "random_forest": ("feature_models", "random_forest"),
    "random_forest+graph": ("feature_models", "random_forest_graph"),
    "knn": ("feature_models", "knn"),
    "knn+graph": ("feature_models", "knn_graph"),
    "pyg-lp": ("pyg_baselines", "PyGLabelPropagation"),
    "pyg-cs": ("pyg_baselines", "PyGCorrectAndSmooth"),
}


@check_arguments
def by_name(name: str) -> AnyModel:
    """Make the model of that name, with its default settings.

    Parameters
    ----------
    name : str
        ``"wvrn"``, ``"nbc"``, ``"nlb"``, ``"cdrn"`` or ``"prior"``; with ``"+relaxation"`` (the
        default), ``"+ica"``, ``"+gibbs"`` or ``"+none"`` for the inference. ``"wvrn-netkit"`` and
        ``"nbc-netkit"`` are as the program NetKit-SRL 1.4 computes them. ``"gcn"``, ``"sgc"``,
        ``"appnp"``, ``"sage"`` and ``"mlp"`` are neural networks; ``"pyg-lp"`` and ``"pyg-cs"``
        need PyTorch Geometric. ``"logistic"``, ``"boosting"``, ``"random_forest"`` and ``"knn"``
        are scikit-learn's classifiers on node features; with ``"+graph"`` they also see degrees,
        the share of each class among the neighbors in the training set, and the means of the
        neighbors' features. ``"mean"``, ``"relational_mean"``, ``"ridge"``, ``"forest"`` and
        ``"gcn_regression"`` predict numeric targets.

    Raises
    ------
    InputError
        Where there is no such model or inference.

    Examples
    --------
    >>> by_name("nbc+ica")
    NBC(inference=IterativeClassification(iterations=1000), direction='both')
    """
    name = listed_name(name)
    if name in ADAPTED | REGRESSORS:
        made: AnyModel = adapted(name)
        return made
    classifier, plus, inference = name.partition("+")
    if classifier not in CLASSIFIERS:
        raise unknown_choice("model", name, [*CLASSIFIERS, *ADAPTED, *REGRESSORS])
    if plus and inference not in INFERENCES:
        raise unknown_choice(f"inference of model {shown(name)}", inference, INFERENCES)
    return CLASSIFIERS[classifier](INFERENCES[inference]() if plus else None)


def listed_name(name: str) -> str:
    """Return a model's name as it is listed, whatever its capitals, hyphens and dots.

    One model has one name, and with it the same random numbers.

    Examples
    --------
    >>> listed_name("gcn-regression"), listed_name("wvRN_NetKit+ICA"), listed_name("my-model")
    ('gcn_regression', 'wvrn-netkit+ica', 'my-model')
    >>> listed_name("Weighted-vote relational neighbor + relaxation labeling")
    'wvrn+relaxation'
    """
    classifier, plus, inference = str(name).partition("+")
    known = listed(classifier, (every := (*CLASSIFIERS, *ADAPTED, *REGRESSORS)), LONG_NAMES)
    inference = listed(inference.strip(), INFERENCES, LONG_INFERENCES).lower()
    return f"{known}{plus}{inference}" if known in every else str(name)


def is_name(name: str) -> bool:
    """Return whether a text names a model of nodes, whatever its inference.

    Examples
    --------
    >>> is_name("wvrn+ica"), is_name("katz")
    (True, False)
    """
    listed = listed_name(name)
    return listed in ADAPTED | REGRESSORS or listed.partition("+")[0] in CLASSIFIERS


def adapted(name: str) -> Any:
    """Make the model of that name, with its default settings.

    Examples
    --------
    >>> type(adapted("gcn")).__name__
    'GCN'
    """
    module, maker = (ADAPTED | REGRESSORS)[name]
    return getattr(importlib.import_module(f".{module}", __package__), maker)()
