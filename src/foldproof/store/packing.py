"""Numbers as few bytes, the same bytes for the same numbers."""

from __future__ import annotations

import json
import zlib

import numpy as np
import numpy.typing as npt

from foldproof.store.records import Fault, Floats, Grumble

# The first byte of packed predictions: how the rest is to be read. Small letters: compressed.
_BYTE, _SHORT, _DOUBLE = b"B", b"H", b"D"
_KINDS: dict[bytes, npt.DTypeLike] = {_BYTE: "u1", _SHORT: "<u2", _DOUBLE: "<f8"}


def pack_predictions(codes: Floats) -> bytes:
    """Return codes per instance as bytes: small whole numbers in one or two, compressed where that is shorter.

    >>> len(pack_predictions(np.array([0.0, 1.0, -1.0, np.nan])))
    5
    >>> unpack_predictions(pack_predictions(np.array([0.0, 1.0, -1.0, np.nan]))).tolist()
    [0.0, 1.0, -1.0, nan]
    """
    codes = np.ascontiguousarray(codes, dtype=np.float64)
    kind = _DOUBLE
    raw = b""
    if codes.size:
        # 0 is missing, 1 is a label that is no class (-1), code c is c + 2. The least is NaN where one is missing.
        shifted, least = codes + 2.0, codes.min()
        missing = np.isnan(codes) if least != least else None
        if missing is not None:
            shifted[missing] = 0.0
            least = np.min(codes, where=~missing, initial=0.0)
        most = shifted.max()
        if least >= -1 and most <= 65_535:
            kind = _BYTE if most <= 255 else _SHORT
            whole = shifted.astype(_KINDS[kind])
            same = whole - 2.0 == codes
            raw = whole.tobytes()
            if not (same if missing is None else same | missing).all():
                kind = _DOUBLE
    if kind == _DOUBLE:
        raw = codes.astype(_KINDS[kind]).tobytes()
    small = zlib.compress(raw, 1)
    return kind.lower() + small if len(small) < len(raw) else kind + raw


def unpack_predictions(packed: bytes) -> Floats:
    """Return the codes."""
    kind, raw = packed[:1], packed[1:]
    if kind.islower():
        kind, raw = kind.upper(), zlib.decompress(raw)
    values = np.frombuffer(raw, dtype=_KINDS[kind]).astype(np.float64)
    if kind == _DOUBLE:
        return values
    values -= 2.0
    values[values == -2.0] = np.nan
    return values


def pack_scores(values: Floats) -> bytes:
    """Return a value per fold as little-endian float64, every not-a-number as the same one."""
    plain = np.array(values, dtype="<f8")
    plain[np.isnan(plain)] = np.nan
    return plain.tobytes()


def unpack_scores(packed: bytes) -> Floats:
    """Return the values per fold."""
    return np.frombuffer(packed, dtype="<f8").astype(np.float64)


def pack_faults(faults: tuple[Fault, ...]) -> str:
    """Return faults as JSON."""
    return json.dumps([[f.fold, f.kind, f.message] for f in faults], ensure_ascii=False)


def unpack_faults(text: str) -> tuple[Fault, ...]:
    """Return the faults."""
    return tuple(Fault(int(fold), kind, message) for fold, kind, message in json.loads(text))


def pack_grumbles(grumbles: tuple[Grumble, ...]) -> str:
    """Return warnings as JSON."""
    return json.dumps([[g.kind, g.text, list(g.folds)] for g in grumbles], ensure_ascii=False)


def unpack_grumbles(text: str) -> tuple[Grumble, ...]:
    """Return the warnings."""
    return tuple(Grumble(kind, told, tuple(folds)) for kind, told, folds in json.loads(text))
