"""Keys: digests of all that moves a fit, the same in every process and on every machine.

docs/decisions/0011-keys.md says what is in them and what is not.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, overload

import numpy as np

from foldproof.domain.canonical import Canonical
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions, Splits
from foldproof.engine.describe import Description, describe
from foldproof.engine.plan import Plan
from foldproof.learners.fitting import plain_instances
from foldproof.learners.learner import Learner
from foldproof.store.records import CellKey, DatasetRecord, Series

# Bytes of the digest of how a run divides a dataset.
_LENGTH = 16


def series_of(plan: Plan, learner: int) -> Series:
    """Return the series that a learner's runs belong to."""
    own, dataset = plan.learners[learner], plan.dataset
    told = describe(own.estimator)
    text = f"{told.whole} on {given(own, dataset, encode=plan.encode)}"
    return Series(
        key=series_key(dataset.fingerprint, text, plan.seed, plan.repetition, encode=plan.encode),
        dataset=dataset.fingerprint,
        learner=text,
        name=own.name,
        recipe=recipe_of(own.estimator, told),
        seed=int(plan.seed),
        repetition=int(plan.repetition),
        encode=bool(plan.encode),
    )


def series_key(fingerprint: str, learner: str, seed: int, repetition: int, *, encode: bool) -> str:
    """Return the digest of all that moves a fit: of a dataset's fingerprint, a learner's text, and so on."""
    key = Canonical("series").text(fingerprint).text(learner).integer(seed).integer(repetition).integer(encode)
    return key.hexdigest()


def record_of(dataset: Dataset) -> DatasetRecord:
    """Return what a store keeps of a dataset."""
    classes = None if dataset.classes is None else len(dataset.classes)
    return DatasetRecord(
        dataset.fingerprint, dataset.name, len(dataset), len(dataset.attributes), classes, dataset.origin
    )


class CellKeys(Sequence[CellKey]):
    """The keys of many runs, of which the first has a number, in few bytes.

    >>> keys = CellKeys(5, [b"digest of a run.", b"and of the next."])
    >>> keys[1], [run for run, _ in keys]
    ((6, b'and of the next.'), [5, 6])
    """

    def __init__(self, first_run: int, divisions: Iterable[bytes]) -> None:
        collected = bytearray()
        for division in divisions:
            collected += division
        self._first, self._digests = first_run, bytes(collected)

    def __len__(self) -> int:
        return len(self._digests) // _LENGTH

    @overload
    def __getitem__(self, place: int) -> CellKey: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[CellKey]: ...
    def __getitem__(self, place: int | slice) -> CellKey | Sequence[CellKey]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        if not 0 <= place < len(self):
            place = range(len(self))[place]  # counted from the end, or none of them
        return self._first + place, self._digests[place * _LENGTH : (place + 1) * _LENGTH]

    def __iter__(self) -> Iterator[CellKey]:
        digests = map(itemgetter(0), struct.iter_unpack(f"{_LENGTH}s", self._digests))
        return zip(range(self._first, self._first + len(self)), digests, strict=True)


def divisions(splits: Splits) -> Iterator[bytes]:
    """Yield, for each run, the digest of how it divides the instances, and of their order."""
    for run in range(splits.runs):
        if not isinstance(splits, Partitions):
            both = [part for fold in range(splits.folds) for part in splits.train_test(run, fold)]
            sizes = np.array([len(part) for part in both])
            yield _digest(b"listed", sizes, *both)
        elif splits.order is None:
            yield _digest(b"rest", splits.test_fold[run])
        else:
            yield _digest(b"rest in order", splits.test_fold[run], splits.order[run])


def _digest(kind: bytes, *arrays: Any) -> bytes:
    total = hashlib.sha256(b"foldproof/division/1 " + kind + b"\n")
    for array in arrays:
        total.update(np.ascontiguousarray(array, dtype="<i4").tobytes())
    return total.digest()[:_LENGTH]


def given(learner: Learner, dataset: Dataset, *, encode: bool = True) -> str:
    """Return as what kind of thing a learner is handed the instances: numbers of another width are other numbers.

    A dataset's fingerprint does not know; columns' names count where the learner may ask for them.
    """
    target = f"and {dataset.y.dtype.str if dataset.y.dtype.kind != 'U' else 'texts'}"
    if learner.native and dataset.codes is not None:
        return f"codes {target}"
    if encode and dataset.needs_encoding and not learner.composed:
        return f"codes, encoded, {target}"
    X = plain_instances(dataset)
    kind = f"{type(X).__module__.partition('.')[0]}.{type(X).__name__}"
    if hasattr(X, "dtype"):
        return f"{kind} {X.dtype.str} {target}"
    columns = [f"{name}\x1f{dtype}" for name, dtype in zip(X.columns, X.dtypes, strict=True)]
    digest = hashlib.sha256("\x1e".join(columns).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kind} {digest} {target}"


def recipe_of(estimator: Any, told: Description) -> str | None:
    """Return a spec from which a learner can be made again, checked by making it; None where there is none."""
    from foldproof.learners.spec import parse_spec

    if told.unknown or "__main__." in told.text:
        return None
    text = told.text
    for part in estimator.get_params(deep=True).values():
        if hasattr(
            part, "_score_func"
        ):  # what tunes itself may hold a scorer, which its canonical text shows from inside
            text = text.replace(describe(part).text, _scorer_spec(part))
    if "<" in text:
        return None
    try:
        made = parse_spec(text)
    except InputError:
        return None
    return text if describe(made).whole == told.whole else None


def _scorer_spec(scorer: Any) -> str:
    """Return a spec of a scorer that scikit-learn made."""
    options = {
        "response_method": getattr(scorer, "_response_method", None),
        "greater_is_better": scorer._sign > 0,
        **scorer._kwargs,
    }
    given = ", ".join(f"{name}={describe(value).text}" for name, value in options.items())
    return f"sklearn.metrics.make_scorer({describe(scorer._score_func).text}, {given})"
