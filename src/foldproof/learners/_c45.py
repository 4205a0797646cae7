"""C4.5 as the 2004 paper used it: J48 of Weka 3.3, to the last prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from foldproof.domain.canonical import Label
from foldproof.domain.columns import plain
from foldproof.domain.dataset import Attribute
from foldproof.domain.errors import InputError
from foldproof.kernels.jit import writable
from foldproof.learners._c45_tree import C45Tree
from foldproof.learners._coded import CodedClassifier
from foldproof.learners.learner import LEARNERS

if TYPE_CHECKING:
    from foldproof.kernels.c45_folds import Options

__all__ = ["C45"]

Floats = npt.NDArray[np.float64]

# C4.5 reads its normal deviates off this table (Quinlan, 1993), two decimals each, and interpolates.
TAILS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


@LEARNERS.register("c45")
class C45(CodedClassifier):
    """Decision trees after Quinlan's C4.5 release 8, as Weka's J48 grows and prunes them.

    Tests are chosen by gain ratio among those of at least average gain; numeric thresholds pay log2(number of
    candidates) / weight; an instance without the tested value goes down every branch in part; pruning estimates errors
    pessimistically and may raise the largest branch's subtree. Categories and classes that are declared and do not
    occur count. Counts of instances (such as the least number on a numeric side) are sums of sample weights.

    Parameters
    ----------
    confidence
        Confidence of the error estimate, above 0 and at most 0.5; smaller prunes more.
    min_instances
        Least weight that at least two branches of a test must have.
    subtree_raising
        Whether a node may be replaced by its largest branch.
    unpruned
        Leave the grown tree as it is (but for ``collapse``).
    collapse
        Make a leaf of a node whose subtree makes no fewer training errors.
    variant
        ``"classic"``: Weka 3.3 to 3.6. ``"current"``: 3.9, which compares with thresholds exactly and answers with
        class weights where ``"classic"`` answers with a single class, at empty leaves.
    deviations
        ``"table"``: normal deviates and bounds as in the original C4.5 and the first Weka 3.3.
    categorical_features, categories, classes
        What is nominal and what is declared, as for all learners of this library.

    Attributes
    ----------
    tree_
        The tree as flat arrays.
    n_leaves_, size_
        Number of leaves and of nodes, with empty leaves.

    References
    ----------
    J. R. Quinlan, *C4.5: Programs for Machine Learning*, Morgan Kaufmann, 1993; and *Improved use of continuous
    attributes in C4.5*, JAIR 4, 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True)
    >>> print(C45().fit(iris.data, iris.target_names[iris.target]).export_text())
    petal width (cm) <= 0.6: setosa (50.0)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7
    |   |   petal length (cm) <= 4.9: versicolor (48.0/1.0)
    |   |   petal length (cm) > 4.9
    |   |   |   petal width (cm) <= 1.5: virginica (3.0)
    |   |   |   petal width (cm) > 1.5: versicolor (3.0/1.0)
    |   petal width (cm) > 1.7: virginica (46.0/1.0)

    The weather data of Quinlan's book, with numbers; a threshold is a value of the data.

    >>> import pandas as pd
    >>> days = '''sunny 85 85 no no; sunny 80 90 yes no; overcast 83 86 no yes; rainy 70 96 no yes; rainy 68 80 no yes;
    ... rainy 65 70 yes no; overcast 64 65 yes yes; sunny 72 95 no no; sunny 69 70 no yes; rainy 75 80 no yes;
    ... sunny 75 70 yes yes; overcast 72 90 yes yes; overcast 81 75 no yes; rainy 71 91 yes no'''
    >>> frame = pd.DataFrame([day.split() for day in days.split(";")], columns=["sky", "heat", "damp", "wind", "play"])
    >>> frame = frame.astype({"heat": float, "damp": float})
    >>> tree = C45().fit(frame.drop(columns="play"), frame["play"])
    >>> print(tree.export_text())
    sky = overcast: yes (4.0)
    sky = rainy
    |   wind = no: yes (3.0)
    |   wind = yes: no (2.0)
    sky = sunny
    |   damp <= 75: yes (2.0)
    |   damp > 75: no (3.0)
    >>> tree.n_leaves_, tree.size_
    (5, 8)
    """

    tree_: C45Tree
    n_leaves_: int
    size_: int

    def __init__(
        self,
        *,
        confidence: float = 0.25,
        min_instances: float = 2,
        subtree_raising: bool = True,
        unpruned: bool = False,
        collapse: bool = True,
        variant: Literal["classic", "current"] = "classic",
        deviations: Literal["normal", "table"] = "normal",
        categorical_features: Sequence[int] | Sequence[str] | None = None,
        categories: Sequence[Sequence[Label] | None] | None = None,
        classes: Sequence[Label] | None = None,
    ) -> None:
        super().__init__(categorical_features=categorical_features, categories=categories, classes=classes)
        self.confidence = confidence
        self.min_instances = min_instances
        self.subtree_raising = subtree_raising
        self.unpruned = unpruned
        self.collapse = collapse
        self.variant = variant
        self.deviations = deviations

    def export_text(self) -> str:
        """Return the tree as J48 prints it."""
        return self._fitted().text()

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as nested plain values; ``foldproof.report.figures.tree.plot_tree`` draws them."""
        return self._fitted().nested()

    def _fitted(self) -> C45Tree:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.tree_

    def _learn(self, codes: Floats, y: npt.NDArray[np.int64], weights: Floats) -> None:
        # The kernels bring numba, which is heavy: only who fits pays for it.
        from foldproof.kernels.c45_folds import learn_all
        from foldproof.kernels.c45_route import Sample
        from foldproof.kernels.c45_sorted import pack

        options = self._options()
        sample = Sample(
            np.ascontiguousarray(codes.T),
            declared_sizes(self.attributes_),
            y.astype(np.int32),
            np.ascontiguousarray(weights),
            len(self.classes_),
            self.variant == "classic",
        )
        tree = learn_all(sample, pack(sample), float(weights.sum()), bool((weights == 1.0).all()), options)
        classes = tuple(plain(label) for label in self.classes_.tolist())
        self.tree_ = C45Tree(self.attributes_, classes, *tree)
        self.n_leaves_, self.size_ = self.tree_.n_leaves, len(self.tree_)

    def _probabilities(self, codes: Floats) -> Floats:
        from foldproof.kernels.c45_predict import probabilities
        from foldproof.kernels.c45_route import Tree

        told = self.tree_
        arrays = told.attribute, told.threshold, told.first, told.branches, told.weights, told.shares
        tree = Tree(*map(writable, arrays))
        return probabilities(tree, declared_sizes(self.attributes_), codes, self.variant == "classic")

    def _options(self) -> Options:
        """Return what the kernels are told, or say what is wrong with it."""
        from foldproof.kernels.c45_folds import Options
        from foldproof.kernels.c45_prune import Estimate

        self._check_options()
        how = Estimate(float(self.confidence), self._deviation(), self.deviations == "table")
        return Options(
            float(self.min_instances), bool(self.collapse), not self.unpruned, bool(self.subtree_raising), how
        )

    def _deviation(self) -> float:
        if self.deviations == "table":
            return float(np.interp(self.confidence, TAILS, DEVIATIONS))
        return -float(special.ndtri(self.confidence))

    def _check_options(self) -> None:
        if not 0.0 < self.confidence <= 0.5:
            raise InputError(
                f"confidence is {self.confidence!r}: give a number above 0 and at most 0.5; smaller prunes more"
            )
        if not 1.0 <= self.min_instances < float("inf"):
            raise InputError(f"min_instances is {self.min_instances!r}: give a number of instances, 1 or more")
        for name, known in (("variant", ("classic", "current")), ("deviations", ("normal", "table"))):
            given = getattr(self, name)
            if given not in known:
                raise InputError(f"{name} is {given!r}: give {known[0]!r} or {known[1]!r}")


def declared_sizes(attributes: Sequence[Attribute]) -> npt.NDArray[np.int64]:
    """Return the number of categories per attribute, 0 for numeric ones (a nominal one counts as one at least)."""
    return np.array([0 if a.categories is None else max(len(a.categories), 1) for a in attributes], dtype=np.int64)
