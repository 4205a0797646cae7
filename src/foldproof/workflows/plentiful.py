"""The unbiased protocol for plentiful data (Bouckaert & Frank 2004, section 2): nothing is ever used twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from foldproof.domain.address import Address, Stream
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import ExplicitPartitions
from foldproof.engine.events import Listener
from foldproof.workflows.compare import carry_out_comparison
from foldproof.workflows.comparison import Comparison
from foldproof.workflows.procedures import procedure
from foldproof.workflows.setup import set_up


class Source(Protocol):
    """Anything that can be sampled for ever, such as :class:`foldproof.data.bayesnet.BayesianNetwork`."""

    @property
    def name(self) -> str: ...  # noqa: D102
    def sample(self, n: int, stream: Stream) -> tuple[Any, Any]: ...  # noqa: D102


def compare_on_source(
    learners: Mapping[str, Any] | Sequence[Any],
    source: Source,
    *,
    n_train: int = 300,
    training_sets: int = 100,
    n_test: int = 20_000,
    scoring: Any = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    seed: int = 0,
    n_jobs: int | None = None,
    on_event: Listener | None = None,
) -> Comparison:
    """Compare learners on a source: many training sets of their own, one large test set, paired t-test.

    The mean difference estimates the expected difference over training sets of ``n_train``, and its variance is
    estimated without bias: what the procedures on a single dataset can only approximate. All classifiers meet the
    same test set, whose luck the t-test does not see: keep ``n_test`` large.

    Examples
    --------
    >>> import foldproof as fp
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from sklearn.dummy import DummyClassifier
    >>> from foldproof.data.bayesnet import BayesianNetwork
    >>> net = BayesianNetwork("two", 0.5, ((), ()), ((0.1, 0.9), (0.5, 0.5)))
    >>> learners = {"bayes": BernoulliNB(), "dummy": DummyClassifier()}
    >>> found = compare_on_source(learners, net, n_train=50, training_sets=5, n_test=2000)
    >>> found.pair("bayes", "dummy").verdict
    'bayes'
    """
    if training_sets < 2 or n_train < 2 or n_test < 1:
        raise InputError(
            f"{training_sets} training sets of {n_train} and a test set of {n_test}: at least two training sets of two "
            "instances, and one test instance, are needed"
        )
    n = n_test + training_sets * n_train
    X, y = source.sample(n, Address(seed, f"source {source.name}").stream("sample"))
    test = np.arange(n_test)
    starts = n_test + n_train * np.arange(training_sets)
    splits = ExplicitPartitions(
        tuple(((np.arange(start, start + n_train), test),) for start in starts),
        n_instances=n,
        scheme="independent training sets",
    )
    setting = set_up(learners, X, y, scoring, seed, None, None, True, source.name)
    chosen = procedure("disjoint-training-sets", runs=training_sets)
    return carry_out_comparison(setting, chosen, splits, alpha=alpha, adjust=adjust, n_jobs=n_jobs, on_event=on_event)
