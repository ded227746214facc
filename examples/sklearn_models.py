"""A scikit-learn classifier against wvRN, and wvRN inside scikit-learn's cross-validation."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nettrial
from nettrial.models import FeatureClassifier, NodeClassifier

# a network of 300 nodes with eight noisy features of the class
made = nettrial.latent_group_network(300, seed=1)
source, target = made.simple_links()
rng = np.random.default_rng(1)
features = rng.normal(size=(300, 8)) + 0.4 * made.labels[:, None]
network = nettrial.Network(
    source, target, n_nodes=300, labels=[made.classes[c] for c in made.labels], features=features
)

# own features, degrees, and the neighbors' means of the features
classifier = make_pipeline(StandardScaler(), LogisticRegression())
model = FeatureClassifier(classifier, use="both")
print(nettrial.compare(network, model, "wvrn", labeled=0.3, design="ncv"))

# the other way round: a sample is a node index, and the estimator holds the network
nodes = np.arange(network.n_nodes).reshape(-1, 1)
labels = np.array(network.classes)[network.labels]
scores = cross_validate(NodeClassifier(network, "wvrn"), nodes, labels, cv=5)
print("accuracy of wvRN in five folds:", scores["test_score"].round(2))
