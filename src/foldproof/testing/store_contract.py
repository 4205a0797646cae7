"""The promise of a store (``foldproof.store.base``) as tests that ship with it.

Derive a class from :class:`StoreContract`, give it ``open``, and let pytest collect it::

    class TestMyStore(StoreContract):
        def open(self):
            return MyStore("somewhere empty")
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import numpy as np

from foldproof.store.base import Store
from foldproof.store.errors import StoreError
from foldproof.store.records import Cell, DatasetRecord, Fault, Grumble, Remark, Series

IRIS = DatasetRecord("d" * 64, "iris", 150, 4, 3)


def series(key: str = "a", **changes: Any) -> Series:
    """Return a series of the dataset above."""
    values: dict[str, Any] = {
        "key": key * 64,
        "dataset": IRIS.fingerprint,
        "learner": "a.B(c=1)",
        "name": "b",
        "recipe": None,
        "seed": 2**70,
        "repetition": 0,
        "encode": True,
    }
    return Series(**{**values, **changes})


def cell(run: int = 0, key: str = "a", **changes: Any) -> Cell:
    """Return a cell of that series, whose numbers depend on its run."""
    values: dict[str, Any] = {
        "series": key * 64,
        "run": run,
        "division": bytes(range(16)),
        "scheme": "k-fold",
        "scores": {"accuracy": np.array([0.1 + run, 1.0 / 3.0])},
        "predictions": np.array([0.0, 2.0, np.nan, -1.0, run % 3]),
        "seconds": 0.25,
        "finished": 1.5e9,
        "worker": "host/1",
        "environment": '{"numpy": "2.4"}',
    }
    return Cell(**{**values, **changes})


def same(one: Cell, other: Cell) -> bool:
    """Whether two cells are equal to the last bit."""
    plain = ("series", "run", "division", "scheme", "seconds", "finished", "worker", "environment")
    if any(getattr(one, name) != getattr(other, name) for name in plain):
        return False
    if set(one.scores) != set(other.scores) or dict(one.remarks) != dict(other.remarks):
        return False
    pairs = [(one.scores[name], other.scores[name]) for name in one.scores]
    if (one.predictions is None) != (other.predictions is None):
        return False
    if one.predictions is not None and other.predictions is not None:
        pairs.append((one.predictions, other.predictions))
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


class StoreContract:
    """What every store must do."""

    def open(self) -> Store:
        """Return an empty store."""
        raise NotImplementedError

    def again(self, store: Store) -> Store | None:
        """Return another store on the same content, as another program would; None where there is no such thing."""
        return None

    @contextmanager
    def filled(self, *cells: Cell) -> Iterator[Store]:
        """Open a store with two series and some cells."""
        with self.open() as store:
            store.add_dataset(IRIS)
            store.add_series(series("a"))
            store.add_series(series("b", name="other"))
            store.write(cells)
            yield store

    def test_an_empty_store_holds_nothing(self) -> None:
        with self.open() as store:
            assert (store.count(), store.datasets(), store.series(), store.logs()) == (0, [], [], [])
            assert (list(store.cells()), store.keys("a" * 64), store.lines("looks")) == ([], [], [])
            assert store.scores("a" * 64, "accuracy") == store.predictions("a" * 64) == store.remarks("a" * 64) == {}
            assert store.mark("nothing") is None

    def test_what_was_written_is_read_back_equal(self) -> None:
        tricky = np.array([np.nan, np.inf, -0.0, 5e-324, 0.1 + 0.2])
        remarks = {
            "": Remark((Fault(1, "fit_raised", "ünï\u2028 'quoted'\n"),), (Grumble("UserWarning", "hm", (0, 1)),)),
            "f1": Remark((Fault(0, "score_not_finite", "f1 is nan"),)),
        }
        odd = cell(1, scores={"f1": tricky, "accuracy": np.array([0.0])}, predictions=None, remarks=remarks)
        numbers = cell(2, predictions=np.array([1.5, np.nan, -1e300, 70_000.0]))
        large = cell(3, predictions=np.arange(2000.0))
        cells = [cell(0), odd, numbers, large, cell(2**40, division=b"\x00" * 16)]
        with self.filled(*cells) as store:
            found = list(store.cells())
            assert len(found) == len(cells)
            assert all(same(one, other) for one, other in zip(found, cells, strict=True))
            assert store.keys("a" * 64) == [c.key for c in cells]
            assert store.environments("a" * 64) == ['{"numpy": "2.4"}']
            assert store.environments("b" * 64) == []
            assert store.remarks("a" * 64) == {odd.key: remarks}
            assert store.scores("a" * 64, "f1") == {odd.key: tricky.astype("<f8").tobytes()}
            assert odd.key not in store.predictions("a" * 64)
            assert np.array_equal(store.predictions("a" * 64)[cells[3].key], np.arange(2000.0))
            assert store.count() == 5
            assert store.datasets() == [IRIS]
            assert store.series() == [series("a"), series("b", name="other")]

    def test_what_is_kept_does_not_change_with_the_callers_arrays(self) -> None:
        scores, predictions = np.array([0.5, 0.25]), np.array([1.0, 0.0])
        with self.filled(cell(scores={"accuracy": scores}, predictions=predictions)) as store:
            scores[:], predictions[:] = 9.0, 9.0
            found = next(iter(store.cells()))
            assert found.scores["accuracy"].tolist() == [0.5, 0.25]
            assert found.predictions is not None
            assert found.predictions.tolist() == [1.0, 0.0]

    def test_a_key_is_held_once_and_the_first_stays(self) -> None:
        with self.filled(cell()) as store:
            assert store.write([cell(worker="late", scores={"accuracy": np.array([9.0, 9.0])}), cell(1), cell(1)]) == 1
            assert [c.worker for c in store.cells()] == ["host/1", "host/1"]
            assert store.count() == 2
            assert same(next(iter(store.cells())), cell())

    def test_series_run_and_division_tell_cells_apart(self) -> None:
        with self.filled(cell(), cell(1), cell(key="b"), cell(division=b"\xff" * 16)) as store:
            assert store.count() == 4
            assert [c.series[0] for c in store.cells()] == ["a", "a", "a", "b"]
            assert len(store.keys("b" * 64)) == 1

    def test_scores_are_added_to_a_fit_that_is_held(self) -> None:
        remark = Remark((Fault(0, "score_raised", "no"),))
        late = cell(scores={"f1": np.array([np.nan, 0.5])}, predictions=None, remarks={"f1": remark}, worker="late")
        with self.filled(cell()) as store:
            assert store.write([late]) == 0
            found = next(iter(store.cells()))
            assert {name: values.tolist()[1] for name, values in found.scores.items()} == {"accuracy": 1 / 3, "f1": 0.5}
            assert found.remarks == {"f1": remark}
            assert (found.worker, found.predictions is None) == ("host/1", False)
            # A second opinion on a score that is held does not count, nor what it remarks.
            store.write([cell(scores={"f1": np.array([1.0, 1.0])}, remarks={"f1": Remark((Fault(1, "x", "y"),))})])
            assert store.remarks("a" * 64) == {cell().key: {"f1": remark}}

    def test_what_failed_for_want_of_time_gives_way(self) -> None:
        slow = Remark((Fault(0, "time_limit", "1 s"),), again=1.0)
        failed = cell(scores={"accuracy": np.array([np.nan, 0.5]), "f1": np.array([0.0, 0.0])}, remarks={"": slow})
        with self.filled(failed, cell(1)) as store:
            assert store.remarks("a" * 64)[failed.key][""].again == 1.0
            assert store.write([cell()]) == 0
            assert [same(c, d) for c, d in zip(store.cells(), [cell(), cell(1)], strict=True)] == [True, True]
            assert store.remarks("a" * 64) == {}

    def test_a_write_is_all_or_nothing(self) -> None:
        with self.filled(cell()) as store:
            try:
                store.write([cell(1), cell(2, key="z")])
            except StoreError as error:
                assert "does not know" in str(error)
            else:
                raise AssertionError("a cell of an unknown series was taken")
            assert store.count() == 1
            assert store.write([]) == 0

    def test_a_series_needs_its_dataset(self) -> None:
        with self.open() as store:
            try:
                store.add_series(series())
            except StoreError as error:
                assert "does not know" in str(error)
            else:
                raise AssertionError("a series of an unknown dataset was taken")

    def test_the_first_record_stays_and_its_origin_is_filled_in(self) -> None:
        with self.filled() as store:
            store.add_dataset(DatasetRecord(IRIS.fingerprint, "other", 150, 4, 3, origin="iris.arff"))
            store.add_dataset(DatasetRecord(IRIS.fingerprint, "third", 150, 4, 3, origin="copy.arff"))
            store.add_series(series("a", name="renamed"))
            assert [(d.name, d.origin) for d in store.datasets()] == [("iris", "iris.arff")]
            assert store.series()[0].name == "b"

    def test_a_log_is_numbered_and_each_line_sees_the_last(self) -> None:
        with self.open() as store:
            told: list[tuple[int, str | None]] = []

            def build(count: int, last: str | None) -> str:
                told.append((count, last))
                return f"line {count + 1}"

            assert store.append_line("looks", build) == (1, "line 1")
            assert store.append_line("other", lambda count, last: "☂\n'") == (1, "☂\n'")
            assert store.append_line("looks", build, mark="head") == (2, "line 2")
            assert told == [(0, None), (1, "line 1")]
            assert store.lines("looks") == ["line 1", "line 2"]
            assert store.mark("head") == "line 2"
            assert store.logs() == ["looks", "other"]

    def test_a_line_that_cannot_be_built_is_not_there(self) -> None:
        with self.open() as store:
            store.append_line("looks", lambda count, last: "first")
            try:
                store.append_line("looks", lambda count, last: str(1 // 0), mark="head")
            except ZeroDivisionError:
                pass
            else:
                raise AssertionError("the error was swallowed")
            assert store.lines("looks") == ["first"]
            assert store.mark("head") is None
            assert store.append_line("looks", lambda count, last: f"after {last}") == (2, "after first")

    def test_the_last_mark_stays(self) -> None:
        with self.open() as store:
            store.set_mark("head", "1")
            store.set_mark("head", "")
            assert store.mark("head") == ""

    def test_threads_take_turns(self) -> None:
        with self.filled() as store:

            def work(number: int) -> None:
                for run in range(5):
                    store.write([cell(run), cell(10 * number + run, key="b")])
                    store.append_line("looks", lambda count, last: f"{count}")

            threads = [Thread(target=work, args=(number,)) for number in range(1, 4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert store.count() == 5 + 15
            assert store.lines("looks") == [str(i) for i in range(15)]

    def test_others_see_what_is_committed(self) -> None:
        with self.filled(cell()) as store:
            other = self.again(store)
            if other is None:
                return
            with other:
                other.changed()
                store.write([cell(1)])
                assert other.changed()
                assert [same(c, d) for c, d in zip(other.cells(), [cell(), cell(1)], strict=True)] == [True, True]
                assert other.write([cell(1), cell(2)]) == 1
                assert store.count() == 3
                other.append_line("looks", lambda count, last: "one")
                assert store.append_line("looks", lambda count, last: f"{last}, two") == (2, "one, two")

    def test_closing_twice_is_no_error(self) -> None:
        store = self.open()
        store.close()
        store.close()
