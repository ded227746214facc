"""Every classifier with every inference against loops over dense matrices."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import dense_models as dense
from nettrial.core.errors import ConvergenceWarning, InputError
from nettrial.models import (
    CDRN,
    NBC,
    NLB,
    WVRN,
    GibbsSampling,
    IterativeClassification,
    NoInference,
    Prior,
    RelaxationLabeling,
    by_name,
)
from nettrial.network.network import Network
from random_cases import adjacency, build, learn, random_case

CLASSIFIERS = {"wvrn": WVRN, "nbc": NBC, "nlb": NLB, "cdrn": CDRN}
INFERENCES = {
    "relaxation": RelaxationLabeling(iterations=10),
    "ica": IterativeClassification(iterations=6),
    "gibbs": GibbsSampling(burn_in=3, samples=12),
    "none": NoInference(),
}
PAIRS = list(itertools.product(CLASSIFIERS, INFERENCES))


def dense_answer(name, inference, A, labels, k, guess, seed, local=False):
    estimate, learnt = learn(name, A, labels, k)
    shared = (A, labels, k, estimate, learnt)
    if inference == "relaxation":
        return dense.relax(*shared, INFERENCES[inference].weights(), guess=guess)[0]
    if inference == "gibbs":
        return dense.sample(*shared, guess, 3, 12, seed)
    passes = 6 if inference == "ica" else 0
    codes, _ = dense.iterate(*shared, guess, passes, local and passes > 0)
    return dense.estimates(A, labels, codes, k, estimate, learnt, guess)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize(("name", "inference"), PAIRS)
def test_equal_to_dense_loops(name, inference):
    first = 1000 * PAIRS.index((name, inference))
    for seed in range(first, first + 63):  # 16 pairs: 1,008 networks
        case = random_case(seed)
        case["labels"] = case["labels"][:2]
        A, net, k = adjacency(case), build(case), case["k"]
        model = CLASSIFIERS[name](inference=INFERENCES[inference], direction=case["direction"])
        seeds = [seed + 2**33 * row for row in range(len(case["labels"]))]
        proba = model.predict_proba_batch(net, case["labels"], seeds)
        for row, labels in enumerate(case["labels"]):
            guess = np.tile(dense.class_prior(labels, k), (case["n"], 1))
            expected = dense_answer(name, inference, A, labels, k, guess, seeds[row])
            np.testing.assert_allclose(proba[row], expected, atol=2e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize(("name", "inference"), PAIRS)
def test_local_classifier_as_the_start(name, inference):
    for seed in range(6):
        case = random_case(seed)
        rng = np.random.default_rng(seed)
        features = rng.normal(size=(case["n"], 2))
        A, net, k = adjacency(case), build(case, features=features), case["k"]
        local = GaussianNB(var_smoothing=0.5)
        model = CLASSIFIERS[name](
            inference=INFERENCES[inference], direction=case["direction"], local=local
        )
        proba = model.predict_proba_batch(net, case["labels"], [seed] * len(case["labels"]))
        for row, labels in enumerate(case["labels"]):
            train = labels >= 0
            guess = np.zeros((case["n"], k))
            if np.unique(labels[train]).size == 1:
                guess[:, labels[train][0]] = 1
            else:
                fitted = GaussianNB(var_smoothing=0.5).fit(features[train], labels[train])
                guess[:, fitted.classes_] = fitted.predict_proba(features)
            expected = dense_answer(name, inference, A, labels, k, guess, seed, local=True)
            np.testing.assert_allclose(proba[row], expected, atol=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("inference", ["ica", "gibbs", "none"])
def test_one_split_equals_its_row_in_a_batch_to_the_bit(inference):
    case = random_case(5)
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, case["k"], (90, case["n"])).astype(np.int32)
    labels[:, 0] = 0
    net = build(case)
    seeds = list(range(90))
    model = WVRN(inference=INFERENCES[inference])
    together = model.predict_proba_batch(net, labels, seeds)
    for row in (0, 17, 70, 89):
        alone = model.predict_proba_batch(net, labels[row : row + 1], seeds[row : row + 1])
        assert alone.tobytes() == together[row].tobytes()


def test_gibbs_has_the_stationary_distribution_of_its_sweep():
    """Two linked unlabeled nodes between two labeled ones: the 4-state chain by hand."""
    net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", None, None, "b"])
    # node 1 sees 0 (a) and node 2; node 2 sees node 1 and 3 (b)
    sweep = np.zeros((4, 4))  # states (node 1, node 2): aa, ab, ba, bb
    for x2, y1, y2 in itertools.product(range(2), repeat=3):
        p1 = [1.0, 0.0] if x2 == 0 else [0.5, 0.5]
        p2 = [0.5, 0.5] if y1 == 0 else [0.0, 1.0]
        for x1 in range(2):
            sweep[2 * x1 + x2, 2 * y1 + y2] += p1[y1] * p2[y2]
    stationary = np.linalg.matrix_power(sweep, 500)[0]
    expected = [stationary[0] + stationary[1], stationary[0] + stationary[2]]
    model = WVRN(inference=GibbsSampling(burn_in=50, samples=4000, chains=4))
    proba = model.fit(net, np.array([0, 3]), seed=3).predict_proba(net, np.array([1, 2]))
    # 16,000 draws whose autocorrelation time is below 4 sweeps: 4.9 standard errors
    np.testing.assert_allclose(proba[:, 0], expected, atol=4.9 * 0.5 / np.sqrt(16000 / 4))


@pytest.mark.slow
def test_chains_and_seeds_of_gibbs_are_independent_streams():
    net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", None, None, "b"])
    train, nodes = np.array([0, 3]), np.array([1, 2])
    answers = [
        WVRN(inference=GibbsSampling(burn_in=0, samples=200, chains=chains))
        .fit(net, train, seed=seed)
        .predict_proba(net, nodes)
        .tobytes()
        for chains, seed in ((1, 0), (1, 1), (2, 0), (1, 2**70))
    ]
    assert len(set(answers)) == 4


def test_iterative_classification_warns_where_labels_still_change(words):
    net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", None, None, None])
    model = WVRN(inference=IterativeClassification(iterations=1))
    with words.warns(ConvergenceWarning):
        model.fit(net, np.array([0])).predict_proba(net, np.array([1]))
    assert model.convergence_.iterations.tolist() == [1]


@pytest.mark.slow
def test_more_than_255_classes_work_with_every_inference():
    n, k = 520, 260
    labels = [i % k if i < n // 2 else None for i in range(n)]
    net = Network(range(n // 2), range(n // 2, n), n_nodes=n, labels=labels, classes=range(k))
    nodes = np.arange(n // 2, n)
    for inference in ("none", "ica", "relaxation"):
        model = by_name(f"wvrn+{inference}").fit(net, np.arange(n // 2))
        proba = model.predict_proba(net, nodes)
        assert np.array_equal(proba.argmax(axis=1), np.arange(n // 2) % k)
    model = WVRN(inference=GibbsSampling(burn_in=1, samples=2)).fit(net, np.arange(n // 2))
    assert np.array_equal(model.predict_proba(net, nodes).argmax(axis=1), np.arange(n // 2) % k)


def test_prior_is_the_class_shares_or_the_local_classifier():
    net = Network([0], [1], n_nodes=4, labels=["a", "b", "b", None], features=np.eye(4))
    train = np.arange(3)
    proba = Prior().fit(net, train).predict_proba(net, np.array([0, 3]))
    np.testing.assert_allclose(proba, [[1, 0], [1 / 3, 2 / 3]], rtol=1e-6)
    local = GaussianNB(var_smoothing=0.1)
    expected = GaussianNB(var_smoothing=0.1).fit(np.eye(4)[:3], [0, 1, 1]).predict_proba(np.eye(4))
    proba = Prior(local=local).fit(net, train).predict_proba(net, np.array([3]))
    np.testing.assert_allclose(proba, expected[3:], rtol=1e-6)


def test_names(words):
    assert isinstance(by_name("nlb+ica").inference, IterativeClassification)
    assert isinstance(by_name("cdrn+none"), CDRN)
    with words.raises(InputError):
        by_name("wvrn+gibs")


@pytest.mark.parametrize(
    "model",
    [
        lambda: WVRN(inference=GibbsSampling(samples=0)),
        lambda: WVRN(inference=GibbsSampling(burn_in=-1)),
        lambda: WVRN(inference=GibbsSampling(chains=0)),
        lambda: WVRN(inference=IterativeClassification(iterations=0)),
        lambda: WVRN(local=GaussianNB()),
        lambda: NBC(counts="own"),
        lambda: WVRN(inference=RelaxationLabeling(mixing="old")),
    ],
)
def test_bad_options_are_refused(model, words):
    net = Network([0], [1], n_nodes=2, labels=["a", "b"])
    with words.raises(InputError):
        model().fit(net, np.array([0])).predict_proba(net, np.array([1]))


def test_a_local_model_without_probabilities_is_refused(words):
    net = Network([0], [1], n_nodes=2, labels=["a", "b"], features=np.eye(2))
    with words.raises(InputError):
        WVRN(local=object()).fit(net, np.array([0])).predict_proba(net, np.array([1]))


def test_making_a_model_imports_no_compiler():
    code = "import sys, nettrial.models as m; m.by_name('nbc+gibbs'); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
