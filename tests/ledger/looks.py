"""Looks for the tests of this room."""

from foldproof.ledger import Look, LookLearner, LookPair

IRIS = "1" * 64


def look(pvalue=0.01, *, seed=0, names=("forest", "bayes"), verdict=None, **changes):
    """Return a look at two learners; the first is favoured."""
    a, b = names
    said = verdict if verdict is not None else (a if pvalue is not None and pvalue <= 0.05 else "none")
    given = {
        "kind": "compare",
        "dataset": IRIS,
        "dataset_name": "iris",
        "learners": (LookLearner(a, "a.Forest()"), LookLearner(b, "b.Bayes()", 3)),
        "procedure": {"name": "corrected-10x10-cv", "runs": 10, "folds": 10},
        "scoring": "accuracy",
        "seed": seed,
        "alpha": 0.05,
        "pairs": (LookPair(a, b, pvalue, a, said),),
    }
    return Look(**{**given, **changes})


def three(pvalues, **changes):
    """Return a look at three learners; of each pair the first named is favoured."""
    learners = tuple(LookLearner(name, f"a.{name.upper()}()") for name in "xyz")
    pairs = tuple(
        LookPair(a, b, p, a, "none") for (a, b), p in zip((("x", "y"), ("x", "z"), ("y", "z")), pvalues, strict=True)
    )
    return look(learners=learners, pairs=pairs, **changes)
