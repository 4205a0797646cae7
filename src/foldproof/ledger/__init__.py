"""The ledger: every look at a dataset, what it costs, and proof that nothing was taken out.

Belongs here: what a look is (``look.py``), its line and the chain of hashes (``line.py``, ``chain.py``), the level a
look may use (``levels.py``), and writing and reading them over a store's log (``book.py``).
Does not belong here: running anything, SQL (the store is handed opaque lines), what people read (``report``).
The level of a look is advice in keys of its own; it never changes a verdict.
"""

from foldproof.ledger.book import Book, LedgerError, enter, read, verify
from foldproof.ledger.chain import Head, Verification
from foldproof.ledger.look import Look, LookLearner, LookPair
from foldproof.ledger.standing import Standing

__all__ = [
    "Book",
    "Head",
    "LedgerError",
    "Look",
    "LookLearner",
    "LookPair",
    "Standing",
    "Verification",
    "enter",
    "read",
    "verify",
]
