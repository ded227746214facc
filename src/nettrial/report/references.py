"""The sources that a report rests on, out of the project's one table of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..comparison.result import Comparison
from ..core.references import sources
from ..inference.registry import PROCEDURES
from ..models.names import CLASSIFIERS
from ..network.communities import BY_LOUVAIN
from ..splits.names import described
from .questions import has_answer

# marks sources in a methods paragraph; names that were cleaned hold no such character
CITED = re.compile("\ue000([\\w,]+)\ue001")
OF_LINK_PREDICTORS: Mapping[str, tuple[str, ...]] = {
    "common_neighbors": ("libennowell2007",),
    "adamic_adar": ("adamic2003",),
    "resource_allocation": ("zhou2009",),
    "jaccard": ("libennowell2007",),
    "preferential_attachment": ("barabasi1999",),
    "katz": ("katz1953",),
    "spectral": ("sussman2012",),
}
OF_MEASURES: Mapping[str, tuple[str, ...]] = {
    "auc": ("hampel1974", "delong1988"),
    "macro_f1": ("hampel1974",),
    "weighted_f1": ("hampel1974",),
    "balanced_accuracy": ("hampel1974",),
    "mcc": ("hampel1974", "gorodkin2004"),
    "mean_average_precision": ("hampel1974",),
    "average_precision": ("hampel1974",),
    "ece": ("hampel1974", "guo2017"),
    "squared_loss": ("brier1950",),
    "r2": ("hampel1974",),
    "spearman": ("hampel1974",),
}


def cite(*keys: str) -> str:
    """Return the citations of a methods paragraph, empty where there are none."""
    return f"\ue000{','.join(keys)}\ue001" if keys else ""


def of_test(name: str) -> tuple[str, ...]:
    """Return the keys of what a test rests on, as the registry of tests has them.

    Examples
    --------
    >>> of_test("cluster_robust_t"), of_test("no such test")
    (('liang1986',), ())
    """
    if name not in PROCEDURES:
        return ()
    return tuple(key for key in PROCEDURES[name].references if key in sources())


def of_models(names: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of what the models of these names rest on.

    Examples
    --------
    >>> of_models(["gcn", "wvrn+ica"]), of_models(["katz", "mlp"])
    (('macskassy2007',), ('katz1953',))
    """
    relational = any(name.partition("+")[0] in CLASSIFIERS for name in names)
    predictors = [key for name in names for key in OF_LINK_PREDICTORS.get(name, ())]
    return ("macskassy2007",) * relational + tuple(dict.fromkeys(predictors))


def of_communities(by: str) -> tuple[str, ...]:
    """Return the keys of what communities rest on, which may have been given.

    Examples
    --------
    >>> of_communities("louvain"), of_communities("school")
    (('blondel2008',), ())
    """
    return ("blondel2008",) * (by in BY_LOUVAIN)


def of_design(name: str) -> tuple[str, ...]:
    """Return the keys of what a design rests on; the name may be that of its class.

    Examples
    --------
    >>> of_design("ncv"), of_design("RandomResampling"), of_design("given")
    (('neville2009',), ('neville2009',), ())
    """
    return ("neville2009",) * (described(name) in map(described, ("rrs", "ers", "ncv")))


def of_comparison(found: Comparison) -> tuple[str, ...]:
    """Return the keys of what a comparison of two models shows, each once.

    A test that has no answer is shown without a number, and nothing rests on it.
    """
    keys = [key for test in found.tests if has_answer(test) for key in of_test(test.name)]
    keys += of_communities(found.settings.get("communities", "given"))
    return tuple(dict.fromkeys([*keys, *OF_MEASURES.get(found.measure.name, ())]))
