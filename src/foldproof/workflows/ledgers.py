"""``fp.read_ledger`` and ``fp.verify_ledger``: every look in a store, and whether all of them are still there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError, unknown_name
from foldproof.ledger.book import Book, read, verify
from foldproof.ledger.chain import Head, Verification
from foldproof.ledger.levels import holm
from foldproof.ledger.line import Entry, digest
from foldproof.ledger.standing import Standing, stand
from foldproof.store.base import Store, open_store

# Fewer characters of a fingerprint than this name no dataset.
_SHORTEST = 6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LedgerView:
    """The ledger of a store, as :func:`read_ledger` found it; of one dataset, or of all."""

    store: str
    book: Book
    datasets: tuple[str, ...]

    def __repr__(self) -> str:
        return self.to_text()

    @property
    def head(self) -> Head:
        """Where the ledger ends: keep it, to be able to show later that nothing was taken out."""
        return self.book.head

    def looks(self, dataset: str) -> list[tuple[Entry, Standing]]:
        """Return the looks at a dataset in order, each with what was seen last and where it stands now."""
        entries = self.book.looks(dataset)
        found = []
        for place, entry in enumerate(entries):
            now = stand(entries, entry.look, self.head)
            # Of two looks that do not agree the later one tells.
            then = stand(entries[: place + 1], entry.look, self.head)
            found.append((entry, replace(now, notes=then.notes)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return all looks as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/ledger/1",
            "store": self.store,
            "head": _head(self.head),
            "datasets": [self._dataset(fingerprint) for fingerprint in self.datasets],
        }

    def _dataset(self, fingerprint: str) -> dict[str, Any]:
        looks = self.looks(fingerprint)
        entry, last = looks[-1]
        return {
            "fingerprint": fingerprint,
            "name": entry.look.dataset_name,
            "alpha": entry.look.alpha,
            "planned": last.planned,
            "level_left": last.level_left,
            "next_level": last.next_level,
            "looks": [_look(entry, standing) for entry, standing in looks],
        }

    def exported(self) -> dict[str, Any]:
        """Return every line as it was written, with its hash, as plain values."""
        lines = zip(self.book.lines, self.book.entries, strict=True)
        return {
            "schema": "foldproof/ledger-export/1",
            "store": self.store,
            "head": _head(self.head),
            "lines": [
                {**entry.plain(), "hash": digest(line)} for line, entry in lines if entry.look.dataset in self.datasets
            ],
        }

    def lines(self) -> list[str]:
        """Return the bare lines; each carries the SHA-256 of the one before it."""
        lines = zip(self.book.lines, self.book.entries, strict=True)
        return [line for line, entry in lines if entry.look.dataset in self.datasets]

    def to_csv(self) -> str:
        """Return a row for every pair of every line."""
        from foldproof.report.ledger import ledger_csv

        return ledger_csv(self.exported())

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the tables and sentences that the command line prints."""
        from foldproof.report.ledger import ledger_text

        return ledger_text(self.to_dict(), width=width, color=color)


@dataclass(frozen=True, slots=True)
class LedgerVerification:
    """Whether a ledger is as it was written, and the first line that is not."""

    store: str
    found: Verification
    given_head: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.found.ok

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, with the keys of the JSON output."""
        return {
            "schema": "foldproof/ledger-verify/1",
            "store": self.store,
            "ok": self.ok,
            "lines": self.found.head.count,
            "head": _head(self.found.head),
            "given_head": self.given_head,
            "line": self.found.line,
            "problem": self.found.problem,
        }

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Return the sentence that the command line prints."""
        from foldproof.report.ledger import verification_text

        return verification_text(self.to_dict(), width=width)


def read_ledger(store: str | Store, dataset: str | None = None) -> LedgerView:
    """Return every look in a store's ledger, what each may use, and what is left.

    Parameters
    ----------
    store
        A URL such as ``"sqlite:///results.db"``, or an open store.
    dataset
        The name of one dataset, or the beginning of its fingerprint; by default all of them.

    A ledger whose lines were changed is refused; :func:`verify_ledger` says which.
    """
    with existing_store(store) as opened:
        book = read(opened)
        return LedgerView(opened.url, book, _chosen(book.datasets(), dataset))


def verify_ledger(store: str | Store, head: str | None = None) -> LedgerVerification:
    """Say whether a store's ledger is as it was written: every line, in order, to the last.

    Parameters
    ----------
    store
        As for :func:`read_ledger`.
    head
        A head that a report printed, such as ``"12:0123456789abcdef"``: then also whether the ledger still holds what
        it held at that time. Without one, a ledger that somebody wrote anew from beginning to end is not recognised.
    """
    known = None if head is None else Head.read(head)
    with existing_store(store) as opened:
        return LedgerVerification(opened.url, verify(opened, known), head)


@contextmanager
def existing_store(store: str | Store) -> Iterator[Store]:
    """Yield a store that is there already; looking for a ledger makes none."""
    if isinstance(store, Store):
        yield store
        return
    path = _file_of(store)
    if path is not None and not Path(path).is_file():
        raise InputError(f"there is no store {store!r}: give the URL that results were written to with --store")
    with open_store(store) as opened:
        yield opened


def _file_of(url: str) -> str | None:
    """Return the path of a store in a file; None where it is no file."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    return rest.removeprefix("/").partition("?")[0] if scheme.partition("+")[0] == "sqlite" else None


def _chosen(known: dict[str, str], wanted: str | None) -> tuple[str, ...]:
    if wanted is None:
        return tuple(known)
    found = [fingerprint for fingerprint, name in known.items() if name == wanted]
    if not found and len(wanted) >= _SHORTEST:
        found = [fingerprint for fingerprint in known if fingerprint.startswith(wanted)]
    if not found:
        raise unknown_name("dataset of this ledger", wanted, set(known.values()))
    return tuple(found)


def _head(head: Head) -> dict[str, Any]:
    return {"count": head.count, "hash": head.hash}


def _look(entry: Entry, standing: Standing) -> dict[str, Any]:
    look = entry.look
    return {
        "look": standing.look,
        "time": entry.time,
        "kind": look.kind,
        "key": look.key,
        "learners": [{"name": x.name, "text": x.text, "settings": x.settings} for x in look.learners],
        "procedure": dict(look.procedure),
        "scoring": look.scoring,
        "seed": look.seed,
        "splits": look.splits,
        "alpha": look.alpha,
        "level": standing.level,
        "level_when_entered": entry.level,
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "pvalue": pair.pvalue,
                "pvalue_holm": None if pair.pvalue is None else adjusted,
                "favours": pair.favours,
                "verdict": pair.verdict,
                "verdict_at_level": said,
            }
            for pair, adjusted, said in zip(look.pairs, holm(look.pvalues), standing.at_level, strict=True)
        ],
        "warnings": list(standing.notes),
    }
