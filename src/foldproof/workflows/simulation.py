"""The mass simulation of Bouckaert & Frank (2004, section 4.4): how consistent five tests are on a simulated source."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foldproof._version import __version__
from foldproof.data.bayesnet import BayesianNetwork
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.result import checked_level
from foldproof.engine.events import Listener, TaskFinished
from foldproof.engine.local import checked_jobs
from foldproof.workflows.calibration import Estimate
from foldproof.workflows.kept import Kept
from foldproof.workflows.simulated_sets import LEARNERS, TESTS, Found, Sets
from foldproof.workflows.trials import origin_of

Verdicts = npt.NDArray[np.int8]

#: How many training sets are made between two looks at the store, and at whether to go on.
CHUNK = 25


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Simulation:
    """What :func:`simulate` found on one source.

    Attributes
    ----------
    verdicts
        By test, a matrix of training sets by repetitions: 1 where a was found better, −1 where b was, else 0.
    accuracies
        For each training set the accuracies of a and b, trained on all of it: exact, from the joint distribution, or
        on a test set if one was asked for.
    a, b
        The learners: naive Bayes and C4.5.
    """

    source: str
    sets: int
    instances: int
    repetitions: int
    alpha: float
    seed: int
    variant: str
    test_instances: int | None
    verdicts: Mapping[str, Verdicts]
    accuracies: npt.NDArray[np.float64]
    a: str = LEARNERS[0]
    b: str = LEARNERS[1]

    def __repr__(self) -> str:
        told = ", ".join(f"{test} {self.consistency(test).rate:.1f}" for test in self.verdicts)
        return f"Simulation({self.source}, {self.sets} training sets; consistent in percent: {told})"

    def consistency(self, test: str) -> Estimate:
        """Return on how many of the training sets all repetitions agreed to reject or not, in percent."""
        rejected = self._of(test) != 0
        return _percent((rejected == rejected[:, :1]).all(axis=1))

    def rejections(self, test: str) -> Estimate:
        """Return how often a difference was found, in percent; training sets are the units of the standard error."""
        return _percent((self._of(test) != 0).mean(axis=1))

    def flips(self, test: str) -> Estimate:
        """Return on how many of the training sets both directions were found, in percent."""
        found = self._of(test)
        return _percent((found == 1).any(axis=1) & (found == -1).any(axis=1))

    @property
    def difference(self) -> Estimate:
        """The mean difference of the accuracies, a − b, in percent."""
        return _percent(self.accuracies[:, 0] - self.accuracies[:, 1])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, without the single verdicts."""
        return {
            "source": self.source,
            "a": self.a,
            "b": self.b,
            "sets": self.sets,
            "instances": self.instances,
            "repetitions": self.repetitions,
            "alpha": self.alpha,
            "seed": self.seed,
            "variant": self.variant,
            "test_instances": self.test_instances,
            "accuracies": {name: _plain(_percent(self.accuracies[:, i])) for i, name in enumerate((self.a, self.b))},
            "difference": _plain(self.difference),
            "tests": [
                {
                    "test": test,
                    "consistency": _plain(self.consistency(test)),
                    "rejections": _plain(self.rejections(test)),
                    "flips": _plain(self.flips(test)),
                }
                for test in self.verdicts
            ],
        }

    def _of(self, test: str) -> Verdicts:
        if test not in self.verdicts:
            raise unknown_name("test of this simulation", test, self.verdicts)
        return self.verdicts[test]


def simulate(
    network: BayesianNetwork | str,
    *,
    sets: int = 1000,
    instances: int = 300,
    repetitions: int = 10,
    alpha: float = 0.05,
    seed: int = 0,
    n_jobs: int | None = None,
    variant: Literal["as-printed", "as-run"] = "as-printed",
    test_instances: int | None = None,
    store: str | None = None,
    on_event: Listener | None = None,
) -> Simulation:
    """Apply five tests to naive Bayes and C4.5, several times each, on many training sets of a simulated source.

    The tests are those of Bouckaert & Frank's Table 5: 5x2 cv; 10 and 100 random test sets of a tenth, corrected; one
    ten-fold cv with the plain paired t-test; ten of them, corrected. Each repetition divides the training set anew.

    Training set ``i`` and its partitions are functions of (seed, source, i) alone: the first ten of a thousand are the
    ten, and they are those of :func:`foldproof.calibrate` with the same seed.

    Parameters
    ----------
    network
        A simulated source's name, or a network of yours.
    sets, instances, repetitions
        How many training sets, of how many instances, and how often each test is applied to each of them.
    variant
        ``"as-run"``: the formulas behind the published tables, where a test has such a form.
    n_jobs
        Number of threads; -1 for all cores.
    test_instances
        Size of a test set to measure accuracies on; by default they are computed exactly.
    store
        A store's URL: finished training sets are kept there, and the same call goes on where it was broken off.

    Everything else is as in ``compare``.

    Examples
    --------
    >>> found = simulate("source2", sets=3, repetitions=2, instances=100)
    >>> found.verdicts["5x2cv"].shape, found.accuracies.shape
    ((3, 2), (3, 2))
    """
    checked_level(alpha)
    for what, value, least in (("sets", sets, 1), ("instances", instances, 20), ("repetitions", repetitions, 1)):
        if not isinstance(value, int) or value < least:
            raise InputError(f"{what} is {value!r}: give a whole number of at least {least}")
    if variant not in ("as-printed", "as-run"):
        raise InputError(f"variant is {variant!r}: use 'as-printed', or 'as-run' to replicate published tables")
    if test_instances is not None and (not isinstance(test_instances, int) or test_instances < 1):
        raise InputError(f"test_instances is {test_instances!r}: give a whole number of at least 1, or leave it out")
    origin = origin_of(network, None, None)
    source = _network(network)
    made = Sets(origin, source, instances, repetitions, alpha, seed, variant, test_instances)
    question = {"version": __version__, "instances": instances, "repetitions": repetitions, "alpha": alpha,
                "seed": seed, "variant": variant, "source": origin.fingerprint, "test": test_instances}  # fmt: skip
    with Kept(store, "simulate", question) as kept:
        _run(made, sets, kept, _threads(n_jobs), on_event)
        parts = [_read(kept.known[chunk], sets - chunk * CHUNK) for chunk in range(-(-sets // CHUNK))]
    return Simulation(
        source=source.name,
        sets=sets,
        instances=instances,
        repetitions=repetitions,
        alpha=alpha,
        seed=seed,
        variant=variant,
        test_instances=test_instances,
        verdicts={test: np.concatenate([part.verdicts[test] for part in parts]) for test in TESTS},
        accuracies=np.concatenate([part.accuracies for part in parts]),
    )


def _network(network: Any) -> BayesianNetwork:
    from foldproof.data.simulated import simulated_source

    found = simulated_source(network) if isinstance(network, str) else network
    if not isinstance(found, BayesianNetwork):
        raise InputError(f"a simulation needs a BayesianNetwork or the name of a source; got {type(network).__name__}")
    return found


def _threads(n_jobs: int | None) -> int:
    from joblib import effective_n_jobs

    return int(effective_n_jobs(checked_jobs(n_jobs)))


def _run(made: Sets, sets: int, kept: Kept, threads: int, on_event: Listener | None) -> None:
    """Make the chunks that are not kept yet, a few at a time, and keep each as soon as it is there."""
    sizes = {chunk: min(CHUNK, sets - chunk * CHUNK) for chunk in range(-(-sets // CHUNK))}
    missing = {c: n for c, n in sizes.items() if c not in kept.known or len(kept.known[c]["accuracies"]) < n}
    done = sets - sum(missing.values())
    stop = threading.Event()
    for chunk, found in _made(made, missing, threads, stop):
        kept.add(_record(chunk, found))
        done += missing[chunk]
        if on_event is not None:
            on_event(TaskFinished("simulation", chunk, done, sets, 0))


def _made(made: Sets, missing: Mapping[int, int], threads: int, stop: threading.Event) -> Iterator[tuple[int, Found]]:
    """Yield chunks as they are finished. At most two for each thread are under way, so that memory stays flat."""
    if threads == 1:
        for chunk, count in missing.items():
            yield chunk, made.make(chunk * CHUNK, count, stop)
        return
    waiting = iter(missing.items())
    pending: dict[Future[Found], int] = {}
    with ThreadPoolExecutor(threads, thread_name_prefix="foldproof-simulation") as pool:
        try:
            while True:
                while len(pending) < 2 * threads and (following := next(waiting, None)) is not None:
                    chunk, count = following
                    pending[pool.submit(made.make, chunk * CHUNK, count, stop)] = chunk
                if not pending:
                    return
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    yield pending.pop(future), future.result()
        finally:  # an error or Ctrl-C: threads stop after the training set at hand
            stop.set()
            for future in pending:
                future.cancel()


def _record(chunk: int, found: Found) -> dict[str, Any]:
    """Return a chunk as plain values, a text of signs for the verdicts on each training set."""
    signs = np.array(["-", ".", "+"])
    return {
        "number": chunk,
        "verdicts": {test: ["".join(signs[row + 1]) for row in rows] for test, rows in found.verdicts.items()},
        "accuracies": found.accuracies.tolist(),
    }


def _read(record: Mapping[str, Any], count: int) -> Found:
    """Return the first ``count`` training sets of a chunk."""
    values = {"-": -1, ".": 0, "+": 1}
    return Found(
        {test: np.array([[values[sign] for sign in row] for row in rows[:count]], dtype=np.int8)
         for test, rows in record["verdicts"].items()},
        np.array(record["accuracies"][:count], dtype=np.float64),
    )  # fmt: skip


def _percent(values: npt.ArrayLike) -> Estimate:
    return Estimate.of(100.0 * np.asarray(values, dtype=np.float64))


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {"rate": estimate.rate, "standard_error": estimate.standard_error}
