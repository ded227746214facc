"""Models on splits: one unit of work after another becomes predictions, and these are measured."""
