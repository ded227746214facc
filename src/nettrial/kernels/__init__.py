"""Compiled loops: arrays in, arrays out, nothing else."""

announce = False  # whether to say on stderr what is compiled even where that is no terminal
