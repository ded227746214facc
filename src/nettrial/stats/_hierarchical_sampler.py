"""Gibbs sampling of the hierarchical model of differences over data sets, many chains at once.

x_i | delta_i, sigma_i  normal, equal correlations rho       the splits of data set i
delta_i                 Student's t with nu degrees of freedom about delta0, scale sigma0
sigma_i, sigma0, delta0 flat                                  sigma0 and delta0 with bounds
nu - 1                  gamma, its parameters flat on (0.5, 5) and (0.05, 0.15)

The t distribution is a mixture of normals with variances sigma0^2 / w_i. delta_i is integrated
out where sigma0 and delta0 are drawn, so that chains do not stick where sigma0 is small.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from ._arrays import Array

ALPHA, BETA = (0.5, 5.0), (0.05, 0.15)  # bounds of the gamma prior's parameters
SIGMA_POINTS, NU_POINTS = 120, 60
LEAST_SIGMA = 1e-3  # of the smallest scale of the data


class Data(NamedTuple):
    """What the splits of each data set say: (q,) arrays."""

    mean: Array  # mean difference
    factor: Array  # variance of the mean, in units of sigma^2
    squares: Array  # sum of squares about the mean over 1 - rho
    splits: Array  # number of splits
    # largest, among, within: largest difference, spread of the means, mean spread within data sets:
    # the priors' bounds
    largest: float
    among: float
    within: float


class Draws(NamedTuple):
    """Draws of every chain, (draws, chains) arrays; `delta` has the data sets last."""

    delta0: Array
    sigma0: Array
    nu: Array
    delta: Array


def log_prior_nu(x: Array) -> Array:
    """Return the log density of nu - 1, its prior's parameters integrated out."""
    (a, wa), (b, wb) = (_legendre(*bounds) for bounds in (ALPHA, BETA))
    alpha, beta = a[:, np.newaxis, np.newaxis], b[np.newaxis, :, np.newaxis]
    log_density = alpha * np.log(beta) - special.gammaln(alpha)
    log_density = log_density + (alpha - 1) * np.log(x) - beta * x
    weights = (wa[:, np.newaxis] * wb)[:, :, np.newaxis]
    return np.asarray(special.logsumexp(log_density, axis=(0, 1), b=weights), dtype=np.float64)


def _legendre(low: float, high: float) -> tuple[Array, Array]:
    points, weights = np.polynomial.legendre.leggauss(24)
    return low + (high - low) * (points + 1) / 2, weights / 2


def sample(data: Data, *, chains: int, burn_in: int, draws: int, rng: np.random.Generator) -> Draws:
    """Run the chains, each from a start of its own."""
    q = data.mean.size
    sigma_grid = np.geomspace(
        LEAST_SIGMA * min(data.among, data.within), 1000 * data.among, SIGMA_POINTS
    )
    nu_grid = 1 + np.geomspace(1e-3, 1e3, NU_POINTS)
    nu_log_prior = log_prior_nu(nu_grid - 1) + np.log(nu_grid - 1)  # of log steps
    known = data.squares == 0  # the mean of a data set without variation counts as known
    w = rng.gamma(2.0, 0.5, (chains, q))
    sigma2 = np.where(known, 0.0, data.squares / data.splits) * rng.uniform(0.5, 2, (chains, q))
    delta0 = rng.uniform(-data.largest, data.largest, chains)
    found = Draws(
        np.empty((draws, chains)),
        np.empty((draws, chains)),
        np.empty((draws, chains)),
        np.empty((draws, chains, q)),
    )
    for step in range(-burn_in, draws):
        error2 = data.factor * sigma2
        sigma0 = _draw_sigma0(data.mean - delta0[:, np.newaxis], error2, w, sigma_grid, rng)
        between = sigma0[:, np.newaxis] ** 2 / w
        delta0 = _draw_delta0(data, between + error2, rng)
        share = between / (between + error2)
        center = delta0[:, np.newaxis] + share * (data.mean - delta0[:, np.newaxis])
        delta = center + np.sqrt(share * error2) * rng.standard_normal((chains, q))
        away = (data.mean - delta) ** 2 / data.factor
        shape = (data.splits - 1) / 2
        drawn = (data.squares + away) / 2 / rng.gamma(shape, size=(chains, q))
        sigma2 = np.where(known, 0.0, drawn)
        nu = _draw_nu(w, nu_grid, nu_log_prior, rng)[:, np.newaxis]
        z2 = ((delta - delta0[:, np.newaxis]) / sigma0[:, np.newaxis]) ** 2
        w = np.maximum(rng.gamma((nu + 1) / 2) * 2 / (nu + z2), 1e-12)
        if step >= 0:
            found.delta0[step], found.sigma0[step] = delta0, sigma0
            found.nu[step], found.delta[step] = nu[:, 0], delta
    return found


def _draw_sigma0(
    away: Array, error2: Array, w: Array, grid: Array, rng: np.random.Generator
) -> Array:
    """Draw the scale between data sets from its conditional distribution on a grid."""
    variance = grid[:, np.newaxis] ** 2 / w[:, np.newaxis] + error2[:, np.newaxis]
    log_density = -0.5 * (np.log(variance) + away[:, np.newaxis] ** 2 / variance).sum(axis=-1)
    return _draw_on_log_grid(log_density + np.log(grid), grid, rng)


def _draw_nu(w: Array, grid: Array, log_prior: Array, rng: np.random.Generator) -> Array:
    half = grid / 2
    log_density = w.shape[1] * (half * np.log(half) - special.gammaln(half))
    log_density = log_density + half * (np.log(w) - w).sum(axis=-1)[:, np.newaxis]
    above_one: Array = _draw_on_log_grid(log_density + log_prior, grid - 1, rng)
    return np.asarray(1 + above_one)


def _draw_on_log_grid(log_density: Array, grid: Array, rng: np.random.Generator) -> Array:
    """Draw one point a row, and a place within its step."""
    chance = np.exp(log_density - log_density.max(axis=1, keepdims=True)).cumsum(axis=1)
    target = rng.random((len(chance), 1)) * chance[:, -1:]
    place = np.minimum((chance < target).sum(axis=1), grid.size - 1)
    half_step = np.log(grid[1] / grid[0]) / 2
    return np.asarray(grid[place] * np.exp(rng.uniform(-half_step, half_step, len(place))))


def _draw_delta0(data: Data, variance: Array, rng: np.random.Generator) -> Array:
    """Draw the mean over data sets: normal, within its bounds."""
    precision = (1 / variance).sum(axis=1)
    mean = (data.mean / variance).sum(axis=1) / precision
    sd = 1 / np.sqrt(precision)
    low, high = (special.ndtr((end * data.largest - mean) / sd) for end in (-1, 1))
    u = np.clip(low + (high - low) * rng.random(mean.size), 1e-16, 1 - 1e-16)
    drawn: Array = np.clip(mean + sd * special.ndtri(u), -data.largest, data.largest)
    return drawn
