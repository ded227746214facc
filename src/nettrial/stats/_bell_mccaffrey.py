"""Bell and McCaffrey's adjustment of a weighted mean's cluster-robust variance, and its df.

The working model is independent observations of one variance, as in R's clubSandwich by default.
With X = 1, weights w, W their sum and H = 1 w'/W, cluster g's block of (I - H)(I - H)' is

    B_g = I - (1 w_g' + w_g 1')/W + 1 1' Σw²/W²,

the identity but for two directions, 1 and w_g. A_g is its inverse square root, and the adjusted
cluster sum is w_g' A_g r_g. The degrees of freedom are those of Satterthwaite for the quadratic
form Σ_g (p_g' y)², p_g = (I - H)' A_g w_g / W (Pustejovsky and Tipton 2018, section 2.3).
"""

from __future__ import annotations

import numpy as np

from ._clusters import Clusters, Floats

SINGULAR = 1e-12  # eigenvalues of B below this part of 1 are 0


def bell_mccaffrey(residuals: Floats, clusters: Clusters) -> tuple[Floats, float]:
    """Return the adjusted sums w_g' A_g r_g of each trial (..., G), and Satterthwaite's df."""
    w, total = clusters.weights, clusters.totals.sum()
    ones, squares = clusters.sums(np.ones(w.size)), clusters.sums(w**2)
    # B acts on coefficients of (1, w_g) as I + S N with N the products of these two
    products = np.array([[ones, clusters.totals], [clusters.totals, squares]]).transpose(2, 0, 1)
    form = np.array([[squares.sum() / total**2, -1 / total], [-1 / total, 0.0]])
    # A w_g as a combination of 1 and w_g
    combination = _inverse_root(form, products)
    adjusted = combination[:, 0] * clusters.sums(residuals)
    adjusted = adjusted + combination[:, 1] * clusters.sums(w * residuals)
    own = np.einsum("gi,gij,gj->g", combination, products, combination)
    inner = np.einsum("gij,gj->gi", products, combination)
    return adjusted, satterthwaite(inner[:, 0], inner[:, 1], own, squares.sum(), total)


def _inverse_root(form: Floats, products: Floats) -> Floats:
    """Return the coefficients of B^(-1/2) w_g in (1, w_g), one row per cluster."""
    # for the orthonormal basis Q of (1, w) = Q R: B = I + Q (R form R') Q'
    values, vectors = np.linalg.eigh(products)
    scale = values[:, -1:]
    kept = values > 1e-13 * scale  # one direction where the weights of a cluster are equal
    root = np.sqrt(np.where(kept, values, 0.0))
    upper = root[:, :, None] * vectors.transpose(0, 2, 1)
    inner = np.eye(2) + upper @ form @ upper.transpose(0, 2, 1)
    sizes, axes = np.linalg.eigh(inner)
    # Moore and Penrose's inverse, where a cluster holds all the information
    inverse = np.where(sizes > SINGULAR, 1 / np.sqrt(np.where(sizes > SINGULAR, sizes, 1.0)), 0.0)
    power = (axes * inverse[:, None, :]) @ axes.transpose(0, 2, 1)
    # w = (1, w) e_2 = Q R e_2, so that A w = Q power R e_2 = (1, w) R^+ power R e_2
    back = vectors * np.where(kept, 1 / np.where(kept, root, 1.0), 0.0)[:, None, :]
    return np.asarray((back @ power @ upper)[:, :, 1])


def plain_satterthwaite(clusters: Clusters) -> float:
    """Return Satterthwaite's df of the sums without adjustment (CR0, CR1)."""
    squares = clusters.sums(clusters.weights**2)
    total = clusters.totals.sum()
    return satterthwaite(clusters.totals, squares, squares, squares.sum(), total)


def satterthwaite(a: Floats, b: Floats, own: Floats, squares: float, total: float) -> float:
    """Return (Σ_g p_g'p_g)² / Σ_gh (p_g'p_h)².

    With t_g = A_g w_g: p_g'p_h W² = [g = h] t_g't_g - (a_g b_h + a_h b_g)/W + a_g a_h Σw²/W²,
    where a_g = 1't_g, b_g = w_g't_g and `own` is t_g't_g.
    """
    alpha, beta = -1 / total, squares / total**2
    diagonal = own + 2 * alpha * a * b + beta * a**2
    aa, ab, bb = float(a @ a), float(a @ b), float(b @ b)
    cross = 2 * alpha**2 * (aa * bb + ab**2) + 4 * alpha * beta * aa * ab + beta**2 * aa**2
    cross += float(diagonal @ diagonal) - float(np.square(diagonal - own).sum())
    # at least 1, whatever rounding leaves where one cluster has nearly all weight
    return max(float(diagonal.sum()) ** 2 / cross, 1.0) if cross > 0 else 1.0
