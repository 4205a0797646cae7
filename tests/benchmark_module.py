"""A script of ``benchmarks/`` as a module, for tests of what it promises."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[1] / "benchmarks"


def benchmark_module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_of_the_tests", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
