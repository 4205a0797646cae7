"""foldproof: is learner A really better than learner B, and would I have said so with another random split?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foldproof._version import __version__

# Everything is imported when first asked for, so that `import foldproof` stays quick.
_WHERE = {
    "Dataset": "foldproof.domain.dataset",
    "Differences": "foldproof.domain.differences",
    "FoldproofError": "foldproof.domain.errors",
    "InputError": "foldproof.domain.errors",
    "Partitions": "foldproof.domain.partitions",
    "audit": "foldproof.workflows.audit",
    "calibrate": "foldproof.workflows.calibrate",
    "compare": "foldproof.workflows.compare",
    "compare_many": "foldproof.workflows.compare_many",
    "compare_on_source": "foldproof.workflows.plentiful",
    "list_procedures": "foldproof.workflows.procedures",
    "dataset": "foldproof.data.in_memory",
    "export_store": "foldproof.workflows.transfer",
    "gate": "foldproof.workflows.gate",
    "gate_scores": "foldproof.workflows.gate_scores",
    "import_store": "foldproof.workflows.transfer",
    "judge": "foldproof.workflows.judgement",
    "read_plan": "foldproof.workflows.plan_file",
    "read_ledger": "foldproof.workflows.ledgers",
    "read_store": "foldproof.workflows.stored",
    "read_scores": "foldproof.data.score_files.read",
    "randomization": "foldproof.workflows.randomization",
    "replicate": "foldproof.workflows.replicate",
    "run_plan": "foldproof.workflows.plans",
    "salzberg": "foldproof.workflows.salzberg",
    "simulate_community": "foldproof.workflows.community",
    "list_studies": "foldproof.studies.running",
    "run_study": "foldproof.studies.running",
    "sweep": "foldproof.workflows.sweep",
    "verify_ledger": "foldproof.workflows.ledgers",
}
_ROOMS = ("significance", "replicability", "partitions")

if TYPE_CHECKING:
    from foldproof import partitions as partitions
    from foldproof import replicability as replicability
    from foldproof import significance as significance
    from foldproof.data.in_memory import dataset as dataset
    from foldproof.data.score_files.read import read_scores as read_scores
    from foldproof.domain.dataset import Dataset as Dataset
    from foldproof.domain.differences import Differences as Differences
    from foldproof.domain.errors import FoldproofError as FoldproofError
    from foldproof.domain.errors import InputError as InputError
    from foldproof.domain.partitions import Partitions as Partitions
    from foldproof.studies.running import list_studies as list_studies
    from foldproof.studies.running import run_study as run_study
    from foldproof.workflows.audit import audit as audit
    from foldproof.workflows.calibrate import calibrate as calibrate
    from foldproof.workflows.community import simulate_community as simulate_community
    from foldproof.workflows.compare import compare as compare
    from foldproof.workflows.compare_many import compare_many as compare_many
    from foldproof.workflows.gate import gate as gate
    from foldproof.workflows.gate_scores import gate_scores as gate_scores
    from foldproof.workflows.judgement import judge as judge
    from foldproof.workflows.ledgers import read_ledger as read_ledger
    from foldproof.workflows.ledgers import verify_ledger as verify_ledger
    from foldproof.workflows.plan_file import read_plan as read_plan
    from foldproof.workflows.plans import run_plan as run_plan
    from foldproof.workflows.plentiful import compare_on_source as compare_on_source
    from foldproof.workflows.procedures import list_procedures as list_procedures
    from foldproof.workflows.randomization import randomization as randomization
    from foldproof.workflows.replicate import replicate as replicate
    from foldproof.workflows.salzberg import salzberg as salzberg
    from foldproof.workflows.stored import read_store as read_store
    from foldproof.workflows.sweep import sweep as sweep
    from foldproof.workflows.transfer import export_store as export_store
    from foldproof.workflows.transfer import import_store as import_store
else:

    def __getattr__(name: str) -> Any:
        import importlib

        if name in _ROOMS:
            return importlib.import_module(f"foldproof.{name}")
        if name in _WHERE:
            value = getattr(importlib.import_module(_WHERE[name]), name)
            globals()[name] = value
            return value
        raise AttributeError(f"module 'foldproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__])


__all__ = ["__version__", *_ROOMS, *_WHERE]
