"""C4.5 on all partitions at once: what the trees of all folds share is prepared once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.kernels.jit import writable
from foldproof.learners._c45 import C45, declared_sizes
from foldproof.learners.at_once._plain import matrix_of, n_folds
from foldproof.learners.at_once._settle import settle
from foldproof.learners.binary import cube_of, is_binary, is_nominal, sets_of, workspace
from foldproof.learners.recognised import AT_ONCE, AtOnce, Codes, Order, TestFold

if TYPE_CHECKING:
    from foldproof.kernels.c45_folds import Options


@AT_ONCE.register("foldproof.learners._c45.C45")
def c45_at_once(estimator: C45, dataset: Dataset) -> AtOnce | None:
    """Recognise C4.5 with any options on unweighted data, as long as it declares nothing beside the dataset."""
    own = (estimator.categorical_features, estimator.categories, estimator.classes)
    if any(given is not None for given in own) or dataset.sample_weight is not None:
        return None
    if dataset.codes is None or dataset.task != "classification" or dataset.classes is None:
        return None
    try:
        options = estimator._options()
    except InputError:
        return None
    if is_binary(dataset):
        return AtOnce("c45", Binary(estimator, dataset, options).predict)
    if is_nominal(dataset):
        return AtOnce("c45", Nominal(estimator, dataset, options).predict)
    # The kernels bring numba, which is heavy.
    from foldproof.kernels.c45_folds import predict_folds
    from foldproof.kernels.c45_route import Sample
    from foldproof.kernels.c45_sorted import pack, ranks_of, reordered
    from foldproof.kernels.c45_split import tables_for

    codes = np.array(dataset.codes, dtype=np.float64, order="C")
    n = len(codes)
    sample = Sample(
        np.ascontiguousarray(codes.T),
        declared_sizes(dataset.attributes),
        dataset.target_codes.astype(np.int32),
        np.ones(n),
        len(dataset.classes),
        estimator.variant == "classic",
    )
    packed, tables = pack(sample), tables_for(n)
    ranks = ranks_of(packed)

    def predict(test_fold: TestFold) -> Codes:
        answers = np.full(test_fold.shape, np.nan)
        predict_folds(sample, packed, codes, tables, matrix_of(test_fold), options, answers)
        return answers

    def ordered(test_fold: TestFold, orders: Order) -> Codes:
        answers = np.full(test_fold.shape, np.nan)
        for run, order in enumerate(orders):
            own = sample._replace(columns=np.ascontiguousarray(sample.columns[:, order]), y=sample.y[order])
            dealt = packed._replace(
                words=reordered(packed, ranks, sample.y, writable(order)),
                codes=np.ascontiguousarray(packed.codes[:, order]),
            )
            found = np.full((1, n), np.nan)
            predict_folds(own, dealt, codes[order], tables, matrix_of(test_fold[run : run + 1, order]), options, found)
            answers[run, order] = found[0]
        return answers

    # Weights are whole numbers unless something is missing; the order in which fractions are added up decides ties.
    return AtOnce("c45", predict, ordered if np.isnan(codes).any() else None)


class Binary:
    """Binary data: all conjunctions are counted once, and subtrees remembered from one call to the next."""

    def __init__(self, estimator: C45, dataset: Dataset, options: Options) -> None:
        assert dataset.codes is not None
        self._estimator, self._dataset, self._options = estimator, dataset, options
        self._cube, self._place = cube_of(dataset.codes, dataset.target_codes.astype(np.int64))

    def predict(self, test_fold: TestFold) -> Codes:
        """Return the predictions; room is made anew, so that threads do not meet."""
        from foldproof.kernels.c45_cube_folds import predict_cube_folds

        folds = matrix_of(test_fold)
        answers = np.full(folds.shape, np.nan)
        doubtful = np.zeros((len(folds), n_folds(folds)), dtype=np.bool_)
        work = workspace(self._cube, len(self._dataset), self._options, doubtful.size)
        predict_cube_folds(
            self._cube, self._place, folds, work.held, work.tables, work.rules, work.memo, work.path, answers, doubtful
        )
        return settle(self._estimator, self._dataset, test_fold, None, answers, doubtful)


class Nominal:
    """Complete nominal data: instances are bits, and a branch is an intersection."""

    def __init__(self, estimator: C45, dataset: Dataset, options: Options) -> None:
        from foldproof.kernels.c45_split import tables_for

        assert dataset.codes is not None
        assert dataset.classes is not None
        self._codes = np.array(dataset.codes, dtype=np.float64, order="C")
        self._sets = sets_of(
            self._codes, dataset.target_codes, declared_sizes(dataset.attributes), len(dataset.classes)
        )
        self._logs = tables_for(len(dataset)).logs
        self._options, self._votes = options, estimator.variant == "classic"

    def predict(self, test_fold: TestFold) -> Codes:
        """Return the predictions."""
        from foldproof.kernels.c45_bits import predict_set_folds

        answers = np.full(test_fold.shape, np.nan)
        predict_set_folds(
            self._sets, self._codes, self._logs, matrix_of(test_fold), self._votes, self._options, answers
        )
        return answers
