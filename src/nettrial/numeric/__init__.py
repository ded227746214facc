"""Numbers as users give them, read and compared by one rule: checks, ranks, rounding, scaling."""
