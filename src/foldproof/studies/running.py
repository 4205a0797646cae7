"""The front doors: ``fp.run_study`` and ``fp.list_studies``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from foldproof.domain.study import Study
from foldproof.engine.events import Listener
from foldproof.studies.finding import find_study, study_folders
from foldproof.workflows.studies.result import StudyRun
from foldproof.workflows.studies.run import carry_out_study


def list_studies() -> list[str]:
    """Return the names of the studies there are.

    >>> "bouckaert-frank-2004" in list_studies()
    True
    """
    return list(study_folders())


def run_study(
    study: str | Path | Study,
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
    """Do a published study again, beside its published numbers.

    Parameters
    ----------
    study
        A name (``list_studies()``), the path of a study's folder, or a Study.
    tables, figures
        Which of them, by name; all where neither is given.
    variant, folds
        How: which formulas, and whether partitions are ours ("seeds") or those of Weka's run numbers ("weka").
    scale
        The share of repetitions and of simulated training sets that is run.
    repetitions
        How often every protocol is repeated (default: as often as printed on the print's own folds, else a hundred
        times, so that printed numbers can be judged).
    datasets
        Some datasets only, by their names in the catalogue.
    data_dir
        The folder that holds ``.arff`` files (default: the environment variable FOLDPROOF_DATA); what is not there is
        fetched from OpenML once, where it has the same data.
    store
        A URL; what was finished is kept there, and the same call goes on from it.

    Examples
    --------
    >>> import foldproof as fp
    >>> found = fp.run_study("bouckaert-frank-2004", tables=["1"], datasets=[])
    >>> [missing.what for missing in found.not_run]
    ['table 1']
    """
    return carry_out_study(
        study if isinstance(study, Study) else find_study(study),
        tables=tables,
        figures=figures,
        variant=variant,
        folds=folds,
        scale=scale,
        repetitions=repetitions,
        datasets=datasets,
        data_dir=data_dir,
        seed=seed,
        n_jobs=n_jobs,
        store=store,
        on_event=on_event,
    )
