"""Derived seeds: what each is for, and that its number stays what results were made with."""

from __future__ import annotations

from collections import defaultdict
from operator import index

import numpy as np
import pytest

from nettrial.core.seeds import Stream, derive, generator, key

# written out by hand: results that were published with a seed depend on each of them
NUMBERS = {
    "comparison": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "bootstrap": [0, 1, 2, 3, 4, 5],
    "drawn network": [1, 2, 3],
    "audit": [0, 1, 2, 3, 4, 5, 6],
    "bootstrap in an audit": [0, 1],
    "latent experiment": [0, 1, 2, 3],
    "calibration grid": [0, 1],
    "networks with features": [0],
    "networks with smooth targets": [0],
    "networks whose links are predicted": [0],
    "networks for all measures": [0],
    "experiment on real networks": [0, 1, 2],
    "trial of an experiment": [1, 2, 3],
}


def test_no_number_of_a_stream_changes() -> None:
    found = defaultdict(list)
    for stream in Stream:
        found[stream.value[0]].append(stream.value[1])
    assert dict(found) == NUMBERS
    named = ("MODELS", 3), ("BOOTSTRAP_COMMUNITIES", 2), ("AUDIT_SPLITS", 2), ("KNOWN", 9)
    assert [index(Stream[name]) for name, _ in named] == [number for _, number in named]


@pytest.mark.parametrize("stream", [Stream.MODELS, Stream.AUDIT_INNER, Stream.TRIAL_PLAIN])
def test_a_stream_counts_as_its_number(stream: Stream) -> None:
    number = stream.value[1]
    sequence = np.random.SeedSequence(7, spawn_key=(number, 5))
    assert derive(7, stream, 5) == int(sequence.generate_state(1)[0]) >> 1
    assert key(7, stream, 5) == tuple(sequence.generate_state(2))
    assert generator(7, stream, 5).random() == np.random.default_rng(sequence).random()
