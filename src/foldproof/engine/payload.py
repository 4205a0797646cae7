"""A plan as it travels to other processes: written once, read by each of them.

On Linux large arrays are not copied for every process: they lie in memory that all of them map, read-only.
"""

from __future__ import annotations

import mmap
import os
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from foldproof.domain.errors import InputError
from foldproof.engine.plan import Plan

# Arrays that take more bytes than this are shared.
LARGE = 2**20
# Each array begins at a multiple of so many bytes.
_ALIGNED = 64


@dataclass(frozen=True, slots=True, eq=False)
class Payload:
    """A plan's bytes. ``shared`` is where its arrays lie, if they are shared, and ``sizes`` how long each is."""

    key: str
    body: bytes
    time_limit: float | None
    shared: str | None = None
    sizes: tuple[int, ...] = ()
    descriptor: int | None = None

    @classmethod
    def of(cls, plan: Plan, *, share: bool = False) -> Payload:
        """Return a plan's payload; whoever shares it closes it."""
        import cloudpickle

        arrays: list[Any] = []
        try:
            body = cloudpickle.dumps(plan, protocol=5, buffer_callback=arrays.append if share else None)
            raw = [array.raw() for array in arrays]
            if share and (sum(part.nbytes for part in raw) < LARGE or not hasattr(os, "memfd_create")):
                body, raw = cloudpickle.dumps(plan, protocol=5), []
        except Exception as error:
            raise InputError(
                f"the learners or data cannot be sent to other processes ({type(error).__name__}: {error}): use one "
                "process without a time limit"
            ) from None
        key = uuid4().hex
        if not raw:
            return cls(key, body, plan.time_limit)
        descriptor = os.memfd_create("foldproof")
        with os.fdopen(os.dup(descriptor), "wb") as file:
            for part in raw:
                file.write(part)
                file.write(bytes(-part.nbytes % _ALIGNED))
        place = f"/proc/{os.getpid()}/fd/{descriptor}"
        return cls(key, body, plan.time_limit, place, tuple(part.nbytes for part in raw), descriptor)

    def plan(self) -> Plan:
        """Return the plan, in the process that it travelled to."""
        import cloudpickle

        buffers: list[memoryview] = []
        if self.shared is not None:
            with open(self.shared, "rb") as file:  # noqa: PTH123  (a descriptor of another process)
                whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            start = 0
            for size in self.sizes:
                buffers.append(whole[start : start + size])
                start += size + -size % _ALIGNED
        found: Plan = cloudpickle.loads(self.body, buffers=buffers)
        return found

    def close(self) -> None:
        """Let go of what is shared."""
        if self.descriptor is not None:
            os.close(self.descriptor)
