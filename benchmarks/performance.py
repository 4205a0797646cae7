"""Measure everything that ``docs/performance.md`` tells, in one run, and write it there.

The page's own words stay; what stands between ``<!-- name -->`` and ``<!-- end -->`` is what the benchmark of that
name printed. Weka is measured where FOLDPROOF_WEKA_JAR names its jar, published data where
FOLDPROOF_DATA names their folder.

    python benchmarks/performance.py [--only beside-others ...] [--quick]
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "performance.md"
# What is run for each part of the page, and what is added for a quick look.
PARTS = {
    "beside-others": (["bench_beside_others.py"], ["--runs", "100", "--repeats", "2"]),
    "tables-1-to-4": (["bench_tables_1_to_4.py", "--threads", "2"], ["--repetitions", "1"]),
    "fast-compare": (["bench_fast_compare.py"], []),
    "start": (["bench_start_up.py"], []),
    "growth": (["growth.py"], ["--quick"]),
    "memory": (["growth.py", "--memory", "100000"], []),
    "instructions": (["instructions.py"], []),
}


def machine() -> str:
    """Return where and with what this was measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    jar = os.environ.get("FOLDPROOF_WEKA_JAR")
    weka = f", Weka ({Path(jar).resolve().stem})" if jar else ""
    return (
        f"Measured on {datetime.datetime.now(datetime.UTC):%Y-%m-%d}: {platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {platform.python_version()}, {packages}{weka}. Machines differ: read ratios."
    )


def filled(page: str, name: str, text: str) -> str:
    """Return the page with one part written anew."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{PAGE} has no part {name!r}: write <!-- {name} --> and <!-- end --> where it belongs")
    return pattern.sub(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    for name in given.only:
        command, quick = PARTS[name]
        print(f"== {name}", flush=True)
        if name == "instructions" and not shutil.which("valgrind"):
            print("valgrind was not found: left as it is")
            continue
        told = subprocess.run(
            [sys.executable, *command, *(quick if given.quick else [])],
            cwd=HERE, check=True, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip
        print(told, flush=True)
        page = filled(page, name, told)
        PAGE.write_text(filled(page, "machine", machine()), encoding="utf-8")


if __name__ == "__main__":
    main()
