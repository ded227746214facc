"""The usual names of columns, files and sheets, for every table that is read.

Link tables and node tables, predictions that were saved, published tables and tables of results
for tests go by these lists. A new name of a column belongs here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# the two ends of a link, the most usual first
PAIRS = (
    ("source", "target"), ("src", "dst"), ("from", "to"), ("node1", "node2"), ("node_1", "node_2"),
    ("fromnodeid", "tonodeid"), ("sourcenodeid", "targetnodeid"), ("u", "v"), ("i", "j"),
    ("ego", "alter"), ("head", "tail"), ("citing", "cited"), ("follower", "followee"),
    ("sender", "receiver"), ("start", "end"), ("parent", "child"), ("subject", "object"),
    ("source", "dest"), ("source", "destination"), ("origin", "destination"), ("tail", "head"),
    ("rater", "ratee"), ("person", "friend"), ("a", "b"), ("truster", "trustee"),
    ("trustor", "trustee"), ("lender", "borrower"), ("seller", "buyer"), ("caller", "callee"),
)  # fmt: skip
SOURCE = tuple(dict.fromkeys(first for first, _ in PAIRS[:10]))
TARGET = tuple(dict.fromkeys(second for _, second in PAIRS[:10]))
WORD_PAIRS = (*PAIRS, ("1", "2"), ("begin", "end"), ("orig", "dest"), ("x", "y"))

# nodes
ID = ("node", "node_id", "nodeid", "nid", "vertex", "vertex_id", "id", "knoten")
NODE = (*ID, "new_id", "name")  # in a node table
POSITION = ("node_index", "node_idx", "idx", "index")  # of a node in the network, or its id
LABEL = ("label", "class", "target", "y")
MODES = ("bipartite", "type", "mode", "side", "partition", "part")  # of a two-mode network
TWO_MODES = {
    "user": "people", "person": "people", "people": "people", "actor": "people",
    "author": "people", "member": "people", "customer": "people", "player": "people",
    "student": "people", "director": "people", "reader": "people", "buyer": "people",
    "item": "things", "movie": "things", "film": "things", "paper": "things", "event": "things",
    "group": "things", "club": "things", "team": "things", "product": "things",
    "book": "things", "artist": "things", "track": "things", "song": "things",
    "page": "things", "tag": "things", "word": "things", "document": "things",
    "course": "things", "company": "things", "board": "things",
}  # fmt: skip
ENTITIES = (*TWO_MODES, "node", "vertex", "id", "account", "name", "employee", "gene", "protein")
NEIGHBORS = {
    "friend", "friends", "neighbor", "neighbors", "neighbour", "neighbours", "contact", "alter",
    "nominee", "nomination", "partner", "tie",
}  # fmt: skip

# words in names of columns that hold something else
WEIGHT = ("weight", "weights", "w", "value", "edge_weight", "edgeweight")
WEIGHT_WORDS = {
    "weight", "weights", "strength", "count", "counts", "freq", "frequency", "amount", "volume",
    "capacity", "value", "interactions", "number", "num", "n", "times", "messages", "calls",
}  # fmt: skip
NO_WEIGHT = {
    "id", "key", "type", "kind", "label", "class", "layer", "relation", "rel", "color",
    "colour", "category", "cluster", "group", "community", "module", "x", "y", "z", "lat", "lon",
    "lng", "distance", "dist", "length", "cost", "name", "mode", "source", "target", "split",
}  # fmt: skip
TIME_WORDS = {
    "t", "time", "times", "timestamp", "timestamps", "ts", "date", "datetime", "year",
    "years", "month", "day", "hour", "week", "epoch", "unixtime", "start", "end", "begin", "onset",
    "duration", "created", "interval", "timeset",
    "step", "steps", "round", "wave", "tick", "frame", "period", "session", "snapshot",
}  # fmt: skip
PLACES = {
    "x", "y", "z", "lat", "latitude", "lon", "lng", "long", "longitude", "size", "width",
    "height", "radius", "r", "g", "b", "alpha", "degree", "indegree", "outdegree", "pagerank",
    "betweenness", "closeness", "eigenvector", "eccentricity", "weight", "coordinates", "pos",
}  # fmt: skip
COUNTS = {
    "followers", "following", "posts", "friends", "likes", "tweets", "comments", "views", "visits",
    "visit", "papers", "publications", "citations", "votes", "reviews", "downloads", "clicks",
    "retweets", "favorites", "favourites", "statuses", "edits", "commits", "stars", "orders",
    "purchases", "sales", "wins", "losses", "goals", "points", "population", "count", "counts",
    "total", "frequency", "freq",
}  # fmt: skip
RANKS = {"rank", "ranks", "ranking", "order", "position", "score", "age", "count", "percentile"}
NAME_WORDS = {
    "id", "ids", "name", "names", "key", "uri", "url", "vertex", "na", "listed", "index", "title",
    "uid", "uuid",
}  # fmt: skip
ID_WORDS = {
    "node", "nodes", "id", "ids", "nodeid", "nid", "vertex", "new", "name", "key", "code", "number",
    "num", "nr", "no", "user", "person", "author", "paper",
}  # fmt: skip
CLASS_WORDS = {"label", "class", "group", "category", "type", "kind", "community", "cluster"}
DISPLAY = {"color", "colour", "shape", "font", "timeset"}
SET_WORDS = {"mask", "split", "fold"}
SETS = {"is", "in", "train", "training", "val", "valid", "validation", "test", "testing", "set"}

# words in names of files, of the sheets of a workbook, and of data frames
LINK_WORDS = ("edge", "link", "relation")
LINK_FILES = (*LINK_WORDS, "cites", "adj", "graph")
LINK_SHEETS = (*LINK_WORDS, "tie", "arc")
NODE_WORDS = ("node", "vert", "label", "class", "attr")
NODE_FILES = (*NODE_WORDS, "target", ".clu", "metadata", "group")
NODE_SHEETS = (*NODE_WORDS, "actor")
LABEL_FILES = ("label", "class", "target")
PEOPLE_FILES = ("account", "customer", "client", "people", "person", "user", "member")
TRANSFER_FILES = ("transaction", "transfer", "payment")
ASIDE_FILES = ("feat", "embed", "mask", "split", "fold", "train", "valid", "test", "mapping")

# which model, on which data, in which split
MODEL = ("classifier", "model", "model_name", "method", "clf", "algorithm", "approach",
         "estimator", "modell", "verfahren")  # fmt: skip
MODEL_HEADS = (*MODEL, "models", "methods", "baseline")  # above the names in a printed table
DATA_SET = ("dataset", "data_set", "datasets", "network", "graph", "task", "benchmark",
            "datensatz", "netz")  # fmt: skip
SPLIT = ("split", "split_id", "split_idx", "fold", "fold_id", "fold_idx", "cv", "cv_fold", "seed",
         "repeat", "repetition", "replicate", "run", "run_id", "trial", "iteration",
         "iter", "lauf", "teilung")  # fmt: skip
REPEAT = ("repeat", "repetition", "replicate", "replication", "rep", "run", "round")
FOLD = ("fold", "folds", "split")
# what may differ between the experiments of one file, which are never merged
EXPERIMENT = ("design", *DATA_SET, "experiment", "setting", "labeled", "label_rate",
              "train_ratio", "proportion")  # fmt: skip
CASES = ("instance", "case", "query", *ID)
# a column that holds the words below
SET = ("set", "subset", "part", "split", "mask", "role", "usage", "menge")
SET_NAMES = {
    "train": ("train", "training", "trn"),
    "valid": ("valid", "val", "validation", "dev", "validierung"),
    "inference": ("inference",),
    "test": ("test", "testing", "tested", "tst"),
}
# what may stand beside them in the name of a column, an array or a file
SET_FORMS = frozenset({
    "mask", "masks", "idx", "index", "indices", "id", "ids", "node", "nodes", "set", "sets",
    "split", "splits", "fold", "run", "seed", "is", "in", "list", "knoten",
})  # fmt: skip
NO_SET = ("", "-", "none", "unused", "no", "nan")  # of a node that is in none of the sets

# what is true, what is predicted, and how well
TRUTH = ("label", "true_label", "y_true", "y", "true", "truth", "true_class", "ground_truth",
         "gt", "gold", "actual", "observed", "target", "wahr", "klasse")  # fmt: skip
TRUE_CLASS = (*TRUTH, "labels", "class")
IS_LINK = ("label", "is_link", "link", "y", "y_true", "true", "exists")
PREDICTION = ("prediction", "predicted", "pred", "y_pred", "yhat", "y_hat", "predicted_class",
              "predicted_label", "pred_class", "pred_label", "predictions", "preds",
              "output", "estimate", "vorhersage")  # fmt: skip
# one probability a row: of the true class, of the predicted class or of one of two classes
OF_TRUE = ("p_true", "prob_true", "proba_true", "p_label", "prob_label")
CONFIDENCE = ("proba", "prob", "probability", "confidence", "conf", "p", "p_pred", "prob_pred",
              "proba_pred", "p_predicted", "p_max", "max_prob", "score", "scores", "y_score",
              "y_prob", "y_proba")  # fmt: skip
PREDICTED = (*PREDICTION, *CONFIDENCE)
PROBABILITY = ("p_", "prob_", "proba_", "probability_")  # before the name of a class
LOGIT = ("logit_", "logits_", "logit", "logits")
VALUE = ("value", "score", "accuracy", "acc", "error", "error_rate", "f1", "auc", "test",
         "test_acc", "test_accuracy")  # fmt: skip
MEAN = ("mean", "accuracy", "score", "acc", "mae", "rmse", "mse", "error")
SD = ("sd", "std", "stdev")
N_SPLITS = ("n_splits", "splits", "n_runs", "runs", "n_seeds", "seeds", "repeats")
STEP = ("epoch", "step", "iteration", "iter")  # of a training log


SET_OF = {word: part for part, names in SET_NAMES.items() for word in names}


def set_of(word: object) -> str | None:
    """Return which set of a split a word means, in any case; "" for none of them.

    Examples
    --------
    >>> set_of("Test"), set_of("VAL"), set_of("-"), set_of("gcn")
    ('test', 'valid', '', None)
    """
    plain_word = str(word).strip().lower()
    return "" if plain_word in NO_SET else SET_OF.get(plain_word)


def words(name: str) -> list[str]:
    """Return the lower-case words of a column name.

    Examples
    --------
    >>> words("fromNodeId"), words("node_1"), words("node1"), words(":START_ID")
    (['from', 'node', 'id'], ['node', '1'], ['node', '1'], ['start', 'id'])
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)", " ", name)
    return [word for word in re.split(r"[\W_]+", parted.lower()) if word]


def plain(name: str) -> str:
    """Write the name of a column without case, separators and signs.

    Examples
    --------
    >>> plain("Node ID"), plain("y-pred"), plain("Fold #"), plain("~From")
    ('node_id', 'y_pred', 'fold', 'from')
    """
    return "_".join(re.findall(r"[^\W_]+", name.lower()))


def usual(names: Iterable[str], wanted: Iterable[str]) -> str | None:
    """Return the first of the usual names that is there, as it is written there."""
    return next(iter(all_usual(names, wanted)), None)


def all_usual(names: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Return all usual names that are there, as they are written there, in the usual order."""
    written: dict[str, str] = {}
    for name in names:
        written.setdefault(plain(name), name)
    return [written[word] for word in wanted if word in written]


def says(name: str, parts: Iterable[str]) -> bool:
    """Return whether the name of a file or sheet contains one of some words."""
    return any(part in name.lower() for part in parts)
