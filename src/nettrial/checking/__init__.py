"""What is unfair about a comparison: nodes, features, splits, models and the test, each checked."""
