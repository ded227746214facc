"""Small comparisons for tests of what is made of them: text, plots, pages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy import stats

from nettrial.comparison.result import Comparison
from nettrial.core.errors import AssumptionWarning, OverlappingTestSetsWarning
from nettrial.inference.estimates import estimate_errors, estimates_table
from nettrial.inference.outcome import OTHER_NETWORKS, OTHER_SPLITS, NetworkTest
from nettrial.metrics.measures import MEASURES
from nettrial.network.network import Network
from nettrial.network.summary import autocorrelation
from nettrial.splits.base import Split
from nettrial.study.measured import contributions
from nettrial.study.node_study import NOT_TESTED, Predictions

NAN = float("nan")


def make_comparison(
    *,
    n_nodes: int = 120,
    n_communities: int = 8,
    n_splits: int = 10,
    a: str = "wvRN",
    b: str = "nBC",
    classes: tuple[Hashable, ...] = ("no", "yes"),
    ids: Sequence[Hashable] | None = None,
    name: str = "groups",
    attributes: dict[str, Any] | None = None,
    tests: Sequence[NetworkTest] | None = None,
    warnings: tuple[Warning, ...] = (),
    settings: dict[str, Any] | None = None,
    edge: float = 0.05,
    seed: int = 0,
) -> Comparison:
    """Compare two made-up models whose errors cluster in communities; b errs `edge` less."""
    rng = np.random.default_rng(seed)
    communities = rng.integers(n_communities, size=n_nodes).astype(np.int32)
    network = _network(rng, communities, classes, ids, name, attributes)
    splits = [_split(rng, n_nodes) for _ in range(n_splits)]
    hard = rng.random((2, n_communities)) < 0.25
    probabilities = {
        model: tuple(
            _proba(rng, network, split, np.where(hard[row][communities], 0.6, 0.15) + shift)
            for split in splits
        )
        for row, (model, shift) in enumerate(((a, edge / 2), (b, -edge / 2)))
    }
    predictions = Predictions(network, tuple(splits), (a, b), probabilities)
    found = {model: estimate_errors(network, predictions.errors(model)) for model in (a, b)}
    made = tuple(_tests(predictions, a, b, communities) if tests is None else tests)
    return Comparison(
        a=a,
        b=b,
        predictions=predictions,
        design="rrs",
        labeled=0.3,
        seed=seed,
        confidence=0.95,
        communities=communities,
        tests=made,
        recommended="cluster_robust_t",
        reason="it answers for other networks and does not depend on the number of splits.",
        estimates=estimates_table(found)
        | {
            "autocorrelation": autocorrelation(network),
            "lemma1": {
                model: {
                    "verdict": "positive definite",
                    "rho": 0.1,
                    "rho_low": -0.2,
                    "rho_high": 0.3,
                }
                for model in (a, b)
            },
        },
        warnings=warnings,
        settings=settings or {"cross_links": "keep", "versions": {"numpy": np.__version__}},
        scores_by_split={
            model: np.array(
                [
                    contributions(predictions, model, number, MEASURES["error"]).mean()
                    for number in range(n_splits)
                ]
            )
            for model in (a, b)
        },
    )


def make_test(name: str, pvalue: float = 0.2, **changes: Any) -> NetworkTest:
    """One test with numbers of one's choice."""
    values: dict[str, Any] = {
        "name": name,
        "method": name.replace("_", " "),
        "question": OTHER_SPLITS if name == "paired_t" else OTHER_NETWORKS,
        "estimate": 0.02,
        "standard_error": 0.01,
        "ci_low": 0.0,
        "ci_high": 0.04,
        "df": 9.0,
        "pvalue": pvalue,
        "warnings": (),
        "details": {},
    }
    return NetworkTest(**values | changes)


def _network(
    rng: np.random.Generator,
    communities: np.ndarray,
    classes: tuple[Hashable, ...],
    ids: Sequence[Hashable] | None,
    name: str,
    attributes: dict[str, Any] | None,
) -> Network:
    n = communities.size
    order = np.argsort(communities, kind="stable")
    near = np.stack([order[:-1], order[1:]])
    far = rng.integers(n, size=(2, 2 * n))
    same = far[:, rng.random(2 * n) < 0.5]
    majority = communities % len(classes)
    codes = np.where(rng.random(n) < 0.8, majority, rng.integers(len(classes), size=n))
    return Network(
        *np.concatenate([near, same], axis=1),
        n_nodes=n,
        labels=[classes[code] for code in codes],
        classes=classes,
        ids=ids,
        name=name,
        attributes=attributes,
    )


def _split(rng: np.random.Generator, n: int) -> Split:
    train = np.sort(rng.choice(n, size=max(1, round(0.3 * n)), replace=False))
    rest = np.setdiff1d(np.arange(n), train)
    return Split(train, rest, rest)


def _proba(
    rng: np.random.Generator, network: Network, split: Split, error: np.ndarray
) -> np.ndarray:
    k = network.n_classes
    labels = network.labels[split.test]
    wrong = rng.random(split.test.size) < error[split.test]
    predicted = np.where(wrong, (labels + 1) % k, labels)
    return np.asarray(0.2 / k + 0.8 * np.eye(k)[predicted], dtype=np.float32)


def _tests(predictions: Predictions, a: str, b: str, communities: np.ndarray) -> list[NetworkTest]:
    errors = [predictions.errors(model) for model in (a, b)]
    tested = errors[0] != NOT_TESTED
    x = [(matrix == 1).sum(axis=1) / tested.sum(axis=1) for matrix in errors]
    difference = x[0] - x[1]
    k, mean = difference.size, float(difference.mean())
    se = float(difference.std(ddof=1) / np.sqrt(k)) if k > 1 else NAN
    corrected = se * np.sqrt(1 + k * 0.7 / 0.3)
    sums = np.bincount(communities, ((errors[0] == 1).sum(0) - (errors[1] == 1).sum(0)))
    groups = np.bincount(communities, tested.sum(axis=0))
    residual = sums - mean * groups
    clustered = float(np.sqrt((residual**2).sum()) / groups.sum())
    overlap = OverlappingTestSetsWarning("a node is in several test sets: the p-value is too small")
    return [
        _t("cluster_robust_t", "t-test clustered by community", mean, clustered, groups.size - 1),
        make_test(
            "cluster_sign_flip", 0.13, method="sign flips of community sums", estimate=mean,
            standard_error=NAN, ci_low=NAN, ci_high=NAN, df=None,
        ),
        _t("nadeau_bengio", "corrected resampled t-test", mean, corrected, k - 1,
           AssumptionWarning("made for independent nodes")),
        _t("paired_t", "paired t-test", mean, se, k - 1, overlap, question=OTHER_SPLITS),
        _t("pooled_t", "pooled t-test", mean, 1.3 * se, 2 * k - 2, overlap, question=OTHER_SPLITS),
    ]  # fmt: skip


def _t(
    name: str,
    method: str,
    mean: float,
    se: float,
    df: int,
    *warnings: Warning,
    question: str = OTHER_NETWORKS,
) -> NetworkTest:
    half = float(stats.t.ppf(0.975, df)) * se if df > 0 else NAN
    p = float(2 * stats.t.sf(abs(mean) / se, df)) if df > 0 and se > 0 else NAN
    return make_test(
        name,
        p,
        method=method,
        question=question,
        estimate=mean,
        standard_error=se,
        ci_low=mean - half,
        ci_high=mean + half,
        df=float(df),
        warnings=warnings,
    )
