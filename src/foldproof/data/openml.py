"""Datasets of OpenML: ``openml:61``. Fetched once by scikit-learn's fetcher, which keeps what it fetched."""

from __future__ import annotations

import socket
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from foldproof.data.sources import SOURCES, Wanted
from foldproof.domain.dataset import Dataset
from foldproof.domain.errors import InputError, NotAvailableError, unknown_name

#: How often a request that failed is made again, seconds between, and seconds that an answer may take.
RETRIES, DELAY, PATIENCE = 2, 1.0, 30.0
# After a failure of the network it is left alone for so long: a study asks for dozens of datasets.
_REST = 60.0
_failed_at = -_REST


def cache_folder() -> Path:
    """Return where fetched datasets are kept."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("foldproof")) / "openml"


def fetch(data_id: int, *, target: str | None = None, name: str | None = None, what_to_do: str = "") -> Dataset:
    """Return a dataset of OpenML with its declared categories; NotAvailableError where it cannot be fetched."""
    bunch = _fetched(data_id, name or f"openml:{data_id}", what_to_do)
    columns = [str(column) for column in bunch.feature_names]
    own = target or bunch.details.get("default_target_attribute")
    if own is None:
        raise InputError(f"openml:{data_id} names no target: choose one with --target ({', '.join(columns)})")
    if own not in columns:
        raise unknown_name(f"column of openml:{data_id}", own, columns)
    return _as_dataset(bunch, columns, own, name or f"openml:{data_id}")


def _as_dataset(bunch: Any, columns: list[str], target: str, name: str) -> Dataset:
    """Return codes and categories as a dataset whose declarations are kept."""
    import polars as pl

    from foldproof.data.in_memory import dataset

    codes = np.asarray(bunch.data, dtype=np.float64)
    found: dict[str, Any] = {}
    for j, column in enumerate(columns):
        categories = (bunch.categories or {}).get(column)
        if categories is None:
            found[column] = pl.Series(column, codes[:, j]).fill_nan(None)
            continue
        labels = [str(label) for label in categories]
        values = [None if np.isnan(code) else labels[int(code)] for code in codes[:, j]]
        found[column] = pl.Series(column, values, dtype=pl.Enum(labels))
    y = found.pop(target)
    declared = list(y.dtype.categories) if isinstance(y.dtype, pl.Enum) else None
    return dataset(
        pl.DataFrame(found),
        y.to_list(),
        task="classification" if declared is not None else "auto",
        name=name,
        target_name=target,
        classes=declared,
    )


def _fetched(data_id: int, what: str, what_to_do: str) -> Any:
    from sklearn.datasets import fetch_openml
    from sklearn.datasets._openml import OpenMLError

    global _failed_at
    advice = what_to_do or "connect to the network and try again"
    if time.monotonic() - _failed_at < _REST:
        raise NotAvailableError(what, "OpenML could not be reached a moment ago", advice)
    try:
        with warnings.catch_warnings(), _patient():
            warnings.simplefilter("ignore")  # retries, and datasets with newer versions: this one is meant
            return fetch_openml(
                data_id=data_id, target_column=None, as_frame=False, parser="liac-arff", data_home=str(cache_folder()),
                n_retries=RETRIES, delay=DELAY,
            )  # fmt: skip
    except OpenMLError as error:
        raise NotAvailableError(what, f"OpenML refused it ({error})", advice) from None
    except ValueError as error:
        raise NotAvailableError(what, f"what OpenML sent cannot be used ({_first(error)})", advice) from None
    except OSError as error:
        _failed_at = time.monotonic()
        raise NotAvailableError(what, f"OpenML cannot be reached ({_first(error)})", advice) from None


def _first(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


@contextmanager
def _patient() -> Iterator[None]:
    """Give up on a server that does not answer; the fetcher itself would wait for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


@SOURCES.register("openml")
def read_openml(wanted: Wanted) -> Dataset:
    """Return ``openml:61``; where the catalogue means this very dataset, it is held against it."""
    from foldproof.data.catalog import catalogue

    if not wanted.name.isdigit():
        raise InputError(f"openml:{wanted.name} is no OpenML id: write its number, as in openml:61")
    if wanted.groups is not None:
        raise InputError(f"openml:{wanted.name} has no groups here: leave out --groups, or save it as a csv first")
    found = fetch(int(wanted.name), target=wanted.target)
    meant = [entry for entry in catalogue().values() if entry.openml_id == int(wanted.name)]
    if meant and wanted.target in (None, meant[0].target):
        return meant[0].check(found, f"openml:{wanted.name}")
    return found
