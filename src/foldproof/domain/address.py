"""A seed is an address, never a sequence.

Every random choice is a pure function of where it is made: (root seed, dataset fingerprint, repetition, run)
and a path below that. Run 7 needs no runs 1 to 6, any worker can make any part, and the first ten of 33
runs are the ten. The scheme is not part of the address (see docs/decisions/0005-seeds.md).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError


@dataclass(frozen=True, slots=True)
class Address:
    """Where a random choice is made."""

    root: int
    fingerprint: str
    repetition: int = 0
    run: int = 0

    def __post_init__(self) -> None:
        for name in ("root", "repetition", "run"):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
                what = "seed" if name == "root" else name
                raise InputError(f"{what} is {value!r}: give a whole number of at least 0")

    def _digest(self, path: tuple[str | int, ...]) -> bytes:
        parts = ["foldproof/address/1", self.root, self.fingerprint, self.repetition, self.run, *path]
        return hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()

    def stream(self, *path: str | int) -> Stream:
        """Return the stream of raw random bits that belongs to ``path`` below this address."""
        return Stream(int.from_bytes(self._digest(path)[:16], "little"))

    def integer(self, *path: str | int) -> int:
        """Return one integer in [0, 2**31 - 1), fit for a ``random_state``."""
        return int.from_bytes(self._digest(path)[16:24], "little") % (2**31 - 1)


def stream_keys(root: int, fingerprint: str, repetitions: int, runs: int, *path: str | int) -> npt.NDArray[np.uint64]:
    """Return the keys of many streams: repetitions x runs x 2 words, the lower one first.

    >>> keys = stream_keys(7, "data", 2, 3, "partition")
    >>> key = int(keys[1, 2, 0]) + (int(keys[1, 2, 1]) << 64)
    >>> bool((Stream(key).words(4) == Address(7, "data", 1, 2).stream("partition").words(4)).all())
    True
    """
    above = hashlib.sha256(f"foldproof/address/1\x1f{root}\x1f{fingerprint}\x1f".encode())
    tails = ["\x1f".join(["", str(run), *map(str, path)]).encode() for run in range(runs)]
    digests = []
    for repetition in range(repetitions):
        here = above.copy()
        here.update(str(repetition).encode())
        for tail in tails:
            there = here.copy()
            there.update(tail)
            digests.append(there.digest()[:16])
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64).reshape(repetitions, runs, 2)


class Stream:
    """Raw 64-bit words of Philox, a counter-based generator whose bits NumPy promises not to change.

    The shuffles below are ours, on raw words: NumPy promises nothing for its ``permutation``.
    """

    __slots__ = ("_bits",)

    def __init__(self, key: int) -> None:
        self._bits = np.random.Philox(key=key)

    def words(self, n: int) -> npt.NDArray[np.uint64]:
        """Return the next ``n`` words."""
        raw: npt.NDArray[np.uint64] = self._bits.random_raw(n)
        return raw

    def permutation(self, n: int) -> npt.NDArray[np.intp]:
        """Return 0..n-1 in random order: the order of ``n`` random words (equal words keep their order)."""
        return np.argsort(self.words(n), kind="stable")
