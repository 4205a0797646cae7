"""From outcomes to verdicts: every pair tested, adjusted together, and told with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from foldproof import significance
from foldproof.domain.differences import Differences
from foldproof.domain.notices import FORECAST_UNAVAILABLE, IDENTICAL, INCOMPLETE, INTERVAL_UNADJUSTED
from foldproof.domain.outcomes import Outcomes, paired_differences
from foldproof.domain.partitions import Splits
from foldproof.domain.result import TResult
from foldproof.domain.verdict import NONE, Verdict


def judge_pairs(
    outcomes: Mapping[str, Outcomes],
    partitions: Splits,
    scoring: str,
    *,
    test: str,
    alpha: float,
    adjust: str,
) -> tuple[Verdict, ...]:
    """Return the verdicts on all pairs, in the order the learners were given."""
    verdicts = [
        _judge(outcomes[a], outcomes[b], partitions, scoring, test, alpha) for a, b in combinations(outcomes, 2)
    ]
    return decide(verdicts, alpha=alpha, adjust=adjust)


def differences_of(a: Outcomes, b: Outcomes, partitions: Splits, scoring: str) -> Differences:
    """Return a pair's differences with the design of its partitions."""
    found = paired_differences(a, b, scoring, n_train=partitions.n_train, n_test=partitions.n_test)
    return found if partitions.complementary else replace(found, complementary=False)


def _judge(a: Outcomes, b: Outcomes, partitions: Splits, scoring: str, test: str, alpha: float) -> Verdict:
    if not (a.complete(scoring) and b.complete(scoring)):
        return Verdict(
            a=a.learner,
            b=b.learner,
            result=None,
            mean_difference=None,
            pvalue_adjusted=None,
            verdict=NONE,
            warnings=(INCOMPLETE, FORECAST_UNAVAILABLE),
        )
    differences = differences_of(a, b, partitions, scoring)
    result: TResult = significance.METHODS[test].function(differences)
    warnings = [*result.warnings, FORECAST_UNAVAILABLE]
    if not differences.values.any():
        warnings.append(IDENTICAL)
    return Verdict(
        a=a.learner,
        b=b.learner,
        result=result,
        mean_difference=result.mean_difference,
        pvalue_adjusted=result.pvalue,
        verdict=NONE,
        smallest_detectable=result.smallest_detectable(alpha=alpha),
        warnings=tuple(warnings),
    )


def decide(verdicts: Sequence[Verdict], *, alpha: float, adjust: str) -> tuple[Verdict, ...]:
    """Adjust the p-values of one family and let the adjusted ones decide."""
    tested = [v for v in verdicts if v.pvalue is not None]
    adjusted = significance.adjust_p([v.pvalue for v in tested], method=adjust) if tested else []
    by_pair = {(v.a, v.b): float(p) for v, p in zip(tested, adjusted, strict=True)}
    return tuple(_decided(v, by_pair.get((v.a, v.b)), alpha) for v in verdicts)


def _decided(verdict: Verdict, pvalue_adjusted: float | None, alpha: float) -> Verdict:
    if pvalue_adjusted is None:
        return verdict
    name = NONE
    if pvalue_adjusted <= alpha and verdict.statistic is not None:
        name = verdict.a if verdict.statistic > 0 else verdict.b
    warnings = verdict.warnings
    interval = verdict.confidence_interval(1.0 - alpha)
    if interval is not None and (interval[0] > 0.0 or interval[1] < 0.0) != (name != NONE):
        warnings = (*warnings, INTERVAL_UNADJUSTED)
    return replace(verdict, pvalue_adjusted=pvalue_adjusted, verdict=name, warnings=warnings)
