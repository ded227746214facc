"""Compiled loops: arrays in, arrays out, nothing else.

Their words, which the modules use without saying so again:

lane
    One of sixteen numbers that one instruction works on. In most loops a lane is a label set, a
    split or a chain: sixteen of them are inferred at once, each as if it were alone.
line
    Sixteen float32 side by side, one a lane: 64 bytes, what the processor moves at once (a cache
    line). ``P[node, class, lane]`` is stored flat, so that a node has a line for each class but
    the last, whose share is the rest. A loop reads the line at `place`, counted in numbers.
width, column
    Numbers, of all lines of a node together; where one of its lines begins within them.
splat
    A line of sixteen copies of one number.
mask, word
    Sixteen bits, one a lane or a split: ``mask >> s & 1`` says whether node i is fixed, trained on
    or tested in lane s. `ALL` and `NONE` are the words of ones and of zeros.
gather
    Read the lines of a node's neighbors and add them up or multiply them: nearly all of the time
    of inference. In large networks lines are asked for (prefetched) `AHEAD` links before their
    use, and of rows with several lines up to four at a time (`by_columns`).
sweep
    One update of every node. It reads the lines of the last sweep and writes others, so that
    neither the order of the nodes nor the number of threads changes a bit.
run
    Nodes with the same number of links that follow each other in a small graph (`Graph.runs`), for
    which the processor foresees where each node's links end.
stride, chunk
    How many factors may be multiplied before the product could leave float32; its power of two is
    then put apart.
stream, key
    A stream is a Philox counter that one purpose of one unit of work draws from; the key is the
    study's seed. What is drawn depends on key, unit and purpose alone.
pointer
    The address of an array's first number. For an array numba counts references at every call
    within a loop, for an address it does not.

Arrays that a loop fills come last among its parameters. A loop calls no large loop: numba would
compile the callee once more within each caller (see `compiled`).
"""

announce = False  # whether to say on stderr what is compiled even where that is no terminal
