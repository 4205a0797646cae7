"""``fp.compare_many``: learners on many datasets, a verdict on each, and tests over all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.result import checked_level
from foldproof.engine.events import Listener
from foldproof.engine.execute import Executor
from foldproof.store.base import Store
from foldproof.workflows.compare import check_levels, compare
from foldproof.workflows.comparison import Comparison
from foldproof.workflows.many import ManyComparison
from foldproof.workflows.procedures import DEFAULT

# What names a dataset's data: X and y, a Dataset, or something that makes one of them when its turn comes.
Data = Any


def compare_many(
    datasets: Mapping[str, Data],
    learners: Mapping[str, Any] | Sequence[Any],
    *,
    procedure: str = DEFAULT,
    scoring: str | None = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    seed: int = 0,
    runs: int | None = None,
    folds: int | None = None,
    control: str | None = None,
    rope: float = 0.01,
    encode: bool = True,
    n_jobs: int | None = None,
    store: str | Store | None = None,
    ledger: bool = True,
    time_limit: float | None = None,
    executor: str | Executor = "local",
    scheduler: str | None = None,
    on_dataset: Callable[[str, Comparison], None] | None = None,
    on_event: Listener | None = None,
) -> ManyComparison:
    """Compare learners on many datasets.

    On each dataset it is :func:`compare`; over them, every dataset counts once, by the learners' mean scores.

    Parameters
    ----------
    datasets
        Names to ``(X, y)``, to a :class:`Dataset`, or to a function without arguments that returns one of them when
        its turn comes (so that not all need be in memory at once).
    learners
        As in :func:`compare`. The same learners on every dataset.
    procedure, scoring, seed, runs, folds, encode, n_jobs, store, ledger, time_limit, executor, scheduler, on_event
        As in :func:`compare`, the same for every dataset; ``scoring`` is one. With a
        store nothing is fitted twice, so that what was interrupted goes on where it stopped; each dataset is a look.
    alpha, adjust
        The level of every test, and how p-values are adjusted for the number of pairs, on each dataset and over them.
        Beside each dataset's verdict stands the one with Bonferroni's adjustment for the number of datasets.
    control
        A learner that the others are compared with over the datasets, named beforehand; all pairs otherwise.
    rope
        The largest difference of scores that does not matter, for the Bayesian comparison; in the metric's unit.
    on_dataset
        Called with a dataset's name and its comparison when it is done.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    >>> many = fp.compare_many(data, {"bayes": GaussianNB(), "dummy": DummyClassifier()}, procedure="10-fold-cv")
    >>> many.comparison("iris").pair("bayes", "dummy").verdict
    'bayes'
    >>> many.judge("wilcoxon-signed-rank").pair("bayes", "dummy").pvalue
    0.5
    """
    check_levels(checked_level(alpha), adjust)
    if not isinstance(datasets, Mapping):
        raise InputError(f"datasets is a {type(datasets).__name__}: give a dictionary of names to (X, y)")
    if len(datasets) < 2:
        raise InputError(f"compare_many takes at least two datasets; got {len(datasets)}: use compare for one")
    if scoring is not None and not isinstance(scoring, str) and not callable(scoring):
        raise InputError("compare_many takes one scoring: a test over datasets is of one metric")
    comparisons: dict[str, Comparison] = {}
    for name, given in datasets.items():
        X, y = _data(str(name), given)
        try:
            found = compare(
                learners,
                X,
                y,
                procedure=procedure,
                scoring=scoring,
                alpha=alpha,
                adjust=adjust,
                seed=seed,
                runs=runs,
                folds=folds,
                encode=encode,
                n_jobs=n_jobs,
                store=store,
                ledger=ledger,
                time_limit=time_limit,
                executor=executor,
                scheduler=scheduler,
                name=None if isinstance(X, Dataset) else str(name),
                on_event=on_event,
            )
        except InputError as error:
            raise InputError(f"dataset {str(name)!r}: {error}") from None
        if control is not None and not comparisons:
            names = [learner.name for learner in found.scored[0].learners]
            if control not in names:
                raise InputError(f"control is {control!r}, which is none of the learners: {', '.join(names)}")
        comparisons[str(name)] = found
        if on_dataset is not None:
            on_dataset(str(name), found)
    return ManyComparison(comparisons=comparisons, alpha=alpha, adjust=adjust, control=control, rope=rope)


def _data(name: str, given: Data) -> tuple[Any, Any]:
    """Return X and y, or a Dataset and None."""
    made = given() if callable(given) and not isinstance(given, Dataset) else given
    if isinstance(made, Dataset):
        return made, None
    if isinstance(made, tuple) and len(made) == 2:
        return made
    raise InputError(f"dataset {name!r} is a {type(made).__name__}: give (X, y), a Dataset, or a function that does")
