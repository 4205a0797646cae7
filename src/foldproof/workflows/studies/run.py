"""Running a study: datasets one by one, every protocol once, then the tables and figures that were asked for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foldproof.data.catalog import data_folder, find_dataset
from foldproof.domain.errors import InputError, unknown_name
from foldproof.domain.study import NotAvailableError, NotRun, Part, Protocol, Study
from foldproof.engine.events import Listener, TaskFinished
from foldproof.learners.learner import Learner, gather
from foldproof.workflows.execution import opened
from foldproof.workflows.provenance import provenance
from foldproof.workflows.studies.base import FIGURE_MAKERS, TABLE_MAKERS, How, Workbench
from foldproof.workflows.studies.evidence import Evidence, gather_evidence
from foldproof.workflows.studies.result import StudyRun


def carry_out_study(
    study: Study,
    *,
    tables: Sequence[str] | None = None,
    figures: Sequence[str] | None = None,
    variant: str | None = None,
    folds: str | None = None,
    scale: float = 1.0,
    repetitions: int | None = None,
    datasets: Sequence[str] | None = None,
    data_dir: str | Path | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    store: str | None = None,
    on_event: Listener | None = None,
) -> StudyRun:
    """Run a study, or parts of it; see :func:`foldproof.run_study`."""
    started = time.perf_counter()
    how = _how(study, variant, folds, scale, repetitions, seed, n_jobs, store, on_event)
    parts = chosen_parts(study, tables, figures)
    data_folder(data_dir)
    bench = Workbench(study, how)
    parts = _that_can_be_had(bench, parts)
    wanted = {p: study.protocols[p] for p in study.protocols if any(p in part.protocols for part in parts)}
    names = _chosen_datasets(study, datasets)
    marks: dict[str, str] = {}
    notes: list[str] = []
    if wanted:
        bench.evidence = _gathered(bench, wanted, names, data_dir, marks, notes)
    made, drawn = [], []
    for part in parts:
        try:
            if part.protocols and not bench.having(part):
                raise NotAvailableError(part.label, "none of its datasets is to be had", "see what to do for each")
            if part.kind == "table":
                made.append(bench.table(part.name))
            else:
                drawn.append(FIGURE_MAKERS[part.maker](part, bench))
        except NotAvailableError as missing:
            bench.not_run.append(NotRun(part.label, missing.why, missing.what_to_do))
    paths = [path for e in bench.evidence.values() for path in e.fast_paths]
    return StudyRun(
        study=study,
        how=how,
        tables=tuple(made),
        figures=tuple(drawn),
        not_run=tuple(bench.not_run),
        provenance={
            **{k: v for k, v in provenance("").items() if k != "partitions_fingerprint"},
            "fast_paths": list(dict.fromkeys(paths)),
            "seconds": round(time.perf_counter() - started, 3),
        },
        warnings=tuple(dict.fromkeys(notes)),
        datasets=marks,
    )


def _how(
    study: Study, variant: str | None, folds: str | None, scale: float, repetitions: int | None, seed: int,
    n_jobs: int, store: str | None, on_event: Listener | None,
) -> How:  # fmt: skip
    chosen = study.variant(variant)
    kind = folds or chosen.folds[0]
    if kind not in chosen.folds:
        raise InputError(
            f"the variant {chosen.name!r} of {study.name} is run on {' or '.join(chosen.folds)} folds; got {kind!r}"
        )
    if not 0.0 < scale <= 1.0:
        raise InputError(f"scale is {scale:g}: give a share of the whole, above 0 and at most 1")
    wanted = study.repetitions if kind == "weka" else study.judged_repetitions
    if repetitions is not None and repetitions < 2:
        raise InputError(f"repetitions is {repetitions}: agreement needs at least two")
    return How(
        variant=chosen, folds=kind, scale=scale, seed=seed, n_jobs=n_jobs, store=store, on_event=on_event,
        repetitions=repetitions or max(2, round(scale * wanted)),
    )  # fmt: skip


def chosen_parts(study: Study, tables: Sequence[str] | None, figures: Sequence[str] | None) -> list[Part]:
    """Return the parts asked for, in the study's order; everything where nothing was named."""
    for what, asked, known in (("table", tables, study.tables), ("figure", figures, study.figures)):
        for name in asked or ():
            if name not in known:
                raise unknown_name(f"{what} of {study.name}", name, known)
    if not tables and not figures:
        return [*study.tables.values(), *study.figures.values()]
    return [
        *(part for name, part in study.tables.items() if name in (tables or ())),
        *(part for name, part in study.figures.items() if name in (figures or ())),
    ]


def _chosen_datasets(study: Study, datasets: Sequence[str] | None) -> list[str]:
    for name in datasets or ():
        if name not in study.datasets:
            raise unknown_name(f"dataset of {study.name}", name, study.datasets)
    return [name for name in study.datasets if datasets is None or name in datasets]


def _that_can_be_had(bench: Workbench, parts: list[Part]) -> list[Part]:
    """Return the parts whose protocols exist for these folds; tell of the others."""
    found = []
    for part in parts:
        lacking = [p for p in part.protocols if bench.how.folds not in bench.study.protocols[p].kinds()]
        if lacking:
            bench.not_run.append(
                NotRun(
                    part.label,
                    f"the folds of {lacking[0]} with run numbers of {bench.how.folds!r} are not known",
                    "run it with our seeds: --folds seeds",
                )
            )
        else:
            found.append(part)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """One dataset's work; travels to other processes."""

    catalogue_name: str
    name: str
    data_dir: str | Path | None
    learners: tuple[Learner, ...]
    protocols: dict[str, Protocol]
    how: dict[str, Any]
    store: str | None

    def run(self, on_event: Listener | None = None) -> tuple[Evidence, str, tuple[str, ...]] | NotAvailableError:
        try:
            dataset = find_dataset(self.catalogue_name, self.data_dir)
            with opened(self.store) as store:
                found = gather_evidence(
                    dataset, self.learners, self.protocols, store=store, on_event=on_event, **self.how
                )
        except NotAvailableError as missing:
            return missing
        return found, dataset.fingerprint, dataset.notes


def _gathered(
    bench: Workbench,
    protocols: dict[str, Protocol],
    names: list[str],
    data_dir: str | Path | None,
    marks: dict[str, str],
    notes: list[str],
) -> dict[str, Evidence]:
    """Return the evidence of every dataset that is to be had, several at a time where several jobs are allowed."""
    how = bench.how
    learners = gather(bench.study.learners)
    options = {"folds": how.folds, "repetitions": how.repetitions, "seed": how.seed, "alpha": bench.study.alpha}
    jobs = [_Job(name, bench.study.datasets[name], data_dir, learners, protocols, options, how.store) for name in names]
    found: dict[str, Evidence] = {}
    steps = sum(protocol.repeated(how.repetitions) for protocol in protocols.values())
    for number, (job, came) in enumerate(_each(jobs, how, steps)):
        if isinstance(came, NotAvailableError):
            bench.not_run.append(NotRun(f"dataset {job.name}", came.why, came.what_to_do))
            continue
        found[job.name], marks[job.catalogue_name] = came[0], came[1]
        notes += [note for note in came[2] if note.startswith("other_values")]
        if how.n_jobs != 1 and how.on_event is not None:
            how.on_event(TaskFinished(job.name, number, number + 1, len(jobs), 0))
    return found


def _each(jobs: list[_Job], how: How, steps: int) -> Any:
    """Yield jobs and what came of them, in order."""
    if how.n_jobs == 1:
        for number, job in enumerate(jobs):
            yield (
                job,
                job.run(None if how.on_event is None else _overall(how.on_event, number * steps, len(jobs) * steps)),
            )
        return
    from joblib import Parallel, delayed

    came = Parallel(n_jobs=how.n_jobs, return_as="generator")(delayed(job.run)() for job in jobs)
    yield from zip(jobs, came, strict=True)


def _overall(on_event: Listener, before: int, total: int) -> Listener:
    done = before

    def listen(event: TaskFinished) -> None:
        nonlocal done
        done += 1
        on_event(TaskFinished(event.learner, event.run, done, total, event.failures))

    return listen


__all__ = ["TABLE_MAKERS", "carry_out_study", "chosen_parts"]
