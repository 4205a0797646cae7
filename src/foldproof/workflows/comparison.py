"""Comparison: what ``compare`` returns, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from foldproof import significance
from foldproof.domain.dataset import Dataset
from foldproof.domain.differences import Differences
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.outcomes import Outcomes
from foldproof.domain.partitions import Splits
from foldproof.domain.result import finite_or_none
from foldproof.domain.verdict import Verdict
from foldproof.learners.learner import Learner
from foldproof.ledger.standing import Standing
from foldproof.workflows.advice import Advice, advice_on
from foldproof.workflows.chosen import Tuning, tunings
from foldproof.workflows.procedures import Conducted, Procedure
from foldproof.workflows.scoring import Scoring


@dataclass(frozen=True, slots=True)
class LearnerSummary:
    """A learner's mean score over all folds, as its metric defines it, and the standard deviation of the folds."""

    name: str
    spec: str
    mean_score: float | None
    sd: float | None

    @classmethod
    def of(cls, learner: Learner, outcomes: Outcomes, scoring: Scoring) -> LearnerSummary:
        """Summarise the folds that came out."""
        scores = outcomes.scores[scoring.name]
        known = scores[np.isfinite(scores)]
        mean = scoring.shown(float(known.mean())) if known.size else None
        sd = float(known.std(ddof=1)) if known.size > 1 else None
        return cls(learner.name, learner.spec, mean, sd)


@dataclass(frozen=True, slots=True)
class Scored:
    """Learners and verdicts under one scoring, and where this look stands in the ledger if there is one."""

    scoring: str
    greater_is_better: bool
    learners: tuple[LearnerSummary, ...]
    pairs: tuple[Verdict, ...]
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """The verdicts of :func:`foldproof.compare` and everything they rest on.

    ``scored`` has an entry for each scoring; the verbs speak of the first unless told otherwise.
    """

    procedure: Procedure
    conducted: Conducted
    scored: tuple[Scored, ...]
    alpha: float
    adjust: str
    warnings: tuple[str, ...]
    provenance: Mapping[str, Any]
    protocol: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from foldproof.report.html import comparison_fragment

        return comparison_fragment(self.to_dict(), self._fold_differences())

    @property
    def dataset(self) -> Dataset:
        """The dataset that was divided."""
        return self.conducted.setting.dataset

    @property
    def partitions(self) -> Splits:
        """How it was divided: a scikit-learn ``cv`` object."""
        return self.conducted.partitions

    @property
    def outcomes(self) -> Mapping[str, Outcomes]:
        """Every learner's scores on every fold."""
        return self.conducted.outcomes

    @property
    def seed(self) -> int:
        """The root of all randomness."""
        return self.conducted.setting.seed

    @property
    def pairs(self) -> tuple[Verdict, ...]:
        """The verdicts under the first scoring."""
        return self.scored[0].pairs

    @property
    def ledger(self) -> Standing | None:
        """Where the look under the first scoring stands in the store's ledger; None without one."""
        return self.scored[0].standing

    def under(self, scoring: str | None = None) -> Scored:
        """Return what was found under one scoring (the first by default)."""
        if scoring is None:
            return self.scored[0]
        for scored in self.scored:
            if scored.scoring == scoring:
                return scored
        raise unknown_name("scoring of this comparison", scoring, [s.scoring for s in self.scored])

    def pair(self, a: str, b: str, *, scoring: str | None = None) -> Verdict:
        """Return the verdict on one pair, in the order the learners were given."""
        scored = self.under(scoring)
        names = [learner.name for learner in scored.learners]
        for name in (a, b):
            if name not in names:
                raise unknown_name("learner of this comparison", name, names)
        for verdict in scored.pairs:
            if (verdict.a, verdict.b) == (a, b):
                return verdict
        raise InputError(
            f"the pair is ({b!r}, {a!r}), in the order the learners were given: ask for it so, because the sign of "
            "its difference depends on the order"
            if a != b
            else f"{a!r} is not compared with itself"
        )

    def differences(self, a: str, b: str, *, scoring: str | None = None) -> Differences | None:
        """Return the paired differences (runs x folds) that a verdict rests on; None where it rests on others."""
        return self.pair(a, b, scoring=scoring).differences

    @property
    def tuning(self) -> tuple[Tuning, ...]:
        """What each learner that tunes itself chose in every fold."""
        return tunings(self.conducted.setting.learners, [self.outcomes])

    def advice(self, *, look: int | None = None) -> tuple[Advice, ...]:
        """Return what can be seen to be wrong or too much claimed, each with what to do.

        ``look`` says that this is the n-th look at the dataset, where no ledger of a store says so.
        """
        return advice_on(self, look=look)

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Every fold that did not come out, in order."""
        return [asdict(failure) for outcome in self.outcomes.values() for failure in outcome.failures]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values, with the keys of the JSON output."""
        first = self._scored_dict(self.scored[0])
        told: dict[str, Any] = {
            "schema": "foldproof/compare/1",
            "dataset": {
                "name": self.dataset.name,
                "fingerprint": self.dataset.fingerprint,
                "instances": len(self.dataset),
                "attributes": len(self.dataset.attributes),
                "classes": None if self.dataset.classes is None else len(self.dataset.classes),
            },
            "procedure": {
                "name": self.procedure.name,
                "test": self.procedure.test,
                "runs": self.conducted.runs,
                "folds": self.conducted.folds,
            },
            "scoring": first["scoring"],
            "greater_is_better": first["greater_is_better"],
            "alpha": self.alpha,
            "adjust": self.adjust,
            "confidence_level": 1.0 - self.alpha,
            "seed": self.seed,
            "n_train": self.partitions.n_train,
            "n_test": self.partitions.n_test,
            "learners": first["learners"],
            "pairs": first["pairs"],
            "failures": self.failures,
            "ledger": first["ledger"],
            "provenance": dict(self.provenance),
            "warnings": list(self.warnings),
        }
        if len(self.scored) > 1:
            told["more_scorings"] = [self._scored_dict(scored) for scored in self.scored[1:]]
        if self.tuning:
            told["tuning"] = [found.to_dict() for found in self.tuning]
        if self.protocol is not None:
            told["protocol"] = dict(self.protocol)
        return told

    def _told(self) -> dict[str, Any]:
        """Return what reports are made of: the JSON's values and the advice."""
        return {**self.to_dict(), "advice": [asdict(found) for found in self.advice()]}

    def _scored_dict(self, scored: Scored) -> dict[str, Any]:
        return {
            "scoring": scored.scoring,
            "greater_is_better": scored.greater_is_better,
            "learners": [asdict(learner) for learner in scored.learners],
            "pairs": [pair_dict(verdict, self.alpha) for verdict in scored.pairs],
            "ledger": None if scored.standing is None else scored.standing.to_dict(),
        }

    def _fold_differences(self) -> dict[tuple[str, str], list[list[float]]]:
        """Return the differences of the pairs that are complete, for pictures."""
        return {
            (v.a, v.b): np.atleast_2d(v.differences.values).tolist() for v in self.pairs if v.differences is not None
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences that the command line prints."""
        from foldproof.report.text import comparison_text

        return comparison_text(self._told(), width=width, color=color)

    def to_frame(self) -> Any:
        """Return the pairs as a frame: of the kind X came in, polars otherwise."""
        from foldproof.report.frames import rows_to_frame

        rows = []
        for scored in self.scored:
            for verdict in scored.pairs:
                told = pair_dict(verdict, self.alpha)
                low, high = told.pop("confidence_interval")
                table = told.pop("table") or {}
                told.pop("warnings")
                df = told.pop("df")
                rows.append(
                    {
                        "scoring": scored.scoring,
                        **told,
                        "ci_low": low,
                        "ci_high": high,
                        "df": float(df[0]) if isinstance(df, list) else df,
                        **table,
                    }
                )
        return rows_to_frame(rows, like=self.dataset.X)

    def to_latex(self) -> str:
        """Return the pairs as a LaTeX table."""
        from foldproof.report.latex import comparison_latex

        return comparison_latex(self.to_dict())

    def methods_text(self) -> str:
        """Return the paragraph for a methods section that says what was done."""
        from foldproof.report.methods import methods_text

        return methods_text(self.to_dict(), self.procedure.design)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import comparison_page, write_page

        page = comparison_page(self._told(), self._fold_differences(), self.methods_text())
        if path is not None:
            write_page(page, Path(path))
        return page

    def plot(self, ax: Any = None) -> Any:
        """Draw every pair's interval and fold differences; Axes in, Axes out."""
        from foldproof.report.figures.intervals import plot_intervals

        return plot_intervals(self.to_dict(), self._fold_differences(), ax)

    def plot_differences(self, a: str, b: str, ax: Any = None) -> Any:
        """Draw one pair's differences, fold by fold and run by run; Axes in, Axes out."""
        from foldproof.report.figures.differences import plot_differences

        pair = pair_dict(self.pair(a, b), self.alpha)
        return plot_differences(pair, self.to_dict(), self._fold_differences().get((a, b)), ax)

    def plot_t_values(self, a: str, b: str, ax: Any = None) -> Any:
        """Draw the t of every single run of cross-validation, as if it were the only one; Axes in, Axes out."""
        from foldproof.report.figures.t_values import plot_t_values

        differences = self._with_runs(a, b)
        found = significance.batch("paired-t", differences.values[:, np.newaxis, :])
        return plot_t_values(found["statistic"].tolist(), float(found["df"][0]), alpha=self.alpha, ax=ax)

    def plot_forecast(self, a: str, b: str, ax: Any = None) -> Any:
        """Draw what a re-run with another seed is expected to say of one pair; Axes in, Axes out."""
        from foldproof.replicability import forecast
        from foldproof.report.figures.forecast import plot_forecast

        if self.pair(a, b).forecast is None:
            raise InputError(f"no forecast is defined for {a} and {b} by {self.procedure.name}: there is none to draw")
        return plot_forecast(forecast(self._with_runs(a, b), alpha=self.alpha), a, b, ax)

    def _with_runs(self, a: str, b: str) -> Differences:
        differences = self.differences(a, b)
        if differences is None or differences.values.ndim != 2 or differences.values.shape[1] < 2:
            raise InputError(f"{a} and {b} have no runs of folds to draw: compare them by repeated cross-validation")
        return differences


def pair_dict(verdict: Verdict, alpha: float) -> dict[str, Any]:
    """Return a verdict as plain values; what is infinite or undefined is None, with a word in ``warnings``."""
    from foldproof.domain.notices import DF_INFINITE, STATISTIC_INFINITE

    interval = verdict.confidence_interval(1.0 - alpha)
    statistic = verdict.statistic
    warnings = list(verdict.warnings)
    if statistic is not None and finite_or_none(statistic) is None:
        warnings.append(STATISTIC_INFINITE)
    df = verdict.df
    if isinstance(df, float) and finite_or_none(df) is None:
        warnings.append(DF_INFINITE)
        df = None
    return {
        "a": verdict.a,
        "b": verdict.b,
        "mean_difference": verdict.mean_difference,
        "confidence_interval": [None, None] if interval is None else list(interval),
        "statistic": finite_or_none(statistic),
        "df": list(df) if isinstance(df, tuple) else df,
        "pvalue": verdict.pvalue,
        "pvalue_adjusted": verdict.pvalue_adjusted,
        "verdict": verdict.verdict,
        "forecast": verdict.forecast,
        "smallest_detectable": verdict.smallest_detectable,
        "settled": verdict.settled,
        "table": None if verdict.table is None else asdict(verdict.table),
        "warnings": warnings,
    }
