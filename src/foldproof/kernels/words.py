"""Machine words: how many bits are set, and the upper half of a product."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from foldproof.kernels.jit import kernel

#: How many instances a word of a set holds; the sign stays free, so that words are whole numbers of at least 0.
BITS = 63

if os.environ.get("FOLDPROOF_JIT", "1") == "0":

    def popcount(word: int) -> int:
        """Return how many bits of a word of at least 0 are set."""
        return int(word).bit_count()

    def multiply_high(a: Any, b: Any) -> Any:
        """Return the upper 64 bits of the product of two unsigned words."""
        return np.uint64((int(a) * int(b)) >> 64)

else:
    # The machine has an instruction for each, and no language between it and here has a word for them.
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def _popcount(typing: Any, word: Any) -> Any:

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.ctpop(given[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _multiply_high(typing: Any, a: Any, b: Any) -> Any:

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(given[0], wide), builder.zext(given[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    @kernel
    def popcount(word: int) -> int:
        """Return how many bits of a word of at least 0 are set."""
        return int(_popcount(word))  # type: ignore[call-arg]

    @kernel
    def multiply_high(a: Any, b: Any) -> Any:
        """Return the upper 64 bits of the product of two unsigned words."""
        return _multiply_high(a, b)  # type: ignore[call-arg]
