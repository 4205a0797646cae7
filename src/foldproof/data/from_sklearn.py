"""Datasets that ship with scikit-learn: ``sklearn:breast_cancer`` and its siblings."""

from __future__ import annotations

from foldproof.data.in_memory import dataset
from foldproof.data.sources import SOURCES, Wanted
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, unknown_name

SHIPPED = ("breast_cancer", "diabetes", "digits", "iris", "wine")


@SOURCES.register("sklearn")
def read_sklearn(wanted: Wanted) -> Dataset:
    """Return one of the small datasets that scikit-learn carries with it; nothing is downloaded."""
    from sklearn import datasets

    if wanted.name not in SHIPPED:
        raise unknown_name("scikit-learn dataset", wanted.name, SHIPPED)
    if wanted.target is not None or wanted.groups is not None:
        raise InputError(f"sklearn:{wanted.name} has its own target and no groups: leave out --target and --groups")
    bunch = getattr(datasets, f"load_{wanted.name}")()
    task = wanted.task
    if task == "auto":
        task = "regression" if wanted.name == "diabetes" else "classification"
    return dataset(bunch.data, bunch.target, task=task, name=f"sklearn:{wanted.name}")
