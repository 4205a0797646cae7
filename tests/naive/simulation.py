"""How many of each test set are right, fold by fold: partitions as the partitions room makes them, learners one by one."""

from naive import bayes_folds, c45_folds


def right(rows, y, test_fold, folds):
    """Return the numbers of right answers for naive Bayes and C4.5, runs x folds."""
    told = (
        bayes_folds.predictions(rows, y, [2] * len(rows[0]), test_fold, n_classes=2),
        c45_folds.predictions(rows, y, [2] * len(rows[0]), 2, test_fold),
    )
    return [
        [[sum(a == c for a, c, f in zip(answer, y, run, strict=True) if f == fold) for fold in range(folds)]
         for answer, run in zip(answers, test_fold, strict=True)]
        for answers in told
    ]  # fmt: skip
