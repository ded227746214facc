"""Network classifiers and the protocol that any other model can follow."""

from __future__ import annotations

from ..core.lazy_names import lazily

_HOME = {
    "APPNP": "graph_networks",
    "BatchModel": "base",
    "BatchRegressor": "base",
    "CDRN": "cdrn",
    "Convergence": "convergence",
    "FeatureClassifier": "sklearn_adapter",
    "FeatureRegressor": "sklearn_adapter",
    "FullBatch": "torch_adapter",
    "GCN": "graph_networks",
    "GibbsSampling": "gibbs",
    "IterativeClassification": "iterative",
    "LinkPredictor": "link_predictors",
    "MLP": "graph_networks",
    "Mean": "regressors",
    "Model": "base",
    "NBC": "nbc",
    "NLB": "link_based",
    "NeighborBatches": "mini_batches",
    "NeuralNetwork": "neural",
    "NeuralRegressor": "neural_regression",
    "NoInference": "iterative",
    "NodeClassifier": "sklearn_estimator",
    "Prior": "prior",
    "PyGCorrectAndSmooth": "pyg_baselines",
    "PyGLabelPropagation": "pyg_baselines",
    "Regressor": "base",
    "RelationalMean": "regressors",
    "RelaxationLabeling": "relaxation",
    "SAGE": "graph_networks",
    "SGC": "graph_networks",
    "TorchData": "torch_data",
    "TorchModel": "torch_adapter",
    "TrainingFunction": "training_function",
    "WVRN": "wvrn",
    "Tuned": "tuning",
    "TunedRegressor": "tuning",
    "as_link_predictor": "link_predictors",
    "as_model": "adapted",
    "by_name": "names",
    "predict_labels": "decide",
    "tuned": "tuning",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazily(__name__, _HOME)
