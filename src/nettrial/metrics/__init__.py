"""Measures of one classifier: from predictions, from scores, from probabilities."""

from __future__ import annotations

from .calibration import Calibration, calibration
from .classification import (
    balanced_accuracy,
    error,
    f_beta,
    matthews_correlation,
    precision,
    recall,
    specificity,
)
from .confusion import ConfusionMatrix, confusion_matrix
from .curves import (
    PrecisionRecallCurve,
    RocCurve,
    ThresholdCurve,
    precision_recall_curve,
    roc_curve,
    threshold_curve,
)
from .losses import log_loss, log_losses, squared_loss, squared_losses
from .measures import Measure, custom_measure
from .ranking import average_precision, mean_average_precision
from .rates import BinaryRates, binary_rates
from .roc import AreaUnderCurve, auc

__all__ = [
    "AreaUnderCurve",
    "BinaryRates",
    "Calibration",
    "ConfusionMatrix",
    "Measure",
    "PrecisionRecallCurve",
    "RocCurve",
    "ThresholdCurve",
    "auc",
    "average_precision",
    "balanced_accuracy",
    "binary_rates",
    "calibration",
    "confusion_matrix",
    "custom_measure",
    "error",
    "f_beta",
    "log_loss",
    "log_losses",
    "matthews_correlation",
    "mean_average_precision",
    "precision",
    "precision_recall_curve",
    "recall",
    "roc_curve",
    "specificity",
    "squared_loss",
    "squared_losses",
    "threshold_curve",
]
