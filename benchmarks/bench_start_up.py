"""How quick a start is: ratios to what any program on the same libraries pays, interleaved, medians of fifteen."""

import subprocess
import sys
import time
from statistics import median

WAYS = {
    "python -c 'import typer, rich'": ["-c", "import typer, rich"],
    "foldproof --help": ["-m", "foldproof", "--help"],
    "foldproof compare --help": ["-m", "foldproof", "compare", "--help"],
    "python -c 'import foldproof'": ["-c", "import foldproof"],
}


def main() -> None:
    """Print the ratios."""
    seconds = {name: [] for name in WAYS}
    for _ in range(15):
        for name, arguments in WAYS.items():
            begin = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
            seconds[name].append(time.perf_counter() - begin)
    base = median(seconds["python -c 'import typer, rich'"])
    print("| start | ratio to importing typer and rich |\n| --- | --- |")
    for name, taken in seconds.items():
        print(f"| `{name}` | {median(taken) / base:.2f} |")


if __name__ == "__main__":
    main()
