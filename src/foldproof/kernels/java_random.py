"""The shuffle of ``java.util.Random``, as its documentation defines the generator."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.kernels.jit import kernel

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
MASK = (1 << 48) - 1


@kernel
def _shuffle(order: npt.NDArray[np.int64], state: int) -> None:
    """Swap each position, from the last down, with one drawn from those up to it."""
    for j in range(len(order) - 1, 0, -1):
        bound = j + 1
        while True:
            state = (state * MULTIPLIER + INCREMENT) & MASK
            bits = state >> 17  # the high 31 of 48 bits
            if bound & (bound - 1) == 0:
                draw = (bound * bits) >> 31
                break
            draw = bits % bound
            # Reject the incomplete last stretch of the range, so that all draws are equally likely.
            if bits - draw + bound - 1 < (1 << 31):
                break
        order[j], order[draw] = order[draw], order[j]


def java_shuffle(n: int, seed: int) -> npt.NDArray[np.int64]:
    """Return 0..n-1 in the order that Java's generator gives for a seed.

    >>> java_shuffle(5, 1).tolist()
    [2, 3, 1, 4, 0]
    """
    order = np.arange(n, dtype=np.int64)
    _shuffle(order, (seed ^ MULTIPLIER) & MASK)
    return order
