"""``fp.gate_scores``: the gate on scores that exist already."""

from __future__ import annotations

from foldproof.domain.errors import InputError
from foldproof.domain.result import Claim
from foldproof.domain.scores import Scores, ScoreTable
from foldproof.replicability._needed import needed_to_decide
from foldproof.workflows.comparison import LearnerSummary
from foldproof.workflows.gate import Gate, check_gate, margin_test, sentences
from foldproof.workflows.provenance import provenance


def gate_scores(
    scores: Scores,
    baseline: str,
    candidate: str,
    *,
    min_effect: float,
    mode: str = "noninferiority",
    alpha: float = 0.05,
    dataset: str | None = None,
) -> Gate:
    """Say whether a candidate may replace the baseline, on scores of both on the same folds.

    Parameters
    ----------
    scores
        What :func:`foldproof.read_scores` returned, of repeated cross-validation or resampling.
    baseline, candidate
        Learners of these scores.
    min_effect, mode, alpha
        As in :func:`foldproof.gate`.
    dataset
        Which, where the scores are of several.

    Examples
    --------
    >>> import foldproof as fp
    >>> scores = fp.read_scores({"old": [0.90, 0.89, 0.91, 0.90], "new": [0.93, 0.92, 0.95, 0.93]}, runs=2, folds=2)
    >>> fp.gate_scores(scores, "old", "new", min_effect=0.01).outcome
    'pass'
    """
    check_gate(mode, min_effect, alpha)
    table = scores.table(dataset)
    if baseline == candidate:
        raise InputError(f"the baseline and the candidate are both {baseline!r}: name two learners of these scores")
    differences = table.differences(candidate, baseline)
    result = margin_test(mode, differences, min_effect)
    undecided = result.decide(alpha=alpha) is Claim.UNDECIDED
    return Gate(
        mode=mode,
        min_effect=float(min_effect),
        alpha=alpha,
        baseline=_summary(table, baseline, scores.greater_is_better),
        candidate=_summary(table, candidate, scores.greater_is_better),
        scoring=scores.scoring,
        greater_is_better=scores.greater_is_better,
        result=result,
        differences=differences,
        needed=needed_to_decide(differences, claim=mode, margin=min_effect, alpha=alpha) if undecided else None,
        dataset=None,
        procedure={"name": None, "test": mode, "runs": table.design.runs, "folds": table.design.folds},
        seed=None,
        failures=(),
        warnings=(*scores.notes, *sentences(result.warnings)),
        provenance={k: v for k, v in provenance("").items() if k in ("version", "python", "packages")},
    )


def _summary(table: ScoreTable, name: str, greater_is_better: bool) -> LearnerSummary:
    values = table.scores[name] if greater_is_better else -table.scores[name]
    return LearnerSummary(name, "", float(values.mean()), float(values.std(ddof=1)))
