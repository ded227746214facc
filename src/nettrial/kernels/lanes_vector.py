"""Sixteen float32 lanes in one explicit LLVM vector: one cache line, on AVX-512 one register.

LLVM splits the vector on machines with narrower registers, so the code is the same everywhere.
Arrays are flat; offsets count elements and are never checked. `columns`, a number that the compiler
knows, asks for that many lines in one vector, which stand one after the other in memory; operations
that do not name it take any.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

FLOAT, INT, BYTE = ir.FloatType(), ir.IntType(32), ir.IntType(8)
VECTOR, INTS, BITS = (ir.VectorType(t, 16) for t in (FLOAT, INT, ir.IntType(1)))


class Lanes(types.Type):
    """One or more lines of 16 numbers, one after the other."""

    def __init__(self, columns: int) -> None:
        super().__init__(name=f"float32x{16 * columns}")
        self.columns = columns


LANES = Lanes(1)


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _vector(fe_type.columns))


def _vector(columns: int, kind: Any = FLOAT) -> Any:
    return ir.VectorType(kind, 16 * columns)


def _constant(value: float, kind: Any = FLOAT, columns: int = 1) -> Any:
    return ir.Constant(_vector(columns, kind), [ir.Constant(kind, value)] * (16 * columns))


def _address(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    if isinstance(array_type, types.Array):
        array = context.make_array(array_type)(context, builder, array).data
    return builder.gep(array, [offset])


def _spread(builder: Any, scalar: Any, columns: int = 1) -> Any:
    undefined = ir.Constant(VECTOR, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.Constant(INT, 0))
    return builder.shuffle_vector(one, undefined, _constant(0, INT, columns))


def _call(builder: Any, name: str, *args: Any) -> Any:
    vector = args[0].type
    kind = ir.FunctionType(vector, [vector] * len(args))
    name = f"llvm.{name}.v{vector.count}f32"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _number(columns: Any) -> tuple[int, Any]:
    """Return the value and the type of `columns`, which is a plain number where it is left out."""
    if isinstance(columns, int):
        return columns, types.Omitted(columns)
    return columns.literal_value, columns


@intrinsic
def pointer(typingctx: Any, array: Any) -> Any:
    """Return the address of an array's first number; the array must outlive its use.

    For addresses no references are counted, which numba does for arrays in every inner loop.
    """
    if isinstance(array, types.NoneType):
        return array(array), lambda context, builder, s, args: args[0]

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(array)(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), code


@intrinsic
def keep(typingctx: Any, array: Any) -> Any:
    """Do nothing, after the last use of an array's address: numba frees what is not named again."""
    return types.void(array), lambda context, builder, s, args: context.get_dummy_value()


@intrinsic(prefer_literal=True)
def load(typingctx: Any, array: Any, offset: Any, columns: Any = 1) -> Any:
    """Read neighboring numbers, 16 a column."""
    count, kind = _number(columns)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, array, args[0], args[1])
        return builder.load(builder.bitcast(place, _vector(count).as_pointer()), align=4)

    return Lanes(count)(array, types.intp, kind), code


@intrinsic
def store(typingctx: Any, array: Any, offset: Any, value: Any) -> Any:
    """Write neighboring numbers."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, array, args[0], args[1])
        builder.store(args[2], builder.bitcast(place, args[2].type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, value), code


def _prefetch(array: Any, columns: Any, near: int) -> Any:
    count, kind = _number(columns)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for column in range(count):
            offset = builder.add(args[1], ir.Constant(args[1].type, 16 * column))
            place = _address(context, builder, array, args[0], offset)
            place = builder.bitcast(place, ir.IntType(8).as_pointer())
            asking = ir.FunctionType(ir.VoidType(), [place.type, INT, INT, INT])
            name = "llvm.prefetch.p0" if str(place.type) == "ptr" else "llvm.prefetch.p0i8"
            function = cgutils.get_or_insert_function(builder.module, asking, name)
            builder.call(function, [place, INT(0), INT(near), INT(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp, kind), code


@intrinsic(prefer_literal=True)
def prefetch(typingctx: Any, array: Any, offset: Any, columns: Any = 1) -> Any:
    """Ask for the cache lines at an offset that will be read soon."""
    return _prefetch(array, columns, 3)


@intrinsic(prefer_literal=True)
def prefetch_far(typingctx: Any, array: Any, offset: Any, columns: Any = 1) -> Any:
    """Ask for the cache lines at an offset that will be read later, into the outer caches."""
    return _prefetch(array, columns, 2)


@intrinsic
def equal(typingctx: Any, codes: Any, offset: Any, code_wanted: Any) -> Any:
    """Return 1 in the lanes whose class code is the one wanted, 0 in the others."""
    kind = ir.IntType(codes.dtype.bitwidth)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _address(context, builder, codes, args[0], args[1])
        vector = ir.VectorType(kind, 16)
        values = builder.load(builder.bitcast(place, vector.as_pointer()), align=1)
        undefined = ir.Constant(vector, ir.Undefined)
        wanted = builder.insert_element(
            undefined, builder.trunc(args[2], kind), ir.Constant(INT, 0)
        )
        wanted = builder.shuffle_vector(wanted, undefined, _constant(0, INT))
        return builder.uitofp(builder.icmp_unsigned("==", values, wanted), VECTOR)

    return LANES(codes, types.intp, types.int64), code


@intrinsic
def whole(typingctx: Any, array: Any, offset: Any) -> Any:
    """Read one signed whole number as int64."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(_address(context, builder, array, *args))
        return value if array.dtype.bitwidth == 64 else builder.sext(value, ir.IntType(64))

    return types.int64(array, types.intp), code


@intrinsic(prefer_literal=True)
def splat(typingctx: Any, value: Any, columns: Any = 1) -> Any:
    """Return one number in all lanes."""
    count, kind = _number(columns)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _spread(builder, args[0], count)

    return Lanes(count)(types.float32, kind), code


@intrinsic
def add(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a + b."""
    return a(a, a), lambda c, builder, s, args: builder.fadd(*args)


@intrinsic
def sub(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a - b."""
    return a(a, a), lambda c, builder, s, args: builder.fsub(*args)


@intrinsic
def mul(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a b."""
    return a(a, a), lambda c, builder, s, args: builder.fmul(*args)


@intrinsic
def div(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a / b."""
    return a(a, a), lambda c, builder, s, args: builder.fdiv(*args)


@intrinsic
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a b + c, rounded once."""
    return a(a, a, a), lambda c, builder, s, args: _call(builder, "fma", *args)


@intrinsic
def larger(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the larger of a and b."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return LANES(LANES, LANES), code


@intrinsic
def smaller(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the smaller of a and b."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered("<", *args), *args)

    return LANES(LANES, LANES), code


@intrinsic
def magnitude(typingctx: Any, a: Any) -> Any:
    """Return |a|."""
    return LANES(LANES), lambda c, builder, s, args: _call(builder, "fabs", *args)


@intrinsic
def nearest(typingctx: Any, a: Any) -> Any:
    """Round to the nearest whole number."""
    return LANES(LANES), lambda c, builder, s, args: _call(builder, "rint", *args)


@intrinsic
def choose(typingctx: Any, mask: Any, a: Any, b: Any) -> Any:
    """Return a in the lanes whose bit in the 16-bit mask is set, b in the others."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.bitcast(args[0], BITS), args[1], args[2])

    return LANES(types.uint16, LANES, LANES), code


@intrinsic
def at_least(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a 16-bit mask of the lanes where a >= b."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(builder.fcmp_ordered(">=", *args), ir.IntType(16))

    return types.uint16(LANES, LANES), code


@intrinsic
def where_greater(typingctx: Any, a: Any, b: Any, x: Any, y: Any) -> Any:
    """Return x in the lanes where a > b, y in the others."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[2], args[3])

    return LANES(LANES, LANES, LANES, LANES), code


ROOT_HALF = 0x3F3504F3  # the bits of sqrt(1/2)


def _whole_exponent(builder: Any, bits: Any, columns: int) -> Any:
    shifted = builder.sub(bits, _constant(ROOT_HALF, INT, columns))
    return builder.ashr(shifted, _constant(23, INT, columns))


@intrinsic
def exponent(typingctx: Any, a: Any) -> Any:
    """Return e of a = m 2^e with sqrt(1/2) <= m < sqrt(2), for positive normal a."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], _vector(a.columns, INT))
        return builder.sitofp(_whole_exponent(builder, bits, a.columns), args[0].type)

    return a(a), code


@intrinsic
def mantissa(typingctx: Any, a: Any) -> Any:
    """Return m of a = m 2^e with sqrt(1/2) <= m < sqrt(2), for positive normal a."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], _vector(a.columns, INT))
        power = _whole_exponent(builder, bits, a.columns)
        power = builder.shl(power, _constant(23, INT, a.columns))
        return builder.bitcast(builder.sub(bits, power), args[0].type)

    return a(a), code


@intrinsic
def power_of_two(typingctx: Any, a: Any) -> Any:
    """Return 2^a for whole numbers a from -126 to 127."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole = builder.add(builder.fptosi(args[0], INTS), _constant(127, INT))
        return builder.bitcast(builder.shl(whole, _constant(23, INT)), VECTOR)

    return LANES(LANES), code
