"""No network: right and wrong answers to questions about documents, compared by document."""

import numpy as np

import nettrial

# 40 documents with five to ten questions each; a document is easy or hard for a model as a whole
rng = np.random.default_rng(0)
document = np.repeat(np.arange(40), rng.integers(5, 11, size=40))
easy_for_new, easy_for_old = rng.beta(4, 2, size=40), rng.beta(4, 2.5, size=40)
new = rng.random(document.size) < easy_for_new[document]
old = rng.random(document.size) < easy_for_old[document]

# on the command line: nettrial compare answers.csv --groups document --a new --b old
print(nettrial.compare_grouped(new, old, document, names=("new", "old")))
