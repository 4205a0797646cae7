"""The ledger in a store: looks are entered, read and verified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from foldproof.domain.errors import FoldproofError
from foldproof.ledger.chain import Head, Verification, check
from foldproof.ledger.line import BEGINNING, Entry, digest, parse
from foldproof.ledger.look import Look
from foldproof.ledger.standing import Standing, looks_at, stand
from foldproof.store.base import Store

LOG = "ledger"
# The head is kept apart from the log: under this mark stands the last line that was written.
HEAD_MARK = "ledger-head"


class LedgerError(FoldproofError):
    """The ledger is not as it was written, so nothing may be added to it."""


class _MovedError(Exception):
    """Somebody else has entered a look in the meantime."""


@dataclass(frozen=True, slots=True)
class Book:
    """A ledger as it was read: its lines and its entries, in order."""

    lines: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def head(self) -> Head:
        """Where it ends."""
        return Head.of(self.lines)

    def looks(self, dataset: str) -> list[Entry]:
        """Return the looks at one dataset, each with what it said last."""
        return looks_at(self.entries, dataset)

    def datasets(self) -> dict[str, str]:
        """Return the fingerprints and names of all datasets, in the order they were first looked at."""
        found: dict[str, str] = {}
        for entry in self.entries:
            found.setdefault(entry.look.dataset, entry.look.dataset_name)
        return found


def _lines(store: Store) -> tuple[list[str], str | None]:
    """Return the lines and the head as they were at one moment."""
    while True:
        head = store.mark(HEAD_MARK)
        lines = store.lines(LOG)
        # A look entered between the two readings moves the head; a head that stays was never this line's.
        if (lines[-1] if lines else None) == head or store.mark(HEAD_MARK) == head:
            return lines, head


def verify(store: Store, known: Head | None = None) -> Verification:
    """Say whether the ledger is as it was written, and holds a head that was printed earlier."""
    lines, head = _lines(store)
    return check(lines, head, known)


def read(store: Store) -> Book:
    """Return the ledger; one that was changed is refused."""
    lines, head = _lines(store)
    found = check(lines, head)
    if not found.ok:
        raise LedgerError(
            f"{found.problem}; nothing more is entered into a ledger that was changed: find out what happened "
            "(foldproof ledger verify), or go on with another store"
        )
    return Book(tuple(lines), tuple(map(parse, lines)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def enter(store: Store, look: Look, *, clock: Callable[[], str] = _now) -> Standing:
    """Enter a look and say where it stands.

    A look that is there already is not entered again, unless it came out with other p-values (folds that had failed
    came out, a library changed): then that is written down under its old number. Any number of programs may enter
    looks at once.
    """
    while True:
        book = read(store)
        earlier = book.looks(look.dataset)
        same = [entry for entry in earlier if entry.look.key == look.key]
        if same and _agree(same[0].look, look):
            return stand(earlier, look, book.head)
        try:
            return _append(store, book, earlier, look, clock)
        except _MovedError:
            continue


def _append(store: Store, book: Book, earlier: Sequence[Entry], look: Look, clock: Callable[[], str]) -> Standing:
    standing = stand(earlier, look, book.head)
    entry = Entry(
        number=len(book.lines) + 1,
        previous=digest(book.lines[-1]) if book.lines else BEGINNING,
        time=clock(),
        look=look,
        look_number=standing.look,
        again=standing.again,
        level=standing.level,
        at_level=standing.at_level,
    )

    def build(count: int, last: str | None) -> str:
        if count != len(book.lines) or last != (book.lines[-1] if book.lines else None):
            raise _MovedError
        return entry.text()

    number, line = store.append_line(LOG, build, mark=HEAD_MARK)
    return replace(standing, head=Head(number, digest(line)))


def _agree(one: Look, other: Look) -> bool:
    """Whether two entries of the same look saw the same p-values, but for rounding."""
    return all(_close(x, y) for x, y in zip(_by_text(one), _by_text(other), strict=True))


def _by_text(look: Look) -> list[float]:
    """Return the p-values in an order that does not hang on names or on who was named first; -1 where there is none."""
    texts = {learner.name: learner.text for learner in look.learners}
    found = [(sorted((texts[p.a], texts[p.b])), -1.0 if p.pvalue is None else p.pvalue) for p in look.pairs]
    return [pvalue for _, pvalue in sorted(found)]


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)
