"""Compare two models on one network: tests, estimates and a verdict in words."""
