"""From what was conducted to verdicts: every pair tested, adjusted together, and told with what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from foldproof import significance
from foldproof.domain.notices import FORECAST_UNAVAILABLE, INCOMPLETE, INTERVAL_UNADJUSTED
from foldproof.domain.verdict import NONE, Verdict
from foldproof.workflows.procedures.base import Conducted, Judged, Procedure


def judge_pairs(
    procedure: Procedure, conducted: Conducted, scoring: str, *, alpha: float, adjust: str
) -> tuple[Verdict, ...]:
    """Return the verdicts on all pairs, in the order the learners were given."""
    names = list(conducted.outcomes)
    verdicts = [_verdict(procedure, conducted, a, b, scoring, alpha) for a, b in combinations(names, 2)]
    return decide(verdicts, alpha=alpha, adjust=adjust)


def _verdict(procedure: Procedure, conducted: Conducted, a: str, b: str, scoring: str, alpha: float) -> Verdict:
    if not (conducted.outcomes[a].complete(scoring) and conducted.outcomes[b].complete(scoring)):
        return Verdict(
            a=a,
            b=b,
            result=None,
            mean_difference=None,
            pvalue_adjusted=None,
            verdict=NONE,
            warnings=(INCOMPLETE, FORECAST_UNAVAILABLE),
        )
    return unadjusted(a, b, procedure.judge_pair(conducted, a, b, scoring, alpha))


def unadjusted(a: str, b: str, found: Judged) -> Verdict:
    """Return a pair's verdict before its p-value is adjusted, which is when it is decided."""
    return Verdict(
        a=a,
        b=b,
        result=found.result,
        mean_difference=found.mean_difference,
        pvalue_adjusted=None,
        verdict=NONE,
        evidence=found.evidence,
        forecast=found.forecast,
        smallest_detectable=found.smallest_detectable,
        settled=found.settled,
        table=found.table,
        warnings=found.warnings,
    )


def decide(verdicts: Sequence[Verdict], *, alpha: float, adjust: str) -> tuple[Verdict, ...]:
    """Adjust the p-values of one family and let the adjusted ones decide."""
    pvalues = [v.pvalue for v in verdicts if v.pvalue is not None]
    adjusted = iter(significance.adjust_p(pvalues, method=adjust) if pvalues else [])
    return tuple(v if v.pvalue is None else _decided(v, float(next(adjusted)), alpha) for v in verdicts)


def _decided(verdict: Verdict, pvalue_adjusted: float, alpha: float) -> Verdict:
    name = NONE
    if pvalue_adjusted <= alpha and verdict.favours is not None:
        name = verdict.favours
    warnings = verdict.warnings
    interval = verdict.confidence_interval(1.0 - alpha)
    if interval is not None and (interval[0] > 0.0 or interval[1] < 0.0) != (name != NONE):
        warnings = (*warnings, INTERVAL_UNADJUSTED)
    return replace(verdict, pvalue_adjusted=pvalue_adjusted, verdict=name, warnings=warnings)
