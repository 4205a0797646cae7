"""Audit: what ``fp.audit`` returns, and its verbs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from foldproof.workflows.provenance import versions


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """Something that was another version when a cell was computed than it is now; None where it was not there."""

    name: str
    then: str | None
    now: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDifference:
    """A cell that does not come out as it was stored, in what, and which versions are not the same."""

    dataset: str
    learner: str
    run: int
    what: tuple[str, ...]
    versions: tuple[VersionDifference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAudited:
    """Cells that cannot be computed again, and why."""

    dataset: str
    learner: str
    cells: int
    why: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Audit:
    """What :func:`foldproof.audit` found: of ``recomputable`` cells ``checked`` were computed again."""

    store: str
    sample: int | None
    seed: int
    cells: int
    recomputable: int
    checked: int
    different: tuple[CellDifference, ...]
    not_audited: tuple[NotAudited, ...]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def ok(self) -> bool:
        """Whether every cell that was computed again is the same, and at least one was."""
        return not self.different and (self.checked > 0 or self.cells == 0)

    @property
    def exit_code(self) -> int:
        """What the command line answers: 0 all equal, 1 a difference, 2 nothing could be computed again."""
        if self.different:
            return 1
        return 0 if self.ok else 2

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/audit/1",
            "store": self.store,
            "ok": self.ok,
            "sample": self.sample,
            "seed": self.seed,
            "cells": self.cells,
            "recomputable": self.recomputable,
            "checked": self.checked,
            "different": [
                {**asdict(found), "what": list(found.what), "versions": [asdict(v) for v in found.versions]}
                for found in self.different
            ],
            "not_audited": [asdict(found) for found in self.not_audited],
            "provenance": versions(),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the sentences that the command line prints."""
        from foldproof.report.audit import audit_text

        return audit_text(self.to_dict(), width=width, color=color)
