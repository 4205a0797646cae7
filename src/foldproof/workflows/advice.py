"""Advice: misuse that can be seen from a comparison and its data, each piece with what to do.

A piece of advice is a function under ``@advises``, which answers None where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foldproof.domain.notices import RATIO_OUT_OF_RANGE
from foldproof.workflows.data_advice import (
    classes_torn,
    copies_across_folds,
    group_columns,
    time_columns,
)

if TYPE_CHECKING:
    from foldproof.workflows.comparison import Comparison

MISUSE, CAVEAT = "misuse", "caveat"
# Tests that take the differences of folds for independent ones, whatever the folds share.
INDEPENDENT = ("paired-t", "repeated-kfold-t")
# Scores that end at 1.
BOUNDED = ("accuracy", "balanced_accuracy", "roc_auc", "f1", "precision", "recall", "jaccard", "average_precision")
# A pass over the data with fewer errors than this leaves little to tell learners apart by; where these few are many of
# a few instances, there are too few data, and it is no ceiling.
FEW_ERRORS, HIGH = 5, 0.9
# A share of tested instances with an equal in training below this is told to nobody.
COPIES = 0.02


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to mind.

    Attributes
    ----------
    code
        A stable word.
    says
        What was seen.
    do
        What to do about it.
    kind
        ``"misuse"``: what was done invalidates a claim; ``"caveat"``: what no single comparison can claim.
    """

    code: str
    says: str
    do: str
    kind: str = MISUSE


Adviser = Callable[["Comparison"], Advice | None]
ADVISERS: list[Adviser] = []


def advises(function: Adviser) -> Adviser:
    """File a piece of advice; they are given in the order of this file."""
    ADVISERS.append(function)
    return function


def advice_on(comparison: Comparison, *, look: int | None = None) -> tuple[Advice, ...]:
    """Return all that is to be said of a comparison, misuse before caveats."""
    found = [advice for adviser in ADVISERS if (advice := adviser(comparison)) is not None]
    seen = _seen_before(comparison, look)
    return tuple(sorted([*found, *([] if seen is None else [seen])], key=lambda advice: advice.kind != MISUSE))


def _seen_before(comparison: Comparison, look: int | None) -> Advice | None:
    if look is None:
        ledger: Any = comparison.to_dict()["ledger"]
        look = None if ledger is None else ledger.get("look")
    if look is None or look < 2:
        return None
    return Advice(
        "seen_before",
        f"this is look {look} at this dataset: with every look, finding something by accident becomes more likely",
        "judge it at the level that the ledger leaves, and confirm what matters on new data",
    )


@advises
def folds_as_independent(comparison: Comparison) -> Advice | None:
    """See folds that share training data, in a test that takes them for independent."""
    conducted, test = comparison.conducted, comparison.procedure.test
    shared = comparison.partitions.complementary and conducted.runs * conducted.folds > 1
    if test not in INDEPENDENT or not shared:
        return None
    return Advice(
        "folds_not_independent",
        f"{test} takes the {conducted.runs} x {conducted.folds} folds for independent, and they share training data: "
        "it rejects more often than its level says",
        "use corrected-10x10-cv, or corrected-repeated-cv at this size",
    )


@advises
def half_is_out_of_range(comparison: Comparison) -> Advice | None:
    """See few folds, with the variance correction outside the range it is advised for."""
    if not any(RATIO_OUT_OF_RANGE in pair.warnings for pair in comparison.pairs):
        return None
    ratio = comparison.partitions.n_train / comparison.partitions.n_test
    return Advice(
        "correction_out_of_range",
        f"training sets are {ratio:.2g} times as large as test sets, and the corrected variance is advised for 5 to 10 "
        "times",
        "use ten folds; where half of the data must suffice to train, use 5x2cv-f",
    )


@advises
def small_classes_torn(comparison: Comparison) -> Advice | None:
    """See small classes divided without strata."""
    torn = classes_torn(comparison.dataset, comparison.partitions)
    if not torn:
        return None
    label, empty, splits = torn[0]
    more = f" (and {len(torn) - 1} more)" if len(torn) > 1 else ""
    return Advice(
        "small_classes_unstratified",
        f"the partitions are not stratified: {empty} of {splits} test sets hold none of class {label!r}{more}, though "
        "there are enough for each",
        "use a stratified procedure such as corrected-10x10-cv, or a stratified splitter",
    )


@advises
def time_at_random(comparison: Comparison) -> Advice | None:
    """See a column of times, and partitions that mix past and future."""
    if not comparison.partitions.complementary:
        return None
    names = time_columns(comparison.dataset)
    if not names:
        return None
    return Advice(
        "time_split_at_random",
        f"{_columns(names)} a time, and the folds mix past and future: what is learned from tomorrow predicts today",
        "if the task is to predict what comes later, give cv= a splitter of time series",
    )


@advises
def groups_at_random(comparison: Comparison) -> Advice | None:
    """See a column of groups that the partitions tear apart."""
    if comparison.dataset.groups is not None or not comparison.partitions.complementary:
        return None
    names = group_columns(comparison.dataset)
    if not names:
        return None
    return Advice(
        "groups_split_at_random",
        f"{_columns(names)} a group (a person, a site, a batch), and instances of one group are trained on and tested",
        f"if new groups are to be predicted, give groups= (--groups {names[0]!r})",
    )


@advises
def copies_in_training(comparison: Comparison) -> Advice | None:
    """See instances whose like is in the training set."""
    found = copies_across_folds(comparison.dataset, comparison.partitions)
    if found is None:
        return None
    copies, tested, duplicates = found
    if copies < COPIES * tested:
        return None
    return Advice(
        "duplicate_rows",
        f"{duplicates} of {len(comparison.dataset)} rows have the attributes of another, and "
        f"{100 * copies / tested:.0f} % of the tested instances have one in their training set: remembering pays",
        "remove duplicates, or give equal rows one group (groups=), and see whether the verdict stays",
    )


@advises
def identical_learners(comparison: Comparison) -> Advice | None:
    """See two learners that say the same."""
    for pair in comparison.pairs:
        if "identical_scores" in pair.warnings:
            return Advice(
                "identical_learners",
                f"{pair.a} and {pair.b} have the same score in every fold: they are the same learner here",
                "check that their settings differ as you meant, and leave one out",
            )
    return None


@advises
def ceiling(comparison: Comparison) -> Advice | None:
    """See scores so near the top that nothing is left to differ."""
    scored = comparison.scored[0]
    name = next((word for word in BOUNDED if scored.scoring.startswith(word)), None)
    scores = [learner.mean_score for learner in scored.learners if learner.mean_score is not None]
    if name is None or len(scores) < 2:
        return None
    second = sorted(scores)[-2]
    errors = (1.0 - second) * len(comparison.dataset)
    if second < 0.99 and not (name == "accuracy" and errors < FEW_ERRORS and second >= HIGH):
        return None
    return Advice(
        "ceiling",
        f"the two best have a mean {scored.scoring} of at least {second:.3f}: there is next to nothing left to "
        "differ in",
        "use harder data, or a score that still varies, such as neg_log_loss",
    )


@advises
def no_similar_learner(comparison: Comparison) -> Advice | None:
    """See a study of feasibility in the dress of a comparison."""
    learners = comparison.conducted.setting.learners
    dummies = [x.name for x in learners if type(x.estimator).__name__.startswith("Dummy")]
    if len(dummies) >= len(learners) - 1:
        return Advice(
            "feasibility_only",
            f"{learners[0].name if learners[0].name not in dummies else learners[-1].name} is compared with "
            f"{', '.join(dummies)} only: that shows that it learns something, not that it is better than others",
            "say that it is feasible, or include the learner that is most similar to it",
        )
    asked = comparison.procedure.name == "salzberg"
    if asked and (comparison.protocol is None or comparison.protocol["most_similar"] is None):
        return Advice(
            "no_similar_learner",
            "it was not said which learner is most similar to the new one: without it this is a study of feasibility, "
            "not a comparison",
            "include the most similar learner and name it (most_similar=, --most-similar)",
        )
    return None


@advises
def reach(comparison: Comparison) -> Advice | None:
    """Say how far a verdict reaches: to what was sampled, not to learning in general."""
    name = comparison.dataset.name
    public = name.startswith(("sklearn:", "openml:"))
    what = (
        f"{name} is a public dataset: its results, and learners tuned on it, are known"
        if public
        else (f"one dataset, {name}, was compared on")
    )
    return Advice(
        "reach",
        f"{what}; the verdict reaches as far as the population these instances were drawn from",
        "claim it for such data, not in general; for more, use many datasets from a population you can name",
        CAVEAT,
    )


def _columns(names: list[str]) -> str:
    if len(names) == 1:
        return f"column {names[0]!r} looks like"
    return f"columns {', '.join(map(repr, names[:3]))}{' and more' if len(names) > 3 else ''} look like"
