"""All folds of all runs, one tree after the other, each from nothing."""

from naive.c45 import C45


def predictions(rows, y, sizes, n_classes, test_fold, **options):
    """Return the predicted class for each run and instance, None where a run never tests it."""
    answers = []
    for run in test_fold:
        answer = [None] * len(rows)
        for fold in range(max(run) + 1):
            train = [i for i, f in enumerate(run) if f != fold]
            tree = C45(sizes, n_classes, **options).fit([rows[i] for i in train], [y[i] for i in train])
            for i, f in enumerate(run):
                if f == fold:
                    answer[i] = tree.predict(rows[i])
        answers.append(answer)
    return answers
