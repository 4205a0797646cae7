"""The one spelling of the compile flags."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function in numba's no-Python mode, without the lock of the interpreter and without fast-math.

    The compiled code is kept on disk. Where neither the installation nor the user's cache folder can be written
    to, it is compiled anew in each process. ``FOLDPROOF_JIT=0`` runs the plain Python instead (``make nojit``).
    """
    if os.environ.get("FOLDPROOF_JIT", "1") == "0":
        return np.errstate(over="ignore")(function)  # compiled code says nothing of a result that is infinite
    import numba

    if "NUMBA_CACHE_DIR" not in os.environ and not os.access(os.path.dirname(__file__), os.W_OK):  # noqa: PTH120
        import platformdirs

        numba.config.CACHE_DIR = platformdirs.user_cache_dir("foldproof")  # type: ignore[attr-defined]
    compiled: Any
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba found no place for its cache
        compiled = numba.njit(nogil=True)(function)
    return cast(F, compiled)


def writable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array, or a copy where it may not be written to (memory-mapped ones of joblib, say).

    A kernel is compiled anew for arrays that it may only read, which takes long.
    """
    return np.require(array, requirements=("C", "W"))
