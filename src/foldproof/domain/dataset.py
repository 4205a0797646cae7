"""Dataset: instances, a target, and a fingerprint of their content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foldproof.domain.canonical import Canonical, Label
from foldproof.domain.errors import InputError

Task = Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column: its name, and its ordered categories where it is nominal (None where it is numeric)."""

    name: str
    categories: tuple[Label, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Whether values are categories and not numbers."""
        return self.categories is not None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dataset:
    """Instances with a target.

    Attributes
    ----------
    X
        The instances as they were given (array, sparse matrix or frame): what a pipeline is handed.
    codes
        The same as one float64 matrix, nominal values as positions in their attribute's categories and
        missing ones as NaN; None where X is sparse (then X itself is numeric and complete).
    y
        The target as it was given, as an array; ``target_codes`` are positions in ``classes``, or the numbers.
    fingerprint
        SHA-256 of the canonical bytes. Names do not count: an array and a frame of the same values agree.
    origin
        Where it can be read again, as JSON of a source and what was asked of it; None where that is not known.
    """

    name: str
    X: Any
    codes: npt.NDArray[np.float64] | None
    attributes: tuple[Attribute, ...]
    y: npt.NDArray[Any]
    target_codes: npt.NDArray[np.float64]
    task: Task
    fingerprint: str
    classes: tuple[Label, ...] | None = None
    target_name: str = "target"
    groups: npt.NDArray[np.intp] | None = None
    sample_weight: npt.NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()
    origin: str | None = None

    def __post_init__(self) -> None:
        n = len(self.y)
        if self.X.shape[0] != n:
            raise InputError(f"X has {self.X.shape[0]} rows and the target {n}: they must be the same instances")
        for what in ("groups", "sample_weight"):
            value = getattr(self, what)
            if value is not None and len(value) != n:
                raise InputError(f"{what} has {len(value)} entries and the data {n} rows: give one per row")

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {len(self)} x {len(self.attributes)}, {self.task}, {self.fingerprint[:12]})"

    @property
    def needs_encoding(self) -> bool:
        """Whether there is something that a plain scikit-learn estimator cannot take."""
        if self.codes is None:
            return False
        return any(a.nominal for a in self.attributes) or bool(np.isnan(self.codes).any())


def fingerprint_dataset(
    X_columns: Any,
    attributes: tuple[Attribute, ...],
    target: npt.NDArray[np.float64],
    classes: tuple[Label, ...] | None,
    groups: npt.NDArray[Any] | None = None,
    sample_weight: npt.NDArray[Any] | None = None,
) -> str:
    """Return the fingerprint: attributes in order, then the target, then groups and weights where given.

    ``X_columns`` is a dense matrix of codes or a sparse matrix in compressed-column form.
    """
    canonical = Canonical("dataset").integer(len(target)).integer(len(attributes))
    sparse = hasattr(X_columns, "indptr")
    for j, attribute in enumerate(attributes):
        if attribute.categories is None:
            canonical.text("numeric")
        else:
            canonical.text("nominal").labels(attribute.categories)
        if sparse:
            start, stop = X_columns.indptr[j], X_columns.indptr[j + 1]
            canonical.sparse_numbers(X_columns.indices[start:stop], X_columns.data[start:stop], len(target))
        else:
            canonical.numbers(X_columns[:, j])
    if classes is None:
        canonical.text("regression")
    else:
        canonical.text("classification").labels(classes)
    canonical.numbers(target)
    if groups is not None:
        canonical.text("groups").numbers(np.asarray(groups))
    if sample_weight is not None:
        canonical.text("weights").numbers(np.asarray(sample_weight))
    return canonical.hexdigest()
