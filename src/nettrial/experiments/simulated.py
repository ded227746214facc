"""Simulated group classifiers: figures 1(a, b) of both papers, and the number of splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..core import seeds
from ..synth.simulated_classifiers import GroupClassifiers, simulate_groups
from .base import Experiment, Figure, Option, Unit
from .decisions import decide, is_kept, label
from .group_decisions import error_phi, group_trials
from .records import DIFFERENCE, Record, Settings, measured, rejections
from .statements import Statement, about, at_difference, cell, extreme, ratio

LABELED = (0.1, 0.3, 0.5, 0.7, 0.9)
ERRORS = (0.1, 0.2, 0.3, 0.4)
CORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
DIFFERENCES = (0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08)
SPLITS = (5, 10, 20, 30, 50, 100)
NCV_FOLDS = 10
PHI = "error correlation"
ICDM = "Neville, Gallagher and Eliassi-Rad (2009), ICDM"
ECML = "Wang, Neville, Gallagher and Eliassi-Rad (2011), ECML PKDD"

REDRAW = "whether the failing groups are drawn anew for each fold, or stay for a trial"
FOLDS = Option(30, "number of random resamples")
BY_FOLD = Option("fold", REDRAW, ("fold", "trial"))
RHO = Option(
    "pooled",
    "how RS-C's correlation of errors is read: phi over the pairs of all groups, none, "
    "or the mean of phi within single groups and test sets",
    ("pooled", "zero", "within"),
)
Q = Option(
    "moment",
    "how RS-C's error rate of failing instances is read: from pairs of tests of one "
    "instance, as simulated, or equal to the mean error rate",
    ("moment", "known", "p"),
)
BY_TRIAL = Option("trial", REDRAW, ("trial", "fold"))
WORLD = (
    "300 instances are put into 10 groups at random. One failing group of each classifier (of "
    "different halves of the groups) errs with probability 0.91, the others with 0.01, so that "
    "both err on 10% of all instances. "
)


def run(unit: Unit) -> list[Record]:
    """Simulate trials of one cell and apply the tests."""
    cell, options = unit.cell, unit.options
    design = str(cell["design"]).lower()
    resampled = design != "ncv"
    world = GroupClassifiers(
        error=float(cell.get("error", 0.1)),
        correlation=float(cell.get("correlation", 0.9)),
        redraw=options["redraw"],
        difference=float(cell.get("difference", 0.0)),
    )
    folds = int(cell.get("splits", options.get("folds", 0))) if resampled else NCV_FOLDS
    trials = simulate_groups(
        design,
        labeled=float(cell["labeled"]),
        n_folds=folds,
        n_trials=unit.trials,
        first_trial=unit.first,
        world=world,
        seed=seeds.derive(unit.seed, unit.number),
    )
    records = [measured(cell, PHI, error_phi(trials))]
    difference = (trials.rates[:, 1] - trials.rates[:, 0]).mean(axis=1)
    records.append(measured(cell, DIFFERENCE, difference))
    readings = {name: options[name] for name in ("rho", "q") if name in options}
    arrays = group_trials(trials, world, **readings)
    if not resampled:  # RS-C is made for resamples
        arrays = replace(arrays, parameters=None)
    for test in unit.tests:
        if is_kept(test, arrays):
            records.append(rejections(cell, label(test), *decide(test, arrays)))
    return records


def _by_labeled(*designs: str) -> Any:
    def cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
        return [{"design": d, "labeled": labeled} for labeled in LABELED for d in designs]

    return cells


def _by_correlation(options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"design": d, "error": e, "correlation": c, "labeled": float(options["labeled"])}
        for e in ERRORS for c in CORRELATIONS for d in ("RRS", "NCV")
    ]  # fmt: skip


def _by_difference(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"design": d, "labeled": 0.3, "difference": x} for x in DIFFERENCES for d in ("RRS", "NCV")
    ]


def _by_splits(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"design": "RRS", "labeled": labeled, "splits": k} for labeled in (0.1, 0.3) for k in SPLITS
    ]


PAIRED, RSC = label("paired_t"), label("rsc_paired")
KEEPS: dict[str, Any] = {
    "keeps": ("rates", "parameters", "sums", "sizes"),
    "lacks": "it needs a network, and here is none; tests of communities take the groups of "
    "instances for them",
}
TYPE_ONE = "Type I error"

FIG1A = Experiment(
    name="icdm09-fig1a",
    title="Simulated classifiers: Type I error against the labeled proportion",
    source=f"{ICDM}, figure 1(a)",
    about=WORLD + "Every rejection is a Type I error, since the error rates are equal.",
    trials=10_000, chunk=2_500, cells=_by_labeled("RRS", "ERS", "NCV"), run=run,
    tests=("paired_t",), **KEEPS,
    options={"redraw": BY_FOLD, "folds": FOLDS},
    figure=Figure("labeled", "proportion of labeled instances", TYPE_ONE),
    statements=(
        Statement("resampling reaches a Type I error of up to 0.5",
                  extreme("max", design="RRS", test=PAIRED), "largest rate of RRS", **about(0.5)),
        Statement("the Type I error of RRS falls as more is labeled: least at 0.9 labeled",
                  ratio({"design": "RRS", "labeled": 0.9}, {"design": "RRS", "labeled": 0.1}),
                  "rate at 0.9 over rate at 0.1", at_most=1.0),
        Statement("ERS errs less than RRS, but not enough less to compete with NCV",
                  ratio({"design": "ERS", "test": PAIRED}, {"design": "RRS", "test": PAIRED}),
                  "mean rate of ERS over that of RRS", at_most=1.0),
        Statement("NCV keeps a low Type I error at every proportion",
                  extreme("max", design="NCV", test=PAIRED), "largest rate of NCV",
                  at_most=0.05),
    ),
)  # fmt: skip

FIG1B = Experiment(
    name="icdm09-fig1b",
    title="Simulated classifiers: Type I error against the correlation of errors",
    source=f"{ICDM}, figure 1(b)",
    about="As icdm09-fig1a with error rates of 0.1 to 0.4 and errCorr from 0 to 1; the horizontal "
          "axis is the measured correlation of the errors in a group. The paper does not say "
          "which proportion is labeled; its default is 0.9.",
    trials=10_000, chunk=2_500, cells=_by_correlation, run=run,
    tests=("paired_t",), **KEEPS,
    options={"redraw": BY_FOLD, "folds": FOLDS,
             "labeled": Option("0.9", "proportion of labeled instances",
                               ("0.9", "0.1", "0.3", "0.5", "0.7"))},
    figure=Figure(PHI, "measured correlation of errors (phi)", TYPE_ONE, panels="error",
                  panel_title="P(err) = {}"),
    statements=(
        Statement("the Type I error of resampling grows with the correlation of the errors",
                  ratio({"design": "RRS", "correlation": 1.0},
                        {"design": "RRS", "correlation": 0.0}),
                  "RRS: rate at errCorr 1 over rate at errCorr 0", at_least=1.0),
        Statement("NCV is less affected than resampling",
                  ratio({"design": "NCV", "correlation": 1.0},
                        {"design": "RRS", "correlation": 1.0}),
                  "at errCorr 1: rate of NCV over that of RRS", at_most=1.0),
    ),
)  # fmt: skip

ECML1A = Experiment(
    name="ecml11-fig1a",
    title="Simulated classifiers with RS-C: Type I error against the labeled proportion",
    source=f"{ECML}, figure 1(a)",
    about=WORLD + "The failing groups stay for a trial, in which the errors of an instance are "
          "drawn anew with the same probability for every one of 10 splits.",
    trials=10_000, chunk=2_500, cells=_by_labeled("RRS", "NCV"), run=run,
    tests=("paired_t", "rsc_paired"), **KEEPS,
    options={"redraw": BY_TRIAL, "folds": Option(10, FOLDS.meaning), "rho": RHO, "q": Q},
    figure=Figure("labeled", "proportion of labeled instances", TYPE_ONE),
    statements=(
        Statement("the Type I error of RS falls as more is labeled",
                  ratio({"design": "RRS", "test": PAIRED, "labeled": 0.9},
                        {"design": "RRS", "test": PAIRED, "labeled": 0.1}),
                  "rate at 0.9 over rate at 0.1", at_most=1.0),
        Statement("NCV has a uniformly low Type I error",
                  extreme("max", design="NCV", test=PAIRED), "largest rate of NCV",
                  at_most=0.05),
        Statement("RS-C errs even less than NCV",
                  ratio({"design": "RRS", "test": RSC}, {"design": "NCV", "test": PAIRED}),
                  "mean rate of RS-C over that of NCV", at_most=1.0),
    ),
)  # fmt: skip

ECML1B = Experiment(
    name="ecml11-fig1b",
    title="Simulated classifiers with RS-C: power against the difference",
    source=f"{ECML}, figure 1(b)",
    about=WORLD + "B's right predictions are then turned wrong at random until its error rate is "
          "larger by the difference; the paper does not say how it did that, nor how it estimated "
          "rho and q. 30% are labeled. The options rho and q are the readings tried; one that "
          "gives the published power has to give the Type I error of ecml11-fig1a too. With "
          "rho=within Theorem 1 often leaves no variance: RS-C has no p-value there, which counts "
          "as no rejection; the number of such trials stands beside each rate.",
    trials=10_000, chunk=2_500, cells=_by_difference, run=run,
    tests=("paired_t", "rsc_paired"), **KEEPS,
    options={"redraw": BY_TRIAL, "folds": Option(10, FOLDS.meaning), "rho": RHO, "q": Q},
    figure=Figure(DIFFERENCE, "difference of the error rates", "proportion of rejections"),
    statements=(
        Statement("RS-C detects a difference of 4% in 80% of the trials",
                  at_difference(0.04, design="RRS", test=RSC), "power of RS-C", **about(0.8)),
        Statement("the same, without the trials in which RS-C has no p-value",
                  at_difference(0.04, refusals=False, design="RRS", test=RSC),
                  "power of RS-C where it has one", **about(0.8)),
        Statement("NCV detects a difference of 4% in 20% of the trials",
                  at_difference(0.04, design="NCV", test=PAIRED), "power of NCV", **about(0.2)),
        Statement("RS has the highest power",
                  ratio({"design": "RRS", "test": PAIRED}, {"design": "RRS", "test": RSC}),
                  "mean rate of RS over that of RS-C", at_least=1.0),
    ),
)  # fmt: skip

SPLIT_NUMBERS = Experiment(
    name="folds",
    title="Type I error against the number of resamples",
    source="stated without a figure in " + ICDM + ", section 3.3",
    about=WORLD + "The failing groups stay for a trial. More splits of one network tell more "
          "about that network and nothing about others: every test that counts splits as "
          "independent rejects more and more often.",
    trials=10_000, chunk=2_500, cells=_by_splits, run=run,
    tests=("paired_t", "rsc_paired", "rsc_unpaired", "nadeau_bengio"),
    **KEEPS,
    options={"redraw": BY_TRIAL},
    figure=Figure("splits", "number of resamples", TYPE_ONE, panels="labeled",
                  panel_title="{} labeled", logarithmic="x"),
    statements=(
        Statement("the Type I error of random resampling grows with the number of resamples",
                  ratio({"test": PAIRED, "splits": 100}, {"test": PAIRED, "splits": 5}),
                  "paired t: rate at 100 over rate at 5", at_least=1.0),
        Statement("RS-C brings the Type I error to an acceptable level",
                  cell(test=RSC, splits=100, labeled=0.1),
                  "RS-C at 100 resamples and 0.1 labeled", at_most=0.05),
    ),
)  # fmt: skip

EXPERIMENTS = {e.name: e for e in (FIG1A, FIG1B, ECML1A, ECML1B, SPLIT_NUMBERS)}
