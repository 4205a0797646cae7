"""Pages that are made from the code when the documentation is built, so that they cannot drift from it.

``pages()`` returns them as Markdown, by path; MkDocs is only needed to build the site.
"""

from __future__ import annotations

import importlib
import inspect
import io
import os
import pkgutil
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

HERE = Path(__file__).parent

# The Python reference: heading, what it is, and where it is defined.
PYTHON = (
    (
        "Compare and replicate",
        "The front doors.",
        (
            "foldproof.workflows.compare.compare",
            "foldproof.workflows.replicate.replicate",
            "foldproof.workflows.gate.gate",
            "foldproof.workflows.gate_scores.gate_scores",
            "foldproof.workflows.salzberg.salzberg",
            "foldproof.workflows.calibrate.calibrate",
            "foldproof.workflows.randomization.randomization",
            "foldproof.workflows.sweep.sweep",
            "foldproof.workflows.procedures.base.list_procedures",
            "foldproof.studies.running.run_study",
            "foldproof.studies.running.list_studies",
        ),
    ),
    (
        "What a comparison holds",
        "`fp.compare` returns a `Comparison`; its pairs are verdicts.",
        (
            "foldproof.workflows.comparison.Comparison",
            "foldproof.workflows.comparison.Scored",
            "foldproof.workflows.comparison.LearnerSummary",
            "foldproof.workflows.advice.Advice",
            "foldproof.workflows.chosen.Tuning",
            "foldproof.domain.verdict.Verdict",
            "foldproof.domain.verdict.FourCells",
            "foldproof.domain.outcomes.Outcomes",
            "foldproof.domain.outcomes.Failure",
        ),
    ),
    (
        "What a replication holds",
        "`fp.replicate` returns a `Replication`.",
        ("foldproof.workflows.replicate.Replication", "foldproof.workflows.replicate.PairReplication"),
    ),
    (
        "What a study brings",
        "`fp.run_study` returns a `StudyRun`: tables of rows and figures as data.",
        (
            "foldproof.workflows.studies.result.StudyRun",
            "foldproof.domain.study.Study",
            "foldproof.domain.study.StudyTable",
            "foldproof.domain.study.Row",
            "foldproof.domain.study.StudyFigure",
            "foldproof.domain.study.Series",
            "foldproof.domain.study.NotRun",
        ),
    ),
    (
        "What a gate holds",
        "`fp.gate` returns a `Gate`.",
        ("foldproof.workflows.gate.Gate",),
    ),
    (
        "The ledger",
        "Every look at a dataset, where a store is given. [What it means](../explanation/ledger.md).",
        (
            "foldproof.workflows.ledgers.read_ledger",
            "foldproof.workflows.ledgers.verify_ledger",
            "foldproof.workflows.ledgers.LedgerView",
            "foldproof.workflows.ledgers.LedgerVerification",
            "foldproof.ledger.standing.Standing",
        ),
    ),
    (
        "Experiments of a community",
        "What many teams claim of one dataset. [What to see in it](../explanation/community.md).",
        (
            "foldproof.workflows.community.simulate_community",
            "foldproof.workflows.community.Community",
            "foldproof.workflows.community.Claimed",
        ),
    ),
    (
        "The mass simulation",
        "Five tests on many training sets of a source. [How it is done](../explanation/trees-from-counts.md).",
        (
            "foldproof.workflows.simulation.simulate",
            "foldproof.workflows.simulation.Simulation",
            "foldproof.data.bayesnet.random_network",
        ),
    ),
    (
        "What the protocol, calibration, randomization and sweeps hold",
        "`fp.salzberg` returns a `Salzberg`, `fp.calibrate` a `Calibration`, `fp.randomization` a `Randomization`, "
        "`fp.sweep` a `Sweep`.",
        (
            "foldproof.workflows.salzberg.Salzberg",
            "foldproof.workflows.calibration.Calibration",
            "foldproof.workflows.calibration.CalibrationRow",
            "foldproof.workflows.calibration.Estimate",
            "foldproof.workflows.randomization.Randomization",
            "foldproof.workflows.sweep.Sweep",
        ),
    ),
    (
        "Scores from elsewhere",
        "`fp.read_scores` reads and pairs them, `fp.judge` tests them. [How to](../how-to/scores-from-elsewhere.md).",
        (
            "foldproof.data.score_files.read.read_scores",
            "foldproof.workflows.judgement.judge",
            "foldproof.workflows.judgement.Judgement",
            "foldproof.workflows.judgement.TableVerdicts",
            "foldproof.domain.scores.Scores",
            "foldproof.domain.scores.ScoreTable",
            "foldproof.domain.scores.Design",
        ),
    ),
    (
        "Many datasets",
        "`fp.compare_many` returns a `ManyComparison`. [How to](../how-to/many-datasets.md).",
        (
            "foldproof.workflows.compare_many.compare_many",
            "foldproof.workflows.many.ManyComparison",
            "foldproof.workflows.over_datasets.Ranks",
            "foldproof.domain.over_datasets.FriedmanResult",
            "foldproof.domain.over_datasets.RankPair",
            "foldproof.domain.over_datasets.RankPairsResult",
            "foldproof.domain.over_datasets.NemenyiResult",
            "foldproof.domain.over_datasets.DatasetPosterior",
        ),
    ),
    (
        "Plans",
        "`fp.run_plan` returns a `PlanRun`. [How to](../how-to/plans.md), and [every key](plan.md).",
        (
            "foldproof.workflows.plans.run_plan",
            "foldproof.workflows.plan_file.read_plan",
            "foldproof.workflows.plan_file.ExperimentPlan",
            "foldproof.workflows.plan_file.PlannedDataset",
            "foldproof.workflows.plan_file.PlannedProcedure",
            "foldproof.workflows.plan_result.PlanRun",
            "foldproof.engine.events.TaskFinished",
            "foldproof.engine.events.DatasetStarted",
            "foldproof.engine.events.DatasetFinished",
        ),
    ),
    (
        "Stores",
        "What is in a store, whether it is right, and how it goes elsewhere. [How to](../how-to/stores.md).",
        (
            "foldproof.workflows.stored.read_store",
            "foldproof.workflows.stored_result.StoreReport",
            "foldproof.workflows.stored_result.StoredDataset",
            "foldproof.workflows.stored_result.Block",
            "foldproof.workflows.stored_result.HeldLearner",
            "foldproof.workflows.stored_result.HeldScore",
            "foldproof.workflows.stored_result.PairVerdict",
            "foldproof.workflows.audit.audit",
            "foldproof.workflows.audit_result.Audit",
            "foldproof.workflows.audit_result.CellDifference",
            "foldproof.workflows.audit_result.VersionDifference",
            "foldproof.workflows.audit_result.NotAudited",
            "foldproof.workflows.transfer.export_store",
            "foldproof.workflows.transfer.import_store",
            "foldproof.workflows.transfer.Transfer",
        ),
    ),
    (
        "Data",
        "`fp.dataset` makes what `compare` makes for itself of X and y.",
        (
            "foldproof.data.in_memory.dataset",
            "foldproof.domain.dataset.Dataset",
            "foldproof.domain.dataset.Attribute",
        ),
    ),
    (
        "Learners",
        "`foldproof.learners`: those of the papers, scikit-learn estimators all; by name in `compare` and in a shell. "
        "[How to use them](../how-to/papers-learners.md), and what [those of 2004](../explanation/learners.md) and "
        "[those of 2001](../explanation/bradford-brodley-learners.md) do.",
        (
            "foldproof.learners._naive_bayes.NaiveBayes",
            "foldproof.learners._c45.C45",
            "foldproof.learners._nearest_neighbour.NearestNeighbour",
            "foldproof.learners._tddt.TDDT1",
            "foldproof.learners._tddt.TDDT2",
            "foldproof.learners._tddt.TopDownTree",
            "foldproof.learners._discretised_naive_bayes.DiscretisedNaiveBayes",
            "foldproof.learners._coded.CodedClassifier",
            "foldproof.learners._tuned.Tuned",
        ),
    ),
    (
        "Partitions",
        "`fp.partitions`: how a dataset is divided.",
        (
            "foldproof.partitions.scheme.partition",
            "foldproof.partitions.from_splitter.partitions_from_splitter",
            "foldproof.domain.partitions.Partitions",
            "foldproof.domain.partitions.ExplicitPartitions",
            "foldproof.partitions.kfold.KFold",
            "foldproof.partitions.kfold.FiveByTwo",
            "foldproof.partitions.kfold.LeaveOneOut",
            "foldproof.partitions.resampling.RandomSubsampling",
            "foldproof.partitions.resampling.HoldOut",
            "foldproof.partitions.weka.WekaKFold",
            "foldproof.partitions.weka.WekaSubsampling",
        ),
    ),
    (
        "Differences, and many tables at once",
        "What a test of `fp.significance` takes.",
        ("foldproof.domain.differences.Differences", "foldproof.significance._base.batch"),
    ),
    (
        "Results",
        "What a test returns: one class for each kind.",
        tuple(
            f"foldproof.domain.result.{name}"
            for name in (
                "TResult",
                "AveragedTResult",
                "VerdictCounts",
                "SidelessResult",
                "CountResult",
                "BayesianResult",
                "MarginResult",
                "PermutationResult",
                "RankResult",
                "RandomizationResult",
                "Decision",
                "Claim",
            )
        ),
    ),
    (
        "Progress",
        "What `on_event` is called with.",
        ("foldproof.engine.events.TaskFinished",),
    ),
    (
        "Executors",
        "What makes the fits, where `executor=` is not a word. The scores do not depend on it.",
        (
            "foldproof.engine.local.Local",
            "foldproof.engine.dask_executor.Dask",
        ),
    ),
    (
        "Errors",
        "What is raised on purpose; the text is meant for you.",
        (
            "foldproof.domain.errors.FoldproofError",
            "foldproof.domain.errors.InputError",
            "foldproof.domain.errors.NotInThisVersionError",
        ),
    ),
)
_KINDS = {
    "t": "a t statistic with sides and an interval",
    "counts": "a test on counts, with sides",
    "sideless": "a statistic without sides",
    "bayesian": "posterior probabilities",
    "margin": "a claim about a margin",
    "combiner": "a rejected combiner, kept to show why",
    "other": "a result of its own kind",
}


def pages() -> dict[str, str]:
    """Return every generated page: its path below ``docs/`` and its Markdown."""
    found = {
        "reference/cli.md": cli_page(),
        "reference/python.md": python_page(),
        "reference/procedures.md": procedures_page(),
        "reference/formulas.md": formulas_page(),
        "reference/replicability.md": replicability_page(),
        "reference/warnings.md": warnings_page(),
        "tests/index.md": tests_page(),
    }
    return found | test_pages()


# ---- from docstrings to Markdown ----------------------------------------------------------------------------


def markdown_of(docstring: str, *, level: int) -> str:
    """Return a numpy-style docstring as Markdown, its sections as headings of ``level``."""
    lines = inspect.cleandoc(docstring).splitlines()
    out: list[str] = []
    section, place = "", 0
    while place < len(lines):
        line = lines[place]
        below = lines[place + 1] if place + 1 < len(lines) else ""
        if line.strip() and below.strip() and set(below.strip()) == {"-"}:
            section = line.strip()
            out += [f"{'#' * level} {section}", ""]
            place += 2
            continue
        if line.startswith(">>> "):
            block = []
            while place < len(lines) and lines[place].strip():
                block.append(lines[place])
                place += 1
            out += ["```pycon", *block, "```"]
            continue
        if section in ("Parameters", "Attributes", "Returns") and line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            out += ["", f"`{names}`" + (f" ({kind})" if kind else ""), ""]
            while place + 1 < len(lines) and (lines[place + 1].startswith(" ") or not lines[place + 1]):
                place += 1
                out.append(f":   {inline(lines[place].strip())}" if lines[place].strip() else "")
            place += 1
            continue
        out.append(inline(line))
        place += 1
    return _merge_definitions("\n".join(out)).strip() + "\n"


def _merge_definitions(text: str) -> str:
    """Let the lines of one definition follow each other without a mark of their own."""
    return re.sub(r"(?m)^(:   .*)\n((?::   .*\n?)+)", lambda m: m[1] + "\n" + m[2].replace(":   ", "    "), text)


def inline(text: str) -> str:
    """Return a line with code marks as Markdown has them; roles become plain code."""
    text = re.sub(r":\w+:`~?([^`<]+)`", lambda m: "`" + m[1].split(".")[-1] + "`", text)
    return text.replace("``", "`").replace("\\|", "|")


def signature_of(function: Callable[..., Any], called: str) -> str:
    """Return how a function is called, as a block of code."""
    signature = inspect.signature(function)
    parts = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        kind, value = _kind(parameter.annotation), parameter.default
        default = "" if value is inspect.Parameter.empty else (f" = {value!r}" if kind else f"={value!r}")
        parts.append(parameter.name + (f": {kind}" if kind else "") + default)
    back = _kind(signature.return_annotation)
    tail = f" -> {back}" if back else ""
    text = f"({', '.join(parts)}){tail}"
    if len(called) + len(text) > 88:
        text = "(\n" + "".join(f"    {part},\n" for part in parts) + f"){tail}"
    return f"```python\n{called}{text}\n```\n"


def _kind(annotation: Any) -> str:
    """Return an annotation without the modules of its names."""
    if annotation is inspect.Signature.empty:
        return ""
    return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(\w+)", r"\1", annotation if isinstance(annotation, str) else str(annotation))


def first_line(docstring: str | None) -> str:
    """Return what a docstring says first."""
    return inline((docstring or "").strip().partition("\n\n")[0].replace("\n", " "))


def cell(text: str) -> str:
    """Return text that does not break a table."""
    return " ".join(text.split()).replace("|", "\\|")


# ---- the pages ----------------------------------------------------------------------------------------------


def tests_page() -> str:
    """Return the overview of all tests."""
    from foldproof.significance import METHODS

    lines = [
        "# Tests",
        "",
        "Every test of `foldproof.significance`, from its own file. Each page is the docstring of the function.",
        "",
        "| test | takes | gives | what it does |",
        "| --- | --- | --- | --- |",
    ]
    for name, method in METHODS.items():
        lines.append(
            f"| [{name}]({name}.md) | {method.takes} | {_KINDS.get(method.kind, method.kind)} "
            f"| {cell(first_line(method.function.__doc__))} |"
        )
    lines += [
        "",
        "What is not a test (multiplicity, demonstrations) is on the page of [formulas](../reference/formulas.md).",
    ]
    return "\n".join(lines) + "\n"


def test_pages() -> dict[str, str]:
    """Return one page for every registered test."""
    from foldproof.significance import METHODS

    found = {}
    for name, method in METHODS.items():
        function = name.replace("-", "_")
        shape = "" if method.shape is None else f" of exactly {method.shape[0]} runs x {method.shape[1]} folds"
        order = "" if method.exchangeable else " The order of runs and folds matters."
        found[f"tests/{name}.md"] = (
            f"# {name}\n\n"
            + signature_of(method.function, f"fp.significance.{function}")
            + f"\nTakes {method.takes}{shape}; gives {_KINDS.get(method.kind, method.kind)}.{order}\n\n"
            + markdown_of(method.function.__doc__ or "", level=2)
        )
    return found


def formulas_page() -> str:
    """Return the page of formulas that are not tests."""
    from foldproof.significance import FORMULAS

    parts = [
        "# Formulas\n\nFunctions of `foldproof.significance` that are not tests: multiplicity and demonstrations.\n"
    ]
    for name, function in FORMULAS.items():
        called = name.replace("-", "_")
        text = markdown_of(function.__doc__ or "", level=3)
        parts.append(f"## {called}\n\n{signature_of(function, f'fp.significance.{called}')}\n{text}")
    return "\n".join(parts)


def replicability_page() -> str:
    """Return the page of what ``foldproof.replicability`` offers."""
    from foldproof import replicability

    parts = [
        "# Replicability\n\nWhat `foldproof.replicability` offers. "
        "[Consistency and R](../explanation/replicability.md) says how to read it.\n"
    ]
    for name in dir(replicability):
        member = getattr(replicability, name)
        text = markdown_of(member.__doc__ or "", level=3)
        call = signature_of(member, f"fp.replicability.{name}") if inspect.isfunction(member) else ""
        parts.append(f"## {name}\n\n{call}\n{text}")
    return "\n".join(parts)


def warnings_page() -> str:
    """Return the page of warning words."""
    from foldproof.domain.notices import MEANINGS

    import_all()
    lines = [
        "# Warnings",
        "",
        "Words that may stand in the `warnings` of a pair or of a result. The words are stable; the sentences may be",
        "improved. What may stand in the `warnings` of a whole comparison is on the page of [the JSON](json.md).",
        "",
        "| word | what it says |",
        "| --- | --- |",
        *(f"| `{word}` | {cell(meaning)} |" for word, meaning in sorted(MEANINGS.items())),
    ]
    return "\n".join(lines) + "\n"


def import_all() -> None:
    """Import every module, so that each has declared its warnings."""
    import foldproof

    for module in pkgutil.walk_packages(foldproof.__path__, "foldproof."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def procedures_page() -> str:
    """Return the page of procedures."""
    from foldproof.significance import METHODS
    from foldproof.workflows.procedures import PROCEDURES

    lines = [
        "# Procedures",
        "",
        "A procedure is a test together with the partitions it needs. A fixed one has its runs and folds; an open one",
        "takes `--runs` and `--folds`.",
        "[Choosing a procedure](../explanation/choosing-a-procedure.md) says which to take.",
        "",
        "| procedure | test | runs x folds | what it is |",
        "| --- | --- | --- | --- |",
    ]
    for name, procedure in PROCEDURES.items():
        test = f"[{procedure.test}](../tests/{procedure.test}.md)" if procedure.test in METHODS else procedure.test
        size = f"{procedure.runs} x {procedure.folds}" + ("" if procedure.fixed else " (open)")
        lines.append(f"| `{name}` | {test} | {size} | {cell(procedure.summary)} |")
    return "\n".join(lines) + "\n"


def cli_commands() -> list[str]:
    """Return the names of the program's commands."""
    from foldproof.cli.main import app

    return [str(command.name) for command in app.registered_commands]


def cli_help(*arguments: str) -> str:
    """Return what the program prints for ``--help``."""
    from foldproof.cli.main import run

    told = io.StringIO()
    plain = {"COLUMNS": "100", "NO_COLOR": "1"}
    with patch.dict(os.environ, plain), patch("sys.argv", ["foldproof", *arguments]), redirect_stdout(told):
        run([*arguments, "--help"])
    return told.getvalue().strip()


def cli_page() -> str:
    """Return the command-line reference, as the program itself tells it."""
    parts = [
        "# Command line",
        "",
        "What the program prints for `--help`.",
        "",
        "| exit code | meaning |",
        "| --- | --- |",
        "| 0 | done, warnings included |",
        "| 1 | a gate failed, an audit found a difference, or a ledger is not as it was written |",
        "| 2 | bad input or usage; one sentence on stderr says what, where and what to do |",
        "| 3 | finished, but some folds failed; they are listed |",
        "| 4 | a gate could not decide |",
        "| 130 | interrupted |",
        "",
        "## foldproof",
        "",
        f"```text\n{cli_help()}\n```",
    ]
    for name in cli_commands():
        parts += ["", f"## foldproof {name}", "", f"```text\n{cli_help(name)}\n```"]
    return "\n".join(parts) + "\n"


def python_members() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the parts of the Python reference; what is public and in none of them comes last."""
    import foldproof

    listed = [_found(member) for _, _, members in PYTHON for member in members]
    more = [f"{where}.{name}" for name, where in foldproof._WHERE.items() if getattr(foldproof, name) not in listed]
    return [*PYTHON, *([("More", "Also in `fp`.", tuple(more))] if more else [])]


def _found(member: str) -> Any:
    module, _, name = member.rpartition(".")
    return getattr(importlib.import_module(module), name)


def python_page() -> str:
    """Return the Python reference; mkdocstrings fills it in."""
    parts = [
        "# Python",
        "",
        "`import foldproof as fp`. What is on this page, on the pages of [tests](../tests/index.md), "
        "[formulas](formulas.md) and [replicability](replicability.md) is public; everything else may change.",
    ]
    for heading, what, members in python_members():
        parts += ["", f"## {heading}", "", what]
        for member in members:
            parts += ["", f"::: {member}"]
    return "\n".join(parts) + "\n"


# ---- what MkDocs calls --------------------------------------------------------------------------------------


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages, and fill in the parts of the navigation that follow the code."""
    from mkdocs.structure.files import File

    made = pages()
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    for entry in config.nav:
        if "Tests" in entry:
            names = sorted(path for path in made if path.startswith("tests/") and not path.endswith("index.md"))
            entry["Tests"] = [{"All tests": "tests/index.md"}, *names]
        if "Decisions" in entry:
            entry["Decisions"] = [f"decisions/{path.name}" for path in sorted((HERE / "decisions").glob("*.md"))]
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Turn the roles of docstrings, which Markdown does not know, into plain code."""
    return re.sub(r":\w+:<code>~?(?:\w+\.)*(\w+)</code>", r"<code>\1</code>", html)
