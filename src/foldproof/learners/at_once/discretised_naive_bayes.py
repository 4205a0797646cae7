"""Discretised naive Bayes on all partitions at once: one copy learns fold after fold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.learners._discretised_naive_bayes import DiscretisedNaiveBayes
from foldproof.learners.at_once._one_copy import Flags, LearnAndTell, OneCopy, Places, needs_no_reading
from foldproof.learners.recognised import AT_ONCE, AtOnce


@AT_ONCE.register("foldproof.learners._discretised_naive_bayes.DiscretisedNaiveBayes")
def discretised_naive_bayes(estimator: DiscretisedNaiveBayes, dataset: Dataset) -> AtOnce | None:
    """Recognise it with any options."""
    if not needs_no_reading(estimator, dataset):
        return None
    try:
        estimator.check_options()
    except InputError:
        return None
    return _Bayes("discretised-naive-bayes", estimator, dataset).at_once()


class _Bayes(OneCopy[DiscretisedNaiveBayes]):
    def run(self, learner: DiscretisedNaiveBayes, order: npt.NDArray[np.int32] | None) -> LearnAndTell:
        # Counts are the same in any order, and so are intervals.
        def learn_and_tell(tested: Flags) -> Places:
            train = ~tested
            y = self.y[train]
            learner._learn(np.asfortranarray(self.codes[train]), y, np.ones(len(y)))
            return learner.tell(self.codes[tested])

        return learn_and_tell
