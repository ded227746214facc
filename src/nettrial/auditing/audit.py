"""audit(): how often each test is wrong, and how often it finds what is there, on your network."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..comparison.notes import communities_note, versions
from ..comparison.options import takes_options
from ..core.errors import InputError, shown
from ..core.progress import Progress
from ..core.seeds import Seed
from ..inference.community_bootstrap import community_warnings
from ..models.base import AnyModel
from ..network.communities import effective_number
from ..network.network import Network
from ..numeric.checks import scalar
from ..splits.checks import MOST, check_count, check_extent, check_labeled, training_size
from ..stats.intervals import proportion_interval
from ..study.parallel import check_n_jobs
from ..study.tasks import task_of
from .audit_result import LEVEL, Audit, AuditedTest, Rate
from .handicaps import HANDICAPS
from .source import Source
from .time_budget import check_minutes, refuse_slow, seconds_of
from .trial import Key, Trial, run_trial

Floats = NDArray[np.float64]
FEWEST = 20  # replicates below which a rate is not worth having
CALIBRATION = 1000  # replicates from which the handicap is found, where they are compiled
CALIBRATING = 1  # names the replicates of the handicap


@takes_options
def audit(
    network: Network,
    a: str | AnyModel,
    b: str | AnyModel,
    *,
    labeled: float = 0.3,
    n_splits: int = 10,
    differences: Sequence[float] = (0.01, 0.02, 0.03, 0.04, 0.05),
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    n_replicates: int = 500,
    n_inner: int = 30,
    minutes: float = 60.0,
    seed: Seed = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Audit:
    """Measure Type I error and power of every test on networks like this one.

    Draws networks out of the communities of this one (the community bootstrap; halves of the
    communities where a model may notice copies of a node), makes the two
    models equally good by turning predictions of the better one at random, and counts how often
    each test claims a difference; then the same with true differences.

    Parameters
    ----------
    network : Network
        With labels of at least two classes, or numeric targets, on at least some nodes.
    a, b : str or Model
        As for `nettrial.compare`.
    labeled : float
        Proportion of the labeled nodes that the models are trained on.
    n_splits : int
        Number of random splits, and of folds.
    differences : sequence of float
        True differences of the error rates at which power is measured; of predicted numbers
        those of the squared errors, as shares of the larger one.
    communities : str or array_like of int, shape (n_nodes,)
        "louvain" (found anew on every replicate), a node column, or a partition.
    n_replicates : int
        Drawn networks on which the tests are made, at least 20.
    n_inner : int
        Replicates, of either kind, from which the bootstrap is made on each of them; 0 leaves
        the bootstrap out, and so do models that the compiled path does not serve.
    minutes : float
        What would take longer is refused, after a short measurement.

    Returns
    -------
    Audit

    Raises
    ------
    InputError
        As for `compare`; for differences that are not increasing and positive or cannot be
        made; and where it would take too long.

    Notes
    -----
    Turning a prediction into another class with probability c makes the error e into
    e + c (1 - e - e / (n_classes - 1)). The chances that make the true differences follow from
    the models' mean errors on replicates drawn for this purpose only (1,000, or as many as are
    measured on where models are not compiled); what difference was then found on the replicates
    that the tests are made on stands in `measured`, with its error. Predicted numbers get normal
    noise instead, which adds its variance to the squared error.

    The recommended test is, of those whose Type I error the replicates do not show to be above
    0.05 and do show not to be above 0.1 (the ends of its 95% interval), the one with the greatest
    mean power; where several are within its Monte Carlo standard
    error, the first in the table, in which those come first whose level does not depend on the
    number of splits. Tests that answer for other splits of one network are never recommended.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = audit(net, "wvrn", "nbc", n_splits=5, differences=[0.05], n_replicates=20,
    ...               n_inner=10, seed=1, n_jobs=1)
    >>> found.differences, found.tests[0].name, len(found.tests[0].rates)
    ((0.0, 0.05), 'bootstrap', 2)
    """
    from joblib import Parallel, delayed, effective_n_jobs

    check_labeled("audit", labeled)
    check_count("audit", "n_splits", n_splits, 2)
    check_count("audit", "n_replicates", n_replicates, FEWEST, MOST)
    check_count("audit", "n_inner", n_inner, 0, MOST)
    if 0 < n_inner < 10:
        raise InputError(
            parameter="n_inner",
            expected="0 or an integer of at least 10",
            got=f"{n_inner}",
            where="audit",
        )
    check_n_jobs(n_jobs)
    limit = check_minutes("audit", minutes)
    wanted = _checked_differences(differences)
    if positive is not None:
        network = network.one_against_rest(positive)
    source = Source.of(network, a, b, communities, seed)
    training_size("audit", labeled, network.labeled.size)
    check_extent("audit", n_splits, network.labeled.size)
    inner = n_inner if source.pair is not None else 0
    calibration = CALIBRATION if source.pair is not None else n_replicates
    trial: dict[str, Any] = {"labeled": labeled, "n_splits": n_splits, "n_inner": inner}
    workers = effective_n_jobs(n_jobs)
    _check_pace(source, trial, len(wanted), n_replicates / workers, calibration, limit)
    with Progress("drawn networks", total=calibration + n_replicates, enabled=progress) as bar:
        plain = source.rates(
            np.zeros((1, 2)),
            CALIBRATING,
            labeled=labeled,
            n_splits=n_splits,
            n_replicates=calibration,
            progress=bar,
        )
        errors = plain[:, 0].mean(axis=(0, 2))
        chances, scale = worsened("audit", network, errors, wanted)
        trials = []
        pool = Parallel(n_jobs=workers, return_as="generator")
        for one in pool(
            delayed(run_trial)(source, number, chances, **trial) for number in range(n_replicates)
        ):
            trials.append(one)
            bar.advance()
    found = np.array([one.differences for one in trials]) / scale
    tests = _tests(trials, wanted)
    group = source.blocks.community.astype(np.int32)
    first, second = source.models
    return Audit(
        network=network,
        models=(first, second),
        labeled=float(labeled),
        n_splits=n_splits,
        seed=source.entropy,
        errors=(float(errors[0]), float(errors[1])),
        differences=wanted,
        handicaps=chances,
        measured=found.mean(axis=0),
        measured_error=found.std(axis=0, ddof=1) / np.sqrt(n_replicates),
        tests=tests,
        recommended=_recommended(tests, n_replicates),
        n_replicates=n_replicates,
        n_inner=inner,
        warnings=tuple(community_warnings(group)),
        settings=communities_note(source.by, group, source.network, source.entropy)
        | {
            "effective_communities": effective_number(np.bincount(group)),
            "n_calibration": calibration,
            "compiled": source.pair is not None,
            "halves": not source.copies,
            "versions": versions(),
        },
    )


def _checked_differences(differences: Sequence[float]) -> tuple[float, ...]:
    found = tuple(scalar("differences", value) for value in differences)
    if not found or not all(0 < x < y for x, y in zip(found, (*found[1:], 1.0))):
        raise InputError(
            parameter="differences",
            expected="increasing numbers above 0 and below 1, such as 0.01, 0.03",
            got=shown(list(differences)),
            where="audit",
        )
    return (0.0, *found)


def worsened(
    what: str, network: Network, errors: Floats, differences: tuple[float, ...]
) -> tuple[Floats, float]:
    """Return how models are made to differ, as `Source.rates` takes it, and the unit of errors.

    Handicaps and 1 for classes; for numbers variances of noise and the larger squared error.
    """
    handicap = HANDICAPS[task_of(network).name]
    return handicap.sizes(what, network, errors, differences), handicap.unit(errors)


def _check_pace(
    source: Source,
    trial: dict[str, Any],
    n_differences: int,
    n_replicates: float,
    calibration: int,
    minutes: float,
) -> None:
    """Measure one replicate and refuse what would take longer than allowed."""
    none = np.zeros((n_differences, 2))
    one = seconds_of(lambda: run_trial(source, 0, none, **trial))
    few = {"labeled": trial["labeled"], "n_splits": trial["n_splits"], "n_replicates": 1}
    plain = seconds_of(lambda: source.rates(none[:1], CALIBRATING, **few))
    refuse_slow(
        "audit",
        n_replicates * one + calibration * plain,
        minutes,
        "use fewer replicates, splits, or inner replicates of the bootstrap",
    )


def _tests(trials: Sequence[Trial], differences: tuple[float, ...]) -> tuple[AuditedTest, ...]:
    first: dict[Key, str] = {}
    for trial in trials:
        first = {**trial.questions, **first}
    found = []
    for key, question in first.items():
        nothing = np.full(len(differences), np.nan)
        pvalues = np.array([trial.pvalues.get(key, nothing) for trial in trials])
        rates = []
        for difference, column in zip(differences, pvalues.T):
            rejected = int((column < LEVEL).sum())
            ends = proportion_interval(rejected, column.size)
            rates.append(
                Rate(
                    difference,
                    rejected / column.size,
                    float(ends.ci_low),
                    float(ends.ci_high),
                    int(np.isnan(column).sum()),
                )
            )
        found.append(AuditedTest(key.test, key.design, question, tuple(rates)))
    return tuple(found)


def _recommended(tests: Sequence[AuditedTest], n_replicates: int) -> str:
    """Return the valid test with the most power; of those as powerful, the first in the table."""
    allowed = [test for test in tests if test.is_safe and test.for_networks]
    if not allowed:
        return ""
    most = max(test.power for test in allowed)
    error = float(np.sqrt(most * (1 - most) / n_replicates))
    return next(test.title for test in allowed if test.power >= most - error)
