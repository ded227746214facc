"""Slow and plain ways to numbers that the package finds otherwise; only tests use them."""
