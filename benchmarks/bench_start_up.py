"""How quick a start and a first verdict are: ratios to what any program on the same libraries pays, interleaved.

Least processor times of a process and its children, of fifteen. The cache of compiled kernels is warm.
"""

import resource
import subprocess
import sys

WAYS = {
    "python -c 'import typer, rich'": ["-c", "import typer, rich"],
    "python -c 'import sklearn.model_selection, numba'": ["-c", "import sklearn.model_selection, numba"],
    "foldproof compare sklearn:iris -l naive-bayes -l c45": [
        *("-m", "foldproof", "compare", "sklearn:iris", "-l", "naive-bayes", "-l", "c45", "--quiet"),
    ],
    "foldproof --help": ["-m", "foldproof", "--help"],
    "foldproof compare --help": ["-m", "foldproof", "compare", "--help"],
    "python -c 'import foldproof'": ["-c", "import foldproof"],
}


def spent(arguments: list[str]) -> float:
    """Return the processor time of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the ratios."""
    least = dict.fromkeys(WAYS, float("inf"))
    for _ in range(15):
        for name, arguments in WAYS.items():
            least[name] = min(least[name], spent(arguments))
    light, heavy = list(least.values())[:2]
    print("| start | ratio to importing typer and rich | ratio to importing sklearn.model_selection and numba |")
    print("| --- | ---: | ---: |")
    for name, taken in least.items():
        print(f"| `{name}` | {taken / light:.2f} | {taken / heavy:.2f} |")


if __name__ == "__main__":
    main()
