"""Wilcoxon's signed-rank test."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.option_names import option
from ._arrays import (
    Array,
    as_result,
    count_note,
    differences,
    interval,
    pairs,
    to_python,
    z_pvalue,
    z_quantile,
)
from ._signed_ranks import exact_lower_tail
from ._signed_sums import SignedSums, Zeros, signed_ranks, signed_sums
from .result import Alternative, TestResult, check_confidence

Method: TypeAlias = Literal["auto", "exact", "normal", "normal-corrected"]
METHODS: tuple[Method, ...] = ("auto", "exact", "normal", "normal-corrected")
ZEROS: tuple[Zeros, ...] = ("drop", "pratt", "split", "demsar")
LARGEST_EXACT = 50
HOW: dict[Method, str] = {
    "auto": f"exact for up to {LARGEST_EXACT} differences",
    "exact": "exact",
    "normal": "normal approximation",
    "normal-corrected": "normal approximation with continuity correction",
}
OF_ZEROS: dict[Zeros, str] = {
    "drop": "differences of zero left out",
    "pratt": "differences of zero ranked and then left out",
    "split": "ranks of differences of zero given to both sums",
    "demsar": "ranks of an even number of differences of zero given to both sums",
}
# beyond this the distribution over all signs takes minutes, and the normal one is off by 0.0003
LARGEST_ASKED = 500
HERMITE = 0.5506  # the largest |z^3 - 3z| times the normal density


@check_arguments
def wilcoxon_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    method: Method = "auto",
    zeros: Zeros = "drop",
    tie_correction: bool = True,
    digits: int | None = None,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Wilcoxon's signed-rank test of pairs.

    W+ = sum of the ranks of abs(a - b) over pairs with a > b, compared with random signs.

    When to use: paired measurements on disjoint test sets or several data sets, where the
    sizes of differences can be ranked but not averaged. Assumes independent pairs and
    differences symmetric about their center. Does not answer whether a beats b on other
    networks if all pairs come from one.

    Parameters
    ----------
    a, b : array_like, shape (..., k)
        Error rates of both classifiers, pairs along `axis`; or differences as `a` and one
        number as `b`.
    method : {"auto", "exact", "normal", "normal-corrected"}
        "exact" counts all signs, with ties too (as R's package coin), for up to 500 differences
        that are not zero and is "normal-corrected" above, which `notes` tell; "normal"
        approximates; "normal-corrected" moves W+ by 1/2 toward its mean (R's wilcox.test);
        "auto" is exact for up to 50 differences and "normal-corrected" above.
    zeros : {"drop", "pratt", "split", "demsar"}
        "drop" leaves them out (R, SciPy's "wilcox"); "pratt" ranks them and then leaves their
        ranks out (coin's default); "split" gives half of their ranks to each sum (SciPy's
        "zsplit", whose variance counts the zeros' ranks as if they had signs, which ours does
        not); "demsar" does so after dropping one if their number is odd (Demsar 2006).
    tie_correction : bool, default True
        Take the variance of W+ given the ranks; otherwise the formula for untied ranks, as
        Demsar does. Only for the normal methods.
    digits : int or None
        Round the values to so many significant digits first, where they are less exact than
        they look. Differences that rounding noise alone keeps from zero or from each other tie
        anyway: 0.3 - 0.2 and 0.1, which R tells apart by default (see its digits.rank).
    axis : int, default -1
        The axis that holds the pairs of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a tends to be larger, that is worse for error rates.
    confidence : float
        Level of the interval.

    Returns
    -------
    TestResult
        `statistic` is W+. `estimate` is the matched-pairs rank-biserial correlation
        (W+ - W-) / (W+ + W-) (Kerby 2014), which is also the effect size, with a score
        interval that shrinks the null's variance by 1 - rho^2, as Wilson's does for a
        proportion (it covered 0.94 to 0.99 of normal samples at level 0.95). All differences
        zero: p = 1. ``details["normal_error"]`` is about the largest error of a two-sided normal
        p without ties, from the first term of Edgeworth's series that it leaves out; 0 where p
        is exact.

    Raises
    ------
    InputError
        For no pairs, unequal shapes, values that are not finite, or an unknown option.

    References
    ----------
    Wilcoxon (1945), Biometrics Bulletin 1, 80-83. Pratt (1959), J. American Statistical
    Association 54, 655-667. Demšar (2006), J. of Machine Learning Research 7, 1-30, section
    3.1.3. Kerby (2014), Comprehensive Psychology 3, for the correlation.

    Examples
    --------
    >>> a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> result = wilcoxon_test(a, b, alternative="greater")
    >>> result.statistic, round(result.pvalue, 5)
    (40.0, 0.01953)
    """
    check_confidence(confidence)
    d, level, *samples = differences(*pairs(a, b, axis, least=1), digits)
    sums = signed_sums(d, level, samples, zeros)
    n, plus, minus = sums.n, sums.plus, sums.minus
    center = (plus + minus) / 2
    sd = _standard_deviation(sums, d.shape[-1], zeros, tie_correction)
    limit = {"auto": LARGEST_EXACT, "exact": LARGEST_ASKED}.get(method, -1)
    exact = n <= limit
    corrected = method != "normal"
    z = standardized_excess(plus - center, sd, "two-sided", corrected=corrected)
    p = z_pvalue(
        standardized_excess(plus - center, sd, alternative, corrected=corrected), alternative
    )
    if exact.any():
        p = np.array(p)
        signed = signed_ranks(d, samples, zeros) if sums.signed is None else sums.signed
        plus_alone, minus_alone = plus - sums.share, minus - sums.share
        p[exact] = _exact(signed[exact], plus_alone[exact], minus_alone[exact], alternative)
    none = n == 0
    neglected = np.where(exact, 0.0, _normal_error(sums))
    total = np.where(plus + minus > 0, plus + minus, 1.0)
    effect = (plus - minus) / total
    low, high = score_interval(effect, sd, total, confidence, alternative)
    low2, high2 = score_interval(effect, sd, total, confidence, "two-sided")
    return as_result(
        method=f"Wilcoxon signed-rank test ({HOW[method]}, {OF_ZEROS[zeros]})",
        question=(
            "Are differences like these centered away from zero? The p-value counts the pairs "
            "as independent; it does not ask about other networks if all pairs come from one."
        ),
        estimate=effect,
        standard_error=2 * sd / total,
        statistic=plus,
        pvalue=np.where(none, 1.0, p),
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=none,
        details={
            "n_total": d.shape[-1],
            "n_zero": to_python(d.shape[-1] - n),
            "n_used": to_python(n),
            "n_ranked": to_python(sums.ranked),
            "has_ties": to_python(sums.ties),
            "w_plus": to_python(plus),
            "w_minus": to_python(minus),
            "mean_w": to_python(center),
            "sd_w": to_python(sd),
            "z": to_python(np.where(sd == 0, np.nan, z)),
            "exact": to_python(exact),
            "normal_error": to_python(neglected),
            "median_difference": to_python(sums.median),
            "rank_biserial": to_python(effect),
            "rank_biserial_low": to_python(low2),
            "rank_biserial_high": to_python(high2),
        },
        notes=count_note(none, "all differences are zero, so nothing speaks against it (p = 1)")
        + count_note(
            ~exact & (method == "exact"),
            f"more than {LARGEST_ASKED} differences: p is from the normal distribution with "
            f"correction, off by about {neglected.max():.2g} at most",
        )
        + count_note(
            ~exact & (method == "auto") & (n <= LARGEST_ASKED),
            "p is from the normal distribution with correction, off by about "
            f"{neglected.max():.2g} at most; {option('method', 'exact')} counts up to "
            f"{LARGEST_ASKED} differences",
        )
        + count_note(
            ~exact & (n < 10) & ~none,
            "fewer than 10 differences: the normal approximation is rough, use "
            f"{option('method', 'exact')}",
        ),
    )


def _standard_deviation(sums: SignedSums, k: int, zeros: Zeros, tie_correction: bool) -> Array:
    """Return the standard deviation of W+ under random signs."""
    if tie_correction:
        return np.asarray(np.sqrt(sums.squares) / 2)
    n_all = k if zeros == "pratt" else sums.ranked
    without = k - sums.n if zeros == "pratt" else np.zeros(sums.n.shape)
    return np.asarray(np.sqrt(_sum_of_squares(n_all) - _sum_of_squares(without)) / 2)


def _sum_of_squares(n: Any) -> Any:
    return n * (n + 1) * (2 * n + 1) / 6


def _normal_error(sums: SignedSums) -> Array:
    """Return the largest first neglected term of Edgeworth's series for p: the kurtosis's."""
    # cumulants of a rank with a random sign: r^2 / 4 and -r^4 / 8
    excess = (sums.fourths / 8) / np.square(np.where(sums.squares == 0, 1.0, sums.squares) / 4)
    return np.asarray(2 * excess / 24 * HERMITE)


def standardized_excess(
    excess: Array, sd: Array, alternative: Alternative, *, corrected: bool
) -> Array:
    """Standardized excess; the correction makes the tail in question larger."""
    if corrected:
        one_sided = 0.5 if alternative == "greater" else -0.5
        excess = excess - (np.sign(excess) / 2 if alternative == "two-sided" else one_sided)
    return excess / np.where(sd == 0, 1.0, sd)


def _exact(signed: Array, plus: Array, minus: Array, alternative: Alternative) -> Array:
    """Return the tail over all signs; by symmetry P(W+ >= w) = P(W- <= w-)."""
    if alternative == "less":
        return exact_lower_tail(signed, plus)
    if alternative == "greater":
        return exact_lower_tail(signed, minus)
    return np.minimum(1.0, 2 * exact_lower_tail(signed, np.minimum(plus, minus)))


def score_interval(
    effect: Array, sd: Array, total: Array | float, confidence: float, alternative: Alternative
) -> tuple[Array, Array]:
    """Values rho with |effect - rho| <= z s sqrt(1 - rho^2), s the null's standard error.

    Zero lies outside exactly if the normal test without correction rejects, and the width is
    positive at an effect of 1, where Fisher's transformation has none.
    """
    spread = (z_quantile(confidence, alternative) * 2 * sd / total) ** 2
    half = np.sqrt(spread * (1 - effect**2 + spread)) / (1 + spread)
    low, high = interval(effect / (1 + spread), half, alternative, -1.0, 1.0)
    # an end beside an effect of 1 is 1, which rounding must not take away
    low, high = np.where(effect == -1, -1.0, low), np.where(effect == 1, 1.0, high)
    none = sd == 0
    return np.where(none, -1.0, np.maximum(low, -1)), np.where(none, 1.0, np.minimum(high, 1))
