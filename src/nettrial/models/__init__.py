"""Network classifiers and the protocol that any other model can follow."""
