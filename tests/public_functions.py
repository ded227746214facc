"""Every public function of stats and metrics, with an example call that is built from its names.

The rules for rounding noise, labels, degenerate data and indexes are tests over all of them
(test_rules.py). A function is found by its name in `nettrial.stats` or `nettrial.metrics`, and
its example by the names of its parameters, so that a new one is held to the rules without being
added anywhere. Where its parameters mean something else, or have new names, it needs an entry
below, or the tests fail; a new name has to say too whether it holds measured values, labels or
neither. A function whose result does not say whether it is `degenerate` has to give the reason in
WITHOUT_DEGENERATE.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from nettrial import metrics, stats

FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"{package.__name__.rpartition('.')[2]}.{name}": getattr(package, name)
    for package in (stats, metrics)
    for name in package.__all__
    if inspect.isfunction(getattr(package, name))
}
# what makes a measure computes none
PUBLIC = {name: found for name, found in FUNCTIONS.items() if name != "metrics.custom_measure"}

# errors with two decimals, many of them tied, as published tables have them
TABLE = np.array(
    [
        [0.30, 0.20, 0.25],
        [0.10, 0.10, 0.15],
        [0.70, 0.60, 0.70],
        [0.45, 0.40, 0.40],
        [0.35, 0.30, 0.45],
        [0.60, 0.55, 0.60],
        [0.80, 0.80, 0.85],
        [0.20, 0.30, 0.25],
        [0.15, 0.10, 0.20],
        [0.55, 0.45, 0.50],
    ]
)
A, B, C = TABLE.T
CLUSTERS = list("aabbccddee")
LABELS = [0, 1, 1, 0, 1, 0, 1, 0, 0, 1]
GUESSES = [0, 1, 0, 0, 1, 1, 1, 0, 1, 1]
RSC = {
    "n": 210, "m": 300, "links": 1260, "p_a": 0.4, "p_b": 0.4, "q_a": 0.6, "q_b": 0.6,
    "rho_a": 0.1, "rho_b": 0.1,
}  # fmt: skip

# what measured values look like, by the name of the parameter
EXAMPLES: dict[str, Any] = {
    "a": A,
    "b": B,
    "x": A,
    "values": TABLE,
    "groups": [A, B, C],
    "clusters": CLUSTERS,
    "labels": LABELS,
    "predictions": GUESSES,
    "truth": LABELS,
    "scores": A,
    "scores_a": A,
    "scores_b": C,
    "labels_a": LABELS,
    "labels_b": GUESSES,
    "probabilities": A,
    "queries": [(LABELS, A), (GUESSES, B)],
    "pvalues": A,
    "estimates": A,
    "standard_errors": B,
    "estimate": A[:3],
    "covariance": np.diag([0.1, 0.2, 0.3]),
    "replicates": TABLE,
    "first": ["A", "A", "B"],
    "second": ["B", "C", "C"],
    "outcomes": (TABLE > 0.4).astype(int),
    "table": [[5, 8], [3, 20]],
    "errors": 12,
    "n": 40,
    "errors_a": 12,
    "errors_b": 5,
    "n_a": 40,
    "n_b": 50,
    "x_a": 12,
    "x_b": 5,
    "larger": 8,
    "smaller": 3,
    "tp": 3,
    "fp": 2,
    "fn": 1,
    "tn": 5,
    "rho": 0.1,
    "n_train": 90,
    "n_test": 10,
    "k": 3,
    "n_data_sets": 10,
    "effect_size": 0.8,
    "p_a": 0.3,
    "p_b": 0.2,
    "p_only_a": 0.2,
    "p_only_b": 0.05,
    "probability": 0.8,
    "names": ["A", "B", "C"],
    "different": [("A", "B")],
    "name": "wilcoxon",
    "za": A,
    "zb": B,
    "graph": sp.diags_array([np.ones(9)], offsets=[1], shape=(10, 10)).tocsr(),
    "data_sets": CLUSTERS,
    "result": stats.paired_t_test(A, B),
    "margin": 0.1,
    "function": lambda truth, guess: float(np.mean(truth != guess)),
    "better": "lower",
    "halves": TABLE[:6, :2],
    "inner": np.stack([TABLE.T[:, :8]] * 6).reshape(2, 3, 2, 12)[..., :4],
    "contributions": stats.cluster_contributions(TABLE.T, CLUSTERS),
}  # fmt: skip
# where a name means something else
OVERRIDES: dict[str, dict[str, Any]] = {
    "stats.corrected_repeated_kfold_t_test": {"a": A.reshape(2, 5), "b": B.reshape(2, 5)},
    "stats.cv5x2_t_test": {"a": A.reshape(5, 2), "b": B.reshape(5, 2)},
    "stats.cv5x2_f_test": {"a": A.reshape(5, 2), "b": B.reshape(5, 2)},
    "stats.cluster_mean_test": {"values": A},
    "stats.cluster_contributions": {"values": TABLE.T},
    "stats.network_hac_test": {"values": A},
    "stats.manova_test": {"values": TABLE[:, :2], "groups": CLUSTERS},
    "stats.hotelling_paired_test": {"a": TABLE[:, :2], "b": TABLE[:, 1:]},
    "stats.hotelling_two_sample_test": {"a": TABLE[:, :2], "b": TABLE[:8, 1:]},
    "stats.mcnemar_test_predictions": {"a": GUESSES, "b": LABELS[::-1]},
    "stats.rsc_paired_t_test": RSC,
    "stats.rsc_unpaired_t_test": RSC,
    "stats.mcnemar_power": {"n": 300},
    "metrics.calibration": {"n_resamples": 9},
    "stats.delong_comparisons": {"scores": TABLE},
    "stats.delong_omnibus_test": {"scores": TABLE},
    "stats.bayesian_hierarchical_test": {"n_samples": 3200, "data_sets": list("aaaaabbbbb")},
    "stats.bayesian_signed_rank_test": {"n_samples": 2000},
    "stats.almost_stochastic_order": {"n_resamples": 50},
    "stats.two_proportion_score_test": {"n_a": 30},
    "stats.adjusted_pvalues": {"names": None},
    "stats.adjust_pairs": {"pvalues": A},
    "stats.conservative_z_test": {"values": A},
    "stats.nested_cv_test": {"values": TABLE[:8].reshape(2, 3, 4)},
    "stats.delong_unpaired_test": {"labels_b": GUESSES[:8], "scores_b": C[:8]},
    "stats.delong_multiclass_test": {"scores_a": TABLE[:, :2], "scores_b": TABLE[:, 1:]},
    "stats.compare_cv_results": {"a": {"test_score": A}, "b": {"test_score": B}},
}
# samples of different test sets: pairing them is nothing that these functions do
for _name in (
    "pooled_t_test",
    "welch_t_test",
    "cliffs_delta",
    "cohens_d",
    "hedges_g",
    "mann_whitney_test",
    "almost_stochastic_order",
    "two_sample_permutation_test",
):
    OVERRIDES[f"stats.{_name}"] = {"b": B[:8]}

# parameters that hold measured values, on which rounding leaves its noise
MEASURED = {
    "a", "b", "x", "values", "groups", "scores", "scores_a", "scores_b", "probabilities",
    "queries", "pvalues", "estimates", "standard_errors", "estimate", "covariance", "replicates",
    "za", "zb", "halves", "inner",
}  # fmt: skip
LABEL_NAMES = ("truth", "labels", "predictions", "labels_a", "labels_b")
# parameters that hold neither: counts, sizes, names, settings, results of other functions
NEITHER = {
    "clusters", "first", "second", "outcomes", "table", "errors", "n", "errors_a", "errors_b",
    "n_a", "n_b", "x_a", "x_b", "larger", "smaller", "tp", "fp", "fn", "tn", "rho", "n_train",
    "n_test", "k", "n_data_sets", "effect_size", "p_a", "p_b", "p_only_a", "p_only_b",
    "probability", "names", "different", "name", "graph", "data_sets", "result", "margin",
    "function", "better", "contributions",
}  # fmt: skip
_POSTERIOR = "a posterior, as likely on both sides where nothing differs"
_DESIGN = "the power of a design, without data"
_COUNTED = "counts, whose distribution is known where they do not vary too"
_ADJUSTED = "p-values that were made elsewhere"
_PART = "a part of other functions, which tell"
_CASES = "a measure of cases, which has a value where all are of one class"
_CLASSES = "a measure that compares classes, NaN where there is one"
_CURVE = "a curve, NaN where it has no classes to compare"
# why the result of a function does not say whether it is degenerate
WITHOUT_DEGENERATE = {
    "stats.adjust": _ADJUSTED,
    "stats.adjusted_pvalues": _ADJUSTED,
    "stats.adjust_pairs": _ADJUSTED,
    "stats.bayesian_hierarchical_test": _POSTERIOR,
    "stats.bayesian_sign_test": _POSTERIOR,
    "stats.bayesian_signed_rank_test": _POSTERIOR,
    "stats.beta_posterior": _COUNTED,
    "stats.cluster_contributions": _PART,
    "stats.compact_letters": _PART,
    "stats.critical_difference": _DESIGN,
    "stats.mcnemar_power": _DESIGN,
    "stats.mcnemar_sample_size": _DESIGN,
    "stats.normal_quantiles": "a picture; its test has no p where nothing varies",
    "stats.proportion_interval": _COUNTED,
    "stats.recommend": _DESIGN,
    "stats.sign_power": _DESIGN,
    "stats.sign_sample_size": _DESIGN,
    "stats.specification": _DESIGN,
    "stats.t_alpha": _DESIGN,
    "stats.t_effect_size": _DESIGN,
    "stats.t_power": _DESIGN,
    "stats.t_sample_size": _DESIGN,
    "stats.two_proportions_power": _DESIGN,
    "stats.two_proportions_sample_size": _DESIGN,
    "metrics.auc": _CLASSES,
    "metrics.average_precision": _CURVE,
    "metrics.balanced_accuracy": _CASES,
    "metrics.binary_rates": _CURVE,
    "metrics.calibration": _CASES,
    "metrics.confusion_matrix": _CASES,
    "metrics.error": _CASES,
    "metrics.f_beta": _CASES,
    "metrics.log_loss": _CASES,
    "metrics.log_losses": _CASES,
    "metrics.matthews_correlation": _CLASSES,
    "metrics.mean_average_precision": _CURVE,
    "metrics.precision": _CASES,
    "metrics.precision_recall_curve": _CURVE,
    "metrics.recall": _CASES,
    "metrics.roc_curve": _CURVE,
    "metrics.specificity": _CLASSES,
    "metrics.squared_loss": _CASES,
    "metrics.squared_losses": _CASES,
    "metrics.threshold_curve": _CURVE,
}

# values in which 1 is a given: rates, probabilities, p-values, margins and ropes
UNIT_COUNTS = {
    "stats.adjust",
    "stats.adjusted_pvalues",
    "stats.adjust_pairs",
    "stats.bayesian_correlated_t_test",
    "stats.bayesian_hierarchical_test",
    "stats.equivalence_test",
    "stats.noninferiority_test",
    "stats.proportion_equivalence_test",
    "stats.rsc_paired_t_test",
    "stats.rsc_unpaired_t_test",
    "metrics.calibration",
    "metrics.log_loss",
    "metrics.log_losses",
    "metrics.squared_loss",
    "metrics.squared_losses",
}


def example(name: str) -> dict[str, Any]:
    """Return arguments for a public function: those it requires, and `b` where it has one."""
    arguments = dict(OVERRIDES.get(name, {}))
    for parameter in inspect.signature(PUBLIC[name]).parameters.values():
        if parameter.name in arguments or parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.default is parameter.empty or parameter.name == "b":
            assert parameter.name in EXAMPLES, (
                f"{name}: no example of its parameter {parameter.name!r}; add one to EXAMPLES or "
                "OVERRIDES in tests/public_functions.py"
            )
            arguments[parameter.name] = EXAMPLES[parameter.name]
    return arguments


def call(name: str, arguments: Mapping[str, Any]) -> Any:
    return PUBLIC[name](**arguments)


def labels_of(name: str, arguments: Mapping[str, Any]) -> list[str]:
    """Return the parameters of a function that hold class labels."""
    found = [key for key in arguments if key in LABEL_NAMES]
    if "truth" in arguments:
        found += [key for key in ("a", "b") if key in arguments]
    return found


def measured_of(name: str, arguments: Mapping[str, Any]) -> list[str]:
    """Return the parameters of a function that hold measured values."""
    labels = labels_of(name, arguments)
    if name == "stats.manova_test":
        labels = ["groups"]
    return [key for key in arguments if key in MEASURED and key not in labels]


def over_arrays(change: Callable[[np.ndarray], np.ndarray], value: Any) -> Any:
    """Apply a change to every array of floats in an argument."""
    if isinstance(value, dict):
        return {key: over_arrays(change, item) for key, item in value.items()}
    if isinstance(value, list):
        return [over_arrays(change, item) for item in value]
    if isinstance(value, tuple):
        return tuple(over_arrays(change, item) for item in value)
    array = np.asarray(value)
    return change(array) if array.dtype.kind == "f" else value
