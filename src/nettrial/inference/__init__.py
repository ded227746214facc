"""Tests of a difference between models on a network: a registry, one chooser, families of pairs."""
