"""wvRN against nBC on latent group networks: ICDM figures 1(c-e), ECML figures 2(a, b)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd

from ..core import seeds
from ..core.seeds import Stream
from ..inference.registry import label
from ..network.network import Network
from ..synth.latent_groups import READINGS, latent_group_network
from .base import Experiment, Figure, Option, Unit
from .model_pairs import (
    AUTOCORRELATION,
    CALIBRATED,
    EFFECTIVE,
    HANDICAP,
    KEEPS,
    LEFT,
    OPTIONS,
    TURNED,
    Collector,
    Handicap,
    autocorrelation_of,
    computed_once,
    equalize,
)
from .records import DIFFERENCE, Record, Settings, measured, of_network
from .simulated import AT_DIFFERENCE, ECML, ICDM
from .statements import (
    FALLS,
    HIGH,
    LOW,
    MUCH_HIGHER,
    NOTHING,
    SLIGHTLY_LOWER,
    TWO_DIGITS,
    Measured,
    Statement,
    about,
    at_difference,
    cell,
    extreme,
    ratio,
    rows,
)

LABELED = (0.1, 0.2, 0.3, 0.4)
POWER_LABELED = (0.3,)
N_PAPER = 4
POSITIVE = "share of +"

DOMAIN_OPTIONS = {
    "networks": Option(
        "fresh", "a fresh network for each trial, or the papers' four networks", ("fresh", "four")
    ),
    "between": Option(
        "mean", "reading of the link probability of nodes in different groups", READINGS
    ),
    "calibration": Option(1000, "networks on which the models are made equal"),
}
WORLD = (
    "Latent group networks (about 30 groups), wvRN and nBC with relaxation labeling, 10 random "
    "resamples and 10-fold network cross-validation. "
)
EQUAL = (
    "The better model is handicapped on other networks (option `calibration`) until both are "
    "equally good: every rejection is a Type I error. "
)
WORSE = (
    "The predictions of the worse model are turned with probability 0.025 to 0.3; the horizontal "
    "axis is the measured mean difference. " + AT_DIFFERENCE
)
FRESH = (
    "By default each trial has a network of its own: Type I error is about other networks of "
    "the domain. The papers re-split four networks many times (`networks=four`): intervals "
    "are then between these four."
)


@computed_once
def handicaps(
    seed: int,
    nodes: int,
    labeled: tuple[float, ...],
    between: str,
    smoothing: float,
    n_networks: int,
) -> tuple[Handicap, ...]:
    """Equalize the models on calibration networks, at each proportion of labeled nodes."""
    networks = [
        _draw(nodes, between, seeds.derive(seed, Stream.LATENT_CALIBRATION, nodes, i))
        for i in range(n_networks)
    ]
    return equalize(
        networks, labeled, smoothing=smoothing, seed=seeds.derive(seed, Stream.LATENT_DOMAIN, nodes)
    )


def run(unit: Unit, *, labeled: tuple[float, ...], power: bool) -> list[Record]:
    """Run trials on networks of one size and apply the tests."""
    nodes, options = int(unit.cell["nodes"]), unit.options
    found = handicaps(
        unit.seed,
        nodes,
        labeled,
        options["between"],
        float(options["smoothing"]),
        options["calibration"],
    )
    records, rates = [], []
    few = range(N_PAPER) if options["networks"] != "fresh" else None
    for which in few or [None]:
        collector = Collector(labeled, found, power, unit.tests, options)
        auto, positive = [], []
        for number in range(unit.first, unit.first + unit.trials):
            if which not in (None, number % N_PAPER):
                continue
            network = _network(unit, number)
            own = seeds.derive(unit.seed, Stream.LATENT_TRIAL, nodes, number)
            collector.add(network, own, number)
            auto.append(autocorrelation_of(network))
            positive.append(float(network.labels.mean()))
        if auto:
            domain = {AUTOCORRELATION: auto, POSITIVE: positive}
            records += of_network(which, (measured(unit.cell, *each) for each in domain.items()))
            rates += of_network(which, collector.records(unit.cell))
    if unit.first == 0 and not power:
        for share, handicap in zip(labeled, found):
            where = {**unit.cell, "labeled": share}
            records.append(measured(where, HANDICAP, max(handicap.chances)))
            records.append(measured(where, LEFT, abs(handicap.left)))
    return records + rates


def _network(unit: Unit, number: int) -> Network:
    nodes = int(unit.cell["nodes"])
    which = number if unit.options["networks"] == "fresh" else number % N_PAPER
    seed = seeds.derive(unit.seed, Stream.LATENT_EVALUATION, nodes, which)
    return _draw(nodes, unit.options["between"], seed)


@lru_cache(maxsize=2 * N_PAPER)
def _draw(nodes: int, between: Any, seed: int) -> Network:
    return latent_group_network(nodes, between=between, seed=seed)


def _sizes(*sizes: int) -> Callable[[Mapping[str, Any]], Iterable[Settings]]:
    def cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
        return [{"nodes": nodes} for nodes in sizes]

    return cells


def _missed(test: str, design: str) -> Any:
    """Measure how much of the power that lacks at 300 nodes and 5% still lacks at 600."""

    def find(table: pd.DataFrame) -> Measured:
        small, large = _powers(table, test, design)
        if not (small.number < 1 and large.number == large.number):
            return NOTHING
        spread = np.hypot(
            (large.high - large.low) / (2 * (1 - small.number)),
            (1 - large.number) * (small.high - small.low) / (2 * (1 - small.number) ** 2),
        )
        number = (1 - large.number) / (1 - small.number)
        return Measured(number, number - float(spread), number + float(spread))

    return find


def _gained(test: str, design: str) -> Any:
    """Measure how much higher the power at 5% is with 600 nodes than with 300."""

    def find(table: pd.DataFrame) -> Measured:
        small, large = _powers(table, test, design)
        gain = large.number - small.number
        spread = float(np.hypot(large.high - large.low, small.high - small.low)) / 2
        return Measured(gain, gain - spread, gain + spread)

    return find


def _powers(table: pd.DataFrame, test: str, design: str) -> list[Measured]:
    return [at_difference(0.05, test=test, design=design, nodes=n)(table) for n in (300, 600)]


def _on_fresh_networks(table: pd.DataFrame) -> Measured:
    """Measure the largest mean difference, of either sign, on the evaluated networks."""
    found = rows(table, DIFFERENCE)
    row = found.iloc[int(found["mean"].abs().argmax())]
    ends = sorted((row["low"], row["high"]), key=abs)
    nearest = 0.0 if row["low"] < 0 < row["high"] else abs(ends[0])
    return Measured(abs(row["mean"]), nearest, abs(ends[1]))


PAIRED, UNPAIRED, RSC = (label(name) for name in ("paired_t", "pooled_t", "rsc_paired"))
TYPE_ONE, POWER = "Type I error", "power"
SMALL: dict[str, Any] = {"turned": TURNED[:2]}  # NCV's power is below a half: it can double
RRS_PAIRED: dict[str, Any] = {"design": "RRS", "test": PAIRED}
NCV_PAIRED: dict[str, Any] = {"design": "NCV", "test": PAIRED}
NCV_UNPAIRED: dict[str, Any] = {"design": "NCV", "test": UNPAIRED}
BY_LABELED = Figure("labeled", "proportion of labeled nodes", TYPE_ONE)
BY_DIFFERENCE = Figure(
    DIFFERENCE,
    "measured mean difference of the error rates",
    POWER,
    panels="nodes",
    panel_title="{} nodes",
)

COMMON: dict[str, Any] = {
    "chunk": 25,
    "same_networks": True,
    **KEEPS,
    "options": DOMAIN_OPTIONS | OPTIONS,
}
TYPE_ONE_RUN: dict[str, Any] = COMMON | {
    "about": WORLD + EQUAL + FRESH, "cells": _sizes(300), "figure": BY_LABELED,
    "run": partial(run, labeled=LABELED, power=False),
}  # fmt: skip
POWER_RUN: dict[str, Any] = COMMON | {
    "about": WORLD + WORSE + FRESH, "cells": _sizes(300), "figure": BY_DIFFERENCE,
    "run": partial(run, labeled=POWER_LABELED, power=True),
}  # fmt: skip
DOMAIN_STATEMENTS = (
    Statement("the networks' average autocorrelation is 0.40", extreme("min", AUTOCORRELATION),
              "mean autocorrelation", **about(0.4, TWO_DIGITS)),
    Statement("the class prior P(+) is 0.70", extreme("min", POSITIVE), "mean share of +",
              **about(0.7, TWO_DIGITS)),
    CALIBRATED,
    Statement("what it leaves on the evaluated networks",
              _on_fresh_networks, "largest mean difference of either sign", mark="own result"),
)  # fmt: skip

FIG1C = Experiment(
    **TYPE_ONE_RUN,
    name="icdm09-fig1c",
    title="Latent group networks: Type I error",
    source=f"{ICDM}, figure 1(c)",
    trials=400,
    tests=("paired_t", "pooled_t"),
    statements=(
        Statement(
            "RRS, paired: 0.5 at 0.2 labeled",
            cell(labeled=0.2, **RRS_PAIRED),
            "rate at 0.2",
            **about(0.5),
        ),
        Statement(
            "NCV, paired: 0.15 at 0.2 labeled",
            cell(labeled=0.2, **NCV_PAIRED),
            "rate at 0.2",
            **about(0.15),
        ),
        Statement(
            "NCV, unpaired: below 0.05 above 0.1 labeled",
            extreme("max", labeled=(0.2, 0.3, 0.4), **NCV_UNPAIRED),
            "largest rate from 0.2 on",
            **LOW,
        ),
        Statement(
            "all the tests have a high Type I error at 0.1 labeled",
            extreme("min", labeled=0.1, test=(PAIRED, UNPAIRED)),
            "smallest rate at 0.1 of both tests and designs",
            **HIGH,
        ),
        Statement(
            "the Type I error falls as more is labeled",
            ratio({"labeled": 0.4, **RRS_PAIRED}, {"labeled": 0.1, **RRS_PAIRED}),
            "RRS, paired: rate at 0.4 over rate at 0.1",
            **FALLS,
        ),
        *DOMAIN_STATEMENTS,
    ),
)

FIG1D = Experiment(
    **POWER_RUN,
    name="icdm09-fig1d",
    title="Latent group networks of 300 nodes: power",
    source=f"{ICDM}, figure 1(d)",
    trials=400, tests=("paired_t", "pooled_t"),
    statements=(
        Statement("RRS detects a difference of 5% less than 80% of the time",
                  at_difference(0.05, **RRS_PAIRED), "power of RRS, paired", at_most=0.8),
        Statement("NCV, paired, detects a difference of 5% less than 30% of the time",
                  at_difference(0.05, **NCV_PAIRED), "power of NCV, paired", at_most=0.3),
        Statement("NCV, unpaired, detects a difference of 5% less than 5% of the time",
                  at_difference(0.05, **NCV_UNPAIRED), "power of NCV, unpaired", at_most=0.05),
    ),
)  # fmt: skip

FIG1E = Experiment(
    **POWER_RUN | {
        "about": WORLD + WORSE + "Networks of 300 nodes are run too, since what is stated compares "
                 "the two sizes. " + FRESH,
        "cells": _sizes(300, 600),
    },
    name="icdm09-fig1e",
    title="Latent group networks of 300 and 600 nodes: power",
    source=f"{ICDM}, figure 1(e)",
    trials=400, tests=("paired_t", "pooled_t"),
    statements=(
        *(
            statement
            for words, percent, test, design in (
                ("RRS, paired", 10, PAIRED, "RRS"),
                ("NCV, paired", 45, PAIRED, "NCV"),
                ("NCV, unpaired", 70, UNPAIRED, "NCV"),
            )
            for statement in (
                Statement(f"{words}: twice the nodes reduce the error at 5% by {percent}%",
                          _gained(test, design), "power at 600 less power at 300",
                          **about(percent / 100), reading="as percentage points"),
                Statement(f"{words}: twice the nodes reduce the error at 5% by {percent}%",
                          _missed(test, design), "1 - power at 600 over 1 - power at 300",
                          **about(1 - percent / 100), reading="as a share of the error"),
            )
        ),
    ),
)  # fmt: skip

FIG2A = Experiment(
    **TYPE_ONE_RUN,
    name="ecml11-fig2a",
    title="Latent group networks with RS-C: Type I error",
    source=f"{ECML}, figure 2(a)",
    trials=200,
    tests=("paired_t", "rsc_paired"),
    statements=(
        Statement(
            "RS-C cuts the Type I error of RS by more than half",
            ratio({"design": "RRS", "test": RSC}, RRS_PAIRED),
            "mean rate of RS-C over that of RS",
            at_most=0.5,
        ),
        Statement(
            "RS-C's Type I error is slightly below that of NCV",
            ratio({"design": "RRS", "test": RSC}, NCV_PAIRED),
            "mean rate of RS-C over that of NCV",
            **SLIGHTLY_LOWER,
        ),
        Statement(
            "RS-C brings the Type I error to an acceptable level",
            extreme("max", design="RRS", test=RSC),
            "largest rate of RS-C",
            **LOW,
        ),
        *DOMAIN_STATEMENTS,
    ),
)

FIG2B = Experiment(
    **POWER_RUN,
    name="ecml11-fig2b",
    title="Latent group networks with RS-C: power",
    source=f"{ECML}, figure 2(b)",
    trials=200,
    tests=("paired_t", "rsc_paired"),
    statements=(
        Statement(
            "RS-C has much higher power than NCV",
            ratio(SMALL | {"design": "RRS", "test": RSC}, SMALL | NCV_PAIRED),
            "mean power of RS-C over that of NCV, at the two smallest differences",
            **MUCH_HIGHER,
        ),
        Statement(
            "the effective test set of RS-C is larger than the 30 nodes of NCV",
            extreme("min", EFFECTIVE),
            "smallest mean effective size",
            at_least=30,
        ),
    ),
)

EXPERIMENTS = {e.name: e for e in (FIG1C, FIG1D, FIG1E, FIG2A, FIG2B)}
