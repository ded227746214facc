"""Roots by Brent's method: the same bits as SciPy's."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from nettrial import InputError
from nettrial.numeric.roots import root_between


def test_roots_have_the_bits_of_scipy() -> None:
    rng = np.random.default_rng(0)
    compared = 0
    for _ in range(400):
        a, b = rng.normal(size=2)
        functions = (
            lambda x, a=a, b=b: x**3 + a * x + b,
            lambda x, a=a, b=b: math.exp(a * x) - 2 - abs(b),
            lambda x, a=a, b=b: math.tanh(x - a) + 0.3 * math.sin(5 * x) * b,
            lambda x, a=a: 1 / (1 + (x - a) ** 2) - 0.5,
            lambda x, a=a: float(x > a) - 0.5,
        )
        low, high = -10 * rng.random(), 10 * rng.random()
        for function in functions:
            if function(low) * function(high) < 0:
                compared += 1
                assert root_between(function, low, high) == brentq(function, low, high)
    assert compared > 500


def test_an_end_may_be_the_root_and_signs_must_differ(words) -> None:
    assert root_between(lambda x: x, 0.0, 1.0) == 0
    assert root_between(lambda x: x - 1, 0.0, 1.0) == 1
    with words.raises(InputError):
        root_between(lambda x: x, 1.0, 2.0)
