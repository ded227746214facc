"""The sources that a report rests on, out of the project's one table of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..inference.registry import PROCEDURES
from ..references import sources

# marks sources in a methods paragraph; names that were cleaned hold no such character
CITED = re.compile("\ue000([\\w,]+)\ue001")
# every trial on a network rests on them
ALWAYS = ("wang2011", "neville2009", "macskassy2007", "newman2003", "blondel2008")
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
    (('blondel2008', 'liang1986'), ())
    """
    if name not in PROCEDURES:
        return ()
    return tuple(key for key in PROCEDURES[name].references if key in sources())


def sources_of(tests: Iterable[str], measure: str = "error") -> tuple[str, ...]:
    """Return the keys of what these tests and this measure rest on, each once.

    Examples
    --------
    >>> sources_of(["wilcoxon"])[-1]
    'wilcoxon1945'
    """
    keys = list(ALWAYS)
    for test in tests:
        keys += of_test(test)
    return tuple(dict.fromkeys([*keys, *OF_MEASURES.get(measure, ())]))
