"""Tests over many datasets: from a table of mean scores to verdicts that name learners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.notices import FORECAST_UNAVAILABLE
from foldproof.domain.over_datasets import FriedmanResult, NemenyiResult, RankPair, RankPairsResult
from foldproof.domain.result import SidelessResult
from foldproof.domain.scores import Floats, Scores
from foldproof.domain.verdict import NONE, Verdict
from foldproof.significance import Method
from foldproof.workflows.evidence import NO_PVALUE
from foldproof.workflows.judge import decide

POPULATION = (
    "population: what holds over these datasets holds for the repository or collection that they were drawn from, "
    "and need not hold for other data (Salzberg 1997, section 3.4)"
)
NO_FOLDS = "datasets: every dataset counts once, by its mean score; how sure each of these is does not enter the test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """The mean ranks of learners over datasets (1 is best), and Nemenyi's critical difference where asked for."""

    datasets: int
    mean_ranks: Mapping[str, float]
    critical_difference: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "datasets": self.datasets,
            "mean_ranks": [{"name": name, "mean_rank": rank} for name, rank in self.mean_ranks.items()],
            "critical_difference": self.critical_difference,
            "groups": [list(group) for group in self.groups],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OverDatasets:
    """What one test over datasets found: verdicts on pairs, a test of all learners at once, ranks; each where there."""

    adjust: str
    pairs: tuple[Verdict, ...] = ()
    omnibus: SidelessResult | None = None
    ranks: Ranks | None = None


def over_datasets(method: Method) -> bool:
    """Whether a test takes one value for each dataset."""
    return method.takes in ("values", "datasets")


def judge_over_datasets(
    scores: Scores, method: Method, *, alpha: float, adjust: str, options: Mapping[str, Any]
) -> OverDatasets:
    """Give a test the mean scores of all datasets."""
    if len(scores.tables) < 2:
        raise InputError(
            f"{method.name} takes one score for each of many datasets, and there is one dataset: give a dataset "
            "column, or use a test on the folds of one, such as corrected-repeated-kfold-t"
        )
    table = scores.means()
    if method.takes == "values":
        return OverDatasets(adjust=adjust, pairs=_by_differences(scores, table, method, alpha, adjust, options))
    chosen = _with_control(scores, options)
    if method.name == "holm-control":
        adjust = str(chosen.setdefault("adjust", adjust))
    found = method.function(table, **chosen)
    ranks = Ranks(datasets=found.datasets, mean_ranks=dict(zip(scores.learners, found.mean_ranks, strict=True)))
    if isinstance(found, FriedmanResult):
        return OverDatasets(adjust=adjust, omnibus=found, ranks=ranks)
    pairs = _by_ranks(scores, table, found, alpha)
    if isinstance(found, NemenyiResult):  # its p-values hold for all pairs as they are
        return OverDatasets(adjust="none", pairs=pairs, ranks=_with_distance(ranks, found, alpha))
    return OverDatasets(adjust=adjust, pairs=pairs, ranks=ranks)


def _by_differences(
    scores: Scores, table: Floats, method: Method, alpha: float, adjust: str, options: Mapping[str, Any]
) -> tuple[Verdict, ...]:
    own = {"independent": True} if method.name == "wilcoxon-signed-rank" else {}
    verdicts = []
    for i, j in combinations(range(len(scores.learners)), 2):
        # Rounding is measured by the scores: two that are equal but for it do not differ.
        differences = table[:, i] - table[:, j]
        differences[np.abs(differences) <= 1e-12 * np.abs(table[:, [i, j]]).max(axis=1)] = 0.0
        result = method.function(differences, **own, **options)
        verdicts.append(_verdict(scores, i, j, table, result, () if method.kind != "bayesian" else (NO_PVALUE,)))
    return decide(verdicts, alpha=alpha, adjust=adjust)


def _by_ranks(scores: Scores, table: Floats, found: RankPairsResult, alpha: float) -> tuple[Verdict, ...]:
    told = []
    for pair in found.pairs:
        verdict = _verdict(scores, pair.a, pair.b, table, pair, ())
        names = {"A": verdict.a, "B": verdict.b, "none": NONE}
        told.append((verdict, pair, names[str(pair.decide(alpha=alpha))]))
    return tuple(_decided(verdict, pair, name) for verdict, pair, name in told)


def _verdict(scores: Scores, i: int, j: int, table: Floats, result: Any, warnings: tuple[str, ...]) -> Verdict:
    return Verdict(
        a=scores.learners[i],
        b=scores.learners[j],
        result=result,
        mean_difference=float((table[:, i] - table[:, j]).mean()),
        pvalue_adjusted=None,
        verdict=NONE,
        warnings=(*result.warnings, FORECAST_UNAVAILABLE, *warnings),
    )


def _decided(verdict: Verdict, pair: RankPair, name: str) -> Verdict:
    return replace(verdict, pvalue_adjusted=pair.pvalue_adjusted, verdict=name)


def _with_control(scores: Scores, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with a control's name turned into its place."""
    chosen = dict(options)
    control = chosen.get("control")
    if isinstance(control, str):
        if control not in scores.learners:
            raise unknown_name("learner of these scores", control, scores.learners)
        chosen["control"] = scores.learners.index(control)
    return chosen


def _with_distance(ranks: Ranks, found: NemenyiResult, alpha: float) -> Ranks:
    names = list(ranks.mean_ranks)
    return replace(
        ranks,
        critical_difference=found.critical_difference(alpha),
        groups=tuple(tuple(names[i] for i in group) for group in found.groups(alpha)),
    )
