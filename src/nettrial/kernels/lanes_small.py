"""Sixteen float32 numbers as one machine vector, for the loops over splits.

A cache line holds sixteen floats, one a split, so that one fetch of a neighbour serves sixteen
splits. Plain loops over sixteen entries are not turned into vector instructions reliably;
these functions say it outright. The compiler splits the vector where the machine's are shorter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

WIDTH = 16
FLOATS = ir.VectorType(ir.FloatType(), WIDTH)
INTS = ir.VectorType(ir.IntType(32), WIDTH)
BITS = ir.VectorType(ir.IntType(1), WIDTH)


class LanesType(types.Type):
    """Numba's name for the vector."""

    def __init__(self) -> None:
        super().__init__(name="float32x16")


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, FLOATS)


def _filled(value: float) -> ir.Constant:
    return ir.Constant(FLOATS, [float(value)] * WIDTH)


def _integers(value: int) -> ir.Constant:
    return ir.Constant(INTS, [int(value)] * WIDTH)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, line: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    start = builder.mul(line, ir.Constant(line.type, WIDTH))
    return builder.bitcast(builder.gep(data, [start]), FLOATS.as_pointer())


@intrinsic
def load(typingctx, array, line):
    """Read lines[line], `array` being flat, contiguous float32."""

    def generate(context, builder, signature, args):
        where = _pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.load(where, align=4)

    return LANES(array, types.intp), generate


@intrinsic
def store(typingctx, array, line, value):
    """Write lines[line] = value."""

    def generate(context, builder, signature, args):
        where = _pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store(args[2], where, align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, LANES), generate


@intrinsic
def fill(typingctx, value):
    """Give the vector of sixteen times `value`."""

    def generate(context, builder, signature, args):
        one = builder.insert_element(
            ir.Constant(FLOATS, ir.Undefined), args[0], ir.Constant(ir.IntType(32), 0)
        )
        return builder.shuffle_vector(one, ir.Constant(FLOATS, ir.Undefined), _integers(0))

    return LANES(types.float32), generate


def _binary(operation: str) -> Callable[..., Any]:
    @intrinsic
    def apply(typingctx, a, b):
        def generate(context, builder, signature, args):
            return getattr(builder, operation)(*args)

        return LANES(LANES, LANES), generate

    return apply  # type: ignore[no-any-return]


add, sub, mul, div = (_binary(name) for name in ("fadd", "fsub", "fmul", "fdiv"))


@intrinsic
def largest(typingctx, a, b):
    """Give the larger number of each lane."""

    def generate(context, builder, signature, args):
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return LANES(LANES, LANES), generate


@intrinsic
def at_least(typingctx, a, b):
    """Give sixteen bits: lane by lane, a >= b."""

    def generate(context, builder, signature, args):
        return builder.bitcast(builder.fcmp_ordered(">=", *args), ir.IntType(16))

    return types.uint16(LANES, LANES), generate


@intrinsic
def choose(typingctx, bits, a, b):
    """Give a where the lane's bit is set, else b."""

    def generate(context, builder, signature, args):
        return builder.select(builder.bitcast(args[0], BITS), args[1], args[2])

    return LANES(types.uint16, LANES, LANES), generate


@intrinsic
def mantissa(typingctx, a):
    """Give m in [1, 2) of a = m 2^e, for positive normal numbers."""

    def generate(context, builder, signature, args):
        bits = builder.bitcast(args[0], INTS)
        bits = builder.or_(builder.and_(bits, _integers(0x007FFFFF)), _integers(0x3F800000))
        return builder.bitcast(bits, FLOATS)

    return LANES(LANES), generate


@intrinsic
def exponent(typingctx, a):
    """Give e of a = m 2^e, for positive normal numbers."""

    def generate(context, builder, signature, args):
        bits = builder.lshr(builder.bitcast(args[0], INTS), _integers(23))
        return builder.sitofp(builder.sub(bits, _integers(127)), FLOATS)

    return LANES(LANES), generate


@intrinsic
def power_of_two(typingctx, e):
    """Give 2^e for whole e; 2^-126 below that, 2^126 above."""

    def generate(context, builder, signature, args):
        low, high = _filled(-126), _filled(126)
        e = builder.select(builder.fcmp_ordered("<", args[0], low), low, args[0])
        e = builder.select(builder.fcmp_ordered(">", e, high), high, e)
        whole = builder.add(builder.fptosi(e, INTS), _integers(127))
        return builder.bitcast(builder.shl(whole, _integers(23)), FLOATS)

    return LANES(LANES), generate


@intrinsic
def whole_part(typingctx, a):
    """Give the greatest integer not above a."""

    def generate(context, builder, signature, args):
        floor = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(FLOATS, [FLOATS]), "llvm.floor.v16f32"
        )
        return builder.call(floor, args)

    return LANES(LANES), generate


# the series of 2 artanh(z) / ln 2 in z = (m - 1)/(m + 1), |z| <= 0.172 for m in [0.7, 1.42]
ARTANH = tuple(np.float32(2 / ((2 * i + 1) * np.log(2))) for i in range(5))
# the Taylor series of 2^x on [-1/2, 1/2]
EXPONENTIAL = tuple(
    np.float32(np.log(2) ** i / np.prod(np.arange(1, i + 1, dtype=float))) for i in range(8)
)
(_A0, _A1, _A2, _A3, _A4) = ARTANH
(_E0, _E1, _E2, _E3, _E4, _E5, _E6, _E7) = EXPONENTIAL


@njit(inline="always")
def log2(a):
    """Give log2 a to float32 accuracy, for positive normal numbers."""
    e = exponent(a)
    m = mantissa(a)
    high = at_least(m, fill(np.float32(1.4142135)))
    m = choose(high, mul(m, fill(np.float32(0.5))), m)
    e = choose(high, add(e, fill(np.float32(1.0))), e)
    one = fill(np.float32(1.0))
    z = div(sub(m, one), add(m, one))
    s = mul(z, z)
    series = fill(_A4)
    series = add(mul(series, s), fill(_A3))
    series = add(mul(series, s), fill(_A2))
    series = add(mul(series, s), fill(_A1))
    series = add(mul(series, s), fill(_A0))
    return add(e, mul(z, series))


@njit(inline="always")
def exp2_fraction(x):
    """Give 2^x to float32 accuracy, for x in [0, 1)."""
    x = sub(x, fill(np.float32(0.5)))
    series = fill(_E7)
    series = add(mul(series, x), fill(_E6))
    series = add(mul(series, x), fill(_E5))
    series = add(mul(series, x), fill(_E4))
    series = add(mul(series, x), fill(_E3))
    series = add(mul(series, x), fill(_E2))
    series = add(mul(series, x), fill(_E1))
    series = add(mul(series, x), fill(_E0))
    return mul(series, fill(np.float32(1.4142135623730951)))
