"""All folds of all runs, one naive Bayes after the other, each from nothing; and what its parts are, spelt out."""

import math

from naive import naive_bayes

TWIN_OF = ("bayes_cells", "bayes_numbers", "bayes_quick", "bayes_series", "bayes_steps", "bayes_tables")


def predictions(rows, labels, values, test_fold, order=None, *, n_classes, **options):
    """Return the predicted class for each run and instance.

    None where a run never tests it, and where numbers make two classes as probable to nine digits: distribution
    functions differ in their last digits.
    """
    numbers = any(value is None for value in values)
    answers = []
    for run, folds in enumerate(test_fold):
        handed = list(range(len(rows))) if order is None else order[run]
        answer = [None] * len(rows)
        for fold in range(max(folds) + 1):
            train = [i for i in handed if folds[i] != fold]
            model = naive_bayes.fit([rows[i] for i in train], [labels[i] for i in train], values, n_classes, **options)
            for i in handed:
                if folds[i] == fold:
                    told = naive_bayes.probabilities(model, rows[i])
                    *_, second, first = sorted(told)
                    if not numbers or second < first * (1 - 1e-9):
                        answer[i] = told.index(first)
        answers.append(answer)
    return answers


def mass(z, h):
    """Return the standard normal mass between z - h/2 and z + h/2, by a sum of many thin slices."""
    slices = 2000
    at = [z - h / 2 + h * (s + 0.5) / slices for s in range(slices)]
    return sum(math.exp(-0.5 * v * v) for v in at) / math.sqrt(2 * math.pi) * h / slices


def moments(values, d):
    """Return mean and deviation of values rounded to multiples of d."""
    rounded = [round(v / d) * d for v in values]
    if not rounded:
        return 0.0, d / 6
    mean = sum(rounded) / len(rounded)
    spread = math.sqrt(sum((v - mean) ** 2 for v in rounded) / len(rounded))
    return mean, max(d / 6, spread)
