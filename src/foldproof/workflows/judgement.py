"""``fp.judge``: a test on scores or predictions that exist already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.result import SidelessResult, checked_level, finite_or_none
from foldproof.domain.scores import Scores
from foldproof.domain.verdict import NONE, POSTERIORS, Verdict
from foldproof.workflows.compare import check_levels
from foldproof.workflows.comparison import pair_dict
from foldproof.workflows.evidence import judge_all, judge_pair, method_of
from foldproof.workflows.judge import decide
from foldproof.workflows.over_datasets import NO_FOLDS, POPULATION, Ranks, judge_over_datasets, over_datasets
from foldproof.workflows.procedures.base import FORECASTABLE
from foldproof.workflows.provenance import provenance


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TableVerdicts:
    """What was found on one dataset: a verdict for every pair, and the test of all learners at once if it is one."""

    dataset: str | None
    pairs: tuple[Verdict, ...]
    omnibus: SidelessResult | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Judgement:
    """The verdicts of :func:`foldproof.judge` and the scores they rest on.

    ``tables`` has an entry for each dataset; a test over datasets has one, of no dataset, and ``ranks`` where it ranks.
    """

    scores: Scores
    test: str
    alpha: float
    adjust: str
    tables: tuple[TableVerdicts, ...]
    over_datasets: bool = False
    ranks: Ranks | None = None

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def pairs(self) -> tuple[Verdict, ...]:
        """The verdicts, dataset by dataset."""
        return tuple(verdict for table in self.tables for verdict in table.pairs)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was recovered, assumed or left out in reading the scores, and how far conclusions reach."""
        if len(self.scores.tables) == 1:
            return self.scores.notes
        return (*self.scores.notes, *((NO_FOLDS,) if self.over_datasets else ()), POPULATION)

    def pair(self, a: str, b: str, *, dataset: str | None = None) -> Verdict:
        """Return the verdict on one pair, in the order of the learners."""
        if dataset is not None or not self.over_datasets:
            self.scores.table(dataset)
        for name in (a, b):
            if name not in self.scores.learners:
                raise unknown_name("learner of these scores", name, self.scores.learners)
        for table in self.tables:
            for verdict in table.pairs:
                if (verdict.a, verdict.b) == (a, b) and dataset in (None, table.dataset):
                    return verdict
        raise InputError(f"the pair is ({b!r}, {a!r}): ask for it so, because the sign of its difference depends on it")

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement as plain values, with the keys of the JSON output."""
        designs = [table.design for table in self.scores.tables]
        sign = 1.0 if self.scores.greater_is_better else -1.0
        told: dict[str, Any] = {
            "schema": "foldproof/test/1",
            "test": self.test,
            "datasets": list(self.scores.datasets),
            "over_datasets": self.over_datasets,
            "design": {
                key: getattr(designs[0], key) if len({getattr(d, key) for d in designs}) == 1 else None
                for key in ("runs", "folds", "n_train", "n_test")
            },
            "scoring": self.scores.scoring,
            "greater_is_better": self.scores.greater_is_better,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "confidence_level": 1.0 - self.alpha,
            "learners": [
                {"name": name, "mean_score": float(sign * mean)}
                for name, mean in zip(self.scores.learners, self.scores.means().mean(axis=0), strict=True)
            ],
            "pairs": [self._pair(verdict, table.dataset) for table in self.tables for verdict in table.pairs],
            "omnibus": [_omnibus(table.dataset, table.omnibus, self.alpha) for table in self.tables if table.omnibus],
            "ranks": None if self.ranks is None else self.ranks.to_dict(),
            "provenance": {k: v for k, v in provenance("").items() if k in ("version", "python", "packages")},
            "warnings": list(self.warnings),
        }
        return told

    def _pair(self, verdict: Verdict, dataset: str | None) -> dict[str, Any]:
        told = pair_dict(verdict, self.alpha)
        if isinstance(verdict.result, POSTERIORS):
            found = verdict.result
            told["probabilities"] = {"a": found.p_a, "rope": found.p_rope, "b": found.p_b}
        if dataset is not None:
            told["dataset"] = dataset
        if len(self.tables) > 1 and verdict.pvalue_adjusted is not None:
            # Salzberg (1997, section 3.5): Bonferroni over the datasets.
            pvalue = min(1.0, verdict.pvalue_adjusted * len(self.tables))
            told["bonferroni"] = {"pvalue": pvalue, "verdict": verdict.verdict if pvalue <= self.alpha else NONE}
        return told

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the table and sentences that the command line prints."""
        from foldproof.report.judgement import judgement_text

        return judgement_text(self.to_dict(), width=width, color=color)

    def _repr_html_(self) -> str:
        from foldproof.report.notebook import judgement_fragment

        return judgement_fragment(self.to_dict())

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the self-contained page, and write it where a path is given."""
        from foldproof.report.html import write_page
        from foldproof.report.notebook import judgement_page

        page = judgement_page(self.to_dict())
        if path is not None:
            write_page(page, Path(path))
        return page

    def plot(self, ax: Any = None) -> Any:
        """Draw the critical-difference diagram of Nemenyi's test; Axes in, Axes out."""
        from foldproof.report.figures.critical_difference import plot_critical_difference

        return plot_critical_difference(None if self.ranks is None else self.ranks.to_dict(), self.alpha, ax)

    def to_frame(self) -> Any:
        """Return the pairs as a frame: of the kind the scores came in, polars otherwise."""
        from foldproof.report.frames import rows_to_frame

        rows = []
        for told in self.to_dict()["pairs"]:
            low, high = told.pop("confidence_interval")
            cells, df = told.pop("table") or {}, told.pop("df")
            probable, bonferroni = told.pop("probabilities", {}), told.pop("bonferroni", {})
            told.pop("warnings")
            rows.append(
                {
                    **({"dataset": told.pop("dataset")} if "dataset" in told else {}),
                    **told,
                    "ci_low": low,
                    "ci_high": high,
                    "df": float(df[0]) if isinstance(df, list) else df,
                    **cells,
                    **{f"p_{key}": value for key, value in probable.items()},
                    **{f"{key}_bonferroni": value for key, value in bonferroni.items()},
                }
            )
        return rows_to_frame(rows, like=self.scores.like)


def _omnibus(dataset: str | None, result: SidelessResult, alpha: float) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "test": result.test,
        "statistic": finite_or_none(result.statistic),
        "df": list(result.df) if isinstance(result.df, tuple) else result.df,
        "pvalue": result.pvalue,
        "rejected": result.decide(alpha=alpha),
        "warnings": list(result.warnings),
    }


def judge(
    scores: Scores,
    test: str = FORECASTABLE,
    *,
    alpha: float = 0.05,
    adjust: str = "holm",
    options: Mapping[str, Any] | None = None,
) -> Judgement:
    """Test scores or predictions that exist already.

    Parameters
    ----------
    scores
        What :func:`foldproof.read_scores` returned.
    test
        A test by name (``foldproof list tests``). One on counts or answers needs predictions of single instances;
        one over datasets (``"friedman"``, ``"wilcoxon-signed-rank"``, ...) takes the mean score on each of them.
    alpha, adjust
        The level, and how p-values are adjusted for the number of pairs of a dataset. The adjusted p-value decides.
    options
        The test's own options by name, such as ``{"form": "exact"}`` for McNemar's.

    Examples
    --------
    >>> import foldproof as fp
    >>> scores = fp.read_scores({"a": [0.9, 0.8, 0.86, 0.85], "b": [0.8, 0.79, 0.75, 0.74]}, runs=2, folds=2)
    >>> found = fp.judge(scores, "corrected-repeated-kfold-t")
    >>> found.pair("a", "b").verdict, round(found.pair("a", "b").pvalue, 4)
    ('none', 0.226)
    """
    check_levels(checked_level(alpha), adjust)
    chosen = dict(options or {})
    method = method_of(test, chosen)
    if over_datasets(method):
        over = judge_over_datasets(scores, method, alpha=alpha, adjust=adjust, options=chosen)
        whole = TableVerdicts(dataset=None, pairs=over.pairs, omnibus=over.omnibus)
        return Judgement(
            scores=scores,
            test=test,
            alpha=alpha,
            adjust=over.adjust,
            tables=(whole,),
            over_datasets=True,
            ranks=over.ranks,
        )
    tables = []
    for table in scores.tables:
        verdicts = []
        for a, b in combinations(scores.learners, 2):
            found = judge_pair(table, method, a, b, alpha=alpha, options=chosen)
            verdicts.append(
                Verdict(
                    a=a,
                    b=b,
                    result=found.result,
                    mean_difference=found.mean_difference,
                    pvalue_adjusted=None,
                    verdict=NONE,
                    evidence=found.evidence,
                    forecast=found.forecast,
                    smallest_detectable=found.smallest_detectable,
                    table=found.table,
                    warnings=found.warnings,
                )
            )
        tables.append(
            TableVerdicts(
                dataset=table.dataset,
                pairs=decide(verdicts, alpha=alpha, adjust=adjust),
                omnibus=judge_all(table, method, scores.learners, chosen),
            )
        )
    return Judgement(scores=scores, test=test, alpha=alpha, adjust=adjust, tables=tuple(tables))
