"""Messages between a program and the processes that it started itself, over their pipes."""

from __future__ import annotations

import struct
from multiprocessing.reduction import ForkingPickler
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def send(pipe: IO[bytes], message: Any) -> None:
    """Write a message."""
    body = bytes(ForkingPickler.dumps(message))
    pipe.write(_LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Read a message; EOFError where the other side has gone."""
    return ForkingPickler.loads(_exactly(pipe, _LENGTH.unpack(_exactly(pipe, _LENGTH.size))[0]))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    found = pipe.read(size)
    if found is None or len(found) < size:
        raise EOFError
    return found
