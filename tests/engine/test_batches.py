"""Batches: every task once, as large as they should be, and again where a worker died."""

from collections import Counter

import numpy as np
import pytest

from foldproof.engine.batches import MOST_RUNS, TRIES, Batches
from foldproof.engine.plan import Tasks
from foldproof.engine.task import TaskResult


def result(task, seconds):
    return TaskResult(*task, {}, seconds=seconds)


def drained(batches, cost):
    found = []
    while batches:
        found.append(batches.take())
        for task in found[-1]:
            batches.measured(result(task, cost(task[0])))
    assert batches.take() == []
    return found


def test_every_task_is_handed_out_once_in_order():
    found = drained(Batches(Tasks.product(3, 500), 2), lambda learner: 0.001)
    assert [task for batch in found for task in batch] == list(Tasks.product(3, 500))


def test_batches_take_as_long_as_they_should():
    found = drained(Batches(Tasks.product(2, 2000), 2), lambda learner: [0.002, 0.012][learner])
    seconds = [sum([0.002, 0.012][learner] for learner, _ in batch) for batch in found]
    assert max(seconds) < 0.2
    assert np.median(seconds) == pytest.approx(0.1, rel=0.2)
    # Towards the end they are smaller, so that no worker waits long for the last.
    assert seconds[-1] < 0.02


def test_long_tasks_go_alone_and_what_is_not_known_too():
    assert [len(batch) for batch in drained(Batches(Tasks.product(1, 6), 2), lambda learner: 3.0)] == [1] * 6
    batches = Batches(Tasks.product(1, 100), 2)
    assert [len(batches.take()) for _ in range(4)] == [1] * 4


def test_many_runs_at_once_are_shared_out():
    batches = Batches(Tasks.product(2, 1000), 3, [1])
    found = drained(batches, lambda learner: 1e-6)
    shares = [batch for batch in found if batch[0][0] == 1]
    assert [len(batch) for batch in shares] == [MOST_RUNS] * 5
    assert all({learner for learner, _ in batch} == {1} for batch in shares)
    assert Counter(task for batch in found for task in batch) == Counter(Tasks.product(2, 1000))
    even = drained(Batches(Tasks.product(1, 30), 3, [0]), lambda learner: 1e-6)
    assert [len(batch) for batch in even] == [10] * 3


def test_what_kills_its_worker_is_given_up_alone():
    batches = Batches(Tasks.product(1, 5), 1, [0])
    first = batches.take()
    assert len(first) == 5
    assert batches.died(first, "signal SIGKILL") == []
    lost, deaths = [], Counter()
    while batches:
        (task,) = batches.take()
        if task == (0, 3):
            deaths[task] += 1
            lost += batches.died([task], "signal SIGKILL")
    assert deaths == {(0, 3): TRIES}
    assert [(found.task, found.kind, found.again) for found in lost] == [((0, 3), "worker_died", 0.0)]
    assert "killed (signal SIGKILL) each of 3 times: does it take too much memory?" in lost[0].message


def test_what_takes_too_long_is_given_up_and_the_rest_put_back():
    batches = Batches([(0, 0), (1, 0), (0, 1)], 1)
    batches.put_back([(0, 0), (1, 0)])
    lost = batches.expired(batches.take(), 2.5)
    assert (lost.task, lost.kind, lost.again) == ((0, 0), "time_limit", 2.5)
    assert lost.message == "a fit took longer than the limit of 2.5 s, and was stopped"
    assert batches.take() == [(1, 0)]


def test_tasks_of_runs_of_their_own_come_run_by_run():
    runs = {3: np.array([0, 4], dtype=np.int32), 150: np.array([4, 20_000_000], dtype=np.int32)}
    tasks = Tasks.of_runs(runs)
    assert list(tasks) == [(3, 0), (3, 4), (150, 4), (150, 20_000_000)]
    assert (tasks[2], list(tasks[1:3]), tasks.counts()) == ((150, 4), [(3, 4), (150, 4)], {3: 2, 150: 2})
    apart, rest = tasks.apart([150])
    assert ({who: own.tolist() for who, own in apart.items()}, list(rest)) == ({150: [4, 20_000_000]}, [(3, 0), (3, 4)])


def test_tasks_in_an_order_of_their_own_keep_it():
    given = [(1, 5), (0, 2), (1, 0)]
    assert list(Tasks.of(given)) == given
    assert list(Tasks.of([])) == []
