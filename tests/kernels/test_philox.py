"""Philox 4x32-10 against its published vectors, and whole-number arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

import dense_models as dense
from nettrial.kernels.philox import philox4x32, shuffle, unit

# known-answer tests that the authors publish with the Random123 library (kat_vectors)
VECTORS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_published_vectors(counter, key, expected):
    words = philox4x32(*(np.uint32(word) for word in counter + key))
    assert tuple(int(word) for word in words) == expected
    assert tuple(dense.philox(counter, key)) == expected


def test_equal_to_whole_numbers():
    rng = np.random.default_rng(1)
    for row in rng.integers(0, 2**32, (200, 6)).tolist():
        words = philox4x32(*(np.uint32(word) for word in row))
        assert [int(word) for word in words] == dense.philox(tuple(row[:4]), tuple(row[4:]))


def test_unit_interval_and_moments():
    values = [
        float(unit(word))
        for i in range(2000)
        for word in philox4x32(*(np.uint32(x) for x in (i, 0, 0, 0, 7, 0)))
    ]
    assert 0 <= min(values) <= max(values) < 1
    assert unit(np.uint32(0xFFFFFFFF)) < 1
    # one false alarm in a million: 4.9 standard errors of the mean of 8,000 uniform numbers
    assert abs(np.mean(values) - 0.5) < 4.9 / np.sqrt(12 * 8000)


def test_shuffle_is_a_permutation_that_stream_and_step_decide():
    orders = {}
    for stream, step in ((1, 0), (1, 1), (2, 0)):
        order = np.arange(50)
        shuffle(order, stream, step)
        expected = list(range(50))
        dense.shuffle(expected, stream, step)
        assert order.tolist() == expected
        assert sorted(expected) == list(range(50))
        orders[stream, step] = tuple(expected)
    assert len(set(orders.values())) == 3
