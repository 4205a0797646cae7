"""Run a golden file: ``python -m foldproof.testing.golden FILE [--values]``.

The file holds ``{"cases": [{"op": ..., "input": {...}, "expected": {...}}, ...], "meta": {...}}``. Every case goes
through the public functions; one line is printed for each that fails, then ``N passed, N failed`` (exit code 1 if any
did). With ``--values`` what is expected is not read, and one JSON list of all output keys is printed, in the cases'
order.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from foldproof.domain.errors import InputError
from foldproof.testing.operations import OPERATIONS

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How near is near enough: relative to strings and to floats, absolute for Bayesian tails."""

    strings: float = 1e-12
    floats: float = 1e-9
    bayes: float = 1e-7

    @classmethod
    def of(cls, meta: object) -> Tolerance:
        """Return the file's own tolerances, where it has them."""
        given = meta.get("tolerance") if isinstance(meta, Mapping) else None
        told = given if isinstance(given, Mapping) else {}
        names = {"strings": "default_relative", "floats": "scipy_oracle_relative", "bayes": "bayes_tail_absolute"}
        return cls(**{field: float(told[name]) for field, name in names.items() if name in told})


def run_case(case: object) -> dict[str, Any]:
    """Return every output key of a case, or ``{"error": ...}`` for one that cannot be run."""
    if not isinstance(case, Mapping) or not isinstance(case.get("op"), str):
        return {"error": "a case is an object with op, input and expected"}
    operation = OPERATIONS.get(case["op"])
    if operation is None:
        return {"error": f"unknown op {case['op']!r}"}
    given = case.get("input")
    if not isinstance(given, Mapping):
        return {"error": "the case has no input"}
    try:
        return {name: _plain(value) for name, value in operation(given).items()}
    except KeyError as error:
        return {"error": f"the input has no key {error.args[0]!r}"}
    except (InputError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError) as error:
        return {"error": str(error)}


def _plain(value: Any) -> Any:
    """Return the value as JSON has it: fractions and what is not finite as strings."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, (bool, str, int)) or value is None:
        return str(value) if isinstance(value, str) else value
    number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else ("inf" if number > 0 else "-inf")


def differences(expected: Any, got: Any, tolerance: Tolerance, path: str = "") -> Iterator[str]:
    """Yield where what was computed departs from what was expected; keys beyond the expected ones do not matter."""
    if isinstance(expected, Mapping):
        for name, value in expected.items():
            inside = got.get(name, _MISSING) if isinstance(got, Mapping) else _MISSING
            yield from differences(value, inside, tolerance, f"{path}.{name}" if path else str(name))
    elif got is _MISSING:
        yield f"{path}: missing, expected {expected!r}"
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(got, list) or len(got) != len(expected):
            yield f"{path}: expected {len(expected)} values, got {got!r}"
        else:
            for position, (value, inside) in enumerate(zip(expected, got, strict=True)):
                yield from differences(value, inside, tolerance, f"{path}[{position}]")
    elif not _agree(expected, got, tolerance, path):
        yield f"{path}: expected {expected!r}, got {got!r}"


def _agree(expected: Any, got: Any, tolerance: Tolerance, path: str) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        return expected is got
    wanted = _number(expected)
    if wanted is None or "fraction" in path:
        return str(expected) == str(got)
    value = _number(got)
    if value is None or not (math.isfinite(wanted) and math.isfinite(value)):
        return wanted == value
    if "bayes" in path:
        return abs(value - wanted) <= tolerance.bayes
    relative = tolerance.floats if isinstance(expected, float) else tolerance.strings
    exact, computed = Fraction(str(expected)), Fraction(value)
    return abs(computed - exact) <= Fraction(relative) * abs(exact)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def failures(case: Any, tolerance: Tolerance) -> list[str]:
    """Return what is wrong with a case: nothing, where it passes."""
    got = run_case(case)
    expected = case.get("expected") if isinstance(case, Mapping) else None
    if not isinstance(expected, Mapping) or not expected:
        return [got.get("error", "the case has nothing expected")]
    if case.get("op") not in OPERATIONS:
        return [got["error"]]
    if "error" in expected:
        # That it is refused is what matters; the words are ours.
        return [] if got.get("error") else [f"expected an error, got {json.dumps(got)}"]
    if got.get("error"):
        return [got["error"]]
    return list(differences(expected, got, tolerance))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the file named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m foldproof.testing.golden", description=__doc__)
    parser.add_argument("file", type=Path, help="a JSON file of the golden format")
    parser.add_argument("--values", action="store_true", help="print what is computed instead of comparing it")
    options = parser.parse_args(arguments)
    try:
        content = json.loads(options.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{options.file}: cannot be read as JSON: {error}\n")
        return 2
    cases = content.get("cases") if isinstance(content, dict) else content
    if not isinstance(cases, list):
        sys.stderr.write(f'{options.file}: a golden file holds a list under "cases"\n')
        return 2
    if options.values:
        sys.stdout.write(json.dumps([run_case(case) for case in cases]) + "\n")
        return 0
    tolerance = Tolerance.of(content.get("meta") if isinstance(content, dict) else None)
    failed = 0
    for position, case in enumerate(cases):
        wrong = failures(case, tolerance)
        if wrong:
            failed += 1
            op = case.get("op") if isinstance(case, Mapping) else None
            sys.stdout.write(f"case {position} ({op}): {'; '.join(wrong)}\n")
    sys.stdout.write(f"{len(cases) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
