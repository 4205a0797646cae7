"""Simulated sources of a study: the mass simulation of each, made once and shared by every table that needs it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldproof.domain.study import Part
from foldproof.workflows.simulation import Simulation, simulate
from foldproof.workflows.studies.base import Options, Workbench


@dataclass(frozen=True, slots=True)
class Design:
    """What a part asks of a simulation."""

    sources: tuple[str, ...]
    sets: int
    instances: int


def design_of(options: Options) -> Design:
    """Take the options ``sources``, ``sets`` and ``instances``."""
    return Design(
        tuple(options.take("sources", list)), options.take("sets", int, 1000), options.take("instances", int, 300)
    )


def simulated(part: Part, bench: Workbench, design: Design) -> list[Simulation]:
    """Return the simulation of every source, at the scale of the run."""
    how = bench.how
    found = []
    for source in design.sources:
        key = (source, design.sets, design.instances)
        if key not in bench.simulations:
            bench.simulations[key] = simulate(
                source,
                sets=how.scaled(design.sets, least=2),
                instances=design.instances,
                repetitions=bench.study.repetitions,
                alpha=bench.study.alpha,
                seed=how.seed,
                n_jobs=how.n_jobs,
                variant=how.variant.formulas,
                store=how.store,
                on_event=how.on_event,
            )
        found.append(bench.simulations[key])
    return found


def standard_error_of_share(percent: float, count: int) -> float:
    """Return the standard error of a share of ``count`` cases, in percent; near 0 and 100 that of one case in so many.

    >>> round(standard_error_of_share(50.0, 100), 2), round(standard_error_of_share(100.0, 100), 2)
    (5.0, 0.99)
    """
    share = min(max(percent / 100.0, 1.0 / (count + 2)), 1.0 - 1.0 / (count + 2))
    return 100.0 * math.sqrt(share * (1.0 - share) / count)
