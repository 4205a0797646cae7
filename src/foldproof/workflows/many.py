"""ManyComparison: what ``compare_many`` returns, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.scores import Design, Scores, ScoreTable
from foldproof.domain.verdict import NONE, Verdict
from foldproof.workflows.comparison import Comparison, pair_dict
from foldproof.workflows.judgement import Judgement, judge
from foldproof.workflows.over_datasets import NO_FOLDS, POPULATION

INCOMPLETE_DATASETS = "incomplete_datasets"


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ManyComparison:
    """A comparison for each dataset, and tests over all of them.

    A dataset on which a fold of some learner failed has no part in the tests over datasets, and is told.
    """

    comparisons: Mapping[str, Comparison]
    alpha: float
    adjust: str
    control: str | None = None
    rope: float = 0.01

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from foldproof.report.many import many_fragment

        return many_fragment(self.to_dict())

    def comparison(self, dataset: str) -> Comparison:
        """Return the comparison on one dataset."""
        if dataset not in self.comparisons:
            raise unknown_name("dataset of this comparison", dataset, self.comparisons)
        return self.comparisons[dataset]

    @property
    def learners(self) -> tuple[str, ...]:
        """Their names, in the order they were given."""
        first = next(iter(self.comparisons.values()))
        return tuple(learner.name for learner in first.scored[0].learners)

    @property
    def complete(self) -> tuple[str, ...]:
        """The datasets on which every fold of every learner came out."""
        return tuple(
            name
            for name, c in self.comparisons.items()
            if all(outcome.complete(c.scored[0].scoring) for outcome in c.outcomes.values())
        )

    @property
    def scores(self) -> Scores:
        """The scores of all folds of the complete datasets, for :func:`foldproof.judge`."""
        first = next(iter(self.comparisons.values())).scored[0]
        if len(self.complete) < 2:
            raise InputError(
                f"all folds came out on {len(self.complete)} of {len(self.comparisons)} datasets, and a test over "
                "datasets takes at least two: see failures"
            )
        return Scores(
            tables=tuple(self._table(name) for name in self.complete),
            scoring=first.scoring,
            greater_is_better=first.greater_is_better,
        )

    def _table(self, dataset: str) -> ScoreTable:
        comparison = self.comparisons[dataset]
        scoring, splits = comparison.scored[0].scoring, comparison.partitions
        scores = {name: np.array(o.scores[scoring]) for name, o in comparison.outcomes.items()}
        shapes = {values.shape for values in scores.values()}
        runs, folds = shapes.pop() if len(shapes) == 1 else (None, None)
        design = Design(
            runs=runs,
            folds=folds,
            n_train=splits.n_train,
            n_test=splits.n_test,
            complementary=splits.complementary,
        )
        return ScoreTable(dataset=dataset, scores=scores, design=design)

    def judge(self, test: str, *, options: Mapping[str, Any] | None = None) -> Judgement:
        """Test over the datasets, by name: ``"friedman"``, ``"nemenyi"``, ``"wilcoxon-signed-rank"`` and others."""
        return judge(self.scores, test, alpha=self.alpha, adjust=self.adjust, options=options)

    def over_datasets(self) -> tuple[Judgement, ...]:
        """Return the tests over datasets that are told: those for two learners, for a control, or for all pairs."""
        tests: list[tuple[str, dict[str, Any]]] = []
        if len(self.learners) > 2:
            tests.append(("iman-davenport", {}))
            tests.append(("nemenyi", {}) if self.control is None else ("holm-control", {"control": self.control}))
        tests += [("wilcoxon-signed-rank", {}), ("sign-test", {}), ("bayesian-signed-rank", {"rope": self.rope})]
        return tuple(self.judge(name, options=options) for name, options in tests)

    def bonferroni(self, dataset: str, a: str, b: str) -> tuple[float | None, str]:
        """Return a pair's p-value on one dataset adjusted for the number of datasets too, and what it decides."""
        return self._with_bonferroni(self.comparison(dataset).pair(a, b))

    def _with_bonferroni(self, verdict: Verdict) -> tuple[float | None, str]:
        if verdict.pvalue_adjusted is None:
            return None, NONE
        # Salzberg (1997, section 3.5).
        pvalue = min(1.0, verdict.pvalue_adjusted * len(self.comparisons))
        return pvalue, verdict.verdict if pvalue <= self.alpha else NONE

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Every fold that did not come out, with its dataset."""
        return [{"dataset": name, **failure} for name, c in self.comparisons.items() for failure in c.failures]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What there is to say of every dataset, and of all of them."""
        told = [f"{w} (on {name})" for name, c in self.comparisons.items() for w in c.warnings]
        left = [name for name in self.comparisons if name not in self.complete]
        if left:
            told.append(f"{INCOMPLETE_DATASETS}: folds failed on {', '.join(left)}, left out of tests over datasets")
        return (*told, NO_FOLDS, POPULATION) if len(self.comparisons) > 1 else tuple(told)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with the keys of the JSON output."""
        first = next(iter(self.comparisons.values()))
        scored = first.scored[0]
        over = self.over_datasets() if len(self.complete) > 1 else ()
        ranks = next((j.ranks for j in over if j.ranks is not None), None)
        means = self.scores.means().mean(axis=0) if over else [None] * len(self.learners)
        sign = 1.0 if scored.greater_is_better else -1.0
        return {
            "schema": "foldproof/compare-many/1",
            "procedure": {
                "name": first.procedure.name,
                "test": first.procedure.test,
                "runs": first.conducted.runs,
                "folds": first.conducted.folds,
            },
            "scoring": scored.scoring,
            "greater_is_better": scored.greater_is_better,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "confidence_level": 1.0 - self.alpha,
            "control": self.control,
            "rope": self.rope,
            "seed": first.seed,
            "learners": [
                {"name": learner.name, "spec": learner.spec, "mean_score": None if mean is None else sign * float(mean)}
                for learner, mean in zip(scored.learners, means, strict=True)
            ],
            "datasets": [self._dataset(name, c) for name, c in self.comparisons.items()],
            "over_datasets": [{key: j.to_dict()[key] for key in ("test", "adjust", "pairs", "omnibus")} for j in over],
            "ranks": None if ranks is None else ranks.to_dict(),
            "failures": self.failures,
            "provenance": {k: v for k, v in first.provenance.items() if k in ("version", "python", "packages")},
            "warnings": list(self.warnings),
        }

    def _dataset(self, name: str, comparison: Comparison) -> dict[str, Any]:
        pairs = []
        for verdict in comparison.pairs:
            pvalue, decided = self._with_bonferroni(verdict)
            told = pair_dict(verdict, self.alpha)
            pairs.append({**told, "bonferroni": {"pvalue": pvalue, "verdict": decided}})
        return {
            "name": name,
            "fingerprint": comparison.dataset.fingerprint,
            "instances": len(comparison.dataset),
            "attributes": len(comparison.dataset.attributes),
            "classes": None if comparison.dataset.classes is None else len(comparison.dataset.classes),
            "complete": name in self.complete,
            "scores": [asdict(learner)["mean_score"] for learner in comparison.scored[0].learners],
            "partitions_fingerprint": comparison.partitions.fingerprint,
            "pairs": pairs,
            "ledger": None if comparison.ledger is None else comparison.ledger.to_dict(),
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences for a terminal."""
        from foldproof.report.many import many_text

        return many_text(self.to_dict(), width=width, color=color)

    def to_frame(self) -> Any:
        """Return a row for each dataset and pair, as a frame of the kind the first X came in."""
        from foldproof.report.frames import rows_to_frame

        rows = []
        for name, comparison in self.comparisons.items():
            for verdict in comparison.pairs:
                pvalue, decided = self._with_bonferroni(verdict)
                rows.append(
                    {
                        "dataset": name,
                        "a": verdict.a,
                        "b": verdict.b,
                        "mean_difference": verdict.mean_difference,
                        "pvalue": verdict.pvalue,
                        "pvalue_adjusted": verdict.pvalue_adjusted,
                        "verdict": verdict.verdict,
                        "forecast": verdict.forecast,
                        "pvalue_bonferroni": pvalue,
                        "verdict_bonferroni": decided,
                    }
                )
        return rows_to_frame(rows, like=next(iter(self.comparisons.values())).dataset.X)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.many import many_page

        page = many_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page

    def plot(self, ax: Any = None) -> Any:
        """Draw the critical-difference diagram; Axes in, Axes out."""
        from foldproof.report.figures.critical_difference import plot_critical_difference

        ranks = self.judge("nemenyi").ranks
        assert ranks is not None
        return plot_critical_difference(ranks.to_dict(), self.alpha, ax)
