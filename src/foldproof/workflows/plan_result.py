"""PlanRun: what ``run_plan`` returns, and its verbs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foldproof.domain.errors import unknown_name
from foldproof.workflows.comparison import Comparison
from foldproof.workflows.many import ManyComparison
from foldproof.workflows.plan_file import ExperimentPlan

# What all parts of a plan share, and is told once.
_SHARED = ("schema", "alpha", "adjust", "confidence_level", "control", "rope", "seed", "failures", "provenance")


@dataclass(frozen=True, slots=True, eq=False)
class PlanPart:
    """What came of one procedure under one scoring, on all datasets."""

    label: str
    many: ManyComparison

    @property
    def scoring(self) -> str:
        """The scoring's name."""
        return next(iter(self.many.comparisons.values())).scored[0].scoring


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlanRun:
    """What :func:`foldproof.run_plan` found: for each procedure and scoring all datasets and the tests over them.

    ``tasks`` runs of learners are behind it, of which ``fitted`` were fitted in this call.
    """

    plan: ExperimentPlan
    store: str
    parts: tuple[PlanPart, ...]
    tasks: int
    fitted: int

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from foldproof.report.plan import plan_fragment

        return plan_fragment(self.to_dict())

    def many(self, procedure: str | None = None, *, scoring: str | None = None) -> ManyComparison:
        """Return all datasets under one procedure and scoring, the first of each unless told otherwise."""
        labels = list(dict.fromkeys(part.label for part in self.parts))
        label = labels[0] if procedure is None else procedure
        if label not in labels:
            raise unknown_name("procedure of this plan", label, labels)
        own = [part for part in self.parts if part.label == label]
        wanted = own[0].scoring if scoring is None else scoring
        for part in own:
            if part.scoring == wanted:
                return part.many
        raise unknown_name("scoring of this plan", wanted, [part.scoring for part in own])

    def comparison(self, dataset: str, procedure: str | None = None, *, scoring: str | None = None) -> Comparison:
        """Return the comparison on one dataset."""
        return self.many(procedure, scoring=scoring).comparison(dataset)

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Every fold that did not come out, with its dataset and procedure; told once, whatever the scoring."""
        found = [{"procedure": part.label, **failure} for part in self.parts for failure in part.many.failures]
        return [failure for i, failure in enumerate(found) if failure not in found[:i]]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with the keys of the JSON output."""
        told = [part.many.to_dict() for part in self.parts]
        first = told[0]
        results = []
        for part, found in zip(self.parts, told, strict=True):
            own = {key: value for key, value in found.items() if key not in _SHARED}
            results.append({"label": part.label, **own})
        return {
            "schema": "foldproof/run/1",
            "plan": self.plan.name,
            "store": self.store,
            "tasks": self.tasks,
            "fitted": self.fitted,
            **{key: first[key] for key in ("seed", "alpha", "adjust", "confidence_level", "control", "rope")},
            "results": results,
            "failures": self.failures,
            "provenance": first["provenance"],
            "warnings": list(dict.fromkeys(w for found in told for w in found["warnings"])),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences that the command line prints."""
        from foldproof.report.plan import plan_text

        return plan_text(self.to_dict(), width=width, color=color)

    def to_frame(self) -> Any:
        """Return a row for each procedure, scoring, dataset and pair, as a polars frame."""
        import narwhals as nw
        import polars as pl

        frames = []
        for part in self.parts:
            rows = nw.from_native(part.many.to_frame(), eager_only=True).rows(named=True)
            frames += [{"procedure": part.label, "scoring": part.scoring, **row} for row in rows]
        return pl.DataFrame(frames, infer_schema_length=None)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.plan import plan_page

        page = plan_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page
