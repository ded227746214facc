"""The layers of a neural network on nodes: products with sparse and dense matrices, and dropout.

A table is a flat float32 array of the logical shape (n_rows, width), `width` a multiple of 16: a
row is made of whole lines, whose lanes are the units of a layer. So one fit fills the lanes, an
entry that dropout leaves out costs nothing, and no fit waits for another. Sparse matrices are CSR:
`indptr` int64, `indices` int32, `values` float32. Features stay
where they are, and of what dropout keeps only a block of rows is copied at a time.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes import add, fma, lane_kernel, larger, load, pointer, splat, store
from .neighbor_sums import INSIDE, F, gather_sum
from .packing import LANES


@lane_kernel
def product(out, indptr, indices, values, table, width):
    """Multiply a sparse matrix by a table."""
    indices, values = pointer(indices), pointer(values)
    out, table = pointer(out), pointer(table)
    for row in range(indptr.size - 1):
        begin, end = indptr[row], indptr[row + 1]
        for column in range(0, width, LANES):
            total = gather_sum(table, width, column, begin, end, indices, values, 0, None)
            store(out, row * width + column, total)


@lane_kernel
def product_transposed(out, indptr, indices, values, table, width):
    """Add to `out` the product of a sparse matrix, transposed, and a table."""
    out, table = pointer(out), pointer(table)
    for row in range(indptr.size - 1):
        for column in range(0, width, LANES):
            line = load(table, row * width + column)
            for entry in range(indptr[row], indptr[row + 1]):
                place = np.int64(indices[entry]) * width + column
                store(out, place, fma(splat(values[entry]), line, load(out, place)))


@lane_kernel
def copy_rows(x, nodes, kept, first, scale, some):
    """Copy rows of a sparse matrix, of whose entries those that are `kept`, times `scale`.

    `x` is (indptr, columns, values, full); a full matrix has its columns once, for all rows. `kept`
    has a flag for each entry from `first` on, or is None; `some` is (indptr, columns, values).
    """
    indptr, columns, values, full = x
    some_indptr, some_columns, some_values = some
    columns, values = pointer(columns), pointer(values)
    some_columns, some_values = pointer(some_columns), pointer(some_values)
    flags = pointer(kept)
    place = 0
    for row in range(nodes.size):
        begin, end = indptr[nodes[row]], indptr[nodes[row] + 1]
        column = 0 if full else begin
        for entry in range(begin, end):
            some_columns[place] = columns[column]
            some_values[place] = values[entry] * scale
            column += 1
            if kept is None:
                place += 1
            else:
                place += flags[first]  # no branch, which would be guessed wrongly
                first += 1
        some_indptr[row + 1] = place


@njit(**INSIDE)
def combine(table, first, weights, column, step, size):
    """Add up lines of `weights`, `step` numbers apart, times `size` numbers of a table's row."""
    a, b = splat(F(0)), splat(F(0))  # four, since an operation takes its time
    c, d = a, b
    for k in range(0, size, 4):
        at = column + k * step
        a = fma(splat(table[first + k]), load(weights, at), a)
        b = fma(splat(table[first + k + 1]), load(weights, at + step), b)
        c = fma(splat(table[first + k + 2]), load(weights, at + 2 * step), c)
        d = fma(splat(table[first + k + 3]), load(weights, at + 3 * step), d)
    return add(add(a, b), add(c, d))


@lane_kernel
def dense(out, table, width, weights, width_out):
    """Multiply a table by weights, shape (width, width_out)."""
    rows = table.size // width
    out, table, weights = pointer(out), pointer(table), pointer(weights)
    for row in range(rows):
        for column in range(0, width_out, LANES):
            line = combine(table, row * width, weights, column, width_out, width)
            store(out, row * width_out + column, line)


@lane_kernel
def dense_gradient(gradient, table, width, given, width_out):
    """Add to the gradient of the weights of `dense`, shape (width, width_out)."""
    rows = table.size // width
    gradient, table, given = pointer(gradient), pointer(table), pointer(given)
    for row in range(rows):
        for column in range(0, width_out, LANES):
            line = load(given, row * width_out + column)
            for k in range(width):
                place = k * width_out + column
                number = splat(table[row * width + k])
                store(gradient, place, fma(number, line, load(gradient, place)))


@lane_kernel
def add_rows(out, table, width):
    """Add to `out` the sum of a table's rows: the gradient of a bias."""
    size = table.size
    out, table = pointer(out), pointer(table)
    for column in range(0, width, LANES):
        total = load(out, column)
        for row in range(0, size, width):
            total = add(total, load(table, row + column))
        store(out, column, total)


@lane_kernel
def add_bias(table, bias):
    """Add a bias to each row of a table."""
    size, width = table.size, bias.size
    table, bias = pointer(table), pointer(bias)
    for row in range(0, size, width):
        for column in range(0, width, LANES):
            place = row + column
            store(table, place, add(load(table, place), load(bias, column)))


@lane_kernel
def rectify(table, bias):
    """Take the positive part of a table and a bias, in place."""
    size, width = table.size, bias.size
    table, bias = pointer(table), pointer(bias)
    for row in range(0, size, width):
        for column in range(0, width, LANES):
            place = row + column
            line = add(load(table, place), load(bias, column))
            store(table, place, larger(line, splat(F(0))))


@lane_kernel
def drop(table, kept, scale):
    """Multiply the numbers that are kept by `scale`, and the others by 0."""
    for k in range(table.size):
        table[k] *= scale if kept[k] else F(0)


@lane_kernel
def where_positive(given, out, scale):
    """Turn the gradient of what `rectify` and `drop` gave into that of what they were given."""
    for k in range(given.size):
        given[k] *= scale if out[k] > 0 else F(0)


@lane_kernel
def mix(out, share, start, rest):
    """Give share * out + rest * start, in place."""
    for k in range(out.size):
        out[k] = share * out[k] + rest * start[k]
