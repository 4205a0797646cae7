"""Check that a release can be made: ``make release-check``.

Builds the wheel twice and compares the bytes, installs it into an empty environment, and runs the demo there.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
# When no commit tells the time: the first moment that a zip file can hold, a day later for any time zone.
EPOCH = 315_619_200


def main() -> int:
    """Run every check; the first that fails says what is wrong."""
    with tempfile.TemporaryDirectory(prefix="foldproof-release-") as folder:
        place = Path(folder)
        first, second = (build(place / name) for name in ("first", "second"))
        told = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (first, second)]
        if told[0] != told[1]:
            return fail(f"two builds of {first.name} differ: {told[0]} and {told[1]}")
        print(f"two builds, the same bytes: {first.name}, sha256 {told[0]}")
        missing = left_out(first)
        if missing:
            return fail(f"the wheel lacks {', '.join(missing)}")
        python = environment(place / "environment")
        run([python, "-m", "pip", "install", "--quiet", str(first)], place)
        version = run([python, "-m", "foldproof", "--version"], place).strip()
        if version != f"foldproof {first.name.split('-')[1]}":
            return fail(f"the installed program says {version!r}, and the wheel is {first.name}")
        print(f"installed into an empty environment: {version}")
        report = place / "report.html"
        said = run([python, "-m", "foldproof", *demo(), "--html", str(report)], place)
        if "same verdict with another seed" not in said.replace("\n", " ") or not report.exists():
            return fail("the demo gave no verdict with its forecast, or no report")
        print("the demo ends in a verdict, its forecast and report.html")
    return 0


def fail(sentence: str) -> int:
    """Say what is wrong."""
    print(f"release check: {sentence}", file=sys.stderr)
    return 1


def source_date() -> str:
    """Return the time of the last commit, which both builds carry."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return given
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or str(EPOCH)


def build(place: Path) -> Path:
    """Build the wheel into a folder of its own."""
    place.mkdir()
    environ = {**os.environ, "SOURCE_DATE_EPOCH": source_date()}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(ROOT)]
    subprocess.run(command, check=True, env=environ)
    (wheel,) = place.glob("*.whl")
    return wheel


def left_out(wheel: Path) -> list[str]:
    """Return the files of the package that are not in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        there = set(archive.namelist())
    package = ROOT / "src"
    files = [p for p in (package / "foldproof").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return sorted(name for p in files if (name := p.relative_to(package).as_posix()) not in there)


def environment(place: Path) -> str:
    """Make an empty environment and return its interpreter."""
    venv.create(place, with_pip=True)
    return str(place / ("Scripts" if os.name == "nt" else "bin") / "python")


def demo() -> list[str]:
    """Return the demo's arguments, as the Makefile has them."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (command,) = re.findall(r"foldproof (compare sklearn:\S+)", text)
    specs = re.findall(r'-l "([^"]+)"', text)
    return [*command.split(), *(part for spec in specs for part in ("-l", spec))]


def run(command: Sequence[str], place: Path) -> str:
    """Run a command away from the sources, so that what is installed is what runs."""
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=place, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"release check: {' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
