"""Designs that split a network into training, inference and test sets."""
