"""Hierarchical Bayesian comparison of two models over data sets, from the splits of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import count, scalar
from ..numeric.input_alignment import refuse_other_index
from ._arrays import Array, noise, pairs
from ._clusters import cluster_codes
from ._hierarchical_sampler import Data, Draws, sample
from .result import Estimate, check_confidence

CHAINS, BURN_IN = 64, 100
UNSETTLED = 1.05  # ratio of variances from which chains count as unsettled


@dataclass(frozen=True, slots=True)
class HierarchicalPosterior(Estimate):
    """What is known about the difference of two models on a data set not seen yet.

    Attributes
    ----------
    method, question : str
        What was computed, and what it answers.
    prob_less, prob_rope, prob_greater : float
        Probability that "A lower by more than the rope", "within the rope", "A higher by more
        than the rope" is the most likely of the three outcomes on a new data set; their sum is
        1.
    share_less, share_rope, share_greater : float
        Posterior means of the chances of these outcomes.
    estimate, ci_low, ci_high : float
        Posterior median of the mean difference over data sets, and its equal-tailed interval.
    spread, spread_low, spread_high : float
        The same of the scale of the differences between data sets.
    data_sets : tuple of str
        Names of the data sets.
    differences, shrunken, shrunken_low, shrunken_high : tuple of float
        Mean difference of each data set as measured, its posterior median, and its interval.
    rope, rho, confidence : float or tuple
        As given.
    monte_carlo_error : float
        Largest standard error of the probabilities and shares, from the spread of the chains.
    r_hat : float
        Largest ratio of the spread over all chains to that within them; 1 where settled.
    n_data_sets, n_samples, seed : int
        Data sets; draws of all chains together; what reproduces them.
    notes : tuple of str
        What the reader must know.
    """

    method: str
    question: str
    prob_less: float
    prob_rope: float
    prob_greater: float
    share_less: float
    share_rope: float
    share_greater: float
    estimate: float
    ci_low: float
    ci_high: float
    spread: float
    spread_low: float
    spread_high: float
    data_sets: tuple[str, ...]
    differences: tuple[float, ...]
    shrunken: tuple[float, ...]
    shrunken_low: tuple[float, ...]
    shrunken_high: tuple[float, ...]
    rope: float
    rho: float
    confidence: float
    monte_carlo_error: float
    r_hat: float
    n_data_sets: int
    n_samples: int
    seed: int
    notes: tuple[str, ...] = ()


@check_arguments
def bayesian_hierarchical_test(
    a: ArrayLike,
    b: ArrayLike,
    data_sets: Sequence[Any],
    *,
    rho: float,
    rope: float = 0.01,
    n_samples: int = 25_600,
    seed: Seed = 0,
    confidence: float = 0.95,
) -> HierarchicalPosterior:
    r"""Probabilities that A is lower, practically equal, or higher than B on a new data set.

    When to use: two models, several splits of each of several independent data sets, and the
    question what to expect on another data set of that kind. It uses the splits, so that data
    sets that were measured badly count less, and draws the differences of single data sets
    toward each other. It assumes normal differences with one correlation between splits, and
    data sets that stand for those of interest. It does not give an error rate of decisions, and
    its answer depends on the rope, which must be chosen beforehand.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Error rates of both models, one entry per split.
    data_sets : sequence of length n
        The data set of each split; at least two data sets, with at least three splits each.
    rho : float
        Correlation between splits of one data set: the share of the test set, 1/k for k-fold
        cross-validation; in [0, 1).
    rope : float
        Half width of the region of practical equivalence, 0 for none.
    n_samples : int
        Draws from the posterior, of 64 chains together.
    seed : int, SeedSequence or Generator
        Source of randomness.
    confidence : float
        Probability inside the intervals.

    Returns
    -------
    HierarchicalPosterior
        Of the model with splits :math:`x_i \sim N(\delta_i 1, \sigma_i^2 ((1 - \rho) I + \rho
        11'))`, data sets :math:`\delta_i \sim t_\nu(\delta_0, \sigma_0)` and the priors of
        Corani et al.: :math:`\delta_0` flat up to the largest difference, :math:`\sigma_0` up
        to 1000 times the spread of the means, :math:`\sigma_i` flat, :math:`\nu - 1` gamma.

    Raises
    ------
    InputError
        For unequal lengths, values that are not finite, fewer than two data sets or three
        splits of one, rho outside [0, 1), a negative rope, or differences that are all zero.

    References
    ----------
    Corani, Benavoli, Demšar, Mangili and Zaffalon (2017), Machine Learning 106, 1817-1837.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> data_sets = np.repeat(["cora", "citeseer", "pubmed", "dblp"], 10)
    >>> b = rng.normal(0.25, 0.02, 40)
    >>> a = b + rng.normal(-0.04, 0.02, 40)
    >>> found = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, n_samples=6400)
    >>> found.prob_less > 0.9, found.n_data_sets
    (True, 4)
    """
    rho, rope, n_samples = _options(rho, rope, n_samples)
    check_confidence(confidence)
    refuse_other_index(a=a, b=b, data_sets=data_sets)
    first, second = pairs(a, b, -1, least=2)
    if first.ndim != 1:
        raise InputError(parameter="a", expected="one dimension", got=f"shape {first.shape}")
    d = first - second
    d = np.where(np.abs(d) <= noise(first, second), 0.0, d)
    if not d.any():
        raise InputError(
            parameter=("a", "b"),
            expected="at least one difference that is not zero",
            got="none",
            hint="there is nothing to estimate a spread from",
        )
    names, codes = cluster_codes(data_sets, "data_sets")
    if codes.size != d.size:
        raise InputError(
            parameter="data_sets", expected=f"{d.size} labels, one per split", got=f"{codes.size}"
        )
    data = _summary(d, codes, len(names), rho, float(noise(first, second)))
    entropy = freeze(seed)
    draws = -(-n_samples // CHAINS)
    found = sample(data, chains=CHAINS, burn_in=BURN_IN, draws=draws, rng=generator(entropy))
    chances = _chances(found, rope)
    return _posterior(
        found,
        chances,
        data,
        tuple(map(str, names)),
        rope=rope,
        rho=rho,
        confidence=confidence,
        seed=entropy,
    )


def _options(rho: float, rope: float, n_samples: int) -> tuple[float, float, int]:
    correlation, width = scalar("rho", rho), scalar("rope", rope)
    if not 0 <= correlation < 1:
        raise InputError(
            parameter="rho",
            expected="a correlation in [0, 1)",
            got=shown(rho),
            hint="for k folds it is 1/k",
        )
    if not 0 <= width < np.inf:
        raise InputError(parameter="rope", expected="a half width of 0 or more", got=shown(rope))
    return correlation, width, count("n_samples", n_samples, 2 * CHAINS)


def _summary(d: Array, codes: Any, q: int, rho: float, rounding: float) -> Data:
    splits = np.bincount(codes, minlength=q).astype(np.float64)
    if q < 2 or splits.min() < 3:
        raise InputError(
            parameter="data_sets",
            expected="at least two data sets with three splits each",
            got=f"{q} with at least {int(splits.min())}",
        )
    mean = np.bincount(codes, d, minlength=q) / splits
    squares = np.bincount(codes, (d - mean[codes]) ** 2, minlength=q)
    squares = np.where(squares <= splits * rounding**2, 0.0, squares)
    within = float(np.sqrt(squares / splits).mean())
    among = float(mean.std())
    scale = max(within, among)
    if scale == 0:
        raise InputError(
            parameter=("a", "b"),
            expected="differences that vary",
            got="the same one throughout",
            hint="there is nothing to estimate a spread from",
        )
    return Data(
        mean=mean,
        factor=(1 + (splits - 1) * rho) / splits,
        squares=squares / (1 - rho),
        splits=splits,
        largest=float(np.abs(d).max()),
        among=among if among > rounding else scale,
        within=within if within > rounding else scale,
    )


def _chances(found: Draws, rope: float) -> Array:
    """Return the chances of lower, equal and higher on a new data set, (draws, chains, 3)."""
    less = special.stdtr(found.nu, (-rope - found.delta0) / found.sigma0)
    greater = special.stdtr(found.nu, (found.delta0 - rope) / found.sigma0)
    middle = 1 - less - greater if rope > 0 else np.zeros_like(less)
    return np.stack([less, middle, greater], axis=-1)


def _posterior(
    found: Draws,
    chances: Array,
    data: Data,
    names: tuple[str, ...],
    *,
    rope: float,
    rho: float,
    confidence: float,
    seed: int,
) -> HierarchicalPosterior:
    best = chances >= chances.max(axis=-1, keepdims=True) - 1e-12
    wins = best / best.sum(axis=-1, keepdims=True)
    by_chain = np.concatenate([wins.mean(axis=0), chances.mean(axis=0)], axis=1)
    probabilities = by_chain.mean(axis=0).tolist()
    error = float(by_chain.std(axis=0, ddof=1).max() / np.sqrt(CHAINS))
    tails = ((1 - confidence) / 2, 0.5, (1 + confidence) / 2)
    low, middle, high = np.quantile(found.delta0, tails)
    low0, middle0, high0 = np.quantile(found.sigma0, tails)
    own = np.quantile(found.delta.reshape(-1, data.mean.size), tails, axis=0)
    r_hat = max(_r_hat(found.delta0), _r_hat(np.log(found.sigma0)))
    notes = []
    if r_hat > UNSETTLED:
        notes.append(f"the chains have not settled (R-hat {r_hat:.3f}): increase n_samples")
    if (data.squares == 0).any():
        still = ", ".join(name for name, s in zip(names, data.squares) if s == 0)
        notes.append(f"no variation over the splits of {still}: the mean there counts as known")
    return HierarchicalPosterior(
        method="Bayesian hierarchical test",
        question="on another data set like these, is A lower than B, practically equal, or higher?",
        prob_less=probabilities[0],
        prob_rope=probabilities[1],
        prob_greater=probabilities[2],
        share_less=probabilities[3],
        share_rope=probabilities[4],
        share_greater=probabilities[5],
        estimate=float(middle),
        ci_low=float(low),
        ci_high=float(high),
        spread=float(middle0),
        spread_low=float(low0),
        spread_high=float(high0),
        data_sets=names,
        differences=tuple(data.mean.tolist()),
        shrunken=tuple(own[1].tolist()),
        shrunken_low=tuple(own[0].tolist()),
        shrunken_high=tuple(own[2].tolist()),
        rope=rope,
        rho=rho,
        confidence=confidence,
        monte_carlo_error=error,
        r_hat=r_hat,
        n_data_sets=len(names),
        n_samples=found.delta0.size,
        seed=seed,
        notes=tuple(notes),
    )


def _r_hat(draws: Array) -> float:
    """Gelman and Rubin's ratio of standard deviations; draws lie on the first axis."""
    n = len(draws)
    within = float(draws.var(axis=0, ddof=1).mean())
    between = float(draws.mean(axis=0).var(ddof=1))
    return float(np.sqrt((n - 1) / n + between / within)) if within > 0 else 1.0
