"""Simulated group classifiers: figures 1(a, b) of both papers, and the number of splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from ..core import seeds
from ..inference.registry import label, procedure
from ..inference.trials import Trials
from ..synth.simulated_classifiers import GroupClassifiers, GroupTrials, simulate_groups
from .base import Experiment, Figure, Option, Unit
from .decisions import decide, is_kept
from .group_decisions import QReading, RhoReading, error_phi, group_trials
from .records import DIFFERENCE, REJECTIONS, Record, Settings, measured, rejections
from .statements import (
    COMPARABLE,
    FALLS,
    HIGHER,
    LOW,
    LOWER,
    MUCH_LOWER,
    RISES,
    Statement,
    about,
    at_difference,
    cell,
    extreme,
    ratio,
)

LABELED = (0.1, 0.3, 0.5, 0.7, 0.9)
ERRORS = (0.1, 0.2, 0.3, 0.4)
CORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
DIFFERENCES = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08)
SPLITS = (5, 10, 20, 30, 50, 100)
NCV_FOLDS = 10
PHI = "error correlation"
ICDM = "Neville, Gallagher and Eliassi-Rad (2009), ICDM"
ECML = "Wang, Neville, Gallagher and Eliassi-Rad (2011), ECML PKDD"

REDRAW = "whether the failing groups are drawn anew for each fold, or stay for a trial"
FOLDS = Option(30, "number of random resamples")
BY_FOLD = Option("fold", REDRAW, ("fold", "trial"))
BY_TRIAL = Option("trial", REDRAW, ("trial", "fold"))
READINGS_OF_REDRAW = ("fold", "trial")
READINGS_OF_RHO: tuple[RhoReading, ...] = ("pooled", "zero", "within")
READINGS_OF_Q: tuple[QReading, ...] = ("moment", "known", "p")
SKEW = 1.5
EQUAL, SKEWED = "equal", "skewed"
SIZES = f"groups of equal size on average, or each {SKEW:g} times as large as the next of its half"
GROUPS = Option(EQUAL, SIZES, (EQUAL, SKEWED))
WORLD = (
    "300 instances are put into 10 groups at random. One failing group of each classifier (of "
    "different halves of the groups) errs with probability 0.91, the others with 0.01, so that "
    "both err on 10% of all instances. "
)
AT_DIFFERENCE = (
    "Power at a stated difference is read on the straight line between the measured differences "
    "next to it. "
)
FAILING = (
    "With redraw=fold the failing groups are drawn anew for each fold, with redraw=trial they stay "
    "for all folds of a trial; the default is redraw={}. "
)


def run(unit: Unit) -> list[Record]:
    """Simulate trials of one cell and apply the tests."""
    cell, options = unit.cell, unit.options
    design = str(cell["design"]).lower()
    resampled = design != "ncv"
    world = GroupClassifiers(
        error=float(cell.get("error", 0.1)),
        correlation=float(cell.get("correlation", 0.9)),
        redraw=(cell | dict(options))["redraw"],
        difference=float(cell.get("difference", 0.0)),
        skew=SKEW if (cell | dict(options)).get("groups") == SKEWED else 1.0,
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
    arrays = group_trials(trials, world)
    if not resampled:  # RS-C is made for resamples
        arrays = replace(arrays, parameters=None)
    for test in unit.tests:
        if is_kept(test, arrays):
            how = procedure(test).in_trials
            every = "redraw" in cell and how is not None and "parameters" in how.reads
            readings = _readings(trials, world) if every else [({}, arrays)]
            for reading, read in readings:
                records.append(rejections(cell | reading, label(test), *decide(test, read)))
    return records


def _readings(trials: GroupTrials, world: GroupClassifiers) -> Iterable[tuple[Settings, Trials]]:
    """Yield the arrays by each reading of rho and q."""
    for rho, q in product(READINGS_OF_RHO, READINGS_OF_Q):
        yield {"rho": rho, "q": q}, group_trials(trials, world, rho=rho, q=q)


def _by_labeled(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"design": d, "groups": groups, "labeled": labeled}
        for groups in (EQUAL, SKEWED) for labeled in LABELED for d in ("RRS", "ERS", "NCV")
    ]  # fmt: skip


def _by_correlation(options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"design": d, "error": e, "correlation": c, "labeled": float(options["labeled"])}
        for e in ERRORS for c in CORRELATIONS for d in ("RRS", "NCV")
    ]  # fmt: skip


def _by_redraw(*changes: Mapping[str, float]) -> Any:
    """Both readings of the failing groups beside each other."""

    def cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
        return [
            {"design": d, "redraw": redraw, **change}
            for redraw in READINGS_OF_REDRAW for change in changes for d in ("RRS", "NCV")
        ]  # fmt: skip

    return cells


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

RRS: dict[str, Any] = {"design": "RRS", "test": PAIRED}
NCV: dict[str, Any] = {"design": "NCV", "test": PAIRED}


def _rsc(redraw: str) -> dict[str, Any]:
    """Select RS-C by the readings of rho and q that nettrial takes by default."""
    return {"design": "RRS", "test": RSC, "redraw": redraw, "rho": "pooled", "q": "moment"}


def _sized(groups: str) -> tuple[dict[str, Any], ...]:
    """Select the paired t on RRS, ERS and NCV for one kind of groups."""
    return tuple({"design": d, "test": PAIRED, "groups": groups} for d in ("RRS", "ERS", "NCV"))


def _trend(words: str, groups: str) -> tuple[Statement, ...]:
    """Return what is published of the proportion that is labeled and of the designs."""
    rrs, ers, ncv = _sized(groups)
    return (
        Statement(f"{words}the Type I error of RRS falls as more is labeled",
                  ratio({**rrs, "labeled": 0.9}, {**rrs, "labeled": 0.1}),
                  "rate at 0.9 over rate at 0.1", **FALLS),
        Statement(f"{words}ERS errs less than RRS", ratio(ers, rrs),
                  "mean rate of ERS over that of RRS", **LOWER),
        Statement(f"{words}ERS does not err enough less than RRS to compete with NCV",
                  ratio(ers, ncv), "mean rate of ERS over that of NCV", **HIGHER),
        Statement(f"{words}NCV keeps a low Type I error at every proportion",
                  extreme("max", **ncv), "largest rate of NCV", **LOW),
        Statement(f"{words}the Wilcoxon test makes no substantive difference",
                  ratio({**rrs, "test": label("wilcoxon")}, rrs),
                  "RRS: mean rate of Wilcoxon over that of the paired t", **COMPARABLE),
    )  # fmt: skip


FIG1A = Experiment(
    name="icdm09-fig1a",
    title="Simulated classifiers: Type I error against the labeled proportion",
    source=f"{ICDM}, figure 1(a)",
    about=WORLD + FAILING.format("fold")
    + "Every rejection is a Type I error, since the error rates are equal. Section 4.1 says that "
    "skewed group sizes gave qualitatively similar results, without numbers: both are "
    f"run ({SIZES}). *Similar* is judged by the sizes of the errors and, one by one, by what the "
    "figure shows.",
    trials=10_000, chunk=2_500, cells=_by_labeled, run=run,
    tests=("paired_t", "wilcoxon"), **KEEPS,
    options={"redraw": BY_FOLD, "folds": FOLDS},
    figure=Figure("labeled", "proportion of labeled instances", TYPE_ONE, only=("test", PAIRED),
                  panels="groups", panel_title="{} groups"),
    statements=(
        Statement("the largest Type I error of resampling (the printed axis ends at 0.5; no number "
                  "is given)", extreme("max", **_sized(EQUAL)[0]), "largest rate of RRS",
                  mark="own result"),
        *_trend("", EQUAL),
        *(Statement("skewed group sizes give qualitatively similar results",
                    ratio(skewed, equal),
                    f"mean rate of {equal['design']}, skewed over equal groups", **COMPARABLE)
          for skewed, equal in zip(_sized(SKEWED), _sized(EQUAL))),
        *_trend("skewed groups: ", SKEWED),
    ),
)  # fmt: skip


def _at(error: float, measure: str = REJECTIONS) -> dict[str, Any]:
    where: dict[str, Any] = {"design": "RRS", "error": error, "correlation": 0.8}
    return {"measure": measure, **where} if measure != REJECTIONS else {"test": PAIRED, **where}


FIG1B = Experiment(
    name="icdm09-fig1b",
    title="Simulated classifiers: Type I error against the correlation of errors",
    source=f"{ICDM}, figure 1(b)",
    about="As icdm09-fig1a with error rates of 0.1 to 0.4 and errCorr from 0 to 1; the horizontal "
          "axis is the measured correlation of the errors in a group. The paper does not say "
          "which proportion is labeled; its default is 0.9.",
    trials=10_000, chunk=2_500, cells=_by_correlation, run=run,
    tests=("paired_t",), **KEEPS,
    options={"redraw": BY_FOLD, "folds": FOLDS, "groups": GROUPS,
             "labeled": Option("0.9", "proportion of labeled instances",
                               ("0.9", "0.1", "0.3", "0.5", "0.7"))},
    figure=Figure(PHI, "measured correlation of errors (phi)", TYPE_ONE, panels="error",
                  panel_title="P(err) = {}"),
    statements=(
        Statement("the Type I error of resampling grows with the correlation of the errors",
                  ratio({"design": "RRS", "correlation": 1.0},
                        {"design": "RRS", "correlation": 0.0}),
                  "RRS: rate at errCorr 1 over rate at errCorr 0", **RISES),
        Statement("NCV is less affected than resampling",
                  ratio({"design": "NCV", "correlation": 1.0},
                        {"design": "RRS", "correlation": 1.0}),
                  "at errCorr 1: rate of NCV over that of RRS", **LOWER),
        Statement("for a fixed errCorr the Type I error rises with P(err)",
                  ratio(_at(0.4), _at(0.1)),
                  "RRS, errCorr 0.8: rate at P(err) 0.4 over rate at 0.1", **RISES),
        Statement("the measured correlation of the errors rises with P(err)",
                  ratio(_at(0.4, PHI), _at(0.1, PHI)),
                  "RRS, errCorr 0.8: phi at P(err) 0.4 over phi at 0.1", **RISES),
    ),
)  # fmt: skip

REDRAWN = {
    "fold": "failing groups drawn anew for each fold",
    "trial": "failing groups kept for a trial",
}
READ = (
    "Section 5.1 replicates *the experiments of [6]*, which is the authors' paper in Knowledge and "
    "Information Systems (2011); it was not read. Table 7 of ICDM'09 draws the failing groups once "
    "a fold (redraw=fold); q = 0.9 as a parameter of the instances speaks for groups that stay for "
    "a trial (redraw=trial). Both are run. The paper does not say how rho and q were estimated "
    "either. RS-C is judged by each of nine readings: rho is phi over the pairs of all groups "
    "(pooled), zero, or the mean of phi within single groups and test sets (within); q comes from "
    "pairs of tests of one instance (moment), is the simulated one (known) or equals p. Figure and "
    "statements take pooled and moment, which nettrial uses elsewhere. "
)
BY_REDRAW: dict[str, Any] = {
    "lines": ("design", "test"), "panels": "redraw", "panel_title": "redraw={}",
    "fixed": {"rho": "pooled", "q": "moment"},
}  # fmt: skip

ECML1A = Experiment(
    name="ecml11-fig1a",
    title="Simulated classifiers with RS-C: Type I error against the labeled proportion",
    source=f"{ECML}, figure 1(a)",
    about=WORLD + READ + "There are 10 splits.",
    trials=10_000, chunk=2_500, run=run,
    cells=_by_redraw(*({"labeled": labeled} for labeled in LABELED)),
    tests=("paired_t", "rsc_paired"), **KEEPS,
    options={"folds": Option(10, FOLDS.meaning)},
    figure=Figure("labeled", "proportion of labeled instances", TYPE_ONE, **BY_REDRAW),
    statements=tuple(
        statement
        for redraw, words in REDRAWN.items()
        for statement in (
            Statement("the Type I error of RS falls as more is labeled",
                      ratio({**RRS, "redraw": redraw, "labeled": 0.9},
                            {**RRS, "redraw": redraw, "labeled": 0.1}),
                      "rate at 0.9 over rate at 0.1", **FALLS, reading=words),
            Statement("NCV has a uniformly low Type I error",
                      extreme("max", **NCV, redraw=redraw), "largest rate of NCV", **LOW,
                      reading=words),
            Statement("RS-C errs even less than NCV",
                      ratio(_rsc(redraw), {**NCV, "redraw": redraw}),
                      "mean rate of RS-C over that of NCV", **LOWER, reading=words),
            Statement("RS-C brings the Type I error to an acceptable level",
                      extreme("max", **_rsc(redraw)), "largest rate of RS-C", **LOW,
                      reading=words),
        )
    ),
)  # fmt: skip

ECML1B = Experiment(
    name="ecml11-fig1b",
    title="Simulated classifiers with RS-C: power against the difference",
    source=f"{ECML}, figure 1(b)",
    about=WORLD + READ + "B's right predictions are turned wrong at random until its error rate is "
          "larger by the difference; the paper does not say how it did that. 30% are labeled. A "
          "reading that gives the published power has to give the Type I error of ecml11-fig1a "
          "too. With rho=within Theorem 1 often leaves no variance: RS-C has no p-value there, "
          "which counts as no rejection; the number of such trials stands beside each rate. "
          + AT_DIFFERENCE.rstrip(),
    trials=10_000, chunk=2_500, run=run,
    cells=_by_redraw(*({"labeled": 0.3, "difference": x} for x in DIFFERENCES)),
    tests=("paired_t", "rsc_paired"), **KEEPS,
    options={"folds": Option(10, FOLDS.meaning)},
    figure=Figure(DIFFERENCE, "difference of the error rates", "proportion of rejections",
                  **BY_REDRAW),
    statements=tuple(
        statement
        for redraw, words in REDRAWN.items()
        for statement in (
            Statement("RS-C detects a difference of 4% in 80% of the trials",
                      at_difference(0.04, **_rsc(redraw)), "power of RS-C at 4%", **about(0.8),
                      reading=words),
            Statement("what RS-C detects of a difference of 5%",
                      at_difference(0.05, **_rsc(redraw)), "power of RS-C at 5%",
                      mark="own result", reading=words),
            Statement("NCV detects a difference of 4% in 20% of the trials",
                      at_difference(0.04, **NCV, redraw=redraw), "power of NCV at 4%",
                      **about(0.2), reading=words),
            Statement("RS has the highest power",
                      ratio({**RRS, "redraw": redraw}, _rsc(redraw)),
                      "mean rate of RS over that of RS-C", **HIGHER, reading=words),
            Statement("NCV has substantially lower power than RS-C",
                      ratio({**NCV, "redraw": redraw, "difference": 0.04},
                            {**_rsc(redraw), "difference": 0.04}),
                      "at 4%: rate of NCV over that of RS-C", **MUCH_LOWER, reading=words),
        )
    ),
)  # fmt: skip

SPLIT_NUMBERS = Experiment(
    name="folds",
    title="Type I error against the number of resamples",
    source=f"stated without a figure in {ICDM}, section 3.3; of unpaired RS-C, in {ECML}, section "
           "4",
    about=WORLD + FAILING.format("trial") + "More splits of one network tell more "
          "about that network and nothing about others: every test that counts splits as "
          "independent rejects more and more often. The papers use RS-C on 10 splits.",
    trials=10_000, chunk=2_500, cells=_by_splits, run=run,
    tests=("paired_t", "rsc_paired", "rsc_unpaired", "nadeau_bengio"),
    **KEEPS,
    options={"redraw": BY_TRIAL},
    figure=Figure("splits", "number of resamples", TYPE_ONE, panels="labeled",
                  panel_title="{} labeled", logarithmic="x"),
    statements=(
        Statement("the Type I error of random resampling grows with the number of resamples",
                  ratio({"test": PAIRED, "splits": 100}, {"test": PAIRED, "splits": 5}),
                  "paired t: rate at 100 over rate at 5", **RISES),
        Statement("on these simulated classifiers unpaired RS-C brings the Type I error to an "
                  "acceptable level", extreme("max", test=label("rsc_unpaired"), splits=10),
                  "largest rate of unpaired RS-C at 10 resamples", **LOW),
        Statement("RS-C on many resamples",
                  cell(test=RSC, splits=100, labeled=0.1),
                  "RS-C at 100 resamples and 0.1 labeled", mark="own result"),
    ),
)  # fmt: skip

EXPERIMENTS = {e.name: e for e in (FIG1A, FIG1B, ECML1A, ECML1B, SPLIT_NUMBERS)}
