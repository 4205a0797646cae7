"""The store: results that cannot be lost, and an append-only log. All SQL is here.

Belongs here: the promise (``base.py``), the databases that keep it, schema and migrations, import and export.
Does not belong here: what a score means, p-values, running anything.
To add a store: one file with a function under ``@STORES.register("scheme")``; ``scheme://…`` then opens it, and
``foldproof.testing.store_contract`` is its promise as tests.
"""

from foldproof.store.base import STORES, Store, open_store
from foldproof.store.errors import StoreError
from foldproof.store.records import Cell, DatasetRecord, Fault, Grumble, Remark, Series

__all__ = [
    "STORES",
    "Cell",
    "DatasetRecord",
    "Fault",
    "Grumble",
    "Remark",
    "Series",
    "Store",
    "StoreError",
    "open_store",
]
