"""Rows as the caller's kind of frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw


def rows_to_frame(rows: Sequence[Mapping[str, Any]], *, like: Any) -> Any:
    """Return rows as a frame of the library that ``like`` belongs to, or as a polars frame."""
    import polars

    frame = nw.from_native(like, eager_only=True, pass_through=True)
    backend: Any = frame.implementation if isinstance(frame, nw.DataFrame) else polars
    columns = {name: [row.get(name) for row in rows] for name in dict.fromkeys(k for row in rows for k in row)}
    return nw.from_dict(columns, backend=backend).to_native()
