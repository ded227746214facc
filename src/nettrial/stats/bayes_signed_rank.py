"""Bayesian signed-rank and sign tests of two algorithms over many data sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.results import Result
from ..core.seeds import Seed, freeze, generator
from ..numeric.checks import axis_of, count, scalar, to_floats
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.rounding import noise, rounded
from ._arrays import to_python
from .omnibus import Floats, refuse_unusable
from .result import Number

BATCH = 2**21  # weights drawn at once: 16 MB
FEWEST = 6  # data sets with which a rank test can reject: 2 / 2^5 > 0.05


@dataclass(frozen=True, slots=True)
class RopePosterior(Result):
    """How probable it is that A is lower, practically equal, or higher.

    Inputs with further axes give array fields of the shape of these axes.

    Attributes
    ----------
    method : str
        The test's name in words.
    question : str
        What the probabilities answer.
    prob_less, prob_rope, prob_greater : float or ndarray
        RopePosterior probabilities that "A lower by more than the rope", "within the rope", "A
        higher by more than the rope" is the most likely of the three outcomes; their sum is 1.
    share_less, share_rope, share_greater : float or ndarray
        RopePosterior means of the chances of these outcomes.
    rope : float
        Half width of the region of practical equivalence.
    prior_strength : float
        Weight of the prior's pseudo-observation, in data sets.
    n_data_sets : int
        Number of data sets.
    n_samples : int
        Monte Carlo samples; 0 where the probabilities are computed by quadrature.
    monte_carlo_error : float or ndarray
        Largest standard error of the three probabilities from sampling.
    seed : int
        Reproduces the samples.
    notes : tuple of str
        What the reader must know before using the probabilities.
    """

    method: str
    question: str
    prob_less: Number
    prob_rope: Number
    prob_greater: Number
    share_less: Number
    share_rope: Number
    share_greater: Number
    rope: float
    prior_strength: float
    n_data_sets: int
    n_samples: int
    monte_carlo_error: Number
    seed: int
    notes: tuple[str, ...] = ()


@check_arguments
def bayesian_signed_rank_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    digits: int | None = None,
    n_samples: int = 50_000,
    seed: Seed = 0,
    axis: int = -1,
) -> RopePosterior:
    r"""Bayesian signed-rank test of two algorithms over data sets.

    When to use it: the errors of two algorithms on many independent data sets, and the question
    how probable it is that one is better by more than `rope`, or that they are practically
    equal, which no p-value answers. It assumes independent data sets that stand for those of
    interest. It does *not* give an error rate of decisions, it ignores the uncertainty of each
    data set's own errors, and its answer depends on the rope, which must be chosen beforehand.

    Parameters
    ----------
    a, b : array_like, shape (..., N)
        Errors of A and B, data sets along `axis`; data set i is the same for both.
    rope : float
        Half width of the region of practical equivalence, in units of the errors; without one
        a mean difference of exactly 0 counts half for each side.
    prior_strength : float
        Weight s of the prior's pseudo-observation at a difference of 0.
    digits : int or None
        Round the values to so many significant digits first.
    n_samples : int
        Monte Carlo samples of the posterior.
    seed : int, SeedSequence or Generator
        Source of randomness. All trials of one call share the weights that are drawn, so that
        each has the result that it would have alone, but their sampling errors are not
        independent.
    axis : int, default -1
        The axis that holds the data sets; the others are separate trials, one after the other
        in time (memory stays that of one).

    Returns
    -------
    RopePosterior
        With :math:`z_0 = 0`, differences :math:`z_i = a_i - b_i` and weights
        :math:`w \sim Dirichlet(s, 1, \dots, 1)`, each sample has the chance
        :math:`\theta_{less} = \sum_{ij} w_i w_j [z_i + z_j < -2 rope]`, and in the same way
        `rope` (its edges included, up to rounding) and `greater`. A probability is the share of
        samples in which its :math:`\theta` is the largest, ties shared.

    Raises
    ------
    InputError
        For different lengths, no data sets, values that are not finite, a negative rope, or a
        prior strength or number of samples that is not positive.

    References
    ----------
    Benavoli, Corani, Mangili, Zaffalon and Ruggeri (2014), A Bayesian Wilcoxon signed-rank test
    based on the Dirichlet process, ICML. Benavoli, Corani, Demsar and Zaffalon (2017), J. of
    Machine Learning Research 18(77), 1-36, section 4.2.

    Examples
    --------
    >>> a = [0.20, 0.31, 0.25, 0.18, 0.22, 0.27]
    >>> b = [0.23, 0.33, 0.25, 0.22, 0.27, 0.26]
    >>> result = bayesian_signed_rank_test(a, b, rope=0.01, seed=1)
    >>> round(result.prob_less, 2), result.n_data_sets
    (0.81, 6)
    """
    z, edge = _differences(a, b, rope, prior_strength, digits, axis)
    n_samples = count("n_samples", n_samples)
    entropy = freeze(seed)
    leading, n = z.shape[:-1], z.shape[-1]
    alpha = np.ones(n + 1)
    alpha[0] = prior_strength
    stream = generator(entropy)
    batch = max(1, BATCH // alpha.size)
    wins, shares = np.zeros((*leading, 3)), np.zeros((*leading, 3))
    for start in range(0, n_samples, batch):
        weights = stream.dirichlet(alpha, size=min(batch, n_samples - start))
        for trial in np.ndindex(leading):
            theta = _chances(weights, z[trial], edge[trial], rope)
            best = theta >= theta.max(axis=1, keepdims=True) - 1e-12  # ties up to rounding
            wins[trial] += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
            shares[trial] += theta.sum(axis=0)
    return _posterior(
        "Bayesian signed-rank test",
        wins / n_samples,
        shares / n_samples,
        rope=rope,
        prior_strength=prior_strength,
        n_data_sets=n,
        n_samples=n_samples,
        seed=entropy,
    )


def _chances(weights: Floats, z: Floats, edge: Floats, rope: float) -> Floats:
    """Return theta of the three outcomes for each row of weights of the prior and `z`."""
    with_prior = np.concatenate([[0.0], z])
    less, greater = _outside((with_prior[:, None] + with_prior) / 2, edge, rope)
    theta = np.empty((len(weights), 3))
    theta[:, 0] = ((weights @ less) * weights).sum(axis=1)
    theta[:, 2] = ((weights @ greater) * weights).sum(axis=1)
    theta[:, 1] = 1 - theta[:, 0] - theta[:, 2] if rope > 0 else 0.0
    return theta


def _outside(z: Floats, edge: Floats, rope: float) -> tuple[Floats, Floats]:
    """Return which differences lie below and above the rope; without one, 0 is half of each."""
    less, greater = (z < -edge).astype(np.float64), (z > edge).astype(np.float64)
    if rope == 0:
        nothing = (1 - less - greater) / 2
        return less + nothing, greater + nothing
    return less, greater


@check_arguments
def bayesian_sign_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 1.0,
    digits: int | None = None,
    axis: int = -1,
) -> RopePosterior:
    r"""Bayesian sign test of two algorithms over data sets, without sampling.

    When to use it: as `bayesian_signed_rank_test`, where only the sign of a difference beyond the
    rope may count, since sizes cannot be compared between data sets. It assumes independent
    data sets. It does *not* use the size of the differences and has less power for it.

    Parameters
    ----------
    a, b : array_like, shape (..., N)
        Errors of A and B, data sets along `axis`; data set i is the same for both.
    rope : float
        Half width of the region of practical equivalence; without one differences of 0 count
        half for each side.
    prior_strength : float
        Weight s of the prior's pseudo-observation at a difference of 0.
    digits : int or None
        As there.
    axis : int, default -1
        The axis that holds the data sets; the others are separate trials.

    Returns
    -------
    RopePosterior
        The chances of the three outcomes have the posterior
        :math:`Dirichlet(n_{less}, n_{rope} + s, n_{greater})`; the probability that outcome i
        is the most likely is :math:`\int f_i(x) \prod_{j \ne i} F_j(x) dx` with Gamma
        densities f and distribution functions F of these shapes.

    Raises
    ------
    InputError
        As `bayesian_signed_rank_test`.

    References
    ----------
    Benavoli, Corani, Demsar and Zaffalon (2017), J. of Machine Learning Research 18(77), 1-36,
    section 4.2.

    Examples
    --------
    >>> a = [0.20, 0.31, 0.25, 0.18, 0.22, 0.27]
    >>> b = [0.23, 0.33, 0.25, 0.22, 0.27, 0.26]
    >>> result = bayesian_sign_test(a, b, rope=0.005)
    >>> round(result.prob_less, 2), round(result.share_less, 3)
    (0.78, 0.571)
    """
    z, edge = _differences(a, b, rope, prior_strength, digits, axis)
    less, greater = _outside(z, edge[..., np.newaxis], rope)
    prior = np.array([prior_strength / 2, 0.0, prior_strength / 2])  # at a difference of 0
    if rope > 0:
        prior = np.array([0.0, prior_strength, 0.0])
    counts = [share.sum(axis=-1) for share in (less, 1 - less - greater, greater)]
    shapes = np.stack(counts, axis=-1) + prior
    # trials with the same counts have the same integral
    different, place = np.unique(shapes.reshape(-1, 3), axis=0, return_inverse=True)
    chances = np.array([_chance_of_largest(one) for one in different]).reshape(-1, 3)
    return _posterior(
        "Bayesian sign test",
        chances[place.reshape(shapes.shape[:-1])],
        shapes / shapes.sum(axis=-1, keepdims=True),
        rope=rope,
        prior_strength=prior_strength,
        n_data_sets=z.shape[-1],
        n_samples=0,
        seed=0,
    )


def _chance_of_largest(shapes: Floats) -> Floats:
    """Return the chance of each part of a Dirichlet vector to be the largest; shape 0 is part 0."""
    from scipy import integrate  # slow to import

    chances = np.zeros(shapes.size)
    for i in np.flatnonzero(shapes):
        others = np.delete(shapes, i)
        others = others[others > 0]

        # over the quantiles of part i, where the integral is that of a bounded monotone function
        def below(u: float, own: float = float(shapes[i]), rest: Floats = others) -> float:
            return float(special.gammainc(rest, special.gammaincinv(own, u)).prod())

        chances[i] = integrate.quad(below, 0, 1, epsabs=1e-12, epsrel=1e-10, limit=200)[0]
    total: Floats = chances / chances.sum()
    return total


def _differences(
    a: ArrayLike,
    b: ArrayLike,
    rope: float,
    prior_strength: float,
    digits: int | None,
    axis: int,
) -> tuple[Floats, Floats]:
    rope, prior_strength = scalar("rope", rope), scalar("prior_strength", prior_strength)
    refuse_other_index(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    first, second = to_floats("a", a), to_floats("b", b)
    if (
        first.ndim == 0
        or first.shape != second.shape
        or first.shape[axis_of("a", first, axis)] == 0
    ):
        raise InputError(
            parameter=("a", "b"),
            expected="one error per data set for both",
            got=f"shapes {first.shape} and {second.shape}",
        )
    refuse_unusable(first, "a", finite=True)
    refuse_unusable(second, "b", finite=True)
    if not (0 <= rope < np.inf and 0 < prior_strength < np.inf):
        raise InputError(
            parameter=("rope", "prior_strength"),
            expected="a half width of 0 or more and a positive number of data sets",
            got=f"rope={rope}, prior_strength={prior_strength}",
        )
    first, second = rounded(first, digits), rounded(second, digits)
    # a difference of 0.31 and 0.30 lies within a rope of 0.01, although not in binary
    first, second = np.moveaxis(first, axis, -1), np.moveaxis(second, axis, -1)
    return first - second, rope + noise(first, second)


def _posterior(
    method: str,
    probabilities: Floats,
    shares: Floats,
    *,
    rope: float,
    prior_strength: float,
    n_data_sets: int,
    n_samples: int,
    seed: int,
) -> RopePosterior:
    spread = np.sqrt((probabilities * (1 - probabilities)).max(axis=-1))
    return RopePosterior(
        method=method,
        question="over such data sets, is A lower than B, practically equal, or higher?",
        prob_less=to_python(probabilities[..., 0]),
        prob_rope=to_python(probabilities[..., 1]),
        prob_greater=to_python(probabilities[..., 2]),
        share_less=to_python(shares[..., 0]),
        share_rope=to_python(shares[..., 1]),
        share_greater=to_python(shares[..., 2]),
        rope=float(rope),
        prior_strength=float(prior_strength),
        n_data_sets=n_data_sets,
        n_samples=n_samples,
        monte_carlo_error=to_python(spread / np.sqrt(n_samples) if n_samples else 0 * spread),
        seed=seed,
        notes=(_few(n_data_sets),) if n_data_sets < FEWEST else (),
    )


def _few(n: int) -> str:
    sets = "1 data set" if n == 1 else f"{n} data sets"
    return (
        f"{sets}: the probabilities say which outcome the posterior favors, which few data sets "
        "that agree make nearly certain, and not how far these stand for others; with fewer than "
        f"{FEWEST} the exact Wilcoxon test cannot reject at the 5% level"
    )
