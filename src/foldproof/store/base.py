"""What every store promises, and how one is opened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self

from foldproof.domain.errors import InputError
from foldproof.domain.registry import Registry
from foldproof.store.records import Cell, CellKey, DatasetRecord, Floats, Remark, Series


class Store(ABC):
    """Results by what made them, and an append-only log.

    **Cells.** A cell is one learner on one run of one dataset. Its key is the fit: the series (dataset, learner with
    parameters and versions, root seed, repetition), the run, and the digest of how that run divided the dataset.
    Scores hang on the fit and may be added later. Nothing else is part of the key: not the time, the machine, the
    number of workers or who asked.

    **Writing.** ``write`` is one transaction: after it returns, all its cells are kept, whatever happens to the
    process; before it returns, either all or none are. A key that is held already is left as it is, and only scores
    that it lacks are added; so two programs may write the same cells at the same time, and each is there once. One
    exception: a cell that failed for want of time or memory (``Remark.again``) gives way to a new one.

    **Reading** sees what is committed, by whatever program, and nothing else. What was written is read back equal:
    scores and predictions to the last bit, texts to the last character.

    **The log** is opaque to the store. Lines are numbered from 1 without gaps; none is ever changed or removed.
    ``append_line`` builds the new line from the number and text of the last while nobody else can append, so a line
    may depend on the one before it (a chain of hashes). If ``build`` raises, nothing is written. Logs are independent
    of each other. ``mark`` and ``set_mark`` keep small facts apart from the log.

    **Several programs** may use one store at once. A store waits for its turn, and says so in a sentence
    (:class:`~foldproof.store.errors.StoreError`) if that takes longer than a minute. A store may be used by several
    threads.
    """

    #: Where it is, as it was opened and without a password.
    url: str

    @abstractmethod
    def add_dataset(self, record: DatasetRecord) -> None:
        """Keep a dataset's record. The first stays; an ``origin`` is filled in later if it was not known."""

    @abstractmethod
    def add_series(self, series: Series) -> None:
        """Keep a series, whose dataset is kept already. The first stays."""

    @abstractmethod
    def write(self, cells: Iterable[Cell]) -> int:
        """Keep cells of series that are kept already; return how many were not held before."""

    @abstractmethod
    def datasets(self) -> list[DatasetRecord]:
        """Return every dataset, by fingerprint."""

    @abstractmethod
    def series(self) -> list[Series]:
        """Return every series, by key."""

    @abstractmethod
    def keys(self, series: str) -> list[CellKey]:
        """Return the keys of a series' cells, in order."""

    @abstractmethod
    def scores(self, series: str, scoring: str) -> dict[CellKey, bytes]:
        """Return a value per fold for each cell that has this scoring, as little-endian float64."""

    @abstractmethod
    def remarks(self, series: str) -> dict[CellKey, dict[str, Remark]]:
        """Return what is odd about cells, for those with something odd."""

    @abstractmethod
    def predictions(self, series: str) -> dict[CellKey, Floats]:
        """Return the predictions of each cell that has them."""

    @abstractmethod
    def environments(self, series: str) -> list[str]:
        """Return the environments that a series' cells were made in, each once, in order."""

    @abstractmethod
    def cells(self, series: str | None = None) -> Iterator[Cell]:
        """Yield whole cells of a series, or of all, in order of series, run and division."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of cells."""

    @abstractmethod
    def changed(self) -> bool:
        """Whether another program may have written since this was last asked."""

    @abstractmethod
    def append_line(
        self, log: str, build: Callable[[int, str | None], str], mark: str | None = None
    ) -> tuple[int, str]:
        """Append ``build(count, last_line)`` and return its number (from 1) and the line.

        ``count`` is the number of lines so far. With ``mark`` the line is kept under that mark too, in the same
        transaction.
        """

    @abstractmethod
    def lines(self, log: str) -> list[str]:
        """Return a log's lines, the first first."""

    @abstractmethod
    def logs(self) -> list[str]:
        """Return the names of the logs that have lines."""

    @abstractmethod
    def set_mark(self, key: str, value: str) -> None:
        """Keep a small fact under a key; the last stays."""

    @abstractmethod
    def mark(self, key: str) -> str | None:
        """Return the fact kept under a key."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the store; closing twice is no error."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


Opener = Callable[[str], Store]

# By the part of the URL before "://".
STORES: Registry[Opener] = Registry("store", "foldproof.store")


def open_store(url: str) -> Store:
    """Open a store, and make it where there is none yet.

    ``sqlite:///results.db`` is a file (three slashes, then a path; a path alone is the same),
    ``postgresql://user@host/name`` a database that several machines share, ``memory://`` one that ends with the
    process.

    >>> with open_store("memory://") as store:
    ...     store.append_line("looks", lambda count, last: f"line {count + 1}")
    (1, 'line 1')
    """
    scheme, separator, _ = url.partition("://")
    if not url.strip():
        raise InputError("the store has no name: give sqlite:///FILE, postgresql://… or memory://")
    if not separator:
        scheme, url = "sqlite", f"sqlite:///{url}"
    return STORES[scheme.partition("+")[0]](url)


def scorings_of(cells: Iterable[Cell]) -> Mapping[str, None]:
    """Return the names of all scorings that some cells have, in order."""
    return dict.fromkeys(name for cell in cells for name in (*cell.scores, *(k for k in cell.remarks if k)))
