"""Keys: digests of all that moves a fit, the same in every process and on every machine.

docs/decisions/0011-keys.md says what is in them and what is not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from foldproof.domain.canonical import Canonical
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError
from foldproof.domain.partitions import Partitions, Splits
from foldproof.engine.describe import Description, describe
from foldproof.engine.plan import Plan
from foldproof.learners.fitting import plain_instances
from foldproof.learners.learner import Learner
from foldproof.store.records import DatasetRecord, Series


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
        recipe=recipe_of(told),
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


def divisions(splits: Splits) -> list[bytes]:
    """Return, for each run, the digest of how it divides the instances, and of their order."""
    if isinstance(splits, Partitions):
        rows = np.ascontiguousarray(splits.test_fold, dtype="<i4")
        if splits.order is None:
            return [_digest(b"rest", row) for row in rows]
        orders = np.ascontiguousarray(splits.order, dtype="<i4")
        return [_digest(b"rest in order", row, order) for row, order in zip(rows, orders, strict=True)]
    found = []
    for run in range(splits.runs):
        both = [part for fold in range(splits.folds) for part in splits.train_test(run, fold)]
        sizes = np.array([len(part) for part in both])
        found.append(_digest(b"listed", sizes, *both))
    return found


def _digest(kind: bytes, *arrays: Any) -> bytes:
    total = hashlib.sha256(b"foldproof/division/1 " + kind + b"\n")
    for array in arrays:
        total.update(np.ascontiguousarray(array, dtype="<i4").tobytes())
    return total.digest()[:16]


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


def recipe_of(told: Description) -> str | None:
    """Return a spec from which the learner can be made again, checked by making it; None where there is none."""
    from foldproof.learners.spec import parse_spec

    if told.unknown or "<" in told.text or "__main__." in told.text:
        return None
    try:
        made = parse_spec(told.text)
    except InputError:
        return None
    return told.text if describe(made).whole == told.whole else None
