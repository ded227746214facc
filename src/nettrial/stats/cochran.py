"""Cochran's Q: do k classifiers have the same error rate on one test set?"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ._arrays import to_python
from ._names import Table, keep_names
from .omnibus import OmnibusResult, read_table, row, share_interval
from .result import check_confidence


@check_arguments
@keep_names
def cochran_q_test(outcomes: Table, *, confidence: float = 0.95) -> OmnibusResult:
    r"""Cochran's Q test of k classifiers on the same cases.

    When to use it: k classifiers, one test set, right or wrong for every case, and the question
    whether all have the same error rate; for k = 2 it is McNemar's test without correction. It
    assumes independent cases (nodes that are linked are not) and enough cases on which the
    classifiers disagree. It does *not* say which differ (test the pairs by McNemar with
    `adjust`), nor does it include the variation of training sets.

    Parameters
    ----------
    outcomes : array_like, shape (..., n, k)
        1 or True where the classifier of the column is wrong (or right: the test is the same)
        on the case of the row; leading axes are separate tests.
    confidence : float
        Level of the interval of the effect size, from the noncentral chi-square distribution:
        right for small effects, too wide for large ones, since outcomes then vary less.

    Returns
    -------
    OmnibusResult
        With column sums :math:`C_j`, row sums :math:`R_i` and total T,
        :math:`Q = (k-1) \frac{k \sum C_j^2 - T^2}{k T - \sum R_i^2}` with k - 1 degrees of
        freedom. `effect_size` is :math:`Q / (n (k-1))` (Serlin, Carr and Marascuilo 1982), from
        0 to 1. Where all classifiers agree on every case Q is NaN, p = 1 and `degenerate` True:
        nothing speaks against equality.

    Raises
    ------
    InputError
        For values other than 0 and 1, or fewer than two columns.

    References
    ----------
    Cochran (1950), Biometrika 37, 256-266. Tate and Brown (1970), J. American Statistical
    Association 65, 155-160.

    Examples
    --------
    >>> wrong = [[1, 1, 0], [1, 1, 1], [0, 1, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 1, 0]]
    >>> result = cochran_q_test(wrong)
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4)
    (2.8, 2.0, 0.2466)
    """
    check_confidence(confidence)
    table = read_table(outcomes)
    wrong = ~np.isin(table, (0, 1))
    if wrong.any():
        raise InputError(
            parameter="outcomes",
            expected="0 and 1 (or False and True) for right and wrong",
            got=f"{table[wrong][0]:g}",
            hint="compare the predictions with the labels first",
        )
    n, k = table.shape[-2:]
    columns, rows = table.sum(axis=-2), table.sum(axis=-1)
    total = columns.sum(axis=-1)
    spread = k * total - (rows**2).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        q = (k - 1) * (k * (columns**2).sum(axis=-1) - total**2) / spread
    informative = ((rows > 0) & (rows < k)).sum(axis=-1)
    agree = np.asarray(informative == 0)
    notes = []
    if agree.any():
        notes.append(
            "all classifiers agree on every case, so nothing speaks against equality (p = 1); Q "
            "is 0/0"
        )
    if ((informative > 0) & ((informative < 4) | (informative * k < 24))).any():
        notes.append(
            "fewer than 24 outcomes, or four cases, of disagreement: the chi-square reference "
            "is rough (Tate and Brown 1970)"
        )
    return OmnibusResult(
        method="Cochran's Q test",
        question="do all classifiers have the same error rate on such cases?",
        statistic=to_python(q),
        df=float(k - 1),
        pvalue=to_python(np.where(agree, 1.0, special.chdtrc(k - 1, q))),
        effect="eta squared of Q",
        effect_size=to_python(q / (n * (k - 1))),
        **share_interval(q, k - 1, n * (k - 1), confidence),
        degenerate=to_python(agree),
        details=MappingProxyType(
            {
                "column_sums": row(columns),
                "n_informative_cases": to_python(informative),
                "n_cases": n,
            }
        ),
        notes=tuple(notes),
    )
