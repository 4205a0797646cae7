"""Batches of tasks: large enough that handing them over costs nothing, small enough that little is lost or waited for.

What a task costs is measured while the work goes on, for each learner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from foldproof.engine.all_runs import method_of
from foldproof.engine.plan import Plan, Task, Tasks
from foldproof.engine.task import TaskResult, failed_task

# Seconds that a batch should take.
SECONDS = 0.1
# So many runs at once at the most: progress is told and results are kept between.
MOST_RUNS = 200
# How often a task is tried alone whose worker dies.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Lost:
    """A task that is given up, which is a fault of all its folds; ``again`` is that of the remark on it."""

    task: Task
    kind: str
    message: str
    again: float

    def result(self, plan: Plan) -> TaskResult:
        """Return it as the result of the task."""
        return failed_task(plan, *self.task, self.kind, self.message, again=self.again)


def settled(plan: Plan, found: Iterable[TaskResult | Lost]) -> Iterator[TaskResult]:
    """Yield results, also of what is given up."""
    for result in found:
        yield result.result(plan) if isinstance(result, Lost) else result


def predicted_at_once(plan: Plan, tasks: Sequence[Task]) -> list[int]:
    """Return the learners among some tasks of which many runs are predicted at once."""
    return [who for who in Tasks.of(tasks).counts() if method_of(plan, who) is not None]


class Batches:
    """The tasks that are left, handed out in batches. May be used from several threads.

    ``at_once``: learners that are handed shares of their runs, because many cost hardly more than one.
    """

    def __init__(
        self, tasks: Sequence[Task], workers: int, at_once: Sequence[int] = (), seconds: float = SECONDS
    ) -> None:
        self._seconds = seconds
        self.workers = max(workers, 1)
        runs, rest = Tasks.of(tasks).apart(at_once)
        self._sizes: dict[int, int] = {}
        self._shares = {who: own for who, own in runs.items() if len(own)}
        self._rest: Iterator[Task] = iter(rest)
        self._ahead: Task | None = next(self._rest, None)
        # How many of each learner's tasks have not been handed out, and what one of them costs, as far as is known.
        self._waiting = rest.counts()
        self._cost: dict[int, float] = {}
        self._alone: deque[Task] = deque()
        self._back: deque[list[Task]] = deque()
        self._tries: dict[Task, int] = {}
        self._lock = Lock()

    def take(self) -> list[Task]:
        """Return tasks to be done together by one worker; none if none are left."""
        with self._lock:
            if self._back:
                return self._back.popleft()
            if self._shares:
                return self._share()
            if self._ahead is not None:
                return self._some()
            return [self._alone.popleft()] if self._alone else []

    def __bool__(self) -> bool:
        with self._lock:
            return bool(self._back or self._shares or self._ahead is not None or self._alone)

    def measured(self, result: TaskResult) -> None:
        """Take note of what a task cost."""
        with self._lock:
            known = self._cost.get(result.learner, result.seconds)
            self._cost[result.learner] = known + 0.3 * (result.seconds - known)

    def put_back(self, tasks: list[Task]) -> None:
        """Take back a batch that was not begun."""
        with self._lock:
            if tasks:
                self._back.append(tasks)

    def died(self, tasks: Sequence[Task], how: str) -> list[Lost]:
        """Take back tasks whose worker died while it had them; return those that are given up.

        Each of them is tried alone from now on, so that only what kills its worker fails.
        """
        given_up = []
        with self._lock:
            for task in tasks:
                tried = self._tries.get(task, 0) + (len(tasks) == 1)
                self._tries[task] = tried
                if tried < TRIES:
                    self._alone.append(task)
                else:
                    text = f"its process was killed ({how}) each of {TRIES} times: does it take too much memory?"
                    given_up.append(Lost(task, "worker_died", text, again=0.0))
        return given_up

    def expired(self, tasks: Sequence[Task], limit: float) -> Lost:
        """Take back tasks of which the first took too long; return it."""
        first = tasks[0]
        self.put_back(list(tasks[1:]))
        with self._lock:
            self._cost[first[0]] = limit
        text = f"a fit took longer than the limit of {limit:g} s, and was stopped"
        return Lost(first, "time_limit", text, again=limit)

    def _share(self) -> list[Task]:
        who = next(iter(self._shares))
        left = self._shares[who]
        size = min(-(-len(left) // self.workers), MOST_RUNS)
        size = self._sizes.setdefault(who, size)
        own, self._shares[who] = left[:size], left[size:]
        if not len(self._shares[who]):
            del self._shares[who]
        return [(who, run) for run in own.tolist()]

    def _some(self) -> list[Task]:
        """Return the next tasks as long as they take no more than they should; near the end they should take less."""
        left = sum(count * self._cost.get(who, 0.0) for who, count in self._waiting.items())
        allowed = min(self._seconds, left / (3 * self.workers))
        found: list[Task] = []
        spent = 0.0
        while self._ahead is not None and len(found) < MOST_RUNS:
            learner = self._ahead[0]
            # Of what is not known a batch holds one.
            cost = self._cost.get(learner, self._seconds)
            if found and spent + cost > allowed:
                break
            spent += cost
            found.append(self._ahead)
            self._waiting[learner] -= 1
            self._ahead = next(self._rest, None)
        return found
