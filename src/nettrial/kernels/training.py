"""What training a classifier needs beside its layers: loss, gradient and Adam's steps."""

from __future__ import annotations

import math

import numpy as np

from .lanes import lane_kernel
from .neighbor_sums import F


@lane_kernel
def cross_entropy(scores, width, n_classes, codes, gradient):
    """Return the mean cross-entropy of rows of scores, and write its gradient unless it is None.

    Columns from `n_classes` on fill up lines; their gradient is 0.
    """
    total = 0.0
    for row in range(codes.size):
        first = row * width
        top = scores[first]
        for k in range(1, n_classes):
            top = max(top, scores[first + k])
        mass = F(0)
        for k in range(n_classes):
            mass += math.exp(scores[first + k] - top)
        total += math.log(mass) - (scores[first + codes[row]] - top)
        if gradient is not None:
            for k in range(n_classes):
                share = math.exp(scores[first + k] - top) / mass
                gradient[first + k] = (share - F(k == codes[row])) / F(codes.size)
            for k in range(n_classes, width):
                gradient[first + k] = F(0)
    return total / codes.size


@lane_kernel
def adam(weights, gradient, mean, square, rate, decay, step):
    """Take one step of Adam, as PyTorch takes it: weight decay is added to the gradient.

    References
    ----------
    Kingma and Ba (2015), Adam: a method for stochastic optimization, ICLR, algorithm 1.
    """
    size = F(rate / (1 - 0.9**step))
    root = F(1 / math.sqrt(1 - 0.999**step))
    for k in range(weights.size):
        slope = gradient[k] + decay * weights[k]
        mean[k] = F(0.9) * mean[k] + F(0.1) * slope
        square[k] = F(0.999) * square[k] + F(0.001) * slope * slope
        weights[k] -= size * mean[k] / (np.sqrt(square[k]) * root + F(1e-8))
