"""What a store holds, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

# Within a series a cell is found by its run and by the digest of how that run divided the dataset.
CellKey = tuple[int, bytes]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """A dataset by its fingerprint. ``origin`` says where it can be read again, if that is known."""

    fingerprint: str
    name: str
    instances: int
    attributes: int
    classes: int | None
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """What all runs of one learner on one dataset share; ``key`` is the digest of all that moves a fit.

    ``learner`` is the canonical text of the learner with its parameters and versions; ``recipe`` is a spec from
    which it can be made again, where there is one; ``name`` is what it was called when it was first stored.
    """

    key: str
    dataset: str
    learner: str
    name: str
    recipe: str | None
    seed: int
    repetition: int
    encode: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """A fit or a score that did not come out."""

    fold: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Grumble:
    """A kind of warning, one text of it, and the folds in which it was given."""

    kind: str
    text: str
    folds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What is odd about a fit, or about one score of it.

    ``again`` is None where that is final. Where time ran out it is the limit in seconds, and where a worker died it
    is 0: such a cell may be run again, and a new one takes its place.
    """

    faults: tuple[Fault, ...] = ()
    grumbles: tuple[Grumble, ...] = ()
    again: float | None = None

    def __bool__(self) -> bool:
        return bool(self.faults or self.grumbles or self.again is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One learner on one run: the fit, and the scores that hang on it.

    ``scores`` has a value per fold for each scoring, NaN where the fold failed. ``predictions`` holds a code per
    instance, NaN where it was not tested or its fold failed. ``remarks`` is about the fit under the key "", and about
    a score under its scoring.
    """

    series: str
    run: int
    division: bytes
    scheme: str
    scores: Mapping[str, Floats]
    predictions: Floats | None = None
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    seconds: float = 0.0
    finished: float = 0.0
    worker: str = ""
    environment: str = "{}"

    @property
    def key(self) -> CellKey:
        """Where it is found within its series."""
        return self.run, self.division

    @property
    def again(self) -> float | None:
        """Whether, and under which limit, it failed for want of time or memory."""
        remark = self.remarks.get("")
        return None if remark is None else remark.again
