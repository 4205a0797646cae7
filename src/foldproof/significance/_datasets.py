"""What the tests over many datasets share: the table, its ranks, and what they say of themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from foldproof.domain.errors import InputError
from foldproof.domain.notices import declare
from foldproof.significance._combiners import midranks
from foldproof.significance._moments import ROUNDING, Floats

FEW_DATASETS = declare(
    "few_datasets",
    "ten datasets or fewer: the distribution that the statistic is referred to is rough at that number",
)
TIES_UNCORRECTED = declare(
    "ties_uncorrected",
    "some learners tie on a dataset and the statistic is not corrected for it, as printed by Demsar (2006): p is "
    'larger than need be; ties="corrected" takes them into account',
)


def table_of_scores(scores: npt.ArrayLike, test: str) -> Floats:
    """Return a table of datasets x learners, or say what is wrong with it."""
    try:
        table = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{test}: give datasets x learners, as many scores in every row") from None
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise InputError(f"{test}: give datasets x learners, at least two of each; got shape {table.shape}")
    if not np.isfinite(table).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(table))[0])
        raise InputError(
            f"{test}: the score of learner {column} on dataset {row} is {table[row, column]}: every learner needs a "
            "score on every dataset; leave the dataset out"
        )
    return table


def list_of_values(values: npt.ArrayLike, test: str) -> Floats:
    """Return one difference per dataset, or say what is wrong with them."""
    found = np.array(values, dtype=np.float64)
    if found.ndim != 1 or found.size == 0 or not np.isfinite(found).all():
        raise InputError(f"{test}: give one finite difference per dataset; got shape {found.shape}")
    return found


def ranks_of(table: Floats) -> tuple[Floats, int]:
    """Return every row's ranks, 1 for the highest score, and the ties' ``sum(t^3 - t)``.

    Scores that differ only by rounding tie and share their mean rank: 0.1 + 0.2 is no better than 0.3.
    """
    ranks = np.empty_like(table)
    tied = 0
    for i, row in enumerate(table):
        order = np.argsort(-row, kind="stable")
        found = midranks(-row[order], ROUNDING * float(np.abs(row).max()))
        ranks[i, order] = found
        _, sizes = np.unique(found, return_counts=True)
        tied += int((sizes**3 - sizes).sum())
    return ranks, tied


def small(datasets: int) -> tuple[str, ...]:
    """Return the warning of few datasets, where there are few."""
    return (FEW_DATASETS,) if datasets <= 10 else ()


def floats(values: Sequence[float] | Floats) -> tuple[float, ...]:
    """Return plain numbers."""
    return tuple(float(v) for v in values)
