"""Canonical bytes and the fingerprints made of them.

A fingerprint is the SHA-256 of bytes that depend on content only: not on the container it came in, the
machine, the process or the version of a library. docs/decisions/0004-fingerprints.md gives the layout.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Label = str | float | int | bool
# So many integers are widened at a time.
_PORTION = 2**16


class Canonical:
    """Collects values as tagged, length-prefixed bytes and hashes them.

    Two different sequences of calls never give the same bytes, because every value carries its kind and length.
    """

    __slots__ = ("_hash",)

    def __init__(self, noun: str) -> None:
        self._hash = hashlib.sha256(f"foldproof/{noun}/1\n".encode())

    def text(self, value: str) -> Canonical:
        """Add a string as UTF-8."""
        data = value.encode("utf-8", "surrogatepass")
        self._hash.update(b"s" + struct.pack("<Q", len(data)) + data)
        return self

    def integer(self, value: int) -> Canonical:
        """Add an integer of any size."""
        self._hash.update(b"i")
        return self.text(str(int(value)))

    def label(self, value: Label) -> Canonical:
        """Add a category or class: numbers of any type by value, everything else by its text."""
        if isinstance(value, str):
            return self.text(value)
        self._hash.update(b"n" + struct.pack("<d", float(value) + 0.0))
        return self

    def labels(self, values: Iterable[Label]) -> Canonical:
        """Add an ordered list of categories or classes."""
        listed = list(values)
        self.integer(len(listed))
        for value in listed:
            self.label(value)
        return self

    def sparse_numbers(self, positions: npt.NDArray[Any], values: npt.NDArray[Any], length: int) -> Canonical:
        """Add a vector of ``length`` numbers by its non-zero ones, so that sparse and dense data agree.

        All not-a-numbers are one missing value, and minus zero is zero.
        """
        numbers = np.array(values, dtype="<f8")
        places = np.asarray(positions, dtype="<u8")
        keep = numbers != 0.0
        if not keep.all():
            numbers, places = numbers[keep], places[keep]
        numbers[np.isnan(numbers)] = np.nan
        self._hash.update(b"v" + struct.pack("<QQ", length, len(numbers)))
        self._hash.update(places.tobytes())
        self._hash.update(numbers.tobytes())
        return self

    def numbers(self, values: npt.NDArray[Any]) -> Canonical:
        """Add a dense vector of numbers."""
        flat = np.asarray(values, dtype=np.float64).ravel()
        positions = np.flatnonzero(flat != 0.0)
        return self.sparse_numbers(positions, flat[positions], len(flat))

    def indices(self, values: npt.NDArray[Any]) -> Canonical:
        """Add an array of integers with its shape."""
        array = np.ascontiguousarray(values)
        self._hash.update(b"a" + struct.pack("<Q", array.ndim) + struct.pack(f"<{array.ndim}Q", *array.shape))
        flat = array.reshape(-1)
        # By portions, so that what is kept narrow is never there in full width.
        for start in range(0, len(flat), _PORTION):
            self._hash.update(flat[start : start + _PORTION].astype("<i4").view(np.uint8).data)
        return self

    def hexdigest(self) -> str:
        """Return the fingerprint of what was added so far."""
        return self._hash.hexdigest()
