"""scikit-learn on both sides: its classifiers as models, and models as its classifiers."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

import nettrial
from nettrial import metrics
from nettrial.core.errors import InputError
from nettrial.models import NBC, WVRN, FeatureClassifier, FeatureRegressor, NodeClassifier, as_model
from nettrial.models.node_tables import degrees, node_table
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.splits.base import Split
from nettrial.study.node_study import run
from timeless import timeless

USES = ("features", "neighbors", "both")


def featured(n: int = 120, seed: int = 1, *, sparse: bool = False) -> Network:
    """A network whose features tell something of the class."""
    made = nettrial.latent_group_network(n, seed=seed)
    source, target = made.simple_links()
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 4)) + made.labels[:, None]
    if sparse:
        features = sp.csr_array(np.where(features > 1, 1.0, 0.0))
    weight = rng.integers(1, 4, size=source.size).astype(float)
    return Network(
        source,
        target,
        n_nodes=n,
        weight=weight,
        features=features,
        labels=[made.classes[c] for c in made.labels],
    )


@pytest.fixture(scope="module")
def network() -> Network:
    return featured()


def dense_table(network: Network, use: str) -> np.ndarray:
    """The node table by loops over nodes and neighbors."""
    adjacency = network.adjacency().toarray()
    features = network.features.toarray() if sp.issparse(network.features) else network.features
    degree = np.log1p((adjacency > 0).sum(axis=1))
    rows = []
    for i in range(network.n_nodes):
        around = [j for j in range(network.n_nodes) if adjacency[i, j] > 0]
        total = sum(adjacency[i, j] for j in around)
        mean = [sum(adjacency[i, j] * degree[j] for j in around) / total if around else 0.0]
        means = [
            sum(adjacency[i, j] * features[j, f] for j in around) / total if around else 0.0
            for f in range(features.shape[1])
        ]
        own = [degree[i], *mean, np.log1p(total)]
        rows.append([*(features[i] if use == "both" else []), *own, *means])
    return np.array(rows)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("use", ["neighbors", "both"])
def test_the_node_table_is_what_loops_give(use: str, sparse: bool) -> None:
    network = featured(60, sparse=sparse)
    table = node_table(network, use)
    assert sp.issparse(table) == sparse
    found = table.toarray() if sparse else table
    np.testing.assert_allclose(found, dense_table(network, use), rtol=1e-12)


def test_direction_decides_which_neighbors_count() -> None:
    network = Network([0, 0], [1, 2], n_nodes=3, directed=True)
    assert (degrees(network, "out")[:, 0] > 0).tolist() == [True, False, False]
    assert (degrees(network, "in")[:, 0] > 0).tolist() == [False, True, True]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("sparse", [False, True])
def test_a_model_predicts_what_the_classifier_predicts(use: str, sparse: bool) -> None:
    network = featured(sparse=sparse)
    train, test = np.arange(0, 120, 2), np.arange(1, 120, 2)
    table = node_table(network, use)
    alone = LogisticRegression(max_iter=500).fit(table[train], network.labels[train])
    model = FeatureClassifier(LogisticRegression(max_iter=500), use=use)
    seen = network.mask_labels(train)
    found = model.fit(seen, train).predict_proba(seen, test)
    np.testing.assert_array_equal(found, alone.predict_proba(table[test]))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    "estimator",
    [
        RandomForestClassifier(n_estimators=5),
        make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
        LinearSVC(dual="auto"),
    ],
)
def test_hidden_labels_do_not_reach_a_classifier(
    network: Network, use: str, estimator: object
) -> None:
    splits = RandomResampling(n_splits=2, labeled=0.3, seed=2).split_network(network)
    rng = np.random.default_rng(0)
    for split in splits:
        labels = network.labels.copy()
        labels[split.test] = rng.permutation(labels[split.test])
        other = network._with_labels(labels)
        model = FeatureClassifier(estimator, use=use)
        one, two = (
            run(net, {"m": model}, [split]).probabilities["m"][0] for net in (network, other)
        )
        assert one.tobytes() == two.tobytes()


def test_the_same_seed_gives_the_same_forest_and_another_seed_another(network: Network) -> None:
    train, test = np.arange(40), np.arange(40, 120)

    def fit(seed: int) -> bytes:
        model = FeatureClassifier(make_pipeline(RandomForestClassifier(n_estimators=5)))
        return model.fit(network, train, seed=seed).predict_proba(network, test).tobytes()

    assert fit(3) == fit(3) != fit(4)


def test_a_random_state_that_the_user_set_stays(network: Network) -> None:
    model = FeatureClassifier(RandomForestClassifier(n_estimators=3, random_state=5))
    assert model.fit(network, np.arange(40), seed=9).fitted_.random_state == 5
    assert model.estimator.random_state == 5


def test_classes_without_training_node_get_nothing() -> None:
    network = Network(
        [0, 1, 2], [1, 2, 3], n_nodes=4, labels=list("abca"), features=np.eye(4)
    )  # c is never learnt
    model = FeatureClassifier(LogisticRegression()).fit(network, np.array([0, 1]))
    proba = model.predict_proba(network, np.array([2, 3]))
    assert (proba[:, 2] == 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    alone = FeatureClassifier(LogisticRegression()).fit(network, np.array([0, 3]))
    assert alone.predict_proba(network, np.array([1, 2])).tolist() == [[1, 0, 0], [1, 0, 0]]


def test_without_features_degrees_do_and_the_rest_is_refused(words) -> None:
    network = nettrial.latent_group_network(80, seed=1)
    forest = RandomForestClassifier(n_estimators=3)
    quick = {"n_splits": 3, "test": "network_hac"}
    found = nettrial.compare(network, FeatureClassifier(forest, use="neighbors"), "wvrn", **quick)
    assert found.a == "RandomForestClassifier (neighbors)"
    for use in ("features", "both"):
        with words.raises(InputError):
            nettrial.compare(network, FeatureClassifier(forest, use=use), "wvrn")
    with words.raises(InputError):
        FeatureClassifier(forest, use="feature").fit(network, np.arange(9))


def test_training_nodes_need_labels(network: Network, words) -> None:
    hidden = network.mask_labels(np.array([1, 2]))
    with words.raises(InputError):
        FeatureClassifier(LogisticRegression()).fit(hidden, np.array([0, 1]))
    with words.raises(InputError):
        FeatureClassifier(LogisticRegression()).fit(network, np.array([], dtype=int))
    with words.raises(InputError):
        FeatureClassifier(LogisticRegression()).predict_proba(network, np.array([0]))


def test_compare_takes_a_bare_classifier(network: Network) -> None:
    options = {"n_splits": 3, "test": "network_hac"}
    bare = nettrial.compare(network, LogisticRegression(), "wvrn", **options)
    wrapped = nettrial.compare(network, FeatureClassifier(LogisticRegression()), "wvrn", **options)
    assert timeless(bare) == timeless(wrapped)
    assert bare.a == "LogisticRegression"


@pytest.mark.parametrize("given", [3, None, LogisticRegression, WVRN])
def test_what_is_no_model_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="expected the name of a built-in model"):
        as_model(given)


# the other direction


@pytest.fixture(scope="module")
def samples(network: Network) -> tuple[np.ndarray, np.ndarray]:
    nodes = np.arange(network.n_nodes).reshape(-1, 1)
    return nodes, np.array(network.classes)[network.labels]


@pytest.mark.parametrize("model", ["wvrn", NBC(), FeatureClassifier(LogisticRegression())])
def test_cross_validation_gives_what_the_splits_give(
    network: Network, samples: tuple[np.ndarray, np.ndarray], model: object
) -> None:
    design = RandomResampling(n_splits=4, labeled=0.4, seed=3)
    splits = design.split_network(network)
    nodes, y = samples
    cv = [(split.train, split.test) for split in splits]
    found = cross_validate(NodeClassifier(network, model), nodes, y, cv=cv)["test_score"]
    predictions = run(network, {"m": as_model(model)}, splits)
    errors = predictions.errors("m")
    np.testing.assert_allclose(
        1 - found, [(row == 1).sum() / (row >= 0).sum() for row in errors], atol=1e-12
    )


def test_the_labels_of_the_network_are_not_used(
    network: Network, samples: tuple[np.ndarray, np.ndarray]
) -> None:
    nodes, y = samples
    bare = network.mask_labels(np.array([], dtype=int))
    wrong = network._with_labels(np.random.default_rng(0).permutation(network.labels))
    results = [
        cross_val_predict(NodeClassifier(net, "nbc"), nodes, y, cv=4, method="predict_proba")
        for net in (network, bare, wrong)
    ]
    assert results[0].tobytes() == results[1].tobytes() == results[2].tobytes()


@pytest.mark.slow
def test_pipelines_grids_clones_and_copies_keep_the_network_whole(
    network: Network, samples: tuple[np.ndarray, np.ndarray]
) -> None:
    nodes, y = samples
    pipeline = make_pipeline(FunctionTransformer(), NodeClassifier(network))
    assert cross_validate(pipeline, nodes, y, cv=3)["test_score"].mean() > 0.5
    grid = GridSearchCV(NodeClassifier(network), {"model": ["wvrn", "nbc"]}, cv=3).fit(nodes, y)
    assert grid.best_estimator_.network is network
    assert copy.deepcopy(network) is network
    again = pickle.loads(pickle.dumps(grid.best_estimator_))  # noqa: S301 - made here
    assert (again.predict(nodes) == grid.predict(nodes)).all()


def test_classes_are_those_of_the_training_nodes(network: Network) -> None:
    found = NodeClassifier(network).fit([[0], [1], [5]], ["u", "v", "u"])
    assert found.classes_.tolist() == ["u", "v"]
    assert found.predict_proba([[7], [8]]).shape == (2, 2)
    assert set(found.predict(np.arange(100))) <= {"u", "v"}


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.5], [1.0]], [0, 1]),
        ([[0], [120]], [0, 1]),
        ([[-1], [2]], [0, 1]),
        ([[0, 1], [2, 3]], [0, 1]),
        ([[0], [0]], [0, 1]),
        ([[0], [1]], [0]),
    ],
)
def test_samples_that_are_no_nodes_are_refused(
    network: Network, X: object, y: object, words
) -> None:
    with words.raises(InputError):
        NodeClassifier(network).fit(X, y)


# checks that hand over a table of floats in several columns, which names no nodes
NEED_A_TABLE = {
    "check_classifier_data_not_an_array", "check_classifiers_classes",
    "check_classifiers_one_label", "check_classifiers_train", "check_dict_unchanged",
    "check_dont_overwrite_parameters", "check_dtype_object", "check_estimators_dtypes",
    "check_estimators_fit_returns_self", "check_estimators_nan_inf",
    "check_estimators_overwrite_params", "check_estimators_pickle",
    "check_f_contiguous_array_estimator", "check_fit2d_1feature", "check_fit2d_1sample",
    "check_fit2d_predict1d", "check_fit_check_is_fitted", "check_fit_idempotent",
    "check_fit_score_takes_y", "check_methods_sample_order_invariance",
    "check_methods_subset_invariance", "check_n_features_in", "check_n_features_in_after_fitting",
    "check_pipeline_consistency", "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input", "check_supervised_y_2d",
}  # fmt: skip
# of classifiers alone: FeatureClassifier is handed networks and is no classifier of tables
OF_CLASSIFIERS = {
    "check_classifier_data_not_an_array", "check_classifiers_classes",
    "check_classifiers_one_label", "check_classifiers_train", "check_supervised_y_2d",
}  # fmt: skip
WANT_NO_NETWORK = {
    "check_complex_data", "check_estimator_sparse_array", "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag", "check_estimators_empty_data_messages",
    "check_estimators_unfitted",
}  # fmt: skip
# a model that is given no name has that of its classifier
NAMED_LATER = {"check_parameters_default_constructible"}


@pytest.mark.parametrize(
    ("estimator", "cannot_hold"),
    [
        (NodeClassifier(nettrial.latent_group_network(100, seed=1)), NEED_A_TABLE),
        (
            FeatureClassifier(LogisticRegression()),
            (NEED_A_TABLE - OF_CLASSIFIERS) | WANT_NO_NETWORK | NAMED_LATER,
        ),
        (
            FeatureRegressor(LinearRegression()),
            (NEED_A_TABLE - OF_CLASSIFIERS) | WANT_NO_NETWORK | NAMED_LATER,
        ),
    ],
)
@pytest.mark.skipif(
    "on_fail" not in inspect.signature(check_estimator).parameters, reason="scikit-learn 1.6"
)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn_hold_but_for_those_that_hand_over_a_table(
    estimator: Any, cannot_hold: set[str]
) -> None:
    found = check_estimator(estimator, on_fail=None, on_skip=None)
    failed = {check["check_name"] for check in found if check["status"] == "failed"}
    assert failed == cannot_hold & {check["check_name"] for check in found}
    refused = [check["exception"] for check in found if check["status"] == "failed"]
    assert sum("expected node indices" in str(e) or "a Network" in str(e) for e in refused) > 18


def test_a_grid_reaches_the_classifier_in_a_model(
    network: Network, samples: tuple[np.ndarray, np.ndarray]
) -> None:
    model = FeatureClassifier(LogisticRegression(), use="both")
    grid = {"model__estimator__C": [1e-6, 1.0], "model__use": ["features", "both"]}
    found = GridSearchCV(NodeClassifier(network, model), grid, cv=3).fit(*samples)
    scores = found.cv_results_["mean_test_score"]
    assert scores[2:].max() > scores[:2].max()
    assert model.estimator.C == 1.0


def test_scores_in_cross_validation_are_those_of_the_measures(
    network: Network, samples: tuple[np.ndarray, np.ndarray]
) -> None:
    nodes, y = samples
    measured = {
        "balanced_accuracy": make_scorer(metrics.balanced_accuracy),
        "neg_log_loss": make_scorer(
            # of two classes scikit-learn hands over the column of the second
            metrics.log_loss,
            positive=np.unique(y)[1],
            greater_is_better=False,
            response_method="predict_proba",
        ),
        "accuracy": make_scorer(metrics.error, greater_is_better=False),
    }
    classifier = NodeClassifier(network, FeatureClassifier(LogisticRegression()))
    theirs = cross_validate(classifier, nodes, y, cv=4, scoring=list(measured))
    ours = cross_validate(classifier, nodes, y, cv=4, scoring=measured)
    for name in measured:
        offset = 1.0 if name == "accuracy" else 0.0
        np.testing.assert_allclose(
            offset + ours[f"test_{name}"], theirs[f"test_{name}"], rtol=1e-12
        )


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[0], [1]], None, "the target y is None"),
        ([[0], [1]], [0.5, 1.5], "Unknown label type: continuous"),
        ([[0], [1]], [[0, 1], [1, 0]], "y should be a 1d array"),
        (sp.eye(2), [0, 1], "[Ss]parse .* was passed"),
        (np.empty((0, 1), dtype=int), [], "0 sample"),
    ],
)
def test_what_no_classifier_takes_is_refused_in_the_words_of_scikit_learn(
    network: Network, X: object, y: object, words: str
) -> None:
    with pytest.raises(InputError, match=f"NodeClassifier: .*{words}"):
        NodeClassifier(network).fit(X, y)


NAMED = [f"{name}{plus}" for name in ("logistic", "boosting", "random_forest", "knn")
         for plus in ("", "+graph")]  # fmt: skip


def permuted(network: Network, split: Split) -> Network:
    """The same network with the labels of the test nodes in another order."""
    labels = network.labels.copy()
    labels[split.test] = np.roll(labels[split.test], 7)
    assert (labels != network.labels).any()
    return network._with_labels(labels)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("sparse", [False, True])
def test_hidden_labels_do_not_reach_models_by_name(name: str, sparse: bool) -> None:
    network = featured(90, sparse=sparse)
    split = RandomResampling(n_splits=2, labeled=0.3, seed=4).split_network(network)[0]
    other = permuted(network, split)
    one, two = (
        run(each, {name: as_model(name)}, [split]).probabilities[name][0].tobytes()
        for each in (network, other)
    )
    assert one == two
    # nor where nobody hides them
    found = [
        as_model(name).fit(each, split.train, seed=3).predict_proba(each, split.test).tobytes()
        for each in (network, other, network.mask_labels(split.train))
    ]
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_models_by_name_are_the_classifiers_of_scikit_learn(name: str, network: Network) -> None:
    model = as_model(name)
    assert model.name == name
    train, nodes = np.arange(0, 120, 3), np.arange(120)
    found = model.fit(network, train, seed=1).predict_proba(network, nodes)
    rows = network.features
    if name.endswith("+graph"):
        shares = dense_shares(network, train)
        rows = np.hstack([dense_table(network, "both"), shares])
    kind, options = {
        "logistic": (LogisticRegression, {"max_iter": 1000}),
        "boosting": (HistGradientBoostingClassifier, {"min_samples_leaf": 5, "random_state": 1}),
        "random_forest": (RandomForestClassifier, {"random_state": 1}),
        "knn": (KNeighborsClassifier, {}),
    }[name.removesuffix("+graph")]
    scaler = StandardScaler().fit(rows[train])
    scaled = scaler.transform(rows) if kind in (LogisticRegression, KNeighborsClassifier) else rows
    codes = network.labels[train]
    with threadpool_limits(1):
        wanted = kind(**options).fit(scaled[train], codes).predict_proba(scaled)
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def dense_shares(network: Network, train: np.ndarray) -> np.ndarray:
    """The classes of labeled neighbors by loops over nodes and neighbors."""
    adjacency, rows = network.adjacency().toarray(), []
    overall = np.bincount(network.labels[train], minlength=network.n_classes) / train.size
    for i in range(network.n_nodes):
        near = [j for j in train if adjacency[i, j] > 0]
        sums = np.zeros(network.n_classes)
        for j in near:
            sums[network.labels[j]] += adjacency[i, j]
        shares = sums / sums.sum() if near else overall
        rows.append([*shares, np.log1p(len(near))])
    return np.array(rows)


def test_a_training_set_of_few_nodes_has_few_nearest_neighbors(network: Network) -> None:
    classes = [np.flatnonzero(network.labels == code)[0] for code in (0, 1)]
    found = as_model("knn").fit(network, np.array(classes)).predict_proba(network, np.arange(5))
    np.testing.assert_allclose(found, 0.5)


def test_graph_models_run_without_features(words) -> None:
    network = nettrial.latent_group_network(60, seed=1)
    train = np.arange(0, 60, 2)
    found = as_model("logistic+graph").fit(network, train).predict_proba(network, np.arange(60))
    assert (found.argmax(axis=1) == network.labels).mean() > 0.7
    with words.raises(InputError):
        as_model("logistic").fit(network, train)


def test_adapters_take_a_name() -> None:
    named = FeatureClassifier(LogisticRegression(), use="both", name="mine")
    assert named.name == "mine"
    assert FeatureRegressor(LinearRegression(), name="line").name == "line"
