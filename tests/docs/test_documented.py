"""The documentation speaks of what there is, and what it shows works."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = sorted(path for path in DOCS.rglob("*.md"))
RUNNABLE = [DOCS / "index.md", DOCS / "tutorial.md", *sorted(DOCS.glob("how-to/*.md"))]
RUNNABLE += sorted(DOCS.glob("explanation/*.md"))
RUNNABLE += sorted(DOCS.glob("coming-from/*.md")) + sorted(DOCS.glob("studies/*.md"))
# Their commands need files or a cluster, and have tests of their own: test_papers_learners.py, test_coming_from.py,
# test_cluster.py.
RUN_ELSEWHERE = {("how-to", "papers-learners"), ("coming-from", "weka"), ("how-to", "cluster")}
# Pages for those who come from a package are run with it.
PACKAGE_OF = {"mlxtend": "mlxtend", "autorank": "autorank", "baycomp": "baycomp"}
RECORDS = sorted(DOCS.glob("decisions/*.md"))


def _hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_hooks", DOCS / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOOKS = _hooks()


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    found: dict[str, str] = HOOKS.pages()
    return found


@pytest.fixture(scope="module")
def prose() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in WRITTEN)


@pytest.mark.parametrize("name", HOOKS.cli_commands())
def test_every_command_has_help_and_is_documented(name: str, pages: dict[str, str]) -> None:
    told = HOOKS.cli_help(name)
    assert told.startswith(f"Usage: foldproof {name}")
    assert len(told.splitlines()) > 3
    assert f"## foldproof {name}\n" in pages["reference/cli.md"]
    # Every option that is shown says what it does.
    for line in told.splitlines():
        assert not re.fullmatch(r"\s+--[a-z-]+(\s+<\w+>)?\s*", line), f"{name}: {line.strip()} has no help"


def test_every_command_that_works_is_in_the_prose(prose: str) -> None:
    for name in HOOKS.cli_commands():
        assert f"foldproof {name}" in prose, name


def test_every_test_has_its_page(pages: dict[str, str]) -> None:
    from foldproof.significance import METHODS

    for name in METHODS:
        page = pages[f"tests/{name}.md"]
        assert f"({name}.md)" in pages["tests/index.md"]
        for heading in ("## Claim", "## When to use", "## Reference", "## Examples"):
            assert heading in page, f"{name} lacks {heading!r}"
        assert "```pycon" in page
        assert "``" not in page.replace("```", "")


def test_every_formula_and_measure_is_documented(pages: dict[str, str]) -> None:
    from foldproof import replicability
    from foldproof.significance import FORMULAS

    for name, function in FORMULAS.items():
        assert f"## {name.replace('-', '_')}\n" in pages["reference/formulas.md"]
        assert function.__doc__
    for name in dir(replicability):
        assert f"## {name}\n" in pages["reference/replicability.md"]


def test_every_procedure_is_documented_and_advised_upon(pages: dict[str, str]) -> None:
    import foldproof as fp

    advice = (DOCS / "explanation" / "choosing-a-procedure.md").read_text(encoding="utf-8")
    for name in fp.list_procedures():
        assert f"`{name}`" in pages["reference/procedures.md"]
        assert f"`{name}`" in advice, f"docs/explanation/choosing-a-procedure.md does not mention {name}"


def test_every_warning_word_is_documented(pages: dict[str, str]) -> None:
    from foldproof.domain.notices import MEANINGS

    HOOKS.import_all()
    for word in MEANINGS:
        assert f"| `{word}` |" in pages["reference/warnings.md"]


def reference() -> dict[str, Any]:
    found = {}
    for _, _, members in HOOKS.python_members():
        for member in members:
            module, _, name = member.rpartition(".")
            found[member] = getattr(importlib.import_module(module), name)
    return found


def test_everything_public_is_in_the_python_reference(pages: dict[str, str]) -> None:
    import foldproof as fp

    documented = list(reference().values())
    for name in fp.__all__:
        member = getattr(fp, name)
        if callable(member):
            assert member in documented, name
    for member in reference():
        assert f"::: {member}" in pages["reference/python.md"]


def test_every_member_of_the_python_reference_exists() -> None:
    for name, member in reference().items():
        assert member.__doc__, name


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_every_record_has_its_headings(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert re.match(rf"# 0*{int(record.stem[:4])}\.? \w", text), "the title begins with the record's number"
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


def test_records_are_numbered_without_gaps() -> None:
    numbers = [int(path.stem[:4]) for path in RECORDS]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for group in [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]:
        wanted += group
    names = {re.split(r"[\s\[<>=!~;]", requirement)[0] for requirement in wanted} - {"foldproof"}
    told = set(re.findall(r"^\| `([\w-]+)` \|", (DOCS / "decisions/0002-dependencies.md").read_text(), re.MULTILINE))
    assert told == names


@pytest.mark.parametrize("page", [*WRITTEN, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.stem)
def test_links_lead_somewhere(page: Path, pages: dict[str, str]) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" in target:
            continue
        place = (page.parent / target).resolve()
        made = place.is_relative_to(DOCS) and place.relative_to(DOCS).as_posix() in pages
        assert made or place.exists(), f"{page.name} links to {target}"


def test_paths_and_commands_of_contributing_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    invented = {"tests/significance/test_median_sign.py"}
    for path in set(re.findall(r"`((?:src|tests|docs|benchmarks)/[\w./-]*)`", text)) - invented:
        assert (ROOT / path).exists(), path
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    told = set(re.findall(r"`make ([a-z-]+)`", text))
    assert told <= targets, told - targets


def test_recipes_of_contributing_work(tmp_path: Path) -> None:
    """Run the recipes in a process of their own, because they register things."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(recipes) == 6
    modules = []
    for number, recipe in enumerate(recipes):
        (tmp_path / f"recipe_{number}.py").write_text(recipe, encoding="utf-8")
        modules.append(f"recipe_{number}")
    use = f"""
import doctest, importlib
for name in {modules!r}:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
import foldproof as fp
from foldproof.data.sources import Wanted, read_source
from foldproof.learners.spec import parse_spec
from foldproof.partitions import SCHEMES, partition
import numpy as np
assert fp.significance.median_sign(fp.Differences([1.0, 2.0, 3.0])).wins == 3
assert len(read_source("toy:xor", Wanted("toy:xor"))) == 4
rows = np.arange(80.0).reshape(40, 2)
data = fp.dataset(rows, np.arange(40) % 2)
assert partition(SCHEMES["in-order"](), data).folds == 10
learners = ["majority", "sklearn.naive_bayes.GaussianNB()"]
found = fp.compare(learners, rows, np.arange(40) % 2, procedure="corrected-5x5-cv")
assert found.failures == [], found.failures
"""
    made = subprocess.run(
        [sys.executable, "-c", use], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr


def commands_of(text: str) -> list[str]:
    """Return the program's commands that a page shows, each on one line and without what it is redirected to."""
    shown = "\n".join(re.findall(r"```console\n(.*?)```", text, re.DOTALL)).replace("\\\n", " ")
    return [re.sub(r"\s+>\s*\S+$", "", line) for line in re.findall(r"^\$ foldproof (.+)$", shown, re.MULTILINE)]


def quick(command: str) -> list[str]:
    """Return a command's arguments, with fewer runs where the default procedure would take the time."""
    arguments = shlex.split(command)
    if arguments[0] in ("compare", "gate") and "--procedure" not in arguments and "--runs" not in arguments:
        arguments += ["--procedure", "corrected-repeated-cv", "--runs", "2", "--folds", "5"]
    return arguments


def stand_in(name: str) -> str:
    """Return a small file for one that a page takes for the reader's own."""
    if name in ("old.csv", "new.csv"):
        better = 0.01 * (name == "new.csv")
        rows = [f"{run},{fold},{0.8 + better + 0.01 * ((run + fold) % 5)}" for run in range(10) for fold in range(10)]
        return "run,fold,score\n" + "\n".join(rows) + "\n"
    target = {"harvest.csv": "yield", "grades.csv": "grade"}[name]
    rows = [f"{i % 7},{i % 5},{'low' if i % 7 < 3 else 'high'}" for i in range(60)]
    return f"rain,sun,{target}\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda path: path.stem)
def test_examples_give_what_they_show(page: Path, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    """Run a page's Python, then its commands on the files that it made."""
    from foldproof.cli.main import run

    if page.stem in PACKAGE_OF:
        pytest.importorskip(PACKAGE_OF[page.stem])
    monkeypatch.chdir(tmp_path)
    # A fence may follow the last line of an example; it is not what is expected.
    text = re.sub(r"(?m)^\s*```\w*$", "", page.read_text(encoding="utf-8"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.stem, str(page), 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)
    if (page.parent.name, page.stem) in RUN_ELSEWHERE:
        return
    for command in commands_of(page.read_text(encoding="utf-8")):
        for name in re.findall(r"\b(?:harvest|grades|old|new)\.csv", command):
            if not Path(name).exists():
                Path(name).write_text(stand_in(name), encoding="utf-8")
        code = run(quick(command))
        shown = capsys.readouterr()
        # A gate answers by its exit code.
        assert code in ((0, 1, 4) if command.startswith("gate") else (0,)), f"{command}: {shown.err}"
        assert shown.out, command


def test_every_command_shown_is_run() -> None:
    shown = [page for page in [*WRITTEN, ROOT / "README.md"] if commands_of(page.read_text(encoding="utf-8"))]
    elsewhere = {DOCS / folder / f"{name}.md" for folder, name in RUN_ELSEWHERE} | {ROOT / "README.md"}
    assert set(shown) - set(RUNNABLE) <= elsewhere, "a page shows a command and no test runs it"
    for path in elsewhere - {ROOT / "README.md"}:
        assert f"{path.stem}" in "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("*.py"))


def test_no_page_speaks_of_the_machine_it_was_written_on() -> None:
    for path in [*WRITTEN, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "CITATION.cff"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(work|home|root|tmp)/", text), path
