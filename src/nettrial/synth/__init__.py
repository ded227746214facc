"""Networks and classifiers that are made up, to see what a test does when the truth is known."""
