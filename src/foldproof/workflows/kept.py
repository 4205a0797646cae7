"""Work that is kept trial by trial in a store's log, so that what is done need not be done again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from foldproof.store import Store, open_store


class Kept:
    """Records by number, in a log of their own; without a store they are kept for as long as this lasts.

    The log's name holds a digest of everything that a record depends on: another question has another log.
    """

    def __init__(self, url: str | None, kind: str, question: Mapping[str, Any]) -> None:
        self._url = url
        text = json.dumps(question, sort_keys=True, ensure_ascii=False)
        self.log = f"{kind}/{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        self._store: Store | None = None
        self.known: dict[int, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        if self._url is not None:
            self._store = open_store(self._url)
            for line in self._store.lines(self.log):
                record = json.loads(line)
                self.known[int(record["number"])] = record
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            self._store.close()

    def add(self, record: dict[str, Any]) -> None:
        """Keep one record; it is there, whatever happens next."""
        self.known[int(record["number"])] = record
        if self._store is not None:
            line = json.dumps(record, sort_keys=True)
            self._store.append_line(self.log, lambda count, last: line)
